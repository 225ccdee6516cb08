//! The sessions of a connection: our keys and the agent's names, and updates that come before their session.

use std::collections::BTreeMap;

use super::updates::Plans;
use super::usage::UsageMemory;
use crate::core::ids::{AgentSessionId, ModeId, SessionKey, ToolCallId};

/// How many frames wait for their session at most, and how many bytes they may have.
const EARLY_FRAMES: usize = 20_000;
const EARLY_BYTES: usize = 64 * 1024 * 1024;

/// How many sessions that the agent opened by itself are remembered.
const CHILDREN: usize = 1_000;

/// What is remembered of an open session.
#[derive(Debug, Default)]
pub(super) struct Session {
    /// The agent's name for it; `None` until it has one.
    pub id: Option<AgentSessionId>,
    /// Whether the answer that opens it has come.
    pub is_open: bool,
    pub modes: Vec<ModeId>,
    pub usage: UsageMemory,
    pub plans: Plans,
}

/// To whom a frame belongs that names a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Route {
    Session(SessionKey),
    /// A session that the agent opened by itself, to work on a call of this one.
    Child {
        session: SessionKey,
        call: Option<ToolCallId>,
    },
}

/// All sessions of a connection.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    by_key: BTreeMap<SessionKey, Session>,
    by_name: BTreeMap<String, Route>,
    early: Vec<Early>,
    early_bytes: usize,
}

/// A frame that came before its session.
#[derive(Debug)]
struct Early {
    session: String,
    line: String,
}

impl Sessions {
    /// Begins a session that has this name already, or none yet.
    pub(super) fn begin(&mut self, key: SessionKey, id: Option<AgentSessionId>) {
        self.forget(key);
        if let Some(id) = &id {
            let route = Route::Session(key);
            self.by_name.insert(id.as_str().to_owned(), route);
        }
        let session = Session {
            id,
            ..Session::default()
        };
        self.by_key.insert(key, session);
    }

    /// A session is open, under this name if the agent gave one. `None` when it was closed meanwhile.
    pub(super) fn opened(&mut self, key: SessionKey, id: Option<&str>) -> Option<&mut Session> {
        let session = self.by_key.get_mut(&key)?;
        session.is_open = true;
        if let Some(id) = id {
            session.id = Some(AgentSessionId::from(id));
            self.by_name.insert(id.to_owned(), Route::Session(key));
        }
        Some(session)
    }

    /// Forgets a session and those that worked for it. Gives the agent's name for it.
    pub(super) fn forget(&mut self, key: SessionKey) -> Option<AgentSessionId> {
        self.by_name.retain(|_, route| match route {
            Route::Session(session) | Route::Child { session, .. } => *session != key,
        });
        self.by_key.remove(&key)?.id
    }

    /// Remembers a session that the agent opened by itself.
    pub(super) fn add_child(&mut self, id: String, session: SessionKey, call: Option<ToolCallId>) {
        let children = self.by_name.len().saturating_sub(self.by_key.len());
        if children < CHILDREN {
            self.by_name
                .entry(id)
                .or_insert(Route::Child { session, call });
        }
    }

    /// To whom frames with this name belong.
    pub(super) fn route(&self, id: &str) -> Option<&Route> {
        self.by_name.get(id)
    }

    /// The key of an open session with this name.
    pub(super) fn key(&self, id: &str) -> Option<SessionKey> {
        match self.by_name.get(id)? {
            Route::Session(key) => Some(*key),
            Route::Child { .. } => None,
        }
    }

    /// The session that was begun first.
    pub(super) fn first(&self) -> Option<SessionKey> {
        self.by_key.keys().next().copied()
    }

    pub(super) fn get(&self, key: SessionKey) -> Option<&Session> {
        self.by_key.get(&key)
    }

    pub(super) fn get_mut(&mut self, key: SessionKey) -> Option<&mut Session> {
        self.by_key.get_mut(&key)
    }

    /// The agent's name for a session.
    pub(super) fn id(&self, key: SessionKey) -> Option<AgentSessionId> {
        self.by_key.get(&key)?.id.clone()
    }

    /// Keeps a frame for a session that may be opened yet. `false` when there is no room.
    pub(super) fn keep_early(&mut self, session: &str, line: &str) -> bool {
        let bytes = self.early_bytes.saturating_add(line.len());
        if self.early.len() >= EARLY_FRAMES || bytes > EARLY_BYTES {
            return false;
        }
        self.early_bytes = bytes;
        self.early.push(Early {
            session: session.to_owned(),
            line: line.to_owned(),
        });
        true
    }

    /// The frames kept for the session with this name, or for all, in the order in which they came.
    pub(super) fn take_early(&mut self, session: Option<&str>) -> Vec<String> {
        let (taken, kept) = std::mem::take(&mut self.early)
            .into_iter()
            .partition(|early| session.is_none_or(|session| early.session == session));
        self.early = kept;
        self.early_bytes = self.early.iter().map(|early| early.line.len()).sum();
        let taken: Vec<Early> = taken;
        taken.into_iter().map(|early| early.line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: SessionKey = SessionKey(1);
    const B: SessionKey = SessionKey(2);

    #[test]
    fn names_lead_to_sessions_until_they_are_forgotten() {
        let mut sessions = Sessions::default();
        sessions.begin(A, None);
        assert_eq!(sessions.route("a"), None);
        assert!(sessions.opened(A, Some("a")).is_some());
        sessions.begin(B, Some("b".into()));
        sessions.add_child("child".to_owned(), A, Some("t1".into()));
        sessions.add_child("b".to_owned(), A, None);
        assert_eq!(sessions.key("a"), Some(A));
        assert_eq!(sessions.key("b"), Some(B));
        assert_eq!(sessions.key("child"), None);
        assert_eq!(sessions.forget(A), Some("a".into()));
        assert_eq!((sessions.route("a"), sessions.route("child")), (None, None));
        assert!(sessions.opened(A, Some("a")).is_none());
    }

    #[test]
    fn early_frames_keep_their_order_and_are_bounded() {
        let mut sessions = Sessions::default();
        for (session, line) in [("a", "1"), ("b", "2"), ("a", "3")] {
            assert!(sessions.keep_early(session, line));
        }
        assert_eq!(sessions.take_early(Some("a")), ["1", "3"]);
        assert_eq!(sessions.take_early(None), ["2"]);
        for _ in 0..EARLY_FRAMES {
            assert!(sessions.keep_early("a", ""));
        }
        assert!(!sessions.keep_early("a", ""));
    }
}
