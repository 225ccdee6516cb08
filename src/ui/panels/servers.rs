//! The page of the person's MCP servers: what agents are passed, and what could be.

mod details;
mod editor;
mod import;
mod list;
mod offer;
mod words;

use egui::Ui;

use crate::core::mcp_servers::McpServerSetting;
use crate::core::settings::Settings;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::icons;
use crate::ui::state::UiState;
use crate::ui::state::servers::ServerDraft;
use crate::ui::widgets::button::Button;
use crate::ui::widgets::text;

pub use offer::approval_ui;

/// Fills its ui with the page.
pub fn page_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    let theme = cx.theme;
    ui.spacing_mut().item_spacing.y = 8.0;
    let words = cx.i18n.tr("mcp.page.hint");
    text::paragraph_ui(ui, words, theme.meta(), theme.secondary);
    if state.servers.editing.is_some() {
        editor::editor_ui(ui, cx, &mut state.servers);
        return;
    }
    offer::unity_ui(ui, cx, state);
    list::list_ui(ui, cx, &mut state.servers);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let add = Button::text(cx.i18n.tr("mcp.page.add")).with_icon(icons::PLUS);
        if add.show_ui(ui, theme).clicked() {
            state.servers.editing = Some(ServerDraft::default());
            state.servers.values_shown = false;
        }
        let import = Button::text(cx.i18n.tr("mcp.page.import")).with_icon(icons::SEARCH);
        if import.show_ui(ui, theme).clicked() {
            cx.actions.push(UiAction::FindMcpServers);
        }
    });
    import::import_ui(ui, cx, &mut state.servers);
    ui.add_space(12.0);
}

/// Changes the list.
fn change(cx: &mut UiCx<'_>, change: impl FnOnce(&mut Vec<McpServerSetting>)) {
    change_settings(cx, |settings| change(&mut settings.mcp_servers));
}

fn change_settings(cx: &mut UiCx<'_>, change: impl FnOnce(&mut Settings)) {
    let mut settings = cx.settings.clone();
    change(&mut settings);
    cx.actions
        .push(UiAction::ChangeSettings(Box::new(settings)));
}
