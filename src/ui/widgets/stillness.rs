//! Whether something has stood still long enough for a press on it to be meant.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use egui::{PointerButton, Response, Ui};

use crate::core::time::Timestamp;

/// How long input is ignored after something appeared, moved or changed, in milliseconds.
pub const SETTLING_MILLIS: u64 = 500;
/// The same where the person's own step moved it: longer than the second click of a double click takes.
pub const STEP_MILLIS: u64 = 250;
/// A change that comes this soon after a step is that step's, in milliseconds.
const STEP_SHOWS_MILLIS: u64 = 100;

/// What stands on the screen, where, and since when.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stillness {
    /// Another number when anything is different; `None` while nothing is shown.
    picture: Option<u64>,
    still_from: Timestamp,
    stepped_at: Option<Timestamp>,
    is_stepping: bool,
    /// The press of the pointer that may become a click began when it counted.
    press_counts: bool,
}

impl Stillness {
    /// Nothing is shown.
    pub fn gone(&mut self) {
        *self = Self::default();
    }

    /// Notes what stands on the screen. Any difference makes it wait again.
    pub fn note(&mut self, picture: u64, now: Timestamp) {
        if self.picture == Some(picture) {
            return;
        }
        let is_step = self.picture.is_some()
            && self
                .stepped_at
                .is_some_and(|at| now.millis_since(at) <= STEP_SHOWS_MILLIS);
        let millis = if is_step {
            STEP_MILLIS
        } else {
            SETTLING_MILLIS
        };
        self.picture = Some(picture);
        self.still_from = now.plus_millis(millis);
        self.is_stepping = is_step;
        self.press_counts = false;
    }

    /// The person did something that changes what is shown.
    pub fn step(&mut self, now: Timestamp) {
        self.stepped_at = Some(now);
    }

    /// Whether what stands there came by a step of the person.
    pub fn is_stepping(&self) -> bool {
        self.is_stepping
    }

    /// How long input is ignored from now on, in milliseconds.
    pub fn remaining_millis(&self, now: Timestamp) -> u64 {
        match self.picture {
            Some(_) => self.still_from.millis_since(now),
            None => SETTLING_MILLIS,
        }
    }

    /// Notes a press that begins in this frame. It counts when the window had the keyboard before: the click that
    /// activates the window is none.
    pub fn note_press(&mut self, ui: &Ui, window_is_active: bool, now: Timestamp) {
        if ui.input(|input| input.pointer.primary_pressed()) {
            self.press_counts = window_is_active && self.remaining_millis(now) == 0;
        }
    }

    /// Whether a button was clicked, by someone who could see what it says.
    pub fn is_meant(&self, ui: &Ui, button: &Response, now: Timestamp) -> bool {
        if !button.clicked() || self.remaining_millis(now) > 0 {
            return false;
        }
        if button.clicked_by(PointerButton::Primary) {
            return self.press_counts;
        }
        // Enter or Space on a button that was reached with Tab, or assistive technology.
        !button.gained_focus() && !is_repeated(ui)
    }
}

/// A number that changes when what is shown says something else, or a button stands elsewhere.
pub fn picture_of<'a>(content: impl Hash, buttons: impl IntoIterator<Item = &'a Response>) -> u64 {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    for button in buttons {
        let rect = button.rect;
        for edge in [rect.left(), rect.top(), rect.right(), rect.bottom()] {
            (edge.round() as i64).hash(&mut hasher);
        }
    }
    hasher.finish()
}

fn is_repeated(ui: &Ui) -> bool {
    ui.input(|input| {
        let mut events = input.events.iter();
        events.any(|event| matches!(event, egui::Event::Key { repeat: true, .. }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_appears_or_moves_is_not_touched_for_a_moment() {
        let mut stillness = Stillness::default();
        assert_eq!(stillness.remaining_millis(Timestamp(0)), SETTLING_MILLIS);
        stillness.note(1, Timestamp(1_000));
        assert_eq!(stillness.remaining_millis(Timestamp(1_400)), 100);
        stillness.note(1, Timestamp(1_500));
        assert_eq!(stillness.remaining_millis(Timestamp(1_500)), 0);
        stillness.note(2, Timestamp(1_600));
        assert_eq!(
            stillness.remaining_millis(Timestamp(1_600)),
            SETTLING_MILLIS
        );
    }

    #[test]
    fn a_step_of_the_person_waits_less() {
        let mut stillness = Stillness::default();
        stillness.note(1, Timestamp(1_000));
        stillness.step(Timestamp(2_000));
        stillness.note(2, Timestamp(2_016));
        assert_eq!(stillness.remaining_millis(Timestamp(2_016)), STEP_MILLIS);
        stillness.note(3, Timestamp(5_000));
        assert_eq!(
            stillness.remaining_millis(Timestamp(5_000)),
            SETTLING_MILLIS
        );
    }

    #[test]
    fn what_appears_is_no_step() {
        let mut stillness = Stillness::default();
        stillness.step(Timestamp(1_000));
        stillness.note(1, Timestamp(1_000));
        assert_eq!(
            stillness.remaining_millis(Timestamp(1_000)),
            SETTLING_MILLIS
        );
    }
}
