//! Text is selected with the pointer, and stays selected: out of view, while more comes, beyond the edges.

use agent_panel::core::command::Command;
use agent_panel::core::event::SessionEvent;
use agent_panel::core::transcript::MessageKind;
use agent_panel::ui::cx::UiAction;
use agent_panel::ui::theme::Theme;
use egui::epaint::{ClippedShape, Shape};
use egui::{
    Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, TouchPhase, pos2,
    vec2,
};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use crate::story::Story;
use crate::world::{World, built};
use crate::{Window, find, shows, view};

/// Frames as short as on a screen, so that clicks can follow one another.
pub(crate) fn window(story: Story) -> Window {
    let builder = Harness::builder().with_max_steps(64).with_step_dt(0.02);
    let mut story = story;
    story.world.state.focus_composer = true;
    let mut window = built(builder, story.world, [700.0, 600.0]);
    window.run_steps(8);
    window
}

pub(crate) fn long(turns: u64) -> Story {
    let mut story = Story::new(World::default(), "codex");
    for turn in 0..turns {
        story.user(&format!("Question number {turn}"));
        story
            .say(&format!(
                "Answer number {turn}\n\nand more of it\n\n- one\n- two\n"
            ))
            .end(turn + 1);
    }
    story
}

fn button(window: &mut Window, at: Pos2, pressed: bool, modifiers: Modifiers) {
    let event = Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers,
    };
    if modifiers == Modifiers::NONE {
        window.event(event);
    } else {
        window.event_modifiers(event, modifiers);
    }
    window.step();
}

pub(crate) fn go(window: &mut Window, at: Pos2) {
    window.event(Event::PointerMoved(at));
    window.step();
}

pub(crate) fn press_at(window: &mut Window, at: Pos2) {
    go(window, at);
    button(window, at, true, Modifiers::NONE);
}

pub(crate) fn release_at(window: &mut Window, at: Pos2) {
    button(window, at, false, Modifiers::NONE);
    window.run_steps(2);
}

pub(crate) fn click_at(window: &mut Window, at: Pos2) {
    press_at(window, at);
    button(window, at, false, Modifiers::NONE);
}

pub(crate) fn drag(window: &mut Window, from: Pos2, to: Pos2) {
    press_at(window, from);
    go(window, from + vec2(6.0, 0.0));
    go(window, to);
    release_at(window, to);
}

pub(crate) fn wheel(window: &mut Window, by: f32) {
    window.event(Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: vec2(0.0, by),
        phase: TouchPhase::Move,
        modifiers: Modifiers::NONE,
        source: MouseWheelSource::Wheel,
    });
    window.run_steps(12);
}

fn scroll(window: &mut Window, by: f32) {
    go(window, pos2(350.0, 250.0));
    wheel(window, by);
}

/// Just before the first character of a text.
pub(crate) fn before(window: &Window, part: &str) -> Pos2 {
    find(window, part).rect().left_center() + vec2(1.0, 0.0)
}

/// Just after the last character of a text in one line.
pub(crate) fn after(window: &Window, part: &str) -> Pos2 {
    find(window, part).rect().right_center() - vec2(1.0, 0.0)
}

/// What the keys copy.
pub(crate) fn copied(window: &mut Window) -> Option<String> {
    window.state_mut().actions.clear();
    window.event(Event::Copy);
    window.step();
    let mut actions = window.state_mut().actions.drain(..);
    let copied = actions.find_map(|action| match action {
        UiAction::CopyText(text) => Some(text),
        _ => None,
    });
    drop(actions);
    copied
}

/// Whether any text on the screen has a ground of the color that selected text has.
pub(crate) fn is_painted(window: &Window) -> bool {
    let color = window.state().theme.selection;
    let shapes: &[ClippedShape] = &window.output().shapes;
    shapes
        .iter()
        .any(|clipped| has_color(&clipped.shape, color))
}

fn has_color(shape: &Shape, color: egui::Color32) -> bool {
    match shape {
        Shape::Vec(shapes) => shapes.iter().any(|shape| has_color(shape, color)),
        Shape::Text(text) => text.galley.rows.iter().any(|row| {
            let corners = &row.visuals.mesh.vertices;
            corners.iter().any(|corner| corner.color == color)
        }),
        _ => false,
    }
}

#[test]
fn what_is_dragged_over_is_copied_exactly() {
    let mut window = window(long(2));
    let (from, to) = (
        before(&window, "Answer number 0"),
        after(&window, "Question number 1"),
    );
    drag(&mut window, from, to);
    assert!(is_painted(&window));
    let expected = "Answer number 0\n\nand more of it\n\none\ntwo\n\nQuestion number 1";
    assert_eq!(copied(&mut window).as_deref(), Some(expected));
    // From the end to the start it is the same.
    drag(&mut window, to, from);
    assert_eq!(copied(&mut window).as_deref(), Some(expected));
}

#[test]
fn a_selection_stays_when_both_its_ends_are_out_of_view() {
    let mut window = window(long(60));
    let from = before(&window, "Question number 59");
    press_at(&mut window, from);
    go(&mut window, from + vec2(40.0, 0.0));
    // The wheel goes on while the button is down.
    wheel(&mut window, 300.0);
    wheel(&mut window, 300.0);
    let to = pos2(60.0, 200.0);
    go(&mut window, to);
    release_at(&mut window, to);
    let whole = copied(&mut window).expect("something is selected");
    assert!(
        whole.ends_with("two\n\n") && whole.contains("Answer number 56\n\nand"),
        "{whole}"
    );
    scroll(&mut window, 4_000.0);
    assert!(!shows(&window, "Answer number 57") && !is_painted(&window));
    assert_eq!(copied(&mut window).as_ref(), Some(&whole));
    scroll(&mut window, -9_000.0);
    window.run_steps(60);
    assert!(
        shows(&window, "Answer number 58"),
        "{:?}",
        view(&window).place
    );
    assert!(is_painted(&window));
    assert_eq!(copied(&mut window).as_ref(), Some(&whole));
    window.set_size(vec2(520.0, 500.0));
    window.state_mut().theme = Theme::light(14);
    window.run();
    assert_eq!(copied(&mut window).as_ref(), Some(&whole));
}

#[test]
fn beyond_an_edge_the_text_moves_and_is_selected() {
    let mut window = window(long(60));
    let from = after(&window, "Answer number 59");
    press_at(&mut window, from);
    for _ in 0..120 {
        go(&mut window, pos2(200.0, 2.0));
    }
    let top = view(&window).topmost.expect("something is in view").row;
    assert!(top < 110, "{top}");
    release_at(&mut window, pos2(200.0, 2.0));
    // Nothing moves on by itself.
    window.run();
    let whole = copied(&mut window).expect("something is selected");
    assert!(whole.ends_with("\n\nAnswer number 59"), "{whole}");
    assert!(whole.lines().count() > 30, "{}", whole.lines().count());
    press_at(&mut window, pos2(200.0, 200.0));
    for _ in 0..80 {
        go(&mut window, pos2(200.0, 598.0));
    }
    release_at(&mut window, pos2(200.0, 598.0));
    assert!(view(&window).is_at_end());
    let whole = copied(&mut window).expect("something is selected");
    assert!(whole.ends_with("one\ntwo"), "{whole}");
}

#[test]
fn two_clicks_take_a_word_three_a_line_and_shift_goes_on() {
    let mut story = Story::new(World::default(), "codex");
    story.user("一行目です\n二行目のテキスト 👩‍👩‍👧 絵文字");
    story.say("Here some_name stands in **bold** words.");
    let mut window = window(story);
    let second = find(&window, "二行目").rect();
    let word = pos2(second.left() + 4.0, second.bottom() - 8.0);
    click_at(&mut window, word);
    assert_eq!(copied(&mut window), None);
    click_at(&mut window, word);
    assert_eq!(copied(&mut window).as_deref(), Some("二行目"));
    click_at(&mut window, word);
    let line = "二行目のテキスト 👩‍👩‍👧 絵文字";
    assert_eq!(copied(&mut window).as_deref(), Some(line));
    window.run_steps(40);
    let answer = find(&window, "Here some_name").rect();
    button(
        &mut window,
        answer.right_center() + vec2(60.0, 0.0),
        true,
        Modifiers::SHIFT,
    );
    button(
        &mut window,
        answer.right_center() + vec2(60.0, 0.0),
        false,
        Modifiers::SHIFT,
    );
    let more = format!("{line}\n\nHere some_name stands in bold words.");
    assert_eq!(copied(&mut window).as_ref(), Some(&more));
    // Words are taken whole while they are dragged over.
    window.run_steps(40);
    let name = answer.left_center() + vec2(60.0, 0.0);
    click_at(&mut window, name);
    press_at(&mut window, name);
    assert_eq!(copied(&mut window).as_deref(), Some("some_name"));
    go(&mut window, answer.right_center() - vec2(20.0, 0.0));
    assert_eq!(
        copied(&mut window).as_deref(),
        Some("some_name stands in bold words")
    );
    go(&mut window, answer.left_center() + vec2(3.0, 0.0));
    assert_eq!(copied(&mut window).as_deref(), Some("Here some_name"));
    release_at(&mut window, name);
}

#[test]
fn escape_gives_the_selection_up_and_stops_the_turn_only_then() {
    let mut story = long(2);
    story.user("Go on");
    story.say("Working on it");
    let mut window = window(story);
    let (from, to) = (
        before(&window, "Answer number 1"),
        after(&window, "Answer number 1"),
    );
    drag(&mut window, from, to);
    assert!(window.get_by_label("Message").is_focused());
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert_eq!(copied(&mut window), None);
    assert!(!is_painted(&window));
    let stops = |window: &mut Window| {
        let commands = std::mem::take(&mut window.state_mut().commands);
        commands
            .iter()
            .any(|command| matches!(command, Command::CancelTurn { .. }))
    };
    assert!(!stops(&mut window));
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert!(stops(&mut window));
}

#[test]
fn a_click_gives_it_up_and_the_draft_keeps_the_keyboard() {
    let mut window = window(long(2));
    let (from, to) = (
        before(&window, "Answer number 1"),
        after(&window, "Answer number 1"),
    );
    for (name, at) in [
        ("text", to + vec2(0.0, 30.0)),
        ("beside it", pos2(690.0, to.y)),
        ("the draft", find(&window, "Message").rect().center()),
    ] {
        drag(&mut window, from, to);
        assert_eq!(
            copied(&mut window).as_deref(),
            Some("Answer number 1"),
            "{name}"
        );
        click_at(&mut window, at);
        window.run_steps(2);
        assert_eq!(copied(&mut window), None, "{name}");
        assert!(window.get_by_label("Message").is_focused(), "{name}");
        window.run_steps(40);
    }
}

#[test]
fn what_the_draft_has_selected_is_copied_first() {
    let mut window = window(long(2));
    let session = window.state().state.shown.expect("a session");
    let draft = window.state_mut().state.draft();
    "my draft".clone_into(&mut draft.text);
    window.run_steps(2);
    let (from, to) = (
        before(&window, "Answer number 1"),
        after(&window, "Answer number 1"),
    );
    drag(&mut window, from, to);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(2);
    assert_eq!(copied(&mut window), None, "the field copies by itself");
    // A new selection takes the place of the draft's.
    drag(&mut window, from, to);
    assert_eq!(copied(&mut window).as_deref(), Some("Answer number 1"));
    assert_eq!(window.state().state.drafts[&Some(session)].text, "my draft");
}

#[test]
fn a_selection_in_a_message_that_grows_stays() {
    let mut story = long(1);
    story.user("Go on");
    story.say("The first words of it\n\nand the sec");
    let session = story.session;
    let mut window = window(story);
    let (from, to) = (
        before(&window, "The first words"),
        after(&window, "and the sec"),
    );
    drag(&mut window, from, to);
    let expected = "The first words of it\n\nand the sec";
    assert_eq!(copied(&mut window).as_deref(), Some(expected));
    for text in [
        "ond ones",
        "\n\n",
        "a third paragraph\n\n```rust\nfn",
        " main() {}\n```\n",
    ] {
        let event = SessionEvent::Text {
            kind: MessageKind::Agent,
            text: text.to_owned(),
            message_id: None,
        };
        window.state_mut().session_event(session, event);
        window.run_steps(3);
        assert_eq!(copied(&mut window).as_deref(), Some(expected), "{text}");
    }
    assert!(is_painted(&window));
}

#[test]
fn links_are_clicked_and_selected_from() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Where?");
    story.say("[docs.rs](https://docs.rs/egui) has it");
    let mut window = window(story);
    let link = window.get_by_label("docs.rs").rect();
    click_at(&mut window, link.center());
    window.run_steps(2);
    let opens = |action: &UiAction| matches!(action, UiAction::OpenUrl(_));
    assert!(window.state().actions.iter().any(opens));
    window.state_mut().actions.clear();
    window.run_steps(40);
    // A hand that trembles clicks all the same, and selects nothing.
    press_at(&mut window, link.center());
    go(&mut window, link.center() + vec2(5.0, 0.0));
    release_at(&mut window, link.center() + vec2(5.0, 0.0));
    assert!(window.state().actions.iter().any(opens));
    assert_eq!(copied(&mut window), None);
    window.run_steps(40);
    let to = after(&window, "has it");
    drag(&mut window, link.left_center() + vec2(1.0, 0.0), to);
    assert!(!window.state().actions.iter().any(opens));
    assert_eq!(copied(&mut window).as_deref(), Some("docs.rs has it"));
}

#[test]
fn the_other_button_offers_to_copy() {
    let mut window = window(long(2));
    let (from, to) = (
        before(&window, "Answer number 1"),
        after(&window, "Answer number 1"),
    );
    drag(&mut window, from, to);
    for pressed in [true, false] {
        window.event(Event::PointerButton {
            pos: from + vec2(20.0, 0.0),
            button: PointerButton::Secondary,
            pressed,
            modifiers: Modifiers::NONE,
        });
        window.step();
    }
    window.run_steps(3);
    window.state_mut().actions.clear();
    let copy = window.get_by_label("Copy").rect().center();
    click_at(&mut window, copy);
    window.run_steps(3);
    let copied = UiAction::CopyText("Answer number 1".to_owned());
    assert!(window.state().actions.contains(&copied));
    assert!(window.query_by_label("Copy").is_none());
    assert!(is_painted(&window), "it stays selected");
    assert!(window.get_by_label("Message").is_focused());
}

#[test]
fn folding_elsewhere_and_scroll_bars_leave_it() {
    let mut story = long(1);
    story.user("Go on");
    story.think("Hm, a thought that can be opened.\n\nAnd more.");
    story.say("The end of it");
    let mut window = window(story);
    let (from, to) = (
        before(&window, "Answer number 0"),
        after(&window, "Answer number 0"),
    );
    drag(&mut window, from, to);
    let thought = find(&window, "Thought").rect().center();
    click_at(&mut window, thought);
    window.run_steps(3);
    assert!(shows(&window, "And more."));
    assert_eq!(copied(&mut window).as_deref(), Some("Answer number 0"));
}

#[test]
fn nothing_is_drawn_anew_while_something_is_selected() {
    let mut window = window(long(4));
    let (from, to) = (
        before(&window, "Answer number 3"),
        after(&window, "Answer number 3"),
    );
    drag(&mut window, from, to);
    window.run();
    let steps = window.try_run_realtime().expect("it comes to rest");
    assert!(steps <= 2, "{steps}");
}
