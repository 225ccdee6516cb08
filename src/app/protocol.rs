//! Which frames each block was made of, and the frames that the view of the wire shows.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::App;
use crate::core::frame_log::{Direction, Frame, FrameLog};
use crate::core::ids::{BlockId, SessionKey};
use crate::core::session::Session;
use crate::core::transcript::BlockContent;
use crate::io::backend::Backend;
use crate::ui::state::protocol::{ProtocolView, Scope};

/// Numbers that are noted before those of frames that are gone are dropped.
const NOTED_MOST: usize = 60_000;

/// The frames of blocks, by their numbers.
#[derive(Debug, Default)]
pub(super) struct BlockFrames {
    received: BTreeMap<(SessionKey, BlockId), Vec<u64>>,
    noted: usize,
    /// The person's messages, with the number of the next frame when they were added: they are sent after it.
    sent_after: BTreeMap<(SessionKey, BlockId), u64>,
}

/// How far a transcript was before something was taken in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    session: SessionKey,
    revision: u64,
    blocks: usize,
}

impl Mark {
    pub(super) fn of(session: &Session) -> Self {
        Self {
            session: session.key(),
            revision: session.transcript().revision(),
            blocks: session.transcript().blocks().len(),
        }
    }
}

impl BlockFrames {
    /// Notes what changed since the mark: by `frame` if it came from one. `next` is the number of the next frame.
    pub(super) fn note(&mut self, session: &Session, mark: Mark, frame: Option<u64>, next: u64) {
        let transcript = session.transcript();
        if let Some(frame) = frame
            && let Some(changed) = transcript.changed_since(mark.revision)
        {
            for block in changed {
                let numbers = self.received.entry((mark.session, block)).or_default();
                if numbers.last() != Some(&frame) {
                    numbers.push(frame);
                    self.noted += 1;
                }
            }
        }
        for block in transcript.blocks().iter().skip(mark.blocks) {
            if matches!(block.content, BlockContent::UserMessage(_)) {
                self.sent_after.insert((mark.session, block.id), next);
            }
        }
    }

    /// Forgets numbers below `oldest` once there are many.
    pub(super) fn tidy(&mut self, oldest: u64) {
        if self.noted <= NOTED_MOST {
            return;
        }
        for numbers in self.received.values_mut() {
            numbers.retain(|number| *number >= oldest);
        }
        self.received.retain(|_, numbers| !numbers.is_empty());
        self.sent_after.retain(|_, number| *number >= oldest);
        self.noted = self.received.values().map(Vec::len).sum();
    }

    /// The frames that a block was made of and that are still kept, oldest first.
    pub(super) fn frames(
        &self,
        session: SessionKey,
        block: BlockId,
        log: &FrameLog,
    ) -> Vec<Arc<Frame>> {
        let key = (session, block);
        let mut frames = Vec::new();
        if let Some(next) = self.sent_after.get(&key) {
            frames.extend(log.since(*next).find(|frame| is_prompt(frame)).cloned());
        }
        let received = self.received.get(&key).into_iter().flatten();
        frames.extend(received.filter_map(|number| log.get(*number).cloned()));
        frames.sort_by_key(|frame| frame.number);
        frames.dedup_by_key(|frame| frame.number);
        frames
    }
}

/// Whether it is a prompt of the person, in either dialect.
fn is_prompt(frame: &Frame) -> bool {
    frame.direction == Direction::Sent
        && ["session/prompt", "user"].contains(&frame.summary().name.as_str())
}

impl App {
    /// How far a session is.
    pub(super) fn mark(&self, session: Option<SessionKey>) -> Option<Mark> {
        self.hub.session(session?).map(Mark::of)
    }

    /// Opens the view of the wire.
    pub(super) fn show_frames(&mut self, scope: Scope) {
        let mut view = ProtocolView::new(scope, 0);
        if let (Scope::Block(session, block), Some(backend)) = (scope, &self.backend) {
            let frames = backend.with_frames(|log| self.block_frames.frames(session, block, log));
            view.take_in(frames.unwrap_or_default());
        }
        self.state.protocol = Some(view);
        self.follow_wire();
    }

    /// Takes newer frames into the view of the wire, if it is open and not paused.
    pub(super) fn follow_wire(&mut self) {
        let Some(view) = &mut self.state.protocol else {
            return;
        };
        if view.is_paused || view.scope != Scope::All {
            return;
        }
        let newer = |backend: &Backend| {
            let next = view.next;
            backend.with_frames(|log| log.since(next).cloned().collect::<Vec<_>>())
        };
        let frames = self.backend.as_ref().and_then(newer);
        view.take_in(frames.unwrap_or_default());
    }

    /// Notes which blocks the last event or command changed.
    pub(super) fn note_block_frames(&mut self, mark: Option<Mark>, frame: Option<u64>) {
        let (Some(mark), Some(backend)) = (mark, &self.backend) else {
            return;
        };
        let bounds = backend.with_frames(|log| (log.oldest_number(), log.next_number()));
        if let (Some((oldest, next)), Some(session)) = (bounds, self.hub.session(mark.session)) {
            self.block_frames.note(session, mark, frame, next);
            self.block_frames.tidy(oldest);
        }
    }
}
