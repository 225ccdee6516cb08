//! Text of agents: made harmless, parsed, laid out once and kept.

pub mod document;
pub mod highlight;
pub mod inline;
pub mod kinsoku;
pub mod markdown;
pub mod mend;
pub mod part;
pub mod sanitize;
pub mod split;
