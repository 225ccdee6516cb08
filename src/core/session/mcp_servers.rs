//! Which MCP servers the agent of a session was passed, and what happens when the person wants others.

use super::{Phase, Session};
use crate::core::backend::{AgentCapabilities, McpServer};
use crate::core::effect::{AgentMessage, Effect};
use crate::core::notice::Note;
use crate::core::time::Timestamp;

/// What the agent was passed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Passed {
    servers: Vec<McpServer>,
    /// The names of those that it can't reach.
    left_out: Vec<String>,
    /// Those of them that were not told of yet.
    untold: Vec<String>,
    /// The names of those that the process was started with and still has.
    started_with: Option<Vec<String>>,
    /// Others are wanted by now, and the agent does not have them.
    is_stale: bool,
    /// It takes others while the session is open.
    can_be_set: bool,
}

impl Passed {
    /// The servers that the agent has.
    pub(super) fn servers(&self) -> &[McpServer] {
        &self.servers
    }

    /// A process is started with what is wanted now.
    pub(super) fn starts_again(&mut self) {
        self.is_stale = false;
        self.started_with = None;
    }
}

impl Session {
    /// Whether the agent has to be started again to get the MCP servers that the person wants.
    pub fn awaits_mcp_servers(&self) -> bool {
        self.mcp_servers.is_stale
    }

    /// Settles which of the wanted servers the agent gets.
    pub(super) fn choose_mcp_servers(&mut self, can: &AgentCapabilities) {
        let wanted = self.setup.mcp_servers.iter().cloned();
        let (reached, left_out): (Vec<_>, Vec<_>) =
            wanted.partition(|server| can.reaches(&server.transport));
        let left_out: Vec<_> = left_out.into_iter().map(|server| server.name).collect();
        let is_new = |server: &&String| !self.mcp_servers.left_out.contains(server);
        let untold: Vec<_> = left_out.iter().filter(is_new).cloned().collect();
        self.mcp_servers.untold.extend(untold);
        self.mcp_servers.servers = reached;
        self.mcp_servers.left_out = left_out;
        self.mcp_servers.can_be_set = can.mcp_set;
        // A process that takes its servers when it is started may have been started with other ones.
        self.mcp_servers.is_stale &= can.mcp_set;
        self.started_with_these();
    }

    /// Tells of the servers that the agent can't reach, once of each.
    pub(super) fn tell_left_out_servers(&mut self, now: Timestamp) {
        for server in std::mem::take(&mut self.mcp_servers.untold) {
            self.note(Note::McpNotPassed { server }, now);
        }
    }

    /// Takes in which servers the person wants from now on.
    pub(in crate::core) fn set_mcp_servers(
        &mut self,
        servers: Vec<McpServer>,
        can: &AgentCapabilities,
        now: Timestamp,
    ) -> Vec<Effect> {
        if self.setup.mcp_servers == servers {
            return Vec::new();
        }
        if self.phase == Phase::Connecting {
            self.started_with_these();
        }
        self.setup.mcp_servers = servers;
        match self.phase {
            Phase::Ready if can.mcp_set => {
                self.choose_mcp_servers(can);
                self.tell_left_out_servers(now);
                self.mcp_servers.is_stale = true;
                self.pass_changed_servers()
            }
            Phase::Ready | Phase::Opening(_) => {
                if !self.mcp_servers.is_stale {
                    self.note(Note::McpServersChanged, now);
                }
                self.mcp_servers.is_stale = true;
                Vec::new()
            }
            Phase::Connecting => {
                self.mcp_servers.is_stale = true;
                Vec::new()
            }
            // They are passed when the agent is started, or the session opened.
            Phase::TrustNeeded | Phase::SignInNeeded | Phase::Failed | Phase::AgentGone => {
                Vec::new()
            }
        }
    }

    /// Passes the servers on that were changed, to an agent that takes them while the session is open.
    pub(super) fn pass_changed_servers(&mut self) -> Vec<Effect> {
        let passed = &mut self.mcp_servers;
        if !passed.can_be_set || !passed.is_stale {
            return Vec::new();
        }
        passed.is_stale = false;
        let servers = passed.servers.clone();
        let is_there = |name: &String| servers.iter().any(|server| server.name == *name);
        let started_with = passed.started_with.take().unwrap_or_default();
        let (kept, removed) = started_with.into_iter().partition(is_there);
        passed.started_with = Some(kept);
        vec![self.send(AgentMessage::SetMcpServers {
            session: self.key,
            servers,
            removed,
        })]
    }

    /// The process of the session was started with the servers that are wanted now, if it was not said otherwise.
    fn started_with_these(&mut self) {
        let wanted = self.setup.mcp_servers.iter();
        let names = wanted.map(|server| server.name.clone()).collect();
        self.mcp_servers.started_with.get_or_insert(names);
    }
}
