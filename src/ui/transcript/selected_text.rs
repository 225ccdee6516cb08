//! The text between two places of a transcript as it shows, also where it is out of view: to be copied.

use crate::core::ids::BlockId;
use crate::ui::text::finding::Unit;
use crate::ui::text::selecting::{Rank, Span, Within};
use crate::ui::transcript::find::unit_text::{Gap, UnitText};
use crate::ui::transcript::find::units::Searched;
use crate::ui::transcript::folds::{FoldPart, Folds};
use crate::ui::transcript::rows::{Role, Rows, block_of};
use crate::ui::transcript::views::STEPS_ORDER;

/// Where text is taken from, and how it is folded.
#[derive(Clone, Copy)]
pub struct Page<'a> {
    pub searched: Searched<'a>,
    pub rows: &'a Rows,
    pub folds: &'a Folds,
}

/// What was taken so far.
struct Taken<'a> {
    span: Option<&'a Span>,
    text: String,
    last: Option<BlockId>,
}

impl Page<'_> {
    /// What is selected: blocks with an empty line between them, cells of a table with a tab. Only blocks between its
    /// ends are looked at.
    pub fn text_of(self, span: &Span) -> String {
        let rows = span.start.rank.first_row()..span.end.rank.first_row().saturating_add(1);
        self.taken(rows, Some(span))
    }

    /// All that shows.
    pub fn all(self) -> String {
        self.taken(0..self.rows.len(), None)
    }

    /// The text of a unit.
    pub fn unit(self, block: BlockId, wanted: Unit) -> String {
        let mut text = String::new();
        if let Some(block) = self.searched.session.transcript().block(block) {
            self.searched.each_shown(block, self.folds, |found| {
                if found.unit == wanted {
                    found.text.clone_into(&mut text);
                }
            });
        }
        text
    }

    fn taken(self, rows: std::ops::Range<usize>, span: Option<&Span>) -> String {
        let mut taken = Taken {
            span,
            text: String::new(),
            last: None,
        };
        for row in rows.start..rows.end.min(self.rows.len()) {
            if self.is_in_list(row) {
                self.take(row, &mut Within::default(), &mut taken);
            }
        }
        taken.text
    }

    /// Whether a row stands in the list with its block, not folded away.
    fn is_in_list(self, row: usize) -> bool {
        let is_open = |head| self.rows.group(head).is_some_and(|group| group.is_open);
        match self.rows.get(row).map(|row| row.role) {
            Some(Role::Single) => true,
            Some(Role::Head) => is_open(row),
            Some(Role::Member { head }) => is_open(head),
            Some(Role::Step { .. }) | None => false,
        }
    }

    fn take(self, row: usize, within: &mut Within, taken: &mut Taken<'_>) {
        let id = block_of(row);
        let Some(block) = self.searched.session.transcript().block(id) else {
            return;
        };
        let steps = self.rows.steps(row);
        let has_steps = !steps.is_empty() && self.folds.is_open(id, FoldPart::Body);
        let is_after_steps = |unit: Unit| unit.area.order() > [STEPS_ORDER, 0];
        let each = |wants_after: Option<bool>, taken: &mut Taken<'_>| {
            self.searched.each_shown(block, self.folds, |found| {
                if wants_after.is_none_or(|after| after == is_after_steps(found.unit)) {
                    taken.take(id, within, found);
                }
            });
        };
        if !has_steps {
            each(None, taken);
            return;
        }
        each(Some(false), taken);
        let mut inner = within.clone();
        inner.enter(row);
        for step in steps {
            self.take(*step, &mut inner, taken);
        }
        each(Some(true), taken);
    }
}

impl Taken<'_> {
    fn take(&mut self, block: BlockId, within: &Within, found: UnitText<'_>) {
        let length = found.text.len();
        let range = match self.span {
            Some(span) => span.of_unit(&Rank::of(within, block, found.unit), length),
            None => Some(0..length),
        };
        let Some(range) = range else { return };
        match self.last {
            None => {}
            Some(last) if last != block => self.text.push_str("\n\n"),
            Some(_) => self.text.push_str(match found.gap {
                Gap::None => "",
                Gap::Tab => "\t",
                Gap::Line => "\n",
                Gap::Paragraph => "\n\n",
            }),
        }
        self.last = Some(block);
        // The text may be another one than the one that was selected.
        let start = found.text.floor_char_boundary(range.start);
        let end = found.text.floor_char_boundary(range.end);
        self.text
            .push_str(found.text.get(start..end).unwrap_or_default());
    }
}
