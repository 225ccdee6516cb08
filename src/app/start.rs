//! Which session is opened: at the start, and when the person wants another one.

use std::path::{Path, PathBuf};

use crate::core::backend::{BackendSpec, DetectedBackend};
use crate::core::command::{Command, SessionSetup, SessionStart};
use crate::core::consent::GroundSource;
use crate::core::hub::AgentHub;
use crate::core::ids::{BackendId, SessionKey};
use crate::core::presets::DEMO;
use crate::core::session::Session;
use crate::core::settings::Settings;
use crate::io::policy_files::canonical;

/// The backend to begin with: the one asked for, the last one if it is still there, the first that is there, and the
/// demo where there is nothing else.
pub(super) fn backend(
    backends: &[DetectedBackend],
    asked: Option<&BackendId>,
    last: Option<&BackendId>,
) -> Option<BackendId> {
    let known = |id: &BackendId| backends.iter().any(|backend| backend.spec.id == *id);
    let found = |id: &BackendId| {
        let mut found = backends
            .iter()
            .filter(|backend| backend.detection.is_found());
        found.any(|backend| backend.spec.id == *id)
    };
    let first = || {
        let mut found = backends
            .iter()
            .filter(|backend| backend.detection.is_found());
        found.next().map(|backend| backend.spec.id.clone())
    };
    let demo = || known(&DEMO.into()).then(|| DEMO.into());
    asked
        .filter(|id| known(id))
        .or_else(|| last.filter(|id| found(id)))
        .cloned()
        .or_else(first)
        .or_else(demo)
}

/// The folder that a backend begins in: none where the person has to be asked first. The demo touches nothing, so
/// any folder will do.
pub(super) fn folder(
    backend: &BackendId,
    last: Option<&Path>,
    home: Option<&Path>,
) -> Option<PathBuf> {
    let fallback = || home.filter(|_| backend.as_str() == DEMO);
    last.or_else(fallback).map(Path::to_owned)
}

/// The command that opens a session, at the level and in the mode that were chosen for this backend in this folder.
pub(super) fn open(
    hub: &AgentHub,
    spec: &BackendSpec,
    cwd: PathBuf,
    settings: &Settings,
) -> (SessionKey, Command) {
    let session = hub.free_session_key();
    // Trust, level and rules are given to the folder that it is, whatever links lead there.
    let cwd = canonical(&cwd).unwrap_or(cwd);
    let setup = SessionSetup {
        level: settings.levels.level(&spec.id, &cwd),
        mode: settings.modes.mode(&spec.id, &cwd).cloned(),
        cwd,
        start: SessionStart::New,
        mcp_servers: Vec::new(),
        model: None,
        ground: GroundSource::Files,
    };
    let command = Command::OpenSession {
        session,
        spec: Box::new(spec.clone()),
        setup: Box::new(setup),
    };
    (session, command)
}

/// Whether nothing has happened in a session that anybody would miss.
pub(super) fn is_untouched(session: &Session) -> bool {
    let has_messages = session.last_end().is_some() || session.is_busy();
    !has_messages && session.queue().is_empty()
}

/// A typed path as a path: `~` is the home, and what is relative counts from there.
pub(super) fn typed_folder(typed: &Path, home: Option<&Path>) -> PathBuf {
    let Some(home) = home else {
        return typed.to_owned();
    };
    match typed.strip_prefix("~") {
        Ok(rest) => home.join(rest),
        Err(_) if typed.is_relative() => home.join(typed),
        Err(_) => typed.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::backend::Detection;
    use crate::core::presets;
    use crate::core::settings::Settings;

    fn backends(found: &[&str]) -> Vec<DetectedBackend> {
        let specs = presets::backends(&Settings::default(), "/agent-panel");
        let detected = specs.into_iter().map(|spec| DetectedBackend {
            detection: if found.contains(&spec.id.as_str()) {
                Detection::Found {
                    path: PathBuf::from("/bin/agent"),
                }
            } else {
                Detection::Missing {
                    searched: Vec::new(),
                }
            },
            spec,
        });
        detected.collect()
    }

    #[test]
    fn the_backend_to_begin_with() {
        type Case<'a> = (&'a [&'a str], Option<&'a str>, Option<&'a str>, &'a str);
        let cases: [Case<'_>; 6] = [
            (&["demo"], None, None, "demo"),
            (&["codex", "demo"], None, None, "codex"),
            (&["codex", "gemini", "demo"], None, Some("gemini"), "gemini"),
            // The last one was uninstalled meanwhile.
            (&["codex", "demo"], None, Some("gemini"), "codex"),
            // Asked for, so its error is what the person wants to read.
            (&["codex", "demo"], Some("gemini"), None, "gemini"),
            (&["codex", "demo"], Some("nonsense"), Some("demo"), "demo"),
        ];
        for (found, asked, last, expected) in cases {
            let chosen = backend(
                &backends(found),
                asked.map(BackendId::from).as_ref(),
                last.map(BackendId::from).as_ref(),
            );
            assert_eq!(
                chosen,
                Some(expected.into()),
                "{found:?} {asked:?} {last:?}"
            );
        }
    }

    #[test]
    fn an_agent_asks_for_its_first_folder_and_the_demo_does_not() {
        let home = Path::new("/home/me");
        assert_eq!(folder(&"codex".into(), None, Some(home)), None);
        assert_eq!(
            folder(&DEMO.into(), None, Some(home)).as_deref(),
            Some(home)
        );
        let last = Path::new("/srv/harbor");
        assert_eq!(
            folder(&"codex".into(), Some(last), Some(home)).as_deref(),
            Some(last)
        );
    }

    #[test]
    fn typed_paths() {
        let home = Some(Path::new("/home/me"));
        for (typed, expected) in [
            ("~/a", "/home/me/a"),
            ("~", "/home/me"),
            ("/b", "/b"),
            ("c", "/home/me/c"),
        ] {
            assert_eq!(typed_folder(Path::new(typed), home), Path::new(expected));
        }
    }
}
