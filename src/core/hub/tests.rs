//! Commands and events in, effects and state out.

mod asking;
mod client;
mod death;
mod mcp;
mod permissions;
mod rules;
mod sign_in;
mod terminals;
mod trust;
mod turns;
mod waiting;

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{AgentHub, Limits};
use crate::core::backend::{AgentCapabilities, AgentInfo, AuthMethod, BackendSpec};
use crate::core::command::{Command, Prompt, SessionSetup, SessionStart};
use crate::core::effect::{AgentMessage, Effect};
use crate::core::event::{
    ConnectionEvent, Event, OpenedSession, SessionEvent, StopReason, TurnResult,
};
use crate::core::ids::{ConnectionId, RequestId, SessionKey, ToolCallId, TurnId};
use crate::core::permission::{PermissionOption, PermissionOptionKind};
use crate::core::session::Session;
use crate::core::time::Timestamp;
use crate::core::tool_call::{ToolCallPatch, ToolCallStatus};
use crate::core::transcript::{BlockContent, MessageKind};

const SESSION: SessionKey = SessionKey(1);
const CONNECTION: ConnectionId = ConnectionId(1);
const NOW: Timestamp = Timestamp(1_000);

fn spec() -> BackendSpec {
    BackendSpec {
        harmless: true,
        ..BackendSpec::plain("talker", "Talker", "talker")
    }
}

fn open(session: SessionKey, start: SessionStart) -> Command {
    let setup = SessionSetup {
        cwd: PathBuf::from("/home/user/project"),
        start,
        mcp_servers: Vec::new(),
        mode: None,
        model: None,
        level: crate::core::policy::level::Level::Ask,
        ground: crate::core::consent::GroundSource::default(),
    };
    Command::OpenSession {
        session,
        spec: Box::new(spec()),
        setup: Box::new(setup),
    }
}

fn prompt(text: &str) -> Command {
    Command::Prompt {
        session: SESSION,
        prompt: Prompt::text(text),
    }
}

fn connection_event(event: ConnectionEvent) -> Event {
    Event::Connection {
        connection: CONNECTION,
        event,
    }
}

fn session_event(event: SessionEvent) -> Event {
    Event::Session {
        session: SESSION,
        event,
    }
}

fn initialized(capabilities: AgentCapabilities, auth_methods: Vec<AuthMethod>) -> Event {
    connection_event(ConnectionEvent::Initialized {
        agent: AgentInfo::default(),
        capabilities,
        auth_methods,
    })
}

fn text(piece: &str) -> Event {
    session_event(SessionEvent::Text {
        kind: MessageKind::Agent,
        text: piece.to_owned(),
        message_id: None,
    })
}

fn tool_call(id: &str, title: &str, status: Option<ToolCallStatus>) -> Event {
    let patch = Box::new(ToolCallPatch {
        title: Some(title.to_owned()),
        status,
        ..ToolCallPatch::default()
    });
    session_event(SessionEvent::ToolCallAnnounced {
        id: ToolCallId::from(id),
        patch,
    })
}

fn tool_update(id: &str, patch: ToolCallPatch) -> Event {
    session_event(SessionEvent::ToolCallPatched {
        id: ToolCallId::from(id),
        patch: Box::new(patch),
    })
}

fn status_update(id: &str, status: ToolCallStatus) -> Event {
    tool_update(
        id,
        ToolCallPatch {
            status: Some(status),
            ..ToolCallPatch::default()
        },
    )
}

fn permission(request: i64, call: &str, title: &str) -> Event {
    let option = |id: &str, kind| PermissionOption {
        id: id.into(),
        name: id.to_owned(),
        kind,
        scope: None,
    };
    session_event(SessionEvent::PermissionRequested {
        request: RequestId::Number(request),
        tool_call: ToolCallId::from(call),
        patch: Box::new(ToolCallPatch {
            title: Some(title.to_owned()),
            ..ToolCallPatch::default()
        }),
        options: vec![
            option("A", PermissionOptionKind::AllowOnce),
            option("B", PermissionOptionKind::RejectOnce),
        ],
    })
}

fn ended(turn: u64, reason: &str) -> Event {
    let result = TurnResult::Stopped(StopReason::from(reason));
    session_event(SessionEvent::TurnEnded {
        turn: TurnId(turn),
        result,
    })
}

/// A hub with one open session and an agent that can load sessions.
fn hub_with_session() -> AgentHub {
    let mut hub = AgentHub::with_limits(Limits {
        automatic_restarts: 3,
    });
    drop(hub.apply(open(SESSION, SessionStart::New), NOW));
    let capabilities = AgentCapabilities {
        load_session: true,
        ..AgentCapabilities::default()
    };
    drop(hub.handle(initialized(capabilities, Vec::new()), NOW));
    let opened = OpenedSession {
        id: Some("s1".into()),
        ..OpenedSession::default()
    };
    drop(hub.handle(session_event(SessionEvent::Opened(opened)), NOW));
    hub
}

/// The same with a turn that runs.
fn hub_with_turn() -> AgentHub {
    let mut hub = hub_with_session();
    drop(hub.apply(prompt("go"), NOW));
    hub
}

fn session(hub: &AgentHub) -> &Session {
    hub.session(SESSION).expect("the session was opened")
}

/// The prompts among effects, as (turn, text).
fn prompts_sent(effects: &[Effect]) -> Vec<(u64, String)> {
    let prompt = |effect: &Effect| match effect {
        Effect::Send {
            message: AgentMessage::Prompt { turn, prompt, .. },
            ..
        } => Some((turn.0, prompt.text.clone())),
        _ => None,
    };
    effects.iter().filter_map(prompt).collect()
}

/// The transcript, a line a block.
fn lines(hub: &AgentHub) -> Vec<String> {
    let line = |content: &BlockContent| match content {
        BlockContent::UserMessage(message) => format!("user: {}", message.text),
        BlockContent::AgentMessage(message) => format!("agent: {}", message.text),
        BlockContent::Thought(message) => format!("thought: {}", message.text),
        BlockContent::ToolCall(call) => {
            format!("tool {}: {} {:?}", call.id, call.title, call.status)
        }
        other => format!("{other:?}"),
    };
    session(hub)
        .transcript()
        .blocks()
        .iter()
        .map(|block| line(&block.content))
        .collect()
}
