//! Rules: what a person allows, refuses or wants to be asked about.

pub mod date;
pub mod edit;
pub mod file;

use std::path::{Path, PathBuf};

use super::commands::CommandPattern;
use super::glob::{LetterCase, PathPattern};
use super::hosts::HostPattern;
use super::paths::{PathFacts, Places};
use super::script_gate::ScriptGate;
use crate::core::identity::ToolName;
use crate::core::time::Timestamp;

/// All rules that apply to a session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rules {
    pub files: Vec<RuleFile>,
}

/// The rules of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleFile {
    pub origin: RuleOrigin,
    /// Where it lies; empty for what holds in one session only.
    pub path: PathBuf,
    /// Whether it shuts the gate for scripts.
    pub script_gate: ScriptGate,
    pub rules: Vec<Rule>,
    /// What could not be read. One of these turns every permission into a question.
    pub problems: Vec<RuleProblem>,
}

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleOrigin {
    /// The person's own.
    User,
    /// The working folder's. Until the person trusts the folder its rules can only narrow.
    Folder { trusted: bool },
    /// None: the person granted it for one session.
    Session,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub effect: Effect,
    pub subject: Subject,
    /// For an allowing rule all files of a call must be among these, for the others one is enough.
    pub paths: Vec<PathText>,
    /// The folder in which the rule holds; `None` for all.
    pub folder: Option<PathBuf>,
    /// Files with the digest that they must have for the rule to hold.
    pub unchanged: Vec<(PathBuf, String)>,
    pub expires: Option<Timestamp>,
    /// When it was stored from a card or from the list of rules.
    pub stored: Option<Timestamp>,
    pub note: Option<String>,
}

/// What a rule does. The later beats the earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    Allow,
    Ask,
    Deny,
}

/// What a rule is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// Tools by their canonical names.
    Tools(Vec<String>),
    /// Tools of an MCP server; `None` for all of them.
    Mcp {
        server: String,
        tool: Option<String>,
    },
    /// Commands that begin with these words, as written and as read.
    Command(String, CommandPattern),
    /// One line of a shell, exactly.
    Line(String),
    Host(String, HostPattern),
    /// Whatever touches the paths.
    Paths,
}

/// A path pattern as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathText(pub String);

/// Why a rule could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleProblem {
    /// `allow 2` for the second one of `[[allow]]`; empty for the file as a whole.
    pub place: String,
    pub kind: ProblemKind,
}

/// The ways in which a rule is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemKind {
    /// The file is no TOML, or has something at its top that we don't know.
    NotReadable(String),
    /// A version of the format that we don't know.
    Version,
    /// A field that is missing, unknown or of another type.
    Field(String),
    /// It must be about exactly one thing: `tool`, `mcp`, `command`, `line`, `host`, or `path` alone.
    Subject,
    Pattern(String),
    /// An allowing rule for a program that runs whatever it is given.
    TooWide(String),
    Expiry,
}

/// A rule and where it stands, for the card and the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleRef {
    pub origin: RuleOrigin,
    pub file: PathBuf,
    pub effect: Effect,
    pub text: String,
}

/// What rules are compared with besides the call itself.
pub(super) struct Ground<'a> {
    pub places: &'a Places,
    pub facts: &'a PathFacts,
    pub now: Timestamp,
}

impl Rules {
    /// The first problem of any file.
    pub fn problem(&self) -> Option<(&RuleFile, &RuleProblem)> {
        self.files
            .iter()
            .find_map(|file| Some((file, file.problems.first()?)))
    }

    /// The rules of that effect that hold here and now.
    pub(super) fn of(
        &self,
        effect: Effect,
        ground: &Ground<'_>,
    ) -> impl Iterator<Item = (&RuleFile, &Rule)> {
        self.files
            .iter()
            .filter(move |file| effect != Effect::Allow || file.origin.may_allow())
            .flat_map(|file| file.rules.iter().map(move |rule| (file, rule)))
            .filter(move |(_, rule)| rule.effect == effect && rule.holds(ground))
    }
}

impl RuleOrigin {
    fn may_allow(self) -> bool {
        match self {
            Self::User | Self::Session => true,
            Self::Folder { trusted } => trusted,
        }
    }
}

impl Rule {
    fn holds(&self, ground: &Ground<'_>) -> bool {
        let lives = self.expires.is_none_or(|end| ground.now < end);
        let here = self
            .folder
            .as_ref()
            .is_none_or(|folder| ground.places.folder.starts_with(folder));
        // A refusal doesn't go away because a file changed or can't be read.
        let unchanged = self.effect != Effect::Allow
            || self.unchanged.iter().all(|(path, digest)| {
                ground.facts.digest(&ground.places.folder.join(path)) == Some(digest.as_str())
            });
        lives && here && unchanged
    }

    /// Whether the rule is about a tool of that name. Shell lines and hosts are compared elsewhere.
    pub(super) fn names(&self, name: &ToolName) -> bool {
        match &self.subject {
            Subject::Tools(tools) => {
                let canonical = name.canonical();
                *name != ToolName::Unknown && tools.contains(&canonical)
            }
            Subject::Mcp { server, tool } => {
                let ToolName::Mcp {
                    server: its_server,
                    tool: its_tool,
                } = name
                else {
                    return false;
                };
                server == its_server && tool.as_ref().is_none_or(|tool| tool == its_tool)
            }
            Subject::Command(..) | Subject::Line(_) | Subject::Host(..) | Subject::Paths => false,
        }
    }

    /// Whether one of the rule's patterns takes the path.
    pub(super) fn takes_path(&self, path: &Path, places: &Places, case: LetterCase) -> bool {
        self.paths
            .iter()
            .filter_map(|text| text.pattern(places))
            .any(|pattern| pattern.matches(path, case))
    }

    /// The rule in one line, as it is shown.
    pub fn text(&self) -> String {
        let mut parts = vec![match &self.subject {
            Subject::Tools(tools) => tools.join(", "),
            Subject::Mcp { server, tool } => {
                format!("{server}/{}", tool.as_deref().unwrap_or("*"))
            }
            Subject::Command(text, _) => format!("command {text}"),
            Subject::Line(line) => format!("line {line}"),
            Subject::Host(host, _) => format!("host {host}"),
            Subject::Paths => String::new(),
        }];
        parts.extend(self.paths.iter().map(|path| path.0.clone()));
        parts.retain(|part| !part.is_empty());
        format!("{} {}", self.effect.as_str(), parts.join(" "))
    }
}

impl Effect {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

impl PathText {
    /// The pattern for the place at hand: `~/` is the home folder, a relative one lies in the working folder.
    fn pattern(&self, places: &Places) -> Option<PathPattern> {
        let text = self.0.replace('\\', "/");
        if let Some(below) = text.strip_prefix("~/") {
            return PathPattern::below(places.home.as_deref()?, below);
        }
        if Path::new(&text).is_absolute() || text.starts_with('/') {
            return PathPattern::parse(&text);
        }
        PathPattern::below(&places.folder, &text)
    }
}

impl RuleRef {
    pub(super) fn new(file: &RuleFile, rule: &Rule) -> Self {
        Self {
            origin: file.origin,
            file: file.path.clone(),
            effect: rule.effect,
            text: rule.text(),
        }
    }
}
