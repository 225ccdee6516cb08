//! Turns, the queue, tool calls in any order.

use super::*;
use crate::core::notice::Note;
use crate::core::session::{CANCEL_LIMIT_MILLIS, SessionStatus, TurnCause};

#[test]
fn a_session_of_an_agent_that_runs_already_is_opened_at_once() {
    let mut hub = hub_with_session();
    let effects = hub.apply(open(SessionKey(2), SessionStart::New), NOW);
    assert!(
        matches!(
            effects.as_slice(),
            [Effect::Send {
                message: AgentMessage::NewSession {
                    session: SessionKey(2),
                    ..
                },
                ..
            }]
        ),
        "{effects:?}"
    );
}

#[test]
fn a_message_typed_before_the_session_is_open_is_sent_once_it_is() {
    let mut hub = AgentHub::default();
    drop(hub.apply(open(SESSION, SessionStart::New), NOW));
    assert_eq!(prompts_sent(&hub.apply(prompt("early"), NOW)), []);
    drop(hub.handle(initialized(AgentCapabilities::default(), Vec::new()), NOW));
    let effects = hub.handle(
        session_event(SessionEvent::Opened(OpenedSession::default())),
        NOW,
    );
    assert_eq!(prompts_sent(&effects), [(1, "early".to_owned())]);
}

#[test]
fn a_message_typed_during_a_turn_is_sent_after_it() {
    let mut hub = hub_with_turn();
    assert_eq!(prompts_sent(&hub.apply(prompt("next"), NOW)), []);
    assert_eq!(
        prompts_sent(&hub.handle(ended(1, "end_turn"), NOW)),
        [(2, "next".to_owned())]
    );
}

#[test]
fn a_message_typed_while_the_turn_is_cancelled_is_not_lost() {
    let mut hub = hub_with_turn();
    drop(hub.apply(Command::CancelTurn { session: SESSION }, NOW));
    assert_eq!(prompts_sent(&hub.apply(prompt("but first"), NOW)), []);
    assert_eq!(
        prompts_sent(&hub.handle(ended(1, "cancelled"), NOW)),
        [(2, "but first".to_owned())]
    );
}

#[test]
fn a_cancellation_that_is_not_confirmed_closes_the_turn_and_holds_the_queue() {
    let mut hub = hub_with_turn();
    drop(hub.apply(Command::CancelTurn { session: SESSION }, NOW));
    drop(hub.apply(prompt("next"), NOW));
    let deadline = NOW.plus_millis(CANCEL_LIMIT_MILLIS);

    assert_eq!(prompts_sent(&hub.handle(Event::Tick, deadline)), []);
    assert_eq!(
        session(&hub).last_end().map(|end| &end.cause),
        Some(&TurnCause::CancelNotConfirmed)
    );
    assert_eq!(
        session(&hub).status(deadline),
        SessionStatus::CancelNotConfirmed
    );

    // The agent answers after all: the way is free.
    assert_eq!(
        prompts_sent(&hub.handle(ended(1, "cancelled"), deadline)),
        [(2, "next".to_owned())]
    );
}

#[test]
fn the_answer_to_an_old_turn_does_not_end_the_new_one() {
    let mut hub = hub_with_turn();
    drop(hub.handle(ended(1, "end_turn"), NOW));
    drop(hub.apply(prompt("again"), NOW));
    drop(hub.handle(ended(1, "end_turn"), NOW));
    assert!(session(&hub).is_busy());
}

#[test]
fn an_unknown_stop_reason_ends_the_turn_and_is_named() {
    let mut hub = hub_with_turn();
    drop(hub.handle(ended(1, "solar_flare"), NOW));
    assert!(!session(&hub).is_busy());
    let last = session(&hub)
        .transcript()
        .blocks()
        .last()
        .map(|block| block.content.clone());
    assert_eq!(
        last,
        Some(BlockContent::note(Note::TurnEnded {
            stop_reason: "solar_flare".to_owned()
        }))
    );
}

/// Case O-02.
#[test]
fn tool_updates_in_the_wrong_order_and_a_reused_id() {
    let mut hub = hub_with_turn();
    let content = vec![crate::core::tool_call::ToolCallContent::Text(
        "3 files".to_owned(),
    )];
    let steps = [
        status_update("t1", ToolCallStatus::InProgress),
        tool_update(
            "t1",
            ToolCallPatch {
                content: Some(content.clone()),
                ..ToolCallPatch::default()
            },
        ),
        tool_call("t1", "List folder", Some(ToolCallStatus::Pending)),
        tool_call("t2", "Read a.txt", Some(ToolCallStatus::Completed)),
        tool_call("t2", "Read b.txt", Some(ToolCallStatus::Pending)),
        status_update("t9", ToolCallStatus::Failed),
        status_update("t2", ToolCallStatus::Completed),
    ];
    for step in steps {
        drop(hub.handle(step, NOW));
    }
    let shown = |status: &str| {
        vec![
            "user: go".to_owned(),
            format!("tool t1: List folder {status}"),
            "tool t2: Read a.txt Completed".to_owned(),
            "tool t2: Read b.txt Completed".to_owned(),
            "tool t9:  Failed".to_owned(),
        ]
    };
    assert_eq!(lines(&hub), shown("InProgress"));
    assert_eq!(
        session(&hub)
            .transcript()
            .tool_call(&"t1".into())
            .map(|call| call.content.clone()),
        Some(content)
    );

    drop(hub.handle(ended(1, "end_turn"), NOW));
    assert_eq!(lines(&hub), shown("NoResult"));
}

/// Case O-06.
#[test]
fn what_comes_after_the_turn_is_kept_apart_from_the_next_answer() {
    let mut hub = hub_with_turn();
    drop(hub.handle(ended(1, "end_turn"), NOW));
    let later = NOW.plus_millis(40);
    drop(hub.handle(text("The build "), later));
    drop(hub.handle(text("finished."), later));
    assert_eq!(session(&hub).status(later), SessionStatus::StillReporting);
    assert_eq!(
        session(&hub).status(later.plus_millis(10_000)),
        SessionStatus::Ready
    );

    assert_eq!(
        prompts_sent(&hub.apply(prompt("more"), later)),
        [(2, "more".to_owned())]
    );
    drop(hub.handle(text("Sure."), later));
    assert_eq!(
        lines(&hub),
        [
            "user: go",
            "agent: The build finished.",
            "user: more",
            "agent: Sure."
        ]
    );
    let places: Vec<_> = session(&hub)
        .transcript()
        .blocks()
        .iter()
        .map(|block| (block.turn.map(|turn| turn.0), block.late))
        .collect();
    assert_eq!(
        places,
        [
            (Some(1), false),
            (Some(1), true),
            (Some(2), false),
            (Some(2), false)
        ]
    );
}

#[test]
fn updates_of_an_old_call_go_to_its_own_block() {
    let mut hub = hub_with_turn();
    drop(hub.handle(
        tool_call("t1", "Build", Some(ToolCallStatus::InProgress)),
        NOW,
    ));
    drop(hub.apply(Command::CancelTurn { session: SESSION }, NOW));
    drop(hub.handle(ended(1, "cancelled"), NOW));
    drop(hub.apply(prompt("again"), NOW));
    drop(hub.handle(status_update("t1", ToolCallStatus::Failed), NOW));
    assert_eq!(lines(&hub)[..2], ["user: go", "tool t1: Build Cancelled"]);
}

#[test]
fn a_block_changes_its_revision_whenever_it_changes() {
    let mut hub = hub_with_turn();
    let revision = |hub: &AgentHub| {
        session(hub)
            .transcript()
            .blocks()
            .last()
            .map(|block| block.revision)
    };
    drop(hub.handle(text("a"), NOW));
    let first = revision(&hub);
    drop(hub.handle(text("b"), NOW));
    assert_ne!(revision(&hub), first);
}

/// Gemini's.
#[test]
fn a_prompt_waits_for_a_history_that_comes_after_the_answer() {
    let mut hub = AgentHub::default();
    drop(hub.apply(open(SESSION, SessionStart::Load("old".into())), NOW));
    let capabilities = AgentCapabilities {
        load_session: true,
        late_history: true,
        ..AgentCapabilities::default()
    };
    drop(hub.handle(initialized(capabilities, Vec::new()), NOW));
    let opened = session_event(SessionEvent::Opened(OpenedSession::default()));
    let wakes = |effects: &[Effect]| {
        effects.iter().find_map(|effect| match effect {
            Effect::WakeAt(at) => Some(*at),
            _ => None,
        })
    };
    assert_eq!(wakes(&hub.handle(opened, NOW)), Some(NOW.plus_millis(300)));
    drop(hub.apply(prompt("new"), NOW));
    drop(hub.handle(text("old"), NOW.plus_millis(200)));
    let early = hub.handle(Event::Tick, NOW.plus_millis(300));
    assert_eq!(wakes(&early), Some(NOW.plus_millis(500)));
    assert_eq!(lines(&hub), ["agent: old"]);
    drop(hub.handle(Event::Tick, NOW.plus_millis(500)));
    assert_eq!(lines(&hub), ["agent: old", "user: new"]);
}

#[test]
fn a_loaded_history_is_shown_with_its_turns() {
    let mut hub = AgentHub::default();
    drop(hub.apply(open(SESSION, SessionStart::Load("old".into())), NOW));
    let capabilities = AgentCapabilities {
        load_session: true,
        ..AgentCapabilities::default()
    };
    drop(hub.handle(initialized(capabilities, Vec::new()), NOW));
    let user = |text: &str| {
        session_event(SessionEvent::Text {
            kind: MessageKind::User,
            text: text.to_owned(),
            message_id: None,
        })
    };
    for event in [user("one"), text("first"), user("two"), text("second")] {
        drop(hub.handle(event, NOW));
    }
    drop(hub.handle(
        session_event(SessionEvent::Opened(OpenedSession::default())),
        NOW,
    ));
    assert_eq!(
        lines(&hub),
        ["user: one", "agent: first", "user: two", "agent: second"]
    );
    let turns: Vec<_> = session(&hub)
        .transcript()
        .blocks()
        .iter()
        .map(|block| block.turn.map(|turn| turn.0))
        .collect();
    assert_eq!(turns, [Some(1), Some(1), Some(2), Some(2)]);
    assert_eq!(
        prompts_sent(&hub.apply(prompt("three"), NOW)),
        [(3, "three".to_owned())]
    );
}
