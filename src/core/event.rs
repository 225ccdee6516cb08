//! All that can happen outside: facts from agents, the disk and the clock.

use std::path::PathBuf;

use crate::core::backend::{AgentCapabilities, AgentInfo, AuthMethod, DetectedBackend};
use crate::core::client_tools::{ClientAnswer, ClientCall, ClientFailure, OldText, TerminalCall};
use crate::core::connection::ListedSession;
use crate::core::consent::PolicyGround;
use crate::core::controls::{AvailableCommand, ConfigOption, Models, Modes};
use crate::core::ids::{
    AgentSessionId, ConnectionId, ModeId, ModelId, RequestId, SessionKey, TerminalId, ToolCallId,
    TurnId,
};
use crate::core::mcp::{McpServerStatus, McpSource};
use crate::core::notice::{ExitStatus, FailureKind, Note, RpcError};
use crate::core::permission::PermissionOption;
use crate::core::plan::Plan;
use crate::core::policy::paths::PathFacts;
use crate::core::policy::rules::RuleFile;
use crate::core::question::QuestionKind;
use crate::core::tool_call::{ImageData, ToolCallPatch};
use crate::core::transcript::{AbandonedText, Attachment, MessageKind};
use crate::core::trust::ProjectFile;
use crate::core::usage::{CompactionTrigger, UsageReport};

/// A fact from outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The backends of the dropdown were looked for.
    BackendsDetected(Vec<DetectedBackend>),
    Connection {
        connection: ConnectionId,
        event: ConnectionEvent,
    },
    Session {
        session: SessionKey,
        event: SessionEvent,
    },
    /// The person's own rules, which hold in every folder.
    OwnRulesLoaded(Box<RuleFile>),
    /// A rules file was changed as the person wished, or why not.
    RulesEdited {
        file: PathBuf,
        result: Result<(), String>,
    },
    /// A wake-up asked for with `Effect::WakeAt`.
    Tick,
}

impl Event {
    /// The session it is about, where it is about one.
    pub fn session(&self) -> Option<SessionKey> {
        match self {
            Self::Session { session, .. } => Some(*session),
            Self::BackendsDetected(_)
            | Self::Connection { .. }
            | Self::OwnRulesLoaded(_)
            | Self::RulesEdited { .. }
            | Self::Tick => None,
        }
    }
}

/// What happens to an agent process.
#[derive(Debug, Clone, PartialEq)]
pub enum ConnectionEvent {
    Started {
        pid: Option<u32>,
    },
    /// It could not be started, or does not speak our protocol.
    StartFailed(FailureKind),
    Initialized {
        agent: AgentInfo,
        capabilities: AgentCapabilities,
        auth_methods: Vec<AuthMethod>,
    },
    Authenticated,
    AuthenticateFailed(RpcError),
    SessionsListed(Vec<ListedSession>),
    /// It printed lines that are no protocol messages; how many since the last such event.
    StrayLines {
        count: u64,
    },
    /// It sent something of a kind we don't know: a notification, a request, or a broken frame.
    Unrecognized {
        kind: String,
    },
    /// A line was longer than the limit and was dropped.
    LineDropped {
        limit_bytes: u64,
    },
    /// The process is gone; all its output was delivered before.
    Exited {
        exit: ExitStatus,
        output_closed_first: bool,
        stderr_tail: Vec<String>,
    },
}

/// What an agent says about one session.
#[derive(Debug, Clone, PartialEq)]
pub enum SessionEvent {
    Opened(OpenedSession),
    OpenFailed(RpcError),
    Closed,
    Text {
        kind: MessageKind,
        text: String,
        message_id: Option<String>,
    },
    /// Text that was begun is written anew.
    TextAbandoned(AbandonedText),
    /// An image in a message.
    Image {
        kind: MessageKind,
        image: ImageData,
    },
    /// A link or embedded resource in a message.
    Attachment {
        kind: MessageKind,
        attachment: Attachment,
    },
    ToolCallAnnounced {
        id: ToolCallId,
        patch: Box<ToolCallPatch>,
    },
    ToolCallPatched {
        id: ToolCallId,
        patch: Box<ToolCallPatch>,
    },
    PlanReplaced(Plan),
    CommandsReplaced(Vec<AvailableCommand>),
    ModeChanged(ModeId),
    ConfigOptionsReplaced(Vec<ConfigOption>),
    /// `None` keeps the title, an empty one takes it away.
    InfoChanged {
        title: Option<String>,
    },
    UsageReported(UsageReport),
    PermissionRequested {
        request: RequestId,
        tool_call: ToolCallId,
        patch: Box<ToolCallPatch>,
        options: Vec<PermissionOption>,
    },
    PermissionWithdrawn {
        request: RequestId,
    },
    /// The agent asks us for a file or a terminal. It is judged like a permission request.
    ClientAsked {
        request: RequestId,
        call: Box<ClientCall>,
    },
    /// The agent asks about a terminal that it was given.
    TerminalAsked {
        request: RequestId,
        terminal: TerminalId,
        call: TerminalCall,
    },
    /// What the agent asked us for was done, or could not be.
    ClientDone {
        request: RequestId,
        result: Result<ClientAnswer, ClientFailure>,
    },
    /// What a file holds that the agent wants us to replace.
    OldTextRead {
        request: RequestId,
        old: OldText,
    },
    TerminalPrinted {
        terminal: TerminalId,
        text: String,
    },
    /// All that it printed was told before.
    TerminalEnded {
        terminal: TerminalId,
        exit: ExitStatus,
    },
    TurnEnded {
        turn: TurnId,
        result: TurnResult,
    },
    /// The answer to a change of mode, model or option.
    ChoiceAnswered {
        choice: PendingChoice,
        result: Result<Option<Vec<ConfigOption>>, RpcError>,
    },
    QuestionAsked {
        request: RequestId,
        tool_call: Option<ToolCallId>,
        message: Option<String>,
        kind: QuestionKind,
    },
    /// The rules that the session's requests are judged by.
    GroundLoaded(Box<PolicyGround>),
    PathsResolved {
        request: RequestId,
        facts: Box<PathFacts>,
    },
    /// What is in the folder that waits for trust.
    ProjectFilesListed(Vec<ProjectFile>),
    QuestionWithdrawn {
        request: RequestId,
    },
    McpReported {
        source: McpSource,
        servers: Vec<McpServerStatus>,
    },
    McpReconnected {
        server: String,
        result: Result<(), String>,
    },
    /// The agent summarizes the conversation, or is done with it.
    Compacting {
        running: bool,
    },
    Compacted {
        trigger: CompactionTrigger,
        before: Option<u64>,
        after: Option<u64>,
    },
    /// The model in use, as the agent says.
    ModelChanged(ModelId),
    /// The agent goes on under another id (a fork).
    SessionIdChanged(AgentSessionId),
    /// The agent has forgotten everything and goes on under another id (`/clear` in Claude Code).
    ConversationReset(AgentSessionId),
    Noted(Note),
    Unrecognized {
        kind: String,
    },
}

/// The answer to opening a session.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OpenedSession {
    /// `None` when a session was loaded or resumed: the id stays.
    pub id: Option<AgentSessionId>,
    pub modes: Option<Modes>,
    pub models: Option<Models>,
    pub config_options: Vec<ConfigOption>,
}

/// How the agent answered a prompt.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnResult {
    Stopped(StopReason),
    Failed(RpcError),
}

/// Why a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopReason {
    EndTurn,
    MaxTokens,
    MaxTurnRequests,
    Refusal,
    Cancelled,
    /// A word we don't know, or none.
    Other(String),
}

impl StopReason {
    /// The word on the wire.
    pub fn as_str(&self) -> &str {
        match self {
            Self::EndTurn => "end_turn",
            Self::MaxTokens => "max_tokens",
            Self::MaxTurnRequests => "max_turn_requests",
            Self::Refusal => "refusal",
            Self::Cancelled => "cancelled",
            Self::Other(word) => word,
        }
    }
}

impl From<&str> for StopReason {
    fn from(word: &str) -> Self {
        match word {
            "end_turn" => Self::EndTurn,
            "max_tokens" => Self::MaxTokens,
            "max_turn_requests" => Self::MaxTurnRequests,
            "refusal" => Self::Refusal,
            "cancelled" => Self::Cancelled,
            other => Self::Other(other.to_owned()),
        }
    }
}

/// A change that waits for the agent's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PendingChoice {
    Mode(String),
    Model(String),
    Option { id: String, value: String },
}
