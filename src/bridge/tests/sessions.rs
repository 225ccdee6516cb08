//! Sessions: opened, loaded, prompted, changed, closed; and updates that come before their session.

use std::path::PathBuf;

use serde_json::json;

use super::*;
use crate::core::backend::{McpServer, McpTransport};
use crate::core::controls::ConfigSetting;
use crate::core::event::{OpenedSession, PendingChoice, StopReason, TurnResult};
use crate::core::ids::TurnId;
use crate::core::notice::RpcError;
use crate::core::tool_call::ImageData;
use crate::core::transcript::{Attachment, MessageKind};

const OTHER: SessionKey = SessionKey(2);

fn all_capabilities() -> Value {
    json!({"protocolVersion": 1, "agentCapabilities": {
        "loadSession": true,
        "promptCapabilities": {"image": true, "embeddedContext": true},
        "mcpCapabilities": {"http": true, "sse": true},
        "sessionCapabilities": {"resume": {}, "close": {}, "list": {}},
    }})
}

fn opened(id: Option<&str>) -> Event {
    of(
        SESSION,
        SessionEvent::Opened(OpenedSession {
            id: id.map(Into::into),
            ..OpenedSession::default()
        }),
    )
}

fn of(session: SessionKey, event: SessionEvent) -> Event {
    Event::Session { session, event }
}

fn text(session: SessionKey, text: &str) -> Event {
    of(
        session,
        SessionEvent::Text {
            kind: MessageKind::Agent,
            text: text.to_owned(),
            message_id: None,
        },
    )
}

fn load(session: SessionKey, id: &str) -> AgentMessage {
    AgentMessage::LoadSession {
        session,
        id: id.into(),
        cwd: "/work".into(),
        mcp_servers: Vec::new(),
    }
}

fn mcp_servers() -> Vec<McpServer> {
    let pair = |name: &str, value: &str| BTreeMap::from([(name.to_owned(), value.to_owned())]);
    let server = |name: &str, transport: McpTransport| McpServer {
        name: name.to_owned(),
        transport,
    };
    vec![
        server(
            "a",
            McpTransport::Stdio {
                command: "serve".to_owned(),
                args: vec!["--x".to_owned()],
                env: pair("A", "1"),
            },
        ),
        server(
            "b",
            McpTransport::Http {
                url: "http://b".to_owned(),
                headers: pair("H", "2"),
            },
        ),
        server(
            "c",
            McpTransport::Sse {
                url: "http://c".to_owned(),
                headers: BTreeMap::new(),
            },
        ),
    ]
}

#[test]
fn a_new_session_gets_the_servers_that_the_agent_can_reach() {
    let stdio = json!({"name": "a", "command": "serve", "args": ["--x"], "env": [{"name": "A", "value": "1"}]});
    let http = json!({"type": "http", "name": "b", "url": "http://b", "headers": [{"name": "H", "value": "2"}]});
    let sse = json!({"type": "sse", "name": "c", "url": "http://c", "headers": []});
    let vibe = json!({"protocolVersion": 1, "agentInfo": {"name": "@mistralai/mistral-vibe", "version": "3"}});
    let cases = [
        (all_capabilities(), json!([stdio, http, sse])),
        (json!({"protocolVersion": 1}), json!([stdio])),
        (vibe, json!([stdio, http])),
    ];
    for (agent, servers) in cases {
        let (mut wire, _) = Wire::ready(&agent);
        drop(wire.say(AgentMessage::NewSession {
            session: SESSION,
            cwd: PathBuf::from("/日本 語"),
            mcp_servers: mcp_servers(),
        }));
        let expected = json!({"jsonrpc": "2.0", "id": 2, "method": "session/new", "params": {"cwd": "/日本 語", "mcpServers": servers}});
        assert_eq!(wire.sent.last(), Some(&expected));
    }
}

#[test]
fn loaded_and_resumed_sessions_keep_their_id() {
    let (mut wire, _) = Wire::ready(&all_capabilities());
    drop(wire.say(load(SESSION, "old")));
    let expected = json!({"jsonrpc": "2.0", "id": 2, "method": "session/load", "params": {"sessionId": "old", "cwd": "/work", "mcpServers": []}});
    assert_eq!(wire.sent.last(), Some(&expected));
    assert_eq!(
        wire.hear(&chunk("old", "replayed")),
        [text(SESSION, "replayed")]
    );
    assert_eq!(wire.hear(&answer(2, &json!(null))), [opened(None)]);
    assert_eq!(wire.hear(&chunk("old", "rest")), [text(SESSION, "rest")]);

    drop(wire.say(AgentMessage::ResumeSession {
        session: OTHER,
        id: "older".into(),
        cwd: "/work".into(),
        mcp_servers: mcp_servers(),
    }));
    let request = wire.sent.last().unwrap();
    assert_eq!(
        (&request["method"], &request["params"]["sessionId"]),
        (&json!("session/resume"), &json!("older"))
    );
    assert_eq!(request["params"]["mcpServers"].as_array().unwrap().len(), 3);
    let events = wire.hear(&answer(3, &json!({"sessionId": "older"})));
    assert_eq!(
        events,
        [of(OTHER, SessionEvent::Opened(OpenedSession::default()))]
    );

    drop(wire.say(load(SESSION, "old")));
    assert_eq!(
        wire.hear(&answer(4, &json!({"sessionId": "renamed"}))),
        [opened(Some("renamed"))]
    );
    assert_eq!(wire.hear(&chunk("renamed", "x")), [text(SESSION, "x")]);
}

#[test]
fn an_answer_that_opens_nothing() {
    let mut wire = Wire::open();
    drop(wire.say(new_session(OTHER)));
    let failed = |events: Vec<Event>| match events.as_slice() {
        [
            Event::Session {
                event: SessionEvent::OpenFailed(error),
                ..
            },
        ] => error.clone(),
        other => panic!("a refusal, not {other:?}"),
    };
    let error = failed(wire.hear(&answer(3, &json!({"sessionId": ""}))));
    assert_eq!(error.code, -32_603);
    drop(wire.say(load(OTHER, "gone")));
    let refusal = json!({"jsonrpc": "2.0", "id": 4, "error": {"code": -32002, "message": "Resource not found", "data": {"uri": "gone"}}});
    let error = failed(wire.hear(&refusal));
    assert_eq!(
        (error.code, error.data.as_deref()),
        (-32_002, Some(r#"{"uri":"gone"}"#))
    );
    assert_eq!(wire.hear(&chunk("gone", "x")).len(), 1, "told as unknown");
    assert_eq!(wire.hear(&chunk("gone", "y")), [], "told once");
}

#[test]
fn updates_before_their_session_follow_its_opening_in_order() {
    let mut wire = Wire::open();
    drop(wire.say(new_session(OTHER)));
    assert_eq!(wire.hear(&chunk("s2", "early ")), []);
    assert_eq!(
        wire.hear(&chunk("s1", "meanwhile")),
        [text(SESSION, "meanwhile")]
    );
    assert_eq!(wire.hear(&chunk("s3", "nobody's")), []);
    assert_eq!(wire.hear(&chunk("s2", "words")), []);
    let options = json!([{"optionId": "a", "kind": "allow_once"}]);
    assert_eq!(
        wire.hear(&permission(7, "s2", &json!({"toolCallId": "t"}), &options)),
        []
    );
    let sent = wire.sent.len();
    let events = wire.hear(&answer(3, &json!({"sessionId": "s2"})));
    let (kinds, last): (Vec<_>, _) = (events.iter().take(3).cloned().collect(), events.len());
    let expected = [
        of(
            OTHER,
            SessionEvent::Opened(OpenedSession {
                id: Some("s2".into()),
                ..OpenedSession::default()
            }),
        ),
        text(OTHER, "early "),
        text(OTHER, "words"),
    ];
    assert_eq!(kinds, expected);
    assert!(matches!(
        events[3],
        Event::Session {
            session: OTHER,
            event: SessionEvent::PermissionRequested { .. }
        }
    ));
    assert!(matches!(
        events[4],
        Event::Connection {
            event: ConnectionEvent::Unrecognized { .. },
            ..
        }
    ));
    assert_eq!((last, wire.sent.len()), (5, sent));
}

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

#[test]
fn changes_and_their_answers() {
    let options = json!({"configOptions": [{"id": "fast", "name": "Fast", "type": "boolean", "currentValue": true}]});
    let option = |id: &str, value: &str| PendingChoice::Option {
        id: id.to_owned(),
        value: value.to_owned(),
    };
    let set = |option: &str, value: ConfigSetting| AgentMessage::SetConfigOption {
        session: SESSION,
        option: option.into(),
        value,
    };
    let cases = [
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
    ];
    for (message, method, params, choice) in cases {
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
fn a_closed_session_is_forgotten() {
    let mut wire = Wire::open_with(&all_capabilities());
    let options = json!([{"optionId": "a", "kind": "allow_once"}]);
    drop(wire.hear(&permission(0, "s1", &json!({"toolCallId": "t"}), &options)));
    drop(wire.say(AgentMessage::CloseSession { session: SESSION }));
    let expected = [
        json!({"jsonrpc": "2.0", "id": 0, "result": {"outcome": {"outcome": "cancelled"}}}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "session/close", "params": {"sessionId": "s1"}}),
    ];
    assert_eq!(wire.sent, expected);
    assert_eq!(
        wire.hear(&answer(3, &json!({}))),
        [of(SESSION, SessionEvent::Closed)]
    );
    drop(wire.hear(&permission(1, "s1", &json!({"toolCallId": "t"}), &options)));
    assert_eq!(wire.sent.last().unwrap()["error"]["code"], -32602);

    // One that is closed before it is open.
    drop(wire.say(new_session(OTHER)));
    drop(wire.say(AgentMessage::CloseSession { session: OTHER }));
    assert_eq!(wire.hear(&answer(4, &json!({"sessionId": "s2"}))), []);
    assert_eq!(wire.sent.last().unwrap()["method"], "session/close");

    let mut wire = Wire::open();
    drop(wire.say(AgentMessage::CloseSession { session: SESSION }));
    assert_eq!(
        wire.sent,
        Vec::<Value>::new(),
        "an agent that can't is told nothing"
    );
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
