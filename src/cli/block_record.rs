//! The record of a block, for scripts. Most of what `exec` writes are these, so they are written without a copy.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Value, json};

use super::words;
use crate::core::ids::ToolCallId;
use crate::core::notice::Failure;
use crate::core::session::Session;
use crate::core::tool_call::{ToolCall, ToolCallContent, ToolCallLocation};
use crate::core::transcript::{Block, BlockContent};

/// A block as a record.
#[derive(Debug, Serialize)]
pub(super) struct BlockRecord<'a> {
    #[serde(rename = "type")]
    record: &'static str,
    session: u64,
    id: u64,
    turn: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    late: Option<bool>,
    #[serde(flatten)]
    content: Content<'a>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text {
        kind: &'static str,
        text: &'a str,
    },
    ToolCall(Box<ToolCallRecord<'a>>),
    /// An object.
    Other(Value),
}

#[derive(Debug, Serialize)]
struct ToolCallRecord<'a> {
    kind: &'static str,
    text: &'a str,
    tool_call_id: &'a str,
    tool_name: String,
    title: &'a str,
    status: &'static str,
    input: Option<Cow<'a, Value>>,
    output: Option<String>,
    diffs: Vec<DiffRecord<'a>>,
    locations: Vec<LocationRecord<'a>>,
    parent: Option<&'a str>,
    duration_ms: Option<u64>,
}

#[derive(Debug, Serialize)]
struct DiffRecord<'a> {
    path: &'a str,
    old_text: Option<&'a str>,
    new_text: &'a str,
}

#[derive(Debug, Serialize)]
struct LocationRecord<'a> {
    path: &'a str,
    line: Option<u32>,
}

impl<'a> BlockRecord<'a> {
    /// The record of a block.
    pub(super) fn of(session: &Session, block: &'a Block) -> Self {
        Self {
            record: "block",
            session: session.key().0,
            id: block.id.0,
            turn: block.turn.map(|turn| turn.0),
            late: block.late.then_some(true),
            content: Content::of(session, &block.content),
        }
    }
}

impl<'a> Content<'a> {
    fn of(session: &Session, content: &'a BlockContent) -> Self {
        let text = |kind, text| Self::Text { kind, text };
        match content {
            BlockContent::UserMessage(message) => text("user_message", &message.text),
            BlockContent::AgentMessage(message) => text("agent_message", &message.text),
            BlockContent::Thought(message) => text("thought", &message.text),
            BlockContent::Abandoned(message) => text("abandoned", &message.text),
            BlockContent::ToolCall(call) => {
                let name = words::tool_name(session, call);
                Self::ToolCall(Box::new(ToolCallRecord::of(name, call)))
            }
            other => Self::Other(rare(other)),
        }
    }
}

impl<'a> ToolCallRecord<'a> {
    fn of(tool_name: String, call: &'a ToolCall) -> Self {
        let diff = |content: &'a ToolCallContent| match content {
            ToolCallContent::Diff(diff) => Some(DiffRecord {
                path: &diff.path,
                old_text: diff.old_text.as_deref(),
                new_text: &diff.new_text,
            }),
            _ => None,
        };
        let location = |location: &'a ToolCallLocation| LocationRecord {
            path: &location.path,
            line: location.line,
        };
        Self {
            kind: "tool_call",
            text: &call.title,
            tool_call_id: call.id.as_str(),
            tool_name,
            title: &call.title,
            status: words::status(call.status),
            input: call.input(),
            output: output(call),
            diffs: call.content.iter().filter_map(diff).collect(),
            locations: call.locations.iter().map(location).collect(),
            parent: call.parent.as_ref().map(ToolCallId::as_str),
            duration_ms: call.ended_at.map(|end| call.duration_millis(end)),
        }
    }
}

/// Blocks of which a session has few.
fn rare(content: &BlockContent) -> Value {
    match content {
        BlockContent::Plan(plan) => {
            let entry = |entry: &crate::core::plan::PlanEntry| json!({"content": entry.content, "status": words::plan_status(entry.status)});
            let entries: Vec<_> = plan.entries.iter().map(entry).collect();
            json!({"kind": "plan", "entries": entries})
        }
        BlockContent::Note(note) => {
            json!({"kind": "note", "code": words::note_code(note), "text": words::note_text(note)})
        }
        BlockContent::Failure(failure) => failure_record(failure),
        BlockContent::Attachment(attachment) => {
            json!({"kind": "attachment", "name": attachment.name, "uri": attachment.uri, "text": attachment.text})
        }
        BlockContent::Image(image) => {
            json!({"kind": "image", "media_type": image.media_type, "uri": image.uri, "data": image.base64})
        }
        BlockContent::McpStatus(report) => {
            let server = |server: &crate::core::mcp::McpServerStatus| {
                let tools: Vec<_> = server.tools.iter().map(|tool| &tool.name).collect();
                json!({"name": server.name, "state": words::mcp_state(&server.state), "tools": tools, "error": server.error})
            };
            let servers: Vec<_> = report.servers.iter().map(server).collect();
            json!({"kind": "mcp_status", "servers": servers})
        }
        BlockContent::UserMessage(_)
        | BlockContent::AgentMessage(_)
        | BlockContent::Thought(_)
        | BlockContent::Abandoned(_)
        | BlockContent::ToolCall(_) => json!({}),
    }
}

/// What a call produced as text. Pictures and terminals are named, diffs stand elsewhere.
pub(super) fn output(call: &ToolCall) -> Option<String> {
    let part = |content: &ToolCallContent| match content {
        ToolCallContent::Text(text) => Some(text.clone()),
        ToolCallContent::Diff(_) => None,
        ToolCallContent::Terminal { id } => Some(format!("[terminal {id}]")),
        ToolCallContent::Image(image) => Some(format!("[image {}]", image.media_type)),
        ToolCallContent::Resource { uri, text } => {
            Some(text.clone().unwrap_or_else(|| format!("[resource {uri}]")))
        }
        ToolCallContent::Unsupported { kind } => Some(format!("[unsupported content: {kind}]")),
    };
    let parts: Vec<_> = call.content.iter().filter_map(part).collect();
    (!parts.is_empty()).then(|| parts.join("\n"))
}

fn failure_record(failure: &Failure) -> Value {
    json!({
        "kind": "error",
        "text": words::failure_text(&failure.kind),
        "error": {
            "code": failure.kind.code(),
            "origin": words::origin(failure.kind.origin()),
            "retry": failure.kind.retry_may_help(),
            "message": words::failure_text(&failure.kind),
        },
        "stderr": failure.stderr,
    })
}
