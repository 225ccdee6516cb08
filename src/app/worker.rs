//! Work that would make the window stutter, on threads of its own: highlighting what arrives, comparing long texts.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use crate::ui::side_work::SideWork;
use crate::ui::text::highlight;

/// When nothing was to be done for so long, what is only needed for work is let go.
const REST: Duration = Duration::from_secs(20);

/// A thread for what is soon done, and one more for each piece of work that takes long.
pub(super) struct Worker {
    wanted: Sender<SideWork>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl Worker {
    /// Starts the thread. `wake` has the window drawn again.
    pub(super) fn start(wake: Arc<dyn Fn() + Send + Sync>) -> std::io::Result<Self> {
        let (wanted, queue) = channel::<SideWork>();
        let done = Arc::clone(&wake);
        std::thread::Builder::new()
            .name("worker".to_owned())
            .spawn(move || {
                while let Some(work) = next(&queue) {
                    work.run();
                    done();
                }
            })?;
        Ok(Self { wanted, wake })
    }

    /// Does something soon. Never blocks.
    pub(super) fn take(&self, work: SideWork) {
        let work = if work.takes_long() {
            self.apart(work)
        } else {
            Some(work)
        };
        if let Some(work) = work
            && self.wanted.send(work).is_err()
        {
            tracing::error!("the worker is gone");
        }
    }

    /// Does it on a thread of its own; what has to wait in the line if there is none.
    fn apart(&self, work: SideWork) -> Option<SideWork> {
        let wake = Arc::clone(&self.wake);
        let running = work.clone();
        let thread = std::thread::Builder::new()
            .name("long work".to_owned())
            .spawn(move || {
                running.run();
                wake();
            });
        match thread {
            Ok(_) => None,
            Err(error) => {
                tracing::warn!(%error, "long work has no thread of its own");
                Some(work)
            }
        }
    }
}

/// Waits for what is to be done; `None` when there will be nothing more.
fn next(queue: &Receiver<SideWork>) -> Option<SideWork> {
    match queue.recv_timeout(REST) {
        Ok(work) => Some(work),
        Err(RecvTimeoutError::Timeout) => {
            highlight::let_go();
            queue.recv().ok()
        }
        Err(RecvTimeoutError::Disconnected) => None,
    }
}
