//! The servers of the list: on or off, what each is, and what can be done with it.

use egui::{Id, Ui};

use super::{change, details, words};
use crate::core::backend::McpTransport;
use crate::core::mcp_servers::{McpServerSetting, SkipReason};
use crate::ui::cx::UiCx;
use crate::ui::icons;
use crate::ui::state::servers::{Kind, ServerDraft, ServersState};
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::option::{Mark, OptionButton};
use crate::ui::widgets::text;

/// Shows the list.
pub(super) fn list_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut ServersState) {
    let settings = cx.settings;
    if settings.mcp_servers.is_empty() {
        let words = cx.i18n.tr("mcp.page.empty");
        text::paragraph_ui(ui, words, cx.theme.body(), cx.theme.secondary);
    }
    for (index, setting) in settings.mcp_servers.iter().enumerate() {
        let id = Id::unique(("mcp server", index));
        server_ui(ui, cx, state, (id, index), setting);
    }
}

fn server_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    state: &mut ServersState,
    (id, index): (Id, usize),
    setting: &McpServerSetting,
) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let name = one_line(&setting.server.name);
    let summary = summary(setting);
    let switch = OptionButton::new(id, Mark::Many, &name)
        .description(&summary)
        .chosen(setting.enabled)
        .show_ui(ui, theme);
    if switch.clicked() {
        change(cx, |servers| {
            if let Some(server) = servers.get_mut(index) {
                server.enabled = !server.enabled;
            }
        });
    }
    let reason = setting.skip_reason();
    let needs_approval = reason == Some(SkipReason::NotApproved);
    if let Some(words) = reason.and_then(|reason| words::reason(i18n, &reason)) {
        text::paragraph_ui(ui, &words, theme.meta(), theme.caution);
    }
    if needs_approval {
        details::details_ui(ui, cx, &setting.server);
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        if needs_approval {
            let label = i18n.tr_args("mcp.approve.server", &[("name", name.as_str().into())]);
            let approve = Button::text(&label)
                .shown(i18n.tr("mcp.approve"))
                .with_icon(icons::SHIELD)
                .id(id.with("approve"));
            if approve.show_ui(ui, theme).clicked() {
                change(cx, |servers| {
                    if let Some(server) = servers.get_mut(index) {
                        server.approve();
                    }
                });
            }
        }
        let label = i18n.tr_args("mcp.page.edit_server", &[("name", name.as_str().into())]);
        let edit = Button::text(&label)
            .shown(i18n.tr("mcp.page.edit"))
            .with_icon(icons::PENCIL)
            .weight(Weight::Quiet)
            .id(id.with("edit"));
        if edit.show_ui(ui, theme).clicked() {
            state.editing = Some(ServerDraft::of(index, &setting.server));
            state.values_shown = false;
        }
        remove_ui(ui, cx, state, (id, index), &name);
    });
    ui.add_space(4.0);
}

/// Taking a server away asks once more, in its place.
fn remove_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    state: &mut ServersState,
    (id, index): (Id, usize),
    name: &str,
) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    if state.removing != Some(index) {
        let label = i18n.tr_args("mcp.page.remove_server", &[("name", name.into())]);
        let remove = Button::text(&label)
            .shown(i18n.tr("mcp.page.remove"))
            .with_icon(icons::TRASH)
            .weight(Weight::Quiet)
            .id(id.with("remove"));
        if remove.show_ui(ui, theme).clicked() {
            state.removing = Some(index);
        }
        return;
    }
    let label = i18n.tr_args("mcp.page.remove_sure", &[("name", name.into())]);
    let sure = Button::text(&label)
        .with_icon(icons::TRASH)
        .id(id.with("sure"));
    if sure.show_ui(ui, theme).clicked() {
        state.removing = None;
        change(cx, |servers| {
            if index < servers.len() {
                servers.remove(index);
            }
        });
    }
    let keep = Button::text(i18n.tr("app.action.cancel"))
        .weight(Weight::Quiet)
        .id(id.with("keep"));
    if keep.show_ui(ui, theme).clicked() {
        state.removing = None;
    }
}

/// A server in one line: how it is reached, and what.
pub(super) fn summary(setting: &McpServerSetting) -> String {
    let kind = Kind::of(&setting.server.transport).as_str();
    let what = match &setting.server.transport {
        McpTransport::Stdio { command, args, .. } => {
            let words: Vec<_> = std::iter::once(command).chain(args).cloned().collect();
            words.join(" ")
        }
        McpTransport::Http { url, .. } | McpTransport::Sse { url, .. } => url.clone(),
    };
    let what = one_line(&what);
    if what.is_empty() {
        return kind.to_owned();
    }
    format!("{kind} \u{b7} {what}")
}
