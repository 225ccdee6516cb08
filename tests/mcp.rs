//! Questions to MCP servers: what they offer, and what is said of those that don't answer.
#![expect(clippy::panic, reason = "a test that goes wrong ends")]

#[path = "mcp/event_stream.rs"]
mod event_stream;
#[path = "mcp/http.rs"]
mod http;
#[path = "mcp/relay.rs"]
mod relay;
#[path = "mcp/server.rs"]
mod server;
#[cfg(unix)]
#[path = "mcp/stdio.rs"]
mod stdio;

use std::path::Path;

use agent_panel::core::backend::{McpServer, McpTransport};
use agent_panel::core::mcp::{McpServerStatus, McpState};
use agent_panel::io::mcp_probe::probe;
use agent_panel::io::places::SearchPlaces;
use serde_json::{Value, json};

use crate::server::Request;

fn http_server(url: &str, headers: &[(&str, &str)]) -> McpServer {
    McpServer {
        name: "tested".to_owned(),
        transport: McpTransport::Http {
            url: url.to_owned(),
            headers: headers
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        },
    }
}

async fn probe_all(servers: Vec<McpServer>) -> Vec<McpServerStatus> {
    let folder = tempfile::tempdir().expect("a folder");
    probe(servers, folder.path(), &SearchPlaces::of_this_system()).await
}

async fn probe_in(folder: &Path, server: McpServer) -> McpServerStatus {
    let statuses = probe(vec![server], folder, &SearchPlaces::of_this_system()).await;
    let [status] = <[_; 1]>::try_from(statuses).expect("one answer for one server");
    status
}

async fn probe_one(server: McpServer) -> McpServerStatus {
    let folder = tempfile::tempdir().expect("a folder");
    probe_in(folder.path(), server).await
}

/// The state and the error in one line.
fn outcome(status: &McpServerStatus) -> String {
    match (&status.state, &status.error) {
        (McpState::Failed, Some(error)) => error.clone(),
        (state, None) => format!("{state:?}"),
        (state, Some(error)) => panic!("{state:?} with {error}"),
    }
}

fn tool(name: &str) -> Value {
    json!({"name": name, "description": format!("Does {name}."), "inputSchema": {"type": "object"}})
}

/// What a usual server answers to a message; nothing for a notification.
fn usual_answer(request: &Request) -> Option<Value> {
    let id = request.body.get("id")?;
    let result = match request.rpc_method() {
        "initialize" => json!({
            "protocolVersion": request.at("/params/protocolVersion"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "test-server", "version": "1.2.3"},
        }),
        "tools/list" => json!({"tools": [tool("look"), tool("touch")]}),
        other => panic!("an unexpected request: {other}"),
    };
    Some(json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

fn refusal(request: &Request, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": request.at("/id"), "error": {"code": code, "message": message}})
}

fn names(status: &McpServerStatus) -> Vec<&str> {
    status.tools.iter().map(|tool| tool.name.as_str()).collect()
}
