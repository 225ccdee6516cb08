//! A button that shows when the pointer is near: it moves nothing, and the keyboard finds it all the same.

use egui::{Align2, Color32, CornerRadius, Id, Pos2, Rect, Role, Sense, Ui, Vec2, WidgetInfo};

use crate::ui::icons;
use crate::ui::theme::{BUTTON_RADIUS, Theme};
use crate::ui::widgets::button::focus_ring;
use crate::ui::widgets::text;

/// How far around the button its ground goes, in points: as far as to the next one.
const AROUND: f32 = 2.0;
/// How long a button that copies shows that it did, in seconds.
const DONE_SECS: f64 = 1.5;

/// The side of the button, in points.
pub fn size(theme: &Theme) -> f32 {
    theme.scaled(24.0)
}

/// A button with its right upper corner at `corner`, shown on its ground while the pointer is over `near`. Whether it was clicked.
pub fn reveal_button_ui(
    ui: &Ui,
    theme: &Theme,
    (icon, label): (&str, &str),
    ground: Color32,
    corner: Pos2,
    near: Rect,
    id: Id,
) -> bool {
    let rect = Align2::RIGHT_TOP.anchor_size(corner, Vec2::splat(size(theme)));
    if !ui.is_rect_visible(rect) {
        return false;
    }
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, label));
    let now = ui.input(|input| input.time);
    if response.clicked() {
        ui.data_mut(|data| data.insert_temp(id, now));
        ui.ctx().request_repaint_after_secs(DONE_SECS as f32);
    }
    let clicked_at: Option<f64> = ui.data(|data| data.get_temp(id));
    let is_done = clicked_at.is_some_and(|at| now - at < DONE_SECS);
    let is_near = ui.rect_contains_pointer(near) || response.has_focus() || is_done;
    if is_near {
        let fill = if response.is_pointer_button_down_on() {
            theme.pressed
        } else if response.hovered() {
            theme.hover
        } else {
            ground
        };
        // What it stands on is covered with its surroundings: half letters beside it would catch the eye.
        ui.painter()
            .rect_filled(rect.expand(AROUND), CornerRadius::ZERO, ground);
        ui.painter().rect_filled(rect, BUTTON_RADIUS, fill);
        focus_ring(ui, theme, rect, BUTTON_RADIUS, &response);
        let (icon, color) = if is_done {
            (icons::CHECK, theme.ok)
        } else {
            (icon, theme.secondary)
        };
        let font = theme.icon();
        text::paint_icon(
            ui,
            rect.center().x - font.size / 2.0,
            rect.center().y,
            icon,
            font,
            color,
        );
    }
    let clicked = response.clicked();
    response.on_hover_text(label);
    clicked
}
