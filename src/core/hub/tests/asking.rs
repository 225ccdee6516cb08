//! A session starts in the mode in which its agent asks, unless the person chose another one.

use super::*;
use crate::core::backend::Unasked;
use crate::core::controls::{ConfigChoice, ConfigOption, ConfigValue, Mode, Modes};
use crate::core::ids::ModeId;
use crate::core::notice::Note;

/// The effects of opening a session, with the asking mode of the preset, the choice of the person, and what is offered.
fn opening(asking: Option<&str>, chosen: Option<&str>, offered: &OpenedSession) -> Vec<Effect> {
    let mut hub = AgentHub::default();
    let mut spec = spec();
    spec.asking_mode = asking.map(ModeId::from);
    let mut setup = SessionSetup::in_folder(PathBuf::from("/home/user/project"));
    setup.mode = chosen.map(ModeId::from);
    let open = Command::OpenSession {
        session: SESSION,
        spec: Box::new(spec),
        setup: Box::new(setup),
    };
    drop(hub.apply(open, NOW));
    drop(hub.handle(initialized(AgentCapabilities::default(), Vec::new()), NOW));
    hub.handle(session_event(SessionEvent::Opened(offered.clone())), NOW)
}

fn modes(current: &str, all: &[&str]) -> OpenedSession {
    let mode = |id: &&str| Mode {
        id: ModeId::from(*id),
        name: (*id).to_owned(),
        description: None,
    };
    OpenedSession {
        id: Some("s1".into()),
        modes: Some(Modes {
            current: ModeId::from(current),
            available: all.iter().map(mode).collect(),
        }),
        ..OpenedSession::default()
    }
}

/// The modes that are set.
fn set(effects: &[Effect]) -> Vec<String> {
    let mode = |effect: &Effect| match effect {
        Effect::Send {
            message: AgentMessage::SetMode { mode, .. },
            ..
        } => Some(mode.to_string()),
        Effect::Send {
            message: AgentMessage::SetConfigOption { option, value, .. },
            ..
        } => Some(format!("{option}={value:?}")),
        _ => None,
    };
    effects.iter().filter_map(mode).collect()
}

#[test]
fn the_asking_mode_is_set_where_it_is_offered_and_not_on() {
    let codex = ["read-only", "agent", "full"];
    let cases = [
        (
            Some("read-only"),
            None,
            modes("agent", &codex),
            &["read-only"][..],
        ),
        (Some("read-only"), None, modes("read-only", &codex), &[]),
        (
            Some("read-only"),
            Some("full"),
            modes("agent", &codex),
            &["full"],
        ),
        (
            Some("read-only"),
            Some("agent"),
            modes("agent", &codex),
            &[],
        ),
        // A mode that was chosen and is gone leaves the agent asking.
        (
            Some("read-only"),
            Some("gone"),
            modes("agent", &codex),
            &["read-only", "gone"],
        ),
        // Another version of the agent may have other modes.
        (Some("default"), None, modes("agent", &codex), &[]),
        (None, None, modes("agent", &codex), &[]),
    ];
    for (asking, chosen, offered, expected) in cases {
        let effects = opening(asking, chosen, &offered);
        assert_eq!(set(&effects), expected, "{asking:?} {chosen:?} {offered:?}");
    }
}

#[test]
fn the_asking_mode_may_be_an_option() {
    let choice = |value: &str| ConfigChoice {
        value: value.to_owned(),
        name: value.to_owned(),
        description: None,
        group: None,
    };
    let offered = OpenedSession {
        id: Some("s1".into()),
        config_options: vec![ConfigOption {
            id: "m".into(),
            name: "Mode".to_owned(),
            description: None,
            category: Some("mode".to_owned()),
            value: ConfigValue::Select {
                current: "auto".to_owned(),
                choices: vec![choice("auto"), choice("ask")],
            },
        }],
        ..OpenedSession::default()
    };
    let effects = opening(Some("ask"), None, &offered);
    assert_eq!(set(&effects), ["m=Choice(\"ask\")"]);
}

#[test]
fn an_agent_whose_own_tools_never_ask_says_so_once() {
    for (can, expected) in [
        (AgentCapabilities::default(), None),
        (
            AgentCapabilities {
                unasked: Unasked::OwnTools,
                ..AgentCapabilities::default()
            },
            Some(Note::OwnToolsNeverAsk),
        ),
        (
            AgentCapabilities {
                unasked: Unasked::Everything,
                ..AgentCapabilities::default()
            },
            Some(Note::NeverAsks),
        ),
    ] {
        let mut hub = AgentHub::default();
        drop(hub.apply(open(SESSION, SessionStart::New), NOW));
        drop(hub.handle(initialized(can, Vec::new()), NOW));
        drop(hub.handle(session_event(SessionEvent::Opened(modes("a", &["a"]))), NOW));
        let notes: Vec<_> = session(&hub)
            .transcript()
            .blocks()
            .iter()
            .map(|block| block.content.clone())
            .collect();
        let expected: Vec<_> = expected.map(BlockContent::note).into_iter().collect();
        assert_eq!(notes, expected);
    }
}
