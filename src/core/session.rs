//! One conversation with an agent: its turns, its queue, its open requests, its transcript.

mod client;
mod history;
mod judging;
mod mcp;
mod mcp_servers;
mod opening;
mod permissions;
mod questions;
mod turns;
mod updates;
mod waiting;

use std::collections::VecDeque;

use crate::core::backend::{BackendSpec, Unasked};
use crate::core::command::{Prompt, SessionSetup};
use crate::core::consent::SessionPolicy;
use crate::core::controls::{
    AvailableCommand, ConfigOption, ConfigValue, Models, Modes, Selector, SelectorRoute,
};
use crate::core::effect::{AgentMessage, Effect};
use crate::core::event::{PendingChoice, StopReason};
use crate::core::identity::shape::CallShape;
use crate::core::ids::{
    AgentSessionId, ConnectionId, ModelId, QueuedId, SessionKey, ToolCallId, TurnId,
};
use crate::core::mcp::McpReport;
use crate::core::notice::RpcError;
use crate::core::permission::PermissionRequest;
use crate::core::question::QuestionRequest;
use crate::core::time::Timestamp;
use crate::core::transcript::{Place, Transcript};
use crate::core::trust::ProjectFile;
use crate::core::usage::Usage;

pub use judging::OPS_SERVER;
pub use opening::Opening;

/// How long a cancelled turn may take to end before the person is offered to stop the agent, in milliseconds.
pub const CANCEL_LIMIT_MILLIS: u64 = 10_000;
/// How long after late output a session still counts as reporting, in milliseconds.
pub const LATE_OUTPUT_MILLIS: u64 = 3_000;

/// One conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    key: SessionKey,
    spec: BackendSpec,
    setup: SessionSetup,
    connection: ConnectionId,
    agent_id: Option<AgentSessionId>,
    phase: Phase,
    turn: Turn,
    /// A turn that we closed and the agent has not answered yet. Nothing is sent until it has.
    unanswered_turn: Option<TurnId>,
    last_turn: Option<TurnId>,
    last_end: Option<TurnEnd>,
    history: History,
    transcript: Transcript,
    queue: VecDeque<QueuedPrompt>,
    next_queued: QueuedId,
    permission_requests: Vec<PermissionRequest>,
    modes: Option<Modes>,
    models: Option<Models>,
    config_options: Vec<ConfigOption>,
    commands: Vec<AvailableCommand>,
    pending_choices: Vec<PendingChoice>,
    usage: Usage,
    title: Option<String>,
    late_at: Option<Timestamp>,
    questions: Vec<QuestionRequest>,
    mcp: Option<McpReport>,
    mcp_reconnects: Vec<PendingReconnect>,
    /// What the agent was passed, and whether it is to be passed something else by now.
    mcp_servers: mcp_servers::Passed,
    /// Servers that were connected again by us, so that it happens once.
    mcp_retried: Vec<String>,
    /// The agent summarizes the conversation.
    compacting: bool,
    current_model: Option<ModelId>,
    /// What is in the folder that waits for trust; `None` until it was looked at.
    project_files: Option<Vec<ProjectFile>>,
    policy: SessionPolicy,
    /// Requests whose paths are looked up.
    checking: Vec<PermissionRequest>,
    /// Calls that wait for the person.
    waiting: Vec<ToolCallId>,
    next_request: u64,
    call_shape: CallShape,
    unasked: Unasked,
    /// A loaded history that may still come; prompts wait for it.
    awaited_history: Option<history::LateHistory>,
    late_history: bool,
    client: client::ClientDesk,
}

/// A reconnection that waits for its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PendingReconnect {
    server: String,
    by_user: bool,
}

/// How far a session is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    /// The person has not trusted the folder yet; no agent is started.
    TrustNeeded,
    /// Its agent starts.
    Connecting,
    /// `session/new` or the like waits for its answer.
    Opening(Opening),
    /// The agent wants the person to sign in first.
    SignInNeeded,
    Ready,
    /// It could not be opened; the reason stands in the transcript.
    Failed,
    /// Its agent is gone.
    AgentGone,
}

/// Whether a turn runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    Idle,
    Running { turn: TurnId, since: Timestamp },
    Cancelling { turn: TurnId, since: Timestamp },
}

/// How the last turn ended.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnEnd {
    pub turn: TurnId,
    pub cause: TurnCause,
    pub at: Timestamp,
}

/// What closed a turn.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnCause {
    Stopped(StopReason),
    Failed(RpcError),
    CancelNotConfirmed,
    AgentGone,
    SessionClosed,
}

/// What becomes of messages that arrive while nobody asked anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum History {
    /// They are news.
    None,
    /// They are the history of a loaded session, to be shown.
    Shown,
    /// They are the history of a loaded session that the transcript holds already.
    Skipped,
}

/// A message that waits.
#[derive(Debug, Clone, PartialEq)]
pub struct QueuedPrompt {
    pub id: QueuedId,
    pub prompt: Prompt,
}

/// The state of a session in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionStatus {
    TrustNeeded,
    Starting,
    SignInNeeded,
    Ready,
    /// No turn runs, and the agent still reports.
    StillReporting,
    Working,
    WaitingForYou,
    Cancelling,
    CancelNotConfirmed,
    Compacting,
    Failed,
    AgentGone,
}

impl Session {
    /// A session whose agent is starting or running already.
    pub fn connecting(
        key: SessionKey,
        spec: BackendSpec,
        setup: SessionSetup,
        connection: ConnectionId,
    ) -> Self {
        let policy = SessionPolicy::starting(setup.level, &setup.ground);
        Self {
            key,
            spec,
            setup,
            connection,
            agent_id: None,
            phase: Phase::Connecting,
            turn: Turn::Idle,
            unanswered_turn: None,
            last_turn: None,
            last_end: None,
            history: History::None,
            transcript: Transcript::default(),
            queue: VecDeque::new(),
            next_queued: QueuedId(1),
            permission_requests: Vec::new(),
            modes: None,
            models: None,
            config_options: Vec::new(),
            commands: Vec::new(),
            pending_choices: Vec::new(),
            usage: Usage::default(),
            title: None,
            late_at: None,
            questions: Vec::new(),
            mcp: None,
            mcp_reconnects: Vec::new(),
            mcp_servers: mcp_servers::Passed::default(),
            mcp_retried: Vec::new(),
            compacting: false,
            current_model: None,
            project_files: None,
            policy,
            checking: Vec::new(),
            waiting: Vec::new(),
            next_request: 0,
            call_shape: CallShape::default(),
            unasked: Unasked::Nothing,
            awaited_history: None,
            late_history: false,
            client: client::ClientDesk::default(),
        }
    }

    pub fn key(&self) -> SessionKey {
        self.key
    }

    pub fn spec(&self) -> &BackendSpec {
        &self.spec
    }

    pub fn setup(&self) -> &SessionSetup {
        &self.setup
    }

    pub fn connection(&self) -> ConnectionId {
        self.connection
    }

    /// The agent's own id, once the session is open.
    pub fn agent_session(&self) -> Option<&AgentSessionId> {
        self.agent_id.as_ref()
    }

    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// How the last turn ended; `None` before the first one has.
    pub fn last_end(&self) -> Option<&TurnEnd> {
        self.last_end.as_ref()
    }

    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Messages that wait, in the order in which they will be sent.
    pub fn queue(&self) -> &VecDeque<QueuedPrompt> {
        &self.queue
    }

    /// Open permission requests, oldest first.
    pub fn permission_requests(&self) -> &[PermissionRequest] {
        &self.permission_requests
    }

    /// What is in the folder that waits for trust; `None` until it was looked at.
    pub fn project_files(&self) -> Option<&[ProjectFile]> {
        self.project_files.as_deref()
    }

    /// The session waits until the person trusts its folder.
    pub(in crate::core) fn wait_for_trust(&mut self) -> Effect {
        self.phase = Phase::TrustNeeded;
        Effect::ListProjectFiles {
            session: self.key,
            folder: self.setup.cwd.clone(),
        }
    }

    /// Open questions, oldest first.
    pub fn questions(&self) -> &[QuestionRequest] {
        &self.questions
    }

    /// What is known of the MCP servers; `None` before the session is open.
    pub fn mcp(&self) -> Option<&McpReport> {
        self.mcp.as_ref()
    }

    /// The servers whose reconnection waits for an answer.
    pub fn is_reconnecting(&self, server: &str) -> bool {
        self.mcp_reconnects
            .iter()
            .any(|pending| pending.server == server)
    }

    /// The model in use, as far as the agent has said.
    pub fn current_model(&self) -> Option<String> {
        self.current_model
            .as_ref()
            .map(ToString::to_string)
            .or_else(|| self.model_selector().map(|selector| selector.current))
    }

    pub fn modes(&self) -> Option<&Modes> {
        self.modes.as_ref()
    }

    pub fn models(&self) -> Option<&Models> {
        self.models.as_ref()
    }

    pub fn config_options(&self) -> &[ConfigOption] {
        &self.config_options
    }

    /// Slash commands that the agent offers.
    pub fn commands(&self) -> &[AvailableCommand] {
        &self.commands
    }

    pub fn usage(&self) -> &Usage {
        &self.usage
    }

    /// The title that the agent gave the session.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Whether changes of mode, model or option wait for an answer.
    pub fn has_pending_choices(&self) -> bool {
        !self.pending_choices.is_empty()
    }

    /// Whether a turn runs or is being cancelled.
    pub fn is_busy(&self) -> bool {
        !matches!(self.turn, Turn::Idle)
    }

    /// The state in one word.
    pub fn status(&self, now: Timestamp) -> SessionStatus {
        match &self.phase {
            Phase::TrustNeeded => SessionStatus::TrustNeeded,
            Phase::Connecting | Phase::Opening(_) => SessionStatus::Starting,
            Phase::SignInNeeded => SessionStatus::SignInNeeded,
            Phase::Failed => SessionStatus::Failed,
            Phase::AgentGone => SessionStatus::AgentGone,
            Phase::Ready => self.status_when_ready(now),
        }
    }

    /// The mode selector, wherever the agent put it.
    pub fn mode_selector(&self) -> Option<Selector> {
        let from_modes = self.modes.as_ref().map(|modes| Selector {
            current: modes.current.to_string(),
            choices: modes
                .available
                .iter()
                .map(|mode| choice(mode.id.as_str(), &mode.name, mode.description.as_ref()))
                .collect(),
            route: SelectorRoute::Mode,
        });
        from_modes.or_else(|| self.option_selector("mode"))
    }

    /// The model selector, wherever the agent put it. Agents that offer both only honor the option (pi).
    pub fn model_selector(&self) -> Option<Selector> {
        self.option_selector("model").or_else(|| {
            self.models.as_ref().map(|models| Selector {
                current: models.current.to_string(),
                choices: models
                    .available
                    .iter()
                    .map(|model| choice(model.id.as_str(), &model.name, model.description.as_ref()))
                    .collect(),
                route: SelectorRoute::Model,
            })
        })
    }

    fn option_selector(&self, category: &str) -> Option<Selector> {
        self.config_options
            .iter()
            .filter(|option| option.category.as_deref() == Some(category))
            .find_map(|option| match &option.value {
                ConfigValue::Select { current, choices } => Some(Selector {
                    current: current.clone(),
                    choices: choices.clone(),
                    route: SelectorRoute::Option(option.id.clone()),
                }),
                ConfigValue::Boolean { .. } => None,
            })
    }

    fn status_when_ready(&self, now: Timestamp) -> SessionStatus {
        if !self.permission_requests.is_empty() || !self.questions.is_empty() {
            return SessionStatus::WaitingForYou;
        }
        let reports_late = self
            .late_at
            .is_some_and(|at| now.millis_since(at) < LATE_OUTPUT_MILLIS);
        match self.turn {
            Turn::Running { .. } if self.compacting => SessionStatus::Compacting,
            Turn::Running { .. } => SessionStatus::Working,
            Turn::Cancelling { .. } => SessionStatus::Cancelling,
            Turn::Idle if self.unanswered_turn.is_some() => SessionStatus::CancelNotConfirmed,
            Turn::Idle if reports_late => SessionStatus::StillReporting,
            Turn::Idle => SessionStatus::Ready,
        }
    }

    /// Where a block that comes now belongs.
    fn place(&self, now: Timestamp) -> Place {
        match self.turn {
            Turn::Running { turn, .. } | Turn::Cancelling { turn, .. } => Place {
                turn: Some(turn),
                late: false,
                at: now,
            },
            Turn::Idle => {
                let late = self.last_turn.is_some() && self.history == History::None;
                Place {
                    turn: self.last_turn,
                    late,
                    at: now,
                }
            }
        }
    }

    fn send(&self, message: AgentMessage) -> Effect {
        Effect::Send {
            connection: self.connection,
            message,
        }
    }
}

fn choice(
    value: &str,
    name: &str,
    description: Option<&String>,
) -> crate::core::controls::ConfigChoice {
    crate::core::controls::ConfigChoice {
        value: value.to_owned(),
        name: name.to_owned(),
        description: description.cloned(),
        group: None,
    }
}
