//! From `initialize` to an open session, and signing in.

use serde_json::json;

use super::*;
use crate::core::notice::{FailureKind, RpcError};

fn connection_event(events: Vec<Event>) -> ConnectionEvent {
    match <[Event; 1]>::try_from(events) {
        Ok([Event::Connection { connection, event }]) => {
            assert_eq!(connection, CONNECTION);
            event
        }
        other => panic!("one event of the connection, not {other:?}"),
    }
}

#[test]
fn the_first_words() {
    let (wire, _) = Wire::ready(&json!({"protocolVersion": 1}));
    let expected = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": 1,
        "clientCapabilities": {
            "fs": {"readTextFile": false, "writeTextFile": false},
            "terminal": false,
            "session": {"configOptions": {"boolean": {}}},
            "auth": {"terminal": true}, "elicitation": {"form": {}, "url": {}},
            "_meta": {"terminal-auth": true},
        },
        "clientInfo": {"name": "agent-panel", "title": "Agent Panel", "version": "0.0.1"},
    }});
    assert_eq!(wire.sent, [expected]);
}

#[test]
fn another_version_of_the_protocol_is_refused() {
    let mismatch =
        |theirs: u64| ConnectionEvent::StartFailed(FailureKind::VersionMismatch { theirs });
    let cases = [
        (
            json!({"protocolVersion": 2, "info": {"name": "x"}}),
            Some(mismatch(2)),
        ),
        (json!({"protocolVersion": 100_000}), Some(mismatch(100_000))),
        (json!({"protocolVersion": 0}), Some(mismatch(0))),
        (json!({"protocolVersion": 1}), None),
        (json!({"protocolVersion": "2025-06-18"}), None),
        (json!({}), None),
        (json!(null), None),
    ];
    for (agent, refusal) in cases {
        let (_, events) = Wire::ready(&agent);
        let event = connection_event(events);
        match refusal {
            Some(refusal) => assert_eq!(event, refusal, "{agent}"),
            None => assert!(
                matches!(event, ConnectionEvent::Initialized { .. }),
                "{agent}: {event:?}"
            ),
        }
    }
}

#[test]
fn an_error_in_place_of_the_answer() {
    let mut wire = Wire {
        bridge: Bridge::new(CONNECTION, &spec(), client()),
        sent: Vec::new(),
    };
    let output = wire.bridge.start();
    wire.take(output);
    let events =
        wire.hear(&json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "no"}}));
    let error = RpcError {
        code: -32_603,
        message: "no".to_owned(),
        data: None,
    };
    let expected = ConnectionEvent::StartFailed(FailureKind::AgentError(error));
    assert_eq!(connection_event(events), expected);
}

#[test]
fn signing_in() {
    let (mut wire, _) = Wire::ready(&json!({"protocolVersion": 1}));
    let authenticate = |id: &str| AgentMessage::Authenticate { method: id.into() };
    assert_eq!(wire.say(authenticate("key")), []);
    let request =
        json!({"jsonrpc": "2.0", "id": 2, "method": "authenticate", "params": {"methodId": "key"}});
    assert_eq!(wire.sent.last(), Some(&request));
    let failure =
        json!({"jsonrpc": "2.0", "id": 2, "error": {"code": -32000, "message": "wrong key"}});
    let failed = connection_event(wire.hear(&failure));
    assert!(
        matches!(failed, ConnectionEvent::AuthenticateFailed(error) if error.message == "wrong key")
    );

    drop(wire.say(authenticate("browser")));
    drop(wire.say(AgentMessage::CancelAuthenticate));
    let taken_back =
        json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 3}});
    assert_eq!(wire.sent.last(), Some(&taken_back));
    let sent = wire.sent.len();
    drop(wire.say(AgentMessage::CancelAuthenticate));
    assert_eq!(wire.sent.len(), sent, "it is taken back once");
    drop(wire.say(authenticate("browser")));
    assert_eq!(
        wire.hear(&json!({"jsonrpc": "2.0", "id": 3, "error": {"code": -32800, "message": ""}})),
        []
    );
    assert_eq!(
        connection_event(wire.hear(&answer(4, &json!(null)))),
        ConnectionEvent::Authenticated
    );
    drop(wire.say(authenticate("late")));
    drop(wire.say(AgentMessage::CancelAuthenticate));
    assert_eq!(
        connection_event(wire.hear(&answer(5, &json!({})))),
        ConnectionEvent::Authenticated
    );
}

#[test]
fn a_list_of_sessions_in_pages() {
    let (mut wire, _) = Wire::ready(&json!({"protocolVersion": 1}));
    assert_eq!(wire.say(AgentMessage::ListSessions), []);
    assert_eq!(wire.sent.last().unwrap()["params"], json!({}));
    let page = json!({"sessions": [{"sessionId": "a", "cwd": "/a", "title": "A", "updatedAt": "2026-11-30", "_meta": {}}, {"cwd": "/no-id"}], "nextCursor": "p2"});
    assert_eq!(wire.hear(&answer(2, &page)), []);
    assert_eq!(wire.sent.last().unwrap()["params"], json!({"cursor": "p2"}));
    let page = json!({"sessions": [{"sessionId": "b", "title": null}], "nextCursor": null});
    let ConnectionEvent::SessionsListed(listed) = connection_event(wire.hear(&answer(3, &page)))
    else {
        panic!("a list");
    };
    let short: Vec<_> = listed
        .iter()
        .map(|s| (s.id.as_str(), s.title.as_deref(), s.updated_at.as_deref()))
        .collect();
    assert_eq!(
        short,
        [("a", Some("A"), Some("2026-11-30")), ("b", None, None)]
    );

    drop(wire.say(AgentMessage::ListSessions));
    let endless = json!({"sessions": [], "nextCursor": "again"});
    let asked = (4..1_000)
        .take_while(|id| wire.hear(&answer(*id, &endless)).is_empty())
        .count();
    assert!(asked < 100, "{asked}");

    drop(wire.say(AgentMessage::ListSessions));
    let last = wire.sent.last().unwrap()["id"].as_u64().unwrap();
    let refusal = json!({"jsonrpc": "2.0", "id": last, "error": {"code": -32601, "message": "no"}});
    assert_eq!(
        connection_event(wire.hear(&refusal)),
        ConnectionEvent::SessionsListed(Vec::new())
    );
}
