//! Translation between wire dialects and the core; one value per connection, no I/O.

pub mod claude;
pub mod elicitation;
pub mod lines;
pub mod mcp_config;

use crate::core::event::Event;

/// What a step of a connection yields: lines for the agent (without newline) and events for the hub, each in order.
#[derive(Debug, Default, PartialEq)]
#[must_use]
pub struct Output {
    pub frames: Vec<String>,
    pub events: Vec<Event>,
}
