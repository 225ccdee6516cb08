//! Notes: one quiet line between the blocks.

use egui::{Id, Rect, Ui, UiBuilder, vec2};

use crate::core::command::Command;
use crate::core::notice::Note;
use crate::core::transcript::Block;
use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::panels::transcript::paragraph::paragraph_ui;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::text::flow::Setting;
use crate::ui::transcript::views::ViewPart;
use crate::ui::transcript::words::{self, Tone};
use crate::ui::widgets::button::Button;
use crate::ui::widgets::foldout::inset;
use crate::ui::widgets::text;

/// Draws a note.
pub(super) fn note_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, note: &Note) {
    let theme = cx.cx.theme;
    let (words, tone) = words::note(cx.cx.i18n, cx.agent, note, block.at);
    let (icon, color) = match (note, tone) {
        (_, Tone::Caution) => (icons::WARNING, theme.caution),
        (Note::Cancelled, _) => (icons::STOP, theme.secondary),
        (Note::Denied { .. }, _) => (icons::DENIED, theme.secondary),
        (Note::Restarting { .. } | Note::SessionRestored, _) => (icons::REFRESH, theme.secondary),
        _ => (icons::INFO, theme.secondary),
    };
    let setting = Setting::meta(theme);
    let around = ui.available_rect_before_wrap();
    let line = (setting.size * crate::ui::theme::LINE_HEIGHT).round();
    text::paint_icon(
        ui,
        around.left() + 1.0,
        around.top() + line / 2.0,
        icon,
        Face::Icon.sized(14.0),
        color,
    );
    let inner = Rect::from_min_max(around.min + vec2(inset(theme), 0.0), around.max);
    let mut child = ui.new_child(UiBuilder::new().max_rect(inner));
    let id = Id::unique(("note", cx.session.key().0, block.id.0));
    cx.text.finding.enter(block.id, ViewPart::Line);
    paragraph_ui(&mut child, &mut cx.text, &words, setting, id);
    if *note == Note::McpServersChanged {
        restart_ui(&mut child, cx, id);
    }
    ui.advance_cursor_after_rect(child.min_rect());
}

/// The one thing to do about changed MCP servers, while nobody has done it.
fn restart_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, id: Id) {
    if !cx.session.awaits_mcp_servers() {
        return;
    }
    let i18n = cx.cx.i18n;
    let is_busy = cx.session.is_busy();
    let mut button = Button::text(i18n.tr("mcp.servers_changed.restart"))
        .with_icon(icons::REFRESH)
        .enabled(!is_busy)
        .id(id.with("restart"));
    if is_busy {
        button = button.tooltip(i18n.tr("mcp.reconnect.busy"));
    }
    if button.show_ui(ui, cx.cx.theme).clicked() {
        cx.cx.commands.push(Command::Restart {
            session: cx.session.key(),
        });
    }
}
