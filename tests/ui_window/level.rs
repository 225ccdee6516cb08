//! How much runs unasked: the chip, its menu, and what becomes of the cards on screen.

use agent_panel::core::command::Command;
use agent_panel::core::controls::{Mode, Modes};
use agent_panel::core::effect::{AgentMessage, Effect};
use agent_panel::core::event::{OpenedSession, SessionEvent};
use agent_panel::core::ids::{BackendId, ModeId, RequestId, SessionKey};
use agent_panel::core::mcp::{McpServerStatus, McpSource, McpState};
use agent_panel::core::permission::{PermissionOptionKind, PermissionOutcome};
use agent_panel::core::policy::level::Level;
use agent_panel::core::policy::paths::PathFacts;
use agent_panel::core::tool_call::ToolCallPatch;
use agent_panel::ui::cx::UiAction;
use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use serde_json::json;

use super::world::{FOLDER, World, pass, window};
use super::{NARROW, TALL, WIDE, click, shows};

fn opened(size: [f32; 2]) -> Harness<'static, World> {
    let mut world = World::default();
    world.open("codex");
    window(world, size)
}

fn shown(window: &Harness<'_, World>) -> SessionKey {
    window.state().state.shown.expect("a session")
}

/// The level that the settings were changed to, for Codex in the folder.
fn stored(window: &mut Harness<'_, World>) -> Option<Level> {
    let actions = std::mem::take(&mut window.state_mut().actions);
    let [UiAction::ChangeSettings(settings)] = actions.as_slice() else {
        return None;
    };
    let codex = BackendId::from("codex");
    Some(settings.levels.level(&codex, FOLDER.as_ref()))
}

fn set(session: SessionKey, level: Level) -> Command {
    Command::SetLevel { session, level }
}

/// The agent asks for a tool of the editor's server, which it has, that changes nothing.
fn ask_for_ping(world: &mut World, session: SessionKey, request: i64) {
    let report = SessionEvent::McpReported {
        source: McpSource::Agent,
        servers: vec![McpServerStatus {
            name: "unity-ops".to_owned(),
            state: McpState::Connected,
            software: None,
            tools: Vec::new(),
            error: None,
        }],
    };
    world.session_event(session, report);
    let patch = ToolCallPatch {
        title: Some("uap_ping".to_owned()),
        raw_input: Some(json!({"server": "unity-ops", "tool": "uap_ping", "arguments": {}}).into()),
        ..ToolCallPatch::default()
    };
    let options = [
        ("A", "Allow", PermissionOptionKind::AllowOnce),
        ("B", "Reject", PermissionOptionKind::RejectOnce),
    ];
    world.ask_for(session, request, patch, &options);
}

#[test]
fn the_chip_is_always_there_and_a_small_step_needs_no_confirmation() {
    for size in [WIDE, NARROW] {
        let mut window = opened(size);
        let session = shown(&window);
        click(&mut window, "Runs without asking: Ask");
        assert!(shows(&window, "For Codex in harbor only"));
        click(&mut window, "Undoable");
        assert_eq!(
            window.state_mut().apply_commands(),
            [set(session, Level::Undoable)]
        );
        assert_eq!(stored(&mut window), Some(Level::Undoable));
        pass(&mut window, 10);
        assert!(shows(&window, "Runs without asking: Undoable"));
        assert!(!shows(&window, "For Codex in harbor only"));
    }
}

#[test]
fn raising_to_the_top_is_confirmed_in_place_and_lowering_is_not() {
    let mut window = opened(TALL);
    let session = shown(&window);
    for (chip, level, name) in [
        ("Runs without asking: Ask", Level::AllOps, "All ops"),
        ("Runs without asking: All ops", Level::AllTools, "All tools"),
    ] {
        click(&mut window, chip);
        click(&mut window, name);
        assert_eq!(window.state().commands, []);
        assert_eq!(stored(&mut window), None);
        click(&mut window, "Keep asking");
        assert_eq!(window.state().commands, []);
        click(&mut window, name);
        // The second half of a double click is no yes.
        click(&mut window, &format!("Raise to \u{201c}{name}\u{201d}"));
        assert_eq!(window.state().commands, []);
        pass(&mut window, 600);
        click(&mut window, &format!("Raise to \u{201c}{name}\u{201d}"));
        assert_eq!(window.state_mut().apply_commands(), [set(session, level)]);
        assert_eq!(stored(&mut window), Some(level));
        pass(&mut window, 10);
    }
    click(&mut window, "Runs without asking: All tools");
    click(&mut window, "All ops");
    assert_eq!(
        window.state_mut().apply_commands(),
        [set(session, Level::AllOps)]
    );
}

#[test]
fn a_raise_that_was_not_confirmed_is_forgotten_with_the_menu() {
    let mut window = opened(TALL);
    click(&mut window, "Runs without asking: Ask");
    click(&mut window, "All tools");
    window.key_press(Key::Escape);
    window.run_ok();
    click(&mut window, "Runs without asking: Ask");
    assert!(!shows(&window, "Keep asking"));
    assert_eq!(window.state().commands, []);
}

#[test]
fn the_menu_works_from_the_keyboard() {
    let mut window = opened(TALL);
    let session = shown(&window);
    window.get_by_label("Runs without asking: Ask").focus();
    window.run_ok();
    window.key_press(Key::Enter);
    window.run_ok();
    window.key_press(Key::Tab);
    window.run_ok();
    window.key_press(Key::Enter);
    window.run_ok();
    assert_eq!(
        window.state_mut().apply_commands(),
        [set(session, Level::ReadOnly)]
    );
    pass(&mut window, 10);
    assert!(
        window
            .get_by_label("Runs without asking: Read-only")
            .is_focused()
    );
}

#[test]
fn raising_the_level_answers_the_card_on_screen_and_all_sessions_of_the_folder_follow() {
    let mut world = World::default();
    let other = world.open("codex");
    let claude = world.open("claude-code");
    let session = world.open("codex");
    world.prompt(session, "is the editor there?");
    ask_for_ping(&mut world, session, 81);
    let mut window = window(world, TALL);
    pass(&mut window, 600);
    assert!(shows(&window, "uap_ping"));
    click(&mut window, "Runs without asking: Ask");
    click(&mut window, "Read-only");
    let world = window.state_mut();
    world.effects.clear();
    assert_eq!(
        world.apply_commands(),
        [set(other, Level::ReadOnly), set(session, Level::ReadOnly)]
    );
    let looked_up = world.effects.iter().any(
        |effect| matches!(effect, Effect::ResolvePaths { request, .. } if *request == RequestId::Number(81)),
    );
    assert!(looked_up, "{:?}", world.effects);
    let facts = SessionEvent::PathsResolved {
        request: RequestId::Number(81),
        facts: Box::new(PathFacts::default()),
    };
    world.session_event(session, facts);
    let answered = world.effects.iter().any(|effect| {
        matches!(
            effect,
            Effect::Send { message: AgentMessage::AnswerPermission { outcome: PermissionOutcome::Selected(option), .. }, .. }
                if option.as_str() == "A"
        )
    });
    assert!(answered, "{:?}", world.effects);
    let level = |key| world.hub.session(key).expect("the session").level();
    assert_eq!(level(claude), Level::Ask);
    pass(&mut window, 600);
    assert!(!shows(&window, "asks to"));
    assert!(shows(
        &window,
        "Allowed by the level \u{201c}Read-only\u{201d}"
    ));
}

#[test]
fn modes_in_which_the_agent_does_not_always_ask_are_marked() {
    let mode = |id: &str, name: &str| Mode {
        id: ModeId::from(id),
        name: name.to_owned(),
        description: None,
    };
    let mut world = World::default();
    let opened = OpenedSession {
        modes: Some(Modes {
            current: ModeId::from("read-only"),
            available: vec![mode("read-only", "Read only"), mode("agent", "Auto review")],
        }),
        ..OpenedSession::default()
    };
    world.open_with("codex", opened);
    let mut window = window(world, TALL);
    click(&mut window, "Mode: Read only");
    assert!(shows(&window, "Auto review, doesn\u{2019}t always ask"));
    assert!(!shows(&window, "Read only, doesn"));
}

#[test]
fn a_chosen_mode_holds_for_sessions_to_come_and_the_asking_one_is_not_kept() {
    let mode = |id: &str, name: &str| Mode {
        id: ModeId::from(id),
        name: name.to_owned(),
        description: None,
    };
    for (current, shown, chosen, kept) in [
        ("read-only", "Read only", "Auto review", Some("agent")),
        ("agent", "Auto review", "Read only", None),
    ] {
        let mut world = World::default();
        let folder = std::path::PathBuf::from(FOLDER);
        let before = Some(ModeId::from("agent")).filter(|_| kept.is_none());
        world
            .settings
            .modes
            .choose("codex".into(), folder.clone(), before);
        let opened = OpenedSession {
            modes: Some(Modes {
                current: ModeId::from(current),
                available: vec![mode("read-only", "Read only"), mode("agent", "Auto review")],
            }),
            ..OpenedSession::default()
        };
        let session = world.open_with("codex", opened);
        world.commands.clear();
        let mut window = window(world, TALL);
        click(&mut window, &format!("Mode: {shown}"));
        window.get_by_label_contains(chosen).click();
        window.run_ok();
        let sets = |command: &Command| matches!(command, Command::SetMode { session: of, .. } if *of == session);
        assert!(window.state().commands.iter().any(sets), "{chosen}");
        let settings = window
            .state()
            .actions
            .iter()
            .find_map(|action| match action {
                UiAction::ChangeSettings(settings) => Some(settings.modes.clone()),
                _ => None,
            });
        let settings = settings.expect("it is remembered");
        let mode = settings.mode(&"codex".into(), &folder);
        assert_eq!(mode.map(ToString::to_string).as_deref(), kept);
    }
}
