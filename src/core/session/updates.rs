//! What an agent says about a session, taken into its state.

use super::{History, Phase, Session, Turn};
use crate::core::command::SessionStart;
use crate::core::controls::{ConfigOption, ConfigSetting, ConfigValue, SelectorRoute};
use crate::core::effect::{AgentMessage, Effect};
use crate::core::event::{PendingChoice, SessionEvent};
use crate::core::ids::{ConfigId, ModeId, ModelId};
use crate::core::notice::{Choice, Note, RpcError};
use crate::core::time::Timestamp;
use crate::core::transcript::{BlockContent, MessageKind};

impl Session {
    /// Takes in one event. Opening and its refusal are the hub's, as they touch the connection.
    pub(in crate::core) fn handle(&mut self, event: SessionEvent, now: Timestamp) -> Vec<Effect> {
        if self.skips(&event) {
            return Vec::new();
        }
        let place = self.place(now);
        match event {
            SessionEvent::Opened(opened) => return self.opened(opened, now),
            SessionEvent::OpenFailed(error) => return self.open_failed(error, now).1,
            SessionEvent::TurnEnded { turn, result } => return self.turn_ended(turn, result, now),
            SessionEvent::PermissionRequested {
                request,
                tool_call,
                patch,
                options,
            } => {
                return self.permission_requested(request, &tool_call, *patch, options, now);
            }
            SessionEvent::PermissionWithdrawn { request } => {
                return self.permission_withdrawn(&request, now);
            }
            SessionEvent::ChoiceAnswered { choice, result } => {
                return self.choice_answered(choice, result, now);
            }
            SessionEvent::Text {
                kind,
                text,
                message_id,
            } => self.text(kind, &text, message_id, now),
            SessionEvent::Image { kind, image } => self.part(kind, BlockContent::Image(image), now),
            SessionEvent::Attachment { kind, attachment } => {
                self.part(kind, BlockContent::Attachment(attachment), now);
            }
            SessionEvent::ToolCallAnnounced { id, patch } => {
                self.note_late(now);
                self.patch_permission_requests(&id, &patch, place);
                self.transcript.announce_tool_call(&id, *patch, place);
            }
            SessionEvent::ToolCallPatched { id, patch } => {
                self.note_late(now);
                self.patch_permission_requests(&id, &patch, place);
                self.transcript.patch_tool_call(&id, *patch, place);
            }
            SessionEvent::PlanReplaced(plan) => {
                self.note_late(now);
                self.transcript.replace_plan(plan, place);
            }
            SessionEvent::CommandsReplaced(commands) => self.commands = commands,
            SessionEvent::ModeChanged(mode) => self.mode_is(mode),
            SessionEvent::ConfigOptionsReplaced(options) => self.config_options = options,
            SessionEvent::InfoChanged { title } => self.title = title.or_else(|| self.title.take()),
            SessionEvent::UsageReported(report) => self.usage.apply(report, now),
            SessionEvent::Closed | SessionEvent::Unrecognized { .. } => {}
        }
        Vec::new()
    }

    /// Lines that are no protocol messages: one note a turn, with their number.
    pub(in crate::core) fn stray_lines(&mut self, total: u64, now: Timestamp) {
        let place = self.place(now);
        self.transcript.count_stray_lines(total, place);
    }

    pub(in crate::core) fn set_mode(&mut self, mode: ModeId) -> Vec<Effect> {
        match self.mode_selector().map(|selector| selector.route) {
            Some(SelectorRoute::Option(option)) => {
                self.set_config_option(option, ConfigSetting::Choice(mode.to_string()))
            }
            Some(SelectorRoute::Mode | SelectorRoute::Model) | None => {
                self.choice_is_pending(PendingChoice::Mode(mode.to_string()));
                vec![self.send(AgentMessage::SetMode {
                    session: self.key,
                    mode,
                })]
            }
        }
    }

    pub(in crate::core) fn set_model(&mut self, model: ModelId) -> Vec<Effect> {
        match self.model_selector().map(|selector| selector.route) {
            Some(SelectorRoute::Option(option)) => {
                self.set_config_option(option, ConfigSetting::Choice(model.to_string()))
            }
            Some(SelectorRoute::Mode | SelectorRoute::Model) | None => {
                self.choice_is_pending(PendingChoice::Model(model.to_string()));
                vec![self.send(AgentMessage::SetModel {
                    session: self.key,
                    model,
                })]
            }
        }
    }

    pub(in crate::core) fn set_config_option(
        &mut self,
        option: ConfigId,
        value: ConfigSetting,
    ) -> Vec<Effect> {
        let text = match &value {
            ConfigSetting::Choice(choice) => choice.clone(),
            ConfigSetting::Boolean(on) => on.to_string(),
        };
        self.choice_is_pending(PendingChoice::Option {
            id: option.to_string(),
            value: text,
        });
        vec![self.send(AgentMessage::SetConfigOption {
            session: self.key,
            option,
            value,
        })]
    }

    fn text(&mut self, kind: MessageKind, text: &str, message_id: Option<String>, now: Timestamp) {
        if self.takes_user_part(kind) {
            let place = self.place(now);
            self.transcript.push_text(kind, text, message_id, place);
        }
        self.note_late(now);
    }

    fn part(&mut self, kind: MessageKind, content: BlockContent, now: Timestamp) {
        if self.takes_user_part(kind) {
            let place = self.place(now);
            self.transcript.push(content, place);
        }
        self.note_late(now);
    }

    /// Whether a part of this kind is shown. What we sent ourselves is there already (Vibe echoes it);
    /// in a loaded history a user's message begins a turn.
    fn takes_user_part(&mut self, kind: MessageKind) -> bool {
        if kind != MessageKind::User {
            return true;
        }
        if self.is_busy() {
            return false;
        }
        let grows = matches!(
            self.transcript.blocks().last().map(|block| &block.content),
            Some(BlockContent::UserMessage(_))
        );
        if self.history == History::Shown && !grows {
            self.next_turn();
        }
        true
    }

    /// Whether an event repeats what the transcript holds already.
    fn skips(&self, event: &SessionEvent) -> bool {
        let is_content = matches!(
            event,
            SessionEvent::Text { .. }
                | SessionEvent::Image { .. }
                | SessionEvent::Attachment { .. }
                | SessionEvent::ToolCallAnnounced { .. }
                | SessionEvent::ToolCallPatched { .. }
                | SessionEvent::PlanReplaced(_)
        );
        is_content
            && self.history == History::Skipped
            && !matches!(self.setup.start, SessionStart::New)
    }

    fn note_late(&mut self, now: Timestamp) {
        if self.turn == Turn::Idle && self.history == History::None && self.last_turn.is_some() {
            self.late_at = Some(now);
        }
    }

    fn choice_answered(
        &mut self,
        choice: PendingChoice,
        result: Result<Option<Vec<ConfigOption>>, RpcError>,
        now: Timestamp,
    ) -> Vec<Effect> {
        if let Some(index) = self
            .pending_choices
            .iter()
            .position(|pending| *pending == choice)
        {
            self.pending_choices.remove(index);
        }
        match result {
            Ok(options) => self.choice_made(choice, options),
            Err(error) => self.choice_failed(choice, error, now),
        }
        if self.phase == Phase::Ready {
            self.send_next_queued(now)
        } else {
            Vec::new()
        }
    }

    fn choice_made(&mut self, choice: PendingChoice, options: Option<Vec<ConfigOption>>) {
        match choice {
            PendingChoice::Mode(mode) => self.mode_is(ModeId::from(mode)),
            PendingChoice::Model(model) => {
                if let Some(models) = &mut self.models {
                    models.current = ModelId::from(model);
                }
            }
            PendingChoice::Option { id, value } => {
                if options.is_none() {
                    self.option_is(&ConfigId::from(id), value);
                }
            }
        }
        if let Some(options) = options {
            self.config_options = options;
        }
    }

    fn choice_failed(&mut self, choice: PendingChoice, error: RpcError, now: Timestamp) {
        let (what, value) = match choice {
            PendingChoice::Mode(mode) => (Choice::Mode, mode),
            PendingChoice::Model(model) => (Choice::Model, model),
            PendingChoice::Option { id, value } => (Choice::Option(id), value),
        };
        self.note(
            Note::ChoiceFailed {
                what,
                value,
                message: error.message,
            },
            now,
        );
    }

    fn mode_is(&mut self, mode: ModeId) {
        if let Some(modes) = &mut self.modes {
            modes.current = mode;
        } else if let Some(SelectorRoute::Option(option)) =
            self.mode_selector().map(|found| found.route)
        {
            self.option_is(&option, mode.to_string());
        }
    }

    fn option_is(&mut self, id: &ConfigId, value: String) {
        let Some(option) = self
            .config_options
            .iter_mut()
            .find(|option| option.id == *id)
        else {
            return;
        };
        match &mut option.value {
            ConfigValue::Select { current, .. } => *current = value,
            ConfigValue::Boolean { current } => *current = value == "true",
        }
    }
}
