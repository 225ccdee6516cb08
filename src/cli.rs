//! What the program does without a window: the same hub and bridge, driven by a plain loop.

pub mod args;
pub mod exit;
pub mod mcp_config;
pub mod print_jsonl;
pub mod print_text;
pub mod recording;
pub mod replay;
pub mod watch;
pub mod words;
