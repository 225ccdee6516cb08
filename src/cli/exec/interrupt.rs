//! Requests to stop, counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::io::stop_signals::{self, StopSignal};

/// How often it takes Ctrl-C to stop all at once.
const AT_ONCE: usize = 2;

/// How often Ctrl-C was pressed and not taken note of. Being told to end by the system counts as often as it takes
/// to stop at once.
pub(super) struct Interrupts(Arc<AtomicUsize>);

impl Interrupts {
    /// Begins to listen. Where that is not possible, a signal ends the program as it always does.
    pub(super) fn listen() -> Self {
        let count = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&count);
        let listening = stop_signals::listen(move |signal| {
            let times = match signal {
                StopSignal::Interrupt => 1,
                StopSignal::Terminate => AT_ONCE,
            };
            counter.fetch_add(times, Ordering::Relaxed);
        });
        if let Err(error) = listening {
            tracing::warn!(%error, "Ctrl-C can't be listened to");
        }
        Self(count)
    }

    /// How often it was pressed since the last call.
    pub(super) fn take(&self) -> usize {
        self.0.swap(0, Ordering::Relaxed)
    }
}
