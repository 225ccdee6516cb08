//! JSON as editors write it: with comments and with commas before a closing bracket.

use serde_json::{Map, Value};

use super::{ExpectedType, ImportIssue};

/// The object that a text is.
pub(super) fn object(text: &str) -> Result<Map<String, Value>, ImportIssue> {
    // Strict JSON first: it is the rule, and it is faster.
    let parsed = serde_json::from_str(text).or_else(|_| serde_json::from_str(&plain(text)));
    match parsed {
        Ok(Value::Object(root)) => Ok(root),
        Ok(_) => Err(ImportIssue::WrongType {
            field: String::new(),
            expected: ExpectedType::Table,
        }),
        Err(error) => Err(ImportIssue::Syntax {
            message: message(&error),
            line: error.line(),
        }),
    }
}

/// What the parser says, without the position. A syntax error names no content of the text.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.split_once(" at line ") {
        Some((message, _)) => message.to_owned(),
        None => text,
    }
}

/// Blanks out comments, and commas that stand before a closing bracket. Line breaks stay where they are.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                plain.push(c);
                while let Some(inner) = chars.next() {
                    plain.push(inner);
                    match inner {
                        '\\' => plain.extend(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '/' if chars.peek() == Some(&'/') => while chars.next_if(|c| *c != '\n').is_some() {},
            '/' if chars.peek() == Some(&'*') => {
                chars.next();
                let mut before = ' ';
                for inside in chars.by_ref() {
                    if inside == '\n' {
                        plain.push(inside);
                    }
                    if before == '*' && inside == '/' {
                        break;
                    }
                    before = inside;
                }
                plain.push(' ');
            }
            '}' | ']' => {
                let end = plain.trim_end().len();
                if plain.get(..end).is_some_and(|start| start.ends_with(',')) {
                    plain.replace_range(end - 1..end, " ");
                }
                plain.push(c);
            }
            _ => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn comments_and_trailing_commas_are_no_part_of_the_text() {
        let text = r#"{
            // a server, "quoted"
            "a": ["x", /* two
            lines */ "y",],
            "url": "https://example.com/a,]", "escaped": "\\\" // ,}",
        }"#;
        let expected =
            json!({"a": ["x", "y"], "url": "https://example.com/a,]", "escaped": "\\\" // ,}"});
        assert_eq!(object(text).map(Value::Object), Ok(expected));
    }

    #[test]
    fn an_error_names_its_line_and_no_content() {
        let text = "{\n/* a\n b */ \"token\": sk-secret}";
        let expected = ImportIssue::Syntax {
            message: "expected value".to_owned(),
            line: 3,
        };
        assert_eq!(object(text), Err(expected));
    }

    #[test]
    fn what_never_ends_is_an_error() {
        for text in [
            "",
            "{",
            "{\"a",
            "{\"a\\",
            "/*",
            "/* *",
            "//",
            "{\"a\": 1}}",
            "[1]",
            ",}",
        ] {
            assert!(object(text).is_err(), "{text}");
        }
    }
}
