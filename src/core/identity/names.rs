//! Names as agents write them: joined with their server's, or an agent's own words for what all agents can do.

use super::ToolName;

/// How long a title may be to stand for a name, in characters.
const TITLE_MOST: usize = 48;
/// How long an identifier may be.
const IDENTIFIER_MOST: usize = 128;

/// How much of a text must be an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdExtent {
    /// The text up to the first whitespace.
    LeadingToken,
    /// All of it.
    Whole,
}

/// The ops tool that a text names, with or without our server's name in front.
/// Another server's name in front does not match.
pub fn own_tool(text: &str, extent: IdExtent, ops_server: &str) -> Option<String> {
    let text = match extent {
        IdExtent::LeadingToken => text.split_whitespace().next()?,
        IdExtent::Whole => text,
    };
    let after = |(before, after)| {
        let rest = text.strip_prefix(before)?.strip_prefix(ops_server)?;
        rest.strip_prefix(after)
    };
    let tool = [("mcp__", "__"), ("mcp.", "."), ("", "__")]
        .into_iter()
        .find_map(after)
        .unwrap_or(text);
    is_own_tool(tool).then(|| tool.to_owned())
}

fn is_own_tool(tool: &str) -> bool {
    tool.strip_prefix("uap_").is_some_and(|rest| {
        !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    })
}

/// All ways to read a joined name as a tool of one of the session's servers.
pub fn joined(text: &str, servers: &[String]) -> Vec<ToolName> {
    let mut readings = Vec::new();
    if text.len() <= IDENTIFIER_MOST {
        for server in servers.iter().filter(|server| !server.is_empty()) {
            for tool in tools_after(text, server) {
                let name = ToolName::Mcp {
                    server: server.clone(),
                    tool,
                };
                if !readings.contains(&name) {
                    readings.push(name);
                }
            }
        }
        if readings.is_empty() {
            readings.extend(only_split(text));
        }
    }
    readings
}

/// What follows the server's name, in any spelling of it that agents use.
fn tools_after(text: &str, server: &str) -> Vec<String> {
    let mut tools = Vec::new();
    for spelling in spellings(server) {
        for (before, after) in [
            ("mcp__", "__"),
            ("mcp.", "."),
            ("mcp_", "_"),
            ("mcp_", "."),
            ("", "__"),
            ("", "_"),
            ("", "/"),
            ("", "."),
        ] {
            let tool = text
                .strip_prefix(before)
                .and_then(|rest| rest.strip_prefix(spelling.as_str()))
                .and_then(|rest| rest.strip_prefix(after));
            if let Some(tool) = tool.filter(|tool| is_segment(tool) && !tool.starts_with('_'))
                && !tools.iter().any(|known| known == tool)
            {
                tools.push(tool.to_owned());
            }
        }
    }
    tools
}

/// A server's name as given, and as agents rewrite it for models that take letters, digits, `_` and perhaps `-`.
fn spellings(server: &str) -> Vec<String> {
    let rewritten = |keep_dash: bool| {
        server
            .chars()
            .map(|c| match c {
                'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => c,
                '-' if keep_dash => c,
                _ => '_',
            })
            .collect::<String>()
    };
    let mut spellings = vec![server.to_owned(), rewritten(true), rewritten(false)];
    spellings.dedup();
    spellings
}

/// A name of a server that we didn't give, when it can be cut in one place only.
fn only_split(text: &str) -> Option<ToolName> {
    let (server, tool) = text.strip_prefix("mcp__")?.split_once("__")?;
    let unambiguous =
        is_segment(server) && is_segment(tool) && !tool.starts_with('_') && !server.ends_with('_');
    unambiguous.then(|| ToolName::Mcp {
        server: server.to_owned(),
        tool: tool.to_owned(),
    })
}

/// Whether a text can be a server's or a tool's name: letters, digits, `_`, `.`, `-`, no double underscore.
pub fn is_segment(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= IDENTIFIER_MOST
        && !text.contains("__")
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'))
}

/// Whether a text can be an agent's own identifier for a tool.
pub fn is_identifier(text: &str) -> bool {
    text.len() <= IDENTIFIER_MOST
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-' | b'/' | b':'))
}

/// A title that may stand for a name: its first line, cut to 48 characters. Every name that we treat in a special way
/// is letters only or begins with `mcp__`, so titles of these shapes are refused.
pub fn title_as_name(title: &str) -> Option<String> {
    let line = title.trim().lines().next().unwrap_or_default().trim();
    let reserved = line.bytes().all(|b| b.is_ascii_alphabetic())
        || line
            .get(..5)
            .is_some_and(|start| start.eq_ignore_ascii_case("mcp__"));
    if reserved {
        return None;
    }
    if line.chars().count() <= TITLE_MOST {
        return Some(line.to_owned());
    }
    let kept: String = line.chars().take(TITLE_MOST - 3).collect();
    Some(format!("{kept}..."))
}

/// Words that only pass a call on to the tool named in their input.
pub fn is_dispatcher(word: &str) -> bool {
    matches!(word, "use_tool" | "tool_call" | "call_tool" | "mcp_call")
}

/// What an agent's own word for a tool means.
pub fn built_in(word: &str) -> Option<ToolName> {
    let bare: String = word
        .chars()
        .filter(|c| !matches!(c, '_' | '-'))
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let name = match bare.as_str() {
        "read" | "readfile" | "readtextfile" | "readmanyfiles" | "view" | "viewfile"
        | "notebookread" => ToolName::Read,
        "write" | "writefile" | "writetextfile" | "createfile" => ToolName::Write,
        "edit"
        | "editfile"
        | "multiedit"
        | "notebookedit"
        | "replace"
        | "searchreplace"
        | "strreplace"
        | "strreplacebasededittool"
        | "applypatch"
        | "patch" => ToolName::Edit,
        "bash" | "shell" | "sh" | "terminal" | "powershell" | "execute" | "exec"
        | "execcommand" | "runcommand" | "runterminalcommand" | "runshellcommand"
        | "localshell" | "shellcommand" | "writestdin" => ToolName::Bash,
        "webfetch" | "fetch" | "fetchurl" => ToolName::WebFetch,
        "websearch" | "googlewebsearch" | "xsearch" => ToolName::WebSearch,
        "search" | "grep" | "glob" | "grepsearch" | "filesearch" | "codesearch"
        | "searchfilecontent" | "findfiles" | "list" | "ls" | "listdir" | "listdirectory" => {
            ToolName::Search
        }
        "delete" | "deletefile" | "remove" | "removefile" => ToolName::Delete,
        "move" | "movefile" | "rename" | "renamefile" => ToolName::Move,
        "think" => ToolName::Think,
        "task" | "agent" | "subagent" | "spawnsubagent" | "spawnagent" | "invokeagent" => {
            ToolName::Task
        }
        "todo" | "todowrite" | "todoread" | "writetodos" | "updateplan" | "taskcreate"
        | "taskupdate" | "tasklist" | "taskget" => ToolName::TodoWrite,
        "askuserquestion" | "askuser" | "question" | "requestuserinput" => {
            ToolName::AskUserQuestion
        }
        "exitplanmode" | "enterplanmode" | "exitplan" | "enterplan" | "planexit" | "planenter"
        | "switchmode" => ToolName::ExitPlanMode,
        _ => return None,
    };
    Some(name)
}
