//! Marks what is searched for in the text that is drawn.

use std::ops::Range;

use egui::{Align, Galley, Pos2, Rect, Ui, pos2};

use crate::core::ids::BlockId;
use crate::ui::text::query::Query;
use crate::ui::theme::Theme;
use crate::ui::transcript::views::ViewPart;

/// A text of a block that is searched by itself: a paragraph, a cell of a table, a line of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    pub area: ViewPart,
    /// The part of a message, or the line of a change.
    pub index: usize,
    /// The cell of a table, the line of code, or which side of a change.
    pub cell: usize,
}

impl Unit {
    /// What stands in one line, of which a block has several.
    pub fn line(index: usize) -> Self {
        Self {
            area: ViewPart::Line,
            index,
            cell: 0,
        }
    }

    /// Where it stands among the units of its block: those that come first are less.
    pub fn order(&self) -> [usize; 4] {
        let [area, piece] = self.area.order();
        [area, piece, self.index, self.cell]
    }
}

/// One place where the searched text stands in its block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    pub unit: Unit,
    /// In bytes of the unit's text.
    pub range: Range<usize>,
}

/// What is marked while text is drawn; nothing by default.
#[derive(Debug)]
pub struct Finding {
    pub query: Option<Query>,
    /// The match that was gone to, and its block.
    pub current: Option<(BlockId, Spot)>,
    /// The current match is to be scrolled into view.
    pub wants_view: bool,
    /// Where the current match was drawn.
    pub seen_at: Option<Rect>,
    block: Option<BlockId>,
    unit: Unit,
}

impl Default for Finding {
    fn default() -> Self {
        Self {
            query: None,
            current: None,
            wants_view: false,
            seen_at: None,
            block: None,
            unit: Unit::line(0),
        }
    }
}

impl Finding {
    /// Marks a query, and one match of it more than the others.
    pub fn new(query: Option<Query>, current: Option<(BlockId, Spot)>) -> Self {
        Self {
            query,
            current,
            ..Self::default()
        }
    }

    /// From here on this area of a block is drawn.
    pub fn enter(&mut self, block: BlockId, area: ViewPart) {
        self.block = Some(block);
        self.unit = Unit {
            area,
            index: 0,
            cell: 0,
        };
    }

    /// The block and the unit that are drawn, if they are any.
    pub fn here(&self) -> Option<(BlockId, Unit)> {
        Some((self.block?, self.unit))
    }

    /// From here on this unit of the area is drawn.
    pub fn at(&mut self, index: usize, cell: usize) {
        self.unit.index = index;
        self.unit.cell = cell;
    }

    /// From here on this cell of the unit is drawn.
    pub fn at_cell(&mut self, cell: usize) {
        self.unit.cell = cell;
    }

    /// Marks the matches in the present unit. The galley shows the unit's text from a byte on.
    pub fn mark_ui(&mut self, ui: &Ui, theme: &Theme, text: &str, galley: (&Galley, Pos2, usize)) {
        let Some(query) = self.query.clone() else {
            return;
        };
        let (galley, at, from) = galley;
        let to = from + galley.text().len();
        for range in query.find(text) {
            if range.end <= from || range.start >= to {
                continue;
            }
            let is_current = self.is_current(&range);
            let char_at = |byte: usize| {
                let byte = byte.clamp(from, to);
                text.get(from..byte).map_or(0, |text| text.chars().count())
            };
            let chars = char_at(range.start)..char_at(range.end);
            self.paint(ui, theme, galley, at, &chars, is_current);
        }
    }

    /// Marks the matches in lines that are drawn together; `first` is the number of the first one.
    pub fn mark_lines_ui(
        &mut self,
        ui: &Ui,
        theme: &Theme,
        galley: &Galley,
        at: Pos2,
        first: usize,
    ) {
        let Some(query) = self.query.clone() else {
            return;
        };
        let mut start = 0;
        for (index, line) in galley.text().split('\n').enumerate() {
            let found = query.find(line);
            if !found.is_empty() {
                self.at_cell(first + index);
            }
            for range in found {
                let is_current = self.is_current(&range);
                let before = line
                    .get(..range.start)
                    .map_or(0, |text| text.chars().count());
                let length = line.get(range).map_or(0, |text| text.chars().count());
                let chars = start + before..start + before + length;
                self.paint(ui, theme, galley, at, &chars, is_current);
            }
            start += line.chars().count() + 1;
        }
    }

    /// Whether the present unit holds the current match, and in which line of it.
    pub fn current_line(&self) -> Option<usize> {
        let unit = self.current_unit()?;
        (unit.index == self.unit.index).then_some(unit.cell)
    }

    /// The unit of the current match, if it is in the present area.
    pub fn current_unit(&self) -> Option<Unit> {
        let (block, spot) = self.current.as_ref()?;
        let is_here = self.block == Some(*block) && spot.unit.area == self.unit.area;
        is_here.then_some(spot.unit)
    }

    /// Notes where the current match is, also when it is not drawn because it is out of view.
    pub fn note_place_ui(&mut self, ui: &Ui, rect: Rect) {
        self.seen_at = Some(rect);
        if self.wants_view {
            ui.scroll_to_rect(rect.expand(12.0), Some(Align::Center));
        }
    }

    fn is_current(&self, range: &Range<usize>) -> bool {
        self.current.as_ref().is_some_and(|(block, spot)| {
            self.block == Some(*block) && spot.unit == self.unit && spot.range == *range
        })
    }

    fn paint(
        &mut self,
        ui: &Ui,
        theme: &Theme,
        galley: &Galley,
        at: Pos2,
        chars: &Range<usize>,
        is_current: bool,
    ) {
        let color = if is_current {
            theme.found_current
        } else {
            theme.found
        };
        let rects = rects(galley, chars);
        for rect in &rects {
            let rect = rect.translate(at.to_vec2()).expand2(egui::vec2(1.0, 0.0));
            ui.painter().rect_filled(rect, 2.0, color);
        }
        if let Some(first) = rects.first().filter(|_| is_current) {
            self.note_place_ui(ui, first.translate(at.to_vec2()));
        }
    }
}

/// Where some characters of a galley stand, a rectangle for each line.
pub fn rects(galley: &Galley, chars: &Range<usize>) -> Vec<Rect> {
    let mut rects = Vec::new();
    let mut start = 0;
    for row in &galley.rows {
        let count = row.char_count_including_newline().0;
        let first = chars.start.saturating_sub(start).min(count);
        let last = chars.end.saturating_sub(start).min(count);
        let glyphs = row.glyphs.get(first..last.min(row.glyphs.len()));
        if let Some([from, .., to] | [from @ to]) = glyphs {
            let left = row.pos.x + from.pos.x;
            let right = row.pos.x + to.max_x();
            rects.push(Rect::from_min_max(
                pos2(left, row.min_y()),
                pos2(right, row.max_y()),
            ));
        }
        start += count;
        if start >= chars.end {
            break;
        }
    }
    rects
}
