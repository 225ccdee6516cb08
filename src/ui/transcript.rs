//! What a view of a transcript remembers and derives: rows, heights, folds, and what was laid out.

pub mod anchors;
pub mod coloring;
pub mod comparing;
pub mod describe;
pub mod diff;
pub mod find;
pub mod folds;
pub mod given;
pub mod heights;
pub mod hits;
pub mod json_tree;
pub mod kept_changes;
pub mod lru;
pub mod note_words;
pub mod outcome;
pub mod output;
pub mod plan_text;
pub mod rows;
pub mod selected_text;
pub mod selection;
pub mod side_by_side;
pub mod state;
pub mod to_markdown;
pub mod views;
pub mod words;
