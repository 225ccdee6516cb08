//! `agent-panel mcp-relay`: an MCP server passed on to an agent that got it from us.

use super::exit::{Exit, complain};
use super::mcp_config;
use crate::bridge::mcp_relay::SERVER_VARIABLE;
use crate::io::mcp_relay;

/// Runs the command until the agent or the server ends. `server` is what the variable says.
pub(super) fn run(server: Option<String>) -> Exit {
    let servers = mcp_config::parse(&server.unwrap_or_default()).unwrap_or_default();
    let [server] = servers.as_slice() else {
        complain(&format!("{SERVER_VARIABLE} does not hold one MCP server"));
        return Exit::Usage;
    };
    match mcp_relay::run(&server.transport) {
        Ok(()) => Exit::Success,
        Err(error) => {
            complain(&format!("MCP server {}: {error}", server.name));
            Exit::AgentFailed
        }
    }
}
