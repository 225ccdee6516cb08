//! Text that an agent wrote, made safe to judge: what can't be seen is written out.

/// A stretch of text, or a hidden character written out as `<U+202E>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    pub text: String,
    pub is_written_out: bool,
}

/// Cuts a text into what shows itself and what has to be written out. Line breaks stay.
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let text = text.replace("\r\n", "\n");
    for c in text.chars() {
        let is_written_out = c != '\n' && is_hidden(c);
        let shown = if is_written_out {
            format!("<U+{:04X}>", u32::from(c))
        } else {
            c.to_string()
        };
        match pieces.last_mut() {
            Some(last) if last.is_written_out == is_written_out => last.text.push_str(&shown),
            _ => pieces.push(Piece {
                text: shown,
                is_written_out,
            }),
        }
    }
    pieces
}

/// A text in one line, with hidden characters written out and runs of blanks as one.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let pieces = pieces(&words.join(" "));
    pieces.into_iter().map(|piece| piece.text).collect()
}

/// A text without its middle, when it is longer than `most` characters: its start, and its end.
pub fn without_middle(text: &str, most: usize) -> Option<(String, String)> {
    let count = text.chars().count();
    if count <= most {
        return None;
    }
    let tail = most / 3;
    let head: String = text.chars().take(most - tail).collect();
    let tail: String = text.chars().skip(count - tail).collect();
    Some((head, tail))
}

/// Whether a character is not seen, or changes how its neighbors are seen.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            u32::from(c),
            0x00AD                      // soft hyphen
                | 0x034F                // combining grapheme joiner
                | 0x061C                // Arabic letter mark
                | 0x115F..=0x1160       // Hangul fillers
                | 0x17B4..=0x17B5       // Khmer inherent vowels
                | 0x180B..=0x180F       // Mongolian selectors
                | 0x200B..=0x200F       // zero-width characters, direction marks
                | 0x2028..=0x202E       // separators, embeddings, overrides
                | 0x2060..=0x206F       // word joiner, isolates, deprecated formats
                | 0x3164                // Hangul filler
                | 0xFEFF                // byte order mark
                | 0xFFA0                // halfwidth Hangul filler
                | 0xFFF9..=0xFFFB       // interlinear annotation
                | 0xE0000..=0xE0FFF     // tags, selectors
        )
        || (c.is_whitespace() && c != ' ' && c != '\u{3000}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        pieces(text).into_iter().map(|piece| piece.text).collect()
    }

    #[test]
    fn hidden_characters_are_written_out() {
        let cases = [
            ("rm -rf build", "rm -rf build"),
            ("今日は", "今日は"),
            ("a\u{202E}txt.exe", "a<U+202E>txt.exe"),
            ("a\u{200B}b", "a<U+200B>b"),
            ("a\x1b[2Kb", "a<U+001B>[2Kb"),
            ("a\rb", "a<U+000D>b"),
            ("a\r\nb", "a\nb"),
            ("a\tb", "a<U+0009>b"),
            ("a\u{A0}b", "a<U+00A0>b"),
            ("全角　空白", "全角　空白"),
        ];
        for (text, expected) in cases {
            assert_eq!(written(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_written_out_character_is_a_piece_of_its_own() {
        let marks: Vec<bool> = pieces("a\u{202E}\u{202D}b")
            .iter()
            .map(|piece| piece.is_written_out)
            .collect();
        assert_eq!(marks, [false, true, false]);
    }

    #[test]
    fn one_line_has_no_line_break() {
        assert_eq!(one_line("  a\n\n\tb\u{202E} "), "a b<U+202E>");
    }

    #[test]
    fn a_long_text_loses_its_middle() {
        assert_eq!(without_middle("abcdef", 6), None);
        let (head, tail) = without_middle("abcdefghi", 6).expect("longer than six");
        assert_eq!((head.as_str(), tail.as_str()), ("abcd", "hi"));
        assert!(without_middle("日本語の文", 3).is_some());
    }
}
