//! What the person chose for an agent in a folder: `[levels.<backend>]` and `[modes.<backend>]`, with a word for each
//! folder.

use std::path::PathBuf;

use toml_edit::{Item, Table, Value};

use super::{Reader, set};
use crate::core::controls::ModeChoices;
use crate::core::ids::{BackendId, ModeId};
use crate::core::policy::level::{Level, Levels};

pub(super) const LEVELS: &str = "levels";
pub(super) const MODES: &str = "modes";

/// A word for a backend in a folder.
type Choice = (BackendId, PathBuf, String);

/// The levels of a file. A word that is none is told, and the folder stays at the strictest level.
pub(super) fn read_levels(reader: &mut Reader, item: &Item) -> Levels {
    let mut levels = Levels::default();
    for (backend, folder, word) in read(reader, LEVELS, item) {
        if let Some(level) = Level::parse(&word) {
            levels.choose(backend, folder, level);
        } else {
            let known = Level::ALL.map(Level::as_str).join(", ");
            let reason = format!("it is none of {known}, so everything is asked there");
            let key = format!("{LEVELS}.{backend}.{}", folder.display());
            reader.warn(&key, reason);
        }
    }
    levels
}

/// The modes of a file, as their agents name them.
pub(super) fn read_modes(reader: &mut Reader, item: &Item) -> ModeChoices {
    let mut modes = ModeChoices::default();
    for (backend, folder, word) in read(reader, MODES, item) {
        modes.choose(backend, folder, Some(ModeId::from(word)));
    }
    modes
}

/// Writes the levels that have changed. A folder whose path is not Unicode is not remembered.
pub(super) fn change_levels(table: &mut Table, before: &Levels, after: &Levels) {
    let words = |levels: &Levels| -> Vec<Choice> {
        let all = levels.all();
        all.map(|(backend, folder, level)| {
            let word = level.as_str().to_owned();
            (backend.clone(), folder.to_owned(), word)
        })
        .collect()
    };
    change(table, LEVELS, &words(before), &words(after));
}

/// Writes the modes that have changed.
pub(super) fn change_modes(table: &mut Table, before: &ModeChoices, after: &ModeChoices) {
    let words = |modes: &ModeChoices| -> Vec<Choice> {
        let all = modes.all();
        all.map(|(backend, folder, mode)| (backend.clone(), folder.to_owned(), mode.to_string()))
            .collect()
    };
    change(table, MODES, &words(before), &words(after));
}

/// All words of a table of tables. What is no word is told, and left out.
fn read(reader: &mut Reader, key: &str, item: &Item) -> Vec<Choice> {
    let mut found = Vec::new();
    let Some(backends) = item.as_table_like() else {
        reader.warn(key, "it is not a table");
        return found;
    };
    for (backend, folders) in backends.iter() {
        let key = format!("{key}.{backend}");
        let Some(folders) = folders.as_table_like() else {
            reader.warn(&key, "it is not a table");
            continue;
        };
        for (folder, word) in folders.iter() {
            match word.as_str() {
                Some(word) => found.push((
                    BackendId::from(backend),
                    PathBuf::from(folder),
                    word.to_owned(),
                )),
                None => reader.warn(&format!("{key}.{folder}"), "it is not a word"),
            }
        }
    }
    found
}

fn change(table: &mut Table, key: &str, before: &[Choice], after: &[Choice]) {
    let backends = table.entry(key).or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let Some(backends) = backends.as_table_like_mut() else {
        tracing::warn!(key, "it is not a table, so it is not written");
        return;
    };
    for (backend, folder, _) in before {
        let is_kept = after
            .iter()
            .any(|(one, at, _)| one == backend && at == folder);
        let folders = backends.get_mut(backend.as_str());
        let folders = folders.and_then(Item::as_table_like_mut);
        if let (false, Some(folders), Some(folder)) = (is_kept, folders, folder.to_str()) {
            folders.remove(folder);
        }
    }
    for choice in after {
        if before.contains(choice) {
            continue;
        }
        let (backend, folder, word) = choice;
        let item = backends
            .entry(backend.as_str())
            .or_insert_with(|| Item::Table(Table::new()));
        if let (Some(folders), Some(folder)) = (item.as_table_like_mut(), folder.to_str()) {
            set(folders, folder, Some(Value::from(word.as_str())));
        }
    }
}
