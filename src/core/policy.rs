//! The rules that may answer a permission request without the person: one pure function, and a denial never loses.

pub mod always;
pub mod commands;
pub mod glob;
pub mod hosts;
pub mod level;
mod narrow;
pub mod paths;
pub mod protected;
pub mod rules;
pub mod script_gate;
mod view;
mod widen;

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::core::catalog::{OpsCatalog, OpsClass};
use crate::core::identity::{Certainty, Identity, IdentityContext, ToolName};
use crate::core::ids::OptionId;
use crate::core::permission::{PermissionOption, PermissionOptionKind};
use crate::core::shell::Doubt;
use crate::core::time::Timestamp;
use crate::core::tool_call::{ToolCall, ToolKind};
use level::Level;
use paths::{PathFacts, Places};
use protected::Protection;
use rules::{ProblemKind, RuleFile, RuleRef, Rules};
use script_gate::ScriptGate;
use view::View;

/// All that a decision depends on.
#[derive(Debug, Clone, Copy)]
pub struct PolicyInput<'a> {
    pub identity: &'a Identity,
    /// The call with all frames so far merged.
    pub call: &'a ToolCall,
    pub options: &'a [PermissionOption],
    pub context: &'a IdentityContext,
    pub catalog: &'a OpsCatalog,
    pub level: Level,
    pub rules: &'a Rules,
    pub places: &'a Places,
    /// What was found for [`paths_to_resolve`]. Without it nothing that touches a file is allowed.
    pub paths: &'a PathFacts,
    pub script_gate: ScriptGate,
    pub shell: ShellLanguage,
    pub now: Timestamp,
}

/// The language of the agent's shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ShellLanguage {
    #[default]
    Posix,
    /// PowerShell, cmd, or one that we don't know: only a rule for the exact line allows.
    Other,
}

/// What is done with a request, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub decision: Decision,
    pub because: Reason,
}

/// What is done with a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Answer with this option, which is of kind `allow_once`.
    Allow { option: OptionId },
    /// Show it to the person.
    Ask,
    /// Answer with this option, or `cancelled` when the agent offers no rejection, and tell the agent why.
    Reject {
        option: Option<OptionId>,
        text: String,
    },
}

/// Why a request was answered or is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Refused: it wipes the root, home or the working folder. The command as read.
    Wipes {
        command: String,
    },
    /// Refused: a script is written past the gate.
    ScriptGate {
        path: String,
    },
    /// A rule says so: deny, ask, or allow.
    Rule(RuleRef),
    /// Allowed by rules, one for each part of a line.
    Rules(Vec<RuleRef>),
    /// The level answers for it.
    Allowed {
        level: Level,
        class: Option<OpsClass>,
    },
    /// Neither a rule nor the level answers for it.
    Level(Level),
    /// A rules file can't be read, so nothing is allowed.
    BrokenRules {
        file: PathBuf,
        place: String,
        problem: ProblemKind,
    },
    /// It is a question to the person.
    NeedsPerson,
    /// What the call says about itself doesn't agree, or can be read in more than one way.
    Mismatch {
        readings: Vec<ToolName>,
    },
    /// Only the agent's own words say which tool it is.
    NotEstablished,
    /// It is a shell call and its command line is not known.
    UnknownCommand,
    /// The line does more than can be read from it.
    Shell(Doubt),
    Protected {
        path: PathBuf,
        protection: Protection,
    },
    OutsideFolder {
        path: PathBuf,
    },
    /// It is not known where the path really is.
    UnresolvedPath {
        path: PathBuf,
    },
    /// It touches files and it can't be told which.
    UnknownFiles,
    /// It goes to a web address whose host can't be told.
    UnknownHost,
    /// It may run, but the agent offers no single option that allows it once.
    NoAllowOnce,
}

impl Reason {
    /// The rules behind it, in one line; for the record.
    pub fn rule_text(&self) -> Option<String> {
        let rules = match self {
            Self::Rule(rule) => std::slice::from_ref(rule),
            Self::Rules(rules) => rules.as_slice(),
            Self::Wipes { .. }
            | Self::ScriptGate { .. }
            | Self::Allowed { .. }
            | Self::Level(_)
            | Self::BrokenRules { .. }
            | Self::NeedsPerson
            | Self::Mismatch { .. }
            | Self::NotEstablished
            | Self::UnknownCommand
            | Self::Shell(_)
            | Self::Protected { .. }
            | Self::OutsideFolder { .. }
            | Self::UnresolvedPath { .. }
            | Self::UnknownFiles
            | Self::UnknownHost
            | Self::NoAllowOnce => return None,
        };
        let texts: Vec<&str> = rules.iter().map(|rule| rule.text.as_str()).collect();
        Some(texts.join("; "))
    }

    /// A stable word for scripts and the audit log.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Wipes { .. } => "wipes",
            Self::ScriptGate { .. } => "script_gate",
            Self::Rule(_) | Self::Rules(_) => "rule",
            Self::Allowed { .. } | Self::Level(_) => "level",
            Self::BrokenRules { .. } => "broken_rules",
            Self::NeedsPerson => "needs_person",
            Self::Mismatch { .. } => "mismatch",
            Self::NotEstablished => "not_established",
            Self::UnknownCommand => "unknown_command",
            Self::Shell(_) => "shell",
            Self::Protected { .. } => "protected_path",
            Self::OutsideFolder { .. } => "outside_folder",
            Self::UnresolvedPath { .. } => "unresolved_path",
            Self::UnknownFiles => "unknown_files",
            Self::UnknownHost => "unknown_host",
            Self::NoAllowOnce => "no_allow_once",
        }
    }
}

/// What is done with a request.
pub fn decide(input: &PolicyInput<'_>) -> Verdict {
    let view = View::new(input);
    if let Some(because) = narrow::refusal(&view) {
        return reject(input, because);
    }
    if let Some(because) = must_ask(&view) {
        return ask(because);
    }
    if let Some(rule) = narrow::asking_rule(&view) {
        return ask(Reason::Rule(rule));
    }
    match widen::allowed(&view) {
        Ok(because) => match allow_once(input.options) {
            Some(option) => Verdict {
                decision: Decision::Allow { option },
                because,
            },
            None => ask(Reason::NoAllowOnce),
        },
        Err(because) => ask(because),
    }
}

/// The paths whose facts a decision about the call needs.
pub fn paths_to_resolve(
    identity: &Identity,
    call: &ToolCall,
    places: &Places,
    shell: ShellLanguage,
) -> Vec<PathBuf> {
    let script = view::script_of(identity, call, places, shell);
    paths::paths_to_resolve(identity, call, script.as_ref(), places)
}

/// The files whose digests the rules compare.
pub fn files_to_digest(rules: &Rules, places: &Places) -> Vec<PathBuf> {
    let paths: BTreeSet<PathBuf> = rules
        .files
        .iter()
        .flat_map(|file: &RuleFile| &file.rules)
        .flat_map(|rule| {
            rule.unchanged
                .iter()
                .map(|(path, _)| places.folder.join(path))
        })
        .collect();
    paths.into_iter().collect()
}

/// What no rule and no level answers for.
fn must_ask(view: &View<'_>) -> Option<Reason> {
    let input = view.input;
    if let Some((file, problem)) = input.rules.problem() {
        return Some(Reason::BrokenRules {
            file: file.path.clone(),
            place: problem.place.clone(),
            problem: problem.kind.clone(),
        });
    }
    let asks = input
        .identity
        .readings()
        .iter()
        .any(ToolName::asks_the_person);
    if asks || input.call.kind == ToolKind::SwitchMode {
        return Some(Reason::NeedsPerson);
    }
    if let Certainty::Unsure { readings } = &input.identity.certainty {
        return Some(Reason::Mismatch {
            readings: readings.clone(),
        });
    }
    view.protected().or_else(|| view.shell_doubt())
}

fn ask(because: Reason) -> Verdict {
    Verdict {
        decision: Decision::Ask,
        because,
    }
}

fn reject(input: &PolicyInput<'_>, because: Reason) -> Verdict {
    let option = input
        .options
        .iter()
        .find(|option| option.kind == PermissionOptionKind::RejectOnce)
        .map(|option| option.id.clone());
    Verdict {
        decision: Decision::Reject {
            option: option.filter(|id| is_only(input.options, id)),
            text: text_for_agent(&because),
        },
        because,
    }
}

/// The one option that allows once. Two of them, or one whose id stands for something else too, are for the person.
fn allow_once(options: &[PermissionOption]) -> Option<OptionId> {
    let mut once = options
        .iter()
        .filter(|option| option.kind == PermissionOptionKind::AllowOnce);
    let (only, None) = (once.next()?, once.next()) else {
        return None;
    };
    is_only(options, &only.id).then(|| only.id.clone())
}

fn is_only(options: &[PermissionOption], id: &OptionId) -> bool {
    options.iter().filter(|option| option.id == *id).count() == 1
}

/// What the agent is told of a refusal. For a model, so it stays English.
fn text_for_agent(because: &Reason) -> String {
    if let Reason::ScriptGate { .. } = because {
        return script_gate::GATE_TEXT.to_owned();
    }
    if let Reason::Rule(rule) = because {
        return format!("The user's permission rules refuse this ({}).", rule.text);
    }
    "This would remove the root, the home folder or the whole working folder, which is never allowed here.".to_owned()
}
