//! One newtype for each identifier, so that no two kinds can be mixed up.

use std::fmt;
use std::sync::Arc;

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The identifier as it is written.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

macro_rules! number_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u64);

        impl $name {
            /// The identifier that follows this one.
            #[must_use]
            pub fn next(self) -> Self {
                Self(self.0.saturating_add(1))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

text_id!(
    /// A choice of the dropdown: a preset (`codex`) or an entry of the user's own.
    BackendId
);
text_id!(
    /// A session as its agent names it (`sessionId` on the wire).
    AgentSessionId
);
text_id!(
    /// A tool call as its agent names it. Agents reuse them, so it is not unique in a transcript.
    ToolCallId
);
text_id!(
    /// An option of a permission request.
    OptionId
);
text_id!(
    /// A session mode that an agent offers.
    ModeId
);
text_id!(
    /// A model that an agent offers.
    ModelId
);
text_id!(
    /// A configuration option of a session.
    ConfigId
);
text_id!(
    /// A way to sign in that an agent offers.
    AuthMethodId
);
text_id!(
    /// A terminal that we gave to an agent (`terminalId` on the wire). Ours to choose.
    TerminalId
);

number_id!(
    /// A session in this program. It exists before the agent has named the session, and outlives restarts.
    SessionKey
);
number_id!(
    /// One running agent process and its protocol state. A restart makes a new one.
    ConnectionId
);
number_id!(
    /// A block of one session's transcript, never reused.
    BlockId
);
number_id!(
    /// A prompt turn of one session, counted from 1.
    TurnId
);
number_id!(
    /// A message that waits for the running turn to end.
    QueuedId
);

/// The id of a request that an agent sent, as JSON-RPC allows it. Echoed back as it came.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RequestId {
    /// An integer.
    Number(i64),
    /// A string (`codex-acp` 0.16 uses UUIDs).
    Text(String),
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}
