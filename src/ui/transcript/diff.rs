//! A change of a file as lines: what was added, what was removed, and the words that differ.

use std::ops::Range;

use similar::{ChangeTag, DiffOp, TextDiff};

use crate::core::tool_call::Diff;
use crate::ui::text::sanitize::visible;
use crate::ui::transcript::anchors::{Stretch, stretches};
use crate::ui::widgets::diff_view::text_columns;

/// Unchanged lines around a change.
const CONTEXT: usize = 3;
/// Up to so many lines of both texts are compared in full.
const COMPARED_LINES_MOST: usize = 3_000;
/// Words are compared in changes up to this many lines.
const WORDS_LINES_MOST: usize = 60;
/// Lines of a change that show before it is opened in full.
pub const DIFF_LINES: usize = 60;
/// A longer line is cut.
const LINE_CHARS_MOST: usize = 1_000;

/// A change, ready to be drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    pub lines: Vec<Line>,
    pub added: usize,
    pub removed: usize,
    pub nature: Nature,
    /// Of all its lines.
    pub span: Span,
    /// The lines of the new file that were passed so far.
    passed: usize,
}

/// What numbers and text of lines need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The highest line number.
    pub highest: usize,
    /// The columns of the widest line.
    pub widest: usize,
}

/// What kind of change it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Nature {
    #[default]
    Edit,
    NewFile,
    /// All of its text is gone.
    Emptied,
    LineEndingsOnly,
    /// It is no text.
    Binary,
    Nothing,
}

/// A line of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    Text(TextLine),
    /// Unchanged lines that are left out.
    Gap {
        lines: usize,
    },
}

/// A line with text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLine {
    pub tag: Tag,
    /// Its numbers in the old and the new file, counted from 1.
    pub old: Option<usize>,
    pub new: Option<usize>,
    /// The number of the last line of the new file up to here; 0 before the first one.
    pub after: usize,
    pub text: String,
    /// The words that differ.
    pub marks: Vec<Range<usize>>,
    /// How wide it is, in columns.
    pub columns: usize,
}

/// What happened to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    Same,
    Added,
    Removed,
}

/// How much of the unchanged lines is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    Folded,
    Whole,
}

impl TextLine {
    /// Where it stands: the number of its line in the new file and 0; of a removed line the number of the new line
    /// before it, and its own in the old file. What comes first is less.
    pub fn place(&self) -> (usize, usize) {
        match self.new {
            Some(new) => (new, 0),
            None => (self.after, self.old.unwrap_or_default()),
        }
    }

    /// Whether this is its place. Of a removed line its number in the old file says all.
    pub fn is_at(&self, (index, cell): (usize, usize)) -> bool {
        match (self.new, cell) {
            (Some(new), 0) => new == index,
            (None, old) => old > 0 && self.old == Some(old),
            (Some(_), _) => false,
        }
    }
}

impl Span {
    /// The span of some lines.
    pub fn of(lines: &[Line]) -> Self {
        let mut span = Self::default();
        for line in lines {
            if let Line::Text(line) = line {
                span.take(line);
            }
        }
        span
    }

    fn take(&mut self, line: &TextLine) {
        let numbers = [Some(self.highest), line.old, line.new];
        self.highest = numbers.into_iter().flatten().max().unwrap_or_default();
        self.widest = self.widest.max(line.columns);
    }
}

impl Changes {
    /// Compares the old text with the new one.
    pub fn of(diff: &Diff, extent: Extent) -> Self {
        Self::unless(diff, extent, || false).unwrap_or_default()
    }

    /// Compares the old text with the new one. `None` when it was stopped before the end.
    pub fn unless(diff: &Diff, extent: Extent, is_stopped: impl Fn() -> bool) -> Option<Self> {
        let old = diff.old_text.as_deref().unwrap_or_default();
        let new = diff.new_text.as_str();
        let mut changes = Self {
            nature: nature(diff.old_text.as_deref(), new),
            ..Self::default()
        };
        if matches!(
            changes.nature,
            Nature::Nothing | Nature::LineEndingsOnly | Nature::Binary
        ) {
            return Some(changes);
        }
        let count = |text: &str| text.split_inclusive('\n').count();
        if count(old) + count(new) <= COMPARED_LINES_MOST {
            changes.compare(&TextDiff::from_lines(old, new), extent);
        } else {
            changes.compare_long(old, new, extent, &is_stopped)?;
        }
        (!is_stopped()).then_some(changes)
    }

    fn compare(&mut self, diff: &TextDiff<'_, '_, str>, extent: Extent) {
        let groups = match extent {
            Extent::Whole => vec![diff.ops().to_vec()],
            Extent::Folded => diff.grouped_ops(CONTEXT),
        };
        let mut shown_to = 0;
        for group in groups {
            let start = group.first().map_or(shown_to, |op| op.old_range().start);
            self.gap(start - shown_to);
            for op in &group {
                self.take(diff, op);
                shown_to = op.old_range().end;
            }
        }
        self.gap(diff.old_len().saturating_sub(shown_to));
    }

    fn take(&mut self, diff: &TextDiff<'_, '_, str>, op: &DiffOp) {
        if op.old_range().len() + op.new_range().len() > WORDS_LINES_MOST {
            for change in diff.iter_changes(op) {
                let place = (change.old_index(), change.new_index());
                self.push(tag(change.tag()), place, &clean(change.value()), Vec::new());
            }
            return;
        }
        for change in diff.iter_inline_changes(op) {
            let (mut text, mut marks) = (String::new(), Vec::new());
            for (is_marked, part) in change.iter_strings_lossy() {
                let start = text.len();
                text.push_str(&clean(&part));
                if is_marked && text.len() > start {
                    marks.push(start..text.len());
                }
            }
            let place = (change.old_index(), change.new_index());
            self.push(tag(change.tag()), place, &text, telling(&text, marks));
        }
    }

    /// Compares long texts: only what is between lines that both have once, and without the words that differ.
    fn compare_long(
        &mut self,
        old: &str,
        new: &str,
        extent: Extent,
        is_stopped: &dyn Fn() -> bool,
    ) -> Option<()> {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let new: Vec<&str> = new.split_inclusive('\n').collect();
        let context = match extent {
            Extent::Folded => CONTEXT,
            Extent::Whole => usize::MAX,
        };
        let stretches = stretches(&old, &new, COMPARED_LINES_MOST, is_stopped)?;
        let last = stretches.len().saturating_sub(1);
        for (index, stretch) in stretches.iter().enumerate() {
            match stretch {
                Stretch::Same {
                    old: at,
                    new,
                    lines,
                } => {
                    let first = if index == 0 { 0 } else { context.min(*lines) };
                    let end = if index == last { 0 } else { context };
                    let hidden = (lines - first).saturating_sub(end);
                    let same = |changes: &mut Self, range: Range<usize>| {
                        for line in range {
                            let text = clean(old.get(at + line).unwrap_or(&""));
                            let place = (Some(at + line), Some(new + line));
                            changes.push(Tag::Same, place, &text, Vec::new());
                        }
                    };
                    same(self, 0..first);
                    self.gap(hidden);
                    same(self, first + hidden..*lines);
                }
                Stretch::Changed {
                    old: before,
                    new: after,
                } => {
                    for at in before.clone() {
                        let text = clean(old.get(at).unwrap_or(&""));
                        self.push(Tag::Removed, (Some(at), None), &text, Vec::new());
                    }
                    for at in after.clone() {
                        let text = clean(new.get(at).unwrap_or(&""));
                        self.push(Tag::Added, (None, Some(at)), &text, Vec::new());
                    }
                }
            }
        }
        Some(())
    }

    fn gap(&mut self, lines: usize) {
        if lines > 0 {
            self.passed += lines;
            self.lines.push(Line::Gap { lines });
        }
    }

    fn push(
        &mut self,
        tag: Tag,
        place: (Option<usize>, Option<usize>),
        text: &str,
        marks: Vec<Range<usize>>,
    ) {
        self.added += usize::from(tag == Tag::Added);
        self.removed += usize::from(tag == Tag::Removed);
        let end = text
            .char_indices()
            .nth(LINE_CHARS_MOST)
            .map_or(text.len(), |(at, _)| at);
        let cut = if end < text.len() { "…" } else { "" };
        self.passed = place.1.map_or(self.passed, |index| index + 1);
        let text = format!("{}{cut}", text.get(..end).unwrap_or_default());
        let line = TextLine {
            tag,
            old: place.0.map(|index| index + 1),
            new: place.1.map(|index| index + 1),
            after: self.passed,
            columns: text_columns(&text),
            text,
            marks: marks.into_iter().filter(|mark| mark.end <= end).collect(),
        };
        self.span.take(&line);
        self.lines.push(Line::Text(line));
    }
}

fn nature(old: Option<&str>, new: &str) -> Nature {
    let is_binary = |text: &str| text.contains('\0');
    match old {
        _ if is_binary(new) || old.is_some_and(is_binary) => Nature::Binary,
        None => Nature::NewFile,
        Some(old) if old == new => Nature::Nothing,
        Some(old) if old.lines().eq(new.lines()) => Nature::LineEndingsOnly,
        Some(_) if new.is_empty() => Nature::Emptied,
        Some(_) => Nature::Edit,
    }
}

/// Marks without white space at their ends. Where they leave nothing of the line, they tell nothing.
fn telling(text: &str, marks: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let trimmed = |mark: Range<usize>| {
        let marked = text.get(mark.clone())?;
        let start = mark.end - marked.trim_start().len();
        let end = mark.start + marked.trim_end().len();
        (start < end).then_some(start..end)
    };
    let marks: Vec<Range<usize>> = marks.into_iter().filter_map(trimmed).collect();
    let marked: usize = marks.iter().map(Range::len).sum();
    if marked >= text.trim().len() {
        Vec::new()
    } else {
        marks
    }
}

fn clean(line: &str) -> String {
    visible(line.trim_end_matches(['\n', '\r'])).into_owned()
}

fn tag(tag: ChangeTag) -> Tag {
    match tag {
        ChangeTag::Equal => Tag::Same,
        ChangeTag::Insert => Tag::Added,
        ChangeTag::Delete => Tag::Removed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(old: Option<&str>, new: &str, extent: Extent) -> Changes {
        let diff = Diff {
            path: "a.txt".to_owned(),
            old_text: old.map(str::to_owned),
            new_text: new.to_owned(),
        };
        Changes::of(&diff, extent)
    }

    fn notation(changes: &Changes) -> Vec<String> {
        let line = |line: &Line| match line {
            Line::Gap { lines } => format!("… {lines}"),
            Line::Text(line) => {
                let sign = match line.tag {
                    Tag::Same => ' ',
                    Tag::Added => '+',
                    Tag::Removed => '-',
                };
                format!("{sign}{}", line.text)
            }
        };
        changes.lines.iter().map(line).collect()
    }

    #[test]
    fn unchanged_lines_are_folded() {
        let old: String = (1..=20)
            .map(|n| format!("{n}\n"))
            .collect::<Vec<_>>()
            .concat();
        let new = old.replace("10\n", "ten\n");
        let folded = changes(Some(&old), &new, Extent::Folded);
        assert_eq!(
            notation(&folded),
            [
                "… 6", " 7", " 8", " 9", "-10", "+ten", " 11", " 12", " 13", "… 7"
            ]
        );
        assert_eq!((folded.added, folded.removed), (1, 1));
        let whole = changes(Some(&old), &new, Extent::Whole);
        assert_eq!(whole.lines.len(), 21);
    }

    #[test]
    fn words_that_differ_are_marked() {
        let changes = changes(Some("let a = 1;\n"), "let a = 22;\n", Extent::Folded);
        let marked: Vec<&str> = changes
            .lines
            .iter()
            .filter_map(|line| match line {
                Line::Text(line) => line.text.get(line.marks.first()?.clone()),
                Line::Gap { .. } => None,
            })
            .collect();
        assert_eq!(marked, ["1", "22"]);
    }

    #[test]
    fn natures() {
        assert_eq!(changes(None, "a\n", Extent::Folded).nature, Nature::NewFile);
        assert_eq!(
            changes(Some("a\n"), "", Extent::Folded).nature,
            Nature::Emptied
        );
        assert_eq!(
            changes(Some("a\r\nb"), "a\nb", Extent::Folded).nature,
            Nature::LineEndingsOnly
        );
        assert_eq!(
            changes(Some("a"), "a", Extent::Folded).nature,
            Nature::Nothing
        );
        assert_eq!(changes(Some("a"), "b", Extent::Folded).nature, Nature::Edit);
        let binary = changes(Some("a\0"), "b", Extent::Folded);
        assert_eq!((binary.nature, binary.lines.len()), (Nature::Binary, 0));
    }

    #[test]
    fn a_change_too_large_to_compare_is_shown_as_a_whole() {
        let lines = |word: &str| format!("start\n{}end\n", format!("{word}\n").repeat(2_000));
        let changes = changes(Some(&lines("old")), &lines("new"), Extent::Folded);
        assert_eq!((changes.added, changes.removed), (2_000, 2_000));
        let notation = notation(&changes);
        assert_eq!(
            (notation.first(), notation.last()),
            (Some(&" start".to_owned()), Some(&" end".to_owned()))
        );
        let last = changes.lines.iter().rev().find_map(|line| match line {
            Line::Text(line) => Some((line.old, line.new)),
            Line::Gap { .. } => None,
        });
        assert_eq!(last, Some((Some(2_002), Some(2_002))));
    }

    #[test]
    fn a_long_text_is_compared_around_what_stayed() {
        let old: Vec<String> = (0..6_000).map(|n| format!("line {n}\n")).collect();
        let mut new = old.clone();
        "one\n".clone_into(&mut new[2_000]);
        new.remove(4_000);
        let changes = changes(Some(&old.concat()), &new.concat(), Extent::Folded);
        assert_eq!((changes.added, changes.removed), (1, 2));
        let notation = notation(&changes);
        assert_eq!(
            notation,
            [
                "… 1997",
                " line 1997",
                " line 1998",
                " line 1999",
                "-line 2000",
                "+one",
                " line 2001",
                " line 2002",
                " line 2003",
                "… 1993",
                " line 3997",
                " line 3998",
                " line 3999",
                "-line 4000",
                " line 4001",
                " line 4002",
                " line 4003",
                "… 1996"
            ]
        );
        let whole = super::Changes::of(
            &Diff {
                path: "a".to_owned(),
                old_text: Some(old.concat()),
                new_text: new.concat(),
            },
            Extent::Whole,
        );
        assert_eq!(whole.lines.len(), 6_001);
    }
}
