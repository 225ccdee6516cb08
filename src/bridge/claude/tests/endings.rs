//! How calls end that nobody let finish, what runs in the background, and a conversation that is forgotten.

use super::*;

fn tool_use() -> Value {
    assistant(
        json!({"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "sleep 9"}}),
    )
}

fn failed_result() -> Value {
    json!({"type": "user", "parent_tool_use_id": null, "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "t1", "is_error": true, "content": "no"}]}})
}

fn statuses(events: Vec<SessionEvent>) -> Vec<ToolCallStatus> {
    let status = |event| match event {
        SessionEvent::ToolCallPatched { patch, .. } => patch.status,
        _ => None,
    };
    events.into_iter().filter_map(status).collect()
}

#[test]
fn what_an_interruption_stopped_is_cancelled_and_not_failed() {
    let mut bridge = bridge_in_turn();
    drop(receive(&mut bridge, tool_use()));
    drop(bridge.send(AgentMessage::Cancel { session: SESSION }));
    let events = events(receive(&mut bridge, failed_result()));
    assert_eq!(statuses(events), [ToolCallStatus::Cancelled]);
}

#[test]
fn what_the_agents_own_rules_refused_is_denied() {
    let mut bridge = bridge_in_turn();
    drop(receive(&mut bridge, tool_use()));
    let denied = json!({"type": "system", "subtype": "permission_denied", "tool_name": "Bash",
        "tool_use_id": "t1", "message": "needs approval"});
    let events = events(receive(&mut bridge, denied));
    assert_eq!(statuses(events), [ToolCallStatus::Denied]);
}

fn task(subtype: &str, background: bool) -> Value {
    json!({"type": "system", "subtype": subtype, "task_id": "b1", "tool_use_id": "t1",
        "is_backgrounded": background, "task_type": "local_bash", "status": "completed", "summary": "Waits"})
}

#[test]
fn a_command_is_more_than_its_call_only_in_the_background() {
    let mut notified = task("task_notification", false);
    for key in ["is_backgrounded", "task_type"] {
        notified.as_object_mut().unwrap().remove(key);
    }
    for (background, expected) in [(false, 0), (true, 2)] {
        let mut bridge = bridge_in_turn();
        let mut shown = events(receive(&mut bridge, task("task_started", background)));
        shown.extend(events(receive(&mut bridge, notified.clone())));
        assert_eq!(shown.len(), expected, "{shown:?}");
    }
}

#[test]
fn a_forgotten_conversation_is_told() {
    let mut bridge = bridge_in_turn();
    let reset =
        json!({"type": "conversation_reset", "new_conversation_id": "s2", "trigger": "clear"});
    let id = AgentSessionId::from("s2");
    assert_eq!(
        events(receive(&mut bridge, reset)),
        [SessionEvent::ConversationReset(id)]
    );
}
