//! What a permission is asked for: the exact command, path, address or input.

use serde_json::Value;

use crate::core::identity::ToolName;
use crate::core::permission::PermissionRequest;
use crate::core::tool_call::{ToolCall, ToolCallContent, ToolKind};

const COMMAND_KEYS: [&str; 4] = ["command", "cmd", "commandLine", "script"];
const PATH_KEYS: [&str; 8] = [
    "file_path",
    "filePath",
    "filepath",
    "path",
    "abs_path",
    "absolute_path",
    "notebook_path",
    "uri",
];
const URL_KEYS: [&str; 3] = ["url", "uri", "urls"];
const QUERY_KEYS: [&str; 3] = ["query", "pattern", "q"];

/// The exact thing that a request asks for. For a tool of an MCP server these are its own arguments, out of what the
/// agent wraps them in.
pub fn of_request(request: &PermissionRequest) -> Option<String> {
    let identity = &request.identity;
    let is_mcp = matches!(identity.name, ToolName::Mcp { .. }) && identity.is_established();
    let own = identity.arguments.as_ref().filter(|_| is_mcp);
    match own {
        Some(arguments) if is_empty(arguments) => None,
        Some(arguments) => Some(arguments.to_string()),
        None => subject(&request.tool_call),
    }
}

/// The exact thing that is asked for, one to a line; `None` where the call does not say.
pub fn subject(call: &ToolCall) -> Option<String> {
    let by_kind = match call.kind {
        ToolKind::Execute => command(call),
        ToolKind::Read | ToolKind::Edit | ToolKind::Delete | ToolKind::Move => paths(call),
        ToolKind::Fetch => text_of(call, &URL_KEYS),
        ToolKind::Search => text_of(call, &QUERY_KEYS).or_else(|| paths(call)),
        ToolKind::Think | ToolKind::SwitchMode | ToolKind::Other => None,
    };
    by_kind
        .or_else(|| command(call))
        .or_else(|| input(call))
        .or_else(|| paths(call))
}

/// The whole input as it came, to be read in detail.
pub fn pretty_input(call: &ToolCall) -> Option<String> {
    let input = call.input().filter(|input| !is_empty(input))?;
    serde_json::to_string_pretty(&*input).ok()
}

fn command(call: &ToolCall) -> Option<String> {
    let input = call.input()?;
    COMMAND_KEYS.iter().find_map(|key| match input.get(key)? {
        Value::String(command) => Some(command.clone()).filter(|command| !command.is_empty()),
        Value::Array(words) => {
            let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
            words
                .filter(|words| !words.is_empty())
                .map(|words| joined(&words))
        }
        _ => None,
    })
}

/// Words as one would have to type them, so that `["rm", "a b"]` can be told from `["rm", "a", "b"]`.
fn joined(words: &[&str]) -> String {
    let quoted = words.iter().map(|word| {
        let is_plain = !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_alphanumeric() || "-_./=:@%+,".contains(c));
        if is_plain {
            (*word).to_owned()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

fn paths(call: &ToolCall) -> Option<String> {
    let mut paths: Vec<String> = text_of(call, &PATH_KEYS).into_iter().collect();
    paths.extend(call.locations.iter().map(|location| location.path.clone()));
    let diffs = call.content.iter().filter_map(|content| match content {
        ToolCallContent::Diff(diff) => Some(diff.path.clone()),
        _ => None,
    });
    paths.extend(diffs);
    // One file is often named several times, as a part of the other's path as well.
    let mut named: Vec<String> = Vec::new();
    for path in paths {
        let is_known = named.iter().any(|known| {
            *known == path
                || known.ends_with(&format!("/{path}"))
                || known.ends_with(&format!("\\{path}"))
        });
        if !is_known && !path.is_empty() {
            named.retain(|known| !path.ends_with(&format!("/{known}")));
            named.push(path);
        }
    }
    (!named.is_empty()).then(|| named.join("\n"))
}

fn text_of(call: &ToolCall, keys: &[&str]) -> Option<String> {
    let input = call.input()?;
    keys.iter().find_map(|key| match input.get(key)? {
        Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        Value::Array(texts) => {
            let texts: Option<Vec<&str>> = texts.iter().map(Value::as_str).collect();
            texts
                .filter(|texts| !texts.is_empty())
                .map(|texts| texts.join("\n"))
        }
        _ => None,
    })
}

fn input(call: &ToolCall) -> Option<String> {
    let input = call.input().filter(|input| !is_empty(input))?;
    Some(match &*input {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    })
}

fn is_empty(input: &Value) -> bool {
    match input {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::core::tool_call::ToolCallLocation;

    #[test]
    fn subjects_of_real_agents() {
        let cases = [
            (
                ToolKind::Execute,
                json!({"command": "echo hi > out.txt", "description": "Writes hi"}),
                Some("echo hi > out.txt"),
            ),
            (
                ToolKind::Execute,
                json!({"command": ["/bin/bash", "-lc", "echo 'hi' > out.txt"], "cwd": "/p"}),
                Some(r"/bin/bash -lc 'echo '\''hi'\'' > out.txt'"),
            ),
            (
                ToolKind::Edit,
                json!({"file_path": "/p/notes.md", "content": "text"}),
                Some("/p/notes.md"),
            ),
            (
                ToolKind::Other,
                json!({"path": "Assets/Rock.prefab", "force": true}),
                Some(r#"{"path":"Assets/Rock.prefab","force":true}"#),
            ),
            (
                ToolKind::Fetch,
                json!({"url": "http://a.example/x"}),
                Some("http://a.example/x"),
            ),
            (
                ToolKind::Search,
                json!({"pattern": "fn main"}),
                Some("fn main"),
            ),
            (ToolKind::Other, json!({}), None),
            (ToolKind::Execute, json!(null), None),
        ];
        for (kind, input, expected) in cases {
            let subject = subject(&ToolCall::given(kind, input.clone()));
            assert_eq!(subject.as_deref(), expected, "{input}");
        }
    }

    #[test]
    fn a_file_is_named_once() {
        let mut call = ToolCall::given(ToolKind::Edit, json!({"file_path": "notes.md"}));
        call.locations.push(ToolCallLocation {
            path: "/p/notes.md".to_owned(),
            line: None,
        });
        assert_eq!(subject(&call).as_deref(), Some("/p/notes.md"));
    }

    #[test]
    fn every_file_is_named() {
        let mut call = ToolCall::given(ToolKind::Edit, json!(null));
        for path in ["/p/a.txt", "/p/b.txt"] {
            call.locations.push(ToolCallLocation {
                path: path.to_owned(),
                line: None,
            });
        }
        assert_eq!(subject(&call).as_deref(), Some("/p/a.txt\n/p/b.txt"));
    }
}
