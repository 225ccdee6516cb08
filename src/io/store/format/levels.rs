//! How much runs unasked in the settings file: `[levels.<backend>]`, with a word for each folder.

use std::path::{Path, PathBuf};

use toml_edit::{Item, Table, Value};

use super::{Reader, set};
use crate::core::ids::BackendId;
use crate::core::policy::level::{Level, Levels};

pub(super) const KEY: &str = "levels";

/// The levels of a file. A word that is none is told, and the folder stays at the strictest level.
pub(super) fn read(reader: &mut Reader, item: &Item) -> Levels {
    let mut levels = Levels::default();
    let Some(backends) = item.as_table_like() else {
        reader.warn(KEY, "it is not a table");
        return levels;
    };
    for (backend, folders) in backends.iter() {
        let key = format!("{KEY}.{backend}");
        let Some(folders) = folders.as_table_like() else {
            reader.warn(&key, "it is not a table");
            continue;
        };
        for (folder, word) in folders.iter() {
            if let Some(level) = word.as_str().and_then(Level::parse) {
                levels.choose(BackendId::from(backend), PathBuf::from(folder), level);
            } else {
                let known = Level::ALL.map(Level::as_str).join(", ");
                let reason = format!("it is none of {known}, so everything is asked there");
                reader.warn(&format!("{key}.{folder}"), reason);
            }
        }
    }
    levels
}

/// Writes the levels that have changed. A folder whose path is not Unicode is not remembered.
pub(super) fn change(table: &mut Table, before: &Levels, after: &Levels) {
    let backends = table.entry(KEY).or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let Some(backends) = backends.as_table_like_mut() else {
        tracing::warn!("`levels` is not a table, so levels are not written");
        return;
    };
    for (backend, folder, _) in before.all() {
        let is_gone = after.level(backend, folder) == Level::default();
        let folders = backends.get_mut(backend.as_str());
        let folders = folders.and_then(Item::as_table_like_mut);
        if let (true, Some(folders), Some(folder)) = (is_gone, folders, folder.to_str()) {
            folders.remove(folder);
        }
    }
    for (backend, folder, level) in after.all() {
        if before.level(backend, folder) == level {
            continue;
        }
        let item = backends
            .entry(backend.as_str())
            .or_insert_with(|| Item::Table(Table::new()));
        if let (Some(folders), Some(folder)) = (item.as_table_like_mut(), Path::to_str(folder)) {
            set(folders, folder, Some(Value::from(level.as_str())));
        }
    }
}
