//! From a running agent to an open session: new, loaded or resumed, and again after a restart.

use super::{History, Phase, Session};
use crate::core::backend::{AgentCapabilities, Unasked};
use crate::core::command::{SessionSetup, SessionStart};
use crate::core::effect::{AgentMessage, Effect};
use crate::core::event::{OpenedSession, PendingChoice};
use crate::core::ids::{AgentSessionId, ConnectionId, ModeId};
use crate::core::notice::{Failure, FailureKind, Note, RpcError};
use crate::core::time::Timestamp;
use crate::core::tool_call::ToolCallStatus;
use crate::core::transcript::BlockContent;

/// JSON-RPC's code for "sign in first", as ACP defines it.
pub(super) const AUTH_REQUIRED: i64 = -32_000;

/// What was asked of the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opening {
    New,
    Load(AgentSessionId),
    Resume(AgentSessionId),
}

impl Session {
    /// Asks the agent for the session. What was to be loaded is resumed, or begun anew, where the agent can't.
    pub(in crate::core) fn open(&mut self, can: &AgentCapabilities, now: Timestamp) -> Vec<Effect> {
        self.call_shape = can.call_shape.clone();
        self.choose_mcp_servers(can);
        self.unasked = can.unasked;
        self.late_history = can.late_history;
        let wanted = self.setup.start.clone();
        let opening = match wanted {
            SessionStart::Load(id) if can.load_session => Opening::Load(id),
            SessionStart::Resume(id) if can.resume_session => Opening::Resume(id),
            SessionStart::Load(id) if can.resume_session => Opening::Resume(id),
            SessionStart::Resume(id) if can.load_session => Opening::Load(id),
            SessionStart::New | SessionStart::Load(_) | SessionStart::Resume(_) => Opening::New,
        };
        let memory_lost = opening == Opening::New && self.setup.start != SessionStart::New;
        if memory_lost {
            self.note(Note::MemoryLost, now);
        }
        self.start_opening(opening)
    }

    /// Takes in the agent's answer.
    pub(in crate::core) fn opened(&mut self, opened: OpenedSession, now: Timestamp) -> Vec<Effect> {
        let Phase::Opening(opening) = self.phase.clone() else {
            return Vec::new();
        };
        self.phase = Phase::Ready;
        let restored = match opening {
            Opening::New => false,
            Opening::Load(id) | Opening::Resume(id) => {
                self.agent_id = Some(id);
                self.history == History::Skipped
            }
        };
        if opened.id.is_some() {
            self.agent_id = opened.id;
        }
        self.modes = opened.modes.or_else(|| self.modes.take());
        self.models = opened.models.or_else(|| self.models.take());
        if !opened.config_options.is_empty() {
            self.config_options = opened.config_options;
        }
        if let Some(window) = self
            .models
            .as_ref()
            .and_then(|models| models.window_of(&models.current))
        {
            self.usage.catalog_window(Some(window));
        }
        self.transcript
            .close_open_tool_calls(None, ToolCallStatus::NoResult, now);
        if restored {
            self.note(Note::SessionRestored, now);
        }
        match self.unasked {
            Unasked::Everything if !restored => self.note(Note::NeverAsks, now),
            Unasked::OwnTools if !restored => self.note(Note::OwnToolsNeverAsk, now),
            Unasked::Everything | Unasked::OwnTools | Unasked::Nothing => {}
        }
        self.tell_left_out_servers(now);
        let mut effects = self.send_first_choices();
        effects.extend(self.pass_changed_servers());
        if self.late_history {
            effects.extend(self.await_history(now));
        }
        effects.extend(self.send_next_queued(now));
        effects
    }

    /// Takes in the agent's refusal. `true` when the person has to sign in.
    pub(in crate::core) fn open_failed(
        &mut self,
        error: RpcError,
        now: Timestamp,
    ) -> (bool, Vec<Effect>) {
        let Phase::Opening(opening) = self.phase.clone() else {
            return (false, Vec::new());
        };
        if error.code == AUTH_REQUIRED {
            self.phase = Phase::SignInNeeded;
            return (true, Vec::new());
        }
        let comes_back = self.history == History::Skipped && opening != Opening::New;
        if comes_back {
            self.note(Note::MemoryLost, now);
            return (false, self.start_opening(Opening::New));
        }
        self.phase = Phase::Failed;
        self.fail(FailureKind::AgentError(error), now);
        (false, Vec::new())
    }

    /// The agent can't be used at all; the reason goes to the transcript.
    pub(in crate::core) fn start_failed(&mut self, kind: FailureKind, now: Timestamp) {
        self.phase = Phase::Failed;
        self.fail(kind, now);
    }

    /// How the session is opened again: with what the agent knew of it, in the mode and model it had.
    pub(in crate::core) fn setup_for_restart(&self) -> SessionSetup {
        let mut setup = self.setup.clone();
        if let Some(id) = self.agent_id.clone() {
            setup.start = SessionStart::Load(id);
        }
        setup.mode = self
            .mode_selector()
            .map(|selector| selector.current.as_str().into())
            .or(setup.mode);
        setup.model = self
            .model_selector()
            .map(|selector| selector.current.as_str().into())
            .or(setup.model);
        setup
    }

    /// The session goes on with another process: what the agent knew is loaded again where it can be.
    pub(in crate::core) fn move_to(&mut self, connection: ConnectionId) -> Vec<Effect> {
        let effects = self.leave_client();
        self.connection = connection;
        self.phase = Phase::Connecting;
        self.mcp_servers.starts_again();
        self.unanswered_turn = None;
        self.pending_choices.clear();
        self.setup = self.setup_for_restart();
        effects
    }

    /// Signing in worked: an open session goes on, another one is opened.
    pub(in crate::core) fn signed_in(
        &mut self,
        can: &AgentCapabilities,
        now: Timestamp,
    ) -> Vec<Effect> {
        if self.phase != Phase::SignInNeeded {
            return Vec::new();
        }
        if self.agent_id.is_some() && self.history == History::None {
            self.phase = Phase::Ready;
            return self.send_next_queued(now);
        }
        self.open(can, now)
    }

    /// Adds a note from outside the session.
    pub(in crate::core) fn remark(&mut self, note: Note, now: Timestamp) {
        self.note(note, now);
    }

    /// Adds a failure that does not end anything.
    pub(in crate::core) fn report(&mut self, kind: FailureKind, now: Timestamp) {
        self.fail(kind, now);
    }

    pub(super) fn note(&mut self, note: Note, now: Timestamp) {
        let place = self.place(now);
        self.transcript.push(
            BlockContent::note(note),
            crate::core::transcript::Place {
                late: false,
                ..place
            },
        );
    }

    pub(super) fn fail(&mut self, kind: FailureKind, now: Timestamp) {
        self.fail_with(kind, Vec::new(), now);
    }

    pub(super) fn fail_with(&mut self, kind: FailureKind, stderr: Vec<String>, now: Timestamp) {
        let place = self.place(now);
        let block = BlockContent::Failure(Box::new(Failure { kind, stderr }));
        self.transcript.push(
            block,
            crate::core::transcript::Place {
                late: false,
                ..place
            },
        );
    }

    fn start_opening(&mut self, opening: Opening) -> Vec<Effect> {
        self.awaited_history = None;
        let session = self.key;
        let cwd = self.setup.cwd.clone();
        let mcp_servers = self.mcp_servers.servers().to_vec();
        self.history = match (&opening, self.transcript.blocks().is_empty()) {
            (Opening::New, _) => History::None,
            (Opening::Load(_), true) => History::Shown,
            (Opening::Load(_), false) | (Opening::Resume(_), _) => History::Skipped,
        };
        let message = match opening.clone() {
            Opening::New => AgentMessage::NewSession {
                session,
                cwd,
                mcp_servers,
            },
            Opening::Load(id) => AgentMessage::LoadSession {
                session,
                id,
                cwd,
                mcp_servers,
            },
            Opening::Resume(id) => AgentMessage::ResumeSession {
                session,
                id,
                cwd,
                mcp_servers,
            },
        };
        self.phase = Phase::Opening(opening);
        vec![self.send(message)]
    }

    fn send_first_choices(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        let offers = |mode: &ModeId| {
            let selector = self.mode_selector();
            selector.is_some_and(|found| {
                found
                    .choices
                    .iter()
                    .any(|choice| choice.value == mode.as_str())
            })
        };
        // The mode that the person chose, else the one in which the agent asks.
        let asking = self.spec.asking_mode.clone().filter(offers);
        let chosen = self.setup.mode.clone();
        // One that the agent does not have any more must not leave it in a mode that does not ask.
        let asking = asking.filter(|_| !chosen.as_ref().is_some_and(&offers));
        let wanted = asking.into_iter().chain(chosen);
        let mode_is_on = |mode: &str| {
            self.mode_selector()
                .is_some_and(|selector| selector.current == mode)
        };
        let wanted: Vec<_> = wanted.filter(|mode| !mode_is_on(mode.as_str())).collect();
        for mode in wanted {
            effects.extend(self.set_mode(mode));
        }
        let model_is_on = |model: &str| {
            self.model_selector()
                .is_some_and(|selector| selector.current == model)
        };
        if let Some(model) = self
            .setup
            .model
            .clone()
            .filter(|model| !model_is_on(model.as_str()))
        {
            effects.extend(self.set_model(model));
        }
        effects
    }

    pub(super) fn choice_is_pending(&mut self, choice: PendingChoice) {
        self.pending_choices.push(choice);
    }
}
