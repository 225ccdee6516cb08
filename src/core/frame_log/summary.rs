//! What a frame is, in a few words: read from the fields that name it, in both dialects.

use serde_json::Value;

/// The kind of a frame and the name it goes by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub kind: FrameKind,
    /// The method or the type, with the kind of update where there is one; empty when the frame has no name.
    pub name: String,
    /// The request's id as it stands in the frame.
    pub id: Option<String>,
}

/// What kind of frame it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameKind {
    Request,
    Notification,
    Answer,
    Error,
    /// A line that is no JSON object.
    Stray,
}

/// Fields that say more about a frame of a known name, one below the other: `session/update` in ACP, then what
/// Claude Code's stream-json has.
const DETAILS: [&[&str]; 5] = [
    &["params", "update", "sessionUpdate"],
    &["request", "subtype"],
    &["response", "subtype"],
    &["event", "type"],
    &["subtype"],
];

impl Summary {
    /// Of a line on the wire.
    pub fn of(text: &str) -> Self {
        let Ok(Value::Object(frame)) = serde_json::from_str(text) else {
            return Self {
                kind: FrameKind::Stray,
                name: String::new(),
                id: None,
            };
        };
        let id = ["id", "request_id"]
            .iter()
            .find_map(|name| frame.get(*name));
        let words = |id: &Value| id.as_str().map_or_else(|| id.to_string(), str::to_owned);
        let id = id.filter(|id| !id.is_null()).map(words);
        let name = |field: &str| frame.get(field).and_then(Value::as_str);
        let frame_value = Value::Object(frame.clone());
        let detail = DETAILS.iter().find_map(|path| {
            let found = path
                .iter()
                .try_fold(&frame_value, |value, name| value.get(name));
            found.and_then(Value::as_str)
        });
        let main = name("method").or_else(|| name("type")).unwrap_or_default();
        let name_of_frame = match detail {
            Some(detail) if main.is_empty() => detail.to_owned(),
            Some(detail) => format!("{main} · {detail}"),
            None => main.to_owned(),
        };
        let kind = if frame.contains_key("error") {
            FrameKind::Error
        } else if frame.contains_key("result") || main == "control_response" {
            FrameKind::Answer
        } else if id.is_some() || main == "control_request" {
            FrameKind::Request
        } else {
            FrameKind::Notification
        };
        Self {
            kind,
            name: name_of_frame,
            id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_named_by_its_own_fields() {
        let cases = [
            (
                r#"{"id":1,"method":"initialize"}"#,
                FrameKind::Request,
                "initialize",
                Some("1"),
            ),
            (
                r#"{"method":"session/update","params":{"update":{"sessionUpdate":"plan"}}}"#,
                FrameKind::Notification,
                "session/update · plan",
                None,
            ),
            (
                r#"{"id":"a","result":{"method":"x"}}"#,
                FrameKind::Answer,
                "",
                Some("a"),
            ),
            (
                r#"{"id":2,"error":{"code":-1}}"#,
                FrameKind::Error,
                "",
                Some("2"),
            ),
            (
                r#"{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool"}}"#,
                FrameKind::Request,
                "control_request · can_use_tool",
                Some("r1"),
            ),
            (
                r#"{"type":"stream_event","event":{"type":"message_start"}}"#,
                FrameKind::Notification,
                "stream_event · message_start",
                None,
            ),
            ("INFO booted", FrameKind::Stray, "", None),
            ("[1]", FrameKind::Stray, "", None),
        ];
        for (text, kind, name, id) in cases {
            let expected = Summary {
                kind,
                name: name.to_owned(),
                id: id.map(str::to_owned),
            };
            assert_eq!(Summary::of(text), expected, "{text}");
        }
    }
}
