//! Where agents depart from the protocol or add to it. Nothing else in the program knows them by name.
//!
//! What an agent writes in a place of its own (a key in `_meta` with its name) is read wherever it stands; the rest,
//! and whatever gives a call its name, applies to the agent that named itself in its answer to `initialize`.

mod claude;
mod codex;
mod gemini;
mod grok;
mod qwen;
mod vibe;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::bridge::acp::questions::NewQuestion;
use crate::bridge::acp::requests::NewPermission;
use crate::bridge::json::Object;
use crate::core::backend::{AgentCapabilities, AgentInfo, AskingHabit, Unasked};
use crate::core::client_tools::ClientTools;
use crate::core::event::SessionEvent;
use crate::core::identity::shape::FirstTitle;
use crate::core::ids::{ModeId, SessionKey, ToolCallId};
use crate::core::kept_json::KeptJson;
use crate::core::notice::RpcError;
use crate::core::permission::PermissionOutcome;
use crate::core::question::QuestionAnswer;
use crate::core::tool_call::{ToolCallContent, ToolCallPatch, ToolKind};
use crate::core::usage::TokenSpan;

/// The departures of one agent, with what has to be remembered for them.
#[derive(Debug, Default)]
pub(super) enum Quirks {
    #[default]
    None,
    Gemini(gemini::Messages),
    Grok(grok::Memory),
    Vibe,
}

/// How an agent's calls are to be read, established from recordings: where they hold an identifier, and whether
/// it ever asks.
pub(super) fn calls_of(agent: &str, offered: ClientTools, capabilities: &mut AgentCapabilities) {
    let shape = &mut capabilities.call_shape;
    match agent {
        // The first title of a call is the bare name of its tool.
        "OpenCode" => shape.first_title = FirstTitle::ToolName,
        "fast-agent-acp" => {
            shape.first_title = FirstTitle::ToolName;
            // Through us it asks.
            capabilities.unasked = AskingHabit::ThroughUs.unasked(offered);
        }
        claude::NAME => shape.meta_name = Some(claude::TOOL_NAME),
        grok::NAME => shape.meta_name = Some(grok::TOOL_NAME),
        qwen::NAME => shape.meta_name = Some(qwen::TOOL_NAME),
        vibe::NAME => shape.meta_name = Some(vibe::TOOL_NAME),
        "pi-acp" => capabilities.unasked = Unasked::Everything,
        _ => {}
    }
}

/// Whether an agent runs MCP tools unasked for what their server says of them (docs/agents.md).
pub(super) fn believes_mcp_servers(agent: &str) -> bool {
    agent == codex::NAME
}

/// What a notification of the agent's own means for a session.
#[derive(Debug, PartialEq)]
pub(super) struct News {
    pub session: SessionKey,
    pub child: Option<Child>,
    pub event: Option<SessionEvent>,
}

/// A session that an agent opened by itself to work for another one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Child {
    /// The session as the agent names it.
    pub id: String,
    /// The call that it is a part of, where that is known.
    pub call: Option<ToolCallId>,
}

impl Quirks {
    /// The departures of the agent that gave this name.
    pub(super) fn of(agent: &AgentInfo) -> Self {
        match agent.name.as_str() {
            gemini::NAME => Self::Gemini(gemini::Messages::default()),
            grok::NAME => Self::Grok(grok::Memory::default()),
            vibe::NAME => Self::Vibe,
            _ => Self::None,
        }
    }

    /// Corrects what the agent says it can do.
    pub(super) fn correct_capabilities(&self, capabilities: &mut AgentCapabilities) {
        match self {
            Self::Vibe => vibe::correct_capabilities(capabilities),
            Self::Grok(_) => grok::correct_capabilities(capabilities),
            Self::Gemini(_) => gemini::correct_capabilities(capabilities),
            Self::None => {}
        }
    }

    /// A file that is to be written is read first, and an error for one that does not exist ends the write.
    pub(super) fn reads_missing_files_as_empty(&self) -> bool {
        match self {
            Self::Gemini(_) => true,
            Self::None | Self::Grok(_) | Self::Vibe => false,
        }
    }

    /// The `_meta` of a refusal that tells the agent something.
    pub(super) fn refusal_meta(&self, message: String) -> Option<Map<String, Value>> {
        match self {
            Self::Grok(_) => Some(grok::refusal_meta(message)),
            Self::None | Self::Gemini(_) | Self::Vibe => None,
        }
    }

    /// What a request of the agent's own asks the person.
    pub(super) fn question(&self, method: &str, params: &Object<'_>) -> Option<NewQuestion> {
        match self {
            Self::Grok(_) => grok::questions::read(method, params),
            Self::None | Self::Gemini(_) | Self::Vibe => None,
        }
    }

    /// What a request of the agent's own asks to be allowed.
    pub(super) fn permission(&self, method: &str, params: &Object<'_>) -> Option<NewPermission> {
        match self {
            Self::Grok(_) => grok::plan::read(method, params),
            Self::None | Self::Gemini(_) | Self::Vibe => None,
        }
    }

    /// What a chunk of text means, if it is no text.
    pub(super) fn chunk(&self, text: &str, modes: &[ModeId]) -> Option<SessionEvent> {
        match self {
            Self::Gemini(_) => gemini::chunk(text, modes),
            Self::None | Self::Grok(_) | Self::Vibe => None,
        }
    }

    /// Whether a message of the user in a loaded history is the agent's own doing and not the person's words.
    pub(super) fn is_own_doing(&mut self, user_text: &str) -> bool {
        match self {
            Self::Gemini(messages) => messages.is_own_doing(user_text),
            Self::None | Self::Grok(_) | Self::Vibe => false,
        }
    }

    /// The id of the message that the agent is writing, where it gives none itself and ours keeps two apart.
    pub(super) fn message_id(&self) -> Option<String> {
        match self {
            Self::Gemini(messages) => Some(messages.id()),
            Self::None | Self::Grok(_) | Self::Vibe => None,
        }
    }

    /// Makes an error readable.
    pub(super) fn correct_error(&self, error: RpcError) -> RpcError {
        match self {
            Self::Gemini(_) => gemini::readable(error),
            Self::None | Self::Grok(_) | Self::Vibe => error,
        }
    }

    /// What the `usage` of a prompt's answer covers.
    pub(super) fn usage_span(&self) -> TokenSpan {
        match self {
            Self::Vibe => TokenSpan::Session,
            Self::None | Self::Gemini(_) | Self::Grok(_) => TokenSpan::Turn,
        }
    }

    /// Takes note of a tool call of a session.
    pub(super) fn saw_tool_call(
        &mut self,
        session: SessionKey,
        id: &ToolCallId,
        patch: &ToolCallPatch,
    ) {
        if let Self::Grok(memory) = self {
            memory.saw_tool_call(session, id, patch);
        }
    }

    /// What a notification of the agent's own means. `session_of` finds our key for a session's name.
    pub(super) fn news(
        &mut self,
        method: &str,
        params: &Object<'_>,
        session_of: impl Fn(&str) -> Option<SessionKey>,
    ) -> Option<News> {
        match self {
            Self::Grok(memory) => memory.news(method, params, session_of),
            Self::None | Self::Gemini(_) | Self::Vibe => None,
        }
    }
}

/// The answer to questions of Grok's own.
pub(super) fn labels(answer: QuestionAnswer) -> Value {
    grok::questions::answer(answer)
}

/// The answer to a plan of Grok's.
pub(super) fn plan_answer(outcome: &PermissionOutcome, message: Option<String>) -> Value {
    grok::plan::answer(outcome, message)
}

/// How an agent that gave no name may be known by what else it sent.
pub(super) fn unnamed_agent(meta: &Object<'_>) -> Option<AgentInfo> {
    grok::agent_info(meta)
}

/// The call of which the call or message with this `_meta` is a part.
pub(super) fn parent_call(meta: &Map<String, Value>) -> Option<ToolCallId> {
    claude::parent_call(meta)
}

/// Whether the content of a frame is no output but what the call is for, in the words of its own arguments.
pub(super) fn only_describes(content: &[ToolCallContent], input: Option<&KeptJson>) -> bool {
    claude::only_describes(content, input)
}

/// What an update means that tells of a broken connection to the model's service.
pub(super) fn begun_anew(word: &str, update: &Object<'_>) -> Vec<SessionEvent> {
    codex::begun_anew(word, update)
}

/// The kind of the tool, where it stands in `_meta` only.
pub(super) fn tool_kind(meta: &Map<String, Value>) -> Option<ToolKind> {
    grok::tool_kind(meta)
}

/// A result of a call without what stands in it twice.
pub(super) fn lighter(raw_output: &RawValue) -> KeptJson {
    grok::lighter(raw_output)
}

/// The size of a model's context window, from the `_meta` of a list of models.
pub(super) fn context_window(meta: &Object<'_>) -> Option<u64> {
    grok::context_window(meta)
        .or_else(|| qwen::context_window(meta))
        .filter(|window| *window > 0)
}
