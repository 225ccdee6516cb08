//! What the settings remember: which page is shown, and what is being filled in there.

use crate::core::policy::rules::Effect;
use crate::core::policy::rules::ProblemKind;
use crate::core::policy::rules::file::SubjectKind;
use crate::ui::state::cards::RuleHome;

/// The settings, which take the place of the transcript while they are shown.
#[derive(Debug, Default)]
pub struct SettingsState {
    pub shown: Option<SettingsTab>,
    pub new_rule: NewRule,
}

/// A page of the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsTab {
    Rules,
    McpServers,
}

impl SettingsTab {
    /// All pages, in the order of their tabs.
    pub const ALL: [Self; 2] = [Self::Rules, Self::McpServers];
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
