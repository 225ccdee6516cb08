//! `AgentHub`: all sessions and connections. Commands and events go in, effects come out.

mod connections;
mod rules;
#[cfg(test)]
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test names what it looks for"
)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::core::backend::{AgentCapabilities, DetectedBackend, McpServer};
use crate::core::command::{Command, Prompt, SessionSetup};
use crate::core::connection::{Connection, ConnectionState};
use crate::core::effect::{AgentMessage, Effect, Stop};
use crate::core::event::{Event, SessionEvent};
use crate::core::ids::{ConnectionId, OptionId, RequestId, SessionKey};
use crate::core::policy::rules::RuleFile;
use crate::core::session::{Phase, Session, TurnCause};
use crate::core::time::Timestamp;
use crate::core::trust;

/// How long a start, `initialize` included, may take, in milliseconds. Agents started through `npx` load first.
pub const START_LIMIT_MILLIS: u64 = 120_000;
/// How long a sign-in may take, in milliseconds.
pub const SIGN_IN_LIMIT_MILLIS: u64 = 600_000;
/// How long after a death a living agent is trusted again, in milliseconds.
pub const TRUST_AGAIN_MILLIS: u64 = 60_000;

/// The state of everything agents and the user do.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentHub {
    sessions: BTreeMap<SessionKey, Session>,
    connections: BTreeMap<ConnectionId, Connection>,
    backends: Vec<DetectedBackend>,
    next_connection: ConnectionId,
    /// How often agents died in a row, by session.
    deaths: BTreeMap<SessionKey, Deaths>,
    limits: Limits,
    trusted_folders: Vec<PathBuf>,
    own_rules: Option<RuleFile>,
}

/// What the hub does by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How often in a row an agent that died is started again without being asked.
    pub automatic_restarts: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Deaths {
    in_a_row: u32,
    last: Timestamp,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            automatic_restarts: 3,
        }
    }
}

impl Default for AgentHub {
    fn default() -> Self {
        Self::with_limits(Limits::default())
    }
}

impl AgentHub {
    /// A hub with nothing in it.
    pub fn with_limits(limits: Limits) -> Self {
        Self {
            sessions: BTreeMap::new(),
            connections: BTreeMap::new(),
            backends: Vec::new(),
            next_connection: ConnectionId(1),
            deaths: BTreeMap::new(),
            limits,
            trusted_folders: Vec::new(),
            own_rules: None,
        }
    }

    /// The session with this key.
    pub fn session(&self, key: SessionKey) -> Option<&Session> {
        self.sessions.get(&key)
    }

    /// All sessions, oldest first.
    pub fn sessions(&self) -> impl Iterator<Item = &Session> {
        self.sessions.values()
    }

    /// The connection with this id, also when its process is gone.
    pub fn connection(&self, id: ConnectionId) -> Option<&Connection> {
        self.connections.get(&id)
    }

    /// The connection of a session.
    pub fn connection_of(&self, session: SessionKey) -> Option<&Connection> {
        self.connections
            .get(&self.sessions.get(&session)?.connection())
    }

    /// Whether any agent process may still run.
    pub fn has_running_agents(&self) -> bool {
        self.connections
            .values()
            .any(|connection| connection.state != ConnectionState::Gone)
    }

    /// The choices of the dropdown.
    pub fn backends(&self) -> &[DetectedBackend] {
        &self.backends
    }

    /// The person's own rules, which hold in every folder; `None` until they were read.
    pub fn own_rules(&self) -> Option<&RuleFile> {
        self.own_rules.as_ref()
    }

    /// A key that no session has, for `Command::OpenSession`.
    pub fn free_session_key(&self) -> SessionKey {
        self.sessions
            .keys()
            .next_back()
            .map_or(SessionKey(1), |key| key.next())
    }

    /// Does what the user wishes.
    #[must_use]
    pub fn apply(&mut self, command: Command, now: Timestamp) -> Vec<Effect> {
        let effects = self.obey(command, now);
        self.follow_waiting(now);
        effects
    }

    fn obey(&mut self, command: Command, now: Timestamp) -> Vec<Effect> {
        match command {
            Command::OpenSession {
                session,
                spec,
                setup,
            } => self.open_session(session, *spec, *setup, now),
            Command::SetTrustedFolders(folders) => {
                self.trusted_folders = folders;
                Vec::new()
            }
            Command::TrustFolder { session } => self.trust_folder(session, now),
            Command::CloseSession { session } => self.close_session(session, now),
            Command::Prompt { session, prompt } => self.prompt(session, prompt, now),
            Command::DropQueued { session, queued } => self.with(session, |session| {
                session.drop_queued(queued);
                Vec::new()
            }),
            Command::CancelTurn { session } => {
                self.with(session, |session| session.cancel_turn(now))
            }
            Command::ForceStop { session } => self.force_stop(session),
            Command::Restart { session } => {
                self.deaths.remove(&session);
                self.restart(session, now)
            }
            Command::AnswerPermission {
                session,
                request,
                option,
                message,
            } => self.answer_permission(session, &request, &option, message, now),
            Command::AnswerQuestion {
                session,
                request,
                answer,
            } => self.with(session, |session| {
                session.answer_question(&request, answer, now)
            }),
            Command::SetLevel { session, level } => {
                let can = self.capabilities_of(session);
                self.with(session, |session| session.set_level(level, &can, now))
            }
            Command::SetMcpServers { session, servers } => {
                self.set_mcp_servers(session, servers, now)
            }
            Command::StoreRule {
                session,
                proposal,
                lifetime,
            } => self.store_rule(session, *proposal, lifetime, now),
            Command::RevokeRule { session, rule } => self.revoke_rule(session, &rule, now),
            Command::EditRules(edit) => vec![Effect::EditRules(edit)],
            Command::ReloadRules => self.reload_rules(),
            Command::ShowMcp { session } => self.show_mcp(session, now),
            Command::ReconnectMcp { session, server } => self.reconnect_mcp(session, &server, now),
            Command::SetMode { session, mode } => {
                self.with(session, |session| session.set_mode(mode))
            }
            Command::SetModel { session, model } => {
                self.with(session, |session| session.set_model(model))
            }
            Command::SetConfigOption {
                session,
                option,
                value,
            } => self.with(session, |session| session.set_config_option(option, value)),
            Command::Authenticate { connection, method } => {
                self.authenticate(connection, method, now)
            }
            Command::CancelSignIn { connection } => self.cancel_sign_in(connection),
            Command::RetrySignIn { connection } => self.signed_in(connection, now),
            Command::ListSessions { connection } => {
                vec![Effect::Send {
                    connection,
                    message: AgentMessage::ListSessions,
                }]
            }
            Command::ShutDown => self.shut_down(now),
        }
    }

    /// Takes in a fact.
    #[must_use]
    pub fn handle(&mut self, event: Event, now: Timestamp) -> Vec<Effect> {
        let effects = self.take_in(event, now);
        self.follow_waiting(now);
        effects
    }

    /// Requests come and go in many ways; whether a call waits for the person follows from those that are there.
    fn follow_waiting(&mut self, now: Timestamp) {
        for session in self.sessions.values_mut() {
            session.follow_waiting(now);
        }
    }

    fn take_in(&mut self, event: Event, now: Timestamp) -> Vec<Effect> {
        match event {
            Event::BackendsDetected(backends) => {
                self.backends = backends;
                Vec::new()
            }
            Event::Connection { connection, event } => {
                self.handle_connection(connection, event, now)
            }
            Event::Session { session, event } => self.handle_session(session, event, now),
            Event::OwnRulesLoaded(file) => {
                self.own_rules = Some(*file);
                Vec::new()
            }
            Event::RulesEdited { .. } => self.reload_rules(),
            Event::Tick => self.tick(now),
        }
    }

    fn prompt(&mut self, key: SessionKey, prompt: Prompt, now: Timestamp) -> Vec<Effect> {
        let can = self.capabilities_of(key);
        // A file may have been changed by hand since the last turn.
        let mut effects: Vec<_> = self
            .session(key)
            .and_then(|session| self.reload(session))
            .into_iter()
            .collect();
        effects.extend(self.with(key, |session| session.prompt(prompt, &can, now)));
        let waits = self.session(key).is_some_and(|session| {
            *session.phase() == Phase::AgentGone && !session.queue().is_empty()
        });
        if waits {
            effects.extend(self.restart(key, now));
        }
        effects
    }

    fn show_mcp(&mut self, key: SessionKey, now: Timestamp) -> Vec<Effect> {
        let can = self.capabilities_of(key);
        self.with(key, |session| session.show_mcp(&can, now))
    }

    fn set_mcp_servers(
        &mut self,
        key: SessionKey,
        servers: Vec<McpServer>,
        now: Timestamp,
    ) -> Vec<Effect> {
        let can = self.capabilities_of(key);
        self.with(key, |session| session.set_mcp_servers(servers, &can, now))
    }

    /// Connects a server again: by the agent where it can, else by starting the agent again with its session.
    fn reconnect_mcp(&mut self, key: SessionKey, server: &str, now: Timestamp) -> Vec<Effect> {
        if self.capabilities_of(key).mcp_reconnect {
            return self.with(key, |session| session.reconnect_mcp(server, true, now));
        }
        self.restart(key, now)
    }

    fn answer_permission(
        &mut self,
        key: SessionKey,
        request: &RequestId,
        option: &OptionId,
        message: Option<String>,
        now: Timestamp,
    ) -> Vec<Effect> {
        let can = self.capabilities_of(key);
        self.with(key, |session| {
            session.answer_permission(request, option, message, &can, now)
        })
    }

    fn capabilities_of(&self, key: SessionKey) -> AgentCapabilities {
        self.connection_of(key)
            .map(|connection| connection.capabilities.clone())
            .unwrap_or_default()
    }

    fn handle_session(
        &mut self,
        key: SessionKey,
        event: SessionEvent,
        now: Timestamp,
    ) -> Vec<Effect> {
        let Some(session) = self.sessions.get_mut(&key) else {
            return Vec::new();
        };
        if let SessionEvent::OpenFailed(error) = event {
            let message = error.message.clone();
            let (sign_in_needed, effects) = session.open_failed(error, now);
            if sign_in_needed {
                let connection = session.connection();
                self.need_sign_in(connection, message);
            }
            return effects;
        }
        let none = AgentCapabilities::default();
        let connection = self.connections.get(&session.connection());
        let can = connection.map_or(&none, |connection| &connection.capabilities);
        let tells_of_mcp = matches!(event, SessionEvent::McpReported { .. });
        let mut effects = session.handle(event, can, now);
        if tells_of_mcp {
            effects.extend(session.reconnect_failed_servers(can, now));
        }
        let needs_sign_in = *session.phase() == Phase::SignInNeeded;
        let connection = session.connection();
        let message = match session.last_end().map(|end| &end.cause) {
            Some(TurnCause::Failed(error)) if needs_sign_in => Some(error.message.clone()),
            Some(_) | None => None,
        };
        if let Some(message) = message {
            self.need_sign_in(connection, message);
        }
        self.forget_deaths_after_success(key, now);
        effects
    }

    fn open_session(
        &mut self,
        key: SessionKey,
        spec: crate::core::backend::BackendSpec,
        setup: SessionSetup,
        now: Timestamp,
    ) -> Vec<Effect> {
        if self.sessions.contains_key(&key) {
            return Vec::new();
        }
        if !spec.harmless && !trust::is_trusted(&setup.cwd, &self.trusted_folders) {
            let mut session = Session::connecting(key, spec, setup, self.reserve_connection());
            let effect = session.wait_for_trust();
            self.sessions.insert(key, session);
            return vec![effect];
        }
        let running = self.connections.values().find(|connection| {
            matches!(
                connection.state,
                ConnectionState::Starting | ConnectionState::Ready
            ) && connection.spec == spec
                && connection.cwd == setup.cwd
                && spec.dialect.shares_process()
        });
        let (id, mut effects) = match running {
            Some(connection) => (connection.id, Vec::new()),
            None => self.connect(spec.clone(), setup.clone(), now),
        };
        let session = Session::connecting(key, spec, setup, id);
        effects.extend(self.reload(&session));
        self.sessions.insert(key, session);
        effects.extend(self.open_waiting(id, now));
        effects
    }

    fn close_session(&mut self, key: SessionKey, now: Timestamp) -> Vec<Effect> {
        let mut effects = self.with(key, |session| session.cancel_turn(now));
        effects.extend(self.with(key, |session| {
            session.close_turn(TurnCause::SessionClosed, now)
        }));
        effects.extend(self.with(key, Session::leave_client));
        let Some(session) = self.sessions.remove(&key) else {
            return effects;
        };
        self.deaths.remove(&key);
        let id = session.connection();
        let in_use = self.sessions.values().any(|other| other.connection() == id);
        let Some(connection) = self.connections.get_mut(&id) else {
            return effects;
        };
        if in_use {
            effects.push(Effect::Send {
                connection: id,
                message: AgentMessage::CloseSession { session: key },
            });
        } else if matches!(
            connection.state,
            ConnectionState::Starting | ConnectionState::Ready
        ) {
            connection.state = ConnectionState::Stopping;
            effects.push(Effect::StopAgent {
                connection: id,
                stop: Stop::Polite,
            });
        }
        effects
    }

    fn shut_down(&mut self, now: Timestamp) -> Vec<Effect> {
        let keys: Vec<_> = self.sessions.keys().copied().collect();
        keys.into_iter()
            .flat_map(|key| self.close_session(key, now))
            .collect()
    }

    fn with(
        &mut self,
        key: SessionKey,
        change: impl FnOnce(&mut Session) -> Vec<Effect>,
    ) -> Vec<Effect> {
        self.sessions.get_mut(&key).map(change).unwrap_or_default()
    }
}
