//! Whatever is said, we write whole lines, and nothing that is printed makes us panic.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

proptest! {
    /// A line that is no message of the dialect ends the program: whatever is said, each line is one JSON object.
    #[test]
    fn every_line_we_write_is_one_json_object(text in any::<String>(), server in any::<String>(), mode in any::<String>()) {
        let mut bridge = bridge();
        let messages = [
            AgentMessage::Prompt { session: SESSION, turn: TurnId(1), prompt: Prompt::text(&text) },
            AgentMessage::ReconnectMcp { session: SESSION, server },
            AgentMessage::SetMode { session: SESSION, mode: mode.into() },
        ];
        for message in messages {
            for frame in bridge.send(message).frames {
                prop_assert!(!frame.contains(['\n', '\r']));
                let value: Value = serde_json::from_str(&frame).expect("JSON");
                prop_assert!(value.get("type").is_some_and(Value::is_string));
            }
        }
    }

    /// Whatever the program prints, nothing panics.
    #[test]
    fn any_line_is_taken_in(line in ".{0,200}", kind in "system|assistant|user|result|stream_event|control_request", body in any::<Vec<String>>()) {
        let mut bridge = bridge_in_turn();
        drop(bridge.receive(Line::Text { text: line, replaced: false }));
        drop(receive(&mut bridge, json!({"type": kind, "message": body, "event": body, "request": body})));
    }
}
