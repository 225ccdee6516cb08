//! Completes Markdown that is still arriving, so that half of a mark does not flicker on the screen.
//!
//! Only the look of the last paragraph is guessed at; the text itself is never changed, and once it is complete
//! nothing is guessed.

use std::borrow::Cow;

/// The text with its open marks closed, and a mark that has only begun left out.
pub fn mend(text: &str) -> Cow<'_, str> {
    let text = without_begun_line(text);
    let start = last_paragraph(text);
    let (before, paragraph) = (
        text.get(..start).unwrap_or_default(),
        text.get(start..).unwrap_or_default(),
    );
    if let Some(table) = mended_table(paragraph) {
        return Cow::Owned(format!("{before}{table}"));
    }
    match mended_marks(paragraph) {
        Some(mended) => Cow::Owned(format!("{before}{mended}")),
        None => Cow::Borrowed(text),
    }
}

/// Leaves out a last line that is nothing but the start of a mark: it may become a list, a heading or a rule.
fn without_begun_line(text: &str) -> &str {
    let start = text.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(start..).unwrap_or_default();
    let is_number = |line: &str| {
        line.trim_end_matches(['.', ')'])
            .bytes()
            .all(|byte| byte.is_ascii_digit())
    };
    let is_mark = |line: &str| {
        line.bytes().all(|byte| {
            matches!(
                byte,
                b'-' | b'=' | b'*' | b'_' | b'#' | b'>' | b'`' | b'~' | b'+' | b' '
            )
        })
    };
    let trimmed = line.trim();
    // A number alone is prose more often than a list; it shows when it stands at the start of the text.
    let begins = !trimmed.is_empty()
        && (is_mark(trimmed) || (start > 0 && trimmed.len() < 4 && is_number(trimmed)));
    if begins {
        text.get(..start).unwrap_or_default()
    } else {
        text
    }
}

/// Where the last run of lines without a blank one begins.
fn last_paragraph(text: &str) -> usize {
    let mut start = text.len();
    for line in text.split_inclusive('\n').rev() {
        if line.trim().is_empty() {
            break;
        }
        start -= line.len();
    }
    start
}

/// A table whose line below the head has not arrived, given one.
fn mended_table(paragraph: &str) -> Option<String> {
    let mut lines = paragraph.lines();
    let head = lines.next()?;
    if !head.trim_start().starts_with('|') {
        return None;
    }
    let delimiter = lines.next();
    let is_complete = delimiter.is_some() && paragraph.matches('\n').count() >= 2;
    let is_delimiter = |line: &str| {
        line.bytes()
            .all(|byte| matches!(byte, b'|' | b'-' | b':' | b' '))
    };
    if is_complete || !delimiter.is_none_or(is_delimiter) {
        return None;
    }
    let cells = head.trim().trim_matches('|').split('|').count();
    let head = head.trim_end();
    let closed = if head.trim_start().len() > 1 && head.ends_with('|') {
        ""
    } else {
        "|"
    };
    Some(format!("{head}{closed}\n|{}\n", "---|".repeat(cells)))
}

/// Closes code spans, emphasis and links that are open at the end. `None` when nothing is.
fn mended_marks(paragraph: &str) -> Option<String> {
    let mut open = OpenMarks::default();
    let mut at = 0;
    while let Some(c) = paragraph.get(at..).and_then(|rest| rest.chars().next()) {
        at = open.read(paragraph, at, c);
    }
    open.close(paragraph)
}

#[derive(Default)]
struct OpenMarks<'a> {
    /// Runs of `*`, `_` and `~` that wait for their end, with where they are.
    runs: Vec<(&'a str, usize)>,
    /// Where the bracket of a link is that is not finished, and where its text ends.
    bracket: Option<(usize, Option<usize>)>,
    /// A run of backticks without its end, and where it is.
    code: Option<(&'a str, usize)>,
}

impl<'a> OpenMarks<'a> {
    /// Reads what is at a place and returns the next place.
    fn read(&mut self, text: &'a str, at: usize, c: char) -> usize {
        let rest = text.get(at..).unwrap_or_default();
        let run = match c {
            '`' | '*' | '_' | '~' => {
                let length = rest.find(|other| other != c).unwrap_or(rest.len());
                rest.get(..length).unwrap_or_default()
            }
            _ => "",
        };
        match c {
            '\\' => return at + 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
            '`' => return self.read_code(text, at, run),
            '*' | '_' | '~' => {
                self.read_run(text, at, run);
                return at + run.len();
            }
            '[' if self.bracket.is_none() => self.bracket = Some((at, None)),
            ']' => match self.bracket {
                Some((start, None)) if rest.starts_with("](") => {
                    self.bracket = Some((start, Some(at)));
                }
                Some((_, None)) => self.bracket = None,
                Some((_, Some(_))) | None => {}
            },
            ')' if matches!(self.bracket, Some((_, Some(_)))) => self.bracket = None,
            _ => {}
        }
        at + c.len_utf8()
    }

    fn read_code(&mut self, text: &'a str, at: usize, run: &'a str) -> usize {
        let mut after = at + run.len();
        while let Some(start) = text.get(after..).and_then(|rest| rest.find('`')) {
            let start = after + start;
            let rest = text.get(start..).unwrap_or_default();
            let length = rest.find(|c| c != '`').unwrap_or(rest.len());
            after = start + length;
            if length == run.len() {
                return after;
            }
        }
        self.code = Some((run, at));
        text.len()
    }

    fn read_run(&mut self, text: &str, at: usize, run: &'a str) {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text
            .get(at + run.len()..)
            .and_then(|text| text.chars().next());
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        if run.starts_with('_') && is_word(before) && is_word(after) {
            return;
        }
        let can_open = after.is_none_or(|c| !c.is_whitespace());
        let can_close = before.is_some_and(|c| !c.is_whitespace());
        let opener = self.runs.iter().rposition(|(open, _)| *open == run);
        match opener {
            Some(index) if can_close => self.runs.truncate(index),
            Some(_) | None if can_open && run.len() <= 3 => self.runs.push((run, at)),
            Some(_) | None => {}
        }
    }

    fn close(self, paragraph: &str) -> Option<String> {
        if self.runs.is_empty() && self.bracket.is_none() && self.code.is_none() {
            return None;
        }
        let mut text = paragraph.to_owned();
        if let Some((run, at)) = self.code {
            close_at(&mut text, run, at);
        }
        if let Some((start, end)) = self.bracket {
            // The address is not known yet, so this is no link yet: only its text shows.
            if let Some(end) = end {
                text.truncate(end);
            }
            if text.get(start..).is_some_and(|rest| rest.starts_with('[')) {
                text.remove(start);
            }
        }
        let removed = self.bracket.map_or(usize::MAX, |(start, _)| start);
        for (run, at) in self.runs.iter().rev() {
            let at = if *at > removed { at - 1 } else { *at };
            close_at(&mut text, run, at);
        }
        Some(text)
    }
}

/// Closes a mark that stands at a place, or takes it away when nothing follows it.
fn close_at(text: &mut String, run: &str, at: usize) {
    if at >= text.len() {
        return;
    }
    let after = text.get(at + run.len()..).unwrap_or_default();
    if after.trim().is_empty() {
        text.truncate(at);
        return;
    }
    let length = text.trim_end().len();
    text.truncate(length);
    // A mark of the same kind that has only begun to close: `**bold*`.
    let mark = run.chars().next().unwrap_or('*');
    let begun = text.len() - text.trim_end_matches(mark).len();
    let missing = run
        .len()
        .saturating_sub(if begun < run.len() { begun } else { 0 });
    text.push_str(run.get(..missing).unwrap_or(run));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            assert_eq!(mend(text), *expected, "{text:?}");
        }
    }

    #[test]
    fn complete_text_is_left_alone() {
        for text in [
            "",
            "a **b** `c` [d](e)",
            "2 * 3 * 4",
            "snake_case_name",
            "\\*not",
            "a]b[c]",
            "x\n\n- y",
        ] {
            assert_eq!(mend(text), text);
        }
    }

    #[test]
    fn open_marks_are_closed() {
        check(&[
            ("a **bol", "a **bol**"),
            ("a **bold*", "a **bold**"),
            ("a *b **c", "a *b **c***"),
            ("a `co", "a `co`"),
            ("``a`b", "``a`b``"),
            ("a ~~b", "a ~~b~~"),
            ("**bold `co", "**bold `co`**"),
            ("**a\n\nb", "**a\n\nb"),
        ]);
    }

    #[test]
    fn marks_that_have_only_begun_are_left_out() {
        check(&[
            ("a **", "a "),
            ("a `", "a "),
            ("a\n-", "a\n"),
            ("a\n\n##", "a\n\n"),
            ("a\n``", "a\n"),
            ("a\n1.", "a\n"),
            ("2024", "2024"),
        ]);
    }

    #[test]
    fn links_show_their_text_until_they_are_whole() {
        check(&[
            ("see [the do", "see the do"),
            ("see [docs](https://exa", "see docs"),
            ("**see [docs](https://exa", "**see docs**"),
            ("see [**docs", "see **docs**"),
        ]);
    }

    #[test]
    fn a_table_is_one_from_its_first_line_on() {
        check(&[
            ("| a | b", "| a | b|\n|---|---|\n"),
            ("| a | b |\n|-", "| a | b |\n|---|---|\n"),
            ("x\n\n| a |\n", "x\n\n| a |\n|---|\n"),
            ("| a |\n|---|\n| 1", "| a |\n|---|\n| 1"),
            ("| a |\ntext", "| a |\ntext"),
        ]);
    }

    proptest::proptest! {
        #[test]
        fn nothing_panics(text in "[*_~`\\[\\]()|a \n1.#>日-]{0,40}") {
            mend(&text);
        }
    }
}
