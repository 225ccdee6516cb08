//! One running agent process as the hub sees it.

use std::path::PathBuf;

use crate::core::backend::{AgentCapabilities, AgentInfo, AuthMethod, BackendSpec};
use crate::core::ids::{AgentSessionId, AuthMethodId, ConnectionId};
use crate::core::time::Timestamp;

/// An agent process and what it said of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Connection {
    pub id: ConnectionId,
    pub spec: BackendSpec,
    pub cwd: PathBuf,
    pub state: ConnectionState,
    pub pid: Option<u32>,
    pub agent: AgentInfo,
    pub capabilities: AgentCapabilities,
    pub auth_methods: Vec<AuthMethod>,
    pub sign_in: SignIn,
    /// Lines the agent printed that are no protocol messages.
    pub stray_lines: u64,
    pub started_at: Timestamp,
    /// Sessions the agent knows, as far as they were asked for.
    pub listed_sessions: Vec<ListedSession>,
}

/// How far a connection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectionState {
    /// The process starts, or `initialize` waits for its answer.
    Starting,
    Ready,
    /// We asked it to end.
    Stopping,
    Gone,
}

/// How far signing in is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignIn {
    /// Nobody asked for it.
    NotNeeded,
    /// The agent refused for want of it; the person chooses a method.
    Needed { message: String },
    /// `authenticate` waits for its answer.
    Running {
        method: AuthMethodId,
        since: Timestamp,
    },
    /// It failed; the person may choose again.
    Failed { message: String },
}

/// A session in the agent's own list (`session/list`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSession {
    pub id: AgentSessionId,
    pub title: Option<String>,
    pub cwd: PathBuf,
    /// As the agent writes it (ISO 8601).
    pub updated_at: Option<String>,
}

impl Connection {
    /// A connection whose process is about to be started.
    pub fn starting(id: ConnectionId, spec: BackendSpec, cwd: PathBuf, now: Timestamp) -> Self {
        Self {
            id,
            spec,
            cwd,
            state: ConnectionState::Starting,
            pid: None,
            agent: AgentInfo::default(),
            capabilities: AgentCapabilities::default(),
            auth_methods: Vec::new(),
            sign_in: SignIn::NotNeeded,
            stray_lines: 0,
            started_at: now,
            listed_sessions: Vec::new(),
        }
    }

    /// The agent's name: its own title or name once it has said so, else the backend's.
    pub fn agent_name(&self) -> &str {
        let own = self.agent.title.as_deref().unwrap_or(&self.agent.name);
        if own.is_empty() { &self.spec.name } else { own }
    }
}
