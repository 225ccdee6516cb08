//! Servers out of the files of agents and editors, each with all that it would run, to be taken over.

use std::path::Path;

use egui::Ui;

use super::{change, details};
use crate::core::backend::McpServer;
use crate::core::mcp_servers::{self, McpServerSetting};
use crate::ui::cx::UiCx;
use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::state::servers::{FoundFile, ServersState};
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::Button;
use crate::ui::widgets::text;

/// Shows what was found, once somebody has asked for it.
pub(super) fn import_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut ServersState) {
    let Some(found) = &state.found else {
        return;
    };
    let (theme, i18n) = (cx.theme, cx.i18n);
    if found.is_empty() {
        let words = i18n.tr("mcp.import.nothing");
        text::paragraph_ui(ui, words, theme.meta(), theme.secondary);
        return;
    }
    text::paragraph_ui(
        ui,
        i18n.tr("mcp.import.hint"),
        theme.meta(),
        theme.secondary,
    );
    for file in found {
        file_ui(ui, cx, file);
    }
}

fn file_ui(ui: &mut Ui, cx: &mut UiCx<'_>, file: &FoundFile) {
    let theme = cx.theme;
    ui.add_space(4.0);
    let path = file.path.display().to_string();
    text::paragraph_ui(ui, &one_line(&path), theme.meta(), theme.text);
    for remark in &file.remarks {
        text::paragraph_ui(ui, remark, theme.meta(), theme.caution);
    }
    for server in &file.servers {
        server_ui(ui, cx, &file.path, server);
    }
}

fn server_ui(ui: &mut Ui, cx: &mut UiCx<'_>, file: &Path, server: &McpServer) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let name = one_line(&server.name);
    let font = Face::SemiBold.sized(theme.size.body);
    text::label_ui(ui, &name, font, theme.text, f32::INFINITY);
    details::details_ui(ui, cx, server);
    let known = cx.settings.mcp_servers.iter();
    let is_known = known
        .into_iter()
        .any(|known| mcp_servers::is_same_name(&known.server.name, &server.name));
    if is_known {
        let words = i18n.tr("mcp.import.known");
        text::paragraph_ui(ui, words, theme.meta(), theme.secondary);
        return;
    }
    let label = i18n.tr_args("mcp.import.add_server", &[("name", name.as_str().into())]);
    let add = Button::text(&label)
        .shown(i18n.tr("mcp.import.add"))
        .with_icon(icons::PLUS)
        .id(egui::Id::unique(("import", file, &server.name)));
    if add.show_ui(ui, theme).clicked() {
        let server = server.clone();
        change(cx, |servers| {
            servers.push(McpServerSetting::approved(server));
        });
    }
}
