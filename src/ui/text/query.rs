//! What is searched for, and where it stands in a text: letter case and the forms of characters may be ignored.

use std::borrow::Cow;
use std::ops::Range;

use icu_normalizer::ComposingNormalizerBorrowed;

/// What counts as the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Capital and small letters differ.
    pub match_case: bool,
    /// Full and half width are the same, and so are hiragana and katakana, and composed and decomposed characters.
    pub ignore_forms: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            match_case: false,
            ignore_forms: true,
        }
    }
}

/// Something to search for. It stands in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    needle: String,
    options: Options,
}

/// Where a character, with the marks that belong to it, begins in the folded text and in the text itself.
#[derive(Debug, Clone, Copy)]
struct Start {
    folded: usize,
    source: usize,
}

impl Query {
    /// `None` when there is nothing to search for.
    pub fn new(text: &str, options: Options) -> Option<Self> {
        let needle = fold(text, options, None).into_owned();
        (!needle.is_empty()).then_some(Self { needle, options })
    }

    /// How often it stands in a text; occurrences do not overlap.
    pub fn count(&self, text: &str) -> usize {
        fold(text, self.options, None)
            .matches(self.needle.as_str())
            .count()
    }

    /// Where it stands in a text, in bytes, at boundaries of characters.
    pub fn find(&self, text: &str) -> Vec<Range<usize>> {
        let mut starts = Vec::new();
        let folded = fold(text, self.options, Some(&mut starts));
        let found = folded.match_indices(self.needle.as_str());
        if starts.is_empty() {
            // Folding an ASCII text moves nothing.
            return found.map(|(at, part)| at..at + part.len()).collect();
        }
        let source = |folded: usize| {
            let next = starts.partition_point(|start| start.folded < folded);
            starts.get(next).map_or(text.len(), |start| start.source)
        };
        let first = |folded: usize| {
            let next = starts.partition_point(|start| start.folded <= folded);
            let start = next.checked_sub(1).and_then(|at| starts.get(at));
            start.map_or(0, |start| start.source)
        };
        found
            .map(|(at, part)| first(at)..source(at + part.len()))
            .collect()
    }
}

/// A text in which what counts as the same is the same. `starts` stays empty when nothing has moved.
fn fold<'a>(text: &'a str, options: Options, starts: Option<&mut Vec<Start>>) -> Cow<'a, str> {
    if text.is_ascii() {
        return if options.match_case {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(text.to_ascii_lowercase())
        };
    }
    let mut folded = String::with_capacity(text.len());
    let mut starts = starts;
    let mut at = 0;
    while let Some(group) = text.get(at..).map(next_group).filter(|g| !g.is_empty()) {
        if let Some(starts) = &mut starts {
            let start = Start {
                folded: folded.len(),
                source: at,
            };
            starts.push(start);
        }
        fold_group(&mut folded, group, options);
        at += group.len();
    }
    Cow::Owned(folded)
}

/// The first character of a text with the marks that change it.
fn next_group(text: &str) -> &str {
    let mut chars = text.char_indices().skip(1);
    let end = chars.find(|(_, c)| !is_mark(*c));
    end.and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{20D0}'..='\u{20FF}' | '\u{3099}' | '\u{309A}' | '\u{FF9E}' | '\u{FF9F}')
}

fn fold_group(folded: &mut String, group: &str, options: Options) {
    let normal = if options.ignore_forms && !group.is_ascii() {
        ComposingNormalizerBorrowed::new_nfkc().normalize(group)
    } else {
        Cow::Borrowed(group)
    };
    for c in normal.chars() {
        let c = if options.ignore_forms { hiragana(c) } else { c };
        if options.match_case {
            folded.push(c);
        } else {
            folded.extend(c.to_lowercase());
        }
    }
}

/// Katakana as the hiragana of the same sound.
fn hiragana(c: char) -> char {
    match c {
        'ァ'..='ヶ' | 'ヽ' | 'ヾ' => char::from_u32(u32::from(c) - 0x60).unwrap_or(c),
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRICT: Options = Options {
        match_case: true,
        ignore_forms: false,
    };

    #[track_caller]
    fn check(query: &str, options: Options, text: &str, expected: &[&str]) {
        let query = Query::new(query, options).expect("something to search for");
        let found = query.find(text);
        let words: Vec<&str> = found
            .iter()
            .filter_map(|range| text.get(range.clone()))
            .collect();
        assert_eq!(words, expected, "{text}");
        assert_eq!(query.count(text), expected.len(), "{text}");
    }

    #[test]
    fn case_is_ignored_unless_it_matters() {
        let any = Options::default();
        check(
            "error",
            any,
            "Error: ERROR, errors",
            &["Error", "ERROR", "error"],
        );
        check("Straße", any, "die STRASSE, die straße", &["straße"]);
        check("ÄÖ", any, "äö Äö", &["äö", "Äö"]);
        check("error", STRICT, "Error: error", &["error"]);
    }

    #[test]
    fn width_and_kana_are_one_if_wanted() {
        let any = Options::default();
        let text = "カタカナ、ｶﾀｶﾅ、かたかな";
        check("かたかな", any, text, &["カタカナ", "ｶﾀｶﾅ", "かたかな"]);
        check("カタカナ", STRICT, text, &["カタカナ"]);
        check("ガイド", any, "ｶﾞｲﾄﾞとがいど", &["ｶﾞｲﾄﾞ", "がいど"]);
        check("ABC12", any, "ＡＢＣ１２ abc12", &["ＡＢＣ１２", "abc12"]);
        check("か", any, "が か", &["か"]);
        check("キロ", any, "5㌔", &["㌔"]);
        // Composed and decomposed.
        check("é", any, "e\u{301} é", &["e\u{301}", "é"]);
        check("ガ", STRICT, "ｶﾞ が ガ", &["ガ"]);
    }

    #[test]
    fn ranges_are_those_of_the_text() {
        let query = Query::new("ど", Options::default()).expect("a query");
        assert_eq!(query.find("aｶﾞﾄﾞbど"), [7..13, 14..17]);
        let query = Query::new("aa", Options::default()).expect("a query");
        assert_eq!(query.find("aaaaa"), [0..2, 2..4]);
        assert_eq!(Query::new("", Options::default()), None);
    }
}
