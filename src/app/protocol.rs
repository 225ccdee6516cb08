//! Which frames each block was made of, and the frames that the view of the wire shows.

use std::collections::VecDeque;
use std::sync::Arc;

use super::App;
use crate::core::frame_log::{Direction, Frame, FrameLog};
use crate::core::ids::{BlockId, SessionKey};
use crate::core::session::Session;
use crate::core::transcript::BlockContent;
use crate::io::backend::Backend;
use crate::ui::state::protocol::{ProtocolView, Scope};

/// Which frames blocks were made of, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct BlockFrames {
    noted: VecDeque<Noted>,
}

/// A frame that made or changed a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Noted {
    session: SessionKey,
    block: BlockId,
    frame: FrameOf,
}

/// Where a block came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FrameOf {
    /// The frame with this number.
    Received(u64),
    /// It is a message of the person: the first prompt that is sent from this number on.
    SentAfter(u64),
}

impl Noted {
    fn number(self) -> u64 {
        match self.frame {
            FrameOf::Received(number) | FrameOf::SentAfter(number) => number,
        }
    }
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
        let mut add = |block, frame| {
            let session = mark.session;
            let noted = Noted {
                session,
                block,
                frame,
            };
            if self.noted.back() != Some(&noted) {
                self.noted.push_back(noted);
            }
        };
        if let Some(frame) = frame
            && let Some(changed) = transcript.changed_since(mark.revision)
        {
            for block in changed {
                add(block, FrameOf::Received(frame));
            }
        }
        for block in transcript.blocks().iter().skip(mark.blocks) {
            if matches!(block.content, BlockContent::UserMessage(_)) {
                add(block.id, FrameOf::SentAfter(next));
            }
        }
    }

    /// Forgets numbers below `oldest`: those frames are gone.
    pub(super) fn tidy(&mut self, oldest: u64) {
        while self
            .noted
            .pop_front_if(|noted| noted.number() < oldest)
            .is_some()
        {}
    }

    /// The frames that a block was made of and that are still kept, oldest first.
    pub(super) fn frames(
        &self,
        session: SessionKey,
        block: BlockId,
        log: &FrameLog,
    ) -> Vec<Arc<Frame>> {
        let own = self
            .noted
            .iter()
            .filter(|noted| noted.session == session && noted.block == block);
        let mut frames: Vec<_> = own
            .filter_map(|noted| match noted.frame {
                FrameOf::Received(number) => log.get(number),
                FrameOf::SentAfter(next) => log.since(next).find(|frame| is_prompt(frame)),
            })
            .cloned()
            .collect();
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
