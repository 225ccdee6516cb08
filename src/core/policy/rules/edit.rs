//! Changes of a rules file that the person makes in the window.

use std::path::{Path, PathBuf};

use super::Rule;
use super::file::{with_rule, with_script_gate, without_rule};
use crate::core::policy::script_gate::ScriptGate;

/// One change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleEdit {
    /// Add a rule. It is bound to what these files hold when it is stored, those that are there.
    Add {
        file: PathBuf,
        rule: Box<Rule>,
        /// Absolute folder and paths below it.
        bound_to: Option<(PathBuf, Vec<PathBuf>)>,
    },
    /// Take away the first rule that is exactly this one.
    Remove {
        file: PathBuf,
        rule: Box<Rule>,
    },
    SetScriptGate {
        file: PathBuf,
        gate: ScriptGate,
    },
}

impl RuleEdit {
    /// The file that is changed.
    pub fn file(&self) -> &Path {
        match self {
            Self::Add { file, .. }
            | Self::Remove { file, .. }
            | Self::SetScriptGate { file, .. } => file,
        }
    }

    /// The text of the file after the change; what a person wrote there stays as it is. `None` when the text is no
    /// TOML, or the rule is not there any more.
    pub fn applied_to(&self, text: &str) -> Option<String> {
        match self {
            Self::Add { rule, .. } => with_rule(text, rule),
            Self::Remove { rule, .. } => without_rule(text, rule),
            Self::SetScriptGate { gate, .. } => with_script_gate(text, *gate),
        }
    }
}
