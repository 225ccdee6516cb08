//! A ring that fills, and a dot that says how things are.

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, epaint::PathShape};

/// Draws a ring in `rect` of which a share is filled, clockwise from the top. `share` is from 0 to 1.
pub fn paint_ring(painter: &Painter, rect: Rect, share: f32, filled: Color32, empty: Color32) {
    let width = 2.5;
    let radius = rect.width().min(rect.height()) / 2.0 - width / 2.0;
    painter.circle_stroke(rect.center(), radius, Stroke::new(width, empty));
    let share = share.clamp(0.0, 1.0);
    if share <= 0.0 {
        return;
    }
    let steps = (share * 48.0).ceil().max(1.0);
    let points: Vec<Pos2> = (0..=steps as u32)
        .map(|step| {
            let angle = std::f32::consts::TAU * share * step as f32 / steps;
            rect.center() + radius * egui::vec2(angle.sin(), -angle.cos())
        })
        .collect();
    painter.add(Shape::Path(PathShape::line(
        points,
        Stroke::new(width, filled),
    )));
}

/// Draws a dot with its middle at `center`.
pub fn paint_dot(painter: &Painter, center: Pos2, color: Color32) {
    painter.circle_filled(center, 3.5, color);
}
