//! Slash commands: ours and the agent's, and what they leave in the composer.

use agent_panel::core::command::{Command, Prompt};
use agent_panel::core::ids::SessionKey;
use agent_panel::core::transcript::Attachment;
use agent_panel::ui::cx::UiAction;
use egui::Key;
use egui_kittest::Harness;

use super::world::{World, window};
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
