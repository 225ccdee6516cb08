//! Translation between wire dialects and the core's events and messages.

pub mod script;
