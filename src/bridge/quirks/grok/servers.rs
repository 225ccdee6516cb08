//! What Grok tells of the MCP servers of a session: one at a time, and never their tools.

use std::collections::BTreeMap;

use super::super::News;
use crate::bridge::json::Object;
use crate::core::event::SessionEvent;
use crate::core::ids::SessionKey;
use crate::core::mcp::{McpServerStatus, McpSource, McpState};

/// How many servers of a session are remembered.
const SERVERS: usize = 200;

/// The servers as they were told last, by session and in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Servers(BTreeMap<SessionKey, Vec<McpServerStatus>>);

impl Servers {
    /// What a notification about MCP servers means. `None` when it is about something else.
    pub(super) fn news(
        &mut self,
        method: &str,
        params: &Object<'_>,
        session_of: impl Fn(&str) -> Option<SessionKey>,
    ) -> Option<News> {
        let is_status = match method {
            "_x.ai/mcp/server_status" => true,
            // Counts of what the others tell by name.
            "_x.ai/mcp/init_progress" | "_x.ai/mcp_initialized" => false,
            _ => return None,
        };
        let session = session_of(&params.str("sessionId")?)?;
        let event = if is_status {
            Some(self.status(session, params)?)
        } else {
            None
        };
        Some(News {
            session,
            child: None,
            event,
        })
    }

    fn status(&mut self, session: SessionKey, params: &Object<'_>) -> Option<SessionEvent> {
        let name = params.text("name")?;
        let word = params.text("status")?;
        let state = match word.as_str() {
            "ready" => McpState::Connected,
            "initializing" => McpState::Pending,
            "unavailable" => McpState::Failed,
            "needsauth" => McpState::NeedsAuth,
            other => McpState::from(other),
        };
        let why = params.text("detail").or_else(|| params.text("reason"));
        let row = McpServerStatus {
            error: why.filter(|why| state == McpState::Failed && !why.is_empty()),
            name,
            state,
            software: None,
            tools: Vec::new(),
        };
        let known = self.0.entry(session).or_default();
        let has_room = known.len() < SERVERS;
        match known.iter_mut().find(|known| known.name == row.name) {
            Some(known) => *known = row,
            None if has_room => known.push(row),
            None => return None,
        }
        Some(SessionEvent::McpReported {
            source: McpSource::Agent,
            servers: known.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const KEY: SessionKey = SessionKey(1);

    fn news(servers: &mut Servers, method: &str, params: &Value) -> Option<News> {
        let params = params.to_string();
        let params = Object::parse(&params).unwrap();
        servers.news(method, &params, |id| (id == "s").then_some(KEY))
    }

    fn told(servers: &mut Servers, name: &str, status: &str) -> Vec<(String, McpState)> {
        let params = json!({"sessionId": "s", "name": name, "status": status, "reason": "why", "tools": null});
        let news = news(servers, "_x.ai/mcp/server_status", &params).unwrap();
        let Some(SessionEvent::McpReported { source, servers }) = news.event else {
            panic!("a report, not {news:?}");
        };
        assert_eq!(source, McpSource::Agent);
        for server in &servers {
            let has_failed = server.state == McpState::Failed;
            assert_eq!(server.error.is_some(), has_failed, "{server:?}");
        }
        let row = |server: McpServerStatus| (server.name, server.state);
        servers.into_iter().map(row).collect()
    }

    #[test]
    fn servers_are_told_one_by_one_and_reported_together() {
        let mut servers = Servers::default();
        let row = |name: &str, state| (name.to_owned(), state);
        assert_eq!(
            told(&mut servers, "ops", "initializing"),
            [row("ops", McpState::Pending)]
        );
        assert_eq!(
            told(&mut servers, "web", "unavailable"),
            [row("ops", McpState::Pending), row("web", McpState::Failed)]
        );
        assert_eq!(
            told(&mut servers, "ops", "ready"),
            [
                row("ops", McpState::Connected),
                row("web", McpState::Failed)
            ]
        );
        assert_eq!(
            told(&mut servers, "web", "needsauth").last(),
            Some(&row("web", McpState::NeedsAuth))
        );
        assert_eq!(
            told(&mut servers, "web", "asleep").last(),
            Some(&row("web", McpState::Other("asleep".to_owned())))
        );
    }

    #[test]
    fn counts_are_no_news_and_the_rest_is_not_ours() {
        let mut servers = Servers::default();
        let progress = json!({"sessionId": "s", "total": 1, "connected": 0});
        let found = news(&mut servers, "_x.ai/mcp/init_progress", &progress);
        assert_eq!(found.map(|news| news.event), Some(None));
        let elsewhere = json!({"sessionId": "x", "name": "ops", "status": "ready"});
        assert_eq!(
            news(&mut servers, "_x.ai/mcp/server_status", &elsewhere),
            None
        );
        assert_eq!(news(&mut servers, "_x.ai/queue/changed", &progress), None);
    }
}
