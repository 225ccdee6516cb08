//! Where programs are searched for, as a value, so that each system's rules can be tested on any system.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The system whose rules apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    Linux,
    MacOs,
    Windows,
}

/// What lies at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A file that may be executed.
    Program,
    /// Another file.
    File,
    Folder,
    Nothing,
}

/// The file system as far as a search needs it.
pub trait Files: Send + Sync {
    /// What lies at a path; links are followed.
    fn kind(&self, path: &Path) -> FileKind;
    /// The names in a folder, in any order; none when it can't be read.
    fn names(&self, folder: &Path) -> Vec<String>;
    /// A short text file.
    fn text(&self, path: &Path) -> Option<String>;
}

/// The places where programs may be.
#[derive(Clone)]
pub struct SearchPlaces {
    pub platform: Platform,
    /// The folders of `PATH`, in order.
    pub path: Vec<PathBuf>,
    /// Folders that only the user's login shell knows, in order.
    pub shell_path: Vec<PathBuf>,
    pub home: Option<PathBuf>,
    /// For programs given relative to the folder in which we were started.
    pub current_folder: Option<PathBuf>,
    /// This program, which plays the demo.
    pub own_program: Option<PathBuf>,
    /// The folders named by variables that installers set, as in [`FOLDER_VARIABLES`].
    pub variables: BTreeMap<String, PathBuf>,
    pub files: Arc<dyn Files>,
}

/// Variables that name a folder in which programs are installed.
pub const FOLDER_VARIABLES: [&str; 12] = [
    "APPDATA",
    "LOCALAPPDATA",
    "ProgramFiles",
    "SystemRoot",
    "NVM_BIN",
    "NVM_DIR",
    "NVM_SYMLINK",
    "FNM_DIR",
    "FNM_MULTISHELL_PATH",
    "XDG_DATA_HOME",
    "PNPM_HOME",
    "VOLTA_HOME",
];

impl fmt::Debug for SearchPlaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchPlaces")
            .field("platform", &self.platform)
            .field("path", &self.path)
            .field("shell_path", &self.shell_path)
            .field("home", &self.home)
            .finish_non_exhaustive()
    }
}

impl SearchPlaces {
    /// The places of the system we run on. The login shell is not asked.
    pub fn of_this_system() -> Self {
        let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let platform = if cfg!(windows) {
            Platform::Windows
        } else if cfg!(target_os = "macos") {
            Platform::MacOs
        } else {
            Platform::Linux
        };
        Self {
            platform,
            path: folders_of(&std::env::var_os("PATH").unwrap_or_default()),
            shell_path: Vec::new(),
            home: directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned()),
            current_folder: std::env::current_dir().ok(),
            own_program: std::env::current_exe().ok(),
            variables: FOLDER_VARIABLES
                .iter()
                .filter_map(|name| Some(((*name).to_owned(), PathBuf::from(folder(name)?))))
                .collect(),
            files: Arc::new(RealFiles),
        }
    }

    /// Takes in the `PATH` of the user's login shell.
    pub fn add_shell_path(&mut self, shell_path: &OsStr) {
        self.shell_path = folders_of(shell_path)
            .into_iter()
            .filter(|folder| !self.path.contains(folder))
            .collect();
    }

    /// All folders to search, in order: `PATH`, the login shell's, the usual install places.
    pub fn folders(&self) -> Vec<PathBuf> {
        let mut folders = Vec::new();
        let usual = self.usual_places();
        for folder in self.path.iter().chain(&self.shell_path).chain(&usual) {
            if !folders.contains(folder) {
                folders.push(folder.clone());
            }
        }
        folders
    }

    /// A path below a folder, with the separators of the platform.
    pub fn join(&self, folder: &Path, names: &str) -> PathBuf {
        if self.platform != Platform::Windows {
            return folder.join(names);
        }
        let mut path = OsString::from(folder);
        if !path.is_empty() && !path.to_string_lossy().ends_with(['\\', '/']) {
            path.push("\\");
        }
        path.push(names.replace('/', "\\"));
        PathBuf::from(path)
    }

    /// Whether a path is absolute by the rules of the platform.
    pub fn is_absolute(&self, path: &Path) -> bool {
        if self.platform != Platform::Windows {
            return path.to_string_lossy().starts_with('/');
        }
        let text = path.to_string_lossy();
        let mut start = text.chars();
        let is_separator = |c: Option<char>| matches!(c, Some('\\' | '/'));
        match start.next() {
            Some('\\' | '/') => is_separator(start.next()),
            Some(drive) if drive.is_ascii_alphabetic() => {
                start.next() == Some(':') && is_separator(start.next())
            }
            Some(_) | None => false,
        }
    }

    fn usual_places(&self) -> Vec<PathBuf> {
        let mut places = self.places_of_variables();
        if let Some(home) = &self.home {
            let below_home = [
                ".local/bin",
                ".npm-global/bin",
                ".grok/bin",
                ".claude/local",
                ".opencode/bin",
                ".bun/bin",
                ".cargo/bin",
                ".volta/bin",
                ".deno/bin",
                ".local/share/mise/shims",
                ".asdf/shims",
                "scoop/shims",
            ];
            places.extend(below_home.iter().map(|names| self.join(home, names)));
        }
        places.extend(self.node_version_managers());
        if self.platform != Platform::Windows {
            let of_the_system = [
                "/usr/local/bin",
                "/opt/homebrew/bin",
                "/home/linuxbrew/.linuxbrew/bin",
                "/snap/bin",
                "/usr/bin",
                "/bin",
            ];
            places.extend(of_the_system.iter().map(PathBuf::from));
        }
        places
    }

    fn places_of_variables(&self) -> Vec<PathBuf> {
        let rules = [
            ("APPDATA", "npm"),
            ("LOCALAPPDATA", "pnpm"),
            ("LOCALAPPDATA", "Volta/bin"),
            ("LOCALAPPDATA", "Microsoft/WinGet/Links"),
            ("LOCALAPPDATA", "Programs/claude"),
            ("ProgramFiles", "nodejs"),
            ("PNPM_HOME", ""),
            ("VOLTA_HOME", "bin"),
        ];
        rules
            .iter()
            .filter_map(|(variable, below)| {
                let folder = self.variables.get(*variable)?;
                Some(if below.is_empty() {
                    folder.clone()
                } else {
                    self.join(folder, below)
                })
            })
            .collect()
    }

    /// The folder of the node version that nvm or fnm has in use.
    fn node_version_managers(&self) -> Vec<PathBuf> {
        let variable = |name: &str| self.variables.get(name).cloned();
        let below_home = |names: &str| self.home.as_ref().map(|home| self.join(home, names));
        let mut places: Vec<PathBuf> = [variable("NVM_BIN"), variable("NVM_SYMLINK")]
            .into_iter()
            .flatten()
            .collect();
        if let Some(nvm) = variable("NVM_DIR").or_else(|| below_home(".nvm")) {
            places.extend(self.current_of_nvm(&nvm));
        }
        let bin = |folder: PathBuf| match self.platform {
            Platform::Windows => folder,
            Platform::Linux | Platform::MacOs => folder.join("bin"),
        };
        places.extend(variable("FNM_MULTISHELL_PATH").map(bin));
        let data = variable("XDG_DATA_HOME").or_else(|| below_home(".local/share"));
        let fnm = [
            variable("FNM_DIR"),
            data.map(|data| self.join(&data, "fnm")),
            below_home(".fnm"),
            below_home("Library/Application Support/fnm"),
            variable("APPDATA").map(|data| self.join(&data, "fnm")),
        ];
        places.extend(
            fnm.into_iter()
                .flatten()
                .map(|fnm| self.join(&fnm, "aliases/default"))
                .filter(|default| self.files.kind(default) == FileKind::Folder)
                .map(bin),
        );
        places
    }

    /// nvm keeps the version in use in a file, as `22`, `v22.3.0` or a name; a name means the newest to us.
    fn current_of_nvm(&self, nvm: &Path) -> Option<PathBuf> {
        let versions = self.join(nvm, "versions/node");
        let mut installed: Vec<(Vec<u64>, String)> = self
            .files
            .names(&versions)
            .into_iter()
            .map(|name| (version_numbers(&name), name))
            .collect();
        installed.sort();
        let wanted = self
            .files
            .text(&self.join(nvm, "alias/default"))
            .map(|text| version_numbers(&text))
            .unwrap_or_default();
        let current = installed
            .iter()
            .rev()
            .find(|(numbers, _)| numbers.starts_with(&wanted))
            .or(installed.last())?;
        Some(self.join(&versions, &format!("{}/bin", current.1)))
    }
}

/// The numbers of `v22.3.0`; none for a name such as `lts/*`.
fn version_numbers(text: &str) -> Vec<u64> {
    text.trim()
        .trim_start_matches('v')
        .split('.')
        .map_while(|part| part.parse().ok())
        .collect()
}

/// The absolute folders of a `PATH`. Relative ones would let a project folder put its programs before ours.
fn folders_of(path: &OsStr) -> Vec<PathBuf> {
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .collect()
}

struct RealFiles;

impl Files for RealFiles {
    fn kind(&self, path: &Path) -> FileKind {
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => FileKind::Folder,
            Ok(metadata) if is_executable(&metadata) => FileKind::Program,
            Ok(_) => FileKind::File,
            Err(_) => FileKind::Nothing,
        }
    }

    fn names(&self, folder: &Path) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(folder) else {
            return Vec::new();
        };
        entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect()
    }

    fn text(&self, path: &Path) -> Option<String> {
        let metadata = std::fs::metadata(path).ok()?;
        let is_short = metadata.is_file() && metadata.len() <= 64 * 1024;
        let bytes = is_short.then(|| std::fs::read(path).ok()).flatten()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

#[cfg(unix)]
fn is_executable(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(metadata: &std::fs::Metadata) -> bool {
    metadata.is_file()
}
