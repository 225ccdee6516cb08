//! Draws the transcript in its states, for people to look at:
//! `cargo run --example transcript_pictures -- FOLDER [NAME]…`.

#[path = "../tests/support/renderer.rs"]
mod renderer;
#[path = "../tests/support/scenes.rs"]
mod scenes;
#[path = "../tests/support/story.rs"]
mod story;
#[expect(dead_code, reason = "shared with others")]
#[path = "../tests/support/world.rs"]
mod world;

use std::path::{Path, PathBuf};

use agent_panel::i18n::{I18n, Language};
use agent_panel::ui::theme::Theme;
use egui_kittest::Harness;
use renderer::SoftwareRenderer;
use scenes::{Words, details, parts, rich, trouble, work};
use story::Story;
use world::{World, built};

const SIZES: [(&str, [f32; 2]); 2] = [("420", [420.0, 700.0]), ("900", [900.0, 900.0])];

type State = (
    &'static str,
    fn(World, Words) -> World,
    fn(&mut Harness<'_, World>),
);

const STATES: &[State] = &[
    ("end", |world, words| work(world, words).world, |_| {}),
    (
        "start",
        |world, words| work(world, words).world,
        |window| key(window, egui::Key::Home),
    ),
    (
        "details",
        |world, words| details(world, words).world,
        |window| key(window, egui::Key::PageUp),
    ),
    (
        "details-end",
        |world, words| details(world, words).world,
        |_| {},
    ),
    (
        "trouble",
        |world, words| trouble(world, words).world,
        |_| {},
    ),
    (
        "trouble-start",
        |world, words| trouble(world, words).world,
        |window| key(window, egui::Key::Home),
    ),
    (
        "rich",
        |world, words| rich(world, words).world,
        |window| key(window, egui::Key::Home),
    ),
    ("rich-end", |world, words| rich(world, words).world, |_| {}),
    (
        "parts",
        |world, words| parts(world, words).world,
        |window| key(window, egui::Key::Home),
    ),
    (
        "parts-end",
        |world, words| parts(world, words).world,
        |_| {},
    ),
    (
        "empty",
        |world, _| Story::new(world, "claude-code").world,
        |_| {},
    ),
    ("demo", |world, _| Story::new(world, "demo").world, |_| {}),
];

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().expect("a folder for the pictures"));
    std::fs::create_dir_all(&folder).expect("a folder that can be made");
    let wanted: Vec<String> = args.collect();
    for (name, make, act) in STATES {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            draw(&folder, name, *make, *act);
        }
    }
}

fn draw(
    folder: &Path,
    name: &str,
    make: fn(World, Words) -> World,
    act: fn(&mut Harness<'_, World>),
) {
    for (size_name, size) in SIZES {
        for (look, theme, language, words) in [
            (
                "dark-en",
                Theme::dark(14),
                Language::English,
                Words::English,
            ),
            (
                "light-en",
                Theme::light(14),
                Language::English,
                Words::English,
            ),
            (
                "dark-ja",
                Theme::dark(14),
                Language::Japanese,
                Words::Japanese,
            ),
            (
                "light-ja",
                Theme::light(14),
                Language::Japanese,
                Words::Japanese,
            ),
        ] {
            let mut world = World {
                theme,
                ..World::default()
            };
            world.i18n = I18n::new(language);
            let builder = Harness::builder()
                .renderer(SoftwareRenderer::default())
                .with_max_steps(64);
            let mut window = built(builder, make(world, words), size);
            act(&mut window);
            window.run_ok();
            window.set_render_cursor(false);
            let picture = window.render().expect("a picture");
            let path = folder.join(format!("{name}-{size_name}-{look}.png"));
            picture.save(&path).expect("a picture that can be written");
        }
    }
}

fn key(window: &mut Harness<'_, World>, key: egui::Key) {
    let focused = window.ctx.memory(egui::Memory::focused);
    if let Some(id) = focused {
        window.ctx.memory_mut(|memory| memory.surrender_focus(id));
    }
    window.key_press(key);
    window.run_ok();
}
