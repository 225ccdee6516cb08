//! The lines of a long text, and runs of them that are laid out together.

use std::ops::Range;

use crate::ui::text::markdown::is_wide;
use crate::ui::text::tail::{self, Tail};

/// A longer line is cut.
const LINE_BYTES_MOST: usize = 2_000;
/// Lines that are laid out together. The line that is still arriving is laid out by itself.
const CHUNK_LINES: usize = 8;
const CHUNK_BYTES: usize = 1_000;

/// Where the lines of a text are. The text itself is elsewhere and only grows.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    /// Where each line ends, its line break included.
    ends: Vec<usize>,
    /// The first line of each chunk.
    chunks: Vec<usize>,
    /// How many of the lines can't change any more.
    finished: usize,
    widest_columns: usize,
    tail: Tail,
}

/// What an update means for what was made of the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    None,
    /// Lines before this one are as they were.
    From(usize),
}

impl Lines {
    /// Takes in the text as it is now.
    pub fn update(&mut self, text: &str) -> Change {
        match self.tail.follow(text) {
            tail::Change::None => return Change::None,
            tail::Change::Longer => {}
            tail::Change::Another => {
                *self = Self {
                    tail: self.tail,
                    ..Self::default()
                };
            }
        }
        let first = self.finished;
        self.ends.truncate(first);
        while self.chunks.last().is_some_and(|chunk| *chunk >= first) {
            self.chunks.pop();
        }
        let mut start = self.ends.last().copied().unwrap_or_default();
        while let Some(rest) = text.get(start..).filter(|rest| !rest.is_empty()) {
            let break_at = rest.find('\n');
            let length = break_at.map_or(rest.len(), |at| at + 1);
            let is_cut = length > LINE_BYTES_MOST;
            let length = if is_cut {
                rest.floor_char_boundary(LINE_BYTES_MOST)
            } else {
                length
            };
            let is_finished = is_cut || break_at.is_some();
            self.push(
                start + length,
                rest.get(..length).unwrap_or_default(),
                is_finished,
            );
            start += length;
        }
        Change::From(first)
    }

    /// The number of lines.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// How many lines can't change any more.
    pub fn finished(&self) -> usize {
        self.finished
    }

    /// The columns of the widest line; a wide character takes two.
    pub fn widest_columns(&self) -> usize {
        self.widest_columns
    }

    /// A line with its line break.
    pub fn line<'a>(&self, text: &'a str, index: usize) -> &'a str {
        let start = self.start_of(index);
        let end = self.ends.get(index).copied().unwrap_or(start);
        text.get(start..end).unwrap_or_default()
    }

    /// The runs of lines that are laid out together, as far as they have lines in this range.
    pub fn chunks(&self, lines: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let begun = self.chunks.partition_point(|first| *first <= lines.start);
        let from = self
            .chunks
            .get(begun.saturating_sub(1)..)
            .unwrap_or_default();
        let ends = from.iter().skip(1).copied().chain([self.ends.len()]);
        from.iter()
            .zip(ends)
            .map(|(start, end)| *start..end)
            .take_while(move |chunk| chunk.start < lines.end)
    }

    fn start_of(&self, line: usize) -> usize {
        line.checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .copied()
            .unwrap_or_default()
    }

    fn push(&mut self, end: usize, line: &str, is_finished: bool) {
        let index = self.ends.len();
        let begins_chunk = self.chunks.last().is_none_or(|first| {
            !is_finished
                || index - first >= CHUNK_LINES
                || end - self.start_of(*first) > CHUNK_BYTES
        });
        if begins_chunk {
            self.chunks.push(index);
        }
        self.ends.push(end);
        if is_finished {
            self.finished = self.ends.len();
        }
        let columns = line.trim_end_matches('\n').chars().map(columns).sum();
        self.widest_columns = self.widest_columns.max(columns);
    }
}

fn columns(c: char) -> usize {
    match c {
        '\t' => 4,
        c if is_wide(c) => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines<'a>(index: &Lines, text: &'a str) -> Vec<&'a str> {
        (0..index.count())
            .map(|line| index.line(text, line))
            .collect()
    }

    #[test]
    fn lines_are_found_as_they_come() {
        let text = "one\ntwo\n\nlast";
        let mut index = Lines::default();
        for end in 0..=text.len() {
            index.update(text.get(..end).expect("a boundary"));
        }
        assert_eq!(lines(&index, text), ["one\n", "two\n", "\n", "last"]);
        assert_eq!((index.finished(), index.widest_columns()), (3, 4));
        assert_eq!(index.update(text), Change::None);
        assert_eq!(index.update("one\ntwo\n\nlast\n"), Change::From(3));
    }

    #[test]
    fn a_line_that_is_still_arriving_stands_alone() {
        let mut index = Lines::default();
        index.update("one\ntwo\nth");
        let chunks = |index: &Lines| index.chunks(0..9).collect::<Vec<_>>();
        assert_eq!(chunks(&index), [0..2, 2..3]);
        index.update("one\ntwo\nthree\n");
        assert_eq!(chunks(&index).first(), Some(&(0..3)));
    }

    #[test]
    fn another_text_begins_anew() {
        let mut index = Lines::default();
        index.update("a\nb\nc\n");
        assert_eq!(index.update("x\ny"), Change::From(0));
        assert_eq!(lines(&index, "x\ny"), ["x\n", "y"]);
    }

    #[test]
    fn long_lines_are_cut_and_chunks_are_bounded() {
        let text = "日".repeat(3_000) + "\n" + &"x\n".repeat(200);
        let mut index = Lines::default();
        index.update(&text);
        assert_eq!(lines(&index, &text).concat(), text);
        let chunks: Vec<_> = index.chunks(0..index.count()).collect();
        assert_eq!(chunks.first().map(|chunk| chunk.start), Some(0));
        assert_eq!(chunks.last().map(|chunk| chunk.end), Some(index.count()));
        assert!(chunks.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert!(chunks.iter().all(|chunk| chunk.len() <= CHUNK_LINES));
        let some = chunks.get(3).expect("there are many").clone();
        let found: Vec<_> = index.chunks(some.end - 1..some.end + 1).collect();
        assert_eq!(found, chunks[3..5]);
    }
}
