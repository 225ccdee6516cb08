//! English words of the command line for what the core keeps as data, and stable codes for scripts.

use crate::core::mcp::McpState;
use crate::core::notice::{Choice, ExitStatus, FailureKind, Note, Origin, RpcError};
use crate::core::permission::{AnsweredBy, PermissionOptionKind};
use crate::core::plan::PlanEntryStatus;
use crate::core::session::{Session, TurnCause};
use crate::core::tool_call::{ToolCall, ToolCallStatus};
use crate::core::usage::{CompactionTrigger, TokenCounts};

/// A stable word for a note.
pub fn note_code(note: &Note) -> &'static str {
    match note {
        Note::StrayLines { .. } => "stray_lines",
        Note::TurnEnded { .. } => "turn_ended",
        Note::Cancelled => "cancelled",
        Note::CancelNotConfirmed => "cancel_not_confirmed",
        Note::Denied { .. } => "denied",
        Note::DeniedByPolicy { .. } => "denied_by_policy",
        Note::RanUnasked { .. } => "ran_unasked",
        Note::NeverAsks => "never_asks",
        Note::OwnToolsNeverAsk => "own_tools_never_ask",
        Note::RequestWithdrawn { .. } => "request_withdrawn",
        Note::Restarting { .. } => "restarting",
        Note::RestartsExhausted { .. } => "restarts_exhausted",
        Note::SessionRestored => "session_restored",
        Note::MemoryLost => "memory_lost",
        Note::Forgotten => "forgotten",
        Note::Chosen { .. } => "chosen",
        Note::ChoiceFailed { .. } => "choice_failed",
        Note::Unrecognized { .. } => "unrecognized",
        Note::Compacted { .. } => "compacted",
        Note::Retrying { .. } => "retrying",
        Note::Agent(_) => "agent",
        Note::QuotaNearlyUsed { .. } => "quota_nearly_used",
        Note::NoMcpYet => "no_mcp_yet",
        Note::McpReconnecting { .. } => "mcp_reconnecting",
        Note::McpReconnected { .. } => "mcp_reconnected",
        Note::McpReconnectFailed { .. } => "mcp_reconnect_failed",
        Note::QuestionSkipped => "question_skipped",
        Note::McpServersChanged => "mcp_servers_changed",
        Note::McpNotPassed { .. } => "mcp_not_passed",
        Note::McpNotAdded { .. } => "mcp_not_added",
    }
}

/// A note as a sentence.
pub fn note_text(note: &Note) -> String {
    match note {
        Note::StrayLines { count } => format!("The agent printed {count} stray lines"),
        Note::TurnEnded { stop_reason } => format!("Ended: {stop_reason}"),
        Note::Cancelled => "Cancelled".to_owned(),
        Note::CancelNotConfirmed => "The agent did not confirm the cancellation".to_owned(),
        Note::Denied { title } => format!("Denied: {title}"),
        Note::DeniedByPolicy { title, .. } => format!("Denied by a rule: {title}"),
        Note::RanUnasked { count: 1 } => "1 tool call ran without being asked".to_owned(),
        Note::RanUnasked { count } => format!("{count} tool calls ran without being asked"),
        Note::NeverAsks => "This agent runs tools without ever asking".to_owned(),
        Note::OwnToolsNeverAsk => {
            "This agent runs commands and changes files without asking, unless it gets files and a terminal from us"
                .to_owned()
        }
        Note::RequestWithdrawn { title } => format!("The agent took its request back: {title}"),
        Note::Restarting { attempt, most } => {
            format!("The agent is started again ({attempt} of {most})")
        }
        Note::RestartsExhausted { most } => {
            format!("The agent died {most} times in a row and is not started again")
        }
        Note::SessionRestored => "The session was loaded again".to_owned(),
        Note::MemoryLost => "The agent has no memory of the session".to_owned(),
        Note::Forgotten => "The agent has forgotten what is above".to_owned(),
        Note::Chosen { what, value } => format!("{}: {value}", choice(what)),
        Note::ChoiceFailed {
            what,
            value,
            message,
        } => format!("{} not set to {value}: {message}", choice(what)),
        Note::Unrecognized { kind } => format!("Unknown update: {kind}"),
        Note::Compacted {
            trigger,
            before,
            after,
        } => compacted(*trigger, *before, *after),
        Note::Retrying {
            attempt,
            most,
            message,
        } => match most {
            Some(most) => format!("The agent tries again ({attempt} of {most}): {message}"),
            None => format!("The agent tries again ({attempt}): {message}"),
        },
        Note::Agent(text) => text.clone(),
        Note::QuotaNearlyUsed { name, percent, .. } => format!("Quota {name}: {percent} % used"),
        Note::NoMcpYet => "No session is open, so there are no MCP servers".to_owned(),
        Note::McpReconnecting { server } => format!("Connecting the MCP server {server} again"),
        Note::McpReconnected { server } => format!("The MCP server {server} is connected"),
        Note::McpReconnectFailed { server, message } => {
            format!("The MCP server {server} could not be connected: {message}")
        }
        Note::QuestionSkipped => "The question was left unanswered".to_owned(),
        Note::McpServersChanged => {
            "Other MCP servers are passed to the agent when it is started again".to_owned()
        }
        Note::McpNotPassed { server } => {
            format!("The agent takes no MCP servers of the kind of {server}, so it was not passed")
        }
        Note::McpNotAdded { server, message } => {
            format!("The MCP server {server} could not be added: {message}")
        }
    }
}

/// A failure as a sentence.
pub fn failure_text(kind: &FailureKind) -> String {
    match kind {
        FailureKind::ProgramMissing { program, searched } => {
            let places: Vec<_> = searched
                .iter()
                .map(|place| place.display().to_string())
                .collect();
            format!("{program} was not found; searched: {}", places.join(", "))
        }
        FailureKind::StartFailed { program, reason } => {
            format!("{program} could not be started: {reason}")
        }
        FailureKind::AgentExited { exit } => format!("The agent ended ({})", exit_text(exit)),
        FailureKind::OutputClosed => "The agent closed its output".to_owned(),
        FailureKind::VersionMismatch { theirs } => {
            format!("The agent speaks version {theirs} of the protocol, which is not supported")
        }
        FailureKind::AgentError(error) => rpc_text(error),
        FailureKind::NoAnswer {
            request,
            after_secs,
        } => format!("The agent did not answer {request} within {after_secs} s"),
        FailureKind::SignInNeeded { message } => format!("Sign-in needed: {message}"),
        FailureKind::SignInFailed { message } => format!("Sign-in failed: {message}"),
        FailureKind::LineTooLong { limit_bytes } => {
            format!("A message of more than {limit_bytes} bytes was dropped")
        }
    }
}

/// The canonical name of a call's tool. For show only: that it has one is no reason to allow a call.
pub fn tool_name(session: &Session, call: &ToolCall) -> String {
    session.identity_of(call).name.canonical()
}

/// An agent's error with its code and details.
pub fn rpc_text(error: &RpcError) -> String {
    let data = error.data.as_deref().filter(|data| !data.is_empty());
    let data = data.map(|data| format!(": {data}")).unwrap_or_default();
    // Claude Code's own dialect has no codes; 0 stands for none.
    match error.code {
        0 => format!("{}{data}", error.message),
        code => format!("{} ({code}){data}", error.message),
    }
}

/// How a process ended.
pub fn exit_text(exit: &ExitStatus) -> String {
    match exit {
        ExitStatus::Code(code) => format!("exit code {code}"),
        ExitStatus::Signal(signal) => format!("signal {signal}"),
        ExitStatus::Unknown => "no exit code".to_owned(),
    }
}

/// Where the cause of a failure lies.
pub fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Setup => "setup",
        Origin::Agent => "agent",
        Origin::Protocol => "protocol",
    }
}

/// The failure that ended a turn; `None` when the agent gave a stop reason.
pub fn failure_of(cause: &TurnCause) -> Option<TurnFailure> {
    let failure = |code, origin, retry, message| {
        Some(TurnFailure {
            code,
            origin,
            retry,
            message,
        })
    };
    match cause {
        TurnCause::Stopped(_) => None,
        TurnCause::Failed(error) if error.code == AUTH_REQUIRED => {
            failure("sign_in_needed", Origin::Setup, false, rpc_text(error))
        }
        TurnCause::Failed(error) => failure("agent_error", Origin::Agent, true, rpc_text(error)),
        TurnCause::CancelNotConfirmed => failure(
            "cancel_not_confirmed",
            Origin::Agent,
            true,
            note_text(&Note::CancelNotConfirmed),
        ),
        TurnCause::AgentGone => {
            let message = "The agent was gone before the turn ended".to_owned();
            failure("agent_gone", Origin::Agent, true, message)
        }
        TurnCause::SessionClosed => {
            let message = "The session was closed before the turn ended".to_owned();
            failure("session_closed", Origin::Setup, true, message)
        }
    }
}

/// JSON-RPC's code for "sign in first", as ACP defines it.
pub const AUTH_REQUIRED: i64 = -32_000;

/// Why a turn ended without a stop reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnFailure {
    pub code: &'static str,
    pub origin: Origin,
    pub retry: bool,
    pub message: String,
}

/// The status of a tool call, in one word.
pub fn status(status: ToolCallStatus) -> &'static str {
    match status {
        ToolCallStatus::Pending => "pending",
        ToolCallStatus::InProgress => "in_progress",
        ToolCallStatus::Completed => "completed",
        ToolCallStatus::Failed => "failed",
        ToolCallStatus::Denied => "denied",
        ToolCallStatus::Cancelled => "cancelled",
        ToolCallStatus::NoResult => "no_result",
        ToolCallStatus::Stopped => "stopped",
    }
}

/// The kind of a permission option, as the protocol writes it.
pub fn option_kind(kind: &PermissionOptionKind) -> &'static str {
    match kind {
        PermissionOptionKind::AllowOnce => "allow_once",
        PermissionOptionKind::AllowAlways => "allow_always",
        PermissionOptionKind::RejectOnce => "reject_once",
        PermissionOptionKind::RejectAlways => "reject_always",
        PermissionOptionKind::Unknown => "unknown",
    }
}

/// Who answered a permission request, in one word.
pub fn answered_by(by: AnsweredBy) -> &'static str {
    match by {
        AnsweredBy::User => "user",
        AnsweredBy::Policy => "policy",
        AnsweredBy::Cancellation => "cancellation",
        AnsweredBy::Withdrawn => "withdrawn",
        AnsweredBy::AgentGone => "agent_gone",
    }
}

/// How far a task of a plan is, in one word.
pub fn plan_status(status: PlanEntryStatus) -> &'static str {
    match status {
        PlanEntryStatus::Pending => "pending",
        PlanEntryStatus::InProgress => "in_progress",
        PlanEntryStatus::Completed => "completed",
        PlanEntryStatus::Unknown => "unknown",
    }
}

/// The state of an MCP server, in one word.
pub fn mcp_state(state: &McpState) -> &str {
    match state {
        McpState::Connected => "connected",
        McpState::Failed => "failed",
        McpState::Pending => "pending",
        McpState::NeedsAuth => "needs-auth",
        McpState::Unknown => "unknown",
        McpState::Other(word) => word,
    }
}

/// Billed tokens in words.
pub fn tokens(counts: TokenCounts) -> String {
    let mut parts = vec![
        format!("{} in", counts.input),
        format!("{} out", counts.output),
    ];
    if counts.cache_read > 0 {
        parts.push(format!("{} cached", counts.cache_read));
    }
    if counts.cache_write > 0 {
        parts.push(format!("{} written to the cache", counts.cache_write));
    }
    parts.join(", ")
}

/// Text of an agent for a terminal: control characters are shown instead of obeyed.
pub fn printable(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}' => '\u{fffd}',
        _ => c,
    };
    text.replace("\r\n", "\n").chars().map(shown).collect()
}

fn choice(what: &Choice) -> String {
    match what {
        Choice::Mode => "Mode".to_owned(),
        Choice::Model => "Model".to_owned(),
        Choice::Option(id) => format!("Option {id}"),
    }
}

fn compacted(trigger: CompactionTrigger, before: Option<u64>, after: Option<u64>) -> String {
    let who = match trigger {
        CompactionTrigger::Manual => "The conversation was summarized",
        CompactionTrigger::Automatic => "The agent summarized the conversation",
    };
    match (before, after) {
        (Some(before), Some(after)) => format!("{who}: {before} tokens before, {after} after"),
        (Some(before), None) => format!("{who}: {before} tokens before"),
        (None, Some(after)) => format!("{who}: {after} tokens after"),
        (None, None) => who.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_can_not_steer_the_terminal() {
        assert_eq!(
            printable("a\r\nb\t\x1b[2J\u{9b}1m\x7f日本\r"),
            "a\nb\t\u{241b}[2J\u{fffd}1m\u{2421}日本\u{240d}"
        );
    }
}
