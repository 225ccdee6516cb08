//! The hub's part that looks after agent processes: start, sign-in, death, restart.

use super::{AgentHub, Deaths, SIGN_IN_LIMIT_MILLIS, START_LIMIT_MILLIS, TRUST_AGAIN_MILLIS};
use crate::core::backend::BackendSpec;
use crate::core::command::SessionSetup;
use crate::core::connection::{Connection, ConnectionState, SignIn};
use crate::core::effect::{AgentMessage, Effect, Stop};
use crate::core::event::{ConnectionEvent, StopReason};
use crate::core::ids::{AuthMethodId, ConnectionId, SessionKey};
use crate::core::notice::{ExitStatus, FailureKind, Note};
use crate::core::session::{Phase, Session, TurnCause};
use crate::core::time::Timestamp;

impl AgentHub {
    pub(super) fn handle_connection(
        &mut self,
        id: ConnectionId,
        event: ConnectionEvent,
        now: Timestamp,
    ) -> Vec<Effect> {
        let Some(connection) = self.connections.get_mut(&id) else {
            return Vec::new();
        };
        match event {
            ConnectionEvent::Started { pid } => connection.pid = pid,
            ConnectionEvent::StartFailed(kind) => return self.start_failed(id, &kind, now),
            ConnectionEvent::Initialized {
                agent,
                capabilities,
                auth_methods,
            } => {
                if connection.state == ConnectionState::Starting {
                    connection.state = ConnectionState::Ready;
                }
                connection.agent = agent;
                connection.capabilities = capabilities;
                connection.auth_methods = auth_methods;
                return self.open_waiting(id, now);
            }
            ConnectionEvent::Authenticated => return self.signed_in(id, now),
            ConnectionEvent::AuthenticateFailed(error) => {
                connection.sign_in = SignIn::Failed {
                    message: error.message,
                };
            }
            ConnectionEvent::SessionsListed(sessions) => connection.listed_sessions = sessions,
            ConnectionEvent::StrayLines { count } => {
                connection.stray_lines = connection.stray_lines.saturating_add(count);
                let total = connection.stray_lines;
                self.each_session_of(id, |session| {
                    session.stray_lines(total, now);
                    Vec::new()
                });
            }
            ConnectionEvent::LineDropped { limit_bytes } => {
                self.each_session_of(id, |session| {
                    session.report(FailureKind::LineTooLong { limit_bytes }, now);
                    Vec::new()
                });
            }
            ConnectionEvent::Unrecognized { .. } => {}
            ConnectionEvent::Exited {
                exit,
                output_closed_first,
                stderr_tail,
            } => {
                return self.exited(id, (exit, output_closed_first), &stderr_tail, now);
            }
        }
        Vec::new()
    }

    /// Starts a process for a backend in a folder.
    pub(super) fn connect(
        &mut self,
        spec: BackendSpec,
        setup: SessionSetup,
        now: Timestamp,
    ) -> (ConnectionId, Vec<Effect>) {
        let id = self.reserve_connection();
        self.connections.insert(
            id,
            Connection::starting(id, spec.clone(), setup.cwd.clone(), now),
        );
        let start = Effect::StartAgent {
            connection: id,
            spec,
            setup: Box::new(setup),
        };
        (
            id,
            vec![start, Effect::WakeAt(now.plus_millis(START_LIMIT_MILLIS))],
        )
    }

    /// An id that no connection has or had.
    pub(super) fn reserve_connection(&mut self) -> ConnectionId {
        let id = self.next_connection;
        self.next_connection = id.next();
        id
    }

    /// Trusts the folder of a session, and starts the agents of all sessions that waited for it.
    pub(super) fn trust_folder(&mut self, key: SessionKey, now: Timestamp) -> Vec<Effect> {
        let Some(session) = self
            .sessions
            .get(&key)
            .filter(|session| *session.phase() == Phase::TrustNeeded)
        else {
            return Vec::new();
        };
        let folder = session.setup().cwd.clone();
        self.trusted_folders.push(folder.clone());
        let mut effects = vec![Effect::RememberTrust(folder.clone())];
        let waiting: Vec<_> = self
            .sessions
            .values()
            .filter(|session| {
                *session.phase() == Phase::TrustNeeded && session.setup().cwd.starts_with(&folder)
            })
            .map(Session::key)
            .collect();
        for key in waiting {
            let Some(session) = self.sessions.get(&key) else {
                continue;
            };
            let (spec, setup) = (session.spec().clone(), session.setup().clone());
            let (id, start) = self.connect(spec, setup, now);
            effects.extend(start);
            if let Some(session) = self.sessions.get_mut(&key) {
                effects.extend(session.move_to(id));
            }
        }
        // The folder's own rules may allow something from now on, also for what was open there before.
        let inside = self
            .sessions()
            .filter(|session| session.setup().cwd.starts_with(&folder));
        effects.extend(inside.filter_map(|session| self.reload(session)));
        effects
    }

    /// Opens the sessions that waited for this agent.
    pub(super) fn open_waiting(&mut self, id: ConnectionId, now: Timestamp) -> Vec<Effect> {
        let Some(connection) = self.connections.get(&id) else {
            return Vec::new();
        };
        if connection.state != ConnectionState::Ready {
            return Vec::new();
        }
        let can = connection.capabilities.clone();
        self.each_session_of(id, |session| {
            if *session.phase() == Phase::Connecting {
                session.open(&can, now)
            } else {
                Vec::new()
            }
        })
    }

    pub(super) fn need_sign_in(&mut self, id: ConnectionId, message: String) {
        if let Some(connection) = self.connections.get_mut(&id)
            && !matches!(connection.sign_in, SignIn::Running { .. })
        {
            connection.sign_in = SignIn::Needed { message };
        }
    }

    pub(super) fn authenticate(
        &mut self,
        id: ConnectionId,
        method: AuthMethodId,
        now: Timestamp,
    ) -> Vec<Effect> {
        let Some(connection) = self.connections.get_mut(&id) else {
            return Vec::new();
        };
        if matches!(connection.sign_in, SignIn::Running { .. }) {
            return Vec::new();
        }
        connection.sign_in = SignIn::Running {
            method: method.clone(),
            since: now,
        };
        vec![
            Effect::Send {
                connection: id,
                message: AgentMessage::Authenticate { method },
            },
            Effect::WakeAt(now.plus_millis(SIGN_IN_LIMIT_MILLIS)),
        ]
    }

    pub(super) fn cancel_sign_in(&mut self, id: ConnectionId) -> Vec<Effect> {
        let Some(connection) = self.connections.get_mut(&id) else {
            return Vec::new();
        };
        if !matches!(connection.sign_in, SignIn::Running { .. }) {
            return Vec::new();
        }
        connection.sign_in = SignIn::Needed {
            message: String::new(),
        };
        vec![Effect::Send {
            connection: id,
            message: AgentMessage::CancelAuthenticate,
        }]
    }

    /// Signing in is done, here or elsewhere: goes on with the sessions that waited for it.
    pub(super) fn signed_in(&mut self, id: ConnectionId, now: Timestamp) -> Vec<Effect> {
        let Some(connection) = self.connections.get_mut(&id) else {
            return Vec::new();
        };
        connection.sign_in = SignIn::NotNeeded;
        let can = connection.capabilities.clone();
        self.each_session_of(id, |session| session.signed_in(&can, now))
    }

    pub(super) fn force_stop(&mut self, key: SessionKey) -> Vec<Effect> {
        let Some(id) = self.sessions.get(&key).map(Session::connection) else {
            return Vec::new();
        };
        let Some(connection) = self.connections.get_mut(&id) else {
            return Vec::new();
        };
        if connection.state == ConnectionState::Gone {
            return Vec::new();
        }
        connection.state = ConnectionState::Stopping;
        vec![Effect::StopAgent {
            connection: id,
            stop: Stop::Now,
        }]
    }

    /// Starts a new process for a session and for those that shared its agent. Does nothing while it lives.
    pub(super) fn restart(&mut self, key: SessionKey, now: Timestamp) -> Vec<Effect> {
        let Some(session) = self.sessions.get(&key) else {
            return Vec::new();
        };
        let is_idle = *session.phase() == Phase::Ready && !session.is_busy();
        if !is_idle && !matches!(session.phase(), Phase::AgentGone | Phase::Failed) {
            return Vec::new();
        }
        let old = session.connection();
        let (spec, setup) = (session.spec().clone(), session.setup_for_restart());
        let mut effects = Vec::new();
        if let Some(connection) = self.connections.get_mut(&old)
            && matches!(
                connection.state,
                ConnectionState::Starting | ConnectionState::Ready
            )
        {
            connection.state = ConnectionState::Stopping;
            effects.push(Effect::StopAgent {
                connection: old,
                stop: Stop::Polite,
            });
        }
        let (new, start) = self.connect(spec, setup, now);
        effects.extend(start);
        effects.extend(self.each_session_of(old, |session| session.move_to(new)));
        effects
    }

    pub(super) fn forget_deaths_after_success(&mut self, key: SessionKey, now: Timestamp) {
        let Some(session) = self.sessions.get(&key) else {
            return;
        };
        let ended_well = session.last_end().is_some_and(|end| {
            end.at == now && matches!(end.cause, TurnCause::Stopped(StopReason::EndTurn))
        });
        if ended_well {
            self.deaths.remove(&key);
        }
    }

    pub(super) fn tick(&mut self, now: Timestamp) -> Vec<Effect> {
        let mut effects: Vec<_> = self
            .sessions
            .values_mut()
            .flat_map(|session| session.check_deadline(now))
            .collect();
        let late: Vec<_> = self
            .connections
            .values()
            .filter(|connection| connection.state == ConnectionState::Starting)
            .filter(|connection| now.millis_since(connection.started_at) >= START_LIMIT_MILLIS)
            .map(|connection| connection.id)
            .collect();
        for id in late {
            let after_secs = START_LIMIT_MILLIS / 1000;
            let kind = FailureKind::NoAnswer {
                request: "initialize".to_owned(),
                after_secs,
            };
            effects.extend(self.start_failed(id, &kind, now));
        }
        for connection in self.connections.values_mut() {
            if let SignIn::Running { since, .. } = connection.sign_in
                && now.millis_since(since) >= SIGN_IN_LIMIT_MILLIS
            {
                connection.sign_in = SignIn::Failed {
                    message: String::new(),
                };
                let message = AgentMessage::CancelAuthenticate;
                effects.push(Effect::Send {
                    connection: connection.id,
                    message,
                });
            }
        }
        effects
    }

    fn start_failed(
        &mut self,
        id: ConnectionId,
        kind: &FailureKind,
        now: Timestamp,
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        if let Some(connection) = self.connections.get_mut(&id) {
            let has_process = connection.pid.is_some();
            connection.state = if has_process {
                ConnectionState::Stopping
            } else {
                ConnectionState::Gone
            };
            if has_process {
                effects.push(Effect::StopAgent {
                    connection: id,
                    stop: Stop::Now,
                });
            }
        }
        effects.extend(self.each_session_of(id, |session| {
            session.start_failed(kind.clone(), now);
            Vec::new()
        }));
        effects
    }

    fn exited(
        &mut self,
        id: ConnectionId,
        exit: (ExitStatus, bool),
        stderr: &[String],
        now: Timestamp,
    ) -> Vec<Effect> {
        let Some(connection) = self.connections.get_mut(&id) else {
            return Vec::new();
        };
        let before = std::mem::replace(&mut connection.state, ConnectionState::Gone);
        let exit = (before != ConnectionState::Stopping).then_some(exit);
        let was_ready = before == ConnectionState::Ready;
        let keys: Vec<_> = self
            .sessions
            .values()
            .filter(|session| session.connection() == id)
            .map(Session::key)
            .collect();
        let was_open: Vec<_> = keys
            .iter()
            .copied()
            .filter(|key| {
                self.sessions
                    .get(key)
                    .is_some_and(|session| *session.phase() == Phase::Ready)
            })
            .collect();
        let mut effects = self.each_session_of(id, |session| {
            session.agent_gone(exit.clone(), stderr.to_vec(), now)
        });
        // An agent that dies while it starts, or before it is signed in, dies again.
        if exit.is_some()
            && was_ready
            && let Some(first) = was_open.first()
        {
            effects.extend(self.restart_by_itself(*first, now));
        }
        effects
    }

    fn restart_by_itself(&mut self, key: SessionKey, now: Timestamp) -> Vec<Effect> {
        let most = self.limits.automatic_restarts;
        if most == 0 {
            return Vec::new();
        }
        let deaths = self.deaths.entry(key).or_insert(Deaths {
            in_a_row: 0,
            last: now,
        });
        if now.millis_since(deaths.last) >= TRUST_AGAIN_MILLIS {
            deaths.in_a_row = 0;
        }
        deaths.last = now;
        deaths.in_a_row += 1;
        let attempt = deaths.in_a_row;
        if attempt > most {
            self.note_at(key, Note::RestartsExhausted { most }, now);
            return Vec::new();
        }
        self.note_at(key, Note::Restarting { attempt, most }, now);
        self.restart(key, now)
    }

    fn note_at(&mut self, key: SessionKey, note: Note, now: Timestamp) {
        if let Some(session) = self.sessions.get_mut(&key) {
            session.remark(note, now);
        }
    }

    fn each_session_of(
        &mut self,
        id: ConnectionId,
        mut change: impl FnMut(&mut Session) -> Vec<Effect>,
    ) -> Vec<Effect> {
        self.sessions
            .values_mut()
            .filter(|session| session.connection() == id)
            .flat_map(&mut change)
            .collect()
    }
}
