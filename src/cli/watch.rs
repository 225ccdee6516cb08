//! `Watch`: sees what a step changed in the hub, and says each thing once, when it is final.

use std::collections::{BTreeMap, BTreeSet};

use crate::core::effect::Effect;
use crate::core::event::{ConnectionEvent, Event, SessionEvent};
use crate::core::hub::AgentHub;
use crate::core::ids::{AgentSessionId, BlockId, SessionKey};
use crate::core::notice::{ExitStatus, Note};
use crate::core::permission::PermissionRecord;
use crate::core::session::{Phase, Session, TurnEnd};
use crate::core::transcript::{Block, BlockContent};
use crate::core::usage::Usage;

/// Something to be told once.
#[derive(Debug, Clone, PartialEq)]
pub enum Report {
    /// A session is open and can be prompted.
    SessionOpened(SessionKey),
    /// A block will not change any more.
    BlockFinal(SessionKey, BlockId),
    /// A block that was told turned out to be text that the agent begins anew.
    BlockAbandoned(SessionKey, BlockId),
    /// The agent's id of the session became known after the session was opened, or is another one now.
    SessionIdKnown(SessionKey, AgentSessionId),
    PermissionAnswered(SessionKey, Box<PermissionRecord>),
    UsageChanged(SessionKey, Box<Usage>),
    /// The usage is the one of the turn's end: the next turn may have begun in the same step.
    TurnEnded(SessionKey, Box<TurnEnd>, Box<Usage>),
    Diagnostic(Diagnostic),
}

/// Something about the connection that is not part of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum Diagnostic {
    /// The agent printed lines that are no protocol messages.
    StrayLines { count: u64 },
    /// The agent sent something of a kind we don't know. Told once a kind.
    Unrecognized { kind: String },
    /// A line was longer than the limit and was dropped.
    LineDropped { limit_bytes: u64 },
    /// The agent's process ended.
    AgentExited {
        exit: ExitStatus,
        stderr: Vec<String>,
    },
    /// In a replay, a rule or the level decided otherwise than the recorded person; the agent goes on as recorded.
    DecidedOtherwise {
        request_id: String,
        /// Kinds of options, or `cancelled`.
        recorded: &'static str,
        decided: &'static str,
    },
}

/// What was told so far.
#[derive(Debug, Default)]
pub struct Watch {
    sessions: BTreeMap<SessionKey, Seen>,
    unrecognized: BTreeSet<String>,
}

#[derive(Debug, Default)]
struct Seen {
    opened: bool,
    /// The agent's id of the session, as it was told.
    id: Option<AgentSessionId>,
    /// The revision of the transcript that was looked at last.
    revision: u64,
    told: BTreeSet<BlockId>,
    /// Everything before this block was told.
    first_untold: usize,
    /// Closed tool calls that wait for a step in which they don't change, by their revision.
    closed: BTreeMap<BlockId, u64>,
    end: Option<TurnEnd>,
    usage: Usage,
    /// The revision of the usage that was looked at last.
    usage_revision: u64,
}

/// Whether more may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    Now,
    AtTheEnd,
}

impl Watch {
    /// What an event tells by itself. To be asked before the hub takes it in.
    pub fn event(&mut self, event: &Event) -> Vec<Report> {
        let diagnostic = match event {
            Event::Connection { event, .. } => match event {
                ConnectionEvent::StrayLines { count } => Diagnostic::StrayLines { count: *count },
                ConnectionEvent::LineDropped { limit_bytes } => Diagnostic::LineDropped {
                    limit_bytes: *limit_bytes,
                },
                ConnectionEvent::Exited {
                    exit, stderr_tail, ..
                } => Diagnostic::AgentExited {
                    exit: exit.clone(),
                    stderr: stderr_tail.clone(),
                },
                ConnectionEvent::Unrecognized { kind } => return self.unrecognized(kind),
                _ => return Vec::new(),
            },
            Event::Session {
                event: SessionEvent::Unrecognized { kind },
                ..
            } => return self.unrecognized(kind),
            Event::Session { .. }
            | Event::BackendsDetected(_)
            | Event::OwnRulesLoaded(_)
            | Event::RulesEdited { .. }
            | Event::Tick => return Vec::new(),
        };
        vec![Report::Diagnostic(diagnostic)]
    }

    /// What a step changed. `effects` are those that it returned.
    pub fn step(&mut self, hub: &AgentHub, effects: &[Effect]) -> Vec<Report> {
        let answered = effects.iter().filter_map(|effect| match effect {
            Effect::Record { session, record } => {
                Some(Report::PermissionAnswered(*session, record.clone()))
            }
            _ => None,
        });
        let mut reports: Vec<_> = answered.collect();
        for session in hub.sessions() {
            let seen = self.sessions.entry(session.key()).or_default();
            reports.extend(seen.look(session, When::Now));
        }
        reports
    }

    /// What has not been told yet; nothing more will come.
    pub fn finish(&mut self, hub: &AgentHub) -> Vec<Report> {
        let mut reports = Vec::new();
        for session in hub.sessions() {
            let seen = self.sessions.entry(session.key()).or_default();
            reports.extend(seen.look(session, When::AtTheEnd));
        }
        reports
    }

    fn unrecognized(&mut self, kind: &str) -> Vec<Report> {
        if !self.unrecognized.insert(kind.to_owned()) {
            return Vec::new();
        }
        let kind = kind.to_owned();
        vec![Report::Diagnostic(Diagnostic::Unrecognized { kind })]
    }
}

impl Seen {
    fn look(&mut self, session: &Session, when: When) -> Vec<Report> {
        let key = session.key();
        let mut reports = Vec::new();
        if !self.opened && *session.phase() == Phase::Ready {
            self.opened = true;
            self.id = session.agent_session().cloned();
            reports.push(Report::SessionOpened(key));
        }
        if let Some(id) = session.agent_session().filter(|_| self.opened)
            && self.id.as_ref() != Some(id)
        {
            self.id = Some(id.clone());
            reports.push(Report::SessionIdKnown(key, id.clone()));
        }
        let is_opening = matches!(
            session.phase(),
            Phase::Connecting | Phase::Opening(_) | Phase::SignInNeeded
        );
        // A loaded history comes before the session is open, and is told after.
        reports.extend(self.abandoned(session));
        if self.opened || !is_opening || when == When::AtTheEnd {
            reports.extend(self.blocks(session, when));
        }
        let mut before = None;
        let revision = session.usage().revision();
        if std::mem::replace(&mut self.usage_revision, revision) != revision
            && !shows_the_same(&self.usage, session.usage())
        {
            before = Some(std::mem::replace(&mut self.usage, session.usage().clone()));
            reports.push(Report::UsageChanged(key, Box::new(self.usage.clone())));
        }
        if let Some(end) = session.last_end()
            && self.end.as_ref() != Some(end)
        {
            self.end = Some(end.clone());
            let usage = if session.is_busy() {
                before.unwrap_or_else(|| self.usage.clone())
            } else {
                session.usage().clone()
            };
            reports.push(Report::TurnEnded(
                key,
                Box::new(end.clone()),
                Box::new(usage),
            ));
        }
        reports
    }

    fn blocks(&mut self, session: &Session, when: When) -> Vec<Report> {
        let blocks = session.transcript().blocks();
        let mut reports = Vec::new();
        for (index, block) in blocks.iter().enumerate().skip(self.first_untold) {
            let is_last = index + 1 == blocks.len();
            if self.told.contains(&block.id) {
                continue;
            }
            if when == When::AtTheEnd || self.is_final(session, block, is_last) {
                self.told.insert(block.id);
                reports.push(Report::BlockFinal(session.key(), block.id));
            }
        }
        while blocks
            .get(self.first_untold)
            .is_some_and(|block| self.told.remove(&block.id))
        {
            self.first_untold += 1;
        }
        reports
    }

    /// Blocks that were told as something else before.
    fn abandoned(&mut self, session: &Session) -> Vec<Report> {
        let transcript = session.transcript();
        let changed = transcript.changed_since(self.revision);
        self.revision = transcript.revision();
        let is_told = |id: &BlockId| {
            let place = usize::try_from(id.0).unwrap_or(usize::MAX);
            place < self.first_untold || self.told.contains(id)
        };
        let is_abandoned = |id: &BlockId| {
            let block = transcript.block(*id);
            block.is_some_and(|block| matches!(block.content, BlockContent::Abandoned(_)))
        };
        let found = changed.into_iter().flatten();
        found
            .filter(|id| is_told(id) && is_abandoned(id))
            .map(|id| Report::BlockAbandoned(session.key(), id))
            .collect()
    }

    fn is_final(&mut self, session: &Session, block: &Block, is_last: bool) -> bool {
        let ended = session.last_end().map(|end| end.turn);
        let turn_is_over = !block.late && block.turn.is_some() && ended >= block.turn;
        match &block.content {
            BlockContent::UserMessage(_)
            | BlockContent::AgentMessage(_)
            | BlockContent::Thought(_) => !is_last || turn_is_over,
            BlockContent::ToolCall(call) => {
                if call.status.is_open() {
                    return false;
                }
                // Some agents send the output after the status.
                let before = self.closed.insert(block.id, block.revision);
                let is_final = turn_is_over || before == Some(block.revision);
                if is_final {
                    self.closed.remove(&block.id);
                }
                is_final
            }
            BlockContent::Plan(_) => turn_is_over,
            BlockContent::Note(note) if matches!(**note, Note::StrayLines { .. }) => turn_is_over,
            BlockContent::McpStatus(_) => false,
            BlockContent::Abandoned(_)
            | BlockContent::Note(_)
            | BlockContent::Failure(_)
            | BlockContent::Attachment(_)
            | BlockContent::Image(_) => true,
        }
    }
}

/// Whether two states of the usage are one to whoever reads them.
fn shows_the_same(one: &Usage, other: &Usage) -> bool {
    let context = |usage: &Usage| {
        (
            usage.context().used(),
            usage.context().window(),
            usage.meter(),
        )
    };
    let tokens = |usage: &Usage| (usage.turn_tokens(), usage.session_tokens());
    context(one) == context(other)
        && tokens(one) == tokens(other)
        && one.costs() == other.costs()
        && one.status_line() == other.status_line()
}
