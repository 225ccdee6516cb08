//! The form for one server: name, how it is reached, and what goes along.

use egui::{Id, Ui};

use super::details::MASK;
use super::{change, words};
use crate::core::mcp_servers::McpServerSetting;
use crate::ui::cx::UiCx;
use crate::ui::icons;
use crate::ui::state::servers::{Kind, ServerDraft, ServersState};
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::segmented::segmented_ui;
use crate::ui::widgets::text;
use crate::ui::widgets::text_field::TextField;

/// Shows the form, which is closed by keeping or leaving what is written.
pub(super) fn editor_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut ServersState) {
    let Some(mut draft) = state.editing.take() else {
        return;
    };
    let i18n = cx.i18n;
    let id = Id::unique(("mcp server draft", draft.index));
    field_ui(
        ui,
        cx,
        (id.with("name"), "mcp.server.name"),
        &mut draft.name,
    );
    let kinds = Kind::ALL.map(Kind::as_str);
    let chosen = Kind::ALL.iter().position(|kind| *kind == draft.kind);
    let clicked = segmented_ui(ui, cx.theme, &kinds, chosen);
    if let Some(kind) = clicked.and_then(|index| Kind::ALL.get(index)) {
        draft.kind = *kind;
    }
    if draft.kind == Kind::Stdio {
        let command = (id.with("command"), "mcp.server.command");
        field_ui(ui, cx, command, &mut draft.command);
        args_ui(ui, cx, id.with("args"), &mut draft.args);
        let keys = [
            "mcp.server.variables",
            "mcp.server.variable_name",
            "mcp.server.variable_value",
            "mcp.server.variable_add",
        ];
        pairs_ui(ui, cx, (id.with("env"), keys), &mut draft.env, state);
    } else {
        field_ui(ui, cx, (id.with("url"), "mcp.server.url"), &mut draft.url);
        let keys = [
            "mcp.server.headers",
            "mcp.server.header_name",
            "mcp.server.header_value",
            "mcp.server.header_add",
        ];
        let headers = (id.with("headers"), keys);
        pairs_ui(ui, cx, headers, &mut draft.headers, state);
    }
    let names = cx.settings.mcp_servers.iter();
    let names: Vec<_> = names.map(|setting| setting.server.name.as_str()).collect();
    let fault = draft.fault(&names);
    if let Some(fault) = &fault {
        let words = words::draft_fault(i18n, fault);
        text::paragraph_ui(ui, &words, cx.theme.meta(), cx.theme.caution);
    }
    let is_done = ui
        .horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            let save = Button::text(i18n.tr("mcp.server.save"))
                .weight(Weight::Primary)
                .enabled(fault.is_none())
                .show_ui(ui, cx.theme);
            let leave = Button::text(i18n.tr("app.action.cancel"))
                .weight(Weight::Quiet)
                .show_ui(ui, cx.theme);
            if save.clicked() {
                keep(cx, &draft);
            }
            save.clicked() || leave.clicked()
        })
        .inner;
    if !is_done {
        state.editing = Some(draft);
    }
}

/// What a person has just written needs no second look.
fn keep(cx: &mut UiCx<'_>, draft: &ServerDraft) {
    let server = draft.server();
    change(cx, |servers| {
        match draft.index.and_then(|index| servers.get_mut(index)) {
            Some(setting) => {
                setting.server = server;
                setting.approve();
            }
            None => servers.push(McpServerSetting::approved(server)),
        }
    });
}

fn label_ui(ui: &mut Ui, cx: &UiCx<'_>, label: &str) {
    let theme = cx.theme;
    text::label_ui(ui, label, theme.meta(), theme.secondary, f32::INFINITY);
}

fn field_ui(ui: &mut Ui, cx: &UiCx<'_>, (id, key): (Id, &str), value: &mut String) {
    let label = cx.i18n.tr(key);
    label_ui(ui, cx, label);
    TextField::new(id, value, label).framed_ui(ui, cx.theme);
}

/// A field for each argument, so that blanks and quotes mean nothing.
fn args_ui(ui: &mut Ui, cx: &UiCx<'_>, id: Id, args: &mut Vec<String>) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    label_ui(ui, cx, i18n.tr("mcp.server.args"));
    let mut removed = None;
    for (index, arg) in args.iter_mut().enumerate() {
        let number = [("number", (index + 1).into())];
        let label = i18n.tr_args("mcp.server.arg", &number);
        let remove = i18n.tr_args("mcp.server.arg_remove", &number);
        if removable_ui(ui, cx, &remove, |ui, width| {
            ui.set_max_width(width);
            TextField::new(id.with(index), arg, &label).framed_ui(ui, theme);
        }) {
            removed = Some(index);
        }
    }
    if let Some(index) = removed {
        args.remove(index);
    }
    let add = Button::text(i18n.tr("mcp.server.arg_add")).with_icon(icons::PLUS);
    if add.weight(Weight::Quiet).show_ui(ui, theme).clicked() {
        args.push(String::new());
    }
}

/// Names and values, which are masked until somebody wants to see them.
fn pairs_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    (id, [heading, name, value, add]): (Id, [&str; 4]),
    pairs: &mut Vec<(String, String)>,
    state: &mut ServersState,
) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    label_ui(ui, cx, i18n.tr(heading));
    let (name, value) = (i18n.tr(name), i18n.tr(value));
    let mut removed = None;
    for (index, (left, right)) in pairs.iter_mut().enumerate() {
        let number = [("number", (index + 1).into())];
        let remove = i18n.tr_args("mcp.server.pair_remove", &number);
        if removable_ui(ui, cx, &remove, |ui, width| {
            let half = ((width - 8.0) / 2.0).max(0.0);
            ui.spacing_mut().item_spacing.x = 8.0;
            ui.allocate_ui(egui::vec2(half, 0.0), |ui| {
                TextField::new(id.with((index, "name")), left, name)
                    .hint(name)
                    .framed_ui(ui, theme);
            });
            ui.allocate_ui(egui::vec2(half, 0.0), |ui| {
                TextField::new(id.with((index, "value")), right, value)
                    .hint(MASK)
                    .secret(!state.values_shown)
                    .framed_ui(ui, theme);
            });
        }) {
            removed = Some(index);
        }
    }
    if let Some(index) = removed {
        pairs.remove(index);
    }
    ui.horizontal_wrapped(|ui| {
        let add = Button::text(i18n.tr(add)).with_icon(icons::PLUS);
        if add.weight(Weight::Quiet).show_ui(ui, theme).clicked() {
            pairs.push((String::new(), String::new()));
        }
        if !pairs.is_empty() {
            let label = i18n.tr(if state.values_shown {
                "mcp.server.values_hide"
            } else {
                "mcp.server.values_show"
            });
            let show = Button::text(label).with_icon(icons::EYE);
            if show.weight(Weight::Quiet).show_ui(ui, theme).clicked() {
                state.values_shown = !state.values_shown;
            }
        }
    });
}

/// Fields in a line with a button that takes them away; whether it was clicked.
fn removable_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    label: &str,
    add_fields: impl FnOnce(&mut Ui, f32),
) -> bool {
    let theme = cx.theme;
    ui.horizontal_top(|ui| {
        let width = ui.available_width() - Button::chip_height(theme) - 8.0;
        add_fields(ui, width.max(0.0));
        ui.vertical(|ui| {
            // In the middle of the field's height.
            ui.add_space(4.0);
            let remove = Button::icon(icons::CROSS, label).small();
            remove.show_ui(ui, theme).clicked()
        })
        .inner
    })
    .inner
}
