//! The whole window without a screen: 900 × 900 points, over a hub that is fed like the real one.

use std::path::PathBuf;
use std::time::Duration;

use agent_panel::core::backend::{AgentCapabilities, AgentInfo};
use agent_panel::core::command::{Command, Prompt, SessionSetup};
use agent_panel::core::event::{
    ConnectionEvent, Event, OpenedSession, SessionEvent, StopReason, TurnResult,
};
use agent_panel::core::hub::AgentHub;
use agent_panel::core::ids::{AgentSessionId, SessionKey, ToolCallId, TurnId};
use agent_panel::core::settings::Settings;
use agent_panel::core::time::Timestamp;
use agent_panel::core::tool_call::{ToolCallContent, ToolCallPatch, ToolCallStatus, ToolKind};
use agent_panel::core::transcript::MessageKind;
use agent_panel::i18n::{I18n, Language};
use agent_panel::ui::cx::{UiAction, UiCx};
use agent_panel::ui::state::UiState;
use agent_panel::ui::theme::{self, Theme};
use agent_panel::ui::transcript::folds::FoldPart;
use agent_panel::ui::transcript::rows::block_of;
use agent_panel::ui::transcript::state::TranscriptState;
use agent_panel::ui::window::window_ui;
use egui::{Context, Pos2, RawInput, Rect, Vec2};

use crate::clock::cost_of;
use crate::spec::spec;

const SESSION: SessionKey = SessionKey(1);
/// How wide and high the window is, in points.
pub(crate) const SIZE: Vec2 = Vec2::splat(900.0);
const FRAME_SECONDS: f64 = 1.0 / 60.0;
/// A user's message stands before so many blocks.
const BLOCKS_OF_A_TURN: usize = 40;
/// About 600 characters, every third with six lines of code. A tool call follows each.
const PARAGRAPH: &str = "The harbor keeps **two** lists: one of what is *moored* and one of what is expected. \
    A ship is moved from the second to the first by `Harbor::moor`, which checks its draught against the berth and \
    returns an error where it does not fit. ";
const FENCE: &str = "\n```rust\npub fn moor(&mut self, ship: Ship) -> Result<Berth, Refusal> {\n    \
    let berth = self.free.pop().ok_or(Refusal::Full)?;\n    \
    self.moored.insert(berth, ship);\n    \
    Ok(berth)\n}\n// moored\n```\n";

/// A window and all behind it.
pub(crate) struct Stage {
    ctx: Context,
    hub: AgentHub,
    state: UiState,
    settings: Settings,
    i18n: I18n,
    theme: Theme,
    frames: u64,
    turns: u64,
    calls: u64,
    pub(crate) size: Vec2,
}

impl Stage {
    /// An open session with nothing in it.
    pub(crate) fn new() -> Self {
        let ctx = Context::default();
        let theme = Theme::dark(14);
        theme::install_fonts(&ctx);
        theme::apply(&ctx, &theme);
        let mut stage = Self {
            ctx,
            hub: AgentHub::default(),
            state: UiState {
                shown: Some(SESSION),
                ..UiState::default()
            },
            settings: Settings::default(),
            i18n: I18n::new(Language::English),
            theme,
            frames: 0,
            turns: 0,
            calls: 0,
            size: SIZE,
        };
        stage.apply(Command::OpenSession {
            session: SESSION,
            spec: Box::new(spec()),
            setup: Box::new(SessionSetup::in_folder(PathBuf::from("/p"))),
        });
        let connection = stage.hub.session(SESSION).expect("it is open").connection();
        stage.handle(Event::Connection {
            connection,
            event: ConnectionEvent::Initialized {
                agent: AgentInfo::default(),
                capabilities: AgentCapabilities::default(),
                auth_methods: Vec::new(),
            },
        });
        stage.event(SessionEvent::Opened(OpenedSession {
            id: Some(AgentSessionId::from("s1")),
            ..OpenedSession::default()
        }));
        stage
    }

    /// One with so many blocks; the last turn has ended.
    pub(crate) fn with_blocks(count: usize) -> Self {
        let mut stage = Self::new();
        stage.fill(count);
        stage
    }

    /// Adds turns until there are so many blocks.
    pub(crate) fn fill(&mut self, count: usize) {
        while self.blocks() < count {
            self.begin_turn("Please look at the harbor again, and tell me what is moored there.");
            let until = count.min(self.blocks() + BLOCKS_OF_A_TURN);
            while self.blocks() < until {
                self.text(&message(self.blocks()));
                if self.blocks() < until {
                    self.call();
                }
            }
            self.end_turn();
        }
    }

    pub(crate) fn begin_turn(&mut self, text: &str) {
        self.turns += 1;
        self.apply(Command::Prompt {
            session: SESSION,
            prompt: Prompt::text(text),
        });
    }

    pub(crate) fn end_turn(&mut self) {
        self.event(SessionEvent::TurnEnded {
            turn: TurnId(self.turns),
            result: TurnResult::Stopped(StopReason::EndTurn),
        });
    }

    /// A piece of the agent's message.
    pub(crate) fn text(&mut self, text: &str) {
        self.event(SessionEvent::Text {
            kind: MessageKind::Agent,
            text: text.to_owned(),
            message_id: None,
        });
    }

    /// A finished call.
    fn call(&mut self) {
        self.calls += 1;
        let patch = ToolCallPatch {
            title: Some("Read src/harbor.rs".to_owned()),
            kind: Some(ToolKind::Read),
            status: Some(ToolCallStatus::Completed),
            content: Some(vec![ToolCallContent::Text("pub mod berth;".to_owned())]),
            ..ToolCallPatch::default()
        };
        self.announce(&format!("call-{}", self.calls), patch);
    }

    pub(crate) fn announce(&mut self, id: &str, patch: ToolCallPatch) {
        self.event(SessionEvent::ToolCallAnnounced {
            id: ToolCallId::from(id),
            patch: Box::new(patch),
        });
    }

    pub(crate) fn patch(&mut self, id: &str, patch: ToolCallPatch) {
        self.event(SessionEvent::ToolCallPatched {
            id: ToolCallId::from(id),
            patch: Box::new(patch),
        });
    }

    pub(crate) fn blocks(&self) -> usize {
        let session = self.hub.session(SESSION);
        session.map_or(0, |session| session.transcript().blocks().len())
    }

    /// Opens the last block.
    pub(crate) fn open_last(&mut self) {
        let block = block_of(self.blocks().saturating_sub(1));
        self.view().folds.set(block, FoldPart::Body, true);
    }

    /// What the window remembers of the transcript.
    pub(crate) fn view(&mut self) -> &mut TranscriptState {
        self.state.transcripts.entry(SESSION).or_default()
    }

    pub(crate) fn event(&mut self, event: SessionEvent) {
        self.handle(Event::Session {
            session: SESSION,
            event,
        });
    }

    fn handle(&mut self, event: Event) {
        drop(self.hub.handle(event, Timestamp(1)));
    }

    fn apply(&mut self, command: Command) {
        drop(self.hub.apply(command, Timestamp(1)));
    }

    /// What a frame costs, from the input to the triangles.
    pub(crate) fn frame(&mut self) -> Duration {
        self.frames += 1;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, self.size)),
            time: Some(self.frames as f64 * FRAME_SECONDS),
            focused: true,
            ..RawInput::default()
        };
        let (mut commands, mut actions) = (Vec::new(), Vec::new());
        let cost = cost_of(|| {
            let mut cx = UiCx {
                hub: &self.hub,
                settings: &self.settings,
                i18n: &self.i18n,
                theme: &self.theme,
                now: Timestamp(1),
                commands: &mut commands,
                actions: &mut actions,
            };
            let state = &mut self.state;
            let output = self.ctx.run_ui(input, |ui| window_ui(ui, &mut cx, state));
            std::hint::black_box(self.ctx.tessellate(output.shapes, output.pixels_per_point));
        });
        // The program does this on threads of their own.
        for action in actions {
            if let UiAction::Work(work) = action {
                work.run();
            }
        }
        cost
    }

    /// Draws until nothing changes any more.
    pub(crate) fn settle(&mut self) {
        for _ in 0..20 {
            self.frame();
        }
    }
}

/// The message at a place of the transcript.
pub(crate) fn message(place: usize) -> String {
    let mut text = format!("Look {place}: {}", PARAGRAPH.repeat(2));
    if place.is_multiple_of(3) {
        text.push_str(FENCE);
    }
    text
}
