//! A rough reading of lines that can't be parsed: good enough to refuse what must be refused, never to allow.

use super::walk::Walker;
use super::{LINE_MOST_BYTES, Piece, Word};

/// How much of a line's beginning and of its end is looked at, in bytes.
const LOOK_MOST_BYTES: usize = 2 * LINE_MOST_BYTES;

/// How shells spell the home folder.
const HOMES: &[&str] = &[
    "$HOME",
    "${HOME}",
    "$env:USERPROFILE",
    "$env:HOME",
    "$Env:USERPROFILE",
    "%USERPROFILE%",
    "%userprofile%",
    "%HOMEPATH%",
];

/// Takes every piece between separators for a command.
pub(super) fn read_into(walker: &mut Walker<'_>, line: &str) {
    let head = line.floor_char_boundary(LOOK_MOST_BYTES);
    let (head, rest) = line.split_at_checked(head).unwrap_or((line, ""));
    let skipped = rest.ceil_char_boundary(rest.len().saturating_sub(LOOK_MOST_BYTES));
    let (_, tail) = rest.split_at_checked(skipped).unwrap_or_default();
    for part in [head, tail] {
        pieces(walker, part);
    }
}

fn pieces(walker: &mut Walker<'_>, text: &str) {
    let line = HOMES
        .iter()
        .fold(text.to_owned(), |line, home| line.replace(home, "~"));
    let separators = [';', '|', '&', '\n', '\r', '(', ')', '{', '}', '`'];
    for piece in line.split(separators) {
        let words: Vec<Word> = piece
            .split(|c: char| c.is_whitespace() || c == '>' || c == '<')
            .map(|word| word.trim_matches(['\'', '"', '\\', '^']))
            .filter(|word| !word.is_empty())
            .map(word)
            .collect();
        if !words.is_empty() {
            walker.loose_command(words);
        }
        for target in piece.split('>').skip(1) {
            let target = target.trim_start_matches(['>', '|', '!', ' ']);
            if let Some(file) = target.split_whitespace().next() {
                walker.written(file.trim_matches(['\'', '"']));
            }
        }
    }
}

fn word(text: &str) -> Word {
    match text.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with(['/', '\\']) => Word {
            pieces: vec![Piece::Home, Piece::Text(rest.to_owned())],
        },
        _ => Word::plain(text),
    }
}
