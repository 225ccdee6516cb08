//! MCP servers out of the configuration files of agents and editors: text in, servers out. Nothing is ever written.

mod codex;
mod entry;
mod jsonc;
mod places;
#[cfg(test)]
mod tests;
mod variables;

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::core::backend::{McpServer, McpTransport};
use crate::core::mcp_servers::OPS_SERVER;

pub use places::{ConfigFile, ConfigOwner, ConfigPlaces, config_files};
pub use variables::references;

/// How a file holds its servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConfigFormat {
    /// `{"mcpServers": {…}}`: `.mcp.json`, `--mcp-config` files, Cursor.
    McpServers,
    /// `~/.claude.json`: for everywhere, and for each project.
    Claude,
    /// `config.toml` with `[mcp_servers.<name>]`.
    Codex,
    /// `settings.json` with `mcpServers`, where `url` means SSE and `httpUrl` HTTP.
    Gemini,
    /// `{"servers": {…}}`.
    VsCode,
}

/// The servers of one file, and what stood in the way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Imported {
    pub servers: Vec<ImportedServer>,
    pub problems: Vec<ImportProblem>,
}

/// A server as a file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedServer {
    pub server: McpServer,
    /// Whether the file has it switched on.
    pub enabled: bool,
}

/// What is wrong with a file or one of its entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportProblem {
    /// The entry; `None` for the whole file.
    pub server: Option<String>,
    pub issue: ImportIssue,
}

/// What was found wrong. Apart from a type it never repeats a value, because values may be secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportIssue {
    /// The file is not in its format; the message has no part of its content.
    Syntax { message: String, line: usize },
    /// A field is not what it has to be.
    WrongType {
        field: String,
        expected: ExpectedType,
    },
    /// There is neither a command nor an address.
    NothingToReach,
    /// A transport that we don't know.
    UnknownTransport { transport: String },
    /// The server was taken, and a variable in it is left as it stands.
    Variable { name: String },
    /// The server was taken without this field, which has no counterpart.
    Ignored { field: String },
    /// The ops server of an editor has to listen on this machine.
    NotLocal,
}

/// What a field has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedType {
    Text,
    TextList,
    TextTable,
    Table,
}

impl ImportIssue {
    /// Whether the entry was taken nevertheless.
    pub fn is_remark(&self) -> bool {
        match self {
            Self::Variable { .. } | Self::Ignored { .. } => true,
            Self::Syntax { .. }
            | Self::WrongType { .. }
            | Self::NothingToReach
            | Self::UnknownTransport { .. }
            | Self::NotLocal => false,
        }
    }
}

/// The servers in a file. `folder` is the working folder, for files that hold servers for several.
pub fn import(format: ConfigFormat, text: &str, folder: &Path) -> Imported {
    let text = text.trim_start_matches('\u{feff}');
    if format == ConfigFormat::Codex {
        return codex::import(text);
    }
    let root = match jsonc::object(text) {
        Ok(root) => root,
        Err(issue) => return Imported::failed(issue),
    };
    let mut imported = Imported::default();
    match format {
        ConfigFormat::Gemini => imported.take(&root, "mcpServers", entry::Dialect::Gemini),
        ConfigFormat::VsCode => imported.take(&root, "servers", entry::Dialect::Common),
        ConfigFormat::McpServers => imported.take(&root, "mcpServers", entry::Dialect::Common),
        ConfigFormat::Claude => {
            if let Some(project) = project(&root, folder) {
                imported.take(project, "mcpServers", entry::Dialect::Common);
            }
            imported.take(&root, "mcpServers", entry::Dialect::Common);
        }
        ConfigFormat::Codex => {}
    }
    imported
}

/// Where a Unity project's editor says how its ops server is reached.
pub fn unity_ops_config_path(project: &Path) -> PathBuf {
    project
        .join("UserSettings")
        .join("AgentPanel")
        .join("uap-mcp-config.json")
}

/// The ops server of a Unity editor. The file lies in the project, which may be a stranger's: only an HTTP server on
/// this machine is believed, never a command. `None` when the file has no such server.
pub fn unity_ops_server(text: &str) -> Result<Option<McpServer>, ImportProblem> {
    let imported = import(ConfigFormat::McpServers, text, Path::new(""));
    let found = imported
        .servers
        .into_iter()
        .find(|found| found.server.name == OPS_SERVER);
    let Some(ImportedServer { server, .. }) = found else {
        let problem = imported.problems.into_iter().find(|problem| {
            let is_ours = |name: &String| name == OPS_SERVER;
            problem.server.as_ref().is_none_or(is_ours) && !problem.issue.is_remark()
        });
        return problem.map_or(Ok(None), Err);
    };
    match &server.transport {
        McpTransport::Http { url, .. } if is_local(url) => Ok(Some(server)),
        McpTransport::Http { .. } | McpTransport::Sse { .. } | McpTransport::Stdio { .. } => {
            Err(ImportProblem {
                server: Some(OPS_SERVER.to_owned()),
                issue: ImportIssue::NotLocal,
            })
        }
    }
}

/// Whether an address is plain HTTP to this machine, as an editor's ops server is reached.
fn is_local(url: &str) -> bool {
    let Some(rest) = url.trim().strip_prefix("http://") else {
        return false;
    };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.chars().all(|c| c.is_ascii_digit()) => host,
        Some(_) | None => authority,
    };
    matches!(host, "127.0.0.1" | "localhost" | "[::1]")
}

/// The entry of a folder in `~/.claude.json`. Its key has other separators than Windows.
fn project<'a>(root: &'a Map<String, Value>, folder: &Path) -> Option<&'a Map<String, Value>> {
    let plain = |path: &str| path.replace('\\', "/").trim_end_matches('/').to_owned();
    let wanted = plain(&folder.to_string_lossy());
    root.get("projects")?
        .as_object()?
        .iter()
        .find(|(path, _)| plain(path) == wanted)?
        .1
        .as_object()
}

impl Imported {
    fn failed(issue: ImportIssue) -> Self {
        let problem = ImportProblem {
            server: None,
            issue,
        };
        Self {
            servers: Vec::new(),
            problems: vec![problem],
        }
    }

    /// Takes the servers below a field. Without the field there are none.
    fn take(&mut self, root: &Map<String, Value>, field: &str, dialect: entry::Dialect) {
        let Some(servers) = root.get(field).filter(|servers| !servers.is_null()) else {
            return;
        };
        let Some(servers) = servers.as_object() else {
            self.problems.push(ImportProblem {
                server: None,
                issue: ImportIssue::WrongType {
                    field: field.to_owned(),
                    expected: ExpectedType::Table,
                },
            });
            return;
        };
        for (name, value) in servers {
            let read = entry::transport(value, dialect);
            self.add(name, read);
        }
    }

    /// Takes one server, unless an earlier one has its name: what is nearer to the folder stands first.
    fn add(&mut self, name: &str, read: Result<entry::Entry, ImportIssue>) {
        let entry = match read {
            Ok(entry) => entry,
            Err(issue) => return self.problem(name, issue),
        };
        if self.servers.iter().any(|known| known.server.name == name) {
            return;
        }
        let server = McpServer {
            name: name.to_owned(),
            transport: entry.transport,
        };
        for variable in references(&server) {
            self.problem(name, ImportIssue::Variable { name: variable });
        }
        for field in entry.ignored {
            self.problem(name, ImportIssue::Ignored { field });
        }
        self.servers.push(ImportedServer {
            server,
            enabled: entry.enabled,
        });
    }

    fn problem(&mut self, server: &str, issue: ImportIssue) {
        self.problems.push(ImportProblem {
            server: Some(server.to_owned()),
            issue,
        });
    }
}
