//! Text is found in every block, also in those that were never drawn, and what hides it is opened.

use agent_panel::core::tool_call::{ToolCallPatch, ToolCallStatus, ToolKind};
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use serde_json::json;

use crate::story::{Story, done, output};
use crate::world::World;
use crate::{Window, click, find, press, shows, view, window, window_still};

/// Opens the field and types into it.
fn search(window: &mut Window, text: &str) {
    press(window, Modifiers::COMMAND, Key::F);
    window.event(Event::Text(text.to_owned()));
    window.run();
}

fn long(turns: u64) -> Story {
    let mut story = Story::new(World::default(), "codex");
    for turn in 0..turns {
        story.user(&format!("Question {turn}"));
        let needle = if turn % 10 == 3 {
            "a **nee**dle"
        } else {
            "hay"
        };
        story
            .say(&format!(
                "Answer {turn} is {needle}\n\nand more\n\n```\nlet a = {turn};\n```\n"
            ))
            .end(turn + 1);
    }
    story
}

#[test]
fn matches_are_counted_everywhere_and_gone_to() {
    let mut window = window(long(60));
    assert!(!shows(&window, "Answer 3 "));
    search(&mut window, "NEEDLE");
    // From what is in view on there is none, so it is the last one before.
    assert!(shows(&window, "6 of 6") && shows(&window, "Answer 53 is a needle"));
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert!(shows(&window, "1 of 6") && shows(&window, "Answer 3 is a needle"));
    press(&mut window, Modifiers::NONE, Key::F3);
    assert!(shows(&window, "2 of 6") && shows(&window, "Answer 13 is a needle"));
    press(&mut window, Modifiers::SHIFT, Key::Enter);
    press(&mut window, Modifiers::SHIFT, Key::F3);
    assert!(shows(&window, "6 of 6"));
    click(&mut window, "Next match");
    assert!(shows(&window, "1 of 6"));
    let rect = find(&window, "Answer 3 is a needle").rect();
    assert!((90.0..500.0).contains(&rect.top()), "{rect}");
}

#[test]
fn escape_closes_the_field_and_gives_the_keyboard_back() {
    let mut window = window(long(4));
    search(&mut window, "hay");
    assert!(shows(&window, "of 3"));
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(!shows(&window, "Next match"));
    assert!(window.get_by_label("Message").is_focused());
    // What was typed last stands there again, and typing replaces it.
    search(&mut window, "question 2");
    assert!(shows(&window, "1 of 1"));
    search(&mut window, "no such thing");
    assert!(shows(&window, "No matches"));
}

#[test]
fn what_hides_a_match_is_opened() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Go on");
    let text: Vec<String> = (0..400).map(|n| format!("line {n} of the log")).collect();
    for name in ["one", "two", "three", "four"] {
        let call = story.begin(ToolKind::Execute, name, json!({"command": name}));
        let text = if name == "two" {
            text.join("\n").replace("line 333 ", "line 333 needle ")
        } else {
            text.join("\n")
        };
        story.patch(&call, done(ToolCallStatus::Completed, output(&text)));
    }
    story.think("There is a second needle in this thought.\n\nAnd more.");
    story.say("Nothing here.");
    for _ in 0..30 {
        story.say("hay\n\nhay\n\nhay\n\n");
    }
    let mut window = window(story);
    search(&mut window, "needle");
    assert!(shows(&window, "2 of 2") && shows(&window, "a second needle in this"));
    press(&mut window, Modifiers::SHIFT, Key::F3);
    assert!(shows(&window, "1 of 2"));
    let lines = find(&window, "line 333 needle of the log").rect();
    // The lines around it are one label; it scrolled inside its box, and the box is in view.
    assert!(lines.top() < 560.0 && lines.bottom() > 90.0, "{lines}");
}

#[test]
fn a_match_in_a_step_of_a_subagent_is_opened() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Go on");
    let parent = story.begin(ToolKind::Think, "Look around", json!({}));
    for n in 0..3 {
        let input = json!({"file_path": format!("file {n}")});
        let step = story.begin(ToolKind::Read, "Read", input);
        let end = ToolCallPatch {
            parent: Some(parent.clone()),
            ..done(ToolCallStatus::Completed, output("the needle stands here"))
        };
        story.patch(&step, end);
    }
    let mut window = window(story);
    search(&mut window, "needle");
    assert!(shows(&window, "of 3"));
    assert!(shows(&window, "the needle stands here"));
}

#[test]
fn width_and_kana_are_the_same_unless_told_otherwise() {
    let mut story = Story::new(World::default(), "codex");
    story.user("ｶﾀｶﾅとかたかな");
    story.say("カタカナ、ＡＢＣ");
    let mut window = window(story);
    search(&mut window, "カタカナ");
    assert!(shows(&window, "of 3"));
    click(&mut window, "Width and kana forms are the same");
    assert!(shows(&window, "1 of 1"));
    click(&mut window, "Upper and lower case are the same");
    search(&mut window, "abc");
    assert!(shows(&window, "No matches"));
}

#[test]
fn what_comes_while_searching_is_counted() {
    let mut window = window(long(14));
    search(&mut window, "needle");
    assert!(shows(&window, "2 of 2"));
    let session = window.state().state.shown.expect("a session");
    window.state_mut().prompt(session, "one more needle");
    window.run();
    assert!(shows(&window, "2 of 3"));
}

#[test]
fn a_long_session_is_searched_in_slices() {
    let mut window = window(long(3_000));
    press(&mut window, Modifiers::COMMAND, Key::F);
    window.event(Event::Text("needle".to_owned()));
    window.step();
    window.step();
    let rows = view(&window).rows.len();
    let find = &view(&window).find;
    assert!(!find.is_finished(rows) && find.total() > 0);
    window.run();
    assert!(shows(&window, "300 of 300"));
}

#[test]
fn a_match_in_a_change_is_shown() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Go on");
    let call = story.begin(ToolKind::Edit, "edit", json!({}));
    let rows: Vec<String> = (0..200).map(|n| format!("row {n}\n")).collect();
    let new = rows.concat();
    let content = crate::story::diff("a.txt", None, &new.replace("row 150", "row 150 needle"));
    story.patch(&call, done(ToolCallStatus::Completed, content));
    let mut window = window(story);
    search(&mut window, "needle");
    assert!(shows(&window, "1 of 1") && shows(&window, "row 150 needle"));
}

#[test]
fn a_long_change_is_searched_as_it_is_compared() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Go on");
    let call = story.begin(ToolKind::Edit, "edit", json!({}));
    let rows: Vec<String> = (0..4_000)
        .map(|n| format!("row {n} of a file that is long enough\n"))
        .collect();
    let old = rows.concat().replace("row 1999 ", "row 1999 needle ");
    let new = old
        .replace("row 2000 ", "row 2000 changed ")
        .replace("row 3000 ", "row 3000 needle ");
    let content = crate::story::diff("a.txt", Some(&old), &new);
    story.patch(&call, done(ToolCallStatus::Completed, content));
    let mut window = window(story);
    // Beside the change stands a line that both have.
    search(&mut window, "needle");
    assert!(shows(&window, "2 of 2") || shows(&window, "1 of 2"));
    press(&mut window, Modifiers::NONE, Key::Enter);
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert!(shows(&window, "row 1999 needle") || shows(&window, "row 3000 needle"));
    // What both have far from a change is not shown, and not found.
    search(&mut window, "row 3500 ");
    assert!(shows(&window, "No matches"));
}

#[test]
fn what_a_call_was_given_and_what_an_agent_wrote_last_are_found() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Go on");
    let input = json!({"url": "https://example.com", "headers": {"accept": "a needle"}});
    let call = story.begin(ToolKind::Fetch, "fetch", input);
    story.patch(&call, done(ToolCallStatus::Completed, Vec::new()));
    story.die();
    let mut window = window_still(story);
    let search = |window: &mut Window, text: &str| {
        window.key_press_modifiers(Modifiers::COMMAND, Key::F);
        window.run_steps(3);
        window.event(Event::Text(text.to_owned()));
        window.run_steps(8);
    };
    search(&mut window, "needle");
    assert!(shows(&window, "1 of 1") && shows(&window, "a needle"));
    search(&mut window, "allocating 4096");
    assert!(shows(&window, "1 of 1") && shows(&window, "allocating 4096 MB"));
}
