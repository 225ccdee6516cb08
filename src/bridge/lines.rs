//! Stand-in until the reader of lines is merged.

pub const LINE_LIMIT_BYTES: usize = 64 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    Text { text: String, replaced: bool },
    TooLong { bytes: u64 },
}
