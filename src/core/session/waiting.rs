//! Which calls wait for the person: those that a request or a question on the screen is about, and those of which they
//! are a step.

use super::Session;
use crate::core::ids::ToolCallId;
use crate::core::time::Timestamp;

impl Session {
    /// Notes in the transcript which calls have begun to wait, and which wait no more.
    pub(in crate::core) fn follow_waiting(&mut self, now: Timestamp) {
        if self.permission_requests.is_empty()
            && self.questions.is_empty()
            && self.waiting.is_empty()
        {
            return;
        }
        let requests = self.permission_requests.iter();
        let requests = requests.map(|open| (&open.tool_call.id, open.asked_at));
        let questions = self.questions.iter();
        let questions =
            questions.filter_map(|open| Some((open.tool_call.as_ref()?, open.asked_at)));
        let mut waiting: Vec<(ToolCallId, Timestamp)> = Vec::new();
        for (call, since) in requests.chain(questions) {
            for id in self.transcript.with_parents(call) {
                match waiting.iter_mut().find(|(known, _)| *known == id) {
                    Some((_, known)) => *known = since.min(*known),
                    None => waiting.push((id, since)),
                }
            }
        }
        for id in &self.waiting {
            if !waiting.iter().any(|(still, _)| still == id) {
                self.transcript.end_waiting(id, now);
            }
        }
        for (id, since) in &waiting {
            if !self.waiting.contains(id) {
                self.transcript.begin_waiting(id, *since);
            }
        }
        self.waiting = waiting.into_iter().map(|(id, _)| id).collect();
    }
}
