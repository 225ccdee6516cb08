//! What an agent lets the person choose in a session: modes, models, configuration options, commands.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::core::ids::{BackendId, ConfigId, ModeId, ModelId};

/// The modes of a session and which one is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Modes {
    pub current: ModeId,
    pub available: Vec<Mode>,
}

/// One session mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mode {
    pub id: ModeId,
    pub name: String,
    pub description: Option<String>,
}

/// The models of a session and which one is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Models {
    pub current: ModelId,
    pub available: Vec<Model>,
}

impl Models {
    /// Whether the agent lists this model.
    pub fn offers(&self, model: &ModelId) -> bool {
        self.available.iter().any(|known| known.id == *model)
    }

    /// The window of a model in the agent's catalog, in tokens.
    pub fn window_of(&self, model: &ModelId) -> Option<u64> {
        self.available
            .iter()
            .find(|known| known.id == *model)?
            .context_window
    }
}

/// One model. `context_window` in tokens, where the agent's catalog tells it (Grok).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    pub id: ModelId,
    pub name: String,
    pub description: Option<String>,
    pub context_window: Option<u64>,
}

/// One configuration option of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigOption {
    pub id: ConfigId,
    pub name: String,
    pub description: Option<String>,
    /// `model`, `mode`, `thought_level` or a word of the agent's own.
    pub category: Option<String>,
    pub value: ConfigValue,
}

/// The kind of an option with its current value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigValue {
    Select {
        current: String,
        choices: Vec<ConfigChoice>,
    },
    Boolean {
        current: bool,
    },
}

/// One choice of a select option. `group` is the heading it stands under, if any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigChoice {
    pub value: String,
    pub name: String,
    pub description: Option<String>,
    pub group: Option<String>,
}

/// A value the person chose for an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigSetting {
    Choice(String),
    Boolean(bool),
}

/// A slash command the agent offers. `hint` says what to write after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AvailableCommand {
    pub name: String,
    pub description: String,
    pub hint: Option<String>,
}

/// One drop-down of the window: the model or the mode, wherever the agent put it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    pub current: String,
    pub choices: Vec<ConfigChoice>,
    /// How a choice is sent to the agent.
    pub route: SelectorRoute,
}

/// The request that a selector's choice becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SelectorRoute {
    Mode,
    Model,
    Option(ConfigId),
}

impl Selector {
    /// The name of the current choice, or its raw value when the agent does not list it.
    pub fn current_name(&self) -> &str {
        self.choices
            .iter()
            .find(|choice| choice.value == self.current)
            .map_or(self.current.as_str(), |choice| choice.name.as_str())
    }
}

/// The mode that the person chose, for each backend and folder. Where nothing was chosen a session starts in the mode in
/// which its agent asks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModeChoices {
    chosen: BTreeMap<(BackendId, PathBuf), ModeId>,
}

impl ModeChoices {
    pub fn mode(&self, backend: &BackendId, folder: &Path) -> Option<&ModeId> {
        self.chosen.get(&(backend.clone(), folder.to_owned()))
    }

    /// Remembers a choice; `None` forgets it.
    pub fn choose(&mut self, backend: BackendId, folder: PathBuf, mode: Option<ModeId>) {
        match mode {
            Some(mode) => self.chosen.insert((backend, folder), mode),
            None => self.chosen.remove(&(backend, folder)),
        };
    }

    /// All choices, for the store.
    pub fn all(&self) -> impl Iterator<Item = (&BackendId, &Path, &ModeId)> {
        let entries = self.chosen.iter();
        entries.map(|((backend, folder), mode)| (backend, folder.as_path(), mode))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_of_one_backend_in_one_folder() {
        let mut modes = ModeChoices::default();
        let (codex, qwen) = (BackendId::from("codex"), BackendId::from("qwen"));
        let agent = Some(ModeId::from("agent"));
        modes.choose(codex.clone(), PathBuf::from("/w"), agent.clone());
        assert_eq!(modes.mode(&codex, Path::new("/w")), agent.as_ref());
        assert_eq!(modes.mode(&qwen, Path::new("/w")), None);
        assert_eq!(modes.mode(&codex, Path::new("/w/sub")), None);
        modes.choose(codex, PathBuf::from("/w"), None);
        assert_eq!(modes, ModeChoices::default());
    }
}
