//! Text in one line or in a few, with an ellipsis where it does not fit.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Align2, Color32, FontId, Galley, Pos2, Rect, Response, Sense, Ui, Vec2};

/// A line of text, cut with an ellipsis at `max_width` points.
pub fn line_ui(ui: &Ui, text: &str, font: FontId, color: Color32, max_width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::single_section(text.to_owned(), TextFormat::simple(font, color));
    job.break_on_newline = false;
    job.wrap.max_rows = 1;
    job.wrap.break_anywhere = true;
    job.wrap.max_width = max_width.max(0.0);
    ui.painter().layout_job(job)
}

/// A line of text as a label of its own; the whole text on hover where it is cut.
pub fn label_ui(ui: &mut Ui, text: &str, font: FontId, color: Color32, max_width: f32) -> Response {
    let galley = line_ui(ui, text, font, color, max_width.min(ui.available_width()));
    let (rect, response) = ui.allocate_exact_size(galley.size(), Sense::hover());
    let is_cut = galley.elided;
    ui.painter().galley(rect.min, galley, color);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
    if is_cut {
        response.on_hover_text(text)
    } else {
        response
    }
}

/// Text in as many lines as it needs.
pub fn paragraph_ui(ui: &mut Ui, text: &str, font: FontId, color: Color32) -> Response {
    let line_height = (font.size * crate::ui::theme::LINE_HEIGHT).round();
    let mut format = TextFormat::simple(font, color);
    format.line_height = Some(line_height);
    let mut job = LayoutJob::single_section(text.to_owned(), format);
    job.wrap.max_width = ui.available_width();
    ui.add(egui::Label::new(job).selectable(true))
}

/// Draws a line with its middle at `y`, starting at `x`.
pub fn paint_at(ui: &Ui, x: f32, y: f32, galley: Arc<Galley>, color: Color32) -> Rect {
    let rect = Align2::LEFT_CENTER.anchor_size(Pos2::new(x, y), galley.size());
    ui.painter().galley(rect.min, galley, color);
    rect
}

/// Draws an icon in the middle of a square that stands at `x`, with its middle at `y`.
pub fn paint_icon(ui: &Ui, x: f32, y: f32, icon: &str, font: FontId, color: Color32) -> Rect {
    let size = font.size;
    let galley = line_ui(ui, icon, font, color, f32::INFINITY);
    let square = Rect::from_center_size(Pos2::new(x + size / 2.0, y), Vec2::splat(size));
    let rect = Align2::CENTER_CENTER.anchor_size(square.center(), galley.size());
    ui.painter().galley(rect.min, galley, color);
    square
}
