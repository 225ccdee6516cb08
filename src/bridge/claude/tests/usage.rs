//! Readings of the context within a turn.

use super::*;

fn readings(bridge: &mut ClaudeBridge, frame: Value) -> Vec<u64> {
    let told = events(receive(bridge, frame));
    let reading = |event| match event {
        SessionEvent::UsageReported(report) => report.context_used,
        _ => None,
    };
    told.into_iter().filter_map(reading).collect()
}

#[test]
fn the_end_of_a_message_tells_what_it_has_written() {
    let mut bridge = bridge_in_turn();
    let stream =
        |event: Value| json!({"type": "stream_event", "parent_tool_use_id": null, "event": event});
    let start = json!({"type": "message_start", "message": {"id": "m1", "usage": {
        "input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 1}}});
    assert_eq!(readings(&mut bridge, stream(start)), [101]);
    let end = json!({"type": "message_delta", "usage": {"output_tokens": 40}});
    assert_eq!(readings(&mut bridge, stream(end)), [140]);
    let whole = json!({"type": "message_delta", "usage": {
        "input_tokens": 12, "cache_read_input_tokens": 90, "output_tokens": 50}});
    assert_eq!(readings(&mut bridge, stream(whole)), [152]);
    let nothing = json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}});
    assert_eq!(readings(&mut bridge, stream(nothing)), [] as [u64; 0]);
}
