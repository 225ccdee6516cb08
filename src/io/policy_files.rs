//! What decisions about permissions need from the disk: rules, real paths, digests, what a folder holds.

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::core::consent::PolicyGround;
use crate::core::policy::ShellLanguage;
use crate::core::policy::glob::LetterCase;
use crate::core::policy::paths::{PathFact, PathFacts, Places};
use crate::core::policy::rules::edit::RuleEdit;
use crate::core::policy::rules::{ProblemKind, RuleFile, RuleOrigin, RuleProblem, Rules};
use crate::core::policy::script_gate::ScriptGate;
use crate::core::trust::details::details;
use crate::core::trust::{LOOKED_FOR, ProjectFile};
use crate::io::store::{Folders, whole_file};

/// The rules file of a working folder, below it.
pub const FOLDER_RULES: &str = ".agent-panel/rules.toml";
/// A larger file of a folder that waits for trust is named, and not looked into.
const LOOKED_AT_BYTES_MOST: u64 = 256 * 1024;
/// A larger file has no digest: a rule that depends on it does not hold.
const DIGEST_LIMIT_BYTES: u64 = 8 * 1024 * 1024;

/// Reads the person's own rules. `extra` is read instead of their file, where it is given.
pub fn own_rules(folders: &Folders, extra: Option<&Path>) -> RuleFile {
    rule_file(extra.unwrap_or(&folders.rules_file), RuleOrigin::User)
}

/// Reads the rules that hold in a folder, which the person trusts or does not.
pub fn ground(
    folders: &Folders,
    (folder, trusted): (&Path, bool),
    extra: Option<&Path>,
) -> PolicyGround {
    let user = extra.unwrap_or(&folders.rules_file);
    let files = vec![
        own_rules(folders, extra),
        rule_file(&folder.join(FOLDER_RULES), RuleOrigin::Folder { trusted }),
    ];
    let own = [
        folders.settings_file.parent(),
        folders.logs.parent(),
        Some(user),
    ];
    let is_shut = files.iter().any(|file| file.script_gate == ScriptGate::On);
    let script_gate = if is_shut {
        ScriptGate::On
    } else {
        ScriptGate::Off
    };
    PolicyGround {
        rules: Rules { files },
        places: Places {
            folder: canonical(folder).unwrap_or_else(|| folder.to_owned()),
            home: directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned()),
            own: own
                .into_iter()
                .flatten()
                .map(|path| canonical(path).unwrap_or_else(|| path.to_owned()))
                .collect(),
        },
        script_gate,
        shell: if cfg!(windows) {
            ShellLanguage::Other
        } else {
            ShellLanguage::Posix
        },
    }
}

/// Where paths really are, and what the files that rules depend on hold.
pub fn facts(paths: &[PathBuf], digests: &[PathBuf]) -> PathFacts {
    let letter_case = if cfg!(any(windows, target_os = "macos")) {
        LetterCase::Same
    } else {
        LetterCase::Differs
    };
    let mut facts = PathFacts::default();
    facts.letter_case = letter_case;
    for path in paths {
        if let Some(fact) = fact(path) {
            facts.insert(path.clone(), fact);
        }
    }
    for path in digests {
        if let Some(digest) = digest(path) {
            facts.insert_digest(path.clone(), digest);
        }
    }
    facts
}

/// What of a folder an agent would act on.
pub fn project_files(folder: &Path) -> Vec<ProjectFile> {
    LOOKED_FOR
        .iter()
        .filter(|(path, _)| std::fs::symlink_metadata(folder.join(path)).is_ok())
        .map(|(path, effect)| ProjectFile {
            path: PathBuf::from(path),
            effect: *effect,
            details: text_of(&folder.join(path))
                .map(|text| details(*effect, path, &text))
                .unwrap_or_default(),
        })
        .collect()
}

/// The text of a file that is looked at before its folder is trusted.
fn text_of(path: &Path) -> Option<String> {
    let metadata = std::fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > LOOKED_AT_BYTES_MOST {
        return None;
    }
    let mut text = String::new();
    let file = std::fs::File::open(path).ok()?;
    let mut file = io::Read::take(file, LOOKED_AT_BYTES_MOST);
    io::Read::read_to_string(&mut file, &mut text).ok()?;
    Some(text)
}

/// Changes a rules file. What a person wrote there stays as it is.
pub fn edit_rules(edit: RuleEdit) -> io::Result<()> {
    let edit = bound(edit);
    let text = match std::fs::read_to_string(edit.file()) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    let text = edit.applied_to(&text).ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::InvalidData,
            "the file can't be parsed, or the rule is not there any more",
        )
    })?;
    whole_file::write(edit.file(), text.as_bytes())
}

/// Binds a new rule to the files that decide what it allows, as they are now.
fn bound(edit: RuleEdit) -> RuleEdit {
    match edit {
        RuleEdit::Add {
            file,
            mut rule,
            bound_to: Some((folder, paths)),
        } => {
            let digests = paths
                .into_iter()
                .filter_map(|path| Some((digest(&folder.join(&path))?, path)));
            rule.unchanged
                .extend(digests.map(|(digest, path)| (path, digest)));
            RuleEdit::Add {
                file,
                rule,
                bound_to: None,
            }
        }
        other => other,
    }
}

/// The path without links and dots. On Windows the plain form, which tools and comparisons understand.
pub fn canonical(path: &Path) -> Option<PathBuf> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place, which takes the prefix off"
    )]
    let path = std::fs::canonicalize(path).ok()?;
    let text = path.to_str();
    Some(
        text.and_then(|text| text.strip_prefix(r"\\?\"))
            .map_or_else(|| path.clone(), PathBuf::from),
    )
}

fn rule_file(path: &Path, origin: RuleOrigin) -> RuleFile {
    match std::fs::read_to_string(path) {
        Ok(text) => RuleFile::parse(&text, origin, path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => RuleFile {
            origin,
            path: path.to_owned(),
            script_gate: ScriptGate::Off,
            rules: Vec::new(),
            problems: Vec::new(),
        },
        Err(error) => RuleFile {
            origin,
            path: path.to_owned(),
            script_gate: ScriptGate::Off,
            rules: Vec::new(),
            problems: vec![RuleProblem {
                place: String::new(),
                kind: ProblemKind::NotReadable(error.to_string()),
            }],
        },
    }
}

/// The deepest part of a path that exists, and the rest.
pub(in crate::io) fn fact(path: &Path) -> Option<PathFact> {
    let mut missing = PathBuf::new();
    for part in path.ancestors() {
        if let Some(existing) = canonical(part) {
            return Some(PathFact { existing, missing });
        }
        // A link to nowhere is there, and nobody knows where a write to it would go.
        if std::fs::symlink_metadata(part).is_ok() {
            return None;
        }
        let name = part.file_name()?;
        missing = if missing.as_os_str().is_empty() {
            PathBuf::from(name)
        } else {
            Path::new(name).join(&missing)
        };
    }
    None
}

fn digest(path: &Path) -> Option<String> {
    let size = std::fs::metadata(path).ok()?.len();
    if size > DIGEST_LIMIT_BYTES {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    Some(format!("sha256:{}", hex(&Sha256::digest(&bytes))))
}

/// Bytes as hexadecimal digits.
pub(in crate::io) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| {
        DIGITS
            .get(usize::from(value))
            .map_or('0', |digit| char::from(*digit))
    };
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_does_not_exist_yet_is_told_by_what_exists_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = canonical(folder.path()).unwrap();
        let found = fact(&root.join("new/file.txt")).unwrap();
        assert_eq!(
            (found.existing, found.missing),
            (root.clone(), PathBuf::from("new/file.txt"))
        );
        let found = fact(&root).unwrap();
        assert_eq!((found.existing, found.missing), (root, PathBuf::new()));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_a_link_to_nowhere_is_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let root = canonical(folder.path()).unwrap();
        std::fs::create_dir(root.join("real")).unwrap();
        std::os::unix::fs::symlink(root.join("real"), root.join("link")).unwrap();
        std::os::unix::fs::symlink(root.join("gone"), root.join("dangling")).unwrap();
        let found = fact(&root.join("link/x")).unwrap();
        assert_eq!(
            (found.existing, found.missing),
            (root.join("real"), PathBuf::from("x"))
        );
        assert_eq!(fact(&root.join("dangling")), None);
        assert_eq!(fact(&root.join("dangling/x")), None);
    }

    #[test]
    fn what_an_agent_would_act_on_is_listed() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(".mcp.json"), "{}").unwrap();
        std::fs::write(folder.path().join("README.md"), "").unwrap();
        let found: Vec<_> = project_files(folder.path())
            .into_iter()
            .map(|file| file.path)
            .collect();
        assert_eq!(found, [PathBuf::from(".mcp.json")]);
    }

    #[test]
    fn a_rules_file_that_is_not_there_has_no_rules_and_no_problem() {
        let folder = tempfile::tempdir().unwrap();
        let folders = Folders::below(folder.path());
        let ground = ground(&folders, (folder.path(), true), None);
        let files: Vec<_> = ground
            .rules
            .files
            .iter()
            .map(|file| (file.rules.len(), file.problems.len()))
            .collect();
        assert_eq!(files, [(0, 0), (0, 0)]);
    }
}
