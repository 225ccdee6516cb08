//! Whether the programs of backends are there, and which version they are.

use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use crate::core::backend::{BackendSpec, DetectedBackend, Detection};
use crate::core::presets;
use crate::core::settings::Settings;
use crate::io::launch::{self, LaunchError};
use crate::io::places::SearchPlaces;
use crate::io::short_run::{self, Overdue};
use crate::io::stderr_tail::plain;

/// How long a program may take to tell its version.
const VERSION_LIMIT: Duration = Duration::from_secs(5);
/// A version is a short line; of what else a program prints only the beginning is taken.
const VERSION_CHARS_MOST: usize = 120;

/// Why a program's version is not known.
#[derive(Debug, Error)]
pub enum VersionError {
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error("it can't be started: {0}")]
    Start(#[source] std::io::Error),
    #[error("it gave no answer within {} seconds", VERSION_LIMIT.as_secs())]
    NoAnswer,
    #[error("it does not tell its version")]
    NotTold,
}

/// Looks for a backend's program. The path found is the one that is started.
pub fn detect(spec: &BackendSpec, places: &SearchPlaces) -> Detection {
    match launch::find(&spec.command, places) {
        Ok(path) => Detection::Found { path },
        Err(searched) => Detection::Missing { searched },
    }
}

/// All backends of the dropdown with whether they are there.
pub fn backends(settings: &Settings, places: &SearchPlaces) -> Vec<DetectedBackend> {
    let own_program = places.own_program.as_deref().map(Path::to_string_lossy);
    presets::backends(settings, own_program.as_deref().unwrap_or_default())
        .into_iter()
        .map(|spec| DetectedBackend {
            detection: detect(&spec, places),
            spec,
        })
        .collect()
}

/// Asks a program for its version with `--version`. Blocks for at most five seconds.
pub fn version(program: &Path, places: &SearchPlaces) -> Result<String, VersionError> {
    let launch = launch::resolve(
        &program.to_string_lossy(),
        &["--version".to_owned()],
        places,
    )?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(VersionError::Start)?;
    let output = runtime
        .block_on(short_run::output(&launch, VERSION_LIMIT, Overdue::Kill))
        .map_err(VersionError::Start)?;
    if output.exit.is_none() {
        return Err(VersionError::NoAnswer);
    }
    first_line(&output.stdout)
        .or_else(|| first_line(&output.stderr))
        .ok_or(VersionError::NotTold)
}

fn first_line(output: &[u8]) -> Option<String> {
    String::from_utf8_lossy(output)
        .lines()
        .map(|line| plain(line).trim_start().to_owned())
        .find(|line| !line.is_empty())
        .map(|line| line.chars().take(VERSION_CHARS_MOST).collect())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn program(folder: &Path, script: &str) -> std::path::PathBuf {
        let path = folder.join("talk agent");
        crate::io::tests::write_program(&path, script);
        path
    }

    #[test]
    fn a_version_is_the_first_line() {
        let cases = [
            (
                "echo; printf '\\033[1mtalk 1.2.3\\033[0m\\n'; echo more",
                Some("talk 1.2.3"),
            ),
            ("echo talk 2 >&2", Some("talk 2")),
            ("exit 3", None),
        ];
        let places = SearchPlaces::of_this_system();
        for (script, expected) in cases {
            let folder = tempfile::tempdir().expect("a folder");
            let path = program(folder.path(), script);
            let version = version(&path, &places).ok();
            assert_eq!(version.as_deref(), expected, "{script}");
        }
    }

    #[test]
    fn a_child_that_holds_the_pipe_does_not_matter() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = program(folder.path(), "echo talk 3; sleep 2 &");
        let version = version(&path, &SearchPlaces::of_this_system());
        assert_eq!(version.ok().as_deref(), Some("talk 3"));
    }

    #[test]
    fn a_program_that_is_not_there_has_no_version() {
        let version = version(Path::new("/nowhere/talk"), &SearchPlaces::of_this_system());
        assert!(matches!(version, Err(VersionError::Launch(_))));
    }

    #[test]
    fn every_backend_is_looked_for() {
        let mut places = SearchPlaces::of_this_system();
        places.own_program = std::env::current_exe().ok();
        let found = backends(&Settings::default(), &places);
        let demo = found.last().expect("the demo is the last one");
        assert_eq!(demo.spec.id.as_str(), presets::DEMO);
        assert!(demo.detection.is_found());
    }
}
