//! Mistral Vibe: counts the tokens of a prompt's answer over the whole session, and takes MCP servers over
//! HTTP without saying so.

use crate::core::backend::AgentCapabilities;
use crate::core::identity::shape::MetaPath;

/// Its name in `agentInfo`.
pub(super) const NAME: &str = "@mistralai/mistral-vibe";

pub(super) fn correct_capabilities(capabilities: &mut AgentCapabilities) {
    capabilities.mcp_http = true;
}

pub(super) const TOOL_NAME: MetaPath = &["tool_name"];

#[cfg(test)]
mod tests {
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
    }
}
