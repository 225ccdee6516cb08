//! Reusable parts: they know egui, the theme and plain values, not the hub.

pub mod button;
pub mod card;
pub mod code_box;
pub mod composition;
pub mod meter;
pub mod popover;
pub mod row;
pub mod segmented;
pub mod selector;
pub mod text;
pub mod text_field;
