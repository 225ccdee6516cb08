//! The person's MCP servers: which of them an agent is passed, and whether each was approved as it is now.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::core::backend::{McpServer, McpTransport};

/// The name of the editor's ops server. Its tools have rights of their own, so no other server may bear it.
pub const OPS_SERVER: &str = "unity-ops";

/// A server of the person's list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServerSetting {
    pub server: McpServer,
    pub enabled: bool,
    /// What the person agreed to run. Anything else has to be asked for again.
    pub approved: Option<Approval>,
}

/// A digest of a whole server, every field of it. It says what was approved without keeping secrets a second time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval(String);

/// The servers of a session, and those of the list that are not among them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PassedServers {
    pub servers: Vec<McpServer>,
    pub skipped: Vec<SkippedServer>,
}

/// A server that an agent is not passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedServer {
    pub name: String,
    pub reason: SkipReason,
}

/// Why an agent is not passed a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkipReason {
    Disabled,
    Faulty(ServerFault),
    /// Never approved, or changed since.
    NotApproved,
    /// An earlier server has this name, or one that agents can't tell from it.
    DuplicateName,
    /// The name belongs to the editor's ops server.
    ReservedName,
}

/// What is missing or wrong in a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerFault {
    NoName,
    NoCommand,
    NoUrl,
    /// The address is neither `http://` nor `https://`, or has no host.
    BadUrl,
    /// An environment variable that no system takes.
    BadVariable {
        name: String,
    },
    /// A header that would break the request.
    BadHeader {
        name: String,
    },
}

impl McpServerSetting {
    /// A server that the person has just agreed to.
    pub fn approved(server: McpServer) -> Self {
        let approved = Some(Approval::of(&server));
        Self {
            server,
            enabled: true,
            approved,
        }
    }

    /// A server that the person has not looked at yet.
    pub fn unapproved(server: McpServer) -> Self {
        Self {
            server,
            enabled: true,
            approved: None,
        }
    }

    /// Whether the person agreed to exactly this server.
    pub fn is_approved(&self) -> bool {
        self.approved.as_ref() == Some(&Approval::of(&self.server))
    }

    /// Why the server is not passed to agents, for what it is alone.
    pub fn skip_reason(&self) -> Option<SkipReason> {
        if !self.enabled {
            return Some(SkipReason::Disabled);
        }
        if let Some(fault) = fault(&self.server) {
            return Some(SkipReason::Faulty(fault));
        }
        if is_reserved(&self.server.name) {
            return Some(SkipReason::ReservedName);
        }
        (!self.is_approved()).then_some(SkipReason::NotApproved)
    }

    /// Takes in that the person agreed to the server as it is now.
    pub fn approve(&mut self) {
        self.approved = Some(Approval::of(&self.server));
    }
}

impl Approval {
    /// The approval of a server as it is.
    pub fn of(server: &McpServer) -> Self {
        let mut digest = Fields(Sha256::new());
        digest.text("agent-panel mcp server 1");
        digest.text(&server.name);
        match &server.transport {
            McpTransport::Stdio { command, args, env } => {
                digest.text("stdio");
                digest.text(command);
                digest.number(args.len());
                for arg in args {
                    digest.text(arg);
                }
                digest.pairs(env);
            }
            McpTransport::Http { url, headers } => {
                digest.text("http");
                digest.text(url);
                digest.pairs(headers);
            }
            McpTransport::Sse { url, headers } => {
                digest.text("sse");
                digest.text(url);
                digest.pairs(headers);
            }
        }
        let hex = |four_bits: u8| char::from_digit(four_bits.into(), 16).unwrap_or_default();
        let bytes = digest.0.finalize();
        let text = bytes
            .iter()
            .flat_map(|byte| [hex(byte >> 4), hex(byte & 15)]);
        Self(text.collect())
    }

    /// An approval as it was stored. One that is not ours approves nothing.
    pub fn stored(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Display for Approval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Each field with its length before it, so that no two servers give the same bytes.
struct Fields(Sha256);

impl Fields {
    fn number(&mut self, number: usize) {
        self.0.update((number as u64).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.0.update(text.as_bytes());
    }

    fn pairs(&mut self, pairs: &BTreeMap<String, String>) {
        self.number(pairs.len());
        for (name, value) in pairs {
            self.text(name);
            self.text(value);
        }
    }
}

/// The servers that a session is passed. `extra` are those that the person chose for this session, by an argument or
/// by taking up an offer; they stand first and are passed as they are.
pub fn servers_to_pass(settings: &[McpServerSetting], extra: Vec<McpServer>) -> PassedServers {
    let mut passed = PassedServers::default();
    let mut names = BTreeSet::new();
    for server in extra {
        if names.insert(wire_form(&server.name)) {
            passed.servers.push(server);
        } else {
            passed.skip(&server.name, SkipReason::DuplicateName);
        }
    }
    for setting in settings {
        let server = &setting.server;
        if let Some(reason) = setting.skip_reason() {
            passed.skip(&server.name, reason);
        } else if names.insert(wire_form(&server.name)) {
            passed.servers.push(server.clone());
        } else {
            passed.skip(&server.name, SkipReason::DuplicateName);
        }
    }
    passed
}

impl PassedServers {
    fn skip(&mut self, name: &str, reason: SkipReason) {
        self.skipped.push(SkippedServer {
            name: name.to_owned(),
            reason,
        });
    }
}

/// Whether a name is the ops server's, or would let a tool pass for one of its.
pub fn is_reserved(name: &str) -> bool {
    let folded: String = wire_form(name.trim()).to_lowercase().replace('_', "-");
    folded
        .strip_prefix(OPS_SERVER)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("--"))
}

/// What is missing or wrong, the first thing only.
pub fn fault(server: &McpServer) -> Option<ServerFault> {
    if server.name.trim().is_empty() {
        return Some(ServerFault::NoName);
    }
    match &server.transport {
        McpTransport::Stdio { command, env, .. } => {
            if command.trim().is_empty() {
                return Some(ServerFault::NoCommand);
            }
            env.iter()
                .find(|(name, value)| {
                    name.is_empty() || name.contains(['=', '\0']) || value.contains('\0')
                })
                .map(|(name, _)| ServerFault::BadVariable { name: name.clone() })
        }
        McpTransport::Http { url, headers } | McpTransport::Sse { url, headers } => {
            if url.trim().is_empty() {
                return Some(ServerFault::NoUrl);
            }
            if !is_web_address(url) {
                return Some(ServerFault::BadUrl);
            }
            headers
                .iter()
                .find(|(name, value)| !is_header_name(name) || value.contains(char::is_control))
                .map(|(name, _)| ServerFault::BadHeader { name: name.clone() })
        }
    }
}

fn is_web_address(url: &str) -> bool {
    let Some((scheme, rest)) = url.trim().split_once("://") else {
        return false;
    };
    let is_web = ["http", "https"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known));
    let has_host = !rest.is_empty() && !rest.starts_with(['/', '?', '#']);
    is_web && has_host && !rest.contains(|c: char| c.is_control() || c == ' ')
}

fn is_header_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c))
}

/// Whether agents could not tell two names apart.
pub fn is_same_name(one: &str, other: &str) -> bool {
    wire_form(one) == wire_form(other)
}

/// A name as agents write it in front of a tool's. Two servers with the same one could not be told apart.
fn wire_form(name: &str) -> String {
    name.trim()
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '-' | '_') {
                c
            } else {
                '_'
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;
