//! The agent's answers to our requests.

use std::path::PathBuf;

use serde_json::value::RawValue;

use super::{AcpBridge, Purpose, agent, controls};
use crate::bridge::Output;
use crate::bridge::json::Object;
use crate::bridge::quirks::{self, Quirks};
use crate::bridge::rpc;
use crate::core::connection::ListedSession;
use crate::core::event::{ConnectionEvent, OpenedSession, SessionEvent, StopReason, TurnResult};
use crate::core::ids::{AgentSessionId, SessionKey, TurnId};
use crate::core::notice::{FailureKind, RpcError};

/// The version of the protocol that we speak.
pub(super) const PROTOCOL_VERSION: u64 = 1;

/// How many pages of a list of sessions are asked for.
const LIST_PAGES: u32 = 50;

/// What an answer brings; an absent result is an empty one.
type Answer<'a> = Result<Object<'a>, RpcError>;

impl AcpBridge {
    pub(super) fn answer(
        &mut self,
        id: Option<u64>,
        result: Result<Option<&RawValue>, RpcError>,
        out: &mut Output,
    ) {
        let Some(purpose) = id.and_then(|id| self.waiting.end(id)) else {
            self.note(None, "answer to no request of ours", out);
            return;
        };
        let result = match result {
            Ok(value) => Ok(value.and_then(Object::of).unwrap_or_default()),
            Err(error) => Err(self.quirks.correct_error(error)),
        };
        match purpose {
            Purpose::Initialize => self.initialized(result, out),
            Purpose::Authenticate { given_up } => self.authenticated(result, given_up, out),
            Purpose::Open { session, id } => self.opened(session, id, result, out),
            Purpose::CloseSession { session } => {
                if result.is_ok() {
                    out.session(session, SessionEvent::Closed);
                }
            }
            Purpose::ListSessions { found, page } => self.listed(found, page, result, out),
            Purpose::Prompt { session, turn } => self.turn_ended(session, turn, result, out),
            Purpose::Choose { session, choice } => {
                let result =
                    result.map(|answer| answer.raw("configOptions").map(controls::config_options));
                out.session(session, SessionEvent::ChoiceAnswered { choice, result });
            }
        }
    }

    fn initialized(&mut self, result: Answer<'_>, out: &mut Output) {
        let event = match result {
            Err(error) => ConnectionEvent::StartFailed(FailureKind::AgentError(error)),
            Ok(answer) => match answer.number("protocolVersion") {
                Some(theirs) if theirs != PROTOCOL_VERSION => {
                    ConnectionEvent::StartFailed(FailureKind::VersionMismatch { theirs })
                }
                // One that does not say is taken at its deeds.
                Some(_) | None => self.take_in_agent(&answer),
            },
        };
        out.connection(self.connection, event);
    }

    fn take_in_agent(&mut self, answer: &Object<'_>) -> ConnectionEvent {
        let info = agent::info(answer);
        self.quirks = Quirks::of(&info);
        let mut capabilities = agent::capabilities(answer);
        self.quirks.correct_capabilities(&mut capabilities);
        quirks::calls_of(&info.name, self.client_tools, &mut capabilities);
        self.relays_servers = quirks::believes_mcp_servers(&info.name);
        self.capabilities = capabilities.clone();
        ConnectionEvent::Initialized {
            agent: info,
            capabilities,
            auth_methods: agent::auth_methods(answer),
        }
    }

    fn authenticated(&mut self, result: Answer<'_>, given_up: bool, out: &mut Output) {
        let event = match result {
            Ok(_) => ConnectionEvent::Authenticated,
            // We took the request back: that it failed is no news.
            Err(_) if given_up => return,
            Err(error) => ConnectionEvent::AuthenticateFailed(error),
        };
        out.connection(self.connection, event);
    }

    /// A session was opened: anew, or by the id that it is loaded or resumed by.
    fn opened(
        &mut self,
        key: SessionKey,
        asked_for: Option<String>,
        result: Answer<'_>,
        out: &mut Output,
    ) {
        let opened = result.and_then(|answer| {
            let id = answer.text("sessionId").filter(|id| !id.is_empty());
            match (id, &asked_for) {
                (None, None) => Err(RpcError {
                    code: rpc::INTERNAL_ERROR,
                    message: "The answer to session/new has no sessionId".to_owned(),
                    data: None,
                }),
                (id, _) => Ok((id, answer)),
            }
        });
        let name = match opened {
            Ok((id, answer)) => {
                let new_name = id.filter(|id| Some(id) != asked_for.as_ref());
                let opened = opened_session(new_name.as_deref(), &answer);
                let name = new_name.or(asked_for);
                self.take_in_session(key, opened, name.as_deref(), out);
                name
            }
            Err(error) => {
                if self
                    .sessions
                    .get(key)
                    .is_some_and(|session| !session.is_open)
                {
                    self.sessions.forget(key);
                }
                out.session(key, SessionEvent::OpenFailed(error));
                None
            }
        };
        if let Some(name) = name {
            self.deliver_early(Some(&name), out);
        }
        if !self.is_opening() {
            self.deliver_early(None, out);
        }
    }

    fn take_in_session(
        &mut self,
        key: SessionKey,
        opened: OpenedSession,
        name: Option<&str>,
        out: &mut Output,
    ) {
        let Some(session) = self.sessions.opened(key, name) else {
            // It was closed before it was open.
            if let Some(name) = name {
                self.close(key, &AgentSessionId::from(name), out);
            }
            return;
        };
        if let Some(modes) = &opened.modes {
            session.modes = modes.available.iter().map(|mode| mode.id.clone()).collect();
        }
        out.session(key, SessionEvent::Opened(opened));
    }

    fn listed(
        &mut self,
        mut found: Vec<ListedSession>,
        page: u32,
        result: Answer<'_>,
        out: &mut Output,
    ) {
        let mut cursor = None;
        if let Ok(answer) = &result {
            let sessions = answer.objects("sessions").unwrap_or_default();
            found.extend(sessions.iter().filter_map(listed_session));
            cursor = answer.text("nextCursor").filter(|next| !next.is_empty());
        }
        match cursor {
            Some(cursor) if page < LIST_PAGES => {
                self.list_sessions(found, page + 1, Some(cursor), out);
            }
            Some(_) | None => {
                out.connection(self.connection, ConnectionEvent::SessionsListed(found));
            }
        }
    }

    fn turn_ended(&mut self, key: SessionKey, turn: TurnId, result: Answer<'_>, out: &mut Output) {
        let result = match result {
            Ok(answer) => {
                let span = self.quirks.usage_span();
                let session = self.sessions.get_mut(key);
                let usage = session.and_then(|session| session.usage.of_answer(&answer, span));
                if let Some(report) = usage {
                    out.session(key, SessionEvent::UsageReported(report));
                }
                let reason = answer.str("stopReason").unwrap_or_default();
                TurnResult::Stopped(StopReason::from(&*reason))
            }
            Err(error) => TurnResult::Failed(error),
        };
        out.session(key, SessionEvent::TurnEnded { turn, result });
    }
}

/// What an answer says of a session. `id` is set when it is not what was asked for.
fn opened_session(id: Option<&str>, answer: &Object<'_>) -> OpenedSession {
    OpenedSession {
        id: id.map(AgentSessionId::from),
        modes: answer.object("modes").as_ref().and_then(controls::modes),
        models: answer.object("models").as_ref().and_then(controls::models),
        config_options: answer
            .raw("configOptions")
            .map(controls::config_options)
            .unwrap_or_default(),
    }
}

fn listed_session(session: &Object<'_>) -> Option<ListedSession> {
    Some(ListedSession {
        id: AgentSessionId::from(session.text("sessionId")?),
        title: session.text("title").filter(|title| !title.is_empty()),
        cwd: session.text("cwd").map(PathBuf::from).unwrap_or_default(),
        updated_at: session.text("updatedAt"),
    })
}
