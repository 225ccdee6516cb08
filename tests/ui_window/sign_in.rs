//! Case O-09: the sign-in card.

use std::collections::BTreeMap;

use agent_panel::core::backend::{AuthMethod, AuthMethodKind};
use agent_panel::core::command::Command;
use agent_panel::core::event::{ConnectionEvent, Event, SessionEvent};
use agent_panel::core::notice::RpcError;
use agent_panel::ui::cx::UiAction;

use super::world::{World, pass, window};
use super::{WIDE, click, shows};

fn error(message: &str) -> RpcError {
    RpcError {
        code: -32_000,
        message: message.to_owned(),
        data: None,
    }
}

fn method(id: &str, name: &str, kind: AuthMethodKind) -> AuthMethod {
    AuthMethod {
        id: id.into(),
        name: name.to_owned(),
        description: None,
        kind,
    }
}

fn refused(methods: Vec<AuthMethod>) -> World {
    let mut world = World::default();
    let session = world.start("gemini");
    world.initialize(session, methods);
    let error = error("Authentication required");
    world.session_event(session, SessionEvent::OpenFailed(error));
    world
}

/// An agent with a way to sign in of each kind.
pub(super) fn needs_sign_in() -> World {
    let terminal = AuthMethodKind::Terminal {
        program: None,
        args: vec!["--login".to_owned()],
        env: BTreeMap::new(),
    };
    let variables = AuthMethodKind::EnvVar {
        variables: vec!["GEMINI_API_KEY".to_owned()],
    };
    refused(vec![
        method("browser", "Google", AuthMethodKind::Agent),
        method("cli", "Terminal", terminal),
        method("key", "API key", variables),
    ])
}

#[test]
fn the_card_names_the_agent_and_its_ways() {
    let window = window(needs_sign_in(), WIDE);
    for words in [
        "Gemini CLI needs you to sign in",
        "Authentication required",
        "Sign in with Google",
        "gemini --login",
        "Set GEMINI_API_KEY and start the program again",
    ] {
        assert!(shows(&window, words), "{words}");
    }
}

#[test]
fn the_agent_signs_in_and_can_be_stopped() {
    let mut window = window(needs_sign_in(), WIDE);
    let session = window.state().state.shown.expect("a session");
    let connection = window.state().connection(session);
    click(&mut window, "Sign in with Google");
    let method = "browser".into();
    assert_eq!(
        window.state_mut().apply_commands(),
        [Command::Authenticate { connection, method }]
    );
    pass(&mut window, 14_000);
    assert!(shows(&window, "Waiting for “Google” to finish, 14 s"));
    assert!(shows(&window, "Signing in"));
    click(&mut window, "Cancel");
    assert_eq!(
        window.state_mut().apply_commands(),
        [Command::CancelSignIn { connection }]
    );
    window.run_ok();
    assert!(shows(&window, "Sign in with Google"));
}

#[test]
fn a_failed_sign_in_says_why() {
    let mut world = needs_sign_in();
    let session = world.state.shown.expect("a session");
    let connection = world.connection(session);
    world.apply(Command::Authenticate {
        connection,
        method: "browser".into(),
    });
    world.handle(Event::Connection {
        connection,
        event: ConnectionEvent::AuthenticateFailed(error("The browser was closed")),
    });
    let window = window(world, WIDE);
    assert!(shows(&window, "Sign-in failed: The browser was closed"));
    assert!(shows(&window, "Sign in with Google"));
}

#[test]
fn a_terminal_signs_in_and_the_person_says_so() {
    let mut window = window(needs_sign_in(), WIDE);
    let session = window.state().state.shown.expect("a session");
    let connection = window.state().connection(session);
    click(&mut window, "Open terminal");
    let open = UiAction::OpenTerminal {
        program: "gemini".to_owned(),
        args: vec!["--login".to_owned()],
        env: BTreeMap::new(),
        servers_of: None,
    };
    assert_eq!(window.state().actions, [open]);
    click(&mut window, "I have signed in, try again");
    assert_eq!(
        window.state().commands,
        [Command::RetrySignIn { connection }]
    );
}

#[test]
fn an_agent_without_a_way_is_signed_in_with_the_command_we_know() {
    let window = window(refused(Vec::new()), WIDE);
    assert!(shows(&window, "Authentication required"));
    assert!(shows(&window, "I have signed in, try again"));
    assert!(shows(&window, "Open terminal"));
}

#[test]
fn a_message_that_is_typed_meanwhile_waits() {
    let mut world = needs_sign_in();
    let session = world.state.shown.expect("a session");
    world.prompt(session, "hello");
    let mut window = window(world, WIDE);
    assert!(shows(&window, "Queued: hello"));
    window.state_mut().state.draft().text = "a draft".to_owned();
    window.run_ok();
    assert_eq!(window.state_mut().state.draft().text, "a draft");
}
