//! The dropdown: open sessions to go to, agents to start, missing ones to read about, and a command of one's own.

use egui::{Rect, Response, Ui, Vec2};

use super::install;
use crate::core::backend::{BackendSpec, DetectedBackend, Unasked};
use crate::core::connection::ConnectionState;
use crate::core::presets::DEMO;
use crate::core::session::{Session, SessionStatus};
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::icons;
use crate::ui::panels::names;
use crate::ui::state::UiState;
use crate::ui::theme;
use crate::ui::widgets::button::Button;
use crate::ui::widgets::popover::Popover;
use crate::ui::widgets::row::{Row, heading_ui, separator_ui};
use crate::ui::widgets::text;

/// Whether a session that is not shown waits for the person.
pub(super) fn others_wait(cx: &UiCx<'_>, state: &UiState) -> bool {
    let mut others = cx
        .hub
        .sessions()
        .filter(|session| Some(session.key()) != state.shown);
    others.any(|session| session.status(cx.now) == SessionStatus::WaitingForYou)
}

/// Shows the dropdown while it is open.
pub(super) fn backend_menu_ui(cx: &mut UiCx<'_>, state: &mut UiState, button: &Response) {
    let title = cx.i18n.tr("app.backend");
    Popover::below(button, title)
        .width(340.0)
        .show_ui(cx.theme, |ui, _| {
            sessions_ui(ui, cx, state);
            backends_ui(ui, cx, state);
            separator_ui(ui, cx.theme);
            install::custom_ui(ui, cx, state);
            let look_again = Row::new(cx.i18n.tr("backend.look_again"))
                .icon(icons::REFRESH, cx.theme.icon(), cx.theme.secondary)
                .show_ui(ui, cx.theme);
            if look_again.clicked() {
                cx.actions.push(UiAction::DetectBackends);
            }
        });
}

fn sessions_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &UiState) {
    let sessions: Vec<&Session> = cx.hub.sessions().collect();
    if sessions.is_empty() {
        return;
    }
    heading_ui(ui, cx.theme, cx.i18n.tr("app.sessions"));
    for session in sessions {
        session_ui(ui, cx, state, session);
    }
    separator_ui(ui, cx.theme);
}

fn session_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &UiState, session: &Session) {
    let theme = cx.theme;
    let i18n = cx.i18n;
    let title = names::session_title_or_untitled(i18n, session);
    let folder = names::folder(&session.setup().cwd);
    let look = session.spec().look;
    let close_width = Button::chip_height(theme);
    let is_waiting = session.status(cx.now) == SessionStatus::WaitingForYou;
    let row = Row::new(&title)
        .icon(theme::glyph(look), theme.icon(), theme.accent(look))
        .detail(&folder)
        .chosen(Some(session.key()) == state.shown)
        .waiting(is_waiting)
        .end_space(close_width)
        .id(ui.scope_id().with(("session", session.key().0)))
        .show_ui(ui, theme);
    let label = i18n.tr_args("app.session.close", &[("title", (&title).into())]);
    let close = Rect::from_center_size(
        egui::pos2(
            row.rect.right() - close_width / 2.0 - 2.0,
            row.rect.center().y,
        ),
        Vec2::splat(close_width),
    );
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(close));
    let close = Button::icon(icons::CROSS, &label).small();
    if close.show_ui(&mut child, theme).clicked() {
        cx.actions.push(UiAction::CloseSession(session.key()));
    } else if row.clicked() {
        cx.actions.push(UiAction::ShowSession(session.key()));
        egui::Popup::close_all(ui.ctx());
    }
}

fn backends_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    let mut backends: Vec<&DetectedBackend> = cx.hub.backends().iter().collect();
    // Those that are there come first, by name; the demo closes them.
    backends.sort_by_key(|backend| {
        let is_demo = backend.spec.id.as_str() == DEMO;
        let name = backend.spec.name.to_lowercase();
        (!backend.detection.is_found(), is_demo, name)
    });
    let (found, missing): (Vec<_>, Vec<_>) = backends
        .into_iter()
        .partition(|backend| backend.detection.is_found());
    heading_ui(ui, cx.theme, cx.i18n.tr("backend.new_session_with"));
    if cx.hub.backends().is_empty() {
        let theme = cx.theme;
        ui.horizontal(|ui| {
            ui.add_space(8.0);
            let words = cx.i18n.tr("backend.looking");
            text::label_ui(ui, words, theme.meta(), theme.secondary, f32::INFINITY);
        });
    }
    for backend in found {
        found_ui(ui, cx, state, &backend.spec);
    }
    if missing.is_empty() {
        return;
    }
    heading_ui(ui, cx.theme, cx.i18n.tr("backend.not_installed"));
    for backend in missing {
        install::missing_ui(ui, cx, state, backend);
    }
}

fn found_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState, spec: &BackendSpec) {
    let theme = cx.theme;
    let name = names::backend(cx.i18n, spec);
    let is_demo = spec.id.as_str() == DEMO;
    let is_custom = cx
        .settings
        .custom_backends
        .iter()
        .any(|custom| custom.id == spec.id);
    let remove_width = Button::chip_height(theme);
    let explanation = cx.i18n.tr("backend.demo.explanation");
    let mut row = Row::new(&name)
        .icon(
            theme::glyph(spec.look),
            theme.icon(),
            theme.accent(spec.look),
        )
        .chosen(cx.settings.backend.as_ref() == Some(&spec.id))
        .id(ui.scope_id().with(("backend", spec.id.as_str())));
    if is_demo {
        row = row.description(cx.i18n.tr("backend.demo.short"));
    }
    let unasked = unasked(cx, spec);
    let label = names::in_unasked_words(cx.i18n, &name, unasked);
    if let Some(label) = &label {
        row = row.label(label).description(match unasked {
            Unasked::OwnTools => cx.i18n.tr("backend.own_tools_never_ask"),
            Unasked::Nothing | Unasked::Everything => cx.i18n.tr("backend.never_asks"),
        });
    }
    if is_custom {
        row = row.end_space(remove_width);
    }
    let row = row.show_ui(ui, theme);
    let removed = is_custom && install::remove_custom_ui(ui, cx, &row, spec);
    if row.clicked() && !removed {
        state.backend_menu.explained = None;
        cx.actions.push(UiAction::ChooseBackend(spec.id.clone()));
        egui::Popup::close_all(ui.ctx());
    }
    if is_demo {
        row.on_hover_text(explanation);
    } else {
        row.on_hover_text(command_line(spec));
    }
}

/// What the agent does without asking: as it has shown in a session, else as is known of it.
fn unasked(cx: &UiCx<'_>, spec: &BackendSpec) -> Unasked {
    let mut sessions = cx.hub.sessions();
    let shown = sessions.find_map(|session| {
        let connection = cx.hub.connection_of(session.key())?;
        let is_of_it = *session.spec() == *spec && connection.state == ConnectionState::Ready;
        is_of_it.then_some(connection.capabilities.unasked)
    });
    shown.unwrap_or_else(|| spec.unasked())
}

/// The command of a backend as one would type it.
pub(super) fn command_line(spec: &BackendSpec) -> String {
    let words = std::iter::once(&spec.command).chain(&spec.args);
    words.map(String::as_str).collect::<Vec<_>>().join(" ")
}
