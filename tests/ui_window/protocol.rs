//! The view of the wire: what it shows, how it is searched, and the ways out of it.

use agent_panel::core::frame_log::{Direction, FrameLog};
use agent_panel::core::ids::ConnectionId;
use agent_panel::core::time::Timestamp;
use agent_panel::ui::cx::UiAction;
use agent_panel::ui::state::protocol::{ProtocolView, Scope};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::world::{World, window};
use super::{NARROW, WIDE, click, shows};

const FRAMES: [(Direction, &str); 4] = [
    (
        Direction::Sent,
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"token":"hidden"}}"#,
    ),
    (
        Direction::Received,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"not today"}}"#,
    ),
    (
        Direction::Received,
        r#"{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"plan"}}}"#,
    ),
    (Direction::Received, "INFO booted"),
];

fn opened(scope: Scope) -> World {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "hello");
    let mut log = FrameLog::default();
    for (direction, text) in FRAMES {
        log.push(Timestamp(0), ConnectionId(1), direction, text);
    }
    let mut view = ProtocolView::new(scope, 0);
    view.take_in(log.since(0).cloned());
    world.state.protocol = Some(view);
    world
}

fn exported(window: &Harness<'_, World>) -> String {
    let actions = window.state().actions.iter();
    let mut texts = actions.filter_map(|action| match action {
        UiAction::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    texts.next_back().expect("something was copied")
}

#[test]
fn each_frame_is_named_with_its_direction() {
    for size in [WIDE, NARROW] {
        let window = window(opened(Scope::All), size);
        assert!(shows(&window, "Sent: initialize #1, "));
        assert!(shows(&window, "Received: error for #1, "));
        assert!(shows(&window, "Received: session/update · plan, "));
        assert!(shows(&window, "Received: not a message, "));
        assert!(shows(&window, "4 of 4"));
    }
}

#[test]
fn a_frame_is_shown_whole_and_without_secrets() {
    let mut window = window(opened(Scope::All), WIDE);
    click_containing(&mut window, "Sent: initialize");
    click(&mut window, "Copy this frame");
    let frame = exported(&window);
    assert!(frame.contains("\"method\": \"initialize\""), "{frame}");
    assert!(
        frame.contains("[redacted]") && !frame.contains("hidden"),
        "{frame}"
    );
    click(&mut window, "Hide this frame");
    assert!(!shows(&window, "Copy this frame"));
}

#[test]
fn the_filter_and_the_direction_narrow_what_is_copied() {
    let mut window = window(opened(Scope::All), WIDE);
    click(&mut window, "Received");
    assert!(shows(&window, "3 of 4"));
    window.get_by_label("Filter").focus();
    window.run_ok();
    window.get_by_label("Filter").type_text("PLAN");
    window.run_ok();
    assert!(shows(&window, "1 of 4"));
    click(&mut window, "Copy what the filter shows");
    let copied = exported(&window);
    assert_eq!(copied.lines().count(), 1);
    assert!(copied.contains("\"sessionUpdate\":\"plan\""), "{copied}");
    window.get_by_label("Filter").focus();
    window.run_ok();
    window.get_by_label("Filter").type_text("x");
    window.run_ok();
    assert!(shows(&window, "No frame matches."));
}

#[test]
fn it_is_paused_and_goes_on() {
    let mut window = window(opened(Scope::All), WIDE);
    click(&mut window, "Pause");
    let is_paused = |window: &Harness<'_, World>| {
        let view = window.state().state.protocol.as_ref();
        view.is_some_and(|view| view.is_paused)
    };
    assert!(is_paused(&window));
    click(&mut window, "Go on");
    assert!(!is_paused(&window));
}

#[test]
fn escape_closes_it_and_gives_the_keyboard_to_the_draft() {
    let mut window = window(opened(Scope::All), WIDE);
    window.key_press(Key::Escape);
    window.run_ok();
    assert!(window.state().state.protocol.is_none());
    assert_eq!(window.state_mut().apply_commands(), []);
    assert!(window.get_by_label("Message").is_focused());
    assert!(shows(&window, "hello"));
}

#[test]
fn the_menu_opens_it_and_a_message_opens_its_own_frames() {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "hello");
    let mut window = window(world, WIDE);
    let block = window
        .state()
        .hub
        .session(session)
        .and_then(|session| session.transcript().blocks().first())
        .expect("the message")
        .id;
    click(&mut window, "Raw frames");
    click(&mut window, "Menu");
    click(&mut window, "Show the protocol log");
    let shown: Vec<_> = window
        .state()
        .actions
        .iter()
        .filter(|action| matches!(action, UiAction::ShowFrames(_)))
        .cloned()
        .collect();
    assert_eq!(
        shown,
        [
            UiAction::ShowFrames(Scope::Block(session, block)),
            UiAction::ShowFrames(Scope::All)
        ]
    );
}

fn click_containing(window: &mut Harness<'_, World>, label: &str) {
    window.get_by_label_contains(label).click();
    window.run_ok();
}

#[test]
fn the_keyboard_opens_a_frame() {
    let mut window = window(opened(Scope::All), WIDE);
    window.get_by_label_contains("Sent: initialize").focus();
    window.run_ok();
    window.key_press_modifiers(Modifiers::NONE, Key::Enter);
    window.run_ok();
    assert!(shows(&window, "Copy this frame"));
}
