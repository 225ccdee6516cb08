//! What the person selected in a transcript. It stands in the text itself, so it stays while the text is out of view,
//! grows, or is laid out anew.

use std::ops::Range;

use egui::Pos2;

use crate::core::ids::BlockId;
use crate::ui::text::finding::Unit;
use crate::ui::text::selecting::{Found, Rank, Span, TextPlace};
use crate::ui::text::word::{line_at, word_at};
use crate::ui::transcript::rows::Rows;
use crate::ui::transcript::state::Place;

/// The selection of one transcript, and the gesture that makes it.
#[derive(Debug, Default)]
pub struct Selection {
    /// Where it began and where it goes on.
    ends: Option<(TextPlace, TextPlace)>,
    drag: Option<Drag>,
    presses: Presses,
    /// The menu that was asked for.
    pub menu: Option<Menu>,
    /// Where the text stood before the pointer moved it from beyond an edge.
    pub moved_from: Option<Place>,
    /// The text heard a click in this UI frame: the keyboard stays where it is.
    pub keeps_keyboard: bool,
}

/// What was asked for with the other button of the pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Menu {
    pub at: Pos2,
    pub block: BlockId,
}

/// By what a gesture selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grain {
    Character,
    Word,
    Line,
}

/// The pointer is down.
#[derive(Debug)]
struct Drag {
    grain: Grain,
    /// What was pressed on; it stays selected.
    from: (TextPlace, TextPlace),
    press: Press,
    /// Something is selected by it.
    selects: bool,
}

/// Where the pointer was pressed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Press {
    pub at: Pos2,
    /// It has to move so far to drag, in points.
    pub still: f32,
}

/// Presses that come soon after one another in one place.
#[derive(Debug, Default)]
struct Presses {
    count: u32,
    last: Option<(f64, Pos2)>,
}

impl Selection {
    /// What is selected.
    pub fn span(&self) -> Option<Span> {
        let (anchor, head) = self.ends.as_ref()?;
        Span::between(anchor, head)
    }

    /// Whether the pointer is selecting.
    pub fn is_dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// Forgets it; whether anything was selected.
    pub fn clear(&mut self) -> bool {
        self.drag = None;
        self.menu = None;
        self.ends
            .take()
            .is_some_and(|(anchor, head)| anchor != head)
    }

    /// Takes in that rows may have become steps of others, or are gone.
    pub fn follow(&mut self, rows: &Rows) {
        let Some((mut anchor, mut head)) = self.ends.take() else {
            return;
        };
        for end in [&mut anchor, &mut head] {
            let row = usize::try_from(end.block.0).unwrap_or(usize::MAX);
            if row >= rows.len() {
                self.drag = None;
                return;
            }
            end.rank = Rank::of(&rows.within(row), end.block, end.unit);
        }
        self.ends = Some((anchor, head));
    }

    /// Notes a press: by what it selects.
    pub fn grain(&mut self, time_secs: f64, at: Pos2, (delay_secs, distance): (f64, f32)) -> Grain {
        let goes_on = self.presses.last.is_some_and(|(before, place)| {
            time_secs - before < delay_secs && place.distance(at) < distance
        });
        self.presses.count = if goes_on { self.presses.count + 1 } else { 1 };
        self.presses.last = Some((time_secs, at));
        match self.presses.count {
            1 => Grain::Character,
            2 => Grain::Word,
            _ => Grain::Line,
        }
    }

    /// The pointer was pressed on text. `text` tells the text of a unit.
    pub fn press(
        &mut self,
        (grain, extends): (Grain, bool),
        found: &Found,
        press: Press,
        text: impl Fn(BlockId, Unit) -> String,
    ) {
        self.menu = None;
        let from = around(found, grain, text);
        if let Some((anchor, _)) = self.ends.clone().filter(|_| extends) {
            let head = if from.0.is_before(&anchor) {
                from.0
            } else {
                from.1
            };
            let from = (anchor.clone(), anchor.clone());
            self.ends = Some((anchor, head));
            self.drag = Some(Drag {
                grain,
                from,
                press,
                selects: true,
            });
            return;
        }
        let selects = grain != Grain::Character;
        if selects {
            self.ends = Some(from.clone());
        }
        self.drag = Some(Drag {
            grain,
            from,
            press,
            selects,
        });
    }

    /// The pointer is at text while it is down. Whether something else is selected now.
    pub fn drag_to(
        &mut self,
        found: &Found,
        at: Pos2,
        text: impl Fn(BlockId, Unit) -> String,
    ) -> bool {
        let Some(drag) = &mut self.drag else {
            return false;
        };
        if !drag.selects && at.distance(drag.press.at) < drag.press.still {
            return false;
        }
        drag.selects = true;
        let (start, end) = &drag.from;
        let to = around(found, drag.grain, text);
        let ends = if to.0.is_before(start) {
            (end.clone(), to.0)
        } else {
            let head = if to.1.is_before(end) { end } else { &to.1 };
            (start.clone(), head.clone())
        };
        let ends = Some(ends);
        let is_other = self.ends != ends;
        self.ends = ends;
        is_other
    }

    /// Whether the pointer selects something rather than being about to click.
    pub fn selects(&self) -> bool {
        self.drag.as_ref().is_some_and(|drag| drag.selects)
    }

    /// The pointer was released. A mere click on text ends what was selected.
    pub fn release(&mut self, is_click: bool) {
        let drag = self.drag.take();
        if is_click && drag.is_some_and(|drag| !drag.selects) {
            self.ends = None;
        }
    }
}

/// The ends of the character boundary, the word or the line under the pointer.
fn around(
    found: &Found,
    grain: Grain,
    text: impl Fn(BlockId, Unit) -> String,
) -> (TextPlace, TextPlace) {
    let place = &found.place;
    let range = |find: fn(&str, usize) -> Range<usize>| {
        let range = find(&text(place.block, place.unit), found.under);
        let at = |offset| TextPlace {
            offset,
            ..place.clone()
        };
        (at(range.start), at(range.end))
    };
    match grain {
        Grain::Character => (place.clone(), place.clone()),
        Grain::Word => range(word_at),
        Grain::Line => range(line_at),
    }
}
