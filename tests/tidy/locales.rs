//! Whether the catalogs have what the source asks for, and the same in every language.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Placed, Source, Token, tokens};

/// Keys that the source puts together at run time start like this. Keep it tiny.
const DYNAMIC: [&str; 0] = [];

/// A message of a catalog.
#[derive(Debug, Default, PartialEq)]
struct Message {
    text: String,
    placeholders: BTreeSet<String>,
}

type Catalog = BTreeMap<String, Message>;

/// A place in the source that asks for a text.
#[derive(Debug, PartialEq)]
struct Use {
    place: String,
    key: String,
    /// The names of the placeholders, `None` when they are not written at that place.
    args: Option<BTreeSet<String>>,
}

/// What is wrong with the catalogs, or with the keys in the source.
pub(crate) fn check(files: &[Source]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut catalogs: BTreeMap<&str, Catalog> = BTreeMap::new();
    for file in files {
        let Some((language, area)) = language_and_area(&file.path) else {
            continue;
        };
        check_is_loaded(file, files, &mut problems);
        read(
            file,
            area,
            catalogs.entry(language).or_default(),
            &mut problems,
        );
    }
    let Some(english) = catalogs.get("en") else {
        return vec!["there is no English catalog".to_owned()];
    };
    for (language, catalog) in &catalogs {
        compare(language, catalog, english, &mut problems);
    }
    check_uses(files, english, &mut problems);
    problems
}

/// `locales/<language>/<area>.ftl`
fn language_and_area(path: &str) -> Option<(&str, &str)> {
    path.strip_prefix("locales/")?
        .strip_suffix(".ftl")?
        .split_once('/')
}

fn check_is_loaded(file: &Source, files: &[Source], problems: &mut Vec<String>) {
    let loader = files.iter().find(|file| file.path == "src/i18n.rs");
    if !loader.is_some_and(|loader| loader.text.contains(&format!("\"../{}\"", file.path))) {
        problems.push(format!("{}: src/i18n.rs does not load it", file.path));
    }
}

fn read(file: &Source, area: &str, catalog: &mut Catalog, problems: &mut Vec<String>) {
    let mut key = None;
    for (index, line) in file.text.lines().enumerate() {
        let place = format!("{}:{}", file.path, index + 1);
        if line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let id = line.split_once('=').map_or(line, |(id, _)| id).trim_end();
            if !is_well_formed(id, area) {
                problems.push(format!(
                    "{place}: `{id}` is not `{area}-…` in parts of snake_case"
                ));
            }
            if catalog
                .insert(id.replace('-', "."), Message::default())
                .is_some()
            {
                problems.push(format!("{place}: `{id}` is there twice"));
            }
            key = Some(id.replace('-', "."));
        } else if line.starts_with('#') || line.starts_with('-') {
            key = None;
        }
        if let Some(message) = key.as_ref().and_then(|key| catalog.get_mut(key)) {
            message.text.push_str(line);
            message.placeholders.extend(placeholders(line));
        }
        if key.is_some() && line.contains(['!', '！']) {
            problems.push(format!("{place}: an exclamation mark"));
        }
    }
}

fn is_well_formed(id: &str, area: &str) -> bool {
    let is_snake_case = |part: &str| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    let mut parts = id.split('-');
    parts.next() == Some(area) && id.contains('-') && parts.all(is_snake_case)
}

fn placeholders(line: &str) -> impl Iterator<Item = String> {
    line.split('$').skip(1).map(|rest| {
        rest.chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
            .collect()
    })
}

fn compare(language: &str, catalog: &Catalog, english: &Catalog, problems: &mut Vec<String>) {
    for (key, message) in english {
        match catalog.get(key) {
            None => problems.push(format!("{language}: `{key}` is missing")),
            Some(translated) if translated.placeholders != message.placeholders => {
                problems.push(format!(
                    "{language}: `{key}` has the placeholders {:?}, in English {:?}",
                    translated.placeholders, message.placeholders
                ));
            }
            Some(_) => {}
        }
    }
    for key in catalog.keys().filter(|key| !english.contains_key(*key)) {
        problems.push(format!("{language}: `{key}` is not in English"));
    }
}

fn check_uses(files: &[Source], english: &Catalog, problems: &mut Vec<String>) {
    let mut used: BTreeSet<String> = BTreeSet::new();
    let sources = files
        .iter()
        .filter(|file| file.is_rust() && file.path.starts_with("src/"));
    for file in sources.filter(|file| file.path != "src/i18n.rs") {
        let tokens = tokens(&file.text);
        for one in uses(&file.path, &tokens) {
            check_use(&one, english, problems);
        }
        let is_shown = file.path.starts_with("src/ui") || file.path == "src/app.rs";
        for placed in &tokens {
            let Token::Text(text) = &placed.token else {
                continue;
            };
            if is_shown && looks_like_key(text, english) && !english.contains_key(text) {
                problems.push(format!(
                    "{}:{}: there is no text `{text}`",
                    file.path, placed.line
                ));
            }
            used.insert(text.clone());
        }
    }
    let unused =
        |key: &String| !used.contains(key) && !DYNAMIC.iter().any(|prefix| key.starts_with(prefix));
    for key in english.keys().filter(|key| unused(key)) {
        problems.push(format!("`{key}` is unused"));
    }
}

fn check_use(one: &Use, english: &Catalog, problems: &mut Vec<String>) {
    let Use { place, key, args } = one;
    let Some(message) = english.get(key) else {
        problems.push(format!("{place}: there is no text `{key}`"));
        return;
    };
    if args
        .as_ref()
        .is_some_and(|args| *args != message.placeholders)
    {
        problems.push(format!(
            "{place}: `{key}` needs the placeholders {:?}",
            message.placeholders
        ));
    }
}

/// `tr("…")` and `tr_args("…", …)`.
fn uses(path: &str, tokens: &[Placed]) -> Vec<Use> {
    let mut found = Vec::new();
    for (index, window) in tokens.windows(3).enumerate() {
        let [
            Placed {
                token: Token::Word(name),
                ..
            },
            open,
            Placed {
                token: Token::Text(key),
                line,
            },
        ] = window
        else {
            continue;
        };
        if open.token != Token::Sign('(') || !matches!(name.as_str(), "tr" | "tr_args") {
            continue;
        }
        let rest = tokens.get(index + 3..).unwrap_or_default();
        let args = if name == "tr" {
            Some(BTreeSet::new())
        } else {
            written_args(rest)
        };
        found.push(Use {
            place: format!("{path}:{line}"),
            key: key.clone(),
            args,
        });
    }
    found
}

/// The names in `, &[("name", …), …]`.
fn written_args(tokens: &[Placed]) -> Option<BTreeSet<String>> {
    let signs = tokens.iter().take(3).map(|placed| &placed.token);
    if !signs.eq(&[Token::Sign(','), Token::Sign('&'), Token::Sign('[')]) {
        return None;
    }
    let mut names = BTreeSet::new();
    let mut depth = 1;
    let mut last_sign = None;
    for placed in tokens.iter().skip(3) {
        match &placed.token {
            Token::Sign(sign @ ('(' | '[' | '{')) => {
                depth += 1;
                last_sign = Some(*sign);
                continue;
            }
            Token::Sign(')' | ']' | '}') => depth -= 1,
            Token::Text(name) if depth == 2 && last_sign == Some('(') => {
                names.insert(name.clone());
            }
            Token::Text(_) | Token::Word(_) | Token::Sign(_) => {}
        }
        if depth == 0 {
            break;
        }
        last_sign = None;
    }
    Some(names)
}

/// Whether a text starts with an area of the catalogs and goes on like a key, and is no file name.
fn looks_like_key(text: &str, english: &Catalog) -> bool {
    let Some((area, rest)) = text.split_once('.') else {
        return false;
    };
    let is_file_name = [
        "rs", "toml", "json", "jsonl", "ftl", "log", "md", "txt", "html",
    ]
    .contains(&rest);
    let has_parts = !rest.is_empty()
        && rest
            .chars()
            .all(|c| c.is_ascii_lowercase() || matches!(c, '_' | '.'));
    let has_area = english
        .keys()
        .any(|key| key.split('.').next() == Some(area));
    has_area && has_parts && !is_file_name
}
