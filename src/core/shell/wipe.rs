//! Commands that wipe the root, the home folder, or the folder at work and what is above it. Refused at every level.

use std::path::{Component, Path, PathBuf};

use super::{Piece, ShellCommand, ShellPlaces, ShellScript, Word};

/// How many words braces may be expanded to.
const BRACES_MOST: usize = 64;

/// The first command that wipes something that must not be wiped, as text.
pub fn wiping(script: &ShellScript, places: ShellPlaces<'_>) -> Option<String> {
    script
        .commands
        .iter()
        .find(|command| wipes(command, places))
        .map(text_of)
}

fn text_of(command: &ShellCommand) -> String {
    let words: Vec<_> = command.words.iter().map(Word::for_denial).collect();
    words.join(" ")
}

fn wipes(command: &ShellCommand, places: ShellPlaces<'_>) -> bool {
    let Some(program) = command.program_for_denial() else {
        return false;
    };
    let words = command.arguments();
    let targets = match program.as_str() {
        "rm" | "grm" | "srm" | "trash" if has_option(words, 'r', "--recursive") => words,
        "find" | "gfind" => removed_by_find(words),
        "remove-item" | "ri" | "del" | "erase" => words,
        "rd" | "rmdir" if has_word(words, "/s") => words,
        _ => &[],
    };
    targets
        .iter()
        .flat_map(expanded)
        .filter(|word| !word.for_denial().starts_with('-'))
        .any(|word| is_target(&word, command, places))
}

fn has_word(words: &[Word], expected: &str) -> bool {
    words
        .iter()
        .any(|word| word.for_denial().eq_ignore_ascii_case(expected))
}

/// The starting points of a `find` that removes all it finds.
fn removed_by_find(words: &[Word]) -> &[Word] {
    let texts: Vec<_> = words.iter().map(Word::for_denial).collect();
    let is_option =
        |text: &str| text.starts_with('-') && !matches!(text, "-H" | "-L" | "-P" | "--");
    let removes = |(at, text): (usize, &String)| {
        let runs = text.starts_with("-exec") || text.starts_with("-ok");
        let removing = texts
            .get(at + 1)
            .is_some_and(|program| matches!(super::bare_program(program).as_str(), "rm" | "shred"));
        text == "-delete" || (runs && removing)
    };
    let Some(action) = texts.iter().enumerate().position(removes) else {
        return &[];
    };
    let start = texts
        .iter()
        .position(|text| is_option(text))
        .unwrap_or(action);
    let tests = texts.get(start..action).unwrap_or_default();
    let filters = tests.iter().enumerate().any(|(at, text)| {
        let all = tests.get(at + 1).is_some_and(|value| is_everything(value));
        let takes_all = match text.as_str() {
            "-depth" | "-d" | "-mindepth" | "-maxdepth" | "-type" | "-print" | "-print0"
            | "-xdev" | "-mount" | "-true" => true,
            "-name" | "-iname" | "-path" | "-ipath" | "-wholename" => all,
            _ => !is_option(text),
        };
        !takes_all
    });
    if filters {
        return &[];
    }
    words.get(..start).unwrap_or_default()
}

/// `-r` among short options run together, or the long one, perhaps cut short.
fn has_option(words: &[Word], letter: char, long: &str) -> bool {
    words.iter().map(Word::for_denial).any(|text| {
        let short = text.starts_with('-')
            && !text.starts_with("--")
            && text.to_lowercase().contains(letter);
        let cut = text.len() > 3 && text.starts_with("--") && long.starts_with(text.as_str());
        short || cut
    })
}

/// The words that braces make, as far as it matters: each choice in its place.
fn expanded(word: &Word) -> Vec<Word> {
    let mut words = vec![Word::default()];
    for piece in &word.pieces {
        if let Piece::Braces(inner) = piece {
            let choices: Vec<&str> = inner.split(',').collect();
            if words.len() * choices.len() > BRACES_MOST {
                return Vec::new();
            }
            words = words
                .iter()
                .flat_map(|word| choices.iter().map(|choice| with(word, text_piece(choice))))
                .collect();
        } else {
            for word in &mut words {
                word.pieces.push(piece.clone());
            }
        }
    }
    words
}

fn with(word: &Word, pieces: Vec<Piece>) -> Word {
    let mut word = word.clone();
    word.pieces.extend(pieces);
    word
}

/// A choice of braces, which may hold a pattern of its own or stand for home.
fn text_piece(choice: &str) -> Vec<Piece> {
    let (mut pieces, rest) = match choice.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => (vec![Piece::Home], rest),
        _ => (Vec::new(), choice),
    };
    for c in rest.chars() {
        pieces.push(match c {
            '*' | '?' | '[' => Piece::Glob(c),
            _ => Piece::Text(c.to_string()),
        });
    }
    pieces
}

fn is_target(word: &Word, command: &ShellCommand, places: ShellPlaces<'_>) -> bool {
    command
        .folders
        .iter()
        .any(|folder| is_target_from(word, folder.as_deref(), places))
}

fn is_target_from(word: &Word, from: Option<&Path>, places: ShellPlaces<'_>) -> bool {
    let Some(text) = target_text(word, from, places) else {
        return false;
    };
    if is_drive(&text) || first_below_root(&text) {
        return true;
    }
    let folder = without_pattern(&text);
    if folder.is_empty() || any_glob(&folder) {
        return false;
    }
    let folder = normal(Path::new(&folder));
    if folder.has_root() {
        return guards(&folder, places);
    }
    match from {
        Some(from) => guards(&normal(&from.join(&folder)), places),
        // Where it runs can't be told: `.` and what is above it are taken for what they say.
        None => matches!(
            folder.components().next(),
            None | Some(Component::ParentDir)
        ),
    }
}

/// The path as text. A value that can't be told is left to the person.
fn target_text(word: &Word, from: Option<&Path>, places: ShellPlaces<'_>) -> Option<String> {
    let mut text = String::new();
    for (index, piece) in word.pieces.iter().enumerate() {
        match piece {
            Piece::Text(part) => text.push_str(part),
            Piece::Glob(c) => text.push(*c),
            Piece::Home if index == 0 => text.push_str(&places.home?.to_string_lossy()),
            Piece::Here if index == 0 => match from {
                Some(from) => text.push_str(&from.to_string_lossy()),
                None => text.push('.'),
            },
            Piece::Home | Piece::Here | Piece::Braces(_) | Piece::Unknown => return None,
        }
    }
    Some(text.replace('\\', "/"))
}

/// The folder that a pattern for all names empties, or the path itself.
fn without_pattern(text: &str) -> String {
    match text.rsplit_once('/') {
        Some(("", last)) if is_everything(last) => "/".to_owned(),
        Some((folder, last)) if is_everything(last) => folder.to_owned(),
        None if is_everything(text) => ".".to_owned(),
        Some(_) | None => text.to_owned(),
    }
}

/// Whether removing the folder takes the root, the home folder or the folder at work with it.
fn guards(target: &Path, places: ShellPlaces<'_>) -> bool {
    let root = target.parent().is_none();
    root || places.folder.starts_with(target)
        || places.home.is_some_and(|home| home.starts_with(target))
}

/// A pattern that takes all names: `*`, `.*`, `?*`, `[!.]*`.
fn is_everything(part: &str) -> bool {
    let plain = part
        .chars()
        .all(|c| matches!(c, '*' | '?' | '.' | '[' | ']' | '!' | '^'));
    part.contains('*') && plain
}

fn any_glob(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Any pattern right below the root (`/*`, `/b*`).
fn first_below_root(text: &str) -> bool {
    let absolute = text.starts_with('/');
    let first = text
        .split('/')
        .find(|part| !part.is_empty() && *part != ".");
    absolute && first.is_some_and(any_glob)
}

/// `C:`, `C:/`, `C:/*`.
fn is_drive(text: &str) -> bool {
    let mut chars = text.chars();
    let letter = chars.next().is_some_and(|c| c.is_ascii_alphabetic());
    let rest: String = chars.skip(1).collect();
    letter && text.get(1..2) == Some(":") && matches!(rest.as_str(), "" | "/" | "/*" | "/*.*")
}

/// The path without `.` and with `..` taken back by its text.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                let at_name = matches!(normal.components().next_back(), Some(Component::Normal(_)));
                if at_name {
                    normal.pop();
                } else if !normal.has_root() {
                    normal.push("..");
                }
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => normal.push(part),
        }
    }
    normal
}
