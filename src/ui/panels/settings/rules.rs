//! The rules of the shown session's folder: what is allowed, asked and denied, by whose file, and since when.

mod new_rule;
mod words;

use super::heading_ui;
use egui::{Align, Frame, Layout, Margin, Stroke, Ui};

use crate::core::command::Command;
use crate::core::policy::rules::edit::RuleEdit;
use crate::core::policy::rules::{Effect, Rule, RuleFile, RuleOrigin};
use crate::core::policy::script_gate::ScriptGate;
use crate::core::session::Session;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::panels::{names, reasons};
use crate::ui::state::UiState;
use crate::ui::theme::{BLOCK_GAP, CARD_RADIUS};
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::option::{Mark, OptionButton};
use crate::ui::widgets::text;

/// Shows the page.
pub(super) fn rules_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    ui.spacing_mut().item_spacing.y = 4.0;
    let about = i18n.tr("rules.about");
    text::paragraph_ui(ui, about, theme.meta(), theme.secondary);
    let hub = cx.hub;
    let session = state.shown.and_then(|key| hub.session(key));
    let of_session = session.and_then(Session::ground);
    // Without a session, and before its rules are read, the person's own are there all the same.
    let files = match of_session {
        Some(ground) => ground.rules.files.as_slice(),
        None => hub.own_rules().map_or(&[][..], std::slice::from_ref),
    };
    for file in files {
        file_ui(ui, cx, session, file);
    }
    if of_session.is_none() {
        let words = i18n.tr("rules.no_session");
        ui.add_space(BLOCK_GAP);
        text::paragraph_ui(ui, words, theme.meta(), theme.secondary);
    }
    if let Some(folder_file) = folder_file(files) {
        script_gate_ui(ui, cx, folder_file);
    }
    if !files.is_empty() {
        new_rule::new_rule_ui(ui, cx, &mut state.settings.new_rule, files);
    }
    ui.add_space(16.0);
}

/// The rules file of the folder.
fn folder_file(files: &[RuleFile]) -> Option<&RuleFile> {
    let mut files = files.iter();
    files.find(|file| matches!(file.origin, RuleOrigin::Folder { .. }))
}

fn file_ui(ui: &mut Ui, cx: &mut UiCx<'_>, session: Option<&Session>, file: &RuleFile) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let folder = session.map_or_else(String::new, |session| names::folder(&session.setup().cwd));
    let title = match file.origin {
        RuleOrigin::User => i18n.tr("rules.of_user").to_owned(),
        RuleOrigin::Folder { .. } => i18n.tr_args("rules.of_folder", &[("folder", folder.into())]),
        RuleOrigin::Session => i18n.tr("rules.of_session").to_owned(),
    };
    heading_ui(ui, cx, &title);
    if file.origin != RuleOrigin::Session {
        path_ui(ui, cx, file);
    }
    for problem in &file.problems {
        let words = reasons::problem(i18n, &problem.place, &problem.kind);
        let words = i18n.tr_args("rules.problem", &[("problem", words.into())]);
        text::paragraph_ui(ui, &words, theme.meta(), theme.caution);
    }
    if file.rules.is_empty() && file.problems.is_empty() {
        let words = i18n.tr("rules.none");
        text::paragraph_ui(ui, words, theme.meta(), theme.secondary);
    }
    for rule in &file.rules {
        rule_ui(ui, cx, session, file, rule);
    }
}

/// Where the file lies, and the button that opens it.
fn path_ui(ui: &mut Ui, cx: &mut UiCx<'_>, file: &RuleFile) {
    let theme = cx.theme;
    let path = one_line(&file.path.display().to_string());
    let is_there = !file.rules.is_empty() || !file.problems.is_empty();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        if is_there {
            let args = [("file", (&path).into())];
            let label = cx.i18n.tr_args("rules.open", &args);
            let open = Button::icon(icons::EXTERNAL_LINK, &label).small();
            if open.show_ui(ui, theme).clicked() {
                cx.actions.push(UiAction::OpenFile {
                    path: file.path.clone(),
                    line: None,
                });
            }
        }
        text::label_ui(ui, &path, theme.mono(), theme.secondary, f32::INFINITY);
    });
}

fn rule_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    session: Option<&Session>,
    file: &RuleFile,
    rule: &Rule,
) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let frame = Frame {
        inner_margin: Margin::symmetric(10, 6),
        fill: theme.raised,
        stroke: Stroke::new(1.0, theme.hairline),
        corner_radius: CARD_RADIUS,
        ..Frame::NONE
    };
    let label = i18n.tr_args("rules.remove", &[("rule", one_line(&rule.text()).into())]);
    let is_removed = frame
        .show(ui, |ui| {
            let room = ui.available_width() - Button::chip_height(theme) - 8.0;
            ui.horizontal(|ui| {
                ui.vertical(|ui| {
                    ui.set_width(room);
                    rule_words_ui(ui, cx, rule);
                });
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let button = Button::icon(icons::TRASH, &label).small();
                    button.show_ui(ui, theme).clicked()
                })
                .inner
            })
            .inner
        })
        .inner;
    if is_removed {
        let rule = Box::new(rule.clone());
        cx.commands.extend(match (file.origin, session) {
            (RuleOrigin::Session, session) => session.map(|session| Command::RevokeRule {
                session: session.key(),
                rule,
            }),
            (RuleOrigin::User | RuleOrigin::Folder { .. }, _) => {
                Some(Command::EditRules(Box::new(RuleEdit::Remove {
                    file: file.path.clone(),
                    rule,
                })))
            }
        });
    }
}

fn rule_words_ui(ui: &mut Ui, cx: &UiCx<'_>, rule: &Rule) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let (effect, color) = match rule.effect {
        Effect::Allow => ("rules.effect.allow", theme.ok),
        Effect::Ask => ("rules.effect.ask", theme.caution),
        Effect::Deny => ("rules.effect.deny", theme.error),
    };
    let font = Face::SemiBold.sized(theme.size.meta);
    text::label_ui(ui, i18n.tr(effect), font, color, f32::INFINITY);
    let about = words::about(i18n, rule);
    text::paragraph_ui(ui, &about, theme.body(), theme.text);
    let details = words::details(i18n, rule, cx.now);
    if !details.is_empty() {
        text::paragraph_ui(ui, &details.join("\n"), theme.meta(), theme.secondary);
    }
}

/// The switch of the script gate for this folder.
fn script_gate_ui(ui: &mut Ui, cx: &mut UiCx<'_>, file: &RuleFile) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    heading_ui(ui, cx, i18n.tr("rules.script_gate.heading"));
    let is_on = file.script_gate == ScriptGate::On;
    let id = egui::Id::unique("script gate");
    let switch = OptionButton::new(id, Mark::Many, i18n.tr("rules.script_gate"))
        .description(i18n.tr("rules.script_gate.about"))
        .chosen(is_on)
        .show_ui(ui, theme);
    if switch.clicked() {
        let gate = if is_on {
            ScriptGate::Off
        } else {
            ScriptGate::On
        };
        cx.commands
            .push(Command::EditRules(Box::new(RuleEdit::SetScriptGate {
                file: file.path.clone(),
                gate,
            })));
    }
}

/// A small button of a form.
fn form_button(label: &str) -> Button<'_> {
    Button::text(label).small().weight(Weight::Normal)
}
