//! One JSON object a line: what happened, for scripts. `docs/command-line.md` describes each record.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::watch::{Diagnostic, Report};
use super::words;
use crate::core::controls::Selector;
use crate::core::hub::AgentHub;
use crate::core::ids::{SessionKey, TurnId};
use crate::core::notice::Failure;
use crate::core::permission::{PermissionOption, PermissionRecord};
use crate::core::policy::Reason;
use crate::core::session::{Session, TurnEnd};
use crate::core::tool_call::{ToolCall, ToolCallContent};
use crate::core::transcript::{Block, BlockContent};
use crate::core::usage::{TokenCounts, Usage};

/// Writes one report as a line.
pub fn print(out: &mut impl Write, hub: &AgentHub, report: &Report) -> io::Result<()> {
    match record(hub, report) {
        Some(record) => write_line(out, &record),
        None => Ok(()),
    }
}

/// Writes a remark of the command itself.
pub fn print_note(out: &mut impl Write, code: &str, text: &str) -> io::Result<()> {
    write_line(out, &json!({"type": "note", "code": code, "text": text}))
}

/// Writes the end of a prompt that never became a turn.
pub fn print_end_without_turn(
    out: &mut impl Write,
    failure: &words::TurnFailure,
) -> io::Result<()> {
    write_line(
        out,
        &json!({"type": "end", "turn": null, "error": error_of_turn(failure)}),
    )
}

/// The record of a report; `None` for a block that is gone.
pub fn record(hub: &AgentHub, report: &Report) -> Option<Value> {
    match report {
        Report::SessionOpened(key) => hub.session(*key).map(|session| opened(hub, session)),
        Report::BlockFinal(key, id) => {
            let session = hub.session(*key)?;
            let block = session.transcript().block(*id)?;
            Some(block_record(session, block))
        }
        Report::BlockAbandoned(key, id) => {
            Some(json!({"type": "abandoned", "session": key.0, "id": id.0}))
        }
        Report::SessionIdKnown(key, id) => {
            Some(json!({"type": "session_id", "session": key.0, "session_id": id.as_str()}))
        }
        Report::PermissionAnswered(key, record) => Some(permission(*key, record)),
        Report::UsageChanged(key, usage) => Some(usage_record(*key, usage)),
        Report::TurnEnded(key, end, _) => Some(turn_end(*key, end)),
        Report::Diagnostic(diagnostic) => Some(diagnostic_record(diagnostic)),
    }
}

fn write_line(out: &mut impl Write, record: &Value) -> io::Result<()> {
    // In one piece: a write for each token of it would cost more than all the rest.
    let mut line = record.to_string();
    line.push('\n');
    out.write_all(line.as_bytes())
}

fn opened(hub: &AgentHub, session: &Session) -> Value {
    let agent = hub
        .connection_of(session.key())
        .map(|connection| &connection.agent);
    json!({
        "type": "session",
        "session": session.key().0,
        "backend": session.spec().id.as_str(),
        "agent_name": agent.map(|agent| &agent.name),
        "agent_title": agent.and_then(|agent| agent.title.as_ref()),
        "agent_version": agent.map(|agent| &agent.version),
        "session_id": session.agent_session().map(ToString::to_string),
        "cwd": session.setup().cwd.display().to_string(),
        "model": session.model_selector().map(|selector| selector.current),
        "models": choices(session.model_selector()),
        "mode": session.mode_selector().map(|selector| selector.current),
        "modes": choices(session.mode_selector()),
    })
}

fn choices(selector: Option<Selector>) -> Vec<Value> {
    let choices = selector
        .map(|selector| selector.choices)
        .unwrap_or_default();
    choices
        .iter()
        .map(|choice| json!({"id": choice.value, "name": choice.name}))
        .collect()
}

fn block_record(session: &Session, block: &Block) -> Value {
    let mut record = Map::new();
    record.insert("type".to_owned(), json!("block"));
    record.insert("session".to_owned(), json!(session.key().0));
    record.insert("id".to_owned(), json!(block.id.0));
    record.insert(
        "turn".to_owned(),
        json!(block.turn.map(|TurnId(turn)| turn)),
    );
    if block.late {
        record.insert("late".to_owned(), json!(true));
    }
    if let Value::Object(content) = content(session, &block.content) {
        record.extend(content);
    }
    Value::Object(record)
}

fn content(session: &Session, content: &BlockContent) -> Value {
    match content {
        BlockContent::UserMessage(message) => {
            json!({"kind": "user_message", "text": message.text})
        }
        BlockContent::AgentMessage(message) => {
            json!({"kind": "agent_message", "text": message.text})
        }
        BlockContent::Thought(message) => json!({"kind": "thought", "text": message.text}),
        BlockContent::Abandoned(message) => json!({"kind": "abandoned", "text": message.text}),
        BlockContent::ToolCall(call) => tool_call(&words::tool_name(session, call), call),
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
    }
}

fn tool_call(name: &str, call: &ToolCall) -> Value {
    let diff = |content: &ToolCallContent| match content {
        ToolCallContent::Diff(diff) => Some(json!({
            "path": diff.path, "old_text": diff.old_text, "new_text": diff.new_text,
        })),
        _ => None,
    };
    let location = |location: &crate::core::tool_call::ToolCallLocation| json!({"path": location.path, "line": location.line});
    json!({
        "kind": "tool_call",
        "text": call.title,
        "tool_call_id": call.id.as_str(),
        "tool_name": name,
        "title": call.title,
        "status": words::status(call.status),
        "input": call.raw_input,
        "output": output(call),
        "diffs": call.content.iter().filter_map(diff).collect::<Vec<_>>(),
        "locations": call.locations.iter().map(location).collect::<Vec<_>>(),
        "parent": call.parent.as_ref().map(ToString::to_string),
        "duration_ms": call.ended_at.map(|end| end.millis_since(call.started_at)),
    })
}

/// What a call produced as text. Pictures and terminals are named, diffs stand elsewhere.
pub fn output(call: &ToolCall) -> Option<String> {
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

fn permission(session: SessionKey, record: &PermissionRecord) -> Value {
    let option = |option: &PermissionOption| json!({"id": option.id.as_str(), "name": option.name, "kind": words::option_kind(&option.kind), "scope": option.scope});
    json!({
        "type": "permission",
        "session": session.0,
        "request_id": record.request_id.to_string(),
        "tool_call_id": record.tool_call_id.as_str(),
        "tool_name": record.identity.name.canonical(),
        "identity": record.identity.name.canonical(),
        "identity_source": record.identity.source.as_str(),
        "decision": record.decision(),
        "because": record.because.as_ref().map(Reason::code),
        "title": record.tool_call.title,
        "options": record.options.iter().map(option).collect::<Vec<_>>(),
        "answered_by": words::answered_by(record.answered_by),
        "answer": record.selected.as_ref().map(option),
    })
}

fn usage_record(session: SessionKey, usage: &Usage) -> Value {
    json!({
        "type": "usage",
        "session": session.0,
        "context_used": usage.context().used(),
        "context_window": usage.context().window(),
        "turn_tokens": usage.turn_tokens().map(token_counts),
        "session_tokens": usage.session_tokens().map(token_counts),
        "costs": usage.costs(),
        "status_line": usage.status_line(),
    })
}

fn token_counts(counts: TokenCounts) -> Value {
    json!({
        "input": counts.input,
        "output": counts.output,
        "cache_read": counts.cache_read,
        "cache_write": counts.cache_write,
    })
}

fn turn_end(session: SessionKey, end: &TurnEnd) -> Value {
    let TurnId(turn) = end.turn;
    match (&end.cause, words::failure_of(&end.cause)) {
        (crate::core::session::TurnCause::Stopped(reason), _) => {
            json!({"type": "end", "session": session.0, "turn": turn, "stop_reason": reason.as_str()})
        }
        (_, failure) => {
            let error = failure.as_ref().map(error_of_turn);
            json!({"type": "end", "session": session.0, "turn": turn, "error": error})
        }
    }
}

fn error_of_turn(failure: &words::TurnFailure) -> Value {
    json!({
        "code": failure.code,
        "origin": words::origin(failure.origin),
        "retry": failure.retry,
        "message": failure.message,
    })
}

fn diagnostic_record(diagnostic: &Diagnostic) -> Value {
    match diagnostic {
        Diagnostic::StrayLines { count } => {
            json!({"type": "diagnostic", "code": "stray_lines", "count": count})
        }
        Diagnostic::Unrecognized { kind } => {
            json!({"type": "diagnostic", "code": "unrecognized", "kind": kind})
        }
        Diagnostic::LineDropped { limit_bytes } => {
            json!({"type": "diagnostic", "code": "line_dropped", "limit_bytes": limit_bytes})
        }
        Diagnostic::DecidedOtherwise {
            request_id,
            recorded,
            decided,
        } => {
            json!({"type": "diagnostic", "code": "decided_otherwise", "request_id": request_id, "recorded": recorded, "decided": decided})
        }
        Diagnostic::AgentExited { exit, stderr } => {
            json!({"type": "diagnostic", "code": "agent_exited", "exit": words::exit_text(exit), "stderr": stderr})
        }
    }
}
