//! Cuts a growing Markdown text where one part is finished and the next begins, line by line.
//!
//! A cut depends only on the lines before and after it, so it does not matter how the text arrived. Each piece can
//! then be parsed by itself: a blank line ends what is open, unless a list or an HTML block goes on after it. Fences
//! at the top level are pieces of their own and need no parser.

use std::ops::Range;

/// A piece that grows beyond this is cut at the next line, whatever it is.
const PIECE_BYTES_MOST: usize = 32 * 1024;
/// A line longer than this is no prose: its piece is shown as it is.
pub const LINE_BYTES_MOST: usize = 16 * 1024;

/// A part of the text that stands by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    pub range: Range<usize>,
    pub kind: PieceKind,
}

/// How a piece is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PieceKind {
    Markdown,
    Fence(Fence),
    /// To be shown as it is.
    Source,
}

/// A code block between lines of backticks or tildes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    pub indent: usize,
    /// The line after the opening marks.
    pub info: String,
    /// Where its lines are, without the fences.
    pub body: Range<usize>,
    pub closed: bool,
    mark: u8,
    length: usize,
}

/// Reads lines and finds pieces.
#[derive(Debug, Clone, Default)]
pub struct Scanner {
    open: Option<Open>,
    after_blank: bool,
}

#[derive(Debug, Clone)]
struct Open {
    start: usize,
    end: usize,
    kind: PieceKind,
    /// Where the text of the outermost list item begins, in columns.
    list: Option<usize>,
    /// What ends the HTML block that is open.
    html_end: Option<&'static str>,
}

impl Scanner {
    /// Reads one line. `line` is without its line break, `range` is with it.
    pub fn line(&mut self, line: &str, range: Range<usize>, pieces: &mut Vec<Piece>) {
        let after_blank = std::mem::replace(&mut self.after_blank, line.trim().is_empty());
        if let Some(open) = &mut self.open {
            if let PieceKind::Fence(fence) = &mut open.kind {
                open.end = range.end;
                if fence.is_closed_by(line) {
                    fence.closed = true;
                    self.close(pieces);
                } else {
                    fence.body.end = range.end;
                }
                return;
            }
            if let Some(end) = open.html_end {
                open.end = range.end;
                if line.len() > LINE_BYTES_MOST || contains_ignoring_case(line, end) {
                    open.html_end = None;
                }
                self.cut_when_long(line, pieces);
                return;
            }
        }
        if self.after_blank {
            return;
        }
        if after_blank
            && self
                .open
                .as_ref()
                .is_some_and(|open| open.may_end_before(line))
        {
            self.close(pieces);
        }
        if let Some(fence) = Fence::opened_by(line, range.end)
            && !self
                .open
                .as_ref()
                .is_some_and(|open| open.holds(fence.indent))
        {
            self.close(pieces);
            self.begin(range, PieceKind::Fence(fence));
            return;
        }
        if self.open.is_none() {
            self.begin(range.clone(), PieceKind::Markdown);
        }
        if let Some(open) = &mut self.open {
            open.take(line, range.end);
        }
        self.cut_when_long(line, pieces);
    }

    /// The piece that is not finished.
    pub fn unfinished(&self) -> Option<Piece> {
        let open = self.open.as_ref()?;
        Some(Piece {
            range: open.start..open.end,
            kind: open.kind.clone(),
        })
    }

    fn begin(&mut self, range: Range<usize>, kind: PieceKind) {
        self.open = Some(Open {
            start: range.start,
            end: range.end,
            kind,
            list: None,
            html_end: None,
        });
    }

    fn close(&mut self, pieces: &mut Vec<Piece>) {
        pieces.extend(self.unfinished());
        self.open = None;
    }

    fn cut_when_long(&mut self, line: &str, pieces: &mut Vec<Piece>) {
        let Some(open) = &mut self.open else { return };
        if line.len() > LINE_BYTES_MOST {
            open.kind = PieceKind::Source;
        }
        if open.end - open.start > PIECE_BYTES_MOST {
            self.close(pieces);
        }
    }
}

impl Open {
    /// Whether a line after a blank one can't belong to this piece.
    fn may_end_before(&self, line: &str) -> bool {
        let indent = indent_of(line);
        match self.list {
            Some(_) => indent == 0 && item_width(line).is_none(),
            None => indent < 4,
        }
    }

    /// Whether something with this indentation is inside a list item.
    fn holds(&self, indent: usize) -> bool {
        self.list.is_some_and(|width| indent >= width)
    }

    fn take(&mut self, line: &str, end: usize) {
        self.end = end;
        if self.list.is_none() || indent_of(line) == 0 {
            self.list = item_width(line).or(self.list);
        }
        if self.list.is_none() {
            self.html_end = html_end(line);
        }
    }
}

impl Fence {
    fn opened_by(line: &str, body_start: usize) -> Option<Self> {
        if line.len() > LINE_BYTES_MOST {
            return None;
        }
        let indent = indent_of(line);
        let text = line.trim_start();
        let mark = *text.as_bytes().first()?;
        let length = text.bytes().take_while(|byte| *byte == mark).count();
        let info = text.get(length..)?.trim();
        let is_fence = matches!(mark, b'`' | b'~') && length >= 3 && indent < 4;
        let is_span = mark == b'`' && info.contains('`');
        (is_fence && !is_span).then(|| Self {
            indent,
            info: info.to_owned(),
            body: body_start..body_start,
            closed: false,
            mark,
            length,
        })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let text = line.trim();
        indent_of(line) < 4
            && text.len() >= self.length
            && text.bytes().all(|byte| byte == self.mark)
    }
}

/// The columns of white space at the start of a line.
fn indent_of(line: &str) -> usize {
    let mut columns = 0;
    for byte in line.bytes() {
        match byte {
            b' ' => columns += 1,
            b'\t' => columns += 4 - columns % 4,
            _ => break,
        }
    }
    columns
}

/// Where the text of a list item begins, if a line starts one.
fn item_width(line: &str) -> Option<usize> {
    let indent = indent_of(line);
    let text = line.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match digits {
        0 => text.starts_with(['-', '*', '+']).then_some(1)?,
        1..=9 => text
            .get(digits..)?
            .starts_with(['.', ')'])
            .then_some(digits + 1)?,
        _ => return None,
    };
    let after = text.get(marker..)?;
    let is_item = after.is_empty() || after.starts_with([' ', '\t']);
    (is_item && indent < 4).then_some(indent + marker + 1)
}

/// What ends the HTML block that a line opens, for the kinds that may hold blank lines.
fn html_end(line: &str) -> Option<&'static str> {
    const KINDS: [(&str, &str); 8] = [
        ("<!--", "-->"),
        ("<?", "?>"),
        ("<![CDATA[", "]]>"),
        ("<script", "</script>"),
        ("<pre", "</pre>"),
        ("<style", "</style>"),
        ("<textarea", "</textarea>"),
        ("<!", ">"),
    ];
    let text = line.trim_start();
    if !text.starts_with('<') || indent_of(line) >= 4 || line.len() > LINE_BYTES_MOST {
        return None;
    }
    let (start, end) = KINDS.into_iter().find(|(start, _)| {
        text.get(..start.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(start))
    })?;
    let rest = text.get(start.len()..)?;
    (!contains_ignoring_case(rest, end)).then_some(end)
}

fn contains_ignoring_case(text: &str, ascii: &str) -> bool {
    text.as_bytes()
        .windows(ascii.len())
        .any(|window| window.eq_ignore_ascii_case(ascii.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<&str> {
        let mut scanner = Scanner::default();
        let mut pieces = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let end = start + line.len();
            scanner.line(line.trim_end_matches('\n'), start..end, &mut pieces);
            start = end;
        }
        pieces.extend(scanner.unfinished());
        pieces
            .iter()
            .map(|piece| text.get(piece.range.clone()).expect("a range of the text"))
            .collect()
    }

    #[test]
    fn blank_lines_end_paragraphs_and_not_lists() {
        assert_eq!(pieces("a\nb\n\n\nc\n"), ["a\nb\n", "c\n"]);
        assert_eq!(
            pieces("- a\n\n- b\n\n  c\n\nd"),
            ["- a\n\n- b\n\n  c\n", "d"]
        );
        assert_eq!(
            pieces("1. a\n\n   b\n2. c\n\nd"),
            ["1. a\n\n   b\n2. c\n", "d"]
        );
        assert_eq!(
            pieces("    code\n\n    more\n\nx"),
            ["    code\n\n    more\n", "x"]
        );
        assert_eq!(pieces("[^1]: a\n\n    b\n\nc"), ["[^1]: a\n\n    b\n", "c"]);
    }

    #[test]
    fn fences_are_pieces_of_their_own() {
        assert_eq!(
            pieces("a\n```rs\nx\n\ny\n```\nb"),
            ["a\n", "```rs\nx\n\ny\n```\n", "b"]
        );
        assert_eq!(
            pieces("```\na\n```\n```\nb\n```"),
            ["```\na\n```\n", "```\nb\n```"]
        );
        assert_eq!(pieces("````rust\n```\n\nx"), ["````rust\n```\n\nx"]);
        assert_eq!(
            pieces("- a\n  ```\n  x\n\n  y\n  ```\n- b"),
            ["- a\n  ```\n  x\n\n  y\n  ```\n- b"]
        );
        assert_eq!(pieces("- a\n```\nx\n```\n"), ["- a\n", "```\nx\n```\n"]);
        assert_eq!(pieces("``` a`b\nx"), ["``` a`b\nx"]);
    }

    #[test]
    fn html_blocks_keep_their_blank_lines() {
        assert_eq!(pieces("<!-- a\n\nb -->\n\nc"), ["<!-- a\n\nb -->\n", "c"]);
        assert_eq!(
            pieces("<SCRIPT>\n\n1\n</script>\n\nc"),
            ["<SCRIPT>\n\n1\n</script>\n", "c"]
        );
        assert_eq!(pieces("<div>\n\nc"), ["<div>\n", "c"]);
    }

    #[test]
    fn what_has_no_end_is_cut_by_size() {
        let long_list = "- item of a list\n".repeat(5_000);
        let lengths: Vec<usize> = pieces(&long_list).iter().map(|piece| piece.len()).collect();
        assert!(
            lengths.len() > 2
                && lengths
                    .iter()
                    .all(|length| *length < PIECE_BYTES_MOST + 100)
        );

        let mut scanner = Scanner::default();
        let line = "x".repeat(LINE_BYTES_MOST + 1);
        scanner.line(&line, 0..line.len(), &mut Vec::new());
        assert_eq!(
            scanner.unfinished().map(|piece| piece.kind),
            Some(PieceKind::Source)
        );
    }
}
