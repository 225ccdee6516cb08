//! A change as lines: numbers at the left, added and removed lines on a colored ground, the words that differ marked.

use std::ops::Range;

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Color32, Id, Pos2, Rect, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, pos2, vec2,
};

use crate::ui::fonts::Face;
use crate::ui::text::code_view::row_height;
use crate::ui::text::cx::TextCx;
use crate::ui::text::draw::galley_ui;
use crate::ui::text::markdown::is_wide;
use crate::ui::theme::{CARD_RADIUS, Theme};
use crate::ui::transcript::diff::{Changes, Line, Tag, TextLine};
use crate::ui::widgets::text;

const PADDING: f32 = 6.0;
const BAR: f32 = 8.0;

/// Shows the first lines of a change over the whole width.
pub fn diff_view_ui(
    ui: &mut Ui,
    cx: &mut TextCx<'_>,
    changes: &Changes,
    lines_most: usize,
    id: Id,
) {
    let lines = changes
        .lines
        .get(..lines_most.min(changes.lines.len()))
        .unwrap_or_default();
    let row = row_height(ui, cx.theme);
    let columns = Columns::of(ui, cx.theme, lines);
    let width = ui.available_width();
    let is_wide = columns.gutter + columns.text > width;
    let bar = if is_wide { BAR } else { 0.0 };
    let height = lines.len() as f32 * row + 2.0 * PADDING + bar;
    let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    ui.painter().rect_filled(rect, CARD_RADIUS, cx.theme.sunken);
    let first = rect.min + vec2(0.0, PADDING);
    let in_view = in_view(ui, first.y, row, lines.len());
    for (index, line) in lines
        .iter()
        .enumerate()
        .skip(in_view.start)
        .take(in_view.len())
    {
        let at = pos2(rect.left(), first.y + index as f32 * row);
        let line_rect = Rect::from_min_size(at, vec2(width, row));
        paint_gutter(ui, cx, line, line_rect, &columns);
    }
    let body = Rect::from_min_max(
        pos2(rect.left() + columns.gutter, first.y),
        rect.max - vec2(1.0, 1.0),
    );
    let mut child = ui.new_child(UiBuilder::new().max_rect(body).id_salt(id));
    child.spacing_mut().scroll.fade.strength = 0.0;
    child.shrink_clip_rect(body);
    if is_wide {
        ScrollArea::horizontal()
            .id_salt(id.with("scroll"))
            .auto_shrink(false)
            .show(&mut child, |ui| {
                let size = vec2(columns.text, lines.len() as f32 * row + bar);
                let (content, _) = ui.allocate_exact_size(size, Sense::hover());
                lines_ui(ui, cx, lines, content.min, in_view.clone(), id);
            });
    } else {
        lines_ui(&child, cx, lines, body.min, in_view, id);
    }
    ui.painter().rect_stroke(
        rect,
        CARD_RADIUS,
        Stroke::new(1.0, cx.theme.hairline),
        StrokeKind::Inside,
    );
}

/// How wide numbers and text are.
struct Columns {
    digits: f32,
    gutter: f32,
    text: f32,
}

impl Columns {
    fn of(ui: &Ui, theme: &Theme, lines: &[Line]) -> Self {
        let (mut highest, mut widest) = (1_usize, 0);
        for line in lines {
            if let Line::Text(line) = line {
                highest = highest
                    .max(line.old.unwrap_or(0))
                    .max(line.new.unwrap_or(0));
                let columns: usize = line
                    .text
                    .chars()
                    .map(|c| if is_wide(c) { 2 } else { 1 })
                    .sum();
                widest = widest.max(columns);
            }
        }
        let (number, column) = ui.fonts_mut(|fonts| {
            (
                fonts.glyph_width(&number_font(theme), '0'),
                fonts.glyph_width(&theme.mono(), 'M'),
            )
        });
        let digits = number * (highest.ilog10() + 1).max(2) as f32;
        Self {
            digits,
            gutter: (2.0 * digits + column + 30.0).ceil(),
            text: (widest as f32 * column).ceil() + 12.0,
        }
    }
}

fn in_view(ui: &Ui, top: f32, row: f32, count: usize) -> Range<usize> {
    let clip = ui.clip_rect();
    let first = ((clip.top() - top) / row).floor().max(0.0) as usize;
    let last = ((clip.bottom() - top) / row).ceil().max(0.0) as usize;
    first.min(count)..last.min(count)
}

fn paint_gutter(ui: &Ui, cx: &TextCx<'_>, line: &Line, rect: Rect, columns: &Columns) {
    let theme = cx.theme;
    let y = rect.center().y;
    let line = match line {
        Line::Text(line) => line,
        Line::Gap { lines } => {
            ui.painter().rect_filled(rect, 0.0, theme.raised);
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
    number(line.old, left + columns.digits);
    number(line.new, left + 2.0 * columns.digits + 8.0);
    let galley = text::line_ui(ui, sign, theme.mono(), color, f32::INFINITY);
    text::paint_at(ui, left + 2.0 * columns.digits + 14.0, y, galley, color);
}

fn lines_ui(ui: &Ui, cx: &mut TextCx<'_>, lines: &[Line], at: Pos2, in_view: Range<usize>, id: Id) {
    let row = row_height(ui, cx.theme);
    if let Some(unit) = cx.finding.current_unit() {
        let is_current = |line: &Line| match line {
            Line::Text(line) => line.place() == (unit.index, unit.cell),
            Line::Gap { .. } => false,
        };
        let found = lines.iter().position(is_current);
        if let Some(index) = found.filter(|index| !in_view.contains(index)) {
            let at = pos2(at.x, at.y + index as f32 * row);
            let rect = Rect::from_min_size(at, vec2(row, row));
            cx.finding.note_place_ui(ui, rect);
        }
    }
    for (index, line) in lines
        .iter()
        .enumerate()
        .skip(in_view.start)
        .take(in_view.len())
    {
        let Line::Text(line) = line else { continue };
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job(cx.theme, line, row)));
        let at = pos2(at.x, at.y + index as f32 * row);
        let (number, side) = line.place();
        cx.finding.at(number, side);
        cx.finding
            .mark_ui(ui, cx.theme, &line.text, (&galley, at, 0));
        galley_ui(ui, &galley, at, id.with(index));
    }
}

fn job(theme: &Theme, line: &TextLine, row: f32) -> LayoutJob {
    let mark = match line.tag {
        Tag::Same => Color32::TRANSPARENT,
        Tag::Added => theme.diff_added_word,
        Tag::Removed => theme.diff_removed_word,
    };
    let plain = TextFormat {
        font_id: theme.mono(),
        color: theme.text,
        line_height: Some(row),
        expand_bg: 0.0,
        ..TextFormat::default()
    };
    let mut job = LayoutJob {
        break_on_newline: false,
        ..LayoutJob::default()
    };
    let mut start = 0;
    for range in &line.marks {
        job.append(
            line.text.get(start..range.start).unwrap_or_default(),
            0.0,
            plain.clone(),
        );
        let marked = TextFormat {
            background: mark,
            ..plain.clone()
        };
        job.append(
            line.text.get(range.clone()).unwrap_or_default(),
            0.0,
            marked,
        );
        start = range.end;
    }
    job.append(line.text.get(start..).unwrap_or_default(), 0.0, plain);
    job
}

fn number_font(theme: &Theme) -> egui::FontId {
    Face::Mono.sized(theme.size.mono - 2.0)
}
