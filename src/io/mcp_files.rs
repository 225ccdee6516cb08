//! Reads the files that may hold MCP servers, to offer them for import, and asks whether an editor answers. Nothing is
//! written, started or fetched.

use std::fs::File;
use std::io::{self, Read as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use crate::bridge::mcp_config::{
    ConfigFile, ConfigPlaces, ImportProblem, Imported, config_files, import, unity_ops_config_path,
    unity_ops_server,
};
use crate::core::backend::{McpServer, McpTransport};

/// What is longer is not read. A file of Claude Code holds the history of all its projects.
const FILE_BYTES_MOST: u64 = 32 * 1024 * 1024;

/// How long a server on this machine may take to answer.
const LISTEN_WAIT: Duration = Duration::from_millis(300);

/// A file that was there.
#[derive(Debug)]
pub struct FoundConfig {
    pub file: ConfigFile,
    pub content: Result<Imported, FileError>,
}

/// Why a file could not be read.
#[derive(Debug, Error)]
pub enum FileError {
    #[error("the file can't be read: {source}: {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("the file is longer than {} MiB: {}", FILE_BYTES_MOST >> 20, path.display())]
    TooLong { path: PathBuf },
    #[error("this is not a file: {}", path.display())]
    NotAFile { path: PathBuf },
}

/// Why the ops server of a Unity project is not offered.
#[derive(Debug, Error)]
pub enum OpsError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("the file does not say how the editor is reached")]
    Content(ImportProblem),
}

/// The files of a folder and of the person that are there, in the order in which they count. It blocks.
pub fn find(folder: &Path, places: &ConfigPlaces) -> Vec<FoundConfig> {
    let found = config_files(folder, places).into_iter().filter_map(|file| {
        let text = read(&file.path).transpose()?;
        let content = text.map(|text| import(file.format, &text, folder));
        Some(FoundConfig { file, content })
    });
    found.collect()
}

/// The ops server of the editor that has a folder open, if it is a Unity project and its editor has said so. It blocks.
pub fn find_unity_ops(folder: &Path) -> Result<Option<McpServer>, OpsError> {
    let is_unity_project = ["Assets", "ProjectSettings"]
        .iter()
        .all(|name| folder.join(name).is_dir());
    if !is_unity_project {
        return Ok(None);
    }
    match read(&unity_ops_config_path(folder))? {
        Some(text) => unity_ops_server(&text).map_err(OpsError::Content),
        None => Ok(None),
    }
}

/// Whether anything answers at a server's address on this machine, as its editor's file may be left behind. It blocks
/// for a moment at most.
pub fn listens(server: &McpServer) -> bool {
    let McpTransport::Http { url, .. } = &server.transport else {
        return false;
    };
    let rest = url.trim().strip_prefix("http://").unwrap_or_default();
    let authority = rest.split('/').next().unwrap_or_default();
    let with_port = match authority.rsplit_once(':') {
        Some((_, port)) if port.parse::<u16>().is_ok() => authority.to_owned(),
        Some(_) | None => format!("{authority}:80"),
    };
    let addresses = with_port.to_socket_addrs().into_iter().flatten();
    addresses
        .filter(|address| address.ip().is_loopback())
        .any(|address| TcpStream::connect_timeout(&address, LISTEN_WAIT).is_ok())
}

/// Where the person's configuration lies on this system.
pub fn places_of_this_system() -> ConfigPlaces {
    let folder = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    ConfigPlaces {
        home: directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned()),
        claude: folder("CLAUDE_CONFIG_DIR"),
        codex: folder("CODEX_HOME"),
    }
}

/// The text of a file; `None` when there is none.
fn read(path: &Path) -> Result<Option<String>, FileError> {
    let fault = |source| FileError::Read {
        path: path.to_owned(),
        source,
    };
    let path = path.to_owned();
    let metadata = match std::fs::metadata(&path) {
        Ok(metadata) => metadata,
        Err(error) if is_absence(&error) => return Ok(None),
        Err(error) => return Err(fault(error)),
    };
    // Opening a pipe would wait for whoever writes to it.
    if !metadata.is_file() {
        return Err(FileError::NotAFile { path });
    }
    let mut bytes = Vec::new();
    let mut file = File::open(&path).map_err(fault)?.take(FILE_BYTES_MOST + 1);
    file.read_to_end(&mut bytes).map_err(fault)?;
    if bytes.len() as u64 > FILE_BYTES_MOST {
        return Err(FileError::TooLong { path });
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::mcp_config::{ConfigFormat, ConfigOwner};

    fn write(folder: &Path, names: &str, text: &str) {
        let path = folder.join(names);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("it can be made");
        std::fs::write(path, text).expect("it can be written");
    }

    #[test]
    fn the_files_that_are_there_are_read_in_order() {
        let root = tempfile::tempdir().expect("a folder");
        let (folder, home) = (root.path().join("game"), root.path().join("home"));
        write(
            &folder,
            ".mcp.json",
            r#"{"mcpServers": {"a": {"command": "x"}}}"#,
        );
        write(&folder, ".gemini/settings.json", "not json");
        write(
            &home,
            ".codex/config.toml",
            "[mcp_servers.b]\ncommand = \"y\"\n",
        );
        std::fs::create_dir_all(folder.join(".vscode/mcp.json")).expect("it can be made");
        let places = ConfigPlaces {
            home: Some(home),
            ..ConfigPlaces::default()
        };

        let found = find(&folder, &places);

        let summary: Vec<_> = found
            .iter()
            .map(|found| {
                let content = found
                    .content
                    .as_ref()
                    .map(|content| (content.servers.len(), content.problems.len()));
                (found.file.format, found.file.owner, content.ok())
            })
            .collect();
        assert_eq!(
            summary,
            [
                (ConfigFormat::McpServers, ConfigOwner::Folder, Some((1, 0))),
                (ConfigFormat::Gemini, ConfigOwner::Folder, Some((0, 1))),
                (ConfigFormat::VsCode, ConfigOwner::Folder, None),
                (ConfigFormat::Codex, ConfigOwner::Person, Some((1, 0))),
            ]
        );
    }

    #[test]
    fn the_ops_server_is_found_in_a_unity_project_only() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = root.path();
        let found = |folder: &Path| find_unity_ops(folder).map(|found| found.map(|ops| ops.name));
        write(
            folder,
            "UserSettings/AgentPanel/uap-mcp-config.json",
            r#"{"mcpServers": {"unity-ops": {"type": "http", "url": "http://127.0.0.1:1/mcp"}}}"#,
        );
        assert!(matches!(found(folder), Ok(None)));
        write(folder, "Assets/a.txt", "");
        write(folder, "ProjectSettings/a.txt", "");
        assert_eq!(found(folder).ok().flatten().as_deref(), Some("unity-ops"));
        write(folder, "UserSettings/AgentPanel/uap-mcp-config.json", "{");
        assert!(matches!(found(folder), Err(OpsError::Content(_))));
    }

    #[test]
    fn an_editor_that_is_gone_does_not_answer() {
        let server = |url: &str| McpServer {
            name: "unity-ops".to_owned(),
            transport: McpTransport::Http {
                url: url.to_owned(),
                headers: std::collections::BTreeMap::new(),
            },
        };
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let here = format!("http://127.0.0.1:{port}/mcp");
        assert!(listens(&server(&here)));
        drop(listener);
        for url in [here.as_str(), "http://", "https://127.0.0.1", "http://[::"] {
            assert!(!listens(&server(url)), "{url}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_has_no_end_is_not_read() {
        let endless = read(Path::new("/dev/zero"));
        assert!(matches!(endless, Err(FileError::NotAFile { .. })));
    }
}
