//! Whole conversations: the bridge and the hub against frames of an agent.

mod cases;
mod client_tools;
mod handshake;
mod questions;
mod random;
mod requests;
mod sessions;
mod translation;
mod turns;
mod usage;

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Value, json};

use crate::bridge::lines::{Line, LineReader};
use crate::bridge::{Bridge, ClientInfo, Output};
use crate::core::backend::BackendSpec;
use crate::core::command::{Command, Prompt, SessionSetup, SessionStart};
use crate::core::effect::{AgentMessage, Effect};
use crate::core::event::{ConnectionEvent, Event, SessionEvent};
use crate::core::hub::AgentHub;
use crate::core::ids::{ConnectionId, SessionKey};
use crate::core::session::Session;
use crate::core::time::Timestamp;
use crate::core::transcript::BlockContent;

const CONNECTION: ConnectionId = ConnectionId(1);
const SESSION: SessionKey = SessionKey(1);
const NOW: Timestamp = Timestamp(1_000);

fn client() -> ClientInfo {
    ClientInfo {
        name: "agent-panel".to_owned(),
        title: "Agent Panel".to_owned(),
        version: "0.0.1".to_owned(),
        program: Some("/opt/agent panel".to_owned()),
    }
}

fn spec() -> BackendSpec {
    BackendSpec {
        harmless: true,
        ..BackendSpec::plain("test", "Test", "test-agent")
    }
}

fn line(text: &str) -> Line {
    Line::Text {
        text: text.to_owned(),
        replaced: false,
    }
}

fn update(session: &str, update: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": update}})
}

fn chunk(session: &str, text: &str) -> Value {
    let content = json!({"type": "text", "text": text});
    update(
        session,
        &json!({"sessionUpdate": "agent_message_chunk", "content": content}),
    )
}

fn answer(id: u64, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn permission(id: u64, session: &str, call: &Value, options: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "session/request_permission",
        "params": {"sessionId": session, "toolCall": call, "options": options}})
}

/// An agent that can do everything.
fn all_capabilities() -> Value {
    json!({"protocolVersion": 1, "agentCapabilities": {
        "loadSession": true,
        "promptCapabilities": {"image": true, "embeddedContext": true},
        "mcpCapabilities": {"http": true, "sse": true},
        "sessionCapabilities": {"resume": {}, "close": {}, "list": {}},
    }})
}

fn of(session: SessionKey, event: SessionEvent) -> Event {
    Event::Session { session, event }
}

/// A bridge alone, with what it yields in short.
struct Wire {
    bridge: Bridge,
    /// All frames that went to the agent.
    sent: Vec<Value>,
}

impl Wire {
    /// A connection whose agent has answered `initialize` with these capabilities.
    fn ready(agent: &Value) -> (Self, Vec<Event>) {
        let mut wire = Self {
            bridge: Bridge::new(CONNECTION, &spec(), client()),
            sent: Vec::new(),
        };
        let output = wire.bridge.start();
        wire.take(output);
        let events = wire.hear(&answer(1, agent));
        (wire, events)
    }

    /// The same with session `s1` open. The next request has id 3.
    fn open() -> Self {
        Self::open_with(&json!({"protocolVersion": 1}))
    }

    fn open_with(agent: &Value) -> Self {
        let (mut wire, _) = Self::ready(agent);
        drop(wire.say(new_session(SESSION)));
        drop(wire.hear(&answer(2, &json!({"sessionId": "s1"}))));
        wire.sent.clear();
        wire
    }

    fn say(&mut self, message: AgentMessage) -> Vec<Event> {
        let output = self.bridge.send(message);
        self.take(output)
    }

    fn hear(&mut self, frame: &Value) -> Vec<Event> {
        let output = self.bridge.receive(line(&frame.to_string()));
        self.take(output)
    }

    fn hear_update(&mut self, wire: &Value) -> Vec<SessionEvent> {
        let events = self.hear(&update("s1", wire));
        events.into_iter().map(session_event).collect()
    }

    fn take(&mut self, output: Output) -> Vec<Event> {
        let frames = output.frames.iter();
        self.sent.extend(frames.map(|frame| {
            assert!(!frame.contains('\n'), "{frame}");
            serde_json::from_str::<Value>(frame).unwrap()
        }));
        output.events
    }
}

fn session_event(event: Event) -> SessionEvent {
    match event {
        Event::Session { event, .. } => event,
        other => panic!("an event of a session, not {other:?}"),
    }
}

fn new_session(session: SessionKey) -> AgentMessage {
    AgentMessage::NewSession {
        session,
        cwd: "/work".into(),
        mcp_servers: Vec::new(),
    }
}

/// The hub and the bridge together; the test plays the agent and the user.
struct Desk {
    hub: AgentHub,
    bridge: Bridge,
    reader: LineReader,
    sent: Vec<Value>,
    now: Timestamp,
}

impl Desk {
    /// An open session `s1` whose first prompt waits for its answer, as request 3.
    fn with_prompt() -> Self {
        let mut desk = Self::connected(&json!({"protocolVersion": 1}));
        desk.agent(&answer(2, &json!({"sessionId": "s1"})));
        desk.prompt("hello");
        desk
    }

    /// A session that is being opened, as request 2.
    fn connected(agent: &Value) -> Self {
        Self::begun(agent, SessionStart::New)
    }

    /// A session that is being loaded, as request 2.
    fn loading(id: &str) -> Self {
        Self::begun(&all_capabilities(), SessionStart::Load(id.into()))
    }

    fn begun(agent: &Value, start: SessionStart) -> Self {
        let mut desk = Self {
            hub: AgentHub::default(),
            bridge: Bridge::new(CONNECTION, &spec(), client()),
            reader: LineReader::default(),
            sent: Vec::new(),
            now: NOW,
        };
        let setup = SessionSetup {
            cwd: "/work".into(),
            start,
            mcp_servers: Vec::new(),
            mode: None,
            model: None,
            level: crate::core::policy::level::Level::Ask,
            ground: crate::core::consent::GroundSource::default(),
        };
        desk.user(Command::OpenSession {
            session: SESSION,
            spec: Box::new(spec()),
            setup: Box::new(setup),
        });
        desk.agent(&answer(1, agent));
        desk
    }

    fn user(&mut self, command: Command) {
        let effects = self.hub.apply(command, self.now);
        self.perform(effects.into());
    }

    fn prompt(&mut self, text: &str) {
        self.user(Command::Prompt {
            session: SESSION,
            prompt: Prompt::text(text),
        });
    }

    /// Answers the oldest permission request with its first option.
    fn answer_first_request(&mut self) {
        let Some(open) = self.session().permission_requests().first() else {
            return;
        };
        let command = Command::AnswerPermission {
            session: SESSION,
            request: open.id.clone(),
            option: open.options[0].id.clone(),
            message: None,
        };
        self.user(command);
    }

    fn agent(&mut self, frame: &Value) {
        self.bytes(format!("{frame}\n").as_bytes());
    }

    fn agent_says(&mut self, wire: &Value) {
        self.agent(&update("s1", wire));
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for line in self.reader.push(bytes) {
            let output = self.bridge.receive(line);
            self.take(output);
        }
    }

    /// The agent's process ends; what it wrote last may lack a newline.
    fn exit(&mut self, event: ConnectionEvent) {
        if let Some(line) = self.reader.finish() {
            let output = self.bridge.receive(line);
            self.take(output);
        }
        let output = self.bridge.end_of_output();
        self.take(output);
        self.event(Event::Connection {
            connection: CONNECTION,
            event,
        });
    }

    fn event(&mut self, event: Event) {
        let effects = self.hub.handle(event, self.now);
        self.perform(effects.into());
    }

    fn perform(&mut self, mut effects: VecDeque<Effect>) {
        while let Some(effect) = effects.pop_front() {
            let output = match effect {
                Effect::StartAgent { connection, .. } if connection == CONNECTION => {
                    self.bridge.start()
                }
                Effect::Send {
                    connection,
                    message,
                } if connection == CONNECTION => self.bridge.send(message),
                _ => continue,
            };
            self.take(output);
        }
    }

    fn take(&mut self, output: Output) {
        let frames = output.frames.iter();
        self.sent
            .extend(frames.map(|frame| serde_json::from_str::<Value>(frame).unwrap()));
        for event in output.events {
            self.event(event);
        }
    }

    fn session(&self) -> &Session {
        self.hub.session(SESSION).unwrap()
    }

    /// The methods of the requests and notifications that were sent.
    fn methods(&self) -> Vec<&str> {
        self.sent
            .iter()
            .filter_map(|frame| frame["method"].as_str())
            .collect()
    }

    /// The blocks of the transcript in short.
    fn shown(&self) -> Vec<String> {
        let blocks = self.session().transcript().blocks();
        blocks.iter().map(|block| short(&block.content)).collect()
    }
}

fn short(content: &BlockContent) -> String {
    match content {
        BlockContent::UserMessage(message) => format!("user: {}", message.text),
        BlockContent::AgentMessage(message) => format!("agent: {}", message.text),
        BlockContent::Thought(message) => format!("thought: {}", message.text),
        BlockContent::ToolCall(call) => {
            format!("call {} {:?}: {}", call.id, call.status, call.title)
        }
        other => format!("{other:?}"),
    }
}
