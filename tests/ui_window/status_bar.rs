//! The status bar: the state in words, ways out, the context meter (O-10).

use std::path::PathBuf;

use agent_panel::core::command::Command;
use agent_panel::core::event::{ConnectionEvent, Event, SessionEvent};
use agent_panel::core::notice::ExitStatus;
use agent_panel::core::tool_call::{ToolCallPatch, ToolCallStatus};
use agent_panel::core::usage::{Cost, CostSpan, TokenCounts, TokenReport, TokenSpan, UsageReport};

use super::world::{FOLDER, World, pass, window};
use super::{NARROW, WIDE, click, shows};

fn report(used: u64, size: Option<u64>) -> UsageReport {
    UsageReport {
        context_used: Some(used),
        context_window: size,
        ..UsageReport::default()
    }
}

fn with_usage(report: UsageReport) -> World {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "go");
    world.session_event(session, SessionEvent::UsageReported(report));
    world.end_turn(session, 1);
    world
}

/// A session that has used something of everything.
pub(super) fn used() -> World {
    let mut world = with_usage(UsageReport {
        tokens: Some(TokenReport {
            counts: TokenCounts {
                input: 8_200,
                output: 4_200,
                cache_read: 118_000,
                cache_write: 9_000,
            },
            span: TokenSpan::Turn,
        }),
        cost: Some(Cost {
            amount: 0.1234,
            currency: "USD".to_owned(),
            span: CostSpan::Session,
        }),
        ..report(126_400, Some(200_000))
    });
    world
        .state
        .branches
        .insert(PathBuf::from(FOLDER), "main".to_owned());
    world
}

#[test]
fn states_in_words() {
    let mut world = World::default();
    let session = world.start("claude-code");
    let mut window = window(world, WIDE);
    assert!(shows(&window, "Starting"));
    pass(&mut window, 20_000);
    assert!(shows(&window, "Still starting, 20 s"));
    let world = window.state_mut();
    world.initialize(session, Vec::new());
    let opened = agent_panel::core::event::OpenedSession::default();
    world.session_event(session, SessionEvent::Opened(opened));
    window.run_ok();
    assert!(shows(&window, "Ready"));
    window.state_mut().prompt(session, "go");
    let patch = ToolCallPatch {
        title: Some("Running tests".to_owned()),
        status: Some(ToolCallStatus::InProgress),
        ..ToolCallPatch::default()
    };
    window.state_mut().session_event(
        session,
        SessionEvent::ToolCallAnnounced {
            id: "t".into(),
            patch: Box::new(patch),
        },
    );
    pass(&mut window, 14_000);
    assert!(shows(&window, "Running tests, 14 s"));
    window.state_mut().ask(session, 1, "Write notes.md");
    window.run_steps(2);
    assert!(shows(&window, "Waiting for you"));
}

#[test]
fn an_agent_that_does_not_stop_can_be_stopped_by_force() {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "go");
    world.apply(Command::CancelTurn { session });
    world.now = world.now.plus_millis(20_000);
    world.handle(Event::Tick);
    let mut window = window(world, WIDE);
    click(&mut window, "Force stop");
    assert_eq!(window.state().commands, [Command::ForceStop { session }]);
}

#[test]
fn an_agent_that_is_gone_can_be_started_again() {
    let mut world = World::default();
    let session = world.start("claude-code");
    let connection = world.connection(session);
    world.handle(Event::Connection {
        connection,
        event: ConnectionEvent::Exited {
            exit: ExitStatus::Code(3),
            output_closed_first: false,
            stderr_tail: Vec::new(),
        },
    });
    let mut window = window(world, WIDE);
    assert!(shows(&window, "Agent stopped"));
    click(&mut window, "Restart agent");
    assert_eq!(window.state().commands, [Command::Restart { session }]);
}

#[test]
fn the_meter_says_what_is_known_and_nothing_else() {
    let cases = [
        (report(12_000, Some(200_000)), "Context 6 %"),
        (report(689_000, Some(200_000)), "Context over: 689k of 200k"),
        (report(12_000, None), "Context 12k in context"),
    ];
    for (report, expected) in cases {
        let window = window(with_usage(report.clone()), WIDE);
        assert!(shows(&window, expected), "{report:?}");
    }
    let window = window(with_usage(UsageReport::default()), WIDE);
    assert!(!shows(&window, "Context"));
}

#[test]
fn the_popover_has_exact_numbers() {
    let mut window = window(used(), WIDE);
    pass(&mut window, 12_000);
    click(&mut window, "Context 63 %");
    for words in [
        "Context window: 126,400 of 200,000 tokens used",
        "Reported by Claude Code 12 s ago",
        "118,000",
        "139,400",
        "0.1234",
    ] {
        assert!(shows(&window, words), "{words}");
    }
}

#[test]
fn nothing_used_and_nothing_reported_are_told_apart() {
    let mut fresh = World::default();
    fresh.open("claude-code");
    let mut fresh = window(fresh, WIDE);
    click(&mut fresh, "Usage");
    assert!(shows(&fresh, "Nothing used yet: no turn has ended"));
    assert!(shows(&fresh, "has not reported its context window"));
    let mut world = World::default();
    let session = world.open("claude-code");
    let first = report(1_000, Some(200_000));
    world.session_event(session, SessionEvent::UsageReported(first.clone()));
    let mut window_before = window(world, WIDE);
    click(&mut window_before, "Context 0 %");
    assert!(shows(&window_before, "Nothing used yet: no turn has ended"));
    let mut window_after = window(with_usage(first), WIDE);
    click(&mut window_after, "Context 0 %");
    assert!(shows(&window_after, "Claude Code reports no token counts"));
}

#[test]
fn a_narrow_bar_keeps_the_percent() {
    let window = window(used(), NARROW);
    assert!(shows(&window, "Context 63 %"));
    assert!(!shows(&window, "Folder /home"));
}
