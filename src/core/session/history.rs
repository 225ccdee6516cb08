//! A history that comes after the agent has said that the session is loaded: prompts wait until it is quiet.

use super::{History, Session};
use crate::core::effect::Effect;
use crate::core::time::Timestamp;

/// How long it has to be quiet before a prompt, in milliseconds.
const QUIET_MILLIS: u64 = 300;
/// How long a prompt waits at most, in milliseconds.
const WAIT_MILLIS_MOST: u64 = 5_000;

/// A history that may still come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LateHistory {
    since: Timestamp,
    heard_at: Timestamp,
}

impl LateHistory {
    fn over_at(self) -> Timestamp {
        let quiet = self.heard_at.plus_millis(QUIET_MILLIS);
        quiet.min(self.since.plus_millis(WAIT_MILLIS_MOST))
    }
}

impl Session {
    /// The session is loaded, and the agent is one whose history comes now.
    pub(super) fn await_history(&mut self, now: Timestamp) -> Option<Effect> {
        if self.history == History::None {
            return None;
        }
        let awaited = LateHistory {
            since: now,
            heard_at: now,
        };
        self.awaited_history = Some(awaited);
        Some(Effect::WakeAt(awaited.over_at()))
    }

    /// A piece of it came.
    pub(super) fn heard_history(&mut self, now: Timestamp) {
        if let Some(awaited) = &mut self.awaited_history {
            awaited.heard_at = now;
        }
    }

    /// Sends what waited for it, once it is quiet.
    pub(super) fn check_history(&mut self, now: Timestamp) -> Vec<Effect> {
        match self.awaited_history {
            Some(awaited) if now < awaited.over_at() => vec![Effect::WakeAt(awaited.over_at())],
            Some(_) => {
                self.awaited_history = None;
                self.send_next_queued(now)
            }
            None => Vec::new(),
        }
    }
}
