//! Claude Code through `claude-agent-acp`: steps of a subagent are calls of the same session that name their parent.

use serde_json::{Map, Value};

use crate::core::ids::ToolCallId;

fn member<'a>(meta: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    meta.get("claudeCode")?.get(name)?.as_str()
}

pub(super) fn parent_call(meta: &Map<String, Value>) -> Option<ToolCallId> {
    member(meta, "parentToolUseId").map(ToolCallId::from)
}

/// For versions without `name` on their calls.
pub(super) fn tool_name(meta: &Map<String, Value>) -> Option<String> {
    member(meta, "toolName").map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_step_of_a_subagent_names_its_parent() {
        let meta = json!({"claudeCode": {"toolName": "Read", "parentToolUseId": "toolu_1"}});
        let meta = meta.as_object().unwrap();
        assert_eq!(parent_call(meta), Some(ToolCallId::from("toolu_1")));
        assert_eq!(tool_name(meta).as_deref(), Some("Read"));
        assert_eq!(parent_call(&Map::new()), None);
    }
}
