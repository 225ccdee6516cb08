//! What Claude Code sent in its own dialect, held against what the hub shows.

use agent_panel::bridge::script::Recording;
use agent_panel::core::hub::AgentHub;
use agent_panel::core::transcript::{Block, BlockContent};
use serde_json::Value;

use crate::without_spaces;

/// What the model wrote, its subagents said and its tools are called, and the hub does not show.
pub(crate) fn lost(run: &Recording, hub: &AgentHub) -> Vec<String> {
    let blocks: Vec<_> = hub
        .sessions()
        .flat_map(|session| session.transcript().blocks())
        .collect();
    let mut sent = Sent::default();
    for step in run.steps.iter().filter(|step| !step.role.is_from_client()) {
        sent.take(&step.frame);
    }
    let mut lost = Vec::new();
    for kind in ["text", "thinking"] {
        let shown = shown(&blocks, kind);
        let written: String = sent.of(kind).map(without_spaces).collect();
        if written != shown {
            lost.push(format!("{kind}:\n sent  {written:?}\n shown {shown:?}"));
        }
    }
    let calls: Vec<_> = blocks
        .iter()
        .filter_map(|block| block.tool_call())
        .collect();
    for (id, parent) in &sent.calls {
        let call = calls.iter().find(|call| call.id.as_str() == id);
        let shown_parent = call.map(|call| call.parent.as_ref().map(ToString::to_string));
        if shown_parent != Some(parent.clone()) {
            lost.push(format!("tool call {id} of {parent:?}: {shown_parent:?}"));
        }
    }
    for (parent, text) in &sent.by_subagents {
        let call = calls.iter().find(|call| call.id.as_str() == parent);
        let subagent = call.and_then(|call| call.subagent.as_ref());
        if !subagent.is_some_and(|subagent| subagent.texts.contains(text)) {
            lost.push(format!("{text:?} of the subagent of {parent}"));
        }
    }
    lost
}

#[derive(Default)]
struct Sent {
    /// Kind and text of each block of the main conversation.
    written: Vec<(&'static str, String)>,
    /// Those of the message that is being written, by index; a whole message repeats them.
    streaming: Vec<usize>,
    calls: Vec<(String, Option<String>)>,
    by_subagents: Vec<(String, String)>,
}

impl Sent {
    fn of(&self, kind: &str) -> impl Iterator<Item = &str> {
        let of_kind = self.written.iter().filter(move |(own, _)| *own == kind);
        of_kind.map(|(_, text)| text.as_str())
    }

    fn take(&mut self, frame: &Value) {
        let text = |place: &str| frame.pointer(place).and_then(Value::as_str);
        let parent = text("/parent_tool_use_id");
        match text("/type") {
            Some("stream_event") if parent.is_none() => self.streamed(frame),
            Some("assistant") if text("/message/model") != Some("<synthetic>") => {
                let blocks = frame.pointer("/message/content").and_then(Value::as_array);
                for block in blocks.into_iter().flatten() {
                    self.whole(block, parent);
                }
            }
            _ => {}
        }
    }

    fn streamed(&mut self, frame: &Value) {
        let text = |place: &str| frame.pointer(place).and_then(Value::as_str);
        match text("/event/type") {
            Some("message_start") => self.streaming.clear(),
            // What is begun anew repeats nothing.
            Some("message_stop") if frame.get("abandoned_blocks").is_some() => {
                self.streaming.clear();
            }
            Some("content_block_start") => {
                let kind = match text("/event/content_block/type") {
                    Some("text") => "text",
                    Some("thinking") => "thinking",
                    _ => return,
                };
                self.streaming.push(self.written.len());
                self.written.push((kind, String::new()));
            }
            Some("content_block_delta") => {
                let piece = text("/event/delta/text").or(text("/event/delta/thinking"));
                if let (Some((_, grown)), Some(piece)) = (self.written.last_mut(), piece) {
                    grown.push_str(piece);
                }
            }
            _ => {}
        }
    }

    fn whole(&mut self, block: &Value, parent: Option<&str>) {
        let text = |key: &str| block.get(key).and_then(Value::as_str).map(str::to_owned);
        let kind = text("type").unwrap_or_default();
        if kind == "tool_use" {
            let id = text("id").expect("a call has an id");
            self.calls.push((id, parent.map(str::to_owned)));
            return;
        }
        let (kind, whole) = match (text("text"), text("thinking")) {
            (Some(text), _) => ("text", text),
            (None, Some(thought)) => ("thinking", thought),
            (None, None) => return,
        };
        if let Some(parent) = parent {
            self.by_subagents.push((parent.to_owned(), whole));
            return;
        }
        let repeats = |index: &usize| {
            let written = self.written.get(*index);
            written.is_some_and(|(own, text)| *own == kind && whole.starts_with(text.as_str()))
        };
        let repeated = self.streaming.iter().position(repeats);
        let repeated = repeated.map(|position| self.streaming.remove(position));
        match repeated.and_then(|index| self.written.get_mut(index)) {
            Some((_, text)) => *text = whole,
            None => self.written.push((kind, whole)),
        }
    }
}

fn shown(blocks: &[&Block], kind: &str) -> String {
    let text = blocks
        .iter()
        .filter_map(|block| match (&block.content, kind) {
            (BlockContent::AgentMessage(message) | BlockContent::Abandoned(message), "text")
            | (BlockContent::Thought(message), "thinking") => Some(without_spaces(&message.text)),
            _ => None,
        });
    text.collect()
}
