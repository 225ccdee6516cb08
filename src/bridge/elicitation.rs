//! MCP's elicitation in both of its modes: what a form's schema asks, and how it is answered.
//! ACP and Claude Code both carry it.

use serde_json::{Map, Value, json};

use crate::core::question::{
    AnswerForm, AnswerOption, AnswerValue, Question, QuestionAnswer, QuestionKind,
};

/// What an elicitation asks. `None` when it is of a kind that we can't show.
pub fn question(url: &str, schema: Option<&Value>) -> Option<QuestionKind> {
    if !url.is_empty() {
        return Some(QuestionKind::Url {
            url: url.to_owned(),
        });
    }
    let schema = schema?;
    let properties = schema.get("properties")?.as_object()?;
    let required: Vec<_> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let questions = properties
        .iter()
        .map(|(key, property)| Question {
            key: key.clone(),
            header: word(property, "title"),
            text: word(property, "description")
                .or_else(|| word(property, "title"))
                .unwrap_or_else(|| key.clone()),
            answer: form(property),
            required: required.contains(&key.as_str()),
        })
        .collect();
    Some(QuestionKind::Form(questions))
}

/// The answer as MCP has it: `accept` with content, `decline`, or `cancel`.
pub fn answer(answer: QuestionAnswer) -> Value {
    match answer {
        QuestionAnswer::Skipped => json!({"action": "decline"}),
        QuestionAnswer::Cancelled => json!({"action": "cancel"}),
        QuestionAnswer::Submitted(answers) if answers.is_empty() => json!({"action": "accept"}),
        QuestionAnswer::Submitted(answers) => {
            let content: Map<_, _> = answers
                .into_iter()
                .map(|(key, value)| (key, plain(value)))
                .collect();
            json!({"action": "accept", "content": content})
        }
    }
}

fn plain(value: AnswerValue) -> Value {
    match value {
        AnswerValue::Text(text) => Value::String(text),
        AnswerValue::Many(values) => json!(values),
        AnswerValue::YesNo(yes) => Value::Bool(yes),
        AnswerValue::Number(text) => number(&text).unwrap_or(Value::String(text)),
    }
}

fn number(text: &str) -> Option<Value> {
    let text = text.trim();
    text.parse::<i64>()
        .map(Value::from)
        .ok()
        .or_else(|| text.parse::<f64>().ok().map(Value::from))
}

fn form(property: &Value) -> AnswerForm {
    let default = property.get("default");
    let one_of = choices(property);
    match property.get("type").and_then(Value::as_str) {
        Some("boolean") => AnswerForm::YesNo {
            default: default.and_then(Value::as_bool),
        },
        Some(kind @ ("integer" | "number")) => AnswerForm::Number {
            integer: kind == "integer",
            default: default.map(Value::to_string),
        },
        Some("array") => {
            let options = property.get("items").and_then(choices).unwrap_or_default();
            AnswerForm::Choice {
                options,
                many: true,
                other: false,
            }
        }
        _ => match one_of {
            Some(options) => AnswerForm::Choice {
                options,
                many: false,
                other: false,
            },
            None => AnswerForm::Text {
                default: default.and_then(Value::as_str).map(str::to_owned),
            },
        },
    }
}

/// Choices as `enum` with `enumNames`, or as `oneOf`/`anyOf` with `const` and `title`.
fn choices(property: &Value) -> Option<Vec<AnswerOption>> {
    let option = |value: &str, label: Option<String>, description| AnswerOption {
        value: value.to_owned(),
        label: label.unwrap_or_else(|| value.to_owned()),
        description,
    };
    if let Some(values) = property.get("enum").and_then(Value::as_array) {
        let names = property.get("enumNames").and_then(Value::as_array);
        let name = |index: usize| names?.get(index)?.as_str().map(str::to_owned);
        return Some(
            values
                .iter()
                .enumerate()
                .filter_map(|(index, value)| Some(option(value.as_str()?, name(index), None)))
                .collect(),
        );
    }
    let titled = property
        .get("oneOf")
        .or_else(|| property.get("anyOf"))?
        .as_array()?;
    let choice = |value: &Value| {
        Some(option(
            value.get("const")?.as_str()?,
            word(value, "title"),
            word(value, "description"),
        ))
    };
    Some(titled.iter().filter_map(choice).collect())
}

fn word(value: &Value, key: &str) -> Option<String> {
    value
        .get(key)
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}
