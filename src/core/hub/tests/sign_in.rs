//! Case O-09: "log in first".

use super::*;
use crate::core::backend::AuthMethodKind;
use crate::core::connection::SignIn;
use crate::core::hub::SIGN_IN_LIMIT_MILLIS;
use crate::core::notice::RpcError;
use crate::core::session::Phase;

fn method() -> AuthMethod {
    AuthMethod {
        id: "browser".into(),
        name: "Sign in".to_owned(),
        description: None,
        kind: AuthMethodKind::Agent,
    }
}

fn auth_required() -> RpcError {
    RpcError {
        code: -32_000,
        message: "Authentication required".to_owned(),
        data: None,
    }
}

/// A hub whose agent refused to open the session, with a message typed meanwhile.
fn hub_that_waits() -> AgentHub {
    let mut hub = AgentHub::default();
    drop(hub.apply(open(SESSION, SessionStart::New), NOW));
    drop(hub.handle(
        initialized(AgentCapabilities::default(), vec![method()]),
        NOW,
    ));
    drop(hub.handle(
        session_event(SessionEvent::OpenFailed(auth_required())),
        NOW,
    ));
    drop(hub.apply(prompt("hello"), NOW));
    hub
}

fn authenticate() -> Command {
    Command::Authenticate {
        connection: CONNECTION,
        method: "browser".into(),
    }
}

fn sign_in(hub: &AgentHub) -> &SignIn {
    &hub.connection(CONNECTION)
        .expect("the connection is there")
        .sign_in
}

#[test]
fn the_message_typed_meanwhile_is_sent_once_after_signing_in() {
    let mut hub = hub_that_waits();
    assert_eq!(*session(&hub).phase(), Phase::SignInNeeded);
    let effects = hub.apply(authenticate(), NOW);
    assert!(matches!(
        effects.first(),
        Some(Effect::Send {
            message: AgentMessage::Authenticate { .. },
            ..
        })
    ));
    assert_eq!(hub.apply(authenticate(), NOW), [], "it runs already");

    let effects = hub.handle(connection_event(ConnectionEvent::Authenticated), NOW);
    assert!(
        matches!(
            effects.as_slice(),
            [Effect::Send {
                message: AgentMessage::NewSession { .. },
                ..
            }]
        ),
        "{effects:?}"
    );
    let effects = hub.handle(
        session_event(SessionEvent::Opened(OpenedSession::default())),
        NOW,
    );
    assert_eq!(prompts_sent(&effects), [(1, "hello".to_owned())]);
}

#[test]
fn a_sign_in_that_never_ends_is_given_up_and_can_be_tried_again() {
    let mut hub = hub_that_waits();
    drop(hub.apply(authenticate(), NOW));
    let effects = hub.handle(Event::Tick, NOW.plus_millis(SIGN_IN_LIMIT_MILLIS));
    assert_eq!(
        effects,
        [Effect::Send {
            connection: CONNECTION,
            message: AgentMessage::CancelAuthenticate
        }]
    );
    assert!(matches!(sign_in(&hub), SignIn::Failed { .. }));
    assert_eq!(hub.apply(authenticate(), NOW).len(), 2);
}

#[test]
fn a_sign_in_can_be_cancelled() {
    let mut hub = hub_that_waits();
    drop(hub.apply(authenticate(), NOW));
    let effects = hub.apply(
        Command::CancelSignIn {
            connection: CONNECTION,
        },
        NOW,
    );
    assert_eq!(
        effects,
        [Effect::Send {
            connection: CONNECTION,
            message: AgentMessage::CancelAuthenticate
        }]
    );
    assert!(matches!(sign_in(&hub), SignIn::Needed { .. }));
}

#[test]
fn a_refusal_hours_later_brings_the_card_back_and_keeps_the_thread() {
    let mut hub = hub_with_turn();
    let result = TurnResult::Failed(auth_required());
    drop(hub.handle(
        session_event(SessionEvent::TurnEnded {
            turn: TurnId(1),
            result,
        }),
        NOW,
    ));
    assert_eq!(*session(&hub).phase(), Phase::SignInNeeded);
    assert!(matches!(sign_in(&hub), SignIn::Needed { .. }));
    assert_eq!(lines(&hub)[0], "user: go");

    drop(hub.apply(prompt("again"), NOW));
    let effects = hub.apply(
        Command::RetrySignIn {
            connection: CONNECTION,
        },
        NOW,
    );
    assert_eq!(prompts_sent(&effects), [(2, "again".to_owned())]);
}

#[test]
fn another_error_that_speaks_of_authors_is_no_sign_in() {
    let mut hub = AgentHub::default();
    drop(hub.apply(open(SESSION, SessionStart::New), NOW));
    drop(hub.handle(initialized(AgentCapabilities::default(), Vec::new()), NOW));
    let error = RpcError {
        code: -32_603,
        message: "no author, please login".to_owned(),
        data: None,
    };
    drop(hub.handle(session_event(SessionEvent::OpenFailed(error)), NOW));
    assert_eq!(*session(&hub).phase(), Phase::Failed);
}
