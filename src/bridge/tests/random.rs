//! Anything an agent may send: no panic, and every request answered exactly once.

use proptest::prelude::*;

use super::*;
use crate::core::ids::{RequestId, TurnId};
use crate::core::permission::PermissionOutcome;

/// A value of any form, with the words of the protocol in it.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(
            &[
                "text",
                "diff",
                "content",
                "terminal",
                "image",
                "resource",
                "pending",
                "completed",
                "edit",
                "s1",
                "s2",
                "allow_once",
                "t1",
                "",
                "a\u{0}b",
            ][..]
        )
        .prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any_name(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![
        9 => prop::sample::select(&[
            "sessionId", "update", "sessionUpdate", "toolCallId", "title", "kind", "status", "content", "type", "text",
            "entries", "options", "optionId", "toolCall", "_meta", "usage", "used", "size", "cost", "requestId",
            "claudeCode", "stopReason", "protocolVersion", "models", "modes", "configOptions", "locations",
        ][..])
            .prop_map(str::to_owned),
        1 => ".{0,5}",
    ]
}

/// A line: bytes of any kind, a value of any form, or something close to a message.
fn any_line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        1 => prop::collection::vec(any::<u8>(), 0..40),
        1 => any_value().prop_map(|value| value.to_string().into_bytes()),
        2 => (any_update(), any_value()).prop_map(|(word, rest)| {
            let mut body = json!({"sessionUpdate": word});
            if let (Some(body), Value::Object(rest)) = (body.as_object_mut(), rest) {
                body.extend(rest);
            }
            update("s1", &body).to_string().into_bytes()
        }),
        2 => (any_method(), any_value()).prop_map(|(method, params)| {
            json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string().into_bytes()
        }),
        2 => (0_u64..12, any_value()).prop_map(|(id, result)| answer(id, &result).to_string().into_bytes()),
    ]
}

fn any_update() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        &[
            "agent_message_chunk",
            "tool_call",
            "tool_call_update",
            "plan",
            "plan_update",
            "usage_update",
            "config_option_update",
            "session_info_update",
            "available_commands_update",
            "current_mode_update",
            "hologram",
        ][..],
    )
}

fn any_method() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        &[
            "session/update",
            "$/cancel_request",
            "_x.ai/session_notification",
            "vendor/x",
        ][..],
    )
}

/// A request with an id of its own.
fn any_request() -> impl Strategy<Value = (bool, &'static str, Value)> {
    let method = prop::sample::select(
        &[
            "session/request_permission",
            "fs/read_text_file",
            "elicitation/create",
            "vendor/do_magic",
        ][..],
    );
    let session = prop::sample::select(&["s1", "s2", "nobody"][..]);
    let options = prop_oneof![
        any_value(),
        Just(
            json!([{"optionId": "a", "kind": "allow_once"}, {"optionId": "r", "kind": "reject_once"}])
        ),
    ];
    (any::<bool>(), method, session, any_value(), options).prop_map(
        |(as_text, method, session, call, options)| {
            (
                as_text,
                method,
                json!({"sessionId": session, "toolCall": call, "options": options}),
            )
        },
    )
}

#[derive(Debug, Clone)]
enum Step {
    Line(Vec<u8>),
    Request(bool, &'static str, Value),
    CancelTurn,
    Prompt,
    Open,
    Load,
    Close,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => any_line().prop_map(Step::Line),
        4 => any_request().prop_map(|(as_text, method, params)| Step::Request(as_text, method, params)),
        1 => Just(Step::CancelTurn),
        1 => Just(Step::Prompt),
        1 => Just(Step::Open),
        1 => Just(Step::Load),
        1 => Just(Step::Close),
    ]
}

fn request(number: u64, as_text: bool, method: &str, params: &Value) -> Value {
    let id = if as_text {
        json!(format!("r{number}"))
    } else {
        json!(number)
    };
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// How often each of these ids was answered.
fn answers(sent: &[Value], asked: &[Value]) -> Vec<(Value, usize)> {
    let count = |id: &Value| {
        sent.iter()
            .filter(|frame| frame.get("method").is_none() && frame["id"] == *id)
            .count()
    };
    asked.iter().map(|id| (id.clone(), count(id))).collect()
}

fn once(asked: &[Value]) -> Vec<(Value, usize)> {
    asked.iter().map(|id| (id.clone(), 1)).collect()
}

/// The permission requests that a test has heard of and not answered.
#[derive(Default)]
struct Open(Vec<RequestId>);

impl Open {
    fn take_in(&mut self, events: Vec<Event>) {
        for event in events {
            if let Event::Session {
                event: SessionEvent::PermissionRequested { request, .. },
                ..
            } = event
            {
                self.0.push(request);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_bridge_answers_every_request_once(steps in prop::collection::vec(any_step(), 0..40)) {
        let mut wire = Wire::open();
        let mut reader = LineReader::default();
        let mut open = Open::default();
        let mut asked = Vec::new();
        for (number, step) in (1_000_u64..).zip(steps) {
            let session = SessionKey(1 + number % 3);
            let events = match step {
                Step::Line(mut bytes) => {
                    bytes.push(b'\n');
                    let mut events = Vec::new();
                    for line in reader.push(&bytes) {
                        let output = wire.bridge.receive(line);
                        events.extend(wire.take(output));
                    }
                    events
                }
                Step::Request(as_text, method, params) => {
                    let request = request(number, as_text, method, &params);
                    asked.push(request["id"].clone());
                    wire.hear(&request)
                }
                Step::CancelTurn => wire.say(AgentMessage::Cancel { session }),
                Step::Prompt => wire.say(AgentMessage::Prompt { session, turn: TurnId(number), prompt: Prompt::text("x") }),
                Step::Open => wire.say(new_session(session)),
                Step::Load => wire.say(AgentMessage::LoadSession { session, id: "s2".into(), cwd: "/".into(), mcp_servers: Vec::new() }),
                Step::Close => wire.say(AgentMessage::CloseSession { session }),
            };
            open.take_in(events);
        }
        for id in 1..100 {
            let events = wire.hear(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": 1, "message": ""}}));
            open.take_in(events);
        }
        for request in open.0 {
            drop(wire.say(AgentMessage::AnswerPermission { session: SESSION, request, outcome: PermissionOutcome::Cancelled, message: None }));
        }
        prop_assert_eq!(answers(&wire.sent, &asked), once(&asked));
        drop(wire.bridge.end_of_output());
    }

    #[test]
    fn bridge_and_hub_answer_every_request_once(steps in prop::collection::vec(any_step(), 0..40)) {
        let mut desk = Desk::with_prompt();
        let mut asked = Vec::new();
        for (number, step) in (1_000_u64..).zip(steps) {
            match step {
                Step::Line(mut bytes) => {
                    bytes.push(b'\n');
                    desk.bytes(&bytes);
                }
                Step::Request(as_text, method, params) => {
                    let request = request(number, as_text, method, &params);
                    asked.push(request["id"].clone());
                    desk.agent(&request);
                }
                Step::CancelTurn => desk.user(Command::CancelTurn { session: SESSION }),
                Step::Prompt => desk.prompt("more"),
                Step::Open | Step::Load | Step::Close => desk.answer_first_request(),
            }
        }
        while !desk.session().permission_requests().is_empty() {
            desk.answer_first_request();
        }
        prop_assert_eq!(answers(&desk.sent, &asked), once(&asked));
    }
}
