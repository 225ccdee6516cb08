//! Answers to requests that a recording does not hold.

use serde_json::{Value, json};

/// What was sent to the client and is needed for later answers.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    config_options: Option<Value>,
}

impl Known {
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
