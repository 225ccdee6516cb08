//! What the person did that is no business of the hub: sessions to show, settings, files, other programs.

use std::path::{Path, PathBuf};

use eframe::egui;

use super::attach::{Attached, Pictures};
use super::errands::{Done, Errand};
use super::{App, language, servers, start};
use crate::core::command::Command;
use crate::core::ids::{BackendId, SessionKey};
use crate::core::settings::Settings;
use crate::i18n::I18n;
use crate::ui::cx::UiAction;
use crate::ui::state::Notice;
use crate::ui::web_address;

impl App {
    pub(super) fn act(&mut self, ctx: &egui::Context, action: UiAction) {
        match action {
            UiAction::ShowSession(session) => self.show(Some(session)),
            UiAction::NewSession => self.new_session(),
            UiAction::CloseSession(session) => self.close_session(session),
            UiAction::ChooseBackend(backend) => self.choose_backend(backend),
            UiAction::ChooseFolder(folder) => {
                let folder = start::typed_folder(&folder, self.home.as_deref());
                self.errands.run(Errand::CheckFolder(folder));
            }
            UiAction::PickFolder => {
                let title = self.i18n.tr("app.folder.choose");
                self.errands.pick_folder(title, self.folder().as_deref());
            }
            UiAction::PickFiles => {
                let title = self.i18n.tr("composer.attach");
                self.errands.pick_files(title, self.folder().as_deref());
            }
            UiAction::AttachFiles(paths) => self.attach_files(paths),
            UiAction::AttachPicture(picture) => {
                let session = self.state.shown;
                self.errands.run(Errand::AttachPicture { session, picture });
            }
            UiAction::ChangeSettings(settings) => self.change_settings(*settings),
            UiAction::OpenUrl(url) => self.open_url(url),
            UiAction::OpenFile { path, line } => {
                let editor = self.settings.editor;
                self.errands.run(Errand::OpenFile { editor, path, line });
            }
            UiAction::OpenTerminal {
                program,
                args,
                env,
                servers_of,
            } => {
                let plan = servers_of.and_then(|session| self.sign_in_plan(session));
                let (args, private_file) =
                    plan.map_or((args, None), |plan| (plan.args, plan.private_file));
                self.errands.run(Errand::OpenTerminal {
                    program,
                    args,
                    env,
                    folder: self.folder(),
                    private_file,
                });
            }
            UiAction::FindMcpServers => {
                let folder = self.folder().unwrap_or_default();
                self.errands.run(Errand::FindServers(folder));
            }
            UiAction::DetectBackends => self.detect(),
            UiAction::ReadRecord => {
                let file = self.folders.audit_file.clone();
                self.errands.run(Errand::ReadRecord(file));
            }
            UiAction::ShowLogs => {
                let logs = self.folders.logs.clone();
                self.errands.run(Errand::OpenPath(logs));
            }
            UiAction::CopyText(text) => ctx.copy_text(text),
            UiAction::SaveText { name, text } => {
                let title = self.i18n.tr("app.save.title");
                self.errands.save_text(title, name, text);
            }
            UiAction::Work(work) => self.worker.take(work),
            UiAction::ShowFrames(scope) => self.show_frames(scope),
        }
    }

    pub(super) fn errand_done(&mut self, done: Done) {
        match done {
            Done::Branch { folder, branch } => match branch {
                Some(branch) => {
                    self.state.branches.insert(folder, branch);
                }
                None => {
                    self.state.branches.remove(&folder);
                }
            },
            Done::FolderChecked { folder, is_there } => {
                if is_there {
                    self.choose_folder(folder);
                } else {
                    self.state.folder.missing = Some(folder.clone());
                    self.state.notice = Some(Notice::FolderMissing(folder));
                }
            }
            Done::ServersFound(found) => {
                let files = servers::found_files(&self.i18n, found);
                self.state.servers.found = Some(files);
            }
            Done::OpsFound {
                folder,
                server,
                listens,
            } => self.ops_found(folder, server, listens),
            Done::Record(found) => {
                self.state.settings.record.found = Some(found);
                self.state.settings.record.shown = None;
            }
            Done::FolderPicked(folder) => self.choose_folder(folder),
            Done::FilesPicked(paths) => self.attach_files(paths),
            Done::Attached { session, attached } => self.attached(session, attached),
            Done::TerminalOpened(file) => self.private_files.push(file),
            Done::Failed(notice) => self.state.notice = Some(notice),
        }
    }

    /// Opens the first session, once it is known which agents are there.
    pub(super) fn begin(&mut self) {
        let backends = self.hub.backends();
        let asked = self.asked_backend.as_ref();
        let last = self.settings.backend.as_ref();
        let Some(backend) = start::backend(backends, asked, last) else {
            return;
        };
        self.settings.backend = Some(backend);
        if let Some(folder) = self.asked_folder.take() {
            let folder = std::path::absolute(&folder).unwrap_or(folder);
            self.errands.run(Errand::CheckFolder(folder));
        } else {
            self.new_session();
        }
    }

    pub(super) fn choose_backend(&mut self, backend: BackendId) {
        if self.backend_of(&backend).is_none() {
            self.awaited_backend = Some(backend);
            return;
        }
        let mut settings = self.settings.clone();
        settings.backend = Some(backend);
        self.change_settings(settings);
        self.new_session();
    }

    fn choose_folder(&mut self, folder: PathBuf) {
        let mut settings = self.settings.clone();
        settings.remember_folder(folder);
        self.change_settings(settings);
        self.state.folder.missing = None;
        self.state.folder.typed.clear();
        self.new_session();
    }

    /// Opens a session, after a look at what the editor of the folder offers where that is to be passed on.
    fn new_session(&mut self) {
        match self.next_folder() {
            Some(folder) if self.look_for_ops(&folder) => self.awaited_ops = Some(folder),
            Some(_) | None => self.open_session(),
        }
    }

    /// The folder that a new session works in; `None` where the person has to be asked.
    fn next_folder(&self) -> Option<PathBuf> {
        let id = self.settings.backend.as_ref()?;
        let last = self.settings.recent_folders.first().map(PathBuf::as_path);
        start::folder(id, last, self.home.as_deref())
    }

    /// Opens a session of the chosen backend in the last folder; without one, the person is asked for it.
    pub(super) fn open_session(&mut self) {
        let Some(id) = self.settings.backend.clone() else {
            return;
        };
        let folder = self.next_folder();
        let spec = self.backend_of(&id).map(|backend| backend.spec.clone());
        let before = self.state.shown;
        let (Some(folder), Some(spec)) = (folder, spec) else {
            self.show(None);
            return;
        };
        let (session, command) = start::open(&self.hub, &spec, folder.clone(), &self.settings);
        self.apply(command);
        self.move_draft(before, session, &id, &folder);
        self.show(Some(session));
        let is_untouched = before
            .and_then(|key| self.hub.session(key))
            .is_some_and(start::is_untouched);
        if let Some(before) = before.filter(|_| is_untouched) {
            self.apply(Command::CloseSession { session: before });
            self.state.drafts.remove(&Some(before));
        }
    }

    /// What was being written in a session where nothing happened goes on in the new one; else the draft that was
    /// left for this agent in this folder.
    fn move_draft(
        &mut self,
        before: Option<SessionKey>,
        session: SessionKey,
        backend: &BackendId,
        folder: &Path,
    ) {
        let is_untouched = before
            .and_then(|key| self.hub.session(key))
            .is_none_or(start::is_untouched);
        let moved = if is_untouched {
            self.state.drafts.remove(&before).unwrap_or_default()
        } else {
            crate::ui::state::Draft::default()
        };
        let others_are_open = self
            .hub
            .sessions()
            .any(|other| other.key() != session && other.spec().id == *backend);
        let draft = self.state.drafts.entry(Some(session)).or_default();
        *draft = moved;
        if draft.is_empty()
            && !others_are_open
            && let Some(kept) = self.drafts.draft(backend, folder)
        {
            kept.clone_into(&mut draft.text);
        }
    }

    fn close_session(&mut self, session: SessionKey) {
        self.apply(Command::CloseSession { session });
        self.state.drafts.remove(&Some(session));
        if self.state.shown != Some(session) {
            return;
        }
        let last = self
            .hub
            .sessions()
            .last()
            .map(super::super::core::session::Session::key);
        if last.is_some() {
            self.show(last);
        } else {
            self.state.shown = None;
            self.new_session();
        }
    }

    fn show(&mut self, session: Option<SessionKey>) {
        self.state.shown = session;
        self.state.focus_composer = true;
    }

    pub(super) fn change_settings(&mut self, settings: Settings) {
        let backends_changed = settings.custom_backends != self.settings.custom_backends
            || settings.launch_overrides != self.settings.launch_overrides;
        let language_changed = settings.language != self.settings.language;
        if settings == self.settings {
            return;
        }
        self.settings = settings;
        if language_changed {
            self.i18n = I18n::new(language(&self.settings));
        }
        if backends_changed {
            self.detect();
        }
        if let Some(saver) = &self.saver {
            saver.save_settings(self.settings.clone());
        }
    }

    fn detect(&self) {
        if let Some(backend) = &self.backend {
            backend.detect(self.settings.clone());
        }
    }

    fn attach_files(&self, paths: Vec<PathBuf>) {
        let session = self.state.shown;
        let connection = session.and_then(|key| self.hub.connection_of(key));
        let takes_pictures =
            connection.is_some_and(|connection| connection.capabilities.prompt_image);
        let pictures = if takes_pictures {
            Pictures::Taken
        } else {
            Pictures::NotTaken
        };
        self.errands.run(Errand::AttachFiles {
            session,
            paths,
            pictures,
        });
    }

    fn attached(&mut self, session: Option<SessionKey>, attached: Attached) {
        match attached {
            Attached::Picture(picture) => {
                self.state
                    .drafts
                    .entry(session)
                    .or_default()
                    .images
                    .push(picture);
                self.state.focus_composer = true;
            }
            Attached::File(file) => {
                self.state
                    .drafts
                    .entry(session)
                    .or_default()
                    .attachments
                    .push(file);
                self.state.focus_composer = true;
            }
            Attached::Folder(folder) => self.choose_folder(folder),
            Attached::Refused(notice) => self.state.notice = Some(notice),
        }
    }

    /// Only addresses of the web are opened: what an agent writes must not start programs.
    fn open_url(&mut self, url: String) {
        if web_address::may_be_opened(&url) {
            self.errands.run(Errand::OpenUrl(url));
        } else {
            self.state.notice = Some(Notice::LinkNotOpened(url));
        }
    }

    /// The folder that dialogs and terminals open in.
    fn folder(&self) -> Option<PathBuf> {
        let session = self.state.shown.and_then(|key| self.hub.session(key));
        session
            .map(|session| session.setup().cwd.clone())
            .or_else(|| self.settings.recent_folders.first().cloned())
    }
}
