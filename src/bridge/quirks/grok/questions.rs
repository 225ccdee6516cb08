//! The requests with which Grok asks the person: questions of its own, and the elicitations of its MCP servers.

use serde_json::{Map, Value, json};

use crate::bridge::acp::questions::{AnswerFrame, NewQuestion, elicitation};
use crate::bridge::json::Object;
use crate::core::question::{
    AnswerForm, AnswerLimits, AnswerOption, AnswerValue, Question, QuestionAnswer, QuestionKind,
};

/// What a request asks. `None` when it does not ask, or has no question.
pub(in crate::bridge::quirks) fn read(method: &str, params: &Object<'_>) -> Option<NewQuestion> {
    match method.strip_prefix('_').unwrap_or(method) {
        "x.ai/ask_user_question" => questions(params),
        "x.ai/mcp/elicit" => elicitation("outcome", params),
        _ => None,
    }
}

/// The answer: the chosen labels by the full text of their question.
pub(in crate::bridge::quirks) fn answer(answer: QuestionAnswer) -> Value {
    match answer {
        QuestionAnswer::Skipped | QuestionAnswer::Cancelled => json!({"outcome": "cancelled"}),
        QuestionAnswer::Submitted(answers) => {
            let answers: Map<_, _> = answers
                .into_iter()
                .map(|(question, value)| (question, json!(labels(value))))
                .collect();
            json!({"outcome": "accepted", "answers": answers})
        }
    }
}

fn labels(value: AnswerValue) -> Vec<String> {
    match value {
        AnswerValue::Text(text) | AnswerValue::Number(text) => vec![text],
        AnswerValue::Many(labels) => labels,
        AnswerValue::YesNo(yes) => vec![yes.to_string()],
    }
}

fn questions(params: &Object<'_>) -> Option<NewQuestion> {
    let questions: Vec<_> = params
        .objects("questions")?
        .iter()
        .filter_map(question)
        .collect();
    (!questions.is_empty()).then_some(NewQuestion {
        elicitation: None,
        message: None,
        kind: QuestionKind::Form(questions),
        answer: AnswerFrame::Labels,
    })
}

fn question(question: &Object<'_>) -> Option<Question> {
    let text = question.text("question").filter(|text| !text.is_empty())?;
    let option = |option: &Object<'_>| {
        let label = option.text("label").filter(|label| !label.is_empty())?;
        Some(AnswerOption {
            value: label.clone(),
            label,
            description: option.text("description").filter(|text| !text.is_empty()),
        })
    };
    let options = question.objects("options").unwrap_or_default();
    let many = question.flag("multiSelect");
    Some(Question {
        key: text.clone(),
        header: question.text("header").filter(|text| !text.is_empty()),
        text,
        answer: AnswerForm::Choice {
            options: options.iter().filter_map(option).collect(),
            many: many.or(question.flag("multi_select")).unwrap_or_default(),
            other: true,
            default: Vec::new(),
        },
        required: true,
        limits: AnswerLimits::default(),
    })
}
