//! Which recorded request a client's request is.

use serde_json::Value;

use super::super::wire;
use super::{Meeting, ScriptedAgent};

impl ScriptedAgent {
    /// The recorded request that this one is: not met yet, of the same method, and about the same thing.
    pub(super) fn find_request(&self, method: &str, frame: &Value) -> Option<usize> {
        let open = |index: &usize| {
            matches!(
                self.meetings.get(*index),
                Some(Meeting::Awaited | Meeting::Passed)
            ) && self.method_at(*index) == Some(method)
        };
        let reach = if begins_something(method) {
            self.steps.len()
        } else {
            self.end_of_idle_time()
        };
        let candidates: Vec<_> = (0..reach).filter(open).collect();
        let same = candidates
            .iter()
            .find(|index| self.is_about_the_same(**index, frame, &KEYS));
        // A value or option that the recording does not set has no recorded answer; another session has.
        let like = candidates.iter().find(|index| {
            self.is_about_the_same(**index, frame, &["configId", "value", "methodId"])
        });
        same.or(like).copied()
    }

    /// A request that was passed over, of which the answer came up in the meantime.
    pub(super) fn find_kept_answer(&self, method: &str, frame: &Value) -> Option<usize> {
        if begins_something(method) {
            return None;
        }
        self.held.keys().copied().find(|index| {
            self.method_at(*index) == Some(method) && self.is_about_the_same(*index, frame, &KEYS)
        })
    }

    /// Where the next prompt or session begins that the client has not begun.
    pub(super) fn end_of_idle_time(&self) -> usize {
        let begins = |index: &usize| {
            self.meetings.get(*index) == Some(&Meeting::Awaited)
                && self.method_at(*index).is_some_and(begins_something)
        };
        (self.cursor..self.steps.len())
            .find(begins)
            .unwrap_or(self.steps.len())
    }

    fn is_about_the_same(&self, index: usize, frame: &Value, keys: &[&str]) -> bool {
        let Some(step) = self.steps.get(index) else {
            return false;
        };
        keys.iter().all(|key| {
            let theirs = wire::params(frame).and_then(|params| params.get(key));
            step.param(key) == theirs
        })
    }
}

/// What has to be equal for two requests to be one and the same.
const KEYS: [&str; 9] = [
    "sessionId",
    "modeId",
    "modelId",
    "configId",
    "value",
    "methodId",
    "mode",
    "model",
    "serverName",
];

/// Requests that a later part of the recording depends on.
pub(super) fn begins_something(method: &str) -> bool {
    matches!(
        method,
        "initialize" | "session/new" | "session/load" | "session/resume" | "session/fork"
    ) || is_prompt(method)
}

/// Whether a request is a prompt, which the end of its turn answers.
pub(super) fn is_prompt(method: &str) -> bool {
    matches!(method, "session/prompt" | wire::USER_LINE)
}
