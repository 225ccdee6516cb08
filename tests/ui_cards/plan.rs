//! The plan card, refusals with words, and options without names.

use agent_panel::core::backend::{AgentCapabilities, AgentInfo};
use agent_panel::core::command::Command;
use agent_panel::core::event::{ConnectionEvent, Event, SessionEvent};
use agent_panel::core::ids::{RequestId, SessionKey};
use agent_panel::core::permission::{PermissionOption, PermissionOptionKind};
use agent_panel::core::tool_call::{ToolCallPatch, ToolKind};
use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::cards::{PLAN, ask_for_command, ask_for_plan};
use super::world::{World, pass};
use super::{click, composed, in_frames, press, settled, shows, type_text};

fn world() -> (World, SessionKey) {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "go");
    (world, session)
}

pub(super) fn asking() -> World {
    let (mut world, session) = world();
    ask_for_plan(&mut world, session, 5, PLAN);
    world
}

fn asking_for_command() -> World {
    let (mut world, session) = world();
    ask_for_command(&mut world, session, 5);
    world
}

fn answer(window: &Harness<'_, World>, option: &str, message: Option<&str>) -> Command {
    Command::AnswerPermission {
        session: window.state().state.shown.expect("a session"),
        request: RequestId::Number(5),
        option: option.into(),
        message: message.map(str::to_owned),
    }
}

#[test]
fn a_plan_is_shown_whole_as_markdown() {
    let window = settled(asking());
    assert!(shows(&window, "Claude Code proposes a plan"));
    assert!(shows(&window, "Split the parser"));
    assert!(shows(&window, "What stays as it is"));
    assert!(shows(&window, "Nothing outside of the folder is touched."));
    assert!(!shows(&window, "## What"));
    assert!(!shows(&window, "Show details"), "there is nothing else");
}

#[test]
fn a_plan_has_the_agents_own_answers() {
    let mut window = settled(asking());
    click(&mut window, "Yes, implement this plan");
    assert_eq!(window.state().commands, [answer(&window, "go", None)]);
}

#[test]
fn a_plan_is_sent_back_with_words() {
    let mut window = settled(asking());
    click(&mut window, "Reject and say what to change…");
    let send = window.get_by_label("Reject and send this");
    assert!(send.accesskit_node().is_disabled());
    type_text(&mut window, "Keep the tokens");
    press(&mut window, Key::Enter);
    let expected = answer(&window, "no", Some("Keep the tokens"));
    assert_eq!(window.state().commands, [expected]);
}

#[test]
fn a_plan_whose_answers_have_no_names_is_carried_out_or_not() {
    let (mut world, session) = world();
    let option = |id: &str, kind| PermissionOption {
        id: id.into(),
        name: String::new(),
        kind,
        scope: None,
    };
    let patch = ToolCallPatch {
        title: Some("ExitPlanMode".to_owned()),
        name: Some("ExitPlanMode".to_owned()),
        kind: Some(ToolKind::SwitchMode),
        raw_input: Some(serde_json::json!({"plan": PLAN}).into()),
        ..ToolCallPatch::default()
    };
    let event = SessionEvent::PermissionRequested {
        request: RequestId::Number(5),
        tool_call: "p".into(),
        patch: Box::new(patch),
        options: vec![
            option("go", PermissionOptionKind::AllowOnce),
            option("no", PermissionOptionKind::RejectOnce),
        ],
    };
    world.session_event(session, event);
    let mut window = settled(world);
    assert!(window.query_by_label("ExitPlanMode").is_none(), "the title");
    assert!(window.query_by_label("Carry out the plan").is_some());
    click(&mut window, "Keep planning");
    assert_eq!(window.state().commands, [answer(&window, "no", None)]);
}

#[test]
fn options_without_names_are_named_by_their_kind_and_scope() {
    let window = settled(asking_for_command());
    for label in ["Allow once", "Always allow Bash(npm test:*)", "Reject"] {
        assert!(window.query_by_label(label).is_some(), "{label}");
    }
}

#[test]
fn a_command_is_denied_with_a_reason() {
    let mut window = settled(asking_for_command());
    assert!(
        window
            .query_by_label("Say why, or what to do instead")
            .is_none()
    );
    click(&mut window, "Deny and say why…");
    type_text(&mut window, "Use cargo");
    click(&mut window, "Deny with this reason");
    let expected = answer(&window, "deny", Some("Use cargo"));
    assert_eq!(window.state_mut().apply_commands(), [expected]);
    pass(&mut window, 600);
    assert!(window.state().state.cards.reasons.is_empty());
}

#[test]
fn an_agent_that_takes_no_words_gets_them_as_a_message() {
    let hint = "This agent takes no words with an answer";
    let mut window = settled(asking_for_command());
    click(&mut window, "Deny and say why…");
    assert!(shows(&window, hint));

    let (mut world, session) = world();
    let connection = world.connection(session);
    let event = ConnectionEvent::Initialized {
        agent: AgentInfo::default(),
        capabilities: AgentCapabilities {
            reject_message: true,
            ..AgentCapabilities::default()
        },
        auth_methods: Vec::new(),
    };
    world.handle(Event::Connection { connection, event });
    ask_for_command(&mut world, session, 5);
    let mut window = settled(world);
    click(&mut window, "Deny and say why…");
    assert!(!shows(&window, hint));
}

#[test]
fn escape_closes_the_field_keeps_the_text_and_stops_nothing() {
    let mut window = settled(asking_for_command());
    click(&mut window, "Deny and say why…");
    type_text(&mut window, "Use cargo");
    press(&mut window, Key::Escape);
    pass(&mut window, 600);
    assert!(window.query_by_label("Deny with this reason").is_none());
    assert_eq!(window.state().commands, []);
    click(&mut window, "Deny and say why…");
    let field = window.get_by_label("Say why, or what to do instead");
    assert_eq!(field.value().as_deref(), Some("Use cargo"));
}

#[test]
fn the_enter_that_confirms_a_conversion_denies_nothing() {
    for frames in composed() {
        let mut window = settled(asking_for_command());
        click(&mut window, "Deny and say why…");
        in_frames(&mut window, frames);
        assert_eq!(window.state().commands, []);
        press(&mut window, Key::Enter);
        let expected = answer(&window, "deny", Some("今日"));
        assert_eq!(window.state().commands, [expected]);
    }
}
