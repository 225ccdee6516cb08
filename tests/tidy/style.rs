//! Rules for single files: their size, their first line, where colors are, and what they must not name.

use crate::source::{Source, Token, tokens};

const LINES_AT_MOST: usize = 500;

/// The one file that defines colors.
const THEME: &str = "src/ui/theme.rs";
const THEME_TESTS: &str = "src/ui/theme/tests.rs";

pub(crate) fn check_size(files: &[Source]) -> Vec<String> {
    let too_long = files
        .iter()
        .filter(|file| file.is_rust() && file.text.lines().count() > LINES_AT_MOST);
    too_long
        .map(|file| {
            format!(
                "{}: {} lines, at most {LINES_AT_MOST}",
                file.path,
                file.text.lines().count()
            )
        })
        .collect()
}

pub(crate) fn check_first_line(files: &[Source]) -> Vec<String> {
    let without = files
        .iter()
        .filter(|file| file.is_rust() && !file.text.starts_with("//! "));
    without
        .map(|file| format!("{}: does not start with `//! ` and what it owns", file.path))
        .collect()
}

/// Two colors are no decision about the look: "none", and "whatever the context says".
pub(crate) fn check_colors(files: &[Source]) -> Vec<String> {
    let mut problems = Vec::new();
    let sources = files.iter().filter(|file| {
        file.is_rust()
            && file.path.starts_with("src/")
            && ![THEME, THEME_TESTS].contains(&file.path.as_str())
    });
    for file in sources {
        let tokens = tokens(&file.text);
        for window in tokens.windows(4) {
            let [color, first, second, made] = window else {
                continue;
            };
            let Token::Word(color_type) = &color.token else {
                continue;
            };
            let is_path = first.token == Token::Sign(':') && second.token == Token::Sign(':');
            let is_color = matches!(
                color_type.as_str(),
                "Color32" | "Rgba" | "Hsva" | "HsvaGamma"
            );
            let Token::Word(made) = &made.token else {
                continue;
            };
            if is_path
                && is_color
                && !matches!(
                    made.as_str(),
                    "TRANSPARENT" | "PLACEHOLDER" | "to_srgba_unmultiplied"
                )
            {
                let line = color.line;
                problems.push(format!(
                    "{}:{line}: `{color_type}::{made}`: colors are defined in {THEME}",
                    file.path
                ));
            }
        }
        for placed in tokens
            .iter()
            .filter(|placed| placed.token == Token::Word("hex_color".to_owned()))
        {
            problems.push(format!(
                "{}:{}: `hex_color`: colors are defined in {THEME}",
                file.path, placed.line
            ));
        }
    }
    problems
}

/// The tree must not depend on the machine it was written on.
pub(crate) fn check_places(files: &[Source]) -> Vec<String> {
    // Put together here, so that this file does not name them itself.
    let hosts = [
        ["registry", "npmjs"],
        ["files", "pythonhosted"],
        ["deb", "debian"],
        ["index", "crates"],
        ["pypi", "org"],
    ]
    .map(|parts| parts.join("."));
    let root = format!("/{}/", "work");
    let mut problems = Vec::new();
    for file in files {
        let lines = file
            .text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line));
        for (line_number, line) in lines {
            if hosts.iter().any(|host| line.contains(host.as_str())) {
                problems.push(format!(
                    "{}:{line_number}: names the host of a registry",
                    file.path
                ));
            }
            if has_absolute(line, &root) {
                problems.push(format!(
                    "{}:{line_number}: names a path of one machine",
                    file.path
                ));
            }
        }
    }
    problems
}

/// Whether `root` stands in the line other than as a part of a longer path.
fn has_absolute(line: &str, root: &str) -> bool {
    line.match_indices(root).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        before.is_none_or(|c| {
            !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.' | '~' | '}' | '/' | '*')
        })
    })
}
