//! Which tool a call is. Names are read from places that hold an identifier; free text is never searched.

pub mod arguments;
mod hints;
pub mod names;
pub mod shape;

#[cfg(test)]
mod tests;

use std::fmt;

use serde_json::Value;

use crate::core::tool_call::ToolCall;
use hints::Hints;
use shape::CallShape;

/// Which tool a call is, and how well we know it.
#[derive(Debug, Clone, PartialEq)]
pub struct Identity {
    pub name: ToolName,
    /// The name as it stood on the wire, where one did.
    pub wire_name: Option<String>,
    pub source: IdentitySource,
    pub certainty: Certainty,
    /// The tool's own arguments, out of a dispatcher's wrapping.
    pub arguments: Option<Value>,
}

/// The name of a tool, the same for every agent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolName {
    Read,
    Write,
    Edit,
    Bash,
    WebFetch,
    WebSearch,
    Search,
    Delete,
    Move,
    Think,
    Task,
    TodoWrite,
    /// A question to the person.
    AskUserQuestion,
    /// A plan to be approved or a mode to be switched: a question to the person too.
    ExitPlanMode,
    Mcp {
        server: String,
        tool: String,
    },
    /// A tool of the agent's own, in the agent's words.
    Other(String),
    /// Shown as `Tool`.
    Unknown,
}

/// What a name was read from. Kind and title are no more than the agent's talk about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdentitySource {
    /// A place that holds an identifier in this agent's dialect.
    IdentifierField,
    /// Server and tool, each in a field of its own, or a dispatcher's input.
    StructuredServerAndTool,
    /// What the call carries: a command line, a diff, questions.
    Content,
    /// The kind of the protocol.
    ProtocolKind,
    /// The title.
    Title,
    /// The agent asked us to do it: the method of its request says which tool it is.
    ClientRequest,
    None,
}

/// Whether all hints agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Certainty {
    Certain,
    /// More than one reading is possible, or the only one is weak. Holds at least the chosen name.
    Unsure {
        readings: Vec<ToolName>,
    },
}

/// What a session knows that helps to read its calls.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IdentityContext {
    /// The MCP servers that this session was given, by name.
    pub servers: Vec<String>,
    /// The name of our own server.
    pub ops_server: String,
    pub shape: CallShape,
}

/// Which tool the call is. `call` has all frames so far merged.
pub fn identify(call: &ToolCall, context: &IdentityContext) -> Identity {
    let hints = Hints::collect(call, context);
    let readings = hints.readings();
    let (name, source, certainty) = match readings.split_first() {
        Some((first, [])) if !hints.only_weak() => {
            (first.clone(), hints.source_of(first), Certainty::Certain)
        }
        Some((first, _)) => (
            first.clone(),
            hints.source_of(first),
            Certainty::Unsure {
                readings: readings.clone(),
            },
        ),
        None => {
            let (name, source) = hints.talk();
            (name, source, Certainty::Certain)
        }
    };
    Identity {
        wire_name: hints.wire_name(&name),
        arguments: arguments::own_arguments(call, &name, hints.arguments_place()),
        name,
        source,
        certainty,
    }
}

impl Identity {
    /// Whether the name is more than what the agent says about itself, and nothing contradicts it.
    pub fn is_established(&self) -> bool {
        self.certainty == Certainty::Certain && self.source.is_identifying()
    }

    /// All names that the call may have.
    pub fn readings(&self) -> &[ToolName] {
        match &self.certainty {
            Certainty::Certain => std::slice::from_ref(&self.name),
            Certainty::Unsure { readings } => readings,
        }
    }

    /// What is known after one more frame of the same call. A weaker reading doesn't replace a stronger one, and two
    /// strong ones that differ leave doubt.
    #[must_use]
    pub fn refined(self, later: Self) -> Self {
        if !self.is_established() {
            return later;
        }
        if later.certainty == Certainty::Certain && !later.source.is_identifying() {
            return self;
        }
        if later.is_established() && later.name == self.name {
            return Self {
                wire_name: later.wire_name.or(self.wire_name),
                arguments: later.arguments.or(self.arguments),
                ..self
            };
        }
        let mut readings = later.readings().to_vec();
        if !readings.contains(&self.name) {
            readings.push(self.name);
        }
        Self {
            certainty: Certainty::Unsure { readings },
            ..later
        }
    }
}

impl IdentitySource {
    /// Whether the name rests on more than the agent's talk about itself.
    pub fn is_identifying(self) -> bool {
        match self {
            Self::IdentifierField
            | Self::StructuredServerAndTool
            | Self::Content
            | Self::ClientRequest => true,
            Self::ProtocolKind | Self::Title | Self::None => false,
        }
    }

    /// The word for scripts and the record.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::IdentifierField => "identifier_field",
            Self::StructuredServerAndTool => "structured_server_and_tool",
            Self::Content => "content",
            Self::ProtocolKind => "protocol_kind",
            Self::Title => "title",
            Self::ClientRequest => "client_request",
            Self::None => "none",
        }
    }
}

impl ToolName {
    /// Whether the tool asks the person something.
    pub fn asks_the_person(&self) -> bool {
        matches!(self, Self::AskUserQuestion | Self::ExitPlanMode)
    }

    /// The name in rules and in the record: `Bash`, `mcp__server__tool`, the agent's own word, or `Tool`.
    pub fn canonical(&self) -> String {
        match self {
            Self::Read => "Read".to_owned(),
            Self::Write => "Write".to_owned(),
            Self::Edit => "Edit".to_owned(),
            Self::Bash => "Bash".to_owned(),
            Self::WebFetch => "WebFetch".to_owned(),
            Self::WebSearch => "WebSearch".to_owned(),
            Self::Search => "Search".to_owned(),
            Self::Delete => "Delete".to_owned(),
            Self::Move => "Move".to_owned(),
            Self::Think => "Think".to_owned(),
            Self::Task => "Task".to_owned(),
            Self::TodoWrite => "TodoWrite".to_owned(),
            Self::AskUserQuestion => "AskUserQuestion".to_owned(),
            Self::ExitPlanMode => "ExitPlanMode".to_owned(),
            Self::Mcp { server, tool } => format!("mcp__{server}__{tool}"),
            Self::Other(title) => title.clone(),
            Self::Unknown => "Tool".to_owned(),
        }
    }
}

impl fmt::Display for ToolName {
    /// The name on a card: `server: tool` for MCP.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Mcp { server, tool } = self {
            return write!(f, "{server}: {tool}");
        }
        f.write_str(&self.canonical())
    }
}
