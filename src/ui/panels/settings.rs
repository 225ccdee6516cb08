//! The settings that need room: pages in place of the transcript, so that cards and the draft stay where they are.

mod record;
mod rules;

use egui::{Align, Id, Layout, ScrollArea, Ui, UiBuilder};

use crate::ui::cx::UiCx;
use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::panels::servers;
use crate::ui::state::UiState;
use crate::ui::state::settings::SettingsTab;
use crate::ui::theme::BLOCK_GAP;
use crate::ui::widgets::button::Button;
use crate::ui::widgets::tabs::{Tab, tabs_ui};
use crate::ui::widgets::text;

/// The room for the scroll bar, in points.
const SCROLL_BAR: f32 = 12.0;

/// Fills its ui with the page that is shown.
pub fn settings_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    let Some(shown) = state.settings.shown else {
        return;
    };
    ui.add_space(8.0);
    if !head_ui(ui, cx, state, shown) {
        state.settings.shown = None;
        return;
    }
    ui.add_space(8.0);
    match shown {
        SettingsTab::Rules => scrolled_ui(ui, |ui| rules::rules_ui(ui, cx, state)),
        SettingsTab::McpServers => scrolled_ui(ui, |ui| servers::page_ui(ui, cx, state)),
        // Its list scrolls by itself.
        SettingsTab::Record => record::record_ui(ui, cx, &mut state.settings.record),
    }
}

/// A page that scrolls as a whole.
fn scrolled_ui(ui: &mut Ui, add_contents: impl FnOnce(&mut Ui)) {
    ScrollArea::vertical()
        .id_salt("settings page")
        .auto_shrink(false)
        .show(ui, |ui| {
            // The scroll bar stands beside the content, not on it.
            ui.set_max_width(ui.available_width() - SCROLL_BAR);
            add_contents(ui);
        });
}

/// A heading on a page.
fn heading_ui(ui: &mut Ui, cx: &UiCx<'_>, title: &str) {
    let theme = cx.theme;
    ui.add_space(BLOCK_GAP);
    let font = Face::SemiBold.sized(theme.size.body);
    text::label_ui(ui, title, font, theme.text, f32::INFINITY);
}

/// The tabs, and the button that closes the settings; whether they stay.
fn head_ui(ui: &mut Ui, cx: &UiCx<'_>, state: &mut UiState, shown: SettingsTab) -> bool {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let all = SettingsTab::ALL;
    let tabs: Vec<Tab> = all
        .iter()
        .map(|tab| Tab {
            label: i18n.tr(label_key(*tab)).to_owned(),
            is_done: None,
        })
        .collect();
    let row = ui.available_rect_before_wrap();
    let height = Button::height(theme);
    let (row, _) = row.split_top_bottom_at_y(row.top() + height);
    let (left, right) = row.split_left_right_at_x(row.right() - height - 8.0);
    let mut close = ui.new_child(
        UiBuilder::new()
            .max_rect(right)
            .layout(Layout::right_to_left(Align::Center)),
    );
    let button = Button::icon(icons::CROSS, i18n.tr("settings.close"));
    let stays = !button.show_ui(&mut close, theme).clicked();
    let mut child = ui.new_child(UiBuilder::new().max_rect(left));
    let index = all.iter().position(|tab| *tab == shown).unwrap_or(0);
    let responses = tabs_ui(&mut child, theme, Id::unique("settings tabs"), &tabs, index);
    let clicked = responses.iter().position(egui::Response::clicked);
    if let Some(tab) = clicked.and_then(|index| all.get(index)) {
        state.settings.shown = Some(*tab);
    }
    let bottom = row.bottom().max(child.min_rect().bottom());
    ui.advance_cursor_after_rect(row.with_max_y(bottom));
    stays
}

fn label_key(tab: SettingsTab) -> &'static str {
    match tab {
        SettingsTab::Rules => "rules.title",
        SettingsTab::McpServers => "mcp.page",
        SettingsTab::Record => "record.title",
    }
}
