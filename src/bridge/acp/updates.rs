//! Session updates to events: one arm per kind. An update we don't know is passed on by name.

use serde_json::{Map, Value};

use super::{content, controls, tool_calls};
use crate::bridge::json::Object;
use crate::bridge::quirks;
use crate::core::event::SessionEvent;
use crate::core::identity::shape::CallShape;
use crate::core::ids::ModeId;
use crate::core::kept_json::KeptJson;
use crate::core::plan::{Plan, PlanEntry, PlanEntryPriority, PlanEntryStatus};
use crate::core::transcript::MessageKind;

/// The plans of a session by their ids; shown as one. The plan of `plan` updates has no id.
#[derive(Debug, Default)]
pub(super) struct Plans(Vec<(Option<String>, Vec<PlanEntry>)>);

/// What an update means. `None` when it says nothing that is shown or kept.
pub(super) fn session_event(
    word: &str,
    update: &Object<'_>,
    plans: &mut Plans,
    shape: &CallShape,
) -> Option<SessionEvent> {
    let unrecognized = || SessionEvent::Unrecognized {
        kind: word.to_owned(),
    };
    let event = match word {
        "user_message_chunk" => return chunk(MessageKind::User, word, update),
        "agent_message_chunk" => return chunk(MessageKind::Agent, word, update),
        "agent_thought_chunk" => return chunk(MessageKind::Thought, word, update),
        "tool_call" => tool_calls::id(update).map(|id| SessionEvent::ToolCallAnnounced {
            id,
            patch: Box::new(tool_calls::patch(update, shape)),
        }),
        "tool_call_update" => tool_calls::id(update).map(|id| SessionEvent::ToolCallPatched {
            id,
            patch: Box::new(tool_calls::patch(update, shape)),
        }),
        "plan" => controls::plan_entries(update).map(|entries| plans.replace(None, entries)),
        "plan_update" => update.object("plan").and_then(|plan| plans.update(&plan)),
        "plan_removed" => Some(plans.remove(update.text("planId").as_deref())),
        "available_commands_update" => {
            controls::commands(update).map(SessionEvent::CommandsReplaced)
        }
        "current_mode_update" => update
            .text("currentModeId")
            .map(|mode| SessionEvent::ModeChanged(ModeId::from(mode))),
        "config_option_update" => update
            .raw("configOptions")
            .map(controls::config_options)
            .map(SessionEvent::ConfigOptionsReplaced),
        // An update of the usage is read apart, as usage stands in other updates as well.
        "usage_update" => return None,
        "session_info_update" => return info(update),
        _ => None,
    };
    Some(event.unwrap_or_else(unrecognized))
}

fn chunk(kind: MessageKind, word: &str, update: &Object<'_>) -> Option<SessionEvent> {
    let Some(content) = update.raw("content") else {
        return Some(SessionEvent::Unrecognized {
            kind: word.to_owned(),
        });
    };
    if is_of_subagent(update) {
        return Some(SessionEvent::Unrecognized {
            kind: format!("subagent {word}"),
        });
    }
    content::chunk_event(
        kind,
        word,
        content::block(content),
        update.text("messageId"),
    )
}

/// Whether a message is part of a tool call, and so none of the session's own.
fn is_of_subagent(update: &Object<'_>) -> bool {
    match update.value("_meta") {
        Some(Value::Object(meta)) => quirks::parent_call(&meta).is_some(),
        Some(_) | None => false,
    }
}

/// A title; `null` takes it away. Other members of the update are the agent's own business.
fn info(update: &Object<'_>) -> Option<SessionEvent> {
    let cleared = || {
        update
            .raw_or_null("title")
            .filter(|title| title.get() == "null")
            .map(|_| String::new())
    };
    let title = update.text("title").or_else(cleared)?;
    Some(SessionEvent::InfoChanged { title: Some(title) })
}

impl Plans {
    fn update(&mut self, plan: &Object<'_>) -> Option<SessionEvent> {
        let id = plan.text("planId").or_else(|| plan.text("id"));
        let entries = controls::plan_entries(plan).or_else(|| {
            // A plan that is one text is shown as one entry.
            let entry = PlanEntry {
                content: plan.text("content")?,
                status: PlanEntryStatus::Unknown,
                priority: PlanEntryPriority::Unknown,
            };
            Some(vec![entry])
        })?;
        Some(self.replace(id, entries))
    }

    fn replace(&mut self, id: Option<String>, entries: Vec<PlanEntry>) -> SessionEvent {
        match self.0.iter_mut().find(|(known, _)| *known == id) {
            Some((_, known)) => *known = entries,
            None => self.0.push((id, entries)),
        }
        self.shown()
    }

    fn remove(&mut self, id: Option<&str>) -> SessionEvent {
        self.0.retain(|(known, _)| known.as_deref() != id);
        self.shown()
    }

    fn shown(&self) -> SessionEvent {
        let entries = self.0.iter().flat_map(|(_, entries)| entries.clone());
        SessionEvent::PlanReplaced(Plan {
            entries: entries.collect(),
        })
    }
}

/// The `_meta` of an object with the members of another one beside its own.
pub(super) fn with_meta(meta: Option<KeptJson>, more: Option<Value>) -> Option<KeptJson> {
    match (meta.as_ref().map(|own| own.value().into_owned()), more) {
        (Some(Value::Object(own)), Some(Value::Object(more))) => {
            let mut all: Map<String, Value> = more;
            all.extend(own);
            Some(Value::Object(all).into())
        }
        (_, more) => meta.or(more.map(KeptJson::from)),
    }
}
