//! Text that was typed and not sent, a small file for each session slot.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use super::{StoreError, whole_file};

const PREFIX: &str = "draft-";
const SUFFIX: &str = ".txt";

/// The folder of the drafts.
#[derive(Debug, Clone)]
pub struct DraftStore {
    folder: PathBuf,
}

impl DraftStore {
    /// The drafts in a folder, which is made when it is needed.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Keeps the draft of a slot. An empty one is removed.
    pub fn save_draft(&self, slot: u64, text: &str) -> Result<(), StoreError> {
        let path = self.folder.join(format!("{PREFIX}{slot}{SUFFIX}"));
        let result = if text.is_empty() {
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                Ok(()) | Err(_) => Ok(()),
            }
        } else {
            whole_file::write(&path, text.as_bytes())
        };
        result.map_err(|source| StoreError::Write { path, source })
    }

    /// All drafts by slot. One that can't be read is left where it is.
    pub fn load_drafts(&self) -> BTreeMap<u64, String> {
        let Ok(entries) = std::fs::read_dir(&self.folder) else {
            return BTreeMap::new();
        };
        entries
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let slot = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
                let slot = slot.parse().ok()?;
                let text = std::fs::read_to_string(entry.path())
                    .inspect_err(|error| tracing::warn!(%error, slot, "a draft can't be read"))
                    .ok()?;
                Some((slot, text))
            })
            .collect()
    }
}
