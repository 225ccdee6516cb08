//! What `exec` does in place of a person: opens, chooses, prompts, answers what is asked, and knows when it is over.

use super::deadline;
use super::plan::Plan;
use crate::cli::args::OnAsk;
use crate::cli::exit::Exit;
use crate::cli::words;
use crate::core::command::{Command, Prompt};
use crate::core::connection::{Connection, ConnectionState};
use crate::core::controls::Selector;
use crate::core::event::StopReason;
use crate::core::hub::AgentHub;
use crate::core::ids::{ModeId, ModelId, SessionKey};
use crate::core::notice::Note;
use crate::core::permission::{PermissionOptionKind, PermissionRequest};
use crate::core::question::QuestionAnswer;
use crate::core::session::{Phase, Session, TurnCause};
use crate::core::time::Timestamp;

/// How long an answer to one of our own slash commands is waited for, in milliseconds.
const OWN_COMMAND_MILLIS: u64 = 500;

/// Gemini sends a loaded history after it has said that the session is loaded. So long it has to be quiet before
/// the prompt, in milliseconds.
const HISTORY_MILLIS: u64 = 300;

/// The person's part.
#[derive(Debug)]
pub(super) struct Conduct {
    session: SessionKey,
    stage: Stage,
    resume: bool,
    model: Option<String>,
    mode: Option<String>,
    prompt: String,
    on_ask: OnAsk,
    time_limit: Option<Timestamp>,
    interrupts: usize,
    /// Why the turn was cancelled, if it was by us.
    cancelled_for: Option<Exit>,
    /// The revision of a loaded history, and when it was seen first.
    history: Option<(u64, Timestamp)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Opening,
    Choosing,
    Prompted { at: Timestamp },
}

/// What has to be done now.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Step {
    pub(super) remarks: Vec<Remark>,
    pub(super) commands: Vec<Command>,
    /// The prompt is among the commands.
    pub(super) begins_prompt: bool,
    pub(super) exit: Option<Exit>,
}

/// A word of the command to whoever runs it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Remark {
    pub(super) code: &'static str,
    pub(super) text: String,
}

impl Conduct {
    pub(super) fn new(plan: &Plan, session: SessionKey, now: Timestamp) -> Self {
        Self {
            session,
            stage: Stage::Opening,
            resume: plan.resume.is_some(),
            model: plan.model.clone(),
            mode: plan.mode.clone(),
            prompt: plan.prompt.clone(),
            on_ask: plan.on_ask,
            time_limit: deadline(now, plan.timeout_secs),
            interrupts: 0,
            cancelled_for: None,
            history: None,
        }
    }

    /// Ctrl-C was pressed.
    pub(super) fn interrupted(&mut self) {
        self.interrupts += 1;
    }

    /// What to do in the state that the hub is in.
    pub(super) fn step(&mut self, hub: &AgentHub, now: Timestamp) -> Step {
        let Some(session) = hub.session(self.session) else {
            return Step::exit(Exit::AgentFailed);
        };
        if self.interrupts > 1 {
            return Step::exit(Exit::Cancelled);
        }
        if let Some(step) = self.cancels(session, now) {
            return step;
        }
        match self.stage {
            Stage::Opening => self.opening(hub, session, now),
            Stage::Choosing => self.choosing(session, now),
            Stage::Prompted { at } => self.prompted(hub, session, at, now),
        }
    }

    /// Ctrl-C and the time limit end the turn; before there is one, they end all.
    fn cancels(&mut self, session: &Session, now: Timestamp) -> Option<Step> {
        let (exit, remark) = if self.interrupts > 0 {
            let text = "cancelling; press Ctrl-C again to stop the agent".to_owned();
            (
                Exit::Cancelled,
                Remark {
                    code: "cancelling",
                    text,
                },
            )
        } else if self.time_limit.is_some_and(|limit| now >= limit) {
            let text = "the time is up; cancelling".to_owned();
            (
                Exit::TimeLimit,
                Remark {
                    code: "time_limit",
                    text,
                },
            )
        } else {
            return None;
        };
        if self.cancelled_for.is_some() {
            return None;
        }
        self.cancelled_for = Some(exit);
        if !session.is_busy() {
            return Some(Step::exit(exit).with(remark));
        }
        Some(self.cancel().with(remark))
    }

    fn opening(&mut self, hub: &AgentHub, session: &Session, now: Timestamp) -> Step {
        let connection = hub.connection_of(self.session);
        if self.resume
            && let Some(connection) = connection
            && cannot_resume(connection)
        {
            let text = format!(
                "{} can't go on with an earlier session",
                connection.agent_name()
            );
            return Step::exit(Exit::Usage).with(Remark {
                code: "resume_not_offered",
                text,
            });
        }
        match session.phase() {
            Phase::TrustNeeded => Step::exit(Exit::Usage).with(Remark {
                code: "folder_not_trusted",
                text: format!(
                    "this folder is not trusted: {}; trust it in the window, or give --trust",
                    session.setup().cwd.display()
                ),
            }),
            Phase::Connecting | Phase::Opening(_) => Step::default(),
            Phase::SignInNeeded => Step::exit(Exit::SignInNeeded).with(sign_in(hub, session)),
            Phase::Failed | Phase::AgentGone => Step::exit(Exit::AgentFailed),
            Phase::Ready => self.choose(session, now),
        }
    }

    fn choose(&mut self, session: &Session, now: Timestamp) -> Step {
        let mut commands = Vec::new();
        let key = self.session;
        let choices = [
            ("mode", self.mode.take(), session.mode_selector()),
            ("model", self.model.take(), session.model_selector()),
        ];
        for (what, wanted, selector) in choices {
            let Some(wanted) = wanted else { continue };
            let choice = match chosen(what, &wanted, selector) {
                Ok(choice) => choice,
                Err(text) => {
                    return Step::exit(Exit::Usage).with(Remark {
                        code: "no_such_choice",
                        text,
                    });
                }
            };
            commands.extend(choice.map(|value| match what {
                "mode" => Command::SetMode {
                    session: key,
                    mode: ModeId::from(value),
                },
                _ => Command::SetModel {
                    session: key,
                    model: ModelId::from(value),
                },
            }));
        }
        self.stage = Stage::Choosing;
        if commands.is_empty() {
            return self.choosing(session, now);
        }
        Step {
            commands,
            ..Step::default()
        }
    }

    fn choosing(&mut self, session: &Session, now: Timestamp) -> Step {
        match session.phase() {
            Phase::Ready if session.has_pending_choices() => Step::default(),
            Phase::Ready if choice_failed(session) => Step::exit(Exit::AgentFailed),
            Phase::Ready if self.resume && self.history_comes_in(session, now) => Step::default(),
            Phase::Ready => {
                self.stage = Stage::Prompted { at: now };
                let prompt = Prompt::text(&self.prompt);
                Step {
                    commands: vec![Command::Prompt {
                        session: self.session,
                        prompt,
                    }],
                    begins_prompt: true,
                    ..Step::default()
                }
            }
            Phase::TrustNeeded | Phase::Connecting | Phase::Opening(_) => Step::default(),
            Phase::SignInNeeded | Phase::Failed | Phase::AgentGone => Step::exit(Exit::AgentFailed),
        }
    }

    fn history_comes_in(&mut self, session: &Session, now: Timestamp) -> bool {
        let revision = session.transcript().revision();
        match self.history {
            Some((known, since)) if known == revision => now.millis_since(since) < HISTORY_MILLIS,
            Some(_) | None => {
                self.history = Some((revision, now));
                true
            }
        }
    }

    fn prompted(
        &mut self,
        hub: &AgentHub,
        session: &Session,
        at: Timestamp,
        now: Timestamp,
    ) -> Step {
        if let Some(end) = session.last_end() {
            let exit = self.exit_of(&end.cause);
            let step = Step::exit(exit);
            return if exit == Exit::SignInNeeded {
                step.with(sign_in(hub, session))
            } else {
                step
            };
        }
        if !session.is_busy() && session.queue().is_empty() {
            // One of our own commands: there is no turn, and the answer stands in the transcript.
            let is_over = now.millis_since(at) >= OWN_COMMAND_MILLIS;
            return if is_over {
                Step::exit(Exit::Success)
            } else {
                Step::default()
            };
        }
        if let Some(request) = session.permission_requests().first() {
            return self.answer(request);
        }
        let skipped = session
            .questions()
            .first()
            .map(|question| Command::AnswerQuestion {
                session: self.session,
                request: question.id.clone(),
                answer: QuestionAnswer::Skipped,
            });
        Step {
            commands: skipped.into_iter().collect(),
            ..Step::default()
        }
    }

    fn answer(&mut self, request: &PermissionRequest) -> Step {
        let option =
            |kind: PermissionOptionKind| request.options.iter().find(|option| option.kind == kind);
        let reject = option(PermissionOptionKind::RejectOnce);
        let allow = option(PermissionOptionKind::AllowOnce);
        let chosen = match self.on_ask {
            OnAsk::Allow => allow.or(reject),
            OnAsk::Reject => reject,
            OnAsk::Fail => None,
        };
        let title = &request.tool_call.title;
        let remark = match (self.on_ask, chosen) {
            (OnAsk::Fail, _) => Some(Remark {
                code: "asked",
                text: format!("the agent asks for permission, so this ends here: {title}"),
            }),
            (OnAsk::Allow, Some(option)) if option.kind != PermissionOptionKind::AllowOnce => {
                Some(Remark {
                    code: "no_allow_once",
                    text: format!(
                        "the agent does not offer to allow this once, so it was refused: {title}"
                    ),
                })
            }
            (OnAsk::Allow | OnAsk::Reject, None) => Some(Remark {
                code: "no_reject_once",
                text: format!(
                    "the agent does not offer to refuse this once, so the turn was cancelled: {title}"
                ),
            }),
            (OnAsk::Allow | OnAsk::Reject, Some(_)) => None,
        };
        let step = if let Some(option) = chosen {
            Step {
                commands: vec![Command::AnswerPermission {
                    session: self.session,
                    request: request.id.clone(),
                    option: option.id.clone(),
                    message: None,
                }],
                ..Step::default()
            }
        } else {
            self.cancelled_for = self.cancelled_for.or(Some(Exit::OtherReason));
            self.cancel()
        };
        match remark {
            Some(remark) => step.with(remark),
            None => step,
        }
    }

    fn cancel(&self) -> Step {
        Step {
            commands: vec![Command::CancelTurn {
                session: self.session,
            }],
            ..Step::default()
        }
    }

    fn exit_of(&self, cause: &TurnCause) -> Exit {
        match (self.cancelled_for, cause) {
            (Some(exit), _) => exit,
            (None, TurnCause::Stopped(StopReason::EndTurn)) => Exit::Success,
            (None, TurnCause::Stopped(_)) => Exit::OtherReason,
            (None, TurnCause::Failed(error)) if error.code == words::AUTH_REQUIRED => {
                Exit::SignInNeeded
            }
            (
                None,
                TurnCause::Failed(_)
                | TurnCause::CancelNotConfirmed
                | TurnCause::AgentGone
                | TurnCause::SessionClosed,
            ) => Exit::AgentFailed,
        }
    }
}

impl Step {
    fn exit(exit: Exit) -> Self {
        Self {
            exit: Some(exit),
            ..Self::default()
        }
    }

    fn with(mut self, remark: Remark) -> Self {
        self.remarks.push(remark);
        self
    }
}

fn cannot_resume(connection: &Connection) -> bool {
    let can = &connection.capabilities;
    connection.state == ConnectionState::Ready && !can.load_session && !can.resume_session
}

/// The value that a person means; `None` when it is on already. The error names what there is.
fn chosen(what: &str, wanted: &str, selector: Option<Selector>) -> Result<Option<String>, String> {
    let Some(selector) = selector else {
        return Err(format!("the agent offers no choice of a {what}"));
    };
    let by_id = selector
        .choices
        .iter()
        .find(|choice| choice.value == wanted);
    let by_name = || {
        let mut named = selector
            .choices
            .iter()
            .filter(|choice| choice.name.eq_ignore_ascii_case(wanted));
        named.next().filter(|_| named.next().is_none())
    };
    match by_id.or_else(by_name) {
        Some(choice) if choice.value == selector.current => Ok(None),
        Some(choice) => Ok(Some(choice.value.clone())),
        None => {
            let ids: Vec<_> = selector
                .choices
                .iter()
                .map(|choice| choice.value.as_str())
                .collect();
            Err(format!(
                "the agent has no {what} {wanted:?}, only: {}",
                ids.join(", ")
            ))
        }
    }
}

fn choice_failed(session: &Session) -> bool {
    session
        .transcript()
        .blocks()
        .iter()
        .any(|block| matches!(block.note(), Some(Note::ChoiceFailed { .. })))
}

fn sign_in(hub: &AgentHub, session: &Session) -> Remark {
    let connection = hub.connection_of(session.key());
    let methods = connection
        .map(|connection| connection.auth_methods.as_slice())
        .unwrap_or_default();
    let names: Vec<_> = methods.iter().map(|method| method.name.as_str()).collect();
    let spec = session.spec();
    let mut ways = Vec::new();
    if let Some(command) = &spec.login_command {
        ways.push(format!("run `{command}`"));
    }
    if !spec.key_variables.is_empty() {
        ways.push(format!("set {}", spec.key_variables.join(" or ")));
    }
    if !names.is_empty() {
        ways.push(format!(
            "open the window and choose one of: {}",
            names.join(", ")
        ));
    }
    let name = connection.map_or(spec.name.as_str(), |connection| connection.agent_name());
    let text = if ways.is_empty() {
        format!("{name} needs you to sign in; see its documentation")
    } else {
        format!("{name} needs you to sign in: {}", ways.join(", or "))
    };
    Remark {
        code: "sign_in_needed",
        text,
    }
}

#[cfg(test)]
mod tests;
