//! The work outside: agent processes and their pipes, files, the clock.

pub mod audit;
pub mod backend;
mod client_files;
mod client_terminals;
pub mod clock;
mod connection;
pub mod detect;
pub mod editor;
mod events;
pub mod launch;
pub mod mcp_files;
pub mod mcp_probe;
pub mod mcp_relay;
pub mod places;
pub mod policy_files;
pub mod private_file;
pub mod process;
pub mod record;
pub mod saver;
pub mod shell_path;
mod short_run;
mod stderr_log;
mod stderr_tail;
pub mod stop_signals;
pub mod store;
pub mod terminal;
#[cfg(test)]
mod tests;
mod timer;
mod transport;
