//! Bytes of an agent's output to lines. Pure: the same bytes give the same lines, however they are cut.

/// How long a line may be, in bytes. Real agents send lines of 570 kB; a longer one than this is dropped.
pub const LINE_LIMIT_BYTES: usize = 64 * 1024 * 1024;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// One line without its end (LF, or CR and LF).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    Text {
        text: String,
        /// Whether bytes that are not UTF-8 were replaced.
        replaced: bool,
    },
    /// A line that was dropped for its length.
    TooLong { bytes: u64 },
}

/// Cuts a stream of bytes into lines.
#[derive(Debug)]
pub struct LineReader {
    limit: usize,
    /// The line so far; empty while it is being dropped.
    line: Vec<u8>,
    /// The length of the line so far, where it is too long to be kept.
    dropped: Option<u64>,
    at_start: bool,
}

impl Default for LineReader {
    fn default() -> Self {
        Self::with_limit(LINE_LIMIT_BYTES)
    }
}

impl LineReader {
    /// A reader that drops lines longer than this.
    pub fn with_limit(bytes: usize) -> Self {
        Self {
            limit: bytes,
            line: Vec::new(),
            dropped: None,
            at_start: true,
        }
    }

    /// Takes in bytes and gives the lines that they end.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, after) = rest.split_at(end);
            self.extend(line);
            lines.push(self.take());
            rest = after.get(1..).unwrap_or_default();
        }
        self.extend(rest);
        lines
    }

    /// Gives the last line if it did not end, and begins anew.
    pub fn finish(&mut self) -> Option<Line> {
        let line = (self.dropped.is_some() || !self.line.is_empty()).then(|| self.take());
        self.at_start = true;
        line
    }

    fn extend(&mut self, bytes: &[u8]) {
        if let Some(dropped) = &mut self.dropped {
            *dropped = dropped.saturating_add(bytes.len() as u64);
        } else if self.line.len().saturating_add(bytes.len()) > self.limit {
            self.dropped = Some((self.line.len() as u64).saturating_add(bytes.len() as u64));
            self.line = Vec::new();
        } else {
            self.line.extend_from_slice(bytes);
        }
    }

    fn take(&mut self) -> Line {
        let at_start = std::mem::replace(&mut self.at_start, false);
        if let Some(bytes) = self.dropped.take() {
            return Line::TooLong { bytes };
        }
        let mut line = std::mem::take(&mut self.line);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        if at_start && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        match String::from_utf8(line) {
            Ok(text) => Line::Text {
                text,
                replaced: false,
            },
            Err(error) => Line::Text {
                text: String::from_utf8_lossy(error.as_bytes()).into_owned(),
                replaced: true,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(text: &str) -> Line {
        Line::Text {
            text: text.to_owned(),
            replaced: false,
        }
    }

    fn replaced(text: &str) -> Line {
        Line::Text {
            text: text.to_owned(),
            replaced: true,
        }
    }

    fn lines_of(pieces: &[&[u8]], limit: usize) -> Vec<Line> {
        let mut reader = LineReader::with_limit(limit);
        let mut lines: Vec<_> = pieces.iter().flat_map(|piece| reader.push(piece)).collect();
        lines.extend(reader.finish());
        lines
    }

    #[test]
    fn lines() {
        let cases: [(&[u8], Vec<Line>); 13] = [
            (b"", vec![]),
            (b"a\nb\n", vec![text("a"), text("b")]),
            (b"a\r\nb\r\n", vec![text("a"), text("b")]),
            (b"a\rb\r\r\n", vec![text("a\rb\r")]),
            (b"\n\r\n", vec![text(""), text("")]),
            (b"last", vec![text("last")]),
            (b"last\r", vec![text("last")]),
            (b"\xEF\xBB\xBF{}\n{}", vec![text("{}"), text("{}")]),
            (b"a\n\xEF\xBB\xBFb\n", vec![text("a"), text("\u{feff}b")]),
            (b"\xEF\xBB\xBF", vec![text("")]),
            (
                "\"a\u{2028}b\u{2029}c\u{85}\"\n".as_bytes(),
                vec![text("\"a\u{2028}b\u{2029}c\u{85}\"")],
            ),
            (
                b"ok\nb\xFFd\xC3\n",
                vec![text("ok"), replaced("b\u{fffd}d\u{fffd}")],
            ),
            ("日本\n".as_bytes(), vec![text("日本")]),
        ];
        for (bytes, expected) in cases {
            assert_eq!(lines_of(&[bytes], LINE_LIMIT_BYTES), expected, "{bytes:?}");
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            assert_eq!(lines_of(&single, LINE_LIMIT_BYTES), expected, "{bytes:?}");
        }
    }

    #[test]
    fn a_line_over_the_limit_is_dropped_once_with_its_size() {
        let bytes = b"12345\n123456\n12345678901234567890\n1\n123456";
        let expected = [
            text("12345"),
            Line::TooLong { bytes: 6 },
            Line::TooLong { bytes: 20 },
            text("1"),
            Line::TooLong { bytes: 6 },
        ];
        for size in 1..bytes.len() {
            let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
            assert_eq!(lines_of(&pieces, 5), expected, "pieces of {size}");
        }
    }

    #[test]
    fn a_line_as_long_as_the_limit_comes_whole_in_small_pieces() {
        let mut reader = LineReader::default();
        let piece = [b'x'; 4096];
        for _ in 0..LINE_LIMIT_BYTES / piece.len() {
            assert_eq!(reader.push(&piece), []);
        }
        let lines = reader.push(b"\n");
        let [Line::Text { text, replaced }] = lines.as_slice() else {
            panic!("one line of text");
        };
        assert_eq!((text.len(), *replaced), (LINE_LIMIT_BYTES, false));
    }

    proptest! {
        #[test]
        fn cutting_changes_nothing(
            bytes in proptest::collection::vec(
                prop_oneof![Just(b'\n'), Just(b'\r'), Just(0xEF), Just(0xBB), Just(0xBF), any::<u8>()],
                0..200,
            ),
            cuts in proptest::collection::vec(1_usize..9, 1..40),
            limit in 0_usize..40,
        ) {
            let mut rest = bytes.as_slice();
            let mut pieces = Vec::new();
            for cut in cuts.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (piece, after) = rest.split_at(rest.len().min(*cut));
                pieces.push(piece);
                rest = after;
            }
            prop_assert_eq!(lines_of(&pieces, limit), lines_of(&[&bytes], limit));
        }
    }
}
