//! The state of MCP servers: by whom it was told, for each server, with its tools.

use crate::core::time::Timestamp;

/// What is known about a session's MCP servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpReport {
    pub source: McpSource,
    pub servers: Vec<McpServerStatus>,
    pub at: Timestamp,
}

/// Who told the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum McpSource {
    /// Nobody: the servers were passed to the agent, and it does not report on them.
    NotReported,
    /// We asked the servers ourselves.
    Probe,
    /// The agent.
    Agent,
}

/// One server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServerStatus {
    pub name: String,
    pub state: McpState,
    /// How its program names itself, where it was told.
    pub software: Option<McpSoftware>,
    pub tools: Vec<McpTool>,
    /// Why it is not connected, in the words of who told.
    pub error: Option<String>,
}

/// The program behind a server (`serverInfo`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpSoftware {
    pub name: String,
    pub version: String,
}

/// The state of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpState {
    Connected,
    Failed,
    Pending,
    NeedsAuth,
    /// Passed on and not heard of since.
    Unknown,
    /// A word we don't know, shown as it came.
    Other(String),
}

/// A tool of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpTool {
    /// Its own name, without the server's.
    pub name: String,
    /// Its name as the agent's tools list has it.
    pub wire_name: Option<String>,
    pub description: Option<String>,
    pub read_only: Option<bool>,
    pub destructive: Option<bool>,
}

impl McpTool {
    /// Whether nothing is known of it but its names.
    pub fn is_only_named(&self) -> bool {
        self.description.is_none() && self.read_only.is_none() && self.destructive.is_none()
    }
}

impl From<&str> for McpState {
    fn from(word: &str) -> Self {
        match word {
            "connected" => Self::Connected,
            "failed" => Self::Failed,
            "pending" => Self::Pending,
            "needs-auth" => Self::NeedsAuth,
            "" | "unknown" => Self::Unknown,
            other => Self::Other(other.to_owned()),
        }
    }
}

/// How many servers are in which state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct McpCounts {
    pub connected: usize,
    pub failed: usize,
    pub other: usize,
}

impl McpReport {
    /// The counts for the first line of a card.
    pub fn counts(&self) -> McpCounts {
        let mut counts = McpCounts::default();
        for server in &self.servers {
            match server.state {
                McpState::Connected => counts.connected += 1,
                McpState::Failed => counts.failed += 1,
                McpState::Pending
                | McpState::NeedsAuth
                | McpState::Unknown
                | McpState::Other(_) => counts.other += 1,
            }
        }
        counts
    }

    /// The server with this name.
    pub fn server_mut(&mut self, name: &str) -> Option<&mut McpServerStatus> {
        self.servers.iter_mut().find(|server| server.name == name)
    }
}

/// The tools of one server among an agent's tool names (`mcp__server__tool`).
/// The server is known, so that a tool may have `__` in its name.
pub fn tools_of<'a>(
    server: &str,
    wire_names: impl IntoIterator<Item = &'a str>,
    all_servers: &[&str],
) -> Vec<McpTool> {
    let belongs_here = |wire: &str| {
        let longest = all_servers
            .iter()
            .filter(|name| own_part(name, wire).is_some())
            .max_by_key(|name| name.len());
        longest.is_some_and(|name| *name == server)
    };
    wire_names
        .into_iter()
        .filter(|wire| belongs_here(wire))
        .filter_map(|wire| {
            own_part(server, wire).map(|name| McpTool {
                name: name.to_owned(),
                wire_name: Some(wire.to_owned()),
                description: None,
                read_only: None,
                destructive: None,
            })
        })
        .collect()
}

fn own_part<'a>(server: &str, wire: &'a str) -> Option<&'a str> {
    wire.strip_prefix("mcp__")?
        .strip_prefix(server)?
        .strip_prefix("__")
        .filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_belongs_to_the_server_whose_whole_name_it_bears() {
        let names = ["mcp__a__b__tool", "mcp__a__tool", "mcp__other__x", "Bash"];
        let servers = ["a", "a__b", "other"];
        let of = |server: &str| {
            tools_of(server, names, &servers)
                .into_iter()
                .map(|tool| tool.name)
                .collect::<Vec<_>>()
        };
        assert_eq!(of("a__b"), ["tool"]);
        assert_eq!(of("a"), ["tool"]);
        assert_eq!(of("other"), ["x"]);
        assert_eq!(of("none"), Vec::<String>::new());
    }

    #[test]
    fn an_unknown_state_is_kept_and_counted_as_other() {
        let server = |state: &str| McpServerStatus {
            name: state.to_owned(),
            state: McpState::from(state),
            software: None,
            tools: Vec::new(),
            error: None,
        };
        let servers = ["connected", "failed", "needs-auth", "warming-up"]
            .map(server)
            .to_vec();
        let report = McpReport {
            source: McpSource::Agent,
            servers,
            at: Timestamp(0),
        };
        assert_eq!(
            report.counts(),
            McpCounts {
                connected: 1,
                failed: 1,
                other: 2
            }
        );
        assert_eq!(
            report.servers.last().map(|last| last.state.clone()),
            Some(McpState::Other("warming-up".to_owned()))
        );
    }
}
