//! Paragraphs laid out: the faces of their runs, and where their code and links stand.

use std::ops::Range;
use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Color32, Galley, Pos2, Rect, Stroke, Ui, Vec2, pos2};

use crate::ui::fonts::Face;
use crate::ui::text::inline::{InlineStyle, Inlines, Target, Voice};
use crate::ui::text::kinsoku;
use crate::ui::text::markdown::is_wide;
use crate::ui::theme::{LINE_HEIGHT, LINE_HEIGHT_JAPANESE, Theme};

/// A longer paragraph is laid out in pieces, each up to the last full line. While it grows only the last one is laid
/// out again, so they are small then: about a line.
const PIECE_BYTES: usize = 2_000;
const GROWING_PIECE_BYTES: usize = 120;
/// The space beside code in a line, in points.
const CODE_GAP: f32 = 3.0;
/// Ascent less half of the line box, as a share of the text size; the same in all bundled fonts.
const BASELINE_SHIFT: f32 = 0.727_55;

/// How a paragraph is set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    pub size: f32,
    pub color: Color32,
    pub weight: Weight,
    /// The height of a line as a multiple of the size; 0 chooses by the script.
    pub line_height: f32,
}

/// How heavy a paragraph is where nothing else is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    Regular,
    SemiBold,
}

/// A paragraph laid out.
#[derive(Debug, Clone, Default)]
pub struct Flow {
    pub pieces: Vec<FlowPiece>,
    pub size: Vec2,
}

/// Some lines of a paragraph.
#[derive(Debug, Clone)]
pub struct FlowPiece {
    pub galley: Arc<Galley>,
    pub marks: Vec<Mark>,
    range: Range<usize>,
}

/// A run that is more than colored letters.
#[derive(Debug, Clone)]
pub struct Mark {
    pub kind: MarkKind,
    /// What it says.
    pub text: String,
    /// One for each line it stands in, relative to the galley.
    pub rects: Vec<Rect>,
}

/// What a mark is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkKind {
    Code,
    /// The index of the link in its paragraph.
    Link(u16),
}

impl Setting {
    /// Ordinary text.
    pub fn body(theme: &Theme) -> Self {
        Self {
            size: theme.size.body,
            color: theme.text,
            weight: Weight::Regular,
            line_height: 0.0,
        }
    }

    /// Small text beside the content.
    pub fn meta(theme: &Theme) -> Self {
        Self {
            size: theme.size.meta,
            color: theme.secondary,
            ..Self::body(theme)
        }
    }

    fn line_points(&self, text: &str) -> f32 {
        let factor = match self.line_height {
            0.0 if text.chars().any(is_wide) => LINE_HEIGHT_JAPANESE,
            0.0 => LINE_HEIGHT,
            factor => factor,
        };
        (self.size * factor).round()
    }
}

impl Flow {
    /// Lays out a paragraph. What is the same as in `earlier` is taken from there.
    pub fn new(
        ui: &Ui,
        theme: &Theme,
        inlines: &Inlines,
        setting: Setting,
        width: f32,
        earlier: &Self,
    ) -> Self {
        let set = Typesetter {
            theme,
            inlines,
            setting,
            line: setting.line_points(&inlines.text),
            width: width.max(20.0).floor(),
        };
        let mut pieces = Vec::new();
        let mut start = 0;
        loop {
            // The last piece ended where the text ended, not where a line does: it may have grown.
            let is_finished = pieces.len() + 1 < earlier.pieces.len();
            let known = earlier.pieces.get(pieces.len()).filter(|_| is_finished);
            let grows = !earlier.pieces.is_empty();
            let piece = set.next_piece(ui, start, known, grows);
            start = piece.range.end;
            pieces.push(piece);
            if start >= inlines.text.len() {
                break;
            }
        }
        let size = pieces.iter().fold(Vec2::ZERO, |size, piece| {
            let next = piece.galley.size();
            Vec2::new(size.x.max(next.x), size.y + next.y)
        });
        Self { pieces, size }
    }
}

struct Typesetter<'a> {
    theme: &'a Theme,
    inlines: &'a Inlines,
    setting: Setting,
    line: f32,
    width: f32,
}

impl Typesetter<'_> {
    fn next_piece(
        &self,
        ui: &Ui,
        start: usize,
        earlier: Option<&FlowPiece>,
        grows: bool,
    ) -> FlowPiece {
        let text = &self.inlines.text;
        if let Some(earlier) = earlier
            && earlier.range.start == start
            && earlier.range.end < text.len()
            && self.is_same(earlier)
        {
            return earlier.clone();
        }
        let mut size = if grows {
            GROWING_PIECE_BYTES
        } else {
            PIECE_BYTES
        };
        while text.len() - start > size * 3 / 2 {
            if let Some(end) = self.end_of_lines(ui, start, size) {
                return self.piece(ui, start..end);
            }
            // A line is longer than that.
            size *= 2;
        }
        self.piece(ui, start..text.len())
    }

    /// Where the last full line ends among the next bytes; `None` when not even one does.
    fn end_of_lines(&self, ui: &Ui, start: usize, size: usize) -> Option<usize> {
        let text = &self.inlines.text;
        let end = text.floor_char_boundary(start + size);
        let probe = kinsoku::layout(ui, self.job(start..end));
        let full_lines = probe.rows.len().saturating_sub(1);
        let rows = probe.rows.iter().take(full_lines);
        let chars: usize = rows.map(|row| row.char_count_including_newline().0).sum();
        let mut places = text.get(start..end)?.char_indices();
        let (at, _) = places.nth(chars).filter(|_| chars > 0)?;
        Some(start + at)
    }

    fn piece(&self, ui: &Ui, range: Range<usize>) -> FlowPiece {
        let galley = kinsoku::layout(ui, self.job(range.clone()));
        let marks = self.marks(&galley, range.clone());
        FlowPiece {
            galley,
            marks,
            range,
        }
    }

    /// Whether an earlier piece was set in the same way. The gaps that break Japanese lines don't count.
    fn is_same(&self, earlier: &FlowPiece) -> bool {
        let formats = |job: &LayoutJob| {
            let formats = job.sections.iter().map(|section| &section.format);
            let mut formats: Vec<TextFormat> = formats.cloned().collect();
            formats.dedup();
            formats
        };
        let (job, known) = (self.job(earlier.range.clone()), &earlier.galley.job);
        known.wrap == job.wrap && known.text == job.text && formats(&job) == formats(known)
    }

    fn job(&self, range: Range<usize>) -> LayoutJob {
        let mut job = LayoutJob {
            wrap: TextWrapping::wrap_at_width(self.width),
            ..LayoutJob::default()
        };
        let mut after_code = false;
        for (run, style) in self.runs(range) {
            let is_code = style.voice == Voice::Code;
            let gap = if !job.is_empty() && (is_code || after_code) && !run.starts_with('\n') {
                CODE_GAP
            } else {
                0.0
            };
            after_code = is_code;
            job.append(run, gap, self.format(style));
        }
        if job.is_empty() {
            job.append("", 0.0, self.format(InlineStyle::default()));
        }
        job
    }

    /// The runs within a part of the text.
    fn runs(&self, range: Range<usize>) -> impl Iterator<Item = (&str, InlineStyle)> {
        let mut start = 0;
        self.inlines.spans.iter().filter_map(move |span| {
            let run = start.max(range.start)..span.end.min(range.end);
            start = span.end;
            let text = self.inlines.text.get(run).filter(|text| !text.is_empty())?;
            Some((text, span.style))
        })
    }

    fn format(&self, style: InlineStyle) -> TextFormat {
        let strong = style.strong || self.setting.weight == Weight::SemiBold;
        let is_mono = matches!(style.voice, Voice::Code | Voice::Math | Voice::Html);
        let face = match (is_mono, strong, style.emphasis) {
            (true, false, _) => Face::Mono,
            (true, true, _) => Face::MonoBold,
            (false, true, true) => Face::SemiBoldItalic,
            (false, true, false) => Face::SemiBold,
            (false, false, true) => Face::Italic,
            (false, false, false) => Face::Regular,
        };
        let size = if is_mono {
            (self.setting.size * self.theme.size.mono / self.theme.size.body * 2.0).round() / 2.0
        } else {
            self.setting.size
        };
        let leads_somewhere = style
            .link
            .and_then(|link| self.inlines.links.get(usize::from(link)))
            .is_some_and(|target| !matches!(target, Target::Dead(_)));
        let color = match style.voice {
            Voice::Prose | Voice::Math if leads_somewhere => self.theme.link,
            Voice::Footnote => self.theme.link,
            Voice::Html => self.theme.secondary,
            Voice::Prose | Voice::Math | Voice::Code => self.setting.color,
        };
        let strikethrough = if style.strike {
            Stroke::new(1.0, color)
        } else {
            Stroke::NONE
        };
        TextFormat {
            font_id: face.sized(size),
            color,
            strikethrough,
            // A smaller size stands on the same baseline.
            line_height: Some(self.line + (size - self.setting.size) * BASELINE_SHIFT),
            ..TextFormat::default()
        }
    }

    fn marks(&self, galley: &Galley, range: Range<usize>) -> Vec<Mark> {
        let mut marks: Vec<Mark> = Vec::new();
        let mut glyphs = galley.rows.iter().flat_map(|row| {
            let end = row.ends_with_newline.then_some(None);
            let glyphs = row.glyphs.iter().map(move |glyph| {
                let baseline = row.pos.y + glyph.pos.y;
                let (left, right) = (row.pos.x + glyph.pos.x, row.pos.x + glyph.max_x());
                Some((
                    Rect::from_x_y_ranges(left..=right, row.min_y()..=row.max_y()),
                    baseline,
                ))
            });
            glyphs.chain(end)
        });
        for (run, style) in self.runs(range) {
            let kind = match (style.link, style.voice) {
                (Some(link), _) => Some(MarkKind::Link(link)),
                (None, Voice::Code) => Some(MarkKind::Code),
                (None, _) => None,
            };
            let places: Vec<(Rect, f32)> = glyphs
                .by_ref()
                .take(run.chars().count())
                .flatten()
                .collect();
            if style.voice == Voice::Code {
                marks.push(self.code_mark(run, &places));
            }
            if let Some(kind @ MarkKind::Link(_)) = kind {
                let rects = joined(places.iter().map(|(rect, baseline)| {
                    // A link's underline is two points below its baseline.
                    Rect::from_min_max(rect.min, pos2(rect.max.x, baseline + 2.0))
                }));
                match marks.last_mut() {
                    Some(last) if last.kind == kind => {
                        last.text.push_str(run);
                        last.rects = joined(last.rects.drain(..).chain(rects));
                    }
                    Some(_) | None => marks.push(Mark {
                        kind,
                        text: run.to_owned(),
                        rects,
                    }),
                }
            }
        }
        marks
    }

    fn code_mark(&self, run: &str, places: &[(Rect, f32)]) -> Mark {
        let size = self.setting.size;
        let rects = joined(places.iter().map(|(rect, baseline)| {
            Rect::from_x_y_ranges(
                rect.x_range(),
                baseline - size * 0.95..=baseline + size * 0.33,
            )
        }));
        Mark {
            kind: MarkKind::Code,
            text: run.to_owned(),
            rects,
        }
    }
}

/// Joins rectangles that stand in one line.
fn joined(rects: impl Iterator<Item = Rect>) -> Vec<Rect> {
    let mut lines: Vec<Rect> = Vec::new();
    for rect in rects {
        match lines.last_mut() {
            Some(last) if (last.min.y - rect.min.y).abs() < 3.0 => *last = last.union(rect),
            Some(_) | None => lines.push(rect),
        }
    }
    lines
}

/// Where the pieces of a paragraph stand.
pub fn positions(flow: &Flow, top_left: Pos2) -> impl Iterator<Item = (Pos2, &FlowPiece)> {
    let mut top = top_left.y;
    flow.pieces.iter().map(move |piece| {
        let at = pos2(top_left.x, top);
        top += piece.galley.size().y;
        (at, piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme;

    #[test]
    fn a_paragraph_that_grew_has_the_lines_of_one_that_came_whole() {
        let theme = Theme::dark(14);
        let ctx = egui::Context::default();
        theme::install_fonts(&ctx);
        let words = "Here is a made-up task of many words, 日本語の文章も、途中で折り返します。 "
            .repeat(12);
        let narrow = "i".repeat(900);
        let output = ctx.run_ui(egui::RawInput::default(), |ui| {
            for text in [&words, &narrow] {
                let setting = Setting::body(&theme);
                let inlines = |text: &str| {
                    let mut inlines = Inlines::default();
                    inlines.push(text, InlineStyle::default());
                    inlines
                };
                let lay_out = |text: &str, earlier: &Flow| {
                    Flow::new(ui, &theme, &inlines(text), setting, 420.0, earlier)
                };
                let lines = |flow: &Flow| -> Vec<String> {
                    let rows = flow.pieces.iter().flat_map(|piece| &piece.galley.rows);
                    rows.map(|row| row.text()).collect()
                };
                let mut grown = Flow::default();
                for (end, _) in text.char_indices().step_by(37) {
                    grown = lay_out(text.get(..end).expect("a boundary"), &grown);
                }
                grown = lay_out(text, &grown);
                assert!(grown.pieces.len() > 3, "{}", grown.pieces.len());
                assert_eq!(lines(&grown), lines(&lay_out(text, &Flow::default())));
            }
        });
        output.drop_without_applying_deltas();
    }

    #[test]
    fn a_paragraph_that_grows_stays_one_paragraph() {
        let theme = Theme::dark(14);
        let ctx = egui::Context::default();
        theme::install_fonts(&ctx);
        let output = ctx.run_ui(egui::RawInput::default(), |ui| {
            let mut flow = Flow::default();
            for text in [
                "Here is a made",
                "Here is a made-up",
                "Here is a made-up task",
            ] {
                let mut inlines = Inlines::default();
                inlines.push(text, InlineStyle::default());
                let setting = Setting::body(&theme);
                flow = Flow::new(ui, &theme, &inlines, setting, 400.0, &flow);
                assert_eq!(flow.pieces.len(), 1, "{text}");
            }
        });
        output.drop_without_applying_deltas();
    }
}
