//! Prompt turns: begun, cancelled, ended. One function closes a turn, whatever closed it.

use super::{CANCEL_LIMIT_MILLIS, History, Phase, QueuedPrompt, Session, Turn, TurnCause, TurnEnd};
use crate::core::backend::AgentCapabilities;
use crate::core::command::Prompt;
use crate::core::effect::{AgentMessage, Effect};
use crate::core::event::{StopReason, TurnResult};
use crate::core::identity::identify;
use crate::core::ids::{QueuedId, TurnId};
use crate::core::notice::{ExitStatus, Failure, FailureKind, Note};
use crate::core::permission::AnsweredBy;
use crate::core::slash;
use crate::core::time::Timestamp;
use crate::core::tool_call::ToolCallStatus;
use crate::core::transcript::{BlockContent, Message, Place};

impl Session {
    /// Sends a message, or queues it until the agent can take it.
    pub(in crate::core) fn prompt(
        &mut self,
        prompt: Prompt,
        can: &AgentCapabilities,
        now: Timestamp,
    ) -> Vec<Effect> {
        if prompt.is_empty() {
            return Vec::new();
        }
        if prompt.images.is_empty()
            && prompt.attachments.is_empty()
            && slash::command_name(&prompt.text) == Some("mcp")
        {
            return self.show_mcp(can, now);
        }
        self.queue_prompt(prompt);
        self.send_next_queued(now)
    }

    pub(super) fn queue_prompt(&mut self, prompt: Prompt) {
        let id = self.next_queued;
        self.next_queued = id.next();
        self.queue.push_back(QueuedPrompt { id, prompt });
    }

    /// Takes a queued message back.
    pub(in crate::core) fn drop_queued(&mut self, queued: QueuedId) {
        self.queue.retain(|waiting| waiting.id != queued);
    }

    /// Asks the agent to end the turn. Every open permission request is answered `cancelled`.
    pub(in crate::core) fn cancel_turn(&mut self, now: Timestamp) -> Vec<Effect> {
        let Turn::Running { turn, .. } = self.turn else {
            return Vec::new();
        };
        self.turn = Turn::Cancelling { turn, since: now };
        let mut effects = self.dismiss_permission_requests(AnsweredBy::Cancellation, now);
        effects.extend(self.dismiss_questions(AnsweredBy::Cancellation));
        effects.push(self.send(AgentMessage::Cancel { session: self.key }));
        effects.push(Effect::WakeAt(now.plus_millis(CANCEL_LIMIT_MILLIS)));
        effects
    }

    /// Closes a turn whose cancellation was not confirmed in time; sends what waited for a history.
    pub(in crate::core) fn check_deadline(&mut self, now: Timestamp) -> Vec<Effect> {
        match self.turn {
            Turn::Cancelling { turn, since } if now.millis_since(since) >= CANCEL_LIMIT_MILLIS => {
                self.unanswered_turn = Some(turn);
                self.close_turn(TurnCause::CancelNotConfirmed, now)
            }
            Turn::Idle => self.check_history(now),
            Turn::Running { .. } | Turn::Cancelling { .. } => Vec::new(),
        }
    }

    /// Takes in the agent's answer to a prompt.
    pub(in crate::core) fn turn_ended(
        &mut self,
        turn: TurnId,
        result: TurnResult,
        now: Timestamp,
    ) -> Vec<Effect> {
        if self.unanswered_turn == Some(turn) {
            self.unanswered_turn = None;
            return self.send_next_queued(now);
        }
        if self.running_turn() != Some(turn) {
            return Vec::new();
        }
        let cause = match result {
            TurnResult::Stopped(reason) => TurnCause::Stopped(reason),
            TurnResult::Failed(error) => TurnCause::Failed(error),
        };
        self.close_turn(cause, now)
    }

    /// The agent's process is gone. `exit` is `None` when we ended it.
    pub(in crate::core) fn agent_gone(
        &mut self,
        exit: Option<(ExitStatus, bool)>,
        stderr: Vec<String>,
        now: Timestamp,
    ) -> Vec<Effect> {
        let mut effects = self.close_turn(TurnCause::AgentGone, now);
        effects.extend(self.leave_client());
        effects.extend(self.dismiss_permission_requests(AnsweredBy::AgentGone, now));
        effects.extend(self.dismiss_questions(AnsweredBy::AgentGone));
        self.mcp_reconnects.clear();
        self.usage.process_changed();
        self.transcript
            .close_open_tool_calls(None, ToolCallStatus::Stopped, now);
        self.unanswered_turn = None;
        self.pending_choices.clear();
        if self.phase == Phase::Failed {
            return effects;
        }
        self.phase = Phase::AgentGone;
        if let Some((exit, output_closed_first)) = exit {
            let kind = if output_closed_first {
                FailureKind::OutputClosed
            } else {
                FailureKind::AgentExited { exit }
            };
            self.fail_with(kind, stderr, now);
        }
        effects
    }

    /// The one way in which a turn ends.
    pub(in crate::core) fn close_turn(&mut self, cause: TurnCause, now: Timestamp) -> Vec<Effect> {
        let Some(turn) = self.running_turn() else {
            return Vec::new();
        };
        let was_cancelled = matches!(self.turn, Turn::Cancelling { .. });
        let place = self.place(now);
        let answered_by = match cause {
            TurnCause::AgentGone => AnsweredBy::AgentGone,
            TurnCause::Stopped(_)
            | TurnCause::Failed(_)
            | TurnCause::CancelNotConfirmed
            | TurnCause::SessionClosed => AnsweredBy::Cancellation,
        };
        let mut effects = self.dismiss_permission_requests(answered_by, now);
        effects.extend(self.dismiss_questions(answered_by));
        self.compacting = false;
        self.forget_grants();
        self.usage.end_turn();
        self.transcript.close_open_tool_calls(
            Some(turn),
            status_left_open(&cause, was_cancelled),
            now,
        );
        self.turn = Turn::Idle;
        effects.extend(self.tell_of_unasked(turn, place));
        self.add_end_block(&cause, was_cancelled, place);
        if is_sign_in(&cause) {
            self.phase = Phase::SignInNeeded;
        }
        self.last_end = Some(TurnEnd {
            turn,
            cause,
            at: now,
        });
        effects.extend(self.send_next_queued(now));
        effects
    }

    /// Sends the next queued message if nothing stands in its way.
    pub(super) fn send_next_queued(&mut self, now: Timestamp) -> Vec<Effect> {
        let free = self.phase == Phase::Ready
            && self.turn == Turn::Idle
            && self.unanswered_turn.is_none()
            && self.awaited_history.is_none()
            && self.pending_choices.is_empty();
        if !free {
            return Vec::new();
        }
        let Some(waiting) = self.queue.pop_front() else {
            return Vec::new();
        };
        self.begin_turn(waiting.prompt, now)
    }

    pub(super) fn running_turn(&self) -> Option<TurnId> {
        match self.turn {
            Turn::Running { turn, .. } | Turn::Cancelling { turn, .. } => Some(turn),
            Turn::Idle => None,
        }
    }

    pub(super) fn next_turn(&mut self) -> TurnId {
        let turn = self.last_turn.map_or(TurnId(1), TurnId::next);
        self.last_turn = Some(turn);
        turn
    }

    fn begin_turn(&mut self, prompt: Prompt, now: Timestamp) -> Vec<Effect> {
        if self.history != History::None {
            self.transcript
                .close_open_tool_calls(None, ToolCallStatus::NoResult, now);
            self.history = History::None;
        }
        self.late_at = None;
        let turn = self.next_turn();
        self.turn = Turn::Running { turn, since: now };
        self.usage.begin_turn();
        let place = self.place(now);
        for attachment in prompt.attachments.clone() {
            self.transcript
                .push(BlockContent::Attachment(Box::new(attachment)), place);
        }
        for image in prompt.images.clone() {
            self.transcript
                .push(BlockContent::Image(Box::new(image)), place);
        }
        if !prompt.text.is_empty() {
            let message = Message {
                text: prompt.text.clone(),
                message_id: None,
            };
            self.transcript
                .push(BlockContent::UserMessage(message), place);
        }
        vec![self.send(AgentMessage::Prompt {
            session: self.key,
            turn,
            prompt,
        })]
    }

    /// Says how many calls ran without a request that reached us, and puts them on record.
    fn tell_of_unasked(&mut self, turn: TurnId, place: Place) -> Option<Effect> {
        if self.spec.harmless {
            return None;
        }
        let context = self.identity_context();
        let ran = self.transcript.ran_unasked(turn).into_iter();
        let calls: Vec<_> = ran
            .map(|call| (call.id.clone(), identify(call, &context)))
            .collect();
        if calls.is_empty() {
            return None;
        }
        let count = calls.len();
        self.transcript
            .push(BlockContent::note(Note::RanUnasked { count }), place);
        Some(Effect::RecordUnasked {
            session: self.key,
            turn,
            calls,
        })
    }

    fn add_end_block(&mut self, cause: &TurnCause, was_cancelled: bool, place: Place) {
        let content = match cause {
            TurnCause::Stopped(StopReason::EndTurn) if !was_cancelled => return,
            TurnCause::AgentGone | TurnCause::SessionClosed => return,
            TurnCause::Failed(_) if was_cancelled => BlockContent::note(Note::Cancelled),
            TurnCause::Stopped(StopReason::Cancelled | StopReason::EndTurn) if was_cancelled => {
                BlockContent::note(Note::Cancelled)
            }
            TurnCause::Stopped(reason) => BlockContent::note(Note::TurnEnded {
                stop_reason: reason.as_str().to_owned(),
            }),
            TurnCause::CancelNotConfirmed => BlockContent::note(Note::CancelNotConfirmed),
            TurnCause::Failed(error) => {
                let kind = if is_sign_in(cause) {
                    FailureKind::SignInNeeded {
                        message: error.message.clone(),
                    }
                } else {
                    FailureKind::AgentError(error.clone())
                };
                let stderr = Vec::new();
                BlockContent::Failure(Box::new(Failure { kind, stderr }))
            }
        };
        self.transcript.push(content, place);
    }
}

fn is_sign_in(cause: &TurnCause) -> bool {
    matches!(cause, TurnCause::Failed(error) if error.code == super::opening::AUTH_REQUIRED)
}

fn status_left_open(cause: &TurnCause, was_cancelled: bool) -> ToolCallStatus {
    match cause {
        TurnCause::AgentGone => ToolCallStatus::Stopped,
        TurnCause::Stopped(StopReason::Cancelled)
        | TurnCause::CancelNotConfirmed
        | TurnCause::SessionClosed => ToolCallStatus::Cancelled,
        TurnCause::Stopped(_) | TurnCause::Failed(_) if was_cancelled => ToolCallStatus::Cancelled,
        TurnCause::Stopped(_) | TurnCause::Failed(_) => ToolCallStatus::NoResult,
    }
}
