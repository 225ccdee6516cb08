//! Cases of the dialect, as recorded from version 2.1.332.

use serde_json::{Value, json};

use super::*;

mod broken_off;
mod endings;
mod random;
mod servers;
mod usage;
use crate::core::command::Prompt;
use crate::core::event::{StopReason, TurnResult};
use crate::core::ids::{OptionId, RequestId};
use crate::core::mcp::McpState;
use crate::core::notice::Note;
use crate::core::permission::{PermissionOptionKind, PermissionOutcome};
use crate::core::question::{AnswerValue, QuestionAnswer, QuestionKind};
use crate::core::tool_call::{ToolCallContent, ToolCallStatus};

const SESSION: SessionKey = SessionKey(7);

fn bridge() -> ClaudeBridge {
    let mut bridge = ClaudeBridge::new(ConnectionId(1));
    drop(bridge.start());
    drop(receive(
        &mut bridge,
        json!({"type": "control_response", "response": {
        "subtype": "success", "request_id": "req-1", "response": {"claude_code_version": "2.1.332"}}}),
    ));
    let setup = AgentMessage::NewSession {
        session: SESSION,
        cwd: "/p".into(),
        mcp_servers: Vec::new(),
    };
    drop(bridge.send(setup));
    bridge
}

fn bridge_in_turn() -> ClaudeBridge {
    let mut bridge = bridge();
    drop(bridge.send(AgentMessage::Prompt {
        session: SESSION,
        turn: TurnId(1),
        prompt: Prompt::text("go"),
    }));
    bridge
}

fn receive(bridge: &mut ClaudeBridge, frame: Value) -> Output {
    bridge.receive(Line::Text {
        text: frame.to_string(),
        replaced: false,
    })
}

fn events(output: Output) -> Vec<SessionEvent> {
    output
        .events
        .into_iter()
        .filter_map(|event| match event {
            Event::Session { event, .. } => Some(event),
            _ => None,
        })
        .collect()
}

fn frames(output: &Output) -> Vec<Value> {
    output
        .frames
        .iter()
        .map(|frame| serde_json::from_str(frame).expect("a frame is JSON"))
        .collect()
}

fn delta(text: &str) -> Value {
    json!({"type": "stream_event", "parent_tool_use_id": null, "event":
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}})
}

fn assistant(block: Value) -> Value {
    json!({"type": "assistant", "parent_tool_use_id": null,
        "message": {"id": "m1", "model": "opus", "content": [block]}})
}

fn texts(events: Vec<SessionEvent>) -> Vec<String> {
    events
        .into_iter()
        .filter_map(|event| match event {
            SessionEvent::Text { text, .. } => Some(text),
            _ => None,
        })
        .collect()
}

#[test]
fn a_whole_message_does_not_repeat_what_was_streamed() {
    let mut bridge = bridge_in_turn();
    let mut shown = Vec::new();
    for frame in [
        delta("Hel"),
        delta("lo"),
        assistant(json!({"type": "text", "text": "Hello, you"})),
    ] {
        shown.extend(texts(events(receive(&mut bridge, frame))));
    }
    assert_eq!(shown, ["Hel", "lo", ", you"]);
}

#[test]
fn a_message_that_was_not_streamed_is_shown() {
    let mut bridge = bridge_in_turn();
    let shown = texts(events(receive(
        &mut bridge,
        assistant(json!({"type": "text", "text": "Hello"})),
    )));
    assert_eq!(shown, ["Hello"]);
}

#[test]
fn what_a_subagent_says_stays_with_its_call() {
    let mut bridge = bridge_in_turn();
    let frame = json!({"type": "assistant", "parent_tool_use_id": "t1",
        "message": {"id": "m2", "model": "opus", "usage": {"input_tokens": 5}, "content": [
            {"type": "text", "text": "inner"}, {"type": "tool_use", "id": "t2", "name": "Read", "input": {"file_path": "/a"}}]}});
    match events(receive(&mut bridge, frame)).as_slice() {
        [
            SessionEvent::ToolCallPatched {
                id: outer,
                patch: said,
            },
            SessionEvent::ToolCallAnnounced {
                id: inner,
                patch: step,
            },
        ] => {
            assert_eq!((outer.as_str(), inner.as_str()), ("t1", "t2"));
            assert_eq!(
                said.subagent
                    .as_ref()
                    .map(|subagent| subagent.texts.clone()),
                Some(vec!["inner".to_owned()])
            );
            assert_eq!(
                step.parent
                    .as_ref()
                    .map(crate::core::ids::ToolCallId::as_str),
                Some("t1")
            );
        }
        other => panic!("{other:?}"),
    }
}

fn can_use_tool(name: &str, input: Value) -> Value {
    json!({"type": "control_request", "request_id": "r1", "request": {"subtype": "can_use_tool", "tool_name": name,
        "input": input, "tool_use_id": "t1", "permission_suggestions": [
            {"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "echo hi *"}], "behavior": "allow", "destination": "session"}]}})
}

fn answer(option: &str, message: Option<&str>) -> AgentMessage {
    AgentMessage::AnswerPermission {
        session: SESSION,
        request: RequestId::Text("r1".to_owned()),
        outcome: PermissionOutcome::Selected(OptionId::from(option)),
        message: message.map(str::to_owned),
    }
}

#[test]
fn a_permission_is_asked_with_the_programs_own_suggestions() {
    let mut bridge = bridge_in_turn();
    let asked = events(receive(
        &mut bridge,
        can_use_tool("Bash", json!({"command": "echo hi"})),
    ));
    let [SessionEvent::PermissionRequested { options, patch, .. }] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    let shown: Vec<_> = options
        .iter()
        .map(|option| (option.kind.clone(), option.scope.as_deref()))
        .collect();
    assert_eq!(
        shown,
        [
            (PermissionOptionKind::AllowOnce, None),
            (PermissionOptionKind::AllowAlways, Some("Bash(echo hi *)")),
            (PermissionOptionKind::RejectOnce, None)
        ]
    );
    assert_eq!(patch.raw_input, Some(json!({"command": "echo hi"}).into()));
}

#[test]
fn each_answer_to_a_permission() {
    let suggestion = json!({"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "echo hi *"}],
        "behavior": "allow", "destination": "session"});
    let cases = [
        (
            answer("allow", None),
            json!({"behavior": "allow", "updatedInput": {"command": "echo hi"}}),
        ),
        (
            answer("always-0", None),
            json!({"behavior": "allow", "updatedInput": {"command": "echo hi"}, "updatedPermissions": [suggestion]}),
        ),
        (
            answer("deny", Some("use ls")),
            json!({"behavior": "deny", "message": "use ls"}),
        ),
        (
            answer("always-9", None),
            json!({"behavior": "deny", "message": "The user refused this."}),
        ),
    ];
    for (said, expected) in cases {
        let mut bridge = bridge_in_turn();
        drop(receive(
            &mut bridge,
            can_use_tool("Bash", json!({"command": "echo hi"})),
        ));
        let sent = frames(&bridge.send(said.clone()));
        let response = json!({"type": "control_response", "response":
            {"subtype": "success", "request_id": "r1", "response": expected}});
        assert_eq!(sent, [response]);
        assert_eq!(
            bridge.send(said).frames,
            Vec::<String>::new(),
            "a request is answered once"
        );
    }
}

#[test]
fn a_question_is_answered_by_its_full_text() {
    let input = json!({"questions": [
        {"question": "Which color?", "header": "Color", "options": [{"label": "Red"}], "multiSelect": false},
        {"question": "Which scenes?", "options": [{"label": "Menu"}, {"label": "Game"}], "multiSelect": true},
        {"header": "no text"}]});
    let mut bridge = bridge_in_turn();
    let asked = events(receive(
        &mut bridge,
        can_use_tool("AskUserQuestion", input.clone()),
    ));
    let [
        SessionEvent::QuestionAsked {
            kind: QuestionKind::Form(questions),
            ..
        },
    ] = asked.as_slice()
    else {
        panic!("{asked:?}")
    };
    assert_eq!(questions.len(), 2);
    let submitted = QuestionAnswer::Submitted(vec![
        (
            "Which color?".to_owned(),
            AnswerValue::Text(" teal ".to_owned()),
        ),
        (
            "Which scenes?".to_owned(),
            AnswerValue::Many(vec!["Menu".to_owned(), "Game".to_owned()]),
        ),
    ]);
    let request = RequestId::Text("r1".to_owned());
    let sent = frames(&bridge.send(AgentMessage::AnswerQuestion {
        session: SESSION,
        request,
        answer: submitted,
    }));
    let answers = sent[0].pointer("/response/response/updatedInput/answers");
    assert_eq!(
        answers,
        Some(&json!({"Which color?": "teal", "Which scenes?": "Menu, Game"}))
    );
}

#[test]
fn requests_we_do_not_know_are_refused() {
    let mut bridge = bridge_in_turn();
    for subtype in ["hook_callback", "mcp_message", "request_user_dialog"] {
        let frame =
            json!({"type": "control_request", "request_id": "r9", "request": {"subtype": subtype}});
        let sent = frames(&receive(&mut bridge, frame));
        assert_eq!(
            sent[0].pointer("/response/subtype"),
            Some(&json!("error")),
            "{subtype}"
        );
    }
}

#[test]
fn results_and_what_they_mean() {
    let api_error = json!({"type": "result", "subtype": "success", "is_error": true, "result": "Invalid API key", "api_error_status": 401});
    let cases = [
        (
            json!({"type": "result", "stop_reason": "end_turn"}),
            false,
            Ok("end_turn"),
        ),
        (
            json!({"type": "result", "stop_reason": null}),
            false,
            Ok("end_turn"),
        ),
        (
            json!({"type": "result", "stop_reason": "max_tokens"}),
            false,
            Ok("max_tokens"),
        ),
        (
            json!({"type": "result", "is_error": true, "subtype": "error_during_execution"}),
            true,
            Ok("cancelled"),
        ),
        (api_error, false, Err("Invalid API key")),
    ];
    for (frame, interrupt, expected) in cases {
        let mut bridge = bridge_in_turn();
        if interrupt {
            drop(bridge.send(AgentMessage::Cancel { session: SESSION }));
        }
        let ended = events(receive(&mut bridge, frame.clone()))
            .into_iter()
            .find_map(|event| match event {
                SessionEvent::TurnEnded { turn, result } => Some((turn, result)),
                _ => None,
            });
        let result = match expected {
            Ok(reason) => TurnResult::Stopped(StopReason::from(reason)),
            Err(message) => {
                let code = 401;
                TurnResult::Failed(crate::core::notice::RpcError {
                    code,
                    message: message.to_owned(),
                    data: None,
                })
            }
        };
        assert_eq!(ended, Some((TurnId(1), result)), "{frame}");
    }
}

#[test]
fn a_local_answer_is_a_note_and_an_error_is_said_once() {
    let synthetic = |error: Value| {
        json!({"type": "assistant", "error": error, "message":
            {"model": "<synthetic>", "content": [{"type": "text", "text": "Total cost: $0.1"}]}})
    };
    let mut bridge = bridge_in_turn();
    let shown = events(receive(&mut bridge, synthetic(Value::Null)));
    assert_eq!(
        shown,
        [SessionEvent::Noted(Note::Agent(
            "Total cost: $0.1".to_owned()
        ))]
    );
    assert_eq!(
        events(receive(
            &mut bridge,
            synthetic(json!("authentication_failed"))
        )),
        []
    );
}

#[test]
fn a_task_list_that_is_kept_entry_by_entry() {
    let mut bridge = bridge_in_turn();
    let call = |id: &str, name: &str, input: Value| {
        assistant(json!({"type": "tool_use", "id": id, "name": name, "input": input}))
    };
    let created = json!({"type": "user", "tool_use_result": {"task": {"id": "1"}}, "message":
        {"content": [{"type": "tool_result", "tool_use_id": "t1", "content": "Task #1 created"}]}});
    let steps = [
        call("t1", "TaskCreate", json!({"subject": "Read"})),
        created,
        call(
            "t2",
            "TaskUpdate",
            json!({"taskId": "1", "status": "completed"}),
        ),
    ];
    let plans: Vec<_> = steps
        .into_iter()
        .flat_map(|frame| events(receive(&mut bridge, frame)))
        .filter_map(|event| match event {
            SessionEvent::PlanReplaced(plan) => Some(plan.entries),
            _ => None,
        })
        .collect();
    let states: Vec<_> = plans
        .iter()
        .map(|entries| entries.iter().map(|entry| entry.status).collect::<Vec<_>>())
        .collect();
    assert_eq!(
        states,
        [
            [crate::core::plan::PlanEntryStatus::Pending],
            [crate::core::plan::PlanEntryStatus::Completed]
        ]
    );
}

#[test]
fn the_servers_of_a_session_with_their_tools() {
    let mut bridge = bridge();
    let frame = json!({"type": "system", "subtype": "init", "session_id": "s", "tools": ["Bash", "mcp__unity-ops__uap_ping"],
        "mcp_servers": [{"name": "unity-ops", "status": "connected"}, {"name": "other", "status": "needs-auth"}]});
    let servers = events(receive(&mut bridge, frame))
        .into_iter()
        .find_map(|event| match event {
            SessionEvent::McpReported { servers, .. } => Some(servers),
            _ => None,
        });
    let shown: Vec<_> = servers
        .expect("the servers are reported")
        .into_iter()
        .map(|server| {
            (
                server.state,
                server
                    .tools
                    .into_iter()
                    .map(|tool| tool.name)
                    .collect::<Vec<_>>(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            (McpState::Connected, vec!["uap_ping".to_owned()]),
            (McpState::NeedsAuth, Vec::new())
        ]
    );
}

#[test]
fn a_reconnection_is_matched_by_its_request() {
    let mut bridge = bridge();
    let reconnect = |server: &str| AgentMessage::ReconnectMcp {
        session: SESSION,
        server: server.to_owned(),
    };
    let id = |output: &Output| {
        frames(output)[0]["request_id"]
            .as_str()
            .expect("an id")
            .to_owned()
    };
    let first = id(&bridge.send(reconnect("a")));
    let second = id(&bridge.send(reconnect("b")));
    let reply = |id: &str, subtype: &str| json!({"type": "control_response", "response": {"subtype": subtype, "request_id": id, "error": "down"}});
    let shown = [
        receive(&mut bridge, reply(&second, "error")),
        receive(&mut bridge, reply(&first, "success")),
    ];
    let shown: Vec<_> = shown.into_iter().flat_map(events).collect();
    let expected = [
        SessionEvent::McpReconnected {
            server: "b".to_owned(),
            result: Err("down".to_owned()),
        },
        SessionEvent::McpReconnected {
            server: "a".to_owned(),
            result: Ok(()),
        },
    ];
    assert_eq!(shown, expected);
}

#[test]
fn an_edit_shows_its_diff_and_keeps_it() {
    let mut bridge = bridge_in_turn();
    let input = json!({"file_path": "/a", "old_string": "x", "new_string": "y"});
    let shown = events(receive(
        &mut bridge,
        assistant(json!({"type": "tool_use", "id": "t", "name": "Edit", "input": input})),
    ));
    let [SessionEvent::ToolCallAnnounced { patch, .. }] = shown.as_slice() else {
        panic!("{shown:?}")
    };
    assert!(
        matches!(patch.content.as_deref(), Some([ToolCallContent::Diff(diff)]) if diff.new_text == "y")
    );
    let result = json!({"type": "user", "tool_use_result": {"structuredPatch": []}, "message":
        {"content": [{"type": "tool_result", "tool_use_id": "t", "content": "done"}]}});
    let shown = events(receive(&mut bridge, result));
    let [SessionEvent::ToolCallPatched { patch, .. }] = shown.as_slice() else {
        panic!("{shown:?}")
    };
    assert_eq!(
        (patch.status, patch.content.clone()),
        (Some(ToolCallStatus::Completed), None)
    );
}
