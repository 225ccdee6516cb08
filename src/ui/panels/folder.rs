//! The working folder: typed, chosen from the recent ones, or with the system's dialog.

use std::path::{Path, PathBuf};

use egui::{Ui, Vec2};

use crate::ui::cx::{UiAction, UiCx};
use crate::ui::icons;
use crate::ui::panels::names;
use crate::ui::state::UiState;
use crate::ui::theme;
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::row::{Row, heading_ui};
use crate::ui::widgets::text;
use crate::ui::widgets::text_field::TextField;

/// How many recent folders the menu shows.
const RECENT_SHOWN: usize = 5;

/// The menu's part about the folder.
pub fn folder_section_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    heading_ui(ui, cx.theme, cx.i18n.tr("app.folder"));
    let current = current(cx, state);
    recent_ui(ui, cx, current.as_deref());
    egui::Frame::NONE
        .inner_margin(egui::Margin::symmetric(8, 4))
        .show(ui, |ui| path_ui(ui, cx, state));
    let theme = cx.theme;
    let choose = Row::new(cx.i18n.tr("app.folder.choose"))
        .icon(icons::FOLDER_OPEN, theme.icon(), theme.secondary)
        .show_ui(ui, theme);
    if choose.clicked() {
        cx.actions.push(UiAction::PickFolder);
        egui::Popup::close_all(ui.ctx());
    }
}

/// What stands in the middle while no session has a folder to work in.
pub fn choose_folder_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    let theme = cx.theme;
    let width = ui.available_width().min(theme.scaled(420.0));
    ui.vertical_centered(|ui| {
        ui.set_max_width(width);
        ui.add_space((ui.available_height() * 0.22).round());
        let heading = cx.i18n.tr("app.folder.ask");
        text::label_ui(ui, heading, theme.heading(), theme.text, width);
        ui.add_space(6.0);
        let words = cx.i18n.tr("app.folder.ask_hint");
        text::paragraph_ui(ui, words, theme.body(), theme.secondary);
        ui.add_space(16.0);
        let choose = Button::text(cx.i18n.tr("app.folder.choose"))
            .with_icon(icons::FOLDER_OPEN)
            .weight(Weight::Primary)
            .show_ui(ui, theme);
        if choose.clicked() {
            cx.actions.push(UiAction::PickFolder);
        }
        ui.add_space(16.0);
        ui.with_layout(egui::Layout::top_down(egui::Align::Min), |ui| {
            path_ui(ui, cx, state);
            ui.add_space(8.0);
            recent_ui(ui, cx, None);
        });
    });
}

/// The folder of the shown session, else the one that the next session takes.
pub fn current(cx: &UiCx<'_>, state: &UiState) -> Option<PathBuf> {
    let session = state.shown.and_then(|key| cx.hub.session(key));
    session
        .map(|session| session.setup().cwd.clone())
        .or_else(|| cx.settings.recent_folders.first().cloned())
}

fn recent_ui(ui: &mut Ui, cx: &mut UiCx<'_>, current: Option<&Path>) {
    let theme = cx.theme;
    let recent = cx.settings.recent_folders.iter();
    let others = recent.filter(|folder| Some(folder.as_path()) != current);
    let shown: Vec<PathBuf> = current
        .map(Path::to_path_buf)
        .into_iter()
        .chain(others.cloned())
        .take(RECENT_SHOWN)
        .collect();
    for folder in shown {
        let name = names::folder(&folder);
        let parent = folder
            .parent()
            .map(|parent| parent.display().to_string())
            .unwrap_or_default();
        let row = Row::new(&name)
            .icon(icons::FOLDER, theme.icon(), theme.secondary)
            .detail(&parent)
            .chosen(Some(folder.as_path()) == current)
            .show_ui(ui, theme);
        if row.clicked() {
            egui::Popup::close_all(ui.ctx());
            if Some(folder.as_path()) != current {
                cx.actions.push(UiAction::ChooseFolder(folder.clone()));
            }
        }
        row.on_hover_text(folder.display().to_string());
    }
}

/// The field for a path, with the button that takes it.
fn path_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    let theme = cx.theme;
    let i18n = cx.i18n;
    let id = ui.scope_id().with("folder path");
    let use_label = i18n.tr("app.folder.use");
    let mut is_used = false;
    ui.allocate_ui_with_layout(
        Vec2::new(ui.available_width(), theme.scaled(32.0)),
        egui::Layout::right_to_left(egui::Align::Center),
        |ui| {
            let typed = !state.folder.typed.trim().is_empty();
            let button = Button::icon(icons::CHECK, use_label).enabled(typed);
            is_used = button.show_ui(ui, theme).clicked();
            let field = TextField::new(id, &mut state.folder.typed, i18n.tr("app.folder.path"))
                .hint(i18n.tr("app.folder.path_hint"))
                .font(theme.mono())
                .framed_ui(ui, theme);
            is_used |= field.submitted;
            if field.response.changed() {
                state.folder.missing = None;
            }
        },
    );
    if let Some(missing) = &state.folder.missing {
        let path = missing.display().to_string();
        let words = i18n.tr_args("app.folder.missing", &[("path", path.into())]);
        text::paragraph_ui(ui, &words, theme.meta(), theme.error);
    }
    let typed = state.folder.typed.trim();
    if is_used && !typed.is_empty() {
        cx.actions
            .push(UiAction::ChooseFolder(PathBuf::from(typed)));
    }
}

/// Draws over everything where files that are dragged over the window would go.
pub fn drop_target_ui(ui: &Ui, cx: &UiCx<'_>, words: &str) {
    let theme = cx.theme;
    let rect = ui.ctx().content_rect().shrink(8.0);
    let layer = egui::LayerId::new(egui::Order::Foreground, ui.scope_id().with("drop target"));
    let painter = ui.ctx().layer_painter(layer);
    painter.rect(
        rect,
        theme::CARD_RADIUS,
        theme.page.gamma_multiply(0.9),
        egui::Stroke::new(2.0, theme.link),
        egui::StrokeKind::Inside,
    );
    let font = theme.body();
    painter.text(
        rect.center(),
        egui::Align2::CENTER_CENTER,
        words,
        font,
        theme.text,
    );
}
