//! Who let a tool call run, and what a session's requests are judged by.

use std::path::PathBuf;

use crate::core::policy::level::Level;
use crate::core::policy::paths::Places;
use crate::core::policy::rules::{Rule, RuleFile, RuleOrigin, Rules};
use crate::core::policy::script_gate::ScriptGate;
use crate::core::policy::{Reason, ShellLanguage};

/// Whether the agent asked before it ran a call, and who said yes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Consent {
    /// No request for it reached us.
    #[default]
    NotAsked,
    /// It is being asked.
    Asking,
    ByUser,
    /// A rule or the level answered.
    ByPolicy(Box<Reason>),
}

/// The rules of a session and the folders they speak of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PolicyGround {
    pub rules: Rules,
    pub places: Places,
    pub script_gate: ScriptGate,
    pub shell: ShellLanguage,
}

/// Where a session's rules come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroundSource {
    /// These, and nothing is read.
    Fixed(Box<PolicyGround>),
    /// The person's file and the folder's. Requests wait until they are read.
    Files,
}

impl Default for GroundSource {
    fn default() -> Self {
        Self::Fixed(Box::default())
    }
}

/// What judges the requests of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionPolicy {
    pub level: Level,
    /// `None` until the files are read.
    pub ground: Option<PolicyGround>,
    /// What the person granted until the session ends.
    pub granted: Vec<Rule>,
}

impl SessionPolicy {
    /// The policy that a session starts with.
    pub fn starting(level: Level, source: &GroundSource) -> Self {
        let ground = match source {
            GroundSource::Fixed(ground) => Some(ground.as_ref().clone()),
            GroundSource::Files => None,
        };
        Self {
            level,
            ground,
            granted: Vec::new(),
        }
    }

    /// Takes in the rules; what was granted for the session holds beside them.
    pub fn set_ground(&mut self, mut ground: PolicyGround) {
        let files = &mut ground.rules.files;
        files.retain(|file| file.origin != RuleOrigin::Session);
        if !self.granted.is_empty() {
            files.push(RuleFile {
                origin: RuleOrigin::Session,
                path: PathBuf::new(),
                script_gate: ScriptGate::Off,
                rules: self.granted.clone(),
                problems: Vec::new(),
            });
        }
        self.ground = Some(ground);
    }

    /// Grants or takes back a rule for the session.
    pub fn change_granted(&mut self, change: impl FnOnce(&mut Vec<Rule>)) {
        change(&mut self.granted);
        if let Some(ground) = self.ground.take() {
            self.set_ground(ground);
        }
    }

    /// Whether nothing but the built-in refusals can answer: then nothing has to be looked up.
    pub fn only_asks(&self) -> bool {
        self.level == Level::Ask
            && self
                .ground
                .as_ref()
                .is_some_and(|ground| ground.rules.files.is_empty())
    }
}
