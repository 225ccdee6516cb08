//! What helps to read code and texts: line numbers, and a word about what can't be laid out.

use agent_panel::ui::cx::UiAction;

use egui_kittest::Harness;

use crate::story::Story;
use crate::world::{World, built};
use crate::{click, shows, window};

fn code(world: World) -> Story {
    let mut story = Story::new(world, "codex");
    story.user("Write it");
    story.say("Here:\n\n```rust\nfn main() {\n    moor();\n}\n```\n");
    story.end(1);
    story
}

#[test]
fn code_blocks_have_line_numbers_where_that_is_chosen() {
    let mut window = window(code(World::default()));
    click(&mut window, "Show line numbers");
    let changed = window
        .state()
        .actions
        .iter()
        .find_map(|action| match action {
            UiAction::ChangeSettings(settings) => Some(settings.clone()),
            _ => None,
        });
    let settings = changed.expect("the choice is kept");
    assert!(settings.line_numbers);
    window.state_mut().settings = *settings;
    window.run();
    assert!(shows(&window, "Hide line numbers") && !shows(&window, "Show line numbers"));
}

#[test]
fn text_from_right_to_left_is_not_passed_off_as_laid_out() {
    let mut story = Story::new(World::default(), "codex");
    story
        .user("Say it")
        .say("In Hebrew: שלום עולם.\n\nAnd in English.");
    story.end(1);
    // The bundled fonts have no Hebrew; a system may.
    let builder = Harness::builder().allow_missing_glyphs();
    let window = built(builder, story.world, [700.0, 600.0]);
    assert!(shows(&window, "Text written from right to left"));
    assert!(
        shows(&window, "In Hebrew: שלום עולם."),
        "it is copied as it is"
    );
}
