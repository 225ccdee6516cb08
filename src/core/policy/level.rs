//! How much may run unasked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::core::catalog::OpsClass;
use crate::core::ids::BackendId;

/// How much may run without asking the person, the strictest first. Each level allows what the ones before it allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Level {
    #[default]
    Ask,
    /// Ops tools that change nothing.
    ReadOnly,
    /// Ops tools that one undo takes back, too.
    Undoable,
    /// All ops tools that stay in the editor.
    AllOps,
    /// All tools whose identity and reach are known.
    AllTools,
}

impl Level {
    pub const ALL: [Self; 5] = [
        Self::Ask,
        Self::ReadOnly,
        Self::Undoable,
        Self::AllOps,
        Self::AllTools,
    ];

    /// The word on the command line and in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::ReadOnly => "read-only",
            Self::Undoable => "undoable",
            Self::AllOps => "all-ops",
            Self::AllTools => "all-tools",
        }
    }

    /// The level of that word. A word we don't know is the strictest level.
    pub fn from_word(word: &str) -> Self {
        Self::parse(word).unwrap_or_default()
    }

    /// The level of that word, if it is one.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == word)
    }

    /// The key of the short label on the chip.
    pub fn label_key(self) -> &'static str {
        match self {
            Self::Ask => "level.ask",
            Self::ReadOnly => "level.read_only",
            Self::Undoable => "level.undoable",
            Self::AllOps => "level.all_ops",
            Self::AllTools => "level.all_tools",
        }
    }

    /// The key of the sentence that says what the level lets run.
    pub fn about_key(self) -> &'static str {
        match self {
            Self::Ask => "level.ask.about",
            Self::ReadOnly => "level.read_only.about",
            Self::Undoable => "level.undoable.about",
            Self::AllOps => "level.all_ops.about",
            Self::AllTools => "level.all_tools.about",
        }
    }

    /// How strongly the chip warns.
    pub fn tint(self) -> LevelTint {
        match self {
            Self::Ask | Self::ReadOnly => LevelTint::Plain,
            Self::Undoable => LevelTint::Warning,
            Self::AllOps | Self::AllTools => LevelTint::Danger,
        }
    }

    /// Whether the person must confirm the change. Raising to the two top levels asks, lowering never does.
    pub fn needs_confirmation(self, to: Self) -> bool {
        to > self && to >= Self::AllOps
    }

    /// Whether the level answers for an ops tool of that class.
    pub fn allows_ops(self, class: OpsClass) -> bool {
        let least = match class {
            OpsClass::ReadOnly => Self::ReadOnly,
            OpsClass::Undoable => Self::Undoable,
            OpsClass::Other => Self::AllOps,
            OpsClass::External => Self::AllTools,
        };
        self >= least
    }
}

/// The level that the person chose, for each backend and folder. Where nothing was chosen it is the strictest, so
/// that another backend in the same folder starts with nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Levels {
    chosen: BTreeMap<(BackendId, PathBuf), Level>,
}

impl Levels {
    pub fn level(&self, backend: &BackendId, folder: &Path) -> Level {
        let key = (backend.clone(), folder.to_owned());
        self.chosen.get(&key).copied().unwrap_or_default()
    }

    /// Remembers a choice. The strictest level is what holds without one, so that it is not kept.
    pub fn choose(&mut self, backend: BackendId, folder: PathBuf, level: Level) {
        if level == Level::default() {
            self.chosen.remove(&(backend, folder));
        } else {
            self.chosen.insert((backend, folder), level);
        }
    }

    /// All choices, for the store.
    pub fn all(&self) -> impl Iterator<Item = (&BackendId, &Path, Level)> {
        let entries = self.chosen.iter();
        entries.map(|((backend, folder), level)| (backend, folder.as_path(), *level))
    }
}

/// How strongly a level's chip warns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LevelTint {
    Plain,
    Warning,
    Danger,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raising_to_the_top_two_levels_asks_and_lowering_never_does() {
        for from in Level::ALL {
            for to in Level::ALL {
                let expected = to > from && matches!(to, Level::AllOps | Level::AllTools);
                assert_eq!(from.needs_confirmation(to), expected, "{from:?} {to:?}");
            }
        }
    }

    #[test]
    fn a_level_is_of_one_backend_in_one_folder() {
        let mut levels = Levels::default();
        let (codex, grok) = (BackendId::from("codex"), BackendId::from("grok"));
        levels.choose(codex.clone(), PathBuf::from("/w"), Level::AllTools);
        assert_eq!(levels.level(&codex, Path::new("/w")), Level::AllTools);
        assert_eq!(levels.level(&grok, Path::new("/w")), Level::Ask);
        assert_eq!(levels.level(&codex, Path::new("/w/sub")), Level::Ask);
        levels.choose(codex.clone(), PathBuf::from("/w"), Level::Ask);
        assert_eq!(levels, Levels::default());
    }

    #[test]
    fn words_are_read_back_and_unknown_ones_are_the_strictest() {
        for level in Level::ALL {
            assert_eq!(Level::parse(level.as_str()), Some(level));
        }
        assert_eq!(Level::from_word("everything"), Level::Ask);
    }
}
