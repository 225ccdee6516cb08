//! Words as a double click takes them, and places where no character is torn apart.

use std::ops::Range;

/// What belongs together in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    /// Letters and digits of scripts that put blanks between words.
    Letter,
    Ideograph,
    Hiragana,
    Katakana,
    Emoji,
    /// A sign that stands alone.
    Sign,
}

/// The word around a character of a text: the run of its kind. `at` is a byte; the range is at boundaries.
pub fn word_at(text: &str, at: usize) -> Range<usize> {
    let at = text.floor_char_boundary(at.min(text.len()));
    let mut word = 0..0;
    let mut class = None;
    for (start, end, next) in groups(text) {
        let goes_on = class == Some(next) && next != Class::Sign;
        if !goes_on {
            if word.contains(&at) {
                return word;
            }
            word.start = start;
        }
        word.end = end;
        class = Some(next);
    }
    word
}

/// The line of a text that holds a byte, without its line break.
pub fn line_at(text: &str, at: usize) -> Range<usize> {
    let at = text.floor_char_boundary(at.min(text.len()));
    let (before, after) = text.split_at(at);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let end = after.find('\n').map_or(text.len(), |after| at + after);
    start..end
}

/// The next byte from here on where a character ends with all that belongs to it.
pub fn whole_from(text: &str, at: usize) -> usize {
    let at = text.floor_char_boundary(at.min(text.len()));
    if at == 0 || text.get(at..).is_none_or(str::is_ascii) {
        return at;
    }
    let mut ends = groups(text).map(|(_, end, _)| end);
    ends.find(|end| *end >= at).unwrap_or(text.len())
}

/// The characters of a text, each with what belongs to it: where it begins, where it ends, what it is.
fn groups(text: &str) -> impl Iterator<Item = (usize, usize, Class)> {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, first) = chars.next()?;
        let mut class = class(first);
        let mut last = first;
        let mut flags = usize::from(is_flag(first));
        let mut end = start + first.len_utf8();
        while let Some((at, next)) = chars.peek().copied() {
            let is_pair = is_flag(next) && is_flag(last) && flags % 2 == 1;
            if !is_joined(next) && last != '\u{200D}' && !is_pair {
                break;
            }
            if next == '\u{FE0F}' || next == '\u{20E3}' {
                class = Class::Emoji;
            }
            flags += usize::from(is_flag(next));
            end = at + next.len_utf8();
            last = next;
            chars.next();
        }
        Some((start, end, class))
    })
}

fn class(c: char) -> Class {
    match c {
        c if c.is_whitespace() => Class::Blank,
        '\u{3041}'..='\u{309F}' => Class::Hiragana,
        '\u{30A1}'..='\u{30FA}'
        | '\u{30FC}'..='\u{30FF}'
        | '\u{31F0}'..='\u{31FF}'
        | '\u{FF66}'..='\u{FF9F}' => Class::Katakana,
        '々'
        | '〆'
        | '〇'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}' => Class::Ideograph,
        '\u{1F000}'..='\u{1FAFF}' | '\u{2600}'..='\u{27BF}' => Class::Emoji,
        '_' => Class::Letter,
        c if c.is_alphanumeric() => Class::Letter,
        _ => Class::Sign,
    }
}

/// Half of a flag.
fn is_flag(c: char) -> bool {
    matches!(c, '\u{1F1E6}'..='\u{1F1FF}')
}

/// Whether a character belongs to the one before it: marks, joiners, skin tones.
fn is_joined(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5BD}' | '\u{64B}'..='\u{65F}'
        | '\u{93C}' | '\u{93E}'..='\u{94D}' | '\u{E31}' | '\u{E34}'..='\u{E3A}' | '\u{E47}'..='\u{E4E}'
        | '\u{200D}' | '\u{20D0}'..='\u{20FF}' | '\u{3099}' | '\u{309A}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FF9E}' | '\u{FF9F}' | '\u{1F3FB}'..='\u{1F3FF}' | '\u{E0100}'..='\u{E01EF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, part: &str) -> String {
        let at = text.find(part).expect("it stands there");
        text.get(word_at(text, at)).expect("boundaries").to_owned()
    }

    #[test]
    fn a_word_is_a_run_of_one_kind() {
        assert_eq!(word("let some_name = 12;", "name"), "some_name");
        assert_eq!(word("let some_name = 12;", "2"), "12");
        assert_eq!(word("a == b", "=="), "=");
        assert_eq!(word("日本語のテキストです", "本"), "日本語");
        assert_eq!(word("日本語のテキストです", "の"), "の");
        assert_eq!(word("日本語のテキストです", "キ"), "テキスト");
        assert_eq!(word("スーパー、カー", "パ"), "スーパー");
        assert_eq!(word("cafe\u{301} now", "f"), "cafe\u{301}");
        assert_eq!(word_at("", 3), 0..0);
        assert_eq!(word_at("ab", 9), 0..2);
    }

    #[test]
    fn no_character_is_torn_apart() {
        let text = "a👩‍👩‍👧e\u{301}🇯🇵🇫🇷";
        let family = "👩‍👩‍👧".len();
        for at in 2..=family + 1 {
            assert_eq!(whole_from(text, at).max(family + 1), family + 1, "{at}");
        }
        assert_eq!(whole_from(text, 5), family + 1);
        assert_eq!(whole_from(text, family + 2), family + 4);
        let flags = family + 4;
        assert_eq!(whole_from(text, flags + 4), flags + 8);
        assert_eq!(whole_from(text, 900), text.len());
        assert_eq!(whole_from("plain", 3), 3);
    }

    #[test]
    fn a_line_ends_before_its_break() {
        let text = "one\nzwei 二\n";
        assert_eq!(line_at(text, 2), 0..3);
        assert_eq!(line_at(text, 9), 4..12);
        assert_eq!(line_at(text, 3), 0..3);
        assert_eq!(line_at(text, 99), 13..13);
    }
}
