//! What the program does without a window: the same hub and bridge, driven by a plain loop.

pub mod print_jsonl;
pub mod print_text;
pub mod watch;
pub mod words;
