//! The command line of Claude Code, and the private files it names.

use serde_json::{Map, Value, json};

use crate::core::backend::{BackendSpec, McpServer, McpTransport};
use crate::core::command::{SessionSetup, SessionStart};

/// What a process is started with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LaunchPlan {
    pub args: Vec<String>,
    /// A file that only its owner may read; its path follows the arguments.
    pub private_file: Option<PrivateFile>,
}

/// A file that is written before the start. It holds secrets, so it never becomes an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivateFile {
    /// The argument before its path.
    pub argument: String,
    pub content: String,
}

/// Leaves the servers out that the person has configured for the program itself.
const STRICT: &str = "--strict-mcp-config";

/// The arguments for a session. `spec.args` stand first.
pub fn launch_plan(spec: &BackendSpec, setup: &SessionSetup) -> LaunchPlan {
    let mut args = spec.args.clone();
    args.extend(
        [
            "-p",
            "--input-format",
            "stream-json",
            "--output-format",
            "stream-json",
            "--verbose",
            "--include-partial-messages",
            "--permission-prompt-tool",
            "stdio",
        ]
        .map(str::to_owned),
    );
    match &setup.start {
        // A resumed session keeps its own model.
        SessionStart::Load(id) | SessionStart::Resume(id) => args.push(format!("--resume={id}")),
        SessionStart::New => {
            if let Some(model) = &setup.model {
                args.push(format!("--model={model}"));
            }
        }
    }
    // The program's own settings may begin elsewhere, and it tells so only after the first prompt.
    let is_given = |arg: &String| {
        arg.starts_with("--permission-mode") || arg == "--dangerously-skip-permissions"
    };
    let asking = spec.asking_mode.as_ref();
    let asking = asking.filter(|_| !spec.args.iter().any(is_given));
    if let Some(mode) = setup.mode.as_ref().or(asking) {
        args.push(format!("--permission-mode={mode}"));
    }
    let private_file = mcp_config(setup);
    if private_file.is_some() {
        args.push(STRICT.to_owned());
    }
    LaunchPlan { args, private_file }
}

/// The arguments for a program that the person sees, to sign in to the MCP servers of a session there.
pub fn sign_in_plan(spec: &BackendSpec, setup: &SessionSetup) -> LaunchPlan {
    let mut args = spec.args.clone();
    let private_file = mcp_config(setup);
    if private_file.is_some() {
        args.push(STRICT.to_owned());
    }
    LaunchPlan { args, private_file }
}

/// The session's servers as a file; `None` where it has none.
fn mcp_config(setup: &SessionSetup) -> Option<PrivateFile> {
    let servers = mcp_servers(&setup.mcp_servers);
    (!servers.is_empty()).then(|| PrivateFile {
        argument: "--mcp-config".to_owned(),
        content: json!({ "mcpServers": servers }).to_string(),
    })
}

/// MCP servers by name, as Claude Code's configuration has them.
pub(in crate::bridge) fn mcp_servers(servers: &[McpServer]) -> Map<String, Value> {
    servers
        .iter()
        .map(|server| (server.name.clone(), transport(&server.transport)))
        .collect()
}

fn transport(transport: &McpTransport) -> Value {
    match transport {
        McpTransport::Stdio { command, args, env } => {
            json!({"type": "stdio", "command": command, "args": args, "env": env})
        }
        McpTransport::Http { url, headers } => {
            json!({"type": "http", "url": url, "headers": headers})
        }
        McpTransport::Sse { url, headers } => {
            json!({"type": "sse", "url": url, "headers": headers})
        }
    }
}
