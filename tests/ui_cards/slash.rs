//! Slash commands: ours and the agent's, and what they leave in the composer.

use agent_panel::core::command::{Command, Prompt};
use agent_panel::core::controls::AvailableCommand;
use agent_panel::core::event::SessionEvent;
use agent_panel::core::ids::SessionKey;
use agent_panel::core::transcript::Attachment;
use agent_panel::ui::cx::UiAction;
use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;

use super::world::{World, in_one_frame, window};
use super::{WIDE, press, shows, type_text};

/// A composer with the keyboard and an attachment.
fn composing() -> (Harness<'static, World>, SessionKey) {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.state.focus_composer = true;
    world.state.draft().attachments.push(attachment());
    (window(world, WIDE), session)
}

fn attachment() -> Attachment {
    Attachment {
        name: "harbor.log".to_owned(),
        uri: "file:///harbor.log".to_owned(),
        text: None,
    }
}

/// The text of the draft; its attachment is still there.
fn left(window: &mut Harness<'_, World>) -> String {
    let draft = window.state_mut().state.draft();
    assert_eq!(draft.attachments, [attachment()]);
    draft.text.clone()
}

#[test]
fn ours_are_offered_by_an_agent_that_has_none() {
    let (mut window, _) = composing();
    type_text(&mut window, "/");
    for label in ["/compact", "/clear", "/mcp"] {
        assert!(shows(&window, label), "{label}");
    }
}

#[test]
fn what_a_command_takes_is_put_in_brackets_once() {
    let mut world = World::default();
    let session = world.open("claude-code");
    let command = |name: &str, hint: &str| AvailableCommand {
        name: name.to_owned(),
        description: String::new(),
        hint: Some(hint.to_owned()),
    };
    let commands = vec![command("review", "[number]"), command("plan", "what")];
    world.session_event(session, SessionEvent::CommandsReplaced(commands));
    world.state.focus_composer = true;
    let mut window = window(world, WIDE);
    type_text(&mut window, "/");
    assert!(shows(&window, "/review [number]"));
    assert!(shows(&window, "/plan <what>"));
}

#[test]
fn clear_opens_a_session_and_sends_nothing() {
    let (mut window, _) = composing();
    type_text(&mut window, "/clear");
    press(&mut window, Key::Enter);
    assert_eq!(window.state().actions, [UiAction::NewSession]);
    assert_eq!(window.state().commands, []);
    assert_eq!(left(&mut window), "");
}

#[test]
fn mcp_is_answered_by_us() {
    let (mut window, session) = composing();
    type_text(&mut window, "/mc");
    press(&mut window, Key::Tab);
    assert_eq!(left(&mut window), "/mcp ");
    press(&mut window, Key::Enter);
    assert_eq!(window.state().commands, [Command::ShowMcp { session }]);
    assert_eq!(left(&mut window), "");
}

#[test]
fn a_command_of_the_agent_takes_no_attachments_along() {
    let (mut window, session) = composing();
    type_text(&mut window, "/compact keep the names");
    press(&mut window, Key::Enter);
    let prompt = Prompt::text("/compact keep the names");
    assert_eq!(
        window.state().commands,
        [Command::Prompt { session, prompt }]
    );
    assert_eq!(left(&mut window), "");
}

#[test]
fn a_path_is_a_message_and_takes_them_along() {
    let (mut window, session) = composing();
    type_text(&mut window, "/usr/bin is full");
    press(&mut window, Key::Enter);
    let prompt = Prompt {
        attachments: vec![attachment()],
        ..Prompt::text("/usr/bin is full")
    };
    assert_eq!(
        window.state().commands,
        [Command::Prompt { session, prompt }]
    );
}

#[test]
fn a_command_gives_a_session_no_title() {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.apply(Command::ShowMcp { session });
    world.prompt(session, "Tidy the harbor");
    let window = window(world, WIDE);
    assert!(shows(&window, "Session: Tidy the harbor"));
}

/// What a fast hand types into the field in one frame.
fn burst(window: &mut Harness<'_, World>, text: &str) {
    let enter = |pressed| Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    let mut events: Vec<_> = text.chars().map(|c| Event::Text(c.to_string())).collect();
    events.extend([enter(true), enter(false)]);
    in_one_frame(window, events);
    window.run_ok();
}

#[test]
fn enter_right_behind_a_command_is_for_the_text_as_it_stands_by_then() {
    let (mut window, session) = composing();
    type_text(&mut window, "/mc");
    burst(&mut window, "p ");
    assert_eq!(window.state().commands, [Command::ShowMcp { session }]);
    assert_eq!(left(&mut window), "");

    // The list is still shown for what is typed so far, so Enter takes from it.
    let (mut window, _) = composing();
    type_text(&mut window, "/");
    burst(&mut window, "m");
    assert_eq!(window.state().commands, []);
    assert_eq!(left(&mut window), "/mcp ");

    // What is no command is a message, whatever the list showed before.
    let (mut window, session) = composing();
    type_text(&mut window, "/tour");
    burst(&mut window, " the harbor");
    let prompt = Prompt::text("/tour the harbor");
    assert_eq!(
        window.state().commands,
        [Command::Prompt { session, prompt }]
    );
}
