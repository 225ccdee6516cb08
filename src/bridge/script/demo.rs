//! The embedded demo: an agent that answers any prompt with its next scene. It reads nothing and runs nothing.
//!
//! Time comes in as data, so that the pauses between its frames cost a test nothing.

mod scene;

use std::collections::VecDeque;

use serde_json::{Value, json};

use scene::{Beat, Language, SCENES, Scene};

/// The models that the demo offers: id, name, context window in tokens.
const MODELS: [(&str, &str, u64); 2] = [
    ("demo-standard", "Demo standard", 200_000),
    ("demo-large", "Demo large", 1_000_000),
];
/// The modes that the demo offers: id, name, description.
const MODES: [(&str, &str, &str); 2] = [
    (
        ASK,
        "Ask",
        "Shows a permission card before edits and commands",
    ),
    (
        "auto",
        "Don't ask",
        "Plays edits and commands without asking",
    ),
];
const ASK: &str = "ask";

/// The agent's side of the demo.
#[derive(Debug, Clone, Default)]
pub struct DemoAgent {
    sessions: Vec<Session>,
    turns: Vec<Turn>,
    requests: u64,
    /// Frames that go out at once.
    out: Vec<Value>,
}

#[derive(Debug, Clone)]
struct Session {
    id: String,
    mode: String,
    model: usize,
    used: u64,
    next_scene: usize,
}

#[derive(Debug, Clone)]
struct Turn {
    /// The id of the `session/prompt`.
    request: Value,
    session: String,
    /// Beats that were not played, with the time at which each is due.
    beats: VecDeque<(u64, Beat)>,
    scene: Scene,
    /// The permission request that the turn waits for.
    asked: Option<Value>,
}

impl DemoAgent {
    /// Takes in a frame of the client. What it says at once comes back; the rest is due later.
    pub fn receive(&mut self, frame: &Value, now_ms: u64) -> Vec<Value> {
        let method = frame.get("method").and_then(Value::as_str);
        let nothing = Value::Null;
        let params = frame.get("params").unwrap_or(&nothing);
        match (method, frame.get("id")) {
            (Some(method), Some(id)) => self.requested(method, id, params, now_ms),
            (Some("session/cancel"), None) => self.cancel(params),
            (None, Some(id)) => self.permission_answered(id, frame, now_ms),
            (Some(_) | None, None) => {}
        }
        std::mem::take(&mut self.out)
    }

    /// When the next frame is due; `None` while there is nothing to wait for.
    pub fn next_due(&self) -> Option<u64> {
        let running = self.turns.iter().filter(|turn| turn.asked.is_none());
        running
            .map(|turn| turn.beats.front().map_or(0, |(due, _)| *due))
            .min()
    }

    /// The frames that are due.
    pub fn play(&mut self, now_ms: u64) -> Vec<Value> {
        while let Some(index) = self.turns.iter().position(|turn| turn.is_due(now_ms)) {
            self.play_next(index);
        }
        std::mem::take(&mut self.out)
    }

    fn requested(&mut self, method: &str, id: &Value, params: &Value, now_ms: u64) {
        let text = |name: &str| params.get(name).and_then(Value::as_str).unwrap_or_default();
        let result = match method {
            "initialize" => initialized(),
            "session/new" => return self.open(id),
            "session/prompt" => return self.prompt(id, text("sessionId"), params, now_ms),
            "session/set_mode" => return self.set_mode(id, text("sessionId"), text("modeId")),
            "session/set_model" => return self.set_model(id, text("sessionId"), text("modelId")),
            "session/close" => {
                self.sessions
                    .retain(|session| session.id != text("sessionId"));
                self.turns.retain(|turn| turn.session != text("sessionId"));
                json!({})
            }
            _ => return self.refuse(id, -32_601, &format!("Method not found: {method}")),
        };
        self.answer(id, result);
    }

    fn open(&mut self, id: &Value) {
        let session = Session {
            id: format!("demo-{}", self.sessions.len() + 1),
            mode: ASK.to_owned(),
            model: 0,
            used: 0,
            next_scene: 0,
        };
        let modes: Vec<_> = MODES
            .iter()
            .map(|(id, name, description)| json!({"id": id, "name": name, "description": description}))
            .collect();
        let models: Vec<_> = MODELS
            .iter()
            .map(|(id, name, _)| json!({"modelId": id, "name": name, "description": "No model: a recording"}))
            .collect();
        let current_model = MODELS.first().map(|(id, ..)| *id);
        let result = json!({
            "sessionId": session.id,
            "modes": {"currentModeId": ASK, "availableModes": modes},
            "models": {"currentModelId": current_model, "availableModels": models},
        });
        let commands: Vec<_> = SCENES
            .iter()
            .map(|scene| json!({"name": scene.name, "description": scene.description}))
            .collect();
        self.answer(id, result);
        self.update(
            &session.id,
            json!({"sessionUpdate": "available_commands_update", "availableCommands": commands}),
        );
        self.sessions.push(session);
    }

    fn prompt(&mut self, id: &Value, session_id: &str, params: &Value, now_ms: u64) {
        if self.turns.iter().any(|turn| turn.session == session_id) {
            return self.refuse(id, -32_603, "A turn is already running");
        }
        let Some(session) = self
            .sessions
            .iter_mut()
            .find(|session| session.id == session_id)
        else {
            return self.refuse(id, -32_002, "Session not found");
        };
        let text = prompt_text(params);
        let named = scene::named_in(&text);
        let index = named.unwrap_or(session.next_scene);
        session.next_scene = (index + 1) % SCENES.len();
        let scene = Scene::read(index, Language::of(&text));
        self.turns.push(Turn {
            request: id.clone(),
            session: session_id.to_owned(),
            beats: scene
                .main
                .iter()
                .map(|beat| (now_ms + beat.at_ms, beat.clone()))
                .collect(),
            scene,
            asked: None,
        });
    }

    fn set_mode(&mut self, id: &Value, session: &str, mode: &str) {
        let known = MODES.iter().any(|(id, ..)| *id == mode);
        match self.sessions.iter_mut().find(|open| open.id == session) {
            Some(open) if known => {
                mode.clone_into(&mut open.mode);
                self.answer(id, json!({}));
                self.update(
                    session,
                    json!({"sessionUpdate": "current_mode_update", "currentModeId": mode}),
                );
            }
            Some(_) | None => self.refuse(id, -32_602, "No such mode"),
        }
    }

    fn set_model(&mut self, id: &Value, session: &str, model: &str) {
        let index = MODELS.iter().position(|(id, ..)| *id == model);
        match (
            self.sessions.iter_mut().find(|open| open.id == session),
            index,
        ) {
            (Some(open), Some(index)) => {
                open.model = index;
                self.answer(id, json!({}));
            }
            (Some(_) | None, _) => self.refuse(id, -32_602, "No such model"),
        }
    }

    fn cancel(&mut self, params: &Value) {
        let session = params.get("sessionId").and_then(Value::as_str);
        if let Some(index) = self
            .turns
            .iter()
            .position(|turn| Some(turn.session.as_str()) == session)
        {
            self.end(index, "cancelled");
        }
    }

    fn permission_answered(&mut self, id: &Value, frame: &Value, now_ms: u64) {
        let Some(index) = self
            .turns
            .iter()
            .position(|turn| turn.asked.as_ref() == Some(id))
        else {
            return;
        };
        let option = frame
            .pointer("/result/outcome/optionId")
            .and_then(Value::as_str);
        let Some(option) = option else {
            return self.end(index, "cancelled");
        };
        if let Some(turn) = self.turns.get_mut(index) {
            turn.asked = None;
            if option == "reject" {
                let refused = turn.scene.refused.iter();
                turn.beats = refused
                    .map(|beat| (now_ms + beat.at_ms, beat.clone()))
                    .collect();
            } else {
                turn.rebase(now_ms);
            }
            if option == "always"
                && let Some(session) = self
                    .sessions
                    .iter_mut()
                    .find(|session| session.id == turn.session)
            {
                "auto".clone_into(&mut session.mode);
            }
        }
    }

    fn play_next(&mut self, index: usize) {
        let Some(turn) = self.turns.get_mut(index) else {
            return;
        };
        let Some((_, beat)) = turn.beats.pop_front() else {
            return self.end(index, "end_turn");
        };
        let session_id = turn.session.clone();
        let Some(session) = self
            .sessions
            .iter_mut()
            .find(|session| session.id == session_id)
        else {
            return;
        };
        let mut frame = beat.frame;
        put(&mut frame, "/params/sessionId", json!(session_id));
        if frame.get("id").is_some() {
            if session.mode == ASK {
                self.requests += 1;
                let id = json!(self.requests);
                put(&mut frame, "/id", id.clone());
                turn.asked = Some(id);
                self.out.push(frame);
            }
            return;
        }
        if let Some(used) = frame.pointer("/params/update/used").and_then(Value::as_u64) {
            session.used += used;
            let window = MODELS
                .get(session.model)
                .map_or(0, |(_, _, window)| *window);
            put(&mut frame, "/params/update/used", json!(session.used));
            put(&mut frame, "/params/update/size", json!(window));
        }
        self.out.push(frame);
    }

    fn end(&mut self, index: usize, stop_reason: &str) {
        let turn = self.turns.remove(index);
        self.answer(&turn.request, json!({"stopReason": stop_reason}));
    }

    fn update(&mut self, session: &str, update: Value) {
        let params = json!({"sessionId": session, "update": update});
        self.out
            .push(json!({"jsonrpc": "2.0", "method": "session/update", "params": params}));
    }

    fn answer(&mut self, id: &Value, result: Value) {
        self.out
            .push(json!({"jsonrpc": "2.0", "id": id, "result": result}));
    }

    fn refuse(&mut self, id: &Value, code: i64, message: &str) {
        let error = json!({"code": code, "message": message});
        self.out
            .push(json!({"jsonrpc": "2.0", "id": id, "error": error}));
    }
}

impl Turn {
    fn is_due(&self, now_ms: u64) -> bool {
        self.asked.is_none() && self.beats.front().is_none_or(|(due, _)| *due <= now_ms)
    }

    /// The person took a while to answer: what follows is as far from now as it was from the question.
    fn rebase(&mut self, now_ms: u64) {
        let first = self.beats.front().map_or(0, |(due, _)| *due);
        for (due, _) in &mut self.beats {
            *due = now_ms + (*due - first);
        }
    }
}

/// Writes a value where the frame has one.
fn put(frame: &mut Value, pointer: &str, value: Value) {
    if let Some(place) = frame.pointer_mut(pointer) {
        *place = value;
    }
}

fn initialized() -> Value {
    json!({
        "protocolVersion": 1,
        "agentInfo": {"name": "agent-panel-demo", "title": "Demo", "version": env!("CARGO_PKG_VERSION")},
        "agentCapabilities": {
            "loadSession": false,
            "promptCapabilities": {"image": true, "audio": false, "embeddedContext": true},
            "sessionCapabilities": {"close": {}},
        },
        "authMethods": [],
    })
}

fn prompt_text(params: &Value) -> String {
    let blocks = params.get("prompt").and_then(Value::as_array);
    let texts = blocks
        .into_iter()
        .flatten()
        .filter_map(|block| block.get("text").and_then(Value::as_str));
    texts.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
