//! The card that answers `/mcp`: states, tools, reconnection, sign-in, and its text.

use std::collections::BTreeMap;

use agent_panel::core::backend::{AgentCapabilities, AgentInfo};
use agent_panel::core::command::Command;
use agent_panel::core::event::{ConnectionEvent, Event, SessionEvent};
use agent_panel::core::ids::SessionKey;
use agent_panel::core::mcp::McpSource;
use agent_panel::core::transcript::BlockContent;
use agent_panel::i18n::{I18n, Language};
use agent_panel::ui::cx::UiAction;
use agent_panel::ui::theme::Theme;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::cards::{mcp_page, report_mcp, servers};
use super::world::World;
use super::{NARROW, WIDE, shows};

/// A session whose agent connects servers again, or can't; with a card on its page.
fn with_card(can_reconnect: bool) -> (World, SessionKey) {
    let mut world = World::default();
    let session = world.start("claude-code");
    let connection = world.connection(session);
    let event = ConnectionEvent::Initialized {
        agent: AgentInfo::default(),
        capabilities: AgentCapabilities {
            mcp_status: can_reconnect,
            mcp_reconnect: can_reconnect,
            ..AgentCapabilities::default()
        },
        auth_methods: Vec::new(),
    };
    world.handle(Event::Connection { connection, event });
    let opened = agent_panel::core::event::OpenedSession {
        id: Some("s1".into()),
        ..agent_panel::core::event::OpenedSession::default()
    };
    world.session_event(session, SessionEvent::Opened(opened));
    world.apply(Command::ShowMcp { session });
    report_mcp(&mut world, session, McpSource::Agent, servers());
    (world, session)
}

fn page(world: World) -> Harness<'static, World> {
    mcp_page(Harness::builder(), world, WIDE)
}

fn click(page: &mut Harness<'_, World>, label: &str) {
    page.get_by_label(label).click();
    page.run_ok();
}

fn is_enabled(page: &Harness<'_, World>, label: &str) -> bool {
    !page.get_by_label(label).accesskit_node().is_disabled()
}

#[test]
fn each_server_has_its_state_in_words() {
    let page = page(with_card(true).0);
    for label in [
        "5 MCP servers · 1 connected · 1 failed · 3 other",
        "Reported by Claude Code",
        "unity-ops, connected, 3 tools",
        "files, failed",
        "spawn npx ENOENT",
        "issues, needs sign-in",
        "slow, pending",
        "odd, warming-up",
    ] {
        assert!(page.query_by_label(label).is_some(), "{label}");
    }
}

#[test]
fn tools_are_shown_when_asked_for_and_stay_so() {
    let (world, session) = with_card(true);
    let mut page = page(world);
    assert!(page.query_by_label("list_scenes").is_none());
    click(&mut page, "unity-ops, connected, 3 tools");
    for label in ["list_scenes", "read-only", "delete_object", "destructive"] {
        assert!(page.query_by_label(label).is_some(), "{label}");
    }
    assert!(shows(&page, "What move_object does"));
    // The card is written anew, and stays as the person left it.
    report_mcp(page.state_mut(), session, McpSource::Agent, servers());
    page.run_ok();
    assert!(page.query_by_label("list_scenes").is_some());
    click(&mut page, "unity-ops, connected, 3 tools");
    assert!(page.query_by_label("list_scenes").is_none());
}

#[test]
fn a_reconnection_goes_out_and_comes_back() {
    let (world, session) = with_card(true);
    let mut page = page(world);
    click(&mut page, "Reconnect unity-ops");
    let server = "unity-ops".to_owned();
    let command = Command::ReconnectMcp { session, server };
    assert_eq!(page.state_mut().apply_commands(), [command]);
    page.run_ok();
    assert!(!is_enabled(&page, "Reconnect unity-ops"));
    let event = SessionEvent::McpReconnected {
        server: "unity-ops".to_owned(),
        result: Err("closed".to_owned()),
    };
    page.state_mut().session_event(session, event);
    page.run_ok();
    assert!(is_enabled(&page, "Reconnect unity-ops"));
    assert!(page.query_by_label("unity-ops, failed, 3 tools").is_some());
    assert!(page.query_by_label("closed").is_some());
}

/// The hub connects a server again once by itself.
#[test]
fn a_reconnection_that_runs_is_not_asked_for_again() {
    let page = page(with_card(true).0);
    assert!(!is_enabled(&page, "Reconnect files"));
    assert!(is_enabled(&page, "Reconnect issues"));
}

#[test]
fn nothing_is_reconnected_during_a_turn_or_without_an_agent() {
    let (mut world, session) = with_card(true);
    world.prompt(session, "go");
    let mut page = page(world);
    assert!(!is_enabled(&page, "Reconnect unity-ops"));
    page.state_mut().end_turn(session, 1);
    page.run_ok();
    assert!(is_enabled(&page, "Reconnect unity-ops"));
    let connection = page.state().connection(session);
    let event = ConnectionEvent::Exited {
        exit: agent_panel::core::notice::ExitStatus::Code(0),
        output_closed_first: false,
        stderr_tail: Vec::new(),
    };
    page.state_mut()
        .handle(Event::Connection { connection, event });
    page.run_ok();
    assert!(!is_enabled(&page, "Reconnect unity-ops"));
}

#[test]
fn an_agent_that_cant_reconnect_is_started_again_with_one_click() {
    let (world, session) = with_card(false);
    let mut page = page(world);
    assert!(page.query_by_label("Reconnect files").is_none());
    click(&mut page, "Restart the session to reconnect");
    let server = "files".to_owned();
    assert_eq!(
        page.state().commands,
        [Command::ReconnectMcp { session, server }]
    );
}

#[test]
fn an_earlier_card_is_history() {
    let (mut world, session) = with_card(true);
    world.now = world.now.plus_millis(1_000);
    world.apply(Command::ShowMcp { session });
    report_mcp(&mut world, session, McpSource::Agent, servers());
    let page = page(world);
    assert_eq!(page.get_all_by_label("files, failed").count(), 2);
    assert_eq!(page.get_all_by_label("Reconnect files").count(), 1);
}

#[test]
fn a_server_that_wants_a_sign_in_leads_to_a_terminal() {
    let (world, session) = with_card(true);
    let mut page = page(world);
    click(&mut page, "Open terminal to sign in to issues");
    let expected = UiAction::OpenTerminal {
        program: "claude".to_owned(),
        args: Vec::new(),
        env: BTreeMap::new(),
        servers_of: Some(session),
    };
    assert_eq!(page.state().actions, [expected]);
}

#[test]
fn the_card_can_be_copied_as_text() {
    let mut page = page(with_card(true).0);
    click(&mut page, "Copy as text");
    let actions = page.state().actions.clone();
    let [UiAction::CopyText(text)] = actions.as_slice() else {
        panic!("{actions:?}");
    };
    assert!(text.starts_with("5 MCP servers · 1 connected"), "{text}");
    assert!(text.contains("- issues: needs sign-in"), "{text}");
}

#[test]
fn who_told_is_said_and_no_servers_are_no_reproach() {
    let mut world = World::default();
    let session = world.open("codex");
    world.apply(Command::ShowMcp { session });
    let blocks = |world: &World| {
        let session = world.hub.session(session).expect("the session");
        let blocks = session.transcript().blocks().iter();
        let cards = blocks.filter(|block| matches!(block.content, BlockContent::McpStatus(_)));
        cards.count()
    };
    assert_eq!(blocks(&world), 1);
    let page = page(world);
    assert!(page.query_by_label("No MCP servers").is_some());
    assert!(shows(&page, "Passed to Codex, which does not report"));
    assert!(
        page.query_by_label("Restart the session to reconnect")
            .is_none()
    );
}

#[test]
fn japanese_needs_no_glyph_that_is_not_there() {
    for (size, text_size) in [(WIDE, 14), (NARROW, 14), (WIDE, 24)] {
        for can_reconnect in [true, false] {
            let (mut world, _) = with_card(can_reconnect);
            world.i18n = I18n::new(Language::Japanese);
            world.theme = Theme::light(text_size);
            let mut page = mcp_page(Harness::builder(), world, size);
            click(&mut page, "unity-ops, 接続済み, ツール 3 個");
        }
    }
}
