//! What a tool is called, for people and scripts.

use crate::core::tool_call::{ToolCall, ToolKind};

/// The name of a call's tool: the agent's own where it gives one, else the canonical name of the call's kind.
/// Titles are free text and no source of names. For show only: a name is never a reason to allow a call.
pub fn tool_name(call: &ToolCall) -> &str {
    call.name
        .as_deref()
        .filter(|name| !name.trim().is_empty())
        .unwrap_or_else(|| name_of_kind(call.kind))
}

fn name_of_kind(kind: ToolKind) -> &'static str {
    match kind {
        ToolKind::Read => "Read",
        ToolKind::Edit => "Edit",
        ToolKind::Delete => "Delete",
        ToolKind::Move => "Move",
        ToolKind::Search => "Search",
        ToolKind::Execute => "Bash",
        ToolKind::Think => "Think",
        ToolKind::Fetch => "WebFetch",
        ToolKind::SwitchMode | ToolKind::Other => "Tool",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::ids::ToolCallId;
    use crate::core::time::Timestamp;

    #[test]
    fn the_agents_name_goes_before_the_kind_and_a_title_is_no_name() {
        let mut call = ToolCall::placeholder(ToolCallId::from("t1"), Timestamp(0));
        "Read secrets".clone_into(&mut call.title);
        assert_eq!(tool_name(&call), "Tool");
        call.kind = ToolKind::Execute;
        assert_eq!(tool_name(&call), "Bash");
        call.name = Some(" ".to_owned());
        assert_eq!(tool_name(&call), "Bash");
        call.name = Some("mcp__ops__ping".to_owned());
        assert_eq!(tool_name(&call), "mcp__ops__ping");
    }
}
