//! The work outside: agent processes and their pipes, files, the clock.

pub mod clock;
pub mod launch;
pub mod mcp_files;
pub mod mcp_probe;
pub mod places;
pub mod process;
mod stderr_tail;
