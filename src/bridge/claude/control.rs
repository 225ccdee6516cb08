//! Answers to our control requests, and what the program says of itself (`system` lines).

use serde_json::Value;

use super::servers::Setting;
use super::{ClaudeBridge, some_text, text};
use crate::core::backend::{AgentCapabilities, AgentInfo};
use crate::core::controls::{AvailableCommand, Mode, Model, Models, Modes};
use crate::core::event::{ConnectionEvent, PendingChoice, SessionEvent};
use crate::core::ids::{AgentSessionId, ModeId, ModelId};
use crate::core::mcp::{McpServerStatus, McpSoftware, McpSource, McpState, McpTool, tools_of};
use crate::core::notice::{FailureKind, Note, RpcError};
use crate::core::tool_call::{ToolCallContent, ToolCallPatch, ToolCallStatus};
use crate::core::usage::CompactionTrigger;

/// What an answer is for.
#[derive(Debug)]
pub(super) enum Waiting {
    Initialize,
    Interrupt,
    Choice(PendingChoice),
    McpStatus,
    McpReconnect { server: String },
    McpSet(Setting),
}

/// What `initialize` told.
#[derive(Debug, Clone, Default)]
pub(super) struct Welcome {
    pub(super) commands: Vec<AvailableCommand>,
    models: Vec<Model>,
    mode: Option<String>,
    version: String,
}

/// The modes that the program has; it lists them nowhere.
const MODES: [(&str, &str); 5] = [
    ("default", "Default"),
    ("acceptEdits", "Accept edits"),
    ("plan", "Plan"),
    ("dontAsk", "Don't ask"),
    ("bypassPermissions", "Bypass permissions"),
];

impl Welcome {
    pub(super) fn modes(&self) -> Modes {
        let mode = |(id, name): (&str, &str)| Mode {
            id: id.into(),
            name: name.to_owned(),
            description: None,
        };
        let current = self.mode.as_deref().unwrap_or("default");
        Modes {
            current: ModeId::from(current),
            available: MODES.map(mode).to_vec(),
        }
    }

    pub(super) fn models(&self) -> Option<Models> {
        let first = self.models.first()?;
        Some(Models {
            current: first.id.clone(),
            available: self.models.clone(),
        })
    }

    fn read(response: &Value) -> Self {
        let list = |key: &str| {
            response
                .get(key)
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default()
        };
        let command = |command: &Value| AvailableCommand {
            name: text(command, "name").to_owned(),
            description: text(command, "description").to_owned(),
            hint: some_text(command, "argumentHint"),
        };
        let model = |model: &Value| Model {
            id: ModelId::from(text(model, "value")),
            name: text(model, "displayName").to_owned(),
            description: some_text(model, "description"),
            context_window: None,
        };
        Self {
            commands: list("commands")
                .iter()
                .map(command)
                .filter(|command| !command.name.is_empty())
                .collect(),
            models: list("models")
                .iter()
                .map(model)
                .filter(|model| !model.id.as_str().is_empty())
                .collect(),
            mode: some_text(response, "current_permission_mode"),
            version: text(response, "claude_code_version").to_owned(),
        }
    }
}

impl ClaudeBridge {
    pub(super) fn control_response(&mut self, frame: &Value) {
        let response = frame.get("response").cloned().unwrap_or_default();
        // The program echoes our own answers; what nobody waits for is no news.
        let Some(waiting) = self.waiting.remove(text(&response, "request_id")) else {
            return;
        };
        let result = match text(&response, "subtype") {
            "success" => Ok(response.get("response").cloned().unwrap_or_default()),
            _ => Err(text(&response, "error").to_owned()),
        };
        match (waiting, result) {
            (Waiting::Initialize, Ok(response)) => self.initialized(&response),
            (Waiting::Initialize, Err(reason)) => {
                let failure = FailureKind::StartFailed {
                    program: "claude".to_owned(),
                    reason,
                };
                self.connection_event(ConnectionEvent::StartFailed(failure));
            }
            (Waiting::Interrupt, _) | (Waiting::McpStatus, Err(_)) => {}
            (Waiting::Choice(choice), result) => {
                let result = result.map(|_| None).map_err(|message| RpcError {
                    code: 0,
                    message,
                    data: None,
                });
                self.session_event(SessionEvent::ChoiceAnswered { choice, result });
            }
            (Waiting::McpSet(setting), result) => self.servers_set(setting, result),
            (Waiting::McpStatus, Ok(response)) => {
                let servers = response
                    .get("mcpServers")
                    .and_then(Value::as_array)
                    .cloned()
                    .unwrap_or_default();
                let servers = servers.iter().map(status_row).collect();
                self.session_event(SessionEvent::McpReported {
                    source: McpSource::Agent,
                    servers,
                });
            }
            (Waiting::McpReconnect { server }, result) => {
                let result = result.map(drop);
                self.session_event(SessionEvent::McpReconnected { server, result });
            }
        }
    }

    pub(super) fn system(&mut self, frame: &Value) {
        match text(frame, "subtype") {
            "init" => self.init(frame),
            "status" => self.status(frame),
            "compact_boundary" => self.compacted(frame),
            "api_retry" => {
                self.begun_anew();
                let number = |key: &str| frame.get(key).and_then(Value::as_u64);
                let attempt = number("attempt").unwrap_or(1);
                let message = retry_reason(frame);
                self.session_event(SessionEvent::Noted(Note::Retrying {
                    attempt,
                    most: number("max_retries"),
                    message,
                }));
            }
            "informational" => {
                if let Some(content) = some_text(frame, "content") {
                    self.session_event(SessionEvent::Noted(Note::Agent(content)));
                }
            }
            "permission_denied" => {
                let content = vec![ToolCallContent::Text(text(frame, "message").to_owned())];
                let patch = ToolCallPatch {
                    status: Some(ToolCallStatus::Denied),
                    content: Some(content),
                    ..ToolCallPatch::default()
                };
                let id = text(frame, "tool_use_id").into();
                self.session_event(SessionEvent::ToolCallPatched {
                    id,
                    patch: Box::new(patch),
                });
            }
            "task_started" | "task_progress" | "task_updated" | "task_notification" => {
                self.task(frame);
            }
            "thinking_tokens" | "background_tasks_changed" | "model_refusal_no_fallback" => {}
            other => {
                let kind = format!("system/{other}");
                self.unrecognized(&kind);
            }
        }
    }

    fn initialized(&mut self, response: &Value) {
        self.welcome = Welcome::read(response);
        let version = self.welcome.version.clone();
        self.connection_event(ConnectionEvent::Initialized {
            agent: AgentInfo {
                name: "claude-code".to_owned(),
                title: Some("Claude Code".to_owned()),
                version,
            },
            capabilities: capabilities(),
            auth_methods: Vec::new(),
        });
    }

    fn init(&mut self, frame: &Value) {
        if let Some(id) = some_text(frame, "session_id").map(AgentSessionId::from)
            && self.agent_session.as_ref() != Some(&id)
        {
            self.agent_session = Some(id.clone());
            self.session_event(SessionEvent::SessionIdChanged(id));
        }
        if let Some(model) = some_text(frame, "model") {
            self.session_event(SessionEvent::ModelChanged(ModelId::from(model)));
        }
        if let Some(mode) = some_text(frame, "permissionMode") {
            self.session_event(SessionEvent::ModeChanged(ModeId::from(mode)));
        }
        self.merge_commands(frame);
        let servers = init_servers(frame);
        if !servers.is_empty() {
            self.session_event(SessionEvent::McpReported {
                source: McpSource::Agent,
                servers,
            });
        }
    }

    /// `initialize` describes commands, `system/init` names those that this session has.
    fn merge_commands(&mut self, frame: &Value) {
        let names: Vec<_> = frame
            .get("slash_commands")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let unknown: Vec<_> = names
            .iter()
            .filter(|name| {
                !self
                    .welcome
                    .commands
                    .iter()
                    .any(|command| command.name == **name)
            })
            .map(|name| AvailableCommand {
                name: (*name).to_owned(),
                description: String::new(),
                hint: None,
            })
            .collect();
        if !unknown.is_empty() {
            self.welcome.commands.extend(unknown);
            let commands = self.welcome.commands.clone();
            self.session_event(SessionEvent::CommandsReplaced(commands));
        }
    }

    fn status(&mut self, frame: &Value) {
        if let Some(mode) = some_text(frame, "permissionMode") {
            self.session_event(SessionEvent::ModeChanged(ModeId::from(mode)));
        }
        match frame.get("status") {
            Some(Value::String(status)) if status == "compacting" => {
                self.session_event(SessionEvent::Compacting { running: true });
            }
            None | Some(Value::Null) => {
                self.session_event(SessionEvent::Compacting { running: false });
            }
            Some(_) => {}
        }
    }

    fn compacted(&mut self, frame: &Value) {
        let metadata = frame
            .get("compact_metadata")
            .or_else(|| frame.get("compactMetadata"))
            .cloned()
            .unwrap_or_default();
        let tokens = |keys: [&str; 2]| keys.iter().find_map(|key| metadata.get(*key)?.as_u64());
        let trigger = match text(&metadata, "trigger") {
            "manual" => CompactionTrigger::Manual,
            _ => CompactionTrigger::Automatic,
        };
        let before = tokens(["pre_tokens", "preTokens"]);
        let after = tokens(["post_tokens", "postTokens"]);
        self.session_event(SessionEvent::Compacted {
            trigger,
            before,
            after,
        });
    }
}

fn capabilities() -> AgentCapabilities {
    AgentCapabilities {
        resume_session: true,
        prompt_image: true,
        mcp_http: true,
        mcp_sse: true,
        mcp_status: true,
        mcp_reconnect: true,
        mcp_set: true,
        reject_message: true,
        ..AgentCapabilities::default()
    }
}

fn retry_reason(frame: &Value) -> String {
    let status = frame.get("error_status").and_then(Value::as_u64);
    let error = text(frame, "error");
    match status {
        Some(status) => format!("{status} {error}"),
        None => error.to_owned(),
    }
}

/// A row of `mcp_status`.
fn status_row(row: &Value) -> McpServerStatus {
    let name = text(row, "name").to_owned();
    let tools = row
        .get("tools")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let tool = |tool: &Value| {
        let hint = |key: &str| {
            tool.get("annotations")
                .and_then(|notes| notes.get(key))
                .and_then(Value::as_bool)
        };
        let short = text(tool, "name").to_owned();
        McpTool {
            wire_name: Some(format!("mcp__{name}__{short}")),
            description: some_text(tool, "description"),
            read_only: hint("readOnly"),
            destructive: hint("destructive"),
            name: short,
        }
    };
    McpServerStatus {
        state: McpState::from(text(row, "status")),
        software: row.get("serverInfo").map(|info| McpSoftware {
            name: text(info, "name").to_owned(),
            version: text(info, "version").to_owned(),
        }),
        tools: tools.iter().map(tool).collect(),
        error: some_text(row, "error"),
        name,
    }
}

/// The servers of `system/init`, with their tools out of its list of all tools.
fn init_servers(frame: &Value) -> Vec<McpServerStatus> {
    let rows = frame
        .get("mcp_servers")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let tools: Vec<_> = frame
        .get("tools")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let names: Vec<_> = rows.iter().map(|row| text(row, "name")).collect();
    rows.iter()
        .map(|row| McpServerStatus {
            name: text(row, "name").to_owned(),
            state: McpState::from(text(row, "status")),
            software: None,
            tools: tools_of(text(row, "name"), tools.iter().copied(), &names),
            error: some_text(row, "error"),
        })
        .collect()
}
