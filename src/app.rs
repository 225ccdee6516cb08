//! The program with a window: owns the hub, the window's state and the backend, and connects them.

mod actions;
mod attach;
mod branch;
mod code_font;
mod drafts;
mod errands;
mod log;
pub mod no_window;
mod protocol;
mod servers;
mod start;
mod worker;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use eframe::egui;
use tempfile::TempPath;

use self::code_font::CodeFont;
use self::drafts::KeptDrafts;
use self::errands::{Done, Errand, Errands};
use self::no_window::Surroundings;
use self::protocol::BlockFrames;
use self::worker::Worker;
use crate::core::backend::DetectedBackend;
use crate::core::command::Command;
use crate::core::effect::Effect;
use crate::core::event::Event;
use crate::core::hub::AgentHub;
use crate::core::ids::{BackendId, SessionKey};
use crate::core::settings::{Settings, ThemeChoice};
use crate::i18n::{I18n, Language};
use crate::io::audit;
use crate::io::backend::{Backend, BackendOptions};
use crate::io::clock;
use crate::io::saver::Saver;
use crate::io::stop_signals;
use crate::io::store::{DraftStore, Folders, SettingsStore, StoreError};
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::panels::names;
use crate::ui::state::{Notice, UiState};
use crate::ui::theme::{self, Theme};
use crate::ui::window::window_ui;

/// How much is taken in before a frame is drawn.
const EVENTS_MOST: usize = 2_000;
const DRAIN_AT_MOST: Duration = Duration::from_millis(4);
/// How long after an event the frame may wait for more of them.
const COALESCE: Duration = Duration::from_millis(16);
/// How long after the last key a draft is stored, in milliseconds.
const DRAFT_DELAY_MILLIS: u64 = 1_000;

/// How the window is opened.
#[derive(Debug, Default)]
pub struct Options {
    /// The folder to work in; else the last one.
    pub folder: Option<PathBuf>,
    /// The backend to begin with; else the last one.
    pub backend: Option<BackendId>,
    /// Where settings, drafts and logs lie; else the usual places.
    pub data: Option<PathBuf>,
    /// A file to record all frames to.
    pub record: Option<PathBuf>,
    /// What `RUST_LOG` says.
    pub log_filter: Option<String>,
    pub surroundings: Surroundings,
}

/// Opens the window and returns when it is closed.
pub fn run(options: Options) -> anyhow::Result<()> {
    let folders = match &options.data {
        Some(folder) => Folders::below(folder),
        None => Folders::of_this_user().context("there is no home for settings")?,
    };
    if let Err(error) = log::start(&folders.logs, options.log_filter.as_deref()) {
        tracing::warn!(%error, "there is no log");
    }
    log::keep_panics(folders.logs.clone());
    let surroundings = options.surroundings.clone();
    let native = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_app_id("agent-panel")
            .with_icon(icon())
            .with_inner_size([520.0, 860.0])
            .with_min_inner_size([320.0, 320.0])
            .with_drag_and_drop(true),
        ..Default::default()
    };
    let result = eframe::run_native(
        "Agent Panel",
        native,
        Box::new(|creation| Ok(Box::new(App::new(&creation.egui_ctx, options, folders)?))),
    );
    result.map_err(|error| match error {
        eframe::Error::AppCreation(error) => anyhow::anyhow!("{error}"),
        error => anyhow::anyhow!(no_window::message(&error.to_string(), &surroundings)),
    })
}

fn icon() -> egui::IconData {
    let png = include_bytes!("../assets/icon.png");
    eframe::icon_data::from_png_bytes(png).unwrap_or_default()
}

/// All that the window needs.
pub struct App {
    hub: AgentHub,
    state: UiState,
    settings: Settings,
    i18n: I18n,
    theme: Theme,
    /// `None` once the window is closing.
    backend: Option<Backend>,
    errands: Errands,
    /// Files for programs in terminals of the person, removed with the window.
    private_files: Vec<TempPath>,
    worker: Worker,
    code_font: CodeFont,
    saver: Option<Saver>,
    drafts: KeptDrafts,
    drafts_changed_at: Option<crate::core::time::Timestamp>,
    folders: Folders,
    home: Option<PathBuf>,
    asked_backend: Option<BackendId>,
    asked_folder: Option<PathBuf>,
    /// A backend that was chosen and is not detected yet.
    awaited_backend: Option<BackendId>,
    /// A folder whose editor's ops server a new session waits for.
    awaited_ops: Option<PathBuf>,
    has_started: bool,
    has_drawn: bool,
    /// For what the branch was read last.
    branch_of: Option<(SessionKey, bool)>,
    title: String,
    block_frames: BlockFrames,
    commands: Vec<Command>,
    actions: Vec<UiAction>,
}

impl App {
    /// Starts the threads and looks for agents.
    pub fn new(
        ctx: &egui::Context,
        options: Options,
        folders: Folders,
    ) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let (store, settings, warnings) = SettingsStore::open(folders.settings_file.clone());
        for warning in &warnings {
            tracing::warn!(
                key = warning.key,
                reason = warning.reason,
                "a setting is not used"
            );
        }
        let errands = Errands::start(waker(ctx))?;
        let worker = Worker::start(waker(ctx))?;
        close_on_signals(ctx);
        let wake = waker(ctx);
        let backend = Backend::start(BackendOptions {
            wake: Box::new(move || wake()),
            record: options.record,
            keeps_frames: true,
            stderr_log: Some(folders.logs.clone()),
            folders: Some(folders.clone()),
            rules: None,
        })?;
        let drafts = DraftStore::new(folders.drafts.clone());
        let kept = KeptDrafts::new(drafts.load_drafts());
        let tell = errands.teller();
        let on_error = move |error: &StoreError| tell(not_saved(error));
        let saver = Saver::start(store, drafts, Box::new(on_error))?;
        let theme = Theme::dark(settings.text_size);
        theme::install_fonts(ctx);
        let mut state = UiState::default();
        if !warnings.is_empty() {
            state.notice = Some(Notice::SettingsUnreadable(folders.settings_file.clone()));
        }
        backend.detect(settings.clone());
        if let Some(font) = &settings.code_font {
            errands.run(Errand::ReadFont(font.clone()));
        }
        let mut app = Self {
            hub: AgentHub::default(),
            state,
            i18n: I18n::new(language(&settings)),
            theme,
            backend: Some(backend),
            errands,
            private_files: Vec::new(),
            worker,
            code_font: CodeFont::default(),
            saver: Some(saver),
            drafts: kept,
            drafts_changed_at: None,
            folders,
            home: directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned()),
            asked_backend: options.backend,
            asked_folder: options.folder,
            awaited_backend: None,
            awaited_ops: None,
            has_started: false,
            has_drawn: false,
            branch_of: None,
            title: String::new(),
            block_frames: BlockFrames::default(),
            commands: Vec::new(),
            actions: Vec::new(),
            settings,
        };
        let trusted = app.settings.trusted_folders.clone();
        app.apply(Command::SetTrustedFolders(trusted));
        app.apply_theme(ctx);
        theme::apply(ctx, &app.theme);
        Ok(app)
    }

    /// Takes in what has happened, as much as fits in a frame.
    fn drain(&mut self, ctx: &egui::Context) {
        let until = deadline();
        for _ in 0..EVENTS_MOST {
            let event = self.backend.as_ref().and_then(Backend::try_event);
            let Some(event) = event else { return };
            self.take_in(event);
            if is_over(until) {
                break;
            }
        }
        ctx.request_repaint();
    }

    fn take_in(&mut self, event: Event) {
        let detected = matches!(event, Event::BackendsDetected(_));
        if let Event::RulesEdited {
            file,
            result: Err(reason),
        } = &event
        {
            self.state.notice = Some(Notice::RulesNotChanged(file.clone(), reason.clone()));
        }
        let frame = self.backend.as_ref().and_then(Backend::frame_of_last_event);
        let mark = self.mark(event.session());
        let effects = self.hub.handle(event, clock::now());
        self.note_block_frames(mark, frame);
        self.perform(effects);
        if !detected {
            return;
        }
        if !self.has_started {
            self.has_started = true;
            self.begin();
        }
        if let Some(backend) = self.awaited_backend.take() {
            self.choose_backend(backend);
        }
    }

    fn apply(&mut self, command: Command) {
        let mark = match &command {
            Command::Prompt { session, .. } => self.mark(Some(*session)),
            _ => None,
        };
        let effects = self.hub.apply(command, clock::now());
        self.note_block_frames(mark, None);
        self.perform(effects);
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::RememberTrust(folder) = &effect {
                let mut settings = self.settings.clone();
                settings.trusted_folders.push(folder.clone());
                self.change_settings(settings);
            }
            let Some(backend) = &self.backend else {
                continue;
            };
            backend.audit(audit::entries(&self.hub, &effect, clock::now()));
            backend.perform(effect);
        }
    }

    /// Does what the person wished for in the frame that was just drawn.
    fn after_frame(&mut self, ctx: &egui::Context) {
        let (commands, actions) = (
            std::mem::take(&mut self.commands),
            std::mem::take(&mut self.actions),
        );
        if !commands.is_empty() || !actions.is_empty() {
            ctx.request_repaint();
        }
        for command in commands {
            self.apply(command);
        }
        for action in actions {
            self.act(ctx, action);
        }
        self.note_drafts(ctx);
    }

    /// Stores drafts a moment after the last change.
    fn note_drafts(&mut self, ctx: &egui::Context) {
        let now = clock::now();
        if std::mem::take(&mut self.state.drafts_changed) {
            self.drafts_changed_at = Some(now);
        }
        let Some(changed_at) = self.drafts_changed_at else {
            return;
        };
        let waited = now.millis_since(changed_at);
        if waited >= DRAFT_DELAY_MILLIS {
            self.save_drafts();
        } else {
            ctx.request_repaint_after(Duration::from_millis(DRAFT_DELAY_MILLIS - waited));
        }
    }

    fn save_drafts(&mut self) {
        self.drafts_changed_at = None;
        if let Some(saver) = &self.saver {
            self.drafts.save(&self.hub, &self.state, saver);
        }
    }

    /// Makes the theme that the settings and the system ask for; whether it is another one than before.
    fn apply_theme(&mut self, ctx: &egui::Context) -> bool {
        let dark = match self.settings.theme {
            ThemeChoice::Dark => true,
            ThemeChoice::Light => false,
            ThemeChoice::System => ctx.system_theme() != Some(egui::Theme::Light),
        };
        let fonts = self.code_font.install(ctx);
        let size = self.settings.text_size;
        let wanted = Theme {
            fonts,
            ..if dark {
                Theme::dark(size)
            } else {
                Theme::light(size)
            }
        };
        if self.theme == wanted {
            return false;
        }
        self.theme = wanted;
        theme::apply(ctx, &self.theme);
        true
    }

    fn update_title(&mut self, ctx: &egui::Context) {
        let session = self.state.shown.and_then(|key| self.hub.session(key));
        let title = session.and_then(names::session_title);
        let title = match title {
            Some(title) => format!("Agent Panel \u{2014} {title}"),
            None => "Agent Panel".to_owned(),
        };
        if title != self.title {
            self.title.clone_from(&title);
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title));
        }
    }

    /// Reads the branch again when another session is shown and when a turn begins or ends.
    fn update_branch(&mut self) {
        let session = self.state.shown.and_then(|key| self.hub.session(key));
        let state = session.map(|session| (session.key(), session.is_busy()));
        if self.branch_of == state {
            return;
        }
        self.branch_of = state;
        if let Some(session) = session {
            let folder = session.setup().cwd.clone();
            self.errands.run(Errand::ReadBranch(folder));
        }
    }

    fn take_done(&mut self) {
        let done: Vec<Done> = self.errands.done().collect();
        for done in done {
            self.errand_done(done);
        }
    }

    fn backend_of(&self, id: &BackendId) -> Option<&DetectedBackend> {
        let mut backends = self.hub.backends().iter();
        backends.find(|backend| backend.spec.id == *id)
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.drain(ctx);
        self.take_done();
        self.follow_wire();
        self.update_branch();
        self.update_title(ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        if self.apply_theme(&ctx) {
            ctx.request_discard("another theme");
        }
        let mut cx = UiCx {
            hub: &self.hub,
            settings: &self.settings,
            i18n: &self.i18n,
            theme: &self.theme,
            now: clock::now(),
            commands: &mut self.commands,
            actions: &mut self.actions,
        };
        window_ui(ui, &mut cx, &mut self.state);
        self.after_frame(&ctx);
        if !std::mem::replace(&mut self.has_drawn, true) {
            tracing::info!("the first frame is drawn");
        }
    }

    fn clear_color(&self, _visuals: &egui::Visuals) -> [f32; 4] {
        self.theme.page.to_normalized_gamma_f32()
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.save_drafts();
        self.apply(Command::ShutDown);
        // Writes what waits, then ends the agents with all they started, within five seconds.
        self.saver = None;
        self.backend = None;
    }
}

fn waker(ctx: &egui::Context) -> Arc<dyn Fn() + Send + Sync> {
    let ctx = ctx.clone();
    Arc::new(move || ctx.request_repaint_after(COALESCE))
}

/// A signal closes the window as its close button does; a second one ends the program where it stands.
fn close_on_signals(ctx: &egui::Context) {
    let ctx = ctx.clone();
    let was_told = AtomicBool::new(false);
    let listening = stop_signals::listen(move |signal| {
        tracing::info!(?signal, "told to stop");
        if was_told.swap(true, Ordering::Relaxed) {
            end_here();
        }
        ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        ctx.request_repaint();
    });
    if let Err(error) = listening {
        tracing::warn!(%error, "signals can't be listened to");
    }
}

#[expect(
    clippy::exit,
    reason = "whoever asks twice does not want to wait for anything"
)]
fn end_here() -> ! {
    std::process::exit(1)
}

fn language(settings: &Settings) -> Language {
    let chosen = settings.language.as_deref().and_then(Language::from_tag);
    chosen.unwrap_or_else(|| Language::for_system(sys_locale::get_locale().as_deref()))
}

fn not_saved(error: &StoreError) -> Notice {
    match error {
        StoreError::Read { path, .. }
        | StoreError::Write { path, .. }
        | StoreError::PutAside { path, .. } => Notice::SettingsNotSaved(path.clone()),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "measures a frame; nothing that is decided depends on it"
)]
fn deadline() -> Instant {
    Instant::now() + DRAIN_AT_MOST
}

#[expect(
    clippy::disallowed_methods,
    reason = "measures a frame; nothing that is decided depends on it"
)]
fn is_over(deadline: Instant) -> bool {
    Instant::now() >= deadline
}
