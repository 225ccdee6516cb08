//! The card of an agent's question: what it asks, the answers it offers, and the person's own words.
//!
//! It never takes the keyboard, and answers only to what was meant for it; see `widgets/stillness.rs`.

pub mod answers;
mod form;
mod url;

use std::time::Duration;

use egui::{Id, Rect, Response, Sense, Ui, Vec2};

use self::answers::Choice;
use crate::core::command::Command;
use crate::core::ids::{RequestId, SessionKey};
use crate::core::question::{AnswerForm, QuestionAnswer, QuestionKind, QuestionRequest};
use crate::core::session::Session;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::panels::names;
use crate::ui::panels::permission::guard;
use crate::ui::state::UiState;
use crate::ui::state::cards::{CardsState, FocusWish, QuestionDraft};
use crate::ui::theme::{CARD_RADIUS, LINE_HEIGHT};
use crate::ui::untrusted::visible;
use crate::ui::widgets::button::{Button, focus_ring};
use crate::ui::widgets::card::card_ui;
use crate::ui::widgets::stillness::picture_of;
use crate::ui::widgets::text;

/// The share of the window's height that the card may take: alone, and under a permission card.
const HEIGHT_MOST: f32 = 0.5;
const HEIGHT_MOST_BELOW: f32 = 0.35;

/// What the person does with the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    /// Show another question of the set.
    Show(usize),
    Choose(Choice),
    /// Go to the next question without an answer.
    Next,
    Submit,
    Skip,
    /// Open the address.
    Open,
}

/// What was drawn of the card.
#[derive(Default)]
struct Drawn {
    buttons: Vec<(Response, Act)>,
    /// Something was typed in a field.
    is_typed: bool,
    /// Enter was pressed in a field.
    is_entered: bool,
}

/// How the card is drawn in this frame.
#[derive(Debug, Clone, Copy)]
struct Look {
    /// Names everything in the card, so that a press never counts for another request.
    id: Id,
    height_most: f32,
    /// It has just appeared, and takes no input yet.
    is_settling: bool,
}

/// The id of the card, for those who give it the keyboard because the person asked for it.
pub fn card_id(request: &RequestId) -> Id {
    Id::unique(("question card", request.to_string()))
}

/// The set of questions that is shown: the oldest of the shown session.
pub fn shown_request<'a>(
    cx: &UiCx<'a>,
    state: &UiState,
) -> Option<(&'a Session, &'a QuestionRequest)> {
    let session = cx.hub.session(state.shown?)?;
    Some((session, session.questions().first()?))
}

/// Shows the card, or nothing.
pub fn question_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    forget_closed(cx, &mut state.cards);
    let Some((session, request)) = shown_request(cx, state) else {
        state.cards.question_stillness.gone();
        return;
    };
    let is_active = guard::is_window_active(&state.window, cx.now);
    let key = (session.key(), request.id.clone());
    let mut draft = state
        .cards
        .questions
        .remove(&key)
        .unwrap_or_else(|| answers::draft(questions(request)));
    let stillness = &mut state.cards.question_stillness;
    stillness.note_press(ui, is_active, cx.now);
    let below_another = !session.permission_requests().is_empty();
    let share = if below_another {
        HEIGHT_MOST_BELOW
    } else {
        HEIGHT_MOST
    };
    let look = Look {
        id: card_id(&request.id),
        height_most: ui.ctx().content_rect().height() * share,
        is_settling: stillness.remaining_millis(cx.now) > 0 && !stillness.is_stepping(),
    };
    if below_another {
        ui.add_space(8.0);
    }
    let (body, drawn) = body_ui(ui, cx, session, request, &mut draft, look);
    let stillness = &mut state.cards.question_stillness;
    if drawn.is_typed {
        stillness.step(cx.now);
    }
    let content = (session.key(), &request.id, draft.shown);
    let buttons = drawn.buttons.iter().map(|(button, _)| button);
    stillness.note(picture_of(content, buttons), cx.now);
    let remaining = stillness.remaining_millis(cx.now);
    if remaining > 0 {
        let until = Duration::from_millis(remaining);
        ui.ctx().request_repaint_after(until);
    }
    let chosen = chosen(ui, cx, &state.cards, &body, &drawn);
    let is_done = chosen.is_some_and(|(act, by_keyboard)| {
        act_on(
            cx,
            &mut state.cards,
            session.key(),
            request,
            (&mut draft, act, by_keyboard),
        )
    });
    if is_done {
        state.focus_composer = true;
    } else {
        state.cards.questions.insert(key, draft);
    }
}

/// What is answered, withdrawn or cancelled is not remembered.
fn forget_closed(cx: &UiCx<'_>, cards: &mut CardsState) {
    cards.questions.retain(|(key, id), _| {
        let session = cx.hub.session(*key);
        session.is_some_and(|session| session.questions().iter().any(|open| open.id == *id))
    });
}

fn questions(request: &QuestionRequest) -> &[crate::core::question::Question] {
    match &request.kind {
        QuestionKind::Form(questions) => questions,
        QuestionKind::Url { .. } => &[],
    }
}

fn body_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    session: &Session,
    request: &QuestionRequest,
    draft: &mut QuestionDraft,
    look: Look,
) -> (Response, Drawn) {
    let theme = cx.theme;
    // The body comes before what stands on it, so that buttons are above it.
    let body = ui.data(|data| data.get_temp::<Rect>(look.id));
    let body = ui.interact(body.unwrap_or(Rect::NOTHING), look.id, Sense::click());
    let heading = heading(cx, session, request);
    let (rect, drawn) = card_ui(ui, theme, theme.link, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        heading_ui(ui, cx, session, &heading);
        if let Some(message) = &request.message {
            text::paragraph_ui(ui, &visible(message), theme.meta(), theme.secondary);
        }
        match &request.kind {
            QuestionKind::Form(questions) => form::form_ui(ui, cx, questions, draft, look),
            QuestionKind::Url { url } => url::url_ui(ui, cx, url, draft, look),
        }
    });
    ui.data_mut(|data| data.insert_temp(look.id, rect));
    focus_ring(ui, theme, rect, CARD_RADIUS, &body);
    body.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &heading));
    if body.clicked_by(egui::PointerButton::Primary) {
        body.request_focus();
    }
    (body, drawn)
}

fn heading(cx: &UiCx<'_>, session: &Session, request: &QuestionRequest) -> String {
    let agent = names::agent(cx, session);
    match &request.kind {
        QuestionKind::Form(questions) => {
            let args = [
                ("agent", agent.into()),
                ("count", questions.len().max(1).into()),
            ];
            cx.i18n.tr_args("question.heading", &args)
        }
        QuestionKind::Url { .. } => {
            let args = [("agent", agent.into())];
            cx.i18n.tr_args("question.heading.url", &args)
        }
    }
}

fn heading_ui(ui: &mut Ui, cx: &UiCx<'_>, session: &Session, heading: &str) {
    let theme = cx.theme;
    let line = Button::chip_height(theme);
    let start = ui.cursor().min;
    let mut end = start.x + ui.available_width();
    let middle = start.y + line / 2.0;
    let others = session.questions().len().saturating_sub(1);
    if others > 0 {
        let args = [("count", others.into())];
        let words = cx.i18n.tr_args("permission.waiting", &args);
        let room = (end - start.x) / 2.0;
        let galley = text::line_ui(ui, &words, theme.meta(), theme.secondary, room);
        end -= galley.size().x;
        text::paint_at(ui, end, middle, galley, theme.secondary);
        end -= 8.0;
    }
    let icon = theme.icon();
    let x = start.x + icon.size + 8.0;
    text::paint_icon(ui, start.x, middle, icons::QUESTION, icon, theme.link);
    let font = Face::SemiBold.sized(theme.size.body);
    let room = (end - x).max(0.0);
    let galley = ui
        .painter()
        .layout(heading.to_owned(), font, theme.text, room);
    let first_line = theme.size.body * LINE_HEIGHT;
    let top = middle - first_line.min(galley.size().y) / 2.0;
    let height = (top - start.y + galley.size().y).max(line);
    ui.allocate_space(Vec2::new(end - start.x, height));
    ui.painter().galley(egui::pos2(x, top), galley, theme.text);
}

/// What the person did that counts, and whether it was done with the keyboard.
fn chosen(
    ui: &Ui,
    cx: &UiCx<'_>,
    cards: &CardsState,
    body: &Response,
    drawn: &Drawn,
) -> Option<(Act, bool)> {
    let stillness = &cards.question_stillness;
    let mut buttons = drawn.buttons.iter();
    let clicked = buttons.find(|(button, _)| stillness.is_meant(ui, button, cx.now));
    if let Some((button, act)) = clicked {
        return Some((*act, !button.clicked_by(egui::PointerButton::Primary)));
    }
    if drawn.is_entered {
        return Some((Act::Next, true));
    }
    let is_focused = |response: &Response| response.has_focus() && !response.gained_focus();
    let mut buttons = drawn.buttons.iter();
    let has_keyboard = is_focused(body) || buttons.any(|(button, _)| is_focused(button));
    let number = guard::pressed_number(ui)
        .filter(|_| has_keyboard && stillness.remaining_millis(cx.now) == 0)?;
    let is_choice = |act: &Act| matches!(act, Act::Choose(_));
    let mut choices = drawn.buttons.iter().map(|(_, act)| *act).filter(is_choice);
    choices.nth(number).map(|act| (act, true))
}

/// Does what the person wants; whether the set is answered by it.
fn act_on(
    cx: &mut UiCx<'_>,
    cards: &mut CardsState,
    session: SessionKey,
    request: &QuestionRequest,
    (draft, act, by_keyboard): (&mut QuestionDraft, Act, bool),
) -> bool {
    let all = questions(request);
    cards.question_stillness.step(cx.now);
    let answer = match act {
        Act::Show(index) => {
            draft.shown = index;
            return false;
        }
        Act::Choose(choice) => {
            let pair = all.get(draft.shown).zip(draft.answers.get_mut(draft.shown));
            let settles =
                pair.is_some_and(|(question, answer)| answers::choose(question, answer, choice));
            if choice == Choice::Other {
                draft.focus = FocusWish::Answer;
            } else if settles {
                go_on(all, draft, by_keyboard);
            }
            return false;
        }
        Act::Next => {
            go_on(all, draft, by_keyboard);
            return false;
        }
        Act::Open => {
            if let QuestionKind::Url { url } = &request.kind {
                cx.actions.push(UiAction::OpenUrl(url.clone()));
            }
            draft.is_opened = true;
            return false;
        }
        Act::Submit if !answers::can_submit(all, draft) => return false,
        Act::Submit => QuestionAnswer::Submitted(answers::submitted(all, draft)),
        Act::Skip => QuestionAnswer::Skipped,
    };
    cx.commands.push(Command::AnswerQuestion {
        session,
        request: request.id.clone(),
        answer,
    });
    true
}

/// Shows the next question without an answer, if there is one.
fn go_on(
    questions: &[crate::core::question::Question],
    draft: &mut QuestionDraft,
    by_keyboard: bool,
) {
    let next = answers::next_unanswered(questions, draft);
    let wish = if next.is_some() {
        FocusWish::Answer
    } else {
        FocusWish::Submit
    };
    if by_keyboard {
        draft.focus = wish;
    }
    draft.shown = next.unwrap_or(draft.shown);
}

/// Whether a question is answered by choosing one of several.
fn is_single_choice(answer: &AnswerForm) -> bool {
    matches!(answer, AnswerForm::Choice { many: false, .. })
}
