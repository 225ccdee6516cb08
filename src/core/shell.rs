//! What a shell line runs: its commands with their words, where they run, and everything that leaves doubt.

mod folders;
mod loose;
mod walk;
pub mod wipe;
mod words;
pub mod wrappers;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use walk::Walker;
pub use words::{Piece, Word};

/// The longest line that is read, in bytes.
pub const LINE_MOST_BYTES: usize = 8 * 1024;
/// The most separators in a line that is read.
const SEPARATORS_MOST: usize = 200;
/// The most openings (`(`, `{`, `` ` ``, `if`) that may be nested in a line that is read.
const NESTING_MOST: usize = 24;

/// A line as read. Only a line without doubts may be allowed by anything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShellScript {
    /// All commands in it, those that stand behind wrappers and in substitutions too.
    pub commands: Vec<ShellCommand>,
    pub doubts: Vec<Doubt>,
}

/// One simple command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellCommand {
    /// The program first.
    pub words: Vec<Word>,
    pub redirections: Vec<Redirection>,
    /// The folders in which it may run; `None` stands for one that can't be told.
    pub folders: BTreeSet<Option<PathBuf>>,
}

/// A file that a command reads from or writes to by redirection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirection {
    pub direction: Direction,
    pub target: Word,
}

/// Which way a redirection goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    In,
    Out,
}

/// Why a line must not be allowed without the person.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    Empty,
    TooLong,
    TooDeep,
    Unparsed,
    /// A control character, an odd blank or an invisible one.
    OddCharacter,
    /// `$(…)`, `` `…` ``, `<(…)`.
    Substitution,
    /// A variable, a file name pattern, braces.
    Expansion,
    /// The program's name is not a plain word.
    DynamicCommand,
    /// A loop, a condition, a function.
    Compound,
    /// A variable set in front of a command.
    Assignment,
    /// A program that runs what it is given.
    RunsCode(String),
    /// Output to a real file.
    WritesFile(String),
    /// A line for a shell that we don't read.
    UnknownShell,
}

/// Where a line starts to run.
#[derive(Debug, Clone, Copy)]
pub struct ShellPlaces<'a> {
    pub folder: &'a Path,
    pub home: Option<&'a Path>,
}

/// Reads a line for a POSIX shell or bash. Never fails: what it can't read is a doubt.
pub fn read(line: &str, places: ShellPlaces<'_>) -> ShellScript {
    let mut walker = Walker::new(places);
    read_into(&mut walker, line, places.folder);
    walker.finish()
}

/// Reads a line for a shell whose language we don't know: words between blanks, to be denied but never allowed.
pub fn read_loosely(line: &str, places: ShellPlaces<'_>) -> ShellScript {
    let mut walker = Walker::new(places);
    walker.doubt(Doubt::UnknownShell);
    loose::read_into(&mut walker, line);
    walker.finish()
}

fn read_into(walker: &mut Walker<'_>, line: &str, folder: &Path) {
    if line.trim().is_empty() {
        walker.doubt(Doubt::Empty);
        return;
    }
    if line.chars().any(is_odd) {
        walker.doubt(Doubt::OddCharacter);
    }
    if let Some(doubt) = beyond_limits(line) {
        walker.doubt(doubt);
        loose::read_into(walker, line);
        return;
    }
    if let Some(nodes) = parse(line) {
        walker.script(&nodes, folder);
    } else {
        walker.doubt(Doubt::Unparsed);
        loose::read_into(walker, line);
    }
}

/// The parser is somebody else's: should it ever panic, the line counts as not parsed.
fn parse(line: &str) -> Option<Vec<rable::Node>> {
    catch_unwind(AssertUnwindSafe(|| rable::parse(line, false).ok()))
        .ok()
        .flatten()
}

fn beyond_limits(line: &str) -> Option<Doubt> {
    if line.len() > LINE_MOST_BYTES {
        return Some(Doubt::TooLong);
    }
    let separators = line
        .bytes()
        .filter(|byte| matches!(byte, b';' | b'\n' | b'|' | b'&'))
        .count();
    let openings = line
        .bytes()
        .filter(|byte| matches!(byte, b'(' | b'{' | b'`'))
        .count();
    let words = line
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '!')
        .filter(|word| {
            matches!(
                *word,
                "if" | "for" | "while" | "until" | "case" | "select" | "!" | "time" | "coproc"
            )
        })
        .count();
    if separators > SEPARATORS_MOST {
        Some(Doubt::TooLong)
    } else if openings + words > NESTING_MOST {
        Some(Doubt::TooDeep)
    } else {
        None
    }
}

/// Control characters, blanks other than space, tab and newline, and characters that can't be seen.
fn is_odd(c: char) -> bool {
    match c {
        '\t' | '\n' | ' ' => false,
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => true,
        _ => c.is_control() || c.is_whitespace(),
    }
}

impl ShellCommand {
    /// The program's name as written, if it is a plain word.
    pub fn program(&self) -> Option<String> {
        self.words.first().and_then(Word::literal)
    }

    /// The program's name for refusing it: without its folder and ending, in lower case.
    pub fn program_for_denial(&self) -> Option<String> {
        self.words
            .first()
            .map(|word| bare_program(&word.for_denial()))
    }

    /// The words after the program.
    pub fn arguments(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }
}

/// A program's name without its folder, its ending and upper case.
fn bare_program(text: &str) -> String {
    let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.to_lowercase();
    for ending in [".exe", ".cmd", ".bat", ".com"] {
        if let Some(bare) = name.strip_suffix(ending) {
            return bare.to_owned();
        }
    }
    name
}
