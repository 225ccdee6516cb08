//! Reusable parts: they know egui, the theme and plain values, not the hub.

pub mod button;
pub mod card;
pub mod code_box;
pub mod composition;
pub mod diff_view;
pub mod foldout;
pub mod json_tree_view;
pub mod meter;
pub mod option;
pub mod output_box;
pub mod popover;
pub mod reveal;
pub mod row;
pub mod segmented;
pub mod selector;
pub mod stillness;
pub mod tabs;
pub mod text;
pub mod text_field;
pub mod value_tree;
