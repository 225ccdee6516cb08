//! A change that was compared, with the words of its lines: kept while it is in use.

use std::borrow::Cow;
use std::sync::Arc;

use egui::Ui;

use crate::core::tool_call::Diff;
use crate::ui::text::cx::TextCx;
use crate::ui::text::highlight::{Highlighter, Word};
use crate::ui::text::tail::Tail;
use crate::ui::transcript::comparing::{Asked, Comparison, is_long};
use crate::ui::transcript::diff::{Changes, Extent, Line, Span, Tag};
use crate::ui::transcript::side_by_side::{Pair, pairs};

/// A longer change has no colors of code.
const HIGHLIGHTED_LINES_MOST: usize = 3_000;

/// A change with what it was made of.
#[derive(Debug, Default)]
pub struct KeptChanges {
    changes: Arc<Changes>,
    /// The words of the first lines, as far as they were read.
    words: Vec<Vec<Word>>,
    /// All its lines side by side, once somebody looks at them so.
    pairs: Option<Vec<Pair>>,
    /// What reads the old file and the new one; `None` where there is no grammar.
    readers: Option<[Highlighter; 2]>,
    language: String,
    old: Tail,
    new: Tail,
    made: Made,
}

#[derive(Debug, Default)]
enum Made {
    #[default]
    No,
    Elsewhere(Asked),
    Yes,
}

/// How far the comparison is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    Running,
    /// The person stopped it.
    Stopped,
    Done,
}

impl KeptChanges {
    /// The change as lines; what was known before while it is compared again.
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// The words of the first lines, as far as they were read.
    pub fn words(&self) -> &[Vec<Word>] {
        &self.words
    }

    /// How far the comparison is.
    pub fn progress(&self) -> Progress {
        match &self.made {
            Made::No | Made::Yes => Progress::Done,
            Made::Elsewhere(asked) if asked.0.is_stopped() => Progress::Stopped,
            Made::Elsewhere(_) => Progress::Running,
        }
    }

    /// Ends a comparison that runs.
    pub fn stop(&self) {
        if let Made::Elsewhere(asked) = &self.made {
            asked.0.stop();
        }
    }

    /// Takes in the change as it is now. Returns a comparison that has to be run.
    pub fn update(&mut self, diff: &Diff, extent: Extent) -> Option<Arc<Comparison>> {
        let old = diff.old_text.as_deref().unwrap_or_default();
        let is_known = !matches!(self.made, Made::No);
        if is_known && self.old.is(old) && self.new.is(&diff.new_text) {
            self.take_result();
            return None;
        }
        self.old = Tail::of(old);
        self.new = Tail::of(&diff.new_text);
        self.language = ending(&diff.path);
        if is_long(diff) {
            let comparison = Arc::new(Comparison::new(diff, extent));
            self.made = Made::Elsewhere(Asked(Arc::clone(&comparison)));
            return Some(comparison);
        }
        self.take(Arc::new(Changes::of(diff, extent)));
        None
    }

    fn take_result(&mut self) {
        if let Made::Elsewhere(asked) = &self.made
            && let Some(changes) = asked.0.result()
        {
            self.take(Arc::clone(changes));
        }
    }

    fn take(&mut self, changes: Arc<Changes>) {
        self.changes = changes;
        self.words.clear();
        self.pairs = None;
        self.readers = readers(&self.language);
        self.made = Made::Yes;
    }

    /// The first lines, and what they need.
    pub fn first_lines(&self, most: usize) -> (&[Line], Span) {
        let all = self.changes.lines.as_slice();
        match all.get(..most) {
            Some(first) => (first, Span::of(first)),
            None => (all, self.changes.span),
        }
    }

    /// Puts all lines side by side, so that it need not be done in each UI frame.
    pub fn pair_all(&mut self) {
        if self.pairs.is_none() {
            self.pairs = Some(pairs(&self.changes.lines));
        }
    }

    /// The first lines side by side.
    pub fn first_pairs(&self, most: usize) -> Cow<'_, [Pair]> {
        match (self.changes.lines.get(..most), &self.pairs) {
            (None, Some(all)) => Cow::Borrowed(all),
            (None, None) => Cow::Owned(pairs(&self.changes.lines)),
            (Some(first), _) => Cow::Owned(pairs(first)),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn long(word: &str) -> Diff {
        Diff {
            path: "a.rs".to_owned(),
            old_text: Some("a line that stays as it is\n".repeat(3_000)),
            new_text: format!("{word}\n{}", "a line that stays as it is\n".repeat(3_000)),
        }
    }

    #[test]
    fn a_long_change_is_compared_elsewhere_once() {
        let mut kept = KeptChanges::default();
        let comparison = kept
            .update(&long("one"), Extent::Folded)
            .expect("it is long");
        assert_eq!(kept.progress(), Progress::Running);
        assert!(kept.update(&long("one"), Extent::Folded).is_none());
        comparison.run();
        assert!(kept.update(&long("one"), Extent::Folded).is_none());
        assert_eq!((kept.progress(), kept.changes().added), (Progress::Done, 1));
    }

    #[test]
    fn a_change_that_went_on_stops_the_comparison_of_what_it_was() {
        let mut kept = KeptChanges::default();
        let first = kept
            .update(&long("one"), Extent::Folded)
            .expect("it is long");
        let second = kept
            .update(&long("two"), Extent::Folded)
            .expect("it is long");
        assert!(first.is_stopped() && !second.is_stopped());
        kept.stop();
        assert_eq!(kept.progress(), Progress::Stopped);
    }
}
