//! The time that calls wait for the person, which is none of their own.

use super::{Block, BlockContent, Transcript};
use crate::core::ids::ToolCallId;
use crate::core::time::Timestamp;
use crate::core::tool_call::ToolCall;

/// A call is a step of so many others at most; more is a circle.
const DEPTH_MOST: usize = 16;

impl Transcript {
    /// Notes that the newest call of this id waits for the person since then.
    pub fn begin_waiting(&mut self, id: &ToolCallId, since: Timestamp) {
        self.change_waiting(id, |call| call.begin_waiting(since));
    }

    /// Notes that the newest call of this id waits no more.
    pub fn end_waiting(&mut self, id: &ToolCallId, at: Timestamp) {
        self.change_waiting(id, |call| call.end_waiting(at));
    }

    /// A call and those of which it is a step, from the inside out.
    pub fn with_parents(&self, id: &ToolCallId) -> Vec<ToolCallId> {
        let mut all = vec![id.clone()];
        let mut at = id;
        while let Some(parent) = self.tool_call(at).and_then(|call| call.parent.as_ref())
            && all.len() < DEPTH_MOST
            && !all.contains(parent)
        {
            all.push(parent.clone());
            at = parent;
        }
        all
    }

    fn change_waiting(&mut self, id: &ToolCallId, change: impl FnOnce(&mut ToolCall)) {
        let index = self.tool_calls.get(id);
        if let Some(Block {
            id,
            revision,
            content: BlockContent::ToolCall(call),
            ..
        }) = index.and_then(|index| self.blocks.get_mut(*index))
        {
            change(call);
            *revision = self.changes.note(*id);
        }
    }
}
