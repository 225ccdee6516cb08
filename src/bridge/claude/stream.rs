//! Partial messages: text as it is written, and which whole messages only repeat it.

use std::collections::VecDeque;

use serde_json::Value;

use super::{ClaudeBridge, some_text, text, tools, usage};
use crate::core::event::SessionEvent;
use crate::core::ids::ToolCallId;
use crate::core::tool_call::{ToolCallPatch, ToolCallStatus};
use crate::core::transcript::{AbandonedText, MessageKind};
use crate::core::usage::TokenCounts;

/// The blocks that were streamed and not yet repeated by a whole message.
#[derive(Debug, Default)]
pub(super) struct Streamed {
    message: Option<String>,
    blocks: VecDeque<StreamedBlock>,
    /// The calls that were begun, with the places of their blocks.
    calls: Vec<(u64, ToolCallId)>,
    /// The service broke the message off. What was streamed of it is void once the answer is begun anew.
    broken_off: bool,
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
        self.calls.clear();
        self.broken_off = false;
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
                self.begun_anew();
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
            "message_stop" => self.message_stop(frame),
            "content_block_start" => self.block_start(index, &event),
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

    /// A message that was broken off names the blocks that count for nothing. After an interruption they stay: nobody
    /// writes them anew.
    fn message_stop(&mut self, frame: &Value) {
        let Some(abandoned) = frame.get("abandoned_blocks").filter(|_| !self.interrupted) else {
            return;
        };
        let from = abandoned.get("from_block_index").and_then(Value::as_u64);
        let from = from.unwrap_or_default();
        self.stream.blocks.retain(|block| block.index >= from);
        self.stream.calls.retain(|(index, _)| *index >= from);
        self.stream.broken_off = true;
    }

    /// The answer is begun anew: what was broken off before is marked, and its calls will never be made.
    pub(super) fn begun_anew(&mut self) {
        if !std::mem::take(&mut self.stream.broken_off) {
            return;
        }
        let message_id = self.stream.message();
        for block in std::mem::take(&mut self.stream.blocks) {
            self.session_event(SessionEvent::TextAbandoned(AbandonedText {
                kind: block.kind,
                message_id: message_id.clone(),
                text: Some(block.text),
            }));
        }
        for (_, id) in std::mem::take(&mut self.stream.calls) {
            let patch = ToolCallPatch {
                status: Some(ToolCallStatus::Cancelled),
                ..ToolCallPatch::default()
            };
            self.session_event(SessionEvent::ToolCallPatched {
                id,
                patch: Box::new(patch),
            });
        }
    }

    fn block_start(&mut self, index: u64, event: &Value) {
        let block = event.get("content_block").cloned().unwrap_or_default();
        if text(&block, "type") != "tool_use" {
            return;
        }
        let mut patch = tools::described(text(&block, "name"), &Value::Null);
        patch.status = Some(ToolCallStatus::Pending);
        let id = ToolCallId::from(text(&block, "id"));
        self.stream.calls.push((index, id.clone()));
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
