//! The card that answers `/mcp`: each server with its state and tools, and what can be done about it.

mod server;
pub mod words;

use egui::{Align, Color32, Frame, Layout, Margin, Pos2, Rect, Stroke, Ui, UiBuilder, Vec2};

use crate::core::command::Command;
use crate::core::connection::ConnectionState;
use crate::core::ids::BlockId;
use crate::core::mcp::{McpReport, McpServerStatus, McpState};
use crate::core::session::{Phase, Session};
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::panels::names;
use crate::ui::state::cards::OpenServers;
use crate::ui::theme::{CARD_RADIUS, Theme};
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::{reveal, text};

/// The space around what stands on the card.
const MARGIN: Margin = Margin::symmetric(12, 10);

/// How servers are connected again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// One by one, by the agent.
    Each,
    /// All at once, by starting the agent again.
    Restart,
}

/// Whether servers of this card can be connected again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reconnection {
    /// Something newer is known: this card is history.
    Outdated,
    /// In this way, unless there is a reason against it now.
    Possible {
        way: Way,
        reason: Option<&'static str>,
    },
}

/// Shows the card from the top of its ui down, over the whole width.
pub fn mcp_card_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    open: &mut OpenServers,
    session: &Session,
    block: BlockId,
    report: &McpReport,
) {
    let theme = cx.theme;
    let frame = Frame {
        inner_margin: MARGIN,
        fill: theme.raised,
        stroke: Stroke::new(1.0, theme.hairline),
        corner_radius: CARD_RADIUS,
        ..Frame::NONE
    };
    let way = way(cx, session);
    let reconnection = reconnection(session, way, report);
    frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 0.0;
        heading_ui(ui, cx, session, block, report);
        for server in &report.servers {
            ui.add_space(4.0);
            let key = (session.key(), block, server.name.clone());
            let was_open = open.contains(&key);
            if server::server_ui(ui, cx, session, (block, server), was_open, reconnection) {
                if was_open {
                    open.remove(&key);
                } else {
                    open.insert(key);
                }
            }
        }
        if let Reconnection::Possible {
            way: Way::Restart,
            reason,
        } = reconnection
            && !report.servers.is_empty()
        {
            restart_ui(ui, cx, session, report, reason);
        }
    });
}

/// Where another small button goes that stands beside the one that copies: its right upper corner, and its ground.
pub fn beside_copy(theme: &Theme, card: Rect) -> (Pos2, Color32) {
    let height = Button::chip_height(theme);
    let top = f32::from(MARGIN.top) + (height - reveal::size(theme)) / 2.0;
    let right = f32::from(MARGIN.right) + height + 2.0;
    (card.right_top() + Vec2::new(-right, top), theme.raised)
}

fn way(cx: &UiCx<'_>, session: &Session) -> Way {
    match cx.hub.connection_of(session.key()) {
        // What it can do is not known yet, and nothing can be done now.
        Some(connection) if connection.state == ConnectionState::Starting => Way::Each,
        Some(connection) if connection.capabilities.mcp_reconnect => Way::Each,
        Some(_) | None => Way::Restart,
    }
}

fn reconnection(session: &Session, way: Way, report: &McpReport) -> Reconnection {
    if session.mcp() != Some(report) {
        return Reconnection::Outdated;
    }
    let reason = if *session.phase() != Phase::Ready {
        Some("mcp.reconnect.no_agent")
    } else if session.is_busy() {
        Some("mcp.reconnect.busy")
    } else {
        None
    };
    Reconnection::Possible { way, reason }
}

/// The counts, who told them, and the button that copies.
fn heading_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    session: &Session,
    block: BlockId,
    report: &McpReport,
) {
    let theme = cx.theme;
    let agent = names::agent(cx, session);
    let height = Button::chip_height(theme);
    let (_, row) = ui.allocate_space(Vec2::new(ui.available_width(), height));
    let mut right = ui.new_child(
        UiBuilder::new()
            .max_rect(row)
            .layout(Layout::right_to_left(Align::Center)),
    );
    let copy = Button::icon(icons::COPY, cx.i18n.tr("mcp.copy"))
        .icon_color(theme.secondary)
        .small()
        .id(id(session, block).with("copy"));
    if copy.show_ui(&mut right, theme).clicked() {
        let text = words::text(cx.i18n, report, &agent);
        cx.actions.push(UiAction::CopyText(text));
    }
    let room = right.min_rect().left() - reveal::size(theme) - 8.0 - row.left();
    let counts = words::counts(cx.i18n, report);
    let font = Face::SemiBold.sized(theme.size.body);
    let galley = ui.painter().layout(counts.clone(), font, theme.text, room);
    // The line of the button is there already; what is longer needs more.
    ui.add_space((galley.size().y - height).max(0.0));
    let top = row.center().y - (galley.size().y.min(height) / 2.0);
    let rect = egui::Rect::from_min_size(egui::pos2(row.left(), top), galley.size());
    ui.painter().galley(rect.min, galley, theme.text);
    let label = ui.interact(
        rect,
        id(session, block).with("counts"),
        egui::Sense::hover(),
    );
    label.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &counts));
    let source = words::source(cx.i18n, report.source, &agent);
    text::paragraph_ui(ui, &source, theme.meta(), theme.secondary);
}

/// The one button for an agent that can't connect a server again by itself.
fn restart_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    session: &Session,
    report: &McpReport,
    reason: Option<&str>,
) {
    ui.add_space(8.0);
    let button = Button::text(cx.i18n.tr("mcp.reconnect.restart"))
        .with_icon(icons::REFRESH)
        .small()
        .weight(Weight::Normal)
        .enabled(reason.is_none())
        .tooltip(cx.i18n.tr(reason.unwrap_or("mcp.reconnect.restart_hint")));
    let is_down = |server: &&McpServerStatus| server.state != McpState::Connected;
    let mut servers = report.servers.iter();
    let server = servers.find(is_down).or_else(|| report.servers.first());
    if button.show_ui(ui, cx.theme).clicked()
        && let Some(server) = server
    {
        cx.commands.push(Command::ReconnectMcp {
            session: session.key(),
            server: server.name.clone(),
        });
    }
}

fn id(session: &Session, block: BlockId) -> egui::Id {
    egui::Id::unique(("mcp card", session.key().0, block.0))
}
