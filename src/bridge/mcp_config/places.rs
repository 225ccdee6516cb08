//! Which files may hold MCP servers for a folder.

use std::path::{Path, PathBuf};

use super::ConfigFormat;

/// Where the person's own configuration lies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConfigPlaces {
    pub home: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`, where it is set.
    pub claude: Option<PathBuf>,
    /// `CODEX_HOME`, where it is set.
    pub codex: Option<PathBuf>,
}

/// A file that may hold servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigFile {
    pub path: PathBuf,
    pub format: ConfigFormat,
    pub owner: ConfigOwner,
}

/// Who wrote a file. What a folder brings along may be a stranger's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConfigOwner {
    Folder,
    Person,
}

/// The files to look at, the folder's own first.
pub fn config_files(folder: &Path, places: &ConfigPlaces) -> Vec<ConfigFile> {
    let of_folder = [
        (".mcp.json", ConfigFormat::McpServers),
        (".codex/config.toml", ConfigFormat::Codex),
        (".gemini/settings.json", ConfigFormat::Gemini),
        (".qwen/settings.json", ConfigFormat::Gemini),
        (".cursor/mcp.json", ConfigFormat::McpServers),
        (".vscode/mcp.json", ConfigFormat::VsCode),
    ];
    let mut files: Vec<_> = of_folder
        .into_iter()
        .map(|(path, format)| ConfigFile {
            path: below(folder, path),
            format,
            owner: ConfigOwner::Folder,
        })
        .collect();
    let home = |path: &str| Some(below(places.home.as_deref()?, path));
    let instead = |folder: &Option<PathBuf>, path: &str| Some(below(folder.as_deref()?, path));
    let of_person = [
        (
            instead(&places.claude, ".claude.json").or_else(|| home(".claude.json")),
            ConfigFormat::Claude,
        ),
        (
            instead(&places.codex, "config.toml").or_else(|| home(".codex/config.toml")),
            ConfigFormat::Codex,
        ),
        (home(".gemini/settings.json"), ConfigFormat::Gemini),
        (home(".qwen/settings.json"), ConfigFormat::Gemini),
        (home(".cursor/mcp.json"), ConfigFormat::McpServers),
    ];
    for (path, format) in of_person {
        // In the home folder itself, the two are one file.
        let path = path.filter(|path| files.iter().all(|known| known.path != *path));
        files.extend(path.map(|path| ConfigFile {
            path,
            format,
            owner: ConfigOwner::Person,
        }));
    }
    files
}

fn below(folder: &Path, names: &str) -> PathBuf {
    names
        .split('/')
        .fold(folder.to_owned(), |path, name| path.join(name))
}
