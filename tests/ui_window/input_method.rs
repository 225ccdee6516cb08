//! Case O-07: Enter belongs to the input method, in every text field and in every order of events.

use agent_panel::core::command::{Command, Prompt};
use agent_panel::core::controls::{Model, Models};
use agent_panel::core::event::OpenedSession;
use agent_panel::core::ids::ModelId;
use agent_panel::ui::cx::UiAction;
use egui::{Event, ImeEvent, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::world::{World, in_one_frame, window};
use super::{WIDE, click};

fn preedit(text: &str) -> Event {
    Event::Ime(ImeEvent::Preedit {
        text: text.to_owned(),
        active_range_chars: None,
    })
}

fn commit(text: &str) -> Event {
    Event::Ime(ImeEvent::Commit(text.to_owned()))
}

fn key(key: Key, pressed: bool) -> Event {
    Event::Key {
        key,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    }
}

/// The frames in which `今日` is composed and confirmed with Enter, in the orders that platforms use.
fn orders() -> [Vec<Vec<Event>>; 4] {
    let press = || key(Key::Enter, true);
    let release = || key(Key::Enter, false);
    let composing = || vec![preedit("きょう")];
    let chosen = || vec![preedit("今日")];
    [
        // The key comes before the text.
        vec![
            composing(),
            chosen(),
            vec![press()],
            vec![commit("今日")],
            vec![release()],
        ],
        // The key comes after the text, in the same frame.
        vec![
            composing(),
            chosen(),
            vec![commit("今日"), press(), release()],
        ],
        // The same with the empty preedit that some platforms send first.
        vec![
            composing(),
            chosen(),
            vec![preedit(""), commit("今日"), press(), release()],
        ],
        // The input method keeps the key for itself.
        vec![composing(), chosen(), vec![preedit(""), commit("今日")]],
    ]
}

/// A text field of the window, and how one gets there.
struct Field {
    name: &'static str,
    open: fn() -> Harness<'static, World>,
    /// What the field is called.
    label: &'static str,
}

const FIELDS: [Field; 5] = [
    Field {
        name: "composer",
        open: composer,
        label: "Message",
    },
    Field {
        name: "search of a selector",
        open: search,
        label: "Search",
    },
    Field {
        name: "folder",
        open: folder,
        label: "Folder path",
    },
    Field {
        name: "custom command",
        open: custom,
        label: "Command",
    },
    Field {
        name: "custom name",
        open: custom,
        label: "Name",
    },
];

fn composer() -> Harness<'static, World> {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "go");
    window(world, WIDE)
}

fn search() -> Harness<'static, World> {
    let mut world = World::default();
    let models = (0..20).map(|number| Model {
        id: ModelId::from(format!("m{number}")),
        name: format!("今日 {number}"),
        description: None,
        context_window: None,
    });
    let opened = OpenedSession {
        models: Some(Models {
            current: ModelId::from("m5"),
            available: models.collect(),
        }),
        ..OpenedSession::default()
    };
    let session = world.open_with("claude-code", opened);
    world.prompt(session, "go");
    let mut window = window(world, WIDE);
    click(&mut window, "Model: 今日 5");
    window
}

fn folder() -> Harness<'static, World> {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "go");
    let mut window = window(world, WIDE);
    click(&mut window, "Menu");
    window
}

fn custom() -> Harness<'static, World> {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "go");
    let mut window = window(world, WIDE);
    click(&mut window, "Agent: Claude Code");
    click(&mut window, "Custom command…");
    // Something to accept, so that Enter would add it.
    window.state_mut().state.backend_menu.custom_name = String::new();
    window
}

fn value(window: &Harness<'_, World>, label: &str) -> String {
    let field = window.get_by_role_and_label(role(label), label);
    field.value().unwrap_or_default()
}

fn role(label: &str) -> egui::accesskit::Role {
    if label == "Message" {
        egui::accesskit::Role::MultilineTextInput
    } else {
        egui::accesskit::Role::TextInput
    }
}

/// What the person has caused so far.
fn caused(window: &Harness<'_, World>) -> (Vec<Command>, Vec<UiAction>) {
    let world = window.state();
    (world.commands.clone(), world.actions.clone())
}

#[test]
fn the_enter_that_confirms_a_conversion_does_nothing_else() {
    for field in FIELDS {
        for (number, frames) in orders().into_iter().enumerate() {
            let context = format!("{}, order {number}", field.name);
            let mut window = (field.open)();
            window
                .get_by_role_and_label(role(field.label), field.label)
                .focus();
            window.run_ok();
            for frame in frames {
                in_one_frame(&mut window, frame);
            }
            window.run_ok();
            assert_eq!(value(&window, field.label), "今日", "{context}");
            assert_eq!(caused(&window), (Vec::new(), Vec::new()), "{context}");
            // The second Enter is ours again.
            window.key_press(Key::Enter);
            window.run_ok();
            let is_heard = caused(&window) != (Vec::new(), Vec::new());
            let has_an_effect = field.label != "Name";
            assert_eq!(is_heard, has_an_effect, "{context}");
        }
    }
}

#[test]
fn keys_during_a_composition_leave_what_is_written_alone() {
    for field in FIELDS {
        let mut window = (field.open)();
        let typed = window.get_by_role_and_label(role(field.label), field.label);
        typed.focus();
        window.run_ok();
        window.event(Event::Text("ab".to_owned()));
        window.run_ok();
        in_one_frame(&mut window, vec![preedit("きょう")]);
        for pressed in [
            Key::Backspace,
            Key::ArrowLeft,
            Key::ArrowUp,
            Key::Tab,
            Key::Escape,
        ] {
            in_one_frame(&mut window, vec![key(pressed, true), key(pressed, false)]);
        }
        assert_eq!(value(&window, field.label), "abきょう", "{}", field.name);
        // Escape has ended the composition, and nothing else.
        in_one_frame(&mut window, vec![preedit(""), key(Key::Escape, true)]);
        window.run_ok();
        assert_eq!(value(&window, field.label), "ab", "{}", field.name);
        assert_eq!(caused(&window), (Vec::new(), Vec::new()), "{}", field.name);
    }
}

#[test]
fn a_character_that_is_committed_without_a_composition_takes_no_key() {
    let mut window = composer();
    let session = window.state().state.shown.expect("a session");
    window.get_by_label("Message").focus();
    window.run_ok();
    in_one_frame(&mut window, vec![commit("！")]);
    window.key_press(Key::Enter);
    window.run_ok();
    let prompt = Prompt::text("！");
    assert_eq!(
        window.state().commands,
        [Command::Prompt { session, prompt }]
    );
}

#[test]
fn leaving_the_window_loses_no_key_and_doubles_no_text() {
    let mut window = composer();
    let session = window.state().state.shown.expect("a session");
    window.get_by_label("Message").focus();
    window.run_ok();
    in_one_frame(&mut window, vec![preedit("きょう")]);
    window.input_mut().focused = false;
    in_one_frame(
        &mut window,
        vec![preedit(""), commit("きょう"), Event::WindowFocused(false)],
    );
    window.input_mut().focused = true;
    in_one_frame(&mut window, vec![Event::WindowFocused(true)]);
    window.event(Event::Text("は".to_owned()));
    window.run_ok();
    assert_eq!(value(&window, "Message"), "きょうは");
    window.key_press(Key::Enter);
    window.run_ok();
    let prompt = Prompt::text("きょうは");
    assert_eq!(
        window.state().commands,
        [Command::Prompt { session, prompt }]
    );
}

#[test]
fn enter_does_not_choose_a_command_during_a_composition() {
    let mut world = World::default();
    let session = world.open("claude-code");
    let command = agent_panel::core::controls::AvailableCommand {
        name: "今日の予定".to_owned(),
        description: String::new(),
        hint: None,
    };
    world.session_event(
        session,
        agent_panel::core::event::SessionEvent::CommandsReplaced(vec![command]),
    );
    let mut window = window(world, WIDE);
    window.get_by_label("Message").focus();
    window.run_ok();
    window.event(Event::Text("/".to_owned()));
    window.run_ok();
    in_one_frame(&mut window, vec![preedit("きょう")]);
    in_one_frame(&mut window, vec![preedit("今日")]);
    in_one_frame(
        &mut window,
        vec![
            key(Key::Enter, true),
            commit("今日"),
            key(Key::Enter, false),
        ],
    );
    window.run_ok();
    assert_eq!(value(&window, "Message"), "/今日");
    window.key_press(Key::Enter);
    window.run_ok();
    assert_eq!(value(&window, "Message"), "/今日の予定 ");
}

#[test]
fn drafts_are_not_stored_while_composing() {
    let mut window = composer();
    window.get_by_label("Message").focus();
    window.run_ok();
    in_one_frame(&mut window, vec![preedit("きょう")]);
    assert!(!window.state().state.drafts_changed);
    in_one_frame(&mut window, vec![commit("今日")]);
    assert!(window.state().state.drafts_changed);
}

#[test]
fn the_candidates_stand_at_the_caret() {
    let mut window = composer();
    window.get_by_label("Message").focus();
    window.run_ok();
    let caret = |window: &Harness<'_, World>| {
        let output = window.output().platform_output.ime;
        output.expect("an input method").cursor_rect.left()
    };
    let before = caret(&window);
    window.event(Event::Text("今日は".to_owned()));
    window.run_ok();
    assert!(caret(&window) > before + 20.0);
}
