//! Questions of the agent: the protocol's elicitations and those of agents' own. Each is answered exactly once,
//! by the person or because nobody can any more; never by us.

use std::collections::BTreeMap;

use agent_client_protocol_schema::v1 as acp;
use agent_client_protocol_schema::v1::CLIENT_METHOD_NAMES;

use super::sessions::Route;
use super::{AcpBridge, Purpose, Timing, tool_calls};
use crate::bridge::elicitation::{self, Notes};
use crate::bridge::json::Object;
use crate::bridge::{Output, quirks, rpc};
use crate::core::event::SessionEvent;
use crate::core::ids::{RequestId, SessionKey, ToolCallId};
use crate::core::question::{QuestionAnswer, QuestionKind};

/// The questions that wait for the person.
pub(super) type Questions = BTreeMap<RequestId, Asked>;

/// A question that waits.
#[derive(Debug)]
pub(super) struct Asked {
    pub session: SessionKey,
    /// The name of what is done at a web address, so that the agent can say that it is done.
    elicitation: Option<String>,
    answer: AnswerFrame,
}

/// The form of the answer.
#[derive(Debug, PartialEq)]
pub(in crate::bridge) enum AnswerFrame {
    /// As MCP has it. `verb` names the member that says whether it was accepted.
    Elicitation { verb: &'static str, notes: Notes },
    /// As Grok takes the answers to its own questions.
    Labels,
}

/// A question that is about to be asked.
#[derive(Debug, PartialEq)]
pub(in crate::bridge) struct NewQuestion {
    /// The name of what is done at a web address.
    pub elicitation: Option<String>,
    pub message: Option<String>,
    pub kind: QuestionKind,
    pub answer: AnswerFrame,
}

/// The modes in which we can ask.
pub(super) fn capabilities() -> acp::ElicitationCapabilities {
    acp::ElicitationCapabilities::new()
        .form(acp::ElicitationFormCapabilities::new())
        .url(acp::ElicitationUrlCapabilities::new())
}

impl AcpBridge {
    /// What a request asks the person. `None` when it does not ask, or not in a way that can be shown.
    pub(super) fn read_question(&self, method: &str, params: &Object<'_>) -> Option<NewQuestion> {
        if method == CLIENT_METHOD_NAMES.elicitation_create {
            elicitation("action", params)
        } else {
            self.quirks.question(method, params)
        }
    }

    /// Puts a question to the person.
    pub(super) fn ask_person(
        &mut self,
        id: RequestId,
        params: &Object<'_>,
        (line, timing): (&str, Timing),
        question: NewQuestion,
        out: &mut Output,
    ) {
        let (session, parent) = match self.asker(params) {
            Ok(asker) => asker,
            Err(name) if self.may_wait(timing) && self.sessions.keep_early(&name, line) => return,
            Err(_) => return refuse(&id, "Invalid params: no such session", out),
        };
        let asked = Asked {
            session,
            elicitation: question.elicitation,
            answer: question.answer,
        };
        self.questions.insert(id.clone(), asked);
        let event = SessionEvent::QuestionAsked {
            request: id,
            tool_call: tool_calls::id(params).or(parent),
            message: question.message,
            kind: question.kind,
        };
        out.session(session, event);
    }

    /// The session that asks, and the call that it asks for. What is asked about a request of ours, such as a
    /// sign-in, belongs to the session of that request, or to the first one. The name of one that is unknown else.
    fn asker(&self, params: &Object<'_>) -> Result<(SessionKey, Option<ToolCallId>), String> {
        if let Some(name) = params.str("sessionId") {
            return match self.sessions.route(&name) {
                Some(Route::Session(session)) => Ok((*session, None)),
                Some(Route::Child { session, call }) => Ok((*session, call.clone())),
                None => Err(name.into_owned()),
            };
        }
        let request = params.number("requestId").ok_or_else(String::new)?;
        let session = self.waiting.get(request).and_then(Purpose::session);
        session
            .or_else(|| self.sessions.first())
            .map(|session| (session, None))
            .ok_or_else(String::new)
    }

    /// Answers a question, if it still waits.
    pub(super) fn answer_question(
        &mut self,
        id: &RequestId,
        answer: QuestionAnswer,
        out: &mut Output,
    ) {
        let Some(asked) = self.questions.remove(id) else {
            return;
        };
        let result = match &asked.answer {
            AnswerFrame::Elicitation { verb, notes } => elicitation::answer(verb, notes, answer),
            AnswerFrame::Labels => quirks::labels(answer),
        };
        out.frames.push(rpc::result(id, result));
    }

    /// `elicitation/complete`: what was to be done at an address is done, whether the person said so or not.
    pub(super) fn elicitation_complete(&mut self, params: &Object<'_>, out: &mut Output) {
        let done = params.text("elicitationId");
        let open = self.questions.iter();
        let found = open
            .filter(|(_, asked)| asked.elicitation.is_some() && asked.elicitation == done)
            .map(|(id, asked)| (id.clone(), asked.session))
            .next();
        if let Some((request, session)) = found {
            self.answer_question(&request, QuestionAnswer::Submitted(Vec::new()), out);
            out.session(session, SessionEvent::QuestionWithdrawn { request });
        }
    }

    /// Takes a question back that waits. Whether there was one.
    pub(super) fn withdraw_question(&mut self, id: &RequestId, out: &mut Output) -> bool {
        let Some(asked) = self.questions.remove(id) else {
            return false;
        };
        let request = id.clone();
        out.session(asked.session, SessionEvent::QuestionWithdrawn { request });
        true
    }

    /// Answers the questions that a session leaves unanswered that is closed.
    pub(super) fn drop_questions(&mut self, session: SessionKey, out: &mut Output) {
        let open = self.questions.iter();
        let left: Vec<_> = open
            .filter(|(_, asked)| asked.session == session)
            .map(|(id, _)| id.clone())
            .collect();
        for id in left {
            self.answer_question(&id, QuestionAnswer::Cancelled, out);
        }
    }
}

/// An elicitation as MCP has it; `verb` names the member of the answer that says whether it was accepted.
pub(in crate::bridge) fn elicitation(
    verb: &'static str,
    params: &Object<'_>,
) -> Option<NewQuestion> {
    let url = params.text("url").unwrap_or_default();
    let is_address = match params.str("mode").as_deref() {
        Some("form") | None => false,
        Some("url") => true,
        Some(_) => return None,
    };
    if is_address == url.is_empty() {
        return None;
    }
    let message = params.text("message").filter(|text| !text.is_empty());
    let schema = params.value("requestedSchema");
    let read = elicitation::read(message, &url, schema.as_ref())?;
    Some(NewQuestion {
        elicitation: params.text("elicitationId").filter(|_| is_address),
        message: read.message,
        kind: read.kind,
        answer: AnswerFrame::Elicitation {
            verb,
            notes: read.notes,
        },
    })
}

impl Purpose {
    /// The session that a request of ours is for, if it is for one.
    fn session(&self) -> Option<SessionKey> {
        match self {
            Self::Open { session, .. }
            | Self::CloseSession { session }
            | Self::Prompt { session, .. }
            | Self::Choose { session, .. } => Some(*session),
            Self::Initialize | Self::Authenticate { .. } | Self::ListSessions { .. } => None,
        }
    }
}

fn refuse(id: &RequestId, message: &str, out: &mut Output) {
    out.frames
        .push(rpc::error(id, rpc::INVALID_PARAMS, message));
}
