//! Codex: a broken connection to the model's service stands in the `_meta` of `session_info_update`.

use crate::bridge::json::Object;
use crate::core::event::SessionEvent;
use crate::core::notice::Note;
use crate::core::transcript::{AbandonedText, MessageKind};

/// codex-acp 2.x.
pub(super) const NAME: &str = "@agentclientprotocol/codex-acp";

/// What an update tells that says that the answer is begun anew (recorded in `codex-acp/dropped-stream`).
pub(super) fn begun_anew(word: &str, update: &Object<'_>) -> Vec<SessionEvent> {
    if word != "session_info_update" {
        return Vec::new();
    }
    let error = update
        .object("_meta")
        .and_then(|meta| meta.object("codex")?.object("error"));
    let Some(error) = error.filter(|error| error.flag("willRetry") == Some(true)) else {
        return Vec::new();
    };
    let told = error.text("message").unwrap_or_default();
    let message = error.text("additionalDetails").unwrap_or_default();
    let note = match attempt(&told) {
        Some((attempt, most)) => Note::Retrying {
            attempt,
            most: Some(most),
            message,
        },
        None => Note::Agent(told),
    };
    let lost = |kind| {
        SessionEvent::TextAbandoned(AbandonedText {
            kind,
            message_id: None,
            text: None,
        })
    };
    vec![lost(MessageKind::Agent), SessionEvent::Noted(note)]
}

/// The numbers in `Reconnecting... 1/5`.
fn attempt(told: &str) -> Option<(u64, u64)> {
    let (attempt, most) = told.rsplit(' ').next()?.split_once('/')?;
    Some((attempt.parse().ok()?, most.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_an_error_that_is_tried_again_takes_text_back() {
        let told = |error: serde_json::Value| {
            let update = json!({"_meta": {"codex": {"error": error}}}).to_string();
            let update = Object::parse(&update).unwrap();
            begun_anew("session_info_update", &update)
        };
        let events = told(json!({
            "message": "Reconnecting... 2/5", "willRetry": true, "additionalDetails": "stream closed",
        }));
        let note = Note::Retrying {
            attempt: 2,
            most: Some(5),
            message: "stream closed".to_owned(),
        };
        assert_eq!(events.last(), Some(&SessionEvent::Noted(note)));
        assert_eq!(events.len(), 2);
        let odd = told(json!({"message": "Again", "willRetry": true}));
        let note = Note::Agent("Again".to_owned());
        assert_eq!(odd.last(), Some(&SessionEvent::Noted(note)));
        assert_eq!(told(json!({"message": "Failed", "willRetry": false})), []);
    }
}
