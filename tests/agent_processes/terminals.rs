//! Commands that run for an agent: their output, their limits, and that nothing of them is left.

use std::path::PathBuf;

use agent_panel::core::client_tools::{ClientAnswer, ClientFailure, TerminalStart};
use agent_panel::core::effect::Effect;
use agent_panel::core::event::{Event, SessionEvent};
use agent_panel::core::ids::{RequestId, SessionKey, TerminalId};
use agent_panel::core::notice::ExitStatus;

use crate::support::{Play, eventually};

const SESSION: SessionKey = SessionKey(1);

fn start(play: &Play, command: &str, args: &[&str]) {
    let start = TerminalStart {
        command: command.to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        env: vec![("GREETING".to_owned(), "hello".to_owned())],
        cwd: None,
        output_limit: None,
    };
    play.backend.perform(Effect::StartTerminal {
        session: SESSION,
        request: RequestId::Number(1),
        terminal: TerminalId::from("t1"),
        start: Box::new(start),
        cwd: play.folder.path().to_owned(),
    });
}

/// What was told until the end: the answer to the request, the text, how it ended.
fn told(play: &Play) -> (Result<ClientAnswer, ClientFailure>, String, ExitStatus) {
    let events = play.until(|event| {
        matches!(
            event,
            Event::Session {
                event: SessionEvent::TerminalEnded { .. },
                ..
            }
        )
    });
    let (mut text, mut answer, mut end) = (String::new(), None, ExitStatus::Unknown);
    for event in events {
        match event {
            Event::Session {
                event: SessionEvent::ClientDone { result, .. },
                ..
            } => answer = Some(result),
            Event::Session {
                event: SessionEvent::TerminalPrinted { text: piece, .. },
                ..
            } => text.push_str(&piece),
            Event::Session {
                event: SessionEvent::TerminalEnded { exit, .. },
                ..
            } => end = exit,
            other => panic!("unexpected: {other:?}"),
        }
    }
    (answer.expect("it was answered"), text, end)
}

#[test]
fn a_command_prints_and_ends_in_its_folder_with_its_variables() {
    let play = Play::empty();
    std::fs::write(play.folder.path().join("here"), "").expect("a file");
    start(&play, "ls; echo $GREETING; cat; exit 3", &[]);
    let (answer, text, exit) = told(&play);
    assert_eq!(answer, Ok(ClientAnswer::Started(TerminalId::from("t1"))));
    assert_eq!(text, "here\nhello\n");
    assert_eq!(exit, ExitStatus::Code(3));
}

#[test]
fn arguments_are_passed_as_they_are() {
    let play = Play::empty();
    start(&play, "printf", &["%s|", "a b", "$HOME", "`id`", "日本"]);
    let (_, text, exit) = told(&play);
    assert_eq!(text, "a b|$HOME|`id`|日本|");
    assert_eq!(exit, ExitStatus::Code(0));
}

#[test]
fn stderr_is_output_too_and_a_flood_is_passed_on_whole() {
    let play = Play::empty();
    start(
        &play,
        "echo oops >&2; i=0; while [ $i -lt 2000 ]; do echo 0123456789012345678901234567890123456789; i=$((i+1)); done",
        &[],
    );
    let (_, text, _) = told(&play);
    assert!(text.contains("oops\n"));
    assert_eq!(text.lines().count(), 2001);
}

#[test]
fn what_can_not_be_started_is_told() {
    let play = Play::empty();
    start(&play, "no-such-program-of-ours", &["x"]);
    let events = play.until(|event| matches!(event, Event::Session { .. }));
    let [
        Event::Session {
            event:
                SessionEvent::ClientDone {
                    result: Err(ClientFailure::Failed { reason }),
                    ..
                },
            ..
        },
    ] = events.as_slice()
    else {
        panic!("a failure, not {events:?}");
    };
    assert!(reason.contains("no-such-program-of-ours"), "{reason}");
}

/// The numbers of a shell and of what it leaves in the background, in another session.
const FAMILY: &str = "echo $$ >shell; setsid sh -c 'echo $$ >child; exec sleep 1000' & until [ -s child ]; do sleep 0.01; done";

fn pids(play: &Play) -> Vec<u32> {
    let pid = |name: &str| play.read(name).trim().parse().ok();
    eventually("both have started", || {
        pid("shell").is_some() && pid("child").is_some()
    });
    ["shell", "child"]
        .iter()
        .filter_map(|name| pid(name))
        .collect()
}

fn is_gone(pid: u32) -> bool {
    let status = std::fs::read_to_string(PathBuf::from(format!("/proc/{pid}/stat")));
    status.is_ok_and(|stat| stat.contains(") Z "))
        || !PathBuf::from(format!("/proc/{pid}")).exists()
}

fn check_gone(pids: &[u32]) {
    assert_eq!(pids.len(), 2);
    eventually("both are gone", || pids.iter().all(|pid| is_gone(*pid)));
}

#[cfg(target_os = "linux")]
#[test]
fn a_stop_ends_the_command_with_all_that_it_started() {
    let play = Play::empty();
    start(&play, &format!("{FAMILY}; sleep 1000"), &[]);
    let pids = pids(&play);
    play.backend.perform(Effect::StopTerminal {
        session: SESSION,
        terminal: TerminalId::from("t1"),
    });
    let (_, _, exit) = told(&play);
    assert_eq!(exit, ExitStatus::Signal(9));
    check_gone(&pids);
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_command_leaves_behind_ends_with_it() {
    let play = Play::empty();
    start(&play, FAMILY, &[]);
    let pids = pids(&play);
    let (_, _, exit) = told(&play);
    assert_eq!(exit, ExitStatus::Code(0));
    check_gone(&pids);
}

#[cfg(target_os = "linux")]
#[test]
fn the_end_of_the_program_ends_all_commands() {
    let play = Play::empty();
    start(&play, &format!("{FAMILY}; sleep 1000"), &[]);
    let pids = pids(&play);
    drop(play);
    check_gone(&pids);
}
