//! What a turn changed, at its end, and how a change is laid out.

use agent_panel::core::settings::DiffLayout;
use agent_panel::core::tool_call::{ToolCallStatus, ToolKind};
use agent_panel::ui::cx::UiAction;
use serde_json::json;

use crate::story::{Story, diff, done};
use crate::world::World;
use crate::{click, find, shows, sized, window};

fn edited() -> Story {
    let mut story = Story::new(World::default(), "codex");
    story.user("Rename it");
    let change = |path: &str, old: Option<&str>, new: &str| {
        done(ToolCallStatus::Completed, diff(path, old, new))
    };
    let edits = [
        change("src/a.rs", Some("let one = 1;\n"), "let two = 1;\n"),
        change("src/a.rs", Some("let two = 1;\n"), "let three = 1;\n"),
        change("docs/new.md", None, "# New\n\ntext\n"),
    ];
    for end in edits {
        story.call(ToolKind::Edit, "edit", json!({}), 50, end);
    }
    story.say("Done.");
    story
}

#[test]
fn a_turn_ends_with_the_files_it_changed() {
    let mut story = edited();
    // Not before it is over.
    let still_running = !shows(&crate::window_still(edited()), "2 files changed");
    assert!(still_running);
    story.end(1);
    let mut window = sized(story, [700.0, 900.0]);
    assert!(shows(&window, "2 files changed, +4, −1"));
    assert!(shows(&window, "src/a.rs, +1, −1") && shows(&window, "docs/new.md, +3"));
    // The change is the one from the turn's start to its end.
    click(&mut window, "src/a.rs, +1, −1");
    assert!(shows(&window, "let one = 1;") && shows(&window, "let three = 1;"));
    assert!(!shows(&window, "let two = 1;"));
    click(&mut window, "2 files changed");
    assert!(!shows(&window, "docs/new.md, +3"));
}

#[test]
fn the_files_stay_below_their_turn_when_the_next_one_begins() {
    let mut story = edited();
    story.end(1);
    story.user("And now?").say("Nothing.").end(2);
    let window = sized(story, [700.0, 900.0]);
    let files = find(&window, "2 files changed").rect();
    let next = find(&window, "And now?").rect();
    assert!(files.bottom() < next.top(), "{files} and {next}");
    assert_eq!(
        window_count(&window, "files changed"),
        1,
        "the second turn changed nothing"
    );
}

fn window_count(window: &crate::Window, part: &str) -> usize {
    use egui_kittest::kittest::Queryable as _;
    window.query_all_by_label_contains(part).count()
}

#[test]
fn a_change_is_laid_out_side_by_side_where_that_is_chosen() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Rename it");
    let change = diff(
        "src/a.rs",
        Some("fn one() {}\nkept\n"),
        "fn two() {}\nkept\n",
    );
    let end = done(ToolCallStatus::Completed, change);
    story.call(ToolKind::Edit, "edit", json!({}), 50, end);
    let mut window = window(story);
    click(&mut window, "Edit, src/a.rs");
    let column = |window: &crate::Window, text: &str| find(window, text).rect().left();
    assert!((column(&window, "fn one") - column(&window, "fn two")).abs() < 1.0);
    click(&mut window, "Side by side");
    let actions = std::mem::take(&mut window.state_mut().actions);
    let settings = actions.into_iter().find_map(|action| match action {
        UiAction::ChangeSettings(settings) => Some(*settings),
        _ => None,
    });
    let settings = settings.expect("the choice is remembered");
    assert_eq!(settings.diff_layout, DiffLayout::SideBySide);
    window.state_mut().settings = settings;
    window.run();
    assert!(column(&window, "fn two") > column(&window, "fn one") + 200.0);
    let row = |text: &str| find(&window, text).rect().top();
    assert!((row("fn one") - row("fn two")).abs() < 1.0);
    assert!(shows(&window, "One column"));
}
