//! Questions that an agent puts to the person: Claude's `AskUserQuestion`, ACP's elicitations, vendors' own.

use crate::core::ids::{RequestId, ToolCallId};
use crate::core::time::Timestamp;

/// A set of questions that is answered as one.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionRequest {
    pub id: RequestId,
    /// The call that asks, where it is one.
    pub tool_call: Option<ToolCallId>,
    /// What the agent says above the questions.
    pub message: Option<String>,
    pub kind: QuestionKind,
    pub asked_at: Timestamp,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub enum QuestionKind {
    /// Questions to be answered here, one after the other.
    Form(Vec<Question>),
    /// Something to be done at a web address.
    Url { url: String },
}

/// One question.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What its answer is filed under: the full text (Claude) or a property's name (ACP).
    pub key: String,
    /// A word for a tab.
    pub header: Option<String>,
    pub text: String,
    pub answer: AnswerForm,
    /// Whether an answer to it is needed to submit the set.
    pub required: bool,
    pub limits: AnswerLimits,
}

/// How long, large or many an answer may be, both ends included: characters of a text, the value of a number,
/// how many options are chosen.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AnswerLimits {
    pub least: Option<f64>,
    pub most: Option<f64>,
}

/// Why something is no answer to a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Flaw {
    NoNumber,
    NoWholeNumber,
    /// Below the least, which is given.
    TooLittle(f64),
    /// Above the most, which is given.
    TooMuch(f64),
}

/// The form of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerForm {
    /// One of several, or some of them. `other` also takes a text of the person's own, `default` holds the values
    /// that are chosen at first.
    Choice {
        options: Vec<AnswerOption>,
        many: bool,
        other: bool,
        default: Vec<String>,
    },
    /// Words; those that are `secret` are not shown while they are typed.
    Text {
        default: Option<String>,
        secret: bool,
    },
    /// A number; `integer` when fractions are refused.
    Number {
        integer: bool,
        default: Option<String>,
    },
    YesNo {
        default: Option<bool>,
    },
}

/// One choice. `value` is what is sent, `label` what is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerOption {
    pub value: String,
    pub label: String,
    pub description: Option<String>,
}

/// The person's answer to a set of questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionAnswer {
    /// Answers by question key, in the order of the questions.
    Submitted(Vec<(String, AnswerValue)>),
    /// The person does not want to answer; the agent goes on without.
    Skipped,
    /// The turn was cancelled.
    Cancelled,
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerValue {
    Text(String),
    Many(Vec<String>),
    Number(String),
    YesNo(bool),
}

impl Question {
    /// What keeps a value from being an answer to this question, if anything does.
    pub fn flaw(&self, value: &AnswerValue) -> Option<Flaw> {
        let size = match value {
            AnswerValue::YesNo(_) => return None,
            AnswerValue::Text(_) if matches!(self.answer, AnswerForm::Choice { .. }) => {
                return None;
            }
            AnswerValue::Text(text) => text.chars().count() as f64,
            AnswerValue::Many(values) => values.len() as f64,
            AnswerValue::Number(text) => match self.number(text.trim()) {
                Ok(number) => number,
                Err(flaw) => return Some(flaw),
            },
        };
        let AnswerLimits { least, most } = self.limits;
        let too_little = least.filter(|least| size < *least).map(Flaw::TooLittle);
        too_little.or_else(|| most.filter(|most| size > *most).map(Flaw::TooMuch))
    }

    fn number(&self, text: &str) -> Result<f64, Flaw> {
        let is_whole = matches!(self.answer, AnswerForm::Number { integer: true, .. });
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        if is_whole {
            let whole = text.parse::<i64>().ok().and(number);
            whole.ok_or(Flaw::NoWholeNumber)
        } else {
            number.ok_or(Flaw::NoNumber)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(answer: AnswerForm, least: Option<f64>, most: Option<f64>) -> Question {
        Question {
            key: "k".to_owned(),
            header: None,
            text: "k".to_owned(),
            answer,
            required: true,
            limits: AnswerLimits { least, most },
        }
    }

    #[test]
    fn answers_outside_the_limits_have_a_flaw() {
        let text = AnswerForm::Text {
            default: None,
            secret: false,
        };
        let number = |integer| AnswerForm::Number {
            integer,
            default: None,
        };
        let many = AnswerForm::Choice {
            options: Vec::new(),
            many: true,
            other: false,
            default: Vec::new(),
        };
        let text = question(text, Some(2.0), Some(3.0));
        let whole = question(number(true), Some(1.0), None);
        let any = question(number(false), None, Some(0.5));
        let many = question(many, Some(1.0), Some(2.0));
        let words = |text: &str| AnswerValue::Text(text.to_owned());
        let digits = |text: &str| AnswerValue::Number(text.to_owned());
        let some = |count: usize| AnswerValue::Many(vec!["x".to_owned(); count]);
        let cases = [
            (&text, words("\u{3042}"), Some(Flaw::TooLittle(2.0))),
            (&text, words("\u{3042}\u{3044}\u{3046}"), None),
            (&text, words("abcd"), Some(Flaw::TooMuch(3.0))),
            (&whole, digits(" 7 "), None),
            (&whole, digits("0"), Some(Flaw::TooLittle(1.0))),
            (&whole, digits("7.5"), Some(Flaw::NoWholeNumber)),
            (&any, digits("0.5"), None),
            (&any, digits("1e3"), Some(Flaw::TooMuch(0.5))),
            (&any, digits("inf"), Some(Flaw::NoNumber)),
            (&many, some(2), None),
            (&many, some(3), Some(Flaw::TooMuch(2.0))),
            (&many, AnswerValue::YesNo(true), None),
        ];
        for (question, value, expected) in cases {
            assert_eq!(question.flaw(&value), expected, "{value:?}");
        }
    }
}
