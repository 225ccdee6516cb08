//! What was laid out, by block: kept while it is used, within limits.

use std::sync::Arc;

use egui::TextureHandle;

use crate::core::ids::BlockId;
use crate::core::tool_call::Diff;
use crate::ui::text::code_view::CodeView;
use crate::ui::text::tail::Tail;
use crate::ui::text::terminal_view::TerminalView;
use crate::ui::text::view::TextView;
use crate::ui::transcript::diff::{Changes, Extent};
use crate::ui::transcript::hits::Hits;
use crate::ui::transcript::lru::Kept;

/// Limits of what is kept, in bytes of text and in pixels.
const TEXT_BYTES_MOST: usize = 3_000_000;
const CODE_BYTES_MOST: usize = 6_000_000;
const DIFF_LINES_MOST: usize = 60_000;
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
    /// A piece of a call's content, by its place.
    Content(usize),
    /// The same with all its unchanged lines.
    Whole(usize),
}

/// All that is kept.
#[derive(Debug)]
pub struct Views {
    pub texts: Kept<ViewKey, TextView>,
    pub codes: Kept<ViewKey, CodeView>,
    pub terminals: Kept<ViewKey, TerminalView>,
    pub hits: Kept<ViewKey, KeptHits>,
    pub changes: Kept<ViewKey, KeptChanges>,
    pub pictures: Kept<ViewKey, Picture>,
}

/// A change that was compared, with what it was made of.
#[derive(Debug, Default)]
pub struct KeptChanges {
    pub changes: Changes,
    old: Tail,
    new: Tail,
    is_made: bool,
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
            changes: Kept::with_limit(DIFF_LINES_MOST),
            pictures: Kept::with_limit(PIXELS_MOST),
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
        self.changes.end_frame();
        self.pictures.end_frame();
    }

    /// What a search found, read once; `None` when the output is no list.
    pub fn hits(&mut self, key: ViewKey, text: &str) -> Option<Arc<Hits>> {
        let kept = self.hits.get(key, KeptHits::default);
        if !kept.read.is(text) {
            kept.hits = Hits::of(text).map(Arc::new);
            kept.read = Tail::of(text);
        }
        let hits = kept.hits.clone();
        self.hits.set_cost(&key, text.len());
        hits
    }

    /// The change as lines, compared once.
    pub fn changes(&mut self, key: ViewKey, diff: &Diff, extent: Extent) -> &Changes {
        let kept = self.changes.get(key, KeptChanges::default);
        let old = diff.old_text.as_deref().unwrap_or_default();
        if !kept.is_made || !kept.old.is(old) || !kept.new.is(&diff.new_text) {
            kept.changes = Changes::of(diff, extent);
            kept.old = Tail::of(old);
            kept.new = Tail::of(&diff.new_text);
            kept.is_made = true;
            let cost = kept.changes.lines.len();
            self.changes.set_cost(&key, cost);
        }
        &self.changes.get(key, KeptChanges::default).changes
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
