//! The window by its labels and the commands that come out of it; no pixels.

#[path = "ui_window/composer.rs"]
mod composer;
#[path = "ui_window/header.rs"]
mod header;
#[path = "ui_window/input_method.rs"]
mod input_method;
#[path = "ui_window/level.rs"]
mod level;
#[path = "ui_window/permission.rs"]
mod permission;
#[path = "ui_window/protocol.rs"]
mod protocol;
#[path = "ui_window/rules.rs"]
mod rules;
#[path = "ui_window/sign_in.rs"]
mod sign_in;
#[path = "ui_window/status_bar.rs"]
mod status_bar;
#[path = "support/world.rs"]
mod world;

use std::time::Duration;

use agent_panel::i18n::{I18n, Language};
use agent_panel::ui::theme::Theme;
use egui::ViewportId;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use world::{World, window};

const WIDE: [f32; 2] = [900.0, 700.0];
const TALL: [f32; 2] = [900.0, 1200.0];
const NARROW: [f32; 2] = [330.0, 640.0];

/// Clicks what has this label.
fn click(window: &mut Harness<'_, World>, label: &str) {
    // The transcript says some things as well; cards and bars stand below it.
    let last = window.get_all_by_label(label).last().expect("there is one");
    last.click();
    window.run_ok();
}

/// The labels that stand on the screen.
fn shows(window: &Harness<'_, World>, label: &str) -> bool {
    window.query_all_by_label_contains(label).next().is_some()
}

/// How long the window sleeps by itself.
fn sleeps_for(window: &Harness<'_, World>) -> Duration {
    window
        .output()
        .viewport_output
        .get(&ViewportId::ROOT)
        .expect("the window's viewport")
        .repaint_delay
}

#[test]
fn an_idle_window_asks_for_no_frame() {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "hello");
    world.end_turn(session, 1);
    let mut window = window(world, WIDE);
    window.get_by_label("Message").focus();
    window.run_steps(3);
    assert_eq!(sleeps_for(&window), Duration::MAX);
}

#[test]
fn a_working_window_asks_for_four_frames_a_second_at_most() {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "hello");
    world.now = world.now.plus_millis(3_000);
    let mut window = window(world, WIDE);
    window.run_steps(3);
    assert!(shows(&window, "Working, 3 s"));
    // The harness subtracts the length of a frame.
    assert!(sleeps_for(&window) >= Duration::from_millis(200));
    assert!(sleeps_for(&window) <= Duration::from_millis(250));
}

/// Each state in Japanese, narrow and in large text: the harness panics on a glyph that no font has.
#[test]
fn japanese_needs_no_glyph_that_is_not_there() {
    let states: [fn() -> World; 5] = [
        rules::listed,
        permission::asking,
        sign_in::needs_sign_in,
        status_bar::used,
        composer::full,
    ];
    for make in states {
        for (size, text_size) in [(WIDE, 14), (NARROW, 14), (WIDE, 24)] {
            let mut world = make();
            world.i18n = I18n::new(Language::Japanese);
            world.theme = Theme::light(text_size);
            let mut window = window(world, size);
            for menu in ["メニュー", "エージェント：Claude Code"] {
                if window.query_by_label(menu).is_some() {
                    click(&mut window, menu);
                }
            }
        }
    }
}
