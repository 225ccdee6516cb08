//! A card that is docked above the composer, with a bar of its color at its left.

use egui::{Color32, CornerRadius, Frame, Margin, Rect, Stroke, Ui};

use crate::ui::theme::{CARD_RADIUS, Theme};

/// The width of the bar in points.
const BAR: f32 = 3.0;
/// The space between the card's edge and its content, in points.
pub const PADDING: f32 = 12.0;

/// Shows a card over the whole width; where it stands.
pub fn card_ui<R>(
    ui: &mut Ui,
    theme: &Theme,
    bar: Color32,
    add_contents: impl FnOnce(&mut Ui) -> R,
) -> (Rect, R) {
    let frame = Frame {
        inner_margin: Margin {
            left: (PADDING + BAR) as i8,
            right: PADDING as i8,
            top: PADDING as i8,
            bottom: PADDING as i8,
        },
        fill: theme.raised,
        stroke: Stroke::new(1.0, theme.border),
        corner_radius: CARD_RADIUS,
        ..Frame::NONE
    };
    let shown = frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        add_contents(ui)
    });
    let rect = shown.response.rect;
    let radius = CornerRadius {
        ne: 0,
        se: 0,
        ..CARD_RADIUS
    };
    // The bar follows the rounded edge: a shape as wide as the radius, of which only the bar's width is drawn.
    let painter = ui.painter().with_clip_rect(Rect::from_min_max(
        rect.min,
        egui::pos2(rect.left() + BAR, rect.bottom()),
    ));
    let shape = Rect::from_min_max(
        rect.min,
        egui::pos2(rect.left() + f32::from(CARD_RADIUS.nw) * 2.0, rect.bottom()),
    );
    painter.rect_filled(shape, radius, bar);
    (rect, shown.inner)
}
