//! Notes and errors as data; the words for them are in `locales`.

use std::path::PathBuf;

use crate::core::policy::Reason;
use crate::core::time::Timestamp;
use crate::core::usage::CompactionTrigger;

/// A quiet line in the transcript that is not the agent's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// The agent printed lines that are no protocol messages.
    StrayLines {
        count: u64,
    },
    /// The turn ended with another stop reason than `end_turn`.
    TurnEnded {
        stop_reason: String,
    },
    /// The person stopped the turn.
    Cancelled,
    /// The agent did not confirm the cancellation in time.
    CancelNotConfirmed,
    /// A permission request was refused by the person.
    Denied {
        title: String,
    },
    /// A permission request was refused by a rule.
    DeniedByPolicy {
        title: String,
        because: Reason,
    },
    /// So many tool calls of the turn ran without a request that reached us.
    RanUnasked {
        count: usize,
    },
    /// The agent runs tools without ever asking.
    NeverAsks,
    /// The agent runs commands and changes files without asking, but asks for tools of MCP servers.
    OwnToolsNeverAsk,
    /// The agent took a permission request back.
    RequestWithdrawn {
        title: String,
    },
    /// The agent is started again by us.
    Restarting {
        attempt: u32,
        most: u32,
    },
    /// It died too often; only the person can start it now.
    RestartsExhausted {
        most: u32,
    },
    /// The agent is back and has loaded the session.
    SessionRestored,
    /// The agent is back and remembers nothing; what is shown stays.
    MemoryLost,
    /// The agent was told to forget the conversation; what is shown stays.
    Forgotten,
    /// The model or mode or an option was changed, in words of the agent.
    Chosen {
        what: Choice,
        value: String,
    },
    /// A change of the model, the mode or an option failed.
    ChoiceFailed {
        what: Choice,
        value: String,
        message: String,
    },
    /// The agent sent updates of a kind we don't know.
    Unrecognized {
        kind: String,
    },
    /// The conversation was summarized. Tokens before and after, where they are told.
    Compacted {
        trigger: CompactionTrigger,
        before: Option<u64>,
        after: Option<u64>,
    },
    /// The agent tries a call of the model again.
    Retrying {
        attempt: u64,
        most: Option<u64>,
        message: String,
    },
    /// What the agent says beside the conversation: answers to its own commands, notices.
    Agent(String),
    /// A quota of the account is nearly used up. `resets_at` is Unix time in milliseconds.
    QuotaNearlyUsed {
        name: String,
        percent: u8,
        resets_at: Option<Timestamp>,
    },
    /// `/mcp` was asked before any session was open.
    NoMcpYet,
    McpReconnecting {
        server: String,
    },
    McpReconnected {
        server: String,
    },
    McpReconnectFailed {
        server: String,
        message: String,
    },
    /// A question of the agent was left unanswered by the person.
    QuestionSkipped,
    /// Other MCP servers are to be passed to the agent; it gets them when it is started again.
    McpServersChanged,
    /// The agent was not passed an MCP server, because it takes none of its kind.
    McpNotPassed {
        server: String,
    },
    /// The agent could not add an MCP server, in its own words.
    McpNotAdded {
        server: String,
        message: String,
    },
}

/// What the person chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    Mode,
    Model,
    Option(String),
}

/// Something that went wrong, with what the person can do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    /// The last lines that the agent wrote to stderr, behind a fold.
    pub stderr: Vec<String>,
}

/// The ways in which something goes wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FailureKind {
    /// The program is not there.
    ProgramMissing {
        program: String,
        searched: Vec<PathBuf>,
    },
    /// The program is there and can't be started.
    StartFailed { program: String, reason: String },
    /// The agent's process ended by itself.
    AgentExited { exit: ExitStatus },
    /// The agent closed its output and stayed alive, so it was stopped.
    OutputClosed,
    /// The agent speaks another version of the protocol.
    VersionMismatch { theirs: u64 },
    /// The agent answered a request with an error.
    AgentError(RpcError),
    /// The agent did not answer in time.
    NoAnswer { request: String, after_secs: u64 },
    /// The agent wants the person to sign in first.
    SignInNeeded { message: String },
    /// Signing in failed.
    SignInFailed { message: String },
    /// A line was longer than we take.
    LineTooLong { limit_bytes: u64 },
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExitStatus {
    Code(i32),
    Signal(i32),
    Unknown,
}

/// An error as JSON-RPC carries it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RpcError {
    pub code: i64,
    pub message: String,
    /// `data` as text, where there is any.
    pub data: Option<String>,
}

/// Who has to do something about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// What the person set or chose.
    Setup,
    /// The agent or the model behind it.
    Agent,
    /// What runs between us.
    Protocol,
}

impl FailureKind {
    /// A stable word for scripts.
    pub fn code(&self) -> &'static str {
        match self {
            Self::ProgramMissing { .. } => "program_missing",
            Self::StartFailed { .. } => "start_failed",
            Self::AgentExited { .. } => "agent_exited",
            Self::OutputClosed => "output_closed",
            Self::VersionMismatch { .. } => "version_mismatch",
            Self::AgentError(_) => "agent_error",
            Self::NoAnswer { .. } => "no_answer",
            Self::SignInNeeded { .. } => "sign_in_needed",
            Self::SignInFailed { .. } => "sign_in_failed",
            Self::LineTooLong { .. } => "line_too_long",
        }
    }

    /// Where the cause lies.
    pub fn origin(&self) -> Origin {
        match self {
            Self::ProgramMissing { .. }
            | Self::StartFailed { .. }
            | Self::SignInNeeded { .. }
            | Self::SignInFailed { .. } => Origin::Setup,
            Self::AgentExited { .. }
            | Self::OutputClosed
            | Self::AgentError(_)
            | Self::NoAnswer { .. } => Origin::Agent,
            Self::VersionMismatch { .. } | Self::LineTooLong { .. } => Origin::Protocol,
        }
    }

    /// Whether doing the same again may work.
    pub fn retry_may_help(&self) -> bool {
        match self {
            Self::AgentExited { .. }
            | Self::OutputClosed
            | Self::AgentError(_)
            | Self::NoAnswer { .. } => true,
            Self::ProgramMissing { .. }
            | Self::StartFailed { .. }
            | Self::VersionMismatch { .. }
            | Self::SignInNeeded { .. }
            | Self::SignInFailed { .. }
            | Self::LineTooLong { .. } => false,
        }
    }
}
