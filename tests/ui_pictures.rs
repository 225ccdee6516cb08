//! How the transcript looks: each kind of block, a change, a table with Japanese, code that streams, light and dark.
//! After a wanted change `UPDATE_SNAPSHOTS=1 cargo test --test ui_pictures` writes the pictures; look at each of them.

#[path = "support/renderer.rs"]
mod renderer;
#[path = "support/scenes.rs"]
mod scenes;
#[path = "support/story.rs"]
mod story;
#[expect(dead_code, reason = "shared with others")]
#[path = "support/world.rs"]
mod world;

use agent_panel::core::tool_call::{ToolCallStatus, ToolKind};
use agent_panel::i18n::{I18n, Language};
use agent_panel::ui::theme::Theme;
use agent_panel::ui::transcript::folds::FoldPart;
use egui_kittest::{Harness, SnapshotOptions};
use renderer::SoftwareRenderer;
use scenes::{Words, details, parts, rich, trouble, work};
use serde_json::json;
use story::{Story, diff, done, output};
use world::{World, built};

/// Another processor may round a few corners of letters otherwise.
const PIXELS_THAT_MAY_DIFFER: usize = 40;

/// The person's look and language, and how the scene is made.
#[derive(Clone, Copy)]
struct Scene {
    name: &'static str,
    is_dark: bool,
    words: Words,
    size: [f32; 2],
    make: fn(World, Words) -> Story,
    at_start: bool,
}

fn check(scene: Scene) {
    let theme = if scene.is_dark {
        Theme::dark(14)
    } else {
        Theme::light(14)
    };
    let language = match scene.words {
        Words::English => Language::English,
        Words::Japanese => Language::Japanese,
    };
    let world = World {
        theme,
        i18n: I18n::new(language),
        ..World::default()
    };
    let builder = Harness::builder()
        .renderer(SoftwareRenderer::default())
        .with_max_steps(64);
    let story = (scene.make)(world, scene.words);
    let mut window = built(builder, story.world, scene.size);
    if scene.at_start {
        let focused = window.ctx.memory(egui::Memory::focused);
        if let Some(id) = focused {
            window.ctx.memory_mut(|memory| memory.surrender_focus(id));
        }
        window.key_press(egui::Key::Home);
    }
    window.run_ok();
    window.set_render_cursor(false);
    let options = SnapshotOptions::new()
        .output_path("tests/ui_pictures/snapshots")
        .max_failed_pixels(PIXELS_THAT_MAY_DIFFER);
    window.snapshot_options(scene.name, &options);
}

#[test]
fn a_turn_with_its_calls_and_a_plan() {
    check(Scene {
        name: "work-dark",
        is_dark: true,
        words: Words::English,
        size: [640.0, 900.0],
        make: work,
        at_start: false,
    });
}

#[test]
fn a_change_and_an_output_that_are_open() {
    check(Scene {
        name: "details-light",
        is_dark: false,
        words: Words::English,
        size: [640.0, 1_100.0],
        make: details,
        at_start: false,
    });
}

#[test]
fn markdown_with_a_table_in_japanese() {
    check(Scene {
        name: "rich-dark-ja",
        is_dark: true,
        words: Words::Japanese,
        size: [640.0, 1_500.0],
        make: rich,
        at_start: true,
    });
}

#[test]
fn a_thought_a_group_a_subagent_and_a_picture() {
    check(Scene {
        name: "parts-light",
        is_dark: false,
        words: Words::English,
        size: [640.0, 1_300.0],
        make: parts,
        at_start: true,
    });
}

#[test]
fn what_went_wrong() {
    check(Scene {
        name: "trouble-light-ja",
        is_dark: false,
        words: Words::Japanese,
        size: [640.0, 900.0],
        make: trouble,
        at_start: false,
    });
}

#[test]
fn a_change_with_its_words_marked() {
    check(Scene {
        name: "change-dark",
        is_dark: true,
        words: Words::English,
        size: [640.0, 640.0],
        make: |world, _| {
            let mut story = Story::new(world, "codex");
            story.user("Rename it.");
            let old = "fn main() {\n    let berth = harbor.berth(7);\n    moor(berth);\n}\n";
            let new = "fn main() {\n    let place = harbor.place(7)?;\n    // At last.\n    moor(place);\n}\n";
            let edit = done(
                ToolCallStatus::Completed,
                diff("src/main.rs", Some(old), new),
            );
            story.call(ToolKind::Edit, "edit", json!({}), 50, edit);
            let edited = story.last();
            story.open(edited, FoldPart::Body);
            let printed =
                "\u{1b}[1;32m    Finished\u{1b}[0m in 2 s\n\u{1b}[31mFAILED\u{1b}[0m one test\n";
            let run = done(ToolCallStatus::Failed, output(printed));
            let input = json!({"command": "cargo test"});
            story.call(ToolKind::Execute, "cargo test", input, 2_000, run);
            let ran = story.last();
            story.open(ran, FoldPart::Body);
            story
        },
        at_start: false,
    });
}

#[test]
fn code_that_is_still_arriving() {
    check(Scene {
        name: "streaming-dark",
        is_dark: true,
        words: Words::English,
        size: [520.0, 420.0],
        make: |world, _| {
            let mut story = Story::new(world, "codex");
            story.user("Write it.");
            story.say("Here it is, with a **bold** word and `code`:\n\n```rust\nfn main() {\n    let berth = har");
            story
        },
        at_start: false,
    });
}
