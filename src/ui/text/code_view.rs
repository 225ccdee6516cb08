//! Code and other text in lines: laid out in chunks as they come into view, highlighted as it grows.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, Galley, Id, Pos2, Rect, Ui, pos2, vec2};

use crate::ui::side_work::SideWork;
use crate::ui::text::cx::{TextAction, TextCx};
use crate::ui::text::draw::galley_ui;
use crate::ui::text::highlight::{CODE_BYTES_MOST, Class, Highlighter, Word};
use crate::ui::text::lines::{Change, Lines};
use crate::ui::text::reading::Reading;
use crate::ui::text::recolor::recolored;
use crate::ui::text::selecting::Held;
use crate::ui::theme::{LINE_HEIGHT, Theme};

/// Lines this far out of view, in points, are forgotten.
const FAR: f32 = 4_000.0;
/// How many lines are read elsewhere at once.
const LINES_AT_ONCE: usize = 64;

/// What is kept of a text in lines.
#[derive(Debug, Default)]
pub struct CodeView {
    lines: Lines,
    highlighting: Highlighting,
    /// What is laid out, by the first line.
    chunks: BTreeMap<usize, Chunk>,
}

#[derive(Debug)]
struct Chunk {
    galley: Arc<Galley>,
    epoch: u64,
    lines: Range<usize>,
    /// How many of its lines had their colors, and how much of the line that was still arriving.
    highlighted: (usize, usize),
}

#[derive(Debug, Default)]
struct Highlighting {
    language: String,
    /// Stands after the last line that is highlighted; `None` when the language has no grammar.
    highlighter: Option<Highlighter>,
    /// The words of the lines that are highlighted.
    words: Vec<Vec<Word>>,
    /// The words of the line after them, as far as it had arrived: so many bytes.
    open: Vec<Word>,
    open_bytes: usize,
    /// Lines that are being read elsewhere, from the first one that is not highlighted.
    asked: Option<Arc<Reading>>,
    /// It has begun; what is still missing came later, or is too much for one UI frame.
    has_begun: bool,
}

impl CodeView {
    /// Takes in the text as it is now.
    pub fn update(&mut self, language: &str, text: &str) {
        if self.highlighting.language != language {
            self.highlighting = Highlighting::new(language);
            self.chunks.clear();
        }
        let Change::From(first) = self.lines.update(text) else {
            return;
        };
        if first < self.highlighting.words.len() {
            self.highlighting = Highlighting::new(language);
        }
        self.chunks.retain(|_, chunk| chunk.lines.end <= first);
    }

    /// The height of all lines.
    pub fn height(&self, ui: &Ui, theme: &Theme) -> f32 {
        self.lines.count() as f32 * row_height(ui, theme)
    }

    /// The width of the widest line, a little too large rather than too small.
    pub fn width(&self, ui: &Ui, theme: &Theme) -> f32 {
        let column = ui.fonts_mut(|fonts| fonts.glyph_width(&theme.mono(), 'M'));
        (self.lines.widest_columns() as f32 * column).ceil() + 1.0
    }

    /// The number of lines.
    pub fn line_count(&self) -> usize {
        self.lines.count()
    }

    /// Draws the lines that are in view.
    pub fn lines_ui(&mut self, ui: &Ui, cx: &mut TextCx<'_>, text: &str, top_left: Pos2, id: Id) {
        if text.len() <= CODE_BYTES_MOST {
            self.highlight(cx, text);
        }
        let row = row_height(ui, cx.theme);
        let clip = ui.clip_rect();
        if let Some(line) = cx.finding.current_line() {
            let top = top_left.y + line as f32 * row;
            let is_out_of_view = top + row < clip.top() || top > clip.bottom();
            if is_out_of_view && line < self.lines.count() {
                let at = pos2(top_left.x, top);
                cx.finding
                    .note_place_ui(ui, Rect::from_min_size(at, vec2(row, row)));
            }
        }
        let line_at = |y: f32| ((y - top_left.y) / row).max(0.0);
        let in_view = line_at(clip.top()) as usize..line_at(clip.bottom()).ceil() as usize + 1;
        let near = line_at(clip.top() - FAR) as usize..line_at(clip.bottom() + FAR) as usize;
        self.chunks
            .retain(|_, chunk| chunk.lines.end > near.start && chunk.lines.start <= near.end);
        let chunks: Vec<Range<usize>> = self.lines.chunks(in_view).collect();
        for lines in chunks {
            let first = lines.start;
            let galley = self.chunk(ui, cx, text, lines);
            let at = pos2(top_left.x, top_left.y + first as f32 * row);
            cx.finding.mark_lines_ui(ui, cx.theme, &galley, at, first);
            galley_ui(ui, cx, &galley, at, id.with(first), Held::Lines(first));
        }
    }

    /// Reads what a UI frame has time for when the text is new; what is left, and what arrives later, is read elsewhere.
    fn highlight(&mut self, cx: &mut TextCx<'_>, text: &str) {
        let highlighting = &mut self.highlighting;
        highlighting.take_result();
        let Some(highlighter) = &mut highlighting.highlighter else {
            return;
        };
        let finished = self.lines.finished();
        // A single line is the start of a text that arrives, more often than not.
        let is_new = !highlighting.has_begun && finished > 1;
        while is_new && highlighting.words.len() < finished {
            if cx.highlight_bytes == 0 {
                break;
            }
            let line = self.lines.line(text, highlighting.words.len());
            cx.highlight_bytes = cx.highlight_bytes.saturating_sub(line.len().max(20));
            highlighting.words.push(highlighter.line(line));
        }
        highlighting.has_begun |= finished > 0;
        if highlighting.asked.is_some() {
            return;
        }
        let first = highlighting.words.len();
        let lines = first..finished.min(first + LINES_AT_ONCE);
        let reaches_end = lines.end == finished && finished < self.lines.count();
        let open = self.lines.line(text, finished);
        let has_grown = reaches_end && highlighting.open_bytes != open.len();
        if lines.is_empty() && !has_grown {
            return;
        }
        let finished = lines.map(|line| self.lines.line(text, line).to_owned());
        let reading = Arc::new(Reading::new(
            highlighter.clone(),
            finished.collect(),
            reaches_end.then(|| open.to_owned()),
        ));
        highlighting.asked = Some(Arc::clone(&reading));
        cx.actions.push(TextAction::Work(SideWork::new(reading)));
    }

    fn chunk(
        &mut self,
        ui: &Ui,
        cx: &mut TextCx<'_>,
        text: &str,
        lines: Range<usize>,
    ) -> Arc<Galley> {
        let highlighted = self.highlighting.within(&lines);
        if let Some(known) = self.chunks.get(&lines.start)
            && known.epoch == cx.epoch
            && known.lines == lines
            && known.highlighted == highlighted
        {
            return Arc::clone(&known.galley);
        }
        cx.laid_out += 1;
        let galley = self.lay_out(ui, cx.theme, text, lines.clone());
        let chunk = Chunk {
            galley: Arc::clone(&galley),
            epoch: cx.epoch,
            lines: lines.clone(),
            highlighted,
        };
        self.chunks.insert(lines.start, chunk);
        galley
    }

    fn lay_out(&self, ui: &Ui, theme: &Theme, text: &str, lines: Range<usize>) -> Arc<Galley> {
        let mut shown = String::new();
        let mut colors = Vec::new();
        let last = lines.end.saturating_sub(1);
        for index in lines {
            let whole = self.lines.line(text, index);
            let line = whole.trim_end_matches('\n');
            let mut start = 0;
            for word in self.words(index) {
                let end = (word.end as usize).min(line.len());
                let run = line.get(start..end).unwrap_or_default();
                colors.push((run.chars().count(), color(theme, word.class)));
                start = end.max(start);
            }
            let rest = line.get(start..).unwrap_or_default();
            shown.push_str(line);
            let mut left = rest.chars().count();
            // A line that was cut has no line break of its own.
            if index != last {
                shown.push('\n');
                left += 1;
            }
            colors.push((left, theme.text));
        }
        let format = TextFormat {
            font_id: theme.mono(),
            color: theme.text,
            line_height: Some(row_height(ui, theme)),
            ..TextFormat::default()
        };
        let job = LayoutJob::single_section(shown, format);
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
        recolored(galley, colors.into_iter())
    }

    /// The words of a line; of the one that is still arriving as far as they are known.
    fn words(&self, index: usize) -> &[Word] {
        let highlighting = &self.highlighting;
        match highlighting.words.get(index) {
            Some(words) => words,
            None if index == highlighting.words.len() => &highlighting.open,
            None => &[],
        }
    }
}

impl Highlighting {
    fn new(language: &str) -> Self {
        Self {
            language: language.to_owned(),
            highlighter: Highlighter::for_language(language),
            ..Self::default()
        }
    }

    /// Takes in what was read elsewhere.
    fn take_result(&mut self) {
        let Some(read) = self.asked.as_ref().and_then(|asked| asked.result()) else {
            return;
        };
        self.words.extend(read.finished.iter().cloned());
        self.open = read.open.clone().unwrap_or_default();
        self.open_bytes = read.open_bytes;
        self.highlighter = Some(read.highlighter.clone());
        self.asked = None;
    }

    /// How much of some lines has its colors.
    fn within(&self, lines: &Range<usize>) -> (usize, usize) {
        let known = self.words.len();
        let open = if lines.contains(&known) {
            self.open_bytes
        } else {
            0
        };
        (known.clamp(lines.start, lines.end), open)
    }
}

/// The height of a line of code, in whole pixels so that lines add up.
pub fn row_height(ui: &Ui, theme: &Theme) -> f32 {
    let scale = ui.pixels_per_point();
    (theme.size.mono * LINE_HEIGHT * scale).round() / scale
}

/// The color of a class of words.
pub fn color(theme: &Theme, class: Class) -> Color32 {
    match class {
        Class::Plain => theme.text,
        Class::Comment => theme.syntax.comment,
        Class::String => theme.syntax.string,
        Class::Number => theme.syntax.number,
        Class::Keyword => theme.syntax.keyword,
        Class::Function => theme.syntax.function,
        Class::Type => theme.syntax.type_name,
        Class::Attribute => theme.syntax.attribute,
        Class::Added => theme.ok,
        Class::Removed => theme.error,
    }
}
