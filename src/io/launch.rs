//! From a backend's command to the file and the exact arguments that are started. No shell is involved.

mod batch;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::core::notice::FailureKind;
use crate::io::places::{FileKind, Platform, SearchPlaces};

/// The endings of programs on Windows, in the order in which they are tried.
const WINDOWS_ENDINGS: [&str; 4] = ["exe", "cmd", "bat", "com"];

/// What is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The file that detection names.
    pub found: PathBuf,
    /// The file that is executed: the same one, or what stands behind a Windows batch file.
    pub program: PathBuf,
    pub arguments: Arguments,
}

/// The arguments of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arguments {
    /// Each is received as it stands.
    Exact(Vec<String>),
    /// A command line that is already quoted, for `cmd.exe`.
    CommandLine(String),
}

/// Why a program can't be started.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LaunchError {
    #[error("the program was not found: {program}")]
    Missing {
        program: String,
        searched: Vec<PathBuf>,
    },
    #[error("argument {number} can't be passed exactly, because it contains {what}: {argument}")]
    Argument {
        program: String,
        number: usize,
        argument: String,
        what: &'static str,
    },
    #[error("the path of a batch file can't be passed exactly, because it contains {what}: {path}")]
    BatchPath {
        program: String,
        path: String,
        what: &'static str,
    },
    #[error("the working folder is not an absolute path: {}", folder.display())]
    RelativeFolder { program: String, folder: PathBuf },
    #[error("the working folder does not exist: {}", folder.display())]
    NoFolder { program: String, folder: PathBuf },
    #[error("the working folder is not a folder: {}", folder.display())]
    NotAFolder { program: String, folder: PathBuf },
}

impl From<LaunchError> for FailureKind {
    fn from(error: LaunchError) -> Self {
        let reason = error.to_string();
        match error {
            LaunchError::Missing { program, searched } => {
                Self::ProgramMissing { program, searched }
            }
            LaunchError::Argument { program, .. }
            | LaunchError::BatchPath { program, .. }
            | LaunchError::RelativeFolder { program, .. }
            | LaunchError::NoFolder { program, .. }
            | LaunchError::NotAFolder { program, .. } => Self::StartFailed { program, reason },
        }
    }
}

/// The file that a command names, or the places where it was looked for.
pub fn find(command: &str, places: &SearchPlaces) -> Result<PathBuf, Vec<PathBuf>> {
    let command = command.trim();
    if command.is_empty() {
        return Err(Vec::new());
    }
    if let Some(path) = as_path(command, places) {
        return candidates(&path, places)
            .into_iter()
            .find(|candidate| {
                matches!(
                    places.files.kind(candidate),
                    FileKind::Program | FileKind::File
                )
            })
            .ok_or_else(|| vec![path]);
    }
    let folders = places.folders();
    folders
        .iter()
        .flat_map(|folder| candidates(&places.join(folder, command), places))
        .find(|candidate| places.files.kind(candidate) == FileKind::Program)
        .ok_or(folders)
}

/// What is started for a command with arguments.
pub fn resolve(
    command: &str,
    args: &[String],
    places: &SearchPlaces,
) -> Result<Launch, LaunchError> {
    let program = command.trim();
    let found = find(program, places).map_err(|searched| LaunchError::Missing {
        program: program.to_owned(),
        searched,
    })?;
    if let Some((index, argument)) = args.iter().enumerate().find(|(_, arg)| arg.contains('\0')) {
        return Err(LaunchError::Argument {
            program: program.to_owned(),
            number: index + 1,
            argument: argument.replace('\0', "\u{2400}"),
            what: "a null character",
        });
    }
    if places.platform == Platform::Windows && is_batch_file(&found) {
        return batch::launch(program, found, args, places);
    }
    Ok(Launch {
        program: found.clone(),
        found,
        arguments: Arguments::Exact(args.to_vec()),
    })
}

/// Checks a working folder, which is then used as it was chosen.
pub fn check_folder(
    program: &str,
    folder: &Path,
    places: &SearchPlaces,
) -> Result<(), LaunchError> {
    let (program, owned) = (program.to_owned(), folder.to_owned());
    if !places.is_absolute(folder) {
        return Err(LaunchError::RelativeFolder {
            program,
            folder: owned,
        });
    }
    match places.files.kind(folder) {
        FileKind::Folder => Ok(()),
        FileKind::Nothing => Err(LaunchError::NoFolder {
            program,
            folder: owned,
        }),
        FileKind::Program | FileKind::File => Err(LaunchError::NotAFolder {
            program,
            folder: owned,
        }),
    }
}

/// The `PATH` of the child: ours and the login shell's. A program that was found elsewhere has its own folder before
/// them, because a script of a node version needs the `node` next to it. `None` when ours will do.
pub fn child_path(launch: &Launch, places: &SearchPlaces) -> Option<OsString> {
    let own_folder = launch
        .program
        .parent()
        .filter(|folder| !places.path.iter().any(|known| known == folder))
        .map(Path::to_owned);
    if own_folder.is_none() && places.shell_path.is_empty() {
        return None;
    }
    let folders = own_folder
        .iter()
        .chain(&places.path)
        .chain(&places.shell_path);
    std::env::join_paths(folders).ok()
}

/// In words why a program that was found could not be started.
pub fn start_error(error: &io::Error, launch: &Launch, places: &SearchPlaces) -> String {
    let is_there = places.files.kind(&launch.program) != FileKind::Nothing;
    if error.kind() != io::ErrorKind::NotFound || !is_there {
        return format!("{error}: {}", launch.program.display());
    }
    // The system says "not found" of the file, and means the interpreter in its first line.
    let interpreter = places
        .files
        .text(&launch.program)
        .and_then(|text| Some(text.lines().next()?.strip_prefix("#!")?.trim().to_owned()))
        .unwrap_or_else(|| "unknown".to_owned());
    format!(
        "the program that runs the script was not found ({interpreter}): {}",
        launch.program.display()
    )
}

/// The command as an absolute path, when it is one rather than a bare name.
fn as_path(command: &str, places: &SearchPlaces) -> Option<PathBuf> {
    let is_separator = |c: char| c == '/' || (c == '\\' && places.platform == Platform::Windows);
    if let (Some(home), Some(rest)) = (&places.home, command.strip_prefix('~'))
        && rest.starts_with(is_separator)
    {
        return Some(places.join(home, rest.trim_start_matches(is_separator)));
    }
    let path = PathBuf::from(command);
    if places.is_absolute(&path) {
        return Some(path);
    }
    let here = places.current_folder.as_ref()?;
    command
        .contains(is_separator)
        .then(|| places.join(here, command))
}

/// The files that a path without an ending may mean on Windows; elsewhere the path itself.
fn candidates(path: &Path, places: &SearchPlaces) -> Vec<PathBuf> {
    if places.platform != Platform::Windows || has_ending(path, &WINDOWS_ENDINGS) {
        return vec![path.to_owned()];
    }
    WINDOWS_ENDINGS
        .iter()
        .map(|ending| {
            let mut name = path.as_os_str().to_owned();
            name.push(".");
            name.push(ending);
            PathBuf::from(name)
        })
        .collect()
}

fn is_batch_file(path: &Path) -> bool {
    has_ending(path, &["cmd", "bat"])
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let text = path.to_string_lossy();
    text.rsplit_once('.').is_some_and(|(_, ending)| {
        endings
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    })
}
