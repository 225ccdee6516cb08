//! What a session does for its agent as a client: files and terminals, each judged by the same policy as any call.

mod grants;
mod terminals;

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{Session, Turn};
use crate::core::backend::AgentCapabilities;
use crate::core::client_tools::{ClientAnswer, ClientCall, ClientFailure, OldText};
use crate::core::consent::Consent;
use crate::core::effect::{AgentMessage, Effect};
use crate::core::identity::arguments::{CommandLine, command_line};
use crate::core::ids::{OptionId, RequestId, TerminalId, ToolCallId};
use crate::core::permission::{
    AnsweredBy, PermissionOption, PermissionOptionKind, PermissionOutcome, PermissionRequest,
};
use crate::core::policy::paths::{PathFacts, Places, of_call};
use crate::core::time::Timestamp;
use crate::core::tool_call::{ToolCall, ToolCallContent, ToolCallPatch, ToolCallStatus};
use grants::{Grants, is_same_line};
use terminals::Terminals;

/// The ids of the answers to what an agent asks of us.
const ALLOW: &str = "allow";
const REJECT: &str = "reject";

/// The files and terminals of a session.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ClientDesk {
    /// What is judged or shown.
    pending: BTreeMap<RequestId, Pending>,
    /// What is being done.
    work: BTreeMap<RequestId, Work>,
    grants: Grants,
    terminals: Terminals,
}

#[derive(Debug, Clone, PartialEq)]
struct Pending {
    call: ClientCall,
    /// Where its path leads.
    target: Option<PathBuf>,
    /// What the file holds was asked for, to be shown.
    is_compared: bool,
    /// The row of the transcript, where it is ours.
    row: Option<ToolCallId>,
    /// The row that tells of it, be it ours or the agent's.
    told_by: ToolCallId,
}

#[derive(Debug, Clone, PartialEq)]
struct Work {
    row: Option<ToolCallId>,
    terminal: Option<TerminalId>,
}

/// The id of the answer that lets us do it.
pub(super) fn allow_id() -> OptionId {
    OptionId::from(ALLOW)
}

impl ClientDesk {
    pub(super) fn is_pending(&self, request: &RequestId) -> bool {
        self.pending.contains_key(request)
    }
}

impl Session {
    /// Whether the request asks us to do something, instead of telling what the agent will do.
    pub(super) fn is_client_request(&self, request: &RequestId) -> bool {
        self.client.is_pending(request)
    }

    /// Judges what the agent asks us to do.
    pub(super) fn client_asked(
        &mut self,
        request: RequestId,
        call: ClientCall,
        can: &AgentCapabilities,
        now: Timestamp,
    ) -> Vec<Effect> {
        let known = self.row_of(&call);
        let id = known
            .clone()
            .unwrap_or_else(|| ToolCallId::from(format!("client-{request}")));
        let shown = call.as_tool_call(id.clone(), &self.setup.cwd, now);
        if known.is_none() {
            let place = self.place(now);
            self.transcript
                .announce_tool_call(&id, announcement(&shown), place);
        }
        let consent = self.transcript.tool_call(&id).map(|call| &call.consent);
        if consent == Some(&Consent::NotAsked) {
            self.transcript.set_consent(&id, Consent::Asking);
        }
        let pending = Pending {
            target: None,
            is_compared: false,
            row: known.is_none().then(|| id.clone()),
            told_by: id,
            call,
        };
        self.next_request += 1;
        let asked = PermissionRequest {
            identity: pending.call.identity(),
            id: request.clone(),
            tool_call: shown,
            options: options(),
            asked_at: now,
            order: self.next_request,
            because: None,
            facts: PathFacts::default(),
        };
        self.client.pending.insert(request, pending);
        if matches!(self.turn, Turn::Cancelling { .. }) {
            return self.dismiss(asked, AnsweredBy::Cancellation, now);
        }
        self.judge(asked, can, now)
    }

    /// Notes where the path of a request leads.
    pub(super) fn client_resolved(&mut self, request: &RequestId, facts: &PathFacts) {
        if let Some(pending) = self.client.pending.get_mut(request) {
            let path = match &pending.call {
                ClientCall::Read { path, .. } | ClientCall::Write { path, .. } => Some(path),
                ClientCall::Terminal(start) => start.cwd.as_ref(),
            };
            pending.target = path.and_then(|path| facts.target(path));
        }
    }

    /// Asks once what the file holds that a request on screen would replace.
    pub(super) fn compare(&mut self, request: &RequestId) -> Option<Effect> {
        let pending = self.client.pending.get_mut(request)?;
        if !matches!(pending.call, ClientCall::Write { .. }) || pending.is_compared {
            return None;
        }
        let target = pending.target.clone()?;
        pending.is_compared = true;
        Some(Effect::ReadOldText {
            session: self.key,
            request: request.clone(),
            target,
        })
    }

    /// Takes in what the file holds that a request would replace: it and its row show the change.
    pub(super) fn old_text_read(&mut self, request: &RequestId, old: &OldText, now: Timestamp) {
        let pending = self.client.pending.get(request);
        let row = pending.map_or_else(
            || {
                self.client
                    .work
                    .get(request)
                    .and_then(|work| work.row.clone())
            },
            |pending| pending.row.clone(),
        );
        let all = self
            .checking
            .iter_mut()
            .chain(&mut self.permission_requests);
        let open = all
            .filter(|open| self.client.is_pending(&open.id))
            .find(|open| open.id == *request);
        if let Some(open) = open {
            compare_with(&mut open.tool_call.content, old);
        }
        let call = row.as_ref().and_then(|row| self.transcript.tool_call(row));
        if let (Some(row), Some(call)) = (&row, call) {
            let mut content = call.content.clone();
            compare_with(&mut content, old);
            let patch = ToolCallPatch {
                content: Some(content),
                ..ToolCallPatch::default()
            };
            let place = self.place(now);
            self.transcript.patch_tool_call(row, patch, place);
        }
    }

    /// Does what was allowed, or tells the agent that it was not.
    pub(super) fn carry_out(
        &mut self,
        request: RequestId,
        outcome: &PermissionOutcome,
        message: Option<String>,
    ) -> Effect {
        let pending = self.client.pending.remove(&request);
        let allowed = *outcome == PermissionOutcome::Selected(allow_id());
        let failure = match pending {
            Some(pending) if allowed => return self.work_on(request, pending),
            Some(_) if matches!(outcome, PermissionOutcome::Selected(_)) => {
                ClientFailure::Refused {
                    text: message.unwrap_or_else(|| "The user refused this.".to_owned()),
                }
            }
            Some(_) | None => ClientFailure::Cancelled,
        };
        self.answer_client(request, Err(failure))
    }

    /// Takes in that something was done, and tells the agent.
    pub(super) fn client_done(
        &mut self,
        request: RequestId,
        result: Result<ClientAnswer, ClientFailure>,
        now: Timestamp,
    ) -> Vec<Effect> {
        let Some(Work { row, terminal }) = self.client.work.remove(&request) else {
            return Vec::new();
        };
        if let (Err(_), Some(terminal)) = (&result, &terminal) {
            self.client.terminals.remove(terminal);
        }
        match (&result, row) {
            // It goes on until its command ends.
            (Ok(ClientAnswer::Started(_)), _) | (_, None) => {}
            (Ok(_), Some(row)) => self.end_row(&row, ToolCallStatus::Completed, now),
            (Err(_), Some(row)) => self.end_row(&row, ToolCallStatus::Failed, now),
        }
        vec![self.answer_client(request, result)]
    }

    /// The agent takes back what it asked of us.
    pub(super) fn client_withdrawn(&mut self, request: &RequestId, now: Timestamp) {
        let pending = self.client.pending.remove(request);
        let row = pending.map(|pending| pending.row);
        let row = row.or_else(|| Some(self.client.work.remove(request)?.row));
        if let Some(Some(row)) = row {
            self.end_row(&row, ToolCallStatus::Cancelled, now);
        }
        self.client.terminals.stop_waiting(request);
    }

    /// The agent is gone, or is given up: nobody is left to be answered, and its commands end with it.
    pub(in crate::core) fn leave_client(&mut self) -> Vec<Effect> {
        self.client.pending.clear();
        self.client.work.clear();
        self.client.grants.clear();
        self.leave_terminals()
    }

    fn work_on(&mut self, request: RequestId, pending: Pending) -> Effect {
        let Pending {
            call,
            target,
            row,
            told_by,
            ..
        } = pending;
        let session = self.key;
        let unknown = || ClientFailure::Failed {
            reason: "It can't be told where the path leads".to_owned(),
        };
        let mut started = None;
        let effect = match call {
            ClientCall::Read { path, line, limit } => target.map(|target| Effect::ReadFile {
                session,
                request: request.clone(),
                path,
                target,
                line,
                limit,
            }),
            ClientCall::Write { path, content } => target.map(|target| Effect::WriteFile {
                session,
                request: request.clone(),
                path,
                target,
                content,
            }),
            ClientCall::Terminal(start) => {
                let Some(terminal) = self.hold(start.output_limit, row.clone(), &told_by) else {
                    let reason = "too many terminals are open already".to_owned();
                    return self.answer_client(request, Err(ClientFailure::Failed { reason }));
                };
                started = Some(terminal.clone());
                Some(Effect::StartTerminal {
                    session,
                    request: request.clone(),
                    terminal,
                    cwd: target
                        .or_else(|| start.cwd.clone())
                        .unwrap_or_else(|| self.setup.cwd.clone()),
                    start: Box::new(start),
                })
            }
        };
        match effect {
            Some(effect) => {
                let work = Work {
                    row,
                    terminal: started,
                };
                self.client.work.insert(request, work);
                effect
            }
            None => self.answer_client(request, Err(unknown())),
        }
    }

    fn answer_client(
        &self,
        request: RequestId,
        result: Result<ClientAnswer, ClientFailure>,
    ) -> Effect {
        self.send(AgentMessage::AnswerClient {
            session: self.key,
            request,
            result,
        })
    }

    fn end_row(&mut self, row: &ToolCallId, status: ToolCallStatus, now: Timestamp) {
        let place = self.place(now);
        let patch = ToolCallPatch {
            status: Some(status),
            ..ToolCallPatch::default()
        };
        self.transcript.patch_tool_call(row, patch, place);
    }

    /// The call by which the agent itself tells of what it asks us to do.
    fn row_of(&self, call: &ClientCall) -> Option<ToolCallId> {
        let places = self.places();
        let open = self.transcript.open_tool_calls(self.running_turn()?);
        let tells = |open: &&ToolCall| match call {
            ClientCall::Read { path, .. } | ClientCall::Write { path, .. } => {
                let identity = self.identity_of(open);
                let files = of_call(&identity, open, &places).files;
                files.iter().any(|file| file.path == *path)
            }
            ClientCall::Terminal(start) => match command_line(open) {
                CommandLine::Exact(line) => is_same_line(&line, &start.line(), &places),
                CommandLine::Shown(_) | CommandLine::Missing => false,
            },
        };
        open.into_iter().find(tells).map(|open| open.id.clone())
    }

    fn places(&self) -> Places {
        self.policy.ground.as_ref().map_or_else(
            || Places {
                folder: self.setup.cwd.clone(),
                ..Places::default()
            },
            |ground| Places {
                // Fixed rules know no folder.
                folder: if ground.places.folder.as_os_str().is_empty() {
                    self.setup.cwd.clone()
                } else {
                    ground.places.folder.clone()
                },
                ..ground.places.clone()
            },
        )
    }
}

/// The answers to what an agent asks of us; the window has words for their kinds.
fn options() -> Vec<PermissionOption> {
    let option = |id: &str, kind| PermissionOption {
        id: OptionId::from(id),
        name: String::new(),
        kind,
        scope: None,
    };
    vec![
        option(ALLOW, PermissionOptionKind::AllowOnce),
        option(REJECT, PermissionOptionKind::RejectOnce),
    ]
}

/// Puts the old text beside the new one. Where it is not known, the new text stands alone and is called no new file.
fn compare_with(content: &mut [ToolCallContent], old: &OldText) {
    for piece in content {
        let ToolCallContent::Diff(diff) = piece else {
            continue;
        };
        match old {
            OldText::NoFile => diff.old_text = None,
            OldText::Text(text) => diff.old_text = Some(text.clone()),
            OldText::Unknown => *piece = ToolCallContent::Text(std::mem::take(&mut diff.new_text)),
        }
    }
}

/// The call as a row of the transcript.
fn announcement(call: &ToolCall) -> ToolCallPatch {
    ToolCallPatch {
        title: Some(call.title.clone()),
        kind: Some(call.kind),
        status: Some(ToolCallStatus::InProgress),
        content: Some(call.content.clone()),
        locations: Some(call.locations.clone()),
        raw_input: call.raw_input.clone(),
        ..ToolCallPatch::default()
    }
}
