//! Lines that are no protocol messages: counted, and told in ever larger numbers.

/// Up to so many lines in all the number is told as soon as anything else comes.
const EXACT_UP_TO: u64 = 64;

/// The count of a connection.
#[derive(Debug, Default)]
pub(super) struct StrayLines {
    told: u64,
    untold: u64,
}

impl StrayLines {
    /// Counts one more.
    pub(super) fn count(&mut self) {
        self.untold += 1;
    }

    /// The lines since the last time, once they are as many as half of those told.
    pub(super) fn many(&mut self) -> Option<u64> {
        if self.untold > self.told / 2 {
            self.all()
        } else {
            None
        }
    }

    /// The lines since the last time, while they are few.
    pub(super) fn few(&mut self) -> Option<u64> {
        if self.told < EXACT_UP_TO {
            self.all()
        } else {
            None
        }
    }

    /// The lines since the last time, if there are any.
    pub(super) fn all(&mut self) -> Option<u64> {
        let count = std::mem::take(&mut self.untold);
        self.told = self.told.saturating_add(count);
        (count > 0).then_some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_told_in_few_steps_and_loses_nothing() {
        let mut lines = StrayLines::default();
        let mut told = Vec::new();
        for _ in 0..50_000 {
            lines.count();
            told.extend(lines.many());
        }
        told.extend(lines.few());
        assert!(told.len() < 40, "{told:?}");
        told.extend(lines.all());
        assert_eq!(told.iter().sum::<u64>(), 50_000);
        assert_eq!(lines.all(), None);
    }
}
