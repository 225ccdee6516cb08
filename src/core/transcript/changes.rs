//! Which blocks changed lately, so that a view need not look at all of them.

use std::collections::VecDeque;

use crate::core::ids::BlockId;

/// How many changes are remembered. A view that is further behind looks at everything once.
const REMEMBERED: usize = 256;

/// The newest changes, oldest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ChangeLog {
    changes: VecDeque<Change>,
    /// The revision of the newest change.
    newest: u64,
    /// The revision of the newest change that was forgotten.
    forgotten: u64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Change {
    revision: u64,
    block: BlockId,
}

impl ChangeLog {
    /// The revision of the newest change; 0 before the first one.
    pub(super) fn newest(&self) -> u64 {
        self.newest
    }

    /// Takes a change down and returns its revision. Changes of one block in a row, as of a message that grows, are one.
    pub(super) fn note(&mut self, block: BlockId) -> u64 {
        self.newest += 1;
        let revision = self.newest;
        match self.changes.back_mut() {
            Some(last) if last.block == block => last.revision = revision,
            Some(_) | None => self.changes.push_back(Change { revision, block }),
        }
        if self.changes.len() > REMEMBERED
            && let Some(oldest) = self.changes.pop_front()
        {
            self.forgotten = oldest.revision;
        }
        revision
    }

    /// The blocks that changed after a revision, newest first; `None` when that is too long ago to know.
    pub(super) fn since(&self, revision: u64) -> Option<impl Iterator<Item = BlockId>> {
        let newer = self
            .changes
            .iter()
            .rev()
            .take_while(move |change| change.revision > revision)
            .map(|change| change.block);
        (revision >= self.forgotten).then_some(newer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn since(log: &ChangeLog, revision: u64) -> Option<Vec<u64>> {
        Some(log.since(revision)?.map(|id| id.0).collect())
    }

    #[test]
    fn changes_after_a_revision_are_named_newest_first() {
        let mut log = ChangeLog::default();
        for block in [0, 1, 0] {
            log.note(BlockId(block));
        }
        assert_eq!(log.newest(), 3);
        assert_eq!(since(&log, 0), Some(vec![0, 1, 0]));
        assert_eq!(since(&log, 1), Some(vec![0, 1]));
        assert_eq!(since(&log, 3), Some(vec![]));
    }

    #[test]
    fn a_message_that_grows_takes_one_place() {
        let mut log = ChangeLog::default();
        log.note(BlockId(0));
        for _ in 0..5_000 {
            log.note(BlockId(1));
        }
        assert_eq!(since(&log, 0), Some(vec![1, 0]));
    }

    #[test]
    fn what_was_forgotten_is_not_made_up() {
        let mut log = ChangeLog::default();
        for block in 1..=REMEMBERED as u64 + 2 {
            log.note(BlockId(block));
        }
        assert_eq!(since(&log, 1), None);
        assert_eq!(since(&log, 2).map(|ids| ids.len()), Some(REMEMBERED));
        assert_eq!(since(&log, log.newest() - 1), Some(vec![log.newest()]));
    }
}
