//! Batch files on Windows: the program behind a shim is started itself; `cmd.exe` is the last resort.
//!
//! `cmd.exe` reads its command line in its own way: it expands `%name%` even within quotes, and a quote ends the
//! quoting in which `&` and `|` mean nothing. So what contains one of these is refused, and all else is quoted.

use std::path::{Path, PathBuf};

use super::{Arguments, Launch, LaunchError, find, has_ending};
use crate::io::places::{FileKind, SearchPlaces};

/// How a batch file writes the folder that it lies in.
const OWN_FOLDER: [&str; 2] = ["%dp0%", "%~dp0"];

/// What is started for a batch file.
pub(super) fn launch(
    program: &str,
    found: PathBuf,
    args: &[String],
    places: &SearchPlaces,
) -> Result<Launch, LaunchError> {
    if let Some((program, first)) = behind_shim(&found, places) {
        let arguments = Arguments::Exact(first.into_iter().chain(args.iter().cloned()).collect());
        return Ok(Launch {
            found,
            program,
            arguments,
        });
    }
    let line = command_line(program, &found, args)?;
    let system = places.variables.get("SystemRoot");
    let cmd = system.map_or_else(
        || PathBuf::from("cmd.exe"),
        |root| places.join(root, "System32/cmd.exe"),
    );
    Ok(Launch {
        found,
        program: cmd,
        arguments: Arguments::CommandLine(line),
    })
}

/// The program that a shim of npm, pnpm or yarn starts, with the arguments that come before those of the user.
///
/// Its last command is `"<interpreter>" <flags> "%dp0%\\<script>" %*` or `"%dp0%\\<program>.exe" %*`.
/// Whatever looks different is left to `cmd.exe`.
fn behind_shim(shim: &Path, places: &SearchPlaces) -> Option<(PathBuf, Vec<String>)> {
    let text = places.files.text(shim)?;
    let folder = parent(shim)?;
    let command = text
        .lines()
        .rev()
        .filter_map(|line| line.trim().strip_suffix("%*"))
        .find(|line| line.contains("dp0"))?;
    let command = command
        .rsplit_once(" & ")
        .map_or(command, |(_, last)| last)
        .trim_start_matches('@');
    let words = words(command);
    let (target, before) = words.split_last()?;
    let target = in_own_folder(target, &folder, places)?;
    if places.files.kind(&target) != FileKind::Program {
        return None;
    }
    let Some((interpreter, flags)) = before.split_first() else {
        return has_ending(&target, &["exe"]).then(|| (target, Vec::new()));
    };
    let is_plain = |flag: &String| {
        flag.starts_with("--")
            && flag
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_=".contains(c))
    };
    let is_understood = is_node(interpreter)
        && has_ending(&target, &["js", "cjs", "mjs"])
        && flags.iter().all(is_plain);
    if !is_understood {
        return None;
    }
    let script = target.to_string_lossy().into_owned();
    let first = flags.iter().cloned().chain([script]).collect();
    Some((node(&folder, places)?, first))
}

/// Shims prefer the node that lies next to them.
fn node(folder: &Path, places: &SearchPlaces) -> Option<PathBuf> {
    let beside = places.join(folder, "node.exe");
    if places.files.kind(&beside) == FileKind::Program {
        return Some(beside);
    }
    find("node.exe", places).ok()
}

fn is_node(word: &str) -> bool {
    let name = word.rsplit('\\').next().unwrap_or(word);
    matches!(name, "%_prog%" | "node" | "node.exe")
}

/// The words of a line; quotation marks keep one together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// A word that names a file in or below the shim's folder, as a path.
fn in_own_folder(word: &str, folder: &Path, places: &SearchPlaces) -> Option<PathBuf> {
    let below = OWN_FOLDER
        .iter()
        .find_map(|prefix| word.strip_prefix(prefix))?;
    let below = below.trim_start_matches('\\');
    (!below.contains('%')).then(|| places.join(folder, below))
}

fn parent(path: &Path) -> Option<PathBuf> {
    let text = path.to_str()?;
    let (folder, _) = text.rsplit_once(['\\', '/'])?;
    Some(PathBuf::from(folder))
}

/// The arguments of `cmd.exe` that run a batch file with exactly these arguments.
fn command_line(program: &str, path: &Path, args: &[String]) -> Result<String, LaunchError> {
    let text = path.to_string_lossy();
    let path = quoted(&text).map_err(|what| LaunchError::BatchPath {
        program: program.to_owned(),
        path: text.clone().into_owned(),
        what,
    })?;
    let args = args
        .iter()
        .enumerate()
        .map(|(index, argument)| {
            quoted(argument).map_err(|what| LaunchError::Argument {
                program: program.to_owned(),
                number: index + 1,
                argument: argument.clone(),
                what,
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let words = std::iter::once(path).chain(args).collect::<Vec<_>>();
    // No autorun commands, extensions on, no `!name!`; with `/s` only the outermost quotes are taken away.
    Ok(format!("/d /e:on /v:off /s /c \"{}\"", words.join(" ")))
}

/// A word in quotes; or what it contains that can't be passed.
pub(super) fn quoted(word: &str) -> Result<String, &'static str> {
    for c in word.chars() {
        match c {
            '"' => return Err("a quotation mark"),
            '%' => return Err("a percent sign"),
            '!' => return Err("an exclamation mark"),
            '\r' | '\n' => return Err("a line break"),
            c if c.is_control() => return Err("a control character"),
            _ => {}
        }
    }
    let backslashes = word.chars().rev().take_while(|c| *c == '\\').count();
    // The program behind reads backslashes before a quotation mark as pairs.
    Ok(format!("\"{word}{}\"", "\\".repeat(backslashes)))
}
