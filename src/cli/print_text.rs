//! A session as plain text: everything of the transcript, in order, the same every time.

use std::fmt::Write as _;

use similar::TextDiff;

use super::block_record::output;
use super::watch::{Diagnostic, Report};
use super::words;
use crate::core::hub::AgentHub;
use crate::core::ids::SessionKey;
use crate::core::mcp::McpReport;
use crate::core::permission::{PermissionOption, PermissionRecord};
use crate::core::plan::{Plan, PlanEntryStatus};
use crate::core::session::{Session, TurnCause, TurnEnd};
use crate::core::tool_call::{Diff, ToolCall, ToolCallContent, ToolCallStatus};
use crate::core::transcript::{Block, BlockContent};
use crate::core::usage::{Meter, Usage};

/// How much of a tool's input is shown, in characters.
const INPUT_CHARS_MOST: usize = 400;

/// What is needed beside the hub to print sessions after the fact.
#[derive(Debug, Default)]
pub struct TextTranscript {
    permissions: Vec<(SessionKey, Box<PermissionRecord>)>,
    ends: Vec<(SessionKey, Box<TurnEnd>, Box<Usage>)>,
    diagnostics: Vec<Diagnostic>,
    stray_lines: u64,
}

impl TextTranscript {
    /// Takes in a report.
    pub fn note(&mut self, report: Report) {
        match report {
            Report::PermissionAnswered(key, record) => self.permissions.push((key, record)),
            Report::TurnEnded(key, end, usage) => self.ends.push((key, end, usage)),
            Report::Diagnostic(Diagnostic::StrayLines { count }) => self.stray_lines += count,
            Report::Diagnostic(diagnostic) => self.diagnostics.push(diagnostic),
            Report::SessionOpened(_)
            | Report::SessionIdKnown(..)
            | Report::BlockFinal(..)
            | Report::BlockAbandoned(..)
            | Report::UsageChanged(..) => {}
        }
    }

    /// All sessions of the hub, one after the other.
    pub fn print(&self, hub: &AgentHub) -> String {
        let mut text = String::new();
        for session in hub.sessions() {
            if !text.is_empty() {
                text.push('\n');
            }
            self.print_session(&mut text, hub, session);
        }
        let stray = Diagnostic::StrayLines {
            count: self.stray_lines,
        };
        let stray = (self.stray_lines > 0).then_some(&stray);
        if stray.is_some() || !self.diagnostics.is_empty() {
            text.push('\n');
        }
        for diagnostic in stray.into_iter().chain(&self.diagnostics) {
            add(&mut text, &format!("({})\n", diagnostic_text(diagnostic)));
        }
        text
    }

    fn print_session(&self, text: &mut String, hub: &AgentHub, session: &Session) {
        add(text, &heading(hub, session));
        let mut ends = self
            .ends
            .iter()
            .filter(|(key, ..)| *key == session.key())
            .peekable();
        for block in session.transcript().blocks() {
            let is_after = |end: &TurnEnd| {
                block.turn > Some(end.turn) || (block.late && block.turn == Some(end.turn))
            };
            while let Some((_, end, usage)) = ends.next_if(|(_, end, _)| is_after(end)) {
                add(text, &end_text(end, usage));
            }
            text.push('\n');
            if block.late {
                text.push_str("(after the turn) ");
            }
            add(text, &block_text(session, block));
            if let BlockContent::ToolCall(call) = &block.content {
                self.print_permissions(text, session.key(), call);
            }
        }
        for (_, end, usage) in ends {
            add(text, &end_text(end, usage));
        }
        add(text, &footing(session));
    }

    fn print_permissions(&self, text: &mut String, session: SessionKey, call: &ToolCall) {
        let own = self.permissions.iter().filter(|(key, record)| {
            *key == session
                && record.tool_call_id == call.id
                && record.tool_call.started_at >= call.started_at
                && call
                    .ended_at
                    .is_none_or(|end| record.tool_call.started_at <= end)
        });
        for (_, record) in own {
            if record.tool_call.title != call.title {
                add(
                    text,
                    &format!("  asked about: {}\n", one_line(&record.tool_call.title)),
                );
            }
            add(text, &permission_text(record));
        }
    }
}

/// One block of a session as text, with a line break at its end.
pub fn block_text(session: &Session, block: &Block) -> String {
    match &block.content {
        BlockContent::UserMessage(message) => lines("> ", &message.text),
        BlockContent::AgentMessage(message) => format!("{}\n", message.text.trim_end_matches('\n')),
        BlockContent::Thought(message) => format!("[thought]\n{}", lines("  ", &message.text)),
        BlockContent::Abandoned(message) => {
            format!("[begun anew]\n{}", lines("  ", &message.text))
        }
        BlockContent::ToolCall(call) => tool_call_text(&words::tool_name(session, call), call),
        BlockContent::Plan(plan) => plan_text(plan),
        BlockContent::Note(note) => format!("[note] {}\n", words::note_text(note)),
        BlockContent::Failure(failure) => {
            let code = failure.kind.code();
            let text = words::failure_text(&failure.kind);
            let stderr: String = failure
                .stderr
                .iter()
                .map(|line| lines("  | ", line))
                .collect();
            format!("[error] {code}: {text}\n{stderr}")
        }
        BlockContent::Attachment(attachment) => {
            let text = attachment.text.as_deref().unwrap_or_default();
            format!(
                "[attachment] {} {}\n{}",
                attachment.name,
                attachment.uri,
                lines("  ", text)
            )
        }
        BlockContent::Image(image) => {
            format!(
                "[image] {}, {} characters of base64\n",
                image.media_type,
                image.base64.len()
            )
        }
        BlockContent::McpStatus(report) => mcp_text(report),
    }
}

/// What is known of the context, tokens and cost, in one line; empty when nothing is.
pub fn usage_text(usage: &Usage) -> String {
    let mut parts = Vec::new();
    match usage.meter() {
        Meter::Hidden => {}
        Meter::Compacted => parts.push("context summarized".to_owned()),
        Meter::UsedOnly { used } => parts.push(format!("context {used}")),
        Meter::Share {
            used,
            window,
            percent,
            uncertain,
        } => {
            let about = if uncertain { " about" } else { "" };
            parts.push(format!("context {used} of{about} {window} ({percent} %)"));
        }
        Meter::Over { used, window } => {
            parts.push(format!("context {used}, over the window of {window}"));
        }
    }
    if let Some(counts) = usage.turn_tokens() {
        parts.push(format!("tokens {}", words::tokens(counts)));
    }
    for (currency, amount) in usage.costs() {
        parts.push(format!("cost {amount:.4} {currency}"));
    }
    parts.extend(usage.status_line().map(str::to_owned));
    parts.join(" · ")
}

/// A permission request and its answer, a line each.
pub fn permission_text(record: &PermissionRecord) -> String {
    let offered: Vec<_> = record
        .options
        .iter()
        .map(|option| match option.name.as_str() {
            "" => option_text(option),
            name => format!("{name} ({})", words::option_kind(&option.kind)),
        })
        .collect();
    let answer = match &record.selected {
        Some(option) if option.name.is_empty() => option_text(option),
        Some(option) => format!("\"{}\"", option.name),
        None => words::answered_by(record.answered_by).to_owned(),
    };
    let decided = match (record.decision(), &record.because) {
        ("asked", _) | (_, None) => String::new(),
        (decision, Some(because)) => format!(" ({decision}: {})", because.code()),
    };
    let offered = offered.join(", ");
    format!("  asked: {offered}\n  answer: {answer}{decided}\n")
}

/// An option that has no name: what it means and, for an "always", what it covers.
fn option_text(option: &PermissionOption) -> String {
    let kind = words::option_kind(&option.kind);
    match &option.scope {
        Some(scope) => format!("{kind} [{scope}]"),
        None => kind.to_owned(),
    }
}

fn heading(hub: &AgentHub, session: &Session) -> String {
    let connection = hub.connection_of(session.key());
    let agent = connection.map_or("", |connection| connection.agent_name());
    let version = connection.map_or("", |connection| connection.agent.version.as_str());
    let id = session.agent_session().map_or("not open", |id| id.as_str());
    let mut text = format!("=== Session {}: {agent} {version} ({id})\n", session.key());
    let selectors = [
        ("model", session.model_selector()),
        ("mode", session.mode_selector()),
    ];
    for (name, selector) in selectors {
        if let Some(selector) = selector {
            let count = selector.choices.len();
            add(
                &mut text,
                &format!("{name}: {} (of {count})\n", selector.current_name()),
            );
        }
    }
    text
}

fn footing(session: &Session) -> String {
    let mut text = String::new();
    if let Some(title) = session.title() {
        add(&mut text, &format!("\ntitle: {title}\n"));
    }
    if !session.commands().is_empty() {
        add(
            &mut text,
            &format!("commands: {}\n", session.commands().len()),
        );
    }
    text
}

fn end_text(end: &TurnEnd, usage: &Usage) -> String {
    let how = match (&end.cause, words::failure_of(&end.cause)) {
        (TurnCause::Stopped(reason), _) => reason.as_str().to_owned(),
        (_, Some(failure)) => format!("failed ({})", failure.code),
        (_, None) => String::new(),
    };
    let usage = usage_text(usage);
    let usage = if usage.is_empty() {
        usage
    } else {
        format!(" · {usage}")
    };
    format!("\n--- turn {}: {how}{usage}\n", end.turn)
}

fn tool_call_text(name: &str, call: &ToolCall) -> String {
    let title = one_line(if call.title.is_empty() {
        "(no title)"
    } else {
        &call.title
    });
    let status = words::status(call.status);
    let duration = match call.ended_at {
        Some(end) if call.status != ToolCallStatus::NoResult => {
            format!(", {:.1} s", call.duration_millis(end) as f64 / 1000.0)
        }
        Some(_) | None => String::new(),
    };
    let mut text = format!(
        "[tool] {}: {title} — {status}{duration}\n  id: {}\n",
        one_line(name),
        one_line(call.id.as_str())
    );
    if let Some(parent) = &call.parent {
        add(&mut text, &format!("  step of: {parent}\n"));
    }
    if let Some(agent) = &call.subagent {
        let state = agent.state.as_deref().unwrap_or("state unknown");
        let line = match agent.kind.as_deref() {
            Some(kind) => format!("  subagent: {kind}, {state}\n"),
            None => format!("  in the background: {state}\n"),
        };
        add(&mut text, &line);
        add(
            &mut text,
            &agent
                .summary
                .as_deref()
                .map(|summary| lines("    ", summary))
                .unwrap_or_default(),
        );
    }
    for location in &call.locations {
        let line = location
            .line
            .map(|line| format!(":{line}"))
            .unwrap_or_default();
        add(&mut text, &format!("  at: {}{line}\n", location.path));
    }
    if let Some(input) = call.input() {
        add(
            &mut text,
            &format!("  input: {}\n", shortened(&input.to_string())),
        );
    }
    if let Some(output) = output(call) {
        add(&mut text, &format!("  output:\n{}", lines("    ", &output)));
    } else if let Some(raw) = call.output() {
        add(
            &mut text,
            &format!("  raw output: {}\n", shortened(&raw.to_string())),
        );
    }
    for content in &call.content {
        if let ToolCallContent::Diff(diff) = content {
            add(&mut text, &diff_text(diff));
        }
    }
    text
}

fn diff_text(diff: &Diff) -> String {
    let old = diff.old_text.as_deref().unwrap_or_default();
    let new_file = if diff.old_text.is_none() {
        " (new)"
    } else {
        ""
    };
    let changes = TextDiff::from_lines(old, &diff.new_text);
    let unified = changes.unified_diff().context_radius(1).to_string();
    format!(
        "  diff {}{new_file}\n{}",
        diff.path,
        lines("    ", &unified)
    )
}

fn plan_text(plan: &Plan) -> String {
    let mut text = "[plan]\n".to_owned();
    for entry in &plan.entries {
        let mark = match entry.status {
            PlanEntryStatus::Pending => ' ',
            PlanEntryStatus::InProgress => '>',
            PlanEntryStatus::Completed => 'x',
            PlanEntryStatus::Unknown => '?',
        };
        add(
            &mut text,
            &format!("  [{mark}] {}\n", one_line(&entry.content)),
        );
    }
    text
}

fn mcp_text(report: &McpReport) -> String {
    let mut text = "[mcp servers]\n".to_owned();
    for server in &report.servers {
        let state = words::mcp_state(&server.state);
        let tools = server.tools.len();
        add(
            &mut text,
            &format!("  {}: {state}, {tools} tools\n", server.name),
        );
    }
    text
}

/// A diagnostic in words.
pub fn diagnostic_text(diagnostic: &Diagnostic) -> String {
    match diagnostic {
        Diagnostic::StrayLines { count } => format!("stray lines: {count}"),
        Diagnostic::Unrecognized { kind } => format!("not understood: {kind}"),
        Diagnostic::LineDropped { limit_bytes } => {
            format!("a line of more than {limit_bytes} bytes was dropped")
        }
        Diagnostic::AgentExited { exit, .. } => {
            format!("the agent ended: {}", words::exit_text(exit))
        }
        Diagnostic::DecidedOtherwise {
            request_id,
            recorded,
            decided,
        } => format!("request {request_id} was recorded as {recorded} and is now {decided}"),
    }
}

fn add(text: &mut String, more: &str) {
    text.push_str(more);
}

/// Each line with something before it.
fn lines(prefix: &str, text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        // Writing to a string can't fail.
        if writeln!(out, "{}", format!("{prefix}{line}").trim_end()).is_err() {
            break;
        }
    }
    out
}

fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ⏎ ")
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(INPUT_CHARS_MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
