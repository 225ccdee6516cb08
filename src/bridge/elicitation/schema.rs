//! The schema of an elicitation's form: a question for each property, but for those that hold the words of one's
//! own that belong to another.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Note, Notes};
use crate::core::question::{AnswerForm, AnswerLimits, AnswerOption, Question};

/// Where claude-agent-acp takes words for a choice: beside `question_0`, `question_0_custom`.
const CUSTOM: &str = "_custom";

/// The option that codex-acp has chosen along with a note, because its questions have to be answered.
const STAND_IN: &str = "None of the above";

/// The questions of a form, in its order. `None` when it is no form.
pub(super) fn form(schema: &Value) -> Option<(Vec<Question>, Notes)> {
    let properties = schema.get("properties")?.as_object()?;
    let required: Vec<_> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let notes = notes(properties, &required);
    let is_note = |key: &String| notes.0.values().any(|note| note.key == *key);
    let questions = properties
        .iter()
        .filter(|(key, _)| !is_note(key))
        .map(|(key, property)| {
            let is_required = required.contains(&key.as_str());
            question(key, property, is_required, notes.0.get(key))
        })
        .collect();
    Some((questions, notes))
}

fn question(key: &str, property: &Value, required: bool, note: Option<&Note>) -> Question {
    let (title, description) = (word(property, "title"), word(property, "description"));
    // Codex puts the question in the title and a word for it in the description.
    let (header, text) = match (title, description) {
        (Some(title), Some(description)) if title.chars().count() > description.chars().count() => {
            (Some(description), title)
        }
        (title, Some(description)) => (title, description),
        (Some(title), None) => (Some(title.clone()), title),
        (None, None) => (None, key.to_owned()),
    };
    let mut answer = answer(property);
    if let (AnswerForm::Choice { options, other, .. }, Some(note)) = (&mut answer, note) {
        *other = true;
        options.retain(|option| note.stand_in.as_ref() != Some(&option.value));
    }
    Question {
        key: key.to_owned(),
        header,
        text,
        answer,
        required,
        limits: limits(property),
    }
}

/// The properties that take words of one's own for a choice, by the name of the choice.
fn notes(properties: &Map<String, Value>, required: &[&str]) -> Notes {
    let mut notes = BTreeMap::new();
    for (key, property) in properties {
        let is_text = matches!(answer(property), AnswerForm::Text { .. });
        let of = codex(property, "questionId")
            .and_then(Value::as_str)
            .filter(|_| codex(property, "role").is_some_and(|role| role == "user_note"))
            .or_else(|| key.strip_suffix(CUSTOM));
        let Some((choice, of)) = of
            .filter(|_| is_text && !required.contains(&key.as_str()))
            .and_then(|of| Some((properties.get(of)?, of)))
        else {
            continue;
        };
        let AnswerForm::Choice { options, .. } = answer(choice) else {
            continue;
        };
        let mut offered: Vec<_> = options.into_iter().map(|option| option.value).collect();
        let stand_in = offered.iter().position(|value| value == STAND_IN);
        let stand_in = stand_in.map(|index| offered.remove(index));
        if stand_in.is_none() && required.contains(&of) {
            continue;
        }
        let note = Note {
            key: key.clone(),
            offered,
            stand_in,
        };
        notes.insert(of.to_owned(), note);
    }
    Notes(notes)
}

fn codex<'a>(property: &'a Value, key: &str) -> Option<&'a Value> {
    property.get("_meta")?.get("codex")?.get(key)
}

fn answer(property: &Value) -> AnswerForm {
    let default = property.get("default");
    let texts = |value: Option<&Value>| -> Vec<String> {
        match value {
            Some(Value::Array(values)) => values
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            Some(Value::String(text)) => vec![text.clone()],
            Some(_) | None => Vec::new(),
        }
    };
    match property.get("type").and_then(Value::as_str) {
        Some("boolean") => AnswerForm::YesNo {
            default: default.and_then(Value::as_bool),
        },
        Some(kind @ ("integer" | "number")) => AnswerForm::Number {
            integer: kind == "integer",
            default: default.map(Value::to_string),
        },
        Some("array") => AnswerForm::Choice {
            options: property.get("items").and_then(choices).unwrap_or_default(),
            many: true,
            other: false,
            default: texts(default),
        },
        _ => match choices(property) {
            Some(options) => AnswerForm::Choice {
                options,
                many: false,
                other: false,
                default: texts(default),
            },
            None => AnswerForm::Text {
                default: default.and_then(Value::as_str).map(str::to_owned),
                secret: codex(property, "isSecret").is_some_and(|is| *is == Value::Bool(true)),
            },
        },
    }
}

fn limits(property: &Value) -> AnswerLimits {
    let number = |key: &str| property.get(key).and_then(Value::as_f64);
    let (least, most) = match property.get("type").and_then(Value::as_str) {
        Some("integer" | "number") => ("minimum", "maximum"),
        Some("array") => ("minItems", "maxItems"),
        Some(_) | None => ("minLength", "maxLength"),
    };
    AnswerLimits {
        least: number(least),
        most: number(most),
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
