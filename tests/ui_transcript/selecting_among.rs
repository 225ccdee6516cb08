//! Selecting meets what else is in the window: boxes that scroll, two columns, and labels that egui selects.

use agent_panel::core::command::Command;
use agent_panel::core::settings::DiffLayout;
use agent_panel::core::tool_call::{ToolCallStatus, ToolKind};
use agent_panel::ui::transcript::folds::FoldPart;
use egui::{Event, Key, OutputCommand, vec2};
use serde_json::json;

use crate::selecting::{
    after, before, click_at, copied, drag, go, is_painted, long, press_at, release_at, wheel,
    window,
};
use crate::story::{Story, diff, done, output};
use crate::world::World;
use crate::{Window, ask, find, view};
use egui_kittest::kittest::Queryable as _;

/// What egui itself copies.
fn copied_by_egui(window: &mut Window) -> Option<String> {
    window.event(Event::Copy);
    window.step();
    let commands = window.output().platform_output.commands.iter();
    let mut texts = commands.filter_map(|command| match command {
        OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    texts.next()
}

#[test]
fn a_label_of_a_card_and_the_transcript_take_turns() {
    let mut story = long(1);
    story.user("Go on");
    story.say("Working on it");
    let call = story.begin(ToolKind::Execute, "make", json!({"command": "make all"}));
    ask(&mut story, &call);
    let mut window = window(story);
    let (from, to) = (
        before(&window, "Working on it"),
        after(&window, "Working on it"),
    );
    drag(&mut window, from, to);
    assert_eq!(copied(&mut window).as_deref(), Some("Working on it"));
    let label = window
        .query_all_by_label("make all")
        .last()
        .expect("the card's");
    let label = label.rect();
    drag(
        &mut window,
        label.left_center() + vec2(1.0, 0.0),
        label.right_center(),
    );
    assert!(!view(&window).selection.is_dragging());
    assert_eq!(copied(&mut window), None);
    assert_eq!(copied_by_egui(&mut window).as_deref(), Some("make all"));
    for is_selected in [true, false] {
        window.key_press(Key::Escape);
        window.run_steps(3);
        assert_eq!(copied_by_egui(&mut window), None);
        let commands = std::mem::take(&mut window.state_mut().commands);
        let stops = commands
            .iter()
            .any(|command| matches!(command, Command::CancelTurn { .. }));
        assert_eq!(stops, !is_selected, "it gives the selection up first");
    }
    drag(&mut window, from, to);
    assert_eq!(copied(&mut window).as_deref(), Some("Working on it"));
    assert_eq!(copied_by_egui(&mut window), None);
}

#[test]
fn two_columns_of_a_change_are_selected_in_the_order_of_its_lines() {
    let mut world = World::default();
    world.settings.diff_layout = DiffLayout::SideBySide;
    let mut story = Story::new(world, "codex");
    story.user("Go on");
    let edit = story.begin(ToolKind::Edit, "edit", json!({}));
    let content = diff("a.txt", Some("one\ntwo\nthree\n"), "one\nzwei\nthree\n");
    story.patch(&edit, done(ToolCallStatus::Completed, content));
    let row = story.last();
    story.open(row, FoldPart::Body);
    let mut window = window(story);
    window.run_steps(4);
    let left = window
        .query_all_by_label("one")
        .next()
        .expect("the old file")
        .rect();
    let right = window
        .query_all_by_label("three")
        .last()
        .expect("the new file")
        .rect();
    assert!(left.left() < right.left());
    drag(
        &mut window,
        left.left_center() + vec2(1.0, 0.0),
        right.right_center(),
    );
    assert_eq!(
        copied(&mut window).as_deref(),
        Some("one\ntwo\nzwei\nthree")
    );
}

#[test]
fn code_that_is_wider_than_the_page_scrolls_and_is_selected() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Code, please");
    let line = "let words = \"that go on and on\"; ".repeat(8);
    story.say(&format!("Here:\n\n```rust\n{line}\nlast();\n```\n"));
    let mut window = window(story);
    window.run_steps(4);
    let before_scrolling = find(&window, "let words").rect();
    go(&mut window, before_scrolling.left_top() + vec2(60.0, 8.0));
    window.event(Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(-300.0, 0.0),
        phase: egui::TouchPhase::Move,
        modifiers: egui::Modifiers::NONE,
        source: egui::MouseWheelSource::Wheel,
    });
    window.run_steps(12);
    let code = find(&window, "let words").rect();
    assert!(code.left() < before_scrolling.left() - 200.0, "{code}");
    let start = find(&window, "Here:").rect().left_center() + vec2(1.0, 0.0);
    let end = egui::pos2(400.0, code.bottom() - 6.0);
    drag(&mut window, start, end);
    let expected = format!("Here:\n\n{line}\nlast();");
    assert_eq!(copied(&mut window), Some(expected));
    // Two clicks in the part that came into view.
    window.run_steps(40);
    let at = egui::pos2(200.0, code.top() + 8.0);
    click_at(&mut window, at);
    click_at(&mut window, at);
    let word = copied(&mut window).expect("a word");
    assert!(line.contains(&word) && word.len() < 8, "{word}");
    assert!(is_painted(&window));
}

#[test]
fn a_box_that_scrolls_is_selected_through() {
    let mut story = long(1);
    story.user("Go on");
    let run = story.begin(ToolKind::Execute, "Run", json!({"command": "count"}));
    let lines: Vec<String> = (0..400).map(|n| format!("printed line {n}")).collect();
    story.patch(
        &run,
        done(ToolCallStatus::Completed, output(&lines.join("\n"))),
    );
    let row = story.last();
    story.open(row, FoldPart::Body);
    story.say("After it.");
    let mut window = window(story);
    window.run();
    let top = find(&window, "printed line 0\n").rect();
    press_at(&mut window, top.left_top() + vec2(1.0, 6.0));
    go(&mut window, top.left_top() + vec2(40.0, 30.0));
    // The wheel turns the box under the pointer.
    wheel(&mut window, -900.0);
    go(&mut window, top.left_top() + vec2(2.0, 31.0));
    release_at(&mut window, top.left_top() + vec2(2.0, 31.0));
    let text = copied(&mut window).expect("lines are selected");
    let count = text.lines().count();
    assert!(text.starts_with("printed line 0\n") && count > 20, "{text}");
    assert!(
        text.lines()
            .enumerate()
            .all(|(at, line)| line == format!("printed line {at}") || at + 1 == count)
    );
    // Text below the box is reached, not lines that the box hides.
    let to = after(&window, "After it.");
    drag(&mut window, top.left_top() + vec2(2.0, 31.0), to);
    let text = copied(&mut window).expect("all of it");
    assert!(text.ends_with("printed line 399\n\nAfter it."), "{text}");
}
