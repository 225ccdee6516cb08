//! A Markdown text that grows: cut into pieces, each parsed once, only the last one again as it changes.
//!
//! What comes out depends on the text alone, not on how it arrived.

use std::collections::BTreeMap;

use crate::core::session::Session;
use crate::core::transcript::Block;
use crate::ui::text::markdown::{self, LineBreaks};
use crate::ui::text::mend::mend;
use crate::ui::text::part::{Code, Part, PartKind};
use crate::ui::text::sanitize::visible;
use crate::ui::text::split::{Fence, Piece, PieceKind, Scanner};
use crate::ui::text::tail::{Change, Tail};

/// Text that is shown as it is comes in parts of about this size.
const SOURCE_PART_BYTES: usize = 2_000;

/// Whether more of a text is to be expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    Streaming,
    Complete,
}

impl Growth {
    /// The last block grows while its session is busy.
    pub fn of(session: &Session, block: &Block) -> Self {
        let last = session.transcript().blocks().last();
        let is_last = last.is_some_and(|last| last.id == block.id);
        if is_last && session.is_busy() {
            Self::Streaming
        } else {
            Self::Complete
        }
    }
}

/// What a view keeps with a part.
pub trait PartView: Default {
    /// The part has another content of the same kind.
    fn part_changed(&mut self);
}

/// A part with what a view keeps of it.
#[derive(Debug)]
pub struct Slot<V> {
    pub part: Part,
    pub view: V,
}

/// The parsed text.
#[derive(Debug)]
pub struct Document<V> {
    line_breaks: LineBreaks,
    scanner: Scanner,
    tail: Tail,
    /// Up to here lines are complete and read.
    lines_read: usize,
    pieces: Vec<ParsedPiece<V>>,
    /// How many of the pieces are finished; at most two are not.
    finished: usize,
    definitions: BTreeMap<String, String>,
    growth: Growth,
}

#[derive(Debug)]
struct ParsedPiece<V> {
    piece: Piece,
    slots: Vec<Slot<V>>,
    unresolved: Vec<String>,
    /// Where the parts of a text that is shown as it is end.
    cuts: Vec<usize>,
}

impl<V: PartView> Document<V> {
    /// An empty text.
    pub fn new(line_breaks: LineBreaks) -> Self {
        Self {
            line_breaks,
            scanner: Scanner::default(),
            tail: Tail::default(),
            lines_read: 0,
            pieces: Vec::new(),
            finished: 0,
            definitions: BTreeMap::new(),
            growth: Growth::Streaming,
        }
    }

    /// Takes in the whole text as it is now. Cheap when it goes on where it ended.
    pub fn update(&mut self, text: &str, growth: Growth) {
        let was_complete = self.growth == Growth::Complete && self.tail.length() > 0;
        let change = self.tail.follow(text);
        if change == Change::None && self.growth == growth {
            return;
        }
        if was_complete || change == Change::Another {
            *self = Self {
                tail: self.tail,
                ..Self::new(self.line_breaks)
            };
        }
        self.read_lines(text);
        self.read_rest(text, growth);
        self.growth = growth;
    }

    /// The parts in order.
    pub fn slots(&self) -> impl Iterator<Item = &Slot<V>> {
        self.pieces.iter().flat_map(|piece| &piece.slots)
    }

    /// The parts in order, with what the view keeps.
    pub fn slots_mut(&mut self) -> impl Iterator<Item = &mut Slot<V>> {
        self.pieces.iter_mut().flat_map(|piece| &mut piece.slots)
    }

    /// The size of the text in bytes.
    pub fn size_bytes(&self) -> usize {
        self.tail.length()
    }

    fn read_lines(&mut self, text: &str) {
        let mut found = Vec::new();
        while let Some(rest) = text.get(self.lines_read..)
            && let Some(length) = rest.find('\n')
        {
            let range = self.lines_read..self.lines_read + length + 1;
            let line = rest.get(..length).unwrap_or_default();
            self.lines_read = range.end;
            self.scanner
                .line(line.trim_end_matches('\r'), range, &mut found);
        }
        for piece in found {
            self.finish(text, piece);
        }
    }

    /// Parses what is not finished: the open piece and the line that is still arriving.
    fn read_rest(&mut self, text: &str, growth: Growth) {
        let mut scanner = self.scanner.clone();
        let mut rest = Vec::new();
        if let Some(line) = text.get(self.lines_read..).filter(|line| !line.is_empty()) {
            scanner.line(
                line.trim_end_matches('\r'),
                self.lines_read..text.len(),
                &mut rest,
            );
        }
        rest.extend(scanner.unfinished());
        let count = rest.len();
        for (index, piece) in rest.into_iter().enumerate() {
            let is_open = growth == Growth::Streaming && index + 1 == count;
            let definitions = self.parse_at(self.finished + index, text, piece, is_open);
            if growth == Growth::Complete {
                self.define(text, definitions);
            }
        }
        self.pieces.truncate(self.finished + count);
    }

    fn finish(&mut self, text: &str, piece: Piece) {
        let definitions = self.parse_at(self.finished, text, piece, false);
        self.finished += 1;
        self.define(text, definitions);
    }

    /// Parses a piece into its place, keeping what has not changed. Returns the link definitions in it.
    fn parse_at(
        &mut self,
        index: usize,
        text: &str,
        piece: Piece,
        is_open: bool,
    ) -> Vec<(String, String)> {
        let is_same = self
            .pieces
            .get(index)
            .is_some_and(|known| known.piece.range.start == piece.range.start);
        if !is_same {
            self.pieces.truncate(index);
            self.pieces.push(ParsedPiece::new(piece.clone()));
        }
        let Some(parsed) = self.pieces.get_mut(index) else {
            return Vec::new();
        };
        parsed.parse(text, piece, is_open, self.line_breaks, &self.definitions)
    }

    /// Takes in link definitions; the first one of a label counts. Pieces that lacked one are parsed again.
    fn define(&mut self, text: &str, definitions: Vec<(String, String)>) {
        for (label, address) in definitions {
            if self.definitions.contains_key(&label) {
                continue;
            }
            self.definitions.insert(label.clone(), address);
            for parsed in &mut self.pieces {
                if parsed.unresolved.contains(&label) {
                    let piece = parsed.piece.clone();
                    parsed.parse(text, piece, false, self.line_breaks, &self.definitions);
                }
            }
        }
    }
}

impl<V: PartView> ParsedPiece<V> {
    fn new(piece: Piece) -> Self {
        Self {
            piece,
            slots: Vec::new(),
            unresolved: Vec::new(),
            cuts: Vec::new(),
        }
    }

    fn parse(
        &mut self,
        text: &str,
        piece: Piece,
        is_open: bool,
        line_breaks: LineBreaks,
        definitions: &BTreeMap<String, String>,
    ) -> Vec<(String, String)> {
        let known = std::mem::replace(&mut self.piece, piece);
        if std::mem::discriminant(&known.kind) != std::mem::discriminant(&self.piece.kind) {
            self.cuts.clear();
        }
        let source = text.get(self.piece.range.clone()).unwrap_or_default();
        match self.piece.kind.clone() {
            PieceKind::Fence(fence) => self.set_code(text, &fence),
            PieceKind::Source => self.set_source(source),
            PieceKind::Markdown => {
                let clean = visible(source);
                let shown = if is_open {
                    mend(&clean)
                } else {
                    clean.as_ref().into()
                };
                let parsed =
                    markdown::parse(&shown, line_breaks, |label| definitions.get(label).cloned());
                self.unresolved = parsed.unresolved;
                if let [
                    Part {
                        kind: PartKind::Source(_),
                        ..
                    },
                ] = parsed.parts.as_slice()
                {
                    self.set_source(source);
                } else {
                    self.cuts.clear();
                    self.set_parts(parsed.parts);
                }
                return parsed.definitions;
            }
        }
        Vec::new()
    }

    fn set_parts(&mut self, parts: Vec<Part>) {
        self.slots.truncate(parts.len());
        for (index, part) in parts.into_iter().enumerate() {
            self.set_part(index, part);
        }
    }

    fn set_part(&mut self, index: usize, part: Part) {
        let Some(slot) = self.slots.get_mut(index) else {
            let view = V::default();
            self.slots.push(Slot { part, view });
            return;
        };
        if slot.part == part {
            return;
        }
        let known = std::mem::replace(&mut slot.part, part);
        if std::mem::discriminant(&known.kind) == std::mem::discriminant(&slot.part.kind) {
            slot.view.part_changed();
        } else {
            slot.view = V::default();
        }
    }

    /// Only what came since the last time is looked at.
    fn set_code(&mut self, text: &str, fence: &Fence) {
        let language = visible(&fence.info);
        let is_known = match (self.slots.as_slice(), self.cuts.as_slice()) {
            ([slot], [start, _]) => {
                matches!(&slot.part.kind, PartKind::Code(code) if code.language == language)
                    && *start == fence.body.start
            }
            _ => false,
        };
        if !is_known {
            self.cuts = vec![fence.body.start; 2];
            let code = Code {
                language: language.into_owned(),
                ..Code::default()
            };
            self.set_parts(vec![Part::new(PartKind::Code(code))]);
        }
        let (Some(read), Some(slot)) = (self.cuts.last_mut(), self.slots.first_mut()) else {
            return;
        };
        let PartKind::Code(code) = &mut slot.part.kind else {
            return;
        };
        code.text.truncate(code.finished_bytes);
        let new = text.get(*read..fence.body.end).unwrap_or_default();
        for line in new.split_inclusive('\n') {
            code.text
                .push_str(&visible(without_indent(line, fence.indent)));
            if line.ends_with('\n') {
                code.finished_bytes = code.text.len();
                *read += line.len();
            }
        }
        if !new.is_empty() {
            slot.view.part_changed();
        }
    }

    /// Finished parts stay as they are.
    fn set_source(&mut self, source: &str) {
        if self.cuts.is_empty() {
            self.slots.clear();
        }
        let mut start = self.cuts.last().copied().unwrap_or_default();
        while let Some(end) = source_cut(source, start) {
            self.set_source_part(self.cuts.len(), source.get(start..end));
            self.cuts.push(end);
            start = end;
        }
        let rest = source
            .get(start..)
            .filter(|rest| !rest.trim_end().is_empty());
        self.slots
            .truncate(self.cuts.len() + usize::from(rest.is_some()));
        if rest.is_some() {
            self.set_source_part(self.cuts.len(), rest.map(str::trim_end));
        }
    }

    fn set_source_part(&mut self, index: usize, source: Option<&str>) {
        let text = visible(source.unwrap_or_default()).into_owned();
        let tight = index > 0;
        self.set_part(
            index,
            Part {
                tight,
                ..Part::new(PartKind::Source(text))
            },
        );
    }
}

/// Where a part of a source that begins at `start` ends, once enough of it is there.
fn source_cut(source: &str, start: usize) -> Option<usize> {
    if source.len() < start + SOURCE_PART_BYTES {
        return None;
    }
    let end = source.floor_char_boundary(start + SOURCE_PART_BYTES);
    let line_end = source.get(start..end)?.rfind('\n').map(|at| start + at + 1);
    Some(line_end.unwrap_or(end))
}

fn without_indent(line: &str, indent: usize) -> &str {
    let spaces = line
        .bytes()
        .take(indent)
        .take_while(|byte| *byte == b' ')
        .count();
    line.get(spaces..).unwrap_or(line)
}

impl PartView for () {
    fn part_changed(&mut self) {}
}

#[cfg(test)]
mod tests;
