//! All that a user can wish for.

use std::path::PathBuf;

use crate::core::backend::{BackendSpec, McpServer};
use crate::core::consent::GroundSource;
use crate::core::controls::ConfigSetting;
use crate::core::ids::{
    AgentSessionId, AuthMethodId, ConfigId, ConnectionId, ModeId, ModelId, OptionId, QueuedId,
    RequestId, SessionKey,
};
use crate::core::policy::always::{Lifetime, RuleProposal};
use crate::core::policy::level::Level;
use crate::core::policy::rules::Rule;
use crate::core::policy::rules::edit::RuleEdit;
use crate::core::question::QuestionAnswer;
use crate::core::tool_call::ImageData;
use crate::core::transcript::Attachment;

/// A wish of the user.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Open a session. `session` is a key from [`free_session_key`](crate::core::hub::AgentHub::free_session_key).
    OpenSession {
        session: SessionKey,
        spec: Box<BackendSpec>,
        setup: Box<SessionSetup>,
    },
    /// The folders that the person trusts, canonical; known from the settings.
    SetTrustedFolders(Vec<PathBuf>),
    /// Trust the folder of a session from now on, and start its agent.
    TrustFolder {
        session: SessionKey,
    },
    /// End a session; its agent is stopped when no other session uses it.
    CloseSession {
        session: SessionKey,
    },
    /// Send a message, or queue it while a turn runs.
    Prompt {
        session: SessionKey,
        prompt: Prompt,
    },
    /// Take a queued message back.
    DropQueued {
        session: SessionKey,
        queued: QueuedId,
    },
    CancelTurn {
        session: SessionKey,
    },
    /// Stop the agent's process, whatever it does.
    ForceStop {
        session: SessionKey,
    },
    /// Start the agent of a session again and bring the session back.
    Restart {
        session: SessionKey,
    },
    /// `message` is what the person tells the agent with a refusal.
    AnswerPermission {
        session: SessionKey,
        request: RequestId,
        option: OptionId,
        message: Option<String>,
    },
    AnswerQuestion {
        session: SessionKey,
        request: RequestId,
        answer: QuestionAnswer,
    },
    /// Set how much runs unasked; the requests on screen are judged again.
    SetLevel {
        session: SessionKey,
        level: Level,
    },
    /// Keep a rule that a card offered: in its file for all sessions, or for this session only.
    StoreRule {
        session: SessionKey,
        proposal: Box<RuleProposal>,
        lifetime: Lifetime,
    },
    /// Take back a rule that holds until the session ends.
    RevokeRule {
        session: SessionKey,
        rule: Box<Rule>,
    },
    /// Change a rules file; all sessions read their rules again.
    EditRules(Box<RuleEdit>),
    /// Read the rules of all sessions again: a file may have been changed by hand.
    ReloadRules,
    /// Show the state of the MCP servers (`/mcp`).
    ShowMcp {
        session: SessionKey,
    },
    /// Connect a server again; where the agent can't, it is started again with its session.
    ReconnectMcp {
        session: SessionKey,
        server: String,
    },
    /// Pass these MCP servers to the agent of a session from now on: at once where it takes them while the session
    /// is open, else when it is started again.
    SetMcpServers {
        session: SessionKey,
        servers: Vec<McpServer>,
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
        connection: ConnectionId,
        method: AuthMethodId,
    },
    /// Give up a sign-in that runs.
    CancelSignIn {
        connection: ConnectionId,
    },
    /// Try the sessions again that wait for a sign-in (the person signed in elsewhere).
    RetrySignIn {
        connection: ConnectionId,
    },
    ListSessions {
        connection: ConnectionId,
    },
    /// End all agents, politely; the program is about to close.
    ShutDown,
}

/// How a session is opened.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionSetup {
    /// The working folder, absolute.
    pub cwd: PathBuf,
    pub start: SessionStart,
    pub mcp_servers: Vec<McpServer>,
    /// The mode to set before the first prompt, if it is not on already.
    pub mode: Option<ModeId>,
    /// The model to set before the first prompt, if it is not on already.
    pub model: Option<ModelId>,
    /// How much runs unasked.
    pub level: Level,
    pub ground: GroundSource,
}

impl SessionSetup {
    /// A new session in a folder, with nothing chosen: it asks for everything.
    pub fn in_folder(cwd: PathBuf) -> Self {
        Self {
            cwd,
            start: SessionStart::New,
            mcp_servers: Vec::new(),
            mode: None,
            model: None,
            level: Level::Ask,
            ground: GroundSource::default(),
        }
    }
}

/// Where a session comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionStart {
    New,
    /// With its history (`session/load`).
    Load(AgentSessionId),
    /// Without its history (`session/resume`).
    Resume(AgentSessionId),
}

/// What the user sends.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prompt {
    pub text: String,
    pub images: Vec<ImageData>,
    pub attachments: Vec<Attachment>,
}

impl Prompt {
    /// A prompt of text alone.
    pub fn text(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..Self::default()
        }
    }

    /// Whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.images.is_empty() && self.attachments.is_empty()
    }
}
