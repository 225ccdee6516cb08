//! Questions that an agent puts to the person: Claude's `AskUserQuestion`, ACP's elicitations, vendors' own.

use crate::core::ids::{RequestId, ToolCallId};
use crate::core::time::Timestamp;

/// A set of questions that is answered as one.
#[derive(Debug, Clone, PartialEq, Eq)]
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionKind {
    /// Questions to be answered here, one after the other.
    Form(Vec<Question>),
    /// Something to be done at a web address.
    Url { url: String },
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What its answer is filed under: the full text (Claude) or a property's name (ACP).
    pub key: String,
    /// A word for a tab.
    pub header: Option<String>,
    pub text: String,
    pub answer: AnswerForm,
    /// Whether the set can be submitted without an answer to it.
    pub required: bool,
}

/// The form of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerForm {
    /// One of several, or some of them. `other` also takes a text of the person's own.
    Choice {
        options: Vec<AnswerOption>,
        many: bool,
        other: bool,
    },
    Text {
        default: Option<String>,
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
