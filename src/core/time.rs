//! Points in time and spans, as data: the core never asks a clock.

/// A point in time in milliseconds since the Unix epoch, or since the start of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Timestamp(pub u64);

impl Timestamp {
    /// The milliseconds from `earlier` to this point; 0 when `earlier` is later.
    pub fn millis_since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// The point `millis` milliseconds after this one.
    #[must_use]
    pub fn plus_millis(self, millis: u64) -> Self {
        Self(self.0.saturating_add(millis))
    }
}
