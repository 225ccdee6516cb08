//! The regions of the window.

pub mod composer;
pub mod folder;
pub mod header;
pub mod mcp_card;
pub mod names;
pub mod notice;
pub mod permission;
pub mod protocol;
pub mod question;
pub mod reasons;
pub mod servers;
pub mod settings;
pub mod sign_in;
pub mod status_bar;
pub mod transcript;
pub mod trust;
