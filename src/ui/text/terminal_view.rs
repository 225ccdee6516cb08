//! What a program printed, laid out in chunks as they come into view: only lines that changed are laid out again.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, Galley, Id, Pos2, Rect, Stroke, Ui, pos2, vec2};

use crate::core::screen::{Line, Screen, Style};
use crate::ui::fonts::Face;
use crate::ui::text::code_view::row_height;
use crate::ui::text::cx::TextCx;
use crate::ui::text::draw::galley_ui;
use crate::ui::text::markdown::is_wide;
use crate::ui::text::sanitize::visible;
use crate::ui::text::selecting::Held;
use crate::ui::text::tail::{Change, Tail};
use crate::ui::theme::Theme;

/// Lines that are laid out together.
const CHUNK_LINES: usize = 16;
/// Chunks this far out of view are forgotten.
const FAR_CHUNKS: usize = 160;

/// What is kept of an output.
#[derive(Debug, Default)]
pub struct TerminalView {
    screen: Screen,
    tail: Tail,
    chunks: Vec<Option<Chunk>>,
    /// The columns of the widest line of each chunk.
    widths: Vec<usize>,
}

#[derive(Debug)]
struct Chunk {
    galley: Arc<Galley>,
    epoch: u64,
}

impl TerminalView {
    /// Takes in the whole output as it is now. Cheap when it goes on where it ended.
    pub fn update(&mut self, text: &str) {
        let mut known = self.tail.length();
        match self.tail.follow(text) {
            Change::None => return,
            Change::Longer => {}
            Change::Another => {
                known = 0;
                *self = Self {
                    tail: self.tail,
                    ..Self::default()
                };
            }
        }
        let new = text.get(known..).unwrap_or_default();
        self.screen.feed(new);
        let first = self.screen.take_changed() / CHUNK_LINES;
        let count = self.screen.lines().len().div_ceil(CHUNK_LINES);
        self.chunks.truncate(first);
        self.widths.truncate(first);
        self.chunks.resize_with(count, || None);
        let rest = self.screen.lines().chunks(CHUNK_LINES);
        let widths = rest.skip(self.widths.len()).map(|lines| {
            let widths = lines.iter().map(|line| columns(&line.text));
            widths.max().unwrap_or_default()
        });
        let widths: Vec<usize> = widths.collect();
        self.widths.extend(widths);
    }

    /// Whether anything was printed.
    pub fn is_empty(&self) -> bool {
        self.screen.lines().is_empty()
    }

    /// The number of lines.
    pub fn line_count(&self) -> usize {
        self.screen.lines().len()
    }

    /// The size of the output in bytes.
    pub fn size_bytes(&self) -> usize {
        self.tail.length()
    }

    /// What is read, without styles.
    pub fn text(&self) -> String {
        self.screen.text()
    }

    /// The room all lines take.
    pub fn size(&self, ui: &Ui, theme: &Theme) -> egui::Vec2 {
        let column = ui.fonts_mut(|fonts| fonts.glyph_width(&theme.mono(), 'M'));
        let widest = self.widths.iter().copied().max().unwrap_or_default();
        vec2(
            (widest as f32 * column).ceil() + 1.0,
            self.line_count() as f32 * row_height(ui, theme),
        )
    }

    /// Draws the lines that are in view.
    pub fn lines_ui(&mut self, ui: &Ui, cx: &mut TextCx<'_>, top_left: Pos2, id: Id) {
        let row = row_height(ui, cx.theme);
        let clip = ui.clip_rect();
        if let Some(line) = cx.finding.current_line() {
            let top = top_left.y + line as f32 * row;
            if (top + row < clip.top() || top > clip.bottom()) && line < self.line_count() {
                let at = Rect::from_min_size(pos2(top_left.x, top), vec2(row, row));
                cx.finding.note_place_ui(ui, at);
            }
        }
        let chunk_height = CHUNK_LINES as f32 * row;
        let first = ((clip.top() - top_left.y) / chunk_height).floor().max(0.0) as usize;
        let end = ((clip.bottom() - top_left.y) / chunk_height)
            .ceil()
            .max(0.0) as usize;
        for index in first..end.min(self.chunks.len()) {
            let at = pos2(top_left.x, top_left.y + index as f32 * chunk_height);
            let galley = self.chunk(ui, cx, index);
            let line = index * CHUNK_LINES;
            cx.finding.mark_lines_ui(ui, cx.theme, &galley, at, line);
            galley_ui(ui, cx, &galley, at, id.with(index), Held::Lines(line));
        }
        let near = first.saturating_sub(FAR_CHUNKS)..end + FAR_CHUNKS;
        let before = near.start.saturating_sub(FAR_CHUNKS)..near.start;
        let after = near.end..near.end + FAR_CHUNKS;
        for far in before.chain(after) {
            if let Some(chunk) = self.chunks.get_mut(far) {
                *chunk = None;
            }
        }
    }

    fn chunk(&mut self, ui: &Ui, cx: &mut TextCx<'_>, index: usize) -> Arc<Galley> {
        let known = self.chunks.get(index).and_then(Option::as_ref);
        if let Some(known) = known.filter(|known| known.epoch == cx.epoch) {
            return Arc::clone(&known.galley);
        }
        cx.laid_out += 1;
        let lines = self.screen.lines().chunks(CHUNK_LINES).nth(index);
        let job = job(ui, cx.theme, lines.unwrap_or_default());
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
        if let Some(kept) = self.chunks.get_mut(index) {
            *kept = Some(Chunk {
                galley: Arc::clone(&galley),
                epoch: cx.epoch,
            });
        }
        galley
    }
}

fn job(ui: &Ui, theme: &Theme, lines: &[Line]) -> LayoutJob {
    let mut job = LayoutJob::default();
    let row = row_height(ui, theme);
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            job.append("\n", 0.0, format(theme, Style::default(), row));
        }
        let mut start = 0;
        for run in &line.runs {
            let text = line.text.get(start..run.end).unwrap_or_default();
            job.append(&visible(text), 0.0, format(theme, run.style, row));
            start = run.end;
        }
    }
    if job.is_empty() {
        job.append("", 0.0, format(theme, Style::default(), row));
    }
    job
}

fn format(theme: &Theme, style: Style, row: f32) -> TextFormat {
    let mut color = theme.terminal_text(style.foreground);
    let mut background = theme.terminal_ground(style.background);
    if style.inverse {
        let ground = theme.terminal_ground(style.foreground);
        color = theme.terminal_text(style.background);
        background = Some(ground.unwrap_or(theme.pressed));
    }
    if style.dim && style.foreground == crate::core::screen::Color::Default {
        color = theme.secondary;
    }
    if style.hidden {
        color = Color32::TRANSPARENT;
    }
    let line = |is_on: bool| {
        if is_on {
            Stroke::new(1.0, color)
        } else {
            Stroke::NONE
        }
    };
    let face = if style.bold {
        Face::MonoBold
    } else {
        Face::Mono
    };
    TextFormat {
        font_id: face.sized(theme.size.mono),
        color,
        background: background.unwrap_or(Color32::TRANSPARENT),
        italics: style.italic,
        underline: line(style.underline),
        strikethrough: line(style.strike),
        line_height: Some(row),
        ..TextFormat::default()
    }
}

fn columns(text: &str) -> usize {
    let columns = |c| if is_wide(c) { 2 } else { 1 };
    text.chars().map(columns).sum()
}
