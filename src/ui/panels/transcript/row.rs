//! One row of the transcript: the space above it, who speaks, and the block.

use egui::{Color32, FontId, Id, Pos2, Rect, Sense, Ui, UiBuilder, Vec2, WidgetInfo, pos2, vec2};

use crate::core::session::Session;
use crate::core::transcript::{Block, BlockContent};
use crate::ui::cx::UiAction;
use crate::ui::cx::UiCx;
use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::panels::mcp_card::{beside_copy, mcp_card_ui};
use crate::ui::panels::transcript::{
    attachment, change_summary, failure, group, message, note, plan, seek, thought, tool_call,
};
use crate::ui::state::cards::OpenServers;
use crate::ui::state::protocol::Scope;
use crate::ui::text::cx::TextCx;
use crate::ui::theme::{self, BLOCK_GAP, TURN_GAP};
use crate::ui::transcript::find::Find;
use crate::ui::transcript::folds::Folds;
use crate::ui::transcript::rows::{Gap, Role, Row, Rows};
use crate::ui::transcript::views::Views;
use crate::ui::widgets::foldout::inset;
use crate::ui::widgets::reveal;
use crate::ui::widgets::text;

/// The calls of an open group stand a little to the right.
const MEMBER_INSET: f32 = 16.0;

/// What drawing a row needs to know, and what comes of it.
pub(super) struct RowCx<'a, 'b> {
    pub cx: &'a mut UiCx<'b>,
    pub text: TextCx<'b>,
    pub session: &'b Session,
    pub rows: &'a mut Rows,
    pub folds: &'a mut Folds,
    pub views: &'a mut Views,
    pub find: &'a Find,
    /// The width of the column, in points.
    pub width: f32,
    pub open_servers: &'a mut OpenServers,
    /// The agent's name as the person knows it.
    pub agent: &'a str,
    /// A duration is in view that goes on.
    pub shows_running: bool,
    /// How many pictures may be decoded in this UI frame.
    pub pictures: usize,
    /// Groups that were opened or closed.
    pub toggled_groups: Vec<usize>,
}

/// A row that was drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawn {
    pub height: f32,
    /// Where the text of a message begins in it.
    pub text_top: f32,
}

/// Draws a row with its top at a place.
pub(super) fn row_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    index: usize,
    at: Pos2,
    width: f32,
) -> Drawn {
    let transcript = cx.session.transcript();
    let (Some(row), Some(block)) = (cx.rows.get(index).copied(), transcript.blocks().get(index))
    else {
        return Drawn {
            height: 0.0,
            text_top: 0.0,
        };
    };
    let head = head_height(cx, &row);
    head_ui(ui, cx, &row, at, block);
    let mut content = pos2(at.x, at.y + head);
    let mut width = width;
    match row.role {
        Role::Head => {
            let rect = Rect::from_min_size(content, vec2(width, f32::INFINITY));
            let group = cx.rows.group(index).copied();
            let is_open = group.is_some_and(|group| group.is_open);
            let top = content;
            content.y += child_ui(ui, rect, block, "group", |ui| {
                group::group_ui(ui, cx, index, block);
            });
            if !is_open {
                let rows = index..group.map_or(index, |group| group.last) + 1;
                let line = Rect::from_min_size(top, vec2(width, content.y - top.y));
                seek::mark_rows_ui(ui, cx, rows, line);
                content.y += summary_ui(ui, cx, index, pos2(at.x, content.y));
                return Drawn {
                    height: content.y - at.y,
                    text_top: head,
                };
            }
            content.x += MEMBER_INSET;
            width -= MEMBER_INSET;
        }
        Role::Member { .. } => {
            content.x += MEMBER_INSET;
            width -= MEMBER_INSET;
        }
        Role::Single | Role::Step { .. } => {}
    }
    let text_top = content.y - at.y + message::text_inset(&block.content);
    let mut height = block_ui(ui, cx, block, content, width);
    let rect = Rect::from_min_size(content, vec2(width, height));
    let last = cx.rows.steps(index).last().copied().unwrap_or(index);
    seek::mark_rows_ui(ui, cx, index..last + 1, rect);
    height += summary_ui(ui, cx, index, pos2(at.x, rect.bottom()));
    Drawn {
        height: content.y - at.y + height,
        text_top,
    }
}

/// The height of a row that can be known without drawing it.
pub(super) fn measured(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    index: usize,
    width: f32,
) -> Option<f32> {
    let row = cx.rows.get(index).copied()?;
    let block = cx.session.transcript().blocks().get(index)?;
    if changed_turn(cx, index).is_some() {
        return None;
    }
    let height = match &block.content {
        BlockContent::UserMessage(_) | BlockContent::AgentMessage(_) => {
            message::measure(ui, cx, block, width)?
        }
        _ => return None,
    };
    Some(head_height(cx, &row) + height)
}

/// The last block of a turn that is over, if it is in this row or folded into it, and changed files.
fn changed_turn<'b>(cx: &mut RowCx<'_, 'b>, index: usize) -> Option<&'b Block> {
    let blocks = cx.session.transcript().blocks();
    let group = cx.rows.group(index).filter(|group| !group.is_open);
    let group = group.map_or(index, |group| group.last);
    let last = cx.rows.steps(index).last().copied().unwrap_or(index);
    let last = last.max(group);
    let block = blocks.get(last)?;
    let is_over = match blocks.get(last + 1) {
        Some(next) => next.turn != block.turn,
        None => !cx.session.is_busy(),
    };
    let turn = block.turn.filter(|_| is_over)?;
    let files = cx.views.turn_changes(cx.session, block.id, turn);
    (!files.is_empty()).then_some(block)
}

/// Draws the files that a turn changed below its last row, and returns the height.
fn summary_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, index: usize, at: Pos2) -> f32 {
    let width = cx.width;
    let Some(block) = changed_turn(cx, index) else {
        return 0.0;
    };
    let at = at + vec2(0.0, BLOCK_GAP);
    let rect = Rect::from_min_size(at, vec2(width, f32::INFINITY));
    let height = child_ui(ui, rect, block, "changes", |ui| {
        change_summary::change_summary_ui(ui, cx, block);
    });
    height + BLOCK_GAP
}

/// The height of what stands above a block.
pub(super) fn head_height(cx: &RowCx<'_, '_>, row: &Row) -> f32 {
    let gap = match row.gap {
        Gap::Start | Gap::Line => 0.0,
        Gap::Turn => TURN_GAP,
        Gap::Block => BLOCK_GAP,
    };
    let late = if row.begins_late {
        cx.cx.theme.scaled(28.0)
    } else {
        0.0
    };
    let speaker = if row.begins_part {
        cx.cx.theme.scaled(26.0)
    } else {
        0.0
    };
    gap + late + speaker
}

/// Draws who speaks, and that it came late.
fn head_ui(ui: &Ui, cx: &RowCx<'_, '_>, row: &Row, at: Pos2, block: &Block) {
    let theme = cx.cx.theme;
    let mut bottom = at.y + head_height(cx, row);
    if row.begins_part {
        let look = cx.session.spec().look;
        let accent = theme.accent(look);
        let y = bottom - theme.scaled(15.0);
        let glyph_font = Face::Regular.sized(theme.size.body);
        let glyph = text::line_ui(ui, theme::glyph(look), glyph_font, accent, 40.0);
        text::paint_at(
            ui,
            at.x + (theme.size.icon - glyph.size().x) / 2.0,
            y,
            glyph,
            accent,
        );
        let font = Face::SemiBold.sized(theme.size.meta + 0.5);
        words_ui(
            ui,
            pos2(at.x + inset(theme), y),
            cx.agent,
            font,
            accent,
            ("speaker", block),
        );
        bottom -= theme.scaled(26.0);
    }
    if row.begins_late {
        let y = bottom - theme.scaled(16.0);
        let left = at.x + 1.0;
        text::paint_icon(
            ui,
            left,
            y,
            icons::CLOCK,
            Face::Icon.sized(14.0),
            theme.secondary,
        );
        let words = cx.cx.i18n.tr("transcript.late");
        let left = at.x + inset(theme);
        words_ui(
            ui,
            pos2(left, y),
            words,
            theme.meta(),
            theme.secondary,
            ("late", block),
        );
    }
}

/// Draws words in one line, with their middle at a place.
fn words_ui(ui: &Ui, at: Pos2, words: &str, font: FontId, color: Color32, id: (&str, &Block)) {
    let galley = text::line_ui(ui, words, font, color, f32::INFINITY);
    let rect = text::paint_at(ui, at.x, at.y, galley, color);
    let (name, block) = id;
    let response = ui.interact(rect, ui.scope_id().with((name, block.id.0)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, words));
}

/// Draws a block and returns its height. The frames it was made of are one click away.
pub(super) fn block_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    at: Pos2,
    width: f32,
) -> f32 {
    let height = content_ui(ui, cx, block, at, width);
    // A call has a button of its own among its details.
    if !matches!(block.content, BlockContent::ToolCall(_)) {
        frames_ui(ui, cx, block, Rect::from_min_size(at, vec2(width, height)));
    }
    height
}

fn frames_ui(ui: &Ui, cx: &mut RowCx<'_, '_>, block: &Block, rect: Rect) {
    let theme = cx.cx.theme;
    let (corner, ground) = match block.content {
        BlockContent::UserMessage(_) | BlockContent::AgentMessage(_) => {
            message::beside_copy(ui, theme, block, rect)
        }
        BlockContent::McpStatus(_) => beside_copy(theme, rect),
        _ => (rect.right_top(), theme.page),
    };
    let id = Id::unique(("frames", cx.session.key().0, block.id.0));
    let face = (icons::CODE, cx.cx.i18n.tr("protocol.block"));
    if reveal::reveal_button_ui(ui, theme, face, ground, corner, rect, id) {
        let scope = Scope::Block(cx.session.key(), block.id);
        cx.cx.actions.push(UiAction::ShowFrames(scope));
    }
}

fn content_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, at: Pos2, width: f32) -> f32 {
    let rect = Rect::from_min_size(at, vec2(width, f32::INFINITY));
    match &block.content {
        BlockContent::UserMessage(message) => message::user_ui(ui, cx, block, message, at, width),
        BlockContent::AgentMessage(message) => message::agent_ui(ui, cx, block, message, at, width),
        BlockContent::Thought(message) => child_ui(ui, rect, block, "thought", |ui| {
            thought::thought_ui(ui, cx, block, message);
        }),
        BlockContent::Abandoned(message) => child_ui(ui, rect, block, "abandoned", |ui| {
            thought::abandoned_ui(ui, cx, block, message);
        }),
        BlockContent::ToolCall(call) => child_ui(ui, rect, block, "call", |ui| {
            tool_call::tool_call_ui(ui, cx, block, call);
        }),
        BlockContent::Plan(plan) => child_ui(ui, rect, block, "plan", |ui| {
            plan::plan_ui(ui, cx, block, plan);
        }),
        BlockContent::Note(note) => child_ui(ui, rect, block, "note", |ui| {
            note::note_ui(ui, cx, block, note);
        }),
        BlockContent::Failure(failure) => child_ui(ui, rect, block, "failure", |ui| {
            failure::failure_ui(ui, cx, block, failure);
        }),
        BlockContent::Attachment(attachment) => child_ui(ui, rect, block, "attachment", |ui| {
            attachment::attachment_ui(ui, cx, block, attachment);
        }),
        BlockContent::McpStatus(report) => child_ui(ui, rect, block, "mcp", |ui| {
            mcp_card_ui(ui, cx.cx, cx.open_servers, cx.session, block.id, report);
        }),
        BlockContent::Image(image) => child_ui(ui, rect, block, "image", |ui| {
            attachment::image_ui(ui, cx, block, image);
        }),
    }
}

/// Draws what egui lays out and returns its height.
fn child_ui(
    ui: &mut Ui,
    rect: Rect,
    block: &Block,
    name: &str,
    add_contents: impl FnOnce(&mut Ui),
) -> f32 {
    // egui wants a finite room.
    let rect = Rect::from_min_size(rect.min, vec2(rect.width(), 1e6));
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt((name, block.id.0)));
    child.spacing_mut().item_spacing = Vec2::new(8.0, 4.0);
    add_contents(&mut child);
    child.min_rect().height()
}
