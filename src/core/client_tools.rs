//! What an agent may ask of us as its client: files and terminals. What it asks, and what it is answered.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::core::identity::{Certainty, Identity, IdentitySource, ToolName};
use crate::core::ids::{TerminalId, ToolCallId};
use crate::core::notice::ExitStatus;
use crate::core::time::Timestamp;
use crate::core::tool_call::{Diff, ToolCall, ToolCallContent, ToolCallLocation, ToolKind};

/// Which of the protocol's client capabilities are offered to an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClientTools {
    /// `fs.readTextFile`.
    pub read: bool,
    /// `fs.writeTextFile`.
    pub write: bool,
    /// `terminal`.
    pub terminal: bool,
}

impl ClientTools {
    /// The words in settings and on the command line.
    pub const WORDS: [&'static str; 4] = ["fs", "fs.read", "fs.write", "terminal"];

    /// The capabilities that words name; the first word that is none of [`Self::WORDS`] otherwise.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, &'a str> {
        let mut tools = Self::default();
        for word in words {
            match word {
                "fs" => (tools.read, tools.write) = (true, true),
                "fs.read" => tools.read = true,
                "fs.write" => tools.write = true,
                "terminal" => tools.terminal = true,
                unknown => return Err(unknown),
            }
        }
        Ok(tools)
    }

    /// The same as words.
    pub fn words(self) -> Vec<&'static str> {
        let files: &[&str] = match (self.read, self.write) {
            (true, true) => &["fs"],
            (true, false) => &["fs.read"],
            (false, true) => &["fs.write"],
            (false, false) => &[],
        };
        let terminal = self.terminal.then_some("terminal");
        files.iter().copied().chain(terminal).collect()
    }
}

/// What an agent asks of its client. Each is judged before it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientCall {
    /// `fs/read_text_file`. `line` counts from 1, `limit` is a number of lines.
    Read {
        path: PathBuf,
        line: Option<u64>,
        limit: Option<u64>,
    },
    /// `fs/write_text_file`.
    Write { path: PathBuf, content: String },
    /// `terminal/create`.
    Terminal(TerminalStart),
}

/// What `terminal/create` is to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TerminalStart {
    /// A program; a line for a shell when there are no arguments.
    pub command: String,
    pub args: Vec<String>,
    pub env: Vec<(String, String)>,
    /// Absolute; the session's folder when there is none.
    pub cwd: Option<PathBuf>,
    /// How much output is kept, in bytes.
    pub output_limit: Option<u64>,
}

/// What an agent asks about a terminal that it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TerminalCall {
    Output,
    WaitForExit,
    /// End the command; the terminal stays.
    Kill,
    /// End the command and forget the terminal.
    Release,
}

/// What an agent is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientAnswer {
    Text(String),
    Written,
    Started(TerminalId),
    Output {
        text: String,
        truncated: bool,
        /// `None` while the command runs.
        exit: Option<ExitStatus>,
    },
    Exited(ExitStatus),
    /// It was killed or released.
    Done,
}

/// What a file holds before it is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OldText {
    /// There is no such file.
    NoFile,
    Text(String),
    /// It is no text, is too large, or can't be read.
    Unknown,
}

/// Why an agent did not get what it asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientFailure {
    /// There is no such file.
    NoFile { path: PathBuf },
    /// It was given no such terminal, or has released it.
    NoTerminal { id: TerminalId },
    /// The person or a rule said no; the text is for the agent.
    Refused { text: String },
    /// The turn was cancelled before anybody answered.
    Cancelled,
    /// It was tried and did not work.
    Failed { reason: String },
}

/// The programs whose `-c` is followed by a line that this program reads itself.
const SHELLS: [&str; 4] = ["sh", "bash", "dash", "zsh"];

impl TerminalStart {
    /// The whole of it as a line for a shell. What is passed to a shell by `-c` stands as the line that it is.
    pub fn line(&self) -> String {
        let mut words: Vec<String> = self
            .env
            .iter()
            .map(|(name, value)| format!("{name}={}", quoted(value)))
            .collect();
        match (self.shell_line(), self.args.as_slice()) {
            (Some(line), _) => words.push(line.to_owned()),
            (None, []) => words.push(self.command.clone()),
            (None, args) => {
                words.push(quoted(&self.command));
                words.extend(args.iter().map(|arg| quoted(arg)));
            }
        }
        words.join(" ")
    }

    /// The line that is passed to a shell.
    fn shell_line(&self) -> Option<&str> {
        let program = self.command.rsplit('/').next()?;
        match self.args.as_slice() {
            [flag, line] if SHELLS.contains(&program) && matches!(flag.as_str(), "-c" | "-lc") => {
                Some(line)
            }
            _ => None,
        }
    }
}

/// A word as a shell takes it for one.
fn quoted(word: &str) -> String {
    let is_plain = !word.is_empty()
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_./:@%+,".contains(c));
    if is_plain {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

impl ClientCall {
    /// The tool that it is. The method of the request says so, which is no talk of the agent.
    pub fn identity(&self) -> Identity {
        let (name, method) = match self {
            Self::Read { .. } => (ToolName::Read, "fs/read_text_file"),
            Self::Write { .. } => (ToolName::Write, "fs/write_text_file"),
            Self::Terminal(_) => (ToolName::Bash, "terminal/create"),
        };
        Identity {
            name,
            wire_name: Some(method.to_owned()),
            source: IdentitySource::ClientRequest,
            certainty: Certainty::Certain,
            arguments: None,
        }
    }

    /// The same as a tool call, to be judged and shown. Nothing in it is the agent's talk about itself.
    pub fn as_tool_call(&self, id: ToolCallId, cwd: &Path, at: Timestamp) -> ToolCall {
        let mut call = ToolCall::placeholder(id, at);
        let mut input = Map::new();
        match self {
            Self::Read { path, line, limit } => {
                call.kind = ToolKind::Read;
                call.title = path.to_string_lossy().into_owned();
                input.insert("path".to_owned(), Value::from(call.title.clone()));
                for (key, number) in [("line", line), ("limit", limit)] {
                    if let Some(number) = number {
                        input.insert(key.to_owned(), Value::from(*number));
                    }
                }
            }
            Self::Write { path, content } => {
                call.kind = ToolKind::Edit;
                call.title = path.to_string_lossy().into_owned();
                input.insert("path".to_owned(), Value::from(call.title.clone()));
                call.content.push(ToolCallContent::Diff(Diff {
                    path: call.title.clone(),
                    old_text: None,
                    new_text: content.clone(),
                }));
            }
            Self::Terminal(start) => {
                call.kind = ToolKind::Execute;
                call.title = start.line();
                let cwd = start.cwd.as_deref().unwrap_or(cwd);
                input.insert("command".to_owned(), Value::from(call.title.clone()));
                input.insert("cwd".to_owned(), Value::from(cwd.to_string_lossy()));
            }
        }
        if let Some(path) = self.path() {
            call.locations.push(ToolCallLocation {
                path: path.to_string_lossy().into_owned(),
                line: None,
            });
        }
        call.raw_input = Some(Value::Object(input).into());
        call
    }

    /// The file that is read or written.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Read { path, .. } | Self::Write { path, .. } => Some(path),
            Self::Terminal(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(command: &str, args: &[&str], env: &[(&str, &str)]) -> TerminalStart {
        TerminalStart {
            command: command.to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            env: env
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            cwd: None,
            output_limit: None,
        }
    }

    #[test]
    fn a_terminal_is_shown_as_the_line_that_it_runs() {
        for (start, line) in [
            (start("echo one; echo two", &[], &[]), "echo one; echo two"),
            (start("bash", &["-lc", "ls | wc"], &[]), "ls | wc"),
            (
                start("/bin/sh", &["-c", "ls"], &[("A", "b c")]),
                "A='b c' ls",
            ),
            (start("sh", &["-c", "ls", "x"], &[]), "sh -c ls x"),
            (start("python", &["-c", "1"], &[]), "python -c 1"),
            (
                start("ls", &["a b", "it's", "$(id)"], &[]),
                r"ls 'a b' 'it'\''s' '$(id)'",
            ),
            (start("my tool", &["x"], &[]), "'my tool' x"),
        ] {
            assert_eq!(start.line(), line);
        }
    }

    #[test]
    fn words_name_capabilities_and_come_back() {
        for (words, back) in [
            (&["fs"][..], &["fs"][..]),
            (&["fs.read", "fs.write", "terminal"], &["fs", "terminal"]),
            (&["fs.write"], &["fs.write"]),
            (&["fs.read"], &["fs.read"]),
            (&[], &[]),
        ] {
            let tools = ClientTools::from_words(words.iter().copied()).expect("known words");
            assert_eq!(tools.words(), back);
        }
        assert_eq!(ClientTools::from_words(["fs", "all"]), Err("all"));
    }
}
