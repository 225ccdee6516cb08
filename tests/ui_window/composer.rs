//! The composer: sending, queueing, stopping, slash commands, attachments, earlier prompts, choices.

use std::path::{Path, PathBuf};

use agent_panel::core::command::{Command, Prompt};
use agent_panel::core::controls::{
    AvailableCommand, ConfigChoice, ConfigOption, ConfigSetting, ConfigValue, Mode, Model, Models,
    Modes,
};
use agent_panel::core::event::{OpenedSession, SessionEvent};
use agent_panel::core::ids::{ModeId, ModelId, QueuedId, SessionKey};
use agent_panel::core::settings::SendKey;
use agent_panel::core::transcript::Attachment;
use agent_panel::ui::cx::UiAction;
use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::world::{World, in_one_frame, window};
use super::{NARROW, WIDE, click, shows};

fn command(name: &str) -> AvailableCommand {
    AvailableCommand {
        name: name.to_owned(),
        description: format!("Does {name}"),
        hint: None,
    }
}

/// An open session with the keyboard in the composer.
fn open() -> World {
    let mut world = World::default();
    let session = world.open("claude-code");
    let commands = ["compact", "plan", "explain"].map(command);
    world.session_event(session, SessionEvent::CommandsReplaced(commands.into()));
    world.state.focus_composer = true;
    world
}

/// A composer with everything in it.
pub(super) fn full() -> World {
    let mut world = choosing();
    let session = shown(&world);
    world.prompt(session, "first");
    world.prompt(session, "second");
    let draft = world.state.draft();
    draft.text.push_str("下書き");
    draft.attachments.push(Attachment {
        name: "harbor.log".to_owned(),
        uri: "file:///harbor.log".to_owned(),
        text: None,
    });
    world
}

fn choosing() -> World {
    let model = |id: &str, name: &str| Model {
        id: ModelId::from(id),
        name: name.to_owned(),
        description: Some(format!("About {name}")),
        context_window: None,
    };
    let mode = |id: &str, name: &str| Mode {
        id: ModeId::from(id),
        name: name.to_owned(),
        description: None,
    };
    let choice = |value: &str| ConfigChoice {
        value: value.to_owned(),
        name: value.to_owned(),
        description: None,
        group: None,
    };
    let mut world = World::default();
    let many: Vec<Model> = (0..14)
        .map(|number| model(&format!("m{number}"), &format!("Model {number}")))
        .collect();
    let opened = OpenedSession {
        models: Some(Models {
            current: ModelId::from("m0"),
            available: many,
        }),
        modes: Some(Modes {
            current: ModeId::from("ask"),
            available: vec![mode("ask", "Ask"), mode("plan", "Plan")],
        }),
        config_options: vec![
            ConfigOption {
                id: "level".into(),
                name: "Thinking".to_owned(),
                description: None,
                category: Some("thought_level".to_owned()),
                value: ConfigValue::Select {
                    current: "low".to_owned(),
                    choices: vec![choice("low"), choice("high")],
                },
            },
            ConfigOption {
                id: "web".into(),
                name: "Web search".to_owned(),
                description: None,
                category: None,
                value: ConfigValue::Boolean { current: false },
            },
        ],
        ..OpenedSession::default()
    };
    world.open_with("claude-code", opened);
    world
}

/// A file as the window system hands it over.
#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        Err("nobody reads it".to_owned())
    }
}

fn shown(world: &World) -> SessionKey {
    world.state.shown.expect("a session")
}

fn text(window: &mut Harness<'_, World>) -> String {
    window.state_mut().state.draft().text.clone()
}

fn type_text(window: &mut Harness<'_, World>, text: &str) {
    window.event(Event::Text(text.to_owned()));
    window.run_ok();
}

fn prompt(session: SessionKey, text: &str) -> Command {
    Command::Prompt {
        session,
        prompt: Prompt::text(text),
    }
}

fn enter(modifiers: Modifiers) -> Event {
    Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers,
    }
}

#[test]
fn enter_sends_and_shift_enter_starts_a_line() {
    let mut window = window(open(), WIDE);
    let session = shown(window.state());
    type_text(&mut window, "one");
    window.key_press_modifiers(Modifiers::SHIFT, Key::Enter);
    type_text(&mut window, "two");
    assert_eq!(text(&mut window), "one\ntwo");
    window.key_press(Key::Enter);
    window.run_ok();
    assert_eq!(window.state().commands, [prompt(session, "one\ntwo")]);
    assert_eq!(text(&mut window), "");
    assert!(window.state().state.drafts_changed);
}

#[test]
fn the_other_way_round_by_setting() {
    let mut world = open();
    world.settings.send_key = SendKey::CommandEnter;
    let mut window = window(world, WIDE);
    let session = shown(window.state());
    type_text(&mut window, "one");
    window.key_press(Key::Enter);
    type_text(&mut window, "two");
    assert_eq!(window.state().commands, []);
    // The modifier is let go within the same frame, as a fast hand does it.
    in_one_frame(
        &mut window,
        vec![enter(Modifiers::COMMAND | Modifiers::CTRL)],
    );
    window.run_ok();
    assert_eq!(window.state().commands, [prompt(session, "one\ntwo")]);
}

#[test]
fn what_is_typed_after_enter_in_the_same_frame_is_the_next_message() {
    let mut window = window(open(), WIDE);
    let session = shown(window.state());
    let events = vec![
        Event::Text("first".to_owned()),
        enter(Modifiers::NONE),
        Event::Text("next".to_owned()),
    ];
    in_one_frame(&mut window, events);
    window.run_ok();
    assert_eq!(window.state().commands, [prompt(session, "first")]);
    assert_eq!(text(&mut window), "next");
}

#[test]
fn an_empty_message_is_not_sent() {
    let mut window = window(open(), WIDE);
    type_text(&mut window, "  ");
    window.key_press(Key::Enter);
    window.run_ok();
    assert_eq!(window.state().commands, []);
}

#[test]
fn send_becomes_stop_and_queue_while_a_turn_runs() {
    let mut world = open();
    let session = shown(&world);
    world.prompt(session, "go");
    let mut window = window(world, WIDE);
    click(&mut window, "Stop");
    assert_eq!(
        window.state_mut().commands,
        [Command::CancelTurn { session }]
    );
    window.state_mut().commands.clear();
    window.get_by_label("Message").focus();
    type_text(&mut window, "and then");
    assert!(shows(&window, "Sent when this turn ends"));
    assert!(window.query_by_label("Stop").is_none());
    click(&mut window, "Queue");
    assert_eq!(
        window.state_mut().apply_commands(),
        [prompt(session, "and then")]
    );
    window.run_ok();
    assert!(shows(&window, "Queued: and then"));
}

#[test]
fn a_queued_message_comes_back_into_an_empty_draft() {
    let mut world = open();
    let session = shown(&world);
    world.prompt(session, "go");
    world.prompt(session, "and then");
    let mut window = window(world, WIDE);
    click(&mut window, "Remove queued message “and then”");
    let queued = QueuedId(2);
    assert_eq!(
        window.state_mut().apply_commands(),
        [Command::DropQueued { session, queued }]
    );
    assert_eq!(text(&mut window), "and then");
}

#[test]
fn a_queued_message_that_is_removed_leaves_another_draft_alone() {
    let mut world = open();
    let session = shown(&world);
    world.prompt(session, "go");
    world.prompt(session, "and then");
    world.state.draft().text = "a draft".to_owned();
    let mut window = window(world, WIDE);
    click(&mut window, "Remove queued message “and then”");
    assert_eq!(text(&mut window), "a draft");
}

#[test]
fn slash_commands_are_offered_and_completed() {
    let mut window = window(open(), WIDE);
    type_text(&mut window, "/pl");
    assert!(shows(&window, "/plan"));
    assert!(shows(&window, "/explain"));
    window.key_press(Key::ArrowDown);
    window.run_ok();
    window.key_press(Key::Tab);
    window.run_ok();
    assert_eq!(text(&mut window), "/explain ");
    assert!(!shows(&window, "/plan"));
    // The cursor stands behind it.
    type_text(&mut window, "this");
    assert_eq!(text(&mut window), "/explain this");
}

#[test]
fn enter_completes_a_part_of_a_command_and_sends_a_whole_one() {
    let mut window = window(open(), WIDE);
    let session = shown(window.state());
    type_text(&mut window, "/pla");
    window.key_press(Key::Enter);
    window.run_ok();
    assert_eq!(text(&mut window), "/plan ");
    assert_eq!(window.state().commands, []);
    window.state_mut().state.draft().text = "/plan".to_owned();
    window.run_ok();
    window.key_press(Key::Enter);
    window.run_ok();
    assert_eq!(window.state().commands, [prompt(session, "/plan")]);
}

#[test]
fn escape_closes_the_commands_and_stops_nothing() {
    let mut world = open();
    let session = shown(&world);
    world.prompt(session, "go");
    let mut window = window(world, WIDE);
    type_text(&mut window, "/");
    window.key_press(Key::Escape);
    window.run_ok();
    assert!(!shows(&window, "/plan"));
    assert_eq!(window.state().commands, []);
    window.key_press(Key::Escape);
    window.run_ok();
    assert_eq!(window.state().commands, [Command::CancelTurn { session }]);
}

#[test]
fn a_command_is_taken_with_a_click() {
    let mut window = window(open(), WIDE);
    type_text(&mut window, "/");
    click(&mut window, "/compact");
    assert_eq!(text(&mut window), "/compact ");
}

#[test]
fn up_in_an_empty_field_brings_earlier_prompts_back() {
    let mut world = open();
    let session = shown(&world);
    for (turn, text) in [(1, "first"), (2, "second")] {
        world.prompt(session, text);
        world.end_turn(session, turn);
    }
    let mut window = window(world, WIDE);
    let mut press = |key| {
        window.key_press(key);
        window.run_ok();
        text(&mut window)
    };
    assert_eq!(press(Key::ArrowUp), "second");
    assert_eq!(press(Key::ArrowUp), "first");
    assert_eq!(press(Key::ArrowUp), "first");
    assert_eq!(press(Key::ArrowDown), "second");
    assert_eq!(press(Key::ArrowDown), "");
}

#[test]
fn typing_while_nothing_has_the_keyboard_goes_to_the_draft() {
    let mut world = open();
    world.state.focus_composer = false;
    let mut window = window(world, WIDE);
    type_text(&mut window, "hello");
    assert_eq!(text(&mut window), "hello");
}

#[test]
fn attachments_can_be_removed_and_are_sent_without_text() {
    let mut world = open();
    let session = shown(&world);
    let attachment = |name: &str| Attachment {
        name: name.to_owned(),
        uri: format!("file:///{name}"),
        text: None,
    };
    let draft = world.state.draft();
    draft.attachments = vec![attachment("a.log"), attachment("b.log")];
    let mut window = window(world, WIDE);
    click(&mut window, "Remove a.log");
    click(&mut window, "Send");
    let expected = Command::Prompt {
        session,
        prompt: Prompt {
            attachments: vec![attachment("b.log")],
            ..Prompt::default()
        },
    };
    assert_eq!(window.state().commands, [expected]);
}

#[test]
fn pasted_pictures_go_where_the_agent_takes_them() {
    let mut window = window(open(), WIDE);
    let picture = std::sync::Arc::new(egui::ColorImage::filled([2, 2], egui::Color32::TRANSPARENT));
    window.event(Event::PasteImage(picture.clone()));
    window.run_ok();
    assert_eq!(window.state().actions, [UiAction::AttachPicture(picture)]);
}

#[test]
fn a_chosen_model_is_sent_on_its_route() {
    let mut window = window(choosing(), WIDE);
    let session = shown(window.state());
    click(&mut window, "Model: Model 0");
    // Fourteen are too many to look through.
    window.event(Event::Text("11".to_owned()));
    window.run_ok();
    assert!(window.query_by_label("Model 3").is_none());
    window.key_press(Key::Enter);
    window.run_ok();
    let model = ModelId::from("m11");
    assert_eq!(
        window.state().commands,
        [Command::SetModel { session, model }]
    );
    assert!(!egui::Popup::is_any_open(&window.ctx));
}

#[test]
fn mode_level_and_options_are_sent_on_theirs() {
    let mut window = window(choosing(), WIDE);
    let session = shown(window.state());
    click(&mut window, "Mode: Ask");
    click(&mut window, "Plan");
    click(&mut window, "Level: low");
    click(&mut window, "high");
    click(&mut window, "Session options");
    click(&mut window, "Web search");
    let expected = [
        Command::SetMode {
            session,
            mode: ModeId::from("plan"),
        },
        Command::SetConfigOption {
            session,
            option: "level".into(),
            value: ConfigSetting::Choice("high".to_owned()),
        },
        Command::SetConfigOption {
            session,
            option: "web".into(),
            value: ConfigSetting::Boolean(true),
        },
    ];
    assert_eq!(window.state().commands, expected);
}

#[test]
fn a_narrow_window_folds_the_choices_into_one() {
    let mut window = window(choosing(), NARROW);
    assert!(window.query_by_label("Mode: Ask").is_none());
    click(&mut window, "Session options");
    click(&mut window, "Plan");
    assert!(matches!(
        window.state().commands.as_slice(),
        [Command::SetMode { .. }]
    ));
}

#[test]
fn files_are_chosen_with_the_button_or_dropped_on_the_window() {
    let mut window = window(open(), WIDE);
    click(&mut window, "Attach…");
    let file = std::sync::Arc::new(Dropped(PathBuf::from("/tmp/harbor.log")));
    window.input_mut().dropped_files.push(file);
    window.run_ok();
    let dropped = UiAction::AttachFiles(vec![PathBuf::from("/tmp/harbor.log")]);
    assert_eq!(window.state().actions, [UiAction::PickFiles, dropped]);
}
