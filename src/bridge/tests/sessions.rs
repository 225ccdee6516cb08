//! Sessions: opened, loaded, closed; and updates that come before their session.

use std::path::PathBuf;

use serde_json::json;

use super::*;
use crate::core::backend::{McpServer, McpTransport};
use crate::core::event::OpenedSession;
use crate::core::transcript::MessageKind;

const OTHER: SessionKey = SessionKey(2);

fn opened(id: Option<&str>) -> Event {
    of(
        SESSION,
        SessionEvent::Opened(OpenedSession {
            id: id.map(Into::into),
            ..OpenedSession::default()
        }),
    )
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
    let codex = json!({"protocolVersion": 1, "agentInfo": {"name": "@agentclientprotocol/codex-acp", "version": "2.6.0"},
        "agentCapabilities": {"mcpCapabilities": {"http": true}}});
    let relayed = |name: &str, entry: Value| {
        let server = json!({"mcpServers": {name: entry}}).to_string();
        json!({"name": name, "command": "/opt/agent panel", "args": ["mcp-relay"],
            "env": [{"name": "AGENT_PANEL_MCP_SERVER", "value": server}]})
    };
    let through_us = [
        relayed(
            "a",
            json!({"type": "stdio", "command": "serve", "args": ["--x"], "env": {"A": "1"}}),
        ),
        relayed(
            "b",
            json!({"type": "http", "url": "http://b", "headers": {"H": "2"}}),
        ),
    ];
    let cases = [
        (codex, json!(through_us)),
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
