//! The words that settings are written with.

use toml_edit::Value;

use crate::core::editor::Editor;
use crate::core::settings::{DiffLayout, SendKey, ThemeChoice};

pub(super) const THEMES: [(&str, ThemeChoice); 3] = [
    ("system", ThemeChoice::System),
    ("dark", ThemeChoice::Dark),
    ("light", ThemeChoice::Light),
];
pub(super) const SEND_KEYS: [(&str, SendKey); 2] = [
    ("enter", SendKey::Enter),
    ("command_enter", SendKey::CommandEnter),
];

pub(super) const DIFF_LAYOUTS: [(&str, DiffLayout); 2] = [
    ("unified", DiffLayout::Unified),
    ("side_by_side", DiffLayout::SideBySide),
];
pub(super) const EDITORS: [(&str, Editor); 4] = [
    ("system", Editor::System),
    ("vscode", Editor::VsCode),
    ("zed", Editor::Zed),
    ("jetbrains", Editor::JetBrains),
];

/// The word for a value.
pub(super) fn word<T: PartialEq>(words: &[(&str, T)], wanted: T) -> Option<Value> {
    let (word, _) = words.iter().find(|(_, value)| *value == wanted)?;
    Some(Value::from(*word))
}
