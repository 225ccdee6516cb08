//! Changes that are too long to be compared within a UI frame, and raw data as a tree.

use agent_panel::core::tool_call::{ToolCallStatus, ToolKind};
use agent_panel::ui::transcript::folds::FoldPart;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use serde_json::json;

use crate::story::{Story, diff, done};
use crate::world::World;
use crate::{click, shows, sized};

fn long_change(world: World) -> Story {
    let mut story = Story::new(world, "codex");
    story.user("Rename it everywhere");
    let line = |at: usize| format!("let berth_{at} = harbor.berth({at});\n");
    let old: String = (0..2_000).map(line).collect();
    let new = old.replacen("berth_7 ", "place_7 ", 1);
    let end = done(
        ToolCallStatus::Completed,
        diff("src/a.rs", Some(&old), &new),
    );
    story.call(ToolKind::Edit, "edit", json!({}), 50, end);
    let block = story.last();
    story.open(block, FoldPart::Body);
    story
}

#[test]
fn a_long_change_is_compared_beside_the_window() {
    let window = sized(long_change(World::default()), [700.0, 700.0]);
    assert!(shows(&window, "Edit, src/a.rs, Done, +1, −1"));
    assert!(shows(&window, "let place_7 = harbor.berth(7);"));
}

#[test]
fn comparing_can_be_stopped_and_begun_again() {
    let world = World {
        works: false,
        ..World::default()
    };
    let mut window = sized(long_change(world), [700.0, 700.0]);
    assert!(shows(&window, "Comparing two long texts…"));
    assert!(!shows(&window, "+1"), "nobody has counted yet");
    click(&mut window, "Stop");
    assert!(shows(&window, "Not compared"));
    window.state_mut().works = true;
    window.run();
    assert!(!shows(&window, "place_7"), "what is stopped stays stopped");
    click(&mut window, "Compare");
    assert!(shows(&window, "let place_7 = harbor.berth(7);"));
}

#[test]
fn raw_data_is_a_tree_that_folds() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Look");
    let input = json!({"query": "harbor", "limits": {"most": 20}});
    let end = done(ToolCallStatus::Completed, Vec::new());
    story.call(ToolKind::Other, "list_entries", input, 50, end);
    let block = story.last();
    story.open(block, FoldPart::Body).open(block, FoldPart::Raw);
    let mut window = sized(story, [700.0, 700.0]);
    assert!(shows(&window, "query: \"harbor\"") && shows(&window, "most: 20"));
    let fold = window.get_by_role_and_label(Role::DisclosureTriangle, "limits");
    fold.click();
    window.run();
    assert!(shows(&window, "limits: {1}") && !shows(&window, "most: 20"));
}

#[test]
fn find_looks_into_a_long_change() {
    let mut window = sized(long_change(World::default()), [700.0, 700.0]);
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::F);
    window.run();
    window.event(egui::Event::Text("place_7".to_owned()));
    window.run();
    assert!(shows(&window, "1 of 1"));
}
