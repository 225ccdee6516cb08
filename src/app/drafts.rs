//! Which drafts are kept on disk: one for each agent and folder, so that it is there when they are opened again.

use std::collections::BTreeMap;
use std::path::Path;

use crate::core::hub::AgentHub;
use crate::core::ids::{BackendId, SessionKey};
use crate::io::saver::Saver;
use crate::ui::state::UiState;

/// The drafts as they lie on disk.
#[derive(Debug, Default)]
pub(super) struct KeptDrafts {
    by_slot: BTreeMap<u64, String>,
}

impl KeptDrafts {
    pub(super) fn new(by_slot: BTreeMap<u64, String>) -> Self {
        Self { by_slot }
    }

    /// The draft for a new session of a backend in a folder.
    pub(super) fn draft(&self, backend: &BackendId, folder: &Path) -> Option<&str> {
        self.by_slot.get(&slot(backend, folder)).map(String::as_str)
    }

    /// Writes what has changed. Of several sessions of one agent in one folder, the newest with a draft counts.
    pub(super) fn save(&mut self, hub: &AgentHub, state: &UiState, saver: &Saver) {
        let mut now: BTreeMap<u64, String> = BTreeMap::new();
        for session in hub.sessions() {
            let slot = slot(&session.spec().id, &session.setup().cwd);
            let text = draft_text(state, session.key());
            let kept = now.entry(slot).or_default();
            if !text.is_empty() {
                text.clone_into(kept);
            }
        }
        for (slot, text) in now {
            let known = self.by_slot.entry(slot).or_default();
            if *known != text {
                known.clone_from(&text);
                saver.save_draft(slot, text);
            }
        }
    }
}

fn draft_text(state: &UiState, session: SessionKey) -> &str {
    state
        .drafts
        .get(&Some(session))
        .map(|draft| draft.text.as_str())
        .unwrap_or_default()
}

/// A number for a backend in a folder that is the same in every run (FNV-1a).
fn slot(backend: &BackendId, folder: &Path) -> u64 {
    let name = format!("{backend}\n{}", folder.display());
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_the_same_in_every_run() {
        let folder = Path::new("/home/me/harbor");
        assert_eq!(slot(&"codex".into(), folder), 0x0f58_6ddd_eb2c_9b19);
        assert_ne!(slot(&"codex".into(), folder), slot(&"demo".into(), folder));
    }
}
