//! Claude Code in its own dialect: stream-json on stdio with control requests both ways.
//!
//! One process holds one session. A line that is no message of the dialect ends the program without a
//! word, so nothing is ever written but what `encode` makes of a [`serde_json::Value`].

mod answers;
mod control;
mod launch;
mod messages;
mod outgoing;
mod servers;
mod stream;
mod tasks;
#[cfg(test)]
mod tests;
mod tools;
mod usage;

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::bridge::Output;
use crate::bridge::lines::Line;
use crate::core::effect::AgentMessage;
use crate::core::event::{ConnectionEvent, Event, SessionEvent};
use crate::core::ids::{AgentSessionId, ConnectionId, SessionKey, TurnId};

pub(in crate::bridge) use launch::mcp_servers;
pub use launch::{LaunchPlan, PrivateFile, launch_plan, sign_in_plan};

/// The state of one connection to Claude Code.
#[derive(Debug)]
pub struct ClaudeBridge {
    connection: ConnectionId,
    session: Option<SessionKey>,
    agent_session: Option<AgentSessionId>,
    turn: Option<TurnId>,
    /// The turn was interrupted: its result is a cancellation.
    interrupted: bool,
    next_request: u64,
    /// Our control requests that wait for an answer.
    waiting: HashMap<String, control::Waiting>,
    /// The program's requests that wait for ours.
    asked: HashMap<String, answers::Asked>,
    stream: stream::Streamed,
    tasks: tasks::Tasks,
    todo: tools::TodoList,
    /// What `initialize` told: it is repeated with the session.
    welcome: control::Welcome,
    output: Output,
}

impl ClaudeBridge {
    /// A connection whose process is about to be started.
    pub fn new(connection: ConnectionId) -> Self {
        Self {
            connection,
            session: None,
            agent_session: None,
            turn: None,
            interrupted: false,
            next_request: 1,
            waiting: HashMap::new(),
            asked: HashMap::new(),
            stream: stream::Streamed::default(),
            tasks: tasks::Tasks::default(),
            todo: tools::TodoList::default(),
            welcome: control::Welcome::default(),
            output: Output::default(),
        }
    }

    /// The first request.
    pub fn start(&mut self) -> Output {
        self.request(
            json!({"subtype": "initialize"}),
            control::Waiting::Initialize,
        );
        self.take()
    }

    /// Says what the hub wants said.
    pub fn send(&mut self, message: AgentMessage) -> Output {
        self.say(message);
        self.take()
    }

    /// Takes in one line.
    pub fn receive(&mut self, line: Line) -> Output {
        match line {
            Line::TooLong { .. } => {
                self.connection_event(ConnectionEvent::LineDropped {
                    limit_bytes: crate::bridge::lines::LINE_LIMIT_BYTES as u64,
                });
            }
            Line::Text { text, .. } => match serde_json::from_str::<Value>(&text) {
                Ok(frame) if frame.get("type").is_some_and(Value::is_string) => self.frame(&frame),
                Ok(_) | Err(_) => self.connection_event(ConnectionEvent::StrayLines { count: 1 }),
            },
        }
        self.take()
    }

    /// The program's output is closed.
    pub fn end_of_output(&mut self) -> Output {
        self.take()
    }

    fn frame(&mut self, frame: &Value) {
        match text(frame, "type") {
            "system" => self.system(frame),
            "assistant" => self.assistant(frame),
            "user" => self.user(frame),
            "stream_event" => self.stream_event(frame),
            "result" => self.result(frame),
            "control_request" => self.control_request(frame),
            "control_response" => self.control_response(frame),
            "control_cancel_request" => self.request_withdrawn(frame),
            "conversation_reset" => {
                let id = text(frame, "new_conversation_id");
                if !id.is_empty() {
                    let id = AgentSessionId::from(id);
                    self.agent_session = Some(id.clone());
                    self.session_event(SessionEvent::ConversationReset(id));
                }
            }
            "rate_limit_event" => self.rate_limit(frame),
            "keep_alive" => {}
            other => self.unrecognized(other),
        }
    }

    fn session_event(&mut self, event: SessionEvent) {
        if let Some(session) = self.session {
            self.output.events.push(Event::Session { session, event });
        }
    }

    fn connection_event(&mut self, event: ConnectionEvent) {
        self.output.events.push(Event::Connection {
            connection: self.connection,
            event,
        });
    }

    fn unrecognized(&mut self, kind: &str) {
        self.session_event(SessionEvent::Unrecognized {
            kind: kind.to_owned(),
        });
    }

    fn write(&mut self, frame: &Value) {
        self.output.frames.push(encode(frame));
    }

    fn request(&mut self, request: Value, waiting: control::Waiting) {
        let id = format!("req-{}", self.next_request);
        self.next_request += 1;
        self.write(&json!({"type": "control_request", "request_id": id, "request": request}));
        self.waiting.insert(id, waiting);
    }

    fn take(&mut self) -> Output {
        std::mem::take(&mut self.output)
    }
}

/// The one way in which a line for the program is made: one JSON value, on one line.
pub(crate) fn encode(frame: &Value) -> String {
    // `Value`'s own form has no newline: control characters in strings are escaped.
    frame.to_string()
}

/// A string member, or nothing.
fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A string member that is there and not empty.
fn some_text(value: &Value, key: &str) -> Option<String> {
    Some(text(value, key))
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}
