//! Text in lines in a sunken box of bounded height.

use egui::{Id, Pos2, Rect, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, Vec2, vec2};

use crate::ui::icons;
use crate::ui::text::code_view::CodeView;
use crate::ui::text::cx::{TextAction, TextCx};
use crate::ui::text::terminal_view::TerminalView;
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

/// Lines that a box shows.
pub trait Lines {
    /// The room all of them take, in points.
    fn size(&self, ui: &Ui, cx: &TextCx<'_>) -> Vec2;
    /// Draws those that are in view.
    fn lines_ui(&mut self, ui: &Ui, cx: &mut TextCx<'_>, top_left: Pos2, id: Id);
    /// What is copied.
    fn text(&self) -> String;
}

/// A text with its view.
pub struct CodeLines<'a> {
    pub view: &'a mut CodeView,
    pub text: &'a str,
}

impl Lines for CodeLines<'_> {
    fn size(&self, ui: &Ui, cx: &TextCx<'_>) -> Vec2 {
        vec2(
            self.view.width(ui, cx.theme),
            self.view.height(ui, cx.theme),
        )
    }

    fn lines_ui(&mut self, ui: &Ui, cx: &mut TextCx<'_>, top_left: Pos2, id: Id) {
        self.view.lines_ui(ui, cx, self.text, top_left, id);
    }

    fn text(&self) -> String {
        self.text.to_owned()
    }
}

impl Lines for TerminalView {
    fn size(&self, ui: &Ui, cx: &TextCx<'_>) -> Vec2 {
        Self::size(self, ui, cx.theme)
    }

    fn lines_ui(&mut self, ui: &Ui, cx: &mut TextCx<'_>, top_left: Pos2, id: Id) {
        Self::lines_ui(self, ui, cx, top_left, id);
    }

    fn text(&self) -> String {
        Self::text(self)
    }
}

/// Shows the lines over the whole width. Whether there is more than fits.
pub fn output_box_ui(
    ui: &mut Ui,
    cx: &mut TextCx<'_>,
    lines: &mut dyn Lines,
    bound: Bound,
    id: Id,
) -> bool {
    let size = lines.size(ui, cx);
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
                lines.lines_ui(ui, cx, content.min, id);
            });
    } else {
        lines.lines_ui(&child, cx, inner.min, id);
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
        cx.actions.push(TextAction::Copy(lines.text()));
    }
    is_high
}
