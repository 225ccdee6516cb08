//! Splits what a person types as a command into a program and its arguments.

/// The words of a command line: blanks separate, quotes hold together, a backslash before a blank or a quote keeps
/// it. Nothing else is special, so a Windows path needs no care. `None` when a quote stays open.
pub fn split(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let keeps_next =
            |next: &char| matches!(next, '"' | '\'') || (quote.is_none() && next.is_whitespace());
        match (c, quote) {
            ('\\', None | Some('"')) if chars.peek().is_some_and(keeps_next) => {
                word.get_or_insert_default().extend(chars.next());
            }
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let cases: [(&str, &[&str]); 8] = [
            ("", &[]),
            ("  agent   --acp ", &["agent", "--acp"]),
            (
                r#"agent "two words" 'and "these"'"#,
                &["agent", "two words", r#"and "these""#],
            ),
            (r#"agent --name="a b""#, &["agent", "--name=a b"]),
            (r"agent a\ b", &["agent", "a b"]),
            (r#"agent "say \"hi\"""#, &["agent", r#"say "hi""#]),
            (r#"agent """#, &["agent", ""]),
            (r"C:\agents\run.exe $HOME", &[r"C:\agents\run.exe", "$HOME"]),
        ];
        for (line, expected) in cases {
            let expected: Vec<String> = expected.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(split(line), Some(expected), "{line}");
        }
    }

    #[test]
    fn an_open_quote_is_no_command() {
        assert_eq!(split("agent \"open"), None);
    }
}
