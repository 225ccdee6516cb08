//! MCP servers that are replaced while a session is open.

use serde_json::{Map, Value, json};

use super::ClaudeBridge;
use super::control::Waiting;
use crate::core::event::SessionEvent;
use crate::core::notice::Note;

/// An address where nothing can be: the discard port of this machine.
const NOWHERE: &str = "http://127.0.0.1:9/";

/// What servers are being set, and which failures need not be told.
#[derive(Debug, Default)]
pub(super) struct Setting {
    /// Those that are set after this, when this only prepares it.
    then: Option<Map<String, Value>>,
    /// Servers whose failure is wanted, or was told.
    quiet: Vec<String>,
}

impl ClaudeBridge {
    /// Replaces the servers. The program keeps those of its `--mcp-config` whatever is set, but not one that was set
    /// under the same name: so a server that it was started with is replaced by nothing first (seen with 2.1.332).
    pub(super) fn set_servers(&mut self, servers: Map<String, Value>, removed: &[String]) {
        if removed.is_empty() {
            return self.request_servers(&servers, Setting::default());
        }
        let mut first = servers.clone();
        for name in removed {
            first.insert(name.clone(), json!({"type": "http", "url": NOWHERE}));
        }
        let setting = Setting {
            then: Some(servers),
            quiet: removed.to_vec(),
        };
        self.request_servers(&first, setting);
    }

    /// The servers were replaced: what could not be added is told, and the state of all is asked for.
    pub(super) fn servers_set(&mut self, setting: Setting, result: Result<Value, String>) {
        let Ok(response) = result else {
            // An older program, which gets them with the next start.
            self.session_event(SessionEvent::Noted(Note::McpServersChanged));
            return;
        };
        let Setting { then, mut quiet } = setting;
        let errors = response.get("errors").and_then(Value::as_object).cloned();
        for (server, message) in errors.unwrap_or_default() {
            if quiet.contains(&server) {
                continue;
            }
            let message = message.as_str().unwrap_or_default().to_owned();
            quiet.push(server.clone());
            self.session_event(SessionEvent::Noted(Note::McpNotAdded { server, message }));
        }
        match then {
            Some(servers) => self.request_servers(&servers, Setting { then: None, quiet }),
            None => self.request(json!({"subtype": "mcp_status"}), Waiting::McpStatus),
        }
    }

    fn request_servers(&mut self, servers: &Map<String, Value>, setting: Setting) {
        let request = json!({"subtype": "mcp_set_servers", "servers": servers});
        self.request(request, Waiting::McpSet(setting));
    }
}
