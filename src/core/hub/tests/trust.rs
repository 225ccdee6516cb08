//! Folder trust: nothing of a project starts before the person trusts its folder.

use super::*;
use crate::core::consent::GroundSource;
use crate::core::session::Phase;

const FOLDER: &str = "/home/user/project";

fn open_untrusted(hub: &mut AgentHub) -> Vec<Effect> {
    let mut spec = spec();
    spec.harmless = false;
    let mut setup = SessionSetup::in_folder(PathBuf::from(FOLDER));
    setup.ground = GroundSource::Files;
    setup.level = crate::core::policy::level::Level::AllTools;
    hub.apply(
        Command::OpenSession {
            session: SESSION,
            spec: Box::new(spec),
            setup: Box::new(setup),
        },
        NOW,
    )
}

fn starts(effects: &[Effect]) -> usize {
    let start = |effect: &&Effect| matches!(effect, Effect::StartAgent { .. });
    effects.iter().filter(start).count()
}

/// CVE-2025-68433, CVE-2025-59536, CVE-2026-88755: a folder that was only opened runs nothing, whatever is wished.
#[test]
fn nothing_starts_before_the_person_trusts_the_folder() {
    let mut hub = AgentHub::default();
    let mut effects = open_untrusted(&mut hub);
    for command in [
        prompt("go"),
        prompt("/mcp"),
        Command::Restart { session: SESSION },
        Command::ForceStop { session: SESSION },
        Command::CancelTurn { session: SESSION },
        Command::ShowMcp { session: SESSION },
        Command::ReconnectMcp {
            session: SESSION,
            server: "files".to_owned(),
        },
        Command::ReloadRules,
    ] {
        effects.extend(hub.apply(command, NOW));
    }
    effects.extend(hub.handle(Event::Tick, Timestamp(1_000_000)));
    let edited = Event::RulesEdited {
        file: PathBuf::from("/home/user/rules.toml"),
        result: Ok(()),
    };
    effects.extend(hub.handle(edited, NOW));
    // The person's own rules may be read. The folder's are not; nothing is run, and nothing is said to anybody.
    let runs = |effect: &&Effect| {
        !matches!(
            effect,
            Effect::ListProjectFiles { .. } | Effect::LoadOwnRules
        )
    };
    assert_eq!(effects.iter().find(runs), None);
    assert_eq!(*session(&hub).phase(), Phase::TrustNeeded);
}

#[test]
fn trust_starts_the_agent_once_and_is_remembered_for_what_lies_inside() {
    let mut hub = AgentHub::default();
    drop(open_untrusted(&mut hub));
    let trust = || Command::TrustFolder { session: SESSION };
    let effects = hub.apply(trust(), NOW);
    assert_eq!(starts(&effects), 1);
    assert!(effects.contains(&Effect::RememberTrust(PathBuf::from(FOLDER))));
    assert_eq!(hub.apply(trust(), NOW), []);
}

/// The place of a trusted folder is not taken by a path that climbs out of it.
#[test]
fn only_the_folder_itself_and_what_lies_in_it_is_trusted() {
    for (trusted, starts_at_once) in [
        ("/home/user/project", true),
        ("/home/user", true),
        ("/home/user/project/sub", false),
        ("/home/user/proj", false),
    ] {
        let mut hub = AgentHub::default();
        drop(hub.apply(
            Command::SetTrustedFolders(vec![PathBuf::from(trusted)]),
            NOW,
        ));
        let effects = open_untrusted(&mut hub);
        assert_eq!(starts(&effects) == 1, starts_at_once, "{trusted}");
    }
}

/// What needs no trust in a folder may be open there before it is trusted; the folder's rules only narrow until then.
#[test]
fn rules_of_a_folder_are_read_as_trusted_only_once_it_is() {
    let mut hub = AgentHub::default();
    let mut setup = SessionSetup::in_folder(PathBuf::from(FOLDER));
    setup.ground = GroundSource::Files;
    let harmless = Command::OpenSession {
        session: SessionKey(9),
        spec: Box::new(spec()),
        setup: Box::new(setup),
    };
    let trusted = |effects: &[Effect]| -> Vec<(u64, bool)> {
        let load = |effect: &Effect| match effect {
            Effect::LoadGround {
                session, trusted, ..
            } => Some((session.0, *trusted)),
            _ => None,
        };
        effects.iter().filter_map(load).collect()
    };
    assert_eq!(trusted(&hub.apply(harmless, NOW)), [(9, false)]);
    assert_eq!(trusted(&open_untrusted(&mut hub)), []);
    assert_eq!(trusted(&hub.apply(Command::ReloadRules, NOW)), [(9, false)]);
    let trust = Command::TrustFolder { session: SESSION };
    assert_eq!(trusted(&hub.apply(trust, NOW)), [(1, true), (9, true)]);
}
