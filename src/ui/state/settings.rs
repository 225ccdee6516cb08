//! What the settings remember: which page is shown, and what is being filled in there.

use crate::core::decisions::{DecisionFilter, LoggedDecision};
use crate::core::policy::rules::Effect;
use crate::core::policy::rules::ProblemKind;
use crate::core::policy::rules::file::SubjectKind;
use crate::ui::state::cards::RuleHome;

/// The settings, which take the place of the transcript while they are shown.
#[derive(Debug, Default)]
pub struct SettingsState {
    pub shown: Option<SettingsTab>,
    pub new_rule: NewRule,
    pub record: RecordState,
}

/// The record of decisions, as far as it was read.
#[derive(Debug, Default)]
pub struct RecordState {
    /// It was asked for once.
    pub is_asked: bool,
    pub found: Option<RecordFound>,
    pub filter: DecisionFilter,
    /// The places of the decisions that the filter takes, the newest first; `None` when that has to be found out.
    pub shown: Option<Vec<usize>>,
}

/// What was found of the record.
#[derive(Debug, Default)]
pub struct RecordFound {
    /// Oldest first.
    pub decisions: Vec<LoggedDecision>,
    /// How many lines can't be read.
    pub broken: usize,
    /// There is more before it.
    pub is_cut: bool,
    /// Why it could not be read.
    pub error: Option<String>,
}

/// A page of the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsTab {
    Rules,
    McpServers,
    Record,
}

impl SettingsTab {
    /// All pages, in the order of their tabs.
    pub const ALL: [Self; 3] = [Self::Rules, Self::McpServers, Self::Record];
}

/// A rule that is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRule {
    pub effect: Effect,
    pub kind: SubjectKind,
    pub pattern: String,
    pub home: RuleHome,
    /// Why it was refused when the person wanted to add it.
    pub problem: Option<ProblemKind>,
}

impl Default for NewRule {
    fn default() -> Self {
        Self {
            effect: Effect::Ask,
            kind: SubjectKind::default(),
            pattern: String::new(),
            home: RuleHome::default(),
            problem: None,
        }
    }
}
