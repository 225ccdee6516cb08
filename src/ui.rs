//! What is drawn: panels read the hub and push commands, widgets know plain values only.

pub mod cx;
pub mod fonts;
pub mod format;
pub mod icons;
pub mod panels;
pub mod side_work;
pub mod state;
pub mod text;
pub mod theme;
pub mod transcript;
pub mod untrusted;
pub mod web_address;
pub mod widgets;
pub mod window;
