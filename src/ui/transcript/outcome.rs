//! What an agent says of how a command ended: its exit code, and whether its output was cut.

use serde_json::Value;

use crate::core::tool_call::ToolCall;

/// Objects in objects beyond this are not looked into.
const DEPTH_MOST: usize = 4;
const EXIT_CODE: [&str; 5] = [
    "exitCode",
    "exit_code",
    "exitStatus",
    "exit_status",
    "returncode",
];
const TRUNCATED: [&str; 4] = [
    "truncated",
    "isTruncated",
    "is_truncated",
    "output_truncated",
];

/// The exit code of a call's command, where the agent gives one in its data.
pub fn exit_code(call: &ToolCall) -> Option<i64> {
    said(call, &EXIT_CODE, Value::as_i64)
}

/// Whether the agent says that it left out some of the output.
pub fn is_truncated(call: &ToolCall) -> bool {
    said(call, &TRUNCATED, Value::as_bool).unwrap_or(false)
}

/// What the output or the rest of the frames says under one of these names.
fn said<T>(call: &ToolCall, names: &[&str], read: impl Fn(&Value) -> Option<T>) -> Option<T> {
    let mut places = call.raw_output.iter().chain(&call.meta);
    places.find_map(|kept| below(&kept.value(), names, &read, DEPTH_MOST))
}

fn below<T>(
    value: &Value,
    names: &[&str],
    read: &impl Fn(&Value) -> Option<T>,
    depth: usize,
) -> Option<T> {
    let object = value.as_object()?;
    let here = names.iter().find_map(|name| read(object.get(*name)?));
    here.or_else(|| {
        let depth = depth.checked_sub(1)?;
        let mut values = object.values();
        values.find_map(|value| below(value, names, read, depth))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::core::ids::ToolCallId;
    use crate::core::kept_json::KeptJson;
    use crate::core::time::Timestamp;

    #[test]
    fn exit_codes_are_found_where_agents_put_them() {
        let cases = [
            (json!({"exitCode": 3}), None, Some(3)),
            (
                json!({"metadata": {"exit_code": 1}, "output": "x"}),
                None,
                Some(1),
            ),
            (
                json!("plain"),
                Some(json!({"terminal_exit": {"exit_code": 0, "terminal_id": "t"}})),
                Some(0),
            ),
            (json!({"exitStatus": {"exitCode": 2}}), None, Some(2)),
            (json!({"exitCode": "x"}), None, None),
            (json!([{"exitCode": 1}]), None, None),
        ];
        for (raw_output, meta, expected) in cases {
            let call = ToolCall {
                raw_output: Some(raw_output.into()),
                meta: meta.map(KeptJson::from),
                ..ToolCall::placeholder(ToolCallId::from("c"), Timestamp(0))
            };
            assert_eq!(exit_code(&call), expected, "{call:?}");
            assert!(!is_truncated(&call));
        }
    }

    #[test]
    fn a_cut_output_is_known() {
        let call = ToolCall {
            raw_output: Some(json!({"shell": {"truncated": true, "exitCode": 0}}).into()),
            ..ToolCall::placeholder(ToolCallId::from("c"), Timestamp(0))
        };
        assert!(is_truncated(&call));
    }
}
