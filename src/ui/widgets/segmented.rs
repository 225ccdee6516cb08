//! A few choices side by side, of which one is on.

use egui::{Color32, Rect, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo};

use crate::ui::theme::{BUTTON_RADIUS, Theme};
use crate::ui::widgets::{button::focus_ring, text};

/// Shows the choices over the whole width; the index of the one that was clicked.
pub fn segmented_ui(
    ui: &mut Ui,
    theme: &Theme,
    choices: &[&str],
    chosen: Option<usize>,
) -> Option<usize> {
    let size = Vec2::new(ui.available_width(), theme.scaled(28.0));
    let (_, rect) = ui.allocate_space(size);
    ui.painter().rect(
        rect,
        BUTTON_RADIUS,
        theme.sunken,
        Stroke::new(1.0, theme.hairline),
        StrokeKind::Inside,
    );
    let width = rect.width() / choices.len().max(1) as f32;
    let mut clicked = None;
    for (index, choice) in choices.iter().enumerate() {
        let left = rect.left() + width * index as f32;
        let cell = Rect::from_min_size(egui::pos2(left, rect.top()), Vec2::new(width, size.y));
        let id = ui.next_auto_id();
        ui.skip_ahead_auto_ids(1);
        let response = ui.interact(cell, id, Sense::click());
        let is_on = chosen == Some(index);
        let fill = if is_on {
            theme.pressed
        } else if response.hovered() {
            theme.hover
        } else {
            Color32::TRANSPARENT
        };
        let inner = cell.shrink(2.0);
        ui.painter().rect_filled(inner, BUTTON_RADIUS, fill);
        focus_ring(ui, theme, inner, BUTTON_RADIUS, &response);
        let color = if is_on { theme.text } else { theme.secondary };
        let galley = text::line_ui(ui, choice, theme.meta(), color, width - 8.0);
        let x = cell.center().x - galley.size().x / 2.0;
        text::paint_at(ui, x, cell.center().y, galley, color);
        response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_on, choice));
        if response.clicked() {
            clicked = Some(index);
        }
    }
    clicked
}
