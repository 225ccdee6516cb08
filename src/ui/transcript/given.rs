//! What a call was given, as it is shown: a command, a plan, or its values.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::core::tool_call::{ToolCall, ToolCallContent, ToolKind};
use crate::ui::transcript::describe::{Description, command};
use crate::ui::transcript::plan_text;
use crate::ui::untrusted::one_line;

/// What stands at the top of an open call.
#[derive(Debug, Clone, PartialEq)]
pub enum Given<'a> {
    Command(String),
    /// In Markdown.
    Plan(String),
    Values(Cow<'a, Value>),
    /// Nothing that is not said elsewhere.
    Nothing,
}

impl<'a> Given<'a> {
    /// What a call was given, beyond what its line says.
    pub fn of(call: &'a ToolCall, description: &Description) -> Self {
        let command = command(call).filter(|_| call.kind == ToolKind::Execute);
        if let Some(command) = command {
            return Self::Command(command);
        }
        if let Some(plan) = plan_text::in_input(call) {
            return Self::Plan(plan);
        }
        let input = call.input().filter(|_| !has_diff(call));
        match input {
            Some(input) if is_worth_showing(&input, description) => Self::Values(input),
            Some(_) | None => Self::Nothing,
        }
    }
}

/// All that an agent sent about a call.
pub fn raw(call: &ToolCall) -> Value {
    json!({
        "toolCallId": call.id.as_str(),
        "title": call.title,
        "name": call.name,
        "rawInput": call.input(),
        "rawOutput": call.output(),
        "_meta": call.meta(),
    })
}

/// Whether a call shows a change, which says more than what it was given.
pub fn has_diff(call: &ToolCall) -> bool {
    let mut contents = call.content.iter();
    contents.any(|content| matches!(content, ToolCallContent::Diff(_)))
}

/// Whether the line does not say all of it already.
fn is_worth_showing(input: &Value, description: &Description) -> bool {
    match input {
        Value::Null => false,
        Value::Object(object) => match object.values().next() {
            None => false,
            Some(Value::String(only)) if object.len() == 1 => one_line(only) != description.summary,
            Some(_) => true,
        },
        _ => true,
    }
}
