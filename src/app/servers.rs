//! The person's MCP servers: found in files, passed to the sessions of a folder, and passed anew after a change.

use std::path::{Path, PathBuf};

use super::errands::Errand;
use super::{App, start};
use crate::bridge::claude::{LaunchPlan, sign_in_plan};
use crate::bridge::mcp_config::{ExpectedType, ImportIssue, ImportProblem};
use crate::core::backend::{Dialect, McpServer};
use crate::core::command::Command;
use crate::core::ids::SessionKey;
use crate::core::mcp_servers::servers_to_pass;
use crate::core::session::Phase;
use crate::i18n::I18n;
use crate::io::mcp_files::FoundConfig;
use crate::ui::state::servers::FoundFile;

impl App {
    /// What an agent in this folder is passed.
    pub(super) fn servers_for(&self, folder: &Path) -> Vec<McpServer> {
        let is_wanted = self
            .settings
            .unity_ops_folders
            .iter()
            .any(|known| known == folder);
        let ops = self.state.servers.unity_ops.get(folder);
        let extra = ops.filter(|_| is_wanted).cloned();
        servers_to_pass(&self.settings.mcp_servers, extra.into_iter().collect()).servers
    }

    /// How the program of a session is started for the person to sign in to its servers there; `None` where it can't
    /// be given any.
    pub(super) fn sign_in_plan(&self, session: SessionKey) -> Option<LaunchPlan> {
        let session = self.hub.session(session)?;
        match session.spec().dialect {
            Dialect::ClaudeCode => Some(sign_in_plan(session.spec(), session.setup())),
            Dialect::Acp => None,
        }
    }

    /// Looks for the ops server of a folder's editor. Whether a session has to wait for it.
    pub(super) fn look_for_ops(&self, folder: &Path) -> bool {
        self.errands.run(Errand::FindOps(folder.to_owned()));
        let is_wanted = |known: &PathBuf| known == folder;
        self.settings.unity_ops_folders.iter().any(is_wanted)
    }

    /// Takes in what was found of a folder's editor, and opens the session that waited for it. One that does not answer
    /// is not offered; where it is wanted it counts all the same, as an editor that compiles is back in a moment.
    pub(super) fn ops_found(&mut self, folder: PathBuf, server: Option<McpServer>, listens: bool) {
        let is_wanted = self.settings.unity_ops_folders.contains(&folder);
        match server.filter(|_| listens || is_wanted) {
            Some(server) => self.state.servers.unity_ops.insert(folder.clone(), server),
            None => self.state.servers.unity_ops.remove(&folder),
        };
        if self.awaited_ops.as_ref() == Some(&folder) {
            self.awaited_ops = None;
            self.open_session();
        }
        self.pass_servers();
    }

    /// Passes the servers that are wanted now to all sessions. One where nothing has happened yet is opened anew,
    /// if its agent takes servers with a new session only.
    pub(super) fn pass_servers(&mut self) {
        let sessions: Vec<(SessionKey, PathBuf)> = self
            .hub
            .sessions()
            .map(|session| (session.key(), session.setup().cwd.clone()))
            .collect();
        for (session, folder) in sessions {
            let servers = self.servers_for(&folder);
            if self.is_better_opened_anew(session, &servers) {
                self.open_session();
            } else {
                self.apply(Command::SetMcpServers { session, servers });
            }
        }
    }

    fn is_better_opened_anew(&self, key: SessionKey, servers: &[McpServer]) -> bool {
        let can_be_set = self
            .hub
            .connection_of(key)
            .is_some_and(|connection| connection.capabilities.mcp_set);
        let session = self.hub.session(key);
        self.state.shown == Some(key)
            && !can_be_set
            && session.is_some_and(|session| {
                session.setup().mcp_servers != servers
                    && *session.phase() == Phase::Ready
                    && start::is_untouched(session)
            })
    }
}

/// What was found in files, for the page. Files without anything to say are left out.
pub(super) fn found_files(i18n: &I18n, found: Vec<FoundConfig>) -> Vec<FoundFile> {
    let files = found.into_iter().map(|found| {
        let path = found.file.path;
        match found.content {
            Ok(imported) => FoundFile {
                path,
                servers: imported
                    .servers
                    .into_iter()
                    .map(|found| found.server)
                    .collect(),
                remarks: imported
                    .problems
                    .iter()
                    .map(|problem| remark(i18n, problem))
                    .collect(),
            },
            Err(error) => FoundFile {
                path,
                servers: Vec::new(),
                remarks: vec![i18n.tr_args(
                    "mcp.import.unreadable",
                    &[("reason", error.to_string().into())],
                )],
            },
        }
    });
    files
        .filter(|file| !file.servers.is_empty() || !file.remarks.is_empty())
        .collect()
}

fn remark(i18n: &I18n, problem: &ImportProblem) -> String {
    let words = issue(i18n, &problem.issue);
    match &problem.server {
        Some(name) => {
            let args = [("name", name.into()), ("problem", words.into())];
            i18n.tr_args("mcp.import.of_server", &args)
        }
        None => words,
    }
}

fn issue(i18n: &I18n, issue: &ImportIssue) -> String {
    match issue {
        ImportIssue::Syntax { message, line } => {
            let args = [("line", (*line).into()), ("reason", message.into())];
            i18n.tr_args("mcp.import.syntax", &args)
        }
        ImportIssue::WrongType { field, expected } => {
            let expected = i18n.tr(match expected {
                ExpectedType::Text => "mcp.import.expected.text",
                ExpectedType::TextList => "mcp.import.expected.text_list",
                ExpectedType::TextTable => "mcp.import.expected.text_table",
                ExpectedType::Table => "mcp.import.expected.table",
            });
            let args = [("field", field.into()), ("expected", expected.into())];
            i18n.tr_args("mcp.import.wrong_type", &args)
        }
        ImportIssue::NothingToReach => i18n.tr("mcp.import.nothing_to_reach").to_owned(),
        ImportIssue::UnknownTransport { transport } => i18n.tr_args(
            "mcp.import.unknown_transport",
            &[("transport", transport.into())],
        ),
        ImportIssue::Variable { name } => {
            i18n.tr_args("mcp.import.variable", &[("name", name.into())])
        }
        ImportIssue::Ignored { field } => {
            i18n.tr_args("mcp.import.ignored", &[("field", field.into())])
        }
        ImportIssue::NotLocal => i18n.tr("mcp.import.not_local").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::mcp_config::{ConfigFile, ConfigFormat, ConfigOwner, import};
    use crate::i18n::Language;

    #[test]
    fn what_is_wrong_with_a_file_is_said_with_the_entry_it_is_in() {
        let text =
            r#"{"mcpServers": {"a": {"command": "${HOME}/x"}, "b": {}, "c": {"command": 3}}}"#;
        let file = |path: &str| ConfigFile {
            path: path.into(),
            format: ConfigFormat::McpServers,
            owner: ConfigOwner::Folder,
        };
        let found = vec![
            FoundConfig {
                file: file("/p/.mcp.json"),
                content: Ok(import(ConfigFormat::McpServers, text, Path::new("/p"))),
            },
            FoundConfig {
                file: file("/p/.cursor/mcp.json"),
                content: Ok(import(ConfigFormat::McpServers, "{}", Path::new("/p"))),
            },
        ];
        let files = found_files(&I18n::new(Language::English), found);
        let [file] = files.as_slice() else {
            panic!("one file with something to say, not {files:?}");
        };
        assert_eq!(file.servers.len(), 1);
        let expected = [
            "a: the variable HOME is passed on as it is written",
            "b: there is neither a command nor an address",
            "c: command has to be text",
        ];
        assert_eq!(file.remarks, expected);
    }
}
