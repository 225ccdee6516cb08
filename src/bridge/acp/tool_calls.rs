//! Tool calls: what a frame says of one, as a patch. A present field replaces, an absent one or `null` keeps.

use serde_json::{Map, Value};

use super::content;
use crate::bridge::json::{self, Object};
use crate::bridge::quirks;
use crate::core::identity::shape::CallShape;
use crate::core::ids::{OptionId, ToolCallId};
use crate::core::kept_json::KeptJson;
use crate::core::permission::{PermissionOption, PermissionOptionKind};
use crate::core::tool_call::{ToolCallLocation, ToolCallPatch, ToolCallStatus, ToolKind};

/// The `_meta` members in which agents send what a terminal prints; more of it each time.
const OUTPUT_MEMBERS: [&str; 2] = ["terminal_output", "terminal_output_delta"];

/// The id of the call that a frame is about.
pub(crate) fn id(frame: &Object<'_>) -> Option<ToolCallId> {
    let raw = frame.raw("toolCallId")?;
    let number = || {
        serde_json::from_str::<i64>(raw.get())
            .ok()
            .map(|number| number.to_string())
    };
    let id = json::text(raw)
        .map(std::borrow::Cow::into_owned)
        .or_else(number)?;
    (!id.is_empty()).then(|| ToolCallId::from(id))
}

/// What a frame says of its call. `shape` tells where this agent puts the tool's name.
pub(crate) fn patch(frame: &Object<'_>, shape: &CallShape) -> ToolCallPatch {
    let mut meta = match frame.value("_meta") {
        Some(Value::Object(meta)) => meta,
        Some(_) | None => Map::new(),
    };
    let append_output = take_output(&mut meta);
    let raw_input = frame.raw("rawInput").map(KeptJson::from_raw);
    let content = frame.raw("content").map(content::tool_contents);
    ToolCallPatch {
        // Qwen Code writes a call's arguments as its title; those of a tool without any are none.
        title: frame.text("title").filter(|title| title.trim() != "{}"),
        name: frame.text("name").or_else(|| name_in_meta(&meta, shape)),
        kind: frame
            .str("kind")
            .map(|word| kind(&word))
            .or_else(|| quirks::tool_kind(&meta)),
        status: frame.str("status").and_then(|word| status(&word)),
        content: content.filter(|content| !quirks::only_describes(content, raw_input.as_ref())),
        locations: locations(frame),
        raw_input,
        raw_output: frame.raw("rawOutput").map(quirks::lighter),
        parent: quirks::parent_call(&meta),
        subagent: None,
        meta: (!meta.is_empty()).then(|| Value::Object(meta).into()),
        append_output,
    }
}

/// The options of a permission request, in the agent's order. One without an id can't be answered.
pub(crate) fn permission_options(request: &Object<'_>) -> Vec<PermissionOption> {
    let read = |option: &Object<'_>| {
        let id = option.text("optionId")?;
        Some(PermissionOption {
            name: option.text("name").unwrap_or_else(|| id.clone()),
            kind: match option.str("kind").as_deref() {
                Some("allow_once") => PermissionOptionKind::AllowOnce,
                Some("allow_always") => PermissionOptionKind::AllowAlways,
                Some("reject_once") => PermissionOptionKind::RejectOnce,
                Some("reject_always") => PermissionOptionKind::RejectAlways,
                Some(_) | None => PermissionOptionKind::Unknown,
            },
            scope: None,
            id: OptionId::from(id),
        })
    };
    let options = request.objects("options").unwrap_or_default();
    options.iter().filter_map(read).collect()
}

/// A word we don't know is a call like any other.
pub(crate) fn kind(word: &str) -> ToolKind {
    match word {
        "read" => ToolKind::Read,
        "edit" => ToolKind::Edit,
        "delete" => ToolKind::Delete,
        "move" => ToolKind::Move,
        "search" => ToolKind::Search,
        "execute" => ToolKind::Execute,
        "think" => ToolKind::Think,
        "fetch" => ToolKind::Fetch,
        "switch_mode" => ToolKind::SwitchMode,
        _ => ToolKind::Other,
    }
}

/// A word we don't know says nothing, and least of all that the call starts anew.
fn status(word: &str) -> Option<ToolCallStatus> {
    match word {
        "pending" => Some(ToolCallStatus::Pending),
        "in_progress" => Some(ToolCallStatus::InProgress),
        "completed" => Some(ToolCallStatus::Completed),
        "failed" => Some(ToolCallStatus::Failed),
        _ => None,
    }
}

fn locations(frame: &Object<'_>) -> Option<Vec<ToolCallLocation>> {
    let locations = frame.objects("locations")?;
    let read = |location: &Object<'_>| {
        let line = location.number("line");
        Some(ToolCallLocation {
            path: location.text("path")?,
            line: line.and_then(|line| u32::try_from(line).ok()),
        })
    };
    Some(locations.iter().filter_map(read).collect())
}

fn name_in_meta(meta: &Map<String, Value>, shape: &CallShape) -> Option<String> {
    let (first, rest) = shape.meta_name?.split_first()?;
    let name = rest
        .iter()
        .try_fold(meta.get(*first)?, |value, key| value.get(*key))?;
    name.as_str().map(str::to_owned)
}

/// The output that stands in `_meta` only; taken out of it, as it is kept as output.
fn take_output(meta: &mut Map<String, Value>) -> Option<String> {
    let mut output = String::new();
    for name in OUTPUT_MEMBERS {
        let data = meta.get_mut(name).and_then(|member| member.get_mut("data"));
        if let Some(Value::String(text)) = data {
            output.push_str(text);
            meta.remove(name);
        }
    }
    (!output.is_empty()).then_some(output)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::core::identity::shape::MetaPath;
    use crate::core::tool_call::ToolCallContent;

    fn read(frame: &Value) -> ToolCallPatch {
        patch(
            &Object::parse(&frame.to_string()).unwrap(),
            &CallShape::default(),
        )
    }

    fn text(text: &str) -> ToolCallContent {
        ToolCallContent::Text(text.to_owned())
    }

    #[test]
    fn a_name_in_meta_is_one_only_where_the_agent_is_known_to_put_it() {
        let frame =
            json!({"title": "{}", "_meta": {"toolName": "ping", "vendor": {"name": "pong"}}});
        let frame = frame.to_string();
        let frame = Object::parse(&frame).unwrap();
        let named = |meta_name: Option<MetaPath>| {
            let shape = CallShape {
                meta_name,
                ..CallShape::default()
            };
            patch(&frame, &shape).name
        };
        assert_eq!(named(None), None);
        assert_eq!(named(Some(&["toolName"])).as_deref(), Some("ping"));
        assert_eq!(named(Some(&["vendor", "name"])).as_deref(), Some("pong"));
        assert_eq!(named(Some(&["vendor"])), None);
        assert_eq!(named(Some(&[])), None);
    }

    #[test]
    fn arguments_that_are_empty_are_no_title() {
        for (title, expected) in [
            ("{}", None),
            (" {} ", None),
            ("{\"a\":1}", Some("{\"a\":1}")),
        ] {
            let shown = read(&json!({"title": title})).title;
            assert_eq!(shown.as_deref(), expected, "{title}");
        }
    }

    #[test]
    fn patches() {
        let none = ToolCallPatch::default;
        let cases = [
            (json!({}), none()),
            (
                json!({"title": null, "kind": null, "status": null, "content": null, "rawInput": null, "_meta": null}),
                none(),
            ),
            (
                json!({"title": 7, "name": [], "kind": {}, "status": 3, "locations": "x", "_meta": false}),
                none(),
            ),
            (json!({"status": "warming_up"}), none()),
            (
                json!({"status": "in_progress"}),
                ToolCallPatch {
                    status: Some(ToolCallStatus::InProgress),
                    ..none()
                },
            ),
            (
                json!({"kind": "teleport"}),
                ToolCallPatch {
                    kind: Some(ToolKind::Other),
                    ..none()
                },
            ),
            (
                json!({"kind": "switch_mode"}),
                ToolCallPatch {
                    kind: Some(ToolKind::SwitchMode),
                    ..none()
                },
            ),
            (
                json!({"content": []}),
                ToolCallPatch {
                    content: Some(vec![]),
                    ..none()
                },
            ),
            (
                json!({"locations": []}),
                ToolCallPatch {
                    locations: Some(vec![]),
                    ..none()
                },
            ),
            (
                json!({"locations": [{"path": "/a", "line": 3}, {"path": "/b", "line": null}, {"line": 1}, {"path": "/c", "line": -1}]}),
                ToolCallPatch {
                    locations: Some(
                        [("/a", Some(3)), ("/b", None), ("/c", None)]
                            .map(|(path, line)| ToolCallLocation {
                                path: path.to_owned(),
                                line,
                            })
                            .to_vec(),
                    ),
                    ..none()
                },
            ),
            (
                json!({"rawInput": {}, "rawOutput": "text", "_meta": {"a": 1}}),
                ToolCallPatch {
                    raw_input: Some(json!({}).into()),
                    raw_output: Some(json!("text").into()),
                    meta: Some(json!({"a": 1}).into()),
                    ..none()
                },
            ),
        ];
        for (wire, expected) in cases {
            assert_eq!(read(&wire), expected, "{wire}");
        }
    }

    #[test]
    fn output_in_meta_is_appended_and_not_kept_twice() {
        let cases = [
            (
                json!({"terminal_output": {"terminal_id": "t", "data": "a\n"}}),
                Some("a\n"),
                None,
            ),
            (
                json!({"terminal_output_delta": {"data": "b", "terminal_id": "t"}}),
                Some("b"),
                None,
            ),
            (
                json!({"terminal_output": {"data": "(no output)"}, "terminal_exit": {"exit_code": 0}}),
                Some("(no output)"),
                Some(json!({"terminal_exit": {"exit_code": 0}})),
            ),
            (json!({"terminal_output": {"data": ""}}), None, None),
            (
                json!({"terminal_output": 7}),
                None,
                Some(json!({"terminal_output": 7})),
            ),
        ];
        for (meta, output, kept) in cases {
            let patch = read(&json!({"_meta": meta}));
            assert_eq!(patch.append_output.as_deref(), output, "{meta}");
            assert_eq!(patch.meta, kept.map(KeptJson::from), "{meta}");
        }
    }

    #[test]
    fn arguments_that_an_agent_sends_as_content_stay_content() {
        let patch = read(&json!({
            "title": "uap_ping (unity-ops MCP Server)",
            "content": [{"type": "content", "content": {"type": "text", "text": "{\"message\":\"hello\"}"}}],
        }));
        assert_eq!(patch.content, Some(vec![text("{\"message\":\"hello\"}")]));
        assert_eq!(patch.raw_input, None);
    }

    #[test]
    fn ids() {
        let cases = [
            (json!({"toolCallId": "t1"}), Some("t1")),
            (json!({"toolCallId": 7}), Some("7")),
            (json!({"toolCallId": ""}), None),
            (json!({"toolCallId": null}), None),
            (json!({}), None),
        ];
        for (wire, expected) in cases {
            let found = id(&Object::parse(&wire.to_string()).unwrap());
            assert_eq!(found, expected.map(ToolCallId::from), "{wire}");
        }
    }

    #[test]
    fn options_keep_their_order_and_an_odd_kind_means_nothing() {
        let request = json!({"options": [
            {"optionId": "m", "name": "Maybe", "kind": "maybe_later"}, {"name": "no id", "kind": "allow_once"},
            {"optionId": "n", "kind": "reject_once"}, {"optionId": "x", "name": "X"}, "odd",
        ]});
        let options = permission_options(&Object::parse(&request.to_string()).unwrap());
        let short: Vec<_> = options
            .iter()
            .map(|option| {
                (
                    option.id.as_str(),
                    option.name.as_str(),
                    option.kind.clone(),
                )
            })
            .collect();
        let expected = [
            ("m", "Maybe", PermissionOptionKind::Unknown),
            ("n", "n", PermissionOptionKind::RejectOnce),
            ("x", "X", PermissionOptionKind::Unknown),
        ];
        assert_eq!(short, expected);
    }
}
