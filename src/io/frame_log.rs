//! The latest frames of all connections in memory, for the person who wants to see them. Old ones give way.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::core::ids::ConnectionId;
use crate::core::time::Timestamp;
use crate::io::clock;
use crate::io::record::Direction;

/// What is kept at most: all texts together, and the number of frames.
const BYTES_MOST: usize = 8_000_000;
const FRAMES_MOST: usize = 20_000;
/// A longer frame is kept without its end.
const FRAME_BYTES_MOST: usize = 256_000;

/// A frame that went by.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Counts all frames from 0.
    pub number: u64,
    pub connection: ConnectionId,
    pub direction: Direction,
    pub at: Timestamp,
    /// As it was on the wire, secrets included; without its end where it was too long.
    pub text: Arc<str>,
    /// The size of all of it.
    pub bytes: usize,
}

/// The latest frames. Nothing is kept until it is asked for.
#[derive(Debug, Default)]
pub struct FrameLog {
    is_kept: AtomicBool,
    ring: Mutex<Ring>,
}

#[derive(Debug, Default)]
struct Ring {
    frames: VecDeque<Frame>,
    bytes: usize,
    next: u64,
}

impl FrameLog {
    /// Begins to keep frames.
    pub fn keep(&self) {
        self.is_kept.store(true, Ordering::Relaxed);
    }

    /// Takes in a frame.
    pub fn note(&self, connection: ConnectionId, direction: Direction, text: &str) {
        if !self.is_kept.load(Ordering::Relaxed) || text.trim().is_empty() {
            return;
        }
        let end = text.floor_char_boundary(FRAME_BYTES_MOST);
        let kept: Arc<str> = text.get(..end).unwrap_or_default().into();
        let mut ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        let number = ring.next;
        ring.next += 1;
        ring.bytes += kept.len();
        ring.frames.push_back(Frame {
            number,
            connection,
            direction,
            at: clock::now(),
            text: kept,
            bytes: text.len(),
        });
        while ring.bytes > BYTES_MOST || ring.frames.len() > FRAMES_MOST {
            let Some(old) = ring.frames.pop_front() else {
                break;
            };
            ring.bytes -= old.text.len();
        }
    }

    /// The frames from a number on, at most so many, oldest first.
    pub fn since(&self, number: u64, most: usize) -> Vec<Frame> {
        let ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        let first = ring.frames.partition_point(|frame| frame.number < number);
        ring.frames.iter().skip(first).take(most).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: ConnectionId = ConnectionId(1);

    #[test]
    fn frames_are_kept_once_they_are_asked_for() {
        let log = FrameLog::default();
        log.note(ONE, Direction::In, "early");
        log.keep();
        log.note(ONE, Direction::In, "{\"id\":1}");
        log.note(ONE, Direction::Out, " ");
        log.note(ONE, Direction::Out, "{\"id\":2}");
        let texts = |from| -> Vec<String> {
            let frames = log.since(from, 10);
            frames.iter().map(|frame| frame.text.to_string()).collect()
        };
        assert_eq!(texts(0), ["{\"id\":1}", "{\"id\":2}"]);
        assert_eq!(texts(1), ["{\"id\":2}"]);
        assert_eq!(log.since(0, 1).len(), 1);
    }

    #[test]
    fn old_frames_give_way() {
        let log = FrameLog::default();
        log.keep();
        let long = "x".repeat(FRAME_BYTES_MOST + 10);
        for _ in 0..100 {
            log.note(ONE, Direction::Out, &long);
        }
        let frames = log.since(0, usize::MAX);
        assert_eq!(frames.len(), BYTES_MOST / FRAME_BYTES_MOST);
        assert_eq!(frames.last().map(|frame| frame.number), Some(99));
        assert!(frames.iter().all(|frame| frame.bytes == long.len()));
    }
}
