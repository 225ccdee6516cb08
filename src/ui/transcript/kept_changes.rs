//! A change that was compared, with the words of its lines: kept while it is in use.

use std::borrow::Cow;
use std::sync::Arc;

use crate::core::tool_call::Diff;
use crate::ui::side_work::SideWork;
use crate::ui::text::cx::TextCx;
use crate::ui::text::highlight::Word;
use crate::ui::text::tail::{Change, Tail};
use crate::ui::transcript::coloring::{ChangeReader, Coloring};
use crate::ui::transcript::comparing::{Asked, Comparison, is_long};
use crate::ui::transcript::diff::{Changes, Extent, Line, Span};
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
    /// Stands after the lines whose words are known; `None` where there is no grammar, or no more to read.
    reader: Option<ChangeReader>,
    /// The words of all lines, which are being read elsewhere.
    coloring: Option<Arc<Coloring>>,
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

    /// The lines of this change, if they are known.
    pub fn of(&self, diff: &Diff) -> Option<&Changes> {
        let is_text = |known: Tail, text: &str| {
            let mut known = known;
            known.follow(text) == Change::None
        };
        let is_known = matches!(self.made, Made::Yes)
            && is_text(self.old, diff.old_text.as_deref().unwrap_or_default())
            && is_text(self.new, &diff.new_text);
        is_known.then(|| self.changes())
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
        let changes = [self.old.follow(old), self.new.follow(&diff.new_text)];
        if is_known && changes == [Change::None; 2] {
            self.take_result();
            return None;
        }
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
        self.reader = ChangeReader::new(&self.language);
        self.coloring = None;
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

    /// Reads the words of the first lines when they come into view, as much as one UI frame may. What is left is
    /// returned, to be done off the UI thread.
    pub fn highlight(&mut self, cx: &mut TextCx<'_>, lines_most: usize) -> Option<SideWork> {
        if let Some(words) = self
            .coloring
            .as_ref()
            .and_then(|coloring| coloring.result())
        {
            self.words.clone_from(words);
            self.coloring = None;
            self.reader = None;
        }
        let wanted = self.changes.lines.len().min(lines_most);
        if self.changes.lines.len() > HIGHLIGHTED_LINES_MOST || self.coloring.is_some() {
            return None;
        }
        let reader = self.reader.as_mut()?;
        while self.words.len() < wanted
            && cx.highlight_bytes > 0
            && let Some(line) = self.changes.lines.get(self.words.len())
        {
            let (words, read) = reader.line(line);
            cx.highlight_bytes = cx.highlight_bytes.saturating_sub(read);
            self.words.push(words);
        }
        if self.words.len() >= wanted {
            return None;
        }
        let coloring = Arc::new(Coloring::new(Arc::clone(&self.changes), &self.language)?);
        self.coloring = Some(Arc::clone(&coloring));
        Some(SideWork::new(coloring))
    }
}

/// The ending of a file's name, which says its language.
fn ending(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let end = name.rsplit_once('.').map_or(name, |(_, end)| end);
    end.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::side_work::Work as _;

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
