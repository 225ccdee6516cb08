//! The texts of a block that are searched, as they are shown and in the order in which they stand.

use std::collections::HashSet;

use serde_json::Value;

use crate::core::screen::Screen;
use crate::core::session::Session;
use crate::core::tool_call::{Diff, ToolCall, ToolCallContent, ToolKind};
use crate::core::transcript::{Block, BlockContent};
use crate::i18n::I18n;
use crate::ui::text::document::{Document, Growth};
use crate::ui::text::finding::Unit;
use crate::ui::text::lines::Lines;
use crate::ui::text::markdown::LineBreaks;
use crate::ui::text::part::PartKind;
use crate::ui::text::sanitize::visible;
use crate::ui::transcript::comparing::is_long;
use crate::ui::transcript::describe::{command, describe, report};
use crate::ui::transcript::diff::{Changes, Extent, Line};
use crate::ui::transcript::hits::Hits;
use crate::ui::transcript::output::TERMINAL_BYTES_MOST;
use crate::ui::transcript::views::ViewPart;
use crate::ui::transcript::{output, plan_text, words};
use crate::ui::untrusted::one_line;

/// Comparing costs about this much more than reading.
const COMPARE_COST: usize = 8;

/// Where blocks come from, and what makes words of them.
#[derive(Clone, Copy)]
pub struct Searched<'a> {
    pub session: &'a Session,
    pub i18n: &'a I18n,
    /// The agent's name as the person knows it.
    pub agent: &'a str,
}

impl Searched<'_> {
    /// Calls with each text of a block. Returns what it cost, in bytes that were read.
    pub fn each_unit(self, block: &Block, mut found: impl FnMut(Unit, &str)) -> usize {
        let found: &mut dyn FnMut(Unit, &str) = &mut found;
        match &block.content {
            BlockContent::UserMessage(message)
            | BlockContent::AgentMessage(message)
            | BlockContent::Thought(message)
            | BlockContent::Abandoned(message) => {
                let growth = Growth::of(self.session, block);
                let line_breaks = LineBreaks::of(&block.content);
                markdown(&message.text, ViewPart::Message, line_breaks, growth, found);
                message.text.len()
            }
            BlockContent::ToolCall(call) => self.call(call, found),
            BlockContent::Plan(plan) => {
                for (index, entry) in plan.entries.iter().enumerate() {
                    found(line(index), &one_line(&entry.content));
                }
                plan.entries.len() * 50
            }
            BlockContent::Note(note) => {
                let (words, _) = words::note(self.i18n, self.agent, note, block.at);
                found(line(0), &words);
                words.len()
            }
            BlockContent::Failure(failure) => {
                let words = words::failure(self.i18n, self.agent, failure);
                found(line(0), &words.what);
                found(line(1), words.next.as_deref().unwrap_or_default());
                words.what.len()
            }
            BlockContent::Attachment(attachment) => {
                found(line(0), &one_line(&attachment.name));
                attachment.name.len()
            }
            BlockContent::Image(_) | BlockContent::McpStatus(_) => 0,
        }
    }

    fn call(self, call: &ToolCall, found: &mut dyn FnMut(Unit, &str)) -> usize {
        let description = describe(self.i18n, call, &self.session.setup().cwd);
        let mut cost = description.summary.len();
        found(
            line(0),
            &format!("{} {}", description.name, description.summary),
        );
        if let Some(command) = command(call).filter(|_| call.kind == ToolKind::Execute) {
            lines(&visible(&command), ViewPart::Command, 0, found);
            cost += command.len();
        }
        if let Some(plan) = plan_text::in_input(call) {
            let line_breaks = LineBreaks::Soft;
            markdown(
                &plan,
                ViewPart::Report,
                line_breaks,
                Growth::Complete,
                found,
            );
            cost += plan.len();
        }
        for (place, content) in call.content.iter().enumerate() {
            let area = ViewPart::Content(place);
            match content {
                ToolCallContent::Text(text)
                | ToolCallContent::Resource {
                    text: Some(text), ..
                } => {
                    printed(call, text, area, found);
                    cost += text.len();
                }
                ToolCallContent::Diff(diff) if is_long(diff) => {
                    cost += long_change(diff, area, found);
                }
                ToolCallContent::Diff(diff) => {
                    let changes = Changes::of(diff, Extent::Folded);
                    for changed in &changes.lines {
                        if let Line::Text(text) = changed {
                            let (index, cell) = text.place();
                            found(Unit { area, index, cell }, &text.text);
                        }
                    }
                    let old = diff.old_text.as_ref().map_or(0, String::len);
                    cost += (old + diff.new_text.len()) * COMPARE_COST;
                }
                ToolCallContent::Terminal { id } => {
                    let terminal = self.session.terminal(id);
                    let text = terminal.map(|terminal| terminal.tail(TERMINAL_BYTES_MOST));
                    let text = text.unwrap_or_default();
                    printed(call, text, area, found);
                    cost += text.len();
                }
                ToolCallContent::Image(_)
                | ToolCallContent::Resource { text: None, .. }
                | ToolCallContent::Unsupported { .. } => {}
            }
        }
        let output = call.output().filter(|_| call.content.is_empty());
        if let Some(text) = output.as_deref().and_then(Value::as_str) {
            printed(call, text, ViewPart::RawOutput, found);
            cost += text.len();
        }
        if let Some(subagent) = &call.subagent {
            let text = report(subagent);
            let growth = if call.status.is_open() {
                Growth::Streaming
            } else {
                Growth::Complete
            };
            markdown(&text, ViewPart::Report, LineBreaks::Soft, growth, found);
            cost += text.len();
        }
        cost
    }
}

/// The lines of a long change that only one of its texts has: what comparing them would tell, near enough, at the price
/// of reading them. Returns what it cost.
fn long_change(diff: &Diff, area: ViewPart, found: &mut dyn FnMut(Unit, &str)) -> usize {
    let old = diff.old_text.as_deref().unwrap_or_default();
    let texts = [diff.new_text.as_str(), old];
    let known = [old, diff.new_text.as_str()].map(|text| text.lines().collect::<HashSet<_>>());
    for (cell, (text, known)) in texts.iter().zip(known).enumerate() {
        for (index, line) in text.lines().enumerate() {
            if !known.contains(line) {
                let index = index + 1;
                found(Unit { area, index, cell }, &visible(line));
            }
        }
    }
    2 * (old.len() + diff.new_text.len())
}

/// A text that is not drawn by a view of its own.
fn line(index: usize) -> Unit {
    Unit {
        area: ViewPart::Line,
        index,
        cell: 0,
    }
}

fn markdown(
    text: &str,
    area: ViewPart,
    line_breaks: LineBreaks,
    growth: Growth,
    found: &mut dyn FnMut(Unit, &str),
) {
    let mut document: Document<()> = Document::new(line_breaks);
    document.update(text, growth);
    for (index, slot) in document.slots().enumerate() {
        let unit = |cell| Unit { area, index, cell };
        match &slot.part.kind {
            PartKind::Paragraph(text) | PartKind::Heading { text, .. } => {
                found(unit(0), &text.text);
            }
            PartKind::Source(text) => found(unit(0), text),
            PartKind::Code(code) => lines(&code.text, area, index, found),
            PartKind::Table(table) => {
                let cells = table.head.iter().chain(table.rows.iter().flatten());
                for (cell, text) in cells.enumerate() {
                    found(unit(cell), &text.text);
                }
            }
            PartKind::Rule => {}
        }
    }
}

/// What a call printed, line by line as it is drawn.
fn printed(call: &ToolCall, text: &str, area: ViewPart, found: &mut dyn FnMut(Unit, &str)) {
    if output::is_terminal(call) {
        let screen = Screen::of(output::terminal(text));
        for (cell, line) in screen.lines().iter().enumerate() {
            let index = 0;
            found(Unit { area, index, cell }, &line.text);
        }
        return;
    }
    let (_, text) = output::shown(text);
    let hits = (call.kind == ToolKind::Search)
        .then(|| Hits::of(&text))
        .flatten();
    let Some(hits) = hits else {
        lines(&text, area, 0, found);
        return;
    };
    for file in &hits.files {
        found(line(0), &one_line(&file.path));
        for hit in &file.lines {
            let (index, cell) = (0, hit.at);
            found(Unit { area, index, cell }, &one_line(&hit.text));
        }
    }
}

/// The lines of a text as a view of code draws them.
fn lines(text: &str, area: ViewPart, index: usize, found: &mut dyn FnMut(Unit, &str)) {
    let mut lines = Lines::default();
    lines.update(text);
    for cell in 0..lines.count() {
        let line = lines.line(text, cell).trim_end_matches('\n');
        found(Unit { area, index, cell }, line);
    }
}
