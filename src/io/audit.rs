//! The audit log: one JSON line for every decision about a tool call, only ever appended to.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::core::effect::Effect;
use crate::core::hub::AgentHub;
use crate::core::identity::{Certainty, Identity};
use crate::core::ids::SessionKey;
use crate::core::permission::{AnsweredBy, PermissionRecord};
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
    /// Why: the reason in one word, with the rule where there is one.
    pub because: Option<String>,
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
    pub fn answered(
        context: &AuditContext,
        record: &PermissionRecord,
        because: Option<String>,
    ) -> Self {
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
        entry.because = because;
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
            input_digest: call
                .raw_input
                .as_ref()
                .map(|input| digest(input.to_string())),
            decision: "not_asked".to_owned(),
            because: None,
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
            .map(|context| {
                let because = record
                    .because
                    .as_ref()
                    .map(|reason| reason.code().to_owned());
                AuditEntry::answered(&context, record, because)
            })
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

/// Appends one entry, in one write, so that two programs never mix their lines.
pub fn append(file: &Path, entry: &AuditEntry) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut line = serde_json::to_string(entry)?;
    line.push('\n');
    std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(file)?
        .write_all(line.as_bytes())
}

/// Reads all entries, oldest first. Lines that can't be read are counted.
pub fn read(file: &Path) -> io::Result<(Vec<AuditEntry>, usize)> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    let mut broken = 0;
    let mut entries = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(entry) => entries.push(entry),
            Err(_) => broken += 1,
        }
    }
    Ok((entries, broken))
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
        call.raw_input = Some(serde_json::json!({"command": "ls"}));
        let identity = identify(&call, &IdentityContext::default());
        let entry = AuditEntry::not_asked(&context, &call, &identity, Timestamp(5));
        append(&file, &entry).unwrap();
        append(&file, &entry).unwrap();
        std::fs::write(
            &file,
            format!("{}half a line", std::fs::read_to_string(&file).unwrap()),
        )
        .unwrap();
        let (read, broken) = read(&file).unwrap();
        assert_eq!((read, broken), (vec![entry.clone(), entry.clone()], 1));
        assert_eq!(
            (entry.tool.as_str(), entry.decision.as_str()),
            ("Bash", "not_asked")
        );
    }
}
