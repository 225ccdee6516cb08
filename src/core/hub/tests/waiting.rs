//! What a call takes does not hold the time that it waits for the person.

use super::*;
use crate::core::command::Command;
use crate::core::ids::OptionId;
use crate::core::question::{QuestionAnswer, QuestionKind};
use crate::core::tool_call::ToolCall;

fn at(millis: u64) -> Timestamp {
    NOW.plus_millis(millis)
}

fn answer(request: i64, option: &str) -> Command {
    Command::AnswerPermission {
        session: SESSION,
        request: RequestId::Number(request),
        option: OptionId::from(option),
        message: None,
    }
}

fn call<'h>(hub: &'h AgentHub, id: &str) -> &'h ToolCall {
    let call = session(hub).transcript().tool_call(&ToolCallId::from(id));
    call.expect("a call")
}

fn millis(hub: &AgentHub, id: &str, now: u64) -> u64 {
    call(hub, id).duration_millis(at(now))
}

#[test]
fn the_wait_for_an_answer_is_taken_out() {
    let mut hub = hub_with_turn();
    let running = Some(ToolCallStatus::InProgress);
    drop(hub.handle(tool_call("w1", "Write", running), at(0)));
    drop(hub.handle(permission(71, "w1", "Write"), at(1_000)));
    assert!(call(&hub, "w1").is_waiting());
    assert_eq!(millis(&hub, "w1", 9_000), 1_000);
    drop(hub.apply(answer(71, "A"), at(61_000)));
    assert!(!call(&hub, "w1").is_waiting());
    assert_eq!(millis(&hub, "w1", 61_500), 1_500);
    // It asks once more.
    drop(hub.handle(permission(72, "w1", "Write"), at(62_000)));
    drop(hub.apply(answer(72, "A"), at(70_000)));
    drop(hub.handle(status_update("w1", ToolCallStatus::Completed), at(71_000)));
    assert_eq!(millis(&hub, "w1", 999_000), 3_000);
}

#[test]
fn two_requests_of_one_call_are_one_wait() {
    let mut hub = hub_with_turn();
    drop(hub.handle(tool_call("w1", "Write", None), at(0)));
    drop(hub.handle(permission(71, "w1", "Write"), at(100)));
    drop(hub.handle(permission(72, "w1", "Write"), at(200)));
    drop(hub.apply(answer(71, "A"), at(5_000)));
    assert!(call(&hub, "w1").is_waiting());
    drop(hub.apply(answer(72, "A"), at(9_100)));
    assert_eq!(millis(&hub, "w1", 9_200), 200);
}

#[test]
fn whatever_ends_a_request_ends_the_wait() {
    for name in ["rejected", "withdrawn", "stopped"] {
        let mut hub = hub_with_turn();
        drop(hub.handle(tool_call("w1", "Write", None), at(0)));
        drop(hub.handle(permission(71, "w1", "Write"), at(500)));
        let now = at(8_000);
        let effects = match name {
            "rejected" => hub.apply(answer(71, "B"), now),
            "withdrawn" => {
                let request = RequestId::Number(71);
                let withdrawn = SessionEvent::PermissionWithdrawn { request };
                hub.handle(session_event(withdrawn), now)
            }
            _ => hub.apply(Command::CancelTurn { session: SESSION }, now),
        };
        drop(effects);
        assert!(!call(&hub, "w1").is_waiting(), "{name}");
        let waits = call(&hub, "w1").waits.clone();
        assert!(waits.is_some(), "{name}");
        drop(hub.handle(status_update("w1", ToolCallStatus::Failed), at(8_200)));
        let left = millis(&hub, "w1", 8_200);
        assert!((500..=700).contains(&left), "{name}: {left}");
    }
}

#[test]
fn a_question_and_the_call_around_a_step_wait_too() {
    let mut hub = hub_with_turn();
    let running = Some(ToolCallStatus::InProgress);
    drop(hub.handle(tool_call("agent", "Look around", running), at(0)));
    let step = ToolCallPatch {
        parent: Some(ToolCallId::from("agent")),
        ..ToolCallPatch::default()
    };
    drop(hub.handle(tool_call("ask", "Ask", running), at(1_000)));
    drop(hub.handle(tool_update("ask", step), at(1_000)));
    let asked = SessionEvent::QuestionAsked {
        request: RequestId::Number(5),
        tool_call: Some(ToolCallId::from("ask")),
        message: None,
        kind: QuestionKind::Form(Vec::new()),
    };
    drop(hub.handle(session_event(asked), at(2_000)));
    assert!(call(&hub, "ask").is_waiting() && call(&hub, "agent").is_waiting());
    let answered = Command::AnswerQuestion {
        session: SESSION,
        request: RequestId::Number(5),
        answer: QuestionAnswer::Skipped,
    };
    drop(hub.apply(answered, at(50_000)));
    assert_eq!(millis(&hub, "ask", 51_000), 2_000);
    assert_eq!(millis(&hub, "agent", 51_000), 3_000);
}

#[test]
fn calls_that_are_steps_of_each_other_end_the_search() {
    let mut hub = hub_with_turn();
    for (id, parent) in [("a", "b"), ("b", "a")] {
        let step = ToolCallPatch {
            parent: Some(ToolCallId::from(parent)),
            ..ToolCallPatch::default()
        };
        drop(hub.handle(tool_call(id, "Run", None), at(0)));
        drop(hub.handle(tool_update(id, step), at(0)));
    }
    drop(hub.handle(permission(71, "a", "Run"), at(100)));
    assert!(call(&hub, "a").is_waiting() && call(&hub, "b").is_waiting());
}
