//! The last lines that an agent wrote to stderr, as plain text.

use std::collections::VecDeque;

/// How many lines are kept.
const LINES_MOST: usize = 500;
/// What is longer is cut.
const LINE_BYTES_MOST: usize = 4096;

/// Takes bytes as they come and keeps the last lines.
#[derive(Debug, Default)]
pub(super) struct StderrTail {
    lines: VecDeque<String>,
    /// The line that has not ended yet, up to the limit.
    open: Vec<u8>,
}

impl StderrTail {
    /// Takes in a piece of output.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = LINE_BYTES_MOST.saturating_sub(self.open.len());
            self.open.extend(piece.iter().take(room));
            if piece.ends_with(b"\n") {
                self.end_line();
            }
        }
    }

    /// The last lines, at most `most`, oldest first; the unfinished one counts.
    pub(super) fn last(&mut self, most: usize) -> Vec<String> {
        self.end_line();
        let skipped = self.lines.len().saturating_sub(most);
        self.lines.iter().skip(skipped).cloned().collect()
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.open);
        let line = plain(&String::from_utf8_lossy(&line));
        if line.is_empty() {
            return;
        }
        if self.lines.len() == LINES_MOST {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }
}

/// Text without escape sequences and control characters; trailing space goes too.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\u{1b}' => skip_escape(&mut rest),
            '\u{9b}' => skip_control_sequence(&mut rest),
            '\u{9d}' | '\u{90}' | '\u{9e}' | '\u{9f}' | '\u{98}' => skip_string(&mut rest),
            '\t' => plain.push(c),
            c if c.is_control() => {}
            c => plain.push(c),
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

type Rest<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn skip_escape(rest: &mut Rest<'_>) {
    match rest.next() {
        Some('[') => skip_control_sequence(rest),
        Some(']' | 'P' | 'X' | '^' | '_') => skip_string(rest),
        // One more character belongs to those that choose a character set.
        Some(' '..='/') => {
            rest.next();
        }
        Some(_) | None => {}
    }
}

/// Parameters, then one final character.
fn skip_control_sequence(rest: &mut Rest<'_>) {
    while let Some(c) = rest.next_if(|c| matches!(c, ' '..='~')) {
        if matches!(c, '@'..='~') {
            return;
        }
    }
}

/// Ends with BEL or with ESC and a backslash.
fn skip_string(rest: &mut Rest<'_>) {
    while let Some(c) = rest.next() {
        match c {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                rest.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_the_same_however_the_bytes_are_cut() {
        let text = "fatal: チーズ\r\n\n\u{1b}[31mred\u{1b}[0m\nhalf";
        let expected = ["fatal: チーズ", "red", "half"];
        for size in 1..text.len() {
            let mut tail = StderrTail::default();
            for piece in text.as_bytes().chunks(size) {
                tail.push(piece);
            }
            assert_eq!(tail.last(40), expected, "{size}");
        }
    }

    #[test]
    fn only_the_last_lines_are_kept() {
        let mut tail = StderrTail::default();
        for number in 0..2000 {
            tail.push(format!("line {number}\n").as_bytes());
        }
        assert_eq!(tail.last(2), ["line 1998", "line 1999"]);
        assert_eq!(tail.last(usize::MAX).len(), LINES_MOST);
    }

    #[test]
    fn a_long_line_is_cut() {
        let mut tail = StderrTail::default();
        for _ in 0..100 {
            tail.push(&[b'x'; 1000]);
        }
        tail.push(b"\nnext");
        assert_eq!(tail.last(2), ["x".repeat(LINE_BYTES_MOST).as_str(), "next"]);
    }

    #[test]
    fn escape_sequences_are_taken_out() {
        let cases = [
            ("\u{1b}[1;31merror\u{1b}[0m", "error"),
            (
                "\u{1b}]8;;https://example.org\u{7}link\u{1b}]8;;\u{7}",
                "link",
            ),
            ("\u{1b}]52;c;c2VjcmV0\u{1b}\\text", "text"),
            ("\u{1b}(Btext\u{1b}7", "text"),
            ("\u{9b}2Jtext\r", "text"),
            ("a\tb  ", "a\tb"),
            ("bytes \u{fffd}", "bytes \u{fffd}"),
            ("\u{1b}[", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(plain(text), expected, "{text:?}");
        }
    }
}
