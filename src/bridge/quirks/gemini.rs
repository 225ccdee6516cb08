//! Gemini CLI: says in a message which mode is on, sends errors of the model server as they came, and a loaded history
//! after its answer, with messages in the person's name that the person never wrote.

use crate::bridge::json::Object;
use crate::core::backend::AgentCapabilities;
use crate::core::event::SessionEvent;
use crate::core::ids::ModeId;
use crate::core::notice::RpcError;

/// Its name in `agentInfo`.
pub(super) const NAME: &str = "gemini-cli";

pub(super) fn correct_capabilities(capabilities: &mut AgentCapabilities) {
    capabilities.late_history = true;
}

/// The agent's messages, counted: what stands between two in a loaded history may not be shown.
#[derive(Debug, Default)]
pub(crate) struct Messages(u64);

impl Messages {
    pub(super) fn id(&self) -> String {
        format!("gemini {}", self.0)
    }

    pub(super) fn is_own_doing(&mut self, user_text: &str) -> bool {
        let own = is_own_doing(user_text);
        if own {
            self.0 = self.0.wrapping_add(1);
        }
        own
    }
}

/// What it tells the model before the first message, and the place of a tool's result, whose call is shown.
fn is_own_doing(user_text: &str) -> bool {
    let within = |start: &str, end: &str| {
        let rest = user_text.trim().strip_prefix(start);
        rest.and_then(|rest| rest.strip_suffix(end))
    };
    let context = within("<session_context>", "</session_context>");
    let result = within("[Function Response: ", "]").filter(|name| !name.contains(']'));
    context.or(result).is_some()
}

/// `[MODE_UPDATE] yolo` comes before the answer to `session/set_mode`, in place of a `current_mode_update`.
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
    fn messages_that_the_person_never_wrote() {
        let cases = [
            (
                "<session_context>\nThis is the Gemini CLI.\n</session_context>",
                true,
            ),
            ("[Function Response: run_shell_command]", true),
            ("[Function Response: a] and [b]", false),
            ("What is a [Function Response: x]", false),
            ("<session_context> is what?", false),
            ("", false),
        ];
        for (text, expected) in cases {
            assert_eq!(is_own_doing(text), expected, "{text}");
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
