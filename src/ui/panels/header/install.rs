//! The rows of the dropdown that say how to get an agent: missing presets, and commands of the person's own.

use egui::{Rect, Response, Ui, Vec2};

use crate::core::backend::{BackendSpec, DetectedBackend, Detection};
use crate::core::ids::BackendId;
use crate::core::settings::{CustomBackend, Settings};
use crate::core::split_command::split_command;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::icons;
use crate::ui::panels::names;
use crate::ui::state::UiState;
use crate::ui::theme;
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::row::Row;
use crate::ui::widgets::text;
use crate::ui::widgets::text_field::{TextField, focus_soon};

/// A row for a backend whose program was not found. Choosing it explains how to get it.
pub(super) fn missing_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    state: &mut UiState,
    backend: &DetectedBackend,
) {
    let theme = cx.theme;
    let i18n = cx.i18n;
    let spec = &backend.spec;
    let id = ui.scope_id().with(("missing", spec.id.as_str()));
    let is_custom = is_custom(cx.settings, spec);
    let mut row = Row::new(&spec.name)
        .icon(theme::glyph(spec.look), theme.icon(), theme.disabled)
        .dimmed(true)
        .id(id);
    if is_custom {
        row = row.end_space(Button::chip_height(theme));
    }
    let row = row.show_ui(ui, theme);
    let removed = is_custom && remove_custom_ui(ui, cx, &row, spec);
    let explained = &mut state.backend_menu.explained;
    if row.clicked() && !removed {
        *explained = (explained.as_ref() != Some(&spec.id)).then(|| spec.id.clone());
    }
    if state.backend_menu.explained.as_ref() == Some(&spec.id) {
        inset_ui(ui, |ui| explanation_ui(ui, cx, backend));
    }
    let hint = spec.install_command.as_ref().map_or_else(
        || not_found(cx, spec),
        |command| i18n.tr_args("backend.install.tooltip", &[("command", command.into())]),
    );
    row.on_hover_text(hint);
}

fn explanation_ui(ui: &mut Ui, cx: &mut UiCx<'_>, backend: &DetectedBackend) {
    let theme = cx.theme;
    let spec = &backend.spec;
    let i18n = cx.i18n;
    let words = if spec.install_command.is_some() {
        i18n.tr("backend.install.hint").to_owned()
    } else {
        not_found(cx, spec)
    };
    text::paragraph_ui(ui, &words, theme.meta(), theme.secondary);
    ui.add_space(4.0);
    if let Some(command) = &spec.install_command {
        copyable_ui(ui, cx, command);
        ui.add_space(4.0);
    }
    if let Detection::Missing { searched } = &backend.detection {
        let places: Vec<String> = searched
            .iter()
            .map(|place| place.display().to_string())
            .collect();
        if !places.is_empty() {
            let label = i18n.tr("backend.searched");
            let response = text::label_ui(ui, label, theme.meta(), theme.secondary, f32::INFINITY);
            response.on_hover_text(places.join("\n"));
            ui.add_space(4.0);
        }
    }
    let again = Button::text(i18n.tr("backend.look_again")).with_icon(icons::REFRESH);
    if again.small().show_ui(ui, theme).clicked() {
        cx.actions.push(UiAction::DetectBackends);
    }
}

fn not_found(cx: &UiCx<'_>, spec: &BackendSpec) -> String {
    let args = [("program", (&spec.command).into())];
    cx.i18n.tr_args("error.program_missing", &args)
}

/// A command line with its copy button.
pub(super) fn copyable_ui(ui: &mut Ui, cx: &mut UiCx<'_>, command: &str) {
    let label = cx.i18n.tr("app.action.copy");
    if crate::ui::widgets::code_box::code_box_ui(ui, cx.theme, command, label) {
        cx.actions.push(UiAction::CopyText(command.to_owned()));
    }
}

/// The row that opens the form for a command of one's own, and the form.
pub(super) fn custom_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    let theme = cx.theme;
    let row = Row::new(cx.i18n.tr("backend.custom"))
        .icon(icons::TERMINAL, theme.icon(), theme.secondary)
        .show_ui(ui, theme);
    if row.clicked() {
        state.backend_menu.custom_open = !state.backend_menu.custom_open;
    }
    if state.backend_menu.custom_open {
        let was_opened = row.clicked();
        inset_ui(ui, |ui| form_ui(ui, cx, state, was_opened));
    }
}

fn form_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState, was_opened: bool) {
    let theme = cx.theme;
    let i18n = cx.i18n;
    let menu = &mut state.backend_menu;
    let name_id = ui.scope_id().with("custom name");
    let command_id = ui.scope_id().with("custom command");
    if was_opened {
        focus_soon(ui, command_id);
    }
    ui.spacing_mut().item_spacing.y = 6.0;
    let label = i18n.tr("backend.custom.command");
    text::label_ui(ui, label, theme.meta(), theme.secondary, f32::INFINITY);
    let command = TextField::new(command_id, &mut menu.custom_command, label)
        .font(theme.mono())
        .hint("my-agent --acp")
        .framed_ui(ui, theme);
    let hint = i18n.tr("backend.custom.command_hint");
    text::paragraph_ui(ui, hint, theme.meta(), theme.secondary);
    let label = i18n.tr("backend.custom.name");
    text::label_ui(ui, label, theme.meta(), theme.secondary, f32::INFINITY);
    let name = TextField::new(name_id, &mut menu.custom_name, label).framed_ui(ui, theme);
    let custom = custom_backend(cx.settings, &menu.custom_name, &menu.custom_command);
    let add = Button::text(i18n.tr("backend.custom.add"))
        .weight(Weight::Primary)
        .enabled(custom.is_some())
        .show_ui(ui, theme);
    let is_done = add.clicked() || command.submitted || name.submitted;
    if let Some(custom) = custom.filter(|_| is_done) {
        let id = custom.id.clone();
        let mut settings = cx.settings.clone();
        settings.custom_backends.push(custom);
        cx.actions
            .push(UiAction::ChangeSettings(Box::new(settings)));
        cx.actions.push(UiAction::ChooseBackend(id));
        state.backend_menu = crate::ui::state::BackendMenuState::default();
        egui::Popup::close_all(ui.ctx());
    }
}

/// The backend that a filled form describes; `None` while it describes none.
fn custom_backend(settings: &Settings, name: &str, command: &str) -> Option<CustomBackend> {
    let mut words = split_command(command)?.into_iter();
    let program = words.next().filter(|program| !program.is_empty())?;
    let name = if name.trim().is_empty() {
        names::folder(std::path::Path::new(&program))
    } else {
        name.trim().to_owned()
    };
    let taken = |id: &BackendId| {
        let mut customs = settings.custom_backends.iter();
        customs.any(|custom| custom.id == *id)
    };
    let id = (1..=u32::MAX)
        .map(|number| BackendId::from(format!("custom-{number}")))
        .find(|id| !taken(id))?;
    Some(CustomBackend {
        id,
        name,
        command: program,
        args: words.collect(),
        env: std::collections::BTreeMap::new(),
        client_tools: crate::core::client_tools::ClientTools::default(),
    })
}

pub(super) fn is_custom(settings: &Settings, spec: &BackendSpec) -> bool {
    let mut customs = settings.custom_backends.iter();
    customs.any(|custom| custom.id == spec.id)
}

/// The button at the end of a row of the person's own; whether it was clicked.
pub(super) fn remove_custom_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    row: &Response,
    spec: &BackendSpec,
) -> bool {
    let size = Button::chip_height(cx.theme);
    let middle = egui::pos2(row.rect.right() - size / 2.0 - 2.0, row.rect.center().y);
    let rect = Rect::from_center_size(middle, Vec2::splat(size));
    let args = [("name", (&spec.name).into())];
    let label = cx.i18n.tr_args("backend.custom.remove", &args);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect));
    let button = Button::icon(icons::TRASH, &label).small();
    let is_clicked = button.show_ui(&mut child, cx.theme).clicked();
    if is_clicked {
        let mut settings = cx.settings.clone();
        settings
            .custom_backends
            .retain(|custom| custom.id != spec.id);
        cx.actions
            .push(UiAction::ChangeSettings(Box::new(settings)));
    }
    is_clicked
}

fn inset_ui(ui: &mut Ui, add_contents: impl FnOnce(&mut Ui)) {
    let margin = egui::Margin {
        left: 8,
        right: 8,
        top: 4,
        bottom: 8,
    };
    egui::Frame::NONE
        .inner_margin(margin)
        .show(ui, add_contents);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_describes_a_backend() {
        let settings = Settings::default();
        let custom = custom_backend(&settings, " ", "/opt/agent \"a b\"").expect("a command");
        assert_eq!(custom.name, "agent");
        assert_eq!(
            (custom.command.as_str(), custom.args.len()),
            ("/opt/agent", 1)
        );
        assert_eq!(custom_backend(&settings, "Name", "  "), None);
        assert_eq!(custom_backend(&settings, "Name", "\"open"), None);
    }

    #[test]
    fn two_backends_have_two_ids() {
        let mut settings = Settings::default();
        let first = custom_backend(&settings, "", "agent").expect("a command");
        settings.custom_backends.push(first.clone());
        let second = custom_backend(&settings, "", "agent").expect("a command");
        assert_ne!(first.id, second.id);
    }
}
