//! What a Markdown text is made of once it is parsed: a flat list of parts, each with its place.

use crate::ui::text::inline::Inlines;

/// A paragraph, a code block, a table: the smallest thing that is laid out by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The quotes and list items it stands in, from the outside in.
    pub insets: Vec<Inset>,
    /// What stands before its first line.
    pub marker: Option<Marker>,
    /// It stands close to its neighbors, as in a list without blank lines.
    pub tight: bool,
    pub kind: PartKind,
}

/// What moves a part to the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inset {
    Quote,
    /// A list item; how many characters its marker takes.
    Item {
        marker_chars: u8,
    },
}

/// What stands before a list item or a footnote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Marker {
    Bullet,
    Number(u64),
    Task { done: bool },
    Footnote(String),
}

/// The content of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartKind {
    Paragraph(Inlines),
    /// `level` counts from 1.
    Heading {
        level: u8,
        text: Inlines,
    },
    Code(Code),
    Table(Table),
    Rule,
    /// Text as it came, where it is not worth or not safe to format it.
    Source(String),
}

/// A code block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Code {
    /// The word after the fence, as it was written.
    pub language: String,
    pub text: String,
    /// The end of its finished lines; what is after it may still change.
    pub finished_bytes: usize,
}

/// A table. Each row has as many cells as there are columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    pub columns: Vec<Align>,
    pub head: Vec<Inlines>,
    pub rows: Vec<Vec<Inlines>>,
}

/// Where the text of a table's column stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Center,
    Right,
}

impl Part {
    /// A part at the top level.
    pub fn new(kind: PartKind) -> Self {
        Self {
            insets: Vec::new(),
            marker: None,
            tight: false,
            kind,
        }
    }

    /// Whether some of it is written from right to left.
    pub fn is_right_to_left(&self) -> bool {
        let in_text = |text: &str| text.chars().any(is_right_to_left);
        match &self.kind {
            PartKind::Paragraph(text) | PartKind::Heading { text, .. } => in_text(&text.text),
            PartKind::Code(code) => in_text(&code.text),
            PartKind::Source(text) => in_text(text),
            PartKind::Table(table) => {
                let cells = table.head.iter().chain(table.rows.iter().flatten());
                cells.into_iter().any(|cell| in_text(&cell.text))
            }
            PartKind::Rule => false,
        }
    }

    /// The number of characters, for an estimate of its height.
    pub fn chars(&self) -> usize {
        match &self.kind {
            PartKind::Paragraph(text) | PartKind::Heading { text, .. } => text.text.len(),
            PartKind::Code(code) => code.text.len(),
            PartKind::Source(text) => text.len(),
            PartKind::Table(table) => table
                .rows
                .iter()
                .flatten()
                .map(|cell| cell.text.len())
                .sum(),
            PartKind::Rule => 0,
        }
    }
}

/// Letters of Hebrew, Arabic and other scripts that run from right to left.
fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_that_run_from_right_to_left_are_known() {
        for (text, expected) in [("שלום", true), ("a مرحبا", true), ("日本語 ё é", false)]
        {
            let part = Part::new(PartKind::Source(text.to_owned()));
            assert_eq!(part.is_right_to_left(), expected, "{text}");
        }
    }
}
