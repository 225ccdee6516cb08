//! What a panel may see, and the list of what the user did.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::core::command::Command;
use crate::core::hub::AgentHub;
use crate::core::ids::{BackendId, SessionKey};
use crate::core::settings::Settings;
use crate::core::time::Timestamp;
use crate::i18n::I18n;
use crate::ui::side_work::SideWork;
use crate::ui::state::protocol::Scope;
use crate::ui::theme::Theme;

/// The view that a panel gets of everything. It changes nothing; it pushes commands.
pub struct UiCx<'a> {
    pub hub: &'a AgentHub,
    pub settings: &'a Settings,
    pub i18n: &'a I18n,
    pub theme: &'a Theme,
    pub now: Timestamp,
    /// Wishes that the hub will do after the frame, in order.
    pub commands: &'a mut Vec<Command>,
    /// Wishes that are not the hub's: about the window, the settings, the system.
    pub actions: &'a mut Vec<UiAction>,
}

/// What the user did that is no business of the hub.
#[derive(Debug, Clone, PartialEq)]
pub enum UiAction {
    /// Show this session.
    ShowSession(SessionKey),
    /// Open a session of the chosen backend in the chosen folder and show it.
    NewSession,
    /// End a session and show another one.
    CloseSession(SessionKey),
    /// Choose another backend for new sessions, and open one.
    ChooseBackend(BackendId),
    /// Work in this folder from now on, in a new session.
    ChooseFolder(PathBuf),
    /// Ask for a folder with the system's dialog.
    PickFolder,
    /// Ask for files to attach with the system's dialog.
    PickFiles,
    /// Attach these files to the draft of the shown session.
    AttachFiles(Vec<PathBuf>),
    /// Attach this picture to the draft of the shown session.
    AttachPicture(Arc<egui::ColorImage>),
    /// Replace the settings and store them.
    ChangeSettings(Box<Settings>),
    /// Open a web address with the system.
    OpenUrl(String),
    /// Open a file in the person's editor.
    OpenFile {
        path: PathBuf,
        line: Option<u32>,
    },
    /// Run a command line in a terminal that the person sees.
    OpenTerminal {
        program: String,
        args: Vec<String>,
        env: BTreeMap<String, String>,
        /// The session whose MCP servers the program is given, where it can be.
        servers_of: Option<SessionKey>,
    },
    /// Look for MCP servers in the files of agents and editors.
    FindMcpServers,
    /// Look for the backends' programs again.
    DetectBackends,
    /// Read the record of decisions.
    ReadRecord,
    /// Show the folder with the logs.
    ShowLogs,
    CopyText(String),
    /// Ask for a file with the system's dialog and write this text to it.
    SaveText {
        /// The name that is proposed.
        name: String,
        text: String,
    },
    /// Do something off the UI thread, and draw again when it is done.
    Work(SideWork),
    /// Show what goes over the wire, or what a block was made of.
    ShowFrames(Scope),
}
