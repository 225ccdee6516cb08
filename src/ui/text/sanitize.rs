//! Text of an agent made harmless: control characters never act, and what hides is seen.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Text of a message: escape sequences go, other controls become visible. New lines and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.bytes().all(is_harmless) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = match c {
            '\u{1B}' => after_escape(after),
            '\u{9B}' => after_parameters(after),
            '\u{9D}' | '\u{90}' | '\u{98}' | '\u{9E}' | '\u{9F}' => after_string(after),
            '\r' if after.starts_with('\n') => after,
            '\r' => {
                clean.push('\n');
                after
            }
            c => {
                push_visible(&mut clean, c);
                after
            }
        };
    }
    Cow::Owned(clean)
}

/// Output of a program: like [`visible`], and a carriage return begins its line again, as in a terminal.
pub fn terminal_output(text: &str) -> Cow<'_, str> {
    if !text.contains('\r') {
        return visible(text);
    }
    let mut last_states = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            last_states.push('\n');
        }
        let line = line.trim_end_matches('\r');
        last_states.push_str(line.rsplit('\r').next().unwrap_or(line));
    }
    Cow::Owned(visible(&last_states).into_owned())
}

/// Whether a byte can't be part of a character that needs care.
fn is_harmless(byte: u8) -> bool {
    match byte {
        b'\n' | b'\t' => true,
        // Controls, and leading bytes of C1 controls, bidirectional controls, private use and tags.
        0..=0x1F | 0x7F | 0xC2 | 0xD8 | 0xE2 | 0xEE | 0xEF | 0xF3 | 0xF4 => false,
        0x20..=0xFF => true,
    }
}

fn push_visible(clean: &mut String, c: char) {
    match c {
        '\n' | '\t' => clean.push(c),
        // Their pictures: ␀ … ␟ and ␡.
        '\0'..='\u{1F}' => clean.extend(char::from_u32(0x2400 + u32::from(c))),
        '\u{7F}' => clean.push('\u{2421}'),
        // Marks of direction and joins that are no characters of their own.
        '\u{80}'..='\u{9F}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{61C}'
        | '\u{FEFF}'
        | '\u{E0000}'..='\u{E007F}' => {}
        // They reorder what is around them, so the text would say something else than it shows.
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            let written = write!(clean, "‹U+{:04X}›", u32::from(c));
            debug_assert!(written.is_ok(), "writing to a string can't fail");
        }
        // Private use holds the window's own icons, which an agent must not draw.
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}' => clean.push('\u{FFFD}'),
        c => clean.push(c),
    }
}

/// What follows an escape sequence; `text` begins after its ESC.
fn after_escape(text: &str) -> &str {
    let mut chars = text.chars();
    match chars.next() {
        Some('[') => after_parameters(chars.as_str()),
        Some(']' | 'P' | 'X' | '^' | '_') => after_string(chars.as_str()),
        // Two-character sequences with an intermediate one: `ESC ( B`.
        Some(' '..='/') => {
            chars.next();
            chars.as_str()
        }
        Some('0'..='~') => chars.as_str(),
        Some(_) | None => text,
    }
}

/// What follows a control sequence whose parameters begin here. An unfinished one ends with its line.
fn after_parameters(text: &str) -> &str {
    let end = text.find(|c: char| !matches!(c, '\u{20}'..='\u{3F}'));
    let rest = end.and_then(|end| text.get(end..)).unwrap_or_default();
    match rest.chars().next() {
        Some(last @ '\u{40}'..='\u{7E}') => rest.get(last.len_utf8()..).unwrap_or_default(),
        Some(_) | None => rest,
    }
}

/// What follows a command string (title, link, clipboard). An unfinished one ends with its line, so it can't hide more.
fn after_string(text: &str) -> &str {
    let Some(end) = text.find(['\u{7}', '\u{1B}', '\u{9C}', '\n']) else {
        return "";
    };
    let rest = text.get(end..).unwrap_or_default();
    match rest.strip_prefix("\u{1B}\\") {
        Some(after) => after,
        None => rest.strip_prefix(['\u{7}', '\u{9C}']).unwrap_or(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_is_not_touched() {
        for text in [
            "",
            "plain\n\ttext",
            "日本語、「かな」。",
            "naïve — “quotes” … 😀 👩‍💻",
        ] {
            assert_eq!(visible(text), text);
        }
        assert!(matches!(visible("plain\n日本"), Cow::Borrowed(_)));
    }

    #[test]
    fn escape_sequences_are_gone() {
        let cases = [
            ("\u{1B}[31mred\u{1B}[0m", "red"),
            ("\u{1B}[38;5;196mx\u{1B}[m", "x"),
            ("\u{1B}]0;title\u{7}after", "after"),
            (
                "\u{1B}]8;;https://x.example\u{1B}\\link\u{1B}]8;;\u{1B}\\",
                "link",
            ),
            ("\u{1B}]52;c;c2VjcmV0\nnext", "\nnext"),
            ("\u{1B}(Btext", "text"),
            ("\u{1B}cx", "x"),
            ("\u{9B}2Jx", "x"),
            ("\u{1B}[31", ""),
            ("end\u{1B}", "end"),
            ("\u{1B}日", "日"),
        ];
        for (text, expected) in cases {
            assert_eq!(visible(text), expected, "{text:?}");
        }
    }

    #[test]
    fn other_controls_are_seen_or_dropped() {
        let cases = [
            ("a\u{0}b\u{8}c\u{7F}", "a␀b␈c␡"),
            ("a\r\nb\rc", "a\nb\nc"),
            ("user\u{202E}txt.exe", "user‹U+202E›txt.exe"),
            ("a\u{2066}b\u{2069}", "a‹U+2066›b‹U+2069›"),
            ("a\u{200E}b\u{FEFF}c\u{85}d", "abcd"),
            ("hidden\u{E0041}\u{E007F}", "hidden"),
            ("\u{E02E} trusted", "\u{FFFD} trusted"),
        ];
        for (text, expected) in cases {
            assert_eq!(visible(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_carriage_return_begins_the_line_again() {
        assert_eq!(
            terminal_output("10 %\r50 %\r100 %\ndone\r\n"),
            "100 %\ndone\n"
        );
        assert_eq!(terminal_output("\u{1B}[2Kok"), "ok");
    }
}
