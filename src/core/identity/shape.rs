//! Where the calls of an agent hold an identifier: facts of its dialect, established from recordings.

/// What is known of an agent's calls. The default is an agent that we know nothing about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallShape {
    pub first_title: FirstTitle,
    /// Where in `_meta` its program puts the tool's name.
    pub meta_name: Option<MetaPath>,
}

/// Keys that lead to a value, outermost first.
pub type MetaPath = &'static [&'static str];

/// The paths under which agents put a tool's name. The bridge makes it the call's name where an agent is known to do
/// so; what stands there and says something else can only raise doubt.
pub const KNOWN_META_NAMES: [MetaPath; 4] = [
    &["claudeCode", "toolName"],
    &["toolName"],
    &["tool_name"],
    &["x.ai/tool", "name"],
];

/// What the first title of a call is, before any update has replaced it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FirstTitle {
    /// Words for a person, which a model may have chosen.
    #[default]
    FreeText,
    /// The bare name of the tool, put there by the agent's program.
    ToolName,
}
