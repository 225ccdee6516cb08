//! Any frame as a tool call: named at once, and talk alone never establishes a name.
#![no_main]

use agent_panel::core::identity::shape::CallShape;
use agent_panel::core::identity::{IdentityContext, identify};
use agent_panel::core::ids::ToolCallId;
use agent_panel::core::time::Timestamp;
use agent_panel::core::tool_call::{ToolCall, ToolCallPatch, ToolKind};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|input: (&str, &str, &str, &str, u8)| {
    let (id, title, name, json, kind) = input;
    let context = IdentityContext {
        servers: vec![
            "unity-ops".to_owned(),
            "other".to_owned(),
            "a_b".to_owned(),
            "a".to_owned(),
        ],
        ops_server: "unity-ops".to_owned(),
        shape: CallShape::default(),
    };
    let kinds = [
        ToolKind::Other,
        ToolKind::Read,
        ToolKind::Edit,
        ToolKind::Execute,
        ToolKind::SwitchMode,
    ];
    let parsed: Option<Value> = serde_json::from_str(json).ok();
    let patch = |name: Option<&str>, input: Option<Value>, meta: Option<Value>| ToolCallPatch {
        title: Some(title.to_owned()),
        name: name.map(str::to_owned),
        kind: kinds.get(usize::from(kind) % kinds.len()).copied(),
        raw_input: input.map(Into::into),
        meta: meta.map(Into::into),
        ..ToolCallPatch::default()
    };
    let named = |id: &str, patch: ToolCallPatch| {
        let mut call = ToolCall::placeholder(ToolCallId::from(id), Timestamp(0));
        call.apply(patch, Timestamp(0));
        identify(&call, &context)
    };
    let first = named(id, patch(Some(name), parsed.clone(), parsed.clone()));
    let second = named(id, patch(None, parsed.clone(), None));
    drop(first.refined(second));
    assert!(!named("call_1", patch(None, None, parsed)).is_established());
});
