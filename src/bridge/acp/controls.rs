//! What an agent lets the person choose: modes, models, configuration options, commands; and plans.

use serde_json::value::RawValue;

use crate::bridge::json::{self, Object};
use crate::bridge::quirks;
use crate::core::controls::{
    AvailableCommand, ConfigChoice, ConfigOption, ConfigValue, Mode, Model, Models, Modes,
};
use crate::core::ids::{ConfigId, ModeId, ModelId};
use crate::core::plan::{PlanEntry, PlanEntryPriority, PlanEntryStatus};

/// The `modes` of an answer.
pub(super) fn modes(state: &Object<'_>) -> Option<Modes> {
    let available: Vec<_> = state
        .objects("availableModes")
        .unwrap_or_default()
        .iter()
        .filter_map(|mode| {
            let id = mode.text("id")?;
            Some(Mode {
                name: mode.text("name").unwrap_or_else(|| id.clone()),
                description: description(mode),
                id: ModeId::from(id),
            })
        })
        .collect();
    let first = || available.first().map(|mode| mode.id.clone());
    let current = state.text("currentModeId").map(ModeId::from);
    Some(Modes {
        current: current.or_else(first)?,
        available,
    })
}

/// The `models` of an answer. The stable schema has lost them; agents go on sending them.
pub(super) fn models(state: &Object<'_>) -> Option<Models> {
    let available: Vec<_> = state
        .objects("availableModels")
        .unwrap_or_default()
        .iter()
        .filter_map(|model| {
            let id = model.text("modelId")?;
            Some(Model {
                name: model.text("name").unwrap_or_else(|| id.clone()),
                description: description(model),
                context_window: model
                    .object("_meta")
                    .as_ref()
                    .and_then(quirks::context_window),
                id: ModelId::from(id),
            })
        })
        .collect();
    let first = || available.first().map(|model| model.id.clone());
    let current = state.text("currentModelId").map(ModelId::from);
    Some(Models {
        current: current.or_else(first)?,
        available,
    })
}

/// A list of `configOptions`; an option of a kind we don't know is left out.
pub(super) fn config_options(list: &RawValue) -> Vec<ConfigOption> {
    let items = json::items(list).unwrap_or_default();
    items
        .into_iter()
        .filter_map(Object::of)
        .filter_map(|option| config_option(&option))
        .collect()
}

fn config_option(option: &Object<'_>) -> Option<ConfigOption> {
    let id = option.text("id")?;
    let on = option.flag("currentValue");
    let kind = option.str("type");
    let value = match (kind.as_deref(), on) {
        (Some("boolean"), on) => ConfigValue::Boolean {
            current: on.unwrap_or_default(),
        },
        (None, Some(current)) => ConfigValue::Boolean { current },
        (Some("select") | None, None) => ConfigValue::Select {
            current: option.text("currentValue").unwrap_or_default(),
            choices: choices(&option.objects("options")?),
        },
        (Some(_), _) => return None,
    };
    Some(ConfigOption {
        name: option.text("name").unwrap_or_else(|| id.clone()),
        description: description(option),
        category: option.text("category"),
        id: ConfigId::from(id),
        value,
    })
}

/// Choices, which may stand in groups.
fn choices(items: &[Object<'_>]) -> Vec<ConfigChoice> {
    let mut choices = Vec::new();
    for item in items {
        if let Some(group) = item.objects("options") {
            let heading = item.text("name").or_else(|| item.text("group"));
            choices.extend(
                group
                    .iter()
                    .filter_map(|item| choice(item, heading.clone())),
            );
        } else {
            choices.extend(choice(item, None));
        }
    }
    choices
}

fn choice(item: &Object<'_>, group: Option<String>) -> Option<ConfigChoice> {
    let value = item.text("value")?;
    Some(ConfigChoice {
        name: item.text("name").unwrap_or_else(|| value.clone()),
        description: description(item),
        group,
        value,
    })
}

/// The commands of an `available_commands_update`.
pub(super) fn commands(update: &Object<'_>) -> Option<Vec<AvailableCommand>> {
    let commands = update.objects("availableCommands")?;
    let read = |command: &Object<'_>| {
        Some(AvailableCommand {
            name: command.text("name")?,
            description: command.text("description").unwrap_or_default(),
            hint: command
                .object("input")
                .and_then(|input| input.text("hint"))
                .filter(|hint| !hint.is_empty()),
        })
    };
    Some(commands.iter().filter_map(read).collect())
}

/// The entries of a plan. One whose words we don't know is still an entry.
pub(super) fn plan_entries(plan: &Object<'_>) -> Option<Vec<PlanEntry>> {
    let entries = plan.objects("entries")?;
    let read = |entry: &Object<'_>| {
        Some(PlanEntry {
            content: entry.text("content")?,
            status: match entry.str("status").as_deref() {
                Some("pending") => PlanEntryStatus::Pending,
                Some("in_progress") => PlanEntryStatus::InProgress,
                Some("completed") => PlanEntryStatus::Completed,
                Some(_) | None => PlanEntryStatus::Unknown,
            },
            priority: match entry.str("priority").as_deref() {
                Some("high") => PlanEntryPriority::High,
                Some("medium") => PlanEntryPriority::Medium,
                Some("low") => PlanEntryPriority::Low,
                Some(_) | None => PlanEntryPriority::Unknown,
            },
        })
    };
    Some(entries.iter().filter_map(read).collect())
}

fn description(object: &Object<'_>) -> Option<String> {
    object
        .text("description")
        .filter(|description| !description.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn select(current: &str, choices: &[(&str, &str, Option<&str>)]) -> ConfigValue {
        let choices = choices
            .iter()
            .map(|(value, name, group)| ConfigChoice {
                value: (*value).to_owned(),
                name: (*name).to_owned(),
                description: None,
                group: group.map(str::to_owned),
            })
            .collect();
        ConfigValue::Select {
            current: current.to_owned(),
            choices,
        }
    }

    #[test]
    fn options() {
        let cases = [
            (
                json!({"id": "m", "name": "Model", "type": "select", "currentValue": "a", "options": [
                    {"value": "a", "name": "A", "description": null}, {"name": "no value"}, 7, {"value": "b"},
                ]}),
                Some(select("a", &[("a", "A", None), ("b", "b", None)])),
            ),
            (
                json!({"id": "m", "type": "select", "currentValue": "a", "options": [
                    {"group": "g", "name": "Group", "options": [{"value": "a", "name": "A"}]},
                    {"group": "h", "options": [{"value": "b", "name": "B"}]},
                ]}),
                Some(select(
                    "a",
                    &[("a", "A", Some("Group")), ("b", "B", Some("h"))],
                )),
            ),
            (
                json!({"id": "f", "type": "boolean", "currentValue": true}),
                Some(ConfigValue::Boolean { current: true }),
            ),
            (
                json!({"id": "f", "currentValue": false}),
                Some(ConfigValue::Boolean { current: false }),
            ),
            (
                json!({"id": "m", "currentValue": "a", "options": []}),
                Some(select("a", &[])),
            ),
            (json!({"id": "d", "type": "dial", "currentValue": 3}), None),
            (
                json!({"id": "d", "type": "select", "currentValue": "a"}),
                None,
            ),
            (
                json!({"name": "no id", "type": "boolean", "currentValue": true}),
                None,
            ),
            (json!("odd"), None),
        ];
        for (wire, expected) in cases {
            let list = RawValue::from_string(json!([wire]).to_string()).unwrap();
            let found: Vec<_> = config_options(&list)
                .into_iter()
                .map(|option| option.value)
                .collect();
            assert_eq!(found, Vec::from_iter(expected), "{wire}");
        }
    }

    fn with<T>(value: &Value, read: impl Fn(&Object<'_>) -> T) -> T {
        read(&Object::parse(&value.to_string()).unwrap())
    }

    #[test]
    fn models_and_modes_of_odd_forms() {
        let state = json!({"availableModels": [{"modelId": "a", "_meta": {"totalContextTokens": 5}}, {"name": "x"}]});
        let read = with(&state, models).unwrap();
        assert_eq!(read.current, ModelId::from("a"));
        assert_eq!(read.available.len(), 1);
        assert_eq!(read.available[0].context_window, Some(5));
        assert_eq!(with(&json!({"availableModels": []}), models), None);
        assert_eq!(with(&json!({}), modes), None);
        let state = json!({"currentModeId": "hidden", "availableModes": [{"id": "a", "name": "A", "description": ""}]});
        let read = with(&state, modes).unwrap();
        assert_eq!(read.current, ModeId::from("hidden"));
        assert_eq!(read.available[0].description, None);
    }

    #[test]
    fn commands_and_entries_of_odd_forms() {
        let update = json!({"availableCommands": [
            {"name": "a", "description": "A", "input": {"hint": "what"}}, {"description": "no name"},
            {"name": "b", "input": null}, {"name": "c", "input": {"hint": ""}},
        ]});
        let read = with(&update, commands).unwrap();
        let short: Vec<_> = read
            .iter()
            .map(|c| (c.name.as_str(), c.hint.as_deref()))
            .collect();
        assert_eq!(short, [("a", Some("what")), ("b", None), ("c", None)]);

        let plan = json!({"entries": [{"content": "step 1", "priority": "urgent!!", "status": "dreaming"}, {"content": 7}]});
        let expected = PlanEntry {
            content: "step 1".to_owned(),
            status: PlanEntryStatus::Unknown,
            priority: PlanEntryPriority::Unknown,
        };
        assert_eq!(with(&plan, plan_entries), Some(vec![expected]));
        assert_eq!(with(&json!({}), plan_entries), None);
    }
}
