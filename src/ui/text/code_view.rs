//! Code and other text in lines: laid out in chunks as they come into view, highlighted as it grows.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, Galley, Id, Pos2, Rect, Ui, pos2, vec2};

use crate::ui::text::cx::TextCx;
use crate::ui::text::draw::galley_ui;
use crate::ui::text::highlight::{CODE_BYTES_MOST, Class, Highlighter, Word};
use crate::ui::text::lines::{Change, Lines};
use crate::ui::theme::{LINE_HEIGHT, Theme};

/// Lines this far out of view, in points, are forgotten.
const FAR: f32 = 4_000.0;

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
    highlighted: usize,
}

#[derive(Debug, Default)]
struct Highlighting {
    language: String,
    /// Stands after the last line that is highlighted; `None` when the language has no grammar.
    highlighter: Option<Highlighter>,
    /// The words of the lines that are highlighted.
    words: Vec<Vec<Word>>,
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
            self.highlight(ui, cx, text);
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
            galley_ui(ui, &galley, at, id.with(first));
        }
    }

    fn highlight(&mut self, ui: &Ui, cx: &mut TextCx<'_>, text: &str) {
        let Some(highlighter) = &mut self.highlighting.highlighter else {
            return;
        };
        while self.highlighting.words.len() < self.lines.finished() {
            if cx.highlight_bytes == 0 {
                ui.ctx().request_repaint();
                return;
            }
            let line = self.lines.line(text, self.highlighting.words.len());
            cx.highlight_bytes = cx.highlight_bytes.saturating_sub(line.len().max(20));
            self.highlighting.words.push(highlighter.line(line));
        }
    }

    fn chunk(
        &mut self,
        ui: &Ui,
        cx: &mut TextCx<'_>,
        text: &str,
        lines: Range<usize>,
    ) -> Arc<Galley> {
        let highlighted = self.highlighting.words.len().clamp(lines.start, lines.end);
        if let Some(known) = self.chunks.get(&lines.start)
            && known.epoch == cx.epoch
            && known.lines == lines
            && known.highlighted == highlighted
        {
            return Arc::clone(&known.galley);
        }
        cx.laid_out += 1;
        let job = self.job(ui, cx.theme, text, lines.clone());
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
        let chunk = Chunk {
            galley: Arc::clone(&galley),
            epoch: cx.epoch,
            lines: lines.clone(),
            highlighted,
        };
        self.chunks.insert(lines.start, chunk);
        galley
    }

    fn job(&self, ui: &Ui, theme: &Theme, text: &str, lines: Range<usize>) -> LayoutJob {
        let mut job = LayoutJob::default();
        let row = row_height(ui, theme);
        let format = |class| TextFormat {
            font_id: theme.mono(),
            color: color(theme, class),
            line_height: Some(row),
            ..TextFormat::default()
        };
        let last = lines.end.saturating_sub(1);
        for index in lines {
            let line = self.lines.line(text, index);
            let line = if index == last {
                line.trim_end_matches('\n')
            } else {
                line
            };
            let mut start = 0;
            for word in self.words(index, line) {
                let end = (word.end as usize).min(line.len());
                job.append(
                    line.get(start..end).unwrap_or_default(),
                    0.0,
                    format(word.class),
                );
                start = end;
            }
            job.append(
                line.get(start..).unwrap_or_default(),
                0.0,
                format(Class::Plain),
            );
            // A line that was cut has no line break of its own.
            if index != last && !line.ends_with('\n') {
                job.append("\n", 0.0, format(Class::Plain));
            }
        }
        job
    }

    /// The words of a line; the line that is still arriving is read for the moment only.
    fn words(&self, index: usize, line: &str) -> Vec<Word> {
        match self.highlighting.words.get(index) {
            Some(words) => words.clone(),
            None if index == self.highlighting.words.len() && index == self.lines.finished() => {
                self.highlighting
                    .highlighter
                    .clone()
                    .map(|mut highlighter| highlighter.line(line))
                    .unwrap_or_default()
            }
            None => Vec::new(),
        }
    }
}

impl Highlighting {
    fn new(language: &str) -> Self {
        Self {
            language: language.to_owned(),
            highlighter: Highlighter::for_language(language),
            words: Vec::new(),
        }
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
