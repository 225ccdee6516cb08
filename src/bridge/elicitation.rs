//! MCP's elicitation in both of its modes: what a form's schema asks, and how it is answered.
//! ACP, Claude Code and Grok all carry it.

mod schema;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::core::question::{AnswerValue, QuestionAnswer, QuestionKind};

/// An elicitation, ready to be shown.
#[derive(Debug, PartialEq)]
pub struct Elicitation {
    pub message: Option<String>,
    pub kind: QuestionKind,
    pub notes: Notes,
}

/// Where the answer in the person's own words goes, for choices that have a property of their own for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes(BTreeMap<String, Note>);

/// The property for a person's own answer to a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Note {
    /// The property that takes the words.
    key: String,
    /// What the choice offers; anything else is the person's own.
    offered: Vec<String>,
    /// What is chosen along with words of one's own, where something has to be.
    stand_in: Option<String>,
}

/// What an elicitation asks. `None` when it is of a kind that we can't show.
pub fn read(message: Option<String>, url: &str, schema: Option<&Value>) -> Option<Elicitation> {
    if !url.is_empty() {
        let kind = QuestionKind::Url {
            url: url.to_owned(),
        };
        return Some(Elicitation {
            message,
            kind,
            notes: Notes::default(),
        });
    }
    let (mut questions, notes) = schema::form(schema?)?;
    let mut message = message;
    // A single question that has a note is put in the message, and its title is a word for a tab.
    if let [question] = questions.as_mut_slice()
        && notes.0.contains_key(&question.key)
        && question.header.as_deref() == Some(question.text.as_str())
        && let Some(words) = message.take()
    {
        question.text = words;
    }
    Some(Elicitation {
        message,
        kind: QuestionKind::Form(questions),
        notes,
    })
}

/// The answer as MCP has it: `accept` with content, `decline`, or `cancel`, under the name that the carrier
/// has for it.
pub fn answer(verb: &str, notes: &Notes, answer: QuestionAnswer) -> Value {
    match answer {
        QuestionAnswer::Skipped => json!({verb: "decline"}),
        QuestionAnswer::Cancelled => json!({verb: "cancel"}),
        QuestionAnswer::Submitted(answers) if answers.is_empty() => json!({verb: "accept"}),
        QuestionAnswer::Submitted(answers) => {
            let mut content = Map::new();
            for (key, value) in answers {
                match notes.0.get(&key) {
                    Some(note) => note.put(key, value, &mut content),
                    None => drop(content.insert(key, plain(value))),
                }
            }
            json!({verb: "accept", "content": content})
        }
    }
}

impl Note {
    /// Sorts what was offered from what the person wrote.
    fn put(&self, key: String, value: AnswerValue, content: &mut Map<String, Value>) {
        let is_offered = |text: &String| self.offered.contains(text);
        match value {
            AnswerValue::Text(text) if !is_offered(&text) => {
                if let Some(stand_in) = &self.stand_in {
                    content.insert(key, Value::String(stand_in.clone()));
                }
                content.insert(self.key.clone(), Value::String(text));
            }
            AnswerValue::Many(values) => {
                let (offered, own): (Vec<_>, Vec<_>) = values.into_iter().partition(is_offered);
                if !offered.is_empty() {
                    content.insert(key, json!(offered));
                }
                if !own.is_empty() {
                    content.insert(self.key.clone(), Value::String(own.join(", ")));
                }
            }
            other => drop(content.insert(key, plain(other))),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::question::{AnswerForm, AnswerLimits, Question};

    fn form(message: &str, schema: &Value) -> (Option<String>, Vec<Question>, Notes) {
        let read = read(Some(message.to_owned()), "", Some(schema)).unwrap();
        let QuestionKind::Form(questions) = read.kind else {
            panic!("a form, not {:?}", read.kind);
        };
        (read.message, questions, read.notes)
    }

    fn labels(question: &Question) -> Vec<&str> {
        match &question.answer {
            AnswerForm::Choice { options, .. } => {
                options.iter().map(|option| option.label.as_str()).collect()
            }
            other => panic!("a choice, not {other:?}"),
        }
    }

    fn submitted(answers: &[(&str, AnswerValue)]) -> QuestionAnswer {
        let pair = |(key, value): &(&str, AnswerValue)| ((*key).to_owned(), value.clone());
        QuestionAnswer::Submitted(answers.iter().map(pair).collect())
    }

    fn text(text: &str) -> AnswerValue {
        AnswerValue::Text(text.to_owned())
    }

    fn many(values: &[&str]) -> AnswerValue {
        AnswerValue::Many(values.iter().map(|value| (*value).to_owned()).collect())
    }

    #[test]
    fn a_property_for_each_form_of_an_answer() {
        let schema = json!({"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string", "title": "Name", "minLength": 2, "maxLength": 8, "default": "a"},
            "count": {"type": "integer", "minimum": 1, "default": 3},
            "share": {"type": "number", "maximum": 0.5},
            "sure": {"type": "boolean", "default": true},
            "size": {"type": "string", "enum": ["s", "l"], "enumNames": ["Small", "Large"], "default": "l"},
            "tags": {"type": "array", "minItems": 1, "items": {"anyOf": [{"const": "x", "title": "X"}]}, "default": ["x"]},
        }});
        let (message, questions, notes) = form("Please", &schema);
        assert_eq!(message.as_deref(), Some("Please"));
        assert_eq!(notes, Notes::default());
        let limits = |least, most| AnswerLimits { least, most };
        let found: Vec<_> = questions
            .iter()
            .map(|question| (question.key.as_str(), question.required, question.limits))
            .collect();
        let none = AnswerLimits::default();
        let expected = [
            ("name", true, limits(Some(2.0), Some(8.0))),
            ("count", false, limits(Some(1.0), None)),
            ("share", false, limits(None, Some(0.5))),
            ("sure", false, none),
            ("size", false, none),
            ("tags", false, limits(Some(1.0), None)),
        ];
        assert_eq!(found, expected);
        assert_eq!(labels(&questions[4]), ["Small", "Large"]);
        let values = [
            ("name", text("ab")),
            ("count", AnswerValue::Number("4".to_owned())),
            ("share", AnswerValue::Number("0.25".to_owned())),
            ("sure", AnswerValue::YesNo(false)),
            ("size", text("s")),
            ("tags", many(&["x"])),
        ];
        let content = json!({"name": "ab", "count": 4, "share": 0.25, "sure": false, "size": "s", "tags": ["x"]});
        let expected = json!({"action": "accept", "content": content});
        assert_eq!(answer("action", &notes, submitted(&values)), expected);
        for (given, word) in [
            (QuestionAnswer::Skipped, "decline"),
            (QuestionAnswer::Cancelled, "cancel"),
        ] {
            assert_eq!(answer("outcome", &notes, given), json!({"outcome": word}));
        }
    }

    /// claude-agent-acp 0.101.0: a field of its own for every "Other".
    #[test]
    fn words_of_ones_own_go_into_the_field_beside_the_choice() {
        let color = json!({"type": "string", "title": "Color", "oneOf": [{"const": "Red", "title": "Red"}]});
        let scenes = json!({"type": "array", "title": "Scenes", "description": "Which scenes get it?", "items": {"anyOf": [{"const": "Menu"}]}});
        let other = json!({"type": "string", "title": "Other"});
        let single = json!({"properties": {"question_0": color, "question_0_custom": other}});
        let (message, questions, notes) = form("Which color?", &single);
        assert_eq!((message, questions.len()), (None, 1));
        assert_eq!(
            (questions[0].text.as_str(), questions[0].header.as_deref()),
            ("Which color?", Some("Color"))
        );
        let content = |answers: &[(&str, AnswerValue)], notes: &Notes| {
            answer("action", notes, submitted(answers))["content"].clone()
        };
        assert_eq!(
            content(&[("question_0", text("Red"))], &notes),
            json!({"question_0": "Red"})
        );
        assert_eq!(
            content(&[("question_0", text("teal"))], &notes),
            json!({"question_0_custom": "teal"})
        );
        let double = json!({"properties": {"question_0": color, "question_0_custom": other, "question_1": scenes, "question_1_custom": other}});
        let (message, questions, notes) = form("Please answer", &double);
        assert_eq!(
            (message.as_deref(), questions.len()),
            (Some("Please answer"), 2)
        );
        assert_eq!(
            content(&[("question_1", many(&["Menu", "Game"]))], &notes),
            json!({"question_1": ["Menu"], "question_1_custom": "Game"})
        );
    }

    /// codex-acp 2.6.0: the question in the title, and an option that stands for the note.
    #[test]
    fn the_longer_text_is_the_question_and_the_stand_in_is_chosen_for_a_note() {
        let schema = json!({"required": ["color", "token"], "properties": {
            "color": {"type": "string", "title": "Which color should it have?", "description": "Color",
                "_meta": {"codex": {"isOther": true, "isSecret": false}},
                "oneOf": [{"const": "Red"}, {"const": "None of the above"}]},
            "color_note": {"type": "string", "title": "Additional answer or note",
                "_meta": {"codex": {"questionId": "color", "role": "user_note", "isSecret": false}}},
            "token": {"type": "string", "title": "Token?", "_meta": {"codex": {"isOther": false, "isSecret": true}}},
        }});
        let (_, questions, notes) = form("Codex needs your input", &schema);
        let found: Vec<_> = questions
            .iter()
            .map(|question| (question.text.as_str(), question.header.as_deref()))
            .collect();
        let expected = [
            ("Which color should it have?", Some("Color")),
            ("Token?", Some("Token?")),
        ];
        assert_eq!(found, expected);
        assert_eq!(labels(&questions[0]), ["Red"]);
        assert!(matches!(
            questions[1].answer,
            AnswerForm::Text { secret: true, .. }
        ));
        let given = submitted(&[("color", text("teal")), ("token", text("x"))]);
        assert_eq!(
            answer("action", &notes, given)["content"],
            json!({"color": "None of the above", "color_note": "teal", "token": "x"})
        );
    }

    #[test]
    fn what_can_not_be_shown_is_nothing() {
        for schema in [json!(null), json!([]), json!({"properties": 3})] {
            assert_eq!(read(None, "", Some(&schema)), None, "{schema}");
        }
        assert_eq!(read(None, "", None), None);
        let url = read(None, "https://example.com", None).map(|asked| asked.kind);
        let expected = QuestionKind::Url {
            url: "https://example.com".to_owned(),
        };
        assert_eq!(url, Some(expected));
    }
}
