//! What the window wants done outside and must not wait for: files, dialogs, other programs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use tempfile::TempPath;

use super::attach::{self, Attached, Pictures};
use super::branch::branch;
use crate::bridge::claude::PrivateFile;
use crate::core::backend::McpServer;
use crate::core::editor::Editor;
use crate::core::ids::SessionKey;
use crate::io::editor::{self, OpenError};
use crate::io::mcp_files::{self, FoundConfig};
use crate::io::{audit, private_file, terminal};
use crate::ui::state::Notice;
use crate::ui::state::settings::RecordFound;

/// A dialog that is gone after less than this was never there.
const DIALOG_AT_LEAST: Duration = Duration::from_millis(400);

/// Of a longer record the window shows so much of its end, in bytes.
const RECORD_BYTES_MOST: u64 = 8 * 1024 * 1024;

/// An errand that is run in its turn.
pub(super) enum Errand {
    ReadBranch(PathBuf),
    CheckFolder(PathBuf),
    AttachFiles {
        session: Option<SessionKey>,
        paths: Vec<PathBuf>,
        pictures: Pictures,
    },
    AttachPicture {
        session: Option<SessionKey>,
        picture: Arc<egui::ColorImage>,
    },
    /// Look for MCP servers in the files of a folder and of the person.
    FindServers(PathBuf),
    /// Look for the ops server of the editor that has a folder open.
    FindOps(PathBuf),
    ReadRecord(PathBuf),
    OpenUrl(String),
    OpenPath(PathBuf),
    OpenFile {
        editor: Editor,
        path: PathBuf,
        line: Option<u32>,
    },
    OpenTerminal {
        program: String,
        args: Vec<String>,
        env: std::collections::BTreeMap<String, String>,
        folder: Option<PathBuf>,
        private_file: Option<PrivateFile>,
    },
}

/// What came of an errand.
pub(super) enum Done {
    Branch {
        folder: PathBuf,
        branch: Option<String>,
    },
    FolderChecked {
        folder: PathBuf,
        is_there: bool,
    },
    Attached {
        session: Option<SessionKey>,
        attached: Attached,
    },
    ServersFound(Vec<FoundConfig>),
    OpsFound {
        folder: PathBuf,
        server: Option<McpServer>,
        /// It answers right now.
        listens: bool,
    },
    Record(RecordFound),
    FolderPicked(PathBuf),
    FilesPicked(Vec<PathBuf>),
    /// A terminal is open whose program reads this file, which is removed when this is dropped.
    TerminalOpened(TempPath),
    Failed(Notice),
}

/// The errand boy: one thread that runs errands in order, and one more for each open dialog.
pub(super) struct Errands {
    orders: Sender<Errand>,
    done: Receiver<Done>,
    done_sender: Sender<Done>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

/// What the thread keeps.
struct Boy {
    done: Sender<Done>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl Errands {
    /// Starts the thread.
    pub(super) fn start(wake: Arc<dyn Fn() + Send + Sync>) -> std::io::Result<Self> {
        let (orders, wanted) = channel::<Errand>();
        let (done_sender, done) = channel();
        let boy = Boy {
            done: done_sender.clone(),
            wake: Arc::clone(&wake),
        };
        std::thread::Builder::new()
            .name("errands".to_owned())
            .spawn(move || {
                for errand in wanted {
                    boy.run(errand);
                }
            })?;
        Ok(Self {
            orders,
            done,
            done_sender,
            wake,
        })
    }

    /// Runs an errand soon. Never blocks.
    pub(super) fn run(&self, errand: Errand) {
        if self.orders.send(errand).is_err() {
            tracing::error!("the thread for errands is gone");
        }
    }

    /// For those who have something to say without an errand.
    pub(super) fn teller(&self) -> impl Fn(Notice) + Send + 'static {
        let (done, wake) = (self.done_sender.clone(), Arc::clone(&self.wake));
        move |notice| {
            if done.send(Done::Failed(notice)).is_ok() {
                wake();
            }
        }
    }

    /// What has come back since.
    pub(super) fn done(&self) -> impl Iterator<Item = Done> {
        self.done.try_iter()
    }

    /// Shows the system's dialog for a folder.
    pub(super) fn pick_folder(&self, title: &str, at: Option<&Path>) {
        let dialog = dialog(title, at).pick_folder();
        self.dialog(async move {
            let folder = dialog.await?;
            Some(Done::FolderPicked(folder.path().to_owned()))
        });
    }

    /// Shows the system's dialog for files.
    pub(super) fn pick_files(&self, title: &str, at: Option<&Path>) {
        let dialog = dialog(title, at).pick_files();
        self.dialog(async move {
            let files = dialog.await?;
            let paths = files.iter().map(|file| file.path().to_owned());
            Some(Done::FilesPicked(paths.collect()))
        });
    }

    /// Shows the system's dialog for a file to write, and writes the text to it.
    pub(super) fn save_text(&self, title: &str, name: String, text: String) {
        let dialog = dialog(title, None).set_file_name(name).save_file();
        self.dialog(async move {
            let file = dialog.await?;
            let path = file.path().to_owned();
            // On a thread of its own; nothing else waits for it.
            let written = std::fs::write(&path, text);
            written.err().map(|error| {
                tracing::warn!(%error, "a file is not written");
                Done::Failed(Notice::FileNotSaved(path))
            })
        });
    }

    fn dialog(&self, result: impl Future<Output = Option<Done>> + Send + 'static) {
        let (done, wake) = (self.done_sender.clone(), Arc::clone(&self.wake));
        let thread = std::thread::Builder::new()
            .name("dialog".to_owned())
            .spawn(move || {
                let opened_at = now();
                let picked = wait_for(result);
                let is_gone_at_once = now().duration_since(opened_at) < DIALOG_AT_LEAST;
                let result = match picked {
                    None if is_gone_at_once => Some(Done::Failed(Notice::NoDialog)),
                    other => other,
                };
                if let Some(result) = result
                    && done.send(result).is_ok()
                {
                    wake();
                }
            });
        if let Err(error) = thread {
            tracing::warn!(%error, "a dialog has no thread to wait in");
        }
    }
}

fn dialog(title: &str, at: Option<&Path>) -> rfd::AsyncFileDialog {
    let dialog = rfd::AsyncFileDialog::new().set_title(title);
    match at {
        Some(folder) => dialog.set_directory(folder),
        None => dialog,
    }
}

fn wait_for(result: impl Future<Output = Option<Done>>) -> Option<Done> {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    match runtime {
        Ok(runtime) => runtime.block_on(result),
        Err(error) => {
            tracing::warn!(%error, "a dialog can't be waited for");
            None
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "only to tell a dialog that was closed from one that never opened"
)]
fn now() -> Instant {
    Instant::now()
}

/// The newest part of the record of decisions.
fn record(file: &Path) -> RecordFound {
    match audit::newest(file, RECORD_BYTES_MOST) {
        Ok(newest) => RecordFound {
            decisions: newest.decisions,
            broken: newest.broken,
            is_cut: newest.is_cut,
            error: None,
        },
        Err(error) => RecordFound {
            error: Some(error.to_string()),
            ..RecordFound::default()
        },
    }
}

impl Boy {
    fn run(&self, errand: Errand) {
        match errand {
            Errand::ReadBranch(folder) => {
                let branch = branch(&folder);
                self.tell(Done::Branch { folder, branch });
            }
            Errand::CheckFolder(folder) => {
                let is_there = folder.is_dir();
                self.tell(Done::FolderChecked { folder, is_there });
            }
            Errand::AttachFiles {
                session,
                paths,
                pictures,
            } => {
                for path in paths {
                    let attached = attach::file(&path, pictures);
                    self.tell(Done::Attached { session, attached });
                }
            }
            Errand::AttachPicture { session, picture } => {
                let attached = attach::picture(&picture);
                self.tell(Done::Attached { session, attached });
            }
            Errand::FindServers(folder) => {
                let places = mcp_files::places_of_this_system();
                self.tell(Done::ServersFound(mcp_files::find(&folder, &places)));
            }
            Errand::FindOps(folder) => {
                let server = mcp_files::find_unity_ops(&folder).unwrap_or_else(|error| {
                    tracing::warn!(%error, "the ops server of an editor is not found");
                    None
                });
                let listens = server.as_ref().is_some_and(mcp_files::listens);
                self.tell(Done::OpsFound {
                    folder,
                    server,
                    listens,
                });
            }
            Errand::ReadRecord(file) => self.tell(Done::Record(record(&file))),
            Errand::OpenUrl(url) => {
                if let Err(error) = opener::open_browser(&url) {
                    tracing::warn!(%error, "an address is not opened");
                    self.tell(Done::Failed(Notice::LinkNotOpened(url)));
                }
            }
            Errand::OpenPath(path) => self.open_path(&path),
            Errand::OpenFile { editor, path, line } => self.open_file(editor, &path, line),
            Errand::OpenTerminal {
                program,
                mut args,
                env,
                folder,
                private_file,
            } => {
                let words = std::iter::once(&program).chain(&args);
                let line = words.map(String::as_str).collect::<Vec<_>>().join(" ");
                let file = private_file.map(|file| private_file::write(&file, &mut args));
                let opened = file.transpose().and_then(|file| {
                    terminal::open(&program, &args, &env, folder.as_deref()).map(|()| file)
                });
                match opened {
                    Ok(Some(file)) => self.tell(Done::TerminalOpened(file)),
                    Ok(None) => {}
                    Err(error) => {
                        tracing::warn!(%error, "no terminal is opened");
                        self.tell(Done::Failed(Notice::NoTerminal(line)));
                    }
                }
            }
        }
    }

    fn open_file(&self, choice: Editor, path: &Path, line: Option<u32>) {
        let Err(error) = editor::open(choice, path, line) else {
            return;
        };
        tracing::warn!(%error, "a file is not opened");
        let shown = path.display().to_string();
        let notice = match (error, choice.name()) {
            (OpenError::CanBeRun, _) => Notice::FileCanBeRun(shown),
            (OpenError::NoEditor, Some(name)) => Notice::NoEditor(name),
            _ => Notice::LinkNotOpened(shown),
        };
        self.tell(Done::Failed(notice));
    }

    fn open_path(&self, path: &Path) {
        if let Err(error) = opener::open(path) {
            tracing::warn!(%error, "a file is not opened");
            let path = path.display().to_string();
            self.tell(Done::Failed(Notice::LinkNotOpened(path)));
        }
    }

    fn tell(&self, done: Done) {
        // The window may be closing; then nobody wants to know.
        if self.done.send(done).is_ok() {
            (self.wake)();
        }
    }
}
