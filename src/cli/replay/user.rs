//! The user's side of a recording: what its client sent, as commands for the hub.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use super::claude_user;
use super::judging::Judging;
use crate::bridge::script::{Recording, Role, Step};
use crate::core::backend::{BackendSpec, Dialect, McpServer, McpTransport};
use crate::core::command::{Command, Prompt, SessionSetup, SessionStart};
use crate::core::controls::ConfigSetting;
use crate::core::hub::AgentHub;
use crate::core::ids::{
    AgentSessionId, AuthMethodId, ConfigId, ModeId, ModelId, OptionId, RequestId, SessionKey,
};
use crate::core::question::{AnswerValue, QuestionAnswer};
use crate::core::session::Session;
use crate::core::tool_call::ImageData;
use crate::core::transcript::Attachment;

/// The requests with which agents ask the person.
const ASKS: [&str; 2] = ["elicitation/create", "_x.ai/ask_user_question"];

/// The command that starts the agent: its first session, as the client asked for it.
/// A recording without a session still has a client that connects.
pub(super) fn first_opening(
    recording: &Recording,
    judging: &Judging,
    session: SessionKey,
    spec: &BackendSpec,
) -> Command {
    let first = recording.steps.iter().find_map(opening);
    let (start, step) = match first {
        Some((start, step)) => (start, Some(step)),
        None => (SessionStart::New, None),
    };
    open(session, spec, judging, start, step, None)
}

/// What the person did at a step, if it is something that a person can do with this client.
pub(super) fn command(
    recording: &Recording,
    judging: &Judging,
    index: usize,
    hub: &AgentHub,
) -> Option<Command> {
    let step = recording.steps.get(index)?;
    if recording.dialect() == Dialect::ClaudeCode {
        return claude_user::command(recording, step, hub.sessions().next()?);
    }
    if let Some((start, step)) = opening(step) {
        // A process has one working folder here, so that all its sessions share it.
        let known = hub.sessions().next()?;
        let session = hub.free_session_key();
        return Some(open(
            session,
            known.spec(),
            judging,
            start,
            Some(step),
            Some(known),
        ));
    }
    match &step.role {
        Role::ClientRequest { method } => requested(method, step, hub),
        Role::ClientNotification { method } if method == "session/cancel" => {
            Some(Command::CancelTurn {
                session: session_of(step, hub)?.key(),
            })
        }
        Role::ClientAnswer { request } => {
            let asked = recording.steps.get((*request)?)?;
            answered(asked, step, hub)
        }
        Role::ClientNotification { .. }
        | Role::AgentRequest { .. }
        | Role::AgentAnswer { .. }
        | Role::AgentSays
        | Role::Restart
        | Role::Remark => None,
    }
}

fn requested(method: &str, step: &Step, hub: &AgentHub) -> Option<Command> {
    let text = |name: &str| step.param(name).and_then(Value::as_str);
    match method {
        "authenticate" => Some(Command::Authenticate {
            connection: hub.sessions().next()?.connection(),
            method: AuthMethodId::from(text("methodId")?),
        }),
        "session/list" => Some(Command::ListSessions {
            connection: hub.sessions().next()?.connection(),
        }),
        "session/prompt" => Some(Command::Prompt {
            session: session_of(step, hub)?.key(),
            prompt: prompt(step.param("prompt")?),
        }),
        "session/set_mode" => Some(Command::SetMode {
            session: session_of(step, hub)?.key(),
            mode: ModeId::from(text("modeId")?),
        }),
        "session/set_model" => Some(Command::SetModel {
            session: session_of(step, hub)?.key(),
            model: ModelId::from(text("modelId")?),
        }),
        "session/set_config_option" => Some(Command::SetConfigOption {
            session: session_of(step, hub)?.key(),
            option: ConfigId::from(text("configId")?),
            value: match step.param("value")? {
                Value::Bool(on) => ConfigSetting::Boolean(*on),
                value => ConfigSetting::Choice(value.as_str()?.to_owned()),
            },
        }),
        _ => None,
    }
}

fn answered(asked: &Step, step: &Step, hub: &AgentHub) -> Option<Command> {
    let session = session_of(asked, hub)?.key();
    let request = request_id(asked.frame.get("id")?)?;
    match &asked.role {
        Role::AgentRequest { method } if method == "session/request_permission" => {
            let option = step
                .frame
                .pointer("/result/outcome/optionId")
                .and_then(Value::as_str);
            Some(match option {
                Some(option) => Command::AnswerPermission {
                    session,
                    request,
                    option: OptionId::from(option),
                    message: None,
                },
                None => Command::CancelTurn { session },
            })
        }
        Role::AgentRequest { method } if ASKS.contains(&method.as_str()) => {
            let answer = submitted(&step.frame).unwrap_or(QuestionAnswer::Skipped);
            Some(Command::AnswerQuestion {
                session,
                request,
                answer,
            })
        }
        _ => None,
    }
}

fn submitted(frame: &Value) -> Option<QuestionAnswer> {
    let result = frame.get("result")?;
    let content = result.get("content").or_else(|| result.get("answers"))?;
    let content = content.as_object()?;
    let value = |value: &Value| match value {
        Value::Bool(on) => AnswerValue::YesNo(*on),
        Value::Number(number) => AnswerValue::Number(number.to_string()),
        Value::Array(many) => {
            let texts = many.iter().filter_map(Value::as_str);
            AnswerValue::Many(texts.map(str::to_owned).collect())
        }
        other => AnswerValue::Text(other.as_str().unwrap_or_default().to_owned()),
    };
    let answers = content
        .iter()
        .map(|(key, answer)| (key.clone(), value(answer)));
    Some(QuestionAnswer::Submitted(answers.collect()))
}

fn opening(step: &Step) -> Option<(SessionStart, &Step)> {
    let Role::ClientRequest { method } = &step.role else {
        return None;
    };
    let id = || Some(AgentSessionId::from(step.param("sessionId")?.as_str()?));
    match method.as_str() {
        "session/new" => Some((SessionStart::New, step)),
        "session/load" => Some((SessionStart::Load(id()?), step)),
        "session/resume" => Some((SessionStart::Resume(id()?), step)),
        _ => None,
    }
}

fn open(
    session: SessionKey,
    spec: &BackendSpec,
    judging: &Judging,
    start: SessionStart,
    step: Option<&Step>,
    beside: Option<&Session>,
) -> Command {
    let own_cwd = step
        .and_then(|step| step.param("cwd"))
        .and_then(Value::as_str)
        .map(PathBuf::from);
    let cwd = beside.map(|beside| beside.setup().cwd.clone()).or(own_cwd);
    let cwd = cwd.unwrap_or_else(|| PathBuf::from("/"));
    let servers = step
        .and_then(|step| step.param("mcpServers"))
        .and_then(Value::as_array);
    Command::OpenSession {
        session,
        spec: Box::new(spec.clone()),
        setup: Box::new(SessionSetup {
            ground: judging.ground(&cwd),
            cwd,
            start,
            mcp_servers: servers
                .into_iter()
                .flatten()
                .filter_map(mcp_server)
                .collect(),
            mode: None,
            model: None,
            level: judging.level,
        }),
    }
}

fn mcp_server(server: &Value) -> Option<McpServer> {
    let text = |name: &str| Some(server.get(name)?.as_str()?.to_owned());
    let pairs = |name: &str| -> BTreeMap<String, String> {
        let pairs = server.get(name).and_then(Value::as_array);
        let pair = |pair: &Value| {
            let name = pair.get("name")?.as_str()?.to_owned();
            Some((name, pair.get("value")?.as_str()?.to_owned()))
        };
        pairs.into_iter().flatten().filter_map(pair).collect()
    };
    let transport = match server.get("type").and_then(Value::as_str) {
        Some("http") => McpTransport::Http {
            url: text("url")?,
            headers: pairs("headers"),
        },
        Some("sse") => McpTransport::Sse {
            url: text("url")?,
            headers: pairs("headers"),
        },
        Some(_) | None => McpTransport::Stdio {
            command: text("command")?,
            args: Vec::new(),
            env: pairs("env"),
        },
    };
    Some(McpServer {
        name: text("name")?,
        transport,
    })
}

fn prompt(blocks: &Value) -> Prompt {
    let mut prompt = Prompt::default();
    for block in blocks.as_array().into_iter().flatten() {
        let text = |name: &str| block.get(name).and_then(Value::as_str).map(str::to_owned);
        match block.get("type").and_then(Value::as_str) {
            Some("text") => {
                if !prompt.text.is_empty() {
                    prompt.text.push('\n');
                }
                prompt.text.push_str(&text("text").unwrap_or_default());
            }
            Some("image") => prompt.images.push(ImageData {
                media_type: text("mimeType").unwrap_or_default(),
                base64: text("data").unwrap_or_default(),
                uri: text("uri"),
            }),
            Some("resource_link") => prompt.attachments.push(Attachment {
                name: text("name").unwrap_or_default(),
                uri: text("uri").unwrap_or_default(),
                text: None,
            }),
            Some("resource") => prompt.attachments.extend(embedded(block.get("resource"))),
            Some(_) | None => {}
        }
    }
    prompt
}

fn embedded(resource: Option<&Value>) -> Option<Attachment> {
    let uri = resource?.get("uri")?.as_str()?;
    let name = uri.rsplit('/').next().unwrap_or(uri);
    Some(Attachment {
        name: name.to_owned(),
        uri: uri.to_owned(),
        text: resource?
            .get("text")
            .and_then(Value::as_str)
            .map(str::to_owned),
    })
}

fn session_of<'a>(step: &Step, hub: &'a AgentHub) -> Option<&'a Session> {
    let id = step.param("sessionId")?.as_str()?;
    // The newest one of this name: a session may be loaded beside the one that it was.
    let same = |session: &&Session| {
        session
            .agent_session()
            .is_some_and(|own| own.as_str() == id)
    };
    hub.sessions().filter(same).last()
}

fn request_id(id: &Value) -> Option<RequestId> {
    match id {
        Value::Number(number) => number.as_i64().map(RequestId::Number),
        Value::String(text) => Some(RequestId::Text(text.clone())),
        _ => None,
    }
}
