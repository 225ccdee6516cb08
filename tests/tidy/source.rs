//! The files of the repository, and the tokens of Rust source without its comments.

use std::fs;
use std::path::Path;

/// A text file, with its path relative to the repository and `/` between its parts.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    pub(crate) fn is_rust(&self) -> bool {
        Path::new(&self.path)
            .extension()
            .is_some_and(|extension| extension == "rs")
    }
}

/// Every text file of the repository, in the order of their paths. Files that hold no text are left out.
pub(crate) fn repository() -> Vec<Source> {
    let mut files = Vec::new();
    collect(Path::new(env!("CARGO_MANIFEST_DIR")), "", &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let entry = entry.expect("a readable entry");
        let name = entry
            .file_name()
            .into_string()
            .expect("file names are UTF-8");
        let path = format!("{prefix}{name}");
        if entry.file_type().expect("a file has a type").is_dir() {
            if !matches!(path.as_str(), ".git" | ".cache" | "target") {
                collect(&entry.path(), &format!("{path}/"), files);
            }
        } else if path != ".git"
            && let Ok(text) = fs::read_to_string(entry.path())
        {
            files.push(Source { path, text });
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    /// Also keywords and numbers.
    Word(String),
    /// The text between the quotes, escapes as they are written.
    Text(String),
    Sign(char),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Placed {
    pub(crate) line: usize,
    pub(crate) token: Token,
}

/// Splits Rust source into words, texts and signs. Comments, characters and lifetimes are left out.
pub(crate) fn tokens(text: &str) -> Vec<Placed> {
    let mut lexer = Lexer {
        chars: text.chars().collect(),
        at: 0,
        line: 1,
        tokens: Vec::new(),
    };
    while lexer.peek(0).is_some() {
        lexer.step();
    }
    lexer.tokens
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    line: usize,
    tokens: Vec<Placed>,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek(0)?;
        self.at += 1;
        if c == '\n' {
            self.line += 1;
        }
        Some(c)
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.next();
        }
    }

    fn push(&mut self, line: usize, token: Token) {
        self.tokens.push(Placed { line, token });
    }

    fn step(&mut self) {
        let line = self.line;
        match (self.peek(0), self.peek(1)) {
            (Some('/'), Some('/')) => while self.next().is_some_and(|c| c != '\n') {},
            (Some('/'), Some('*')) => self.block_comment(),
            (Some('r' | 'b' | 'c'), Some('"' | '#' | 'r')) if self.raw_text_hashes().is_some() => {
                self.raw_text();
            }
            (Some('"'), _) => self.text(),
            (Some('\''), _) => self.character_or_lifetime(),
            (Some(c), _) if is_word(c) => {
                let mut word = String::new();
                while let Some(c) = self.peek(0).filter(|c| is_word(*c)) {
                    word.push(c);
                    self.next();
                }
                self.push(line, Token::Word(word));
            }
            (Some(c), _) => {
                self.next();
                if !c.is_whitespace() {
                    self.push(line, Token::Sign(c));
                }
            }
            (None, _) => {}
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0;
        loop {
            match (self.next(), self.peek(0)) {
                (Some('/'), Some('*')) => depth += 1,
                (Some('*'), Some('/')) => depth -= 1,
                (None, _) => return,
                (Some(_), _) => continue,
            }
            self.next();
            if depth == 0 {
                return;
            }
        }
    }

    /// The number of `#` and the length of the prefix, when a raw text starts here.
    fn raw_text_hashes(&self) -> Option<(usize, usize)> {
        let prefix = (0..3)
            .take_while(|ahead| matches!(self.peek(*ahead), Some('r' | 'b' | 'c')))
            .count();
        let is_raw = (0..prefix).any(|ahead| self.peek(ahead) == Some('r'));
        let hashes = (prefix..self.chars.len())
            .take_while(|ahead| self.peek(*ahead) == Some('#'))
            .count();
        (is_raw && self.peek(prefix + hashes) == Some('"')).then_some((hashes, prefix))
    }

    fn raw_text(&mut self) {
        let line = self.line;
        let (hashes, prefix) = self.raw_text_hashes().expect("checked by the caller");
        self.skip(prefix + hashes + 1);
        let mut text = String::new();
        while let Some(c) = self.next() {
            if c == '"' && (0..hashes).all(|ahead| self.peek(ahead) == Some('#')) {
                self.skip(hashes);
                break;
            }
            text.push(c);
        }
        self.push(line, Token::Text(text));
    }

    fn text(&mut self) {
        let line = self.line;
        self.next();
        let mut text = String::new();
        while let Some(c) = self.next().filter(|c| *c != '"') {
            text.push(c);
            if c == '\\' {
                text.extend(self.next());
            }
        }
        self.push(line, Token::Text(text));
    }

    fn character_or_lifetime(&mut self) {
        self.next();
        if self.peek(0) == Some('\\') {
            self.next();
            self.next();
            while self.next().is_some_and(|c| c != '\'') {}
        } else if self.peek(1) == Some('\'') {
            self.next();
            self.next();
        } else {
            while self.peek(0).is_some_and(is_word) {
                self.next();
            }
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
