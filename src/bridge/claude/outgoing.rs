//! What the hub wants said, in the words of Claude Code.

use serde_json::{Value, json};

use super::control::Waiting;
use super::{ClaudeBridge, launch};
use crate::core::command::Prompt;
use crate::core::effect::AgentMessage;
use crate::core::event::{OpenedSession, PendingChoice, SessionEvent, TurnResult};
use crate::core::ids::{SessionKey, TurnId};
use crate::core::notice::RpcError;

impl ClaudeBridge {
    pub(super) fn say(&mut self, message: AgentMessage) {
        match message {
            // The process was started for this session; `system/init` names it with the first prompt.
            AgentMessage::NewSession { session, .. } => self.open(session),
            AgentMessage::LoadSession { session, id, .. }
            | AgentMessage::ResumeSession { session, id, .. } => {
                self.agent_session = Some(id);
                self.open(session);
            }
            AgentMessage::Prompt {
                session,
                turn,
                prompt,
            } => self.prompt(session, turn, &prompt),
            AgentMessage::Cancel { .. } => {
                self.interrupted = self.turn.is_some();
                self.request(json!({"subtype": "interrupt"}), Waiting::Interrupt);
            }
            AgentMessage::AnswerPermission {
                request,
                outcome,
                message,
                ..
            } => {
                self.answer_permission(&request, &outcome, message);
            }
            AgentMessage::AnswerQuestion {
                request, answer, ..
            } => self.answer_question(&request, answer),
            AgentMessage::SetMode { mode, .. } => {
                let choice = PendingChoice::Mode(mode.to_string());
                let request = json!({"subtype": "set_permission_mode", "mode": mode.as_str()});
                self.request(request, Waiting::Choice(choice));
            }
            AgentMessage::SetModel { model, .. } => {
                let choice = PendingChoice::Model(model.to_string());
                let request = json!({"subtype": "set_model", "model": model.as_str()});
                self.request(request, Waiting::Choice(choice));
            }
            AgentMessage::QueryMcp { .. } => {
                self.request(json!({"subtype": "mcp_status"}), Waiting::McpStatus);
            }
            AgentMessage::SetMcpServers {
                servers, removed, ..
            } => self.set_servers(launch::mcp_servers(&servers), &removed),
            AgentMessage::ReconnectMcp { server, .. } => {
                let request = json!({"subtype": "mcp_reconnect", "serverName": server});
                self.request(request, Waiting::McpReconnect { server });
            }
            // The dialect has no options, no list of sessions, and no sign-in of its own.
            AgentMessage::SetConfigOption { option, .. } => self.unrecognized(option.as_str()),
            AgentMessage::AnswerClient { .. }
            | AgentMessage::CloseSession { .. }
            | AgentMessage::ListSessions
            | AgentMessage::Authenticate { .. }
            | AgentMessage::CancelAuthenticate => {}
        }
    }

    fn open(&mut self, session: SessionKey) {
        self.session = Some(session);
        let welcome = self.welcome.clone();
        let opened = OpenedSession {
            id: None,
            modes: Some(welcome.modes()),
            models: welcome.models(),
            config_options: Vec::new(),
        };
        self.session_event(SessionEvent::CommandsReplaced(welcome.commands));
        self.session_event(SessionEvent::Opened(opened));
        self.request(json!({"subtype": "mcp_status"}), Waiting::McpStatus);
    }

    fn prompt(&mut self, session: SessionKey, turn: TurnId, prompt: &Prompt) {
        let content = prompt_content(prompt);
        if content.is_empty() {
            let error = RpcError {
                code: 0,
                message: String::new(),
                data: None,
            };
            self.session_event(SessionEvent::TurnEnded {
                turn,
                result: TurnResult::Failed(error),
            });
            return;
        }
        self.session = Some(session);
        self.turn = Some(turn);
        self.interrupted = false;
        let id = self
            .agent_session
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        self.write(&json!({
            "type": "user",
            "message": {"role": "user", "content": content},
            "parent_tool_use_id": null,
            "session_id": id,
        }));
    }
}

/// Text first, then images: never an empty array. Files are named, not sent.
fn prompt_content(prompt: &Prompt) -> Vec<Value> {
    let mut text = prompt.text.clone();
    for attachment in &prompt.attachments {
        text.push_str("\n\n");
        text.push_str(&attachment.uri);
        if let Some(content) = &attachment.text {
            text.push('\n');
            text.push_str(content);
        }
    }
    let text = (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text}));
    let images = prompt.images.iter().map(|image| {
        json!({
            "type": "image",
            "source": {"type": "base64", "media_type": image.media_type, "data": image.base64},
        })
    });
    text.into_iter().chain(images).collect()
}
