//! The view of the wire: which frames it shows, and what the person looks for in them.

use std::sync::Arc;

use crate::core::frame_log::{Direction, Frame};
use crate::core::ids::{BlockId, SessionKey};

/// As many frames as the log itself keeps.
const FRAMES_MOST: usize = 20_000;
/// Bytes that are searched in a UI frame.
const SEARCHED_AT_ONCE: usize = 1_500_000;
/// What is shown of one frame, in bytes; copying gives all of it.
const DETAIL_BYTES_MOST: usize = 40_000;

/// What the view shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All that goes over the wire, as it comes.
    All,
    /// What a block was made of.
    Block(SessionKey, BlockId),
}

/// The view, while it is open.
#[derive(Debug)]
pub struct ProtocolView {
    pub scope: Scope,
    /// The number of the first frame that was not taken in yet.
    pub next: u64,
    pub is_paused: bool,
    pub direction: Option<Direction>,
    pub filter: String,
    /// Give the keyboard to the filter in the next frame.
    pub focuses_filter: bool,
    /// A row to bring into view in the next frame.
    pub scrolls_to: Option<usize>,
    frames: Vec<Arc<Frame>>,
    found: Found,
    detail: Option<Detail>,
}

/// Which frames the filter lets through.
#[derive(Debug, Default)]
struct Found {
    direction: Option<Direction>,
    needle: String,
    /// How many frames were looked at.
    searched: usize,
    places: Vec<usize>,
}

/// A frame that is looked at.
#[derive(Debug, Clone)]
pub struct Detail {
    pub frame: Arc<Frame>,
    /// Its start, for the eye.
    pub text: String,
    pub is_cut: bool,
}

impl ProtocolView {
    /// A view that nothing was taken into yet. `next` is the number of the first frame to take in.
    pub fn new(scope: Scope, next: u64) -> Self {
        Self {
            scope,
            next,
            is_paused: false,
            direction: None,
            filter: String::new(),
            focuses_filter: scope == Scope::All,
            scrolls_to: None,
            frames: Vec::new(),
            found: Found::default(),
            detail: None,
        }
    }

    /// Takes in frames that are newer than all there are.
    pub fn take_in(&mut self, frames: impl IntoIterator<Item = Arc<Frame>>) {
        self.frames.extend(frames);
        if let Some(last) = self.frames.last() {
            self.next = last.number + 1;
        }
        let surplus = self.frames.len().saturating_sub(FRAMES_MOST);
        if surplus > 0 {
            self.frames.drain(..surplus);
            self.found = Found::default();
        }
    }

    /// Goes on with the search; whether there is more to look at.
    pub fn search(&mut self) -> bool {
        let needle = self.filter.trim().to_lowercase();
        if self.found.needle != needle || self.found.direction != self.direction {
            self.found = Found {
                direction: self.direction,
                needle,
                ..Found::default()
            };
        }
        let mut looked_at = 0;
        while let Some(frame) = self.frames.get(self.found.searched) {
            if looked_at > SEARCHED_AT_ONCE {
                return true;
            }
            if self.found.matches(frame) {
                self.found.places.push(self.found.searched);
            }
            looked_at += frame.text.len();
            self.found.searched += 1;
        }
        false
    }

    /// How many frames were taken in, whatever the filter says.
    pub fn total(&self) -> usize {
        self.frames.len()
    }

    /// How many frames the filter lets through.
    pub fn len(&self) -> usize {
        self.found.places.len()
    }

    /// Whether the filter lets nothing through.
    pub fn is_empty(&self) -> bool {
        self.found.places.is_empty()
    }

    /// A frame that the filter lets through, by its row.
    pub fn row(&self, row: usize) -> Option<&Arc<Frame>> {
        self.frames.get(*self.found.places.get(row)?)
    }

    /// All frames that the filter lets through.
    pub fn rows(&self) -> impl Iterator<Item = &Arc<Frame>> {
        (0..self.len()).filter_map(|row| self.row(row))
    }

    /// The frame that is looked at.
    pub fn detail(&self) -> Option<&Detail> {
        self.detail.as_ref()
    }

    /// Looks at a frame, or away from it.
    pub fn toggle(&mut self, frame: &Arc<Frame>) {
        let is_shown = |detail: &Detail| detail.frame.number == frame.number;
        if self.detail.as_ref().is_some_and(is_shown) {
            self.detail = None;
            return;
        }
        let mut text = frame.pretty();
        let is_cut = text.len() > DETAIL_BYTES_MOST || frame.is_cut();
        text.truncate(text.floor_char_boundary(DETAIL_BYTES_MOST));
        self.detail = Some(Detail {
            frame: Arc::clone(frame),
            text,
            is_cut,
        });
    }
}

impl Found {
    fn matches(&self, frame: &Frame) -> bool {
        let goes_the_way = self.direction.is_none_or(|way| way == frame.direction);
        goes_the_way
            && (self.needle.is_empty()
                || frame.summary().name.to_lowercase().contains(&self.needle)
                || frame.text.to_lowercase().contains(&self.needle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::frame_log::FrameLog;
    use crate::core::ids::ConnectionId;
    use crate::core::time::Timestamp;

    fn push(log: &mut FrameLog, index: usize) {
        let (direction, text) = match index % 2 {
            0 => (Direction::Sent, r#"{"id":1,"method":"session/prompt"}"#),
            _ => (
                Direction::Received,
                r#"{"id":1,"result":{"stopReason":"end_turn"}}"#,
            ),
        };
        log.push(Timestamp(0), ConnectionId(1), direction, text);
    }

    fn frames(count: usize) -> Vec<Arc<Frame>> {
        let mut log = FrameLog::default();
        for index in 0..count {
            push(&mut log, index);
        }
        log.since(0).cloned().collect()
    }

    fn numbers(view: &ProtocolView) -> Vec<u64> {
        view.rows().map(|frame| frame.number).collect()
    }

    #[test]
    fn the_filter_reads_names_texts_and_directions() {
        let mut view = ProtocolView::new(Scope::All, 0);
        view.take_in(frames(4));
        assert!(!view.search());
        assert_eq!(numbers(&view), [0, 1, 2, 3]);
        view.filter = " PROMPT ".to_owned();
        assert!(!view.search());
        assert_eq!(numbers(&view), [0, 2]);
        view.filter = "end_turn".to_owned();
        view.direction = Some(Direction::Sent);
        assert!(!view.search());
        assert!(view.is_empty());
        view.direction = Some(Direction::Received);
        assert!(!view.search());
        assert_eq!(numbers(&view), [1, 3]);
    }

    #[test]
    fn what_comes_later_is_searched_as_well() {
        let mut view = ProtocolView::new(Scope::All, 0);
        let mut all = frames(6);
        let later = all.split_off(3);
        view.take_in(all);
        view.filter = "prompt".to_owned();
        view.search();
        view.take_in(later);
        view.search();
        assert_eq!(numbers(&view), [0, 2, 4]);
        assert_eq!(view.next, 6);
    }

    #[test]
    fn the_oldest_go_when_there_are_too_many() {
        let mut view = ProtocolView::new(Scope::All, 0);
        let mut log = FrameLog::default();
        for number in 0..FRAMES_MOST + 3 {
            push(&mut log, number);
            if number % 1_000 == 0 {
                view.take_in(log.since(view.next).cloned());
            }
        }
        view.take_in(log.since(view.next).cloned());
        while view.search() {}
        assert_eq!(view.len(), FRAMES_MOST);
        assert_eq!(view.row(0).map(|frame| frame.number), Some(3));
    }
}
