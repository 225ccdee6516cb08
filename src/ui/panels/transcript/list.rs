//! The virtual list: draws the rows in view around the line under the eye, and never lets that line jump.
//!
//! The place is a row and its distance from the top of the view, not a distance from the start. Whatever grows, folds
//! or turns out higher than estimated above it, it stays where it is. Rows are drawn from heights known so far; where
//! a row above the line turns out otherwise, the UI frame is drawn once more before anybody sees it.

use egui::{Rect, ScrollArea, Ui, pos2};

use crate::core::transcript::BlockContent;
use crate::ui::panels::transcript::message;
use crate::ui::panels::transcript::row::{self, RowCx};
use crate::ui::transcript::state::{Anchor, BOTTOM, Place, TOP};

/// A difference that nobody sees, in points.
const UNSEEN: f32 = 0.5;

/// What was drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawn {
    /// What is in view now.
    pub place: Place,
    /// The topmost thing that begins in view, also while the end is followed.
    pub topmost: Option<Anchor>,
    pub rows: usize,
}

/// A row that is in view.
#[derive(Debug, Clone, Copy)]
struct Shown {
    row: usize,
    /// From the top of the view.
    top: f32,
    text_top: f32,
}

/// Draws what is in view of a place.
pub(super) fn list_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    place: Place,
    topmost: Option<Anchor>,
    column: Rect,
) -> Drawn {
    let room = ui.max_rect();
    let total = f64::from(TOP + BOTTOM) + cx.rows.heights().total();
    let most = (total - f64::from(room.height())).max(0.0);
    let offset = distance(cx, place, room.height()).clamp(0.0, most);
    let mut list = List {
        room,
        column,
        drawn: 0,
        topmost,
    };
    ui.spacing_mut().scroll.kinetic.rubber_band = false;
    let area = ScrollArea::vertical()
        .id_salt(("transcript", cx.session.key().0))
        .auto_shrink(false)
        .animated(false)
        .vertical_scroll_offset(offset as f32);
    let output = area.show_viewport(ui, |ui, viewport| {
        ui.set_height(total as f32);
        let place = list.moved(cx, place, offset, viewport.min.y - offset as f32);
        (list.rows_ui(ui, cx, place), viewport.min.y)
    });
    let (place, offset_drawn) = output.inner;
    let by = output.state.clamped_offset().y - offset_drawn;
    Drawn {
        place: list.moved(cx, place, offset, by),
        topmost: list.topmost,
        rows: list.drawn,
    }
}

/// How far the top of the view is from the start.
pub(super) fn distance(cx: &RowCx<'_, '_>, place: Place, height: f32) -> f64 {
    match place {
        Place::End => f64::from(TOP + BOTTOM) + cx.rows.heights().total() - f64::from(height),
        Place::At(anchor) => {
            let above = cx.rows.heights().before(anchor.row) + f64::from(part_top(cx, anchor));
            f64::from(TOP) + above - f64::from(anchor.y)
        }
    }
}

/// Where the part of a message begins in its row.
fn part_top(cx: &RowCx<'_, '_>, anchor: Anchor) -> f32 {
    let (Some(part), Some(row)) = (anchor.part, cx.rows.get(anchor.row)) else {
        return 0.0;
    };
    let Some(block) = cx.session.transcript().blocks().get(anchor.row) else {
        return 0.0;
    };
    let text = cx.views.texts.peek(&message::key(block));
    let part = text.map_or(0.0, |text| text.part_top(part));
    row::head_height(cx, row) + message::text_inset(&block.content) + part
}

struct List {
    room: Rect,
    column: Rect,
    drawn: usize,
    topmost: Option<Anchor>,
}

impl List {
    /// The place after the person scrolled.
    fn moved(&self, cx: &RowCx<'_, '_>, place: Place, offset: f64, by: f32) -> Place {
        // A single-precision offset can't tell more than this.
        let noise = (offset * 5e-7).max(0.01) as f32;
        if by.abs() <= noise || (place == Place::End && by > 0.0) {
            return place;
        }
        let height = self.room.height();
        let near = match place {
            Place::At(anchor) => Some(anchor),
            Place::End => self.topmost,
        };
        if let Some(anchor) = near.filter(|_| by.abs() < height) {
            let y = anchor.y - by;
            return Place::At(Anchor { y, ..anchor });
        }
        let top = distance(cx, place, height).max(0.0) + f64::from(by) - f64::from(TOP);
        let row = cx.rows.heights().at(top);
        let y = (cx.rows.heights().before(row) - top) as f32;
        Place::At(Anchor { row, part: None, y })
    }

    /// Draws the rows around a place. The place that is returned is the same, unless it is beyond an end.
    fn rows_ui(&mut self, ui: &mut Ui, cx: &mut RowCx<'_, '_>, place: Place) -> Place {
        let height = self.room.height();
        let place = self.reflowed(ui, cx, shown(cx, place));
        let (first, top) = self.start(ui, cx, place);
        let mut shown: Vec<Shown> = Vec::new();
        let (mut next, mut y) = (Some(first), top);
        while let Some(row) = next.filter(|row| *row < cx.rows.len() && y < height) {
            let at = pos2(self.column.left(), self.room.top() + y);
            let drawn = row::row_ui(ui, cx, row, at, self.column.width());
            set_height(cx, row, drawn.height);
            shown.push(Shown {
                row,
                top: y,
                text_top: drawn.text_top,
            });
            y += drawn.height;
            next = cx.rows.heights().next(row);
        }
        self.drawn = shown.len();
        self.topmost = self.anchor(cx, &shown);
        let reaches_end = next.is_none();
        let is_all =
            reaches_end && cx.rows.heights().previous(first).is_none() && top >= TOP - UNSEEN;
        if is_all && y <= height - BOTTOM + UNSEEN {
            return Place::End;
        }
        let end = height - BOTTOM;
        match place {
            Place::End if !reaches_end || (y - end).abs() > UNSEEN => {
                again(ui, "the end is elsewhere");
                Place::End
            }
            Place::End => Place::End,
            Place::At(_) if reaches_end && y < end - UNSEEN => {
                again(ui, "the place is beyond the end");
                Place::End
            }
            Place::At(_) if reaches_end && y <= end + UNSEEN => Place::End,
            Place::At(anchor) => self.settled(ui, cx, anchor, &shown),
        }
    }

    /// The place to go on from, if the anchor stands where it should.
    fn settled(&self, ui: &Ui, cx: &RowCx<'_, '_>, anchor: Anchor, shown: &[Shown]) -> Place {
        let found = shown.iter().find(|shown| shown.row == anchor.row);
        let stands_at = found.map(|shown| shown.top + part_top(cx, anchor));
        let is_first = shown
            .first()
            .is_some_and(|first| cx.rows.heights().previous(first.row).is_none());
        let is_at_top = is_first && shown.first().is_some_and(|first| first.top >= TOP - UNSEEN);
        if stands_at.is_some_and(|y| (y - anchor.y).abs() > UNSEEN) && !is_at_top {
            again(ui, "a row above has another height");
            return Place::At(anchor);
        }
        self.topmost.map_or(Place::At(anchor), Place::At)
    }

    /// The topmost thing that begins in view: a row, or a part of the message that is cut by the upper edge.
    fn anchor(&self, cx: &RowCx<'_, '_>, shown: &[Shown]) -> Option<Anchor> {
        let whole = shown.iter().find(|shown| shown.top >= 0.0);
        let whole = whole.map(|shown| Anchor {
            row: shown.row,
            part: None,
            y: shown.top,
        });
        let cut = shown.iter().rev().find(|shown| shown.top < 0.0);
        let part = cut.and_then(|cut| {
            let block = cx.session.transcript().blocks().get(cut.row)?;
            let is_message = matches!(
                block.content,
                BlockContent::AgentMessage(_) | BlockContent::UserMessage(_)
            );
            let text = cx
                .views
                .texts
                .peek(&message::key(block))
                .filter(|_| is_message)?;
            let part = text.part_at(-(cut.top + cut.text_top));
            let y = cut.top + cut.text_top + text.part_top(part);
            let is_higher = whole.is_none_or(|whole| y < whole.y);
            (is_higher && y < self.room.height()).then_some(Anchor {
                row: cut.row,
                part: Some(part),
                y,
            })
        });
        let cut = cut.map(|cut| Anchor {
            row: cut.row,
            part: None,
            y: cut.top,
        });
        part.or(whole).or(cut)
    }

    /// A row that fills the view keeps about the same lines in view when its lines break elsewhere.
    fn reflowed(&self, ui: &mut Ui, cx: &mut RowCx<'_, '_>, place: Place) -> Place {
        let Place::At(anchor) = place else {
            return place;
        };
        let known = cx.rows.measured(anchor.row).0;
        let before = cx.rows.heights().get(anchor.row);
        self.measure(ui, cx, anchor.row);
        let is_old = known != 0 && known != cx.text.epoch && before > 0.0;
        if !is_old || anchor.part.is_some() || anchor.y >= 0.0 {
            return place;
        }
        let y = anchor.y * cx.rows.heights().get(anchor.row) / before;
        Place::At(Anchor { y, ..anchor })
    }

    /// The first row to draw and where its top is.
    fn start(&self, ui: &mut Ui, cx: &mut RowCx<'_, '_>, place: Place) -> (usize, f32) {
        let (mut row, mut y) = match place {
            Place::End => (cx.rows.len(), self.room.height() - BOTTOM),
            Place::At(anchor) => (anchor.row, anchor.y - part_top(cx, anchor)),
        };
        while y > 0.0
            && let Some(above) = cx.rows.heights().previous(row)
        {
            self.measure(ui, cx, above);
            row = above;
            y -= cx.rows.heights().get(above);
        }
        let is_first = cx.rows.heights().previous(row).is_none();
        (row, if is_first { y.min(TOP) } else { y })
    }

    /// Finds out the height of a row that was not drawn since it changed.
    fn measure(&self, ui: &mut Ui, cx: &mut RowCx<'_, '_>, row: usize) {
        let Some(block) = cx.session.transcript().blocks().get(row) else {
            return;
        };
        let known = cx.rows.measured(row);
        if known == (cx.text.epoch, block.revision) {
            return;
        }
        if let Some(height) = row::measured(ui, cx, row, self.column.width()) {
            set_height(cx, row, height);
        }
    }
}

/// A row that was folded away is not in view: what it was folded into is.
fn shown(cx: &RowCx<'_, '_>, place: Place) -> Place {
    match place {
        Place::At(anchor) if cx.rows.heights().get(anchor.row) == 0.0 => {
            let row = cx.rows.heights().previous(anchor.row).unwrap_or_default();
            Place::At(Anchor {
                row,
                part: None,
                y: anchor.y.max(0.0),
            })
        }
        Place::At(_) | Place::End => place,
    }
}

fn set_height(cx: &mut RowCx<'_, '_>, row: usize, height: f32) {
    let revision = cx
        .session
        .transcript()
        .blocks()
        .get(row)
        .map_or(0, |block| block.revision);
    let epoch = cx.text.epoch;
    cx.rows.set_height(row, height, epoch, revision);
}

/// Draws the UI frame once more before anybody sees it, or the next one soon.
fn again(ui: &Ui, why: &'static str) {
    ui.ctx().request_discard(why);
    if !ui.ctx().will_discard() {
        ui.ctx().request_repaint();
    }
}
