//! Selecting text with the pointer, across rows and beyond the edges, and copying what is selected.

use egui::text::CCursorRange;
use egui::text_edit::TextEditState;
use egui::text_selection::LabelSelectionState;
use egui::{Event, Id, Rect, Ui};

use crate::core::ids::{BlockId, SessionKey};
use crate::core::transcript::BlockContent;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::icons;
use crate::ui::panels::composer;
use crate::ui::text::draw::selecting;
use crate::ui::text::selecting::{Selecting, Span};
use crate::ui::transcript::find::units::Searched;
use crate::ui::transcript::selected_text::Page;
use crate::ui::transcript::selection::{Grain, Menu, Press};
use crate::ui::transcript::state::TranscriptState;
use crate::ui::transcript::to_markdown;
use crate::ui::widgets::popover::menu_at_ui;
use crate::ui::widgets::row::Row;

/// How fast the text moves while the pointer is beyond an edge: in points a second, for each point beyond.
const SPEED: f32 = 14.0;
const SPEED_MOST: f32 = 4_000.0;
/// Moving by more in one UI frame would leave text out, in seconds.
const STEP_SECS_MOST: f32 = 0.05;
const MENU_WIDTH: f32 = 200.0;
/// The pointer on text moved less, in points: nothing is dragged yet.
const STILL: f32 = 3.0;
/// More rows are copied only when that is asked for.
const ROWS_MOST: usize = 1_000;

/// Before the list is drawn: what is selected, and whether the pointer is at it.
pub(super) fn begin_ui(
    ui: &Ui,
    state: &mut TranscriptState,
    session: SessionKey,
    room: Rect,
) -> Selecting {
    state.selection.follow(&state.rows);
    let mut selecting = Selecting::of(state.selection.span());
    // Rows are above it: it hears what is beside them.
    let id = Id::unique(("beside text", session.0));
    let background = ui.interact(room, id, self::selecting());
    selecting.heard.pressed = background.is_pointer_button_down_on();
    selecting.heard.clicked = background.clicked();
    let pointer = ui.input(|input| input.pointer.clone());
    if pointer.primary_pressed()
        && let Some(at) = pointer.interact_pos()
        && !room.contains(at)
        && ui.ctx().layer_id_at(at) == Some(ui.layer_id())
    {
        state.selection.clear();
    }
    // What egui selects elsewhere takes the place of it.
    if state.selection.span().is_some()
        && let Some(labels) = ui.ctx().plugin_opt::<LabelSelectionState>()
        && labels.lock().has_selection()
    {
        state.selection.clear();
    }
    if state.selection.selects() && pointer.primary_down() {
        scroll_ui(ui, state, room);
    }
    selecting.collects =
        state.selection.is_dragging() || pointer.any_pressed() || pointer.any_click();
    selecting.span = state.selection.span();
    selecting
}

/// Moves the text while the pointer is beyond an edge.
fn scroll_ui(ui: &Ui, state: &mut TranscriptState, room: Rect) {
    let Some(at) = ui.input(|input| input.pointer.interact_pos()) else {
        return;
    };
    let beyond = (at.y - room.bottom()).max(0.0) - (room.top() - at.y).max(0.0);
    if beyond == 0.0 {
        return;
    }
    let secs = ui.input(|input| input.stable_dt).min(STEP_SECS_MOST);
    let speed = (beyond * SPEED).clamp(-SPEED_MOST, SPEED_MOST);
    state.selection.moved_from = Some(state.place);
    state.move_by(speed * secs);
}

/// After the list was drawn: takes in what the pointer did to it.
pub(super) fn end_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    state: &mut TranscriptState,
    selecting: &Selecting,
    searched: Searched<'_>,
    room: Rect,
) {
    let pointer = ui.input(|input| input.pointer.clone());
    let heard = selecting.heard;
    let was_open = state.selection.menu.is_some();
    let asks = pointer.secondary_clicked() && is_here(ui, room);
    state.selection.keeps_keyboard = heard.clicked || asks || was_open;
    // Where there is no more text, nothing moves.
    let moved_from = state.selection.moved_from.take();
    if moved_from.is_some_and(|from| !from.is_near(state.place)) {
        ui.ctx().request_repaint();
    }
    let page = Page {
        searched: searched.with(&state.views.changes),
        rows: &state.rows,
        folds: &state.folds,
    };
    let text = |block, unit| page.unit(block, unit);
    let at = pointer.interact_pos();
    let found = at.and_then(|at| selecting.found(at));
    let before = state.selection.span();
    if let (Some(at), Some(found)) = (at, &found) {
        let extends = ui.input(|input| input.modifiers.shift);
        if pointer.primary_pressed() && heard.pressed {
            let options = ui.ctx().options(|options| options.input_options);
            let reach = (options.max_double_click_delay, options.max_click_dist);
            let time = ui.input(|input| input.time);
            let grain = state.selection.grain(time, at, reach);
            let grain = if extends { Grain::Character } else { grain };
            // What a click opens or folds is selected from only when it can be no click any more.
            let still = if heard.on_plain_text {
                STILL
            } else {
                options.max_click_dist
            };
            let press = Press { at, still };
            state.selection.press((grain, extends), found, press, text);
        } else if pointer.primary_down() {
            state.selection.drag_to(found, at, text);
        }
        if asks {
            let block = found.place.block;
            state.selection.menu = Some(Menu { at, block });
            egui::Popup::open_id(ui.ctx(), menu_id(searched));
        }
    }
    if state.selection.is_dragging() && !pointer.primary_down() {
        state.selection.release(heard.clicked);
        if let Some(span) = state
            .selection
            .span()
            .filter(|span| span.rows() <= ROWS_MOST)
        {
            // The other clipboard of X11 and Wayland takes what is selected, asked for or not.
            let command = egui::OutputCommand::TextSelectionSettled(page.text_of(&span));
            ui.ctx().send_cmd(command);
        }
    }
    let span = state.selection.span();
    if span != before {
        if span.is_some() {
            give_up_other_ui(ui, searched);
        }
        ui.ctx().request_repaint();
    }
    if let Some(span) = &span {
        copy_ui(ui, cx, page, span);
    }
    menu_ui(ui, cx, state, searched, span.as_ref());
}

fn is_here(ui: &Ui, room: Rect) -> bool {
    let at = ui.input(|input| input.pointer.interact_pos());
    at.is_some_and(|at| room.contains(at) && ui.ctx().layer_id_at(at) == Some(ui.layer_id()))
}

/// Only one text is selected at a time.
fn give_up_other_ui(ui: &Ui, searched: Searched<'_>) {
    let id = composer::field_id(searched.session.key());
    if let Some(mut edit) = TextEditState::load(ui.ctx(), id)
        && let Some(range) = edit.cursor.char_range().filter(|range| !range.is_empty())
    {
        let end = CCursorRange::one(range.primary);
        edit.cursor.set_char_range(Some(end));
        edit.store(ui.ctx(), id);
    }
}

/// Copies what is selected when the keys ask for it, unless a field has something selected.
fn copy_ui(ui: &Ui, cx: &mut UiCx<'_>, page: Page<'_>, span: &Span) {
    let is_wanted = |event: &Event| matches!(event, Event::Copy);
    if !ui.input(|input| input.events.iter().any(is_wanted)) {
        return;
    }
    let focused = ui.memory(egui::Memory::focused);
    let edit = focused.and_then(|id| TextEditState::load(ui.ctx(), id));
    let range = edit.and_then(|edit| edit.cursor.char_range());
    if range.is_none_or(|range| range.is_empty()) {
        cx.actions.push(UiAction::CopyText(page.text_of(span)));
    }
}

fn menu_id(searched: Searched<'_>) -> Id {
    Id::unique(("text menu", searched.session.key().0))
}

/// The menu of the other button: what is selected is copied, or the block that was clicked on.
fn menu_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    state: &mut TranscriptState,
    searched: Searched<'_>,
    span: Option<&Span>,
) {
    let Some(menu) = state.selection.menu else {
        return;
    };
    let (theme, i18n) = (cx.theme, cx.i18n);
    let keys = ui.ctx().format_shortcut(&egui::KeyboardShortcut::new(
        egui::Modifiers::COMMAND,
        egui::Key::C,
    ));
    let (words, copied) = whole(searched, menu.block);
    let label = i18n.tr("transcript.text_menu");
    let mut chosen = None;
    let is_open = menu_at_ui(
        ui,
        theme,
        (menu_id(searched), label),
        (menu.at, MENU_WIDTH),
        |ui| {
            let row = |title, icon| Row::new(title).icon(icon, theme.icon(), theme.secondary);
            if let Some(span) = span {
                let copy = row(i18n.tr("transcript.copy_selection"), icons::COPY).detail(&keys);
                if copy.show_ui(ui, theme).clicked() {
                    let page = Page {
                        searched: searched.with(&state.views.changes),
                        rows: &state.rows,
                        folds: &state.folds,
                    };
                    chosen = Some(page.text_of(span));
                }
            }
            if row(i18n.tr(words), icons::COPY)
                .show_ui(ui, theme)
                .clicked()
            {
                chosen = Some(copied.clone());
            }
        },
    );
    if let Some(text) = chosen {
        cx.actions.push(UiAction::CopyText(text));
        egui::Popup::close_all(ui.ctx());
        state.selection.menu = None;
    } else if !is_open {
        state.selection.menu = None;
    }
}

/// All of a block as it is copied, and what doing that is called.
fn whole(searched: Searched<'_>, block: BlockId) -> (&'static str, String) {
    let block = searched.session.transcript().block(block);
    match block.map(|block| (block, &block.content)) {
        Some((_, BlockContent::UserMessage(message) | BlockContent::AgentMessage(message))) => {
            ("transcript.copy_message", message.text.clone())
        }
        Some((block, _)) => ("transcript.copy_block", to_markdown::block(searched, block)),
        None => ("transcript.copy_block", String::new()),
    }
}
