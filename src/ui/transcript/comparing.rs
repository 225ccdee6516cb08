//! Long texts are compared beside the UI thread: the view asks for it, the app runs it, and it stops when nobody
//! wants it any more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::core::tool_call::Diff;
use crate::ui::side_work::Work;
use crate::ui::transcript::diff::{Changes, Extent};

/// Texts that are longer together, in bytes, are not compared within a UI frame.
const AT_ONCE_BYTES_MOST: usize = 60_000;

/// A comparison that runs elsewhere.
#[derive(Debug)]
pub struct Comparison {
    diff: Diff,
    extent: Extent,
    is_stopped: AtomicBool,
    result: OnceLock<Arc<Changes>>,
}

impl Comparison {
    /// One that nobody has begun.
    pub fn new(diff: &Diff, extent: Extent) -> Self {
        Self {
            diff: diff.clone(),
            extent,
            is_stopped: AtomicBool::new(false),
            result: OnceLock::new(),
        }
    }

    /// Asks it to end soon, without a result.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// The changes, once they are known.
    pub fn result(&self) -> Option<&Arc<Changes>> {
        self.result.get()
    }
}

impl Work for Comparison {
    fn run(&self) {
        if let Some(changes) = Changes::unless(&self.diff, self.extent, || self.is_stopped()) {
            // It runs once only.
            let _known = self.result.set(Arc::new(changes));
        }
    }

    fn takes_long(&self) -> bool {
        true
    }
}

/// Whether a change is too long to be compared within a UI frame.
pub fn is_long(diff: &Diff) -> bool {
    let old = diff.old_text.as_ref().map_or(0, String::len);
    old + diff.new_text.len() > AT_ONCE_BYTES_MOST
}

/// A comparison that is stopped when the view that asked for it is forgotten.
#[derive(Debug)]
pub struct Asked(pub Arc<Comparison>);

impl Drop for Asked {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(lines: usize) -> Diff {
        let text = |word: &str| format!("{word} line of a long text\n").repeat(lines);
        Diff {
            path: "a.txt".to_owned(),
            old_text: Some(text("old")),
            new_text: text("new"),
        }
    }

    #[test]
    fn short_texts_are_compared_at_once() {
        assert!(!is_long(&diff(1_000)) && is_long(&diff(2_000)));
    }

    #[test]
    fn it_ends_with_what_comparing_at_once_gives() {
        let diff = diff(2_000);
        let comparison = Comparison::new(&diff, Extent::Folded);
        assert!(comparison.result().is_none());
        comparison.run();
        let expected = Changes::of(&diff, Extent::Folded);
        assert_eq!(
            comparison.result().map(|changes| &**changes),
            Some(&expected)
        );
    }

    #[test]
    fn it_stops_when_nobody_wants_it() {
        let comparison = Arc::new(Comparison::new(&diff(2_000), Extent::Folded));
        drop(Asked(Arc::clone(&comparison)));
        comparison.run();
        assert!(comparison.result().is_none() && comparison.is_stopped());
    }
}
