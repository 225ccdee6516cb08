//! What the person set, as typed values. How it lies on disk is the store's business.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::core::client_tools::ClientTools;
use crate::core::controls::ModeChoices;
use crate::core::editor::Editor;
use crate::core::ids::BackendId;
use crate::core::mcp_servers::McpServerSetting;
use crate::core::policy::level::Levels;

/// The smallest and largest text size, in points.
pub const TEXT_SIZE_RANGE: std::ops::RangeInclusive<u8> = 10..=24;
/// How many recent folders are remembered.
pub const RECENT_FOLDERS_MOST: usize = 12;

/// All settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// A language tag (`en`, `ja`); `None` follows the system.
    pub language: Option<String>,
    pub theme: ThemeChoice,
    /// The body text in points, within [`TEXT_SIZE_RANGE`].
    pub text_size: u8,
    pub send_key: SendKey,
    /// How the changes of a file are laid out.
    pub diff_layout: DiffLayout,
    /// What files open in.
    pub editor: Editor,
    /// The backend of the last session.
    pub backend: Option<BackendId>,
    /// Working folders, the last used first.
    pub recent_folders: Vec<PathBuf>,
    /// Folders in which agents may be started, canonical.
    pub trusted_folders: Vec<PathBuf>,
    /// Entries of the person's own.
    pub custom_backends: Vec<CustomBackend>,
    /// Other commands for presets, by backend.
    pub launch_overrides: BTreeMap<BackendId, LaunchOverride>,
    /// Unity projects whose editor's ops server is passed to agents.
    pub unity_ops_folders: Vec<PathBuf>,
    /// MCP servers of the person's own, in the order in which they are passed on.
    pub mcp_servers: Vec<McpServerSetting>,
    /// How much runs unasked, by backend and folder.
    pub levels: Levels,
    /// The modes that sessions start in, by backend and folder.
    pub modes: ModeChoices,
}

/// The theme the person chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ThemeChoice {
    #[default]
    System,
    Dark,
    Light,
}

/// How the changes of a file are laid out, where there is room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DiffLayout {
    /// In one column.
    #[default]
    Unified,
    /// The old file at the left, the new one at the right.
    SideBySide,
}

/// Which key sends the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SendKey {
    /// Enter sends, Shift+Enter starts a new line.
    #[default]
    Enter,
    /// Ctrl or Cmd with Enter sends, Enter starts a new line.
    CommandEnter,
}

/// A backend of the person's own: any program that speaks ACP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomBackend {
    pub id: BackendId,
    pub name: String,
    pub command: String,
    pub args: Vec<String>,
    pub env: BTreeMap<String, String>,
    /// Which of our files and terminals it is offered.
    pub client_tools: ClientTools,
}

/// Another command for a preset. A command without arguments gets none: the preset's belong to its own program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LaunchOverride {
    pub command: Option<String>,
    pub args: Option<Vec<String>>,
    pub env: BTreeMap<String, String>,
    /// Which of our files and terminals it is offered; `None` leaves it to the preset.
    pub client_tools: Option<ClientTools>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: None,
            theme: ThemeChoice::default(),
            text_size: 14,
            send_key: SendKey::default(),
            diff_layout: DiffLayout::default(),
            editor: Editor::default(),
            backend: None,
            recent_folders: Vec::new(),
            trusted_folders: Vec::new(),
            custom_backends: Vec::new(),
            launch_overrides: BTreeMap::new(),
            unity_ops_folders: Vec::new(),
            mcp_servers: Vec::new(),
            levels: Levels::default(),
            modes: ModeChoices::default(),
        }
    }
}

impl Settings {
    /// Puts a folder first among the recent ones.
    pub fn remember_folder(&mut self, folder: PathBuf) {
        self.recent_folders.retain(|known| *known != folder);
        self.recent_folders.insert(0, folder);
        self.recent_folders.truncate(RECENT_FOLDERS_MOST);
    }
}
