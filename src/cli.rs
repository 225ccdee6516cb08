//! What the program does without a window: the same hub and bridge, driven by a plain loop.

pub mod args;
mod audit;
mod block_record;
pub mod doctor;
pub mod exec;
pub mod exit;
mod mcp_config;
mod mcp_relay;
pub mod print_jsonl;
pub mod print_text;
mod recording;
pub mod replay;
mod scripted_agent;
mod settings;
pub mod watch;
pub mod words;

use args::Subcommands;
use exit::Exit;

use crate::bridge::mcp_relay::SERVER_VARIABLE;

/// Runs a subcommand. `var` looks up an environment variable.
pub fn run(command: &Subcommands, var: &dyn Fn(&str) -> Option<String>) -> Exit {
    match command {
        Subcommands::Exec(args) => exec::run(args, &settings::load().settings),
        Subcommands::Replay(args) => replay::run(args),
        Subcommands::ScriptedAgent(args) => scripted_agent::run(args),
        Subcommands::Audit(args) => audit::run(args, var("AGENT_PANEL_DATA")),
        Subcommands::McpRelay => mcp_relay::run(var(SERVER_VARIABLE)),
        Subcommands::Doctor(args) => doctor::run(args, &settings::load(), var),
    }
}
