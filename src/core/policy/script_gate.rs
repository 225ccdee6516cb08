//! The script gate for Unity projects: scripts under `Assets` change only through staging.

use std::path::Path;

use super::PathFacts;
use super::paths::{Access, Places, Touches};
use crate::core::shell::{ShellCommand, Word};

/// What an agent is told when the gate refuses a write. For a model, so it stays English.
pub const GATE_TEXT: &str = "Scripts under Assets are not written directly in this project. Write the file to \
UapStaging/ with the same path below it, then call the ops tool uap_scripts_commit: it compiles what is staged and moves \
it into Assets when the build is green.";

/// The folder in which scripts are staged.
const STAGING: &str = "uapstaging";

/// Whether the gate is shut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScriptGate {
    #[default]
    Off,
    On,
}

/// The first script that the call writes past the gate.
pub(super) fn written_script(
    touches: &Touches,
    places: &Places,
    facts: &PathFacts,
) -> Option<String> {
    touches
        .files
        .iter()
        .filter(|file| file.access == Access::Write)
        .find(|file| {
            let target = facts.target(&file.path);
            is_guarded(&file.path, places)
                || target.is_some_and(|target| is_guarded(&target, places))
        })
        .map(|file| file.path.display().to_string())
}

/// The words of a command that it writes to: the files of `tee` and the like.
pub(super) fn written_words(command: &ShellCommand) -> Vec<&Word> {
    let words = command.arguments();
    match command.program_for_denial().as_deref() {
        Some(
            "tee" | "touch" | "truncate" | "sed" | "patch" | "dd" | "rm" | "tee-object"
            | "set-content" | "add-content" | "out-file",
        ) => words.iter().collect(),
        Some("cp" | "mv" | "install" | "ln" | "rsync") => words.last().into_iter().collect(),
        _ => Vec::new(),
    }
}

/// `Assets/**/*.cs` and `*.asmdef` outside of staging, in any case.
fn is_guarded(path: &Path, places: &Places) -> bool {
    let text = path.to_string_lossy().replace('\\', "/").to_lowercase();
    let folder = places
        .folder
        .to_string_lossy()
        .replace('\\', "/")
        .to_lowercase();
    let Some(below) = text.strip_prefix(folder.as_str()) else {
        return false;
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in below.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name.trim_end_matches(['.', ' '])),
        }
    }
    let script = parts
        .last()
        .and_then(|name| name.rsplit_once('.'))
        .is_some_and(|(_, ending)| matches!(ending, "cs" | "asmdef"));
    script && parts.first() == Some(&"assets") && !parts.contains(&STAGING)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn scripts_under_assets_are_guarded_and_staged_ones_are_not() {
        let places = Places {
            folder: PathBuf::from("/w"),
            ..Places::default()
        };
        for (path, expected) in [
            ("/w/Assets/A.cs", true),
            ("/w/assets/Sub/a.CS", true),
            ("/w/Assets/x.asmdef", true),
            ("/w/Assets/../Assets/a.cs", true),
            ("/w/./Assets//a.cs", true),
            ("/w/Assets/a.cs.", true),
            ("/w/UapStaging/Assets/a.cs", false),
            ("/w/Assets/UapStaging/a.cs", false),
            ("/w/Assets/UapStaging/../a.cs", true),
            ("/w/Assets/a.png", false),
            ("/w/Packages/a.cs", false),
            ("/other/Assets/a.cs", false),
            ("/w2/Assets/a.cs", false),
        ] {
            assert_eq!(is_guarded(Path::new(path), &places), expected, "{path}");
        }
    }
}
