//! Permission requests: answered exactly once, by whom, and never to the wrong one.

use super::*;
use crate::core::ids::OptionId;
use crate::core::permission::{AnsweredBy, PermissionOutcome};

fn answer(request: i64, option: &str) -> Command {
    let option = OptionId::from(option);
    Command::AnswerPermission {
        session: SESSION,
        request: RequestId::Number(request),
        option,
        message: None,
    }
}

/// The answers among effects, as (request, option or "cancelled").
fn answers(effects: &[Effect]) -> Vec<(String, String)> {
    let answer = |effect: &Effect| match effect {
        Effect::Send {
            message:
                AgentMessage::AnswerPermission {
                    request, outcome, ..
                },
            ..
        } => Some((
            request.to_string(),
            match outcome {
                PermissionOutcome::Selected(option) => option.to_string(),
                PermissionOutcome::Cancelled => "cancelled".to_owned(),
            },
        )),
        _ => None,
    };
    effects.iter().filter_map(answer).collect()
}

fn pair(request: &str, answer: &str) -> (String, String) {
    (request.to_owned(), answer.to_owned())
}

fn open_titles(hub: &AgentHub) -> Vec<&str> {
    session(hub)
        .permission_requests()
        .iter()
        .map(|request| request.tool_call.title.as_str())
        .collect()
}

/// Case O-03.
#[test]
fn two_requests_of_one_call_are_two_requests() {
    let mut hub = hub_with_turn();
    drop(hub.handle(permission(71, "w1", "Write notes.md"), NOW));
    drop(hub.handle(permission(72, "w1", "Write todo.md"), NOW));
    assert_eq!(open_titles(&hub), ["Write notes.md", "Write todo.md"]);

    assert_eq!(answers(&hub.apply(answer(72, "A"), NOW)), [pair("72", "A")]);
    assert_eq!(answers(&hub.apply(answer(71, "B"), NOW)), [pair("71", "B")]);
    assert_eq!(answers(&hub.apply(answer(71, "B"), NOW)), []);
}

/// Case O-03: the one call of two requests is denied when both are.
#[test]
fn a_call_with_two_requests_is_denied_only_when_none_is_allowed() {
    let cases = [
        (["A", "B"], "tool w1: Write Pending"),
        (["B", "A"], "tool w1: Write Pending"),
        (["B", "B"], "tool w1: Write Denied"),
    ];
    for ([first, second], expected) in cases {
        let mut hub = hub_with_turn();
        drop(hub.handle(permission(71, "w1", "Write"), NOW));
        drop(hub.handle(permission(72, "w1", "Write"), NOW));
        drop(hub.apply(answer(71, first), NOW));
        drop(hub.apply(answer(72, second), NOW));
        assert_eq!(lines(&hub)[1], expected, "{first} {second}");
    }
}

#[test]
fn an_answer_that_the_request_does_not_offer_is_dropped() {
    let mut hub = hub_with_turn();
    drop(hub.handle(permission(1, "w1", "Write"), NOW));
    assert_eq!(hub.apply(answer(1, "Z"), NOW), []);
    assert_eq!(open_titles(&hub), ["Write"]);
}

#[test]
fn cancel_answers_every_open_permission_request() {
    let mut hub = hub_with_turn();
    drop(hub.handle(permission(1, "w1", "Write"), NOW));
    drop(hub.handle(permission(2, "w2", "Read"), NOW));
    let effects = hub.apply(Command::CancelTurn { session: SESSION }, NOW);
    assert_eq!(
        answers(&effects),
        [pair("1", "cancelled"), pair("2", "cancelled")]
    );
    assert_eq!(answers(&hub.handle(ended(1, "cancelled"), NOW)), []);
}

#[test]
fn a_permission_request_that_crosses_the_cancellation_is_answered_unseen() {
    let mut hub = hub_with_turn();
    drop(hub.apply(Command::CancelTurn { session: SESSION }, NOW));
    assert_eq!(
        answers(&hub.handle(permission(2, "w1", "Write"), NOW)),
        [pair("2", "cancelled")]
    );
    assert_eq!(open_titles(&hub), Vec::<&str>::new());
}

#[test]
fn an_open_card_takes_in_later_updates_of_its_call() {
    let mut hub = hub_with_turn();
    drop(hub.handle(permission(1, "t1", "unity-ops_uap_ping"), NOW));
    let patch = ToolCallPatch {
        raw_input: Some(serde_json::json!({"a": 1}).into()),
        ..ToolCallPatch::default()
    };
    drop(hub.handle(tool_update("t1", patch), NOW));
    let shown = session(&hub)
        .permission_requests()
        .first()
        .and_then(|request| request.tool_call.raw_input.clone());
    assert_eq!(shown, Some(serde_json::json!({"a": 1}).into()));
}

#[test]
fn a_refused_call_is_denied_and_not_failed() {
    let mut hub = hub_with_turn();
    drop(hub.handle(permission(1, "t1", "Write"), NOW));
    drop(hub.apply(answer(1, "B"), NOW));
    drop(hub.handle(status_update("t1", ToolCallStatus::Failed), NOW));
    assert_eq!(lines(&hub)[1], "tool t1: Write Denied");
}

#[test]
fn a_request_without_options_is_answered_cancelled() {
    let mut hub = hub_with_turn();
    let event = session_event(SessionEvent::PermissionRequested {
        request: RequestId::Text("u-1".to_owned()),
        tool_call: ToolCallId::from("t1"),
        patch: Box::default(),
        options: Vec::new(),
    });
    assert_eq!(answers(&hub.handle(event, NOW)), [pair("u-1", "cancelled")]);
}

#[test]
fn a_withdrawn_request_is_closed_without_an_answer() {
    let mut hub = hub_with_turn();
    drop(hub.handle(permission(1, "t1", "Write"), NOW));
    let withdrawn = SessionEvent::PermissionWithdrawn {
        request: RequestId::Number(1),
    };
    let effects = hub.handle(session_event(withdrawn), NOW);
    assert_eq!(answers(&effects), []);
    assert!(
        matches!(effects.as_slice(), [Effect::Record { record, .. }] if record.answered_by == AnsweredBy::Withdrawn),
        "{effects:?}"
    );
}

#[test]
fn what_the_person_tells_with_a_refusal_follows_as_a_prompt() {
    let mut hub = hub_with_turn();
    drop(hub.handle(permission(1, "t1", "Write"), NOW));
    let command = Command::AnswerPermission {
        session: SESSION,
        request: RequestId::Number(1),
        option: OptionId::from("B"),
        message: Some("use the other file".to_owned()),
    };
    assert_eq!(answers(&hub.apply(command, NOW)), [pair("1", "B")]);
    let effects = hub.handle(ended(1, "end_turn"), NOW);
    assert_eq!(
        prompts_sent(&effects),
        [(2, "use the other file".to_owned())]
    );
}
