//! What is particular to starting a process on Windows.

use std::io;

use process_wrap::tokio::{CommandWrap, CommandWrapper};
use tokio::process::Command;

/// The process gets no console window of its own.
const CREATE_NO_WINDOW: u32 = 0x0800_0000;
/// The process waits until it was put into its job; the job's wrapper lets it go.
const CREATE_SUSPENDED: u32 = 0x0000_0004;

/// Starts a console program without a window. Has to be registered after the job object, whose flags it repeats.
#[derive(Debug)]
pub(super) struct NoWindow;

impl CommandWrapper for NoWindow {
    fn pre_spawn(&mut self, command: &mut Command, _core: &CommandWrap) -> io::Result<()> {
        command.creation_flags(CREATE_SUSPENDED | CREATE_NO_WINDOW);
        Ok(())
    }
}
