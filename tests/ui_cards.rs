//! The cards of questions, plans and MCP servers, by their labels and the commands that come out; no pixels.

#[path = "ui_cards/always.rs"]
mod always;
#[path = "support/cards.rs"]
mod cards;
#[path = "ui_cards/client.rs"]
mod client;
#[path = "ui_cards/mcp.rs"]
mod mcp;
#[path = "ui_cards/plan.rs"]
mod plan;
#[path = "ui_cards/question.rs"]
mod question;
#[path = "ui_cards/servers.rs"]
mod servers;
#[path = "ui_cards/slash.rs"]
mod slash;
#[path = "ui_cards/usage.rs"]
mod usage;
#[expect(dead_code, reason = "other tests use the rest of it")]
#[path = "support/world.rs"]
mod world;

use std::path::PathBuf;

use agent_panel::core::effect::Effect;
use agent_panel::core::event::SessionEvent;
use agent_panel::core::ids::{RequestId, SessionKey};
use agent_panel::core::policy::paths::{PathFact, PathFacts};
use agent_panel::i18n::{I18n, Language};
use agent_panel::ui::theme::Theme;
use egui::{Event, ImeEvent, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use world::{World, in_one_frame, pass, window};

const WIDE: [f32; 2] = [900.0, 900.0];
const NARROW: [f32; 2] = [330.0, 640.0];

/// A window in which what is shown has stood long enough.
fn settled(world: World) -> Harness<'static, World> {
    let mut window = window(world, WIDE);
    pass(&mut window, 600);
    window
}

/// Looks up the paths of a request; each is where it says.
fn resolve(world: &mut World, session: SessionKey, request: RequestId) {
    let mut facts = PathFacts::default();
    let looked_up = world.effects.iter().filter_map(|effect| match effect {
        Effect::ResolvePaths { paths, .. } => Some(paths),
        _ => None,
    });
    for path in looked_up.flatten() {
        let fact = PathFact {
            existing: path.clone(),
            missing: PathBuf::new(),
        };
        facts.insert(path.clone(), fact);
    }
    let event = SessionEvent::PathsResolved {
        request,
        facts: Box::new(facts),
    };
    world.session_event(session, event);
}

/// Clicks what has this label, and waits until the next click counts.
fn click(window: &mut Harness<'_, World>, label: &str) {
    window.get_by_label(label).click();
    window.run_ok();
    pass(window, 600);
}

fn shows(window: &Harness<'_, World>, label: &str) -> bool {
    window.query_all_by_label_contains(label).next().is_some()
}

fn type_text(window: &mut Harness<'_, World>, text: &str) {
    window.event(Event::Text(text.to_owned()));
    window.run_ok();
}

fn press(window: &mut Harness<'_, World>, key: Key) {
    window.key_press(key);
    window.run_ok();
}

fn preedit(text: &str) -> Event {
    Event::Ime(ImeEvent::Preedit {
        text: text.to_owned(),
        active_range_chars: None,
    })
}

/// Composes `今日` and confirms it with Enter, in each order that platforms use.
fn composed() -> [Vec<Vec<Event>>; 3] {
    let commit = || Event::Ime(ImeEvent::Commit("今日".to_owned()));
    let enter = |pressed| Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    [
        vec![
            vec![preedit("きょう")],
            vec![preedit("今日")],
            vec![enter(true)],
            vec![commit()],
            vec![enter(false)],
        ],
        vec![
            vec![preedit("今日")],
            vec![commit(), enter(true), enter(false)],
        ],
        vec![vec![preedit("今日")], vec![preedit(""), commit()]],
    ]
}

fn in_frames(window: &mut Harness<'_, World>, frames: Vec<Vec<Event>>) {
    for events in frames {
        in_one_frame(window, events);
    }
    window.run_ok();
}

/// Each state in Japanese, narrow and in large text: the harness panics on a glyph that no font has.
#[test]
fn japanese_needs_no_glyph_that_is_not_there() {
    let states: [fn() -> World; 7] = [
        always::asking,
        question::asking,
        question::asking_for_text,
        plan::asking,
        usage::used,
        servers::page,
        servers::asking,
    ];
    for make in states {
        for (size, text_size) in [(WIDE, 14), (NARROW, 14), (WIDE, 24)] {
            let mut world = make();
            world.i18n = I18n::new(Language::Japanese);
            world.theme = Theme::light(text_size);
            let mut window = window(world, size);
            pass(&mut window, 600);
            for button in [
                "変更点を伝えて差し戻す…",
                "今後も許可…",
                "その他…",
                "コンテキスト 82 %",
            ] {
                if window.query_by_label(button).is_some() {
                    click(&mut window, button);
                }
            }
        }
    }
}
