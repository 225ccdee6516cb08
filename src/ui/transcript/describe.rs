//! What a tool call is called in one line: a name, and what it is about.

use std::path::Path;

use serde_json::Value;

use crate::core::tool_call::{Subagent, ToolCall, ToolCallContent, ToolKind};
use crate::i18n::I18n;
use crate::ui::transcript::plan_text;
use crate::ui::untrusted::one_line;

/// Longer summaries are cut before they are laid out.
const SUMMARY_CHARS_MOST: usize = 240;

/// A tool call in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    pub name: String,
    /// Empty when there is nothing to add to the name.
    pub summary: String,
    /// The summary is a command or a path.
    pub is_code: bool,
}

/// Describes a call. `cwd` is what paths are shown relative to.
pub fn describe(i18n: &I18n, call: &ToolCall, cwd: &Path) -> Description {
    let input = call.input();
    let input = input.as_deref();
    let asks = plan_text::in_input(call)
        .map(|plan| ("transcript.tool.plan", plan_text::first_line(&plan)))
        .or_else(|| Some(("transcript.tool.question", question(call, input)?)));
    if let Some((name, summary)) = asks {
        return Description {
            name: i18n.tr(name).to_owned(),
            summary: shortened(&one_line(&summary)),
            is_code: false,
        };
    }
    let title = one_line(call.title.trim().trim_matches('`'));
    let named = own_name(call, input, &title);
    let name = match (&named, kind_name(i18n, call.kind)) {
        (Some(name), _) => name.clone(),
        (None, Some(kind)) => kind.to_owned(),
        (None, None) if !title.is_empty() => title.clone(),
        (None, None) => i18n.tr("transcript.tool").to_owned(),
    };
    let subject = subject(call, input, cwd, named.is_some());
    let is_code = subject.is_some();
    let summary = subject.unwrap_or_else(|| without_kind(&title, &name, named.is_some()));
    Description {
        name,
        summary: shortened(&summary),
        is_code,
    }
}

/// What a call asks the person: the first of its questions.
fn question(call: &ToolCall, input: Option<&Value>) -> Option<String> {
    let is_plain = matches!(call.kind, ToolKind::Other | ToolKind::Think);
    let first = input
        .filter(|_| is_plain)?
        .get("questions")?
        .as_array()?
        .first()?;
    let text = first.get("question")?.as_str()?;
    (!text.trim().is_empty()).then(|| text.to_owned())
}

/// The name of a tool that is none of the protocol's kinds, or of an MCP server.
fn own_name(call: &ToolCall, input: Option<&Value>, title: &str) -> Option<String> {
    let named = input
        .filter(|input| input.get("server").is_some())
        .and_then(|input| input.get("tool"));
    if let Some(tool) = named.and_then(Value::as_str) {
        return Some(one_line(tool));
    }
    let title = title.strip_prefix("Tool: ").unwrap_or(title);
    // Some agents put the arguments where others put a title.
    let title = match &call.name {
        Some(name) if title.starts_with('{') => name,
        Some(_) | None => title,
    };
    let mcp = ["mcp__", "mcp.", "mcp_"]
        .iter()
        .find_map(|prefix| title.strip_prefix(prefix));
    let is_id = |text: &str| {
        !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "{}\"".contains(c))
    };
    if let Some(rest) = mcp.filter(|rest| is_id(rest)) {
        let tool = rest.split_once("__").or_else(|| rest.split_once('.'));
        return Some(tool.map_or(rest, |(_, tool)| tool).to_owned());
    }
    if call.kind != ToolKind::Other {
        return None;
    }
    // `server/tool`, and `tool (server MCP Server)`.
    if let Some((tool, _)) = title
        .split_once(" (")
        .filter(|(tool, rest)| is_id(tool) && rest.contains("MCP"))
    {
        return Some(tool.to_owned());
    }
    let tool = title
        .rsplit_once('/')
        .map(|(_, tool)| tool)
        .filter(|tool| is_id(tool) && is_id(title));
    tool.map(str::to_owned)
}

fn kind_name(i18n: &I18n, kind: ToolKind) -> Option<&str> {
    let key = match kind {
        ToolKind::Read => "transcript.tool.kind.read",
        ToolKind::Edit => "transcript.tool.kind.edit",
        ToolKind::Delete => "transcript.tool.kind.delete",
        ToolKind::Move => "transcript.tool.kind.move",
        ToolKind::Search => "transcript.tool.kind.search",
        ToolKind::Execute => "transcript.tool.kind.execute",
        ToolKind::Fetch => "transcript.tool.kind.fetch",
        ToolKind::SwitchMode => "transcript.tool.kind.switch_mode",
        ToolKind::Think | ToolKind::Other => return None,
    };
    Some(i18n.tr(key))
}

/// The command, path, pattern or address that a call is about.
fn subject(call: &ToolCall, input: Option<&Value>, cwd: &Path, is_named: bool) -> Option<String> {
    match call.kind {
        ToolKind::Execute if !is_named => command_in(input),
        ToolKind::Read | ToolKind::Edit | ToolKind::Delete | ToolKind::Move => path(call, input)
            .map(|path| format!("{}{}", relative(&path, cwd), range(call.kind, input))),
        ToolKind::Search => text_of(input, &["pattern", "query", "regex", "glob"]),
        ToolKind::Fetch => text_of(input, &["url", "uri"]).map(|url| host(&url)),
        ToolKind::Think | ToolKind::SwitchMode => None,
        ToolKind::Execute | ToolKind::Other => {
            let path = text_of(input, &PATHS).map(|path| relative(&path, cwd));
            let input = input.and_then(|input| input.get("arguments").or(Some(input)));
            path.or_else(|| {
                text_of(
                    input,
                    &[
                        "command",
                        "path",
                        "pattern",
                        "query",
                        "url",
                        "description",
                        "message",
                    ],
                )
            })
        }
    }
    .map(|subject| one_line(&subject))
    .filter(|subject| !subject.is_empty())
}

const PATHS: [&str; 7] = [
    "file_path",
    "path",
    "filePath",
    "target_file",
    "absolute_path",
    "notebook_path",
    "file",
];

/// The command of a call that runs one, as it was given.
pub fn command(call: &ToolCall) -> Option<String> {
    command_in(call.input().as_deref())
}

fn command_in(input: Option<&Value>) -> Option<String> {
    let words = input
        .and_then(|input| input.get("command"))
        .and_then(Value::as_array);
    let joined = words.map(|words| {
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        // `bash -lc "…"` is how agents wrap what they mean.
        match words.as_slice() {
            [shell, flag, script] if shell.ends_with("sh") && flag.starts_with('-') => {
                (*script).to_owned()
            }
            words => words.join(" "),
        }
    });
    joined.or_else(|| text_of(input, &["command", "cmd", "script", "code"]))
}

fn path(call: &ToolCall, input: Option<&Value>) -> Option<String> {
    let diff = call.content.iter().find_map(|content| match content {
        ToolCallContent::Diff(diff) => Some(diff.path.clone()),
        _ => None,
    });
    let location = call.locations.first().map(|location| location.path.clone());
    location.or(diff).or_else(|| text_of(input, &PATHS))
}

/// The lines that are read, where that is not the whole file: `:10–40`.
fn range(kind: ToolKind, input: Option<&Value>) -> String {
    if kind != ToolKind::Read {
        return String::new();
    }
    let number = |keys: &[&str]| {
        let value = keys.iter().find_map(|key| input?.get(key)?.as_u64());
        value.filter(|value| *value > 0)
    };
    let first = number(&["offset", "start_line", "startLine", "line", "start"]);
    let last = number(&["end_line", "endLine", "end"]);
    let count = number(&["limit", "line_count", "max_lines"]);
    let last = last.or_else(|| Some(first.unwrap_or(1).saturating_add(count?).saturating_sub(1)));
    match (first, last) {
        (None, None) => String::new(),
        (first, None) => format!(":{}–", first.unwrap_or(1)),
        (first, Some(last)) => format!(":{}–{last}", first.unwrap_or(1)),
    }
}

fn text_of(input: Option<&Value>, keys: &[&str]) -> Option<String> {
    let input = input?;
    keys.iter()
        .find_map(|key| input.get(key)?.as_str())
        .map(str::to_owned)
}

/// What a subagent reported at the end, or what it said so far.
pub fn report(subagent: &Subagent) -> String {
    match &subagent.summary {
        Some(summary) => summary.clone(),
        None => subagent.texts.join("\n\n"),
    }
}

/// A path as seen from the working folder.
pub fn relative(path: &str, cwd: &Path) -> String {
    let inside = Path::new(path).strip_prefix(cwd).ok();
    let inside = inside
        .map(|path| path.to_string_lossy().into_owned())
        .filter(|path| !path.is_empty());
    inside.unwrap_or_else(|| path.to_owned())
}

/// The address without what says nothing to a person.
fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.trim_end_matches('/').to_owned()
}

/// The title, unless it only says what the name says.
fn without_kind(title: &str, name: &str, is_named: bool) -> String {
    if title == name || is_named || title.is_empty() {
        return String::new();
    }
    let is_alone = !title.contains(' ');
    if is_alone && !title.contains(['/', '.', ':']) {
        // `bash`, `WriteFile`: the tool's own word for its kind.
        return String::new();
    }
    let rest = title.strip_prefix(name).map(str::trim_start);
    rest.filter(|rest| !rest.is_empty())
        .unwrap_or(title)
        .to_owned()
}

fn shortened(text: &str) -> String {
    let end = text
        .char_indices()
        .nth(SUMMARY_CHARS_MOST)
        .map(|(at, _)| at);
    match end.and_then(|end| text.get(..end)) {
        Some(start) => format!("{start}…"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::core::ids::ToolCallId;
    use crate::core::time::Timestamp;
    use crate::core::tool_call::ToolCallLocation;
    use crate::i18n::Language;

    fn call(kind: ToolKind, title: &str, input: Value) -> ToolCall {
        ToolCall {
            kind,
            title: title.to_owned(),
            raw_input: Some(input.into()),
            ..ToolCall::placeholder(ToolCallId::from("c"), Timestamp(0))
        }
    }

    #[track_caller]
    fn check(call: &ToolCall, name: &str, summary: &str) {
        let found = describe(
            &I18n::new(Language::English),
            call,
            Path::new("/home/user/project"),
        );
        assert_eq!(
            (found.name.as_str(), found.summary.as_str()),
            (name, summary)
        );
    }

    #[test]
    fn what_is_asked_of_the_person_is_said() {
        let plan = json!({"plan": "# Split the **parser**\n\n1. Look"});
        check(
            &call(ToolKind::SwitchMode, "ExitPlanMode", plan),
            "Proposed plan",
            "Split the parser",
        );
        check(
            &call(ToolKind::SwitchMode, "EnterPlanMode", json!({})),
            "Switch mode",
            "",
        );
        let questions =
            json!({"questions": [{"question": "Which color?"}, {"question": "How large?"}]});
        check(
            &call(ToolKind::Other, "AskUserQuestion", questions),
            "Question to you",
            "Which color?",
        );
        let odd = json!({"questions": "many", "query": "x"});
        check(&call(ToolKind::Other, "survey", odd), "survey", "x");
    }

    #[test]
    fn arguments_in_place_of_a_title_are_no_name() {
        let mut call = call(
            ToolKind::Other,
            r#"{"path":"Assets/Old.mat"}"#,
            json!({"path": "Assets/Old.mat"}),
        );
        call.name = Some("mcp__unity-ops__uap_asset_delete".to_owned());
        check(&call, "uap_asset_delete", "Assets/Old.mat");
    }

    #[test]
    fn calls_of_the_protocols_kinds_say_what_they_touch() {
        let path = "/home/user/project/src/a.rs";
        check(
            &call(
                ToolKind::Execute,
                "Terminal",
                json!({"command": "cargo test\n--all"}),
            ),
            "Run",
            "cargo test --all",
        );
        check(
            &call(
                ToolKind::Execute,
                "x",
                json!({"command": ["bash", "-lc", "ls -l"]}),
            ),
            "Run",
            "ls -l",
        );
        check(
            &call(ToolKind::Execute, "`echo a`", json!({})),
            "Run",
            "echo a",
        );
        check(&call(ToolKind::Execute, "bash", json!({})), "Run", "");
        check(
            &call(ToolKind::Read, "Read File", json!({"file_path": path})),
            "Read",
            "src/a.rs",
        );
        check(
            &call(ToolKind::Edit, "WriteFile", json!({"filePath": "/tmp/b"})),
            "Edit",
            "/tmp/b",
        );
        check(
            &call(ToolKind::Search, "Grep", json!({"pattern": "fn main"})),
            "Search",
            "fn main",
        );
        check(
            &call(
                ToolKind::Fetch,
                "Fetch",
                json!({"url": "https://a.example/b/"}),
            ),
            "Fetch",
            "a.example/b",
        );
        let input = json!({"file_path": path, "offset": 10, "limit": 30});
        check(
            &call(ToolKind::Read, "Read", input),
            "Read",
            "src/a.rs:10–39",
        );
        let mut located = call(ToolKind::Read, "README.md", json!({}));
        located.locations.push(ToolCallLocation {
            path: path.to_owned(),
            line: None,
        });
        check(&located, "Read", "src/a.rs");
        check(
            &call(ToolKind::Read, "Read a.txt (1-5)", json!({})),
            "Read",
            "a.txt (1-5)",
        );
    }

    #[test]
    fn tools_of_servers_have_short_names() {
        check(
            &call(ToolKind::Other, "mcp__unity-ops__uap_ping", json!({})),
            "uap_ping",
            "",
        );
        check(
            &call(
                ToolKind::Execute,
                "mcp.unity-ops.uap_ping",
                json!({"server": "unity-ops", "tool": "uap_ping", "arguments": {"message": "hi"}}),
            ),
            "uap_ping",
            "hi",
        );
        check(
            &call(ToolKind::Other, "unity-ops/uap_ping", json!({})),
            "uap_ping",
            "",
        );
        check(
            &call(
                ToolKind::Other,
                "uap_ping (unity-ops MCP Server)",
                json!({}),
            ),
            "uap_ping",
            "",
        );
        check(
            &call(ToolKind::Other, "Set 3 todo(s)", json!({})),
            "Set 3 todo(s)",
            "",
        );
        check(
            &call(
                ToolKind::Think,
                "Task",
                json!({"description": "Look around"}),
            ),
            "Task",
            "",
        );
        check(&call(ToolKind::Other, "", json!({})), "Tool call", "");
    }

    #[test]
    fn what_an_agent_writes_is_one_harmless_line() {
        let found = describe(
            &I18n::new(Language::English),
            &call(
                ToolKind::Execute,
                "x",
                json!({"command": format!("a\n\u{202E}b {}", "x".repeat(500))}),
            ),
            Path::new("/"),
        );
        assert!(found.summary.starts_with("a <U+202E>b x") && found.summary.ends_with('…'));
    }
}
