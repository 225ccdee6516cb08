//! The words of a change: what was removed is read as the old file, what was added as the new one.

use std::sync::{Arc, OnceLock};

use crate::ui::side_work::Work;
use crate::ui::text::highlight::{Highlighter, Word};
use crate::ui::transcript::diff::{Changes, Line, Tag};

/// Reads the lines of a change in order.
#[derive(Debug)]
pub struct ChangeReader {
    start: Highlighter,
    old: Highlighter,
    new: Highlighter,
}

impl ChangeReader {
    /// A reader for a language; `None` when it has no grammar.
    pub fn new(language: &str) -> Option<Self> {
        let start = Highlighter::for_language(language)?;
        Some(Self {
            old: start.clone(),
            new: start.clone(),
            start,
        })
    }

    /// The words of the next line, and how many bytes were read for them.
    pub fn line(&mut self, line: &Line) -> (Vec<Word>, usize) {
        let Line::Text(line) = line else {
            self.old = self.start.clone();
            self.new = self.start.clone();
            return (Vec::new(), 0);
        };
        let text = format!("{}\n", line.text);
        let words = match line.tag {
            Tag::Removed => self.old.line(&text),
            Tag::Added => self.new.line(&text),
            Tag::Same => {
                self.old.line(&text);
                self.new.line(&text)
            }
        };
        (words, text.len().max(20))
    }
}

/// All lines of a change, to be read off the UI thread.
#[derive(Debug)]
pub struct Coloring {
    changes: Arc<Changes>,
    language: String,
    result: OnceLock<Vec<Vec<Word>>>,
}

impl Coloring {
    /// One that nobody has begun; `None` when the language has no grammar.
    pub fn new(changes: Arc<Changes>, language: &str) -> Option<Self> {
        ChangeReader::new(language)?;
        Some(Self {
            changes,
            language: language.to_owned(),
            result: OnceLock::new(),
        })
    }

    /// The words of each line, once they are known.
    pub fn result(&self) -> Option<&Vec<Vec<Word>>> {
        self.result.get()
    }
}

impl Work for Coloring {
    fn run(&self) {
        let Some(mut reader) = ChangeReader::new(&self.language) else {
            return;
        };
        let lines = self.changes.lines.iter();
        // It runs once only.
        let _known = self
            .result
            .set(lines.map(|line| reader.line(line).0).collect());
    }

    fn takes_long(&self) -> bool {
        true
    }
}
