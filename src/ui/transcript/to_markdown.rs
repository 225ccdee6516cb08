//! A transcript as Markdown, to be put elsewhere: what was said as it came, and what was done in short.

use std::fmt::Write as _;

use similar::TextDiff;

use crate::core::plan::PlanEntryStatus;
use crate::core::screen::Screen;
use crate::core::tool_call::{Diff, ToolCall, ToolCallContent, ToolKind};
use crate::core::transcript::{Block, BlockContent};
use crate::ui::format;
use crate::ui::panels::names;
use crate::ui::text::sanitize::visible;
use crate::ui::transcript::describe::{command, describe, relative, report};
use crate::ui::transcript::find::units::Searched;
use crate::ui::transcript::{output, plan_text, words};
use crate::ui::untrusted::one_line;

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

/// All of a session, with its title and who speaks.
pub fn transcript(from: Searched<'_>) -> String {
    let mut text = String::new();
    if let Some(title) = names::session_title(from.session) {
        add(&mut text, &format!("# {title}"));
    }
    let mut speaker = None;
    for block in from.session.transcript().blocks() {
        let next = match &block.content {
            BlockContent::UserMessage(_) => Some(from.i18n.tr("transcript.you")),
            BlockContent::AgentMessage(_)
            | BlockContent::Thought(_)
            | BlockContent::Abandoned(_)
            | BlockContent::ToolCall(_)
            | BlockContent::Plan(_) => Some(from.agent),
            _ => None,
        };
        if let Some(next) = next.filter(|next| speaker != Some(*next)) {
            add(&mut text, &format!("## {next}"));
            speaker = Some(next);
        }
        add(&mut text, &self::block(from, block));
    }
    text
}

/// One block; empty where it has no text.
pub fn block(from: Searched<'_>, block: &Block) -> String {
    match &block.content {
        BlockContent::UserMessage(message) | BlockContent::AgentMessage(message) => {
            message.text.trim_end().to_owned()
        }
        BlockContent::Thought(message) => {
            let name = from.i18n.tr("transcript.thought");
            quoted(&format!("*{name}*\n\n{}", message.text.trim()))
        }
        BlockContent::Abandoned(message) => {
            let name = from.i18n.tr("transcript.abandoned");
            quoted(&format!("*{name}*\n\n{}", message.text.trim()))
        }
        BlockContent::ToolCall(call) => tool_call(from, call),
        BlockContent::Plan(plan) => {
            let entry = |entry: &crate::core::plan::PlanEntry| {
                let mark = if entry.status == PlanEntryStatus::Completed {
                    "x"
                } else {
                    " "
                };
                format!("- [{mark}] {}", one_line(&entry.content))
            };
            let entries: Vec<String> = plan.entries.iter().map(entry).collect();
            entries.join("\n")
        }
        BlockContent::Note(note) => {
            let (words, _) = words::note(from.i18n, from.agent, note, block.at);
            quoted(&words)
        }
        BlockContent::Failure(failure) => {
            let words = words::failure(from.i18n, from.agent, failure);
            let next = words.next.unwrap_or_default();
            quoted(&format!("**{}** {next}", words.what))
        }
        BlockContent::Attachment(attachment) => {
            let name = one_line(&attachment.name);
            format!("[{}]({})", name, one_line(&attachment.uri))
        }
        BlockContent::Image(_) => format!("*{}*", from.i18n.tr("transcript.image")),
        BlockContent::McpStatus(report) => {
            let servers = report.servers.iter();
            let servers: Vec<String> = servers
                .map(|server| format!("- {}", one_line(&server.name)))
                .collect();
            servers.join("\n")
        }
    }
}

fn tool_call(from: Searched<'_>, call: &ToolCall) -> String {
    let cwd = &from.session.setup().cwd;
    let description = describe(from.i18n, call, cwd);
    let mut line = format!("**{}**", description.name);
    match (description.summary.as_str(), description.is_code) {
        ("", _) => {}
        (code, true) => line = format!("{line} {}", inline_code(code)),
        (words, false) => line = format!("{line} {words}"),
    }
    let state = from.i18n.tr(words::status(call.status));
    line = format!("{line} — {state}");
    if let Some(ended_at) = call.ended_at {
        let millis = call.duration_millis(ended_at);
        line = format!("{line}, {}", format::duration(from.i18n, millis));
    }
    let mut text = format!("{line}\n");
    if let Some(command) = command(call).filter(|_| call.kind == ToolKind::Execute) {
        add(&mut text, &fence("sh", &visible(&command)));
    }
    if let Some(plan) = plan_text::in_input(call) {
        add(&mut text, &quoted(plan.trim()));
    }
    for content in &call.content {
        match content {
            ToolCallContent::Text(output)
            | ToolCallContent::Resource {
                text: Some(output), ..
            } => {
                let (language, shown) = output::shown(output);
                if output::is_terminal(call) {
                    let screen = Screen::of(output::terminal(output));
                    add(&mut text, &fence("", &screen.text()));
                } else {
                    add(&mut text, &fence(language, &shown));
                }
            }
            ToolCallContent::Diff(diff) => {
                let path = relative(&diff.path, cwd);
                add(&mut text, &fence("diff", &unified(&path, diff)));
            }
            ToolCallContent::Image(_) => {
                add(
                    &mut text,
                    &format!("*{}*", from.i18n.tr("transcript.image")),
                );
            }
            ToolCallContent::Resource { uri, text: None } => add(&mut text, &one_line(uri)),
            ToolCallContent::Terminal { .. } | ToolCallContent::Unsupported { .. } => {}
        }
    }
    if let Some(subagent) = &call.subagent {
        add(&mut text, &quoted(report(subagent).trim()));
    }
    text
}

/// The change as other programs read it.
fn unified(path: &str, diff: &Diff) -> String {
    let old = diff.old_text.as_deref().unwrap_or_default();
    let before = if diff.old_text.is_some() {
        one_line(path)
    } else {
        "/dev/null".to_owned()
    };
    TextDiff::from_lines(old, &diff.new_text)
        .unified_diff()
        .context_radius(CONTEXT)
        .header(&before, &one_line(path))
        .to_string()
}

/// Text between more backticks than are in it.
fn fence(language: &str, text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() {
        return String::new();
    }
    let ticks = "`".repeat((longest_run(text) + 1).max(3));
    format!("{ticks}{language}\n{text}\n{ticks}")
}

fn inline_code(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{ticks}{space}{text}{space}{ticks}")
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`');
    runs.map(str::len).max().unwrap_or_default()
}

fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    for line in text.lines() {
        let written = writeln!(quoted, "{}", format!("> {line}").trim_end());
        debug_assert!(written.is_ok(), "writing to a string can't fail");
    }
    quoted
}

/// Adds a block after an empty line.
fn add(text: &mut String, block: &str) {
    let block = block.trim_end();
    if block.is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(block);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_hold_what_is_in_them() {
        assert_eq!(fence("sh", "ls\n"), "```sh\nls\n```");
        assert_eq!(fence("", "a ``` b"), "````\na ``` b\n````");
        assert_eq!(fence("", " \n"), "");
        assert_eq!(inline_code("a"), "`a`");
        assert_eq!(inline_code("`a`"), "`` `a` ``");
    }

    #[test]
    fn blocks_stand_apart() {
        let mut text = String::new();
        add(&mut text, "one\n\n");
        add(&mut text, "");
        add(&mut text, "two");
        assert_eq!(text, "one\n\ntwo\n");
        assert_eq!(quoted("a\n\nb"), "> a\n>\n> b\n");
    }
}
