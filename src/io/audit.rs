//! The audit log: one JSON line for every decision about a tool call, only ever appended to.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::core::decisions::LoggedDecision;
use crate::core::effect::Effect;
use crate::core::hub::AgentHub;
use crate::core::identity::{Certainty, Identity};
use crate::core::ids::SessionKey;
use crate::core::permission::{AnsweredBy, PermissionRecord};
use crate::core::policy::Reason;
use crate::core::session::Session;
use crate::core::time::Timestamp;
use crate::core::tool_call::ToolCall;
use crate::io::policy_files::hex;

/// One decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// Unix time in milliseconds.
    pub at_ms: u64,
    pub backend: String,
    pub folder: PathBuf,
    /// The session's id as its agent names it.
    pub session: Option<String>,
    pub tool_call: String,
    /// The canonical name of the tool.
    pub tool: String,
    /// How the name was established.
    pub identity_source: String,
    /// Whether hints disagree.
    pub unsure: bool,
    /// SHA-256 of the call's raw input as JSON text, in hex; the input itself is not kept.
    pub input_digest: Option<String>,
    /// `auto_allow`, `auto_deny`, `asked`, or `not_asked`.
    pub decision: String,
    /// Why: the reason in one word.
    pub because: Option<String>,
    /// The rule behind it, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The kind of the option that was chosen, or `cancelled`, `withdrawn`, `agent_gone`.
    pub answer: Option<String>,
}

/// Where a decision was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditContext {
    pub backend: String,
    pub folder: PathBuf,
    pub session: Option<String>,
}

impl AuditEntry {
    /// The entry of an answered request.
    pub fn answered(context: &AuditContext, record: &PermissionRecord) -> Self {
        let unanswered = match record.answered_by {
            AnsweredBy::Withdrawn => "withdrawn",
            AnsweredBy::AgentGone => "agent_gone",
            AnsweredBy::User | AnsweredBy::Policy | AnsweredBy::Cancellation => "cancelled",
        };
        let answer = record
            .selected
            .as_ref()
            .map_or(unanswered, |option| option.kind.as_str());
        let mut entry = Self::of_call(
            context,
            &record.tool_call,
            &record.identity,
            record.answered_at,
        );
        record.decision().clone_into(&mut entry.decision);
        entry.because = record
            .because
            .as_ref()
            .map(|reason| reason.code().to_owned());
        entry.rule = record.because.as_ref().and_then(Reason::rule_text);
        entry.answer = Some(answer.to_owned());
        entry
    }

    /// The entry of a call that ran without a request.
    pub fn not_asked(
        context: &AuditContext,
        call: &ToolCall,
        identity: &Identity,
        at: Timestamp,
    ) -> Self {
        Self::of_call(context, call, identity, at)
    }

    /// The entry as it is looked through.
    pub fn logged(&self) -> LoggedDecision {
        LoggedDecision {
            at: Timestamp(self.at_ms),
            backend: self.backend.clone(),
            folder: self.folder.clone(),
            session: self.session.clone(),
            tool: self.tool.clone(),
            unsure: self.unsure,
            decision: self.decision.clone(),
            because: self.because.clone(),
            rule: self.rule.clone(),
            answer: self.answer.clone(),
        }
    }

    fn of_call(
        context: &AuditContext,
        call: &ToolCall,
        identity: &Identity,
        at: Timestamp,
    ) -> Self {
        let digest = |text: String| hex(&Sha256::digest(text));
        Self {
            at_ms: at.0,
            backend: context.backend.clone(),
            folder: context.folder.clone(),
            session: context.session.clone(),
            tool_call: call.id.to_string(),
            tool: identity.name.canonical(),
            identity_source: identity.source.as_str().to_owned(),
            unsure: matches!(identity.certainty, Certainty::Unsure { .. }),
            input_digest: call.input().map(|input| digest(input.to_string())),
            decision: "not_asked".to_owned(),
            because: None,
            rule: None,
            answer: None,
        }
    }
}

/// What an effect puts on record.
pub fn entries(hub: &AgentHub, effect: &Effect, now: Timestamp) -> Vec<AuditEntry> {
    let context = |key: SessionKey| {
        hub.session(key).map(|session| AuditContext {
            backend: session.spec().id.to_string(),
            folder: session.setup().cwd.clone(),
            session: session.agent_session().map(ToString::to_string),
        })
    };
    match effect {
        Effect::Record { session, record } => context(*session)
            .map(|context| AuditEntry::answered(&context, record))
            .into_iter()
            .collect(),
        Effect::RecordUnasked { session, calls, .. } => {
            let Some(context) = context(*session) else {
                return Vec::new();
            };
            let transcript = hub.session(*session).map(Session::transcript);
            calls
                .iter()
                .filter_map(|(id, identity)| {
                    let call = transcript?.tool_call(id)?;
                    Some(AuditEntry::not_asked(&context, call, identity, now))
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// So many entries are written at once.
const ENTRIES_AT_ONCE: usize = 100;

/// The record, to be written to. Its file is opened with the first entry and made again when somebody moves it away.
#[derive(Debug)]
pub struct AuditLog {
    path: PathBuf,
    file: Option<File>,
}

impl AuditLog {
    /// The record in this file.
    pub fn new(path: PathBuf) -> Self {
        Self { path, file: None }
    }

    /// The file it is written to.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends entries, each write of whole lines, so that two programs never mix theirs.
    pub fn append(&mut self, entries: &[AuditEntry]) -> io::Result<()> {
        for some in entries.chunks(ENTRIES_AT_ONCE) {
            self.append_some(some)?;
        }
        Ok(())
    }

    fn append_some(&mut self, entries: &[AuditEntry]) -> io::Result<()> {
        let mut lines = Vec::new();
        for entry in entries {
            serde_json::to_writer(&mut lines, entry)?;
            lines.push(b'\n');
        }
        if !self.path.try_exists()? {
            self.file = None;
        }
        let file = match &mut self.file {
            Some(file) => file,
            slot => slot.insert(opened(&self.path)?),
        };
        file.write_all(&lines)
    }
}

fn opened(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
}

/// What there was of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    Missing,
    /// `broken` lines could not be read.
    Read {
        broken: usize,
    },
}

/// Hands on each entry, oldest first, a line at a time. An error of `take` ends it.
pub fn each(file: &Path, mut take: impl FnMut(AuditEntry) -> io::Result<()>) -> io::Result<Found> {
    let file = match File::open(file) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Missing),
        Err(error) => return Err(error),
    };
    let broken = each_line(BufReader::new(file), &mut take)?;
    Ok(Found::Read { broken })
}

/// The newest part of a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Newest {
    /// Oldest first.
    pub decisions: Vec<LoggedDecision>,
    pub broken: usize,
    /// There is more before it.
    pub is_cut: bool,
}

/// Reads at most so many bytes from the end. A record that is not there is empty.
pub fn newest(file: &Path, bytes_most: u64) -> io::Result<Newest> {
    let mut file = match File::open(file) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Newest::default()),
        Err(error) => return Err(error),
    };
    let start = file.metadata()?.len().saturating_sub(bytes_most);
    let mut newest = Newest {
        is_cut: start > 0,
        ..Newest::default()
    };
    // The line in which the part begins is left out, unless the part begins with it.
    file.seek(SeekFrom::Start(start.saturating_sub(1)))?;
    let mut reader = BufReader::new(file);
    if start > 0 {
        reader.skip_until(b'\n')?;
    }
    let decisions = &mut newest.decisions;
    newest.broken = each_line(reader, &mut |entry| {
        decisions.push(entry.logged());
        Ok(())
    })?;
    Ok(newest)
}

/// Hands on each entry; how many lines can't be read.
fn each_line(
    mut reader: impl BufRead,
    take: &mut impl FnMut(AuditEntry) -> io::Result<()>,
) -> io::Result<usize> {
    let (mut broken, mut line) = (0, Vec::new());
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            return Ok(broken);
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice(&line) {
            Ok(entry) => take(entry)?,
            Err(_) => broken += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::identity::{IdentityContext, identify};

    #[test]
    fn entries_are_appended_and_read_back_and_broken_lines_counted() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state/audit.jsonl");
        let context = AuditContext {
            backend: "codex".to_owned(),
            folder: "/p".into(),
            session: None,
        };
        let mut call = ToolCall::placeholder("t1".into(), Timestamp(5));
        call.raw_input = Some(serde_json::json!({"command": "ls"}).into());
        let identity = identify(&call, &IdentityContext::default());
        let entry = AuditEntry::not_asked(&context, &call, &identity, Timestamp(5));
        let mut log = AuditLog::new(file.clone());
        log.append(std::slice::from_ref(&entry)).unwrap();
        std::fs::rename(&file, file.with_extension("old")).unwrap();
        log.append(&[entry.clone(), entry.clone()]).unwrap();
        std::fs::write(
            &file,
            format!("{}half a line", std::fs::read_to_string(&file).unwrap()),
        )
        .unwrap();
        let mut read = Vec::new();
        let found = each(&file, |entry| {
            read.push(entry);
            Ok(())
        });
        assert_eq!(found.unwrap(), Found::Read { broken: 1 });
        assert_eq!(read, [entry.clone(), entry.clone()]);
        let none = each(&folder.path().join("none"), |_| Ok(()));
        assert_eq!(none.unwrap(), Found::Missing);

        let all = newest(&file, 1_000_000).unwrap();
        assert_eq!(all.decisions, [entry.logged(), entry.logged()]);
        assert_eq!((all.broken, all.is_cut), (1, false));
        // As much as the last two lines, and a piece of the one before.
        let size = std::fs::metadata(&file).unwrap().len();
        let line = (size - 11) / 2;
        for most in [line + 11, line + 15] {
            let part = newest(&file, most).unwrap();
            assert_eq!(part.decisions.len(), 1, "{most}");
            assert!(part.is_cut);
        }
        assert_eq!(
            (entry.tool.as_str(), entry.decision.as_str()),
            ("Bash", "not_asked")
        );
    }
}
