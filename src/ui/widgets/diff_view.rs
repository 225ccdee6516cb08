//! A change as lines: numbers at the left, added and removed lines on a colored ground, the words that differ marked.
//! In one column, or with the old file at the left and the new one at the right.

use std::borrow::Cow;
use std::ops::Range;

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Color32, Id, Pos2, Rect, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, pos2, vec2,
};

use crate::ui::fonts::Face;
use crate::ui::text::code_view::{color, row_height};
use crate::ui::text::cx::{TextAction, TextCx};
use crate::ui::text::draw::galley_ui;
use crate::ui::text::highlight::{Class, Word};
use crate::ui::text::markdown::is_wide;
use crate::ui::text::selecting::Held;
use crate::ui::theme::{CARD_RADIUS, Theme};
use crate::ui::transcript::diff::{Line, Span, Tag, TextLine};
use crate::ui::transcript::kept_changes::KeptChanges;
use crate::ui::transcript::side_by_side::Pair;
use crate::ui::widgets::text;

const PADDING: f32 = 6.0;
const BAR: f32 = 8.0;
/// The least room for text in one of two columns, in points.
const SIDE_LEAST: f32 = 120.0;

/// In one column or in two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Unified,
    SideBySide,
}

/// Shows the first lines of a change over the whole width.
pub fn diff_view_ui(
    ui: &mut Ui,
    cx: &mut TextCx<'_>,
    kept: &mut KeptChanges,
    (shape, lines_most): (Shape, usize),
    id: Id,
) {
    let work = kept.highlight(cx, lines_most);
    cx.actions.extend(work.map(TextAction::Work));
    if shape == Shape::SideBySide && lines_most >= kept.changes().lines.len() {
        kept.pair_all();
    }
    let (lines, span) = kept.first_lines(lines_most);
    let rows = match shape {
        Shape::Unified => Rows::Lines(lines.len()),
        Shape::SideBySide => Rows::Pairs(kept.first_pairs(lines_most)),
    };
    let row = row_height(ui, cx.theme);
    let width = ui.available_width();
    let columns = Columns::of(ui, cx.theme, span, shape, width);
    let bar = if columns.is_wide { BAR } else { 0.0 };
    let height = rows.len() as f32 * row + 2.0 * PADDING + bar;
    let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    ui.painter().rect_filled(rect, CARD_RADIUS, cx.theme.sunken);
    let first = rect.min + vec2(0.0, PADDING);
    let view = Drawing {
        lines,
        words: kept.words(),
        rows: &rows,
        in_view: in_view(ui, first.y, row, rows.len()),
        row,
    };
    for (side, left) in columns.sides(rect.left()) {
        let sides = rect.with_min_x(left).with_max_x(left + columns.width);
        view.gutters_ui(ui, cx, side, (sides, first.y), &columns);
        let body = Rect::from_min_max(
            pos2(left + columns.gutter, first.y),
            pos2(left + columns.width - 1.0, rect.bottom() - 1.0),
        );
        let id = id.with(side);
        let mut child = ui.new_child(UiBuilder::new().max_rect(body).id_salt(id));
        child.spacing_mut().scroll.fade.strength = 0.0;
        child.shrink_clip_rect(body);
        if columns.is_wide {
            ScrollArea::horizontal()
                .id_salt(id.with("scroll"))
                .auto_shrink(false)
                .show(&mut child, |ui| {
                    let size = vec2(columns.text, rows.len() as f32 * row + bar);
                    let (content, _) = ui.allocate_exact_size(size, Sense::hover());
                    view.texts_ui(ui, cx, side, content.min, id);
                });
        } else {
            view.texts_ui(&child, cx, side, body.min, id);
        }
    }
    if shape == Shape::SideBySide {
        let x = rect.left() + columns.width;
        let line = Stroke::new(1.0, cx.theme.hairline);
        ui.painter().vline(x, rect.y_range(), line);
    }
    ui.painter().rect_stroke(
        rect,
        CARD_RADIUS,
        Stroke::new(1.0, cx.theme.hairline),
        StrokeKind::Inside,
    );
}

/// Which file a column shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Both,
    Old,
    New,
}

/// How wide numbers and text are.
struct Columns {
    shape: Shape,
    digits: f32,
    gutter: f32,
    text: f32,
    /// Of a column as a whole.
    width: f32,
    /// The text has to scroll sideways.
    is_wide: bool,
}

impl Columns {
    fn of(ui: &Ui, theme: &Theme, span: Span, shape: Shape, room: f32) -> Self {
        let (number, column) = ui.fonts_mut(|fonts| {
            (
                fonts.glyph_width(&number_font(theme), '0'),
                fonts.glyph_width(&theme.mono(), 'M'),
            )
        });
        let digits = number * (span.highest.max(1).ilog10() + 1).max(2) as f32;
        let (numbers, columns) = match shape {
            Shape::Unified => (2.0 * digits + 8.0, 1.0),
            Shape::SideBySide => (digits, 2.0),
        };
        let gutter = (numbers + column + 22.0).ceil();
        let width = (room / columns).max(gutter + SIDE_LEAST);
        let text = (span.widest as f32 * column).ceil() + 12.0;
        Self {
            shape,
            digits,
            gutter,
            text,
            width,
            is_wide: gutter + text > width,
        }
    }

    /// The columns and where each begins.
    fn sides(&self, left: f32) -> Vec<(Side, f32)> {
        match self.shape {
            Shape::Unified => vec![(Side::Both, left)],
            Shape::SideBySide => vec![(Side::Old, left), (Side::New, left + self.width)],
        }
    }
}

/// What stands in each row.
enum Rows<'a> {
    /// So many lines, one in each.
    Lines(usize),
    Pairs(Cow<'a, [Pair]>),
}

impl Rows<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Lines(count) => *count,
            Self::Pairs(pairs) => pairs.len(),
        }
    }

    /// The line that a column has in a row.
    fn line(&self, row: usize, side: Side) -> Option<usize> {
        match (self, side) {
            (Self::Lines(_), _) => Some(row),
            (Self::Pairs(pairs), Side::Both | Side::New) => pairs.get(row)?.new,
            (Self::Pairs(pairs), Side::Old) => pairs.get(row)?.old,
        }
    }
}

/// The lines that are drawn.
struct Drawing<'a> {
    lines: &'a [Line],
    words: &'a [Vec<Word>],
    rows: &'a Rows<'a>,
    in_view: Range<usize>,
    row: f32,
}

impl Drawing<'_> {
    /// What stands in a column of a row, and the number of its line.
    fn line(&self, row: usize, side: Side) -> Option<(usize, &Line)> {
        let index = self.rows.line(row, side)?;
        Some((index, self.lines.get(index)?))
    }

    fn gutters_ui(
        &self,
        ui: &Ui,
        cx: &TextCx<'_>,
        side: Side,
        (column, top): (Rect, f32),
        columns: &Columns,
    ) {
        for index in self.in_view.clone() {
            let at = pos2(column.left(), top + index as f32 * self.row);
            let rect = Rect::from_min_size(at, vec2(column.width(), self.row));
            if let Some((_, line)) = self.line(index, side) {
                paint_gutter(ui, cx, (line, side), rect, columns);
            }
        }
    }

    fn texts_ui(&self, ui: &Ui, cx: &mut TextCx<'_>, side: Side, at: Pos2, id: Id) {
        self.note_current_ui(ui, cx, side, at);
        for index in self.in_view.clone() {
            let Some((line_index, Line::Text(line))) = self.line(index, side) else {
                continue;
            };
            let words = self.words.get(line_index).map_or(&[][..], Vec::as_slice);
            let job = job(cx.theme, line, words, self.row);
            let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
            let at = pos2(at.x, at.y + index as f32 * self.row);
            // Who found it may not know where a removed line stands among the others.
            let found = cx.finding.current_unit();
            let found = found.map(|unit| (unit.index, unit.cell));
            let place = line.place();
            let (number, file) = found.filter(|found| line.is_at(*found)).unwrap_or(place);
            cx.finding.at(number, file);
            cx.finding
                .mark_ui(ui, cx.theme, &line.text, (&galley, at, 0));
            cx.finding.at(place.0, place.1);
            galley_ui(ui, cx, &galley, at, id.with(line_index), Held::Part(0));
        }
    }

    /// Says where the current match is when it is out of view.
    fn note_current_ui(&self, ui: &Ui, cx: &mut TextCx<'_>, side: Side, at: Pos2) {
        let Some(unit) = cx.finding.current_unit() else {
            return;
        };
        let is_current = |row: &usize| match self.line(*row, side) {
            Some((_, Line::Text(line))) => line.is_at((unit.index, unit.cell)),
            _ => false,
        };
        let found = (0..self.rows.len()).find(is_current);
        if let Some(index) = found.filter(|index| !self.in_view.contains(index)) {
            let at = pos2(at.x, at.y + index as f32 * self.row);
            let rect = Rect::from_min_size(at, vec2(self.row, self.row));
            cx.finding.note_place_ui(ui, rect);
        }
    }
}

fn in_view(ui: &Ui, top: f32, row: f32, count: usize) -> Range<usize> {
    let clip = ui.clip_rect();
    let first = ((clip.top() - top) / row).floor().max(0.0) as usize;
    let last = ((clip.bottom() - top) / row).ceil().max(0.0) as usize;
    first.min(count)..last.min(count)
}

fn paint_gutter(
    ui: &Ui,
    cx: &TextCx<'_>,
    (line, side): (&Line, Side),
    rect: Rect,
    columns: &Columns,
) {
    let theme = cx.theme;
    let y = rect.center().y;
    let line = match line {
        Line::Text(line) => line,
        Line::Gap { lines } => {
            ui.painter().rect_filled(rect, 0.0, theme.raised);
            if side == Side::New {
                return;
            }
            let words = cx
                .i18n
                .tr_args("transcript.diff.unchanged", &[("count", (*lines).into())]);
            let galley = text::line_ui(ui, &words, theme.meta(), theme.secondary, rect.width());
            text::paint_at(ui, rect.left() + columns.gutter, y, galley, theme.secondary);
            return;
        }
    };
    let (ground, sign, color) = match line.tag {
        Tag::Same => (Color32::TRANSPARENT, "", theme.secondary),
        Tag::Added => (theme.diff_added, "+", theme.ok),
        Tag::Removed => (theme.diff_removed, "−", theme.error),
    };
    ui.painter().rect_filled(rect, 0.0, ground);
    let number = |number: Option<usize>, right: f32| {
        let Some(number) = number else { return };
        let galley = text::line_ui(
            ui,
            &number.to_string(),
            number_font(theme),
            theme.secondary,
            f32::INFINITY,
        );
        text::paint_at(ui, right - galley.size().x, y, galley, theme.secondary);
    };
    let left = rect.left() + 8.0;
    let numbers_right = match side {
        Side::Both => {
            number(line.old, left + columns.digits);
            number(line.new, left + 2.0 * columns.digits + 8.0);
            left + 2.0 * columns.digits + 8.0
        }
        Side::Old => {
            number(line.old, left + columns.digits);
            left + columns.digits
        }
        Side::New => {
            number(line.new, left + columns.digits);
            left + columns.digits
        }
    };
    let galley = text::line_ui(ui, sign, theme.mono(), color, f32::INFINITY);
    text::paint_at(ui, numbers_right + 6.0, y, galley, color);
}

/// A line in the colors of its words, with what differs on a ground of its own.
fn job(theme: &Theme, line: &TextLine, words: &[Word], row: f32) -> LayoutJob {
    let ground = match line.tag {
        Tag::Same => Color32::TRANSPARENT,
        Tag::Added => theme.diff_added_word,
        Tag::Removed => theme.diff_removed_word,
    };
    let mut job = LayoutJob {
        break_on_newline: false,
        ..LayoutJob::default()
    };
    let length = line.text.len();
    let word_ends = words.iter().map(|word| (word.end as usize).min(length));
    let mark_ends = line.marks.iter().flat_map(|mark| [mark.start, mark.end]);
    let mut ends: Vec<usize> = word_ends.chain(mark_ends).chain([length]).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut start = 0;
    for end in ends {
        let word = words.iter().find(|word| word.end as usize > start);
        let is_marked = line.marks.iter().any(|mark| mark.contains(&start));
        let format = TextFormat {
            font_id: theme.mono(),
            // On a strong ground the plain color is read best.
            color: match word.map(|word| word.class) {
                Some(class) if !is_marked => color(theme, class),
                _ => color(theme, Class::Plain),
            },
            background: if is_marked {
                ground
            } else {
                Color32::TRANSPARENT
            },
            line_height: Some(row),
            expand_bg: 0.0,
            ..TextFormat::default()
        };
        job.append(line.text.get(start..end).unwrap_or_default(), 0.0, format);
        start = end;
    }
    job
}

fn number_font(theme: &Theme) -> egui::FontId {
    Face::Mono.sized(theme.size.mono - 2.0)
}

/// The columns that a text takes in a line; a wide character takes two.
pub fn text_columns(text: &str) -> usize {
    let columns = |c| if is_wide(c) { 2 } else { 1 };
    text.chars().map(columns).sum()
}
