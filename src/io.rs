//! The work outside: agent processes and their pipes, files, the clock.

pub mod backend;
pub mod clock;
mod connection;
pub mod detect;
mod events;
pub mod launch;
pub mod places;
pub mod process;
pub mod record;
pub mod saver;
pub mod shell_path;
mod short_run;
mod stderr_log;
mod stderr_tail;
pub mod store;
pub mod terminal;
#[cfg(test)]
mod tests;
mod timer;
mod transport;
