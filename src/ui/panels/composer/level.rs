//! How much runs unasked: a chip that always shows it, and the menu behind it. Raising it far is confirmed in place.

use egui::{Color32, Response, Ui};

use crate::core::command::Command;
use crate::core::ids::SessionKey;
use crate::core::policy::level::{Level, LevelTint};
use crate::core::session::Session;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::icons;
use crate::ui::panels::names;
use crate::ui::panels::permission::guard::GUARD_MILLIS;
use crate::ui::state::{Raising, UiState};
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::option::{Mark, OptionButton};
use crate::ui::widgets::popover::{Opening, Popover, close_and_focus};
use crate::ui::widgets::row::heading_ui;
use crate::ui::widgets::text;

/// The width of the menu in points.
const WIDTH: f32 = 380.0;

/// Shows the chip, and the menu while it is open.
pub(super) fn level_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState, session: &Session) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let level = session.level();
    let shown = i18n.tr(level.label_key());
    let label = i18n.tr_args("level.current", &[("level", shown.into())]);
    let tooltip = format!("{label}\n{}", i18n.tr(level.about_key()));
    let mut chip = Button::chip(&label)
        .shown(shown)
        .with_icon(icons::SHIELD)
        .tooltip(&tooltip)
        .max_width(theme.scaled(160.0))
        .id(ui.scope_id().with("permission level"));
    if let Some(color) = tint(cx, level) {
        chip = chip.tint(color);
    }
    let chip = chip.show_ui(ui, theme);
    let title = i18n.tr("level.title");
    Popover::above(&chip, title)
        .width(WIDTH)
        .show_ui(theme, |ui, opening| {
            if opening != Opening::Before {
                state.composer.raising = None;
            }
            heading_ui(ui, theme, title);
            menu_ui(ui, cx, state, session, &chip, opening);
        });
}

/// How the chip warns; nothing where nothing but what changes nothing runs unasked.
fn tint(cx: &UiCx<'_>, level: Level) -> Option<Color32> {
    match level.tint() {
        LevelTint::Plain => None,
        LevelTint::Warning => Some(cx.theme.caution),
        LevelTint::Danger => Some(cx.theme.error),
    }
}

fn menu_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    state: &mut UiState,
    session: &Session,
    chip: &Response,
    opening: Opening,
) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    ui.spacing_mut().item_spacing.y = 4.0;
    let current = session.level();
    let mut chosen = None;
    for level in Level::ALL {
        let id = chip.id.with(level.as_str());
        let row = OptionButton::new(id, Mark::One, i18n.tr(level.label_key()))
            .description(i18n.tr(level.about_key()))
            .chosen(level == current)
            .show_ui(ui, theme);
        if opening == Opening::ByKeyboard && level == current {
            row.request_focus();
        }
        if row.clicked() {
            state.composer.raising = None;
            if current.needs_confirmation(level) {
                state.composer.raising = Some(Raising {
                    session: session.key(),
                    level,
                    since: cx.now,
                });
            } else {
                chosen = Some(level);
            }
        }
        let raising = state
            .composer
            .raising
            .filter(|raising| raising.session == session.key() && raising.level == level);
        if let Some(raising) = raising {
            match confirm_ui(ui, cx, raising) {
                Some(true) => chosen = Some(level),
                Some(false) => state.composer.raising = None,
                None => {}
            }
        }
    }
    let args = [
        ("agent", names::agent(cx, session).into()),
        ("folder", names::folder(&session.setup().cwd).into()),
    ];
    let scope = i18n.tr_args("level.scope", &args);
    inset_ui(ui, |ui| {
        text::paragraph_ui(ui, &scope, theme.meta(), theme.secondary);
    });
    let Some(level) = chosen else { return };
    state.composer.raising = None;
    // The person goes on where they were: at the chip with the keyboard, else in the draft.
    if ui.memory(egui::Memory::focused).is_some_and(|focused| {
        Level::ALL
            .iter()
            .any(|level| chip.id.with(level.as_str()) == focused)
    }) {
        close_and_focus(ui, chip.id);
    } else {
        egui::Popup::close_all(ui.ctx());
        state.focus_composer = true;
    }
    if level != current {
        choose(cx, session.key(), level);
    }
}

/// What the level means, below it; whether the person wants it, once they have said so. The second half of a double
/// click says nothing.
fn confirm_ui(ui: &mut Ui, cx: &UiCx<'_>, raising: Raising) -> Option<bool> {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let level = raising.level;
    let is_ready = cx.now.millis_since(raising.since) >= GUARD_MILLIS;
    let args = [("level", i18n.tr(level.label_key()).into())];
    let yes = i18n.tr_args("level.raise", &args);
    let words = i18n.tr(match level {
        Level::AllTools => "level.raise.all_tools",
        Level::Ask | Level::ReadOnly | Level::Undoable | Level::AllOps => "level.raise.all_ops",
    });
    inset_ui(ui, |ui| {
        text::paragraph_ui(ui, words, theme.meta(), theme.caution);
        ui.add_space(2.0);
        ui.horizontal(|ui| {
            let yes = Button::text(&yes).small().weight(Weight::Danger);
            let yes = yes.show_ui(ui, theme);
            let no = Button::text(i18n.tr("level.keep"))
                .small()
                .weight(Weight::Quiet)
                .show_ui(ui, theme);
            yes.scroll_to_me(None);
            match (yes.clicked() && is_ready, no.clicked()) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            }
        })
        .inner
    })
}

/// Sets the level for the backend and the folder of a session: now, and for the sessions to come.
fn choose(cx: &mut UiCx<'_>, key: SessionKey, level: Level) {
    let Some(session) = cx.hub.session(key) else {
        return;
    };
    let (backend, folder) = (session.spec().id.clone(), session.setup().cwd.clone());
    for open in cx.hub.sessions() {
        if open.spec().id == backend && open.setup().cwd == folder {
            cx.commands.push(Command::SetLevel {
                session: open.key(),
                level,
            });
        }
    }
    let mut settings = cx.settings.clone();
    settings.levels.choose(backend, folder, level);
    cx.actions
        .push(UiAction::ChangeSettings(Box::new(settings)));
}

fn inset_ui<R>(ui: &mut Ui, add_contents: impl FnOnce(&mut Ui) -> R) -> R {
    egui::Frame::NONE
        .inner_margin(egui::Margin::symmetric(8, 2))
        .show(ui, add_contents)
        .inner
}
