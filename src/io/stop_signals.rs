//! What asks the program to stop from outside: Ctrl-C, `kill`, a terminal or a login session that ends.
//!
//! Without this the system ends the program at once, and processes that left an agent's session would stay behind.

#[cfg(windows)]
mod windows;

use std::io;

#[cfg(windows)]
use windows::Signals;

/// Who asks to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopSignal {
    /// Ctrl-C: a person at the terminal, who may mean the turn only.
    Interrupt,
    /// The system or another program, which means all of it.
    Terminate,
}

/// Listens on a thread of its own until the program ends, and calls `on` for each signal.
///
/// # Errors
/// When there can be no thread or no runtime; the system then ends the program as it always does.
pub fn listen(on: impl Fn(StopSignal) + Send + 'static) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let signals = {
        let _guard = runtime.enter();
        Signals::new()?
    };
    std::thread::Builder::new()
        .name("stop-signals".to_owned())
        .spawn(move || {
            runtime.block_on(async {
                let mut signals = signals;
                while let Some(signal) = signals.next().await {
                    on(signal);
                }
            });
        })?;
    Ok(())
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hang_up: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) -> Option<StopSignal> {
        tokio::select! {
            got = self.interrupt.recv() => got.map(|()| StopSignal::Interrupt),
            got = self.terminate.recv() => got.map(|()| StopSignal::Terminate),
            got = self.hang_up.recv() => got.map(|()| StopSignal::Terminate),
        }
    }
}
