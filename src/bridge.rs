//! Translation: an agent's wire dialect to the hub's events and messages, and back. Values without I/O and time.

pub mod acp;
pub mod claude;
pub mod elicitation;
pub mod json;
pub mod lines;
pub mod mcp_config;
pub mod mcp_relay;
mod quirks;
pub mod rpc;
pub mod script;
#[cfg(test)]
mod tests;

use crate::bridge::acp::AcpBridge;
use crate::bridge::claude::ClaudeBridge;
use crate::bridge::lines::Line;
use crate::core::backend::{BackendSpec, Dialect};
use crate::core::effect::AgentMessage;
use crate::core::event::{ConnectionEvent, Event, SessionEvent};
use crate::core::ids::{ConnectionId, SessionKey};

/// How we name ourselves to agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientInfo {
    pub name: String,
    pub title: String,
    pub version: String,
    /// This program as a file that an agent can start; `None` where it is not to.
    pub program: Option<String>,
}

/// What a step of a connection yields: lines for the agent (without newline) and events for the hub, each in order.
#[derive(Debug, Default, PartialEq)]
#[must_use]
pub struct Output {
    pub frames: Vec<String>,
    pub events: Vec<Event>,
}

impl Output {
    fn session(&mut self, session: SessionKey, event: SessionEvent) {
        self.events.push(Event::Session { session, event });
    }

    fn connection(&mut self, connection: ConnectionId, event: ConnectionEvent) {
        self.events.push(Event::Connection { connection, event });
    }
}

/// One connection in the dialect of its agent.
#[derive(Debug)]
pub enum Bridge {
    Acp(Box<AcpBridge>),
    ClaudeCode(Box<ClaudeBridge>),
}

impl Bridge {
    /// A connection to an agent that is about to start.
    pub fn new(connection: ConnectionId, spec: &BackendSpec, client: ClientInfo) -> Self {
        match spec.dialect {
            Dialect::Acp => Self::Acp(Box::new(AcpBridge::new(
                connection,
                client,
                spec.client_tools,
            ))),
            Dialect::ClaudeCode => Self::ClaudeCode(Box::new(ClaudeBridge::new(connection))),
        }
    }

    /// The first words: the `initialize` request.
    pub fn start(&mut self) -> Output {
        match self {
            Self::Acp(bridge) => bridge.start(),
            Self::ClaudeCode(bridge) => bridge.start(),
        }
    }

    /// Says what the hub wants said.
    pub fn send(&mut self, message: AgentMessage) -> Output {
        match self {
            Self::Acp(bridge) => bridge.send(message),
            Self::ClaudeCode(bridge) => bridge.send(message),
        }
    }

    /// Takes in one line of the agent.
    pub fn receive(&mut self, line: Line) -> Output {
        match self {
            Self::Acp(bridge) => bridge.receive(line),
            Self::ClaudeCode(bridge) => bridge.receive(line),
        }
    }

    /// The agent's output is closed: nothing more will be heard, and nobody is left to be answered.
    pub fn end_of_output(&mut self) -> Output {
        match self {
            Self::Acp(bridge) => bridge.end_of_output(),
            Self::ClaudeCode(bridge) => bridge.end_of_output(),
        }
    }
}
