//! Grok Build: no `agentInfo`, kinds of tools and context windows in `_meta`, and subagents in sessions of
//! their own on the same connection.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Child;
use crate::bridge::acp::tool_calls;
use crate::bridge::json::Object;
use crate::core::backend::AgentInfo;
use crate::core::ids::{SessionKey, ToolCallId};
use crate::core::tool_call::{ToolCallPatch, ToolKind};

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

pub(super) fn tool_name(meta: &Map<String, Value>) -> Option<String> {
    meta.get(TOOL)?.get("name")?.as_str().map(str::to_owned)
}

/// The first frame of a call has no `kind`. Of its own finer list only the protocol's words are taken.
pub(super) fn tool_kind(meta: &Map<String, Value>) -> Option<ToolKind> {
    let kind = tool_calls::kind(meta.get(TOOL)?.get("kind")?.as_str()?);
    (kind != ToolKind::Other).then_some(kind)
}

/// The calls that start subagents, by their description, until their sessions are announced.
#[derive(Debug, Default)]
pub(crate) struct Subagents {
    calls: BTreeMap<(SessionKey, ToolCallId), String>,
}

impl Subagents {
    pub(super) fn saw_tool_call(
        &mut self,
        session: SessionKey,
        id: &ToolCallId,
        patch: &ToolCallPatch,
    ) {
        let key = (session, id.clone());
        if patch.status.is_some_and(|status| !status.is_open()) {
            self.calls.remove(&key);
            return;
        }
        let is_task = patch
            .meta
            .as_ref()
            .and_then(|meta| meta.get(TOOL)?.get("kind")?.as_str())
            == Some("task");
        let description = patch
            .raw_input
            .as_ref()
            .and_then(|input| input.get("description")?.as_str());
        if let Some(description) = description
            && is_task
            && self.calls.len() < REMEMBERED_CALLS
        {
            self.calls.insert(key, description.to_owned());
        }
    }

    /// `subagent_spawned` names both sessions; the call is the one that was described in the same words.
    pub(super) fn child(
        &mut self,
        method: &str,
        params: &Object<'_>,
        session_of: impl Fn(&str) -> Option<SessionKey>,
    ) -> Option<Child> {
        if method != "_x.ai/session_notification" {
            return None;
        }
        let update = params.object("update")?;
        if update.str("sessionUpdate")? != "subagent_spawned" {
            return None;
        }
        let parent_session = update.text("parent_session_id")?;
        let description = update.text("description").unwrap_or_default();
        let call = session_of(&parent_session).and_then(|key| self.take_call(key, &description));
        Some(Child {
            id: update.text("child_session_id")?,
            parent_session,
            call,
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::core::tool_call::ToolCallStatus;

    const KEY: SessionKey = SessionKey(1);

    fn task(description: &str) -> ToolCallPatch {
        ToolCallPatch {
            raw_input: Some(json!({"variant": "Task", "description": description})),
            meta: Some(json!({TOOL: {"name": "spawn_subagent", "kind": "task"}})),
            ..ToolCallPatch::default()
        }
    }

    fn spawned(subagents: &mut Subagents, description: &str) -> Option<Child> {
        let params = json!({"sessionId": "p", "update": {
            "sessionUpdate": "subagent_spawned", "parent_session_id": "p", "child_session_id": "c",
            "description": description,
        }})
        .to_string();
        subagents.child(
            "_x.ai/session_notification",
            &Object::parse(&params).unwrap(),
            |id| (id == "p").then_some(KEY),
        )
    }

    fn child(call: Option<&str>) -> Child {
        Child {
            id: "c".to_owned(),
            parent_session: "p".to_owned(),
            call: call.map(ToolCallId::from),
        }
    }

    #[test]
    fn a_subagent_belongs_to_the_call_with_its_description() {
        let mut subagents = Subagents::default();
        subagents.saw_tool_call(KEY, &"a".into(), &task("Say hello"));
        subagents.saw_tool_call(KEY, &"b".into(), &task("Look around"));
        subagents.saw_tool_call(SessionKey(2), &"c".into(), &task("Look around"));
        assert_eq!(
            spawned(&mut subagents, "Look around"),
            Some(child(Some("b")))
        );
        assert_eq!(spawned(&mut subagents, "Look around"), Some(child(None)));
        let done = ToolCallPatch {
            status: Some(ToolCallStatus::Completed),
            ..ToolCallPatch::default()
        };
        subagents.saw_tool_call(KEY, &"a".into(), &done);
        assert_eq!(spawned(&mut subagents, "Say hello"), Some(child(None)));
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
            assert_eq!(tool_name(meta).as_deref(), Some("n"));
        }
    }
}
