//! The rows of a transcript: one for each block, with what a block's neighbors make of it.
//!
//! Finished tool calls in a row fold into one; a subagent's steps stand inside their parent. Such rows keep their
//! place and have no height, so a change never moves rows around: only what changed is looked at.

mod groups;

use std::collections::{BTreeMap, HashMap};

use crate::core::growth;
use crate::core::ids::{BlockId, ToolCallId, TurnId};
use crate::core::time::Timestamp;
use crate::core::tool_call::{ToolCall, ToolCallContent, ToolCallStatus};
use crate::core::transcript::{Block, BlockContent, Transcript};
use crate::ui::text::selecting::Within;
use crate::ui::transcript::folds::Folds;
use crate::ui::transcript::heights::Heights;

/// The height of a row in one line, for an estimate.
const LINE: f32 = 28.0;

/// A row. Its number is its block's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    pub role: Role,
    pub gap: Gap,
    /// The agent's part of a turn begins here.
    pub begins_part: bool,
    /// The first block that came after its turn had ended.
    pub begins_late: bool,
    is_late: bool,
    /// The call, if it may stand in a group: how it ended and how many milliseconds it took.
    finished_call: Option<(ToolCallStatus, u32)>,
    estimate: f32,
}

/// What a row is to its neighbors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It stands for itself.
    Single,
    /// The first call of a group.
    Head,
    /// Another call of the group that begins in this row.
    Member { head: usize },
    /// A step of the call in this row.
    Step { parent: usize },
}

/// The space above a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gap {
    /// It is the first.
    Start,
    /// A turn begins.
    Turn,
    Block,
    /// Both rows are one line.
    Line,
}

/// Finished calls that are shown as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    pub count: usize,
    /// The last row of the group.
    pub last: usize,
    pub worst: ToolCallStatus,
    pub failed: usize,
    pub millis: u64,
    pub is_open: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Speaker {
    #[default]
    Nobody,
    User,
    Agent,
}

/// All rows.
#[derive(Debug, Default)]
pub struct Rows {
    list: Vec<Row>,
    heights: Heights,
    /// When rows were last measured, and the revision that they had then.
    measured: HashMap<usize, (u64, u64)>,
    groups: BTreeMap<usize, Group>,
    steps: BTreeMap<usize, Vec<usize>>,
    calls: BTreeMap<ToolCallId, usize>,
    user_messages: Vec<usize>,
    /// How many rows are no steps.
    shown: usize,
    revision: u64,
    last_is_line: bool,
    last_is_late: bool,
    speaker: Speaker,
    turn: Option<TurnId>,
    /// Rows looked at in the last update.
    looked_at: usize,
}

impl Rows {
    /// Takes in what changed. `estimate` guesses the height of a block that was never seen.
    pub fn update(
        &mut self,
        transcript: &Transcript,
        folds: &Folds,
        estimate: impl Fn(&Block) -> f32,
    ) {
        self.looked_at = 0;
        if transcript.revision() == self.revision && !self.list.is_empty() {
            return;
        }
        if transcript.blocks().len() < self.list.len() {
            *self = Self::default();
        }
        let mut changed = Vec::new();
        if let Some(ids) = transcript.changed_since(self.revision) {
            changed.extend(ids.filter_map(|id| usize::try_from(id.0).ok()));
        } else {
            changed.extend(0..transcript.blocks().len());
        }
        changed.sort_unstable();
        changed.dedup();
        for row in changed {
            if let Some(block) = transcript.blocks().get(row) {
                self.look_at(row, block, folds, &estimate);
            }
        }
        self.revision = transcript.revision();
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many rows are no steps of another one.
    pub fn shown(&self) -> usize {
        self.shown
    }

    /// How many rows the last update looked at.
    pub fn looked_at(&self) -> usize {
        self.looked_at
    }

    /// The row of a block.
    pub fn get(&self, row: usize) -> Option<&Row> {
        self.list.get(row)
    }

    /// The group that begins in a row.
    pub fn group(&self, row: usize) -> Option<&Group> {
        self.groups.get(&row)
    }

    /// The steps of a call, in order.
    pub fn steps(&self, row: usize) -> &[usize] {
        self.steps.get(&row).map(Vec::as_slice).unwrap_or_default()
    }

    /// The calls that a row is a step of.
    pub fn within(&self, row: usize) -> Within {
        let mut parents = Vec::new();
        let mut at = row;
        while let Some(Role::Step { parent }) = self.get(at).map(|row| row.role)
            && parent < at
        {
            parents.push(parent);
            at = parent;
        }
        let mut within = Within::default();
        for parent in parents.into_iter().rev() {
            within.enter(parent);
        }
        within
    }

    /// The heights of all rows.
    pub fn heights(&self) -> &Heights {
        &self.heights
    }

    /// Notes the height of a row that is drawn.
    pub fn set_height(&mut self, row: usize, height: f32, epoch: u64, revision: u64) {
        self.heights.set(row, height);
        self.measured.insert(row, (epoch, revision));
    }

    /// When a row was last measured, and the revision that it had then; zeros if it never was.
    pub fn measured(&self, row: usize) -> (u64, u64) {
        self.measured.get(&row).copied().unwrap_or_default()
    }

    /// Shows or hides the calls of a group.
    pub fn open_group(&mut self, head: usize, is_open: bool) {
        let Some(group) = self.groups.get_mut(&head) else {
            return;
        };
        group.is_open = is_open;
        for row in head + 1..=group.last {
            if self
                .list
                .get(row)
                .is_some_and(|row| row.role == Role::Member { head })
            {
                self.settle(row, is_open);
            }
        }
    }

    /// The nearest message of the user before a row, or after it.
    pub fn user_message(&self, row: usize, direction: Direction) -> Option<usize> {
        let at = self.user_messages.partition_point(|message| *message < row);
        match direction {
            Direction::Back => self.user_messages.get(at.checked_sub(1)?).copied(),
            Direction::Forward => {
                let is_here = self.user_messages.get(at) == Some(&row);
                self.user_messages.get(at + usize::from(is_here)).copied()
            }
        }
    }

    fn look_at(
        &mut self,
        row: usize,
        block: &Block,
        folds: &Folds,
        estimate: &impl Fn(&Block) -> f32,
    ) {
        self.looked_at += 1;
        if row == self.list.len() {
            self.add(block, estimate(block));
        }
        let BlockContent::ToolCall(call) = &block.content else {
            return;
        };
        self.calls
            .entry(call.id.clone())
            .and_modify(|known| *known = row.max(*known))
            .or_insert(row);
        self.nest(row, call, folds);
        let finished = (self.steps(row).is_empty())
            .then(|| finished(call))
            .flatten();
        if let Some(known) = self.list.get_mut(row)
            && known.finished_call != finished
        {
            known.finished_call = finished;
            self.regroup(row, folds);
        }
    }

    fn add(&mut self, block: &Block, estimate: f32) {
        let is_new_turn = block.turn != self.turn;
        let speaker = self.speaker_of(block, is_new_turn);
        let is_line = matches!(
            block.content,
            BlockContent::ToolCall(_) | BlockContent::Thought(_) | BlockContent::Abandoned(_)
        );
        let begins_part = speaker == Some(Speaker::Agent) && self.speaker != Speaker::Agent;
        let begins_late = block.late && !self.last_is_late;
        let gap = match speaker {
            _ if self.list.is_empty() => Gap::Start,
            Some(Speaker::User) if self.speaker != Speaker::User || is_new_turn => Gap::Turn,
            Some(Speaker::Agent)
                if is_line && self.last_is_line && !begins_part && !begins_late =>
            {
                Gap::Line
            }
            _ => Gap::Block,
        };
        if matches!(block.content, BlockContent::UserMessage(_)) {
            self.user_messages.push(self.list.len());
        }
        let row = Row {
            role: Role::Single,
            gap,
            begins_part,
            begins_late,
            is_late: block.late,
            finished_call: None,
            estimate,
        };
        growth::push(&mut self.list, row);
        self.heights.push(estimate);
        self.shown += 1;
        self.turn = block.turn;
        self.speaker = speaker.unwrap_or(self.speaker);
        self.last_is_line = is_line;
        self.last_is_late = block.late;
    }

    /// Who speaks in a block; nobody in notes. What is attached to a prompt stands before its text.
    fn speaker_of(&self, block: &Block, is_new_turn: bool) -> Option<Speaker> {
        match &block.content {
            BlockContent::UserMessage(_) => Some(Speaker::User),
            BlockContent::Attachment(_) | BlockContent::Image(_) => {
                let is_users =
                    is_new_turn || (self.speaker == Speaker::User && !self.user_has_spoken());
                Some(if is_users {
                    Speaker::User
                } else {
                    Speaker::Agent
                })
            }
            BlockContent::AgentMessage(_)
            | BlockContent::Thought(_)
            | BlockContent::Abandoned(_)
            | BlockContent::ToolCall(_)
            | BlockContent::Plan(_) => Some(Speaker::Agent),
            BlockContent::Note(_) | BlockContent::Failure(_) | BlockContent::McpStatus(_) => None,
        }
    }

    /// Whether the last row is a message of the user.
    fn user_has_spoken(&self) -> bool {
        self.user_messages
            .last()
            .is_some_and(|last| last + 1 == self.list.len())
    }

    /// Puts a step into its parent.
    fn nest(&mut self, row: usize, call: &ToolCall, folds: &Folds) {
        let parent = call
            .parent
            .as_ref()
            .and_then(|parent| self.calls.get(parent))
            .copied();
        let Some(parent) = parent.filter(|parent| *parent < row) else {
            return;
        };
        if !self
            .list
            .get(row)
            .is_some_and(|row| row.role == Role::Single)
        {
            return;
        }
        if let Some(step) = self.list.get_mut(row) {
            step.role = Role::Step { parent };
        }
        self.heights.set(row, 0.0);
        self.shown = self.shown.saturating_sub(1);
        self.steps.entry(parent).or_default().push(row);
        if let Some(parent_row) = self.list.get_mut(parent)
            && parent_row.finished_call.take().is_some()
        {
            self.regroup(parent, folds);
        }
    }

    /// A hidden row has no height, and one that comes into view again needs one.
    fn settle(&mut self, row: usize, is_shown: bool) {
        let height = self.heights.get(row);
        if !is_shown {
            self.heights.set(row, 0.0);
        } else if height == 0.0 {
            let estimate = self.list.get(row).map_or(LINE, |row| row.estimate);
            self.heights.set(row, estimate);
        }
    }
}

/// Where to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Back,
    Forward,
}

/// The block of a row.
pub fn block_of(row: usize) -> BlockId {
    BlockId(row as u64)
}

/// How a call ended, if it may stand in a group. One with pictures stays in view.
fn finished(call: &ToolCall) -> Option<(ToolCallStatus, u32)> {
    let has_picture = call
        .content
        .iter()
        .any(|content| matches!(content, ToolCallContent::Image(_)));
    let is_finished = !call.status.is_open() && !has_picture;
    is_finished.then(|| {
        let millis = call.duration_millis(Timestamp(0));
        (call.status, u32::try_from(millis).unwrap_or(u32::MAX))
    })
}

#[cfg(test)]
mod tests;
