//! Qwen Code: tool names and context windows in `_meta`.

use crate::bridge::json::Object;
use crate::core::identity::shape::MetaPath;

/// Its name in `agentInfo`.
pub(super) const NAME: &str = "qwen-code";

pub(super) const TOOL_NAME: MetaPath = &["toolName"];

pub(super) fn context_window(meta: &Object<'_>) -> Option<u64> {
    meta.number("contextLimit")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows() {
        let window = Object::parse(r#"{"contextLimit":200000}"#).unwrap();
        assert_eq!(context_window(&window), Some(200_000));
    }
}
