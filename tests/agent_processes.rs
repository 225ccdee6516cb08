//! Agents as real processes: how they start, speak, die and are ended.
#![cfg(unix)]
#![expect(clippy::panic, reason = "a test that goes wrong ends")]

#[path = "agent_processes/output.rs"]
mod output;
#[path = "agent_processes/restart.rs"]
mod restart;
#[path = "agent_processes/start.rs"]
mod start;
#[path = "agent_processes/support.rs"]
mod support;
#[path = "agent_processes/terminals.rs"]
mod terminals;
#[cfg(target_os = "linux")]
#[path = "agent_processes/tree.rs"]
mod tree;

use agent_panel::core::effect::Stop;
use agent_panel::core::event::{ConnectionEvent, Event};
use agent_panel::core::notice::ExitStatus;

use crate::support::{Play, texts};

#[test]
fn an_agent_that_dies_in_a_turn_leaves_its_text_and_its_last_words() {
    let play = Play::start(
        r#"
        answer_initialize; answer_new_session; read -r prompt
        text 'Working on it'
        printf '{"jsonrpc":"2.0","method":"session/upd'
        printf '\033[31mfatal: out of cheese\033[0m\n' >&2
        exit 3"#,
    );
    play.prompt();
    let events = play.until_exited();
    assert_eq!(texts(&events), ["Working on it"]);
    let end = events.last().expect("it ended");
    let expected = Event::Connection {
        connection: play.connection,
        event: ConnectionEvent::Exited {
            exit: ExitStatus::Code(3),
            output_closed_first: false,
            stderr_tail: vec!["fatal: out of cheese".to_owned()],
        },
    };
    assert_eq!(*end, expected);
    let strays = events.iter().any(|event| {
        matches!(
            event,
            Event::Connection {
                event: ConnectionEvent::StrayLines { .. } | ConnectionEvent::Unrecognized { .. },
                ..
            }
        )
    });
    assert!(strays, "the half line is told: {events:?}");
}

#[test]
fn every_kind_of_death_is_told_once() {
    let cases = [
        ("kill -9 $$", ExitStatus::Signal(9)),
        ("kill -SEGV $$", ExitStatus::Signal(11)),
        ("answer_initialize; exit 0", ExitStatus::Code(0)),
        ("exit 127", ExitStatus::Code(127)),
    ];
    for (script, expected) in cases {
        let play = Play::start(script);
        let (exit, output_closed_first) = play.exit();
        assert_eq!(exit, expected, "{script}");
        assert!(!output_closed_first, "{script}");
        assert_eq!(play.backend.try_event(), None, "{script}");
    }
}

#[test]
fn what_is_said_to_a_dead_agent_is_no_error() {
    let play = Play::start("exit 1");
    assert_eq!(play.exit().0, ExitStatus::Code(1));
    play.cancel();
    play.stop(Stop::Polite);
    play.stop(Stop::Now);
    assert_eq!(play.backend.try_event(), None);
}

#[test]
fn an_agent_that_closes_its_output_and_stays_is_stopped() {
    let play =
        Play::start("answer_initialize; exec >&-; trap '' TERM; while :; do sleep 0.1; done");
    let (exit, output_closed_first) = play.exit();
    assert_eq!(exit, ExitStatus::Signal(9));
    assert!(output_closed_first);
}

#[test]
fn an_agent_that_exits_after_its_output_was_closed_is_not_blamed() {
    let play = Play::start("answer_initialize; exec >&-; exit 4");
    assert_eq!(play.exit(), (ExitStatus::Code(4), false));
}

#[test]
fn a_polite_stop_lets_the_agent_hear_everything_and_end_by_itself() {
    let play = Play::start(
        r#"answer_initialize; answer_new_session
        while read -r line; do echo "$line" >>"$FOLDER/heard"; done; exit 7"#,
    );
    play.prompt();
    play.cancel();
    play.stop(Stop::Polite);
    assert_eq!(play.exit(), (ExitStatus::Code(7), false));
    let heard = play.read("heard");
    assert!(heard.contains("session/prompt"), "{heard}");
    assert!(heard.contains("session/cancel"), "{heard}");
}

#[test]
fn an_agent_that_ignores_a_closed_input_is_told_to_end() {
    let play = Play::start(
        r"trap 'echo bye >&2; exit 9' TERM; answer_initialize
        while :; do sleep 0.05; done",
    );
    play.initialized();
    play.stop(Stop::Polite);
    assert_eq!(play.exit(), (ExitStatus::Code(9), false));
}

#[test]
fn a_stop_at_once_is_at_once() {
    let play = Play::start("trap '' TERM; answer_initialize; while :; do sleep 0.05; done");
    play.initialized();
    play.stop(Stop::Now);
    assert_eq!(play.exit(), (ExitStatus::Signal(9), false));
}

#[test]
fn agents_live_side_by_side() {
    let play = Play::start("answer_initialize; read -r forever");
    let (_, other) = play.start_another("answer_initialize; exit 5");
    play.initialized();
    let end = play.until(|event| {
        matches!(event, Event::Connection { connection, event: ConnectionEvent::Exited { .. } }
            if *connection == other)
    });
    assert!(!end.is_empty());
    play.stop(Stop::Now);
    assert_eq!(play.exit().0, ExitStatus::Signal(9));
}
