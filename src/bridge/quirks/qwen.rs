//! Qwen Code: tool names and context windows in `_meta`.

use serde_json::{Map, Value};

use crate::bridge::json::Object;

pub(super) fn tool_name(meta: &Map<String, Value>) -> Option<String> {
    meta.get("toolName")?.as_str().map(str::to_owned)
}

pub(super) fn context_window(meta: &Object<'_>) -> Option<u64> {
    meta.number("contextLimit")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_and_windows() {
        let meta = json!({"toolName": "mcp__unity-ops__uap_ping", "provenance": "mcp"});
        let name = tool_name(meta.as_object().unwrap());
        assert_eq!(name.as_deref(), Some("mcp__unity-ops__uap_ping"));
        let window = Object::parse(r#"{"contextLimit":200000}"#).unwrap();
        assert_eq!(context_window(&window), Some(200_000));
    }
}
