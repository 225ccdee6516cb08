//! What the person has answered so far, and what may be sent of it.

use crate::core::question::{AnswerForm, AnswerValue, Flaw, Question};
use crate::ui::state::cards::{AnswerDraft, QuestionDraft};

/// How far the answer to a question is.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    Nothing,
    /// Something that can't be an answer, such as a word for a number.
    Invalid(Flaw),
    Answer(AnswerValue),
}

/// What a person chooses of a question's options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    Option(usize),
    Other,
    Yes,
    No,
}

/// A draft with the answers that the agent suggests.
pub fn draft(questions: &[Question]) -> QuestionDraft {
    let suggested = |question: &Question| match &question.answer {
        AnswerForm::Choice {
            options, default, ..
        } => AnswerDraft {
            chosen: (0..)
                .zip(options)
                .filter(|(_, option)| default.contains(&option.value))
                .map(|(index, _)| index)
                .collect(),
            ..AnswerDraft::default()
        },
        AnswerForm::Text { default, .. } | AnswerForm::Number { default, .. } => AnswerDraft {
            text: default.clone().unwrap_or_default(),
            ..AnswerDraft::default()
        },
        AnswerForm::YesNo { default } => AnswerDraft {
            yes_no: *default,
            ..AnswerDraft::default()
        },
    };
    QuestionDraft {
        answers: questions.iter().map(suggested).collect(),
        ..QuestionDraft::default()
    }
}

/// The answer to a question as it stands.
pub fn given(question: &Question, draft: &AnswerDraft) -> Given {
    let Some(value) = value(question, draft) else {
        return Given::Nothing;
    };
    match question.flaw(&value) {
        Some(flaw) => Given::Invalid(flaw),
        None => Given::Answer(value),
    }
}

/// What stands where the question is answered, whether it can be an answer or not.
fn value(question: &Question, draft: &AnswerDraft) -> Option<AnswerValue> {
    let text = Some(draft.text.trim()).filter(|text| !text.is_empty());
    match &question.answer {
        AnswerForm::Choice { options, many, .. } => {
            let labels = options.iter().enumerate();
            let mut values: Vec<String> = labels
                .filter(|(index, _)| draft.chosen.contains(index))
                .map(|(_, option)| option.value.clone())
                .collect();
            values.extend(text.filter(|_| draft.other).map(str::to_owned));
            if *many {
                (!values.is_empty()).then_some(AnswerValue::Many(values))
            } else {
                values.pop().map(AnswerValue::Text)
            }
        }
        AnswerForm::YesNo { .. } => draft.yes_no.map(AnswerValue::YesNo),
        AnswerForm::Text { .. } => text.map(|text| AnswerValue::Text(text.to_owned())),
        AnswerForm::Number { .. } => text.map(|text| AnswerValue::Number(text.to_owned())),
    }
}

/// Whether a question has an answer that can be sent.
pub fn is_answered(question: &Question, draft: &AnswerDraft) -> bool {
    matches!(given(question, draft), Given::Answer(_))
}

/// Whether the set can be sent: everything required is answered, nothing is invalid, and there is an answer at all.
pub fn can_submit(questions: &[Question], draft: &QuestionDraft) -> bool {
    let mut has_answer = questions.is_empty();
    for (question, answer) in questions.iter().zip(&draft.answers) {
        match given(question, answer) {
            Given::Invalid(_) => return false,
            Given::Nothing if question.required => return false,
            Given::Nothing => {}
            Given::Answer(_) => has_answer = true,
        }
    }
    has_answer
}

/// The answers in the order of the questions; a question without one is left out.
pub fn submitted(questions: &[Question], draft: &QuestionDraft) -> Vec<(String, AnswerValue)> {
    let pairs = questions.iter().zip(&draft.answers);
    pairs
        .filter_map(|(question, answer)| match given(question, answer) {
            Given::Answer(value) => Some((question.key.clone(), value)),
            Given::Nothing | Given::Invalid(_) => None,
        })
        .collect()
}

/// The next question without an answer, after the shown one and then from the first; never the shown one.
pub fn next_unanswered(questions: &[Question], draft: &QuestionDraft) -> Option<usize> {
    let is_open = |index: &usize| {
        let pair = questions.get(*index).zip(draft.answers.get(*index));
        pair.is_some_and(|(question, answer)| !is_answered(question, answer))
    };
    let after = draft.shown + 1..questions.len();
    after.chain(0..draft.shown).find(is_open)
}

/// Takes in a choice. Whether it settles the question, so that the next one may be shown.
pub fn choose(question: &Question, draft: &mut AnswerDraft, choice: Choice) -> bool {
    let many = matches!(question.answer, AnswerForm::Choice { many: true, .. });
    match choice {
        Choice::Option(index) if many => {
            if !draft.chosen.remove(&index) {
                draft.chosen.insert(index);
            }
        }
        Choice::Option(index) => {
            draft.chosen = [index].into();
            draft.other = false;
        }
        Choice::Other => {
            if many {
                draft.other = !draft.other;
            } else {
                draft.other = true;
                draft.chosen.clear();
            }
        }
        Choice::Yes | Choice::No => draft.yes_no = Some(choice == Choice::Yes),
    }
    !many && choice != Choice::Other
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::question::{AnswerLimits, AnswerOption};

    fn question(key: &str, answer: AnswerForm) -> Question {
        Question {
            key: key.to_owned(),
            header: None,
            text: key.to_owned(),
            answer,
            required: true,
            limits: AnswerLimits::default(),
        }
    }

    fn colors(many: bool) -> Question {
        let option = |value: &str| AnswerOption {
            value: value.to_owned(),
            label: value.to_uppercase(),
            description: None,
        };
        let options = vec![option("red"), option("blue")];
        question(
            "color",
            AnswerForm::Choice {
                options,
                many,
                other: true,
                default: Vec::new(),
            },
        )
    }

    fn number(integer: bool) -> Question {
        question(
            "size",
            AnswerForm::Number {
                integer,
                default: None,
            },
        )
    }

    fn text(key: &str, default: Option<&str>) -> Question {
        let default = default.map(str::to_owned);
        let secret = false;
        question(key, AnswerForm::Text { default, secret })
    }

    fn typed(text: &str) -> AnswerDraft {
        AnswerDraft {
            text: text.to_owned(),
            ..AnswerDraft::default()
        }
    }

    #[test]
    fn an_answer_of_ones_own_excludes_the_options_of_a_single_choice() {
        let question = colors(false);
        let mut draft = AnswerDraft::default();
        assert!(choose(&question, &mut draft, Choice::Option(1)));
        let blue = Given::Answer(AnswerValue::Text("blue".to_owned()));
        assert_eq!(given(&question, &draft), blue);
        assert!(!choose(&question, &mut draft, Choice::Other));
        assert_eq!(given(&question, &draft), Given::Nothing);
        draft.text = " green ".to_owned();
        let green = Given::Answer(AnswerValue::Text("green".to_owned()));
        assert_eq!(given(&question, &draft), green);
        choose(&question, &mut draft, Choice::Option(1));
        assert_eq!(given(&question, &draft), blue);
    }

    #[test]
    fn an_answer_of_ones_own_joins_the_options_of_a_choice_of_many() {
        let question = colors(true);
        let mut draft = typed("green");
        for choice in [Choice::Option(1), Choice::Option(0), Choice::Other] {
            assert!(!choose(&question, &mut draft, choice));
        }
        let all = ["red", "blue", "green"].map(str::to_owned).to_vec();
        let expected = Given::Answer(AnswerValue::Many(all));
        assert_eq!(given(&question, &draft), expected);
        choose(&question, &mut draft, Choice::Option(0));
        choose(&question, &mut draft, Choice::Other);
        let one = Given::Answer(AnswerValue::Many(vec!["blue".to_owned()]));
        assert_eq!(given(&question, &draft), one);
        choose(&question, &mut draft, Choice::Option(1));
        assert_eq!(given(&question, &draft), Given::Nothing);
    }

    #[test]
    fn numbers() {
        let cases = [
            ("12", true, true),
            ("-3", true, true),
            ("1.5", true, false),
            ("1.5", false, true),
            ("1e3", false, true),
            ("many", false, false),
            ("inf", false, false),
        ];
        for (text, integer, expected) in cases {
            let answer = given(&number(integer), &typed(text));
            let is_answer = matches!(answer, Given::Answer(_));
            assert_eq!(is_answer, expected, "{text} {integer}");
        }
        assert_eq!(given(&number(true), &typed(" ")), Given::Nothing);
    }

    #[test]
    fn all_that_is_required_must_be_answered() {
        let mut questions = [colors(false), number(true)];
        let mut draft = draft(&questions);
        draft.answers[0].chosen.insert(0);
        assert!(!can_submit(&questions, &draft));
        questions[1].required = false;
        assert!(can_submit(&questions, &draft));
        draft.answers[1].text = "many".to_owned();
        assert!(!can_submit(&questions, &draft));
    }

    #[test]
    fn a_set_without_any_answer_is_not_sent() {
        let mut questions = [text("reason", None)];
        questions[0].required = false;
        assert!(!can_submit(&questions, &draft(&questions)));
        assert!(can_submit(&[], &QuestionDraft::default()));
    }

    #[test]
    fn suggested_answers_stand_from_the_start_and_empty_ones_are_left_out() {
        let yes_no = AnswerForm::YesNo {
            default: Some(true),
        };
        let mut color = colors(false);
        if let AnswerForm::Choice { default, .. } = &mut color.answer {
            *default = vec!["blue".to_owned()];
        }
        let questions = [
            text("name", Some("main")),
            text("note", None),
            question("force", yes_no),
            color,
        ];
        let expected = [
            ("name".to_owned(), AnswerValue::Text("main".to_owned())),
            ("force".to_owned(), AnswerValue::YesNo(true)),
            ("color".to_owned(), AnswerValue::Text("blue".to_owned())),
        ];
        assert_eq!(submitted(&questions, &draft(&questions)), expected);
    }

    #[test]
    fn the_next_question_is_the_next_without_an_answer() {
        let questions = ["a", "b", "c"].map(|key| text(key, None));
        let mut draft = draft(&questions);
        draft.answers[1].text = "x".to_owned();
        assert_eq!(next_unanswered(&questions, &draft), Some(2));
        draft.shown = 2;
        assert_eq!(next_unanswered(&questions, &draft), Some(0));
        draft.answers[0].text = "x".to_owned();
        assert_eq!(next_unanswered(&questions, &draft), None);
    }
}
