//! The `PATH` that the user's login shell sets. A program started from a desktop does not have it.

use std::ffi::OsString;
use std::io::IsTerminal as _;
#[cfg(unix)]
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::OnceCell;

use crate::io::places::SearchPlaces;

/// The places where the user's programs are. The login shell is asked once, by whoever needs them first.
#[derive(Debug, Default)]
pub(super) struct UserPlaces(OnceCell<Arc<SearchPlaces>>);

impl UserPlaces {
    /// These places; no shell is asked.
    pub(super) fn fixed(places: SearchPlaces) -> Self {
        Self(OnceCell::new_with(Some(Arc::new(places))))
    }

    /// The places; takes at most three seconds.
    pub(super) async fn get(&self) -> Arc<SearchPlaces> {
        let places = self.0.get_or_init(async || {
            let mut places = SearchPlaces::of_this_system();
            if !is_below_a_shell()
                && let Some(path) = ask().await
            {
                places.add_shell_path(&path);
            }
            Arc::new(places)
        });
        Arc::clone(places.await)
    }
}

/// Whether we have inherited what a shell has set. A desktop sets no kind of terminal.
fn is_below_a_shell() -> bool {
    let names_terminal =
        std::env::var_os("TERM").is_some_and(|kind| !kind.is_empty() && kind != "dumb");
    names_terminal || std::io::stdin().is_terminal() || std::io::stderr().is_terminal()
}

/// The same for those who may block.
pub fn places_of_this_user() -> SearchPlaces {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    match runtime {
        Ok(runtime) => Arc::unwrap_or_clone(runtime.block_on(UserPlaces::default().get())),
        Err(error) => {
            tracing::warn!(%error, "the login shell can't be asked for its PATH");
            SearchPlaces::of_this_system()
        }
    }
}

/// Around the answer, so that whatever a profile prints is not taken for it.
#[cfg(unix)]
const MARKER: &str = "__agent-panel-path-5d1f0c__";

/// Asks the login shell. `None` when there is none, it fails, or takes more than three seconds.
#[cfg(unix)]
async fn ask() -> Option<OsString> {
    let shell = PathBuf::from(std::env::var_os("SHELL")?);
    ask_shell(&shell).await
}

#[cfg(not(unix))]
async fn ask() -> Option<OsString> {
    None
}

#[cfg(unix)]
async fn ask_shell(shell: &Path) -> Option<OsString> {
    use std::time::Duration;

    use crate::io::launch::{Arguments, Launch};
    use crate::io::short_run::{Overdue, output};

    if !shell.is_absolute() {
        return None;
    }
    // `printenv`, because not every shell writes its list of folders with colons.
    let script = format!("printf '%s' '{MARKER}'; printenv PATH; printf '%s' '{MARKER}'");
    let launch = Launch {
        found: shell.to_owned(),
        program: shell.to_owned(),
        arguments: Arguments::Exact(vec!["-lic".to_owned(), script]),
    };
    let output = output(&launch, Duration::from_secs(3), Overdue::HangUp).await;
    match output {
        Ok(output) => answer(&output.stdout),
        Err(error) => {
            tracing::debug!(%error, "the login shell does not tell its PATH");
            None
        }
    }
}

/// What stands between the markers.
#[cfg(unix)]
fn answer(output: &[u8]) -> Option<OsString> {
    use std::os::unix::ffi::OsStringExt as _;

    let find = |bytes: &[u8]| {
        bytes
            .windows(MARKER.len())
            .position(|window| window == MARKER.as_bytes())
    };
    let after = output.get(find(output)? + MARKER.len()..)?;
    let path = after.get(..find(after)?)?.trim_ascii();
    (!path.is_empty()).then(|| OsString::from_vec(path.to_owned()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_between_the_markers_counts() {
        let noisy = format!("good morning\n{MARKER}/usr/bin:/tmp/日本\n{MARKER}bye\n");
        assert_eq!(answer(noisy.as_bytes()), Some("/usr/bin:/tmp/日本".into()));
        assert_eq!(answer(b"good morning\n"), None);
        assert_eq!(answer(format!("{MARKER}/usr/bin").as_bytes()), None);
        assert_eq!(answer(format!("{MARKER}\n{MARKER}").as_bytes()), None);
    }

    #[tokio::test]
    async fn a_shell_is_asked() {
        let path = ask_shell(Path::new("/bin/sh")).await.expect("an answer");
        assert!(path.to_string_lossy().contains("/bin"));
        let folder = tempfile::tempdir().expect("a folder");
        let noisy = folder.path().join("noisy shell");
        let profile = "echo good morning; echo oops >&2; export PATH=/opt/日本:$PATH";
        let last = "echo bye";
        crate::io::tests::write_program(&noisy, &format!("{profile}\neval \"$2\"\n{last}"));
        let path = ask_shell(&noisy).await.expect("an answer");
        assert!(path.to_string_lossy().starts_with("/opt/日本:"));
        assert_eq!(ask_shell(Path::new("sh")).await, None);
        assert_eq!(ask_shell(Path::new("/nowhere/sh")).await, None);
    }
}
