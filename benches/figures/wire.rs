//! What an update costs on its way from the agent's bytes to the hub's state.

use std::path::PathBuf;

use agent_panel::bridge::lines::LineReader;
use agent_panel::bridge::{Bridge, ClientInfo, Output};
use agent_panel::core::command::{Command, Prompt, SessionSetup};
use agent_panel::core::effect::Effect;
use agent_panel::core::hub::AgentHub;
use agent_panel::core::ids::{ConnectionId, SessionKey};
use agent_panel::core::time::Timestamp;
use serde_json::json;

use crate::clock::cost_of;
use crate::spec::spec;
use crate::stage::Stage;

const SESSION: SessionKey = SessionKey(1);
const CONNECTION: ConnectionId = ConnectionId(1);
/// How many events the hub alone is measured with.
const EVENTS: u32 = 5_000;

/// The agent's side and ours, without a process between them.
struct Wire {
    hub: AgentHub,
    bridge: Bridge,
    reader: LineReader,
}

pub(crate) fn run() {
    println!("| updates | bytes | CPU | per update | blocks |");
    println!("|---|---|---|---|---|");
    for updates in [1_000, 10_000, 100_000] {
        let bytes = mixed_updates(updates);
        let mut wire = Wire::with_turn();
        let cost = cost_of(|| {
            for piece in bytes.chunks(64 * 1024) {
                wire.feed(piece);
            }
        });
        let per_update = cost.as_secs_f64() * 1e6 / f64::from(updates);
        let blocks = wire
            .hub
            .session(SESSION)
            .map_or(0, |session| session.transcript().blocks().len());
        println!(
            "| {updates} | {} | {cost:.1?} | {per_update:.2} µs | {blocks} |",
            bytes.len()
        );
    }
    hub_alone();
}

/// What the hub alone does for an event, with this many blocks in the session already.
fn hub_alone() {
    println!("\n| blocks before | hub alone, per event |\n|---|---|");
    let mut stage = Stage::new();
    for blocks in [1_000, 10_000, 100_000] {
        stage.fill(blocks);
        stage.begin_turn("go");
        stage.text("begin");
        let cost = cost_of(|| {
            for _ in 0..EVENTS {
                stage.text("The quick brown fox. ");
            }
        });
        let micros = cost.as_secs_f64() * 1e6 / f64::from(EVENTS);
        println!("| {blocks} | {micros:.2} µs |");
        stage.end_turn();
    }
}

impl Wire {
    /// A session whose first prompt runs.
    fn with_turn() -> Self {
        let spec = spec();
        let client = ClientInfo {
            name: "bench".to_owned(),
            title: "bench".to_owned(),
            version: "0".to_owned(),
            program: None,
        };
        let mut wire = Self {
            hub: AgentHub::default(),
            bridge: Bridge::new(CONNECTION, &spec, client),
            reader: LineReader::default(),
        };
        let started = wire.bridge.start();
        wire.take(started);
        wire.apply(Command::OpenSession {
            session: SESSION,
            spec: Box::new(spec),
            setup: Box::new(SessionSetup::in_folder(PathBuf::from("/p"))),
        });
        wire.answer(1, &json!({"protocolVersion": 1}));
        wire.answer(2, &json!({"sessionId": "s1"}));
        wire.apply(Command::Prompt {
            session: SESSION,
            prompt: Prompt::text("go"),
        });
        wire
    }

    fn answer(&mut self, id: u64, result: &serde_json::Value) {
        let line = format!(
            "{}\n",
            json!({"jsonrpc": "2.0", "id": id, "result": result})
        );
        self.feed(line.as_bytes());
    }

    fn feed(&mut self, bytes: &[u8]) {
        for line in self.reader.push(bytes) {
            let output = self.bridge.receive(line);
            self.take(output);
        }
    }

    fn apply(&mut self, command: Command) {
        let effects = self.hub.apply(command, Timestamp(1));
        self.perform(effects);
    }

    fn take(&mut self, output: Output) {
        for event in output.events {
            let effects = self.hub.handle(event, Timestamp(1));
            self.perform(effects);
        }
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::Send { message, .. } = effect {
                let output = self.bridge.send(message);
                self.take(output);
            }
        }
    }
}

/// Lines of about 260 bytes: text, thoughts, and tool calls with their updates, each new block after some.
pub(crate) fn mixed_updates(updates: u32) -> Vec<u8> {
    let filler = "The quick brown fox jumps over the lazy dog. ".repeat(3);
    let mut bytes = Vec::new();
    for index in 0..updates {
        let call = format!("call-{}", index / 10);
        let update = match index % 10 {
            0 => {
                json!({"sessionUpdate": "tool_call", "toolCallId": call, "title": "Read a file", "kind": "read",
                "status": "in_progress", "rawInput": {"path": "src/main.rs"}})
            }
            1 | 2 => json!({"sessionUpdate": "tool_call_update", "toolCallId": call,
                "content": [{"type": "content", "content": {"type": "text", "text": filler}}]}),
            3 => {
                json!({"sessionUpdate": "tool_call_update", "toolCallId": call, "status": "completed"})
            }
            4 => {
                json!({"sessionUpdate": "agent_thought_chunk", "content": {"type": "text", "text": filler}})
            }
            _ => {
                json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": filler}})
            }
        };
        push_update(&mut bytes, &update);
    }
    bytes
}

/// The updates that make so many blocks, of about 300 bytes of text each: a message and a finished call in turn.
pub(crate) fn blocks(count: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    for index in 0..count {
        let update = match index % 2 {
            0 => json!({"sessionUpdate": "agent_message_chunk",
                "content": {"type": "text", "text": crate::stage::message(index as usize)}}),
            _ => json!({"sessionUpdate": "tool_call", "toolCallId": format!("call-{index}"),
                "title": "Read src/harbor.rs", "kind": "read", "status": "completed",
                "rawInput": {"path": "src/harbor.rs"}}),
        };
        push_update(&mut bytes, &update);
    }
    bytes
}

fn push_update(bytes: &mut Vec<u8>, update: &serde_json::Value) {
    let frame = json!({"jsonrpc": "2.0", "method": "session/update",
        "params": {"sessionId": "s1", "update": update}});
    bytes.extend_from_slice(frame.to_string().as_bytes());
    bytes.push(b'\n');
}
