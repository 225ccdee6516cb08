//! What a view of a transcript remembers and derives: rows, heights, folds, and what was laid out.

pub mod folds;
pub mod heights;
pub mod note_words;
pub mod rows;
