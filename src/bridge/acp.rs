//! One connection that speaks the Agent Client Protocol, version 1, with us as the client.

mod agent;
mod answers;
mod client_tools;
mod content;
mod controls;
mod forms;
mod outgoing;
pub(in crate::bridge) mod questions;
pub(in crate::bridge) mod requests;
mod sessions;
mod stray;
pub(in crate::bridge) mod tool_calls;
mod updates;
mod usage;

use std::collections::{BTreeMap, BTreeSet};

use agent_client_protocol_schema::v1::{CLIENT_METHOD_NAMES, PROTOCOL_LEVEL_METHOD_NAMES};

use crate::bridge::json::Object;
use crate::bridge::lines::{LINE_LIMIT_BYTES, Line};
use crate::bridge::quirks::{self, News, Quirks};
use crate::bridge::rpc::{self, Incoming, Waiting};
use crate::bridge::{ClientInfo, Output};
use crate::core::backend::AgentCapabilities;
use crate::core::client_tools::ClientTools;
use crate::core::connection::ListedSession;
use crate::core::event::{ConnectionEvent, PendingChoice, SessionEvent};
use crate::core::ids::{ConnectionId, RequestId, SessionKey, ToolCallId, TurnId};
use crate::core::transcript::MessageKind;
use client_tools::ClientRequest;
use sessions::{Route, Sessions};
use stray::StrayLines;

/// How many kinds of unknown things are told apart, and how many characters of their names are kept.
const NOTED_KINDS: usize = 500;
const NOTED_CHARS: usize = 120;

/// The state of a connection.
#[derive(Debug)]
pub struct AcpBridge {
    connection: ConnectionId,
    client: ClientInfo,
    capabilities: AgentCapabilities,
    quirks: Quirks,
    /// It gets MCP servers through this program.
    relays_servers: bool,
    /// Our requests that wait for an answer.
    waiting: Waiting<Purpose>,
    /// The agent's permission requests that wait for ours.
    permission_requests: BTreeMap<RequestId, requests::OpenPermission>,
    /// The agent's requests for files and terminals that wait for our answer.
    client_requests: BTreeMap<RequestId, ClientRequest>,
    /// Which of these it is offered.
    client_tools: ClientTools,
    /// The agent's questions that wait for the person.
    questions: questions::Questions,
    sessions: Sessions,
    stray: StrayLines,
    /// What we did not know and have told already.
    noted: BTreeSet<(Option<SessionKey>, String)>,
}

/// What a request of ours is for.
#[derive(Debug)]
enum Purpose {
    Initialize,
    Authenticate {
        given_up: bool,
    },
    /// A session is opened: `id` is what it is loaded or resumed by.
    Open {
        session: SessionKey,
        id: Option<String>,
    },
    CloseSession {
        session: SessionKey,
    },
    ListSessions {
        found: Vec<ListedSession>,
        page: u32,
    },
    Prompt {
        session: SessionKey,
        turn: TurnId,
    },
    Choose {
        session: SessionKey,
        choice: PendingChoice,
    },
}

/// Whether a frame for a session we don't know may wait for that session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Timing {
    JustCame,
    Waited,
}

impl AcpBridge {
    pub fn new(connection: ConnectionId, client: ClientInfo, client_tools: ClientTools) -> Self {
        Self {
            connection,
            client,
            capabilities: AgentCapabilities::default(),
            quirks: Quirks::None,
            relays_servers: false,
            waiting: Waiting::default(),
            permission_requests: BTreeMap::new(),
            client_requests: BTreeMap::new(),
            client_tools,
            questions: BTreeMap::new(),
            sessions: Sessions::default(),
            stray: StrayLines::default(),
            noted: BTreeSet::new(),
        }
    }

    /// Takes in one line.
    pub fn receive(&mut self, line: Line) -> Output {
        let mut out = Output::default();
        match line {
            Line::Text { text, replaced } => {
                if replaced {
                    self.note(None, "bytes that are not UTF-8", &mut out);
                }
                self.line(&text, Timing::JustCame, &mut out);
            }
            Line::TooLong { .. } => {
                let limit_bytes = LINE_LIMIT_BYTES as u64;
                out.connection(
                    self.connection,
                    ConnectionEvent::LineDropped { limit_bytes },
                );
            }
        }
        out
    }

    /// Nothing more comes, and nobody hears us.
    pub fn end_of_output(&mut self) -> Output {
        let mut out = Output::default();
        self.tell_stray_lines(StrayLines::all, &mut out);
        self.waiting.clear();
        self.permission_requests.clear();
        self.client_requests.clear();
        self.questions.clear();
        drop(self.sessions.take_early(None));
        out
    }

    fn line(&mut self, text: &str, timing: Timing, out: &mut Output) {
        match rpc::read(text) {
            Incoming::Notification { method, params } => {
                self.tell_stray_lines(StrayLines::few, out);
                self.notification(&method, &params, text, timing, out);
            }
            Incoming::Response { id, result } => {
                self.tell_stray_lines(StrayLines::all, out);
                self.answer(id, result, out);
            }
            Incoming::Request { id, method, params } => {
                self.tell_stray_lines(StrayLines::few, out);
                self.request(id, &method, &params, text, timing, out);
            }
            Incoming::UnusableRequest { id } => {
                out.frames.push(rpc::refusal(id));
                self.note(None, "request with an unusable id", out);
            }
            Incoming::Broken => self.note(None, "broken frame", out),
            Incoming::Stray => {
                self.stray.count();
                self.tell_stray_lines(StrayLines::many, out);
            }
            Incoming::Blank => {}
        }
    }

    fn notification(
        &mut self,
        method: &str,
        params: &Object<'_>,
        line: &str,
        timing: Timing,
        out: &mut Output,
    ) {
        if method == CLIENT_METHOD_NAMES.session_update {
            self.update(params, line, timing, out);
        } else if method == PROTOCOL_LEVEL_METHOD_NAMES.cancel_request {
            self.withdraw(params, out);
        } else if method == CLIENT_METHOD_NAMES.elicitation_complete {
            self.elicitation_complete(params, out);
        } else {
            self.own_notification(method, params, out);
        }
    }

    /// A notification that is the agent's own. What is inside may be told apart further.
    fn own_notification(&mut self, method: &str, params: &Object<'_>, out: &mut Output) {
        let sessions = &self.sessions;
        let news = self.quirks.news(method, params, |id| sessions.key(id));
        let Some(News {
            session,
            child,
            event,
        }) = news
        else {
            let word = params
                .object("update")
                .and_then(|update| update.text("sessionUpdate"));
            let kind = [method, word.as_deref().unwrap_or_default()].join(" ");
            self.note(None, &kind, out);
            return;
        };
        if let Some(child) = child {
            self.sessions.add_child(child.id, session, child.call);
        }
        if let Some(event) = event {
            out.session(session, event);
        }
    }

    fn update(&mut self, params: &Object<'_>, line: &str, timing: Timing, out: &mut Output) {
        let id = params.str("sessionId").unwrap_or_default();
        let update = params.object("update");
        let word = update
            .as_ref()
            .and_then(|update| update.str("sessionUpdate"));
        let (Some(update), Some(word)) = (update, word) else {
            self.note(None, "session/update without a kind", out);
            return;
        };
        match self.sessions.route(&id).cloned() {
            Some(Route::Session(session)) => {
                self.session_update(session, &word, &update, params, out);
            }
            Some(Route::Child { session, call }) => {
                self.child_update(session, call, &word, &update, out);
            }
            None if self.may_wait(timing) && self.sessions.keep_early(&id, line) => {}
            None => self.note(None, &format!("{word} of an unknown session"), out),
        }
    }

    fn session_update(
        &mut self,
        key: SessionKey,
        word: &str,
        update: &Object<'_>,
        params: &Object<'_>,
        out: &mut Output,
    ) {
        let Some(session) = self.sessions.get_mut(key) else {
            return;
        };
        let shape = &self.capabilities.call_shape;
        let event = updates::session_event(word, update, &mut session.plans, shape);
        let meta = params.object("_meta");
        let usage = session
            .usage
            .of_update(word, update, meta.as_ref(), !session.is_open);
        if let Some(event) = event {
            self.session_event(key, event, out);
        }
        for event in quirks::begun_anew(word, update) {
            out.session(key, event);
        }
        if let Some(report) = usage {
            out.session(key, SessionEvent::UsageReported(report));
        }
    }

    fn session_event(&mut self, key: SessionKey, event: SessionEvent, out: &mut Output) {
        match event {
            SessionEvent::Text {
                kind: MessageKind::Agent,
                text,
                message_id,
            } => {
                let modes = self
                    .sessions
                    .get(key)
                    .map(|session| session.modes.as_slice());
                let other = self.quirks.chunk(&text, modes.unwrap_or_default());
                let event = other.unwrap_or(SessionEvent::Text {
                    kind: MessageKind::Agent,
                    text,
                    message_id: message_id.or_else(|| self.quirks.message_id()),
                });
                out.session(key, event);
            }
            SessionEvent::Text {
                kind: MessageKind::User,
                ref text,
                ..
            } if self.quirks.is_own_doing(text) => {}
            SessionEvent::ToolCallAnnounced { id, patch } => {
                self.quirks.saw_tool_call(key, &id, &patch);
                out.session(key, SessionEvent::ToolCallAnnounced { id, patch });
            }
            SessionEvent::ToolCallPatched { id, patch } => {
                self.quirks.saw_tool_call(key, &id, &patch);
                out.session(key, SessionEvent::ToolCallPatched { id, patch });
            }
            SessionEvent::Unrecognized { kind } => self.note(Some(key), &kind, out),
            event => out.session(key, event),
        }
    }

    /// A session that the agent opened by itself: its tool calls are steps of the call it works for, and its
    /// words are nobody's in the session that is shown.
    fn child_update(
        &mut self,
        session: SessionKey,
        call: Option<ToolCallId>,
        word: &str,
        update: &Object<'_>,
        out: &mut Output,
    ) {
        let mut plans = updates::Plans::default();
        let shape = &self.capabilities.call_shape;
        let event = updates::session_event(word, update, &mut plans, shape);
        match (event, call) {
            (Some(SessionEvent::ToolCallAnnounced { id, mut patch }), Some(call)) => {
                patch.parent.get_or_insert(call);
                out.session(session, SessionEvent::ToolCallAnnounced { id, patch });
            }
            (Some(SessionEvent::ToolCallPatched { id, mut patch }), Some(call)) => {
                patch.parent.get_or_insert(call);
                out.session(session, SessionEvent::ToolCallPatched { id, patch });
            }
            _ => self.note(Some(session), &format!("subagent {word}"), out),
        }
    }

    /// Whether a frame for an unknown session may wait: one that is being opened may turn out to be it.
    fn may_wait(&self, timing: Timing) -> bool {
        timing == Timing::JustCame && self.is_opening()
    }

    fn is_opening(&self) -> bool {
        self.waiting
            .open()
            .any(|purpose| matches!(purpose, Purpose::Open { .. }))
    }

    /// Takes in frames that waited for a session, or for any.
    fn deliver_early(&mut self, session: Option<&str>, out: &mut Output) {
        for line in self.sessions.take_early(session) {
            self.line(&line, Timing::Waited, out);
        }
    }

    /// Tells of something we don't know: once per kind.
    fn note(&mut self, session: Option<SessionKey>, kind: &str, out: &mut Output) {
        let kind: String = kind.trim().chars().take(NOTED_CHARS).collect();
        if self.noted.len() >= NOTED_KINDS || !self.noted.insert((session, kind.clone())) {
            return;
        }
        match session {
            Some(session) => out.session(session, SessionEvent::Unrecognized { kind }),
            None => out.connection(self.connection, ConnectionEvent::Unrecognized { kind }),
        }
    }

    fn tell_stray_lines(&mut self, due: fn(&mut StrayLines) -> Option<u64>, out: &mut Output) {
        if let Some(count) = due(&mut self.stray) {
            out.connection(self.connection, ConnectionEvent::StrayLines { count });
        }
    }
}
