//! Grok Build: no `agentInfo`, kinds of tools and context windows in `_meta`, and subagents in sessions of
//! their own on the same connection.

pub(super) mod plan;
pub(super) mod questions;
mod servers;

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{Child, News};
use crate::bridge::acp::tool_calls;
use crate::bridge::json::{self, Object};
use crate::core::backend::{AgentCapabilities, AgentInfo};
use crate::core::event::SessionEvent;
use crate::core::identity::shape::MetaPath;
use crate::core::ids::{ModelId, SessionKey, ToolCallId};
use crate::core::kept_json::KeptJson;
use crate::core::tool_call::{Subagent, ToolCallPatch, ToolKind};

/// The name we give it, as it gives none.
pub(super) const NAME: &str = "grok";

const TOOL: &str = "x.ai/tool";

/// How many calls that start subagents are remembered.
const REMEMBERED_CALLS: usize = 64;

pub(super) fn agent_info(meta: &Object<'_>) -> Option<AgentInfo> {
    meta.flag("grokShell").filter(|is_grok| *is_grok)?;
    Some(AgentInfo {
        name: NAME.to_owned(),
        title: Some("Grok".to_owned()),
        version: meta.text("agentVersion").unwrap_or_default(),
    })
}

pub(super) fn context_window(meta: &Object<'_>) -> Option<u64> {
    meta.number("totalContextTokens")
}

pub(super) const TOOL_NAME: MetaPath = &[TOOL, "name"];

/// The first frame of a call has no `kind`. Of its own finer list only the protocol's words are taken.
pub(super) fn tool_kind(meta: &Map<String, Value>) -> Option<ToolKind> {
    let kind = tool_calls::kind(meta.get(TOOL)?.get("kind")?.as_str()?);
    (kind != ToolKind::Other).then_some(kind)
}

/// A refusal can say what to do instead.
pub(super) fn correct_capabilities(capabilities: &mut AgentCapabilities) {
    capabilities.reject_message = true;
}

pub(super) fn refusal_meta(message: String) -> Map<String, Value> {
    let mut meta = Map::new();
    meta.insert("followup_message".to_owned(), Value::String(message));
    meta
}

/// The output of a command stands in its result as text and as a list of bytes.
pub(super) fn lighter(raw_output: &RawValue) -> KeptJson {
    if !raw_output.get().contains("output_for_prompt") {
        return KeptJson::from_raw(raw_output);
    }
    let mut raw_output = json::value(raw_output);
    if let Value::Object(result) = &mut raw_output
        && result.contains_key("output_for_prompt")
        && result.get("output").is_some_and(Value::is_array)
    {
        result.remove("output");
    }
    raw_output.into()
}

/// What has to be remembered of a connection.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    subagents: Subagents,
    servers: servers::Servers,
}

impl Memory {
    pub(super) fn saw_tool_call(
        &mut self,
        session: SessionKey,
        id: &ToolCallId,
        patch: &ToolCallPatch,
    ) {
        self.subagents.saw_tool_call(session, id, patch);
    }

    /// What a notification of Grok's own means.
    pub(super) fn news(
        &mut self,
        method: &str,
        params: &Object<'_>,
        session_of: impl Fn(&str) -> Option<SessionKey>,
    ) -> Option<News> {
        let servers = self.servers.news(method, params, &session_of);
        servers.or_else(|| self.subagents.news(method, params, &session_of))
    }
}

/// The calls that start subagents, and the subagents at work.
#[derive(Debug, Default)]
struct Subagents {
    /// Calls whose subagent was not announced yet, with their descriptions.
    calls: BTreeMap<(SessionKey, ToolCallId), String>,
    /// The calls of the subagents at work, by the names of their sessions.
    at_work: BTreeMap<String, (SessionKey, ToolCallId)>,
}

impl Subagents {
    fn saw_tool_call(&mut self, session: SessionKey, id: &ToolCallId, patch: &ToolCallPatch) {
        let key = (session, id.clone());
        if patch.status.is_some_and(|status| !status.is_open()) {
            self.calls.remove(&key);
            return;
        }
        let meta = patch.meta.as_ref().map(KeptJson::value);
        let kind = meta.as_ref().and_then(|meta| meta.get(TOOL)?.get("kind"));
        let is_task = kind.and_then(Value::as_str) == Some("task");
        let input = patch.raw_input.as_ref().map(KeptJson::value);
        let description = input
            .as_ref()
            .and_then(|input| input.get("description")?.as_str());
        if let Some(description) = description
            && is_task
            && self.calls.len() < REMEMBERED_CALLS
        {
            self.calls.insert(key, description.to_owned());
        }
    }

    fn news(
        &mut self,
        method: &str,
        params: &Object<'_>,
        session_of: impl Fn(&str) -> Option<SessionKey>,
    ) -> Option<News> {
        if method != "_x.ai/session_notification" {
            return None;
        }
        let session = session_of(&params.str("sessionId")?)?;
        let update = params.object("update")?;
        match &*update.str("sessionUpdate")? {
            "subagent_spawned" => self.spawned(session, &update),
            "subagent_finished" => self.finished(&update),
            "model_changed" => Some(News {
                session,
                child: None,
                event: Some(SessionEvent::ModelChanged(ModelId::from(
                    update.text("model_id")?,
                ))),
            }),
            _ => None,
        }
    }

    /// The call that a subagent works on is the one that was described in the same words.
    fn spawned(&mut self, session: SessionKey, update: &Object<'_>) -> Option<News> {
        let id = update.text("child_session_id")?;
        let description = update.str("description").unwrap_or_default();
        let call = self.take_call(session, &description);
        if let Some(call) = &call
            && self.at_work.len() < REMEMBERED_CALLS
        {
            self.at_work.insert(id.clone(), (session, call.clone()));
        }
        let event = call.clone().map(|call| {
            let subagent = Subagent {
                kind: update.text("subagent_type"),
                state: Some("running".to_owned()),
                ..Subagent::default()
            };
            patched(call, subagent)
        });
        Some(News {
            session,
            child: Some(Child { id, call }),
            event,
        })
    }

    fn finished(&mut self, update: &Object<'_>) -> Option<News> {
        let (session, call) = self.at_work.remove(&*update.str("child_session_id")?)?;
        let subagent = Subagent {
            state: update.text("status"),
            total_tokens: update.number("tokens_used"),
            tool_uses: update.number("tool_calls"),
            summary: update.text("output"),
            ..Subagent::default()
        };
        Some(News {
            session,
            child: None,
            event: Some(patched(call, subagent)),
        })
    }

    fn take_call(&mut self, session: SessionKey, description: &str) -> Option<ToolCallId> {
        let key = self
            .calls
            .iter()
            .find(|((of, _), words)| *of == session && *words == description)
            .map(|(key, _)| key.clone())?;
        self.calls.remove(&key);
        Some(key.1)
    }
}

fn patched(id: ToolCallId, subagent: Subagent) -> SessionEvent {
    let patch = ToolCallPatch {
        subagent: Some(subagent),
        ..ToolCallPatch::default()
    };
    SessionEvent::ToolCallPatched {
        id,
        patch: Box::new(patch),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::core::tool_call::ToolCallStatus;

    const KEY: SessionKey = SessionKey(1);

    fn task(description: &str) -> ToolCallPatch {
        ToolCallPatch {
            raw_input: Some(json!({"variant": "Task", "description": description}).into()),
            meta: Some(json!({TOOL: {"name": "spawn_subagent", "kind": "task"}}).into()),
            ..ToolCallPatch::default()
        }
    }

    fn news(subagents: &mut Subagents, update: &Value) -> Option<News> {
        let params = json!({"sessionId": "p", "update": update}).to_string();
        let params = Object::parse(&params).unwrap();
        subagents.news("_x.ai/session_notification", &params, |id| {
            (id == "p").then_some(KEY)
        })
    }

    fn spawned(subagents: &mut Subagents, child: &str, description: &str) -> Option<ToolCallId> {
        let update = json!({
            "sessionUpdate": "subagent_spawned", "parent_session_id": "p", "child_session_id": child,
            "subagent_type": "general-purpose", "description": description,
        });
        news(subagents, &update).unwrap().child.unwrap().call
    }

    #[test]
    fn a_subagent_belongs_to_the_call_with_its_description() {
        let mut subagents = Subagents::default();
        subagents.saw_tool_call(KEY, &"a".into(), &task("Say hello"));
        subagents.saw_tool_call(KEY, &"b".into(), &task("Look around"));
        subagents.saw_tool_call(SessionKey(2), &"c".into(), &task("Look around"));
        assert_eq!(
            spawned(&mut subagents, "c1", "Look around"),
            Some("b".into())
        );
        assert_eq!(spawned(&mut subagents, "c2", "Look around"), None);
        let done = ToolCallPatch {
            status: Some(ToolCallStatus::Completed),
            ..ToolCallPatch::default()
        };
        subagents.saw_tool_call(KEY, &"a".into(), &done);
        assert_eq!(spawned(&mut subagents, "c3", "Say hello"), None);

        let finished = |child: &str| {
            json!({
                "sessionUpdate": "subagent_finished", "child_session_id": child, "status": "completed",
                "tool_calls": 2, "tokens_used": 1840, "output": "Done",
            })
        };
        let expected = Subagent {
            state: Some("completed".to_owned()),
            total_tokens: Some(1840),
            tool_uses: Some(2),
            summary: Some("Done".to_owned()),
            ..Subagent::default()
        };
        let found = news(&mut subagents, &finished("c1")).unwrap();
        assert_eq!(found.event, Some(patched("b".into(), expected)));
        assert_eq!(news(&mut subagents, &finished("c1")), None);
        assert_eq!(news(&mut subagents, &finished("c2")), None);
    }

    #[test]
    fn the_model_is_told_apart() {
        let update = json!({"sessionUpdate": "model_changed", "model_id": "grok-4.5"});
        let found = news(&mut Subagents::default(), &update).unwrap();
        assert_eq!(
            found.event,
            Some(SessionEvent::ModelChanged("grok-4.5".into()))
        );
        let other = json!({"sessionUpdate": "retry_state", "type": "failed"});
        assert_eq!(news(&mut Subagents::default(), &other), None);
    }

    #[test]
    fn the_output_of_a_command_is_kept_once() {
        let bash = json!({"type": "Bash", "output": [104, 105], "output_for_prompt": "hi", "exit_code": 0});
        let kept = json!({"type": "Bash", "output_for_prompt": "hi", "exit_code": 0});
        let lighter = |output: &Value| {
            let raw = serde_json::value::to_raw_value(output).unwrap();
            lighter(&raw).value().into_owned()
        };
        assert_eq!(lighter(&bash), kept);
        let mcp = json!({"type": "MCP", "output": {"OkayOutput": "pong"}});
        assert_eq!(lighter(&mcp), mcp);
    }

    #[test]
    fn who_it_is_and_what_it_calls_things() {
        let meta = Object::parse(r#"{"grokShell":true,"agentVersion":"1.0.6"}"#).unwrap();
        assert_eq!(
            agent_info(&meta).map(|agent| agent.version).as_deref(),
            Some("1.0.6")
        );
        assert_eq!(agent_info(&Object::default()), None);
        let cases = [
            ("execute", Some(ToolKind::Execute)),
            ("use_tool", None),
            ("list_dir", None),
        ];
        for (kind, expected) in cases {
            let meta = json!({TOOL: {"name": "n", "kind": kind}});
            let meta = meta.as_object().unwrap();
            assert_eq!(tool_kind(meta), expected, "{kind}");
        }
    }
}
