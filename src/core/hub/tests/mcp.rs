//! `/mcp` and what follows it; questions of the agent.

use super::*;

mod servers;
use crate::core::backend::{McpServer, McpTransport};
use crate::core::mcp::{McpReport, McpServerStatus, McpSource, McpState, McpTool};
use crate::core::notice::Note;
use crate::core::question::{QuestionAnswer, QuestionKind};
use crate::core::usage::{Cost, CostSpan, UsageReport};

fn row(name: &str, state: McpState, tools: &[&str]) -> McpServerStatus {
    let tool = |name: &&str| McpTool {
        name: (*name).to_owned(),
        wire_name: None,
        description: None,
        read_only: None,
        destructive: None,
    };
    McpServerStatus {
        name: name.to_owned(),
        state,
        software: None,
        tools: tools.iter().map(tool).collect(),
        error: None,
    }
}

fn reported(source: McpSource, servers: Vec<McpServerStatus>) -> Event {
    session_event(SessionEvent::McpReported { source, servers })
}

/// A hub whose agent tells of its MCP servers and connects them again, or does neither.
fn hub_with_agent(speaks_of_mcp: bool) -> AgentHub {
    let mut hub = AgentHub::default();
    let Command::OpenSession {
        session,
        spec,
        mut setup,
    } = open(SESSION, SessionStart::New)
    else {
        unreachable!()
    };
    let transport = McpTransport::Http {
        url: "http://127.0.0.1:1/mcp".to_owned(),
        headers: BTreeMap::new(),
    };
    setup.mcp_servers = vec![McpServer {
        name: "unity-ops".to_owned(),
        transport,
    }];
    drop(hub.apply(
        Command::OpenSession {
            session,
            spec,
            setup,
        },
        NOW,
    ));
    let capabilities = AgentCapabilities {
        mcp_status: speaks_of_mcp,
        mcp_reconnect: speaks_of_mcp,
        mcp_set: speaks_of_mcp,
        mcp_http: true,
        load_session: true,
        ..AgentCapabilities::default()
    };
    drop(hub.handle(initialized(capabilities, Vec::new()), NOW));
    let opened = OpenedSession {
        id: Some("s1".into()),
        ..OpenedSession::default()
    };
    drop(hub.handle(session_event(SessionEvent::Opened(opened)), NOW));
    hub
}

fn card(hub: &AgentHub) -> McpReport {
    let blocks = session(hub).transcript().blocks().iter().rev();
    let mut cards = blocks.filter_map(|block| match &block.content {
        BlockContent::McpStatus(report) => Some(report.clone()),
        _ => None,
    });
    cards.next().expect("a card is shown")
}

fn notes(hub: &AgentHub) -> Vec<Note> {
    let blocks = session(hub).transcript().blocks().iter();
    blocks
        .filter_map(crate::core::transcript::Block::note)
        .cloned()
        .collect()
}

#[test]
fn the_command_is_echoed_answered_by_us_and_not_sent() {
    let mut hub = hub_with_agent(true);
    let effects = hub.apply(prompt("/mcp"), NOW);
    assert_eq!(prompts_sent(&effects), []);
    assert!(
        matches!(
            effects.as_slice(),
            [Effect::Send {
                message: AgentMessage::QueryMcp { .. },
                ..
            }]
        ),
        "{effects:?}"
    );
    assert_eq!(lines(&hub)[0], "user: /mcp");
    let report = card(&hub);
    assert_eq!(
        (report.source, report.servers.len()),
        (McpSource::NotReported, 1)
    );
    assert_eq!(report.servers[0].state, McpState::Unknown);
}

#[test]
fn without_a_session_there_is_a_note() {
    let mut hub = AgentHub::default();
    drop(hub.apply(open(SESSION, SessionStart::New), NOW));
    drop(hub.apply(prompt("/mcp"), NOW));
    assert_eq!(notes(&hub), [Note::NoMcpYet]);
}

#[test]
fn where_the_agent_does_not_report_we_ask_the_servers_ourselves() {
    let mut hub = hub_with_agent(false);
    let effects = hub.apply(prompt("/mcp"), NOW);
    assert!(
        matches!(effects.as_slice(), [Effect::ProbeMcp { servers, .. }] if servers.len() == 1),
        "{effects:?}"
    );
    drop(hub.handle(
        reported(
            McpSource::Probe,
            vec![row("unity-ops", McpState::Connected, &["uap_ping"])],
        ),
        NOW,
    ));
    assert_eq!(
        (card(&hub).source, card(&hub).servers[0].tools.len()),
        (McpSource::Probe, 1)
    );
}

#[test]
fn what_the_agent_says_goes_before_what_we_found_out() {
    let mut hub = hub_with_agent(true);
    drop(hub.apply(prompt("/mcp"), NOW));
    drop(hub.handle(
        reported(
            McpSource::Agent,
            vec![row("unity-ops", McpState::NeedsAuth, &[])],
        ),
        NOW,
    ));
    drop(hub.handle(
        reported(
            McpSource::Probe,
            vec![row("unity-ops", McpState::Connected, &[])],
        ),
        NOW,
    ));
    assert_eq!(card(&hub).servers[0].state, McpState::NeedsAuth);
}

#[test]
fn a_reconnection_rewrites_the_row_and_says_so() {
    let mut hub = hub_with_agent(true);
    drop(hub.apply(prompt("/mcp"), NOW));
    drop(hub.handle(
        reported(
            McpSource::Agent,
            vec![row("github", McpState::Pending, &[])],
        ),
        NOW,
    ));
    let command = Command::ReconnectMcp {
        session: SESSION,
        server: "github".to_owned(),
    };
    let effects = hub.apply(command.clone(), NOW);
    assert!(matches!(
        effects.as_slice(),
        [Effect::Send {
            message: AgentMessage::ReconnectMcp { .. },
            ..
        }]
    ));
    assert_eq!(hub.apply(command, NOW), [], "it runs already");
    let answer = |result| {
        session_event(SessionEvent::McpReconnected {
            server: "github".to_owned(),
            result,
        })
    };
    drop(hub.handle(answer(Ok(())), NOW));
    assert_eq!(card(&hub).servers[0].state, McpState::Connected);
    let server = "github".to_owned();
    assert_eq!(
        notes(&hub),
        [
            Note::McpReconnecting {
                server: server.clone()
            },
            Note::McpReconnected { server }
        ]
    );
}

#[test]
fn a_server_that_failed_is_connected_again_once_and_only_a_failure_is_said() {
    let mut hub = hub_with_agent(true);
    let failed = || reported(McpSource::Agent, vec![row("github", McpState::Failed, &[])]);
    let effects = hub.handle(failed(), NOW);
    assert!(matches!(
        effects.as_slice(),
        [Effect::Send {
            message: AgentMessage::ReconnectMcp { .. },
            ..
        }]
    ));
    assert_eq!(notes(&hub), []);
    let result = Err("spawn failed".to_owned());
    drop(hub.handle(
        session_event(SessionEvent::McpReconnected {
            server: "github".to_owned(),
            result,
        }),
        NOW,
    ));
    let message = "spawn failed".to_owned();
    assert_eq!(
        notes(&hub),
        [Note::McpReconnectFailed {
            server: "github".to_owned(),
            message
        }]
    );
    assert_eq!(hub.handle(failed(), NOW), []);
}

#[test]
fn an_agent_that_cannot_reconnect_is_started_again_with_its_session() {
    let mut hub = hub_with_agent(false);
    let effects = hub.apply(
        Command::ReconnectMcp {
            session: SESSION,
            server: "unity-ops".to_owned(),
        },
        NOW,
    );
    let started = effects.iter().find_map(|effect| match effect {
        Effect::StartAgent { setup, .. } => Some(setup.start.clone()),
        _ => None,
    });
    assert_eq!(started, Some(SessionStart::Load("s1".into())));
}

fn asked() -> Event {
    session_event(SessionEvent::QuestionAsked {
        request: RequestId::Number(5),
        tool_call: None,
        message: None,
        kind: QuestionKind::Url {
            url: "https://example.com".to_owned(),
        },
    })
}

#[test]
fn a_question_that_is_given_up_cancels_its_call() {
    let mut hub = hub_with_turn();
    drop(hub.handle(tool_call("q1", "Ask", None), NOW));
    let asked = session_event(SessionEvent::QuestionAsked {
        request: RequestId::Number(5),
        tool_call: Some(ToolCallId::from("q1")),
        message: None,
        kind: QuestionKind::Form(Vec::new()),
    });
    drop(hub.handle(asked, NOW));
    let give_up = Command::AnswerQuestion {
        session: SESSION,
        request: RequestId::Number(5),
        answer: QuestionAnswer::Cancelled,
    };
    drop(hub.apply(give_up, NOW));
    drop(hub.handle(status_update("q1", ToolCallStatus::Failed), NOW));
    assert_eq!(lines(&hub)[1], "tool q1: Ask Cancelled");
}

#[test]
fn a_forgotten_conversation_has_no_context_and_its_cost_stays() {
    let mut hub = hub_with_turn();
    let cost = |amount| Cost {
        amount,
        currency: "USD".to_owned(),
        span: CostSpan::Process,
    };
    let report = |used, amount| {
        session_event(SessionEvent::UsageReported(UsageReport {
            context_used: used,
            cost: Some(cost(amount)),
            ..UsageReport::default()
        }))
    };
    drop(hub.handle(report(Some(500), 2.0), NOW));
    drop(hub.handle(
        session_event(SessionEvent::ConversationReset("s2".into())),
        NOW,
    ));
    drop(hub.handle(report(None, 0.5), NOW));
    let usage = session(&hub).usage();
    assert_eq!(usage.context().used(), None);
    assert_eq!(usage.costs().get("USD"), Some(&2.5));
    assert_eq!(
        lines(&hub).last().map(String::as_str),
        Some("Note(Forgotten)")
    );
}

fn question_answers(effects: &[Effect]) -> Vec<QuestionAnswer> {
    let answer = |effect: &Effect| match effect {
        Effect::Send {
            message: AgentMessage::AnswerQuestion { answer, .. },
            ..
        } => Some(answer.clone()),
        _ => None,
    };
    effects.iter().filter_map(answer).collect()
}

#[test]
fn a_question_is_answered_once_and_cancelled_with_its_turn() {
    let mut hub = hub_with_turn();
    drop(hub.handle(asked(), NOW));
    assert_eq!(session(&hub).questions().len(), 1);
    let skip = Command::AnswerQuestion {
        session: SESSION,
        request: RequestId::Number(5),
        answer: QuestionAnswer::Skipped,
    };
    assert_eq!(
        question_answers(&hub.apply(skip.clone(), NOW)),
        [QuestionAnswer::Skipped]
    );
    assert_eq!(question_answers(&hub.apply(skip, NOW)), []);

    drop(hub.handle(asked(), NOW));
    let effects = hub.apply(Command::CancelTurn { session: SESSION }, NOW);
    assert_eq!(question_answers(&effects), [QuestionAnswer::Cancelled]);
    assert_eq!(
        question_answers(&hub.handle(asked(), NOW)),
        [QuestionAnswer::Cancelled]
    );
}
