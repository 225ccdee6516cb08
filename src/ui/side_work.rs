//! Work that would make the window stutter: the view asks for it, the app does it on a thread of its own and has the
//! window drawn again, the view finds what came of it where it asked.

use std::fmt;
use std::sync::Arc;

/// Something to be done off the UI thread.
pub trait Work: fmt::Debug + Send + Sync {
    /// Does it, once. What comes of it stays in it.
    fn run(&self);

    /// Whether other work should not wait for it.
    fn takes_long(&self) -> bool {
        false
    }
}

/// A piece of work that somebody asked for. Two are the same only if they are one.
#[derive(Debug, Clone)]
pub struct SideWork(Arc<dyn Work>);

impl SideWork {
    /// Asks for work.
    pub fn new(work: Arc<dyn Work>) -> Self {
        Self(work)
    }

    /// Does it.
    pub fn run(&self) {
        self.0.run();
    }

    /// Whether other work should not wait for it.
    pub fn takes_long(&self) -> bool {
        self.0.takes_long()
    }
}

impl PartialEq for SideWork {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SideWork {}
