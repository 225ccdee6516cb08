//! Requests of the agent: permission, withdrawn or answered, and everything we have no answer to.

use serde_json::json;

use super::*;
use crate::core::event::SessionEvent;
use crate::core::ids::{RequestId, ToolCallId};
use crate::core::permission::PermissionOutcome;

fn options() -> Value {
    json!([{"optionId": "a", "name": "Yes", "kind": "allow_once"}, {"optionId": "r", "name": "No", "kind": "reject_once"}])
}

fn select(request: RequestId, option: &str, message: Option<&str>) -> AgentMessage {
    AgentMessage::AnswerPermission {
        session: SESSION,
        request,
        outcome: PermissionOutcome::Selected(option.into()),
        message: message.map(str::to_owned),
    }
}

#[test]
fn two_requests_for_one_call_are_told_apart_by_their_ids() {
    let mut wire = Wire::open();
    for (id, title) in [(71, "Write notes.md"), (72, "Write todo.md")] {
        let events = wire.hear(&permission(
            id,
            "s1",
            &json!({"toolCallId": "w1", "title": title}),
            &options(),
        ));
        let [
            Event::Session {
                event:
                    SessionEvent::PermissionRequested {
                        tool_call,
                        patch,
                        options,
                        ..
                    },
                ..
            },
        ] = events.as_slice()
        else {
            panic!("a request, not {events:?}");
        };
        assert_eq!(
            (tool_call, patch.title.as_deref(), options.len()),
            (&ToolCallId::from("w1"), Some(title), 2)
        );
    }
    drop(wire.say(select(RequestId::Number(72), "a", None)));
    drop(wire.say(select(RequestId::Number(71), "r", Some("not now"))));
    drop(wire.say(select(RequestId::Number(71), "a", None)));
    let outcome = |id: u64, option: &str| json!({"jsonrpc": "2.0", "id": id, "result": {"outcome": {"outcome": "selected", "optionId": option}}});
    assert_eq!(wire.sent, [outcome(72, "a"), outcome(71, "r")]);
}

#[test]
fn ids_are_echoed_as_they_came() {
    let mut wire = Wire::open();
    let mut request = permission(0, "s1", &json!({"toolCallId": "t"}), &options());
    request["id"] = json!("f955c82f-bd26");
    drop(wire.hear(&request));
    drop(wire.say(AgentMessage::AnswerPermission {
        session: SESSION,
        request: RequestId::Text("f955c82f-bd26".to_owned()),
        outcome: PermissionOutcome::Cancelled,
        message: None,
    }));
    let expected = json!({"jsonrpc": "2.0", "id": "f955c82f-bd26", "result": {"outcome": {"outcome": "cancelled"}}});
    assert_eq!(wire.sent, [expected]);
}

#[test]
fn a_request_without_a_usable_call_is_still_a_request() {
    let mut wire = Wire::open();
    let calls = [
        json!({}),
        json!(null),
        json!("odd"),
        json!({"toolCallId": ""}),
    ];
    for (id, call) in (1_u64..).zip(calls) {
        let events = wire.hear(&permission(id, "s1", &call, &json!("odd")));
        let [
            Event::Session {
                event:
                    SessionEvent::PermissionRequested {
                        tool_call, options, ..
                    },
                ..
            },
        ] = events.as_slice()
        else {
            panic!("a request, not {events:?}");
        };
        assert_eq!(tool_call, &ToolCallId::from(format!("request-{id}")));
        assert_eq!(options, &[]);
    }
}

#[test]
fn what_an_agent_says_about_a_request_stands_with_its_call() {
    let mut wire = Wire::open();
    let mut request = permission(
        1,
        "s1",
        &json!({"toolCallId": "t", "_meta": {"a": 1}}),
        &options(),
    );
    request["params"]["_meta"] = json!({"is_mcp_tool_approval": true, "a": 2});
    let events = wire.hear(&request);
    let [
        Event::Session {
            event: SessionEvent::PermissionRequested { patch, .. },
            ..
        },
    ] = events.as_slice()
    else {
        panic!("a request, not {events:?}");
    };
    assert_eq!(
        patch.meta,
        Some(json!({"is_mcp_tool_approval": true, "a": 1}).into())
    );
}

#[test]
fn what_can_not_be_answered_is_refused() {
    let cases = [
        (
            permission(1, "nobody", &json!({"toolCallId": "t"}), &options()),
            -32602,
        ),
        (
            json!({"jsonrpc": "2.0", "id": 1, "method": "session/request_permission"}),
            -32602,
        ),
        (
            json!({"jsonrpc": "2.0", "id": 1, "method": "session/request_permission", "params": [1]}),
            -32602,
        ),
        (
            json!({"jsonrpc": "2.0", "id": 1, "method": "fs/read_text_file", "params": {"sessionId": "s1", "path": "/a"}}),
            -32601,
        ),
        (
            json!({"jsonrpc": "2.0", "id": 1, "method": "terminal/create", "params": {}}),
            -32601,
        ),
        (
            json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": {}}),
            -32602,
        ),
        (
            json!({"jsonrpc": "2.0", "id": 1, "method": "craft/drainMidTurnQueue", "params": {}}),
            -32601,
        ),
        (
            json!({"jsonrpc": "2.0", "id": 1, "method": "session/update", "params": {}}),
            -32601,
        ),
        (
            json!({"jsonrpc": "2.0", "id": 1.5, "method": "vendor/x"}),
            -32600,
        ),
    ];
    for (request, code) in cases {
        let mut wire = Wire::open();
        drop(wire.hear(&request));
        let [refusal] = wire.sent.as_slice() else {
            panic!("one answer to {request}, not {:?}", wire.sent);
        };
        assert_eq!(
            (&refusal["id"], &refusal["error"]["code"]),
            (&request["id"], &json!(code)),
            "{request}"
        );
    }
}

#[test]
fn an_unknown_request_is_told_once_for_each_kind() {
    let mut wire = Wire::open();
    let ask =
        |id: u64, method: &str| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {}});
    let told = |events: &[Event]| {
        matches!(
            events,
            [Event::Connection {
                event: ConnectionEvent::Unrecognized { .. },
                ..
            }]
        )
    };
    assert!(told(&wire.hear(&ask(1, "vendor/a"))));
    assert_eq!(wire.hear(&ask(2, "vendor/a")), []);
    assert!(told(&wire.hear(&ask(3, "vendor/b"))));
    assert_eq!(wire.sent.len(), 3);
}

#[test]
fn a_request_that_is_taken_back_is_answered_at_once() {
    let mut wire = Wire::open();
    drop(wire.hear(&permission(
        5,
        "s1",
        &json!({"toolCallId": "t"}),
        &options(),
    )));
    let take_back = |id: Value| json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": id}});
    let withdrawn = Event::Session {
        session: SESSION,
        event: SessionEvent::PermissionWithdrawn {
            request: RequestId::Number(5),
        },
    };
    assert_eq!(wire.hear(&take_back(json!(5))), [withdrawn]);
    let answer = wire.sent.last().unwrap();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!(5), &json!(-32800))
    );
    assert_eq!(wire.hear(&take_back(json!(5))), []);
    assert_eq!(wire.hear(&take_back(json!("other"))), []);
    drop(wire.say(select(RequestId::Number(5), "a", None)));
    assert_eq!(wire.sent.len(), 1);
}

#[test]
fn a_second_request_with_the_id_of_an_open_one_is_refused() {
    let mut wire = Wire::open();
    drop(wire.hear(&permission(
        5,
        "s1",
        &json!({"toolCallId": "t"}),
        &options(),
    )));
    assert_eq!(
        wire.hear(&permission(
            5,
            "s1",
            &json!({"toolCallId": "u"}),
            &options()
        )),
        []
    );
    assert_eq!(wire.sent.last().unwrap()["error"]["code"], -32600);
    drop(wire.say(select(RequestId::Number(5), "a", None)));
    assert_eq!(wire.sent.len(), 2);
}

#[test]
fn a_refusal_with_a_text_where_the_agent_has_a_place_for_it() {
    let grok = json!({"protocolVersion": 1, "_meta": {"grokShell": true, "agentVersion": "1.0.6"}});
    let mut wire = Wire::open_with(&grok);
    drop(wire.hear(&permission(
        0,
        "s1",
        &json!({"toolCallId": "t"}),
        &options(),
    )));
    drop(wire.say(select(RequestId::Number(0), "r", Some("use tabs"))));
    let expected = json!({"outcome": {"outcome": "selected", "optionId": "r"}, "_meta": {"followup_message": "use tabs"}});
    assert_eq!(wire.sent[0]["result"], expected);
}

#[test]
fn the_work_of_a_subagent_belongs_to_its_call() {
    let grok = json!({"protocolVersion": 1, "_meta": {"grokShell": true}});
    let mut wire = Wire::open_with(&grok);
    let task = json!({"sessionUpdate": "tool_call", "toolCallId": "task", "title": "spawn_subagent",
        "rawInput": {"description": "Say hello"}, "_meta": {"x.ai/tool": {"name": "spawn_subagent", "kind": "task"}}});
    drop(wire.hear_update(&task));
    drop(wire.hear(&json!({"jsonrpc": "2.0", "method": "_x.ai/session_notification", "params": {"sessionId": "s1", "update": {
        "sessionUpdate": "subagent_spawned", "parent_session_id": "s1", "child_session_id": "c1", "description": "Say hello"}}})));
    let events = wire.hear(&chunk("c1", "I am the child"));
    assert!(
        matches!(
            events.as_slice(),
            [Event::Session {
                session: SESSION,
                event: SessionEvent::Unrecognized { .. }
            }]
        ),
        "{events:?}"
    );
    let step = json!({"sessionUpdate": "tool_call", "toolCallId": "step", "title": "Read"});
    let events = wire.hear(&update("c1", &step));
    let [
        Event::Session {
            session: SESSION,
            event: SessionEvent::ToolCallAnnounced { id, patch },
        },
    ] = events.as_slice()
    else {
        panic!("a call, not {events:?}");
    };
    assert_eq!(
        (id.as_str(), patch.parent.clone()),
        ("step", Some("task".into()))
    );
    let events = wire.hear(&permission(
        3,
        "c1",
        &json!({"toolCallId": "step"}),
        &options(),
    ));
    let [
        Event::Session {
            session: SESSION,
            event: SessionEvent::PermissionRequested { patch, .. },
        },
    ] = events.as_slice()
    else {
        panic!("a request, not {events:?}");
    };
    assert_eq!(patch.parent, Some("task".into()));
}

fn plan_of_grok(id: u64) -> Value {
    let params = json!({"sessionId": "s1", "toolCallId": "t1", "planContent": "# Plan\n\n1. Look"});
    json!({"jsonrpc": "2.0", "id": id, "method": "_x.ai/exit_plan_mode", "params": params})
}

#[test]
fn a_plan_of_grok_is_put_to_the_person_and_answered_in_its_own_words() {
    let grok = json!({"protocolVersion": 1, "_meta": {"grokShell": true}});
    let cancelled = AgentMessage::AnswerPermission {
        session: SESSION,
        request: RequestId::Number(7),
        outcome: PermissionOutcome::Cancelled,
        message: None,
    };
    let cases = [
        (
            select(RequestId::Number(7), "approved", None),
            json!({"outcome": "approved"}),
        ),
        (
            select(RequestId::Number(7), "cancelled", Some("smaller steps")),
            json!({"outcome": "cancelled", "feedback": "smaller steps"}),
        ),
        (
            select(RequestId::Number(7), "cancelled", None),
            json!({"outcome": "cancelled"}),
        ),
        (cancelled, json!({"outcome": "cancelled"})),
    ];
    for (answer, expected) in cases {
        let mut wire = Wire::open_with(&grok);
        let events = wire.hear(&plan_of_grok(7));
        assert!(
            matches!(
                events.as_slice(),
                [Event::Session {
                    event: SessionEvent::PermissionRequested { patch, options, .. },
                    ..
                }] if patch.raw_input == Some(json!({"plan": "# Plan\n\n1. Look"}).into()) && options.len() == 2
            ),
            "{events:?}"
        );
        drop(wire.say(answer.clone()));
        drop(wire.say(answer));
        let answered = json!({"jsonrpc": "2.0", "id": 7, "result": expected});
        assert_eq!(wire.sent, [answered]);
    }
    // Another agent has no such request.
    let mut other = Wire::open();
    drop(other.hear(&plan_of_grok(7)));
    assert_eq!(other.sent[0]["error"]["code"], -32601);
}
