//! Texts of a block cut into the units in which they are drawn.

use std::collections::HashSet;

use serde_json::Value;

use crate::core::screen::Screen;
use crate::core::tool_call::{Diff, ToolCall};
use crate::ui::text::document::{Document, Growth};
use crate::ui::text::finding::Unit;
use crate::ui::text::lines::Lines;
use crate::ui::text::markdown::LineBreaks;
use crate::ui::text::part::PartKind;
use crate::ui::text::sanitize::visible;
use crate::ui::transcript::output;
use crate::ui::transcript::views::ViewPart;
use crate::ui::widgets::value_tree::shown_entries;

/// A text of a block, as it is shown.
#[derive(Debug, Clone, Copy)]
pub struct UnitText<'a> {
    pub unit: Unit,
    pub text: &'a str,
    pub gap: Gap,
}

/// What stands between a unit and the one before it in its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gap {
    /// Nothing: a long line was cut.
    None,
    /// Another cell of the same row.
    Tab,
    Line,
    /// Another paragraph.
    Paragraph,
}

/// Takes the texts of a block.
pub(super) type Take<'a> = &'a mut dyn FnMut(UnitText<'_>);

/// The lines of a long change that only one of its texts has: what comparing them would tell, near enough, at the price
/// of reading them. Returns what it cost.
pub(super) fn long_change(diff: &Diff, area: ViewPart, take: Take<'_>) -> usize {
    let old = diff.old_text.as_deref().unwrap_or_default();
    let texts = [diff.new_text.as_str(), old];
    let known = [old, diff.new_text.as_str()].map(|text| text.lines().collect::<HashSet<_>>());
    for (is_old, (text, known)) in [false, true].into_iter().zip(texts.iter().zip(known)) {
        for (number, line) in text.lines().enumerate() {
            if !known.contains(line) {
                let (index, cell) = if is_old {
                    (usize::MAX, number + 1)
                } else {
                    (number + 1, 0)
                };
                one(Unit { area, index, cell }, &visible(line), take);
            }
        }
    }
    2 * (old.len() + diff.new_text.len())
}

/// The values of a tree, each with its name before it. Returns what it cost.
pub(super) fn values(value: &Value, area: ViewPart, take: Take<'_>) -> usize {
    let mut cost = 0;
    for (index, entry) in shown_entries(value).iter().enumerate() {
        let unit = |cell| Unit { area, index, cell };
        let mut gap = Gap::Line;
        if !entry.name.is_empty() {
            one(unit(0), &entry.name, take);
            gap = Gap::Tab;
        }
        if !entry.value.is_empty() {
            let (unit, text) = (unit(1), entry.value.as_str());
            take(UnitText { unit, text, gap });
        }
        cost += entry.name.len() + entry.value.len();
    }
    cost
}

/// A text that begins a line.
pub(super) fn one(unit: Unit, text: &str, take: Take<'_>) {
    let gap = Gap::Line;
    take(UnitText { unit, text, gap });
}

pub(super) fn markdown(
    text: &str,
    area: ViewPart,
    line_breaks: LineBreaks,
    growth: Growth,
    take: Take<'_>,
) {
    let mut document: Document<()> = Document::new(line_breaks);
    document.update(text, growth);
    let mut was_tight = false;
    for (index, slot) in document.slots().enumerate() {
        let gap = if slot.part.tight && was_tight {
            Gap::Line
        } else {
            Gap::Paragraph
        };
        was_tight = slot.part.tight;
        let unit = |cell| Unit { area, index, cell };
        let mut whole = |text: &str| {
            let unit = unit(0);
            take(UnitText { unit, text, gap });
        };
        match &slot.part.kind {
            PartKind::Paragraph(text) | PartKind::Heading { text, .. } => whole(&text.text),
            PartKind::Source(text) => whole(text),
            PartKind::Code(code) => lines(&code.text, area, (index, gap), take),
            PartKind::Table(table) => {
                let columns = table.columns.len().max(1);
                let cells = table.head.iter().chain(table.rows.iter().flatten());
                for (cell, text) in cells.enumerate() {
                    let gap = match (cell, cell % columns) {
                        (0, _) => gap,
                        (_, 0) => Gap::Line,
                        (_, _) => Gap::Tab,
                    };
                    let (unit, text) = (unit(cell), text.text.as_str());
                    take(UnitText { unit, text, gap });
                }
            }
            PartKind::Rule => {}
        }
    }
}

/// What a call printed, line by line as it is drawn.
pub(super) fn printed(call: &ToolCall, text: &str, area: ViewPart, take: Take<'_>) {
    if output::is_terminal(call) {
        let screen = Screen::of(output::terminal(text));
        for (cell, line) in screen.lines().iter().enumerate() {
            let index = 0;
            one(Unit { area, index, cell }, &visible(&line.text), take);
        }
        return;
    }
    let (_, text) = output::shown(text);
    lines(&text, area, (0, Gap::Line), take);
}

/// The lines of a text as a view of code draws them.
pub(super) fn lines(text: &str, area: ViewPart, (index, first): (usize, Gap), take: Take<'_>) {
    let mut lines = Lines::default();
    lines.update(text);
    let mut gap = first;
    for cell in 0..lines.count() {
        let line = lines.line(text, cell);
        let unit = Unit { area, index, cell };
        let text = line.trim_end_matches('\n');
        take(UnitText { unit, text, gap });
        gap = if line.ends_with('\n') {
            Gap::Line
        } else {
            Gap::None
        };
    }
}
