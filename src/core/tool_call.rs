//! A tool call and its life: announced, patched, finished, or left open.

use std::borrow::Cow;

use serde_json::Value;

use crate::core::consent::Consent;
use crate::core::ids::ToolCallId;
use crate::core::kept_json::KeptJson;
use crate::core::time::Timestamp;

/// A tool call as far as it is known. Everything in it is the agent's word.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    pub id: ToolCallId,
    /// Empty while no frame has carried one.
    pub title: String,
    /// Titles it had before, oldest first.
    pub earlier_titles: Vec<String>,
    /// The programmatic name (`name` on the wire), where the agent gives one.
    pub name: Option<String>,
    pub kind: ToolKind,
    pub status: ToolCallStatus,
    pub content: Vec<ToolCallContent>,
    pub locations: Vec<ToolCallLocation>,
    pub raw_input: Option<KeptJson>,
    pub raw_output: Option<KeptJson>,
    /// `_meta` of its frames, later keys over earlier ones.
    pub meta: Option<KeptJson>,
    /// The call of which this one is a step (subagents).
    pub parent: Option<ToolCallId>,
    /// The subagent that does the work, where it is one.
    pub subagent: Option<Box<Subagent>>,
    /// Whether the agent asked before it ran it.
    pub consent: Consent,
    /// Whether a `tool_call` announced it; false when only updates or a request spoke of it.
    pub announced: bool,
    /// When it waited for the person; `None` when it never did.
    pub waits: Option<Box<Waits>>,
    pub started_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}

/// The time that a call waits for the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Waits {
    /// Since when it waits, if it does.
    since: Option<Timestamp>,
    /// How long it waited before, in milliseconds.
    millis: u64,
}

/// The protocol's categories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolKind {
    Read,
    Edit,
    Delete,
    Move,
    Search,
    Execute,
    Think,
    Fetch,
    SwitchMode,
    /// `other`, none, or a word we don't know.
    Other,
}

/// The state of a call. The first four are the protocol's, the others ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolCallStatus {
    Pending,
    InProgress,
    Completed,
    Failed,
    /// The person refused it, or a rule of ours or of the agent's own.
    Denied,
    /// The turn was cancelled before it finished.
    Cancelled,
    /// The turn ended and the agent never said how it went.
    NoResult,
    /// The agent was gone before it finished.
    Stopped,
}

impl ToolCallStatus {
    /// Whether more is to be expected.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::InProgress)
    }
}

/// A piece of what a call produced.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolCallContent {
    Text(String),
    Diff(Diff),
    /// The id of a terminal that the agent says shows the output.
    Terminal {
        id: String,
    },
    Image(ImageData),
    /// A link or an embedded resource.
    Resource {
        uri: String,
        text: Option<String>,
    },
    /// Something we can't show, with its type word.
    Unsupported {
        kind: String,
    },
}

/// A change of one file. `old_text` is `None` for a new file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    pub path: String,
    pub old_text: Option<String>,
    pub new_text: String,
}

/// An image as it came: base64 text and its media type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageData {
    pub media_type: String,
    pub base64: String,
    pub uri: Option<String>,
}

/// A file that a call touches. `line` counts from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCallLocation {
    pub path: String,
    pub line: Option<u32>,
}

/// What is known of a subagent, or of a command that goes on in the background: that has no `kind`.
/// In a patch, an absent field keeps what was known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subagent {
    /// Its type (`Explore`, `general-purpose`).
    pub kind: Option<String>,
    /// What it does right now, in its own words.
    pub progress: Option<String>,
    pub last_tool: Option<String>,
    pub total_tokens: Option<u64>,
    pub tool_uses: Option<u64>,
    /// It goes on while the turn that started it ends.
    pub background: Option<bool>,
    /// Its state in the agent's word (`running`, `completed`, `failed`, `stopped`).
    pub state: Option<String>,
    /// What it reported at the end, as Markdown. Untrusted.
    pub summary: Option<String>,
    /// What it said on its way, piece by piece.
    pub texts: Vec<String>,
    /// When it last gave a sign of life.
    pub updated_at: Option<Timestamp>,
}

/// What one frame says of a call: a present field replaces, an absent one keeps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolCallPatch {
    pub title: Option<String>,
    pub name: Option<String>,
    pub kind: Option<ToolKind>,
    pub status: Option<ToolCallStatus>,
    pub content: Option<Vec<ToolCallContent>>,
    pub locations: Option<Vec<ToolCallLocation>>,
    pub raw_input: Option<KeptJson>,
    pub raw_output: Option<KeptJson>,
    pub meta: Option<KeptJson>,
    pub parent: Option<ToolCallId>,
    pub subagent: Option<Subagent>,
    /// Text that goes after the output so far (terminal output in `_meta`).
    pub append_output: Option<String>,
}

impl ToolCall {
    /// Whether it ran to its end, well or not.
    pub fn has_run(&self) -> bool {
        matches!(
            self.status,
            ToolCallStatus::Completed | ToolCallStatus::Failed
        )
    }

    /// Its raw input.
    pub fn input(&self) -> Option<Cow<'_, Value>> {
        self.raw_input.as_ref().map(KeptJson::value)
    }

    /// Its raw output.
    pub fn output(&self) -> Option<Cow<'_, Value>> {
        self.raw_output.as_ref().map(KeptJson::value)
    }

    /// The `_meta` of its frames.
    pub fn meta(&self) -> Option<Cow<'_, Value>> {
        self.meta.as_ref().map(KeptJson::value)
    }

    /// A call of which only the id is known.
    pub fn placeholder(id: ToolCallId, at: Timestamp) -> Self {
        Self {
            id,
            title: String::new(),
            earlier_titles: Vec::new(),
            name: None,
            kind: ToolKind::Other,
            status: ToolCallStatus::Pending,
            content: Vec::new(),
            locations: Vec::new(),
            raw_input: None,
            raw_output: None,
            meta: None,
            parent: None,
            subagent: None,
            consent: Consent::default(),
            announced: false,
            waits: None,
            started_at: at,
            ended_at: None,
        }
    }

    /// A call of this kind that was given this.
    #[cfg(test)]
    pub(crate) fn given(kind: ToolKind, input: Value) -> Self {
        Self {
            kind,
            raw_input: Some(input.into()),
            ..Self::placeholder(ToolCallId::from("1"), Timestamp(0))
        }
    }

    /// Takes in one frame. A finished call stays finished, and a started one is not thrown back to pending.
    pub fn apply(&mut self, patch: ToolCallPatch, at: Timestamp) {
        if let Some(status) = patch.status {
            self.advance(status, at);
        }
        self.retitle(patch.title);
        replace(&mut self.content, patch.content);
        replace(&mut self.locations, patch.locations);
        replace(&mut self.kind, patch.kind);
        replace_some(&mut self.name, patch.name);
        replace_some(&mut self.raw_input, patch.raw_input);
        replace_some(&mut self.raw_output, patch.raw_output);
        replace_some(&mut self.parent, patch.parent);
        self.merge_meta(patch.meta);
        if let Some(subagent) = patch.subagent {
            self.subagent.get_or_insert_default().merge(subagent, at);
        }
        if let Some(text) = patch.append_output {
            self.append_output(&text);
        }
        if !self.status.is_open() {
            self.fit();
        }
    }

    /// Gives back the room that a finished call was left to grow.
    fn fit(&mut self) {
        self.content.shrink_to_fit();
        self.locations.shrink_to_fit();
        for content in &mut self.content {
            if let ToolCallContent::Text(text) = content {
                text.shrink_to_fit();
            }
        }
    }

    /// Closes the call if it is still open.
    pub fn close(&mut self, status: ToolCallStatus, at: Timestamp) -> bool {
        let was_open = self.status.is_open();
        if was_open {
            self.status = status;
            self.ended_at = Some(at);
        }
        was_open
    }

    /// The milliseconds it took, or has taken so far, without those that it waited for the person.
    pub fn duration_millis(&self, now: Timestamp) -> u64 {
        let end = self.ended_at.unwrap_or(now);
        let waited = self.waits.as_ref().map_or(0, |waits| waits.until(end));
        end.millis_since(self.started_at).saturating_sub(waited)
    }

    /// Whether the person has to answer before it goes on.
    pub fn is_waiting(&self) -> bool {
        let waits = self.waits.as_ref();
        self.status.is_open() && waits.is_some_and(|waits| waits.since.is_some())
    }

    /// From then on it waits for the person.
    pub(in crate::core) fn begin_waiting(&mut self, since: Timestamp) {
        if self.status.is_open() {
            let waits = self.waits.get_or_insert_default();
            waits.since.get_or_insert(since.max(self.started_at));
        }
    }

    /// It waits no more.
    pub(in crate::core) fn end_waiting(&mut self, at: Timestamp) {
        let end = self.ended_at.unwrap_or(at);
        if let Some(waits) = &mut self.waits {
            waits.millis = waits.until(end);
            waits.since = None;
        }
    }

    fn advance(&mut self, status: ToolCallStatus, at: Timestamp) {
        let was_open = self.status.is_open();
        let back_to_pending = status == ToolCallStatus::Pending;
        let refused = self.status == ToolCallStatus::Denied && status == ToolCallStatus::Failed;
        let cut_off = self.status == ToolCallStatus::Cancelled && status == ToolCallStatus::Failed;
        if refused || cut_off || back_to_pending || (!was_open && status.is_open()) {
            return;
        }
        self.status = status;
        if !status.is_open() && self.ended_at.is_none() {
            self.ended_at = Some(at);
        }
    }

    fn retitle(&mut self, title: Option<String>) {
        let Some(title) = title.filter(|title| !title.is_empty() && *title != self.title) else {
            return;
        };
        let earlier = std::mem::replace(&mut self.title, title);
        if !earlier.is_empty() {
            self.earlier_titles.push(earlier);
        }
    }

    fn append_output(&mut self, text: &str) {
        if let Some(ToolCallContent::Text(output)) = self.content.last_mut() {
            output.push_str(text);
        } else {
            self.content.push(ToolCallContent::Text(text.to_owned()));
        }
    }

    fn merge_meta(&mut self, meta: Option<KeptJson>) {
        let Some(new) = meta else { return };
        let merged = self.meta.take().and_then(|known| {
            let Value::Object(mut known) = known.value().into_owned() else {
                return None;
            };
            known.extend(new.value().as_object()?.clone());
            Some(Value::Object(known).into())
        });
        self.meta = Some(merged.unwrap_or(new));
    }
}

impl Waits {
    /// How long it waited up to then, in milliseconds.
    fn until(self, end: Timestamp) -> u64 {
        let lately = self.since.map_or(0, |since| end.millis_since(since));
        self.millis + lately
    }
}

impl Subagent {
    fn merge(&mut self, new: Self, at: Timestamp) {
        replace_some(&mut self.kind, new.kind);
        replace_some(&mut self.progress, new.progress);
        replace_some(&mut self.last_tool, new.last_tool);
        replace_some(&mut self.total_tokens, new.total_tokens);
        replace_some(&mut self.tool_uses, new.tool_uses);
        replace_some(&mut self.background, new.background);
        replace_some(&mut self.state, new.state);
        replace_some(&mut self.summary, new.summary);
        self.texts.extend(new.texts);
        self.updated_at = Some(at);
    }
}

fn replace<T>(known: &mut T, new: Option<T>) {
    if let Some(new) = new {
        *known = new;
    }
}

fn replace_some<T>(known: &mut Option<T>, new: Option<T>) {
    if new.is_some() {
        *known = new;
    }
}
