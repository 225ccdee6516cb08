//! The whole window: lays the regions out from top to bottom, and hears the keys that are nobody else's.

use egui::text_selection::LabelSelectionState;
use egui::{Event, Id, Key, KeyboardShortcut, Modifiers, Rect, Ui, UiBuilder, Vec2};

use crate::core::command::Command;
use crate::core::session::Turn;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::panels::composer::{self, composer_ui};
use crate::ui::panels::folder::{choose_folder_ui, drop_target_ui};
use crate::ui::panels::header::header_ui;
use crate::ui::panels::names;
use crate::ui::panels::notice::notice_ui;
use crate::ui::panels::permission::{self, permission_ui};
use crate::ui::panels::protocol::{ProtocolOutcome, protocol_ui};
use crate::ui::panels::question::{self, question_ui};
use crate::ui::panels::servers::approval_ui;
use crate::ui::panels::settings::settings_ui;
use crate::ui::panels::sign_in::sign_in_ui;
use crate::ui::panels::status_bar::status_bar_ui;
use crate::ui::panels::transcript::transcript_ui;
use crate::ui::panels::trust::trust_ui;
use crate::ui::state::UiState;
use crate::ui::theme::{COLUMN_WIDTH, HEADER_HEIGHT, STATUS_HEIGHT};
use crate::ui::transcript::find::Keyboard;
use crate::ui::transcript::find::units::Searched;
use crate::ui::transcript::to_markdown;

/// Opens a new session.
pub const NEW_SESSION_KEYS: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::N);
/// Opens the field that finds text in the transcript.
pub const FIND_KEYS: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::F);
/// Copies the transcript as Markdown.
pub const COPY_KEYS: KeyboardShortcut =
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::M);
/// Gives the keyboard to the permission card, and back.
pub const SWITCH_PANE_KEY: Key = Key::F6;

/// Below this height of the window the status bar goes, in points.
const STATUS_FROM_HEIGHT: f32 = 260.0;

/// Draws the window.
pub fn window_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    note_focus(ui, cx, state);
    let popup_was_open = egui::Popup::is_any_open(ui.ctx());
    keys_before_ui(ui, cx, state);
    let window = ui.max_rect();
    ui.painter().rect_filled(window, 0.0, cx.theme.page);
    let header_height = cx.theme.scaled(HEADER_HEIGHT).max(HEADER_HEIGHT);
    let (header, rest) = window.split_top_bottom_at_y(window.top() + header_height);
    region_ui(ui, "header", header, |ui| header_ui(ui, cx, state));
    let stroke = egui::Stroke::new(1.0, cx.theme.hairline);
    ui.painter()
        .hline(window.x_range(), header.bottom() - 0.5, stroke);
    let status_height = if window.height() < STATUS_FROM_HEIGHT {
        0.0
    } else {
        cx.theme.scaled(STATUS_HEIGHT).max(STATUS_HEIGHT)
    };
    let (rest, status) = rest.split_top_bottom_at_y(rest.bottom() - status_height);
    if state.shown.is_some_and(|key| cx.hub.session(key).is_some()) {
        session_ui(ui, cx, state, rest);
    } else {
        region_ui(ui, "no session", rest.shrink(16.0), |ui| {
            notice_ui(ui, cx, state);
            if state.settings.shown.is_some() {
                settings_ui(ui, cx, state);
            } else {
                choose_folder_ui(ui, cx, state);
            }
        });
    }
    if status_height > 0.0 {
        region_ui(ui, "status", status, |ui| status_bar_ui(ui, cx, state));
    }
    files_ui(ui, cx);
    keys_after_ui(ui, cx, state, popup_was_open);
}

/// Transcript, cards and composer, drawn in this order, which is the order of Tab as well.
fn session_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState, rest: Rect) {
    let column = column(rest);
    let composer_id = Id::unique("composer region");
    let cards_id = Id::unique("cards region");
    let gap = 8.0;
    let composer_height = measured(ui, composer_id);
    let (above, composer) = rest.split_top_bottom_at_y(rest.bottom() - composer_height);
    let cards_height = measured(ui, cards_id);
    let cards_room = if cards_height > 0.0 {
        cards_height + gap
    } else {
        0.0
    };
    let (transcript, _) =
        above.split_top_bottom_at_y((above.bottom() - cards_room).max(above.top()));
    let mut keeps_keyboard = false;
    region_ui(ui, "transcript", transcript, |ui| {
        if let Some(view) = &mut state.protocol {
            if protocol_ui(ui, cx, view) == ProtocolOutcome::Closes {
                state.protocol = None;
                state.focus_composer = true;
            }
        } else if state.settings.shown.is_some() {
            let column = Rect::from_x_y_ranges(column.x_range(), transcript.y_range());
            region_ui(ui, "settings", column, |ui| settings_ui(ui, cx, state));
        } else if let Some(key) = state.shown {
            let view = state.transcripts.entry(key).or_default();
            transcript_ui(ui, cx, view, &mut state.cards.open_servers, key);
            state.focus_composer |= view.find.takes_keyboard(Keyboard::ToDraft);
            keeps_keyboard = std::mem::take(&mut view.selection.keeps_keyboard);
        }
    });
    let cards = Rect::from_x_y_ranges(
        column.x_range(),
        above.bottom() - cards_height..=above.bottom(),
    );
    measured_ui(ui, cards_id, cards, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        notice_ui(ui, cx, state);
        permission_ui(ui, cx, state);
        question_ui(ui, cx, state);
        sign_in_ui(ui, cx, state);
        trust_ui(ui, cx, state);
        approval_ui(ui, cx, state);
    });
    let composer = Rect::from_x_y_ranges(column.x_range(), composer.top()..=composer.bottom());
    measured_ui(ui, composer_id, composer, |ui| {
        ui.add_space(gap);
        kept_composer_ui(ui, cx, state, keeps_keyboard);
        ui.add_space(4.0);
    });
}

/// Draws the composer. A click on text of the transcript takes no keyboard from its field.
fn kept_composer_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState, keeps_keyboard: bool) {
    let field = state.shown.map(composer::field_id);
    let field =
        field.filter(|field| keeps_keyboard && ui.memory(|memory| memory.has_focus(*field)));
    composer_ui(ui, cx, state);
    if let Some(field) = field {
        ui.memory_mut(|memory| memory.request_focus(field));
    }
}

/// The column in the middle that everything to read stands in.
pub fn column(rect: Rect) -> Rect {
    let margin = if rect.width() < 400.0 { 8.0 } else { 16.0 };
    let width = (rect.width() - 2.0 * margin).min(COLUMN_WIDTH);
    Rect::from_center_size(rect.center(), Vec2::new(width, rect.height()))
}

fn region_ui(ui: &mut Ui, name: &str, rect: Rect, add_contents: impl FnOnce(&mut Ui)) {
    let mut child = ui.new_child(UiBuilder::new().id_salt(name).max_rect(rect));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    add_contents(&mut child);
}

/// The height that a region took when it was last drawn.
fn measured(ui: &Ui, id: Id) -> f32 {
    ui.data(|data| data.get_temp(id)).unwrap_or(0.0)
}

/// Draws a region that stands on its lower edge. Where its height turns out otherwise than expected, the frame is
/// drawn again before anybody sees it.
fn measured_ui(ui: &mut Ui, id: Id, rect: Rect, add_contents: impl FnOnce(&mut Ui)) {
    // There is room for more than was measured, or nothing in it would ever ask for more.
    let room = Rect::from_min_size(rect.min, Vec2::new(rect.width(), ui.max_rect().height()));
    let mut child = ui.new_child(UiBuilder::new().id_salt(id).max_rect(room));
    add_contents(&mut child);
    let used = child.min_rect().height();
    let height = if child.min_rect().is_positive() {
        used
    } else {
        0.0
    };
    if (height - rect.height()).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(id, height));
        ui.ctx().request_discard("a region has another height");
    }
}

fn note_focus(ui: &Ui, cx: &UiCx<'_>, state: &mut UiState) {
    let has_focus = ui.input(|input| input.focused);
    let since = &mut state.window.focused_since;
    match (has_focus, *since) {
        (true, None) => *since = Some(cx.now),
        (false, Some(_)) => *since = None,
        (true, Some(_)) | (false, None) => {}
    }
}

/// Keys that act wherever the keyboard is, and typing while it is nowhere.
fn keys_before_ui(ui: &Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    if ui.input_mut(|input| input.consume_shortcut(&NEW_SESSION_KEYS)) {
        cx.actions.push(UiAction::NewSession);
    }
    if ui.input_mut(|input| input.consume_shortcut(&FIND_KEYS)) {
        state.open_find();
    }
    if ui.input_mut(|input| input.consume_shortcut(&COPY_KEYS)) {
        copy_transcript(cx, state);
    }
    if ui.input_mut(|input| input.consume_key(Modifiers::NONE, SWITCH_PANE_KEY)) {
        switch_pane_ui(ui, cx, state);
    }
    let is_typing = ui.input(|input| {
        input
            .events
            .iter()
            .any(|event| matches!(event, Event::Text(_) | Event::Paste(_) | Event::Ime(_)))
    });
    if is_typing && ui.memory(|memory| memory.focused().is_none()) {
        state.focus_composer = true;
    }
}

/// Copies the shown transcript as Markdown.
pub fn copy_transcript(cx: &mut UiCx<'_>, state: &UiState) {
    let Some(session) = state.shown.and_then(|key| cx.hub.session(key)) else {
        return;
    };
    let agent = names::agent(cx, session);
    let from = Searched::new(session, cx.i18n, &agent);
    let text = to_markdown::transcript(from);
    cx.actions.push(UiAction::CopyText(text));
}

/// The keyboard goes from the composer to each card, and back.
fn switch_pane_ui(ui: &Ui, cx: &UiCx<'_>, state: &mut UiState) {
    let permission = permission::shown_request(cx, state);
    let permission = permission.map(|(_, request)| permission::card_id(request));
    let question = question::shown_request(cx, state);
    let question = question.map(|(_, request)| question::card_id(&request.id));
    let cards: Vec<Id> = permission.into_iter().chain(question).collect();
    let has_focus = |card: &Id| ui.memory(|memory| memory.has_focus(*card));
    let next = cards.iter().position(has_focus).map_or(0, |at| at + 1);
    match cards.get(next) {
        Some(card) => ui.memory_mut(|memory| memory.request_focus(*card)),
        None => state.focus_composer = true,
    }
}

/// Escape cancels the turn where it closes nothing else.
fn keys_after_ui(ui: &Ui, cx: &mut UiCx<'_>, state: &mut UiState, popup_was_open: bool) {
    let is_pressed = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    if !is_pressed || popup_was_open || state.composer.is_composing {
        return;
    }
    if state.settings.shown.take().is_some() || state.protocol.take().is_some() {
        state.focus_composer = true;
        return;
    }
    let Some(session) = state.shown.and_then(|key| cx.hub.session(key)) else {
        return;
    };
    let view = state.transcripts.get_mut(&session.key());
    if view.is_some_and(|view| view.selection.clear()) || clear_labels(ui) {
        ui.ctx().request_repaint();
        return;
    }
    if matches!(session.turn(), Turn::Running { .. }) {
        cx.commands.push(Command::CancelTurn {
            session: session.key(),
        });
    }
}

/// Gives up what is selected of the labels around the transcript; whether anything was.
fn clear_labels(ui: &Ui) -> bool {
    let Some(labels) = ui.ctx().plugin_opt::<LabelSelectionState>() else {
        return false;
    };
    let mut labels = labels.lock();
    let had_some = labels.has_selection();
    labels.clear_selection();
    had_some
}

/// Files that are dragged over the window, and dropped.
fn files_ui(ui: &Ui, cx: &mut UiCx<'_>) {
    let (hovers, dropped) = ui.input(|input| {
        let hovers = !input.raw.hovered_files.is_empty();
        let dropped = input.raw.dropped_files.iter();
        let dropped: Vec<_> = dropped.map(|file| file.path().to_path_buf()).collect();
        (hovers, dropped)
    });
    if hovers {
        drop_target_ui(ui, cx, cx.i18n.tr("app.drop"));
    }
    if !dropped.is_empty() {
        cx.actions.push(UiAction::AttachFiles(dropped));
    }
}

/// Gives the keyboard to the composer of a session.
pub fn focus_composer(ctx: &egui::Context, session: crate::core::ids::SessionKey) {
    ctx.memory_mut(|memory| memory.request_focus(composer::field_id(session)));
}
