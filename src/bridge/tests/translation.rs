//! One table: session updates and the events they become. And every update of the schema.

use agent_client_protocol_schema::v1 as acp;
use serde_json::json;

use super::*;
use crate::core::plan::{Plan, PlanEntry, PlanEntryPriority, PlanEntryStatus};
use crate::core::tool_call::{ToolCallContent, ToolCallPatch, ToolCallStatus, ToolKind};
use crate::core::transcript::{Attachment, MessageKind};
use crate::core::usage::UsageReport;

fn text(kind: MessageKind, text: &str, message_id: Option<&str>) -> SessionEvent {
    SessionEvent::Text {
        kind,
        text: text.to_owned(),
        message_id: message_id.map(str::to_owned),
    }
}

fn unrecognized(kind: &str) -> SessionEvent {
    SessionEvent::Unrecognized {
        kind: kind.to_owned(),
    }
}

fn plan(entries: &[(&str, PlanEntryStatus)]) -> SessionEvent {
    let entries = entries.iter().map(|(content, status)| PlanEntry {
        content: (*content).to_owned(),
        status: *status,
        priority: PlanEntryPriority::Unknown,
    });
    SessionEvent::PlanReplaced(Plan {
        entries: entries.collect(),
    })
}

#[test]
fn messages() {
    let cases = [
        (
            json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "a"}, "messageId": "m1"}),
            vec![text(MessageKind::Agent, "a", Some("m1"))],
        ),
        (
            json!({"messageId": null, "content": {"text": "a", "type": "text"}, "sessionUpdate": "agent_thought_chunk"}),
            vec![text(MessageKind::Thought, "a", None)],
        ),
        (
            json!({"sessionUpdate": "user_message_chunk", "content": {"type": "text", "text": "\u{2028}\u{1f600}"}}),
            vec![text(MessageKind::User, "\u{2028}\u{1f600}", None)],
        ),
        (
            json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": ""}}),
            vec![],
        ),
        (
            json!({"sessionUpdate": "user_message_chunk", "content": {"type": "resource_link", "name": "n", "uri": "u"}}),
            vec![SessionEvent::Attachment {
                kind: MessageKind::User,
                attachment: Attachment {
                    name: "n".to_owned(),
                    uri: "u".to_owned(),
                    text: None,
                },
            }],
        ),
        (
            json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "audio", "data": "x"}}),
            vec![unrecognized("agent_message_chunk audio")],
        ),
        (
            json!({"sessionUpdate": "agent_message_chunk"}),
            vec![unrecognized("agent_message_chunk")],
        ),
        (
            json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "a"}, "_meta": {"claudeCode": {"parentToolUseId": "t"}}}),
            vec![unrecognized("subagent agent_message_chunk")],
        ),
    ];
    for (wire, expected) in cases {
        assert_eq!(Wire::open().hear_update(&wire), expected, "{wire}");
    }
}

#[test]
fn plans_commands_modes_and_titles() {
    let info = |title: &str| SessionEvent::InfoChanged {
        title: Some(title.to_owned()),
    };
    let cases = [
        (
            json!({"sessionUpdate": "plan", "entries": [{"content": "a", "status": "in_progress"}, {"content": "b"}]}),
            vec![plan(&[
                ("a", PlanEntryStatus::InProgress),
                ("b", PlanEntryStatus::Unknown),
            ])],
        ),
        (
            json!({"sessionUpdate": "plan", "entries": null}),
            vec![unrecognized("plan")],
        ),
        (
            json!({"sessionUpdate": "plan_update", "plan": {"type": "items", "planId": "p", "entries": [{"content": "a", "status": "pending"}]}}),
            vec![plan(&[("a", PlanEntryStatus::Pending)])],
        ),
        (
            json!({"sessionUpdate": "plan_update", "plan": {"type": "markdown", "planId": "p", "content": "# The plan"}}),
            vec![plan(&[("# The plan", PlanEntryStatus::Unknown)])],
        ),
        (
            json!({"sessionUpdate": "plan_update", "plan": {"type": "hologram"}}),
            vec![unrecognized("plan_update")],
        ),
        (
            json!({"sessionUpdate": "available_commands_update", "availableCommands": []}),
            vec![SessionEvent::CommandsReplaced(vec![])],
        ),
        (
            json!({"sessionUpdate": "current_mode_update", "currentModeId": "plan"}),
            vec![SessionEvent::ModeChanged("plan".into())],
        ),
        (
            json!({"sessionUpdate": "current_mode_update"}),
            vec![unrecognized("current_mode_update")],
        ),
        (
            json!({"sessionUpdate": "config_option_update", "configOptions": []}),
            vec![SessionEvent::ConfigOptionsReplaced(vec![])],
        ),
        (
            json!({"sessionUpdate": "session_info_update", "title": "T", "updatedAt": "x"}),
            vec![info("T")],
        ),
        (
            json!({"sessionUpdate": "session_info_update", "title": null}),
            vec![info("")],
        ),
        (
            json!({"sessionUpdate": "session_info_update", "_meta": {"piAcp": {"running": true}}}),
            vec![],
        ),
        (
            json!({"sessionUpdate": "usage_update", "used": 5, "size": 10}),
            vec![SessionEvent::UsageReported(UsageReport {
                context_used: Some(5),
                context_window: Some(10),
                ..UsageReport::default()
            })],
        ),
        (json!({"sessionUpdate": "usage_update"}), vec![]),
        (
            json!({"sessionUpdate": "hologram", "payload": {"x": 1}}),
            vec![unrecognized("hologram")],
        ),
    ];
    for (wire, expected) in cases {
        assert_eq!(Wire::open().hear_update(&wire), expected, "{wire}");
    }
}

#[test]
fn several_plans_are_shown_as_one() {
    let mut wire = Wire::open();
    let items = |id: &str, content: &str| json!({"sessionUpdate": "plan_update", "plan": {"type": "items", "planId": id, "entries": [{"content": content, "status": "pending"}]}});
    let pending = PlanEntryStatus::Pending;
    assert_eq!(
        wire.hear_update(&items("a", "one")),
        [plan(&[("one", pending)])]
    );
    assert_eq!(
        wire.hear_update(&items("b", "two")),
        [plan(&[("one", pending), ("two", pending)])]
    );
    assert_eq!(
        wire.hear_update(&items("a", "uno")),
        [plan(&[("uno", pending), ("two", pending)])]
    );
    let removed = json!({"sessionUpdate": "plan_removed", "planId": "a"});
    assert_eq!(wire.hear_update(&removed), [plan(&[("two", pending)])]);
}

#[test]
fn tool_calls() {
    let wire_call = json!({"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Do", "kind": "execute", "status": "in_progress",
        "content": [{"type": "terminal", "terminalId": "x"}], "_meta": {"terminal_output": {"data": "out"}, "claudeCode": {"parentToolUseId": "p"}}});
    let patch = ToolCallPatch {
        title: Some("Do".to_owned()),
        kind: Some(ToolKind::Execute),
        status: Some(ToolCallStatus::InProgress),
        content: Some(vec![ToolCallContent::Terminal { id: "x".to_owned() }]),
        parent: Some("p".into()),
        append_output: Some("out".to_owned()),
        meta: Some(json!({"claudeCode": {"parentToolUseId": "p"}}).into()),
        ..ToolCallPatch::default()
    };
    let announced = SessionEvent::ToolCallAnnounced {
        id: "t1".into(),
        patch: Box::new(patch),
    };
    let patched = SessionEvent::ToolCallPatched {
        id: "t1".into(),
        patch: Box::default(),
    };
    let cases = [
        (wire_call, vec![announced]),
        (
            json!({"sessionUpdate": "tool_call_update", "toolCallId": "t1", "extra": [1]}),
            vec![patched],
        ),
        (
            json!({"sessionUpdate": "tool_call_update", "status": "failed"}),
            vec![unrecognized("tool_call_update")],
        ),
    ];
    for (wire, expected) in cases {
        assert_eq!(Wire::open().hear_update(&wire), expected, "{wire}");
    }
}

#[test]
fn kinds_we_do_not_know_are_told_once() {
    let mut wire = Wire::open();
    let odd = json!({"sessionUpdate": "hologram"});
    assert_eq!(wire.hear_update(&odd).len(), 1);
    assert_eq!(wire.hear_update(&odd), []);
    let endless = (0..2_000).filter(|i| {
        !wire
            .hear_update(&json!({"sessionUpdate": format!("h{i}")}))
            .is_empty()
    });
    assert!(endless.count() < 600);
    assert_eq!(
        wire.hear(
            &json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s1"}})
        ),
        []
    );
}

/// What the schema's own types write is read.
#[test]
fn every_update_of_the_schema() {
    let content = || acp::ContentChunk::new(acp::ContentBlock::Text(acp::TextContent::new("a")));
    let fields = acp::ToolCallUpdateFields::new().status(acp::ToolCallStatus::Failed);
    let entry = acp::PlanEntry::new(
        "a",
        acp::PlanEntryPriority::High,
        acp::PlanEntryStatus::Completed,
    );
    let known = [
        acp::SessionUpdate::UserMessageChunk(content()),
        acp::SessionUpdate::AgentMessageChunk(content()),
        acp::SessionUpdate::AgentThoughtChunk(content()),
        acp::SessionUpdate::ToolCall(acp::ToolCall::new("t", "T")),
        acp::SessionUpdate::ToolCallUpdate(acp::ToolCallUpdate::new("t", fields)),
        acp::SessionUpdate::Plan(acp::Plan::new(vec![entry.clone()])),
        acp::SessionUpdate::PlanUpdate(acp::PlanUpdate::new(acp::PlanUpdateContent::items(
            "p",
            vec![entry],
        ))),
        acp::SessionUpdate::PlanRemoved(acp::PlanRemoved::new("p")),
        acp::SessionUpdate::AvailableCommandsUpdate(acp::AvailableCommandsUpdate::new(vec![
            acp::AvailableCommand::new("a", "A"),
        ])),
        acp::SessionUpdate::CurrentModeUpdate(acp::CurrentModeUpdate::new("plan")),
        acp::SessionUpdate::ConfigOptionUpdate(acp::ConfigOptionUpdate::new(vec![
            acp::SessionConfigOption::boolean("f", "Fast", true),
        ])),
        acp::SessionUpdate::SessionInfoUpdate(acp::SessionInfoUpdate::new().title("T")),
        acp::SessionUpdate::UsageUpdate(acp::UsageUpdate::new(1, 2)),
    ];
    for known in known {
        let wire = serde_json::to_value(&known).unwrap();
        let events = Wire::open().hear_update(&wire);
        let [event] = events.as_slice() else {
            panic!("one event for {wire}, not {events:?}");
        };
        assert!(
            !matches!(event, SessionEvent::Unrecognized { .. }),
            "{wire}"
        );
    }
}
