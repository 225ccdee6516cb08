//! Notes and failures in words.

use crate::core::notice::{Choice, ExitStatus, Failure, FailureKind, Note};
use crate::core::session::{CANCEL_LIMIT_MILLIS, Phase, Session};
use crate::core::time::Timestamp;
use crate::core::tool_call::ToolCallStatus;
use crate::core::transcript::{Block, BlockContent};
use crate::i18n::I18n;
use crate::ui::format;
use crate::ui::panels::reasons;
use crate::ui::transcript::note_words;
use crate::ui::untrusted::one_line;

/// How much a note matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Quiet,
    /// The person may have to do something.
    Caution,
}

/// What went wrong, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureWords {
    pub what: String,
    /// What the person can do about it.
    pub next: Option<String>,
    /// Long and technical, behind a fold.
    pub details: Vec<String>,
}

impl FailureWords {
    /// What the person can do about it now.
    pub fn next_step(&self, session: &Session, block: &Block, failure: &Failure) -> Option<&str> {
        // The agent is gone: there is only one thing to do, and only while nobody has done it.
        let is_death = matches!(
            failure.kind,
            FailureKind::AgentExited { .. } | FailureKind::OutputClosed
        );
        let next = self.next.as_deref();
        next.filter(|_| !is_death || may_restart(session, block))
    }

    /// What the agent wrote last, and all else that is technical.
    pub fn all_details(&self, failure: &Failure) -> String {
        let stderr = failure.stderr.iter().chain(&self.details);
        let lines: Vec<&str> = stderr.map(String::as_str).collect();
        lines.join("\n")
    }
}

/// Whether the agent can be started again from this failure: only the newest one of a session that is down says so.
pub fn may_restart(session: &Session, block: &Block) -> bool {
    let is_down = matches!(session.phase(), Phase::AgentGone | Phase::Failed);
    let blocks = session.transcript().blocks().iter().rev();
    let mut failures = blocks
        .take(32)
        .filter(|block| matches!(block.content, BlockContent::Failure(_)));
    is_down && failures.next().is_some_and(|newest| newest.id == block.id)
}

/// The key of the words for the state of a call.
pub fn status(status: ToolCallStatus) -> &'static str {
    match status {
        ToolCallStatus::Pending => "transcript.tool.pending",
        ToolCallStatus::InProgress => "transcript.tool.running",
        ToolCallStatus::Completed => "transcript.tool.done",
        ToolCallStatus::Failed => "transcript.tool.failed",
        ToolCallStatus::Denied => "transcript.tool.denied",
        ToolCallStatus::Cancelled => "transcript.tool.cancelled",
        ToolCallStatus::NoResult => "transcript.tool.no_result",
        ToolCallStatus::Stopped => "transcript.tool.stopped",
    }
}

/// A note in one line.
pub fn note(i18n: &I18n, agent: &str, note: &Note, at: Timestamp) -> (String, Tone) {
    if let Some(words) = note_words::words(i18n, note, at) {
        let tone = if note_words::needs_attention(note) {
            Tone::Caution
        } else {
            Tone::Quiet
        };
        return (words, tone);
    }
    let tone = match note {
        Note::CancelNotConfirmed
        | Note::RestartsExhausted { .. }
        | Note::MemoryLost
        | Note::ChoiceFailed { .. }
        | Note::NeverAsks
        | Note::OwnToolsNeverAsk
        | Note::DeniedByPolicy { .. } => Tone::Caution,
        _ => Tone::Quiet,
    };
    (own_words(i18n, agent, note), tone)
}

fn own_words(i18n: &I18n, agent: &str, note: &Note) -> String {
    match note {
        Note::StrayLines { count } => {
            i18n.tr_args("transcript.stray_lines", &[("count", (*count).into())])
        }
        Note::TurnEnded { stop_reason } => ended(i18n, stop_reason),
        Note::Cancelled => i18n.tr("transcript.ended.cancelled").to_owned(),
        Note::CancelNotConfirmed => {
            let duration = format::duration(i18n, CANCEL_LIMIT_MILLIS);
            i18n.tr_args("error.not_confirmed", &[("duration", duration.into())])
        }
        Note::Denied { title } => i18n.tr_args(
            "transcript.note.denied",
            &[("title", one_line(title).into())],
        ),
        Note::DeniedByPolicy { title, because } => {
            let args = [
                ("title", one_line(title).into()),
                ("because", reasons::because(i18n, because).into()),
            ];
            i18n.tr_args("transcript.note.denied_by_rule", &args)
        }
        Note::RanUnasked { count } => {
            i18n.tr_args("transcript.note.ran_unasked", &[("count", (*count).into())])
        }
        Note::NeverAsks => i18n.tr_args("transcript.note.never_asks", &[("agent", agent.into())]),
        Note::OwnToolsNeverAsk => i18n.tr_args(
            "transcript.note.own_tools_never_ask",
            &[("agent", agent.into())],
        ),
        Note::RequestWithdrawn { title } => i18n.tr_args(
            "transcript.note.withdrawn",
            &[("title", one_line(title).into())],
        ),
        Note::Restarting { attempt, most } => {
            let args = [("attempt", (*attempt).into()), ("most", (*most).into())];
            i18n.tr_args("transcript.note.restarting", &args)
        }
        Note::RestartsExhausted { most } => {
            let args = [
                ("agent", agent.into()),
                ("count", (*most).saturating_add(1).into()),
            ];
            i18n.tr_args("error.restart_limit", &args)
        }
        Note::SessionRestored => i18n.tr("transcript.note.restored").to_owned(),
        Note::MemoryLost => i18n.tr("error.session_lost").to_owned(),
        Note::Forgotten => i18n.tr("transcript.note.forgotten").to_owned(),
        Note::Chosen { what, value } => chosen(i18n, what, one_line(value)),
        Note::ChoiceFailed { message, .. } => i18n.tr_args(
            "error.option_failed",
            &[("message", one_line(message).into())],
        ),
        Note::Unrecognized { kind } => i18n.tr_args(
            "transcript.unrecognized",
            &[("kind", one_line(kind).into())],
        ),
        // `note_words` has the others.
        _ => String::new(),
    }
}

/// Why a turn ended, for the reasons that are worth a line.
fn ended(i18n: &I18n, stop_reason: &str) -> String {
    match stop_reason {
        "max_tokens" => i18n.tr("transcript.ended.max_tokens").to_owned(),
        "max_turn_requests" => i18n.tr("transcript.ended.max_turn_requests").to_owned(),
        "refusal" => i18n.tr("transcript.ended.refusal").to_owned(),
        "cancelled" => i18n.tr("transcript.ended.by_agent").to_owned(),
        other => i18n.tr_args(
            "transcript.ended.unknown",
            &[("reason", one_line(other).into())],
        ),
    }
}

fn chosen(i18n: &I18n, what: &Choice, value: String) -> String {
    match what {
        Choice::Mode => i18n.tr_args("transcript.mode_changed", &[("mode", value.into())]),
        Choice::Model => i18n.tr_args("transcript.model_changed", &[("model", value.into())]),
        Choice::Option(option) => {
            let args = [("option", one_line(option).into()), ("value", value.into())];
            i18n.tr_args("transcript.option_changed", &args)
        }
    }
}

/// A failure: what happened, what to do, and what is behind the fold.
pub fn failure(i18n: &I18n, agent: &str, failure: &Failure) -> FailureWords {
    let kind = &failure.kind;
    let mut details = details(i18n, kind);
    if details.is_empty() && failure.stderr.is_empty() {
        details.push(i18n.tr_args("error.code", &[("code", kind.code().into())]));
    }
    FailureWords {
        what: what(i18n, agent, kind),
        next: next(i18n, kind).map(str::to_owned),
        details,
    }
}

fn what(i18n: &I18n, agent: &str, kind: &FailureKind) -> String {
    match kind {
        FailureKind::ProgramMissing { program, .. } => i18n.tr_args(
            "error.program_missing",
            &[("program", one_line(program).into())],
        ),
        FailureKind::StartFailed { program, reason } => {
            let args = [
                ("agent", one_line(program).into()),
                ("message", one_line(reason).into()),
            ];
            i18n.tr_args("error.start_failed", &args)
        }
        FailureKind::AgentExited { exit } => match exit {
            ExitStatus::Code(code) => {
                i18n.tr_args("error.died.exit_code", &[("code", (*code).into())])
            }
            ExitStatus::Signal(signal) => {
                i18n.tr_args("error.died.signal", &[("signal", (*signal).into())])
            }
            ExitStatus::Unknown => i18n.tr("error.died.unknown").to_owned(),
        },
        FailureKind::OutputClosed => i18n.tr("error.died.closed").to_owned(),
        FailureKind::VersionMismatch { theirs } => {
            let args = [("agent", agent.into()), ("version", (*theirs).into())];
            i18n.tr_args("error.protocol_version", &args)
        }
        FailureKind::AgentError(error) => i18n.tr_args(
            "error.prompt_failed",
            &[("message", one_line(&error.message).into())],
        ),
        FailureKind::NoAnswer { after_secs, .. } => {
            let duration = format::duration(i18n, after_secs.saturating_mul(1000));
            i18n.tr_args(
                "error.start_timeout",
                &[("agent", agent.into()), ("duration", duration.into())],
            )
        }
        FailureKind::SignInNeeded { message } if message.is_empty() => {
            i18n.tr_args("backend.sign_in.heading", &[("agent", agent.into())])
        }
        FailureKind::SignInNeeded { message } => {
            let args = [
                ("agent", agent.into()),
                ("message", one_line(message).into()),
            ];
            i18n.tr_args("error.sign_in_needed", &args)
        }
        FailureKind::SignInFailed { message } => i18n.tr_args(
            "backend.sign_in.failed",
            &[("message", one_line(message).into())],
        ),
        FailureKind::LineTooLong { limit_bytes } => i18n.tr_args(
            "error.line_too_long",
            &[("limit", format::bytes(*limit_bytes).into())],
        ),
    }
}

fn next<'a>(i18n: &'a I18n, kind: &FailureKind) -> Option<&'a str> {
    let key = match kind {
        FailureKind::ProgramMissing { .. } => "error.program_missing.next",
        FailureKind::StartFailed { .. } => "error.start_failed.next",
        FailureKind::AgentExited { .. }
        | FailureKind::OutputClosed
        | FailureKind::NoAnswer { .. } => "error.died.next",
        FailureKind::VersionMismatch { .. } => "error.protocol_version.next",
        FailureKind::AgentError(_) => "error.prompt_failed.next",
        FailureKind::SignInNeeded { .. } | FailureKind::SignInFailed { .. } => "error.sign_in.next",
        FailureKind::LineTooLong { .. } => return None,
    };
    Some(i18n.tr(key))
}

fn details(i18n: &I18n, kind: &FailureKind) -> Vec<String> {
    match kind {
        FailureKind::ProgramMissing { searched, .. } => {
            let heading = i18n.tr("error.program_missing.searched").to_owned();
            let places = searched
                .iter()
                .map(|place| format!("  {}", place.display()));
            [heading].into_iter().chain(places).collect()
        }
        FailureKind::AgentError(error) => {
            // Where a dialect has no codes, there is none to show.
            let number = (error.code != 0)
                .then(|| i18n.tr_args("error.code", &[("code", error.code.to_string().into())]));
            [number, error.data.clone()].into_iter().flatten().collect()
        }
        FailureKind::NoAnswer { request, .. } => vec![request.clone()],
        FailureKind::StartFailed { .. }
        | FailureKind::AgentExited { .. }
        | FailureKind::OutputClosed
        | FailureKind::VersionMismatch { .. }
        | FailureKind::SignInNeeded { .. }
        | FailureKind::SignInFailed { .. }
        | FailureKind::LineTooLong { .. } => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::core::notice::RpcError;
    use crate::i18n::Language;

    fn notes() -> Vec<Note> {
        let title = "rm -rf build".to_owned();
        let choice_failed = Note::ChoiceFailed {
            what: Choice::Mode,
            value: "plan".to_owned(),
            message: "no".to_owned(),
        };
        let mut notes = vec![
            Note::StrayLines { count: 3 },
            Note::Cancelled,
            Note::CancelNotConfirmed,
            Note::Denied {
                title: title.clone(),
            },
            Note::RequestWithdrawn { title },
            Note::Restarting {
                attempt: 1,
                most: 3,
            },
            Note::RestartsExhausted { most: 3 },
            Note::SessionRestored,
            Note::MemoryLost,
            Note::Forgotten,
            choice_failed,
            Note::Unrecognized {
                kind: "hologram".to_owned(),
            },
        ];
        for what in [
            Choice::Mode,
            Choice::Model,
            Choice::Option("effort".to_owned()),
        ] {
            notes.push(Note::Chosen {
                what,
                value: "high".to_owned(),
            });
        }
        for reason in [
            "max_tokens",
            "max_turn_requests",
            "refusal",
            "cancelled",
            "solar_flare",
        ] {
            notes.push(Note::TurnEnded {
                stop_reason: reason.to_owned(),
            });
        }
        notes
    }

    fn failures() -> Vec<FailureKind> {
        let message = "not logged in".to_owned();
        vec![
            FailureKind::ProgramMissing {
                program: "agent".to_owned(),
                searched: vec![PathBuf::from("/bin/agent")],
            },
            FailureKind::StartFailed {
                program: "agent".to_owned(),
                reason: message.clone(),
            },
            FailureKind::AgentExited {
                exit: ExitStatus::Code(3),
            },
            FailureKind::AgentExited {
                exit: ExitStatus::Signal(9),
            },
            FailureKind::AgentExited {
                exit: ExitStatus::Unknown,
            },
            FailureKind::OutputClosed,
            FailureKind::VersionMismatch { theirs: 7 },
            FailureKind::AgentError(RpcError {
                code: -32603,
                message: message.clone(),
                data: Some("{}".to_owned()),
            }),
            FailureKind::NoAnswer {
                request: "initialize".to_owned(),
                after_secs: 120,
            },
            FailureKind::SignInNeeded {
                message: message.clone(),
            },
            FailureKind::SignInNeeded {
                message: String::new(),
            },
            FailureKind::SignInFailed { message },
            FailureKind::LineTooLong {
                limit_bytes: 64 << 20,
            },
        ]
    }

    /// A text without its key or without a placeholder would show as such.
    #[test]
    fn everything_has_words_in_every_language() {
        for language in Language::ALL {
            let i18n = I18n::new(language);
            let is_text = |text: &str| {
                assert!(
                    !text.is_empty() && !text.contains('$') && !text.contains('{'),
                    "{text}"
                );
                assert!(
                    !text.starts_with("transcript.") && !text.starts_with("error."),
                    "{text}"
                );
            };
            for one in notes() {
                is_text(&note(&i18n, "Codex", &one, Timestamp(0)).0);
            }
            for kind in failures() {
                let words = failure(
                    &i18n,
                    "Codex",
                    &Failure {
                        kind,
                        stderr: Vec::new(),
                    },
                );
                is_text(&words.what);
                words.next.iter().for_each(|next| is_text(next));
            }
        }
    }

    #[test]
    fn an_unknown_stop_reason_is_named() {
        let i18n = I18n::new(Language::English);
        let words = note(
            &i18n,
            "Codex",
            &Note::TurnEnded {
                stop_reason: "solar_flare".to_owned(),
            },
            Timestamp(0),
        );
        assert_eq!(
            words,
            ("The turn ended: solar_flare".to_owned(), Tone::Quiet)
        );
    }
}
