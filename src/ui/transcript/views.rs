//! What was laid out, by block: kept while it is used, within limits.

use std::sync::Arc;

use egui::{TextureHandle, Ui};

use crate::core::ids::{BlockId, TurnId};
use crate::core::session::Session;
use crate::core::tool_call::Diff;
use crate::core::turn_changes::{self, FileChange};
use crate::ui::text::code_view::CodeView;
use crate::ui::text::cx::TextCx;
use crate::ui::text::highlight::{Highlighter, Word};
use crate::ui::text::tail::Tail;
use crate::ui::text::terminal_view::TerminalView;
use crate::ui::text::view::TextView;
use crate::ui::transcript::diff::{Changes, Extent, Line, Tag};
use crate::ui::transcript::hits::Hits;
use crate::ui::transcript::lru::Kept;

/// Limits of what is kept, in bytes of text and in pixels.
const TEXT_BYTES_MOST: usize = 3_000_000;
const CODE_BYTES_MOST: usize = 6_000_000;
const DIFF_LINES_MOST: usize = 60_000;
/// A longer change has no colors of code.
const HIGHLIGHTED_LINES_MOST: usize = 3_000;
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
    /// What a subagent said, or a plan.
    Report,
    /// A piece of a call's content, by its place.
    Content(usize),
    /// The same with all its unchanged lines.
    Whole(usize),
    /// A piece of a file's change in the summary of a turn: the file, the piece.
    Net(usize, usize),
    WholeNet(usize, usize),
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
    pub changes: Kept<ViewKey, KeptChanges>,
    pub pictures: Kept<ViewKey, Picture>,
}

/// A change that was compared, with what it was made of.
#[derive(Debug, Default)]
pub struct KeptChanges {
    pub changes: Changes,
    /// The words of the first lines, as far as they were read.
    pub words: Vec<Vec<Word>>,
    /// What reads the old file and the new one; `None` where there is no grammar.
    readers: Option<[Highlighter; 2]>,
    language: String,
    old: Tail,
    new: Tail,
    is_made: bool,
}

/// What a turn changed, with the newest revision of its blocks.
#[derive(Debug, Default)]
pub struct KeptTurn {
    files: Arc<Vec<FileChange>>,
    revision: u64,
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
        }
    }
}

impl KeptChanges {
    /// Compares the texts, where they are others than before; whether they were.
    pub fn update(&mut self, diff: &Diff, extent: Extent) -> bool {
        let old = diff.old_text.as_deref().unwrap_or_default();
        if self.is_made && self.old.is(old) && self.new.is(&diff.new_text) {
            return false;
        }
        self.changes = Changes::of(diff, extent);
        self.words.clear();
        self.language = ending(&diff.path);
        self.readers = readers(&self.language);
        self.old = Tail::of(old);
        self.new = Tail::of(&diff.new_text);
        self.is_made = true;
        true
    }

    /// Reads the words of the first lines, as much as one UI frame may.
    pub fn highlight(&mut self, ui: &Ui, cx: &mut TextCx<'_>, lines_most: usize) {
        let count = self.changes.lines.len().min(lines_most);
        if self.changes.lines.len() > HIGHLIGHTED_LINES_MOST {
            return;
        }
        while let Some(line) = self.changes.lines.get(self.words.len())
            && self.words.len() < count
            && let Some([old, new]) = &mut self.readers
        {
            if cx.highlight_bytes == 0 {
                ui.ctx().request_repaint();
                return;
            }
            let words = match line {
                Line::Gap { .. } => {
                    self.readers = readers(&self.language);
                    Vec::new()
                }
                Line::Text(line) => {
                    let text = format!("{}\n", line.text);
                    cx.highlight_bytes = cx.highlight_bytes.saturating_sub(text.len().max(20));
                    match line.tag {
                        Tag::Removed => old.line(&text),
                        Tag::Added => new.line(&text),
                        Tag::Same => {
                            old.line(&text);
                            new.line(&text)
                        }
                    }
                }
            };
            self.words.push(words);
        }
    }
}

/// The ending of a file's name, which says its language.
fn ending(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let end = name.rsplit_once('.').map_or(name, |(_, end)| end);
    end.to_owned()
}

fn readers(language: &str) -> Option<[Highlighter; 2]> {
    let reader = Highlighter::for_language(language)?;
    Some([reader.clone(), reader])
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
        &self.kept_changes(key, diff, extent).changes
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

    /// The same with what is kept of it.
    pub fn kept_changes(&mut self, key: ViewKey, diff: &Diff, extent: Extent) -> &mut KeptChanges {
        let kept = self.changes.get(key, KeptChanges::default);
        if kept.update(diff, extent) {
            let cost = kept.changes.lines.len();
            self.changes.set_cost(&key, cost);
        }
        self.changes.get(key, KeptChanges::default)
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
