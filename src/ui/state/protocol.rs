//! The protocol log as the window shows it: frames without secrets, and what of them is wanted.

use std::collections::VecDeque;

use crate::core::ids::ConnectionId;
use crate::core::time::Timestamp;

/// Frames that are shown at most; older ones give way.
const FRAMES_MOST: usize = 20_000;

/// A frame, ready to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownFrame {
    /// Counts all frames.
    pub number: u64,
    pub connection: ConnectionId,
    pub way: Way,
    pub at: Timestamp,
    /// The method; for an answer, that of its request where it is known.
    pub method: String,
    /// The frame as JSON in one line, without secrets.
    pub text: String,
    /// What it was on the wire.
    pub bytes: usize,
}

/// Which way a frame went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    ToAgent,
    FromAgent,
}

/// The protocol log.
#[derive(Debug, Default)]
pub struct ProtocolState {
    pub is_open: bool,
    /// New frames wait until this is over.
    pub is_paused: bool,
    pub way: Option<Way>,
    /// What the method has to contain.
    pub method: String,
    /// What the frame has to contain.
    pub text: String,
    /// When it went by, where that matters: from and up to.
    pub span: Option<(Timestamp, Timestamp)>,
    pub selected: Option<u64>,
    frames: VecDeque<ShownFrame>,
    /// The number of the next frame that is not here.
    next: u64,
    /// Numbers of the frames that are wanted, and for what they were chosen.
    wanted: VecDeque<u64>,
    chosen_for: Option<Filter>,
}

/// What frames are chosen by.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Filter {
    way: Option<Way>,
    method: String,
    text: String,
    span: Option<(Timestamp, Timestamp)>,
}

impl Filter {
    fn fits(&self, frame: &ShownFrame) -> bool {
        self.way.is_none_or(|way| way == frame.way)
            && contains(&frame.method, &self.method)
            && contains(&frame.text, &self.text)
            && self
                .span
                .is_none_or(|(from, to)| frame.at >= from && frame.at <= to)
    }
}

/// Whether a text contains a word, whatever its case. `word` is in lower case.
fn contains(text: &str, word: &str) -> bool {
    word.is_empty() || text.contains(word) || text.to_lowercase().contains(word)
}

impl ProtocolState {
    /// Opens the log with what was chosen last.
    pub fn open(&mut self) {
        self.is_open = true;
    }

    /// Opens the log with the frames that contain a text, or went by in a span of time.
    pub fn open_for(&mut self, text: &str, span: Option<(Timestamp, Timestamp)>) {
        self.is_open = true;
        self.is_paused = false;
        self.way = None;
        self.method.clear();
        text.clone_into(&mut self.text);
        self.span = span;
        self.selected = None;
    }

    /// Closes the log and forgets its frames; they are still kept elsewhere.
    pub fn close(&mut self) {
        *self = Self::default();
    }

    /// The number of the next frame that is wanted; `None` while none are.
    pub fn next(&self) -> Option<u64> {
        (self.is_open && !self.is_paused).then_some(self.next)
    }

    /// Takes in frames, oldest first.
    pub fn take(&mut self, frames: impl IntoIterator<Item = ShownFrame>) {
        for frame in frames {
            self.next = frame.number + 1;
            if let Some(filter) = &self.chosen_for
                && filter.fits(&frame)
            {
                self.wanted.push_back(frame.number);
            }
            self.frames.push_back(frame);
        }
        while self.frames.len() > FRAMES_MOST {
            self.frames.pop_front();
        }
        let first = self.frames.front().map_or(self.next, |frame| frame.number);
        while self.wanted.front().is_some_and(|number| *number < first) {
            self.wanted.pop_front();
        }
    }

    /// Chooses again where something else is wanted than before.
    pub fn choose(&mut self) {
        let filter = Filter {
            way: self.way,
            method: self.method.to_lowercase(),
            text: self.text.to_lowercase(),
            span: self.span,
        };
        if self.chosen_for.as_ref() == Some(&filter) {
            return;
        }
        let fitting = self.frames.iter().filter(|frame| filter.fits(frame));
        self.wanted = fitting.map(|frame| frame.number).collect();
        self.chosen_for = Some(filter);
    }

    /// How many frames are wanted, and how many there are.
    pub fn counts(&self) -> (usize, usize) {
        (self.wanted.len(), self.frames.len())
    }

    /// The wanted frames in a range of their places.
    pub fn wanted(&self, places: std::ops::Range<usize>) -> impl Iterator<Item = &ShownFrame> {
        let numbers = self.wanted.iter().skip(places.start).take(places.len());
        numbers.filter_map(|number| self.frame(*number))
    }

    /// A frame by its number.
    pub fn frame(&self, number: u64) -> Option<&ShownFrame> {
        let at = self.frames.partition_point(|frame| frame.number < number);
        self.frames.get(at).filter(|frame| frame.number == number)
    }

    /// When the first frame went by.
    pub fn began_at(&self) -> Option<Timestamp> {
        self.frames.front().map(|frame| frame.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(number: u64, way: Way, method: &str, text: &str) -> ShownFrame {
        ShownFrame {
            number,
            connection: ConnectionId(1),
            way,
            at: Timestamp(number * 10),
            method: method.to_owned(),
            text: text.to_owned(),
            bytes: text.len(),
        }
    }

    fn numbers(log: &ProtocolState) -> Vec<u64> {
        log.wanted(0..100).map(|frame| frame.number).collect()
    }

    #[test]
    fn frames_are_chosen_by_way_method_text_and_time() {
        let mut log = ProtocolState::default();
        assert_eq!(log.next(), None);
        log.open();
        log.take([
            frame(4, Way::ToAgent, "initialize", "{}"),
            frame(5, Way::FromAgent, "session/update", "Needle"),
            frame(6, Way::FromAgent, "session/update", "hay"),
        ]);
        assert_eq!(log.next(), Some(7));
        log.choose();
        assert_eq!(numbers(&log), [4, 5, 6]);
        log.way = Some(Way::FromAgent);
        log.choose();
        assert_eq!(numbers(&log), [5, 6]);
        log.text = "NEEDLE".to_owned();
        log.choose();
        assert_eq!(numbers(&log), [5]);
        log.take([frame(7, Way::FromAgent, "x", "needle")]);
        assert_eq!(numbers(&log), [5, 7]);
        log.method = "update".to_owned();
        log.choose();
        assert_eq!((numbers(&log), log.counts()), (vec![5], (1, 4)));
        log.open_for("", Some((Timestamp(60), Timestamp(70))));
        log.choose();
        assert_eq!(numbers(&log), [6, 7]);
        log.is_paused = true;
        assert_eq!(log.next(), None);
    }

    #[test]
    fn old_frames_give_way() {
        let mut log = ProtocolState::default();
        log.open();
        log.choose();
        let many = (0..FRAMES_MOST as u64 + 5).map(|n| frame(n, Way::ToAgent, "m", "t"));
        log.take(many);
        assert_eq!(log.counts(), (FRAMES_MOST, FRAMES_MOST));
        assert_eq!(log.frame(4), None);
        assert_eq!(log.frame(5).map(|frame| frame.number), Some(5));
    }
}
