//! Partial messages: text as it is written, and which whole messages only repeat it.

use std::collections::VecDeque;

use serde_json::Value;

use super::{ClaudeBridge, some_text, text, tools, usage};
use crate::core::event::SessionEvent;
use crate::core::tool_call::ToolCallStatus;
use crate::core::transcript::MessageKind;
use crate::core::usage::TokenCounts;

/// The blocks that were streamed and not yet repeated by a whole message.
#[derive(Debug, Default)]
pub(super) struct Streamed {
    message: Option<String>,
    blocks: VecDeque<StreamedBlock>,
    /// The tokens of the message as they were told at its start.
    counts: TokenCounts,
}

#[derive(Debug)]
struct StreamedBlock {
    index: u64,
    kind: MessageKind,
    text: String,
}

impl Streamed {
    fn begin(&mut self, message: Option<String>) {
        self.message = message;
        self.blocks.clear();
    }

    fn append(&mut self, index: u64, kind: MessageKind, text: &str) {
        match self
            .blocks
            .iter_mut()
            .find(|block| block.index == index && block.kind == kind)
        {
            Some(block) => block.text.push_str(text),
            None => self.blocks.push_back(StreamedBlock {
                index,
                kind,
                text: text.to_owned(),
            }),
        }
    }

    /// What of a whole block was not streamed: all of it, its end, or nothing.
    pub(super) fn rest_of<'a>(&mut self, kind: MessageKind, whole: &'a str) -> &'a str {
        let found = self
            .blocks
            .iter()
            .position(|block| block.kind == kind && whole.starts_with(&block.text));
        let Some(block) = found.and_then(|index| self.blocks.remove(index)) else {
            return whole;
        };
        whole.get(block.text.len()..).unwrap_or_default()
    }

    /// The message that is being written.
    pub(super) fn message(&self) -> Option<String> {
        self.message.clone()
    }
}

impl ClaudeBridge {
    pub(super) fn stream_event(&mut self, frame: &Value) {
        // What subagents write comes as whole messages.
        if some_text(frame, "parent_tool_use_id").is_some() {
            return;
        }
        let event = frame.get("event").cloned().unwrap_or_default();
        let index = event
            .get("index")
            .and_then(Value::as_u64)
            .unwrap_or_default();
        match text(&event, "type") {
            "message_start" => {
                let message = event.get("message").cloned().unwrap_or_default();
                self.stream.begin(some_text(&message, "id"));
                self.stream.counts = usage::counts_at_start(&message);
                if let Some(report) = usage::reading(&message) {
                    self.session_event(SessionEvent::UsageReported(report));
                }
            }
            "message_delta" => {
                if let Some(report) = usage::reading_at_end(self.stream.counts, &event) {
                    self.session_event(SessionEvent::UsageReported(report));
                }
            }
            "content_block_start" => self.block_start(&event),
            "content_block_delta" => {
                let delta = event.get("delta").cloned().unwrap_or_default();
                match text(&delta, "type") {
                    "text_delta" => self.piece(index, MessageKind::Agent, text(&delta, "text")),
                    "thinking_delta" => {
                        self.piece(index, MessageKind::Thought, text(&delta, "thinking"));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn block_start(&mut self, event: &Value) {
        let block = event.get("content_block").cloned().unwrap_or_default();
        if text(&block, "type") != "tool_use" {
            return;
        }
        let mut patch = tools::described(text(&block, "name"), &Value::Null);
        patch.status = Some(ToolCallStatus::Pending);
        let id = text(&block, "id").into();
        self.session_event(SessionEvent::ToolCallAnnounced {
            id,
            patch: Box::new(patch),
        });
    }

    fn piece(&mut self, index: u64, kind: MessageKind, piece: &str) {
        if piece.is_empty() {
            return;
        }
        self.stream.append(index, kind, piece);
        let message_id = self.stream.message();
        self.session_event(SessionEvent::Text {
            kind,
            text: piece.to_owned(),
            message_id,
        });
    }
}
