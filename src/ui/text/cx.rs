//! What drawing a text needs to know, and what the person did with it.

use crate::i18n::I18n;
use crate::ui::side_work::SideWork;
use crate::ui::text::finding::Finding;
use crate::ui::text::highlight;
use crate::ui::text::inline::Target;
use crate::ui::text::selecting::Selecting;
use crate::ui::theme::Theme;

/// How much code is highlighted in one UI frame, in bytes: a millisecond or two of work, so that what comes into view
/// has its colors at once. What grows, what is longer, and what comes first of all is read off the UI thread.
pub const HIGHLIGHT_BYTES: usize = 600;

/// The view a text gets of its surroundings.
pub struct TextCx<'a> {
    pub theme: &'a Theme,
    pub i18n: &'a I18n,
    /// Another number whenever everything has to be laid out again: width, theme, scale, fonts. Never 0.
    pub epoch: u64,
    /// Code blocks have line numbers.
    pub line_numbers: bool,
    /// How much more code may be highlighted in this UI frame, in bytes.
    pub highlight_bytes: usize,
    /// How many parts of texts were laid out in this UI frame.
    pub laid_out: usize,
    pub actions: Vec<TextAction>,
    /// What is searched for.
    pub finding: Finding,
    /// What is selected.
    pub selecting: Selecting,
}

/// What the person did with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextAction {
    /// Open what a link leads to; with what the link says.
    Open(Target, String),
    Copy(String),
    /// Have line numbers in code blocks, or not.
    ShowLineNumbers(bool),
    /// It did nothing: the text needs something done off the UI thread.
    Work(SideWork),
}

impl<'a> TextCx<'a> {
    /// The surroundings of one UI frame.
    pub fn new(theme: &'a Theme, i18n: &'a I18n, epoch: u64) -> Self {
        Self {
            theme,
            i18n,
            epoch,
            line_numbers: false,
            highlight_bytes: if highlight::is_fast() {
                HIGHLIGHT_BYTES
            } else {
                0
            },
            laid_out: 0,
            actions: Vec::new(),
            finding: Finding::default(),
            selecting: Selecting::default(),
        }
    }
}
