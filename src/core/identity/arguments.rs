//! What a call carries: its own arguments, its command line, the questions it asks.

use serde_json::{Map, Value};

use super::ToolName;
use crate::core::tool_call::{ToolCall, ToolCallContent};

/// The fields that hold a command line. With one of these a call is a shell call, whatever it claims.
const COMMAND_FIELDS: [&str; 5] = ["command", "script", "cmd", "commandLine", "command_line"];

/// A command line and how it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandLine {
    /// The line that the agent passes to its shell.
    Exact(String),
    /// A text for people that looks like the line; it may be cut or decorated.
    Shown(String),
    /// The agent did not say.
    Missing,
}

/// The command line of a shell call.
pub fn command_line(call: &ToolCall) -> CommandLine {
    let input = call.input();
    let input = input.as_deref().and_then(Value::as_object);
    if let Some(line) = input.and_then(command_in) {
        return CommandLine::Exact(line);
    }
    if call.title.trim().is_empty() || crate::core::identity::names::is_identifier(&call.title) {
        CommandLine::Missing
    } else {
        CommandLine::Shown(call.title.clone())
    }
}

/// The folder that a shell call says it runs in.
pub fn command_folder(call: &ToolCall) -> Option<String> {
    let input = call.input()?;
    let input = input.as_object()?;
    ["cwd", "workdir", "working_directory", "directory", "dir"]
        .iter()
        .find_map(|key| Some(input.get(*key)?.as_str()?.to_owned()))
}

/// Whether the input holds a command, in whatever form.
pub(super) fn has_command(input: Option<&Value>) -> bool {
    let fields = input.and_then(Value::as_object);
    fields.is_some_and(|fields| {
        COMMAND_FIELDS.iter().any(|key| match fields.get(*key) {
            Some(Value::String(_)) => true,
            Some(Value::Array(words)) => !words.is_empty() && words.iter().all(Value::is_string),
            _ => false,
        })
    })
}

/// Whether the input asks the person questions.
pub(super) fn has_questions(input: Option<&Value>) -> bool {
    input
        .and_then(|input| input.get("questions")?.as_array())
        .is_some_and(|questions| {
            !questions.is_empty()
                && questions
                    .iter()
                    .any(|question| question.get("question").is_some_and(Value::is_string))
        })
}

fn command_in(input: &Map<String, Value>) -> Option<String> {
    COMMAND_FIELDS
        .iter()
        .find_map(|key| match input.get(*key)? {
            Value::String(line) => Some(line.clone()),
            Value::Array(words) => {
                let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
                words.map(|words| line_of(&words))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
        })
}

/// The line that an argument vector runs. `bash -lc LINE`, which is how an agent hands a line to its shell, is LINE.
fn line_of(words: &[&str]) -> String {
    if let [shell, "-c" | "-lc", line] = words
        && matches!(
            shell.rsplit('/').next(),
            Some("bash" | "sh" | "zsh" | "dash")
        )
    {
        return (*line).to_owned();
    }
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    quoted.join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/' | b'=');
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Where an agent puts the arguments of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArgumentsPlace {
    Input,
    /// In the input, or as JSON text in the content.
    InputOrText,
}

/// The arguments of the tool itself.
pub(super) fn own_arguments(
    call: &ToolCall,
    name: &ToolName,
    place: ArgumentsPlace,
) -> Option<Value> {
    let Some(input) = call.input() else {
        return match place {
            ArgumentsPlace::Input => None,
            ArgumentsPlace::InputOrText => arguments_in_text(call),
        };
    };
    if let ToolName::Mcp { .. } = name {
        for (tool, arguments) in [("tool_name", "tool_input"), ("tool", "arguments")] {
            if input.get(tool).is_some_and(Value::is_string)
                && let Some(inner) = input.get(arguments).filter(|inner| inner.is_object())
            {
                return Some(inner.clone());
            }
        }
    }
    Some(input.into_owned())
}

fn arguments_in_text(call: &ToolCall) -> Option<Value> {
    let Some(ToolCallContent::Text(text)) = call.content.first() else {
        return None;
    };
    if !call.status.is_open() {
        return None;
    }
    serde_json::from_str(text).ok().filter(Value::is_object)
}
