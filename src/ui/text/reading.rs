//! Highlighting beside the UI thread: lines that arrive are read elsewhere and get their colors a frame later.

use std::sync::OnceLock;

use crate::ui::side_work::Work;
use crate::ui::text::highlight::{Highlighter, Word};

/// Lines to be highlighted, in order, and what became of them.
#[derive(Debug)]
pub struct Reading {
    highlighter: Highlighter,
    /// Lines that can't change any more.
    finished: Vec<String>,
    /// The line after them, which is still arriving.
    open: Option<String>,
    result: OnceLock<Read>,
}

/// The words of the lines.
#[derive(Debug)]
pub struct Read {
    pub finished: Vec<Vec<Word>>,
    pub open: Option<Vec<Word>>,
    /// The length of that line in bytes, as it was read.
    pub open_bytes: usize,
    /// Stands after the finished lines.
    pub highlighter: Highlighter,
}

impl Reading {
    /// Lines that nobody has read. `highlighter` stands before them.
    pub fn new(highlighter: Highlighter, finished: Vec<String>, open: Option<String>) -> Self {
        Self {
            highlighter,
            finished,
            open,
            result: OnceLock::new(),
        }
    }

    /// The words, once they are known.
    pub fn result(&self) -> Option<&Read> {
        self.result.get()
    }
}

impl Work for Reading {
    fn run(&self) {
        let mut highlighter = self.highlighter.clone();
        let finished = self.finished.iter().map(|line| highlighter.line(line));
        let finished = finished.collect();
        let open = self.open.as_ref();
        let open = open.map(|line| highlighter.clone().line(line));
        // It runs once only.
        let _known = self.result.set(Read {
            finished,
            open,
            open_bytes: self.open.as_ref().map_or(0, String::len),
            highlighter,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_elsewhere_have_the_words_of_lines_read_here() {
        let mut here = Highlighter::for_language("rust").expect("a known language");
        let lines = ["/* a\n", "b */ let x = 1;\n"];
        let reading = Reading::new(
            here.clone(),
            lines.map(str::to_owned).to_vec(),
            Some("let y".to_owned()),
        );
        assert!(reading.result().is_none());
        reading.run();
        let read = reading.result().expect("it was read");
        let expected: Vec<_> = lines.iter().map(|line| here.line(line)).collect();
        assert_eq!(read.finished, expected);
        assert_eq!(read.open, Some(here.clone().line("let y")));
        let mut later = read.highlighter.clone();
        assert_eq!(later.line("let z = 2;\n"), here.line("let z = 2;\n"));
    }
}
