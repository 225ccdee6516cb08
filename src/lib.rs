//! Agent Panel: one window for any coding agent that speaks the Agent Client Protocol.
//!
//! `core` holds what is known and decided, `bridge` translates wire dialects, `io` does the work outside,
//! `ui` draws, `cli` does without a window. ARCHITECTURE.md tells how they fit.

pub mod app;
pub mod bridge;
pub mod cli;
pub mod core;
pub mod i18n;
pub mod io;
pub mod ui;
