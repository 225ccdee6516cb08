//! Text of agents: made harmless, parsed, laid out once and kept.

pub mod document;
pub mod inline;
pub mod markdown;
pub mod mend;
pub mod part;
pub mod sanitize;
pub mod split;
