//! Path patterns: `*`, `?` and `[…]` inside a name, `**` for any number of folders.

use std::path::{Component, Path};

/// How a file system takes upper and lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LetterCase {
    #[default]
    Differs,
    Same,
}

/// A pattern for absolute paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathPattern {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// `**`
    AnyFolders,
    Name(Vec<Token>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Char(char),
    AnyChar,
    AnyChars,
    Set {
        inverted: bool,
        ranges: Vec<(char, char)>,
    },
}

impl PathPattern {
    /// Reads a pattern. `None` when a bracket is left open, or the pattern is empty or climbs with `..`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => return None,
                "**" => {
                    if parts.last() != Some(&Part::AnyFolders) {
                        parts.push(Part::AnyFolders);
                    }
                }
                name => parts.push(Part::Name(tokens(&composed(name))?)),
            }
        }
        (!text.is_empty()).then_some(Self { parts })
    }

    /// A pattern below a folder, whatever characters are in the folder's own name.
    pub fn below(folder: &Path, text: &str) -> Option<Self> {
        let mut parts: Vec<Part> = names_of(folder)?
            .iter()
            .map(|name| Part::Name(name.chars().map(Token::Char).collect()))
            .collect();
        parts.extend(Self::parse(text)?.parts);
        Some(Self { parts })
    }

    /// Whether the pattern takes the whole path. `folder/**` takes the folder too.
    pub fn matches(&self, path: &Path, case: LetterCase) -> bool {
        let Some(names) = names_of(path) else {
            return false;
        };
        // `reached` holds how many names the parts so far can take: at most one entry a name, so no blow-up.
        let mut reached = vec![false; names.len() + 1];
        if let Some(start) = reached.first_mut() {
            *start = true;
        }
        for part in &self.parts {
            let mut next = vec![false; names.len() + 1];
            let mut open = false;
            for (at, place) in next.iter_mut().enumerate() {
                let here = reached.get(at).copied().unwrap_or_default();
                *place = match part {
                    Part::AnyFolders => {
                        open = open || here;
                        open
                    }
                    Part::Name(tokens) => {
                        let before = at
                            .checked_sub(1)
                            .and_then(|at| Some((reached.get(at).copied()?, names.get(at)?)));
                        before.is_some_and(|(reached, name)| {
                            reached && name_matches(tokens, name, case)
                        })
                    }
                };
            }
            reached = next;
        }
        reached.last().copied().unwrap_or_default()
    }
}

/// The names on a path below its root. A path that still climbs has none.
fn names_of(path: &Path) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for part in path.components() {
        match part {
            Component::RootDir | Component::CurDir => {}
            Component::ParentDir => return None,
            Component::Prefix(prefix) => {
                names.push(prefix.as_os_str().to_string_lossy().into_owned());
            }
            Component::Normal(name) => names.push(composed(&name.to_string_lossy())),
        }
    }
    Some(names)
}

/// One spelling for letters that can be written as one character or as two.
fn composed(text: &str) -> String {
    icu_normalizer::ComposingNormalizerBorrowed::new_nfc()
        .normalize(text)
        .into_owned()
}

fn tokens(name: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut chars = name.chars();
    while let Some(c) = chars.next() {
        let token = match c {
            '*' => Token::AnyChars,
            '?' => Token::AnyChar,
            '[' => set(&mut chars)?,
            c => Token::Char(c),
        };
        if token != Token::AnyChars || tokens.last() != Some(&Token::AnyChars) {
            tokens.push(token);
        }
    }
    Some(tokens)
}

fn set(chars: &mut std::str::Chars<'_>) -> Option<Token> {
    let mut members: Vec<char> = Vec::new();
    loop {
        match chars.next()? {
            ']' if !members.is_empty() => break,
            c => members.push(c),
        }
    }
    let inverted = matches!(members.first(), Some('!' | '^'));
    let mut rest = members
        .iter()
        .copied()
        .skip(usize::from(inverted))
        .peekable();
    let mut ranges = Vec::new();
    while let Some(from) = rest.next() {
        let mut ahead = rest.clone();
        let range = ahead.next() == Some('-');
        match ahead.next().filter(|_| range) {
            Some(to) => {
                ranges.push((from, to));
                rest = ahead;
            }
            None => ranges.push((from, from)),
        }
    }
    (!ranges.is_empty()).then_some(Token::Set { inverted, ranges })
}

/// Matches one name. Goes back to the last `*` only, so it takes at most the product of both lengths.
fn name_matches(tokens: &[Token], name: &str, case: LetterCase) -> bool {
    let name: Vec<char> = name.chars().collect();
    let (mut token_at, mut char_at) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(&c) = name.get(char_at) {
        match tokens.get(token_at) {
            Some(Token::AnyChars) => {
                star = Some((token_at, char_at));
                token_at += 1;
            }
            Some(token) if takes(token, c, case) => {
                token_at += 1;
                char_at += 1;
            }
            Some(_) | None => {
                let Some((star_at, taken)) = star else {
                    return false;
                };
                star = Some((star_at, taken + 1));
                token_at = star_at + 1;
                char_at = taken + 1;
            }
        }
    }
    let rest = tokens.get(token_at..).unwrap_or_default();
    rest.iter().all(|token| *token == Token::AnyChars)
}

fn takes(token: &Token, c: char, case: LetterCase) -> bool {
    match token {
        Token::AnyChars | Token::AnyChar => true,
        Token::Char(expected) => same(*expected, c, case),
        Token::Set { inverted, ranges } => {
            let within = |c: char| ranges.iter().any(|(from, to)| (*from..=*to).contains(&c));
            let hit = match case {
                LetterCase::Differs => within(c),
                LetterCase::Same => {
                    within(c) || c.to_lowercase().any(within) || c.to_uppercase().any(within)
                }
            };
            hit != *inverted
        }
    }
}

fn same(one: char, other: char, case: LetterCase) -> bool {
    one == other
        || (case == LetterCase::Same
            && (one.to_lowercase().eq(other.to_lowercase())
                || one.to_uppercase().eq(other.to_uppercase())))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn patterns_take_what_they_say() {
        for (pattern, path, expected) in [
            ("/a/b", "/a/b", true),
            ("/a/b", "/a/b/c", false),
            ("/a/*", "/a/b", true),
            ("/a/*", "/a/b/c", false),
            ("/a/**", "/a/b/c", true),
            ("/a/**", "/a", true),
            ("/a/**", "/ab", false),
            ("/**/x.rs", "/x.rs", true),
            ("/**/x.rs", "/a/b/x.rs", true),
            ("/a/**/c/*.rs", "/a/c/x.rs", true),
            ("/a/**/c/*.rs", "/a/b/c/d/x.rs", false),
            ("/a/*.r?", "/a/x.rs", true),
            ("/a/.*", "/a/.git", true),
            ("/a/*", "/a/.git", true),
            ("/a/[a-c]", "/a/b", true),
            ("/a/[!a-c]", "/a/b", false),
            ("/a/[]]", "/a/]", true),
            ("/a/A", "/a/a", false),
            ("/é", "/e\u{301}", true),
            ("/a/../b", "/b", false),
            ("/a/**", "/a/../etc", false),
        ] {
            let matched = PathPattern::parse(pattern)
                .is_some_and(|pattern| pattern.matches(Path::new(path), LetterCase::Differs));
            assert_eq!(matched, expected, "{pattern} {path}");
        }
        let upper = PathPattern::parse("/A/[B-C]É").expect("a pattern");
        assert!(upper.matches(Path::new("/a/bé"), LetterCase::Same));
    }

    #[test]
    fn a_broken_pattern_is_no_pattern() {
        for text in ["", "/a/[b", "/a/..", "../a", "[]"] {
            assert_eq!(PathPattern::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_pattern_of_stars_is_answered_at_once() {
        let pattern = format!("/{}b", "*a".repeat(2_000));
        let pattern = PathPattern::parse(&pattern).expect("a pattern");
        let name = format!("/{}", "a".repeat(4_000));
        assert!(!pattern.matches(Path::new(&name), LetterCase::Same));
        let pattern = PathPattern::parse(&"/**/a".repeat(200)).expect("a pattern");
        assert!(!pattern.matches(Path::new(&"/a".repeat(199)), LetterCase::Differs));
    }

    proptest! {
        #[test]
        fn any_pattern_can_be_tried_on_any_path(pattern in "[a-c/*?\\[\\]!^.é-]{0,24}", path in "[a-c/.é]{0,24}") {
            if let Some(pattern) = PathPattern::parse(&pattern) {
                let _: bool = pattern.matches(Path::new(&path), LetterCase::Same);
            }
        }

        #[test]
        fn a_plain_name_takes_itself(name in "[a-z.]{3,12}") {
            let path = format!("/{name}");
            if let Some(pattern) = PathPattern::parse(&path) {
                prop_assert!(pattern.matches(Path::new(&path), LetterCase::Differs));
            }
        }
    }
}
