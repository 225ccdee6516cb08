//! All the work that the hub wants done.

use std::path::PathBuf;

use crate::core::backend::{BackendSpec, McpServer};
use crate::core::client_tools::{ClientAnswer, ClientFailure, TerminalStart};
use crate::core::command::{Prompt, SessionSetup};
use crate::core::controls::ConfigSetting;
use crate::core::identity::Identity;
use crate::core::ids::{
    AgentSessionId, AuthMethodId, ConfigId, ConnectionId, ModeId, ModelId, RequestId, SessionKey,
    TerminalId, ToolCallId, TurnId,
};
use crate::core::permission::{PermissionOutcome, PermissionRecord};
use crate::core::policy::rules::edit::RuleEdit;
use crate::core::question::QuestionAnswer;
use crate::core::time::Timestamp;

/// Work to be done outside. Whoever drops one has lost it.
#[must_use]
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Start the process, then `initialize`. `setup` is of the session it is started for.
    StartAgent {
        connection: ConnectionId,
        spec: BackendSpec,
        setup: Box<SessionSetup>,
    },
    /// End the process and all it started. Its `Exited` event follows.
    StopAgent {
        connection: ConnectionId,
        stop: Stop,
    },
    /// Say something to an agent.
    Send {
        connection: ConnectionId,
        message: AgentMessage,
    },
    /// Send a tick at this time. A later one replaces an earlier one only if it is sooner.
    WakeAt(Timestamp),
    /// Look what in a folder an agent would act on; `SessionEvent::ProjectFilesListed` follows.
    ListProjectFiles {
        session: SessionKey,
        folder: PathBuf,
    },
    /// Remember that the person trusts this folder.
    RememberTrust(PathBuf),
    /// Read the rules for a session; `SessionEvent::GroundLoaded` follows, also after a change of the files.
    LoadGround {
        session: SessionKey,
        folder: PathBuf,
        /// Whether the person trusts the folder: else its own rules can only narrow.
        trusted: bool,
    },
    /// Read the person's own rules, which hold in every folder; `Event::OwnRulesLoaded` follows.
    LoadOwnRules,
    /// Find out where paths really are, and digests of files; `SessionEvent::PathsResolved` follows.
    ResolvePaths {
        session: SessionKey,
        request: RequestId,
        paths: Vec<PathBuf>,
        digests: Vec<PathBuf>,
    },
    /// Change a rules file; `Event::RulesEdited` follows.
    EditRules(Box<RuleEdit>),
    /// Tool calls of a turn ran without being asked; for the record.
    RecordUnasked {
        session: SessionKey,
        turn: TurnId,
        calls: Vec<(ToolCallId, Identity)>,
    },
    /// Ask these MCP servers ourselves what they offer; `SessionEvent::McpReported` follows. Those that are commands
    /// run in the working folder.
    ProbeMcp {
        session: SessionKey,
        cwd: PathBuf,
        servers: Vec<McpServer>,
    },
    /// Read a file for an agent; `SessionEvent::ClientDone` follows. `target` is where the path was found to lead:
    /// if it leads elsewhere by now, nothing is read.
    ReadFile {
        session: SessionKey,
        request: RequestId,
        path: PathBuf,
        target: PathBuf,
        /// Counted from 1.
        line: Option<u64>,
        /// A number of lines.
        limit: Option<u64>,
    },
    /// Write a file for an agent, whole or not at all, under the same condition. What it held before is told first, by
    /// `SessionEvent::OldTextRead`.
    WriteFile {
        session: SessionKey,
        request: RequestId,
        path: PathBuf,
        target: PathBuf,
        content: String,
    },
    /// Read what a file holds that an agent wants us to replace; `SessionEvent::OldTextRead` follows.
    ReadOldText {
        session: SessionKey,
        request: RequestId,
        target: PathBuf,
    },
    /// Run a command for an agent; `SessionEvent::ClientDone` follows, then what it prints and its end.
    StartTerminal {
        session: SessionKey,
        request: RequestId,
        terminal: TerminalId,
        start: Box<TerminalStart>,
        cwd: PathBuf,
    },
    /// End the command of a terminal with all that it started.
    StopTerminal {
        session: SessionKey,
        terminal: TerminalId,
    },
    /// A permission request was answered; for the record.
    Record {
        session: SessionKey,
        record: Box<PermissionRecord>,
    },
}

/// How a process is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Close its input and wait, then stop the whole tree within five seconds.
    Polite,
    /// Stop the whole tree at once.
    Now,
}

/// What we say to an agent, before its dialect gives it a form.
#[derive(Debug, Clone, PartialEq)]
pub enum AgentMessage {
    NewSession {
        session: SessionKey,
        cwd: PathBuf,
        mcp_servers: Vec<McpServer>,
    },
    LoadSession {
        session: SessionKey,
        id: AgentSessionId,
        cwd: PathBuf,
        mcp_servers: Vec<McpServer>,
    },
    ResumeSession {
        session: SessionKey,
        id: AgentSessionId,
        cwd: PathBuf,
        mcp_servers: Vec<McpServer>,
    },
    /// Nothing of the session is heard from now on, whether the agent can close one or not.
    CloseSession {
        session: SessionKey,
    },
    ListSessions,
    Prompt {
        session: SessionKey,
        turn: TurnId,
        prompt: Prompt,
    },
    Cancel {
        session: SessionKey,
    },
    /// `message` goes to the model where the dialect has a place for it.
    AnswerPermission {
        session: SessionKey,
        request: RequestId,
        outcome: PermissionOutcome,
        message: Option<String>,
    },
    AnswerQuestion {
        session: SessionKey,
        request: RequestId,
        answer: QuestionAnswer,
    },
    /// The answer to what the agent asked us to do.
    AnswerClient {
        session: SessionKey,
        request: RequestId,
        result: Result<ClientAnswer, ClientFailure>,
    },
    /// Ask for the state of the MCP servers.
    QueryMcp {
        session: SessionKey,
    },
    ReconnectMcp {
        session: SessionKey,
        server: String,
    },
    /// Replace the MCP servers of an open session. `removed` are those that the process was started with and that are
    /// wanted no more.
    SetMcpServers {
        session: SessionKey,
        servers: Vec<McpServer>,
        removed: Vec<String>,
    },
    SetMode {
        session: SessionKey,
        mode: ModeId,
    },
    SetModel {
        session: SessionKey,
        model: ModelId,
    },
    SetConfigOption {
        session: SessionKey,
        option: ConfigId,
        value: ConfigSetting,
    },
    Authenticate {
        method: AuthMethodId,
    },
    CancelAuthenticate,
}
