//! Case O-03: an answer is never an accident.

use agent_panel::core::command::Command;
use agent_panel::core::ids::{RequestId, SessionKey};
use agent_panel::core::permission::PermissionOptionKind;
use agent_panel::core::time::Timestamp;
use agent_panel::core::tool_call::{ToolCallPatch, ToolKind};
use agent_panel::ui::cx::UiAction;
use agent_panel::ui::panels::composer::field_id;
use egui::{Event, Key, Modifiers, PointerButton, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::world::{World, in_one_frame, pass, window};
use super::{TALL, WIDE, click, shows};

fn shown(world: &World) -> SessionKey {
    world.state.shown.expect("a session")
}

/// Two requests that name one call, while a draft is being typed.
pub(super) fn asking() -> World {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "tidy up");
    world.state.draft().text.push_str("please also check the ");
    world.state.focus_composer = true;
    world.ask(session, 71, "Write notes.md");
    world.ask(session, 72, "Write todo.md");
    world
}

fn answer(session: SessionKey, request: i64, option: &str) -> Command {
    Command::AnswerPermission {
        session,
        request: RequestId::Number(request),
        option: option.into(),
        message: None,
    }
}

/// A window in which the first request has stood long enough.
fn settled(world: World) -> Harness<'static, World> {
    let mut window = window(world, WIDE);
    pass(&mut window, 600);
    window
}

fn press(window: &mut Harness<'_, World>, at: Pos2, pressed: bool) {
    let event = Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    in_one_frame(window, vec![Event::PointerMoved(at), event]);
}

fn middle(window: &Harness<'_, World>, label: &str) -> Pos2 {
    window.get_by_label(label).rect().center()
}

#[test]
fn what_is_typed_goes_to_the_draft_and_answers_nothing() {
    let mut window = settled(asking());
    let session = shown(window.state());
    let focus = |window: &Harness<'_, World>| window.ctx.memory(egui::Memory::focused);
    assert_eq!(focus(&window), Some(field_id(session)));
    for text in [" ", "1", " ", "2", " ", "y"] {
        window.event(Event::Text(text.to_owned()));
    }
    for key in [Key::Num1, Key::Num2, Key::Y, Key::Space] {
        window.key_press(key);
    }
    window.run_ok();
    assert_eq!(
        window.state_mut().state.draft().text,
        "please also check the  1 2 y"
    );
    assert_eq!(window.state().commands, []);
    assert_eq!(focus(&window), Some(field_id(session)));

    window.key_press(Key::Enter);
    window.run_ok();
    let commands = window.state_mut().apply_commands();
    assert!(matches!(commands.as_slice(), [Command::Prompt { .. }]));
    assert_eq!(
        window
            .state()
            .hub
            .session(session)
            .map(|s| s.permission_requests().len()),
        Some(2)
    );
}

#[test]
fn requests_are_answered_in_any_order_and_each_by_its_own_id() {
    let mut window = settled(asking());
    let session = shown(window.state());
    assert!(shows(&window, "Write notes.md"));
    click(&mut window, "1 more waiting");
    click(&mut window, "Write todo.md");
    pass(&mut window, 600);
    click(&mut window, "Allow");
    assert_eq!(
        window.state_mut().apply_commands(),
        [answer(session, 72, "A")]
    );
    pass(&mut window, 600);
    assert!(shows(&window, "Write notes.md"));
    assert!(!shows(&window, "more waiting"));
    click(&mut window, "Reject");
    assert_eq!(
        window.state_mut().apply_commands(),
        [answer(session, 71, "B")]
    );
    pass(&mut window, 600);
    assert!(!shows(&window, "asks to"));
}

#[test]
fn a_click_on_a_card_that_has_just_appeared_answers_nothing() {
    let mut window = window(asking(), WIDE);
    click(&mut window, "Allow");
    assert_eq!(window.state().commands, []);
    pass(&mut window, 499);
    click(&mut window, "Allow");
    assert_eq!(window.state().commands, []);
    pass(&mut window, 1);
    click(&mut window, "Allow");
    assert_eq!(window.state().commands.len(), 1);
}

#[test]
fn a_press_during_the_guard_is_no_answer_when_it_is_released_later() {
    let mut window = window(asking(), WIDE);
    let at = middle(&window, "Allow");
    press(&mut window, at, true);
    pass(&mut window, 600);
    press(&mut window, at, false);
    assert_eq!(window.state().commands, []);
}

#[test]
fn a_press_elsewhere_is_no_answer_when_it_is_released_on_an_option() {
    let mut window = settled(asking());
    let reject = middle(&window, "Reject");
    press(&mut window, reject, true);
    let allow = middle(&window, "Allow");
    press(&mut window, allow, false);
    assert_eq!(window.state().commands, []);
}

#[test]
fn a_card_that_moves_is_guarded_again() {
    let mut window = settled(asking());
    window.event(Event::Paste("a\nb\nc\nd".to_owned()));
    window.run_ok();
    click(&mut window, "Allow");
    assert_eq!(window.state().commands, []);
    pass(&mut window, 600);
    click(&mut window, "Allow");
    assert_eq!(window.state().commands.len(), 1);
}

#[test]
fn a_request_that_the_agent_changes_is_guarded_again_and_says_so() {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "tidy up");
    world.ask(session, 71, "Write notes.md");
    let mut window = settled(world);
    let patch = ToolCallPatch {
        title: Some("Write passwd".to_owned()),
        ..ToolCallPatch::default()
    };
    window.state_mut().session_event(
        session,
        agent_panel::core::event::SessionEvent::ToolCallPatched {
            id: "w1".into(),
            patch: Box::new(patch),
        },
    );
    window.run_ok();
    click(&mut window, "Allow");
    assert_eq!(window.state().commands, []);
    assert!(shows(&window, "Write passwd"));
    assert!(shows(&window, "The agent changed this request"));
}

#[test]
fn another_request_in_its_place_takes_no_click_that_was_meant_for_the_first() {
    let mut window = settled(asking());
    let at = middle(&window, "Allow");
    press(&mut window, at, true);
    let session = shown(window.state());
    window.state_mut().apply(answer(session, 71, "B"));
    press(&mut window, at, false);
    assert_eq!(window.state().commands, []);
}

#[test]
fn the_click_that_activates_the_window_is_no_answer() {
    let mut window = settled(asking());
    window.input_mut().focused = false;
    in_one_frame(&mut window, vec![Event::WindowFocused(false)]);
    pass(&mut window, 60_000);
    let at = middle(&window, "Allow");
    window.input_mut().focused = true;
    in_one_frame(&mut window, vec![Event::WindowFocused(true)]);
    press(&mut window, at, true);
    press(&mut window, at, false);
    assert_eq!(window.state().commands, []);
    pass(&mut window, 400);
    click(&mut window, "Allow");
    assert_eq!(window.state().commands.len(), 1);
}

#[test]
fn numbers_answer_only_a_card_that_has_the_keyboard_on_purpose() {
    let mut window = settled(asking());
    let session = shown(window.state());
    window.key_press(Key::F6);
    window.run_ok();
    window.key_press(Key::Num2);
    window.run_ok();
    assert_eq!(
        window.state_mut().apply_commands(),
        [answer(session, 71, "B")]
    );
    // The next card has to be chosen again, and what is typed goes to the draft.
    pass(&mut window, 600);
    window.key_press(Key::Num1);
    window.event(Event::Text("1".to_owned()));
    window.run_ok();
    assert_eq!(window.state().commands, []);
    assert!(window.state_mut().state.draft().text.ends_with('1'));
}

#[test]
fn a_number_during_the_guard_answers_nothing() {
    let mut window = window(asking(), WIDE);
    window.key_press(Key::F6);
    window.run_ok();
    window.key_press(Key::Num1);
    window.run_ok();
    assert_eq!(window.state().commands, []);
}

#[test]
fn tab_from_the_composer_does_not_reach_an_option() {
    let mut window = settled(asking());
    window.key_press(Key::Tab);
    window.run_ok();
    window.key_press(Key::Enter);
    window.run_ok();
    let answers = |command: &Command| matches!(command, Command::AnswerPermission { .. });
    assert!(!window.state().commands.iter().any(answers));
}

#[test]
fn an_option_reached_with_tab_is_chosen_with_space() {
    let mut window = settled(asking());
    let session = shown(window.state());
    window.get_by_label("Reject").focus();
    window.run_ok();
    window.key_press(Key::Space);
    window.run_ok();
    assert_eq!(window.state().commands, [answer(session, 71, "B")]);
}

#[test]
fn a_request_of_another_session_takes_no_keys_and_is_reached_by_a_click() {
    let mut world = World::default();
    let first = world.open("claude-code");
    world.prompt(first, "tidy the harbor");
    let second = world.open("codex");
    world.state.focus_composer = true;
    world.ask(first, 5, "Write notes.md");
    let mut window = window(world, WIDE);
    pass(&mut window, 600);
    window.event(Event::Text("1".to_owned()));
    window.key_press(Key::Num1);
    window.run_ok();
    assert_eq!(window.state().commands, []);
    assert_eq!(window.state_mut().state.draft().text, "1");
    let focused = window.ctx.memory(egui::Memory::focused);
    assert_eq!(focused, Some(field_id(second)));
    click(
        &mut window,
        "Claude Code waits for you in “tidy the harbor”",
    );
    assert_eq!(window.state().actions, [UiAction::ShowSession(first)]);
}

#[test]
fn the_composer_does_not_move_when_a_card_appears() {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "tidy up");
    let mut window = window(world, WIDE);
    let before = window.get_by_label("Message").rect();
    window.state_mut().ask(session, 1, "Write notes.md");
    window.step();
    assert_eq!(window.get_by_label("Message").rect(), before);
}

#[test]
fn hidden_characters_of_a_command_are_written_out() {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "tidy up");
    let patch = ToolCallPatch {
        title: Some("ls".to_owned()),
        kind: Some(ToolKind::Execute),
        raw_input: Some(serde_json::json!({"command": "ls \u{202E}; rm -rf ~\u{200B}"}).into()),
        ..ToolCallPatch::default()
    };
    let options = [
        ("x", "", PermissionOptionKind::AllowAlways),
        ("y", "", PermissionOptionKind::Unknown),
    ];
    world.ask_for(session, 1, patch, &options);
    let mut window = window(world, WIDE);
    pass(&mut window, 600);
    assert!(shows(&window, "ls <U+202E>; rm -rf ~<U+200B>"));
    // Options without words get ours.
    assert!(shows(&window, "Always allow"));
    assert!(shows(&window, "Answer “y”"));
}

#[test]
fn a_long_command_is_cut_in_the_middle_and_shown_whole_on_request() {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "tidy up");
    let command = format!("begin {} end", "x".repeat(3_000));
    let patch = ToolCallPatch {
        kind: Some(ToolKind::Execute),
        raw_input: Some(serde_json::json!({ "command": command }).into()),
        ..ToolCallPatch::default()
    };
    let options = [("x", "Allow", PermissionOptionKind::AllowOnce)];
    world.ask_for(session, 1, patch, &options);
    let mut window = window(world, TALL);
    assert!(!shows(&window, &command));
    click(&mut window, "Show all 3,010 characters");
    assert!(shows(&window, &command));
}

#[test]
fn escape_stops_the_turn_and_does_not_answer() {
    let mut window = settled(asking());
    let session = shown(window.state());
    window.key_press(Key::Escape);
    window.run_ok();
    assert_eq!(window.state().commands, [Command::CancelTurn { session }]);
}

#[test]
fn a_card_of_an_agent_that_is_gone_is_gone() {
    let mut world = asking();
    world.now = Timestamp(200_000);
    let session = shown(&world);
    let connection = world.connection(session);
    world.handle(agent_panel::core::event::Event::Connection {
        connection,
        event: agent_panel::core::event::ConnectionEvent::Exited {
            exit: agent_panel::core::notice::ExitStatus::Code(3),
            output_closed_first: false,
            stderr_tail: vec!["fatal: out of cheese".to_owned()],
        },
    });
    let window = window(world, WIDE);
    assert!(!shows(&window, "asks to"));
}
