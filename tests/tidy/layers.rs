//! Which layer may import what, and what it must not contain.

use crate::source::{Placed, Source, Token, tokens};

const LAYERS: [&str; 6] = ["core", "i18n", "bridge", "io", "ui", "cli"];
const WINDOW: [&str; 7] = [
    "egui",
    "eframe",
    "epaint",
    "emath",
    "ecolor",
    "egui_kittest",
    "winit",
];
const INPUT_OUTPUT: [&str; 4] = ["std::fs", "std::net", "std::process", "std::io"];
const RUNTIME: [&str; 4] = ["tokio", "futures", "async", "await"];
const CLOCK: [&str; 2] = ["Instant", "SystemTime"];
const SHARED: [&str; 3] = ["Mutex", "RwLock", "std::sync::mpsc"];
const WIRE: [&str; 2] = ["agent_client_protocol_schema", "serde"];

/// Keywords that a path with a leading `::` may follow.
const BEFORE_A_PATH: [&str; 6] = ["use", "as", "dyn", "impl", "in", "return"];

struct Rules {
    may_import: &'static [&'static str],
    must_not_contain: Vec<&'static str>,
}

fn rules(layer: &str) -> Option<Rules> {
    let (may_import, forbidden): (&[&str], &[&[&str]]) = match layer {
        "core" => (
            &[],
            &[
                &WINDOW,
                &RUNTIME,
                &INPUT_OUTPUT,
                &CLOCK,
                &WIRE,
                &SHARED,
                &["std::thread", "tracing"],
            ],
        ),
        "i18n" => (
            &[],
            &[
                &WINDOW,
                &RUNTIME,
                &INPUT_OUTPUT,
                &CLOCK,
                &["std::thread", "tracing"],
            ],
        ),
        "bridge" => (
            &["core"],
            &[
                &WINDOW,
                &RUNTIME,
                &INPUT_OUTPUT,
                &CLOCK,
                &["std::thread", "tracing"],
            ],
        ),
        "io" => (&["core", "bridge"], &[&WINDOW, &["fluent_bundle"]]),
        "ui" => (
            &["core", "i18n"],
            &[
                &RUNTIME,
                &INPUT_OUTPUT,
                &CLOCK,
                &WIRE,
                &["std::thread", "tracing"],
            ],
        ),
        "cli" => (
            &["core", "i18n", "bridge", "io"],
            &[&WINDOW, &["Instant::now", "SystemTime::now"]],
        ),
        _ => return None,
    };
    Some(Rules {
        may_import,
        must_not_contain: forbidden.concat(),
    })
}

/// What breaks the table "Layers" of `ARCHITECTURE.md`.
pub(crate) fn check(files: &[Source]) -> Vec<String> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        let Some(module) = module_path(&file.path) else {
            continue;
        };
        let Some(layer) = module.first().cloned() else {
            continue;
        };
        if matches!(layer.as_str(), "lib" | "main" | "app") {
            continue;
        }
        let Some(rules) = rules(&layer) else {
            problems.push(format!(
                "{}: `{layer}` is not a layer; {LAYERS:?} are",
                file.path
            ));
            continue;
        };
        for mention in mentions(&module, &tokens(&file.text)) {
            if let Some(rule) = broken_rule(&layer, &rules, &mention.path) {
                problems.push(format!(
                    "{}:{}: `{}`: {rule}",
                    file.path,
                    mention.line,
                    mention.path.join("::")
                ));
            }
        }
    }
    problems
}

fn broken_rule(layer: &str, rules: &Rules, path: &[String]) -> Option<String> {
    if path.first().is_some_and(|first| first == "crate") {
        let imported = path.get(1)?;
        let is_allowed = imported == layer || rules.may_import.contains(&imported.as_str());
        return (!is_allowed).then(|| format!("`{layer}` may import {:?} only", rules.may_import));
    }
    let forbidden = rules
        .must_not_contain
        .iter()
        .find(|forbidden| contains(path, forbidden))?;
    Some(format!("`{layer}` must not contain `{forbidden}`"))
}

/// A crate or a path of `std` counts at the start of a path, a type such as `Instant` anywhere in it.
fn contains(path: &[String], forbidden: &str) -> bool {
    let wanted: Vec<&str> = forbidden.split("::").collect();
    let is_anywhere = forbidden.starts_with(char::is_uppercase);
    let mut starts = path.windows(wanted.len());
    if is_anywhere {
        starts.any(|part| part == wanted)
    } else {
        starts.next().is_some_and(|part| part == wanted)
    }
}

/// A path as it is written, with `self` and `super` resolved to `crate::…`.
#[derive(Debug, PartialEq)]
struct Mention {
    line: usize,
    path: Vec<String>,
}

/// The module that a file of `src` holds: `src/ui/panels/header.rs` is `ui::panels::header`.
fn module_path(path: &str) -> Option<Vec<String>> {
    let path = path.strip_prefix("src/")?.strip_suffix(".rs")?;
    Some(path.split('/').map(str::to_owned).collect())
}

fn mentions(module: &[String], tokens: &[Placed]) -> Vec<Mention> {
    let mut found = Vec::new();
    // Inline modules that are open, each with the depth of braces that it ends at.
    let mut inline: Vec<(String, usize)> = Vec::new();
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(placed) = tokens.get(at) {
        match &placed.token {
            Token::Sign('{') => depth += 1,
            Token::Sign('}') => {
                depth = depth.saturating_sub(1);
                inline.retain(|(_, end)| *end < depth);
            }
            Token::Word(word) if word == "mod" && sign(tokens, at + 2) == Some('{') => {
                if let Some(name) = word_at(tokens, at + 1) {
                    inline.push((name.to_owned(), depth));
                }
            }
            Token::Word(word) if BEFORE_A_PATH.contains(&word.as_str()) => {}
            Token::Word(_) if !continues_path(tokens, at) => {
                let mut here = module.to_vec();
                here.extend(inline.iter().map(|(name, _)| name.clone()));
                let mut paths = Vec::new();
                at = path_tree(tokens, at, &[], &mut paths);
                found.extend(paths.into_iter().map(|(line, path)| Mention {
                    line,
                    path: resolved(&here, path),
                }));
                continue;
            }
            Token::Word(_) | Token::Text(_) | Token::Sign(_) => {}
        }
        at += 1;
    }
    found
}

/// Reads `a::b::{c, d::e}` from `at` on into `paths`; returns where it ends.
fn path_tree(
    tokens: &[Placed],
    mut at: usize,
    prefix: &[String],
    paths: &mut Vec<(usize, Vec<String>)>,
) -> usize {
    let mut path = prefix.to_vec();
    let line = tokens.get(at).map_or(0, |placed| placed.line);
    loop {
        match tokens.get(at).map(|placed| &placed.token) {
            Some(Token::Word(word)) => path.push(word.clone()),
            Some(Token::Sign('*')) => path.push("*".to_owned()),
            Some(Token::Sign('{')) => {
                at += 1;
                while !matches!(sign(tokens, at), Some('}')) && at < tokens.len() {
                    at = path_tree(tokens, at, &path, paths).max(at + 1);
                    // Skips what separates the branches, a new name included.
                    while !matches!(sign(tokens, at), Some(',' | '}')) && at < tokens.len() {
                        at += 1;
                    }
                    if sign(tokens, at) == Some(',') {
                        at += 1;
                    }
                }
                return at + 1;
            }
            _ => break,
        }
        at += 1;
        let next = tokens.get(at + 2).map(|placed| &placed.token);
        let goes_on = matches!(next, Some(Token::Word(_) | Token::Sign('{' | '*')));
        if !(is_path_separator(tokens, at) && goes_on) {
            break;
        }
        at += 2;
    }
    paths.push((line, path));
    at
}

fn resolved(here: &[String], path: Vec<String>) -> Vec<String> {
    let ups = path.iter().take_while(|part| *part == "super").count();
    let is_self = path.first().is_some_and(|first| first == "self") && path.len() > 1;
    if ups == 0 && !is_self {
        let is_own_crate = path.first().is_some_and(|first| first == "agent_panel");
        return if is_own_crate {
            with_crate(path.into_iter().skip(1))
        } else {
            path
        };
    }
    let parents = here.iter().take(here.len().saturating_sub(ups)).cloned();
    with_crate(parents.chain(path.into_iter().skip(ups.max(usize::from(is_self)))))
}

fn with_crate(path: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once("crate".to_owned()).chain(path).collect()
}

/// Whether the word at `at` follows `::` after another part, as in `Vec::<u8>::new`.
fn continues_path(tokens: &[Placed], at: usize) -> bool {
    let before = at
        .checked_sub(3)
        .and_then(|before| tokens.get(before))
        .map(|placed| &placed.token);
    let has_part_before = match before {
        Some(Token::Word(word)) => !BEFORE_A_PATH.contains(&word.as_str()),
        Some(Token::Sign(sign)) => {
            *sign == '>' && self::sign(tokens, at.wrapping_sub(4)) != Some('-')
        }
        Some(Token::Text(_)) | None => false,
    };
    has_part_before && is_path_separator(tokens, at - 2)
}

fn is_path_separator(tokens: &[Placed], at: usize) -> bool {
    sign(tokens, at) == Some(':') && sign(tokens, at + 1) == Some(':')
}

fn sign(tokens: &[Placed], at: usize) -> Option<char> {
    match tokens.get(at)?.token {
        Token::Sign(sign) => Some(sign),
        Token::Word(_) | Token::Text(_) => None,
    }
}

fn word_at(tokens: &[Placed], at: usize) -> Option<&str> {
    match &tokens.get(at)?.token {
        Token::Word(word) => Some(word),
        Token::Text(_) | Token::Sign(_) => None,
    }
}
