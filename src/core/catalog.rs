//! The ops tools that we know, and what running one of them means.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use toml_edit::DocumentMut;

/// What running an ops tool means for the person's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpsClass {
    /// Changes nothing.
    ReadOnly,
    /// One undo takes it back.
    Undoable,
    /// Changes something for good.
    Other,
    /// Talks to the network.
    External,
}

/// Ops tools by their exact server and tool. What is not in it has no class.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpsCatalog {
    tools: BTreeMap<(String, String), OpsClass>,
}

static BUILT_IN: LazyLock<OpsCatalog> = LazyLock::new(|| {
    let catalog = OpsCatalog::parse(include_str!("../../assets/ops-tools.toml"));
    debug_assert!(catalog.is_some(), "the built-in catalog parses");
    catalog.unwrap_or_default()
});

impl OpsCatalog {
    /// The catalog that comes with the program.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    fn parse(text: &str) -> Option<Self> {
        let file: DocumentMut = text.parse().ok()?;
        let server = file.get("server")?.as_str()?;
        let mut tools = BTreeMap::new();
        for (key, class) in [
            ("read-only", OpsClass::ReadOnly),
            ("undoable", OpsClass::Undoable),
            ("other", OpsClass::Other),
            ("external", OpsClass::External),
        ] {
            for name in file.get(key)?.as_array()? {
                let tool = (server.to_owned(), name.as_str()?.to_owned());
                let earlier = tools.insert(tool, class);
                debug_assert!(earlier.is_none(), "a tool is in one class only");
            }
        }
        Some(Self { tools })
    }

    /// What the tool is, by its exact names.
    pub fn class(&self, server: &str, tool: &str) -> Option<OpsClass> {
        self.tools
            .get(&(server.to_owned(), tool.to_owned()))
            .copied()
    }

    /// How many tools are known.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether no tool is known.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_catalog_knows_each_tool_once() {
        let catalog = OpsCatalog::built_in();
        assert_eq!(catalog.len(), 67);
        assert_eq!(
            catalog.class("unity-ops", "uap_ping"),
            Some(OpsClass::ReadOnly)
        );
        assert_eq!(
            catalog.class("unity-ops", "uap_property_set"),
            Some(OpsClass::Undoable)
        );
        assert_eq!(
            catalog.class("unity-ops", "uap_asset_delete"),
            Some(OpsClass::Other)
        );
        assert_eq!(
            catalog.class("unity-ops", "uap_web_fetch"),
            Some(OpsClass::External)
        );
    }

    #[test]
    fn a_tool_of_another_server_or_another_spelling_has_no_class() {
        let catalog = OpsCatalog::built_in();
        for (server, tool) in [
            ("other", "uap_ping"),
            ("unity_ops", "uap_ping"),
            ("unity-ops", "UAP_PING"),
            ("unity-ops", "uap_ping "),
            ("unity-ops", "uap_anything_else"),
        ] {
            assert_eq!(catalog.class(server, tool), None, "{server} {tool}");
        }
    }
}
