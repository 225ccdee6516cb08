//! Messages that the connection to the model broke off: void once they are begun anew, and kept when they are not.

use super::*;
use crate::core::transcript::{AbandonedText, MessageKind};

fn stream(event: Value) -> Value {
    json!({"type": "stream_event", "parent_tool_use_id": null, "event": event})
}

fn stop(abandoned_from: u64) -> Value {
    let mut frame = stream(json!({"type": "message_stop"}));
    frame["abandoned_blocks"] = json!({"api_message_id": "m1", "from_block_index": abandoned_from});
    frame
}

/// A thought, a text and the start of a call; what `last` then tells.
fn after_a_break(from: u64, interrupted: bool, last: Value) -> Vec<SessionEvent> {
    let mut bridge = bridge_in_turn();
    let begun = [
        json!({"type": "message_start", "message": {"id": "m1"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Well"}}),
        json!({"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "t1", "name": "Bash"}}),
    ];
    for event in begun {
        drop(receive(&mut bridge, stream(event)));
    }
    if interrupted {
        drop(bridge.send(AgentMessage::Cancel { session: SESSION }));
    }
    assert_eq!(events(receive(&mut bridge, stop(from))), []);
    events(receive(&mut bridge, last))
}

fn lost(kind: MessageKind, text: &str) -> SessionEvent {
    SessionEvent::TextAbandoned(AbandonedText {
        kind,
        message_id: Some("m1".to_owned()),
        text: Some(text.to_owned()),
    })
}

fn retry() -> Value {
    json!({"type": "system", "subtype": "api_retry", "attempt": 1, "error": "unknown"})
}

fn anew() -> Value {
    stream(json!({"type": "message_start", "message": {"id": "m2"}}))
}

#[test]
fn what_is_begun_anew_is_void() {
    let whole = assistant(json!({"type": "text", "text": "Well done"}));
    for last in [retry(), anew(), whole] {
        let events = after_a_break(0, false, last);
        let expected = [
            lost(MessageKind::Thought, "hm"),
            lost(MessageKind::Agent, "Well"),
        ];
        assert_eq!(events.get(..2), Some(expected.as_slice()));
        assert!(
            matches!(
                events.get(2),
                Some(SessionEvent::ToolCallPatched { id, patch })
                    if id.as_str() == "t1" && patch.status == Some(ToolCallStatus::Cancelled)
            ),
            "{events:?}"
        );
    }
    let events = after_a_break(1, false, anew());
    assert_eq!(events.first(), Some(&lost(MessageKind::Agent, "Well")));
}

#[test]
fn what_nobody_begins_anew_stays() {
    let failed =
        json!({"type": "result", "subtype": "success", "is_error": true, "result": "Overloaded"});
    let synthetic = json!({"type": "assistant", "error": "unknown", "message": {"model": "<synthetic>",
        "content": [{"type": "text", "text": "API Error"}]}});
    let cases = [
        (after_a_break(0, false, failed), "a failed turn"),
        (after_a_break(0, false, synthetic), "an error"),
        (after_a_break(0, true, anew()), "an interruption"),
    ];
    for (events, case) in cases {
        let taken_back = events
            .iter()
            .any(|event| matches!(event, SessionEvent::TextAbandoned(_)));
        assert!(!taken_back, "{case}: {events:?}");
    }
}
