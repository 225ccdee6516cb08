//! Claude Code through `claude-agent-acp`: steps of a subagent are calls of the same session that name their parent.

use serde_json::{Map, Value};

use crate::core::identity::shape::MetaPath;
use crate::core::ids::ToolCallId;
use crate::core::kept_json::KeptJson;
use crate::core::tool_call::ToolCallContent;

/// Its name in `agentInfo`.
pub(super) const NAME: &str = "@agentclientprotocol/claude-agent-acp";

/// For versions and frames without `name` on their calls.
pub(super) const TOOL_NAME: MetaPath = &["claudeCode", "toolName"];

pub(super) fn parent_call(meta: &Map<String, Value>) -> Option<ToolCallId> {
    let parent = meta.get("claudeCode")?.get("parentToolUseId")?.as_str()?;
    Some(ToolCallId::from(parent))
}

/// A shell call brings the `description` of its arguments as content until it has output, which may be never.
pub(super) fn only_describes(content: &[ToolCallContent], input: Option<&KeptJson>) -> bool {
    let ([ToolCallContent::Text(text)], Some(input)) = (content, input) else {
        return false;
    };
    let input = input.value();
    input.get("description").and_then(Value::as_str) == Some(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_description_is_no_output() {
        let input = KeptJson::from(json!({"command": "ls", "description": "Lists"}));
        let text = |text: &str| ToolCallContent::Text(text.to_owned());
        assert!(only_describes(&[text("Lists")], Some(&input)));
        assert!(!only_describes(&[text("a.txt")], Some(&input)));
        assert!(!only_describes(
            &[text("Lists"), text("a.txt")],
            Some(&input)
        ));
        assert!(!only_describes(&[], Some(&input)));
        assert!(!only_describes(&[text("Lists")], None));
    }

    #[test]
    fn a_step_of_a_subagent_names_its_parent() {
        let meta = json!({"claudeCode": {"toolName": "Read", "parentToolUseId": "toolu_1"}});
        let meta = meta.as_object().unwrap();
        assert_eq!(parent_call(meta), Some(ToolCallId::from("toolu_1")));
        assert_eq!(parent_call(&Map::new()), None);
    }
}
