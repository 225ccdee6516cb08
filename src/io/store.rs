//! What the user set and typed, as files: settings and drafts.

mod drafts;
mod format;
#[cfg(test)]
mod tests;
mod whole_file;

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use toml_edit::DocumentMut;

use crate::core::settings::Settings;

pub use drafts::DraftStore;

/// The first lines of a new file.
const NEW_FILE: &str = "\
# The settings of Agent Panel. The program changes single values here and keeps the rest,
# your comments and what it does not know included.
version = 1
";

/// The folders that hold the user's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    pub settings_file: PathBuf,
    pub drafts: PathBuf,
    pub logs: PathBuf,
}

/// A value in the settings file that could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsWarning {
    /// Where it stands, such as `agents[0].command`; empty for the whole file.
    pub key: String,
    pub reason: String,
}

/// Why a file was not read or written.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error("it can't be read: {source}: {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("it can't be written: {source}: {}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("the broken file can't be put aside: {source}: {}", path.display())]
    PutAside { path: PathBuf, source: io::Error },
}

/// The settings file.
#[derive(Debug)]
pub struct SettingsStore {
    path: PathBuf,
    /// What the file said when we last read or wrote it. Only what differs from this is written, so that a value
    /// that was edited by hand meanwhile stays.
    known: Settings,
}

/// What lies at the place of the settings file.
enum OnDisk {
    Nothing,
    Document(Box<DocumentMut>),
    /// It can't be parsed; why.
    Broken(String),
}

impl Folders {
    /// The usual places on this system.
    pub fn of_this_user() -> Option<Self> {
        let dirs = directories::ProjectDirs::from("", "", "agent-panel")?;
        let state = dirs.state_dir().unwrap_or(dirs.data_local_dir());
        Some(Self {
            settings_file: dirs.config_dir().join("settings.toml"),
            drafts: state.join("drafts"),
            logs: state.join("logs"),
        })
    }

    /// All in one folder, instead of the usual places.
    pub fn below(folder: &Path) -> Self {
        Self {
            settings_file: folder.join("settings.toml"),
            drafts: folder.join("drafts"),
            logs: folder.join("logs"),
        }
    }
}

impl SettingsStore {
    /// Reads the settings. What can't be used is told, and the rest is used.
    pub fn open(path: PathBuf) -> (Self, Settings, Vec<SettingsWarning>) {
        let whole_file = |reason: String| {
            vec![SettingsWarning {
                key: String::new(),
                reason,
            }]
        };
        let (settings, warnings) = match read(&path) {
            Ok(OnDisk::Nothing) => (Settings::default(), Vec::new()),
            Ok(OnDisk::Document(document)) => format::read(&document),
            Ok(OnDisk::Broken(reason)) => (Settings::default(), whole_file(reason)),
            Err(error) => (Settings::default(), whole_file(error.to_string())),
        };
        let store = Self {
            path,
            known: settings.clone(),
        };
        (store, settings, warnings)
    }

    /// Writes what has changed. A file that can't be parsed is put aside first, as `settings.toml.broken-<n>`.
    pub fn save(&mut self, settings: &Settings) -> Result<(), StoreError> {
        let path = follow_links(&self.path);
        let new_file = || NEW_FILE.parse::<DocumentMut>().unwrap_or_default();
        let (mut document, before) = match read(&path)? {
            OnDisk::Document(document) => (*document, self.known.clone()),
            OnDisk::Nothing => (new_file(), Settings::default()),
            OnDisk::Broken(_) => {
                put_aside(&path)?;
                (new_file(), Settings::default())
            }
        };
        let old = document.to_string();
        format::change(&mut document, &before, settings);
        let new = document.to_string();
        if new != old || !path.exists() {
            whole_file::write(&path, new.as_bytes()).map_err(|source| StoreError::Write {
                path: path.clone(),
                source,
            })?;
        }
        self.known = settings.clone();
        Ok(())
    }
}

fn read(path: &Path) -> Result<OnDisk, StoreError> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(OnDisk::Nothing),
        Err(source) => {
            return Err(StoreError::Read {
                path: path.to_owned(),
                source,
            });
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    if matches!(text, std::borrow::Cow::Owned(_)) {
        return Ok(OnDisk::Broken("it is not UTF-8".to_owned()));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Ok(match text.parse::<DocumentMut>() {
        Ok(document) => OnDisk::Document(Box::new(document)),
        Err(error) => OnDisk::Broken(error.to_string().trim_end().to_owned()),
    })
}

/// Keeps a file under the first free name, and leaves its place empty.
fn put_aside(path: &Path) -> Result<(), StoreError> {
    let numbered = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".broken-{number}"));
        PathBuf::from(name)
    };
    let free = (1..u32::MAX)
        .map(numbered)
        .find(|candidate| !candidate.exists())
        .unwrap_or_else(|| numbered(0));
    std::fs::rename(path, free).map_err(|source| StoreError::PutAside {
        path: path.to_owned(),
        source,
    })
}

/// Where a file really lies: those who keep their settings elsewhere leave a link, and it has to stay one.
fn follow_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..16 {
        let Ok(target) = std::fs::read_link(&path) else {
            break;
        };
        path = match path.parent() {
            Some(folder) => folder.join(target),
            None => target,
        };
    }
    path
}
