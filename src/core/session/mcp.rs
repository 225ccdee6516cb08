//! The MCP servers of a session: what is known of them, `/mcp`, reconnection.

use super::{PendingReconnect, Phase, Session};
use crate::core::backend::{AgentCapabilities, McpServer};
use crate::core::effect::{AgentMessage, Effect};
use crate::core::mcp::{McpReport, McpServerStatus, McpSource, McpState};
use crate::core::notice::Note;
use crate::core::time::Timestamp;
use crate::core::transcript::{BlockContent, Message, Place};

impl Session {
    /// Answers `/mcp`: an echo, a card with what is known, and a question to whoever knows more.
    pub(in crate::core) fn show_mcp(
        &mut self,
        can: &AgentCapabilities,
        now: Timestamp,
    ) -> Vec<Effect> {
        let place = Place {
            late: false,
            ..self.place(now)
        };
        let echo = Message {
            text: "/mcp".to_owned(),
            message_id: None,
        };
        self.transcript.push(BlockContent::UserMessage(echo), place);
        if self.phase != Phase::Ready {
            self.note(Note::NoMcpYet, now);
            return Vec::new();
        }
        let report = self.mcp.clone().unwrap_or_else(|| self.passed_servers(now));
        self.transcript.push_mcp_card(report.clone(), place);
        let servers = self.mcp_servers.servers().to_vec();
        self.mcp = Some(report);
        if can.mcp_status {
            return vec![self.send(AgentMessage::QueryMcp { session: self.key })];
        }
        // What the agent has told the tools of needs no question of ours.
        let has_tools = |server: &McpServer| {
            let report = self
                .mcp
                .iter()
                .filter(|known| known.source == McpSource::Agent);
            let mut rows = report.flat_map(|known| &known.servers);
            rows.any(|row| row.name == server.name && !row.tools.is_empty())
        };
        let servers: Vec<_> = servers
            .into_iter()
            .filter(|server| !has_tools(server))
            .collect();
        if servers.is_empty() {
            return Vec::new();
        }
        vec![Effect::ProbeMcp {
            session: self.key,
            cwd: self.setup.cwd.clone(),
            servers,
        }]
    }

    /// Takes in a report. What the agent says goes before what we found out ourselves.
    pub(super) fn mcp_reported(
        &mut self,
        source: McpSource,
        servers: Vec<McpServerStatus>,
        now: Timestamp,
    ) {
        if self.mcp.as_ref().is_some_and(|known| known.source > source) {
            self.add_tools(servers, now);
            return;
        }
        let mut servers = servers;
        for server in &mut servers {
            self.keep_tools(server);
        }
        let report = McpReport {
            source,
            servers,
            at: now,
        };
        self.transcript.rewrite_mcp_card(report.clone());
        self.mcp = Some(report);
    }

    /// Asks the agent to connect a server again.
    pub(in crate::core) fn reconnect_mcp(
        &mut self,
        server: &str,
        by_user: bool,
        now: Timestamp,
    ) -> Vec<Effect> {
        if self.phase != Phase::Ready || self.is_reconnecting(server) {
            return Vec::new();
        }
        self.mcp_reconnects.push(PendingReconnect {
            server: server.to_owned(),
            by_user,
        });
        if by_user {
            self.note(
                Note::McpReconnecting {
                    server: server.to_owned(),
                },
                now,
            );
        }
        vec![self.send(AgentMessage::ReconnectMcp {
            session: self.key,
            server: server.to_owned(),
        })]
    }

    /// Connects a server of ours again that the agent could not reach, once and without being asked.
    pub(in crate::core) fn reconnect_failed_servers(
        &mut self,
        can: &AgentCapabilities,
        now: Timestamp,
    ) -> Vec<Effect> {
        if !can.mcp_reconnect {
            return Vec::new();
        }
        let failed: Vec<_> = self
            .mcp
            .iter()
            .flat_map(|report| &report.servers)
            .filter(|server| {
                server.state == McpState::Failed && !self.mcp_retried.contains(&server.name)
            })
            .map(|server| server.name.clone())
            .collect();
        self.mcp_retried.extend(failed.clone());
        failed
            .iter()
            .flat_map(|server| self.reconnect_mcp(server, false, now))
            .collect()
    }

    /// Takes in how a reconnection went: the row of the newest card is written anew.
    /// Reconnections nobody asked for only speak when they fail.
    pub(super) fn mcp_reconnected(
        &mut self,
        server: &str,
        result: Result<(), String>,
        now: Timestamp,
    ) {
        let pending = self
            .mcp_reconnects
            .iter()
            .position(|pending| pending.server == server);
        let by_user = pending
            .map(|index| self.mcp_reconnects.remove(index))
            .is_none_or(|pending| pending.by_user);
        if let Some(report) = &mut self.mcp {
            if let Some(row) = report.server_mut(server) {
                row.state = if result.is_ok() {
                    McpState::Connected
                } else {
                    McpState::Failed
                };
                row.error = result.clone().err();
            }
            report.at = now;
            let report = report.clone();
            self.transcript.rewrite_mcp_card(report);
        }
        let server = server.to_owned();
        match result {
            Ok(()) if by_user => self.note(Note::McpReconnected { server }, now),
            Ok(()) => {}
            Err(message) => self.note(Note::McpReconnectFailed { server, message }, now),
        }
    }

    /// Adds what we found out ourselves to an agent's report that says nothing of tools. States stay the agent's.
    fn add_tools(&mut self, probed: Vec<McpServerStatus>, now: Timestamp) {
        let Some(report) = &mut self.mcp else { return };
        let mut is_changed = false;
        for probed in probed {
            if let Some(row) = report.server_mut(&probed.name)
                && row.tools.is_empty()
                && !probed.tools.is_empty()
            {
                row.tools = probed.tools;
                row.software = row.software.take().or(probed.software);
                is_changed = true;
            }
        }
        if is_changed {
            report.at = now;
            let report = report.clone();
            self.transcript.rewrite_mcp_card(report);
        }
    }

    fn passed_servers(&self, now: Timestamp) -> McpReport {
        let passed = self.mcp_servers.servers().iter();
        let passed = passed.map(|server| McpServerStatus {
            name: server.name.clone(),
            state: McpState::Unknown,
            software: None,
            tools: Vec::new(),
            error: None,
        });
        McpReport {
            source: McpSource::NotReported,
            servers: passed.collect(),
            at: now,
        }
    }

    /// A report without tools, or with their names alone, does not take away what an earlier one knew of a connected
    /// server.
    fn keep_tools(&self, server: &mut McpServerStatus) {
        if server.state != McpState::Connected {
            return;
        }
        let known = self
            .mcp
            .iter()
            .flat_map(|report| &report.servers)
            .find(|known| known.name == server.name);
        let Some(known) = known else {
            return;
        };
        if server.tools.is_empty() {
            server.tools.clone_from(&known.tools);
        }
        for tool in &mut server.tools {
            if let Some(known) = known.tools.iter().find(|known| known.name == tool.name)
                && tool.is_only_named()
            {
                tool.clone_from(known);
            }
        }
        server.software = server.software.take().or_else(|| known.software.clone());
    }
}
