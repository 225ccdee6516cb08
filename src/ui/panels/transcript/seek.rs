//! Brings the match that was gone to into view: what it is folded into is opened, and then it is scrolled to.

use std::ops::Range;

use egui::{Rect, Ui, vec2};

use crate::core::ids::BlockId;
use crate::core::session::Session;
use crate::core::tool_call::{Diff, ToolCallContent, ToolKind};
use crate::core::transcript::BlockContent;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::text::finding::{Spot, Unit};
use crate::ui::transcript::comparing::is_long;
use crate::ui::transcript::diff::{Changes, DIFF_LINES, Extent, Line};
use crate::ui::transcript::find::Seek;
use crate::ui::transcript::folds::FoldPart;
use crate::ui::transcript::rows::{Role, block_of};
use crate::ui::transcript::state::{Anchor, Place, TOP, TranscriptState};
use crate::ui::transcript::views::{ViewKey, ViewPart};

/// How far below the top a match is put, in points: below the field that searches.
const BELOW_TOP: f32 = TOP + 64.0;
/// How many UI frames may scroll to a match: boxes scroll inside boxes.
const FRAMES: u8 = 5;

/// Before the list is drawn: opens what hides the match.
pub(super) fn open(state: &mut TranscriptState, session: &Session) {
    if state.find.seek != Seek::Look {
        return;
    }
    let Some((block, spot)) = state.find.current() else {
        state.find.seek = Seek::Nothing;
        return;
    };
    let Ok(row) = usize::try_from(block.0) else {
        return;
    };
    let spot = spot.clone();
    open_row(state, row);
    let Some(block) = session.transcript().block(block) else {
        return;
    };
    let is_folded = match &block.content {
        BlockContent::Thought(_) | BlockContent::Abandoned(_) | BlockContent::Plan(_) => true,
        BlockContent::ToolCall(_) | BlockContent::Attachment(_) => spot.unit.area != ViewPart::Line,
        _ => false,
    };
    if is_folded {
        state.folds.set(block.id, FoldPart::Body, true);
    }
    if spot.unit.area == ViewPart::Stderr {
        state.folds.set(block.id, FoldPart::Stderr, true);
    }
    if let BlockContent::ToolCall(call) = &block.content
        && call.kind == ToolKind::Search
        && let ViewPart::Content(place) = spot.unit.area
    {
        state
            .folds
            .set(block.id, FoldPart::WholeOutput(place), true);
    }
    if let BlockContent::ToolCall(call) = &block.content
        && let ViewPart::Content(place) = spot.unit.area
        && let Some(ToolCallContent::Diff(diff)) = call.content.get(place)
        && !shows_at_first(state, block.id, (place, diff), spot.unit)
    {
        state.folds.set(block.id, FoldPart::WholeDiff(place), true);
    }
}

/// After the list was drawn: scrolls to the match where it is not in view, until it is.
pub(super) fn scroll_ui(ui: &Ui, state: &mut TranscriptState, seen_at: Option<Rect>, room: Rect) {
    let Some((block, spot)) = state.find.current() else {
        return;
    };
    let view = Rect::from_min_max(egui::pos2(room.left(), room.top() + 4.0), room.max);
    let is_in_view =
        seen_at.is_some_and(|at| view.contains_rect(at) && ui.clip_rect().intersects(at));
    let seek = match state.find.seek {
        Seek::Nothing => return,
        _ if is_in_view => Seek::Nothing,
        Seek::Look => {
            let row = usize::try_from(block.0).unwrap_or_default();
            let place = place(state, row, spot);
            state.place = place;
            Seek::Scroll(FRAMES)
        }
        Seek::Scroll(0) => Seek::Nothing,
        Seek::Scroll(left) => Seek::Scroll(left - 1),
    };
    state.find.seek = seek;
    if seek != Seek::Nothing {
        ui.ctx().request_discard("a match is scrolled to");
        ui.ctx().request_repaint();
    }
}

fn open_row(state: &mut TranscriptState, row: usize) {
    match state.rows.get(row).map(|row| row.role) {
        Some(Role::Step { parent }) => {
            state.folds.set(block_of(parent), FoldPart::Body, true);
            if parent < row {
                open_row(state, parent);
            }
        }
        Some(Role::Member { head }) => open_group(state, head),
        Some(Role::Head) => open_group(state, row),
        Some(Role::Single) | None => {}
    }
}

fn open_group(state: &mut TranscriptState, head: usize) {
    state.folds.set(block_of(head), FoldPart::Group, true);
    state.rows.open_group(head, true);
}

/// Where the list has to stand for the match to be drawn.
fn place(state: &TranscriptState, row: usize, spot: &Spot) -> Place {
    let mut row = row;
    while let Some(Role::Step { parent }) = state.rows.get(row).map(|row| row.role)
        && parent < row
    {
        row = parent;
    }
    let is_message = state
        .rows
        .get(row)
        .is_some_and(|row| row.role == Role::Single)
        && spot.unit.area == ViewPart::Message;
    Place::At(Anchor {
        row,
        part: is_message.then_some(spot.unit.index),
        y: BELOW_TOP,
    })
}

/// Whether a line shows before all of its change does. Of a long one that nobody has compared it is not known.
fn shows_at_first(
    state: &TranscriptState,
    block: BlockId,
    (place, diff): (usize, &Diff),
    unit: Unit,
) -> bool {
    let key = ViewKey {
        block,
        part: ViewPart::Content(place),
    };
    let kept = state.views.changes.peek(&key);
    match kept.and_then(|kept| kept.of(diff)) {
        Some(changes) => is_among_first(changes, unit),
        None => !is_long(diff) && is_among_first(&Changes::of(diff, Extent::Folded), unit),
    }
}

/// Whether a line of a change is among those that show before all of it does.
fn is_among_first(changes: &Changes, unit: Unit) -> bool {
    let at = changes.lines.iter().position(|line| match line {
        Line::Text(line) => line.is_at((unit.index, unit.cell)),
        Line::Gap { .. } => false,
    });
    at.is_none_or(|at| at < DIFF_LINES)
}

/// Marks rows with matches at their left, so that what is folded says so. `rect` is what was drawn of them.
pub(super) fn mark_rows_ui(ui: &Ui, cx: &mut RowCx<'_, '_>, rows: Range<usize>, rect: Rect) {
    if !cx.find.is_found(rows.clone()) {
        return;
    }
    let theme = cx.cx.theme;
    let current = cx
        .find
        .current()
        .filter(|(block, _)| usize::try_from(block.0).is_ok_and(|row| rows.contains(&row)));
    let color = if current.is_some() {
        theme.caution
    } else {
        theme.found_current
    };
    let line = Rect::from_min_max(
        rect.left_top() - vec2(9.0, -3.0),
        egui::pos2(rect.left() - 6.0, rect.bottom() - 3.0),
    );
    ui.painter().rect_filled(line, 1.5, color);
    if current.is_some_and(|(_, spot)| spot.unit.area == ViewPart::Line) {
        let height = rect.height().min(theme.scaled(28.0));
        let first = Rect::from_min_size(rect.min, vec2(rect.width(), height));
        cx.text.finding.note_place_ui(ui, first);
    }
}
