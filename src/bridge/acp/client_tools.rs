//! Files and terminals that an agent asks its client for: requests read, answers given their form.

use std::path::PathBuf;

use agent_client_protocol_schema::v1 as acp;
use agent_client_protocol_schema::v1::CLIENT_METHOD_NAMES;

use super::AcpBridge;
use crate::bridge::Output;
use crate::bridge::json::{self, Object};
use crate::bridge::rpc;
use crate::core::client_tools::{
    ClientAnswer, ClientCall, ClientFailure, ClientTools, TerminalCall, TerminalStart,
};
use crate::core::event::SessionEvent;
use crate::core::ids::{RequestId, SessionKey, TerminalId};
use crate::core::notice::ExitStatus;

/// The protocol's code for a resource that does not exist.
const RESOURCE_NOT_FOUND: i64 = -32_002;

/// What the agent is owed an answer for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClientRequest {
    pub(super) session: SessionKey,
    is_reading: bool,
}

/// A request as it is passed on.
#[derive(Debug, PartialEq)]
pub(super) enum Asked {
    Call(ClientCall),
    Terminal(TerminalId, TerminalCall),
}

/// What a method is, if we offer it to the agent; an error when its parameters can't be used.
pub(super) fn read(
    method: &str,
    params: &Object<'_>,
    offered: ClientTools,
) -> Option<Result<Asked, &'static str>> {
    let names = &CLIENT_METHOD_NAMES;
    let about = |call| {
        let id = params.text("terminalId").ok_or("no terminalId")?;
        Ok(Asked::Terminal(TerminalId::from(id), call))
    };
    let asked = if method == names.fs_read_text_file && offered.read {
        path(params, "path").map(|path| {
            Asked::Call(ClientCall::Read {
                path,
                line: params.number("line"),
                limit: params.number("limit"),
            })
        })
    } else if method == names.fs_write_text_file && offered.write {
        path(params, "path").and_then(|path| {
            let content = params.text("content").ok_or("no content")?;
            Ok(Asked::Call(ClientCall::Write { path, content }))
        })
    } else if !offered.terminal {
        return None;
    } else if method == names.terminal_create {
        start(params)
    } else if method == names.terminal_output {
        about(TerminalCall::Output)
    } else if method == names.terminal_wait_for_exit {
        about(TerminalCall::WaitForExit)
    } else if method == names.terminal_kill {
        about(TerminalCall::Kill)
    } else if method == names.terminal_release {
        about(TerminalCall::Release)
    } else {
        return None;
    };
    Some(asked)
}

/// A path, which the protocol wants absolute.
fn path(params: &Object<'_>, name: &str) -> Result<PathBuf, &'static str> {
    let path = params.text(name).map(PathBuf::from).ok_or("no path")?;
    if path.is_absolute() {
        Ok(path)
    } else {
        Err("the path is not absolute")
    }
}

fn start(params: &Object<'_>) -> Result<Asked, &'static str> {
    let command = params.text("command").unwrap_or_default();
    if command.trim().is_empty() {
        return Err("no command");
    }
    let args = params.list("args").unwrap_or_default();
    let args: Option<Vec<String>> = args
        .into_iter()
        .map(|arg| Some(json::text(arg)?.into_owned()))
        .collect();
    let variable = |item: &Object<'_>| Some((item.text("name")?, item.text("value")?));
    let env = params.objects("env").unwrap_or_default();
    let env: Option<Vec<_>> = env.iter().map(variable).collect();
    let is_variable =
        |name: &str| !name.is_empty() && !name.contains(['=', '\0', ' ', '\n', '\'', '"', '$']);
    let env = env.filter(|env| env.iter().all(|(name, _)| is_variable(name)));
    Ok(Asked::Call(ClientCall::Terminal(TerminalStart {
        command,
        args: args.ok_or("an argument is no text")?,
        env: env.ok_or("a variable is no name with a value")?,
        cwd: params.has("cwd").then(|| path(params, "cwd")).transpose()?,
        output_limit: params.number("outputByteLimit"),
    })))
}

impl AcpBridge {
    /// Passes a request on, to be judged and done.
    pub(super) fn client_request(
        &mut self,
        id: RequestId,
        asked: Asked,
        session: SessionKey,
        out: &mut Output,
    ) {
        let is_reading = matches!(asked, Asked::Call(ClientCall::Read { .. }));
        let request = ClientRequest {
            session,
            is_reading,
        };
        self.client_requests.insert(id.clone(), request);
        let event = match asked {
            Asked::Call(call) => SessionEvent::ClientAsked {
                request: id,
                call: Box::new(call),
            },
            Asked::Terminal(terminal, call) => SessionEvent::TerminalAsked {
                request: id,
                terminal,
                call,
            },
        };
        out.session(session, event);
    }

    /// Answers a request for a file or a terminal, if it still waits.
    pub(super) fn answer_client(
        &mut self,
        id: &RequestId,
        result: Result<ClientAnswer, ClientFailure>,
        out: &mut Output,
    ) {
        let Some(request) = self.client_requests.remove(id) else {
            return;
        };
        let is_empty = matches!(result, Err(ClientFailure::NoFile { .. }))
            && request.is_reading
            && self.quirks.reads_missing_files_as_empty();
        let frame = match result {
            Err(_) if is_empty => rpc::result(id, acp::ReadTextFileResponse::new("")),
            Ok(answer) => answered(id, answer),
            Err(failure) => {
                let (code, message) = refused(failure);
                rpc::error(id, code, &message)
            }
        };
        out.frames.push(frame);
    }

    /// Answers what a session leaves unanswered that is closed.
    pub(super) fn drop_client_requests(&mut self, session: SessionKey, out: &mut Output) {
        let open = self.client_requests.iter();
        let left: Vec<_> = open
            .filter(|(_, request)| request.session == session)
            .map(|(id, _)| id.clone())
            .collect();
        for id in left {
            self.answer_client(&id, Err(ClientFailure::Cancelled), out);
        }
    }
}

fn answered(id: &RequestId, answer: ClientAnswer) -> String {
    match answer {
        ClientAnswer::Text(text) => rpc::result(id, acp::ReadTextFileResponse::new(text)),
        ClientAnswer::Written => rpc::result(id, acp::WriteTextFileResponse::new()),
        ClientAnswer::Started(terminal) => {
            rpc::result(id, acp::CreateTerminalResponse::new(terminal.to_string()))
        }
        ClientAnswer::Output {
            text,
            truncated,
            exit,
        } => {
            let output = acp::TerminalOutputResponse::new(text, truncated);
            rpc::result(id, output.exit_status(exit.as_ref().map(exit_status)))
        }
        ClientAnswer::Exited(exit) => rpc::result(
            id,
            acp::WaitForTerminalExitResponse::new(exit_status(&exit)),
        ),
        // Kill and release are answered with the same empty object.
        ClientAnswer::Done => rpc::result(id, acp::ReleaseTerminalResponse::new()),
    }
}

fn refused(failure: ClientFailure) -> (i64, String) {
    match failure {
        ClientFailure::NoFile { path } => (
            RESOURCE_NOT_FOUND,
            format!("Resource not found: {}", path.display()),
        ),
        ClientFailure::NoTerminal { id } => (
            RESOURCE_NOT_FOUND,
            format!("Resource not found: terminal {id}"),
        ),
        ClientFailure::Refused { text } => (rpc::INTERNAL_ERROR, text),
        ClientFailure::Cancelled => (rpc::REQUEST_CANCELLED, "Request cancelled".to_owned()),
        ClientFailure::Failed { reason } => (rpc::INTERNAL_ERROR, reason),
    }
}

fn exit_status(exit: &ExitStatus) -> acp::TerminalExitStatus {
    let status = acp::TerminalExitStatus::new();
    match exit {
        ExitStatus::Code(code) => status.exit_code(u32::try_from(*code).ok()),
        ExitStatus::Signal(signal) => status.signal(signal_name(*signal)),
        ExitStatus::Unknown => status,
    }
}

/// The name of a signal by its number, which is the same on all systems for these.
fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        other => return other.to_string(),
    };
    name.to_owned()
}
