//! What the person opened and closed.

use std::collections::BTreeMap;

use crate::core::ids::BlockId;

/// Something that can be opened, by the block it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fold {
    pub block: BlockId,
    pub part: FoldPart,
}

/// Which part of a block can be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FoldPart {
    /// The block itself.
    Body,
    /// The group of calls that begins with the block.
    Group,
    /// The raw data of a call.
    Raw,
    /// A value in it, by its number.
    RawValue(usize),
    /// All lines of an output, by its place in the content.
    WholeOutput(usize),
    /// All of a change, the unchanged lines included, by its place in the content.
    WholeDiff(usize),
    /// The files that a turn changed, and one of them.
    Summary,
    SummaryFile(usize),
    /// All of a piece of a file's change in that summary.
    WholeNet(usize, usize),
    /// A picture in full width, by its place in the content.
    Picture(usize),
    /// What the agent wrote to stderr.
    Stderr,
}

/// All that was opened or closed. What was never touched is closed.
#[derive(Debug, Clone, Default)]
pub struct Folds {
    open: BTreeMap<Fold, bool>,
}

impl Folds {
    /// Whether something is open.
    pub fn is_open(&self, block: BlockId, part: FoldPart) -> bool {
        self.choice(block, part).unwrap_or(false)
    }

    /// What the person chose, if anything.
    pub fn choice(&self, block: BlockId, part: FoldPart) -> Option<bool> {
        self.open.get(&Fold { block, part }).copied()
    }

    /// Opens or closes something.
    pub fn set(&mut self, block: BlockId, part: FoldPart, is_open: bool) {
        self.open.insert(Fold { block, part }, is_open);
    }

    /// Opens what is closed and closes what is open.
    pub fn toggle(&mut self, block: BlockId, part: FoldPart) {
        let is_open = self.is_open(block, part);
        self.set(block, part, !is_open);
    }
}
