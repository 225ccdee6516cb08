//! Which keys belong to the input method: they are taken away before anything of ours sees them.

use egui::{Event, ImeEvent};

/// How long after a composition its last key may still arrive, in seconds. Nobody presses a key twice that fast.
const LAST_KEY_SECS: f64 = 0.04;

/// Whether a text is being composed in a field, followed through the events in their order.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Composition {
    is_active: bool,
    ended_at: Option<f64>,
}

impl Composition {
    /// Whether the field holds text that is not decided yet.
    pub fn is_active(self) -> bool {
        self.is_active
    }

    /// Takes the keys away that the input method has used: those pressed while it composes, and the one that
    /// ended it, which some platforms send after the text.
    pub fn take_keys(&mut self, events: &mut Vec<Event>, time_secs: f64) {
        events.retain(|event| match event {
            Event::Ime(ImeEvent::Preedit { text, .. }) => {
                self.composes(!text.is_empty(), time_secs);
                true
            }
            Event::Ime(ImeEvent::Commit(_)) => {
                self.composes(false, time_secs);
                true
            }
            Event::WindowFocused(false) => {
                self.is_active = false;
                true
            }
            Event::Key { pressed: true, .. } => !self.is_active && !self.has_just_ended(time_secs),
            _ => true,
        });
    }

    fn composes(&mut self, is_active: bool, time_secs: f64) {
        if self.is_active && !is_active {
            self.ended_at = Some(time_secs);
        }
        self.is_active = is_active;
    }

    fn has_just_ended(self, time_secs: f64) -> bool {
        self.ended_at
            .is_some_and(|ended_at| time_secs - ended_at < LAST_KEY_SECS)
    }
}

#[cfg(test)]
mod tests {
    use egui::{Key, Modifiers};

    use super::*;

    fn preedit(text: &str) -> Event {
        Event::Ime(ImeEvent::Preedit {
            text: text.to_owned(),
            active_range_chars: None,
        })
    }

    fn commit(text: &str) -> Event {
        Event::Ime(ImeEvent::Commit(text.to_owned()))
    }

    fn key(key: Key, pressed: bool) -> Event {
        Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        }
    }

    /// The keys that are left after each frame, one frame every second.
    fn keys_left(frames: &[Vec<Event>]) -> Vec<usize> {
        let mut composition = Composition::default();
        let frames = frames.iter().cloned().enumerate();
        frames
            .map(|(second, mut events)| {
                composition.take_keys(&mut events, second as f64);
                let is_press = |event: &&Event| matches!(event, Event::Key { pressed: true, .. });
                events.iter().filter(is_press).count()
            })
            .collect()
    }

    #[test]
    fn enter_during_a_composition_is_taken() {
        let before_the_commit = vec![
            key(Key::Enter, true),
            commit("今日"),
            key(Key::Enter, false),
        ];
        let frames = [
            vec![preedit("きょう")],
            before_the_commit,
            vec![key(Key::Enter, true)],
        ];
        assert_eq!(keys_left(&frames), [0, 0, 1]);
    }

    #[test]
    fn enter_after_the_commit_in_the_same_frame_is_taken() {
        let after_the_commit = vec![
            preedit("今日"),
            preedit(""),
            commit("今日"),
            key(Key::Enter, true),
            key(Key::Enter, false),
        ];
        let frames = [
            vec![preedit("きょう")],
            after_the_commit,
            vec![key(Key::Enter, true)],
        ];
        assert_eq!(keys_left(&frames), [0, 0, 1]);
    }

    #[test]
    fn a_commit_without_a_composition_takes_no_key() {
        assert_eq!(keys_left(&[vec![commit("！"), key(Key::Enter, true)]]), [1]);
    }

    #[test]
    fn the_key_that_empties_a_composition_is_taken() {
        let frames = [
            vec![preedit("k")],
            vec![preedit(""), key(Key::Backspace, true)],
            vec![key(Key::Backspace, true)],
        ];
        assert_eq!(keys_left(&frames), [0, 0, 1]);
    }

    #[test]
    fn leaving_the_window_ends_the_wait_for_the_input_method() {
        let frames = [
            vec![preedit("きょう")],
            vec![Event::WindowFocused(false)],
            vec![key(Key::Enter, true)],
        ];
        assert_eq!(keys_left(&frames), [0, 0, 1]);
    }
}
