//! Open permission requests of a session: asked, answered exactly once, withdrawn.

use super::{Session, Turn};
use crate::core::backend::AgentCapabilities;
use crate::core::command::Prompt;
use crate::core::consent::Consent;
use crate::core::effect::{AgentMessage, Effect};
use crate::core::ids::{OptionId, RequestId, ToolCallId};
use crate::core::notice::Note;
use crate::core::permission::{
    AnsweredBy, PermissionOption, PermissionOutcome, PermissionRecord, PermissionRequest,
};
use crate::core::policy::paths::PathFacts;
use crate::core::time::Timestamp;
use crate::core::tool_call::{ToolCall, ToolCallPatch};

impl Session {
    /// Shows a request, or answers it at once when it crossed our cancellation on the wire.
    pub(super) fn permission_requested(
        &mut self,
        request: RequestId,
        tool_call: &ToolCallId,
        patch: ToolCallPatch,
        options: Vec<PermissionOption>,
        can: &AgentCapabilities,
        now: Timestamp,
    ) -> Vec<Effect> {
        let place = self.place(now);
        self.transcript
            .patch_tool_call(tool_call, patch.clone(), place);
        let mut shown = self
            .transcript
            .tool_call(tool_call)
            .cloned()
            .unwrap_or_else(|| ToolCall::placeholder(tool_call.clone(), now));
        shown.apply(patch, now);
        self.transcript.set_consent(tool_call, Consent::Asking);
        let identity = self.identity_of(&shown);
        self.next_request += 1;
        let request = PermissionRequest {
            id: request,
            tool_call: shown,
            options,
            asked_at: now,
            order: self.next_request,
            identity,
            because: None,
            facts: PathFacts::default(),
        };
        if request.options.is_empty() || matches!(self.turn, Turn::Cancelling { .. }) {
            return self.dismiss(request, AnsweredBy::Cancellation, now);
        }
        self.judge(request, can, now)
    }

    /// Answers a request with one of its own options. An answer to anything else is dropped.
    pub(in crate::core) fn answer_permission(
        &mut self,
        request: &RequestId,
        option: &OptionId,
        message: Option<String>,
        can: &AgentCapabilities,
        now: Timestamp,
    ) -> Vec<Effect> {
        let Some(index) = self
            .permission_requests
            .iter()
            .position(|open| open.id == *request)
        else {
            return Vec::new();
        };
        let chosen = self
            .permission_requests
            .get(index)
            .and_then(|open| open.options.iter().find(|offered| offered.id == *option))
            .cloned();
        let Some(chosen) = chosen else {
            return Vec::new();
        };
        let request = self.permission_requests.remove(index);
        if chosen.kind.allows() {
            self.transcript
                .set_consent(&request.tool_call.id, Consent::ByUser);
            self.grant(&request, &Consent::ByUser);
        }
        if chosen.kind.rejects() {
            self.deny_call(&request.tool_call.id, now);
            self.note(
                Note::Denied {
                    title: request.tool_call.title.clone(),
                },
                now,
            );
        }
        let message = message.filter(|text| chosen.kind.rejects() && !text.trim().is_empty());
        // Where the protocol has no place for the text, it follows as a prompt of its own.
        let tells_why = can.reject_message || self.is_client_request(&request.id);
        if let Some(text) = message.as_deref().filter(|_| !tells_why) {
            self.queue_prompt(Prompt::text(text));
        }
        let outcome = PermissionOutcome::Selected(chosen.id.clone());
        let in_answer = message.clone().filter(|_| tells_why);
        let mut effects = vec![self.answer(request.id.clone(), outcome, in_answer)];
        effects.push(self.record(request, (AnsweredBy::User, message), Some(chosen), now));
        effects.extend(self.send_next_queued(now));
        effects
    }

    /// Marks the call of a refused request as denied, unless another request of it was allowed or is still open:
    /// two requests that name one call are about two things.
    pub(super) fn deny_call(&mut self, id: &ToolCallId, now: Timestamp) {
        let mut open = self.permission_requests.iter().chain(&self.checking);
        let is_open = open.any(|open| open.tool_call.id == *id);
        let allowed = self
            .transcript
            .tool_call(id)
            .is_some_and(|call| matches!(call.consent, Consent::ByUser | Consent::ByPolicy(_)));
        if !is_open && !allowed {
            let place = self.place(now);
            self.transcript.deny_tool_call(id, place);
        }
    }

    /// The agent took a request back; one that was not shown yet is simply gone.
    pub(super) fn permission_withdrawn(
        &mut self,
        request: &RequestId,
        now: Timestamp,
    ) -> Vec<Effect> {
        self.client_withdrawn(request, now);
        self.checking.retain(|open| open.id != *request);
        let Some(index) = self
            .permission_requests
            .iter()
            .position(|open| open.id == *request)
        else {
            return Vec::new();
        };
        let request = self.permission_requests.remove(index);
        self.note(
            Note::RequestWithdrawn {
                title: request.tool_call.title.clone(),
            },
            now,
        );
        vec![self.record(request, (AnsweredBy::Withdrawn, None), None, now)]
    }

    /// Closes all open requests without an answer of the person.
    pub(super) fn dismiss_permission_requests(
        &mut self,
        by: AnsweredBy,
        now: Timestamp,
    ) -> Vec<Effect> {
        let mut open = std::mem::take(&mut self.checking);
        open.extend(std::mem::take(&mut self.permission_requests));
        open.sort_by_key(|request| request.order);
        open.into_iter()
            .flat_map(|request| self.dismiss(request, by, now))
            .collect()
    }

    pub(super) fn dismiss(
        &mut self,
        request: PermissionRequest,
        by: AnsweredBy,
        now: Timestamp,
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        if by == AnsweredBy::Cancellation {
            effects.push(self.answer(request.id.clone(), PermissionOutcome::Cancelled, None));
        }
        effects.push(self.record(request, (by, None), None, now));
        effects
    }

    /// Answers the agent. What it asked us to do is done then, where it is allowed.
    pub(super) fn answer(
        &mut self,
        request: RequestId,
        outcome: PermissionOutcome,
        message: Option<String>,
    ) -> Effect {
        if self.is_client_request(&request) {
            return self.carry_out(request, &outcome, message);
        }
        self.send(AgentMessage::AnswerPermission {
            session: self.key,
            request,
            outcome,
            message,
        })
    }

    pub(super) fn record(
        &self,
        request: PermissionRequest,
        (answered_by, message): (AnsweredBy, Option<String>),
        selected: Option<PermissionOption>,
        now: Timestamp,
    ) -> Effect {
        let record = PermissionRecord {
            request_id: request.id,
            tool_call_id: request.tool_call.id.clone(),
            tool_call: request.tool_call,
            options: request.options,
            identity: request.identity,
            because: request.because,
            answered_by,
            message,
            selected,
            answered_at: now,
        };
        Effect::Record {
            session: self.key,
            record: Box::new(record),
        }
    }
}
