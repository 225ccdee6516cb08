//! Ctrl-C, counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How often Ctrl-C was pressed and not taken note of.
pub(super) struct Interrupts(Arc<AtomicUsize>);

impl Interrupts {
    /// Begins to listen. Where that is not possible, Ctrl-C ends the program as it always does.
    pub(super) fn listen() -> Self {
        let count = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&count);
        let listener = std::thread::Builder::new()
            .name("interrupts".to_owned())
            .spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build();
                let Ok(runtime) = runtime else { return };
                runtime.block_on(async {
                    while tokio::signal::ctrl_c().await.is_ok() {
                        counter.fetch_add(1, Ordering::Relaxed);
                    }
                });
            });
        if let Err(error) = listener {
            tracing::warn!(%error, "Ctrl-C can't be listened to");
        }
        Self(count)
    }

    /// How often it was pressed since the last call.
    pub(super) fn take(&self) -> usize {
        self.0.swap(0, Ordering::Relaxed)
    }
}
