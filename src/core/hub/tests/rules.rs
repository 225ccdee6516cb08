//! Rules that the person stores from a card, and what becomes of the cards of all sessions.

use super::*;
use crate::core::consent::{Consent, GroundSource, PolicyGround};
use crate::core::permission::PermissionOutcome;
use crate::core::policy::always::{Lifetime, RuleProposal};
use crate::core::policy::paths::{PathFact, PathFacts};
use crate::core::policy::rules::edit::RuleEdit;
use crate::core::policy::rules::{RuleFile, RuleOrigin, Rules};

const OTHER: SessionKey = SessionKey(2);

fn ground(text: &str) -> PolicyGround {
    let path = PathBuf::from("/home/user/.config/agent-panel/rules.toml");
    let text = format!("version = 1\n{text}");
    let mut ground = PolicyGround::default();
    ground.places.folder = PathBuf::from("/home/user/project");
    ground.rules = Rules {
        files: vec![RuleFile::parse(&text, RuleOrigin::User, &path)],
    };
    ground
}

fn loaded(session: SessionKey, text: &str) -> Event {
    Event::Session {
        session,
        event: SessionEvent::GroundLoaded(Box::new(ground(text))),
    }
}

/// Two sessions of one folder, with their rules read. In the first a command waits for the person.
fn hub_that_asks() -> AgentHub {
    let mut hub = AgentHub::default();
    for key in [SESSION, OTHER] {
        let mut setup = SessionSetup::in_folder(PathBuf::from("/home/user/project"));
        setup.ground = GroundSource::Files;
        drop(hub.apply(
            Command::OpenSession {
                session: key,
                spec: Box::new(spec()),
                setup: Box::new(setup),
            },
            NOW,
        ));
    }
    drop(hub.handle(initialized(AgentCapabilities::default(), Vec::new()), NOW));
    for key in [SESSION, OTHER] {
        let event = SessionEvent::Opened(OpenedSession {
            id: Some(format!("s{}", key.0).into()),
            ..OpenedSession::default()
        });
        drop(hub.handle(
            Event::Session {
                session: key,
                event,
            },
            NOW,
        ));
        drop(hub.handle(loaded(key, ""), NOW));
    }
    drop(hub.apply(prompt("go"), NOW));
    let option = |id: &str, kind| PermissionOption {
        id: id.into(),
        name: id.to_owned(),
        kind,
        scope: None,
    };
    let asked = SessionEvent::PermissionRequested {
        request: RequestId::Number(7),
        tool_call: ToolCallId::from("t1"),
        patch: Box::new(ToolCallPatch {
            raw_input: Some(serde_json::json!({"command": "npm test"}).into()),
            ..ToolCallPatch::default()
        }),
        options: vec![
            option("A", PermissionOptionKind::AllowOnce),
            option("B", PermissionOptionKind::RejectOnce),
        ],
    };
    drop(hub.handle(session_event(asked), NOW));
    drop(hub.handle(resolved(), NOW));
    hub
}

/// Each path is where it says.
fn resolved() -> Event {
    let mut facts = PathFacts::default();
    let folder = PathBuf::from("/home/user/project");
    for path in ["", "npm", "test"] {
        let fact = PathFact {
            existing: folder.join(path),
            missing: PathBuf::new(),
        };
        facts.insert(folder.join(path), fact);
    }
    session_event(SessionEvent::PathsResolved {
        request: RequestId::Number(7),
        facts: Box::new(facts),
    })
}

fn offered(hub: &AgentHub) -> RuleProposal {
    let open = session(hub).permission_requests().first().expect("a card");
    let mut choices = session(hub).always_choices(open, NOW);
    choices.swap_remove(0)
}

fn store(hub: &mut AgentHub, lifetime: Lifetime) -> Vec<Effect> {
    let proposal = Box::new(offered(hub));
    let command = Command::StoreRule {
        session: SESSION,
        proposal,
        lifetime,
    };
    hub.apply(command, NOW)
}

fn allowed(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| {
        matches!(
            effect,
            Effect::Send {
                message: AgentMessage::AnswerPermission { outcome: PermissionOutcome::Selected(option), .. },
                ..
            } if option.as_str() == "A"
        )
    })
}

#[test]
fn a_stored_rule_goes_to_its_file_and_reaches_every_session() {
    let mut hub = hub_that_asks();
    let effects = store(&mut hub, Lifetime::OneDay);
    let [Effect::EditRules(edit)] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    let RuleEdit::Add {
        file,
        rule,
        bound_to,
    } = edit.as_ref()
    else {
        panic!("{edit:?}");
    };
    assert!(file.ends_with("rules.toml"));
    assert_eq!(rule.text(), "allow command npm test");
    assert_eq!(rule.stored, Some(NOW));
    assert_eq!(rule.expires, Some(NOW.plus_millis(86_400_000)));
    let folder = PathBuf::from("/home/user/project");
    let files = vec![PathBuf::from("package.json")];
    assert_eq!(*bound_to, Some((folder.clone(), files)));

    let edited = Event::RulesEdited {
        file: file.clone(),
        result: Ok(()),
    };
    let load = |session| Effect::LoadGround {
        session,
        folder: folder.clone(),
        trusted: false,
    };
    assert_eq!(
        hub.handle(edited, NOW),
        [Effect::LoadOwnRules, load(SESSION), load(OTHER)]
    );

    drop(hub.handle(loaded(SESSION, "[[allow]]\ncommand = 'npm test'\n"), NOW));
    assert!(session(&hub).has_open_request(&RequestId::Number(7)));
    assert!(allowed(&hub.handle(resolved(), NOW)));
    assert!(!session(&hub).has_open_request(&RequestId::Number(7)));
}

#[test]
fn a_grant_for_the_session_is_written_nowhere_and_can_be_taken_back() {
    let mut hub = hub_that_asks();
    let effects = store(&mut hub, Lifetime::Session);
    assert!(
        matches!(effects.as_slice(), [Effect::ResolvePaths { .. }]),
        "{effects:?}"
    );
    assert!(allowed(&hub.handle(resolved(), NOW)));
    let call = session(&hub).transcript().tool_call(&"t1".into());
    assert!(matches!(
        call.map(|call| &call.consent),
        Some(Consent::ByPolicy(_))
    ));

    // Rules that are read again leave it, and another session has none of it.
    drop(hub.handle(loaded(SESSION, ""), NOW));
    let granted = |hub: &AgentHub, key| {
        let ground = hub.session(key).and_then(Session::ground).expect("rules");
        let mut files = ground.rules.files.iter();
        let file = files.find(|file| file.origin == RuleOrigin::Session);
        file.map(|file| file.rules.clone()).unwrap_or_default()
    };
    assert_eq!(granted(&hub, OTHER), []);
    let rules = granted(&hub, SESSION);
    let [rule] = rules.as_slice() else {
        panic!("{rules:?}");
    };
    let revoke = Command::RevokeRule {
        session: SESSION,
        rule: Box::new(rule.clone()),
    };
    drop(hub.apply(revoke, NOW));
    assert_eq!(granted(&hub, SESSION), []);
}

#[test]
fn rules_are_read_again_before_a_prompt() {
    let mut hub = hub_that_asks();
    drop(hub.handle(ended(1, "end_turn"), NOW));
    let effects = hub.apply(prompt("again"), NOW);
    assert!(matches!(
        effects.first(),
        Some(Effect::LoadGround {
            session: SESSION,
            ..
        })
    ));
}

/// What waits in one session is answered by a rule that was stored in another one.
#[test]
fn a_rule_stored_in_one_session_answers_what_waits_in_another() {
    let mut hub = hub_that_asks();
    let loaded = loaded(SESSION, "[[deny]]\nline = 'npm test'\n");
    drop(hub.handle(loaded, NOW));
    let effects = hub.handle(resolved(), NOW);
    let refused = effects.iter().any(|effect| {
        matches!(
            effect,
            Effect::Send {
                message: AgentMessage::AnswerPermission { outcome: PermissionOutcome::Selected(option), .. },
                ..
            } if option.as_str() == "B"
        )
    });
    assert!(refused, "{effects:?}");
    assert_eq!(session(&hub).permission_requests(), []);
}

/// A card that is judged again stays where it is until it is known whether it still needs the person.
#[test]
fn a_card_stays_on_screen_while_it_is_judged_again() {
    let mut hub = hub_that_asks();
    let before = session(&hub).permission_requests().to_vec();
    let raise = Command::SetLevel {
        session: SESSION,
        level: crate::core::policy::level::Level::ReadOnly,
    };
    let effects = hub.apply(raise, NOW);
    assert!(
        matches!(effects.as_slice(), [Effect::ResolvePaths { .. }]),
        "{effects:?}"
    );
    assert_eq!(session(&hub).permission_requests(), before);
    drop(hub.handle(loaded(SESSION, ""), NOW));
    assert_eq!(session(&hub).permission_requests(), before);
    // Looked up twice, settled twice, shown once.
    drop(hub.handle(resolved(), NOW));
    drop(hub.handle(resolved(), NOW));
    assert_eq!(session(&hub).permission_requests().len(), 1);
}

#[test]
fn the_persons_own_rules_are_known_without_a_session() {
    let mut hub = AgentHub::default();
    assert_eq!(hub.own_rules(), None);
    assert_eq!(hub.apply(Command::ReloadRules, NOW), [Effect::LoadOwnRules]);
    let file = ground("[[deny]]\nline = 'x'\n").rules.files.remove(0);
    let loaded = Event::OwnRulesLoaded(Box::new(file.clone()));
    assert_eq!(hub.handle(loaded, NOW), []);
    assert_eq!(hub.own_rules(), Some(&file));
}
