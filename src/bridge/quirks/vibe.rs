//! Mistral Vibe: counts the tokens of a prompt's answer over the whole session, and takes MCP servers over
//! HTTP without saying so.

use serde_json::{Map, Value};

use crate::core::backend::AgentCapabilities;

/// Its name in `agentInfo`.
pub(super) const NAME: &str = "@mistralai/mistral-vibe";

pub(super) fn correct_capabilities(capabilities: &mut AgentCapabilities) {
    capabilities.mcp_http = true;
}

pub(super) fn tool_name(meta: &Map<String, Value>) -> Option<String> {
    meta.get("tool_name")?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::bridge::quirks::Quirks;
    use crate::core::backend::AgentInfo;
    use crate::core::usage::TokenSpan;

    #[test]
    fn its_name_brings_its_departures() {
        let quirks = Quirks::of(&AgentInfo {
            name: NAME.to_owned(),
            ..AgentInfo::default()
        });
        let mut capabilities = AgentCapabilities::default();
        quirks.correct_capabilities(&mut capabilities);
        assert!(capabilities.mcp_http && !capabilities.mcp_sse);
        assert_eq!(quirks.usage_span(), TokenSpan::Session);
        let meta = json!({"tool_name": "write_file", "effect_kind": "file_write"});
        assert_eq!(
            tool_name(meta.as_object().unwrap()).as_deref(),
            Some("write_file")
        );
    }
}
