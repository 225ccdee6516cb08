//! Markdown to parts: `CommonMark` with tables, task lists, strikethrough, footnotes, and math as source.
//!
//! HTML is text and images are links. What nests too deeply or is too wide comes back as its source.

use pulldown_cmark::{
    Alignment, BrokenLink, CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd,
    TextMergeStream,
};

use crate::core::transcript::BlockContent;
use crate::ui::text::inline::{InlineStyle, Inlines, Target, Voice};
use crate::ui::text::part::{Align, Code, Inset, Marker, Part, PartKind, Table};

/// Quotes and lists in each other beyond this are shown as source.
const DEPTH_MOST: usize = 10;
/// Tables beyond this are shown as source.
const COLUMNS_MOST: usize = 60;

/// How line breaks inside a paragraph are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineBreaks {
    /// As in Markdown: they are spaces.
    #[default]
    Soft,
    /// As they were typed.
    Hard,
}

impl LineBreaks {
    /// What the user types means what it looks like.
    pub fn of(content: &BlockContent) -> Self {
        match content {
            BlockContent::UserMessage(_) => Self::Hard,
            _ => Self::Soft,
        }
    }
}

/// What a parse gave.
#[derive(Debug, Default)]
pub struct Parsed {
    pub parts: Vec<Part>,
    /// Labels that nothing defines, of links like `[text][label]`.
    pub unresolved: Vec<String>,
    /// Link definitions of this text: label and address.
    pub definitions: Vec<(String, String)>,
}

/// Parses a text that is bounded in size. `address` knows definitions from elsewhere, by folded label.
pub fn parse(
    source: &str,
    line_breaks: LineBreaks,
    address: impl Fn(&str) -> Option<String>,
) -> Parsed {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_OLD_FOOTNOTES
        | Options::ENABLE_MATH;
    let mut unresolved = Vec::new();
    let broken_link = |link: BrokenLink<'_>| {
        let label = fold_label(&link.reference);
        let found = address(&label);
        if found.is_none() {
            unresolved.push(label);
        }
        found.map(|address| (CowStr::from(address), CowStr::Borrowed("")))
    };
    let parser = Parser::new_with_broken_link_callback(source, options, Some(broken_link));
    let definitions = parser
        .reference_definitions()
        .iter()
        .map(|(label, definition)| (fold_label(label), definition.dest.to_string()))
        .collect();
    let mut builder = Builder::new(line_breaks);
    for event in TextMergeStream::new(parser) {
        if builder.take(event).is_none() {
            let parts = vec![Part::new(PartKind::Source(source.trim_end().to_owned()))];
            return Parsed {
                parts,
                ..Parsed::default()
            };
        }
    }
    Parsed {
        parts: builder.parts,
        unresolved,
        definitions,
    }
}

/// Labels are equal whatever their case and white space.
pub fn fold_label(label: &str) -> String {
    let words: Vec<&str> = label.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Makes parts of events.
struct Builder {
    parts: Vec<Part>,
    line_breaks: LineBreaks,
    insets: Vec<Inset>,
    lists: Vec<List>,
    /// The marker of an item whose first part is still to come.
    marker: Option<Marker>,
    text: Option<Inlines>,
    style: InlineStyle,
    strong: usize,
    emphasis: usize,
    /// A heading's level, while it is open.
    heading: Option<u8>,
    /// Whether the text that is open has a paragraph of its own; list items without blank lines have none.
    in_paragraph: bool,
    code: Option<Code>,
    table: Option<Table>,
}

struct List {
    next_number: Option<u64>,
    first_part: usize,
}

impl Builder {
    fn new(line_breaks: LineBreaks) -> Self {
        Self {
            parts: Vec::new(),
            line_breaks,
            insets: Vec::new(),
            lists: Vec::new(),
            marker: None,
            text: None,
            style: InlineStyle::default(),
            strong: 0,
            emphasis: 0,
            heading: None,
            in_paragraph: false,
            code: None,
            table: None,
        }
    }

    /// Takes in one event; `None` when the text is beyond the limits.
    fn take(&mut self, event: Event<'_>) -> Option<()> {
        match event {
            Event::Start(tag) => self.start(tag)?,
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(text) => {
                let style = self.style;
                self.inlines().push_code(&text, style);
            }
            Event::InlineMath(text) => self.voiced(&format!("${text}$"), Voice::Math),
            Event::DisplayMath(text) => self.voiced(&format!("$${text}$$"), Voice::Math),
            Event::Html(text) | Event::InlineHtml(text) => self.voiced(&text, Voice::Html),
            Event::FootnoteReference(label) => self.voiced(&footnote(&label), Voice::Footnote),
            Event::SoftBreak => match self.line_breaks {
                LineBreaks::Soft => self.soft_break(),
                LineBreaks::Hard => self.plain("\n"),
            },
            Event::HardBreak => self.plain("\n"),
            Event::Rule => self.push(PartKind::Rule),
            Event::TaskListMarker(done) => self.marker = Some(Marker::Task { done }),
        }
        Some(())
    }

    fn start(&mut self, tag: Tag<'_>) -> Option<()> {
        match tag {
            Tag::Paragraph => self.in_paragraph = true,
            Tag::Heading { level, .. } => {
                self.flush();
                self.heading = Some(level as u8);
            }
            Tag::BlockQuote(_) => self.enter(Inset::Quote)?,
            Tag::CodeBlock(kind) => {
                self.flush();
                let language = match kind {
                    CodeBlockKind::Fenced(info) => info.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some(Code {
                    language,
                    ..Code::default()
                });
            }
            Tag::List(first) => {
                self.flush();
                self.lists.push(List {
                    next_number: first,
                    first_part: self.parts.len(),
                });
            }
            Tag::Item => self.start_item()?,
            Tag::FootnoteDefinition(label) => {
                let marker_chars = label.chars().count().min(6) as u8 + 2;
                self.enter(Inset::Item { marker_chars })?;
                self.marker = Some(Marker::Footnote(label.to_string()));
            }
            Tag::Table(aligns) => {
                self.flush();
                if aligns.len() > COLUMNS_MOST {
                    return None;
                }
                let columns = aligns.into_iter().map(align).collect();
                self.table = Some(Table {
                    columns,
                    ..Table::default()
                });
            }
            Tag::TableRow => self.table.as_mut()?.rows.push(Vec::new()),
            Tag::Emphasis => self.emphasize(1, 0),
            Tag::Strong => self.emphasize(0, 1),
            Tag::Strikethrough => self.style.strike = true,
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.open_link(Target::of_link(&dest_url));
            }
            Tag::HtmlBlock
            | Tag::TableHead
            | Tag::TableCell
            | Tag::Superscript
            | Tag::Subscript
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::MetadataBlock(_) => {}
        }
        Some(())
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => {
                self.flush();
                self.in_paragraph = false;
            }
            TagEnd::Heading(_) => self.flush(),
            TagEnd::BlockQuote(_) | TagEnd::FootnoteDefinition | TagEnd::Item => self.leave(),
            TagEnd::CodeBlock => {
                if let Some(mut code) = self.code.take() {
                    code.finished_bytes = code.text.len();
                    self.push(PartKind::Code(code));
                }
            }
            TagEnd::List(_) => self.end_list(),
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.push(PartKind::Table(table));
                }
            }
            TagEnd::TableCell => self.end_cell(),
            TagEnd::Emphasis => {
                self.emphasis = self.emphasis.saturating_sub(1);
                self.style.emphasis = self.emphasis > 0;
            }
            TagEnd::Strong => {
                self.strong = self.strong.saturating_sub(1);
                self.style.strong = self.strong > 0;
            }
            TagEnd::Strikethrough => self.style.strike = false,
            TagEnd::Link | TagEnd::Image => self.close_link(),
            TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    fn start_item(&mut self) -> Option<()> {
        let number = self.lists.last_mut().and_then(|list| {
            let number = list.next_number?;
            list.next_number = Some(number.saturating_add(1));
            Some(number)
        });
        self.enter(Inset::Item { marker_chars: 1 })?;
        self.marker = Some(number.map_or(Marker::Bullet, Marker::Number));
        self.in_paragraph = false;
        Some(())
    }

    /// All items of a list are moved as far as its longest number asks for.
    fn end_list(&mut self) {
        self.flush();
        let Some(list) = self.lists.pop() else { return };
        let Some(next) = list.next_number else { return };
        let digits = next.saturating_sub(1).max(1).ilog10() + 1;
        let depth = self.insets.len();
        for part in self.parts.iter_mut().skip(list.first_part) {
            if let Some(Inset::Item { marker_chars }) = part.insets.get_mut(depth) {
                *marker_chars = digits.min(9) as u8 + 1;
            }
        }
    }

    fn enter(&mut self, inset: Inset) -> Option<()> {
        self.flush();
        self.insets.push(inset);
        (self.insets.len() <= DEPTH_MOST).then_some(())
    }

    fn leave(&mut self) {
        self.flush();
        if self.marker.is_some() {
            // An item without content still shows its marker.
            self.push(PartKind::Paragraph(Inlines::default()));
        }
        self.insets.pop();
    }

    fn text(&mut self, text: &str) {
        if let Some(code) = &mut self.code {
            code.text.push_str(text);
            return;
        }
        let style = self.style;
        self.inlines().push_prose(text, style);
    }

    fn plain(&mut self, text: &str) {
        let style = self.style;
        self.inlines().push(text, style);
    }

    fn voiced(&mut self, text: &str, voice: Voice) {
        let style = InlineStyle {
            voice,
            ..self.style
        };
        self.inlines().push(text, style);
    }

    /// A space, or nothing where the script has none between its words.
    fn soft_break(&mut self) {
        let ends_in_japanese = self
            .text
            .as_ref()
            .is_some_and(|text| text.text.chars().next_back().is_some_and(is_wide));
        if !ends_in_japanese {
            self.plain(" ");
        }
    }

    fn inlines(&mut self) -> &mut Inlines {
        self.text.get_or_insert_default()
    }

    fn emphasize(&mut self, emphasis: usize, strong: usize) {
        self.emphasis += emphasis;
        self.strong += strong;
        self.style.emphasis = self.emphasis > 0;
        self.style.strong = self.strong > 0;
    }

    fn open_link(&mut self, target: Target) {
        if self.style.link.is_none() {
            self.style.link = self.inlines().link(target);
        }
    }

    /// A link without text shows its address.
    fn close_link(&mut self) {
        let Some(link) = self.style.link.take() else {
            return;
        };
        let inlines = self.inlines();
        let has_text = inlines
            .spans
            .last()
            .is_some_and(|span| span.style.link == Some(link));
        if !has_text {
            let address = match inlines.links.get(usize::from(link)) {
                Some(Target::Url(address) | Target::Dead(address)) => address.clone(),
                Some(Target::File { .. }) | None => return,
            };
            let style = InlineStyle {
                link: Some(link),
                ..self.style
            };
            self.inlines().push(&address, style);
        }
    }

    fn end_cell(&mut self) {
        let cell = self.text.take().unwrap_or_default();
        let Some(table) = &mut self.table else { return };
        match table.rows.last_mut() {
            Some(row) => row.push(cell),
            None => table.head.push(cell),
        }
    }

    fn flush(&mut self) {
        let Some(mut text) = self.text.take() else {
            self.heading = None;
            return;
        };
        trim_end(&mut text);
        let kind = match self.heading.take() {
            Some(level) => PartKind::Heading { level, text },
            None => PartKind::Paragraph(text),
        };
        self.push(kind);
    }

    fn push(&mut self, kind: PartKind) {
        self.parts.push(Part {
            insets: self.insets.clone(),
            marker: self.marker.take(),
            tight: !self.in_paragraph && !self.lists.is_empty(),
            kind,
        });
    }
}

/// The sign of a footnote. What may be a pattern rather than a footnote (`[^a-z]`) stays as it is.
fn footnote(label: &str) -> String {
    let is_plain = label.len() <= 4 && label.chars().all(char::is_alphanumeric);
    if is_plain {
        format!("[{label}]")
    } else {
        format!("[^{label}]")
    }
}

/// HTML blocks end with their line break.
fn trim_end(inlines: &mut Inlines) {
    let length = inlines.text.trim_end_matches('\n').len();
    inlines.text.truncate(length);
    for span in &mut inlines.spans {
        span.end = span.end.min(length);
    }
}

fn align(align: Alignment) -> Align {
    match align {
        Alignment::None | Alignment::Left => Align::Left,
        Alignment::Center => Align::Center,
        Alignment::Right => Align::Right,
    }
}

/// Whether a character belongs to a script that puts no spaces between words.
pub fn is_wide(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{30FF}' | '\u{31F0}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF01}'..='\u{FF9F}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
pub(crate) mod tests;
