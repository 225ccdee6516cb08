//! What the hub wants said, in the protocol's form.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_client_protocol_schema::ProtocolVersion;
use agent_client_protocol_schema::v1 as acp;
use agent_client_protocol_schema::v1::{AGENT_METHOD_NAMES, PROTOCOL_LEVEL_METHOD_NAMES};
use serde::Serialize;

use super::{AcpBridge, Purpose, forms};
use crate::bridge::{Output, mcp_relay, rpc};
use crate::core::backend::McpServer;
use crate::core::command::Prompt;
use crate::core::connection::ListedSession;
use crate::core::controls::ConfigSetting;
use crate::core::effect::AgentMessage;
use crate::core::event::{PendingChoice, SessionEvent, TurnResult};
use crate::core::ids::{AgentSessionId, SessionKey, TurnId};
use crate::core::notice::RpcError;

/// The stable schema has lost it; agents go on taking it.
const SESSION_SET_MODEL: &str = "session/set_model";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SetModel<'a> {
    session_id: Arc<str>,
    model_id: &'a str,
}

impl AcpBridge {
    /// The `initialize` request.
    pub fn start(&mut self) -> Output {
        let mut out = Output::default();
        let client = acp::Implementation::new(&*self.client.name, &*self.client.version)
            .title(self.client.title.clone());
        let request = acp::InitializeRequest::new(ProtocolVersion::V1)
            .client_capabilities(forms::client_capabilities(self.client_tools))
            .client_info(client);
        self.ask(
            Purpose::Initialize,
            AGENT_METHOD_NAMES.initialize,
            request,
            &mut out,
        );
        out
    }

    /// The MCP servers that the agent can reach; where it needs that, through this program.
    fn passed_servers(&self, mut servers: Vec<McpServer>) -> Vec<acp::McpServer> {
        servers.retain(|server| self.capabilities.reaches(&server.transport));
        let relay = self.client.program.as_deref();
        let relay = relay.filter(|_| self.relays_servers);
        servers
            .into_iter()
            .map(|server| match relay {
                Some(program) => mcp_relay::through(server, program),
                None => server,
            })
            .map(forms::mcp_server)
            .collect()
    }

    /// Says what the hub wants said.
    pub fn send(&mut self, message: AgentMessage) -> Output {
        let mut out = Output::default();
        match message {
            AgentMessage::NewSession {
                session,
                cwd,
                mcp_servers,
            } => {
                let servers = self.passed_servers(mcp_servers);
                let request = acp::NewSessionRequest::new(path(&cwd)).mcp_servers(servers);
                self.new_session(session, request, &mut out);
            }
            AgentMessage::LoadSession {
                session,
                id,
                cwd,
                mcp_servers,
            } => {
                let servers = self.passed_servers(mcp_servers);
                let request = acp::LoadSessionRequest::new(session_id(&id), path(&cwd));
                self.load_session(session, id, request.mcp_servers(servers), &mut out);
            }
            AgentMessage::ResumeSession {
                session,
                id,
                cwd,
                mcp_servers,
            } => {
                let servers = self.passed_servers(mcp_servers);
                let request = acp::ResumeSessionRequest::new(session_id(&id), path(&cwd));
                self.resume_session(session, id, request.mcp_servers(servers), &mut out);
            }
            AgentMessage::CloseSession { session } => {
                self.drop_requests(session, &mut out);
                if let Some(id) = self.sessions.forget(session) {
                    self.close(session, &id, &mut out);
                }
            }
            AgentMessage::ListSessions => self.list_sessions(Vec::new(), 1, None, &mut out),
            AgentMessage::Prompt {
                session,
                turn,
                prompt,
            } => self.prompt(session, turn, prompt, &mut out),
            AgentMessage::Cancel { session } => self.cancel(session, &mut out),
            AgentMessage::AnswerPermission {
                session: _,
                request,
                outcome,
                message,
            } => self.answer_permission(&request, outcome, message, &mut out),
            AgentMessage::AnswerClient {
                session: _,
                request,
                result,
            } => self.answer_client(&request, result, &mut out),
            AgentMessage::SetMode { session, mode } => {
                self.set_mode(session, mode.as_str(), &mut out);
            }
            AgentMessage::SetModel { session, model } => {
                self.set_model(session, model.as_str(), &mut out);
            }
            AgentMessage::SetConfigOption {
                session,
                option,
                value,
            } => self.set_config_option(session, option.as_str(), value, &mut out),
            AgentMessage::Authenticate { method } => {
                let request = acp::AuthenticateRequest::new(method.as_str().to_owned());
                let purpose = Purpose::Authenticate { given_up: false };
                self.ask(purpose, AGENT_METHOD_NAMES.authenticate, request, &mut out);
            }
            AgentMessage::CancelAuthenticate => self.give_up_sign_in(&mut out),
            AgentMessage::AnswerQuestion {
                request, answer, ..
            } => self.answer_question(&request, answer, &mut out),
            // Nothing of the kind is offered in this dialect.
            AgentMessage::QueryMcp { .. }
            | AgentMessage::ReconnectMcp { .. }
            | AgentMessage::SetMcpServers { .. } => {}
        }
        out
    }

    pub(super) fn list_sessions(
        &mut self,
        found: Vec<ListedSession>,
        page: u32,
        cursor: Option<String>,
        out: &mut Output,
    ) {
        let request = acp::ListSessionsRequest::new().cursor(cursor);
        let purpose = Purpose::ListSessions { found, page };
        self.ask(purpose, AGENT_METHOD_NAMES.session_list, request, out);
    }

    /// Tells the agent that a session is closed, if it cares.
    pub(super) fn close(&mut self, session: SessionKey, id: &AgentSessionId, out: &mut Output) {
        if self.capabilities.close_session {
            let request = acp::CloseSessionRequest::new(session_id(id));
            let purpose = Purpose::CloseSession { session };
            self.ask(purpose, AGENT_METHOD_NAMES.session_close, request, out);
        }
    }

    fn ask(&mut self, purpose: Purpose, method: &str, params: impl Serialize, out: &mut Output) {
        let id = self.waiting.begin(purpose);
        out.frames.push(rpc::request(id, method, params));
    }

    fn open(
        &mut self,
        session: SessionKey,
        id: Option<AgentSessionId>,
        method: &str,
        params: impl Serialize,
        out: &mut Output,
    ) {
        let purpose = Purpose::Open {
            session,
            id: id.as_ref().map(ToString::to_string),
        };
        self.sessions.begin(session, id);
        self.ask(purpose, method, params, out);
    }

    fn new_session(&mut self, key: SessionKey, request: acp::NewSessionRequest, out: &mut Output) {
        self.open(key, None, AGENT_METHOD_NAMES.session_new, request, out);
    }

    fn load_session(
        &mut self,
        key: SessionKey,
        id: AgentSessionId,
        request: acp::LoadSessionRequest,
        out: &mut Output,
    ) {
        let method = AGENT_METHOD_NAMES.session_load;
        self.open(key, Some(id), method, request, out);
    }

    fn resume_session(
        &mut self,
        key: SessionKey,
        id: AgentSessionId,
        request: acp::ResumeSessionRequest,
        out: &mut Output,
    ) {
        let method = AGENT_METHOD_NAMES.session_resume;
        self.open(key, Some(id), method, request, out);
    }

    fn cancel(&mut self, session: SessionKey, out: &mut Output) {
        if let Some(id) = self.sessions.id(session) {
            let params = acp::CancelNotification::new(session_id(&id));
            let method = AGENT_METHOD_NAMES.session_cancel;
            out.frames.push(rpc::notification(method, params));
        }
    }

    fn prompt(&mut self, session: SessionKey, turn: TurnId, prompt: Prompt, out: &mut Output) {
        let Some(id) = self.sessions.id(session) else {
            let result = TurnResult::Failed(no_such_session());
            out.session(session, SessionEvent::TurnEnded { turn, result });
            return;
        };
        let blocks = forms::prompt_blocks(prompt, &self.capabilities);
        let request = acp::PromptRequest::new(session_id(&id), blocks);
        let purpose = Purpose::Prompt { session, turn };
        self.ask(purpose, AGENT_METHOD_NAMES.session_prompt, request, out);
    }

    fn choose<P: Serialize>(
        &mut self,
        session: SessionKey,
        choice: PendingChoice,
        method: &str,
        params: impl FnOnce(acp::SessionId) -> P,
        out: &mut Output,
    ) {
        match self.sessions.id(session) {
            Some(id) => {
                let params = params(session_id(&id));
                self.ask(Purpose::Choose { session, choice }, method, params, out);
            }
            None => out.session(
                session,
                SessionEvent::ChoiceAnswered {
                    choice,
                    result: Err(no_such_session()),
                },
            ),
        }
    }

    fn set_mode(&mut self, session: SessionKey, mode: &str, out: &mut Output) {
        let choice = PendingChoice::Mode(mode.to_owned());
        let params = |id| acp::SetSessionModeRequest::new(id, mode.to_owned());
        let method = AGENT_METHOD_NAMES.session_set_mode;
        self.choose(session, choice, method, params, out);
    }

    fn set_model(&mut self, session: SessionKey, model: &str, out: &mut Output) {
        let choice = PendingChoice::Model(model.to_owned());
        let params = |id: acp::SessionId| SetModel {
            session_id: id.0,
            model_id: model,
        };
        self.choose(session, choice, SESSION_SET_MODEL, params, out);
    }

    fn set_config_option(
        &mut self,
        session: SessionKey,
        option: &str,
        value: ConfigSetting,
        out: &mut Output,
    ) {
        let (text, value) = match value {
            ConfigSetting::Choice(choice) => {
                let value = acp::SessionConfigOptionValue::value_id(choice.clone());
                (choice, value)
            }
            ConfigSetting::Boolean(on) => {
                (on.to_string(), acp::SessionConfigOptionValue::boolean(on))
            }
        };
        let choice = PendingChoice::Option {
            id: option.to_owned(),
            value: text,
        };
        let params = |id| acp::SetSessionConfigOptionRequest::new(id, option.to_owned(), value);
        let method = AGENT_METHOD_NAMES.session_set_config_option;
        self.choose(session, choice, method, params, out);
    }

    fn give_up_sign_in(&mut self, out: &mut Output) {
        for (id, purpose) in self.waiting.open_mut() {
            if let Purpose::Authenticate { given_up } = purpose
                && !*given_up
            {
                *given_up = true;
                let id = acp::RequestId::Number(id.try_into().unwrap_or(i64::MAX));
                let params = acp::CancelRequestNotification::new(id);
                let method = PROTOCOL_LEVEL_METHOD_NAMES.cancel_request;
                out.frames.push(rpc::notification(method, params));
            }
        }
    }
}

fn session_id(id: &AgentSessionId) -> acp::SessionId {
    acp::SessionId::new(id.as_str())
}

/// A path as text: JSON has no other.
fn path(path: &Path) -> PathBuf {
    PathBuf::from(path.to_string_lossy().into_owned())
}

fn no_such_session() -> RpcError {
    RpcError {
        code: rpc::INVALID_PARAMS,
        message: "The agent knows no such session".to_owned(),
        data: None,
    }
}
