//! One server of the card: state, tools, error, and the buttons that help it.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Color32, FontId, Galley, Id, Rect, Response, Role, Sense, Stroke, Ui, Vec2, WidgetInfo,
};

use super::{Reconnection, Way, words};
use crate::core::command::Command;
use crate::core::ids::BlockId;
use crate::core::mcp::{McpServerStatus, McpState, McpTool};
use crate::core::session::Session;
use crate::core::split_command::split_command;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::icons;
use crate::ui::theme::{BUTTON_RADIUS, LINE_HEIGHT, Theme};
use crate::ui::untrusted::{one_line, visible, without_middle};
use crate::ui::widgets::button::{Button, Weight, focus_ring};
use crate::ui::widgets::meter::paint_dot;
use crate::ui::widgets::text;

/// How far tools, errors and hints stand in from their server, in points.
const INSET: f32 = 24.0;
/// A longer error loses its middle, in characters.
const ERROR_MOST: usize = 600;
/// A longer description is cut, in lines; the tooltip has all of it.
const DESCRIPTION_ROWS: usize = 2;

/// Shows a server. Whether its tools are to be shown or hidden.
pub(super) fn server_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    session: &Session,
    (block, server): (BlockId, &McpServerStatus),
    is_open: bool,
    reconnection: Reconnection,
) -> bool {
    let theme = cx.theme;
    let id = super::id(session, block).with(&server.name);
    let height = Button::height(theme);
    let (_, row) = ui.allocate_space(Vec2::new(ui.available_width(), height));
    let end = reconnect_ui(ui, cx, session, server, reconnection, (id, row));
    let left = Rect::from_min_max(row.min, egui::pos2(end, row.max.y));
    let has_tools = !server.tools.is_empty();
    let is_toggled = name_ui(ui, cx, server, is_open && has_tools, (id, left));
    let shown_tools = server.tools.iter().filter(|_| is_open);
    inset_ui(ui, theme, |ui| {
        if let Some(error) = &server.error {
            let words = visible(error);
            let words = without_middle(&words, ERROR_MOST)
                .map_or(words, |(start, end)| format!("{start}\u{2026}{end}"));
            text::paragraph_ui(ui, &words, theme.meta(), theme.error);
        }
        if server.state == McpState::NeedsAuth {
            sign_in_ui(ui, cx, session, server, id);
        }
        for tool in shown_tools {
            tool_ui(ui, cx, tool);
        }
    });
    is_toggled
}

/// State, name, state in words and number of tools; a click shows the tools.
fn name_ui(
    ui: &Ui,
    cx: &UiCx<'_>,
    server: &McpServerStatus,
    is_open: bool,
    (id, rect): (Id, Rect),
) -> bool {
    let theme = cx.theme;
    let i18n = cx.i18n;
    let has_tools = !server.tools.is_empty();
    let sense = if has_tools {
        Sense::click()
    } else {
        Sense::hover()
    };
    let response = ui.interact(rect, id, sense);
    paint_ground(ui, theme, &response, has_tools);
    let name = one_line(&server.name);
    let state = words::state(i18n, &server.state);
    let tools = words::tools(i18n, server);
    let color = state_color(theme, &server.state);
    let y = rect.center().y;
    let font = theme.icon();
    let mark = Rect::from_center_size(
        egui::pos2(rect.left() + font.size / 2.0 + 2.0, y),
        Vec2::splat(font.size),
    );
    paint_state(ui, theme, &server.state, mark);
    let mut x = rect.left() + INSET;
    let chevron = if has_tools { font.size + 4.0 } else { 0.0 };
    let note = match &tools {
        Some(tools) => format!("{state} \u{b7} {tools}"),
        None => state.clone(),
    };
    let room = rect.right() - x - chevron;
    let note = text::line_ui(ui, &note, theme.tabular(), color, room * 0.7);
    let room = room - note.size().x - 8.0;
    let title = text::line_ui(ui, &name, theme.body(), theme.text, room);
    x = text::paint_at(ui, x, y, title, theme.text).right() + 8.0;
    x = text::paint_at(ui, x, y, note, color).right() + 4.0;
    if has_tools {
        let icon = if is_open {
            icons::CHEVRON_DOWN
        } else {
            icons::CHEVRON_RIGHT
        };
        text::paint_icon(ui, x, y, icon, font, theme.secondary);
    }
    let label = label(&name, &state, tools.as_deref());
    let role = if has_tools { Role::Button } else { Role::Label };
    response.widget_info(|| WidgetInfo::labeled(role, true, &label));
    if !has_tools {
        return false;
    }
    ui.ctx()
        .accesskit_node_builder(id, |node| node.set_expanded(is_open));
    let is_clicked = response.clicked();
    let args = [("name", name.into())];
    let tooltip = i18n.tr_args(
        if is_open {
            "mcp.tools.hide"
        } else {
            "mcp.tools.show"
        },
        &args,
    );
    response.on_hover_text(tooltip);
    is_clicked
}

fn paint_ground(ui: &Ui, theme: &Theme, response: &Response, has_tools: bool) {
    let fill = if !has_tools {
        Color32::TRANSPARENT
    } else if response.is_pointer_button_down_on() {
        theme.pressed
    } else if response.hovered() {
        theme.hover
    } else {
        Color32::TRANSPARENT
    };
    ui.painter().rect_filled(response.rect, BUTTON_RADIUS, fill);
    focus_ring(ui, theme, response.rect, BUTTON_RADIUS, response);
}

/// What assistive technology reads: the server with its state.
fn label(name: &str, state: &str, tools: Option<&str>) -> String {
    let parts = [Some(name), Some(state), tools];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    parts.join(", ")
}

fn state_color(theme: &Theme, state: &McpState) -> Color32 {
    match state {
        McpState::NeedsAuth => theme.caution,
        McpState::Failed => theme.error,
        McpState::Connected | McpState::Pending | McpState::Unknown | McpState::Other(_) => {
            theme.secondary
        }
    }
}

/// Check, cross, or a bullet for everything between.
fn paint_state(ui: &Ui, theme: &Theme, state: &McpState, rect: Rect) {
    let (icon, color) = match state {
        McpState::Connected => (icons::CHECK, theme.ok),
        McpState::Failed => (icons::CROSS, theme.error),
        McpState::NeedsAuth => return paint_dot(ui.painter(), rect.center(), theme.caution),
        McpState::Pending => return paint_dot(ui.painter(), rect.center(), theme.busy),
        McpState::Unknown | McpState::Other(_) => {
            return paint_dot(ui.painter(), rect.center(), theme.secondary);
        }
    };
    text::paint_icon(ui, rect.left(), rect.center().y, icon, theme.icon(), color);
}

/// The button that connects the server again, at the end of the row; where the rest of the row ends.
fn reconnect_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    session: &Session,
    server: &McpServerStatus,
    reconnection: Reconnection,
    (id, row): (Id, Rect),
) -> f32 {
    let Reconnection::Possible {
        way: Way::Each,
        reason,
    } = reconnection
    else {
        return row.right();
    };
    let i18n = cx.i18n;
    let is_running = session.is_reconnecting(&server.name);
    let (shown, reason) = if is_running {
        let running = "mcp.reconnect.running";
        (running, Some(running))
    } else {
        ("mcp.reconnect", reason)
    };
    let args = [("name", one_line(&server.name).into())];
    let label = i18n.tr_args("mcp.reconnect.server", &args);
    let button = Button::text(&label)
        .shown(i18n.tr(shown))
        .small()
        .weight(Weight::Quiet)
        .enabled(reason.is_none())
        .tooltip(reason.map_or(&label, |reason| i18n.tr(reason)))
        .id(id.with("reconnect"));
    let layout = egui::Layout::right_to_left(egui::Align::Center);
    let mut right = ui.new_child(egui::UiBuilder::new().max_rect(row).layout(layout));
    let response = button.show_ui(&mut right, cx.theme);
    if response.clicked() {
        cx.commands.push(Command::ReconnectMcp {
            session: session.key(),
            server: server.name.clone(),
        });
    }
    response.rect.left() - 8.0
}

/// What the person can do for a server that wants a sign-in.
fn sign_in_ui(ui: &mut Ui, cx: &mut UiCx<'_>, session: &Session, server: &McpServerStatus, id: Id) {
    let theme = cx.theme;
    let i18n = cx.i18n;
    text::paragraph_ui(ui, i18n.tr("mcp.sign_in"), theme.meta(), theme.secondary);
    ui.add_space(2.0);
    let args = [("name", one_line(&server.name).into())];
    let label = i18n.tr_args("mcp.sign_in.open_server", &args);
    let button = Button::text(&label)
        .shown(i18n.tr("mcp.sign_in.open"))
        .with_icon(icons::TERMINAL)
        .small()
        .id(id.with("terminal"));
    if button.show_ui(ui, theme).clicked() {
        cx.actions.push(UiAction::OpenTerminal {
            program: program(session),
            args: Vec::new(),
            env: session.spec().env.clone(),
            servers_of: Some(session.key()),
        });
    }
}

/// The program in which a person signs in: the one of the backend, or the one it stands for.
fn program(session: &Session) -> String {
    let spec = session.spec();
    let login = spec.login_command.as_deref().and_then(split_command);
    let own = login.and_then(|words| words.into_iter().next());
    own.filter(|program| !spec.command.ends_with(program.as_str()))
        .unwrap_or_else(|| spec.command.clone())
}

/// Short name and marks, and below them what the tool does.
fn tool_ui(ui: &mut Ui, cx: &UiCx<'_>, tool: &McpTool) {
    let theme = cx.theme;
    let name = one_line(&tool.name);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let mut font = theme.mono();
        font.size = theme.size.meta;
        let room = ui.available_width() * 0.8;
        let response = text::label_ui(ui, &name, font, theme.text, room);
        if let Some(wire_name) = &tool.wire_name {
            let args = [("name", one_line(wire_name).into())];
            response.on_hover_text(cx.i18n.tr_args("mcp.tool.wire_name", &args));
        }
        if let Some(marks) = words::marks(cx.i18n, tool) {
            let color = if tool.destructive == Some(true) {
                theme.caution
            } else {
                theme.secondary
            };
            text::label_ui(ui, &marks, theme.meta(), color, f32::INFINITY)
                .on_hover_text(cx.i18n.tr("mcp.tool.mark_hint"));
        }
    });
    let description = tool.description.as_deref().map(one_line);
    if let Some(description) = description.filter(|text| !text.is_empty()) {
        let width = ui.available_width();
        let galley = few_lines(ui, &description, theme.meta(), theme.secondary, width);
        let is_cut = galley.elided;
        let size = Vec2::new(width, galley.size().y);
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        ui.painter().galley(rect.min, galley, theme.secondary);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &description));
        if is_cut {
            response.on_hover_text(visible(tool.description.as_deref().unwrap_or_default()));
        }
    }
    ui.add_space(4.0);
}

fn few_lines(ui: &Ui, text: &str, font: FontId, color: Color32, width: f32) -> Arc<Galley> {
    let line_height = (font.size * LINE_HEIGHT).round();
    let mut format = TextFormat::simple(font, color);
    format.line_height = Some(line_height);
    let mut job = LayoutJob::single_section(text.to_owned(), format);
    job.wrap.max_width = width;
    job.wrap.max_rows = DESCRIPTION_ROWS;
    ui.painter().layout_job(job)
}

/// Stands in from the left, with a hairline beside it; nothing at all where nothing is drawn.
fn inset_ui(ui: &mut Ui, theme: &Theme, add_contents: impl FnOnce(&mut Ui)) {
    let available = ui.available_rect_before_wrap();
    let rect = Rect::from_min_max(
        egui::pos2(available.left() + INSET, available.top()),
        available.max,
    );
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect));
    child.spacing_mut().item_spacing.y = 2.0;
    add_contents(&mut child);
    let used = child.min_rect();
    if used.height() <= 0.0 {
        return;
    }
    let x = available.left() + INSET / 2.0 - 2.0;
    let stroke = Stroke::new(1.0, theme.hairline);
    ui.painter().vline(x, used.y_range(), stroke);
    ui.allocate_space(Vec2::new(available.width(), used.height() + 2.0));
}
