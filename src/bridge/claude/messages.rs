//! Whole messages of the model and of its tools, and the result of a turn.

use serde_json::Value;

use super::{ClaudeBridge, some_text, text, tools, usage};
use crate::core::event::{ConnectionEvent, SessionEvent, StopReason, TurnResult};
use crate::core::ids::ToolCallId;
use crate::core::notice::{FailureKind, Note, RpcError};
use crate::core::tool_call::{Subagent, ToolCallPatch, ToolCallStatus};
use crate::core::transcript::MessageKind;

/// The model's name on what the program itself says.
const SYNTHETIC: &str = "<synthetic>";

impl ClaudeBridge {
    pub(super) fn assistant(&mut self, frame: &Value) {
        let message = frame.get("message").cloned().unwrap_or_default();
        let parent = some_text(frame, "parent_tool_use_id").map(ToolCallId::from);
        if text(&message, "model") == SYNTHETIC {
            self.synthetic(frame, &message);
            return;
        }
        if parent.is_none() {
            self.begun_anew();
        }
        // Subagents have a context of their own.
        if parent.is_none()
            && let Some(report) = usage::reading(&message)
        {
            self.session_event(SessionEvent::UsageReported(report));
        }
        let message_id = some_text(&message, "id");
        for block in blocks(&message) {
            match (text(&block, "type"), &parent) {
                ("text", None) => {
                    self.whole(MessageKind::Agent, text(&block, "text"), message_id.clone());
                }
                ("thinking", None) => {
                    self.whole(
                        MessageKind::Thought,
                        text(&block, "thinking"),
                        message_id.clone(),
                    );
                }
                ("text", Some(parent)) => self.subagent_text(parent, text(&block, "text")),
                ("tool_use", parent) => self.tool_use(&block, parent.clone()),
                _ => {}
            }
        }
    }

    pub(super) fn user(&mut self, frame: &Value) {
        let parent = some_text(frame, "parent_tool_use_id").map(ToolCallId::from);
        let message = frame.get("message").cloned().unwrap_or_default();
        if let Some(told) = message.get("content").and_then(Value::as_str) {
            self.local_command(told);
            return;
        }
        for block in blocks(&message) {
            if text(&block, "type") == "tool_result" {
                self.tool_result(frame, &block, parent.clone());
            }
        }
    }

    /// The end of a turn; or of one that nobody asked for, when background work reports.
    pub(super) fn result(&mut self, frame: &Value) {
        self.session_event(SessionEvent::UsageReported(usage::bill(frame)));
        let Some(turn) = self.turn.take() else {
            // Before a session is open, this is all that is said of one that can't be resumed.
            if let Some(error) = errors(frame).filter(|_| self.session.is_none()) {
                self.connection_event(ConnectionEvent::StartFailed(FailureKind::AgentError(error)));
            }
            return;
        };
        let interrupted = std::mem::take(&mut self.interrupted)
            || text(frame, "terminal_reason").starts_with("aborted");
        let result = match errors(frame) {
            _ if interrupted => TurnResult::Stopped(StopReason::Cancelled),
            Some(error) => TurnResult::Failed(error),
            None => TurnResult::Stopped(StopReason::from(match text(frame, "stop_reason") {
                "" | "stop_sequence" | "tool_use" => "end_turn",
                reason => reason,
            })),
        };
        self.session_event(SessionEvent::TurnEnded { turn, result });
    }

    /// What the program says itself. An error of the model's service comes again as the turn's result.
    fn synthetic(&mut self, frame: &Value, message: &Value) {
        if some_text(frame, "error").is_some() {
            return;
        }
        let told: Vec<_> = blocks(message)
            .iter()
            .filter_map(|block| some_text(block, "text"))
            .collect();
        if !told.is_empty() {
            self.session_event(SessionEvent::Noted(Note::Agent(told.join("\n"))));
        }
    }

    fn local_command(&mut self, told: &str) {
        let inner = told
            .strip_prefix("<local-command-stdout>")
            .and_then(|rest| rest.strip_suffix("</local-command-stdout>"))
            .map(str::trim)
            .filter(|inner| !inner.is_empty());
        if let Some(inner) = inner {
            self.session_event(SessionEvent::Noted(Note::Agent(inner.to_owned())));
        }
    }

    fn whole(&mut self, kind: MessageKind, whole: &str, message_id: Option<String>) {
        let rest = self.stream.rest_of(kind, whole);
        if !rest.is_empty() {
            self.session_event(SessionEvent::Text {
                kind,
                text: rest.to_owned(),
                message_id,
            });
        }
    }

    fn subagent_text(&mut self, parent: &ToolCallId, said: &str) {
        let subagent = Subagent {
            texts: vec![said.to_owned()],
            ..Subagent::default()
        };
        let patch = ToolCallPatch {
            subagent: Some(subagent),
            ..ToolCallPatch::default()
        };
        self.session_event(SessionEvent::ToolCallPatched {
            id: parent.clone(),
            patch: Box::new(patch),
        });
    }

    fn tool_use(&mut self, block: &Value, parent: Option<ToolCallId>) {
        let name = text(block, "name");
        let input = block.get("input").cloned().unwrap_or_default();
        let mut patch = tools::described(name, &input);
        patch.status = Some(ToolCallStatus::InProgress);
        patch.parent = parent;
        let id = ToolCallId::from(text(block, "id"));
        if let Some(plan) = self.todo.called(&id, name, &input) {
            self.session_event(SessionEvent::PlanReplaced(plan));
        }
        self.session_event(SessionEvent::ToolCallAnnounced {
            id,
            patch: Box::new(patch),
        });
    }

    fn tool_result(&mut self, frame: &Value, block: &Value, parent: Option<ToolCallId>) {
        let id = ToolCallId::from(text(block, "tool_use_id"));
        let detail = frame.get("tool_use_result");
        if let Some(plan) = self.todo.answered(&id, detail) {
            self.session_event(SessionEvent::PlanReplaced(plan));
        }
        let mut patch = tools::result(block, detail);
        // What the interruption stopped did not fail.
        if self.interrupted && patch.status == Some(ToolCallStatus::Failed) {
            patch.status = Some(ToolCallStatus::Cancelled);
        }
        patch.parent = parent;
        self.session_event(SessionEvent::ToolCallPatched {
            id,
            patch: Box::new(patch),
        });
    }
}

/// The error of a result, if it is one. A result of subtype `success` may be one all the same.
fn errors(frame: &Value) -> Option<RpcError> {
    if frame.get("is_error").and_then(Value::as_bool) != Some(true) {
        return None;
    }
    let listed: Vec<_> = frame
        .get("errors")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let message = some_text(frame, "result").unwrap_or_else(|| listed.join("\n"));
    let code = frame
        .get("api_error_status")
        .and_then(Value::as_i64)
        .unwrap_or_default();
    let message = if message.is_empty() {
        text(frame, "subtype").to_owned()
    } else {
        message
    };
    Some(RpcError {
        code,
        message,
        data: some_text(frame, "api_error_type"),
    })
}

fn blocks(message: &Value) -> Vec<Value> {
    message
        .get("content")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default()
}
