//! What an agent says about a session, taken into its state.

use super::{History, Phase, Session, Turn};
use crate::core::backend::AgentCapabilities;
use crate::core::command::SessionStart;
use crate::core::controls::{ConfigOption, ConfigSetting, ConfigValue, SelectorRoute};
use crate::core::effect::{AgentMessage, Effect};
use crate::core::event::{PendingChoice, SessionEvent};
use crate::core::ids::{ConfigId, ModeId, ModelId};
use crate::core::notice::{Choice, Note, RpcError};
use crate::core::question::QuestionRequest;
use crate::core::time::Timestamp;
use crate::core::transcript::{BlockContent, MessageKind};
use crate::core::usage::UsageReport;

impl Session {
    /// Takes in one event. Opening and its refusal are the hub's, as they touch the connection.
    pub(in crate::core) fn handle(
        &mut self,
        event: SessionEvent,
        can: &AgentCapabilities,
        now: Timestamp,
    ) -> Vec<Effect> {
        if is_content(&event) {
            self.heard_history(now);
            if self.skips_content() {
                return Vec::new();
            }
        }
        match event {
            SessionEvent::Opened(opened) => self.opened(opened, now),
            SessionEvent::OpenFailed(error) => self.open_failed(error, now).1,
            SessionEvent::TurnEnded { turn, result } => self.turn_ended(turn, result, now),
            SessionEvent::PermissionRequested {
                request,
                tool_call,
                patch,
                options,
            } => self.permission_requested(request, &tool_call, *patch, options, can, now),
            SessionEvent::PermissionWithdrawn { request } => {
                self.permission_withdrawn(&request, now)
            }
            SessionEvent::ClientAsked { request, call } => {
                self.client_asked(request, *call, can, now)
            }
            SessionEvent::TerminalAsked {
                request,
                terminal,
                call,
            } => self.terminal_asked(request, &terminal, call),
            SessionEvent::ClientDone { request, result } => self.client_done(request, result, now),
            SessionEvent::TerminalEnded { terminal, exit } => {
                self.terminal_ended(&terminal, exit, now)
            }
            SessionEvent::ChoiceAnswered { choice, result } => {
                self.choice_answered(choice, result, now)
            }
            SessionEvent::QuestionAsked {
                request,
                tool_call,
                message,
                kind,
            } => self.question_asked(QuestionRequest {
                id: request,
                tool_call,
                message,
                kind,
                asked_at: now,
            }),
            SessionEvent::Text { .. }
            | SessionEvent::TextAbandoned(_)
            | SessionEvent::Image { .. }
            | SessionEvent::Attachment { .. }
            | SessionEvent::ToolCallAnnounced { .. }
            | SessionEvent::ToolCallPatched { .. }
            | SessionEvent::PlanReplaced(_) => self.content(event, now),
            SessionEvent::GroundLoaded(ground) => self.ground_loaded(*ground, can, now),
            SessionEvent::PathsResolved { request, facts } => {
                self.paths_resolved(&request, *facts, can, now)
            }
            SessionEvent::CommandsReplaced(_)
            | SessionEvent::ModeChanged(_)
            | SessionEvent::ModelChanged(_)
            | SessionEvent::ConfigOptionsReplaced(_)
            | SessionEvent::InfoChanged { .. }
            | SessionEvent::UsageReported(_)
            | SessionEvent::ProjectFilesListed(_)
            | SessionEvent::QuestionWithdrawn { .. }
            | SessionEvent::TerminalPrinted { .. }
            | SessionEvent::OldTextRead { .. }
            | SessionEvent::McpReported { .. }
            | SessionEvent::McpReconnected { .. }
            | SessionEvent::Compacting { .. }
            | SessionEvent::Compacted { .. }
            | SessionEvent::SessionIdChanged(_)
            | SessionEvent::ConversationReset(_)
            | SessionEvent::Noted(_)
            | SessionEvent::Closed
            | SessionEvent::Unrecognized { .. } => {
                self.fact(event, now);
                Vec::new()
            }
        }
    }

    /// What becomes a block, or changes one.
    fn content(&mut self, event: SessionEvent, now: Timestamp) -> Vec<Effect> {
        let mut effects = Vec::new();
        let place = self.place(now);
        self.note_late(now);
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "`handle` sends only these here"
        )]
        match event {
            SessionEvent::Text {
                kind,
                text,
                message_id,
            } => self.text(kind, &text, message_id, now),
            SessionEvent::TextAbandoned(abandoned) => {
                self.transcript.abandon_text(&abandoned, place);
            }
            SessionEvent::Image { kind, image } => {
                self.part(kind, BlockContent::Image(Box::new(image)), now);
            }
            SessionEvent::Attachment { kind, attachment } => {
                self.part(kind, BlockContent::Attachment(Box::new(attachment)), now);
            }
            SessionEvent::ToolCallAnnounced { id, patch } => {
                effects.extend(self.patch_requests(&id, &patch, now));
                self.transcript.announce_tool_call(&id, *patch, place);
            }
            SessionEvent::ToolCallPatched { id, patch } => {
                effects.extend(self.patch_requests(&id, &patch, now));
                self.transcript.patch_tool_call(&id, *patch, place);
            }
            SessionEvent::PlanReplaced(plan) => self.transcript.replace_plan(plan, place),
            _ => {}
        }
        effects
    }

    /// What changes the session beside its blocks.
    fn fact(&mut self, event: SessionEvent, now: Timestamp) {
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "`handle` sends only these here"
        )]
        match event {
            SessionEvent::CommandsReplaced(commands) => self.commands = commands,
            SessionEvent::ModeChanged(mode) => self.mode_is(mode),
            SessionEvent::ModelChanged(model) => self.model_is(model),
            SessionEvent::ConfigOptionsReplaced(options) => self.config_options = options,
            SessionEvent::InfoChanged { title: Some(title) } => {
                self.title = Some(title).filter(|title| !title.is_empty());
            }
            SessionEvent::UsageReported(report) => self.usage_reported(report, now),
            SessionEvent::ProjectFilesListed(files) => self.project_files = Some(files),
            SessionEvent::QuestionWithdrawn { request } => self.question_withdrawn(&request),
            SessionEvent::TerminalPrinted { terminal, text } => {
                self.terminal_printed(&terminal, &text);
            }
            SessionEvent::OldTextRead { request, old } => {
                self.old_text_read(&request, &old, now);
            }
            SessionEvent::McpReported { source, servers } => {
                self.mcp_reported(source, servers, now);
            }
            SessionEvent::McpReconnected { server, result } => {
                self.mcp_reconnected(&server, result, now);
            }
            SessionEvent::Compacting { running } => self.compacting = running,
            SessionEvent::Compacted {
                trigger,
                before,
                after,
            } => {
                self.compacting = false;
                self.usage.compacted(trigger);
                self.note(
                    Note::Compacted {
                        trigger,
                        before,
                        after,
                    },
                    now,
                );
            }
            SessionEvent::SessionIdChanged(id) => self.agent_id = Some(id),
            SessionEvent::ConversationReset(id) => {
                self.agent_id = Some(id);
                self.usage.conversation_reset();
                self.note(Note::Forgotten, now);
            }
            SessionEvent::Noted(note) => self.note(note, now),
            _ => {}
        }
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
    }

    fn part(&mut self, kind: MessageKind, content: BlockContent, now: Timestamp) {
        if self.takes_user_part(kind) {
            let place = self.place(now);
            self.transcript.push(content, place);
        }
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

    /// Whether what comes repeats what the transcript holds already.
    fn skips_content(&self) -> bool {
        self.history == History::Skipped && !matches!(self.setup.start, SessionStart::New)
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
            PendingChoice::Model(model) => self.model_is(ModelId::from(model)),
            PendingChoice::Option { id, value } => {
                let id_of_model = self.model_selector().map(|selector| selector.route);
                if id_of_model == Some(SelectorRoute::Option(ConfigId::from(id.as_str()))) {
                    self.usage.model_changed(None);
                    self.current_model = None;
                }
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

    /// The model in use is another one: so is its window.
    fn model_is(&mut self, model: ModelId) {
        if self.current_model().as_deref() != Some(model.as_str()) {
            let window = self
                .models
                .as_ref()
                .and_then(|models| models.window_of(&model));
            self.usage.model_changed(window);
        }
        // An agent may name the model behind a choice that has a name of its own (Claude's `opus`).
        if let Some(models) = self.models.as_mut().filter(|models| models.offers(&model)) {
            models.current = model.clone();
        }
        self.current_model = Some(model);
    }

    fn usage_reported(&mut self, report: UsageReport, now: Timestamp) {
        let model = self.current_model();
        self.usage.apply(report, model.as_deref(), now);
        if let Some(quota) = self.usage.quota_to_tell() {
            let percent = quota.used_percent.clamp(0.0, 255.0) as u8;
            self.note(
                Note::QuotaNearlyUsed {
                    name: quota.name,
                    percent,
                    resets_at: quota.resets_at,
                },
                now,
            );
        }
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

/// What becomes a block, or changes one.
fn is_content(event: &SessionEvent) -> bool {
    matches!(
        event,
        SessionEvent::Text { .. }
            | SessionEvent::TextAbandoned(_)
            | SessionEvent::Image { .. }
            | SessionEvent::Attachment { .. }
            | SessionEvent::ToolCallAnnounced { .. }
            | SessionEvent::ToolCallPatched { .. }
            | SessionEvent::PlanReplaced(_)
    )
}
