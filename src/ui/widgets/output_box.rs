//! Text in lines in a sunken box of bounded height.

use egui::{Id, Rect, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, vec2};

use crate::ui::icons;
use crate::ui::text::code_view::CodeView;
use crate::ui::text::cx::{TextAction, TextCx};
use crate::ui::theme::CARD_RADIUS;
use crate::ui::widgets::reveal::reveal_button_ui;

/// How high the box gets before it scrolls, in points.
pub const HEIGHT_MOST: f32 = 240.0;
const PADDING: egui::Vec2 = vec2(10.0, 8.0);
const BAR: f32 = 8.0;

/// How high a box may get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// It scrolls beyond [`HEIGHT_MOST`].
    Scrolls,
    /// It scrolls and follows its end.
    Follows,
    None,
}

/// Shows the text over the whole width. Whether there is more than fits.
pub fn output_box_ui(
    ui: &mut Ui,
    cx: &mut TextCx<'_>,
    view: &mut CodeView,
    text: &str,
    bound: Bound,
    id: Id,
) -> bool {
    let size = vec2(view.width(ui, cx.theme), view.height(ui, cx.theme));
    let width = ui.available_width();
    let is_wide = size.x > width - 2.0 * PADDING.x;
    let bar = if is_wide { BAR } else { 0.0 };
    let most = if bound == Bound::None {
        f32::INFINITY
    } else {
        HEIGHT_MOST
    };
    let is_high = size.y > most;
    let height = size.y.min(most) + 2.0 * PADDING.y + bar;
    let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    ui.painter().rect_filled(rect, CARD_RADIUS, cx.theme.sunken);
    let inner = Rect::from_min_max(
        rect.min + PADDING,
        rect.max - vec2(2.0, if is_high { 2.0 } else { PADDING.y }),
    );
    let mut child = ui.new_child(UiBuilder::new().max_rect(inner).id_salt(id));
    child.spacing_mut().scroll.fade.strength = 0.0;
    child.shrink_clip_rect(rect.shrink(1.0));
    if is_wide || is_high {
        let area = ScrollArea::new([is_wide, is_high])
            .id_salt(id.with("scroll"))
            .auto_shrink(false);
        area.stick_to_bottom(bound == Bound::Follows)
            .show(&mut child, |ui| {
                let (content, _) =
                    ui.allocate_exact_size(size + vec2(PADDING.x, bar), Sense::hover());
                view.lines_ui(ui, cx, text, content.min, id);
            });
    } else {
        view.lines_ui(&child, cx, text, inner.min, id);
    }
    ui.painter().rect_stroke(
        rect,
        CARD_RADIUS,
        Stroke::new(1.0, cx.theme.hairline),
        StrokeKind::Inside,
    );
    let label = cx.i18n.tr("transcript.output.copy");
    let corner = rect.right_top() + vec2(-4.0, 4.0);
    if reveal_button_ui(
        ui,
        cx.theme,
        (icons::COPY, label),
        cx.theme.sunken,
        corner,
        rect,
        id.with("copy"),
    ) {
        cx.actions.push(TextAction::Copy(text.to_owned()));
    }
    is_high
}
