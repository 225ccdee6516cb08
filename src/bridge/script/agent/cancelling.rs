//! Cancellation: a recorded one is played, any other ends the running turn where it is.

use serde_json::Value;

use super::super::plausible;
use super::matching::is_prompt;
use super::{Meeting, Pace, Role, ScriptedAgent};

impl ScriptedAgent {
    pub(super) fn cancelled(&mut self, frame: &Value) {
        let turn_end = self.end_of_idle_time();
        let recorded = (self.cursor..turn_end).find(|index| {
            self.meetings.get(*index) == Some(&Meeting::Awaited)
                && matches!(self.steps.get(*index).map(|step| &step.role), Some(Role::ClientNotification { method }) if method == "session/cancel")
        });
        if let Some(index) = recorded {
            self.mark(index, Meeting::Met(Value::Null));
            if self.pace == Pace::Client && index > self.cursor {
                self.jump(index);
            }
        } else if self.pace == Pace::Client {
            self.cut_turn_short(frame);
        }
    }

    /// The same in stream-json, where it is a request.
    pub(super) fn interrupted(&mut self, id: &Value, frame: &Value) {
        let turn_end = self.end_of_idle_time();
        let recorded = (self.cursor..turn_end).find(|index| {
            !matches!(self.meetings.get(*index), Some(Meeting::Met(_)))
                && self.method_at(*index) == Some("interrupt")
        });
        if let Some(index) = recorded {
            self.meet(index, id.clone());
            if self.pace == Pace::Client && index > self.cursor {
                self.jump(index);
            }
            return;
        }
        self.requested("interrupt", id, frame);
        if self.pace == Pace::Client {
            self.cut_turn_short(frame);
        }
    }

    /// A cancellation that was not recorded: the running turn ends here.
    fn cut_turn_short(&mut self, frame: &Value) {
        let session = frame
            .get("params")
            .and_then(|params| params.get("sessionId"));
        let running = self.unanswered().find(|index| {
            self.method_at(*index).is_some_and(is_prompt)
                && self
                    .steps
                    .get(*index)
                    .and_then(|step| step.param("sessionId"))
                    == session
        });
        let Some(request) = running else { return };
        let Some(Meeting::Met(id)) = self.meetings.get(request).cloned() else {
            return;
        };
        let answer = plausible::cancelled_turn(&id, &self.known);
        self.send(self.now(), answer);
        self.answered.insert(request);
        self.asked_of_us.remove(&request);
        let end = self.steps.iter().position(|step| {
            step.role
                == Role::AgentAnswer {
                    request: Some(request),
                }
        });
        let end = end.map_or(self.steps.len(), |end| end + 1);
        for index in self.cursor..end {
            self.mark_if_awaited(index, Meeting::Skipped);
        }
        self.cursor = self.cursor.max(end);
    }
}
