//! The field that finds text in the transcript, with the number of matches and the way from one to the next.

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Align, Frame, Id, Key, Layout, Margin, Modifiers, Rect, Stroke, Ui, UiBuilder, vec2};

use crate::core::ids::SessionKey;
use crate::i18n::I18n;
use crate::ui::cx::UiCx;
use crate::ui::icons;
use crate::ui::theme::CARD_RADIUS;
use crate::ui::transcript::find::units::Searched;
use crate::ui::transcript::find::{Find, Keyboard};
use crate::ui::transcript::rows::Direction;
use crate::ui::transcript::state::{Place, TranscriptState};
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::text;
use crate::ui::widgets::text_field::{FieldOutput, TextField};

const WIDTH: f32 = 440.0;
/// Without the field.
const COUNT_WIDTH: f32 = 96.0;

/// Hears the keys that lead from match to match, wherever the keyboard is, and takes in what was typed.
pub(super) fn keys_ui(ui: &Ui, state: &mut TranscriptState, searched: Searched<'_>) {
    let compared = std::mem::take(&mut state.views.compared);
    let searched = searched.with(&state.views.changes);
    if !state.find.is_open {
        return;
    }
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    if pressed(Modifiers::SHIFT, Key::F3) {
        state.find.go(Direction::Back, searched);
    }
    if pressed(Modifiers::NONE, Key::F3) {
        state.find.go(Direction::Forward, searched);
    }
    let from = match (state.place, state.topmost) {
        (Place::At(anchor), _) | (Place::End, Some(anchor)) => anchor.row,
        (Place::End, None) => 0,
    };
    state.find.set_text(from);
    state.find.update(searched, &compared);
    if !state.find.is_finished(state.rows.len()) {
        ui.ctx().request_repaint();
    }
}

/// Draws the field over the upper edge of the transcript.
pub(super) fn find_bar_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    state: &mut TranscriptState,
    searched: Searched<'_>,
    room: Rect,
) {
    if !state.find.is_open {
        return;
    }
    let theme = cx.theme;
    let width = theme.scaled(WIDTH).min(room.width() - 16.0);
    let height = Button::height(theme) + 12.0;
    let right = (room.right() - 8.0).min(room.center().x + theme.scaled(400.0));
    let rect = Rect::from_min_size(
        egui::pos2(right - width, room.top() + 6.0),
        vec2(width, height),
    );
    // What is below it hears nothing of clicks on it.
    ui.interact(rect, Id::unique("find bar"), egui::Sense::click_and_drag());
    let frame = Frame {
        fill: theme.raised,
        stroke: Stroke::new(1.0, theme.border),
        corner_radius: CARD_RADIUS,
        shadow: theme.shadow(),
        ..Frame::NONE
    };
    ui.painter().add(frame.paint(rect));
    let inner = rect - Margin::symmetric(6, 6);
    let mut child = ui.new_child(
        UiBuilder::new()
            .id_salt("find")
            .max_rect(inner)
            .layout(Layout::right_to_left(Align::Center)),
    );
    child.spacing_mut().item_spacing.x = 2.0;
    bar_ui(&mut child, cx, state, searched);
    let is_in_a_field = child.ctx().text_edit_focused();
    let is_left =
        !is_in_a_field && child.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    if is_left {
        state.find.close();
    }
}

/// From right to left.
fn bar_ui(ui: &mut Ui, cx: &UiCx<'_>, state: &mut TranscriptState, searched: Searched<'_>) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let find = &mut state.find;
    let searched = searched.with(&state.views.changes);
    let close = Button::icon(icons::CROSS, i18n.tr("find.close"));
    if close.show_ui(ui, theme).clicked() {
        find.close();
        return;
    }
    let has_any = find.total() > 0;
    let next = Button::icon(icons::CHEVRON_DOWN, i18n.tr("find.next")).enabled(has_any);
    if next.show_ui(ui, theme).clicked() {
        find.go(Direction::Forward, searched);
    }
    let previous = Button::icon(icons::CHEVRON_UP, i18n.tr("find.previous")).enabled(has_any);
    if previous.show_ui(ui, theme).clicked() {
        find.go(Direction::Back, searched);
    }
    let forms = if find.options.ignore_forms {
        i18n.tr("find.forms.ignored")
    } else {
        i18n.tr("find.forms.matter")
    };
    if switch_ui(ui, cx, "あ=ア", forms, find.options.ignore_forms) {
        find.options.ignore_forms = !find.options.ignore_forms;
    }
    let case = if find.options.match_case {
        i18n.tr("find.case.matters")
    } else {
        i18n.tr("find.case.ignored")
    };
    if switch_ui(ui, cx, "Aa", case, find.options.match_case) {
        find.options.match_case = !find.options.match_case;
    }
    let rows = state.rows.len();
    if ui.available_width() > theme.scaled(COUNT_WIDTH + 80.0) {
        let words = count(i18n, find, rows);
        let room = theme.scaled(COUNT_WIDTH);
        text::label_ui(ui, &words, theme.meta(), theme.secondary, room);
    }
    ui.add_space(4.0);
    field_ui(ui, cx, find, searched);
}

fn switch_ui(ui: &mut Ui, cx: &UiCx<'_>, shown: &str, label: &str, is_on: bool) -> bool {
    let weight = if is_on { Weight::Normal } else { Weight::Quiet };
    let button = Button::text(label).shown(shown).tooltip(label).small();
    button.weight(weight).show_ui(ui, cx.theme).clicked()
}

fn field_ui(ui: &mut Ui, cx: &UiCx<'_>, find: &mut Find, searched: Searched<'_>) {
    let id = field_id(searched.session.key());
    if find.takes_keyboard(Keyboard::ToField) {
        take_keyboard(ui, id, &find.text);
    }
    let has_focus = ui.memory(|memory| memory.has_focus(id));
    let goes_back = has_focus
        && !find.is_composing
        && ui.input_mut(|input| input.consume_key(Modifiers::SHIFT, Key::Enter));
    let label = cx.i18n.tr("find.label");
    let field = TextField::new(id, &mut find.text, label)
        .hint(label)
        .claim(&[Key::Escape]);
    let FieldOutput {
        response,
        submitted,
        keys,
        is_composing,
    } = ui
        .with_layout(Layout::left_to_right(Align::Center), |ui| {
            field.show_ui(ui, cx.theme)
        })
        .inner;
    find.is_composing = is_composing;
    if response.changed() {
        ui.ctx().request_repaint();
    }
    if keys.contains(&Key::Escape) {
        find.close();
    } else if goes_back {
        find.go(Direction::Back, searched);
    } else if submitted {
        find.go(Direction::Forward, searched);
    }
}

/// Gives the keyboard to the field, with what was typed before selected.
fn take_keyboard(ui: &Ui, id: Id, text: &str) {
    ui.memory_mut(|memory| memory.request_focus(id));
    let mut edit = TextEditState::load(ui.ctx(), id).unwrap_or_default();
    let all = CCursorRange::two(CCursor::new(0), CCursor::new(text.chars().count()));
    edit.cursor.set_char_range(Some(all));
    edit.store(ui.ctx(), id);
}

/// The field of a session.
fn field_id(session: SessionKey) -> Id {
    Id::unique(("find", session.0))
}

fn count(i18n: &I18n, find: &Find, rows: usize) -> String {
    let total = find.total();
    if find.text.is_empty() {
        return String::new();
    }
    match (find.number(), find.is_finished(rows)) {
        (_, false) => i18n.tr_args("find.so_far", &[("count", total.into())]),
        (None, true) if total == 0 => i18n.tr("find.none").to_owned(),
        (number, true) => {
            let number = number.unwrap_or_default();
            let args = [("number", number.into()), ("total", total.into())];
            i18n.tr_args("find.count", &args)
        }
    }
}
