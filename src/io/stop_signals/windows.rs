//! What asks the program to stop. Windows only.

use std::io;

use tokio::signal::windows::{CtrlC, CtrlClose, CtrlShutdown, ctrl_c, ctrl_close, ctrl_shutdown};

use super::StopSignal;

/// The console's requests; there are no signals.
pub(super) struct Signals {
    interrupt: CtrlC,
    close: CtrlClose,
    shut_down: CtrlShutdown,
}

impl Signals {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: ctrl_c()?,
            close: ctrl_close()?,
            shut_down: ctrl_shutdown()?,
        })
    }

    pub(super) async fn next(&mut self) -> Option<StopSignal> {
        tokio::select! {
            got = self.interrupt.recv() => got.map(|()| StopSignal::Interrupt),
            got = self.close.recv() => got.map(|()| StopSignal::Terminate),
            got = self.shut_down.recv() => got.map(|()| StopSignal::Terminate),
        }
    }
}
