//! Text of agents: made harmless, parsed, laid out once and kept.

pub mod code_block;
pub mod code_view;
pub mod cx;
pub mod document;
pub mod draw;
pub mod finding;
pub mod flow;
pub mod highlight;
pub mod inline;
pub mod kinsoku;
pub mod lines;
pub mod markdown;
pub mod mend;
pub mod part;
pub mod place;
pub mod query;
pub mod reading;
pub mod recolor;
pub mod sanitize;
pub mod selecting;
pub mod split;
pub mod table_view;
pub mod tail;
pub mod terminal_view;
pub mod view;
pub mod word;
