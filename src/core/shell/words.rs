//! Words: what a shell makes of quotes, and what it can't tell before it runs.

use rable::{Node, NodeKind};

use super::{Doubt, walk::Walker};

/// A word of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    pub pieces: Vec<Piece>,
}

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    /// The person's home folder.
    Home,
    /// The folder in which the command runs.
    Here,
    /// An unquoted pattern character or bracket.
    Glob(char),
    /// Braces to be expanded, without the outer ones.
    Braces(String),
    /// Something that is known only when it runs.
    Unknown,
}

impl Word {
    /// A word that means itself.
    pub fn plain(text: &str) -> Self {
        Self {
            pieces: vec![Piece::Text(text.to_owned())],
        }
    }

    /// The text, if nothing in it has to be expanded.
    pub fn literal(&self) -> Option<String> {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(part) => text.push_str(part),
                Piece::Home | Piece::Here | Piece::Glob(_) | Piece::Braces(_) | Piece::Unknown => {
                    return None;
                }
            }
        }
        Some(text)
    }

    /// The text with `~` for home, `.` for the folder and `$` for what can't be told: to be matched by a denial.
    pub fn for_denial(&self) -> String {
        self.pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(part) => part.clone(),
                Piece::Home => "~".to_owned(),
                Piece::Here => ".".to_owned(),
                Piece::Glob(c) => c.to_string(),
                Piece::Braces(inner) => format!("{{{inner}}}"),
                Piece::Unknown => "$".to_owned(),
            })
            .collect()
    }

    fn push_char(&mut self, c: char) {
        if let Some(Piece::Text(text)) = self.pieces.last_mut() {
            text.push(c);
        } else {
            self.pieces.push(Piece::Text(c.to_string()));
        }
    }

    fn push_text(&mut self, text: &str) {
        if let Some(Piece::Text(known)) = self.pieces.last_mut() {
            known.push_str(text);
        } else {
            self.pieces.push(Piece::Text(text.to_owned()));
        }
    }
}

/// Where in quotes a scan stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quote {
    None,
    Single,
    Double,
}

/// Reads one word of the parser's tree.
pub(super) fn word(walker: &mut Walker<'_>, node: &Node) -> Word {
    let NodeKind::Word { value, parts, .. } = &node.kind else {
        walker.doubt(Doubt::Unparsed);
        return Word {
            pieces: vec![Piece::Unknown],
        };
    };
    let mut reader = Reader {
        word: Word::default(),
        quote: Quote::None,
        starts: true,
    };
    if parts_cover(value, parts) {
        for part in parts {
            reader.part(walker, part);
        }
    } else {
        reader.text(walker, value);
    }
    if reader.quote != Quote::None {
        walker.doubt(Doubt::Unparsed);
    }
    let mut word = reader.word;
    word.pieces
        .retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
    if word.pieces.is_empty() {
        word.push_text("");
    }
    word
}

/// Whether the parts hold the whole word. Plain words are compared, so that nothing is lost between two readings.
fn parts_cover(value: &str, parts: &[Node]) -> bool {
    if value.contains(['$', '`', '{', '<', '>']) {
        return !parts.is_empty();
    }
    let mut rest = value;
    for part in parts {
        let NodeKind::WordLiteral { value } = &part.kind else {
            return false;
        };
        let Some(left) = rest.strip_prefix(value.as_str()) else {
            return false;
        };
        rest = left;
    }
    rest.is_empty()
}

struct Reader {
    word: Word,
    quote: Quote,
    starts: bool,
}

impl Reader {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what we don't know of the parser's tree is an expansion"
    )]
    fn part(&mut self, walker: &mut Walker<'_>, part: &Node) {
        match &part.kind {
            NodeKind::WordLiteral { value } => self.text(walker, value),
            NodeKind::AnsiCQuote { decoded, .. } if self.quote == Quote::None => {
                self.word.push_text(decoded);
            }
            NodeKind::ParamExpansion {
                param, op: None, ..
            } => {
                walker.doubt(Doubt::Expansion);
                self.word.pieces.push(match param.as_str() {
                    "HOME" => Piece::Home,
                    "PWD" => Piece::Here,
                    _ => Piece::Unknown,
                });
            }
            NodeKind::BraceExpansion { content } if self.quote == Quote::None => {
                walker.doubt(Doubt::Expansion);
                let inner = content
                    .strip_prefix('{')
                    .and_then(|rest| rest.strip_suffix('}'));
                self.word
                    .pieces
                    .push(Piece::Braces(inner.unwrap_or(content).to_owned()));
            }
            NodeKind::CommandSubstitution { command, .. }
            | NodeKind::ProcessSubstitution { command, .. } => {
                walker.doubt(Doubt::Substitution);
                self.word.pieces.push(if prints_folder(command) {
                    Piece::Here
                } else {
                    Piece::Unknown
                });
                walker.nested_node(command);
            }
            _ => {
                walker.doubt(Doubt::Expansion);
                self.word.pieces.push(Piece::Unknown);
            }
        }
        self.starts = false;
    }

    fn text(&mut self, walker: &mut Walker<'_>, text: &str) {
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match (self.quote, c) {
                (Quote::None, '\'') => self.open(Quote::Single),
                (Quote::None, '"') => self.open(Quote::Double),
                (Quote::Single, '\'') | (Quote::Double, '"') => self.quote = Quote::None,
                (Quote::None, '\\') => match chars.next() {
                    Some('\n') => {}
                    Some(escaped) => self.word.push_char(escaped),
                    None => walker.doubt(Doubt::Unparsed),
                },
                (Quote::Double, '\\') => match chars.peek().copied() {
                    Some(escaped @ ('$' | '`' | '"' | '\\')) => {
                        chars.next();
                        self.word.push_char(escaped);
                    }
                    Some('\n') => {
                        chars.next();
                    }
                    Some(_) | None => self.word.push_char('\\'),
                },
                (Quote::None | Quote::Double, '$' | '`') => {
                    walker.doubt(Doubt::Substitution);
                    self.word.pieces.push(Piece::Unknown);
                }
                (Quote::None, '~') if self.starts => {
                    let rest: String = chars.clone().collect();
                    self.tilde(walker, &rest);
                    if rest.starts_with('+') {
                        chars.next();
                    }
                }
                // zsh puts a program's path in the place of `=name`.
                (Quote::None, '=') if self.starts => {
                    walker.doubt(Doubt::Expansion);
                    self.word.push_char(c);
                }
                (Quote::None, '*' | '?' | '[') => {
                    walker.doubt(Doubt::Expansion);
                    self.word.pieces.push(Piece::Glob(c));
                }
                (Quote::None, '{') if chars.peek() == Some(&'}') => {
                    chars.next();
                    self.word.push_text("{}");
                }
                (Quote::None, '{') => {
                    walker.doubt(Doubt::Expansion);
                    self.word.push_char(c);
                }
                (Quote::None | Quote::Single | Quote::Double, _) => self.word.push_char(c),
            }
            self.starts = false;
        }
    }

    fn open(&mut self, quote: Quote) {
        self.quote = quote;
        self.word.push_text("");
    }

    fn tilde(&mut self, walker: &mut Walker<'_>, rest: &str) {
        let piece = match rest.chars().next() {
            None | Some('/') => Piece::Home,
            Some('+') if matches!(rest.chars().nth(1), None | Some('/')) => Piece::Here,
            Some(_) => {
                walker.doubt(Doubt::Expansion);
                Piece::Unknown
            }
        };
        self.word.pieces.push(piece);
    }
}

/// Whether a substitution is `pwd` and nothing else.
fn prints_folder(command: &Node) -> bool {
    let NodeKind::Command {
        assignments,
        words,
        redirects,
    } = &command.kind
    else {
        return false;
    };
    let pwd = words
        .first()
        .is_some_and(|word| matches!(&word.kind, NodeKind::Word { value, .. } if value == "pwd"));
    pwd && words.len() == 1 && assignments.is_empty() && redirects.is_empty()
}
