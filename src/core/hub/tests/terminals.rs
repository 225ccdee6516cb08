//! Terminals that an agent was given: answered while they run, and ended with their session.

use super::client::{ask, hub_at, run};
use super::*;
use crate::core::client_tools::{ClientAnswer, ClientFailure, TerminalCall};
use crate::core::ids::TerminalId;
use crate::core::notice::ExitStatus;
use crate::core::policy::level::Level;

fn started(effects: &[Effect]) -> TerminalId {
    let started = effects.iter().find_map(|effect| match effect {
        Effect::StartTerminal { terminal, .. } => Some(terminal.clone()),
        _ => None,
    });
    started.expect("a terminal was started")
}

fn terminal_asked(
    hub: &mut AgentHub,
    id: i64,
    terminal: &TerminalId,
    call: TerminalCall,
) -> Vec<Effect> {
    let event = SessionEvent::TerminalAsked {
        request: RequestId::Number(id),
        terminal: terminal.clone(),
        call,
    };
    hub.handle(session_event(event), NOW)
}

fn answers(effects: &[Effect]) -> Vec<(String, Result<ClientAnswer, ClientFailure>)> {
    let answer = |effect: &Effect| match effect {
        Effect::Send {
            message: AgentMessage::AnswerClient {
                request, result, ..
            },
            ..
        } => Some((request.to_string(), result.clone())),
        _ => None,
    };
    effects.iter().filter_map(answer).collect()
}

#[test]
fn the_life_of_a_terminal() {
    let mut hub = hub_at(Level::AllTools, "");
    let terminal = started(&ask(&mut hub, 1, run("make")));
    let event = SessionEvent::ClientDone {
        request: RequestId::Number(1),
        result: Ok(ClientAnswer::Started(terminal.clone())),
    };
    let effects = hub.handle(session_event(event), NOW);
    assert_eq!(answers(&effects).len(), 1);
    let before = session(&hub).transcript().revision();
    let printed = SessionEvent::TerminalPrinted {
        terminal: terminal.clone(),
        text: "building\n".to_owned(),
    };
    drop(hub.handle(session_event(printed), NOW));
    // Its row is drawn anew.
    assert!(session(&hub).transcript().revision() > before);
    let shown = session(&hub)
        .terminal(terminal.as_str())
        .expect("it is there");
    assert_eq!(shown.text, "building\n");

    let output = |exit| ClientAnswer::Output {
        text: "building\n".to_owned(),
        truncated: false,
        exit,
    };
    let effects = terminal_asked(&mut hub, 2, &terminal, TerminalCall::Output);
    assert_eq!(answers(&effects), [("2".to_owned(), Ok(output(None)))]);
    let effects = terminal_asked(&mut hub, 3, &terminal, TerminalCall::WaitForExit);
    assert_eq!(effects, []);
    let effects = terminal_asked(&mut hub, 4, &terminal, TerminalCall::Kill);
    assert!(matches!(
        effects.as_slice(),
        [Effect::StopTerminal { .. }, _]
    ));
    let exit = ExitStatus::Signal(9);
    let event = SessionEvent::TerminalEnded {
        terminal: terminal.clone(),
        exit: exit.clone(),
    };
    let effects = hub.handle(session_event(event), NOW);
    let exited = ClientAnswer::Exited(exit.clone());
    assert_eq!(answers(&effects), [("3".to_owned(), Ok(exited.clone()))]);
    let effects = terminal_asked(&mut hub, 5, &terminal, TerminalCall::WaitForExit);
    assert_eq!(answers(&effects), [("5".to_owned(), Ok(exited))]);
    let effects = terminal_asked(&mut hub, 6, &terminal, TerminalCall::Release);
    assert_eq!(
        answers(&effects),
        [("6".to_owned(), Ok(ClientAnswer::Done))]
    );
    for call in [
        TerminalCall::Output,
        TerminalCall::Kill,
        TerminalCall::Release,
    ] {
        let effects = terminal_asked(&mut hub, 7, &terminal, call);
        let failure = ClientFailure::NoTerminal {
            id: terminal.clone(),
        };
        assert_eq!(answers(&effects), [("7".to_owned(), Err(failure))]);
    }
    // What it printed stays to be looked at.
    let shown = session(&hub)
        .terminal(terminal.as_str())
        .expect("it is there");
    assert_eq!(shown.text, "building\n");
}

#[test]
fn terminals_end_with_their_session_and_with_their_agent() {
    let stops = |effects: &[Effect]| {
        let stop = |effect: &&Effect| matches!(effect, Effect::StopTerminal { .. });
        effects.iter().filter(stop).count()
    };
    let mut hub = hub_at(Level::AllTools, "");
    drop(ask(&mut hub, 1, run("make")));
    drop(ask(&mut hub, 2, run("make")));
    let closed = hub.apply(Command::CloseSession { session: SESSION }, NOW);
    assert_eq!(stops(&closed), 2);

    let mut hub = hub_at(Level::AllTools, "");
    drop(ask(&mut hub, 1, run("make")));
    let gone = connection_event(ConnectionEvent::Exited {
        exit: ExitStatus::Code(1),
        output_closed_first: false,
        stderr_tail: Vec::new(),
    });
    assert_eq!(stops(&hub.handle(gone, NOW)), 1);
}

/// An agent that tells of the command by a call of its own, and says nothing of the terminal.
#[test]
fn what_a_command_prints_is_shown_by_the_agents_own_row_as_well() {
    let mut hub = hub_at(Level::AllTools, "");
    let patch = ToolCallPatch {
        title: Some("execute".to_owned()),
        status: Some(ToolCallStatus::InProgress),
        raw_input: Some(serde_json::json!({"command": "make"}).into()),
        ..ToolCallPatch::default()
    };
    drop(hub.handle(tool_update("own", patch), NOW));
    let terminal = started(&ask(&mut hub, 1, run("make")));
    let content = |hub: &AgentHub| {
        let call = session(hub).transcript().tool_call(&"own".into());
        call.map(|call| call.content.clone()).unwrap_or_default()
    };
    let shown = crate::core::tool_call::ToolCallContent::Terminal {
        id: terminal.to_string(),
    };
    assert_eq!(content(&hub), [shown]);
    let ended = SessionEvent::TerminalEnded {
        terminal,
        exit: ExitStatus::Code(0),
    };
    drop(hub.handle(session_event(ended), NOW));
    // Its end is the agent's to tell.
    let call = session(&hub).transcript().tool_call(&"own".into());
    assert_eq!(
        call.map(|call| call.status),
        Some(ToolCallStatus::InProgress)
    );
}
