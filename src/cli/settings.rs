//! The person's settings, read once.

use std::path::PathBuf;

use crate::core::settings::Settings;
use crate::io::store::{Folders, SettingsStore, SettingsWarning};

/// Settings with what is to be said about their file.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    pub(super) settings: Settings,
    /// `None` on a system that has no place for settings.
    pub(super) file: Option<PathBuf>,
    pub(super) warnings: Vec<SettingsWarning>,
}

/// Reads the settings file. What can't be read keeps its default.
pub(super) fn load() -> Loaded {
    let Some(folders) = Folders::of_this_user() else {
        return Loaded::default();
    };
    let file = folders.settings_file;
    let (_, settings, warnings) = SettingsStore::open(file.clone());
    Loaded {
        settings,
        file: Some(file),
        warnings,
    }
}
