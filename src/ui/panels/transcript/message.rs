//! Messages: the user's on a raised card, the agent's straight on the page.

use egui::{
    Color32, Id, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use crate::core::transcript::{Block, BlockContent, Message};
use crate::ui::icons;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::text::cx::TextAction;
use crate::ui::text::document::Growth;
use crate::ui::text::flow::Setting;
use crate::ui::text::markdown::LineBreaks;
use crate::ui::text::view::{Frame, TextView};
use crate::ui::theme::{CARD_RADIUS, Theme};
use crate::ui::transcript::views::{ViewKey, ViewPart};
use crate::ui::widgets::reveal;

const CARD_PADDING: egui::Vec2 = vec2(14.0, 10.0);

/// Where the text begins below the top of a message.
pub(super) fn text_inset(content: &BlockContent) -> f32 {
    if matches!(content, BlockContent::UserMessage(_)) {
        CARD_PADDING.y
    } else {
        0.0
    }
}

/// Draws a message of the user and returns its height.
pub(super) fn user_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    message: &Message,
    at: Pos2,
    width: f32,
) -> f32 {
    let ground = ui.painter().add(Shape::Noop);
    let inner = width - 2.0 * CARD_PADDING.x;
    let text = text_ui(ui, cx, block, message, at + CARD_PADDING, inner);
    let rect = Rect::from_min_size(at, vec2(width, text + 2.0 * CARD_PADDING.y));
    let theme = cx.cx.theme;
    let stroke = Stroke::new(1.0, theme.hairline);
    let card =
        egui::epaint::RectShape::new(rect, CARD_RADIUS, theme.raised, stroke, StrokeKind::Inside);
    ui.painter().set(ground, card);
    let id = Id::unique(("user", cx.session.key().0, block.id.0));
    let you = cx.cx.i18n.tr("transcript.you");
    let response = ui.interact(rect, id, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Group, true, you));
    let corner = corner(ui, theme, block, rect);
    copy_ui(ui, cx, block, message, rect, corner);
    rect.height()
}

/// Draws a message of the agent and returns its height.
pub(super) fn agent_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    message: &Message,
    at: Pos2,
    width: f32,
) -> f32 {
    let height = text_ui(ui, cx, block, message, at, width);
    let rect = Rect::from_min_size(at, vec2(width, height));
    let corner = corner(ui, cx.cx.theme, block, rect);
    copy_ui(ui, cx, block, message, rect.with_max_x(corner.x), corner);
    height
}

/// The right upper corner of the button that copies a message: on the user's card, beside the agent's text where
/// there is room.
fn corner(ui: &Ui, theme: &Theme, block: &Block, rect: Rect) -> Pos2 {
    if matches!(block.content, BlockContent::UserMessage(_)) {
        return rect.right_top() + vec2(-5.0, 5.0);
    }
    let button = reveal::size(theme);
    let has_room_beside = ui.max_rect().right() - rect.right() > button + 8.0;
    let right = if has_room_beside {
        rect.right() + button + 6.0
    } else {
        rect.right() + 4.0
    };
    pos2(right, rect.top() - 2.0)
}

/// Where another button stands beside the one that copies, and on which ground.
pub(super) fn beside_copy(ui: &Ui, theme: &Theme, block: &Block, rect: Rect) -> (Pos2, Color32) {
    let corner = corner(ui, theme, block, rect) - vec2(reveal::size(theme) + 2.0, 0.0);
    (corner, ground(theme, block))
}

fn ground(theme: &Theme, block: &Block) -> Color32 {
    match block.content {
        BlockContent::UserMessage(_) => theme.raised,
        _ => theme.page,
    }
}

/// The height of a message that is not drawn; `None` when only drawing it tells.
pub(super) fn measure(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    width: f32,
) -> Option<f32> {
    let (message, padding) = match &block.content {
        BlockContent::UserMessage(message) => (message, CARD_PADDING),
        BlockContent::AgentMessage(message) => (message, egui::Vec2::ZERO),
        _ => return None,
    };
    // Nothing of it is in view there, so nothing is drawn.
    let nowhere = pos2(0.0, ui.clip_rect().bottom() + 10_000.0);
    let height = text_ui(ui, cx, block, message, nowhere, width - 2.0 * padding.x);
    Some(height + 2.0 * padding.y)
}

/// The key of a message's text.
pub(super) fn key(block: &Block) -> ViewKey {
    ViewKey {
        block: block.id,
        part: ViewPart::Message,
    }
}

/// Whether more of a message is to be expected.
pub(super) fn growth(cx: &RowCx<'_, '_>, block: &Block) -> Growth {
    Growth::of(cx.session, block)
}

fn text_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    message: &Message,
    at: Pos2,
    width: f32,
) -> f32 {
    let line_breaks = LineBreaks::of(&block.content);
    let growth = growth(cx, block);
    cx.text.finding.enter(block.id, ViewPart::Message);
    let view = cx
        .views
        .texts
        .get(key(block), || TextView::new(line_breaks));
    view.update(&message.text, growth);
    let frame = Frame {
        top_left: at,
        width,
        id: Id::unique(("message", cx.session.key().0, block.id.0)),
    };
    let height = view.text_ui(ui, &mut cx.text, Setting::body(cx.cx.theme), frame);
    let size = view.size_bytes();
    cx.views.texts.set_cost(&key(block), size);
    height
}

fn copy_ui(
    ui: &Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    message: &Message,
    near: Rect,
    corner: Pos2,
) {
    let id = Id::unique(("copy message", cx.session.key().0, block.id.0));
    let label = cx.cx.i18n.tr("transcript.copy_message");
    let ground = ground(cx.cx.theme, block);
    if reveal::reveal_button_ui(
        ui,
        cx.cx.theme,
        (icons::COPY, label),
        ground,
        corner,
        near,
        id,
    ) {
        cx.text.actions.push(TextAction::Copy(message.text.clone()));
    }
}
