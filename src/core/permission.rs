//! Permission requests of an agent, and what became of them.

use crate::core::identity::Identity;
use crate::core::ids::{OptionId, RequestId, ToolCallId};
use crate::core::policy::Reason;
use crate::core::policy::paths::PathFacts;
use crate::core::time::Timestamp;
use crate::core::tool_call::ToolCall;

/// A request that waits for an answer. Keyed by its request id: two requests may name one tool call.
#[derive(Debug, Clone, PartialEq)]
pub struct PermissionRequest {
    pub id: RequestId,
    /// The call as the request describes it; takes in later updates of the same call.
    pub tool_call: ToolCall,
    pub options: Vec<PermissionOption>,
    pub asked_at: Timestamp,
    /// Its place among the requests of its session.
    pub order: u64,
    /// Which tool the call is.
    pub identity: Identity,
    /// Why it is asked.
    pub because: Option<Reason>,
    /// Where the paths of the call really are.
    pub facts: PathFacts,
}

/// One answer that the agent offers, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionOption {
    pub id: OptionId,
    /// In the agent's words; empty where the dialect has none, and the kind says it all.
    pub name: String,
    pub kind: PermissionOptionKind,
    /// What an "always" covers, in the agent's own notation (`Bash(npm test:*)`).
    pub scope: Option<String>,
}

/// What an option means. Only these words of the protocol have a meaning; names have none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PermissionOptionKind {
    AllowOnce,
    AllowAlways,
    RejectOnce,
    RejectAlways,
    /// No kind, or a word we don't know: never chosen without the person.
    Unknown,
}

impl PermissionOptionKind {
    /// The word of the protocol.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::AllowOnce => "allow_once",
            Self::AllowAlways => "allow_always",
            Self::RejectOnce => "reject_once",
            Self::RejectAlways => "reject_always",
            Self::Unknown => "unknown",
        }
    }

    /// Whether the option lets the call run.
    pub fn allows(&self) -> bool {
        matches!(self, Self::AllowOnce | Self::AllowAlways)
    }

    /// Whether the option refuses the call.
    pub fn rejects(&self) -> bool {
        matches!(self, Self::RejectOnce | Self::RejectAlways)
    }
}

/// The answer as the protocol has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PermissionOutcome {
    Selected(OptionId),
    Cancelled,
}

/// Who gave an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnsweredBy {
    /// The person, or the option the person gave on the command line.
    User,
    /// A rule, the level, or a built-in refusal.
    Policy,
    /// The turn was cancelled or the session closed.
    Cancellation,
    /// The agent took its request back; nothing was answered.
    Withdrawn,
    /// The agent was gone before anybody answered.
    AgentGone,
}

/// One request with its answer, for the record.
#[derive(Debug, Clone, PartialEq)]
pub struct PermissionRecord {
    pub request_id: RequestId,
    pub tool_call_id: ToolCallId,
    pub tool_call: ToolCall,
    pub options: Vec<PermissionOption>,
    pub identity: Identity,
    /// Why it was asked, or answered without asking.
    pub because: Option<Reason>,
    pub answered_by: AnsweredBy,
    /// What the person told the agent with a refusal.
    pub message: Option<String>,
    /// The option that was selected; `None` when there was no answer or it was `cancelled`.
    pub selected: Option<PermissionOption>,
    pub answered_at: Timestamp,
}

impl PermissionRecord {
    /// Whether the request was put to the person (`asked`), or answered without: `auto_allow`, `auto_deny`.
    pub fn decision(&self) -> &'static str {
        let allowed = self
            .selected
            .as_ref()
            .is_some_and(|option| option.kind.allows());
        match self.answered_by {
            AnsweredBy::Policy if allowed => "auto_allow",
            AnsweredBy::Policy => "auto_deny",
            AnsweredBy::User
            | AnsweredBy::Cancellation
            | AnsweredBy::Withdrawn
            | AnsweredBy::AgentGone => "asked",
        }
    }
}
