//! What the page of MCP servers remembers: the entry that is being written, and what was found to import.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::core::backend::{McpServer, McpTransport};
use crate::core::mcp_servers::{self, ServerFault};

/// The state of the page.
#[derive(Debug, Default)]
pub struct ServersState {
    pub editing: Option<ServerDraft>,
    /// The place in the list of the server that is about to be taken away.
    pub removing: Option<usize>,
    /// What was found in the files of agents and editors; `None` until somebody asked.
    pub found: Option<Vec<FoundFile>>,
    /// Values of variables and headers are shown.
    pub values_shown: bool,
    /// The ops servers of the editors that have a project open, by its folder.
    pub unity_ops: BTreeMap<PathBuf, McpServer>,
    /// Folders for which the offer of an ops server was put aside.
    pub put_aside: Vec<PathBuf>,
}

/// A file with servers to import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    pub path: PathBuf,
    pub servers: Vec<McpServer>,
    /// What could not be read or taken, in words.
    pub remarks: Vec<String>,
}

/// How a server is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    #[default]
    Stdio,
    Http,
    Sse,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::Stdio, Self::Http, Self::Sse];

    /// The word of the protocol, which is the same in all languages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::Sse => "sse",
        }
    }

    /// The kind of a server.
    pub fn of(transport: &McpTransport) -> Self {
        match transport {
            McpTransport::Stdio { .. } => Self::Stdio,
            McpTransport::Http { .. } => Self::Http,
            McpTransport::Sse { .. } => Self::Sse,
        }
    }
}

/// A server that is being written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServerDraft {
    /// The place in the list of the server that is changed; `None` for a new one.
    pub index: Option<usize>,
    pub name: String,
    pub kind: Kind,
    pub command: String,
    pub args: Vec<String>,
    pub env: Vec<(String, String)>,
    pub url: String,
    pub headers: Vec<(String, String)>,
}

/// Why a draft can't be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftFault {
    Server(ServerFault),
    /// Another entry of the list has this name.
    NameTaken,
    /// The name belongs to the editor's own server.
    NameReserved,
}

impl ServerDraft {
    /// A draft of a server as it stands in the list.
    pub fn of(index: usize, server: &McpServer) -> Self {
        let pairs = |pairs: &BTreeMap<String, String>| pairs.clone().into_iter().collect();
        let mut draft = Self {
            index: Some(index),
            name: server.name.clone(),
            kind: Kind::of(&server.transport),
            ..Self::default()
        };
        match &server.transport {
            McpTransport::Stdio { command, args, env } => {
                draft.command.clone_from(command);
                draft.args.clone_from(args);
                draft.env = pairs(env);
            }
            McpTransport::Http { url, headers } | McpTransport::Sse { url, headers } => {
                draft.url.clone_from(url);
                draft.headers = pairs(headers);
            }
        }
        draft
    }

    /// The server as it is written. Pairs without a name and a value are left out.
    pub fn server(&self) -> McpServer {
        let pairs = |pairs: &[(String, String)]| {
            let written = pairs
                .iter()
                .filter(|(name, value)| !name.trim().is_empty() || !value.is_empty());
            written
                .map(|(name, value)| (name.trim().to_owned(), value.clone()))
                .collect()
        };
        let url = self.url.trim().to_owned();
        let transport = match self.kind {
            Kind::Stdio => McpTransport::Stdio {
                command: self.command.trim().to_owned(),
                args: self.args.clone(),
                env: pairs(&self.env),
            },
            Kind::Http => McpTransport::Http {
                url,
                headers: pairs(&self.headers),
            },
            Kind::Sse => McpTransport::Sse {
                url,
                headers: pairs(&self.headers),
            },
        };
        McpServer {
            name: self.name.trim().to_owned(),
            transport,
        }
    }

    /// What keeps the draft from being kept. `others` are the names in the list, in its order.
    pub fn fault(&self, others: &[&str]) -> Option<DraftFault> {
        let server = self.server();
        if let Some(fault) = mcp_servers::fault(&server) {
            return Some(DraftFault::Server(fault));
        }
        if mcp_servers::is_reserved(&server.name) {
            return Some(DraftFault::NameReserved);
        }
        let is_taken = |(index, name): (usize, &&str)| {
            Some(index) != self.index && mcp_servers::is_same_name(name, &server.name)
        };
        others
            .iter()
            .enumerate()
            .any(is_taken)
            .then_some(DraftFault::NameTaken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> McpServer {
        McpServer {
            name: "files".to_owned(),
            transport: McpTransport::Stdio {
                command: "npx".to_owned(),
                args: vec!["-y".to_owned(), String::new(), "two\nlines".to_owned()],
                env: BTreeMap::from([("KEY".to_owned(), " v ".to_owned())]),
            },
        }
    }

    #[test]
    fn a_draft_that_is_not_changed_is_the_same_server() {
        let web = McpServer {
            name: "web".to_owned(),
            transport: McpTransport::Sse {
                url: "https://example.com/sse".to_owned(),
                headers: BTreeMap::from([("A".to_owned(), "b".to_owned())]),
            },
        };
        for server in [files(), web] {
            assert_eq!(ServerDraft::of(0, &server).server(), server);
        }
    }

    #[test]
    fn what_is_missing_or_taken_is_said() {
        let mut draft = ServerDraft::default();
        assert_eq!(
            draft.fault(&[]),
            Some(DraftFault::Server(ServerFault::NoName))
        );
        draft.name = " files ".to_owned();
        assert_eq!(
            draft.fault(&[]),
            Some(DraftFault::Server(ServerFault::NoCommand))
        );
        draft.command = "npx".to_owned();
        assert_eq!(draft.fault(&["web", "files"]), Some(DraftFault::NameTaken));
        draft.index = Some(1);
        assert_eq!(draft.fault(&["web", "files"]), None);
        draft.name = "unity-ops".to_owned();
        assert_eq!(draft.fault(&[]), Some(DraftFault::NameReserved));
        draft.name = "a".to_owned();
        draft.env = vec![("A=B".to_owned(), "c".to_owned())];
        let name = "A=B".to_owned();
        assert_eq!(
            draft.fault(&[]),
            Some(DraftFault::Server(ServerFault::BadVariable { name }))
        );
        draft.env = vec![(String::new(), String::new())];
        assert_eq!(draft.fault(&[]), None);
    }
}
