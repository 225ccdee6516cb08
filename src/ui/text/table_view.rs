//! Tables laid out: columns as wide as their content, text wrapped where there is not enough room, and a scroll bar of
//! their own where wrapping is not enough.

use egui::{
    CornerRadius, FontId, Id, Pos2, Rect, ScrollArea, Stroke, StrokeKind, Ui, UiBuilder, pos2, vec2,
};

use crate::ui::fonts::Face;
use crate::ui::text::cx::TextCx;
use crate::ui::text::draw::flow_ui;
use crate::ui::text::flow::{Flow, Setting, Weight};
use crate::ui::text::inline::{InlineStyle, Inlines};
use crate::ui::text::part::{Align, Table};
use crate::ui::theme::{CARD_RADIUS, Theme};

/// Rows beyond this are cut to one line each, so that their height is known without a layout.
const WRAPPED_ROWS_MOST: usize = 150;
/// The width of a column's content where it has to wrap, in points.
const COLUMN_LEAST: f32 = 72.0;
const COLUMN_MOST: f32 = 320.0;
const PADDING: egui::Vec2 = vec2(12.0, 6.0);

/// What is kept of a table.
#[derive(Debug, Default)]
pub struct TableView {
    columns: Vec<f32>,
    rows: Vec<TableRow>,
    /// The height of a row that is not laid out.
    line: f32,
}

#[derive(Debug, Default)]
struct TableRow {
    top: f32,
    height: f32,
    cells: Vec<Flow>,
}

impl TableView {
    /// Chooses the widths of the columns and lays out the rows.
    pub fn layout(&mut self, ui: &Ui, cx: &mut TextCx<'_>, table: &Table, width: f32) {
        self.columns = columns(ui, cx.theme, table, width);
        self.rows.clear();
        self.line =
            (cx.theme.size.body * crate::ui::theme::LINE_HEIGHT_JAPANESE).round() + PADDING.y * 2.0;
        let mut top = 0.0;
        for index in 0..=table.rows.len() {
            let cells = if index <= WRAPPED_ROWS_MOST {
                self.cells(ui, cx, table, index)
            } else {
                Vec::new()
            };
            let text_height = cells.iter().map(|cell| cell.size.y).fold(0.0, f32::max);
            let height = if cells.is_empty() {
                self.line
            } else {
                text_height + PADDING.y * 2.0
            };
            self.rows.push(TableRow { top, height, cells });
            top += height;
        }
        cx.laid_out += 1;
    }

    /// The height of the table.
    pub fn height(&self) -> f32 {
        self.rows.last().map_or(0.0, |row| row.top + row.height)
    }

    /// Draws the rows that are in view.
    pub fn table_ui(
        &mut self,
        ui: &mut Ui,
        cx: &mut TextCx<'_>,
        table: &Table,
        rect: Rect,
        id: Id,
    ) {
        let content: f32 = self.columns.iter().sum();
        let shown = Rect::from_min_size(rect.min, vec2(content.min(rect.width()), self.height()));
        ui.painter()
            .rect_filled(shown, CARD_RADIUS, cx.theme.raised.gamma_multiply(0.5));
        let mut child = ui.new_child(UiBuilder::new().max_rect(shown).id_salt(id));
        child.spacing_mut().scroll.fade.strength = 0.0;
        child.shrink_clip_rect(shown.expand(1.0).intersect(ui.clip_rect()));
        if content > rect.width() + 0.5 {
            let size = vec2(content, self.height());
            ScrollArea::horizontal()
                .id_salt(id.with("scroll"))
                .auto_shrink(false)
                .show(&mut child, |ui| {
                    let (inner, _) = ui.allocate_exact_size(size, egui::Sense::hover());
                    self.rows_ui(ui, cx, table, inner.min, id);
                });
        } else {
            self.rows_ui(&child, cx, table, shown.min, id);
        }
        let border = Stroke::new(1.0, cx.theme.hairline);
        ui.painter()
            .rect_stroke(shown, CARD_RADIUS, border, StrokeKind::Inside);
    }

    fn rows_ui(&mut self, ui: &Ui, cx: &mut TextCx<'_>, table: &Table, at: Pos2, id: Id) {
        let clip = ui.clip_rect();
        let width: f32 = self.columns.iter().sum();
        for index in 0..self.rows.len() {
            let Some((top, height)) = self.rows.get(index).map(|row| (at.y + row.top, row.height))
            else {
                continue;
            };
            if top > clip.bottom() || top + height < clip.top() {
                continue;
            }
            let row = Rect::from_min_size(pos2(at.x, top), vec2(width, height));
            if index == 0 {
                let radius = CornerRadius {
                    sw: 0,
                    se: 0,
                    ..CARD_RADIUS
                };
                ui.painter().rect_filled(row, radius, cx.theme.hover);
            } else {
                let line = Stroke::new(1.0, cx.theme.hairline);
                ui.painter().hline(row.x_range(), row.top(), line);
            }
            self.row_ui(ui, cx, table, index, row, id.with(index));
        }
    }

    fn row_ui(
        &mut self,
        ui: &Ui,
        cx: &mut TextCx<'_>,
        table: &Table,
        index: usize,
        rect: Rect,
        id: Id,
    ) {
        let late = if self.rows.get(index).is_some_and(|row| row.cells.is_empty()) {
            self.cells(ui, cx, table, index)
        } else {
            Vec::new()
        };
        let Some(row) = self.rows.get(index) else {
            return;
        };
        let cells = if row.cells.is_empty() {
            &late
        } else {
            &row.cells
        };
        let texts = if index == 0 {
            Some(&table.head)
        } else {
            table.rows.get(index - 1)
        };
        let mut left = rect.left();
        for (column, cell) in cells.iter().enumerate() {
            let width = self.columns.get(column).copied().unwrap_or_default();
            let room = width - PADDING.x * 2.0 - cell.size.x;
            let shift = match table.columns.get(column) {
                Some(Align::Center) => (room / 2.0).max(0.0).round(),
                Some(Align::Right) => room.max(0.0),
                Some(Align::Left) | None => 0.0,
            };
            let links = texts
                .and_then(|texts| texts.get(column))
                .map(|text| text.links.as_slice());
            let at = pos2(left + PADDING.x + shift, rect.top() + PADDING.y);
            cx.finding.at_cell(index * self.columns.len() + column);
            flow_ui(ui, cx, cell, links.unwrap_or_default(), at, id.with(column));
            left += width;
        }
    }

    /// Lays out a row; the head is row 0.
    fn cells(&self, ui: &Ui, cx: &TextCx<'_>, table: &Table, index: usize) -> Vec<Flow> {
        let (texts, weight) = match index.checked_sub(1) {
            None => (Some(&table.head), Weight::SemiBold),
            Some(index) => (table.rows.get(index), Weight::Regular),
        };
        let setting = Setting {
            weight,
            ..Setting::body(cx.theme)
        };
        let is_cut = index > WRAPPED_ROWS_MOST;
        let lay_out = |(column, text): (usize, &Inlines)| {
            let width = self.columns.get(column).copied().unwrap_or(COLUMN_LEAST) - PADDING.x * 2.0;
            let text = if is_cut {
                first_words(text)
            } else {
                text.clone()
            };
            Flow::new(ui, cx.theme, &text, setting, width, &Flow::default())
        };
        texts
            .map(|texts| texts.iter().enumerate().map(lay_out).collect())
            .unwrap_or_default()
    }
}

/// About one line of a cell.
fn first_words(text: &Inlines) -> Inlines {
    let mut short = Inlines::default();
    let end = text
        .text
        .char_indices()
        .nth(30)
        .map_or(text.text.len(), |(at, _)| at);
    short.push(
        text.text.get(..end).unwrap_or_default(),
        InlineStyle::default(),
    );
    if end < text.text.len() {
        short.push("…", InlineStyle::default());
    }
    short
}

/// The widths of the columns, padding included.
fn columns(ui: &Ui, theme: &Theme, table: &Table, width: f32) -> Vec<f32> {
    let natural: Vec<f32> = (0..table.columns.len())
        .map(|column| natural_width(ui, theme, table, column) + PADDING.x * 2.0)
        .collect();
    if natural.iter().sum::<f32>() <= width {
        return natural;
    }
    fit(&natural, width).unwrap_or_else(|| {
        let most = COLUMN_MOST + PADDING.x * 2.0;
        natural.iter().map(|width| width.min(most)).collect()
    })
}

/// Narrow columns stay as they are, wide ones share what is left. `None` when that is too little.
fn fit(natural: &[f32], width: f32) -> Option<Vec<f32>> {
    let mut share = width / natural.len() as f32;
    for _ in 0..natural.len() {
        let narrow: Vec<f32> = natural
            .iter()
            .copied()
            .filter(|width| *width <= share)
            .collect();
        let wide = natural.len() - narrow.len();
        if wide == 0 {
            break;
        }
        let next = (width - narrow.iter().sum::<f32>()) / wide as f32;
        if next <= share {
            break;
        }
        share = next;
    }
    let is_enough = share >= COLUMN_LEAST + PADDING.x * 2.0;
    is_enough.then(|| {
        natural
            .iter()
            .map(|width| width.min(share).floor())
            .collect()
    })
}

fn natural_width(ui: &Ui, theme: &Theme, table: &Table, column: usize) -> f32 {
    let head = table
        .head
        .get(column)
        .map(|text| text_width(ui, text, &Face::SemiBold.sized(theme.size.body)));
    let rows = table
        .rows
        .iter()
        .take(WRAPPED_ROWS_MOST)
        .filter_map(|row| row.get(column));
    let body = rows
        .map(|text| text_width(ui, text, &theme.body()))
        .fold(0.0, f32::max);
    head.unwrap_or_default().max(body).ceil() + 2.0
}

/// How wide a text is in one line, about: what is in another face is a little wider.
fn text_width(ui: &Ui, text: &Inlines, font: &FontId) -> f32 {
    let mono = FontId {
        family: Face::Mono.family(),
        ..font.clone()
    };
    ui.fonts_mut(|fonts| {
        text.runs()
            .map(|(run, style)| {
                let font = if style.voice == crate::ui::text::inline::Voice::Code {
                    &mono
                } else {
                    font
                };
                let bold = if style.strong { 1.04 } else { 1.0 };
                run.chars().map(|c| fonts.glyph_width(font, c)).sum::<f32>() * bold
            })
            .sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_columns_keep_their_width() {
        assert_eq!(fit(&[100.0, 800.0], 500.0), Some(vec![100.0, 400.0]));
        assert_eq!(
            fit(&[100.0, 400.0, 400.0], 500.0),
            Some(vec![100.0, 200.0, 200.0])
        );
        assert_eq!(fit(&[200.0; 8], 500.0), None);
    }
}
