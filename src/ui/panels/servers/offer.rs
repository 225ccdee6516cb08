//! Servers that wait for the person: entries of the list that were changed outside, and the ops server of an editor.

use std::path::PathBuf;

use egui::{ScrollArea, Ui};

use super::{change, change_settings, details};
use crate::core::backend::McpServer;
use crate::core::mcp_servers::{McpServerSetting, SkipReason};
use crate::core::session::Phase;
use crate::ui::cx::UiCx;
use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::panels::folder;
use crate::ui::state::UiState;
use crate::ui::state::settings::SettingsTab;
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::card::card_ui;
use crate::ui::widgets::option::{Mark, OptionButton};
use crate::ui::widgets::text;

/// The share of the window's height that the card may take.
const HEIGHT_MOST: f32 = 0.4;

/// The entry of the list that waits for approval, with its place.
fn waiting<'a>(cx: &UiCx<'a>) -> Option<(usize, &'a McpServerSetting)> {
    let mut servers = cx.settings.mcp_servers.iter().enumerate();
    servers.find(|(_, setting)| setting.skip_reason() == Some(SkipReason::NotApproved))
}

/// The ops server that is offered for the shown folder.
fn offered(cx: &UiCx<'_>, state: &UiState) -> Option<(PathBuf, McpServer)> {
    let folder = folder::current(cx, state)?;
    let server = state.servers.unity_ops.get(&folder)?.clone();
    let is_settled = cx.settings.unity_ops_folders.contains(&folder)
        || state.servers.put_aside.contains(&folder);
    (!is_settled).then_some((folder, server))
}

/// Whether the card has something to ask that is not on the page before the person's eyes.
fn is_asking(cx: &UiCx<'_>, state: &UiState) -> bool {
    if state.settings.shown == Some(SettingsTab::McpServers) {
        return false;
    }
    let session = state.shown.and_then(|key| cx.hub.session(key));
    let may_ask = session.is_some_and(|session| *session.phase() != Phase::TrustNeeded);
    may_ask && (waiting(cx).is_some() || offered(cx, state).is_some())
}

/// The card above the composer, one question at a time; shows nothing while there is none.
pub fn approval_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    if !is_asking(cx, state) {
        return;
    }
    let most = ui.ctx().content_rect().height() * HEIGHT_MOST;
    card_ui(ui, cx.theme, cx.theme.caution, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        if let Some((index, setting)) = waiting(cx) {
            waiting_ui(ui, cx, (index, setting), most);
        } else if let Some((folder, server)) = offered(cx, state) {
            offered_ui(ui, cx, state, (folder, &server));
        }
    });
}

fn waiting_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    (index, setting): (usize, &McpServerSetting),
    most: f32,
) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let name = one_line(&setting.server.name);
    let heading = i18n.tr_args("mcp.approve.heading", &[("name", name.as_str().into())]);
    text::paragraph_ui(
        ui,
        &heading,
        Face::SemiBold.sized(theme.size.body),
        theme.text,
    );
    ScrollArea::vertical()
        .id_salt(("mcp approval", index))
        .max_height(most)
        .show(ui, |ui| details::details_ui(ui, cx, &setting.server));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let approve = Button::text(i18n.tr("mcp.approve"))
            .with_icon(icons::SHIELD)
            .show_ui(ui, theme);
        let off = Button::text(i18n.tr("mcp.approve.off"))
            .weight(Weight::Quiet)
            .show_ui(ui, theme);
        if approve.clicked() || off.clicked() {
            let is_approved = approve.clicked();
            change(cx, |servers| {
                let Some(server) = servers.get_mut(index) else {
                    return;
                };
                if is_approved {
                    server.approve();
                } else {
                    server.enabled = false;
                }
            });
        }
    });
}

fn offered_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    state: &mut UiState,
    (folder, server): (PathBuf, &McpServer),
) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    text::paragraph_ui(
        ui,
        i18n.tr("mcp.unity.heading"),
        Face::SemiBold.sized(theme.size.body),
        theme.text,
    );
    details::details_ui(ui, cx, server);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let pass = Button::text(i18n.tr("mcp.unity.pass"))
            .with_icon(icons::CONNECTED)
            .show_ui(ui, theme);
        let later = Button::text(i18n.tr("mcp.unity.later"))
            .weight(Weight::Quiet)
            .show_ui(ui, theme);
        if pass.clicked() {
            change_settings(cx, |settings| settings.unity_ops_folders.push(folder));
        } else if later.clicked() {
            state.servers.put_aside.push(folder);
        }
    });
}

/// The ops server of the shown folder's editor on the page: passed on or not.
pub(super) fn unity_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &UiState) {
    let Some(folder) = folder::current(cx, state) else {
        return;
    };
    let is_on = cx.settings.unity_ops_folders.contains(&folder);
    let server = state.servers.unity_ops.get(&folder);
    if server.is_none() && !is_on {
        return;
    }
    let (theme, i18n) = (cx.theme, cx.i18n);
    let description = server.map_or_else(
        || i18n.tr("mcp.unity.not_running").to_owned(),
        details::command,
    );
    let switch = OptionButton::new(
        egui::Id::unique("unity ops"),
        Mark::Many,
        i18n.tr("mcp.unity.switch"),
    )
    .description(&description)
    .chosen(is_on)
    .show_ui(ui, theme);
    if switch.clicked() {
        change_settings(cx, |settings| {
            if is_on {
                settings.unity_ops_folders.retain(|known| *known != folder);
            } else {
                settings.unity_ops_folders.push(folder);
            }
        });
    }
}
