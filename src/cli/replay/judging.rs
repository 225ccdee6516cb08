//! What judges the permission requests of a recording: a level and a rules file. Nothing else of this machine counts,
//! because the paths of a recording are those of another one.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::bridge::script::{Recording, Role, Step};
use crate::cli::watch::Diagnostic;
use crate::cli::words;
use crate::core::command::Command;
use crate::core::consent::{GroundSource, PolicyGround};
use crate::core::hub::AgentHub;
use crate::core::ids::SessionKey;
use crate::core::permission::{AnsweredBy, PermissionOptionKind, PermissionRecord};
use crate::core::policy::level::Level;
use crate::core::policy::paths::{PathFact, PathFacts, Places};
use crate::core::policy::rules::{RuleFile, RuleOrigin, Rules};

/// A level and rules; the default asks about everything.
#[derive(Debug, Clone, Default)]
pub struct Judging {
    pub level: Level,
    pub rules: Option<RuleFile>,
}

impl Judging {
    /// Reads the rules file, if one is named. The error is one message for the person.
    pub(super) fn read(level: Level, file: Option<&Path>) -> Result<Self, String> {
        let rules = match file {
            Some(file) => {
                let text = std::fs::read_to_string(file).map_err(|error| {
                    format!("--rules can't be read: {error}: {}", file.display())
                })?;
                Some(RuleFile::parse(&text, RuleOrigin::User, file))
            }
            None => None,
        };
        Ok(Self { level, rules })
    }

    /// The rules as they hold in a folder of the recording.
    pub(super) fn ground(&self, folder: &Path) -> GroundSource {
        GroundSource::Fixed(Box::new(PolicyGround {
            rules: Rules {
                files: self.rules.iter().cloned().collect(),
            },
            places: Places {
                folder: folder.to_owned(),
                ..Places::default()
            },
            ..PolicyGround::default()
        }))
    }
}

/// The paths as they are written: as if all of them were there, and none a link.
pub(super) fn facts(paths: Vec<PathBuf>) -> PathFacts {
    let mut facts = PathFacts::default();
    for path in paths {
        let fact = PathFact {
            existing: plain(&path),
            missing: PathBuf::new(),
        };
        facts.insert(path, fact);
    }
    facts
}

fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    plain
}

/// What is to be told of a request that was decided here otherwise than the recorded person did.
pub(super) fn difference(recording: &Recording, record: &PermissionRecord) -> Option<Diagnostic> {
    if record.answered_by != AnsweredBy::Policy {
        return None;
    }
    let recorded = recorded_answer(recording, record)?;
    let decided = record.selected.as_ref();
    let decided = decided.map_or(Answer::Cancelled, |option| {
        Answer::Option(option.kind.clone())
    });
    if recorded.allows() == decided.allows() {
        return None;
    }
    Some(Diagnostic::DecidedOtherwise {
        request_id: record.request_id.to_string(),
        recorded: recorded.word(),
        decided: decided.word(),
    })
}

/// An answer to a permission request.
enum Answer {
    Option(PermissionOptionKind),
    Cancelled,
}

impl Answer {
    fn allows(&self) -> bool {
        matches!(self, Self::Option(kind) if kind.allows())
    }

    fn word(&self) -> &'static str {
        match self {
            Self::Option(kind) => words::option_kind(kind),
            Self::Cancelled => "cancelled",
        }
    }
}

/// Takes back the prompt that tells the agent why it was refused: a recorded one does not hear it.
pub(super) fn explanation(
    hub: &AgentHub,
    session: SessionKey,
    record: &PermissionRecord,
) -> Option<Command> {
    let text = record.message.as_ref()?;
    let is_policy = record.answered_by == AnsweredBy::Policy;
    let mut queue = hub.session(session).filter(|_| is_policy)?.queue().iter();
    let queued = queue.find(|queued| queued.prompt.text == *text)?.id;
    Some(Command::DropQueued { session, queued })
}

fn recorded_answer(recording: &Recording, record: &PermissionRecord) -> Option<Answer> {
    let answer = recording.steps.iter().find(|step| {
        let Role::ClientAnswer {
            request: Some(request),
        } = step.role
        else {
            return false;
        };
        let asked = recording.steps.get(request);
        asked.and_then(request_id) == Some(record.request_id.to_string())
    })?;
    let frame = &answer.frame;
    let behavior = frame.pointer("/response/response/behavior");
    if let Some(behavior) = behavior.and_then(Value::as_str) {
        return Some(Answer::Option(match behavior {
            "allow" => PermissionOptionKind::AllowOnce,
            _ => PermissionOptionKind::RejectOnce,
        }));
    }
    let chosen = frame
        .pointer("/result/outcome/optionId")
        .and_then(Value::as_str);
    let Some(chosen) = chosen else {
        return Some(Answer::Cancelled);
    };
    let mut options = record.options.iter();
    let option = options.find(|option| option.id.as_str() == chosen)?;
    Some(Answer::Option(option.kind.clone()))
}

fn request_id(asked: &Step) -> Option<String> {
    let id = asked.frame.get("id").or(asked.frame.get("request_id"))?;
    Some(id.as_str().map_or_else(|| id.to_string(), str::to_owned))
}
