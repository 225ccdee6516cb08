//! Where commands run: `cd` followed along a line.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::{Piece, ShellPlaces, Word};

/// How many folders a command may run in before they count as unknown.
const FOLDERS_MOST: usize = 8;

/// The folders in which a command may run; `None` for one that can't be told.
pub(super) type Folders = BTreeSet<Option<PathBuf>>;

/// Where the next command runs, by how this one ended.
pub(super) struct After {
    pub(super) success: Folders,
    pub(super) failure: Folders,
}

impl After {
    pub(super) fn same(folders: &Folders) -> Self {
        Self {
            success: folders.clone(),
            failure: folders.clone(),
        }
    }

    pub(super) fn either(self) -> Folders {
        union(self.success, self.failure)
    }

    /// Where commands after this one run.
    pub(super) fn command(words: &[Word], folders: &Folders, places: ShellPlaces<'_>) -> Self {
        let program = words.first().and_then(Word::literal);
        match program.as_deref() {
            Some("cd" | "chdir") => {
                let operands: Vec<_> = words
                    .iter()
                    .skip(1)
                    .filter(|word| {
                        !matches!(word.literal().as_deref(), Some("--" | "-L" | "-P" | "-e"))
                    })
                    .collect();
                let success = folders
                    .iter()
                    .map(|folder| match operands.as_slice() {
                        [] => places.home.map(Path::to_owned),
                        [operand] => folder_of(operand, folder.as_deref()?, places),
                        _ => None,
                    })
                    .collect();
                Self {
                    success,
                    failure: folders.clone(),
                }
            }
            Some("pushd" | "popd") => Self {
                success: Folders::from([None]),
                failure: folders.clone(),
            },
            _ => Self::same(folders),
        }
    }
}

/// A folder given to `cd`. `..` may mean two folders where links are about, and `CDPATH` applies to bare words only
/// in shells that set it, so both count as unknown or as what they say.
fn folder_of(operand: &Word, from: &Path, places: ShellPlaces<'_>) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    for (index, piece) in operand.pieces.iter().enumerate() {
        match piece {
            Piece::Text(text) if index == 0 => path.push(text),
            Piece::Text(text) => {
                path.push(text.strip_prefix('/')?);
            }
            Piece::Home if index == 0 => path.push(places.home?),
            Piece::Here if index == 0 => path.push(from),
            Piece::Home | Piece::Here | Piece::Glob(_) | Piece::Braces(_) | Piece::Unknown => {
                return None;
            }
        }
    }
    let climbs = path
        .components()
        .any(|part| matches!(part, Component::ParentDir));
    let dash = path.as_os_str() == "-" || path.as_os_str().is_empty();
    (!climbs && !dash).then(|| from.join(path))
}

/// The folders of both.
pub(super) fn union(mut one: Folders, other: Folders) -> Folders {
    one.extend(other);
    if one.len() > FOLDERS_MOST {
        return Folders::from([None]);
    }
    one
}
