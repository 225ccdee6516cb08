//! Commands in rules: compared word by word.

use crate::core::shell::{Doubt, Piece, ShellCommand, ShellPlaces, Word, read, wrappers};

/// The first words of a command. `*` stands for any one word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandPattern {
    words: Vec<PatternWord>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum PatternWord {
    Exact(String),
    Any,
}

impl CommandPattern {
    /// Reads a pattern the way a shell reads a line. `None` if it is not one plain command.
    pub fn parse(text: &str) -> Option<Self> {
        let nowhere = ShellPlaces {
            folder: std::path::Path::new("/"),
            home: None,
        };
        let script = read(text, nowhere);
        let readable = script
            .doubts
            .iter()
            .all(|doubt| matches!(doubt, Doubt::Expansion | Doubt::RunsCode(_)));
        // What stands behind a wrapper is listed too, so the number alone doesn't tell.
        let single = script.commands.len() == 1 || !text.contains([';', '&', '|', '\n']);
        let command = script.commands.first().filter(|_| readable && single)?;
        let words: Option<Vec<_>> = command.words.iter().map(pattern_word).collect();
        let words = words.filter(|words| matches!(words.first(), Some(PatternWord::Exact(_))))?;
        Some(Self { words })
    }

    /// Whether an allowing rule would cover anything that can be put behind the words.
    pub fn is_too_wide(&self) -> bool {
        let Some(PatternWord::Exact(program)) = self.words.first() else {
            return true;
        };
        let second = self.words.get(1);
        if let Some(PatternWord::Exact(sub)) = second
            && wrappers::is_sub_wrapper(program, sub)
        {
            return true;
        }
        let runs_code = wrappers::is_interpreter_or_wrapper(program);
        let names_script =
            matches!(second, Some(PatternWord::Exact(script)) if !script.starts_with('-'));
        runs_code && !(names_script && wrappers::is_interpreter(program))
    }

    /// Whether the command begins with exactly these words.
    pub fn covers(&self, command: &ShellCommand) -> bool {
        command.words.len() >= self.words.len()
            && self
                .words
                .iter()
                .zip(&command.words)
                .all(|(pattern, word)| match (pattern, word.literal()) {
                    (PatternWord::Exact(expected), Some(text)) => *expected == text,
                    (PatternWord::Any, Some(_)) => true,
                    (_, None) => false,
                })
    }

    /// Whether the command is one of these, whatever path its program has and whatever options stand in between.
    pub fn touches(&self, command: &ShellCommand) -> bool {
        let Some(PatternWord::Exact(program)) = self.words.first() else {
            return false;
        };
        let expected = ShellCommand {
            words: vec![Word::plain(program)],
            ..command.clone()
        };
        if command.program_for_denial() != expected.program_for_denial() {
            return false;
        }
        let words: Vec<_> = command.arguments().iter().map(Word::for_denial).collect();
        let pattern = self.words.get(1..).unwrap_or_default();
        found_in_order(pattern, &words)
    }
}

/// Whether the words hold the pattern at their start, options and their values left out. `reached` is, for each word
/// of the pattern, whether it could be matched so far; the second flag says that a value may be skipped.
fn found_in_order(pattern: &[PatternWord], words: &[String]) -> bool {
    let mut places: Vec<(usize, bool)> = vec![(0, false)];
    for word in words {
        if places.iter().any(|(at, _)| *at == pattern.len()) {
            return true;
        }
        let mut next: Vec<(usize, bool)> = Vec::new();
        let mut put = |place: (usize, bool)| {
            if !next.contains(&place) {
                next.push(place);
            }
        };
        let option = word.starts_with('-');
        for &(at, after_option) in &places {
            let matched = match pattern.get(at) {
                Some(PatternWord::Exact(expected)) => expected == word,
                Some(PatternWord::Any) => true,
                None => false,
            };
            if matched {
                put((at + 1, option));
            }
            if option {
                put((at, true));
            } else if after_option {
                put((at, false));
            }
        }
        places = next;
    }
    places.iter().any(|(at, _)| *at == pattern.len())
}

fn pattern_word(word: &Word) -> Option<PatternWord> {
    match word.pieces.as_slice() {
        [Piece::Glob('*')] => Some(PatternWord::Any),
        _ => word.literal().map(PatternWord::Exact),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> ShellCommand {
        let places = ShellPlaces {
            folder: std::path::Path::new("/w"),
            home: None,
        };
        read(line, places)
            .commands
            .first()
            .expect("a command")
            .clone()
    }

    #[test]
    fn allowing_compares_the_first_words_exactly() {
        for (pattern, line, expected) in [
            ("npm test", "npm test", true),
            ("npm test", "npm test -- --watch", true),
            ("npm test", "npm publish", false),
            ("npm test", "npm", false),
            ("npm test", "npm testing", false),
            ("npm test", "/tmp/npm test", false),
            ("npm test", "'npm' \"test\"", true),
            ("npm run *", "npm run build", true),
            ("npm run *", "npm run", false),
            ("git log", "git -C x log", false),
            ("git commit -m 'a b'", "git commit -m 'a b'", true),
        ] {
            let parsed = CommandPattern::parse(pattern).expect("a pattern");
            assert_eq!(parsed.covers(&command(line)), expected, "{pattern} {line}");
        }
    }

    #[test]
    fn refusing_can_not_be_dodged_by_paths_and_options() {
        for (pattern, line, expected) in [
            ("git push", "git push", true),
            ("git push", "git -C x push origin", true),
            ("git push", "git -c a=b --no-pager push", true),
            ("git push", "/usr/bin/git push", true),
            ("git push", "GIT.exe push", true),
            ("git push", "git commit -m push", false),
            ("git push", "git log", false),
            ("rm", "/bin/rm x", true),
            ("rm -rf", "rm -v -rf x", true),
            ("curl * evil", "curl -s x evil", true),
        ] {
            let parsed = CommandPattern::parse(pattern).expect("a pattern");
            assert_eq!(parsed.touches(&command(line)), expected, "{pattern} {line}");
        }
    }

    #[test]
    fn what_runs_anything_is_too_wide_to_be_allowed() {
        for (pattern, expected) in [
            ("sh", true),
            ("sh -c", true),
            ("sudo", true),
            ("sudo npm test", true),
            ("env", true),
            ("python", true),
            ("python -c", true),
            ("python manage.py", false),
            ("npx", true),
            ("npm exec", true),
            ("npm test", false),
            ("ls", false),
        ] {
            let parsed = CommandPattern::parse(pattern).expect("a pattern");
            assert_eq!(parsed.is_too_wide(), expected, "{pattern}");
        }
        for text in ["", "a && b", "a | b", "$(x)", "'a", "* x", "X=1 a", "a > b"] {
            assert_eq!(CommandPattern::parse(text), None, "{text}");
        }
    }
}
