//! One JSON object a line: what happened, for scripts. `docs/command-line.md` describes each record.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::block_record::BlockRecord;
use super::watch::{Diagnostic, Report};
use super::words;
use crate::core::controls::Selector;
use crate::core::hub::AgentHub;
use crate::core::ids::{SessionKey, TurnId};
use crate::core::permission::{PermissionOption, PermissionRecord};
use crate::core::policy::Reason;
use crate::core::session::{Session, TurnEnd};
use crate::core::usage::{TokenCounts, Usage};

/// What most lines are shorter than.
const LINE_BYTES: usize = 1024;

/// Writes one report as a line.
pub fn print(out: &mut impl Write, hub: &AgentHub, report: &Report) -> io::Result<()> {
    if let Report::BlockFinal(key, id) = report {
        let session = hub.session(*key);
        let block = session.and_then(|session| Some((session, session.transcript().block(*id)?)));
        return match block {
            Some((session, block)) => write_line(out, &BlockRecord::of(session, block)),
            None => Ok(()),
        };
    }
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

/// The record of a report that is no block.
fn record(hub: &AgentHub, report: &Report) -> Option<Value> {
    match report {
        Report::SessionOpened(key) => hub.session(*key).map(|session| opened(hub, session)),
        Report::BlockFinal(..) => None,
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

fn write_line(out: &mut impl Write, record: &impl Serialize) -> io::Result<()> {
    // In one piece: a write for each token of it would cost more than all the rest.
    let mut line = Vec::with_capacity(LINE_BYTES);
    serde_json::to_writer(&mut line, record)?;
    line.push(b'\n');
    out.write_all(&line)
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
