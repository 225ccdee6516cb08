//! Claude Code's own tools: kind, diff, output, and the task list that two families of them keep.

use std::collections::HashMap;

use serde_json::Value;

use super::{some_text, text};
use crate::core::ids::ToolCallId;
use crate::core::plan::{Plan, PlanEntry, PlanEntryPriority, PlanEntryStatus};
use crate::core::tool_call::{
    Diff, ImageData, ToolCallContent, ToolCallLocation, ToolCallPatch, ToolCallStatus, ToolKind,
};

/// What a call is, from its name and arguments. Arguments that are not there yet say nothing.
pub(super) fn described(name: &str, input: &Value) -> ToolCallPatch {
    let has_input = input.as_object().is_some_and(|input| !input.is_empty());
    let path = ["file_path", "notebook_path", "path"]
        .iter()
        .find_map(|key| some_text(input, key));
    let diffs = diffs(name, input);
    ToolCallPatch {
        title: Some(name.to_owned()),
        name: Some(name.to_owned()),
        kind: Some(kind(name)),
        content: (!diffs.is_empty()).then_some(diffs),
        locations: path.map(|path| vec![ToolCallLocation { path, line: None }]),
        raw_input: has_input.then(|| input.clone().into()),
        ..ToolCallPatch::default()
    }
}

/// What a `tool_result` says of its call. A diff that is shown already stays above the text.
pub(super) fn result(block: &Value, detail: Option<&Value>) -> ToolCallPatch {
    let failed = block.get("is_error").and_then(Value::as_bool) == Some(true);
    let status = if failed {
        ToolCallStatus::Failed
    } else {
        ToolCallStatus::Completed
    };
    let is_edit = detail.is_some_and(|detail| detail.get("structuredPatch").is_some());
    let content = output(block.get("content"));
    ToolCallPatch {
        status: Some(status),
        // The text of a finished edit only says that it is done.
        content: (!is_edit || failed).then_some(content),
        raw_output: detail.map(|detail| detail.clone().into()),
        ..ToolCallPatch::default()
    }
}

fn output(content: Option<&Value>) -> Vec<ToolCallContent> {
    match content {
        Some(Value::String(text)) => vec![ToolCallContent::Text(text.clone())],
        Some(Value::Array(parts)) => parts.iter().map(part).collect(),
        _ => Vec::new(),
    }
}

fn part(part: &Value) -> ToolCallContent {
    match text(part, "type") {
        "text" => ToolCallContent::Text(text(part, "text").to_owned()),
        "image" => {
            let source = part.get("source").cloned().unwrap_or_default();
            ToolCallContent::Image(ImageData {
                media_type: text(&source, "media_type").to_owned(),
                base64: text(&source, "data").to_owned(),
                uri: some_text(&source, "url"),
            })
        }
        kind => ToolCallContent::Unsupported {
            kind: kind.to_owned(),
        },
    }
}

fn kind(name: &str) -> ToolKind {
    match name {
        "Read" | "NotebookRead" | "LS" => ToolKind::Read,
        "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => ToolKind::Edit,
        "Bash" | "BashOutput" | "KillShell" | "PowerShell" => ToolKind::Execute,
        "Grep" | "Glob" | "ToolSearch" => ToolKind::Search,
        "WebFetch" | "WebSearch" => ToolKind::Fetch,
        "Task" | "Agent" | "TodoWrite" | "TaskCreate" | "TaskUpdate" => ToolKind::Think,
        "ExitPlanMode" | "EnterPlanMode" => ToolKind::SwitchMode,
        _ => ToolKind::Other,
    }
}

fn diffs(name: &str, input: &Value) -> Vec<ToolCallContent> {
    let Some(path) = some_text(input, "file_path") else {
        return Vec::new();
    };
    let diff = |old: Option<&str>, new: &str| {
        ToolCallContent::Diff(Diff {
            path: path.clone(),
            old_text: old.map(str::to_owned),
            new_text: new.to_owned(),
        })
    };
    let edit = |edit: &Value| diff(Some(text(edit, "old_string")), text(edit, "new_string"));
    match name {
        "Write" => vec![diff(None, text(input, "content"))],
        "Edit" if input.get("old_string").is_some() => vec![edit(input)],
        "MultiEdit" => input
            .get("edits")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .map(edit)
            .collect(),
        _ => Vec::new(),
    }
}

/// The task list: replaced as a whole by `TodoWrite`, or entry by entry by `TaskCreate` and `TaskUpdate`.
#[derive(Debug, Default)]
pub(super) struct TodoList {
    entries: Vec<(String, PlanEntry)>,
    creating: HashMap<ToolCallId, PlanEntry>,
}

impl TodoList {
    /// Takes in a call; yields the plan when it changed.
    pub(super) fn called(&mut self, id: &ToolCallId, name: &str, input: &Value) -> Option<Plan> {
        match name {
            "TodoWrite" => {
                let todos = input.get("todos")?.as_array()?;
                self.entries = todos
                    .iter()
                    .map(|todo| {
                        (
                            String::new(),
                            entry(text(todo, "content"), text(todo, "status")),
                        )
                    })
                    .collect();
                Some(self.plan())
            }
            "TaskCreate" => {
                self.creating
                    .insert(id.clone(), entry(text(input, "subject"), "pending"));
                None
            }
            "TaskUpdate" => {
                let task = text(input, "taskId");
                let (_, known) = self.entries.iter_mut().find(|(id, _)| id == task)?;
                if let Some(word) = some_text(input, "status") {
                    known.status = status(&word);
                }
                if let Some(subject) = some_text(input, "subject") {
                    known.content = subject;
                }
                Some(self.plan())
            }
            _ => None,
        }
    }

    /// Takes in a result: only then has a new task its number.
    pub(super) fn answered(&mut self, id: &ToolCallId, detail: Option<&Value>) -> Option<Plan> {
        let entry = self.creating.remove(id)?;
        let task = some_text(detail?.get("task")?, "id")?;
        self.entries.push((task, entry));
        Some(self.plan())
    }

    fn plan(&self) -> Plan {
        Plan {
            entries: self
                .entries
                .iter()
                .map(|(_, entry)| entry.clone())
                .collect(),
        }
    }
}

fn entry(content: &str, word: &str) -> PlanEntry {
    PlanEntry {
        content: content.to_owned(),
        status: status(word),
        priority: PlanEntryPriority::Unknown,
    }
}

fn status(word: &str) -> PlanEntryStatus {
    match word {
        "pending" => PlanEntryStatus::Pending,
        "in_progress" => PlanEntryStatus::InProgress,
        "completed" => PlanEntryStatus::Completed,
        _ => PlanEntryStatus::Unknown,
    }
}
