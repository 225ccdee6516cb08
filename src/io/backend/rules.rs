//! Rules files and the record of decisions, as the backend thread reads and writes them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Agents;
use crate::core::consent::PolicyGround;
use crate::core::event::{Event, SessionEvent};
use crate::core::ids::SessionKey;
use crate::core::policy::rules::RuleFile;
use crate::core::policy::rules::edit::RuleEdit;
use crate::io::audit::AuditEntry;
use crate::io::policy_files;
use crate::io::store::Folders;

/// Where rules come from.
#[derive(Debug, Clone, Default)]
pub(super) struct PolicyFiles {
    pub(super) folders: Option<Folders>,
    /// Read instead of the person's own file, where it is given.
    pub(super) rules: Option<PathBuf>,
}

impl PolicyFiles {
    fn ground(&self, folder: &Path, trusted: bool) -> PolicyGround {
        match &self.folders {
            Some(folders) => {
                policy_files::ground(folders, (folder, trusted), self.rules.as_deref())
            }
            None => PolicyGround::default(),
        }
    }

    fn own_rules(&self) -> Option<RuleFile> {
        let folders = self.folders.as_ref()?;
        Some(policy_files::own_rules(folders, self.rules.as_deref()))
    }
}

impl Agents {
    /// Appends to the audit log: short writes, in the order of the decisions.
    pub(super) fn audit(&mut self, entries: &[AuditEntry]) {
        let Some(log) = &mut self.audit else { return };
        if let Err(error) = log.append(entries) {
            tracing::error!(%error, file = %log.path().display(), "a decision is not on record");
        }
    }

    /// Reads the rules for a session.
    pub(super) fn load_ground(&mut self, session: SessionKey, folder: PathBuf, trusted: bool) {
        let policy = self.policy.clone();
        self.with_rules(move || {
            let ground = Box::new(policy.ground(&folder, trusted));
            let event = SessionEvent::GroundLoaded(ground);
            Some(Event::Session { session, event })
        });
    }

    /// Reads the person's own rules.
    pub(super) fn load_own_rules(&mut self) {
        let policy = self.policy.clone();
        self.with_rules(move || Some(Event::OwnRulesLoaded(Box::new(policy.own_rules()?))));
    }

    /// Changes a rules file.
    pub(super) fn edit_rules(&mut self, edit: RuleEdit) {
        self.with_rules(move || {
            let file = edit.file().to_owned();
            let result = policy_files::edit_rules(edit).map_err(|error| error.to_string());
            if let Err(error) = &result {
                tracing::error!(%error, file = %file.display(), "a rules file is not changed");
            }
            Some(Event::RulesEdited { file, result })
        });
    }

    /// Reads or changes rules files, beside the agents' traffic and one after the other: no change may be lost to
    /// another one, and what was read before a change must not arrive after what was read since.
    fn with_rules(&mut self, work: impl FnOnce() -> Option<Event> + Send + 'static) {
        let (events, turn) = (self.shared.events.clone(), Arc::clone(&self.rules_turn));
        self.tasks.spawn(async move {
            let turn = turn.lock().await;
            match tokio::task::spawn_blocking(work).await {
                Ok(Some(event)) => events.send(event).await,
                Ok(None) => {}
                Err(error) => tracing::error!(%error, "work on rules has panicked"),
            }
            drop(turn);
        });
    }
}
