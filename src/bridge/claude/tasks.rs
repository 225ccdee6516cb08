//! Subagents and background commands: what `task_*` lines say of the call that started them.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{ClaudeBridge, some_text, text};
use crate::core::event::SessionEvent;
use crate::core::ids::ToolCallId;
use crate::core::tool_call::{Subagent, ToolCallPatch};

/// Which call started which task: `task_updated` names only the task.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    calls: HashMap<String, ToolCallId>,
    /// Commands that the agent waits for: they are no more than their call.
    waited_for: HashSet<String>,
}

/// The `task_type` of a shell command.
const COMMAND: &str = "local_bash";

impl ClaudeBridge {
    pub(super) fn task(&mut self, frame: &Value) {
        let task = text(frame, "task_id").to_owned();
        let background = frame.get("is_backgrounded").and_then(Value::as_bool);
        if text(frame, "task_type") == COMMAND && background != Some(true) {
            self.tasks.waited_for.insert(task);
            return;
        }
        if self.tasks.waited_for.contains(&task) {
            return;
        }
        let call = some_text(frame, "tool_use_id").map(ToolCallId::from);
        let Some(call) = call.or_else(|| self.tasks.calls.get(&task).cloned()) else {
            return;
        };
        self.tasks.calls.insert(task, call.clone());
        let state = match text(frame, "subtype") {
            "task_started" => Some("running".to_owned()),
            // `completed` comes with the notification, which brings the report.
            "task_updated" => None,
            _ => some_text(frame, "status"),
        };
        let usage = frame.get("usage").cloned().unwrap_or_default();
        let number = |key: &str| usage.get(key).and_then(Value::as_u64);
        let progress = if text(frame, "subtype") == "task_progress" {
            some_text(frame, "description")
        } else {
            None
        };
        let subagent = Subagent {
            kind: some_text(frame, "subagent_type"),
            progress,
            last_tool: some_text(frame, "last_tool_name"),
            total_tokens: number("total_tokens"),
            tool_uses: number("tool_uses"),
            background,
            state,
            summary: some_text(frame, "summary"),
            texts: Vec::new(),
            updated_at: None,
        };
        let patch = ToolCallPatch {
            subagent: Some(subagent),
            ..ToolCallPatch::default()
        };
        self.session_event(SessionEvent::ToolCallPatched {
            id: call,
            patch: Box::new(patch),
        });
    }
}
