//! The keys that move through the transcript.

use egui::{Key, Modifiers, Ui};

use crate::ui::theme::TURN_GAP;
use crate::ui::transcript::rows::Direction;
use crate::ui::transcript::state::{Anchor, Place, TOP, TranscriptState};

/// What of the view stays in view when a page is turned.
const KEPT_LINES: f32 = 48.0;

/// Hears the keys. Home and End belong to a field while one is edited; the others are no field's.
pub(super) fn keys_ui(ui: &Ui, state: &mut TranscriptState, height: f32) {
    let pressed =
        |key: Key, modifiers: Modifiers| ui.input_mut(|input| input.consume_key(modifiers, key));
    let page = (height - KEPT_LINES).max(height / 2.0);
    if pressed(Key::PageUp, Modifiers::NONE) {
        state.move_by(-page);
    }
    if pressed(Key::PageDown, Modifiers::NONE) {
        state.move_by(page);
    }
    if pressed(Key::ArrowUp, Modifiers::ALT) {
        jump(state, Direction::Back);
    }
    if pressed(Key::ArrowDown, Modifiers::ALT) {
        jump(state, Direction::Forward);
    }
    if ui.ctx().text_edit_focused() {
        return;
    }
    if pressed(Key::Home, Modifiers::NONE) {
        state.place = Place::At(Anchor {
            row: 0,
            part: None,
            y: TOP,
        });
    }
    if pressed(Key::End, Modifiers::NONE) {
        state.place = Place::End;
    }
}

/// Puts the previous or the next message of the user at the top.
fn jump(state: &mut TranscriptState, direction: Direction) {
    let from = match state.place {
        Place::End => state.rows.len(),
        // What begins further down is still to come.
        Place::At(anchor)
            if direction == Direction::Forward && anchor.part.is_none() && anchor.y > TOP + 8.0 =>
        {
            anchor.row.saturating_sub(1)
        }
        Place::At(anchor) => anchor.row,
    };
    match (state.rows.user_message(from, direction), direction) {
        (Some(row), _) => {
            state.place = Place::At(Anchor {
                row,
                part: None,
                y: TOP - TURN_GAP,
            });
        }
        (None, Direction::Forward) => state.place = Place::End,
        (None, Direction::Back) => {}
    }
}
