//! The blocks of a session, in order; merging of chunks and patching of tool calls.

mod abandoned;
mod changes;
mod waiting;

use std::collections::HashMap;

use crate::core::consent::Consent;
use crate::core::growth;
use crate::core::ids::{BlockId, ToolCallId, TurnId};
use crate::core::mcp::McpReport;
use crate::core::notice::{Failure, Note};
use crate::core::plan::Plan;
use crate::core::time::Timestamp;
use crate::core::tool_call::{ImageData, ToolCall, ToolCallContent, ToolCallPatch, ToolCallStatus};
pub use abandoned::AbandonedText;
use changes::ChangeLog;

/// One item of a transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    pub id: BlockId,
    /// Changes whenever the block changes, so that a view can cache what it made of it.
    pub revision: u64,
    /// The turn it belongs to; `None` before the first one.
    pub turn: Option<TurnId>,
    /// It came after its turn had ended.
    pub late: bool,
    pub at: Timestamp,
    pub content: BlockContent,
}

impl Block {
    /// The note that the block is, if it is one.
    pub fn note(&self) -> Option<&Note> {
        let BlockContent::Note(note) = &self.content else {
            return None;
        };
        Some(note)
    }

    /// The tool call that the block is, if it is one.
    pub fn tool_call(&self) -> Option<&ToolCall> {
        match &self.content {
            BlockContent::ToolCall(call) => Some(call),
            BlockContent::UserMessage(_)
            | BlockContent::AgentMessage(_)
            | BlockContent::Thought(_)
            | BlockContent::Abandoned(_)
            | BlockContent::Plan(_)
            | BlockContent::Note(_)
            | BlockContent::Failure(_)
            | BlockContent::Attachment(_)
            | BlockContent::Image(_)
            | BlockContent::McpStatus(_) => None,
        }
    }
}

/// What a block holds. What is rare is boxed: a long session has a hundred thousand blocks.
#[derive(Debug, Clone, PartialEq)]
pub enum BlockContent {
    UserMessage(Message),
    AgentMessage(Message),
    Thought(Message),
    /// The beginning of a message or thought that the agent begins anew.
    Abandoned(Message),
    ToolCall(Box<ToolCall>),
    Plan(Plan),
    Note(Box<Note>),
    Failure(Box<Failure>),
    /// A link or a file that stands in a message.
    Attachment(Box<Attachment>),
    Image(Box<ImageData>),
    /// The answer to `/mcp`.
    McpStatus(McpReport),
}

impl BlockContent {
    /// A note.
    pub fn note(note: Note) -> Self {
        Self::Note(Box::new(note))
    }
}

/// Text that may still grow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub text: String,
    /// The agent's id of the message, where it gives one; chunks of two messages are never joined.
    pub message_id: Option<Box<str>>,
}

/// A link or a file with a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    pub name: String,
    pub uri: String,
    /// The text of the file, where it was embedded.
    pub text: Option<String>,
}

/// Which kind of text a chunk belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageKind {
    User,
    Agent,
    Thought,
}

/// Where in time a block belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub turn: Option<TurnId>,
    pub late: bool,
    pub at: Timestamp,
}

/// All blocks of a session.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transcript {
    blocks: Vec<Block>,
    /// The newest block of each tool call id.
    tool_calls: HashMap<ToolCallId, usize>,
    /// The newest card of MCP servers.
    mcp_card: Option<usize>,
    /// Where the plan of the turn stands.
    plan: Option<usize>,
    changes: ChangeLog,
}

impl Transcript {
    /// The blocks in the order in which they are shown.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Changes whenever any block changes.
    pub fn revision(&self) -> u64 {
        self.changes.newest()
    }

    /// The blocks that were added or changed after a revision, newest first, some more than once.
    /// `None` when that is too long ago to know.
    pub fn changed_since(&self, revision: u64) -> Option<impl Iterator<Item = BlockId>> {
        self.changes.since(revision)
    }

    /// The block with this id. Ids count the blocks from 0, so this costs nothing.
    pub fn block(&self, id: BlockId) -> Option<&Block> {
        self.blocks.get(usize::try_from(id.0).ok()?)
    }

    /// The newest call with this id.
    pub fn tool_call(&self, id: &ToolCallId) -> Option<&ToolCall> {
        self.blocks.get(*self.tool_calls.get(id)?)?.tool_call()
    }

    /// Adds a block at the end.
    pub fn push(&mut self, content: BlockContent, place: Place) -> BlockId {
        let id = BlockId(self.blocks.len() as u64);
        let Place { turn, late, at } = place;
        self.fit_last();
        let block = Block {
            id,
            revision: self.changes.note(id),
            turn,
            late,
            at,
            content,
        };
        growth::push(&mut self.blocks, block);
        id
    }

    /// A message that grows takes more room than it needs; the last one has grown for good when another block follows.
    fn fit_last(&mut self) {
        if let Some(last) = self.blocks.last_mut()
            && let BlockContent::UserMessage(message)
            | BlockContent::AgentMessage(message)
            | BlockContent::Thought(message) = &mut last.content
        {
            message.text.shrink_to_fit();
        }
    }

    /// Adds a piece of text: to the last block if it is of the same message, else as a new block.
    pub fn push_text(
        &mut self,
        kind: MessageKind,
        text: &str,
        message_id: Option<String>,
        place: Place,
    ) {
        if let Some(message) = self.growing_message(kind, message_id.as_deref(), place) {
            message.text.push_str(text);
            if message.message_id.is_none() {
                message.message_id = message_id.map(String::into_boxed_str);
            }
            self.touch_last();
            return;
        }
        let message = Message {
            text: text.to_owned(),
            message_id: message_id.map(String::into_boxed_str),
        };
        let content = match kind {
            MessageKind::User => BlockContent::UserMessage(message),
            MessageKind::Agent => BlockContent::AgentMessage(message),
            MessageKind::Thought => BlockContent::Thought(message),
        };
        self.push(content, place);
    }

    /// Takes in a `tool_call` frame. An id that is used again after its call has finished is another call.
    pub fn announce_tool_call(&mut self, id: &ToolCallId, patch: ToolCallPatch, place: Place) {
        let starts_again = patch.status.is_none_or(ToolCallStatus::is_open);
        let known = self
            .tool_calls
            .get(id)
            .copied()
            .and_then(|index| self.blocks.get(index));
        let is_another = known.is_some_and(|block| {
            let belongs_elsewhere = block.turn != place.turn && !place.late;
            block.tool_call().is_some_and(|call| {
                call.announced && (belongs_elsewhere || (starts_again && !call.status.is_open()))
            })
        });
        if is_another {
            self.tool_calls.remove(id);
        }
        self.change_tool_call(id, place, |call| {
            call.announced = true;
            call.apply(patch, place.at);
        });
    }

    /// Takes in a `tool_call_update` frame, also of a call that was never announced.
    pub fn patch_tool_call(&mut self, id: &ToolCallId, patch: ToolCallPatch, place: Place) {
        self.change_tool_call(id, place, |call| call.apply(patch, place.at));
    }

    /// Notes who let the newest call of this id run.
    pub fn set_consent(&mut self, id: &ToolCallId, consent: Consent) {
        let Some(block) = self
            .tool_calls
            .get(id)
            .and_then(|index| self.blocks.get_mut(*index))
        else {
            return;
        };
        if let BlockContent::ToolCall(call) = &mut block.content {
            call.consent = consent;
            block.revision = self.changes.note(block.id);
        }
    }

    /// The calls of a turn that ran without being asked.
    pub fn ran_unasked(&self, turn: TurnId) -> Vec<&ToolCall> {
        let of_turn = self
            .blocks
            .iter()
            .rev()
            .take_while(|block| block.turn >= Some(turn));
        let mut calls: Vec<_> = of_turn
            .filter(|block| block.turn == Some(turn))
            .filter_map(Block::tool_call)
            .filter(|call| call.consent == Consent::NotAsked && call.has_run())
            .collect();
        calls.reverse();
        calls
    }

    /// The calls of a turn that are not finished, the newest first.
    pub fn open_tool_calls(&self, turn: TurnId) -> Vec<&ToolCall> {
        self.blocks
            .iter()
            .rev()
            .take_while(|block| block.turn >= Some(turn))
            .filter_map(Block::tool_call)
            .filter(|call| call.status.is_open())
            .collect()
    }

    /// Adds a piece to what the newest call of this id shows.
    pub fn add_content(&mut self, id: &ToolCallId, content: ToolCallContent) {
        let block = self.tool_calls.get(id);
        if let Some(block) = block.and_then(|index| self.blocks.get_mut(*index))
            && let BlockContent::ToolCall(call) = &mut block.content
        {
            call.content.push(content);
            block.revision = self.changes.note(block.id);
        }
    }

    /// What a terminal shows has changed: so have the calls of the newest turn that show it.
    pub fn touch_terminal(&mut self, terminal: &str) {
        let newest = self.blocks.last().and_then(|block| block.turn);
        let blocks = self.blocks.iter_mut().rev();
        for block in blocks.take_while(|block| block.turn >= newest) {
            let shows = block.tool_call().is_some_and(|call| {
                call.content.iter().any(
                    |piece| matches!(piece, ToolCallContent::Terminal { id } if id == terminal),
                )
            });
            if shows {
                block.revision = self.changes.note(block.id);
            }
        }
    }

    /// Marks the newest call of this id as refused by the person.
    pub fn deny_tool_call(&mut self, id: &ToolCallId, place: Place) {
        self.change_tool_call(id, place, |call| {
            call.close(ToolCallStatus::Denied, place.at);
        });
    }

    /// Marks the newest call of this id as given up before it had a result.
    pub fn cancel_tool_call(&mut self, id: &ToolCallId, place: Place) {
        self.change_tool_call(id, place, |call| {
            call.close(ToolCallStatus::Cancelled, place.at);
        });
    }

    /// Shows the plan: in the plan block of this turn if there is one, else as a new block.
    pub fn replace_plan(&mut self, plan: Plan, place: Place) {
        let current = self.plan.and_then(|index| self.blocks.get_mut(index));
        match current {
            Some(block) if block.turn == place.turn => {
                block.revision = self.changes.note(block.id);
                block.content = BlockContent::Plan(plan);
            }
            Some(_) | None => {
                self.plan = Some(self.blocks.len());
                self.push(BlockContent::Plan(plan), place);
            }
        }
    }

    /// Adds a card of MCP servers.
    pub fn push_mcp_card(&mut self, report: McpReport, place: Place) {
        self.mcp_card = Some(self.blocks.len());
        self.push(BlockContent::McpStatus(report), place);
    }

    /// Writes the newest card of MCP servers anew, if there is one.
    pub fn rewrite_mcp_card(&mut self, report: McpReport) {
        let Some(block) = self.mcp_card.and_then(|index| self.blocks.get_mut(index)) else {
            return;
        };
        block.revision = self.changes.note(block.id);
        block.content = BlockContent::McpStatus(report);
    }

    /// Closes what is still open in a turn, or everywhere when no turn is named.
    pub fn close_open_tool_calls(
        &mut self,
        turn: Option<TurnId>,
        status: ToolCallStatus,
        at: Timestamp,
    ) {
        // Calls of a turn stand together at the end, so the walk stops at the first block of an earlier turn.
        for block in self.blocks.iter_mut().rev() {
            if turn.is_some() && block.turn < turn {
                break;
            }
            if turn.is_some() && block.turn != turn {
                continue;
            }
            if let BlockContent::ToolCall(call) = &mut block.content
                && call.close(status, at)
            {
                block.revision = self.changes.note(block.id);
            }
        }
    }

    /// Counts stray lines in one note per turn, at the end or where it stands.
    pub fn count_stray_lines(&mut self, total: u64, place: Place) {
        let known = self
            .blocks
            .iter_mut()
            .rev()
            .take_while(|block| block.turn == place.turn)
            .find(|block| matches!(block.note(), Some(Note::StrayLines { .. })));
        if let Some(block) = known {
            block.revision = self.changes.note(block.id);
            block.content = BlockContent::note(Note::StrayLines { count: total });
        } else {
            self.push(BlockContent::note(Note::StrayLines { count: total }), place);
        }
    }

    fn growing_message(
        &mut self,
        kind: MessageKind,
        message_id: Option<&str>,
        place: Place,
    ) -> Option<&mut Message> {
        let block = self.blocks.last_mut()?;
        if block.turn != place.turn || block.late != place.late {
            return None;
        }
        let ((BlockContent::UserMessage(message), MessageKind::User)
        | (BlockContent::AgentMessage(message), MessageKind::Agent)
        | (BlockContent::Thought(message), MessageKind::Thought)) = (&mut block.content, kind)
        else {
            return None;
        };
        let same = message_id.is_none()
            || message.message_id.is_none()
            || message.message_id.as_deref() == message_id;
        same.then_some(message)
    }

    fn touch_last(&mut self) {
        if let Some(block) = self.blocks.last_mut() {
            block.revision = self.changes.note(block.id);
        }
    }

    fn change_tool_call(
        &mut self,
        id: &ToolCallId,
        place: Place,
        change: impl FnOnce(&mut ToolCall),
    ) {
        let index = self.tool_calls.get(id).copied().unwrap_or_else(|| {
            let index = self.blocks.len();
            let call = ToolCall::placeholder(id.clone(), place.at);
            self.push(BlockContent::ToolCall(Box::new(call)), place);
            self.tool_calls.insert(id.clone(), index);
            index
        });
        if let Some(block) = self.blocks.get_mut(index)
            && let BlockContent::ToolCall(call) = &mut block.content
        {
            block.revision = self.changes.note(block.id);
            change(call);
        }
    }
}
