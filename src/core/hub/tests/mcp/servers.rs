//! Which MCP servers an agent is passed, and other ones while it runs.

use super::*;

fn other_servers() -> Vec<McpServer> {
    vec![McpServer {
        name: "files".to_owned(),
        transport: McpTransport::Stdio {
            command: "npx".to_owned(),
            args: Vec::new(),
            env: BTreeMap::new(),
        },
    }]
}

fn set_servers(hub: &mut AgentHub, servers: Vec<McpServer>) -> Vec<Effect> {
    hub.apply(
        Command::SetMcpServers {
            session: SESSION,
            servers,
        },
        NOW,
    )
}

#[test]
fn other_servers_are_passed_at_once_where_the_agent_takes_them() {
    let mut hub = hub_with_agent(true);
    let effects = set_servers(&mut hub, other_servers());
    let [
        Effect::Send {
            message:
                AgentMessage::SetMcpServers {
                    servers, removed, ..
                },
            ..
        },
    ] = effects.as_slice()
    else {
        panic!("a message with the servers, not {effects:?}");
    };
    assert_eq!(*servers, other_servers());
    // What the process was started with has to be named once to be taken away.
    assert_eq!(*removed, ["unity-ops"]);
    assert_eq!(set_servers(&mut hub, other_servers()), []);
    assert_eq!(notes(&hub), []);
    assert!(!session(&hub).awaits_mcp_servers());
    let effects = set_servers(&mut hub, Vec::new());
    assert!(
        matches!(
            effects.as_slice(),
            [Effect::Send {
                message: AgentMessage::SetMcpServers { removed, .. },
                ..
            }] if removed.is_empty()
        ),
        "{effects:?}"
    );
}

#[test]
fn other_servers_wait_for_a_restart_where_the_agent_takes_none() {
    let mut hub = hub_with_agent(false);
    assert_eq!(set_servers(&mut hub, other_servers()), []);
    assert_eq!(set_servers(&mut hub, Vec::new()), []);
    assert_eq!(set_servers(&mut hub, other_servers()), []);
    assert_eq!(notes(&hub), [Note::McpServersChanged]);
    assert!(session(&hub).awaits_mcp_servers());
    // What the agent has is what it was passed.
    drop(hub.apply(Command::ShowMcp { session: SESSION }, NOW));
    let names = |hub: &AgentHub| {
        let servers = card(hub).servers.into_iter();
        servers.map(|server| server.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&hub), ["unity-ops"]);
    let effects = hub.apply(Command::Restart { session: SESSION }, NOW);
    let started = effects.iter().find_map(|effect| match effect {
        Effect::StartAgent { setup, .. } => Some(setup.mcp_servers.clone()),
        _ => None,
    });
    assert_eq!(started, Some(other_servers()));
    assert!(!session(&hub).awaits_mcp_servers());
}

#[test]
fn a_server_that_the_agent_can_not_reach_is_told_and_not_passed() {
    let mut hub = AgentHub::default();
    let Command::OpenSession {
        session: key,
        spec,
        mut setup,
    } = open(SESSION, SessionStart::New)
    else {
        unreachable!()
    };
    setup.mcp_servers = other_servers();
    setup.mcp_servers.push(McpServer {
        name: "web".to_owned(),
        transport: McpTransport::Http {
            url: "https://example.com".to_owned(),
            headers: BTreeMap::new(),
        },
    });
    drop(hub.apply(
        Command::OpenSession {
            session: key,
            spec,
            setup,
        },
        NOW,
    ));
    let can = AgentCapabilities::default();
    let effects = hub.handle(initialized(can, Vec::new()), NOW);
    let passed = effects.iter().find_map(|effect| match effect {
        Effect::Send {
            message: AgentMessage::NewSession { mcp_servers, .. },
            ..
        } => Some(mcp_servers.clone()),
        _ => None,
    });
    assert_eq!(passed, Some(other_servers()));
    // A note before the history of a session would hide it.
    assert_eq!(notes(&hub), []);
    let opened = OpenedSession {
        id: Some("s1".into()),
        ..OpenedSession::default()
    };
    drop(hub.handle(session_event(SessionEvent::Opened(opened)), NOW));
    let server = "web".to_owned();
    assert_eq!(notes(&hub), [Note::McpNotPassed { server }]);
}

#[test]
fn our_own_question_adds_tools_to_what_the_agent_tells_and_leaves_its_states() {
    let mut hub = hub_with_agent(false);
    let failed = row("unity-ops", McpState::Failed, &[]);
    drop(hub.handle(reported(McpSource::Agent, vec![failed.clone()]), NOW));
    let effects = hub.apply(Command::ShowMcp { session: SESSION }, NOW);
    assert!(
        matches!(effects.as_slice(), [Effect::ProbeMcp { servers, .. }] if servers.len() == 1),
        "{effects:?}"
    );
    let probed = row("unity-ops", McpState::Connected, &["ping"]);
    let other = row("elsewhere", McpState::Connected, &["x"]);
    drop(hub.handle(reported(McpSource::Probe, vec![probed, other]), NOW));
    let report = card(&hub);
    assert_eq!(report.source, McpSource::Agent);
    let expected = McpServerStatus {
        state: McpState::Failed,
        ..row("unity-ops", McpState::Connected, &["ping"])
    };
    assert_eq!(report.servers, [expected]);
    let effects = hub.apply(Command::ShowMcp { session: SESSION }, NOW);
    assert_eq!(effects, []);
}

#[test]
fn a_report_of_names_alone_keeps_what_is_known_of_the_tools() {
    let mut hub = hub_with_agent(true);
    let mut known = row("unity-ops", McpState::Connected, &["ping", "gone"]);
    known.tools[0].description = Some("Answers".to_owned());
    known.tools[0].read_only = Some(true);
    drop(hub.handle(reported(McpSource::Agent, vec![known.clone()]), NOW));
    let named = row("unity-ops", McpState::Connected, &["ping", "new"]);
    drop(hub.handle(reported(McpSource::Agent, vec![named]), NOW));
    let report = session(&hub).mcp().cloned();
    let tools = report.map(|report| report.servers[0].tools.clone());
    let expected = vec![
        known.tools[0].clone(),
        row("", McpState::Connected, &["new"]).tools[0].clone(),
    ];
    assert_eq!(tools, Some(expected));
}
