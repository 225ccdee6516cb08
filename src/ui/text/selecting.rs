//! Paints what is selected while text is drawn, and notes where text stands while the pointer selects.

use std::ops::Range;
use std::sync::Arc;

use egui::text::CCursor;
use egui::text_selection::CCursorRange;
use egui::text_selection::visuals::paint_text_selection;
use egui::{CursorIcon, Galley, Pos2, Rect, Response, Ui, pos2};

use crate::core::ids::BlockId;
use crate::ui::text::finding::Unit;
use crate::ui::text::word::whole_from;
use crate::ui::transcript::views::STEPS_ORDER;

/// What a galley holds of the units of its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// The present unit from this byte on.
    Part(usize),
    /// Units as lines, the first of which is this cell.
    Lines(usize),
}

/// Where a unit stands in the transcript. What comes first on the page is less.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(Vec<usize>);

/// The calls that a block is a step of, from the outside in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Within(Vec<usize>);

/// A place in the text of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPlace {
    pub rank: Rank,
    pub block: BlockId,
    pub unit: Unit,
    /// In bytes of the unit's text, where a character begins or the text ends.
    pub offset: usize,
}

/// What is selected, from its first place to its last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    pub start: TextPlace,
    pub end: TextPlace,
}

/// What is selected while text is drawn; nothing by default, and the text is left to egui.
#[derive(Debug, Default)]
pub struct Selecting {
    /// The transcript selects its text itself.
    pub is_on: bool,
    pub span: Option<Span>,
    /// The pointer is busy: where text stands is noted.
    pub collects: bool,
    /// The calls whose steps are drawn.
    pub within: Within,
    pub heard: Heard,
    drawn: Vec<Drawn>,
}

/// What the pointer did to text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Heard {
    pub pressed: bool,
    pub clicked: bool,
    /// The press was on text that a click does nothing to: not beside it, and not on a link.
    pub on_plain_text: bool,
}

/// Text that is on the screen.
#[derive(Debug)]
struct Drawn {
    within: Within,
    block: BlockId,
    unit: Unit,
    held: Held,
    galley: Arc<Galley>,
    at: Pos2,
    /// What is seen of it.
    visible: Rect,
}

/// What is under the pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The boundary of characters that is nearest.
    pub place: TextPlace,
    /// The byte of the character that the pointer is over.
    pub under: usize,
}

impl Rank {
    /// The place of a unit in a block that is a step of some calls, or of none.
    pub fn of(within: &Within, block: BlockId, unit: Unit) -> Self {
        let mut rank = within.0.clone();
        rank.push(row_of(block));
        rank.extend(unit.order());
        Self(rank)
    }

    /// The row of the list that it stands in.
    pub fn first_row(&self) -> usize {
        self.0.first().copied().unwrap_or_default()
    }
}

impl Within {
    /// One call further in.
    pub fn enter(&mut self, row: usize) {
        self.0.extend([row, STEPS_ORDER]);
    }

    /// One call further out.
    pub fn leave(&mut self) {
        self.0.truncate(self.0.len().saturating_sub(2));
    }
}

impl TextPlace {
    fn at(&self) -> (&Rank, usize) {
        (&self.rank, self.offset)
    }

    /// Whether it comes before another one.
    pub fn is_before(&self, other: &Self) -> bool {
        self.at() < other.at()
    }
}

impl Span {
    /// From one place to another, whichever comes first; `None` where nothing is between.
    pub fn between(one: &TextPlace, other: &TextPlace) -> Option<Self> {
        let (start, end) = if other.is_before(one) {
            (other, one)
        } else {
            (one, other)
        };
        (start.at() < end.at()).then(|| Self {
            start: start.clone(),
            end: end.clone(),
        })
    }

    /// Which bytes of a unit's text are selected; `None` when it is no unit in between. The range is within the text,
    /// though it may tear a character apart where the text is another one by now.
    pub fn of_unit(&self, rank: &Rank, length: usize) -> Option<Range<usize>> {
        if *rank < self.start.rank || *rank > self.end.rank {
            return None;
        }
        let start = if *rank == self.start.rank {
            self.start.offset.min(length)
        } else {
            0
        };
        let end = if *rank == self.end.rank {
            self.end.offset.min(length)
        } else {
            length
        };
        (start <= end).then_some(start..end)
    }

    /// How many rows of the list it reaches over.
    pub fn rows(&self) -> usize {
        let last = self.end.rank.first_row();
        last.saturating_sub(self.start.rank.first_row()) + 1
    }
}

impl Selecting {
    /// Of a transcript, which selects its text itself.
    pub fn of(span: Option<Span>) -> Self {
        Self {
            is_on: true,
            span,
            ..Self::default()
        }
    }

    /// Whether a unit is selected, at least some of it.
    pub fn covers(&self, block: BlockId, unit: Unit) -> bool {
        let span = self.span.as_ref();
        span.is_some_and(|span| {
            let rank = Rank::of(&self.within, block, unit);
            span.start.rank <= rank && rank <= span.end.rank
        })
    }

    /// Takes in what the pointer does to text.
    pub fn hear_ui(&mut self, ui: &Ui, response: &Response) {
        if response.hovered() {
            ui.set_cursor_icon(CursorIcon::Text);
        }
        self.heard.pressed |= response.is_pointer_button_down_on();
        self.heard.on_plain_text |= response.is_pointer_button_down_on();
        self.heard.clicked |= response.clicked();
    }

    /// The text as it is to be painted, with what is selected of it marked.
    pub fn selected_ui(
        &mut self,
        ui: &Ui,
        (block, unit): (BlockId, Unit),
        held: Held,
        galley: &Arc<Galley>,
        at: Pos2,
    ) -> Arc<Galley> {
        if self.collects {
            let rect = Rect::from_min_size(at, galley.size());
            let visible = rect.intersect(ui.clip_rect());
            if visible.is_positive() || (visible.height() > 0.0 && galley.text().is_empty()) {
                self.drawn.push(Drawn {
                    within: self.within.clone(),
                    block,
                    unit,
                    held,
                    galley: Arc::clone(galley),
                    at,
                    visible,
                });
            }
        }
        let mut galley = Arc::clone(galley);
        if let Some(span) = &self.span
            && let Some(chars) = selected_chars(span, &self.within, (block, unit), held, &galley)
        {
            let mut start = CCursor::new(chars.start);
            start.prefer_next_row = true;
            let range = CCursorRange::two(start, CCursor::new(chars.end));
            let mut visuals = ui.visuals().clone();
            visuals.selection.stroke.color = visuals.text_color();
            paint_text_selection(&mut galley, &visuals, &range, None);
        }
        galley
    }

    /// The text that is nearest to a point among what was drawn.
    pub fn found(&self, point: Pos2) -> Option<Found> {
        let distance = |drawn: &&Drawn| {
            let beside = drawn.visible.x_range();
            let above = drawn.visible.y_range();
            let off = |range: egui::Rangef, at: f32| (range.min - at).max(at - range.max).max(0.0);
            (off(above, point.y), off(beside, point.x))
        };
        let nearest = self.drawn.iter().min_by(|one, other| {
            distance(one)
                .partial_cmp(&distance(other))
                .unwrap_or(std::cmp::Ordering::Equal)
        })?;
        Some(nearest.found(point))
    }
}

impl Drawn {
    fn found(&self, point: Pos2) -> Found {
        let rect = Rect::from_min_size(self.at, self.galley.size());
        // What a box hides of it is not reached; beyond its true ends everything is.
        let top = if self.visible.top() > rect.top() + 1.0 {
            self.visible.top() + 1.0
        } else {
            f32::NEG_INFINITY
        };
        let bottom = if self.visible.bottom() < rect.bottom() - 1.0 {
            self.visible.bottom() - 1.0
        } else {
            f32::INFINITY
        };
        let point = pos2(point.x, point.y.min(bottom).max(top)) - self.at;
        let cursor = self.galley.cursor_from_pos(point);
        let index = cursor.index.0;
        let is_left = point.x < self.galley.pos_from_cursor(cursor).left();
        let (unit, at) = self.place(index);
        let (_, under) = if is_left {
            self.place_before(index)
        } else {
            (unit, at)
        };
        let offset = self.whole(unit, at);
        Found {
            place: TextPlace {
                rank: Rank::of(&self.within, self.block, unit),
                block: self.block,
                unit,
                offset,
            },
            under,
        }
    }

    /// The unit that a character stands in, and its byte there.
    fn place(&self, index: usize) -> (Unit, usize) {
        let text = self.galley.text();
        match self.held {
            Held::Part(from) => (self.unit, from + byte_of(text, index)),
            Held::Lines(first) => {
                let mut left = index;
                let mut last = (first, 0);
                for (line, text) in text.split('\n').enumerate() {
                    let count = text.chars().count();
                    let cell = first + line;
                    if left <= count {
                        last = (cell, byte_of(text, left));
                        break;
                    }
                    last = (cell, text.len());
                    left -= count + 1;
                }
                let (cell, offset) = last;
                (Unit { cell, ..self.unit }, offset)
            }
        }
    }

    /// The byte of a unit here or after where no character is torn apart.
    fn whole(&self, unit: Unit, at: usize) -> usize {
        let text = self.galley.text();
        match self.held {
            Held::Part(from) => from + whole_from(text, at.saturating_sub(from)),
            Held::Lines(first) => {
                let line = text.split('\n').nth(unit.cell.saturating_sub(first));
                line.map_or(at, |line| whole_from(line, at))
            }
        }
    }

    /// The same for the character before, if it stands in the same unit.
    fn place_before(&self, index: usize) -> (Unit, usize) {
        let here = self.place(index);
        let before = self.place(index.saturating_sub(1));
        if before.0 == here.0 { before } else { here }
    }
}

/// Which characters of a galley are selected.
fn selected_chars(
    span: &Span,
    within: &Within,
    (block, unit): (BlockId, Unit),
    held: Held,
    galley: &Galley,
) -> Option<Range<usize>> {
    let text = galley.text();
    let chars = |text: &str, byte: usize| {
        let byte = text.floor_char_boundary(byte.min(text.len()));
        text.get(..byte).map_or(0, |text| text.chars().count())
    };
    let first = match held {
        Held::Part(from) => {
            let rank = Rank::of(within, block, unit);
            let range = span.of_unit(&rank, usize::MAX)?;
            let start = range
                .start
                .checked_sub(from)
                .map_or(0, |at| chars(text, at));
            let end = chars(text, range.end.checked_sub(from)?);
            return (start < end).then_some(start..end);
        }
        Held::Lines(first) => first,
    };
    let mut selected: Option<Range<usize>> = None;
    let mut begins = 0;
    for (line, text) in text.split('\n').enumerate() {
        let unit = Unit {
            cell: first + line,
            ..unit
        };
        let rank = Rank::of(within, block, unit);
        if let Some(range) = span.of_unit(&rank, text.len()) {
            let start = begins + chars(text, range.start);
            let end = begins + chars(text, range.end);
            selected = Some(selected.map_or(start..end, |before| before.start..end));
        }
        begins += text.chars().count() + 1;
    }
    selected.filter(|selected| !selected.is_empty())
}

fn byte_of(text: &str, index: usize) -> usize {
    text.char_indices()
        .nth(index)
        .map_or(text.len(), |(at, _)| at)
}

fn row_of(block: BlockId) -> usize {
    usize::try_from(block.0).unwrap_or(usize::MAX)
}
