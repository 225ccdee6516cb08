//! What the window remembers: drafts, scroll positions, open panels. Nothing an agent said.

pub mod cards;
pub mod protocol;
pub mod servers;
pub mod settings;

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::core::command::Prompt;
use crate::core::ids::{RequestId, SessionKey};
use crate::core::policy::level::Level;
use crate::core::time::Timestamp;
use crate::core::tool_call::ImageData;
use crate::core::transcript::Attachment;
use crate::ui::state::cards::CardsState;
use crate::ui::state::protocol::ProtocolView;
use crate::ui::state::servers::ServersState;
use crate::ui::state::settings::SettingsState;
use crate::ui::transcript::state::TranscriptState;

/// The state of the window.
#[derive(Debug, Default)]
pub struct UiState {
    /// The session that is shown.
    pub shown: Option<SessionKey>,
    /// What is being written, by session; `None` is for the time before there is one.
    pub drafts: BTreeMap<Option<SessionKey>, Draft>,
    /// A draft has changed in a way that is worth storing; whoever stores it resets this.
    pub drafts_changed: bool,
    /// Give the keyboard to the composer in the next frame.
    pub focus_composer: bool,
    pub composer: ComposerState,
    pub permission: PermissionState,
    pub cards: CardsState,
    pub servers: ServersState,
    pub settings: SettingsState,
    pub backend_menu: BackendMenuState,
    pub main_menu: MainMenuState,
    pub folder: FolderState,
    /// The branch that is checked out, by folder.
    pub branches: BTreeMap<PathBuf, String>,
    pub notice: Option<Notice>,
    pub window: WindowState,
    /// The view of the wire, while it is open.
    pub protocol: Option<ProtocolView>,
    /// The view of each transcript.
    pub transcripts: BTreeMap<SessionKey, TranscriptState>,
}

/// A message that is not sent yet.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    pub text: String,
    pub images: Vec<DraftImage>,
    pub attachments: Vec<Attachment>,
    /// Which earlier prompt is shown, counted back from the last one.
    pub recalled: Option<usize>,
}

/// A picture with a draft.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftImage {
    pub name: String,
    pub data: ImageData,
    pub width: u32,
    pub height: u32,
}

/// The slash popup and the keyboard of the composer.
#[derive(Debug, Default)]
pub struct ComposerState {
    /// The command that Enter would take.
    pub highlighted: usize,
    /// The text for which the list of commands was closed with Escape.
    pub closed_for: Option<String>,
    /// The input method has not decided yet what the text is.
    pub is_composing: bool,
    /// The level that the person chose in a session and has not confirmed yet.
    pub raising: Option<Raising>,
}

/// A level that waits for the person's yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Raising {
    pub session: SessionKey,
    pub level: Level,
    /// Since when it is asked.
    pub since: Timestamp,
}

/// Which request is shown, and since when it stands there as it does.
#[derive(Debug, Default)]
pub struct PermissionState {
    /// The request that the person chose to see; else the oldest.
    pub chosen: Option<(SessionKey, RequestId)>,
    pub shown: Option<ShownRequest>,
    /// The press that may become an answer.
    pub pressed: Option<Press>,
    pub details_open: bool,
    pub all_shown: bool,
    pub list_open: bool,
}

/// A request as it stands on the screen.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownRequest {
    pub session: SessionKey,
    pub request: RequestId,
    /// Changes when the request says something else.
    pub content: u64,
    /// Changes when anything of it is drawn elsewhere.
    pub place: u64,
    pub since: Timestamp,
    /// The agent changed it while it stood there.
    pub was_changed: bool,
}

/// A press of the pointer on an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Press {
    pub request: RequestId,
    pub option: usize,
}

/// The dropdown of backends.
#[derive(Debug, Default)]
pub struct BackendMenuState {
    /// The backend whose installation is explained.
    pub explained: Option<crate::core::ids::BackendId>,
    pub custom_open: bool,
    pub custom_name: String,
    pub custom_command: String,
}

/// The menu at the right of the header.
#[derive(Debug, Default)]
pub struct MainMenuState {
    pub about_open: bool,
}

/// The field for a folder's path.
#[derive(Debug, Default)]
pub struct FolderState {
    pub typed: String,
    /// The folder that was asked for and is not there.
    pub missing: Option<PathBuf>,
}

/// Something to say that is not the agent's and not a session's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The system's dialog could not be opened.
    NoDialog,
    FolderMissing(PathBuf),
    /// A file can't be attached.
    FileUnreadable(String),
    /// The agent takes no pictures.
    NoPictures,
    PictureTooLarge(String),
    SettingsUnreadable(PathBuf),
    SettingsNotSaved(PathBuf),
    /// A rules file could not be changed; why, in the system's words.
    RulesNotChanged(PathBuf, String),
    /// A file that the person chose can't be written.
    FileNotSaved(PathBuf),
    LinkNotOpened(String),
    /// A file is no font that code can be shown in.
    FontUnusable(PathBuf),
    NoTerminal(String),
    /// The chosen editor, by its name, is not found.
    NoEditor(&'static str),
    /// The system would run the file instead of showing it.
    FileCanBeRun(String),
}

/// Whether the window has had the keyboard for a while.
#[derive(Debug, Default)]
pub struct WindowState {
    pub focused_since: Option<Timestamp>,
}

impl UiState {
    /// The draft of the shown session.
    pub fn draft(&mut self) -> &mut Draft {
        self.drafts.entry(self.shown).or_default()
    }

    /// Opens the field that finds text in the shown transcript.
    pub fn open_find(&mut self) {
        if let Some(session) = self.shown {
            self.transcripts.entry(session).or_default().find.open();
        }
    }
}

impl Draft {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.images.is_empty() && self.attachments.is_empty()
    }

    /// Takes the message out; the draft is empty afterwards.
    pub fn take(&mut self) -> Prompt {
        let draft = std::mem::take(self);
        Prompt {
            text: draft.text.trim().to_owned(),
            images: draft.images.into_iter().map(|image| image.data).collect(),
            attachments: draft.attachments,
        }
    }
}
