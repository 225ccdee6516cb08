//! Requests of the agent. Each is answered exactly once; what is judged, asked or done outside waits for it.

use agent_client_protocol_schema::v1 as acp;
use agent_client_protocol_schema::v1::CLIENT_METHOD_NAMES;

use super::client_tools::Asked;
use super::sessions::Route;
use super::{AcpBridge, Timing, client_tools, tool_calls, updates};
use crate::bridge::json::Object;
use crate::bridge::{Output, quirks, rpc};
use crate::core::event::SessionEvent;
use crate::core::ids::{RequestId, SessionKey, ToolCallId};
use crate::core::permission::{PermissionOption, PermissionOutcome};
use crate::core::tool_call::ToolCallPatch;

/// A permission request that waits for our answer.
#[derive(Debug)]
pub(super) struct OpenPermission {
    session: SessionKey,
    answer: PermissionFrame,
}

/// The form of the answer to a permission request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bridge) enum PermissionFrame {
    /// As the protocol has it.
    Protocol,
    /// As Grok takes what the person says to its plan.
    Plan,
}

/// A permission request that is about to be made.
#[derive(Debug, PartialEq)]
pub(in crate::bridge) struct NewPermission {
    pub patch: ToolCallPatch,
    pub options: Vec<PermissionOption>,
    pub answer: PermissionFrame,
}

impl AcpBridge {
    pub(super) fn request(
        &mut self,
        id: RequestId,
        method: &str,
        params: &Object<'_>,
        line: &str,
        timing: Timing,
        out: &mut Output,
    ) {
        let waits = self.permission_requests.contains_key(&id)
            || self.client_requests.contains_key(&id)
            || self.questions.contains_key(&id);
        if waits {
            let message = "Invalid request: the id of a request that waits";
            out.frames
                .push(rpc::error(&id, rpc::INVALID_REQUEST, message));
        } else if method == CLIENT_METHOD_NAMES.session_request_permission {
            self.permission_request(id, params, line, timing, out);
        } else if let Some(asked) = client_tools::read(method, params, self.client_tools) {
            match asked {
                Ok(asked) => self.client_method(id, asked, params, line, timing, out),
                Err(problem) => {
                    let message = format!("Invalid params: {problem}");
                    out.frames
                        .push(rpc::error(&id, rpc::INVALID_PARAMS, &message));
                }
            }
        } else if let Some(own) = self.quirks.permission(method, params) {
            self.own_permission(id, own, (params, line), timing, out);
        } else if let Some(question) = self.read_question(method, params) {
            self.ask_person(id, params, (line, timing), question, out);
        } else if method == CLIENT_METHOD_NAMES.elicitation_create {
            let message = "Invalid params: neither a form nor an address";
            out.frames
                .push(rpc::error(&id, rpc::INVALID_PARAMS, message));
        } else {
            let message = format!("Method not found: {method}");
            out.frames
                .push(rpc::error(&id, rpc::METHOD_NOT_FOUND, &message));
            self.note(None, method, out);
        }
    }

    fn permission_request(
        &mut self,
        id: RequestId,
        params: &Object<'_>,
        line: &str,
        timing: Timing,
        out: &mut Output,
    ) {
        let Some((session, parent)) = self.session_of(&id, params, line, timing, out) else {
            return;
        };
        let call = params.object("toolCall").unwrap_or_default();
        let mut patch = tool_calls::patch(&call, &self.capabilities.call_shape);
        patch.meta = updates::with_meta(patch.meta, params.value("_meta"));
        patch.parent = patch.parent.or(parent);
        let tool_call = tool_calls::id(&call).unwrap_or_else(|| placeholder(&id));
        self.quirks.saw_tool_call(session, &tool_call, &patch);
        let asked = NewPermission {
            patch,
            options: tool_calls::permission_options(params),
            answer: PermissionFrame::Protocol,
        };
        self.ask_permission(id, session, tool_call, asked, out);
    }

    /// A request in a form of the agent's own.
    fn own_permission(
        &mut self,
        id: RequestId,
        mut asked: NewPermission,
        (params, line): (&Object<'_>, &str),
        timing: Timing,
        out: &mut Output,
    ) {
        let Some((session, parent)) = self.session_of(&id, params, line, timing, out) else {
            return;
        };
        asked.patch.parent = parent;
        let tool_call = tool_calls::id(params).unwrap_or_else(|| placeholder(&id));
        self.ask_permission(id, session, tool_call, asked, out);
    }

    fn ask_permission(
        &mut self,
        id: RequestId,
        session: SessionKey,
        tool_call: ToolCallId,
        asked: NewPermission,
        out: &mut Output,
    ) {
        let answer = asked.answer;
        self.permission_requests
            .insert(id.clone(), OpenPermission { session, answer });
        let event = SessionEvent::PermissionRequested {
            request: id,
            tool_call,
            patch: Box::new(asked.patch),
            options: asked.options,
        };
        out.session(session, event);
    }

    fn client_method(
        &mut self,
        id: RequestId,
        asked: Asked,
        params: &Object<'_>,
        line: &str,
        timing: Timing,
        out: &mut Output,
    ) {
        if let Some((session, _)) = self.session_of(&id, params, line, timing, out) {
            self.client_request(id, asked, session, out);
        }
    }

    /// The session of a request, and the call that it is a part of. `None` when it waits or was refused.
    fn session_of(
        &mut self,
        id: &RequestId,
        params: &Object<'_>,
        line: &str,
        timing: Timing,
        out: &mut Output,
    ) -> Option<(SessionKey, Option<ToolCallId>)> {
        let name = params.str("sessionId").unwrap_or_default();
        match self.sessions.route(&name).cloned() {
            Some(Route::Session(session)) => Some((session, None)),
            Some(Route::Child { session, call }) => Some((session, call)),
            None if self.may_wait(timing) && self.sessions.keep_early(&name, line) => None,
            None => {
                let message = "Invalid params: no such session";
                out.frames
                    .push(rpc::error(id, rpc::INVALID_PARAMS, message));
                None
            }
        }
    }

    /// Answers a permission request, if it still waits. `message` goes where the agent has a place for it.
    pub(super) fn answer_permission(
        &mut self,
        id: &RequestId,
        outcome: PermissionOutcome,
        message: Option<String>,
        out: &mut Output,
    ) {
        let Some(open) = self.permission_requests.remove(id) else {
            return;
        };
        match open.answer {
            PermissionFrame::Protocol => {}
            PermissionFrame::Plan => {
                let answer = quirks::plan_answer(&outcome, message);
                out.frames.push(rpc::result(id, answer));
                return;
            }
        }
        let outcome = match outcome {
            PermissionOutcome::Selected(option) => acp::RequestPermissionOutcome::Selected(
                acp::SelectedPermissionOutcome::new(option.as_str().to_owned()),
            ),
            PermissionOutcome::Cancelled => acp::RequestPermissionOutcome::Cancelled,
        };
        let meta = message.and_then(|message| self.quirks.refusal_meta(message));
        let response = acp::RequestPermissionResponse::new(outcome).meta(meta);
        out.frames.push(rpc::result(id, response));
    }

    /// `$/cancel_request`: the agent takes a request back, which still wants its answer.
    pub(super) fn withdraw(&mut self, params: &Object<'_>, out: &mut Output) {
        let Some(id) = params.raw("requestId").and_then(rpc::request_id) else {
            self.note(None, "$/cancel_request without an id", out);
            return;
        };
        let permission = self.permission_requests.remove(&id);
        let permission = permission.map(|open| open.session);
        let client = self.client_requests.remove(&id);
        if let Some(session) = permission.or(client.map(|request| request.session)) {
            let request = id.clone();
            out.session(session, SessionEvent::PermissionWithdrawn { request });
        } else if !self.withdraw_question(&id, out) {
            return;
        }
        let message = "Request cancelled";
        out.frames
            .push(rpc::error(&id, rpc::REQUEST_CANCELLED, message));
    }

    /// Answers all that a session leaves unanswered that is closed.
    pub(super) fn drop_requests(&mut self, session: SessionKey, out: &mut Output) {
        self.drop_permission_requests(session, out);
        self.drop_client_requests(session, out);
        self.drop_questions(session, out);
    }

    /// Answers what a session leaves unanswered that is closed.
    fn drop_permission_requests(&mut self, session: SessionKey, out: &mut Output) {
        let open = &self.permission_requests;
        let left: Vec<_> = open
            .iter()
            .filter(|(_, open)| open.session == session)
            .map(|(id, _)| id.clone())
            .collect();
        for id in left {
            self.answer_permission(&id, PermissionOutcome::Cancelled, None, out);
        }
    }
}

fn placeholder(id: &RequestId) -> ToolCallId {
    ToolCallId::from(format!("request-{id}"))
}
