//! The composer's bottom row: attach, what the agent lets one choose, and the one button.

use egui::{Align, Layout, Ui, UiBuilder};

use super::{choices, level};
use crate::core::command::Command;
use crate::core::session::{Session, Turn};
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::icons;
use crate::ui::state::UiState;
use crate::ui::theme::NARROW_WIDTH;
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::text;

/// From this width on there is room for a hint beside the chips, in points.
const HINT_FROM_WIDTH: f32 = 480.0;

/// Shows the row; whether the message is to be sent.
pub(super) fn controls_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    state: &mut UiState,
    session: &Session,
) -> bool {
    let theme = cx.theme;
    let is_narrow = ui.ctx().content_rect().width() < theme.scaled(NARROW_WIDTH);
    let height = Button::height(theme);
    let (_, row) = ui.allocate_space(egui::vec2(ui.available_width(), height));
    let mut right = ui.new_child(
        UiBuilder::new()
            .max_rect(row)
            .layout(Layout::right_to_left(Align::Center)),
    );
    right.spacing_mut().item_spacing.x = 8.0;
    let is_empty = state.draft().is_empty();
    let is_sent = send_ui(&mut right, cx, session, is_empty);
    let queues = session.is_busy() && !is_empty;
    if queues && row.width() >= theme.scaled(HINT_FROM_WIDTH) {
        let words = cx.i18n.tr("composer.hint.queue");
        let room = (row.width() * 0.35).min(theme.scaled(260.0));
        text::label_ui(&mut right, words, theme.meta(), theme.secondary, room);
    }
    let end = right.min_rect().left() - 8.0;
    let mut left = ui.new_child(
        UiBuilder::new()
            .max_rect(egui::Rect::from_min_max(
                row.min,
                egui::pos2(end, row.max.y),
            ))
            .layout(Layout::left_to_right(Align::Center)),
    );
    left.spacing_mut().item_spacing.x = 2.0;
    let attach = Button::icon(icons::ATTACH, cx.i18n.tr("composer.attach"))
        .icon_color(theme.secondary)
        .small();
    if attach.show_ui(&mut left, theme).clicked() {
        cx.actions.push(UiAction::PickFiles);
    }
    level::level_ui(&mut left, cx, state, session);
    choices::choices_ui(&mut left, cx, session, is_narrow);
    is_sent
}

/// Send, queue or stop, whichever there is to do; whether the message is to be sent.
fn send_ui(ui: &mut Ui, cx: &mut UiCx<'_>, session: &Session, is_empty: bool) -> bool {
    let theme = cx.theme;
    let i18n = cx.i18n;
    let with_keys = |label: &str, keys: &str| {
        let args = [("label", label.into()), ("keys", keys.into())];
        i18n.tr_args("app.tooltip", &args)
    };
    if session.is_busy() && is_empty {
        let label = i18n.tr("composer.stop");
        let is_running = matches!(session.turn(), Turn::Running { .. });
        let tooltip = with_keys(label, "Esc");
        let stop = Button::icon(icons::STOP, label)
            .tooltip(&tooltip)
            .weight(Weight::Primary)
            .round()
            .enabled(is_running)
            .show_ui(ui, theme);
        if stop.clicked() {
            cx.commands.push(Command::CancelTurn {
                session: session.key(),
            });
        }
        return false;
    }
    let label = if session.is_busy() {
        i18n.tr("composer.queue")
    } else {
        i18n.tr("composer.send")
    };
    let tooltip = with_keys(label, &super::send_keys(ui.ctx(), cx.settings.send_key));
    let send = Button::icon(icons::SEND, label)
        .tooltip(&tooltip)
        .weight(Weight::Primary)
        .round()
        .enabled(!is_empty)
        .show_ui(ui, theme);
    send.clicked()
}
