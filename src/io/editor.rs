//! Opens files in the person's editor. What an agent names may be opened, and is never run.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::core::editor::Editor;
use crate::io::launch;
use crate::io::places::SearchPlaces;

/// Files with these endings are started rather than shown when the system opens them.
const STARTED: [&str; 26] = [
    "app", "appimage", "bat", "cmd", "com", "command", "cpl", "desktop", "exe", "hta", "jar", "js",
    "jse", "lnk", "msc", "msi", "pif", "ps1", "reg", "scr", "sh", "url", "vbe", "vbs", "wsf",
    "workflow",
];

/// Why a file is not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("it is not there")]
    Missing,
    /// The system would run it.
    #[error("it can be run")]
    CanBeRun,
    #[error("the editor is not found")]
    NoEditor,
    #[error("it can't be opened: {0}")]
    Failed(String),
}

/// Opens a file, at a line where the editor can.
pub fn open(editor: Editor, path: &Path, line: Option<u32>) -> Result<(), OpenError> {
    let path = std::path::absolute(path).map_err(|_error| OpenError::Missing)?;
    if !path.exists() {
        return Err(OpenError::Missing);
    }
    if editor == Editor::System {
        if can_be_run(&path) {
            return Err(OpenError::CanBeRun);
        }
        return opener::open(&path).map_err(|error| OpenError::Failed(error.to_string()));
    }
    let program = find(editor, &SearchPlaces::of_this_system()).ok_or(OpenError::NoEditor)?;
    start(&program, editor, &path, line).map_err(|error| OpenError::Failed(error.to_string()))
}

fn find(editor: Editor, places: &SearchPlaces) -> Option<PathBuf> {
    let mut programs = editor.programs().iter();
    programs.find_map(|program| launch::find(program, places).ok())
}

#[expect(
    clippy::disallowed_methods,
    reason = "an editor is the person's: it stays when this program ends"
)]
fn start(program: &Path, editor: Editor, path: &Path, line: Option<u32>) -> io::Result<()> {
    let mut child = Command::new(program)
        .args(editor.arguments(path, line))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    std::thread::Builder::new()
        .name("editor".to_owned())
        .spawn(move || {
            // Only so that it does not stay as a zombie.
            if let Err(error) = child.wait() {
                tracing::debug!(%error, "an editor was not waited for");
            }
        })?;
    Ok(())
}

/// Whether the system might run a file that it is asked to open.
fn can_be_run(path: &Path) -> bool {
    if path.is_dir() {
        return path.extension().is_some_and(|end| end == "app");
    }
    let end = path
        .extension()
        .map(|end| end.to_string_lossy().to_lowercase());
    end.is_some_and(|end| STARTED.contains(&end.as_str())) || is_executable(path)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata()
        .is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_path: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_would_run_is_not_opened_by_it() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["evil.desktop", "Setup.EXE", "run.sh"] {
            let path = folder.path().join(name);
            std::fs::write(&path, "x").expect("a file");
            let refused = open(Editor::System, &path, Some(1));
            assert!(matches!(refused, Err(OpenError::CanBeRun)), "{name}");
        }
        let missing = folder.path().join("not there.rs");
        assert!(matches!(
            open(Editor::VsCode, &missing, None),
            Err(OpenError::Missing)
        ));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_may_be_executed_is_not_opened_by_the_system() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("tool");
        std::fs::write(&path, "x").expect("a file");
        assert!(!can_be_run(&path));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a mode");
        assert!(can_be_run(&path));
    }
}
