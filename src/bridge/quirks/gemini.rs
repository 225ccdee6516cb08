//! Gemini CLI: says in a message which mode is on, and sends errors of the model server as they came.

use crate::bridge::json::Object;
use crate::core::event::SessionEvent;
use crate::core::ids::ModeId;
use crate::core::notice::RpcError;

/// Its name in `agentInfo`.
pub(super) const NAME: &str = "gemini-cli";

/// "[`MODE_UPDATE`] yolo" comes before the answer to `session/set_mode`, in place of a `current_mode_update`.
pub(super) fn chunk(text: &str, modes: &[ModeId]) -> Option<SessionEvent> {
    let word = text.strip_prefix("[MODE_UPDATE] ")?;
    let mode = modes.iter().find(|mode| mode.as_str() == word)?;
    Some(SessionEvent::ModeChanged(mode.clone()))
}

/// The message of a failed model call is the server's JSON, and the code its HTTP status.
pub(super) fn readable(mut error: RpcError) -> RpcError {
    let inner = Object::parse(&error.message)
        .and_then(|outer| outer.object("error"))
        .and_then(|inner| inner.text("message"));
    if let Some(message) = inner.filter(|message| !message.is_empty()) {
        error.message = message;
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_about_the_mode_is_no_text() {
        let modes = [ModeId::from("default"), ModeId::from("yolo")];
        let changed = |mode: &str| Some(SessionEvent::ModeChanged(ModeId::from(mode)));
        let cases = [
            ("[MODE_UPDATE] yolo", changed("yolo")),
            ("[MODE_UPDATE] yolo ", None),
            ("[MODE_UPDATE] other", None),
            ("I say [MODE_UPDATE] yolo", None),
        ];
        for (text, expected) in cases {
            assert_eq!(chunk(text, &modes), expected, "{text}");
        }
    }

    #[test]
    fn the_server_s_words_are_the_message() {
        let cases = [
            (
                r#"{"error":{"code":400,"message":"Mock error","status":"X"}}"#,
                "Mock error",
            ),
            (r#"{"error":{"code":400}}"#, r#"{"error":{"code":400}}"#),
            ("plain", "plain"),
        ];
        for (message, expected) in cases {
            let error = RpcError {
                code: 400,
                message: message.to_owned(),
                data: None,
            };
            assert_eq!(readable(error).message, expected);
        }
    }
}
