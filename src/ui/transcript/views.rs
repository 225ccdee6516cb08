//! What was laid out, by block: kept while it is used, within limits.

use std::sync::Arc;

use egui::TextureHandle;

use crate::core::ids::{BlockId, TurnId};
use crate::core::session::Session;
use crate::core::tool_call::Diff;
use crate::core::turn_changes::{self, FileChange};
use crate::ui::side_work::SideWork;
use crate::ui::text::code_view::CodeView;
use crate::ui::text::tail::{Change, Tail};
use crate::ui::text::terminal_view::TerminalView;
use crate::ui::text::view::TextView;
use crate::ui::transcript::diff::Extent;
use crate::ui::transcript::hits::Hits;
use crate::ui::transcript::json_tree::JsonTree;
use crate::ui::transcript::kept_changes::{KeptChanges, Progress};
use crate::ui::transcript::lru::Kept;

/// Limits of what is kept, in bytes of text and in pixels. A byte of text that is laid out takes about 200 bytes; of
/// code and output only the lines near the view are laid out.
const TEXT_BYTES_MOST: usize = 50_000;
const CODE_BYTES_MOST: usize = 2_000_000;
const DIFF_LINES_MOST: usize = 60_000;
const TREE_LINES_MOST: usize = 40_000;
const PIXELS_MOST: usize = 24_000_000;

/// A part of a block that is laid out by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ViewKey {
    pub block: BlockId,
    pub part: ViewPart,
}

/// Which part of a block it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ViewPart {
    /// What stands in one line, of which nothing is kept.
    Line,
    Message,
    Command,
    RawOutput,
    Raw,
    Stderr,
    /// What a subagent said.
    Report,
    /// The plan that a call asks to carry out.
    Plan,
    /// The values that a call was given.
    Input,
    /// The line above a piece of a call's content, by its place.
    Title(usize),
    /// A piece of a call's content, by its place.
    Content(usize),
    /// The same with all its unchanged lines.
    Whole(usize),
    /// A piece of a file's change in the summary of a turn: the file, the piece.
    Net(usize, usize),
    WholeNet(usize, usize),
}

/// Where the steps of a call stand among its areas.
pub const STEPS_ORDER: usize = 6;

impl ViewPart {
    /// Where it stands in its block: what comes first is less.
    pub fn order(self) -> [usize; 2] {
        match self {
            Self::Line => [0, 0],
            Self::Message => [1, 0],
            Self::Command => [2, 0],
            Self::Plan | Self::Input => [3, 0],
            Self::Title(place) => [4, 2 * place],
            Self::Content(place) | Self::Whole(place) => [4, 2 * place + 1],
            Self::RawOutput => [5, 0],
            Self::Report => [STEPS_ORDER + 1, 0],
            Self::Raw => [STEPS_ORDER + 2, 0],
            Self::Stderr => [STEPS_ORDER + 3, 0],
            Self::Net(file, _) | Self::WholeNet(file, _) => [STEPS_ORDER + 4, file],
        }
    }

    /// Whether its texts are units, which are selected across the transcript.
    pub fn has_units(self) -> bool {
        !matches!(self, Self::Net(..) | Self::WholeNet(..) | Self::Whole(_))
    }
}

/// All that is kept.
#[derive(Debug)]
pub struct Views {
    pub texts: Kept<ViewKey, TextView>,
    pub codes: Kept<ViewKey, CodeView>,
    pub terminals: Kept<ViewKey, TerminalView>,
    pub hits: Kept<ViewKey, KeptHits>,
    /// By the last block of the turn.
    pub turns: Kept<BlockId, KeptTurn>,
    pub changes: KeptDiffs,
    pub pictures: Kept<ViewKey, Picture>,
    pub trees: Kept<ViewKey, KeptTree>,
    /// What is to be done off the UI thread.
    pub wanted: Vec<SideWork>,
    /// Blocks with a long change that was compared since somebody asked.
    pub compared: Vec<BlockId>,
}

/// Changes that were compared.
pub type KeptDiffs = Kept<ViewKey, KeptChanges>;

/// What a turn changed, with the newest revision of its blocks.
#[derive(Debug, Default)]
pub struct KeptTurn {
    files: Arc<Vec<FileChange>>,
    revision: u64,
}

/// The raw data of a block as a tree, with the revision of the block.
#[derive(Debug, Default)]
pub struct KeptTree {
    pub tree: JsonTree,
    pub revision: Option<u64>,
}

/// What a search found, with what it was read from.
#[derive(Debug, Default)]
pub struct KeptHits {
    hits: Option<Arc<Hits>>,
    read: Tail,
}

/// A picture that was decoded.
pub enum Picture {
    Waiting,
    Ready {
        texture: TextureHandle,
        width: u32,
        height: u32,
    },
    Failed,
}

impl Default for Views {
    fn default() -> Self {
        Self {
            texts: Kept::with_limit(TEXT_BYTES_MOST),
            codes: Kept::with_limit(CODE_BYTES_MOST),
            terminals: Kept::with_limit(CODE_BYTES_MOST),
            hits: Kept::with_limit(CODE_BYTES_MOST),
            turns: Kept::with_limit(CODE_BYTES_MOST),
            changes: Kept::with_limit(DIFF_LINES_MOST),
            pictures: Kept::with_limit(PIXELS_MOST),
            trees: Kept::with_limit(TREE_LINES_MOST),
            wanted: Vec::new(),
            compared: Vec::new(),
        }
    }
}

impl Views {
    /// Ends a UI frame.
    pub fn end_frame(&mut self) {
        self.texts.end_frame();
        self.codes.end_frame();
        self.terminals.end_frame();
        self.hits.end_frame();
        self.turns.end_frame();
        self.changes.end_frame();
        self.pictures.end_frame();
        self.trees.end_frame();
    }

    /// What a search found, read once; `None` when the output is no list.
    pub fn hits(&mut self, key: ViewKey, text: &str) -> Option<Arc<Hits>> {
        let kept = self.hits.get(key, KeptHits::default);
        if kept.read.follow(text) != Change::None {
            kept.hits = Hits::of(text).map(Arc::new);
        }
        let hits = kept.hits.clone();
        self.hits.set_cost(&key, text.len());
        hits
    }

    /// How many lines a change adds and removes; `None` while that is not known.
    pub fn counts(&mut self, key: ViewKey, diff: &Diff) -> Option<(usize, usize)> {
        let kept = self.kept_changes(key, diff, Extent::Folded);
        (kept.progress() == Progress::Done).then(|| (kept.changes().added, kept.changes().removed))
    }

    /// The files that a turn changed, which ends in this block.
    pub fn turn_changes(
        &mut self,
        session: &Session,
        last: BlockId,
        turn: TurnId,
    ) -> Arc<Vec<FileChange>> {
        let blocks = session.transcript().blocks();
        let end = usize::try_from(last.0).map_or(0, |last| last + 1);
        let blocks = blocks.get(..end).unwrap_or_default().iter().rev();
        let of_turn = blocks.take_while(|block| block.turn == Some(turn));
        let (mut count, mut revision) = (0, 0);
        for block in of_turn {
            count += 1;
            revision = revision.max(block.revision);
        }
        let kept = self.turns.get(last, KeptTurn::default);
        if kept.revision != revision {
            let first = end.saturating_sub(count);
            let blocks = session.transcript().blocks().get(first..end);
            let files = turn_changes::of_turn(blocks.unwrap_or_default(), turn);
            kept.files = Arc::new(files);
            kept.revision = revision;
        }
        let files = Arc::clone(&kept.files);
        let texts = files.iter().flat_map(|file| &file.pieces);
        let cost = texts.map(|piece| piece.new_text.len()).sum();
        self.turns.set_cost(&last, cost);
        files
    }

    /// The change as lines with what is kept of it, compared once: a long one elsewhere.
    pub fn kept_changes(&mut self, key: ViewKey, diff: &Diff, extent: Extent) -> &mut KeptChanges {
        let kept = self.changes.get(key, KeptChanges::default);
        let ran = kept.progress() == Progress::Running;
        if let Some(comparison) = kept.update(diff, extent) {
            self.wanted.push(SideWork::new(comparison));
        } else if ran && kept.progress() == Progress::Done {
            self.compared.push(key.block);
        }
        let cost = kept.changes().lines.len();
        self.changes.set_cost(&key, cost);
        self.changes.get(key, KeptChanges::default)
    }

    /// Has a change compared again that was stopped.
    pub fn compare_again(&mut self, key: ViewKey) {
        *self.changes.get(key, KeptChanges::default) = KeptChanges::default();
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = match self {
            Self::Waiting => "Waiting",
            Self::Ready { .. } => "Ready",
            Self::Failed => "Failed",
        };
        f.write_str(name)
    }
}
