//! The newest frames that went over the wire, for a person to look at. Bounded; what is older is gone.

mod summary;

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

use crate::core::ids::ConnectionId;
use crate::core::redact;
use crate::core::time::Timestamp;

pub use summary::{FrameKind, Summary};

/// How much room the frames that are kept may take, in bytes: some five thousand of them, the last minutes of a busy
/// session.
const BYTES_MOST: usize = 2 * 1024 * 1024;
/// What a frame takes beside its text, in bytes.
const FRAME_BYTES: usize = size_of::<Frame>() + 32;
/// A frame that is larger is kept to this length, in bytes. Agents send frames of 570 kB.
const FRAME_BYTES_MOST: usize = 512 * 1024;

/// Which way a frame went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From us to the agent.
    Sent,
    /// From the agent to us.
    Received,
}

/// One line on the wire.
#[derive(Debug)]
pub struct Frame {
    /// Counts all frames of the program from 0.
    pub number: u64,
    pub at: Timestamp,
    pub connection: ConnectionId,
    pub direction: Direction,
    /// The line as it was, or its start.
    pub text: Box<str>,
    /// How long the line was, in bytes.
    pub bytes: usize,
    summary: OnceLock<Box<Summary>>,
}

impl Frame {
    /// What it is, in a few words. Read when it is first asked for.
    pub fn summary(&self) -> &Summary {
        self.summary
            .get_or_init(|| Box::new(Summary::of(&self.text)))
    }

    /// Whether only its start was kept.
    pub fn is_cut(&self) -> bool {
        self.text.len() < self.bytes
    }

    /// The frame for the eye: indented, without secrets. What is no JSON is told as it is.
    pub fn pretty(&self) -> String {
        match serde_json::from_str(&self.text) {
            Ok(frame) => format!("{:#}", redact::redacted(frame)),
            Err(_) => self.text.to_string(),
        }
    }
}

/// The line of a recording for a frame: `{"dir", "t_ms", "frame"}`. A frame of another connection than the first one
/// also has `"connection"`.
pub fn recording_entry(
    direction: Direction,
    t_ms: u64,
    other_connection: Option<ConnectionId>,
    frame: Value,
) -> Value {
    let dir = match direction {
        Direction::Sent => "in",
        Direction::Received => "out",
    };
    let mut entry = json!({"dir": dir, "t_ms": t_ms});
    if let Some(fields) = entry.as_object_mut() {
        if let Some(connection) = other_connection {
            fields.insert("connection".to_owned(), json!(connection.0));
        }
        fields.insert("frame".to_owned(), frame);
    }
    entry
}

/// A line on the wire as the frame of a recording, without secrets. A line that is no JSON stands in for its frame as
/// it is.
pub fn recorded_frame(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(frame) => redact::redacted(frame),
        Err(_) => json!({"_not_json": text}),
    }
}

/// Stands in for a frame that is too long to be kept.
pub fn too_long_frame(bytes: u64) -> Value {
    json!({"_too_long": bytes})
}

/// Frames as a recording: one line a frame, in the form that `--record` writes.
pub fn recording<'a>(frames: impl IntoIterator<Item = &'a Frame>) -> String {
    let mut frames = frames.into_iter().peekable();
    let Some((start, first)) = frames.peek().map(|frame| (frame.at, frame.connection)) else {
        return String::new();
    };
    let mut text = String::new();
    for frame in frames {
        let other = (frame.connection != first).then_some(frame.connection);
        let value = if frame.is_cut() {
            too_long_frame(frame.bytes as u64)
        } else {
            recorded_frame(&frame.text)
        };
        let entry = recording_entry(frame.direction, frame.at.millis_since(start), other, value);
        text.push_str(&entry.to_string());
        text.push('\n');
    }
    text
}

/// The frames that are kept.
#[derive(Debug, Default)]
pub struct FrameLog {
    frames: VecDeque<Arc<Frame>>,
    bytes: usize,
    next: u64,
}

impl FrameLog {
    /// Adds a frame; its number.
    pub fn push(
        &mut self,
        at: Timestamp,
        connection: ConnectionId,
        direction: Direction,
        text: &str,
    ) -> u64 {
        let number = self.next;
        self.next += 1;
        let kept = text.get(..text.floor_char_boundary(FRAME_BYTES_MOST));
        let frame = Frame {
            number,
            at,
            connection,
            direction,
            text: kept.unwrap_or_default().into(),
            bytes: text.len(),
            summary: OnceLock::new(),
        };
        self.bytes += FRAME_BYTES + frame.text.len();
        self.frames.push_back(Arc::new(frame));
        while self.bytes > BYTES_MOST {
            let Some(oldest) = self.frames.pop_front() else {
                break;
            };
            self.bytes -= FRAME_BYTES + oldest.text.len();
        }
        number
    }

    /// The number that the next frame gets.
    pub fn next_number(&self) -> u64 {
        self.next
    }

    /// The number of the oldest frame that is kept.
    pub fn oldest_number(&self) -> u64 {
        self.frames.front().map_or(self.next, |frame| frame.number)
    }

    /// The frame with this number, if it is still kept.
    pub fn get(&self, number: u64) -> Option<&Arc<Frame>> {
        let place = number.checked_sub(self.oldest_number())?;
        self.frames.get(usize::try_from(place).ok()?)
    }

    /// The frames from this number on, oldest first.
    pub fn since(&self, number: u64) -> impl Iterator<Item = &Arc<Frame>> {
        let skipped = number.saturating_sub(self.oldest_number());
        let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
        self.frames.range(skipped.min(self.frames.len())..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONNECTION: ConnectionId = ConnectionId(1);

    fn push(log: &mut FrameLog, text: &str) -> u64 {
        log.push(Timestamp(5), CONNECTION, Direction::Received, text)
    }

    #[test]
    fn frames_are_found_by_their_number() {
        let mut log = FrameLog::default();
        for text in ["a", "b", "c"] {
            push(&mut log, text);
        }
        assert_eq!(log.get(1).map(|frame| &*frame.text), Some("b"));
        assert!(log.get(3).is_none());
        let texts: Vec<_> = log.since(1).map(|frame| &*frame.text).collect();
        assert_eq!(texts, ["b", "c"]);
        assert_eq!(log.since(9).count(), 0);
    }

    #[test]
    fn the_oldest_go_first() {
        let mut log = FrameLog::default();
        let fit = BYTES_MOST / (1 + FRAME_BYTES);
        for _ in 0..fit + 2 {
            push(&mut log, "x");
        }
        assert_eq!(log.oldest_number(), 2);
        assert!(log.get(1).is_none());
        assert!(log.get(2).is_some());
        assert_eq!(log.next_number(), fit as u64 + 2);
    }

    #[test]
    fn what_is_kept_is_bounded_in_bytes() {
        let mut log = FrameLog::default();
        let large = "あ".repeat(FRAME_BYTES_MOST);
        for _ in 0..20 {
            push(&mut log, &large);
        }
        let newest = log.get(19).expect("the newest is kept");
        assert!(newest.is_cut());
        assert!(newest.text.len() <= FRAME_BYTES_MOST);
        assert_eq!(newest.bytes, large.len());
        assert!(log.bytes <= BYTES_MOST);
        assert_eq!(
            log.frames.len(),
            BYTES_MOST / (newest.text.len() + FRAME_BYTES)
        );
    }

    #[test]
    fn what_is_shown_and_exported_has_no_secrets() {
        let mut log = FrameLog::default();
        log.push(
            Timestamp(7),
            CONNECTION,
            Direction::Sent,
            r#"{"id":1,"api_key":"abc"}"#,
        );
        log.push(
            Timestamp(9),
            ConnectionId(2),
            Direction::Received,
            "INFO booted",
        );
        let shown = log.get(0).expect("it is kept").pretty();
        assert_eq!(shown, "{\n  \"id\": 1,\n  \"api_key\": \"[redacted]\"\n}");
        let exported = recording(log.since(0).map(|frame| &**frame));
        assert_eq!(
            exported,
            "{\"dir\":\"in\",\"t_ms\":0,\"frame\":{\"id\":1,\"api_key\":\"[redacted]\"}}\n\
             {\"dir\":\"out\",\"t_ms\":2,\"connection\":2,\"frame\":{\"_not_json\":\"INFO booted\"}}\n"
        );
    }
}
