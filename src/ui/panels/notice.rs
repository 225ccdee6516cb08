//! One line above the composer for what went wrong outside of any session.

use egui::{Frame, Margin, Ui};

use crate::ui::cx::UiCx;
use crate::ui::icons;
use crate::ui::state::{Notice, UiState};
use crate::ui::theme::{CARD_RADIUS, LINE_HEIGHT};
use crate::ui::widgets::button::Button;
use crate::ui::widgets::text;

/// Shows nothing while there is nothing to say.
pub fn notice_ui(ui: &mut Ui, cx: &UiCx<'_>, state: &mut UiState) {
    let Some(notice) = &state.notice else { return };
    let theme = cx.theme;
    let words = words(cx, notice);
    let frame = Frame {
        inner_margin: Margin::symmetric(12, 6),
        fill: theme.raised,
        stroke: egui::Stroke::new(1.0, theme.hairline),
        corner_radius: CARD_RADIUS,
        ..Frame::NONE
    };
    let button = Button::chip_height(theme);
    let is_dismissed = frame
        .show(ui, |ui| {
            let room = ui.available_width() - button - 8.0;
            ui.horizontal(|ui| {
                ui.vertical(|ui| {
                    ui.set_width(room);
                    ui.set_min_height(button);
                    let line = (theme.size.meta * LINE_HEIGHT).round();
                    ui.add_space(((button - line) / 2.0).max(0.0));
                    text::paragraph_ui(ui, &words, theme.meta(), theme.text);
                });
                let dismiss = Button::icon(icons::CROSS, cx.i18n.tr("app.action.dismiss"));
                dismiss.small().show_ui(ui, theme).clicked()
            })
            .inner
        })
        .inner;
    ui.add_space(8.0);
    if is_dismissed {
        state.notice = None;
    }
}

fn words(cx: &UiCx<'_>, notice: &Notice) -> String {
    let i18n = cx.i18n;
    let path = |path: &std::path::Path| path.display().to_string();
    match notice {
        Notice::NoDialog => i18n.tr("error.dialog").to_owned(),
        Notice::FolderMissing(folder) => {
            i18n.tr_args("app.folder.missing", &[("path", path(folder).into())])
        }
        Notice::FileUnreadable(name) => {
            i18n.tr_args("error.file_unreadable", &[("name", name.into())])
        }
        Notice::NoPictures => i18n.tr("error.no_pictures").to_owned(),
        Notice::PictureTooLarge(name) => {
            i18n.tr_args("error.picture_too_large", &[("name", name.into())])
        }
        Notice::SettingsUnreadable(file) => {
            i18n.tr_args("error.settings_read", &[("path", path(file).into())])
        }
        Notice::FileNotSaved(file) => {
            i18n.tr_args("error.file_not_saved", &[("path", path(file).into())])
        }
        Notice::SettingsNotSaved(file) => {
            i18n.tr_args("error.settings_write", &[("path", path(file).into())])
        }
        Notice::RulesNotChanged(file, reason) => {
            let args = [("path", path(file).into()), ("reason", reason.into())];
            i18n.tr_args("error.rules_write", &args)
        }
        Notice::LinkNotOpened(url) => i18n.tr_args("error.open_link", &[("url", url.into())]),
        Notice::FontUnusable(file) => i18n.tr_args("error.font", &[("path", path(file).into())]),
        Notice::NoEditor(name) => i18n.tr_args("error.no_editor", &[("name", (*name).into())]),
        Notice::FileCanBeRun(file) => {
            i18n.tr_args("error.file_can_be_run", &[("path", file.into())])
        }
        Notice::NoTerminal(command) => {
            i18n.tr_args("error.no_terminal", &[("command", command.into())])
        }
    }
}
