//! A choice of the dropdown: how an agent is started and which dialect it speaks.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::core::client_tools::ClientTools;
use crate::core::identity::shape::CallShape;
use crate::core::ids::{AuthMethodId, BackendId, ModeId};

/// The wire language of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// The Agent Client Protocol, version 1, over stdio.
    Acp,
    /// Claude Code's stream-json with control requests.
    ClaudeCode,
}

impl Dialect {
    /// Whether one process holds several sessions.
    pub fn shares_process(self) -> bool {
        match self {
            Self::Acp => true,
            Self::ClaudeCode => false,
        }
    }
}

/// How an agent is started, and what is known of it before it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackendSpec {
    /// Its name on the command line and in settings.
    pub id: BackendId,
    /// Its name in the dropdown.
    pub name: String,
    /// The program: a bare name to be searched for, or a path.
    pub command: String,
    /// Its arguments, passed as they are.
    pub args: Vec<String>,
    /// Environment variables set in addition to ours.
    pub env: BTreeMap<String, String>,
    /// The wire language it speaks.
    pub dialect: Dialect,
    /// The hue and glyph it is drawn with.
    pub look: AgentLook,
    /// The mode in which the agent asks the person, where it does not start in it.
    pub asking_mode: Option<ModeId>,
    /// Which of our files and terminals it is offered.
    pub client_tools: ClientTools,
    /// What it does without asking, in any mode.
    pub habit: AskingHabit,
    /// It needs no trust in the folder: it neither reads nor runs anything there (the demo).
    pub harmless: bool,
    /// The command a person runs in a terminal to sign in.
    pub login_command: Option<String>,
    /// Environment variables that hold an API key; only ever named, never read.
    pub key_variables: Vec<String>,
    /// The command that installs it, to show; never run unasked.
    pub install_command: Option<String>,
}

impl BackendSpec {
    /// A program that speaks ACP and of which no more is known: it asks, has no mode of its own and no place to sign in.
    pub fn plain(id: &str, name: &str, command: &str) -> Self {
        Self {
            id: BackendId::from(id),
            name: name.to_owned(),
            command: command.to_owned(),
            args: Vec::new(),
            env: BTreeMap::new(),
            dialect: Dialect::Acp,
            look: AgentLook::Custom,
            asking_mode: None,
            client_tools: ClientTools::default(),
            habit: AskingHabit::Asks,
            harmless: false,
            login_command: None,
            key_variables: Vec::new(),
            install_command: None,
        }
    }

    /// What the agent does without asking, in any mode, as far as that is known before it was ever started.
    pub fn unasked(&self) -> Unasked {
        self.habit.unasked(self.client_tools)
    }
}

/// How an agent is known to ask before it does something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AskingHabit {
    /// In the mode in which it asks, or nothing else is known.
    #[default]
    Asks,
    /// For its own commands and changes of files only when it does them through us.
    ThroughUs,
    Never,
}

impl AskingHabit {
    /// What runs without asking when this is offered.
    pub fn unasked(self, offered: ClientTools) -> Unasked {
        match self {
            Self::Asks => Unasked::Nothing,
            Self::ThroughUs if offered.write && offered.terminal => Unasked::Nothing,
            Self::ThroughUs => Unasked::OwnTools,
            Self::Never => Unasked::Everything,
        }
    }
}

/// What an agent does without asking, in any mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unasked {
    #[default]
    Nothing,
    /// It runs commands and changes files; it asks for tools of MCP servers.
    OwnTools,
    Everything,
}

/// Which accent and glyph stand for an agent; the theme holds the colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AgentLook {
    Claude,
    Gemini,
    Codex,
    Grok,
    OpenCode,
    Qwen,
    Vibe,
    Demo,
    Custom,
}

/// A backend together with whether its program is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetectedBackend {
    pub spec: BackendSpec,
    pub detection: Detection,
}

/// Whether a backend's program was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Detection {
    /// Not looked for yet.
    Unknown,
    /// The file that would be started.
    Found { path: PathBuf },
    /// Not there; the places where it was looked for, in order.
    Missing { searched: Vec<PathBuf> },
}

impl Detection {
    /// Whether the program was found.
    pub fn is_found(&self) -> bool {
        matches!(self, Self::Found { .. })
    }
}

/// How an agent names itself (`agentInfo`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AgentInfo {
    pub name: String,
    pub title: Option<String>,
    pub version: String,
}

/// What an agent says it can do (`agentCapabilities`). All false until it has said so.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the protocol's flags, each on its own"
)]
pub struct AgentCapabilities {
    pub load_session: bool,
    pub resume_session: bool,
    pub list_sessions: bool,
    pub close_session: bool,
    pub prompt_image: bool,
    pub prompt_audio: bool,
    pub prompt_embedded_context: bool,
    pub mcp_http: bool,
    pub mcp_sse: bool,
    /// It tells the state of its MCP servers when asked.
    pub mcp_status: bool,
    /// It connects an MCP server again when asked.
    pub mcp_reconnect: bool,
    /// It takes another set of MCP servers while a session is open.
    pub mcp_set: bool,
    /// What it does without asking, in any mode.
    pub unasked: Unasked,
    /// Where its calls hold an identifier.
    pub call_shape: CallShape,
    /// It sends the history of a loaded session after it has said that the session is loaded.
    pub late_history: bool,
    /// A refusal can carry a text for the model.
    pub reject_message: bool,
}

impl AgentCapabilities {
    /// Whether the agent can reach a server of this kind. All agents can start one.
    pub fn reaches(&self, transport: &McpTransport) -> bool {
        match transport {
            McpTransport::Stdio { .. } => true,
            McpTransport::Http { .. } => self.mcp_http,
            McpTransport::Sse { .. } => self.mcp_sse,
        }
    }
}

/// A way to sign in that an agent offers (`authMethods`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthMethod {
    pub id: AuthMethodId,
    pub name: String,
    pub description: Option<String>,
    pub kind: AuthMethodKind,
}

/// Who does the work of signing in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthMethodKind {
    /// The agent, after `authenticate`.
    Agent,
    /// The person, in a terminal that runs this command. `program` is `None` when it is the agent's own.
    Terminal {
        program: Option<String>,
        args: Vec<String>,
        env: BTreeMap<String, String>,
    },
    /// The person, by setting these variables before the agent starts.
    EnvVar { variables: Vec<String> },
}

/// An MCP server that is passed to the agent with a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServer {
    pub name: String,
    pub transport: McpTransport,
}

/// How an MCP server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpTransport {
    Stdio {
        command: String,
        args: Vec<String>,
        env: BTreeMap<String, String>,
    },
    Http {
        url: String,
        headers: BTreeMap<String, String>,
    },
    Sse {
        url: String,
        headers: BTreeMap<String, String>,
    },
}
