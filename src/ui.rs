//! What is drawn: panels read the hub and push commands, widgets know plain values only.

pub mod cx;
pub mod fonts;
pub mod format;
pub mod icons;
pub mod state;
pub mod text;
pub mod theme;
