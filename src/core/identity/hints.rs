//! All that a call says about which tool it is, each from its own place.

use serde_json::Value;

use super::arguments::{ArgumentsPlace, has_command, has_questions};
use super::names::{
    IdExtent, built_in, is_dispatcher, is_identifier, is_segment, joined, own_tool,
};
use super::shape::{FirstTitle, KNOWN_META_NAMES};
use super::{IdentityContext, IdentitySource, ToolName};
use crate::core::tool_call::{ToolCall, ToolCallContent, ToolKind};

/// The hints of one call.
pub(super) struct Hints {
    /// What the call carries: a command, questions, a diff.
    content: Option<ToolName>,
    structured: Vec<ToolName>,
    identified: Vec<Identified>,
    /// Names in `_meta`: they can only raise doubt.
    in_meta: Vec<ToolName>,
    /// An ops tool that the title names.
    titled: Option<ToolName>,
    /// A title fit to stand for a name.
    title: Option<String>,
    kind: ToolKind,
    /// Nothing but a weak form of the structure speaks for the name.
    weak: bool,
    id_holds_name: bool,
}

/// A name in an identifying place, with its text.
struct Identified {
    text: String,
    readings: Vec<ToolName>,
}

impl Hints {
    pub(super) fn collect(call: &ToolCall, context: &IdentityContext) -> Self {
        let input = call.input();
        let input = input.as_deref();
        let kind = kind_of(call);
        let id_name = name_in_id(call.id.as_str());
        let mut texts: Vec<String> = call.name.iter().cloned().collect();
        let mut in_meta = Vec::new();
        let meta = call.meta();
        for path in KNOWN_META_NAMES {
            let text = meta_text(meta.as_deref(), path);
            if let Some(text) = text.filter(|text| !is_dispatcher(text)) {
                in_meta.extend(readings_of(text, context).into_iter().take(1));
            }
        }
        texts.extend(id_name.map(str::to_owned));
        texts.extend(first_title(call, context).map(str::to_owned));
        let identified: Vec<_> = texts
            .into_iter()
            .filter(|text| is_identifier(text))
            .map(|text| Identified {
                readings: readings_of(&text, context),
                text,
            })
            .collect();
        let shell = has_command(input);
        let (structured, weak_form) = structured(input, context, shell);
        let content = if shell {
            Some(ToolName::Bash)
        } else if has_questions(input) {
            Some(ToolName::AskUserQuestion)
        } else if has_diff(call) {
            Some(ToolName::Edit)
        } else {
            None
        };
        let titled = (!shell && kind != ToolKind::Execute)
            .then(|| own_tool(&call.title, IdExtent::LeadingToken, &context.ops_server))
            .flatten()
            .map(|tool| own_name(tool, context));
        let speaks = identified.iter().any(|one| !one.readings.is_empty());
        Self {
            weak: weak_form && content.is_none() && !speaks,
            content,
            structured,
            identified,
            in_meta,
            titled,
            title: super::names::title_as_name(&call.title),
            kind,
            id_holds_name: id_name.is_some(),
        }
    }

    /// The names that rest on more than talk, the one to be shown first. More than one is doubt.
    pub(super) fn readings(&self) -> Vec<ToolName> {
        let mut readings: Vec<ToolName> = Vec::new();
        let shell = self.content == Some(ToolName::Bash);
        if shell {
            readings.push(ToolName::Bash);
        }
        let identified = self.identified.iter().flat_map(|one| &one.readings);
        // Of two weak hints the title comes first: a tool's own input may have a field `tool`.
        let titled = self.titled.iter().filter(|_| self.weak);
        for name in identified.chain(titled).chain(&self.structured) {
            add(&mut readings, name);
        }
        if let Some(content) = &self.content {
            add(&mut readings, content);
        }
        let Some(first) = readings.first().cloned() else {
            return readings;
        };
        if let Some(claimed) = kind_name(self.kind)
            && !kind_agrees(&first, self.kind)
        {
            add(&mut readings, &claimed);
        }
        for name in self.in_meta.iter().chain(&self.titled) {
            add(&mut readings, name);
        }
        readings
    }

    pub(super) fn only_weak(&self) -> bool {
        self.weak
    }

    /// Where the arguments are: agents whose ids hold the name send them only as JSON text.
    pub(super) fn arguments_place(&self) -> ArgumentsPlace {
        if self.id_holds_name {
            ArgumentsPlace::InputOrText
        } else {
            ArgumentsPlace::Input
        }
    }

    /// What the first reading was read from.
    pub(super) fn source_of(&self, name: &ToolName) -> IdentitySource {
        if self
            .identified
            .iter()
            .any(|one| one.readings.contains(name))
        {
            IdentitySource::IdentifierField
        } else if self.structured.contains(name) {
            IdentitySource::StructuredServerAndTool
        } else if self.content.as_ref() == Some(name) {
            IdentitySource::Content
        } else {
            IdentitySource::Title
        }
    }

    /// The name when only the agent's talk about itself is left: an ops tool in the title, the kind, the title.
    pub(super) fn talk(&self) -> (ToolName, IdentitySource) {
        if let Some(titled) = &self.titled {
            return (titled.clone(), IdentitySource::Title);
        }
        if let Some(name) = kind_name(self.kind) {
            return (name, IdentitySource::ProtocolKind);
        }
        match &self.title {
            Some(title) => (ToolName::Other(title.clone()), IdentitySource::Title),
            None => (ToolName::Unknown, IdentitySource::None),
        }
    }

    /// The text that gave the name.
    pub(super) fn wire_name(&self, name: &ToolName) -> Option<String> {
        let identified = self
            .identified
            .iter()
            .find(|one| one.readings.contains(name));
        identified.map(|one| one.text.clone())
    }
}

/// Takes in a name unless it says the same as one before.
fn add(readings: &mut Vec<ToolName>, name: &ToolName) {
    if !readings.iter().any(|known| same_tool(known, name)) {
        readings.push(name.clone());
    }
}

/// Whether two hints speak of one tool. A diff can't tell an edit from a new file, a removal or a move.
fn same_tool(known: &ToolName, name: &ToolName) -> bool {
    let changes_files = |name: &ToolName| {
        matches!(
            name,
            ToolName::Edit | ToolName::Write | ToolName::Delete | ToolName::Move
        )
    };
    known == name || (*name == ToolName::Edit && changes_files(known))
}

/// How an identifier can be read. A dispatcher's own name says nothing once its target is known.
fn readings_of(text: &str, context: &IdentityContext) -> Vec<ToolName> {
    if is_dispatcher(text) {
        return Vec::new();
    }
    let mut readings = joined(text, &context.servers);
    if let Some(name) = built_in(text) {
        readings.push(name);
    }
    if let Some(tool) = own_tool(text, IdExtent::Whole, &context.ops_server) {
        // A bare name may be another server's: it is ours only as one of two readings.
        let own = own_name(tool, context);
        if !readings.contains(&own) {
            readings.push(own);
            readings.push(ToolName::Other(text.to_owned()));
        }
    }
    let reserved = text
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case("mcp__"));
    if readings.is_empty() && !reserved {
        readings.push(ToolName::Other(text.to_owned()));
    }
    readings
}

fn own_name(tool: String, context: &IdentityContext) -> ToolName {
    ToolName::Mcp {
        server: context.ops_server.clone(),
        tool,
    }
}

/// Server and tool from fields of their own, and whether the form is a weak one: without arguments, or among other
/// fields, so that it may be the input of some other tool.
fn structured(
    input: Option<&Value>,
    context: &IdentityContext,
    shell: bool,
) -> (Vec<ToolName>, bool) {
    let Some(fields) = input.and_then(Value::as_object) else {
        return (Vec::new(), false);
    };
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    let only = |keys: &[&str]| fields.keys().all(|key| keys.contains(&key.as_str()));
    let object = |key: &str| fields.get(key).is_some_and(Value::is_object);
    if let (Some(server), Some(tool)) = (text("server"), text("tool"))
        && is_segment(server)
        && is_segment(tool)
    {
        let strong = object("arguments") && only(&["server", "tool", "arguments"]);
        let name = ToolName::Mcp {
            server: server.to_owned(),
            tool: tool.to_owned(),
        };
        return (vec![name], !strong);
    }
    if shell || text("server").is_some_and(|server| server != context.ops_server) {
        return (Vec::new(), false);
    }
    if let Some(target) = text("tool_name").filter(|target| is_identifier(target)) {
        let strong = object("tool_input") && only(&["variant", "tool_name", "tool_input"]);
        let own = own_tool(target, IdExtent::Whole, &context.ops_server);
        let mut readings = joined(target, &context.servers);
        if let Some(tool) = own.filter(|_| readings.is_empty()) {
            return (vec![own_name(tool, context)], true);
        }
        if readings.is_empty() && strong {
            readings.push(ToolName::Other(target.to_owned()));
        }
        return (readings, !strong);
    }
    let own = ["tool", "toolName"]
        .iter()
        .filter_map(|key| text(key))
        .find_map(|target| own_tool(target, IdExtent::Whole, &context.ops_server));
    let readings: Vec<_> = own
        .map(|tool| own_name(tool, context))
        .into_iter()
        .collect();
    let weak = !readings.is_empty();
    (readings, weak)
}

/// The kind, or, where a frame has none, the finer kind of `_meta` if it is a word of the protocol.
fn kind_of(call: &ToolCall) -> ToolKind {
    if call.kind != ToolKind::Other {
        return call.kind;
    }
    match meta_text(call.meta().as_deref(), &["x.ai/tool", "kind"]) {
        Some("read") => ToolKind::Read,
        Some("edit") => ToolKind::Edit,
        Some("delete") => ToolKind::Delete,
        Some("move") => ToolKind::Move,
        Some("search") => ToolKind::Search,
        Some("execute") => ToolKind::Execute,
        Some("fetch") => ToolKind::Fetch,
        Some("think") => ToolKind::Think,
        _ => ToolKind::Other,
    }
}

fn kind_name(kind: ToolKind) -> Option<ToolName> {
    match kind {
        ToolKind::Read => Some(ToolName::Read),
        ToolKind::Edit => Some(ToolName::Edit),
        ToolKind::Delete => Some(ToolName::Delete),
        ToolKind::Move => Some(ToolName::Move),
        ToolKind::Search => Some(ToolName::Search),
        ToolKind::Execute => Some(ToolName::Bash),
        ToolKind::Think => Some(ToolName::Think),
        ToolKind::Fetch => Some(ToolName::WebFetch),
        ToolKind::SwitchMode => Some(ToolName::ExitPlanMode),
        ToolKind::Other => None,
    }
}

/// Whether the kind can be the name's. MCP tools and words of an agent's own come under any kind but a question's.
fn kind_agrees(name: &ToolName, kind: ToolKind) -> bool {
    let fits: &[ToolKind] = match name {
        ToolName::Read => &[ToolKind::Read, ToolKind::Search],
        ToolName::Search => &[ToolKind::Search, ToolKind::Read],
        ToolName::Write | ToolName::Edit => &[ToolKind::Edit],
        ToolName::Delete => &[ToolKind::Delete, ToolKind::Edit],
        ToolName::Move => &[ToolKind::Move, ToolKind::Edit],
        ToolName::Bash => &[ToolKind::Execute],
        ToolName::WebFetch | ToolName::WebSearch => {
            &[ToolKind::Fetch, ToolKind::Search, ToolKind::Read]
        }
        ToolName::Think | ToolName::Task | ToolName::TodoWrite => {
            &[ToolKind::Think, ToolKind::Edit, ToolKind::Read]
        }
        ToolName::AskUserQuestion => &[ToolKind::Think, ToolKind::Read],
        ToolName::ExitPlanMode => &[ToolKind::SwitchMode, ToolKind::Think],
        ToolName::Mcp { .. } | ToolName::Other(_) | ToolName::Unknown => {
            return kind != ToolKind::SwitchMode;
        }
    };
    kind == ToolKind::Other || fits.contains(&kind)
}

fn first_title<'a>(call: &'a ToolCall, context: &IdentityContext) -> Option<&'a str> {
    let declared = context.shape.first_title == FirstTitle::ToolName && call.announced;
    let title = call.earlier_titles.first().unwrap_or(&call.title).as_str();
    // A loaded session begins with final titles, and these may be file names.
    (declared && !title.contains(['.', ':'])).then_some(title)
}

/// The name at the start of an id of the form `NAME__NAME_DIGITS_DIGITS`, which no text of a model takes by chance.
fn name_in_id(id: &str) -> Option<&str> {
    let stem = strip_number(strip_number(id)?)?;
    let half = stem.len().checked_sub(2)? / 2;
    let (first, rest) = stem.split_at_checked(half)?;
    (rest.strip_prefix("__") == Some(first) && !first.is_empty()).then_some(first)
}

fn strip_number(text: &str) -> Option<&str> {
    let (stem, number) = text.rsplit_once('_')?;
    (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then_some(stem)
}

fn meta_text<'a>(meta: Option<&'a Value>, path: &[&str]) -> Option<&'a str> {
    let mut value = meta?;
    for key in path {
        value = value.get(key)?;
    }
    value.as_str()
}

fn has_diff(call: &ToolCall) -> bool {
    call.content
        .iter()
        .any(|piece| matches!(piece, ToolCallContent::Diff(_)))
}
