//! What the words of code are, line by line, so that code that grows is read once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

/// Code beyond this is not highlighted.
pub const CODE_BYTES_MOST: usize = 200_000;
/// A longer line is not highlighted; it is data.
const LINE_BYTES_MOST: usize = 2_000;

static GRAMMARS: Grammars = Grammars {
    set: RwLock::new(None),
    has_read: AtomicBool::new(false),
};
static CLASSES: LazyLock<Vec<(Scope, Class)>> = LazyLock::new(classes);

/// What a word of code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Plain,
    Comment,
    String,
    Number,
    Keyword,
    Function,
    Type,
    Attribute,
    Added,
    Removed,
}

/// A run of a line, from the end of the run before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// The byte of the line after its last one.
    pub end: u32,
    pub class: Class,
}

/// The grammars of all languages. What they compile while they read takes some megabytes.
struct Grammars {
    /// From the first code on, until they are let go. Loaded again they are the same, so whoever reads can go on.
    set: RwLock<Option<Arc<SyntaxSet>>>,
    /// Something was read since.
    has_read: AtomicBool,
}

impl Grammars {
    fn get(&self) -> Arc<SyntaxSet> {
        let known = self.set.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(set) = &*known {
            return Arc::clone(set);
        }
        drop(known);
        let mut set = self.set.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(set.get_or_insert_with(|| Arc::new(two_face::syntax::extra_newlines())))
    }
}

/// Whether the first code was read, so that reading some more is done at once. Before that, and again after
/// [`let_go`], it takes longer than a UI frame may.
pub fn is_fast() -> bool {
    GRAMMARS.has_read.load(Ordering::Relaxed)
}

/// Gives back the memory that reading has taken. What is read next takes it again.
pub fn let_go() {
    GRAMMARS.has_read.store(false, Ordering::Relaxed);
    let mut set = GRAMMARS.set.write().unwrap_or_else(PoisonError::into_inner);
    *set = None;
}

/// Reads the lines of one language in order.
#[derive(Debug, Clone)]
pub struct Highlighter {
    state: ParseState,
    stack: ScopeStack,
}

impl Highlighter {
    /// A reader for the language after a fence; `None` when it has no grammar.
    pub fn for_language(language: &str) -> Option<Self> {
        Some(Self {
            state: ParseState::new(syntax(&GRAMMARS.get(), language)?),
            stack: ScopeStack::new(),
        })
    }

    /// The words of the next line, which is given with its line break.
    pub fn line(&mut self, line: &str) -> Vec<Word> {
        if line.len() > LINE_BYTES_MOST {
            return Vec::new();
        }
        let Ok(operations) = self.state.parse_line(line, &GRAMMARS.get()) else {
            return Vec::new();
        };
        GRAMMARS.has_read.store(true, Ordering::Relaxed);
        let mut words = Vec::new();
        for (at, operation) in operations {
            push(&mut words, at, class_of(&self.stack));
            if self.stack.apply(&operation).is_err() {
                return Vec::new();
            }
        }
        push(&mut words, line.len(), class_of(&self.stack));
        words
    }
}

/// The grammar of a language, by the word after a fence.
fn syntax<'a>(set: &'a SyntaxSet, language: &str) -> Option<&'a SyntaxReference> {
    let word = language.split([' ', ',', '{', '\t']).next()?.trim();
    if word.is_empty() {
        return None;
    }
    let word = word.to_ascii_lowercase();
    let token = match word.as_str() {
        "shell" | "console" | "zsh" | "sh-session" | "shellsession" => "bash",
        "jsonc" | "json5" | "jsonl" => "json",
        "c++" => "cpp",
        "c#" | "csharp" => "cs",
        "golang" => "go",
        "docker" => "dockerfile",
        "node" | "mjs" | "cjs" => "js",
        "kt" => "kotlin",
        "text" | "txt" | "plain" | "plaintext" | "output" => return None,
        other => other,
    };
    set.find_syntax_by_token(token)
}

fn push(words: &mut Vec<Word>, end: usize, class: Class) {
    let end = u32::try_from(end).unwrap_or(u32::MAX);
    let start = words.last().map_or(0, |word| word.end);
    if end <= start {
        return;
    }
    match words.last_mut() {
        Some(last) if last.class == class => last.end = end,
        Some(_) | None => words.push(Word { end, class }),
    }
}

/// The innermost scope that says something decides.
fn class_of(stack: &ScopeStack) -> Class {
    let known = |scope: &Scope| {
        CLASSES
            .iter()
            .find(|(prefix, _)| prefix.is_prefix_of(*scope))
            .map(|(_, class)| *class)
    };
    stack
        .scopes
        .iter()
        .rev()
        .find_map(known)
        .unwrap_or(Class::Plain)
}

/// More particular scopes first.
fn classes() -> Vec<(Scope, Class)> {
    [
        ("comment", Class::Comment),
        ("punctuation.definition.comment", Class::Comment),
        ("string", Class::String),
        ("constant.character.escape", Class::Number),
        ("constant", Class::Number),
        ("keyword.operator.word", Class::Keyword),
        ("keyword.operator.logical.python", Class::Keyword),
        ("keyword.operator", Class::Plain),
        ("keyword", Class::Keyword),
        ("storage", Class::Keyword),
        ("variable.language", Class::Keyword),
        ("entity.name.function", Class::Function),
        ("support.function", Class::Function),
        ("variable.function", Class::Function),
        ("support.macro", Class::Function),
        ("entity.name.tag", Class::Keyword),
        ("entity.name.type", Class::Type),
        ("entity.name.class", Class::Type),
        ("entity.name.struct", Class::Type),
        ("entity.name.enum", Class::Type),
        ("entity.name.trait", Class::Type),
        ("entity.name.impl", Class::Type),
        ("entity.name.namespace", Class::Type),
        ("entity.other.inherited-class", Class::Type),
        ("support.type", Class::Type),
        ("support.class", Class::Type),
        ("entity.other.attribute-name", Class::Attribute),
        ("meta.annotation", Class::Attribute),
        ("variable.annotation", Class::Attribute),
        ("markup.heading", Class::Function),
        ("markup.inserted", Class::Added),
        ("markup.deleted", Class::Removed),
        ("meta.diff.range", Class::Keyword),
    ]
    .into_iter()
    .filter_map(|(name, class)| Some((Scope::new(name).ok()?, class)))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(language: &str, lines: &[&str]) -> Vec<(String, Class)> {
        let mut highlighter = Highlighter::for_language(language).expect("a known language");
        let mut found = Vec::new();
        for line in lines {
            let mut start = 0;
            for word in highlighter.line(line) {
                let end = word.end as usize;
                let text = line.get(start..end).expect("a run of the line");
                if word.class != Class::Plain && !text.trim().is_empty() {
                    found.push((text.trim().to_owned(), word.class));
                }
                start = end;
            }
        }
        found
    }

    #[test]
    fn languages_are_known_by_the_words_people_write() {
        let set = GRAMMARS.get();
        for language in [
            "rust",
            "rs",
            "python",
            "py",
            "js",
            "javascript",
            "ts",
            "typescript",
            "tsx",
            "json",
            "jsonc",
            "toml",
            "yaml",
            "yml",
            "bash",
            "sh",
            "shell",
            "console",
            "go",
            "java",
            "c",
            "cpp",
            "c++",
            "cs",
            "html",
            "css",
            "sql",
            "diff",
            "dockerfile",
            "Dockerfile",
            "markdown",
            "md",
            "ruby",
            "php",
            "kotlin",
            "swift",
            "xml",
            "rust,ignore",
            "js {1,2}",
            "makefile",
            "lua",
            "zig",
            "nix",
            "vue",
            "svelte",
            "ini",
        ] {
            assert!(syntax(&set, language).is_some(), "{language}");
        }
        for language in ["", "text", "nonsense"] {
            assert!(syntax(&set, language).is_none(), "{language}");
        }
    }

    #[test]
    fn words_of_code_have_their_class() {
        let rust = words("rust", &["fn main() { let a = \"x\"; } // end\n"]);
        for word in [
            ("fn", Class::Keyword),
            ("main", Class::Function),
            ("\"x\"", Class::String),
            ("// end", Class::Comment),
        ] {
            assert!(
                rust.contains(&(word.0.to_owned(), word.1)),
                "{word:?} in {rust:?}"
            );
        }
    }

    #[test]
    fn what_is_open_goes_on_in_the_next_line() {
        let lines = ["/* one\n", "two */ let x = 1;\n"];
        let found = words("rust", &lines);
        assert_eq!(found.first(), Some(&("/* one".to_owned(), Class::Comment)));
        assert!(found.contains(&("two */".to_owned(), Class::Comment)));
        assert!(found.contains(&("let".to_owned(), Class::Keyword)));
    }

    #[test]
    fn reading_goes_on_after_the_grammars_were_let_go() {
        let mut one = Highlighter::for_language("rust").expect("a known language");
        let mut other = one.clone();
        for line in ["/* one\n", "two */ let x = \"a\n", "b\"; // c\n"] {
            let_go();
            assert_eq!(one.line(line), other.line(line));
            assert!(is_fast());
        }
    }

    #[test]
    fn a_line_of_data_costs_nothing() {
        let mut highlighter = Highlighter::for_language("json").expect("a known language");
        assert_eq!(highlighter.line(&format!("[{}]\n", "1,".repeat(5_000))), []);
    }
}
