//! A window with a hub behind it, brought into a state by commands and events as the program would.

use std::path::PathBuf;

use agent_panel::core::backend::{
    AgentCapabilities, AgentInfo, AuthMethod, BackendSpec, DetectedBackend, Detection,
};
use agent_panel::core::command::{Command, Prompt, SessionSetup, SessionStart};
use agent_panel::core::effect::Effect;
use agent_panel::core::event::{
    ConnectionEvent, Event, OpenedSession, SessionEvent, StopReason, TurnResult,
};
use agent_panel::core::hub::AgentHub;
use agent_panel::core::ids::{
    AgentSessionId, BackendId, ConnectionId, RequestId, SessionKey, ToolCallId, TurnId,
};
use agent_panel::core::permission::{PermissionOption, PermissionOptionKind};
use agent_panel::core::presets;
use agent_panel::core::settings::Settings;
use agent_panel::core::time::Timestamp;
use agent_panel::core::tool_call::{ToolCallPatch, ToolKind};
use agent_panel::i18n::{I18n, Language};
use agent_panel::ui::cx::{UiAction, UiCx};
use agent_panel::ui::state::UiState;
use agent_panel::ui::theme::{self, Theme};
use agent_panel::ui::window::window_ui;
use egui_kittest::{Harness, HarnessBuilder};

/// Everything behind the window.
pub(crate) struct World {
    pub(crate) hub: AgentHub,
    pub(crate) settings: Settings,
    pub i18n: I18n,
    pub(crate) theme: Theme,
    pub(crate) state: UiState,
    pub(crate) now: Timestamp,
    pub(crate) commands: Vec<Command>,
    pub(crate) actions: Vec<UiAction>,
    /// Whether the threads beside the window do anything.
    pub(crate) works: bool,
    pub(crate) effects: Vec<Effect>,
}

pub(crate) const FOLDER: &str = "/home/me/projects/harbor";

impl Default for World {
    fn default() -> Self {
        let mut world = Self {
            hub: AgentHub::default(),
            settings: Settings::default(),
            i18n: I18n::new(Language::English),
            theme: Theme::dark(14),
            state: UiState::default(),
            now: Timestamp(100_000),
            commands: Vec::new(),
            actions: Vec::new(),
            works: true,
            effects: Vec::new(),
        };
        world.settings.recent_folders = vec![
            PathBuf::from(FOLDER),
            PathBuf::from("/home/me/projects/compass"),
        ];
        world.state.window.focused_since = Some(Timestamp(0));
        let found = ["claude-code", "codex", "demo"];
        world.detect(&found);
        world
    }
}

impl World {
    /// Marks these backends as found and the others as missing.
    pub(crate) fn detect(&mut self, found: &[&str]) {
        let specs = presets::backends(&self.settings, "/opt/agent-panel");
        let detected = specs.into_iter().map(|spec| {
            let detection = if found.contains(&spec.id.as_str()) {
                Detection::Found {
                    path: PathBuf::from("/usr/bin").join(&spec.command),
                }
            } else {
                Detection::Missing {
                    searched: vec![PathBuf::from("/usr/bin"), PathBuf::from("/usr/local/bin")],
                }
            };
            DetectedBackend { spec, detection }
        });
        let event = Event::BackendsDetected(detected.collect());
        self.handle(event);
    }

    pub(crate) fn handle(&mut self, event: Event) {
        let effects = self.hub.handle(event, self.now);
        self.effects.extend(effects);
    }

    pub(crate) fn apply(&mut self, command: Command) {
        let effects = self.hub.apply(command, self.now);
        self.effects.extend(effects);
    }

    /// Applies what the window asked the hub for, as the program does after a frame.
    pub(crate) fn apply_commands(&mut self) -> Vec<Command> {
        let commands = std::mem::take(&mut self.commands);
        for command in commands.clone() {
            self.apply(command);
        }
        commands
    }

    pub(crate) fn session_event(&mut self, session: SessionKey, event: SessionEvent) {
        self.handle(Event::Session { session, event });
    }

    pub(crate) fn spec(&self, backend: &str) -> BackendSpec {
        let id = BackendId::from(backend);
        let mut backends = self.hub.backends().iter();
        let backend = backends.find(|backend| backend.spec.id == id);
        let mut spec = backend.expect("a preset").spec.clone();
        // Trust has tests of its own.
        spec.harmless = true;
        spec
    }

    /// Starts an agent for a new session and shows it.
    pub(crate) fn start(&mut self, backend: &str) -> SessionKey {
        let session = self.hub.free_session_key();
        let setup = SessionSetup {
            cwd: PathBuf::from(FOLDER),
            start: SessionStart::New,
            mcp_servers: Vec::new(),
            mode: None,
            model: None,
            level: agent_panel::core::policy::level::Level::Ask,
            ground: agent_panel::core::consent::GroundSource::default(),
        };
        self.apply(Command::OpenSession {
            session,
            spec: Box::new(self.spec(backend)),
            setup: Box::new(setup),
        });
        self.settings.backend = Some(BackendId::from(backend));
        self.state.shown = Some(session);
        session
    }

    pub(crate) fn connection(&self, session: SessionKey) -> ConnectionId {
        self.hub.session(session).expect("the session").connection()
    }

    pub(crate) fn initialize(&mut self, session: SessionKey, auth_methods: Vec<AuthMethod>) {
        let connection = self.connection(session);
        let event = ConnectionEvent::Initialized {
            agent: AgentInfo::default(),
            capabilities: AgentCapabilities {
                prompt_image: true,
                load_session: true,
                ..AgentCapabilities::default()
            },
            auth_methods,
        };
        self.handle(Event::Connection { connection, event });
    }

    /// A session that is open and has nothing to do.
    pub(crate) fn open(&mut self, backend: &str) -> SessionKey {
        self.open_with(backend, OpenedSession::default())
    }

    pub(crate) fn open_with(&mut self, backend: &str, opened: OpenedSession) -> SessionKey {
        let session = self.start(backend);
        self.initialize(session, Vec::new());
        let id = Some(AgentSessionId::from(format!("s{session}")));
        self.session_event(
            session,
            SessionEvent::Opened(OpenedSession { id, ..opened }),
        );
        session
    }

    pub(crate) fn prompt(&mut self, session: SessionKey, text: &str) {
        self.apply(Command::Prompt {
            session,
            prompt: Prompt::text(text),
        });
    }

    pub(crate) fn end_turn(&mut self, session: SessionKey, turn: u64) {
        let event = SessionEvent::TurnEnded {
            turn: TurnId(turn),
            result: TurnResult::Stopped(StopReason::EndTurn),
        };
        self.session_event(session, event);
    }

    /// Lets the agent ask for permission, with two options.
    pub(crate) fn ask(&mut self, session: SessionKey, request: i64, title: &str) {
        self.ask_for(
            session,
            request,
            ToolCallPatch {
                title: Some(title.to_owned()),
                kind: Some(ToolKind::Edit),
                ..ToolCallPatch::default()
            },
            &[
                ("A", "Allow", PermissionOptionKind::AllowOnce),
                ("B", "Reject", PermissionOptionKind::RejectOnce),
            ],
        );
    }

    pub(crate) fn ask_for(
        &mut self,
        session: SessionKey,
        request: i64,
        patch: ToolCallPatch,
        options: &[(&str, &str, PermissionOptionKind)],
    ) {
        let options = options.iter().map(|(id, name, kind)| PermissionOption {
            id: (*id).into(),
            name: (*name).to_owned(),
            kind: kind.clone(),
            scope: None,
        });
        let event = SessionEvent::PermissionRequested {
            request: RequestId::Number(request),
            tool_call: ToolCallId::from("w1"),
            patch: Box::new(patch),
            options: options.collect(),
        };
        self.session_event(session, event);
    }

    /// Draws one frame.
    pub(crate) fn ui(&mut self, ui: &mut egui::Ui) {
        let mut cx = UiCx {
            hub: &self.hub,
            settings: &self.settings,
            i18n: &self.i18n,
            theme: &self.theme,
            now: self.now,
            commands: &mut self.commands,
            actions: &mut self.actions,
        };
        // The harness leaves a margin around; the program does not.
        let window = ui.ctx().content_rect();
        let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(window));
        ui.set_clip_rect(window);
        window_ui(&mut ui, &mut cx, &mut self.state);
        self.work(ui.ctx());
    }

    /// What the program does on threads of its own, at once.
    fn work(&mut self, ctx: &egui::Context) {
        let works = self.works;
        self.actions.retain(|action| {
            match action {
                UiAction::Work(_) if !works => return false,
                UiAction::Work(work) => work.run(),
                _ => return true,
            }
            ctx.request_repaint();
            false
        });
    }
}

/// A window of this size around a world.
pub(crate) fn window(world: World, size: [f32; 2]) -> Harness<'static, World> {
    built(Harness::builder(), world, size)
}

pub(crate) fn built(
    builder: HarnessBuilder<World>,
    world: World,
    size: [f32; 2],
) -> Harness<'static, World> {
    let theme = world.theme.clone();
    let egui_theme = if theme.dark {
        egui::Theme::Dark
    } else {
        egui::Theme::Light
    };
    let mut harness = builder
        .with_size(size)
        .with_theme(egui_theme)
        .with_context_setup(move |ctx| {
            theme::install_fonts(ctx);
            theme::apply(ctx, &theme);
        })
        .build_ui_state(|ui, world: &mut World| world.ui(ui), world);
    harness.run_ok();
    harness
}

/// Draws what has changed, lets time pass, and draws again.
pub(crate) fn pass(harness: &mut Harness<'_, World>, millis: u64) {
    harness.step();
    let world = harness.state_mut();
    world.now = world.now.plus_millis(millis);
    harness.run_steps(2);
}

/// Everything in one frame, as a fast hand or an input method sends it.
pub(crate) fn in_one_frame(harness: &mut Harness<'_, World>, events: Vec<egui::Event>) {
    harness.input_mut().events.extend(events);
    harness.step();
}
