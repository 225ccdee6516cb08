//! Case O-04: an agent dies, is started again, and at last not any more.

use super::*;
use crate::core::effect::Stop;
use crate::core::ids::RequestId;
use crate::core::notice::{ExitStatus, FailureKind, Note};
use crate::core::session::Phase;

fn exited(connection: u64, code: i32) -> Event {
    Event::Connection {
        connection: ConnectionId(connection),
        event: ConnectionEvent::Exited {
            exit: ExitStatus::Code(code),
            output_closed_first: false,
            stderr_tail: vec!["fatal: out of cheese".to_owned()],
        },
    }
}

/// The restarted agent gets ready and has the session loaded.
fn comes_back(hub: &mut AgentHub, connection: u64) -> Vec<Effect> {
    let capabilities = AgentCapabilities {
        load_session: true,
        ..AgentCapabilities::default()
    };
    let event = ConnectionEvent::Initialized {
        agent: AgentInfo::default(),
        capabilities,
        auth_methods: Vec::new(),
    };
    hub.handle(
        Event::Connection {
            connection: ConnectionId(connection),
            event,
        },
        NOW,
    )
}

fn started(effects: &[Effect]) -> usize {
    effects
        .iter()
        .filter(|effect| matches!(effect, Effect::StartAgent { .. }))
        .count()
}

#[test]
fn a_death_in_a_turn_keeps_the_text_and_closes_what_is_open() {
    let mut hub = hub_with_turn();
    drop(hub.handle(text("Working on it"), NOW));
    drop(hub.handle(
        tool_call("t1", "Build", Some(ToolCallStatus::InProgress)),
        NOW,
    ));
    drop(hub.handle(permission(1, "t2", "Write"), NOW));

    let effects = hub.handle(exited(1, 3), NOW);

    let sends = effects
        .iter()
        .filter(|effect| matches!(effect, Effect::Send { .. }))
        .count();
    assert_eq!(sends, 0, "nothing is written to the dead: {effects:?}");
    assert_eq!(started(&effects), 1);
    assert!(session(&hub).permission_requests().is_empty());
    let shown = lines(&hub);
    assert_eq!(
        shown[..3],
        ["user: go", "agent: Working on it", "tool t1: Build Stopped"]
    );
    let failure = session(&hub)
        .transcript()
        .blocks()
        .iter()
        .find_map(|block| match &block.content {
            BlockContent::Failure(failure) => Some(failure.clone()),
            _ => None,
        });
    let failure = failure.expect("the death is said");
    assert_eq!(
        failure.kind,
        FailureKind::AgentExited {
            exit: ExitStatus::Code(3)
        }
    );
    assert_eq!(failure.stderr, ["fatal: out of cheese"]);
}

#[test]
fn the_new_process_loads_the_same_session_and_nothing_is_shown_twice() {
    let mut hub = hub_with_turn();
    drop(hub.handle(text("half"), NOW));
    drop(hub.handle(exited(1, 3), NOW));
    let effects = comes_back(&mut hub, 2);
    assert!(
        matches!(
            effects.as_slice(),
            [Effect::Send { connection: ConnectionId(2), message: AgentMessage::LoadSession { id, .. } }] if id.as_str() == "s1"
        ),
        "{effects:?}"
    );
    drop(hub.handle(text("half"), NOW));
    drop(hub.handle(
        session_event(SessionEvent::Opened(OpenedSession::default())),
        NOW,
    ));
    let replies = lines(&hub)
        .iter()
        .filter(|line| *line == "agent: half")
        .count();
    assert_eq!(replies, 1);
    // The prompt of the dead turn is not sent by itself; the next one is.
    assert_eq!(
        prompts_sent(&hub.apply(prompt("go on"), NOW)),
        [(2, "go on".to_owned())]
    );
}

#[test]
fn an_agent_that_forgot_the_session_says_so() {
    let mut hub = hub_with_turn();
    drop(hub.handle(exited(1, 3), NOW));
    drop(comes_back(&mut hub, 2));
    let error = crate::core::notice::RpcError {
        code: -32_002,
        message: "unknown".to_owned(),
        data: None,
    };
    let effects = hub.handle(session_event(SessionEvent::OpenFailed(error)), NOW);
    assert!(
        matches!(
            effects.as_slice(),
            [Effect::Send {
                message: AgentMessage::NewSession { .. },
                ..
            }]
        ),
        "{effects:?}"
    );
    let blocks = session(&hub).transcript().blocks();
    assert!(
        blocks
            .iter()
            .any(|block| block.content == BlockContent::note(Note::MemoryLost))
    );
}

#[test]
fn it_is_started_again_three_times_at_most() {
    let mut hub = hub_with_turn();
    let mut starts = 0;
    for death in 1..=4 {
        starts += started(&hub.handle(exited(death, 1), NOW));
        drop(comes_back(&mut hub, death + 1));
        drop(hub.handle(
            session_event(SessionEvent::Opened(OpenedSession::default())),
            NOW,
        ));
    }
    assert_eq!(starts, 3);
    assert_eq!(*session(&hub).phase(), Phase::AgentGone);
    let last = session(&hub)
        .transcript()
        .blocks()
        .last()
        .map(|block| block.content.clone());
    assert_eq!(
        last,
        Some(BlockContent::note(Note::RestartsExhausted { most: 3 }))
    );
    // The person may still start it.
    assert_eq!(
        started(&hub.apply(Command::Restart { session: SESSION }, NOW)),
        1
    );
}

#[test]
fn an_agent_that_dies_before_it_is_ready_is_not_started_again() {
    let mut hub = AgentHub::default();
    drop(hub.apply(open(SESSION, SessionStart::New), NOW));
    drop(hub.apply(prompt("hello"), NOW));
    assert_eq!(started(&hub.handle(exited(1, 127), NOW)), 0);
    assert_eq!(*session(&hub).phase(), Phase::AgentGone);
    assert_eq!(session(&hub).queue().len(), 1, "the message waits");
}

#[test]
fn a_forced_stop_is_no_crash() {
    let mut hub = hub_with_turn();
    let effects = hub.apply(Command::ForceStop { session: SESSION }, NOW);
    assert_eq!(
        effects,
        [Effect::StopAgent {
            connection: CONNECTION,
            stop: Stop::Now
        }]
    );
    assert_eq!(started(&hub.handle(exited(1, 9), NOW)), 0);
    let failures = session(&hub).transcript().blocks().iter();
    assert_eq!(
        failures
            .filter(|block| matches!(block.content, BlockContent::Failure(_)))
            .count(),
        0
    );
}

#[test]
fn a_message_to_a_dead_agent_starts_it_again_and_is_sent_then() {
    let mut hub = hub_with_session();
    drop(hub.apply(Command::ForceStop { session: SESSION }, NOW));
    drop(hub.handle(exited(1, 9), NOW));
    assert_eq!(started(&hub.apply(prompt("still there?"), NOW)), 1);
    drop(comes_back(&mut hub, 2));
    let effects = hub.handle(
        session_event(SessionEvent::Opened(OpenedSession::default())),
        NOW,
    );
    assert_eq!(prompts_sent(&effects), [(1, "still there?".to_owned())]);
}

#[test]
fn closing_the_last_session_stops_its_agent() {
    let mut hub = hub_with_turn();
    drop(hub.handle(permission(1, "t2", "Write"), NOW));
    let effects = hub.apply(Command::CloseSession { session: SESSION }, NOW);
    let answered = effects.iter().any(|effect| {
        matches!(
            effect,
            Effect::Send {
                message: AgentMessage::AnswerPermission {
                    request: RequestId::Number(1),
                    ..
                },
                ..
            }
        )
    });
    assert!(answered, "{effects:?}");
    assert_eq!(
        effects.last(),
        Some(&Effect::StopAgent {
            connection: CONNECTION,
            stop: Stop::Polite
        })
    );
}
