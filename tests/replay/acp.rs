//! What an agent that speaks ACP sent, held against what the hub shows.

use std::collections::BTreeMap;

use agent_panel::bridge::script::{Recording, Role};
use agent_panel::core::hub::AgentHub;
use agent_panel::core::session::Session;
use agent_panel::core::transcript::BlockContent;
use serde_json::Value;

use crate::without_spaces;

/// What the agent sent in its sessions and the hub does not show.
pub(crate) fn lost(run: &Recording, hub: &AgentHub) -> Vec<String> {
    let mut lost = sessions_not_open(run, hub);
    let mut texts: BTreeMap<(&str, &str), String> = BTreeMap::new();
    for step in run.steps.iter().filter(|step| !step.role.is_from_client()) {
        let session = step.param("sessionId").and_then(Value::as_str);
        let Some(session) = session.filter(|session| is_open(hub, session)) else {
            continue;
        };
        let update = step.param("update");
        let text_at = |place: &str| update.and_then(|update| update.pointer(place)?.as_str());
        let kind = text_at("/sessionUpdate").unwrap_or_default();
        let text = text_at("/content/text").unwrap_or_default();
        // Gemini says so in a message instead of a `current_mode_update`.
        let is_mode = text.starts_with("[MODE_UPDATE] ");
        if matches!(kind, "agent_message_chunk" | "agent_thought_chunk") && !is_mode {
            texts.entry((session, kind)).or_default().push_str(text);
        }
        let asked = step
            .param("toolCall")
            .and_then(|call| call.pointer("/toolCallId")?.as_str());
        if let Some(call) = text_at("/toolCallId").or(asked)
            && !shows_call(hub, session, call)
        {
            lost.push(format!("tool call {call}"));
        }
    }
    for ((session, kind), sent) in texts {
        let shown = shown_text(hub, session, kind);
        if without_spaces(&sent) != without_spaces(&shown) {
            lost.push(format!(
                "{kind} of {session}:\n sent  {sent:?}\n shown {shown:?}"
            ));
        }
    }
    lost
}

/// Sessions that the recorded client opened and ours did not, where agent and client understand each other at all.
fn sessions_not_open(run: &Recording, hub: &AgentHub) -> Vec<String> {
    let results: Vec<_> = run
        .steps
        .iter()
        .filter_map(|step| step.frame.get("result"))
        .collect();
    let version = results
        .iter()
        .find_map(|result| result.get("protocolVersion"));
    if version.is_some_and(|version| *version != 1) {
        return Vec::new();
    }
    let new = |method: &str| method == "session/new";
    let opened = run.steps.iter().filter_map(|step| match &step.role {
        Role::AgentAnswer { request } => {
            let request = run.steps.get((*request)?)?;
            matches!(&request.role, Role::ClientRequest { method } if new(method)).then_some(step)
        }
        _ => None,
    });
    opened
        .filter_map(|step| step.frame.pointer("/result/sessionId")?.as_str())
        .filter(|session| !is_open(hub, session))
        .map(|session| format!("session {session}"))
        .collect()
}

fn is_open(hub: &AgentHub, session: &str) -> bool {
    sessions(hub, session).next().is_some()
}

fn sessions<'a>(hub: &'a AgentHub, id: &'a str) -> impl Iterator<Item = &'a Session> {
    hub.sessions().filter(move |session| {
        session
            .agent_session()
            .is_some_and(|own| own.as_str() == id)
    })
}

fn shown_text(hub: &AgentHub, session: &str, kind: &str) -> String {
    let blocks = sessions(hub, session).flat_map(|session| session.transcript().blocks());
    let text = blocks.filter_map(|block| match (&block.content, kind) {
        (
            BlockContent::AgentMessage(message) | BlockContent::Abandoned(message),
            "agent_message_chunk",
        )
        | (BlockContent::Thought(message), "agent_thought_chunk") => Some(message.text.as_str()),
        _ => None,
    });
    text.collect()
}

fn shows_call(hub: &AgentHub, session: &str, call: &str) -> bool {
    let mut blocks = sessions(hub, session).flat_map(|session| session.transcript().blocks());
    blocks.any(|block| matches!(&block.content, BlockContent::ToolCall(shown) if shown.id.as_str() == call))
}
