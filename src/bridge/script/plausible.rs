//! Answers to requests that a recording does not hold.

use serde_json::{Value, json};

use super::Step;
use super::wire::{self, USER_LINE};

/// What is needed for such answers: what was sent to the client, and what a later part of the recording tells.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    config_options: Option<Value>,
    /// The first `system/init` of a recording in stream-json.
    init: Option<Value>,
}

impl Known {
    /// What a recording tells before anything was sent.
    pub(super) fn of(steps: &[Step]) -> Self {
        let is_init = |frame: &&Value| {
            wire::is_stream_json(frame) && frame.get("subtype").is_some_and(|kind| kind == "init")
        };
        Self {
            config_options: None,
            init: steps.iter().map(|step| &step.frame).find(is_init).cloned(),
        }
    }

    fn of_init(&self, key: &str) -> Value {
        let init = self.init.as_ref();
        init.and_then(|init| init.get(key))
            .cloned()
            .unwrap_or_default()
    }

    /// Looks at a frame on its way to the client.
    pub(super) fn note(&mut self, frame: &Value) {
        let result = frame.get("result");
        let update = frame.get("params").and_then(|params| params.get("update"));
        let options = result.or(update).and_then(|part| part.get("configOptions"));
        if let Some(options) = options {
            self.config_options = Some(options.clone());
        }
    }

    /// The options after one was set; `None` when there is no such option.
    fn set(&mut self, id: &Value, value: &Value) -> Option<Value> {
        let options = self.config_options.as_mut()?;
        let option = options
            .as_array_mut()?
            .iter_mut()
            .find(|option| option.get("id") == Some(id))?;
        *option.get_mut("currentValue")? = value.clone();
        Some(options.clone())
    }
}

/// An answer that lets any client go on.
pub(super) fn answer(method: &str, id: &Value, frame: &Value, known: &mut Known) -> Value {
    if wire::is_stream_json(frame) {
        stream_json_answer(method, id, known)
    } else {
        acp_answer(method, id, frame, known)
    }
}

/// The end of a turn that the client cancelled, in the dialect of the recording.
pub(super) fn cancelled_turn(id: &Value, known: &Known) -> Value {
    if known.init.is_none() {
        return json!({"jsonrpc": "2.0", "id": id, "result": {"stopReason": "cancelled"}});
    }
    json!({
        "type": "result",
        "subtype": "error_during_execution",
        "is_error": true,
        "stop_reason": null,
        "terminal_reason": "aborted_streaming",
        "session_id": known.of_init("session_id"),
    })
}

fn stream_json_answer(method: &str, id: &Value, known: &Known) -> Value {
    let response = match method {
        USER_LINE => {
            return json!({
                "type": "result",
                "subtype": "error_during_execution",
                "is_error": true,
                "errors": ["The recording ends here: it has no further prompt"],
                "session_id": known.of_init("session_id"),
            });
        }
        // A recording may begin after it, as that of a session which can't be resumed.
        "initialize" => {
            json!({"commands": [], "models": [], "claude_code_version": known.of_init("claude_code_version")})
        }
        "interrupt" => json!({"still_queued": []}),
        "mcp_status" => json!({"mcpServers": known.of_init("mcp_servers")}),
        "set_permission_mode" | "set_model" => json!({}),
        _ => {
            let error = format!("Not in the recording: {method}");
            return json!({
                "type": "control_response",
                "response": {"subtype": "error", "request_id": id, "error": error},
            });
        }
    };
    json!({
        "type": "control_response",
        "response": {"subtype": "success", "request_id": id, "response": response},
    })
}

fn acp_answer(method: &str, id: &Value, frame: &Value, known: &mut Known) -> Value {
    let nothing = Value::Null;
    let param = |name: &str| {
        frame
            .get("params")
            .and_then(|params| params.get(name))
            .unwrap_or(&nothing)
    };
    let result = match method {
        "initialize" => json!({"protocolVersion": 1, "agentCapabilities": {}, "authMethods": []}),
        "session/close" | "session/set_mode" | "session/set_model" => json!({}),
        "session/list" => json!({"sessions": []}),
        "session/set_config_option" => match known.set(param("configId"), param("value")) {
            Some(options) => json!({"configOptions": options}),
            None => return error(id, -32_602, "The recording has no such option"),
        },
        "session/prompt" => {
            return error(
                id,
                -32_603,
                "The recording ends here: it has no further prompt",
            );
        }
        _ => {
            return error(
                id,
                -32_601,
                &format!("Method not found in the recording: {method}"),
            );
        }
    };
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn error(id: &Value, code: i64, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}
