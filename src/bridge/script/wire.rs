//! What a frame is by itself, in either wire language: a request, an answer, a notification, or none of these.

use serde_json::Value;

/// The name under which a prompt of the stream-json dialect is known: the `type` of its line.
pub(super) const USER_LINE: &str = "user";

const NOTHING: &Value = &Value::Null;

/// What a frame is by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shape<'a> {
    /// A request of ACP by its method, a control request by its subtype; or a prompt of stream-json, which has no id.
    Request {
        method: &'a str,
        id: &'a Value,
    },
    Notification {
        method: &'a str,
    },
    Answer {
        id: &'a Value,
    },
    /// The end of a turn in stream-json: it answers the oldest prompt that is open.
    TurnResult,
    /// Any other line.
    Other,
}

/// Reads the shape of a frame that goes to the agent, or comes from it.
pub(super) fn shape(frame: &Value, to_agent: bool) -> Shape<'_> {
    if is_stream_json(frame) {
        return stream_json(frame, to_agent);
    }
    let method = frame.get("method").and_then(Value::as_str);
    match (method, frame.get("id")) {
        (Some(method), Some(id)) => Shape::Request { method, id },
        (Some(method), None) => Shape::Notification { method },
        (None, Some(id)) => Shape::Answer { id },
        (None, None) => Shape::Other,
    }
}

/// Whether a frame is one of Claude Code's own dialect: it has a `type` where JSON-RPC has its version.
pub(super) fn is_stream_json(frame: &Value) -> bool {
    frame.get("jsonrpc").is_none() && frame.get("type").is_some_and(Value::is_string)
}

fn stream_json(frame: &Value, to_agent: bool) -> Shape<'_> {
    let kind = frame
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    match kind {
        "control_request" => {
            let subtype = frame.pointer("/request/subtype").and_then(Value::as_str);
            Shape::Request {
                method: subtype.unwrap_or_default(),
                id: frame.get("request_id").unwrap_or(NOTHING),
            }
        }
        "control_response" => Shape::Answer {
            id: frame.pointer("/response/request_id").unwrap_or(NOTHING),
        },
        USER_LINE if to_agent => Shape::Request {
            method: USER_LINE,
            id: NOTHING,
        },
        "result" if !to_agent => Shape::TurnResult,
        _ => Shape::Other,
    }
}

/// The values that a request carries.
pub(super) fn params(frame: &Value) -> Option<&Value> {
    frame.get("params").or_else(|| frame.get("request"))
}

/// A recorded answer for a request with another id than the recorded one.
pub(super) fn readdressed(answer: &Value, id: &Value) -> Value {
    let mut answer = answer.clone();
    let place = if is_stream_json(&answer) {
        answer.pointer_mut("/response/request_id")
    } else {
        answer.get_mut("id")
    };
    if let Some(place) = place {
        place.clone_from(id);
    }
    answer
}
