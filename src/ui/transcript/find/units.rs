//! The texts of a block that are searched, as they are shown and in the order in which they stand.

use std::borrow::Cow;

use serde_json::Value;

use crate::core::notice::Failure;
use crate::core::plan::{Plan, PlanEntry, PlanEntryPriority, PlanEntryStatus};
use crate::core::session::Session;
use crate::core::tool_call::{Diff, ToolCall, ToolCallContent, ToolKind};
use crate::core::transcript::{Block, BlockContent};
use crate::i18n::I18n;
use crate::ui::text::document::Growth;
use crate::ui::text::finding::Unit;
use crate::ui::text::markdown::LineBreaks;
use crate::ui::text::sanitize::{terminal_output, visible};
use crate::ui::transcript::comparing::is_long;
use crate::ui::transcript::describe::{Description, describe, relative, report};
use crate::ui::transcript::diff::{Changes, DIFF_LINES, Extent, Line};
use crate::ui::transcript::find::unit_text::{
    Gap, Take, UnitText, lines, long_change, markdown, one, printed, values,
};
use crate::ui::transcript::folds::{FoldPart, Folds};
use crate::ui::transcript::given::{Given, raw};
use crate::ui::transcript::hits::Hits;
use crate::ui::transcript::json_tree::{JsonTree, TreeLine};
use crate::ui::transcript::output::TERMINAL_BYTES_MOST;
use crate::ui::transcript::views::{KeptDiffs, ViewKey, ViewPart};
use crate::ui::transcript::{output, words};
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
    /// What was compared already.
    pub kept: Option<&'a KeptDiffs>,
}

/// Which units are wanted.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    /// Those that are found, also where they are folded.
    Found,
    /// Those that show, also where they are out of view.
    Shown(&'a Folds),
}

impl<'a> Searched<'a> {
    /// What nothing was compared of.
    pub fn new(session: &'a Session, i18n: &'a I18n, agent: &'a str) -> Self {
        Self {
            session,
            i18n,
            agent,
            kept: None,
        }
    }

    /// The same with what was compared already.
    #[must_use]
    pub fn with<'b>(self, kept: &'b KeptDiffs) -> Searched<'b>
    where
        'a: 'b,
    {
        Searched {
            kept: Some(kept),
            ..self
        }
    }
}

impl Searched<'_> {
    /// Calls with each text of a block. Returns what it cost, in bytes that were read.
    pub fn each_unit(self, block: &Block, mut found: impl FnMut(Unit, &str)) -> usize {
        self.block(block, Wanted::Found, &mut |text| {
            found(text.unit, text.text);
        })
    }

    /// Calls with each text of a block that shows, as it is folded. Whether the block itself shows is not looked at.
    pub fn each_shown(self, block: &Block, folds: &Folds, mut found: impl FnMut(UnitText<'_>)) {
        self.block(block, Wanted::Shown(folds), &mut found);
    }

    fn block(self, block: &Block, wanted: Wanted<'_>, take: Take<'_>) -> usize {
        let is_open = wanted.is_open(block, FoldPart::Body);
        match &block.content {
            BlockContent::Thought(_) | BlockContent::Abandoned(_) if !is_open => 0,
            BlockContent::UserMessage(message)
            | BlockContent::AgentMessage(message)
            | BlockContent::Thought(message)
            | BlockContent::Abandoned(message) => {
                let growth = Growth::of(self.session, block);
                let line_breaks = LineBreaks::of(&block.content);
                markdown(&message.text, ViewPart::Message, line_breaks, growth, take);
                message.text.len()
            }
            BlockContent::ToolCall(call) => {
                let description = describe(self.i18n, call, &self.session.setup().cwd);
                let words = format!("{} {}", description.name, description.summary);
                one(Unit::line(0), words.trim_end(), take);
                let inside = if is_open {
                    self.call(block, (call, &description), wanted, take)
                } else {
                    0
                };
                words.len() + inside
            }
            BlockContent::Plan(plan) => {
                let chosen = match wanted {
                    Wanted::Found => None,
                    Wanted::Shown(folds) => folds.choice(block.id, FoldPart::Body),
                };
                if chosen.unwrap_or(true) {
                    self.plan(plan, take);
                }
                plan.entries.len() * 50
            }
            BlockContent::Note(note) => {
                let (words, _) = words::note(self.i18n, self.agent, note, block.at);
                one(Unit::line(0), &visible(&words), take);
                words.len()
            }
            BlockContent::Failure(failure) => self.failure(block, failure, wanted, take),
            BlockContent::Attachment(attachment) => {
                one(Unit::line(0), &one_line(&attachment.name), take);
                let text = attachment.text.as_deref().filter(|_| is_open);
                let text = text.unwrap_or_default();
                lines(&visible(text), ViewPart::Message, (0, Gap::Line), take);
                attachment.name.len() + text.len()
            }
            BlockContent::Image(_) | BlockContent::McpStatus(_) => 0,
        }
    }

    fn plan(self, plan: &Plan, take: Take<'_>) {
        for (index, entry) in plan.entries.iter().enumerate() {
            one(Unit::line(index), &visible(&entry.content), take);
            if is_urgent(entry) {
                let unit = Unit {
                    cell: 1,
                    ..Unit::line(index)
                };
                let words = self.i18n.tr("transcript.plan.priority_high");
                one(unit, words, take);
            }
        }
    }

    fn failure(
        self,
        block: &Block,
        failure: &Failure,
        wanted: Wanted<'_>,
        take: Take<'_>,
    ) -> usize {
        let words = words::failure(self.i18n, self.agent, failure);
        one(Unit::line(0), &visible(&words.what), take);
        if let Some(next) = words.next_step(self.session, block, failure) {
            one(Unit::line(1), &visible(next), take);
        }
        let details = words.all_details(failure);
        if wanted.is_open(block, FoldPart::Stderr) {
            let text = terminal_output(&details);
            lines(&text, ViewPart::Stderr, (0, Gap::Line), take);
        }
        words.what.len() + details.len()
    }

    fn call(
        self,
        block: &Block,
        (call, description): (&ToolCall, &Description),
        wanted: Wanted<'_>,
        take: Take<'_>,
    ) -> usize {
        let mut cost = 0;
        match Given::of(call, description) {
            Given::Command(command) => {
                let text = visible(&command);
                lines(&text, ViewPart::Command, (0, Gap::Line), take);
                cost += command.len();
            }
            Given::Plan(plan) => {
                let line_breaks = LineBreaks::Soft;
                markdown(&plan, ViewPart::Plan, line_breaks, Growth::Complete, take);
                cost += plan.len();
            }
            Given::Values(input) => cost += values(&input, ViewPart::Input, take),
            Given::Nothing => {}
        }
        for (place, content) in call.content.iter().enumerate() {
            if let Some(words) = title(self.i18n, self.session, content) {
                let unit = Unit {
                    area: ViewPart::Title(place),
                    ..Unit::line(0)
                };
                one(unit, &visible(&words), take);
            }
            match content {
                ToolCallContent::Text(text)
                | ToolCallContent::Resource {
                    text: Some(text), ..
                } => {
                    self.output(block, call, (place, text), wanted, take);
                    cost += text.len();
                }
                ToolCallContent::Diff(diff) => {
                    cost += self.change(block, diff, place, wanted, take);
                }
                ToolCallContent::Terminal { id } => {
                    let terminal = self.session.terminal(id);
                    let text = terminal.map(|terminal| terminal.tail(TERMINAL_BYTES_MOST));
                    let text = text.unwrap_or_default();
                    self.output(block, call, (place, text), wanted, take);
                    cost += text.len();
                }
                ToolCallContent::Image(_)
                | ToolCallContent::Resource { text: None, .. }
                | ToolCallContent::Unsupported { .. } => {}
            }
        }
        let output = call.output().filter(|_| call.content.is_empty());
        match output.as_deref() {
            Some(Value::String(text)) => {
                printed(call, text, ViewPart::RawOutput, take);
                cost += text.len();
            }
            Some(value) if !value.is_null() => cost += values(value, ViewPart::RawOutput, take),
            Some(_) | None => {}
        }
        if let Some(subagent) = &call.subagent {
            let text = report(subagent);
            let growth = if call.status.is_open() {
                Growth::Streaming
            } else {
                Growth::Complete
            };
            markdown(&text, ViewPart::Report, LineBreaks::Soft, growth, take);
            cost += text.len();
        }
        // What is in the raw data stands above as well, so it is not found once more.
        if let Wanted::Shown(folds) = wanted
            && folds.is_open(block.id, FoldPart::Raw)
        {
            let choice = |value| folds.choice(block.id, FoldPart::RawValue(value));
            let tree = JsonTree::of(&raw(call), choice);
            for (index, text) in tree.lines.iter().map(TreeLine::whole).enumerate() {
                let (area, cell) = (ViewPart::Raw, 0);
                one(Unit { area, index, cell }, &text, take);
            }
        }
        cost
    }

    /// The lines of a change, as it is compared already where that takes long. Returns what it cost.
    fn change(
        self,
        block: &Block,
        diff: &Diff,
        place: usize,
        wanted: Wanted<'_>,
        take: Take<'_>,
    ) -> usize {
        let area = ViewPart::Content(place);
        let (extent, part, most) = match wanted {
            Wanted::Found => (Extent::Folded, area, usize::MAX),
            Wanted::Shown(folds) if folds.is_open(block.id, FoldPart::WholeDiff(place)) => {
                (Extent::Whole, ViewPart::Whole(place), usize::MAX)
            }
            Wanted::Shown(_) => (Extent::Folded, area, DIFF_LINES),
        };
        let key = ViewKey {
            block: block.id,
            part,
        };
        let old = diff.old_text.as_ref().map_or(0, String::len);
        let bytes = old + diff.new_text.len();
        let known = self.kept.and_then(|kept| kept.peek(&key)?.of(diff));
        let (changes, cost) = match (known, wanted) {
            (Some(known), _) => (Cow::Borrowed(known), bytes),
            (None, Wanted::Found) if is_long(diff) => return long_change(diff, area, take),
            (None, _) => (Cow::Owned(Changes::of(diff, extent)), bytes * COMPARE_COST),
        };
        for changed in changes.lines.iter().take(most) {
            if let Line::Text(text) = changed {
                let (index, cell) = text.place();
                one(Unit { area, index, cell }, &text.text, take);
            }
        }
        cost
    }

    /// What a call printed: what a search found by file, all else line by line.
    fn output(
        self,
        block: &Block,
        call: &ToolCall,
        (place, text): (usize, &str),
        wanted: Wanted<'_>,
        take: Take<'_>,
    ) {
        let area = ViewPart::Content(place);
        let hits = (call.kind == ToolKind::Search)
            .then(|| Hits::of(&output::shown(text).1))
            .flatten();
        let Some(hits) = hits else {
            printed(call, text, area, take);
            return;
        };
        let is_whole = wanted.is_open(block, FoldPart::WholeOutput(place));
        for (index, file) in hits.first(is_whole) {
            let unit = |cell| Unit { area, index, cell };
            let path = relative(file.path, &self.session.setup().cwd);
            one(unit(0), &one_line(&path), take);
            for hit in file.lines {
                one(unit(hit.at + 1), &one_line(&hit.text), take);
            }
        }
    }
}

impl Wanted<'_> {
    fn is_open(self, block: &Block, part: FoldPart) -> bool {
        match self {
            Self::Found => true,
            Self::Shown(folds) => folds.is_open(block.id, part),
        }
    }
}

/// Whether an entry of a plan is marked as urgent.
pub fn is_urgent(entry: &PlanEntry) -> bool {
    entry.priority == PlanEntryPriority::High && entry.status != PlanEntryStatus::Completed
}

/// The words above a piece of a call's content, or in its place.
pub fn title(i18n: &I18n, session: &Session, content: &ToolCallContent) -> Option<String> {
    match content {
        ToolCallContent::Resource { uri, .. } => Some(one_line(uri)),
        ToolCallContent::Terminal { id } if session.terminal(id).is_none() => {
            let name = i18n.tr("transcript.tool.terminal");
            Some(format!("{name} {}", one_line(id)))
        }
        ToolCallContent::Unsupported { kind } => {
            let kind = one_line(kind);
            Some(i18n.tr_args("transcript.unsupported", &[("kind", kind.into())]))
        }
        ToolCallContent::Text(_)
        | ToolCallContent::Diff(_)
        | ToolCallContent::Terminal { .. }
        | ToolCallContent::Image(_) => None,
    }
}
