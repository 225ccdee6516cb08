//! `ScriptedAgent`: plays the agent's side of a recording to any client.
//!
//! It walks the recording. Frames of the agent are sent; at a frame of the client it waits until the client has sent
//! the like. Clients differ: one sends a request earlier, another later or never, and ids are its own. So a request
//! is matched by its method (and session, mode or option), its id stands in the answer instead of the recorded one,
//! and an answer is kept back until its request has come.

mod cancelling;
mod matching;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::plausible::{self, Known};
use super::wire::{self, Shape};
use super::{Recording, Role, Step};
use matching::{begins_something, is_prompt};

/// What happens when the client does not send what comes next in the recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// The client decides: what it leaves out is passed over as soon as it is clear that it won't come.
    Client,
    /// Somebody walks the recording along with the agent, and calls [`ScriptedAgent::pass`].
    Driven,
}

/// A frame that the agent sends, with the time at which it was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    pub t_ms: u64,
    pub frame: Value,
}

/// The agent's side of a recording.
#[derive(Debug, Clone)]
pub struct ScriptedAgent {
    steps: Vec<Step>,
    pace: Pace,
    cursor: usize,
    /// What became of each step of the client.
    meetings: Vec<Meeting>,
    /// Requests of the client that wait for their answer.
    asked_of_us: BTreeSet<usize>,
    /// Requests that the recording went on without.
    passed: BTreeSet<usize>,
    /// Requests whose answer was sent.
    answered: BTreeSet<usize>,
    /// Answers that came up before their request, by the step of the request.
    held: BTreeMap<usize, usize>,
    /// Requests of ours that the client has not answered: the id, and the step of the recorded answer.
    asked: Vec<(Value, Option<usize>)>,
    known: Known,
    out: Vec<Played>,
}

#[derive(Debug, Clone, PartialEq)]
enum Meeting {
    /// Not come yet.
    Awaited,
    /// The recording went on without it; it may still come.
    Passed,
    /// The client left it out.
    Skipped,
    /// It came, with this id where it is a request.
    Met(Value),
}

impl ScriptedAgent {
    /// An agent at the start of a recording.
    pub fn new(recording: Recording, pace: Pace) -> Self {
        Self {
            meetings: vec![Meeting::Awaited; recording.steps.len()],
            known: Known::of(&recording.steps),
            steps: recording.steps,
            pace,
            cursor: 0,
            asked_of_us: BTreeSet::new(),
            passed: BTreeSet::new(),
            answered: BTreeSet::new(),
            held: BTreeMap::new(),
            asked: Vec::new(),
            out: Vec::new(),
        }
    }

    /// What the agent sends before the client has said anything.
    pub fn start(&mut self) -> Vec<Played> {
        self.advance();
        std::mem::take(&mut self.out)
    }

    /// Takes in a frame of the client; returns what the agent sends.
    pub fn receive(&mut self, frame: &Value) -> Vec<Played> {
        match wire::shape(frame, true) {
            Shape::Request {
                method: "interrupt",
                id,
            } => self.interrupted(id, frame),
            Shape::Request { method, id } => self.requested(method, id, frame),
            Shape::Notification {
                method: "session/cancel",
            } => self.cancelled(frame),
            Shape::Answer { id } => self.client_answered(id),
            Shape::Notification { .. } | Shape::TurnResult | Shape::Other => {}
        }
        self.advance();
        std::mem::take(&mut self.out)
    }

    /// The step at which the agent waits; `None` at the end.
    pub fn waits_at(&self) -> Option<&Step> {
        self.steps.get(self.cursor)
    }

    /// The number of that step.
    pub fn position(&self) -> usize {
        self.cursor
    }

    /// Goes on without what it waits for.
    pub fn pass(&mut self) -> Vec<Played> {
        let queued: Vec<_> = self.queued_prompts().collect();
        if self.waits_for_queued_prompt() {
            for index in queued {
                self.mark(index, Meeting::Skipped);
            }
        } else {
            let is_request = self.method_at(self.cursor).is_some();
            let meeting = if is_request {
                Meeting::Passed
            } else {
                Meeting::Skipped
            };
            self.mark_if_awaited(self.cursor, meeting);
            self.cursor += 1;
        }
        self.advance();
        std::mem::take(&mut self.out)
    }

    /// Plays until the client has to say something.
    fn advance(&mut self) {
        while let Some(step) = self.steps.get(self.cursor) {
            if self.waits_for_queued_prompt() {
                return;
            }
            let goes_on = match step.role.clone() {
                Role::AgentSays | Role::AgentAnswer { request: None } => self.say(self.cursor),
                Role::AgentRequest { .. } => self.ask(self.cursor),
                Role::AgentAnswer {
                    request: Some(request),
                } => self.answer_or_hold(request, self.cursor),
                Role::ClientRequest { .. } => {
                    self.is_settled(self.cursor) || self.passes_request(self.cursor)
                }
                Role::ClientNotification { method } => {
                    self.is_settled(self.cursor) || self.passes_notification(&method)
                }
                Role::ClientAnswer { request } => {
                    let asked = self
                        .asked
                        .iter()
                        .any(|(_, answer)| *answer == Some(self.cursor));
                    self.is_settled(self.cursor) || request.is_none() || !asked
                }
                Role::Restart | Role::Remark => true,
            };
            if !goes_on {
                return;
            }
            self.cursor += 1;
        }
    }

    fn requested(&mut self, method: &str, id: &Value, frame: &Value) {
        let is_idle = self.unanswered().next().is_none();
        if let Some(index) = self.find_request(method, frame) {
            self.meet(index, id.clone());
            if self.pace == Pace::Client && is_idle && index > self.cursor {
                self.jump(index);
            }
        } else if let Some(index) = self.find_kept_answer(method, frame) {
            self.meet(index, id.clone());
        } else {
            let answer = plausible::answer(method, id, frame, &mut self.known);
            self.send(self.now(), answer);
        }
    }

    fn meet(&mut self, index: usize, id: Value) {
        self.asked_of_us.insert(index);
        self.mark(index, Meeting::Met(id));
        if let Some(answer) = self.held.remove(&index) {
            self.answer(index, answer);
        }
    }

    fn client_answered(&mut self, id: &Value) {
        if let Some(position) = self.asked.iter().position(|(asked, _)| asked == id)
            && let (_, Some(answer)) = self.asked.remove(position)
        {
            self.mark(answer, Meeting::Met(Value::Null));
        }
    }

    /// Goes to a step that the client has reached already, past what it left out. What belongs to a prompt or a
    /// session that was left out is not sent.
    fn jump(&mut self, target: usize) {
        let restart = (self.cursor..target).rev().find(|index| {
            self.steps
                .get(*index)
                .is_some_and(|step| step.role == Role::Restart)
        });
        let mut left_out = false;
        while self.cursor < target {
            let index = self.cursor;
            self.cursor += 1;
            let drops = left_out || restart.is_some_and(|restart| index < restart);
            match self.steps.get(index).map(|step| step.role.clone()) {
                Some(Role::AgentSays) if !drops => {
                    self.say(index);
                }
                Some(Role::AgentAnswer {
                    request: Some(request),
                }) => {
                    self.answer_or_hold(request, index);
                }
                Some(Role::ClientRequest { method }) => {
                    let is_left_out = self.mark_if_awaited(index, Meeting::Skipped);
                    left_out |= is_left_out && begins_something(&method);
                }
                Some(Role::ClientNotification { .. } | Role::ClientAnswer { .. }) => {
                    self.mark_if_awaited(index, Meeting::Skipped);
                }
                Some(Role::Restart) => left_out = false,
                Some(
                    Role::AgentSays
                    | Role::AgentRequest { .. }
                    | Role::AgentAnswer { .. }
                    | Role::Remark,
                )
                | None => {}
            }
        }
    }

    /// A client may send a request later, but a recorded interruption is what ends its turn.
    fn passes_request(&mut self, index: usize) -> bool {
        let interrupts = self.method_at(index) == Some("interrupt");
        let passes = !interrupts && self.pace == Pace::Client && self.unanswered().next().is_some();
        passes && self.mark_if_awaited(index, Meeting::Passed)
    }

    /// A client that has nothing to cancel sends no cancellation.
    fn passes_notification(&self, method: &str) -> bool {
        let may_come = method == "session/cancel" && self.unanswered().next().is_some();
        self.pace == Pace::Client && !may_come
    }

    /// A prompt that was recorded while a turn ran, and that a client with a queue sends after it.
    fn waits_for_queued_prompt(&self) -> bool {
        self.unanswered().next().is_none() && self.queued_prompts().next().is_some()
    }

    fn queued_prompts(&self) -> impl Iterator<Item = usize> {
        self.passed.iter().copied().filter(|index| {
            self.meetings.get(*index) == Some(&Meeting::Passed)
                && self.method_at(*index).is_some_and(is_prompt)
        })
    }

    fn answer_or_hold(&mut self, request: usize, answer: usize) -> bool {
        match self.meetings.get(request) {
            Some(Meeting::Met(_)) => self.answer(request, answer),
            Some(Meeting::Awaited | Meeting::Passed | Meeting::Skipped) | None => {
                self.held.insert(request, answer);
            }
        }
        true
    }

    fn answer(&mut self, request: usize, answer: usize) {
        let Some(Meeting::Met(id)) = self.meetings.get(request) else {
            return;
        };
        if !self.answered.insert(request) {
            return;
        }
        self.asked_of_us.remove(&request);
        if let Some(step) = self.steps.get(answer) {
            let (t_ms, frame) = (step.t_ms, wire::readdressed(&step.frame, id));
            self.send(t_ms, frame);
        }
    }

    fn say(&mut self, index: usize) -> bool {
        if let Some(step) = self.steps.get(index) {
            let (t_ms, frame) = (step.t_ms, step.frame.clone());
            self.send(t_ms, frame);
        }
        true
    }

    fn ask(&mut self, index: usize) -> bool {
        let answer = self.steps.iter().position(|step| {
            step.role
                == Role::ClientAnswer {
                    request: Some(index),
                }
        });
        let frame = self.steps.get(index).map(|step| &step.frame);
        if let Some(Shape::Request { id, .. }) = frame.map(|frame| wire::shape(frame, false)) {
            self.asked.push((id.clone(), answer));
        }
        self.say(index)
    }

    fn send(&mut self, t_ms: u64, frame: Value) {
        self.known.note(&frame);
        self.out.push(Played { t_ms, frame });
    }

    /// Requests of the client that wait for their answer.
    fn unanswered(&self) -> impl Iterator<Item = usize> {
        self.asked_of_us.iter().copied()
    }

    fn method_at(&self, index: usize) -> Option<&str> {
        match &self.steps.get(index)?.role {
            Role::ClientRequest { method } => Some(method),
            _ => None,
        }
    }

    fn is_settled(&self, index: usize) -> bool {
        self.meetings.get(index) != Some(&Meeting::Awaited)
    }

    fn mark(&mut self, index: usize, meeting: Meeting) {
        if meeting == Meeting::Passed {
            self.passed.insert(index);
        }
        if let Some(place) = self.meetings.get_mut(index) {
            *place = meeting;
        }
    }

    fn mark_if_awaited(&mut self, index: usize, meeting: Meeting) -> bool {
        let awaited = self.meetings.get(index) == Some(&Meeting::Awaited);
        if awaited {
            self.mark(index, meeting);
        }
        awaited
    }

    fn now(&self) -> u64 {
        let last = self.cursor.min(self.steps.len().saturating_sub(1));
        self.steps.get(last).map_or(0, |step| step.t_ms)
    }
}

#[cfg(test)]
mod tests;
