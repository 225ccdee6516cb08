//! The work outside: agent processes and their pipes, files, the clock.

pub mod clock;
pub mod launch;
pub mod places;
pub mod process;
