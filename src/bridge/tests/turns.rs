//! What is said in an open session: prompts and their ends, changes and their answers.

use serde_json::json;

use super::*;
use crate::core::controls::ConfigSetting;
use crate::core::event::{PendingChoice, StopReason, TurnResult};
use crate::core::ids::TurnId;
use crate::core::notice::RpcError;
use crate::core::tool_call::ImageData;
use crate::core::transcript::Attachment;

#[test]
fn prompts_hold_what_the_agent_can_take() {
    let prompt = Prompt {
        text: "look".to_owned(),
        images: vec![
            ImageData {
                media_type: "image/png".to_owned(),
                base64: "iVBO".to_owned(),
                uri: None,
            },
            ImageData {
                media_type: "image/png".to_owned(),
                base64: "iVBO".to_owned(),
                uri: Some("file:///a.png".to_owned()),
            },
        ],
        attachments: vec![
            Attachment {
                name: "b.rs".to_owned(),
                uri: "file:///b.rs".to_owned(),
                text: Some("fn b() {}".to_owned()),
            },
            Attachment {
                name: "c".to_owned(),
                uri: "file:///c".to_owned(),
                text: None,
            },
        ],
    };
    let look = json!({"type": "text", "text": "look"});
    let link_c = json!({"type": "resource_link", "name": "c", "uri": "file:///c"});
    let all = json!([
        look,
        {"type": "image", "data": "iVBO", "mimeType": "image/png"},
        {"type": "image", "data": "iVBO", "mimeType": "image/png", "uri": "file:///a.png"},
        {"type": "resource", "resource": {"text": "fn b() {}", "uri": "file:///b.rs"}},
        link_c,
    ]);
    let links = json!([
        look,
        {"type": "resource_link", "name": "file:///a.png", "uri": "file:///a.png"},
        {"type": "resource_link", "name": "b.rs", "uri": "file:///b.rs"},
        link_c,
    ]);
    for (agent, blocks) in [
        (all_capabilities(), all),
        (json!({"protocolVersion": 1}), links),
    ] {
        let mut wire = Wire::open_with(&agent);
        drop(wire.say(AgentMessage::Prompt {
            session: SESSION,
            turn: TurnId(1),
            prompt: prompt.clone(),
        }));
        let expected = json!({"jsonrpc": "2.0", "id": 3, "method": "session/prompt", "params": {"sessionId": "s1", "prompt": blocks}});
        assert_eq!(wire.sent, [expected]);
    }
}

#[test]
fn ends_of_turns() {
    let stopped = |reason: StopReason| TurnResult::Stopped(reason);
    let cases = [
        (
            json!({"result": {"stopReason": "end_turn"}}),
            stopped(StopReason::EndTurn),
        ),
        (
            json!({"result": {"stopReason": "max_turn_requests", "usage": null}}),
            stopped(StopReason::MaxTurnRequests),
        ),
        (
            json!({"result": {"stopReason": "solar_flare"}}),
            stopped(StopReason::Other("solar_flare".to_owned())),
        ),
        (
            json!({"result": {"stopReason": 7}}),
            stopped(StopReason::Other(String::new())),
        ),
        (
            json!({"result": {}}),
            stopped(StopReason::Other(String::new())),
        ),
        (
            json!({"result": null}),
            stopped(StopReason::Other(String::new())),
        ),
        (
            json!({"error": {"code": 429, "message": "slow down"}}),
            TurnResult::Failed(RpcError {
                code: 429,
                message: "slow down".to_owned(),
                data: None,
            }),
        ),
    ];
    for (wire_answer, result) in cases {
        let mut wire = Wire::open();
        drop(wire.say(AgentMessage::Prompt {
            session: SESSION,
            turn: TurnId(7),
            prompt: Prompt::text("x"),
        }));
        let mut frame = json!({"jsonrpc": "2.0", "id": 3});
        frame
            .as_object_mut()
            .unwrap()
            .extend(wire_answer.as_object().unwrap().clone());
        let turn = TurnId(7);
        assert_eq!(
            wire.hear(&frame),
            [of(SESSION, SessionEvent::TurnEnded { turn, result })],
            "{frame}"
        );
        let again = wire.hear(&frame);
        assert!(
            matches!(
                again.as_slice(),
                [Event::Connection {
                    event: ConnectionEvent::Unrecognized { .. },
                    ..
                }]
            ),
            "{again:?}"
        );
    }
}

#[test]
fn usage_comes_before_the_end_of_its_turn() {
    let mut wire = Wire::open();
    drop(wire.say(AgentMessage::Prompt {
        session: SESSION,
        turn: TurnId(1),
        prompt: Prompt::text("x"),
    }));
    let events = wire.hear(&answer(
        3,
        &json!({"stopReason": "end_turn", "usage": {"inputTokens": 1, "outputTokens": 2}}),
    ));
    let kinds: Vec<_> = events.into_iter().map(session_event).collect();
    assert!(
        matches!(
            kinds.as_slice(),
            [
                SessionEvent::UsageReported(_),
                SessionEvent::TurnEnded { .. }
            ]
        ),
        "{kinds:?}"
    );
}

/// Each change with its request and with what is waited for.
fn changes() -> [(AgentMessage, &'static str, Value, PendingChoice); 4] {
    let option = |id: &str, value: &str| PendingChoice::Option {
        id: id.to_owned(),
        value: value.to_owned(),
    };
    let set = |option: &str, value: ConfigSetting| AgentMessage::SetConfigOption {
        session: SESSION,
        option: option.into(),
        value,
    };
    [
        (
            AgentMessage::SetMode {
                session: SESSION,
                mode: "plan".into(),
            },
            "session/set_mode",
            json!({"sessionId": "s1", "modeId": "plan"}),
            PendingChoice::Mode("plan".to_owned()),
        ),
        (
            AgentMessage::SetModel {
                session: SESSION,
                model: "m2".into(),
            },
            "session/set_model",
            json!({"sessionId": "s1", "modelId": "m2"}),
            PendingChoice::Model("m2".to_owned()),
        ),
        (
            set("effort", ConfigSetting::Choice("high".to_owned())),
            "session/set_config_option",
            json!({"sessionId": "s1", "configId": "effort", "value": "high"}),
            option("effort", "high"),
        ),
        (
            set("fast", ConfigSetting::Boolean(true)),
            "session/set_config_option",
            json!({"sessionId": "s1", "configId": "fast", "type": "boolean", "value": true}),
            option("fast", "true"),
        ),
    ]
}

#[test]
fn changes_and_their_answers() {
    let options = json!({"configOptions": [{"id": "fast", "name": "Fast", "type": "boolean", "currentValue": true}]});
    for (message, method, params, choice) in changes() {
        let mut wire = Wire::open();
        assert_eq!(wire.say(message.clone()), []);
        assert_eq!(
            wire.sent,
            [json!({"jsonrpc": "2.0", "id": 3, "method": method, "params": params})]
        );
        let events = wire.hear(&answer(3, &options));
        let [
            Event::Session {
                event:
                    SessionEvent::ChoiceAnswered {
                        choice: answered,
                        result: Ok(Some(list)),
                    },
                ..
            },
        ] = events.as_slice()
        else {
            panic!("an answer, not {events:?}");
        };
        assert_eq!((answered, list.len()), (&choice, 1));

        drop(wire.say(message.clone()));
        let result = Ok(None);
        let event = SessionEvent::ChoiceAnswered {
            choice: choice.clone(),
            result,
        };
        assert_eq!(wire.hear(&answer(4, &json!({}))), [of(SESSION, event)]);

        drop(wire.say(message.clone()));
        let refusal =
            json!({"jsonrpc": "2.0", "id": 5, "error": {"code": -32601, "message": "no"}});
        let events = wire.hear(&refusal);
        assert!(matches!(
            events.as_slice(),
            [Event::Session {
                event: SessionEvent::ChoiceAnswered { result: Err(_), .. },
                ..
            }]
        ));

        let (mut unopened, _) = Wire::ready(&json!({"protocolVersion": 1}));
        let events = unopened.say(message);
        assert!(matches!(
            events.as_slice(),
            [Event::Session {
                event: SessionEvent::ChoiceAnswered { result: Err(_), .. },
                ..
            }]
        ));
    }
}

#[test]
fn messages_for_a_session_that_is_not_there() {
    let (mut wire, _) = Wire::ready(&json!({"protocolVersion": 1}));
    let sent = wire.sent.len();
    let events = wire.say(AgentMessage::Prompt {
        session: SESSION,
        turn: TurnId(1),
        prompt: Prompt::text("x"),
    });
    assert!(matches!(
        events.as_slice(),
        [Event::Session {
            event: SessionEvent::TurnEnded {
                turn: TurnId(1),
                result: TurnResult::Failed(_)
            },
            ..
        }]
    ));
    assert_eq!(wire.say(AgentMessage::Cancel { session: SESSION }), []);
    assert_eq!(wire.sent.len(), sent);
}
