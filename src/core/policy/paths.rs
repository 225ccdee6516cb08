//! The files that a call touches, and what is known of where they really are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};

use super::glob::LetterCase;
use crate::core::identity::arguments::command_folder;
use crate::core::identity::{Identity, ToolName};
use crate::core::shell::{
    Direction, Piece, Redirection, ShellCommand, ShellPlaces, ShellScript, Word,
};
use crate::core::tool_call::{ToolCall, ToolCallContent};

/// How many paths of one call are looked at.
const PATHS_MOST: usize = 512;

/// The folders that matter, all absolute and canonical.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// The working folder that the person chose.
    pub folder: PathBuf,
    pub home: Option<PathBuf>,
    /// Our own settings, rules, sessions and records.
    pub own: Vec<PathBuf>,
}

/// What is done to a file, as far as it can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    Read,
    Write,
    /// It may be either.
    Unknown,
}

/// A file that a call touches: absolute, as it was written, with `.` and `..` and links still in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Touched {
    pub path: PathBuf,
    pub access: Access,
}

/// The files of a call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Touches {
    pub files: BTreeSet<Touched>,
    /// Whether there are files that can't be told: too many, or relative to a folder that is not known.
    pub incomplete: bool,
}

/// Where paths really are, looked up outside.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PathFacts {
    facts: BTreeMap<PathBuf, PathFact>,
    digests: BTreeMap<PathBuf, String>,
    pub letter_case: LetterCase,
}

/// Where one path really is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathFact {
    /// The canonical path of the deepest folder or file on it that exists.
    pub existing: PathBuf,
    /// What of it doesn't exist yet; empty for a path that does.
    pub missing: PathBuf,
}

impl PathFacts {
    /// Keeps what was found for a path of [`paths_to_resolve`].
    pub fn insert(&mut self, path: PathBuf, fact: PathFact) {
        self.facts.insert(path, fact);
    }

    /// Keeps the digest of a file that a rule depends on.
    pub fn insert_digest(&mut self, path: PathBuf, digest: String) {
        self.digests.insert(path, digest);
    }

    /// Where the path really is; `None` when that is not known.
    pub fn target(&self, path: &Path) -> Option<PathBuf> {
        let fact = self.facts.get(path)?;
        let plain = fact
            .missing
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        (plain && fact.existing.is_absolute()).then(|| {
            if fact.missing.as_os_str().is_empty() {
                fact.existing.clone()
            } else {
                fact.existing.join(&fact.missing)
            }
        })
    }

    pub fn digest(&self, path: &Path) -> Option<&str> {
        self.digests.get(path).map(String::as_str)
    }
}

impl Places {
    pub fn for_shell(&self) -> ShellPlaces<'_> {
        ShellPlaces {
            folder: &self.folder,
            home: self.home.as_deref(),
        }
    }

    /// A path as a tool means it.
    fn absolute(&self, text: &str, base: &Path) -> PathBuf {
        let text = text.strip_prefix("file://").unwrap_or(text);
        match (text.strip_prefix('~'), &self.home) {
            (Some(""), Some(home)) => home.clone(),
            (Some(rest), Some(home)) if rest.starts_with('/') => {
                home.join(rest.trim_start_matches('/'))
            }
            _ => base.join(text),
        }
    }
}

/// The paths whose facts a decision about the call needs.
pub fn paths_to_resolve(
    identity: &Identity,
    call: &ToolCall,
    script: Option<&ShellScript>,
    places: &Places,
) -> Vec<PathBuf> {
    let mut touches = of_call(identity, call, places);
    for command in script.iter().flat_map(|script| &script.commands) {
        touches.add_all(of_command(command, call, places));
    }
    let paths: BTreeSet<PathBuf> = touches.files.into_iter().map(|file| file.path).collect();
    paths.into_iter().collect()
}

impl Touches {
    fn add(&mut self, path: PathBuf, access: Access) {
        if self.files.len() >= PATHS_MOST {
            self.incomplete = true;
            return;
        }
        self.files.insert(Touched { path, access });
    }

    pub(super) fn add_all(&mut self, other: Self) {
        self.incomplete |= other.incomplete;
        for file in other.files {
            self.add(file.path, file.access);
        }
    }
}

/// The files that a call names outside of its command line: in its arguments, places and diffs.
pub fn of_call(identity: &Identity, call: &ToolCall, places: &Places) -> Touches {
    let mut touches = Touches::default();
    let access = access_of(identity);
    for location in &call.locations {
        touches.add(places.absolute(&location.path, &places.folder), access);
    }
    for piece in &call.content {
        if let ToolCallContent::Diff(diff) = piece {
            touches.add(places.absolute(&diff.path, &places.folder), Access::Write);
        }
    }
    let input = call.input();
    let inputs = [identity.arguments.as_ref(), input.as_deref()];
    for fields in inputs.into_iter().flatten().filter_map(Value::as_object) {
        for text in named_paths(fields) {
            touches.add(places.absolute(text, &places.folder), access);
        }
    }
    touches
}

fn access_of(identity: &Identity) -> Access {
    let mut accesses = identity.readings().iter().map(|name| match name {
        ToolName::Read | ToolName::Search => Access::Read,
        ToolName::Write | ToolName::Edit | ToolName::Delete | ToolName::Move => Access::Write,
        ToolName::Bash
        | ToolName::WebFetch
        | ToolName::WebSearch
        | ToolName::Think
        | ToolName::Task
        | ToolName::TodoWrite
        | ToolName::AskUserQuestion
        | ToolName::ExitPlanMode
        | ToolName::Mcp { .. }
        | ToolName::Other(_)
        | ToolName::Unknown => Access::Unknown,
    });
    let first = accesses.next().unwrap_or(Access::Unknown);
    if accesses.all(|access| access == first) {
        first
    } else {
        Access::Unknown
    }
}

/// The texts in fields that hold paths.
fn named_paths(fields: &Map<String, Value>) -> Vec<&str> {
    let mut found = Vec::new();
    for (key, value) in fields {
        let key = key.to_ascii_lowercase();
        let path_key = matches!(
            key.as_str(),
            "file"
                | "files"
                | "filename"
                | "source"
                | "destination"
                | "src"
                | "dest"
                | "dst"
                | "from"
                | "to"
                | "target"
                | "cwd"
                | "workdir"
                | "directory"
                | "dir"
                | "root"
                | "uri"
                | "folder"
                | "output"
                | "save_to"
        ) || key.contains("path")
            || key.ends_with("_file")
            || key.ends_with("_dir");
        match value {
            Value::String(text) if path_key && !text.contains("://") => found.push(text.as_str()),
            Value::String(text) if path_key && text.starts_with("file://") => found.push(text),
            Value::Array(items) if path_key => found.extend(items.iter().filter_map(Value::as_str)),
            Value::Array(items) => {
                let inner = items.iter().filter_map(Value::as_object);
                found.extend(inner.filter_map(|item| {
                    ["path", "file_path", "filePath"]
                        .iter()
                        .find_map(|key| item.get(*key)?.as_str())
                }));
            }
            // A patch as a map from path to change.
            Value::Object(changes) if key == "changes" => {
                found.extend(changes.keys().map(String::as_str));
            }
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Object(_) => {}
        }
    }
    found
}

/// The files that a command may touch: its redirections and every word that may be a path.
pub fn of_command(command: &ShellCommand, call: &ToolCall, places: &Places) -> Touches {
    let mut touches = Touches::default();
    let stated = command_folder(call).map(|folder| places.absolute(&folder, &places.folder));
    if let Some(stated) = &stated {
        touches.add(stated.clone(), Access::Read);
    }
    let bases: Vec<Option<PathBuf>> = command
        .folders
        .iter()
        .map(|folder| rebased(folder.as_deref(), stated.as_deref(), places))
        .collect();
    for base in &bases {
        if let Some(base) = base.as_ref().filter(|base| **base != places.folder) {
            touches.add(base.clone(), Access::Read);
        }
    }
    for Redirection { direction, target } in &command.redirections {
        let access = match direction {
            Direction::In => Access::Read,
            Direction::Out => Access::Write,
        };
        touches.word(target, access, &bases, places);
    }
    for word in &command.words {
        touches.word(word, Access::Unknown, &bases, places);
    }
    touches
}

/// Where the command runs when the agent says that the line starts in another folder than ours.
fn rebased(folder: Option<&Path>, stated: Option<&Path>, places: &Places) -> Option<PathBuf> {
    let folder = folder?;
    match (stated, folder.strip_prefix(&places.folder)) {
        (Some(stated), Ok(below)) if below.as_os_str().is_empty() => Some(stated.to_owned()),
        (Some(stated), Ok(below)) => Some(stated.join(below)),
        (Some(_) | None, _) => Some(folder.to_owned()),
    }
}

impl Touches {
    fn word(&mut self, word: &Word, access: Access, bases: &[Option<PathBuf>], places: &Places) {
        let Some(text) = text_of(word, places) else {
            self.incomplete = true;
            return;
        };
        for candidate in candidates(&text) {
            for base in bases {
                match base {
                    Some(base) => self.add(places.absolute(candidate, base), access),
                    None if candidate.starts_with(['/', '~']) => {
                        self.add(places.absolute(candidate, Path::new("/")), access);
                    }
                    None => self.incomplete = true,
                }
            }
        }
    }
}

/// The word with the home folder put in; `None` if something in it can't be told.
fn text_of(word: &Word, places: &Places) -> Option<String> {
    let mut text = String::new();
    for piece in &word.pieces {
        match piece {
            Piece::Text(part) => text.push_str(part),
            Piece::Home => text.push_str(&places.home.as_ref()?.to_string_lossy()),
            Piece::Here => text.push_str("./"),
            Piece::Glob(_) | Piece::Braces(_) | Piece::Unknown => return None,
        }
    }
    Some(text)
}

/// The parts of a word that may be a path: all of it, what follows a separator, what an option runs into.
fn candidates(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    if !text.is_empty() && !text.starts_with('-') {
        found.push(text);
    }
    for (at, separator) in text.char_indices() {
        let rest = text.get(at + separator.len_utf8()..).unwrap_or_default();
        if matches!(separator, '=' | ':' | ',' | '@') && !rest.is_empty() {
            found.push(rest);
        }
    }
    if text.starts_with('-')
        && let Some(at) = text.find(['/', '~', '.'])
        && let Some(rest) = text.get(at..)
    {
        found.push(rest);
    }
    found.truncate(16);
    found
}

/// Whether the path is the folder or lies in it. Both must be canonical.
pub fn is_inside(path: &Path, folder: &Path, case: LetterCase) -> bool {
    match case {
        LetterCase::Differs => path.starts_with(folder),
        LetterCase::Same => {
            let lower = |path: &Path| PathBuf::from(path.to_string_lossy().to_lowercase());
            lower(path).starts_with(lower(folder))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::ids::ToolCallId;
    use crate::core::shell;
    use crate::core::time::Timestamp;

    fn places() -> Places {
        Places {
            folder: PathBuf::from("/w"),
            home: Some(PathBuf::from("/home/me")),
            own: Vec::new(),
        }
    }

    fn files(line: &str, input: Value) -> Vec<String> {
        let mut call = ToolCall::placeholder(ToolCallId::from("1"), Timestamp(0));
        call.raw_input = Some(input.into());
        let script = shell::read(line, places().for_shell());
        let mut touches = Touches::default();
        for command in &script.commands {
            touches.add_all(of_command(command, &call, &places()));
        }
        touches
            .files
            .iter()
            .map(|file| file.path.display().to_string())
            .collect()
    }

    #[test]
    fn every_word_that_may_be_a_path_is_one() {
        for (line, expected) in [
            ("cat ../x", "/w/../x"),
            ("cat ~/.ssh/id", "/home/me/.ssh/id"),
            ("x --file=/etc/passwd", "/etc/passwd"),
            ("x --file=../y", "/w/../y"),
            ("x -I/usr/include", "/usr/include"),
            ("x -f../y", "../y"),
            ("dd of=/dev/sda", "/dev/sda"),
            ("scp a host:/etc/x", "/etc/x"),
            ("cd sub && cat x", "/w/sub/x"),
            ("cd /etc && cat x", "/etc/x"),
            ("cat < in", "/w/in"),
            ("echo a > out", "/w/out"),
        ] {
            let expected = if expected.starts_with('/') {
                expected.to_owned()
            } else {
                format!("/w/{expected}")
            };
            let found = files(line, Value::Null);
            assert!(found.contains(&expected), "{line}: {found:?}");
        }
    }

    #[test]
    fn a_folder_that_the_agent_states_moves_the_line_there() {
        let found = files("cat x", serde_json::json!({"cwd": "/etc"}));
        assert!(found.contains(&"/etc/x".to_owned()), "{found:?}");
        assert!(!found.contains(&"/w/x".to_owned()), "{found:?}");
    }

    #[test]
    fn a_target_that_still_climbs_is_not_known() {
        let mut facts = PathFacts::default();
        let path = PathBuf::from("/w/a/../b");
        facts.insert(
            path.clone(),
            PathFact {
                existing: PathBuf::from("/w"),
                missing: PathBuf::from("a/../b"),
            },
        );
        assert_eq!(facts.target(&path), None);
        assert_eq!(facts.target(Path::new("/w/other")), None);
    }
}
