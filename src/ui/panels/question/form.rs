//! A set of questions: tabs, the question that is shown with its answers, and the buttons below.

use egui::{Align, Id, Layout, Response, Role, ScrollArea, Sense, Ui, Vec2, WidgetInfo};

use super::answers::{self, Choice, Given};
use super::{Act, Drawn, Look, is_single_choice};
use crate::core::question::{AnswerForm, AnswerOption, Flaw, Question};
use crate::i18n::I18n;
use crate::ui::cx::UiCx;
use crate::ui::fonts::Face;
use crate::ui::state::cards::{AnswerDraft, FocusWish, QuestionDraft};
use crate::ui::untrusted::{one_line, visible};
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::option::{Mark, OptionButton};
use crate::ui::widgets::tabs::{Tab, tabs_ui};
use crate::ui::widgets::text;
use crate::ui::widgets::text_field::{EnterKey, TextField};

/// The share of the card's height that a question's text may take before it scrolls.
const TEXT_HEIGHT_MOST: f32 = 0.35;
/// The room that answers get in any case, in points.
const ANSWERS_HEIGHT_LEAST: f32 = 64.0;

/// The id of the field for an answer in words.
pub(super) fn field_id(card: Id, question: usize) -> Id {
    card.with(("field", question))
}

/// Shows the set; what it has that can be pressed.
pub(super) fn form_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    questions: &[Question],
    draft: &mut QuestionDraft,
    look: Look,
) -> Drawn {
    let mut drawn = Drawn::default();
    let top = ui.cursor().top();
    if questions.len() > 1 {
        tabs(ui, cx, questions, draft, look, &mut drawn);
    }
    let shown = draft.shown;
    let focus = std::mem::take(&mut draft.focus);
    if let Some((question, answer)) = questions.get(shown).zip(draft.answers.get_mut(shown)) {
        question_text_ui(ui, cx, question, look);
        let used = ui.cursor().top() - top;
        let buttons = Button::height(cx.theme) + 60.0;
        let room = (look.height_most - used - buttons).max(cx.theme.scaled(ANSWERS_HEIGHT_LEAST));
        ScrollArea::vertical()
            .id_salt((look.id, shown))
            .max_height(room)
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 6.0;
                let from = drawn.buttons.len();
                answer_ui(ui, cx, question, answer, look, (shown, &mut drawn));
                if focus == FocusWish::Answer {
                    let field = field_id(look.id, shown);
                    give_focus(ui, field, drawn.buttons.get(from..).unwrap_or_default());
                }
            });
    }
    let submit = buttons_ui(ui, cx, questions, draft, look, &mut drawn);
    if focus == FocusWish::Submit {
        submit.request_focus();
    }
    for (button, _) in &drawn.buttons {
        if button.gained_focus() {
            button.scroll_to_me(None);
        }
    }
    drawn
}

fn tabs(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    questions: &[Question],
    draft: &QuestionDraft,
    look: Look,
    drawn: &mut Drawn,
) {
    let tabs: Vec<Tab> = questions
        .iter()
        .zip(&draft.answers)
        .enumerate()
        .map(|(index, (question, answer))| Tab {
            label: tab_label(cx.i18n, question, index),
            is_done: Some(answers::is_answered(question, answer)),
        })
        .collect();
    let responses = tabs_ui(ui, cx.theme, look.id.with("tab"), &tabs, draft.shown);
    let acts = (0..).map(Act::Show);
    drawn.buttons.extend(responses.into_iter().zip(acts));
}

/// The agent's word for a question, or its number.
fn tab_label(i18n: &I18n, question: &Question, index: usize) -> String {
    let header = question.header.as_deref().map(one_line);
    header
        .filter(|header| !header.is_empty())
        .unwrap_or_else(|| {
            let args = [("number", (index + 1).into())];
            i18n.tr_args("question.tab", &args)
        })
}

/// The whole text of the question; it stands still while the answers scroll.
fn question_text_ui(ui: &mut Ui, cx: &UiCx<'_>, question: &Question, look: Look) {
    let theme = cx.theme;
    ScrollArea::vertical()
        .id_salt((look.id, "text", &question.key))
        .max_height(look.height_most * TEXT_HEIGHT_MOST)
        .show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            let font = Face::SemiBold.sized(theme.size.body);
            text::paragraph_ui(ui, &visible(&question.text), font, theme.text);
        });
    let many = matches!(question.answer, AnswerForm::Choice { many: true, .. });
    let hint = match (many, question.required) {
        (true, true) => cx.i18n.tr("question.many"),
        (true, false) => cx.i18n.tr("question.many.optional"),
        (false, false) => cx.i18n.tr("question.optional"),
        (false, true) => return,
    };
    text::label_ui(ui, hint, theme.meta(), theme.secondary, f32::INFINITY);
}

fn answer_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    question: &Question,
    answer: &mut AnswerDraft,
    look: Look,
    (shown, drawn): (usize, &mut Drawn),
) {
    let id = look.id.with(("answer", shown));
    match &question.answer {
        AnswerForm::Choice {
            options,
            many,
            other,
            ..
        } => {
            let mark = if *many { Mark::Many } else { Mark::One };
            options_ui(ui, cx, (id, mark), options, answer, look, drawn);
            if *other {
                let label = cx.i18n.tr("question.other");
                let button = OptionButton::new(id.with("other"), mark, label)
                    .chosen(answer.other)
                    .settling(look.is_settling)
                    .show_ui(ui, cx.theme);
                drawn.buttons.push((button, Act::Choose(Choice::Other)));
                if answer.other {
                    let label = cx.i18n.tr("question.other.field");
                    field_ui(ui, cx, question, answer, look, (shown, label, drawn));
                }
            }
        }
        AnswerForm::YesNo { .. } => {
            let answers = [
                ("question.yes", Choice::Yes, true),
                ("question.no", Choice::No, false),
            ];
            for (key, choice, value) in answers {
                let button = OptionButton::new(id.with(value), Mark::One, cx.i18n.tr(key))
                    .chosen(answer.yes_no == Some(value))
                    .settling(look.is_settling)
                    .show_ui(ui, cx.theme);
                drawn.buttons.push((button, Act::Choose(choice)));
            }
        }
        AnswerForm::Text { .. } | AnswerForm::Number { .. } => {
            let label = one_line(&question.text);
            field_ui(ui, cx, question, answer, look, (shown, &label, drawn));
        }
    }
    if let Given::Invalid(flaw) = answers::given(question, answer) {
        let words = flaw_words(cx.i18n, &question.answer, flaw);
        text::label_ui(ui, &words, cx.theme.meta(), cx.theme.error, f32::INFINITY);
    }
}

fn flaw_words(i18n: &I18n, answer: &AnswerForm, flaw: Flaw) -> String {
    let (is_number, is_choice) = (
        matches!(answer, AnswerForm::Number { .. }),
        matches!(answer, AnswerForm::Choice { .. }),
    );
    match flaw {
        Flaw::NoNumber => i18n.tr("question.number").to_owned(),
        Flaw::NoWholeNumber => i18n.tr("question.number.whole").to_owned(),
        Flaw::TooLittle(least) if is_number => {
            i18n.tr_args("question.number.least", &[("limit", least.into())])
        }
        Flaw::TooLittle(least) if is_choice => {
            i18n.tr_args("question.choice.least", &[("limit", least.into())])
        }
        Flaw::TooLittle(least) => i18n.tr_args("question.text.least", &[("limit", least.into())]),
        Flaw::TooMuch(most) if is_number => {
            i18n.tr_args("question.number.most", &[("limit", most.into())])
        }
        Flaw::TooMuch(most) if is_choice => {
            i18n.tr_args("question.choice.most", &[("limit", most.into())])
        }
        Flaw::TooMuch(most) => i18n.tr_args("question.text.most", &[("limit", most.into())]),
    }
}

fn options_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    (id, mark): (Id, Mark),
    options: &[AnswerOption],
    answer: &AnswerDraft,
    look: Look,
    drawn: &mut Drawn,
) {
    for (index, option) in options.iter().enumerate() {
        let label = one_line(&option.label);
        let description = option.description.as_deref().map(one_line);
        let button = OptionButton::new(id.with(index), mark, &label)
            .description(description.as_deref().unwrap_or_default())
            .chosen(answer.chosen.contains(&index))
            .settling(look.is_settling)
            .show_ui(ui, cx.theme);
        let act = Act::Choose(Choice::Option(index));
        drawn.buttons.push((button, act));
    }
}

/// A field for an answer in words.
fn field_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    question: &Question,
    answer: &mut AnswerDraft,
    look: Look,
    (shown, label, drawn): (usize, &str, &mut Drawn),
) {
    let id = field_id(look.id, shown);
    let is_secret = matches!(question.answer, AnswerForm::Text { secret: true, .. });
    let enter_key = match question.answer {
        AnswerForm::Number { .. } => EnterKey::SingleLine,
        _ if is_secret => EnterKey::SingleLine,
        _ => EnterKey::Submits,
    };
    let output = TextField::new(id, &mut answer.text, label)
        .secret(is_secret)
        .hint(cx.i18n.tr("question.field"))
        .enter_key(enter_key)
        .claim(&[egui::Key::Escape])
        .framed_ui(ui, cx.theme);
    if !output.keys.is_empty() {
        // Escape leaves the field; it must not stop the turn.
        ui.memory_mut(|memory| memory.request_focus(look.id));
    }
    drawn.is_typed |= output.response.changed();
    let is_many =
        matches!(question.answer, AnswerForm::Choice { .. }) && !is_single_choice(&question.answer);
    if output.submitted && !is_many && answers::is_answered(question, answer) {
        drawn.is_entered = true;
    }
}

fn give_focus(ui: &Ui, field: Id, buttons: &[(Response, Act)]) {
    let has_field = ui.ctx().read_response(field).is_some();
    match buttons.first() {
        Some((first, _)) if !has_field => first.request_focus(),
        Some(_) | None => ui.memory_mut(|memory| memory.request_focus(field)),
    }
}

/// Submit, next and skip; the response of Submit.
fn buttons_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    questions: &[Question],
    draft: &QuestionDraft,
    look: Look,
    drawn: &mut Drawn,
) -> Response {
    let theme = cx.theme;
    let i18n = cx.i18n;
    let can_submit = answers::can_submit(questions, draft);
    let height = Button::height(theme);
    ui.add_space(2.0);
    let (_, row) = ui.allocate_space(Vec2::new(ui.available_width(), height));
    let mut left = ui.new_child(
        egui::UiBuilder::new()
            .max_rect(row)
            .layout(Layout::left_to_right(Align::Center)),
    );
    left.spacing_mut().item_spacing.x = 8.0;
    let missing = i18n.tr("question.submit.missing");
    let mut button = Button::text(i18n.tr("question.submit"))
        .weight(Weight::Primary)
        .enabled(can_submit);
    if !can_submit {
        button = button.tooltip(missing);
    }
    let submit = button.show_ui(&mut left, theme);
    drawn.buttons.push((submit.clone(), Act::Submit));
    if answers::next_unanswered(questions, draft).is_some() {
        let next = Button::text(i18n.tr("question.next")).show_ui(&mut left, theme);
        drawn.buttons.push((next, Act::Next));
    }
    let skip = Button::text(i18n.tr("question.skip"))
        .weight(Weight::Quiet)
        .tooltip(i18n.tr("question.skip.hint"))
        .show_ui(&mut left, theme);
    drawn.buttons.push((skip, Act::Skip));
    if questions.len() > 1 {
        let done = answers::submitted(questions, draft).len();
        let args = [("done", done.into()), ("total", questions.len().into())];
        let words = i18n.tr_args("question.progress", &args);
        let room = row.right() - left.min_rect().right() - 12.0;
        let galley = text::line_ui(ui, &words, theme.tabular(), theme.secondary, room);
        let x = row.right() - galley.size().x;
        let rect = text::paint_at(ui, x, row.center().y, galley, theme.secondary);
        let label = ui.interact(rect, look.id.with("progress"), Sense::hover());
        label.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
    }
    submit
}
