//! The founding note's vectors, and what today's agents add to them.

use serde_json::{Value, json};

use super::names::{IdExtent, own_tool, title_as_name};
use super::shape::{CallShape, FirstTitle};
use super::*;
use crate::core::ids::ToolCallId;
use crate::core::time::Timestamp;
use crate::core::tool_call::{Diff, ToolCallContent, ToolCallPatch, ToolCallStatus, ToolKind};

const OPS: &str = "unity-ops";

fn context(shape: CallShape) -> IdentityContext {
    IdentityContext {
        servers: vec![OPS.to_owned(), "other".to_owned()],
        ops_server: OPS.to_owned(),
        shape,
    }
}

fn call(kind: ToolKind, title: &str, input: Value) -> ToolCall {
    let mut call = ToolCall::placeholder(ToolCallId::from("call_1"), Timestamp(0));
    call.announced = true;
    call.apply(
        ToolCallPatch {
            title: Some(title.to_owned()),
            kind: Some(kind),
            raw_input: (!input.is_null()).then_some(input.into()),
            ..ToolCallPatch::default()
        },
        Timestamp(0),
    );
    call
}

fn name_of(call: &ToolCall) -> String {
    identify(call, &context(CallShape::default()))
        .name
        .canonical()
}

#[test]
fn an_own_tool_is_read_from_the_leading_token_only() {
    let cases = [
        ("uap_scene_create_object", Some("uap_scene_create_object")),
        (
            "uap_scene_create_object (unity-ops MCP Server)",
            Some("uap_scene_create_object"),
        ),
        ("unity-ops__uap_ping", Some("uap_ping")),
        ("mcp__unity-ops__uap_ping", Some("uap_ping")),
        ("mcp.unity-ops.uap_ping", Some("uap_ping")),
        ("other-server__uap_ping", None),
        ("mcp.other.uap_ping", None),
        ("Call uap_prefab_apply_overrides now", None),
        ("Search tools: \"uap_ping\"", None),
        ("uap_ping;rm", None),
        ("xuap_no", None),
        ("uap_", None),
        ("", None),
    ];
    for (text, expected) in cases {
        let tool = own_tool(text, IdExtent::LeadingToken, OPS);
        assert_eq!(tool.as_deref(), expected, "{text}");
    }
    for (text, expected) in [
        ("unity-ops__uap_ping", Some("uap_ping")),
        ("uap_ping and more", None),
    ] {
        let tool = own_tool(text, IdExtent::Whole, OPS);
        assert_eq!(tool.as_deref(), expected, "{text}");
    }
}

#[test]
fn a_title_stands_for_a_name_only_in_a_shape_that_no_known_tool_has() {
    for (title, expected) in [
        ("search_tool", Some("search_tool")),
        ("X search:", Some("X search:")),
        ("  Generate image \n second line", Some("Generate image")),
        ("Write", None),
        ("AskUserQuestion", None),
        ("mcp__unity-ops__uap_ping", None),
        ("MCP__unity-ops__uap_ping", None),
        ("", None),
    ] {
        assert_eq!(title_as_name(title).as_deref(), expected, "{title}");
    }
    let long = "an image of ".repeat(9);
    let name = title_as_name(&long).expect("a title");
    assert_eq!(name.chars().count(), 48);
    assert!(name.ends_with("..."));
}

/// Kind, title, input and the name they make.
fn vectors() -> Vec<(ToolKind, &'static str, Value, &'static str)> {
    use ToolKind::{Execute, Other, Search};
    let remove = "uap_ping && rm -rf Assets";
    let property_set = "mcp__unity-ops__uap_property_set";
    let create_object = "mcp__unity-ops__uap_scene_create_object";
    let none = Value::Null;
    vec![
        (
            Execute,
            "MCP tool",
            json!({"tool": "uap_property_set"}),
            property_set,
        ),
        (Execute, remove, json!({"command": remove}), "Bash"),
        (Execute, remove, none, "Bash"),
        (
            Execute,
            "Run command",
            json!({"command": "rm -rf Assets", "tool": "uap_ping"}),
            "Bash",
        ),
        (
            Execute,
            "mcp.evil.uap_ping",
            json!({"server": "evil", "tool": "uap_ping"}),
            "mcp__evil__uap_ping",
        ),
        (
            Other,
            "uap_scene_create_object (unity-ops MCP Server)",
            json!({"name": "Cube"}),
            create_object,
        ),
        (
            Other,
            "use_tool",
            json!({"tool_name": "unity-ops__uap_property_set", "tool_input": {"target": "Cube"}}),
            property_set,
        ),
        (
            Other,
            "search_tool",
            json!({"query": "uap_ping", "limit": 5}),
            "search_tool",
        ),
        (Search, "X search:", json!({"variant": "XSearch"}), "Search"),
        (
            Execute,
            "mcp.unity-ops.uap_property_set",
            json!({"server": "unity-ops", "tool": "uap_property_set", "arguments": {}}),
            property_set,
        ),
        (
            Execute,
            "echo hi > out.txt",
            json!({"command": "echo hi > out.txt", "cwd": "/home/user"}),
            "Bash",
        ),
        (
            Execute,
            "mcp.blender.render",
            json!({"server": "blender", "tool": "render"}),
            "mcp__blender__render",
        ),
        (
            Other,
            "unity-ops__uap_ping",
            json!({"variant": "UseTool", "tool_name": "unity-ops__uap_ping", "tool_input": {}}),
            "mcp__unity-ops__uap_ping",
        ),
        (
            Other,
            "uap_scene_create_object (unity-ops MCP Server)",
            json!({"tool": "uap_ping"}),
            create_object,
        ),
    ]
}

#[test]
fn the_kind_names_a_call_that_says_nothing_else() {
    for (kind, expected) in [
        (ToolKind::Read, "Read"),
        (ToolKind::Edit, "Edit"),
        (ToolKind::Delete, "Delete"),
        (ToolKind::Move, "Move"),
        (ToolKind::Search, "Search"),
        (ToolKind::Execute, "Bash"),
        (ToolKind::Fetch, "WebFetch"),
        (ToolKind::Think, "Think"),
        (ToolKind::SwitchMode, "ExitPlanMode"),
        (ToolKind::Other, "Tool"),
    ] {
        assert_eq!(name_of(&call(kind, "anything", Value::Null)), expected);
    }
}

#[test]
fn the_vectors_of_the_founding_note() {
    for (kind, title, input, expected) in vectors() {
        let call = call(kind, title, input);
        assert_eq!(name_of(&call), expected, "{kind:?} {title}");
    }
}

#[test]
fn a_missing_kind_is_taken_from_the_finer_one() {
    let mut call = call(
        ToolKind::Other,
        "run_terminal_command",
        json!({"command": "echo uap_ping"}),
    );
    call.meta =
        Some(json!({"x.ai/tool": {"name": "run_terminal_command", "kind": "execute"}}).into());
    assert_eq!(name_of(&call), "Bash");
    call.raw_input = None;
    assert_eq!(name_of(&call), "Bash");
    call.meta = Some(json!({"x.ai/tool": {"kind": "use_tool"}}).into());
    assert_eq!(name_of(&call), "run_terminal_command");
}

#[test]
fn arguments_come_out_of_the_wrapping_of_a_dispatcher() {
    let grok = call(
        ToolKind::Other,
        "use_tool",
        json!({"tool_name": "unity-ops__uap_property_set", "tool_input": {"target": "Cube"}}),
    );
    let codex = call(
        ToolKind::Execute,
        "mcp.other.echo",
        json!({"server": "other", "tool": "echo", "arguments": {"text": "a"}}),
    );
    let context = context(CallShape::default());
    assert_eq!(
        identify(&grok, &context).arguments,
        Some(json!({"target": "Cube"}))
    );
    assert_eq!(
        identify(&codex, &context).arguments,
        Some(json!({"text": "a"}))
    );
}

/// One frame of each recorded agent: its shape, what it says, and what we make of it.
#[test]
fn the_shapes_of_todays_agents() {
    let titled = CallShape {
        first_title: FirstTitle::ToolName,
        ..CallShape::default()
    };
    let ping = "mcp__unity-ops__uap_ping";
    let call = |id: &str, title: &str, name: Option<&str>, meta: Value, input: Value| {
        let mut call = call(ToolKind::Other, title, input);
        call.id = ToolCallId::from(id);
        call.name = name.map(str::to_owned);
        call.meta = (!meta.is_null()).then_some(meta.into());
        call
    };
    let cases = [
        (
            CallShape::default(),
            call("toolu_1", ping, Some(ping), Value::Null, json!({})),
            ping,
        ),
        (
            CallShape::default(),
            call(
                "mcp_unity-ops_uap_ping__mcp_unity-ops_uap_ping_1796023191137_0",
                "uap_ping (unity-ops MCP Server)",
                None,
                Value::Null,
                Value::Null,
            ),
            ping,
        ),
        (
            titled.clone(),
            call("call_1", "unity-ops_uap_ping", None, Value::Null, json!({})),
            ping,
        ),
        (
            titled,
            call("call_1", "other/echo", None, Value::Null, json!({})),
            "mcp__other__echo",
        ),
        (
            CallShape::default(),
            call(
                "call_1",
                "{}",
                Some(ping),
                json!({"toolName": ping}),
                json!({}),
            ),
            ping,
        ),
        (
            CallShape::default(),
            call(
                "effect-1",
                "mcp_unity_ops.uap_ping",
                Some("mcp_unity_ops.uap_ping"),
                json!({"tool_name": "mcp_unity_ops.uap_ping"}),
                json!({"message": "hello"}),
            ),
            ping,
        ),
    ];
    for (shape, call, expected) in cases {
        let identity = identify(&call, &context(shape));
        assert_eq!(identity.name.canonical(), expected, "{}", call.title);
        assert_eq!(identity.source, IdentitySource::IdentifierField);
        assert!(identity.is_established(), "{}", call.title);
    }
}

#[test]
fn a_shell_call_stays_one_whatever_it_claims() {
    for (kind, title, input) in [
        (
            ToolKind::Read,
            "Read README.md",
            json!({"command": "rm -rf ./src"}),
        ),
        (
            ToolKind::Other,
            "uap_ping",
            json!({"command": "uap_ping && rm -rf /"}),
        ),
        (ToolKind::Other, "uap_ping", json!({"script": "uap_ping"})),
        (
            ToolKind::Other,
            "unity-ops__uap_ping",
            json!({"command": ["bash", "-lc", "ls"], "tool_name": "unity-ops__uap_ping", "tool_input": {}}),
        ),
    ] {
        assert_eq!(name_of(&call(kind, title, input)), "Bash", "{title}");
    }
    let mut named = call(ToolKind::Other, "x", json!({"command": "ls"}));
    named.name = Some("mcp__unity-ops__uap_ping".to_owned());
    let identity = identify(&named, &context(CallShape::default()));
    assert_eq!(identity.name, ToolName::Bash);
    assert!(!identity.is_established());
    assert_eq!(identity.readings().len(), 2);
}

#[test]
fn hints_that_disagree_leave_doubt_and_both_readings() {
    let context = context(CallShape::default());
    let mut other_title = call(
        ToolKind::Other,
        "unity-ops__uap_asset_delete",
        json!({"tool_name": "unity-ops__uap_ping", "tool_input": {}}),
    );
    let readings = identify(&other_title, &context).readings().to_vec();
    let tools: Vec<_> = readings.iter().map(ToolName::canonical).collect();
    assert_eq!(
        tools,
        [
            "mcp__unity-ops__uap_ping",
            "mcp__unity-ops__uap_asset_delete"
        ]
    );

    other_title.title = "unity-ops__uap_ping".to_owned();
    other_title.meta = Some(json!({"toolName": "run_shell_command"}).into());
    assert!(!identify(&other_title, &context).is_established());

    let mut file = call(ToolKind::Edit, "uap_ping", json!({"file_path": "uap_ping"}));
    file.name = Some("edit".to_owned());
    let identity = identify(&file, &context);
    assert_eq!(identity.name, ToolName::Edit);
    assert!(!identity.is_established());

    let mut claims_to_read = call(ToolKind::Read, "README.md", Value::Null);
    claims_to_read.content = vec![ToolCallContent::Diff(Diff {
        path: "a.rs".to_owned(),
        old_text: None,
        new_text: String::new(),
    })];
    let identity = identify(&claims_to_read, &context);
    assert_eq!(identity.readings(), [ToolName::Edit, ToolName::Read]);
}

#[test]
fn a_joined_name_is_cut_at_a_server_of_the_session_or_stays_in_doubt() {
    let with_servers = |servers: &[&str]| IdentityContext {
        servers: servers.iter().map(|&server| server.to_owned()).collect(),
        ops_server: OPS.to_owned(),
        shape: CallShape::default(),
    };
    let named = |name: &str, servers: &[&str]| {
        let mut call = call(ToolKind::Other, "", Value::Null);
        call.name = Some(name.to_owned());
        let identity = identify(&call, &with_servers(servers));
        let names: Vec<_> = identity
            .readings()
            .iter()
            .map(ToolName::to_string)
            .collect();
        names.join(" | ")
    };
    for (name, servers, expected) in [
        ("a_b_c", &["a"][..], "a: b_c"),
        ("a_b_c", &["a_b"], "a_b: c"),
        ("a_b_c", &["a", "a_b"], "a: b_c | a_b: c"),
        ("mcp_unity_ops.x", &["unity-ops"], "unity-ops: x"),
        (
            "mcp_unity_ops.x",
            &["unity-ops", "unity_ops"],
            "unity-ops: x | unity_ops: x",
        ),
        ("mcp__unity-ops__x", &["mcp", "unity-ops"], "unity-ops: x"),
        ("mcp__git__hub__x", &[], ""),
        ("mcp__github__issue", &[], "github: issue"),
        ("read_file", &["read"], "read: file | Read"),
        ("uap_ping", &["unity-ops"], "unity-ops: uap_ping | uap_ping"),
    ] {
        let expected = if expected.is_empty() {
            "Tool"
        } else {
            expected
        };
        assert_eq!(named(name, servers), expected, "{name} {servers:?}");
    }
}

#[test]
fn a_later_frame_can_refine_a_name_and_never_trade_trust_for_words() {
    let context = context(CallShape::default());
    let first = call(
        ToolKind::Execute,
        "mcp.unity-ops.uap_property_set",
        json!({"server": "unity-ops", "tool": "uap_property_set", "arguments": {"a": 1}}),
    );
    let known = identify(&first, &context);

    let bare = identify(&call(ToolKind::Execute, "", Value::Null), &context);
    let kept = known.clone().refined(bare);
    assert_eq!(kept.name.canonical(), "mcp__unity-ops__uap_property_set");
    assert_eq!(kept.arguments, Some(json!({"a": 1})));

    let shell = identify(
        &call(ToolKind::Execute, "", json!({"command": "ls"})),
        &context,
    );
    let doubtful = known.clone().refined(shell);
    assert_eq!(doubtful.name, ToolName::Bash);
    assert_eq!(doubtful.readings().len(), 2);

    let unknown = identify(&call(ToolKind::Other, "", Value::Null), &context);
    assert_eq!(unknown.clone().refined(known.clone()), known);
    let titled = identify(&call(ToolKind::Other, "uap_ping", Value::Null), &context);
    assert!(!unknown.refined(titled).is_established());
}

#[test]
fn a_name_from_talk_alone_is_never_established() {
    for (kind, title) in [
        (ToolKind::Other, "mcp__unity-ops__uap_ping"),
        (ToolKind::Other, "uap_ping (unity-ops MCP Server)"),
        (ToolKind::Read, "README.md"),
        (ToolKind::Other, "search_tool"),
        (ToolKind::Other, ""),
    ] {
        let identity = identify(
            &call(kind, title, Value::Null),
            &context(CallShape::default()),
        );
        assert!(!identity.is_established(), "{title}");
    }
}

#[test]
fn arguments_as_text_count_only_before_the_result_takes_their_place() {
    let id = "mcp_unity-ops_uap_ping__mcp_unity-ops_uap_ping_1796023191137_0";
    let mut call = ToolCall::placeholder(ToolCallId::from(id), Timestamp(0));
    call.content = vec![ToolCallContent::Text("{\"message\":\"hello\"}".to_owned())];
    let context = context(CallShape::default());
    assert_eq!(
        identify(&call, &context).arguments,
        Some(json!({"message": "hello"}))
    );
    call.status = ToolCallStatus::Completed;
    assert_eq!(identify(&call, &context).arguments, None);
}
