//! The card of a folder that the person has not trusted yet: what an agent would act on there, and the one question.

use egui::Ui;

use crate::core::command::Command;
use crate::core::session::{Phase, Session};
use crate::core::trust::ProjectFileEffect;
use crate::core::trust::details::ProjectDetail;
use crate::i18n::I18n;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::panels::names;
use crate::ui::state::UiState;
use crate::ui::untrusted::{one_line, visible};
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::card::card_ui;
use crate::ui::widgets::code_box::code_box_ui;
use crate::ui::widgets::text;

/// The share of the window's height that the card may take.
const HEIGHT_MOST: f32 = 0.5;
/// How much of one file is told.
const DETAILS_MOST: usize = 20;

/// Shows nothing while the shown session needs no trust.
pub fn trust_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &UiState) {
    let Some(session) = state.shown.and_then(|key| cx.hub.session(key)) else {
        return;
    };
    if *session.phase() != Phase::TrustNeeded {
        return;
    }
    let most = ui.ctx().content_rect().height() * HEIGHT_MOST;
    card_ui(ui, cx.theme, cx.theme.caution, |ui| {
        egui::ScrollArea::vertical()
            .id_salt(("trust", session.key().0))
            .max_height(most)
            .show(ui, |ui| content_ui(ui, cx, session));
    });
}

fn content_ui(ui: &mut Ui, cx: &mut UiCx<'_>, session: &Session) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    ui.spacing_mut().item_spacing.y = 6.0;
    let args = [("agent", names::agent(cx, session).into())];
    let font = Face::SemiBold.sized(theme.size.body);
    text::label_ui(
        ui,
        &i18n.tr_args("permission.trust.heading", &args),
        font,
        theme.text,
        f32::INFINITY,
    );
    let folder = session.setup().cwd.display().to_string();
    if code_box_ui(ui, theme, &visible(&folder), i18n.tr("app.action.copy")) {
        cx.actions.push(UiAction::CopyText(folder));
    }
    files_ui(ui, cx, session);
    if let Some(words) = names::unasked(cx, session) {
        text::paragraph_ui(ui, &words, theme.meta(), theme.caution);
    }
    ui.horizontal_wrapped(|ui| {
        let trust = Button::text(i18n.tr("permission.trust.yes"))
            .with_icon(icons::SHIELD)
            .weight(Weight::Primary);
        if trust.show_ui(ui, theme).clicked() {
            cx.commands.push(Command::TrustFolder {
                session: session.key(),
            });
        }
        let other = Button::text(i18n.tr("permission.trust.other")).with_icon(icons::FOLDER);
        if other.show_ui(ui, theme).clicked() {
            cx.actions.push(UiAction::PickFolder);
        }
    });
}

/// What is in the folder that an agent would act on by itself.
fn files_ui(ui: &mut Ui, cx: &UiCx<'_>, session: &Session) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let Some(files) = session.project_files() else {
        return;
    };
    if files.is_empty() {
        text::paragraph_ui(
            ui,
            i18n.tr("permission.trust.nothing"),
            theme.meta(),
            theme.secondary,
        );
        return;
    }
    text::paragraph_ui(
        ui,
        i18n.tr("permission.trust.files"),
        theme.meta(),
        theme.secondary,
    );
    for file in files {
        let line = format!(
            "{} \u{2014} {}",
            file.path.display(),
            i18n.tr(effect_key(file.effect))
        );
        text::paragraph_ui(ui, &line, theme.meta(), theme.text);
        details_ui(ui, cx, &file.details);
    }
}

/// What stands in a file: commands and addresses whole, for they are what is trusted.
fn details_ui(ui: &mut Ui, cx: &UiCx<'_>, details: &[ProjectDetail]) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let inset = egui::Margin {
        left: 16,
        ..egui::Margin::ZERO
    };
    egui::Frame::NONE.inner_margin(inset).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for detail in details.iter().take(DETAILS_MOST) {
            let words = words_of(i18n, detail);
            text::paragraph_ui(ui, &words, theme.meta(), theme.secondary);
        }
        let left = details.len().saturating_sub(DETAILS_MOST);
        if left > 0 {
            let args = [("count", left.into())];
            let words = i18n.tr_args("permission.trust.more", &args);
            text::paragraph_ui(ui, &words, theme.meta(), theme.caution);
        }
    });
}

fn words_of(i18n: &I18n, detail: &ProjectDetail) -> String {
    match detail {
        ProjectDetail::Server { name, line } => {
            let args = [
                ("name", one_line(name).into()),
                ("line", one_line(line).into()),
            ];
            i18n.tr_args("permission.trust.server", &args)
        }
        ProjectDetail::Hook { event, command } => {
            let args = [
                ("event", one_line(event).into()),
                ("command", one_line(command).into()),
            ];
            i18n.tr_args("permission.trust.hook", &args)
        }
        ProjectDetail::Variable(name) => {
            let args = [("name", one_line(name).into())];
            i18n.tr_args("permission.trust.variable", &args)
        }
    }
}

fn effect_key(effect: ProjectFileEffect) -> &'static str {
    match effect {
        ProjectFileEffect::McpServers => "permission.trust.mcp_servers",
        ProjectFileEffect::Settings => "permission.trust.settings",
        ProjectFileEffect::Hooks => "permission.trust.hooks",
        ProjectFileEffect::Instructions => "permission.trust.instructions",
        ProjectFileEffect::Environment => "permission.trust.environment",
    }
}
