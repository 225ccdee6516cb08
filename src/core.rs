//! What the application knows and decides: plain values, no I/O, no clock, no widgets.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod backend;
pub mod catalog;
pub mod client_tools;
pub mod command;
pub mod connection;
pub mod consent;
pub mod controls;
pub mod decisions;
pub mod effect;
pub mod event;
pub mod frame_log;
pub mod hub;
pub mod identity;
pub mod ids;
pub mod mcp;
pub mod mcp_servers;
pub mod notice;
pub mod permission;
pub mod plan;
pub mod policy;
pub mod presets;
pub mod question;
pub mod redact;
pub mod session;
pub mod settings;
pub mod shell;
pub mod slash;
pub mod split_command;
pub mod terminal;
pub mod time;
pub mod tool_call;
pub mod transcript;
pub mod trust;
pub mod usage;
