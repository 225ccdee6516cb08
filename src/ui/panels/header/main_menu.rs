//! The menu: folder, language, theme, text size, send key, log, about.

use egui::{Ui, Vec2};

use crate::core::command::Command;
use crate::core::editor::Editor;
use crate::core::settings::{SendKey, Settings, TEXT_SIZE_RANGE, ThemeChoice};
use crate::i18n::Language;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::icons;
use crate::ui::panels::folder;
use crate::ui::state::UiState;
use crate::ui::state::protocol::Scope;
use crate::ui::state::settings::SettingsTab;
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::Button;
use crate::ui::widgets::row::{Row, heading_ui, separator_ui};
use crate::ui::widgets::segmented::segmented_ui;
use crate::ui::widgets::text;
use crate::ui::window::{COPY_KEYS, FIND_KEYS, copy_transcript};

/// Fills the menu's popover.
pub(super) fn main_menu_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    folder::folder_section_ui(ui, cx, state);
    separator_ui(ui, cx.theme);
    language_ui(ui, cx);
    theme_ui(ui, cx);
    send_key_ui(ui, cx);
    text_size_ui(ui, cx);
    code_font_ui(ui, cx);
    editor_ui(ui, cx);
    separator_ui(ui, cx.theme);
    let theme = cx.theme;
    let settings = Row::new(cx.i18n.tr("settings.open"))
        .icon(icons::SETTINGS, theme.icon(), theme.secondary)
        .show_ui(ui, theme);
    if settings.clicked() {
        state.settings.shown = Some(SettingsTab::Rules);
        state.protocol = None;
        // The files may have been changed by hand.
        cx.commands.push(Command::ReloadRules);
        egui::Popup::close_all(ui.ctx());
    }
    let keys = ui.ctx().format_shortcut(&FIND_KEYS);
    let find = Row::new(cx.i18n.tr("find.label"))
        .icon(icons::SEARCH, theme.icon(), theme.secondary)
        .detail(&keys);
    if state.shown.is_some() && find.show_ui(ui, theme).clicked() {
        state.open_find();
        egui::Popup::close_all(ui.ctx());
    }
    let keys = ui.ctx().format_shortcut(&COPY_KEYS);
    let copy = Row::new(cx.i18n.tr("transcript.copy_all"))
        .icon(icons::COPY, theme.icon(), theme.secondary)
        .detail(&keys);
    if state.shown.is_some() && copy.show_ui(ui, theme).clicked() {
        copy_transcript(cx, state);
        egui::Popup::close_all(ui.ctx());
    }
    let log = Row::new(cx.i18n.tr("backend.log.show"))
        .icon(icons::LIST, theme.icon(), theme.secondary)
        .show_ui(ui, theme);
    if log.clicked() {
        cx.actions.push(UiAction::ShowLogs);
        egui::Popup::close_all(ui.ctx());
    }
    let wire = Row::new(cx.i18n.tr("protocol.show"))
        .icon(icons::CODE, theme.icon(), theme.secondary)
        .show_ui(ui, theme);
    if wire.clicked() {
        cx.actions.push(UiAction::ShowFrames(Scope::All));
        egui::Popup::close_all(ui.ctx());
    }
    about_ui(ui, cx, state);
}

fn change(cx: &mut UiCx<'_>, change: impl FnOnce(&mut Settings)) {
    let mut settings = cx.settings.clone();
    change(&mut settings);
    cx.actions
        .push(UiAction::ChangeSettings(Box::new(settings)));
}

fn language_ui(ui: &mut Ui, cx: &mut UiCx<'_>) {
    heading_ui(ui, cx.theme, cx.i18n.tr("settings.language"));
    let mut choices = vec![cx.i18n.tr("settings.language.system")];
    choices.extend(Language::ALL.map(Language::native_name));
    let chosen = cx.settings.language.as_deref().map_or(Some(0), |tag| {
        let mut languages = Language::ALL.into_iter();
        languages
            .position(|language| language.tag() == tag)
            .map(|index| index + 1)
    });
    let clicked = inset_ui(ui, |ui| segmented_ui(ui, cx.theme, &choices, chosen));
    if let Some(index) = clicked {
        let language = index
            .checked_sub(1)
            .and_then(|index| Language::ALL.get(index));
        let tag = language.map(|language| language.tag().to_owned());
        change(cx, |settings| settings.language = tag);
    }
}

fn theme_ui(ui: &mut Ui, cx: &mut UiCx<'_>) {
    const CHOICES: [ThemeChoice; 3] = [ThemeChoice::System, ThemeChoice::Dark, ThemeChoice::Light];
    heading_ui(ui, cx.theme, cx.i18n.tr("settings.theme"));
    let names = [
        cx.i18n.tr("settings.theme.system"),
        cx.i18n.tr("settings.theme.dark"),
        cx.i18n.tr("settings.theme.light"),
    ];
    let chosen = CHOICES
        .iter()
        .position(|choice| *choice == cx.settings.theme);
    let clicked = inset_ui(ui, |ui| segmented_ui(ui, cx.theme, &names, chosen));
    if let Some(choice) = clicked.and_then(|index| CHOICES.get(index)) {
        change(cx, |settings| settings.theme = *choice);
    }
}

fn send_key_ui(ui: &mut Ui, cx: &mut UiCx<'_>) {
    const CHOICES: [SendKey; 2] = [SendKey::Enter, SendKey::CommandEnter];
    heading_ui(ui, cx.theme, cx.i18n.tr("settings.send_key"));
    let with_command = ui.ctx().format_shortcut(&egui::KeyboardShortcut::new(
        egui::Modifiers::COMMAND,
        egui::Key::Enter,
    ));
    let names = [cx.i18n.tr("settings.send_key.enter"), &with_command];
    let chosen = CHOICES
        .iter()
        .position(|choice| *choice == cx.settings.send_key);
    let clicked = inset_ui(ui, |ui| segmented_ui(ui, cx.theme, &names, chosen));
    if let Some(choice) = clicked.and_then(|index| CHOICES.get(index)) {
        change(cx, |settings| settings.send_key = *choice);
    }
}

fn editor_ui(ui: &mut Ui, cx: &mut UiCx<'_>) {
    const CHOICES: [Editor; 4] = [
        Editor::System,
        Editor::VsCode,
        Editor::Zed,
        Editor::JetBrains,
    ];
    heading_ui(ui, cx.theme, cx.i18n.tr("settings.editor"));
    let system = cx.i18n.tr("settings.editor.system");
    let names = CHOICES.map(|editor| editor.name().unwrap_or(system));
    let chosen = CHOICES
        .iter()
        .position(|choice| *choice == cx.settings.editor);
    let clicked = inset_ui(ui, |ui| segmented_ui(ui, cx.theme, &names, chosen));
    if let Some(choice) = clicked.and_then(|index| CHOICES.get(index)) {
        change(cx, |settings| settings.editor = *choice);
    }
}

fn text_size_ui(ui: &mut Ui, cx: &mut UiCx<'_>) {
    let theme = cx.theme;
    let i18n = cx.i18n;
    let size = cx.settings.text_size;
    let mut new_size = size;
    ui.allocate_ui_with_layout(
        Vec2::new(ui.available_width(), theme.scaled(40.0)),
        egui::Layout::right_to_left(egui::Align::Center),
        |ui| {
            ui.add_space(8.0);
            ui.spacing_mut().item_spacing.x = 4.0;
            let larger = Button::icon(icons::PLUS, i18n.tr("settings.text_size.larger"))
                .enabled(size < *TEXT_SIZE_RANGE.end());
            if larger.show_ui(ui, theme).clicked() {
                new_size += 1;
            }
            let number = size.to_string();
            text::label_ui(ui, &number, theme.tabular(), theme.text, f32::INFINITY);
            let smaller = Button::icon(icons::MINUS, i18n.tr("settings.text_size.smaller"))
                .enabled(size > *TEXT_SIZE_RANGE.start());
            if smaller.show_ui(ui, theme).clicked() {
                new_size -= 1;
            }
            let room = ui.available_width();
            ui.allocate_ui_with_layout(
                Vec2::new(room, theme.scaled(28.0)),
                egui::Layout::left_to_right(egui::Align::Center),
                |ui| {
                    ui.add_space(8.0);
                    let words = i18n.tr("settings.text_size");
                    text::label_ui(ui, words, theme.body(), theme.text, f32::INFINITY);
                },
            );
        },
    );
    if new_size != size {
        change(cx, |settings| settings.text_size = new_size);
    }
}

fn code_font_ui(ui: &mut Ui, cx: &mut UiCx<'_>) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let chosen = cx.settings.code_font.as_ref();
    let name = chosen.map(|path| path.file_name().unwrap_or_default().to_string_lossy());
    let name = name.map_or("JetBrains Mono".to_owned(), |name| one_line(&name));
    let row = Row::new(i18n.tr("settings.code_font")).detail(&name);
    if row.show_ui(ui, theme).clicked() {
        cx.actions.push(UiAction::PickCodeFont);
        egui::Popup::close_all(ui.ctx());
    }
    let back = Row::new(i18n.tr("settings.code_font.bundled"));
    if chosen.is_some() && back.show_ui(ui, theme).clicked() {
        change(cx, |settings| settings.code_font = None);
    }
}

fn about_ui(ui: &mut Ui, cx: &UiCx<'_>, state: &mut UiState) {
    let theme = cx.theme;
    let version = env!("CARGO_PKG_VERSION");
    let about = Row::new(cx.i18n.tr("app.about"))
        .icon(icons::INFO, theme.icon(), theme.secondary)
        .detail(version)
        .show_ui(ui, theme);
    if about.clicked() {
        state.main_menu.about_open = !state.main_menu.about_open;
    }
    if state.main_menu.about_open {
        let words = cx
            .i18n
            .tr_args("app.about.text", &[("version", version.into())]);
        inset_ui(ui, |ui| {
            text::paragraph_ui(ui, &words, theme.meta(), theme.secondary);
        });
    }
}

fn inset_ui<R>(ui: &mut Ui, add_contents: impl FnOnce(&mut Ui) -> R) -> R {
    egui::Frame::NONE
        .inner_margin(egui::Margin::symmetric(8, 2))
        .show(ui, add_contents)
        .inner
}
