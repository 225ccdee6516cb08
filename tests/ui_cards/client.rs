//! What an agent asks us to do for it: a file to be written as a change, a command with its output as it comes.

use std::path::PathBuf;

use agent_panel::core::client_tools::{ClientAnswer, ClientCall, OldText, TerminalStart};
use agent_panel::core::command::Command;
use agent_panel::core::effect::Effect;
use agent_panel::core::event::SessionEvent;
use agent_panel::core::ids::{RequestId, SessionKey, TerminalId};
use agent_panel::core::notice::ExitStatus;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::world::{FOLDER, World};
use super::{click, resolve, settled, shows};

const REQUEST: RequestId = RequestId::Number(7);

/// The agent asks; each path is where it says.
fn asked(call: ClientCall) -> (World, SessionKey) {
    let mut world = World::default();
    let session = world.open("codex");
    world.prompt(session, "go");
    world.effects.clear();
    let event = SessionEvent::ClientAsked {
        request: REQUEST,
        call: Box::new(call),
    };
    world.session_event(session, event);
    resolve(&mut world, session, REQUEST);
    (world, session)
}

/// Clicks the answer that lets us do it, and does what the hub wants done then.
fn allow(window: &mut Harness<'_, World>) {
    click(window, "Allow once");
    let commands = window.state_mut().apply_commands();
    assert!(
        matches!(commands.as_slice(), [Command::AnswerPermission { .. }]),
        "{commands:?}"
    );
    window.run_ok();
}

#[test]
fn a_command_that_runs_for_the_agent_shows_its_output_as_it_comes() {
    let (world, session) = asked(ClientCall::Terminal(TerminalStart {
        command: "make all".to_owned(),
        args: Vec::new(),
        env: Vec::new(),
        cwd: None,
        output_limit: None,
    }));
    let mut window = settled(world);
    assert!(shows(&window, "Codex asks to run a command"));
    assert!(shows(&window, "make all"));
    allow(&mut window);
    let world = window.state_mut();
    let started = world.effects.iter().find_map(|effect| match effect {
        Effect::StartTerminal { terminal, .. } => Some(terminal.clone()),
        _ => None,
    });
    let terminal: TerminalId = started.expect("it is started");
    let done = SessionEvent::ClientDone {
        request: REQUEST,
        result: Ok(ClientAnswer::Started(terminal.clone())),
    };
    world.session_event(session, done);
    window.run_ok();
    window.get_by_label_contains("Run, make all").click();
    window.run_ok();
    for (text, shown) in [
        ("\u{1b}[32mcompiled\u{1b}[0m one\n", "compiled one"),
        ("linking 10%\rlinking 90%\n", "linking 90%"),
    ] {
        assert!(!shows(&window, shown));
        let printed = SessionEvent::TerminalPrinted {
            terminal: terminal.clone(),
            text: text.to_owned(),
        };
        window.state_mut().session_event(session, printed);
        window.run_ok();
        assert!(shows(&window, shown), "{shown}");
    }
    assert!(!shows(&window, "10%"), "a program may write a line anew");
    let ended = SessionEvent::TerminalEnded {
        terminal,
        exit: ExitStatus::Code(2),
    };
    window.state_mut().session_event(session, ended);
    window.run_ok();
    assert!(shows(&window, "Run, make all, Failed"));
    assert!(shows(&window, "compiled one"), "it stays to be looked at");
}

#[test]
fn a_file_that_is_to_be_written_is_shown_as_a_change_of_what_it_holds() {
    let path = format!("{FOLDER}/notes.txt");
    let (mut world, session) = asked(ClientCall::Write {
        path: PathBuf::from(&path),
        content: "one\nnew\nthree\n".to_owned(),
    });
    let reads = |effect: &Effect| match effect {
        Effect::ReadOldText { target, .. } => Some(target.clone()),
        _ => None,
    };
    let target = world.effects.iter().find_map(reads);
    assert_eq!(target, Some(PathBuf::from(&path)));
    let old = SessionEvent::OldTextRead {
        request: REQUEST,
        old: OldText::Text("one\nold\nthree\n".to_owned()),
    };
    world.session_event(session, old);
    let mut window = settled(world);
    assert!(shows(&window, "Codex asks to change a file"));
    click(&mut window, "Show details");
    for line in ["old", "new", "three"] {
        assert!(window.query_by_label(line).is_some(), "{line}");
    }
    assert!(!shows(&window, "New file"));
    allow(&mut window);
    let writes = |effect: &Effect| matches!(effect, Effect::WriteFile { .. });
    assert!(window.state().effects.iter().any(writes));
}
