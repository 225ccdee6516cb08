//! A command as a person writes it, cut into program and arguments as a shell would, without running one.

/// The words of a command line: blanks separate, quotes hold together, a backslash before a blank or a quote keeps
/// it. Nothing else is special, so a Windows path needs no care. `None` when a quote stays open.
pub fn split_command(line: &str) -> Option<Vec<String>> {
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
    fn words_are_cut_as_a_shell_would() {
        let cases: [(&str, Option<&[&str]>); 10] = [
            ("", Some(&[])),
            ("  agent   --acp ", Some(&["agent", "--acp"])),
            (
                "'/opt/my agent/run' \"a b\" c\\ d",
                Some(&["/opt/my agent/run", "a b", "c d"]),
            ),
            ("x ''", Some(&["x", ""])),
            ("a'b'\"c\"d", Some(&["abcd"])),
            (r#"x "say \"hi\" \n""#, Some(&["x", r#"say "hi" \n"#])),
            (
                r#""C:\Program Files\a.exe" C:\b"#,
                Some(&["C:\\Program Files\\a.exe", "C:\\b"]),
            ),
            ("x $HOME `y` > z", Some(&["x", "$HOME", "`y`", ">", "z"])),
            ("x 'open", None),
            ("x \"open", None),
        ];
        for (text, expected) in cases {
            let expected =
                expected.map(|words| words.iter().map(|word| (*word).to_owned()).collect());
            assert_eq!(split_command(text), expected, "{text}");
        }
    }
}
