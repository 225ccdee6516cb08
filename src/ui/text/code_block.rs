//! A code block: a sunken box with its language, a button that copies, and a scroll bar of its own.

use egui::{Id, Pos2, Rect, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, pos2, vec2};

use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::text::code_view::{CodeView, row_height};
use crate::ui::text::cx::{TextAction, TextCx};
use crate::ui::text::part::Code;
use crate::ui::theme::{CARD_RADIUS, Theme};
use crate::ui::widgets::reveal::{self, reveal_button_ui};
use crate::ui::widgets::text;

const PADDING: egui::Vec2 = vec2(12.0, 10.0);
/// The scroll bar stands below the last line.
const BAR: f32 = 8.0;

/// The height of the block.
pub fn height(ui: &Ui, theme: &Theme, view: &CodeView, language: &str) -> f32 {
    head_height(theme, language) + view.height(ui, theme) + PADDING.y
}

/// Draws the block.
pub fn code_block_ui(
    ui: &mut Ui,
    cx: &mut TextCx<'_>,
    view: &mut CodeView,
    code: &Code,
    rect: Rect,
    id: Id,
) {
    ui.painter().rect_filled(rect, CARD_RADIUS, cx.theme.sunken);
    let border = Stroke::new(1.0, cx.theme.hairline);
    ui.painter()
        .rect_stroke(rect, CARD_RADIUS, border, StrokeKind::Inside);
    let head = head_height(cx.theme, &code.language);
    let language = code
        .language
        .split([' ', ',', '{'])
        .next()
        .unwrap_or_default();
    if !language.is_empty() {
        let galley = text::line_ui(
            ui,
            language,
            cx.theme.meta(),
            cx.theme.secondary,
            rect.width() / 2.0,
        );
        text::paint_at(
            ui,
            rect.left() + PADDING.x,
            rect.top() + head / 2.0 + 1.0,
            galley,
            cx.theme.secondary,
        );
    }
    let top = pos2(rect.left() + PADDING.x, rect.top() + head);
    let gutter = if cx.line_numbers {
        numbers_ui(ui, cx, view.line_count(), top)
    } else {
        0.0
    };
    let body = Rect::from_min_max(top + vec2(gutter, 0.0), rect.max - vec2(1.0, 0.0));
    lines_ui(ui, cx, view, &code.text, body, id);
    let corner = pos2(rect.right() - 4.0, rect.top() + 4.0);
    let beside = corner - vec2(reveal::size(cx.theme) + 2.0, 0.0);
    let label = if cx.line_numbers {
        "transcript.code.numbers.hide"
    } else {
        "transcript.code.numbers.show"
    };
    let what = (icons::LIST, cx.i18n.tr(label));
    let ground = cx.theme.sunken;
    if reveal_button_ui(ui, cx.theme, what, ground, beside, rect, id.with("numbers")) {
        let shown = !cx.line_numbers;
        cx.actions.push(TextAction::ShowLineNumbers(shown));
    }
    let label = cx.i18n.tr("transcript.code.copy");
    if reveal_button_ui(
        ui,
        cx.theme,
        (icons::COPY, label),
        cx.theme.sunken,
        corner,
        rect,
        id.with("copy"),
    ) {
        cx.actions.push(TextAction::Copy(code.text.clone()));
    }
}

/// Draws the numbers of the lines in view; how much room they take.
fn numbers_ui(ui: &Ui, cx: &TextCx<'_>, count: usize, top_left: Pos2) -> f32 {
    let font = Face::Mono.sized(cx.theme.size.mono - 2.0);
    let digit = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
    let width = digit * (count.max(1).ilog10() + 1).max(2) as f32;
    let row = row_height(ui, cx.theme);
    let clip = ui.clip_rect();
    let line_at = |y: f32| ((y - top_left.y) / row).max(0.0);
    let first = line_at(clip.top()) as usize;
    let end = count.min(line_at(clip.bottom()).ceil() as usize);
    for line in first..end {
        let number = (line + 1).to_string();
        let color = cx.theme.secondary;
        let galley = text::line_ui(ui, &number, font.clone(), color, f32::INFINITY);
        let left = top_left.x + width - galley.size().x;
        let y = top_left.y + (line as f32 + 0.5) * row;
        text::paint_at(ui, left, y, galley, color);
    }
    (width + 14.0).ceil()
}

/// Draws lines that scroll sideways where they are too wide.
pub fn lines_ui(
    ui: &mut Ui,
    cx: &mut TextCx<'_>,
    view: &mut CodeView,
    text: &str,
    rect: Rect,
    id: Id,
) {
    let size = vec2(view.width(ui, cx.theme), view.height(ui, cx.theme));
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(id));
    child.spacing_mut().scroll.fade.strength = 0.0;
    child.shrink_clip_rect(rect);
    if size.x <= rect.width() - PADDING.x {
        view.lines_ui(&child, cx, text, rect.min, id);
        return;
    }
    child.spacing_mut().scroll.bar_outer_margin = 2.0;
    ScrollArea::horizontal()
        .id_salt(id.with("scroll"))
        .auto_shrink(false)
        .show(&mut child, |ui| {
            let (content, _) = ui.allocate_exact_size(size + vec2(PADDING.x, BAR), Sense::hover());
            view.lines_ui(ui, cx, text, content.min, id);
        });
}

fn head_height(theme: &Theme, language: &str) -> f32 {
    if language.is_empty() {
        PADDING.y
    } else {
        theme.scaled(30.0)
    }
}
