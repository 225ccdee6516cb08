//! What is known of MCP servers in words, and the whole card as text for copying.

use crate::core::mcp::{McpReport, McpServerStatus, McpSource, McpState, McpTool};
use crate::i18n::I18n;
use crate::ui::untrusted::{one_line, visible};

/// How many servers there are, and in which state; a state that none is in is left out.
pub fn counts(i18n: &I18n, report: &McpReport) -> String {
    if report.servers.is_empty() {
        return i18n.tr("mcp.counts.none").to_owned();
    }
    let counts = report.counts();
    let part = |key, count: usize| i18n.tr_args(key, &[("count", count.into())]);
    let mut parts = vec![part("mcp.counts", report.servers.len())];
    let by_state = [
        ("mcp.counts.connected", counts.connected),
        ("mcp.counts.failed", counts.failed),
        ("mcp.counts.other", counts.other),
    ];
    let some = by_state.into_iter().filter(|(_, count)| *count > 0);
    parts.extend(some.map(|(key, count)| part(key, count)));
    parts.join(" \u{b7} ")
}

/// Who told the state.
pub fn source(i18n: &I18n, source: McpSource, agent: &str) -> String {
    match source {
        McpSource::Agent => i18n.tr_args("mcp.source.agent", &[("agent", agent.into())]),
        McpSource::Probe => i18n.tr("mcp.source.probe").to_owned(),
        McpSource::NotReported => {
            i18n.tr_args("mcp.source.not_reported", &[("agent", agent.into())])
        }
    }
}

/// The state of a server; a word we don't know as it came.
pub fn state(i18n: &I18n, state: &McpState) -> String {
    match state {
        McpState::Connected => i18n.tr("mcp.state.connected").to_owned(),
        McpState::Failed => i18n.tr("mcp.state.failed").to_owned(),
        McpState::Pending => i18n.tr("mcp.state.pending").to_owned(),
        McpState::NeedsAuth => i18n.tr("mcp.state.needs_auth").to_owned(),
        McpState::Unknown => i18n.tr("mcp.state.unknown").to_owned(),
        McpState::Other(word) => one_line(word),
    }
}

/// How many tools a server has. Nothing for none: agents that tell no tools say the same.
pub fn tools(i18n: &I18n, server: &McpServerStatus) -> Option<String> {
    let count = server.tools.len();
    (count > 0).then(|| i18n.tr_args("mcp.tools", &[("count", count.into())]))
}

/// What a server says that a tool does.
pub fn marks(i18n: &I18n, tool: &McpTool) -> Option<String> {
    if tool.destructive == Some(true) {
        return Some(i18n.tr("mcp.tool.destructive").to_owned());
    }
    (tool.read_only == Some(true)).then(|| i18n.tr("mcp.tool.read_only").to_owned())
}

/// The whole card as text.
pub fn text(i18n: &I18n, report: &McpReport, agent: &str) -> String {
    let mut lines = vec![counts(i18n, report), source(i18n, report.source, agent)];
    for server in &report.servers {
        let name = one_line(&server.name);
        let state = state(i18n, &server.state);
        let line = match tools(i18n, server) {
            None => {
                let args = [("name", name.into()), ("state", state.into())];
                i18n.tr_args("mcp.line", &args)
            }
            Some(tools) => {
                let args = [
                    ("name", name.into()),
                    ("state", state.into()),
                    ("tools", tools.into()),
                ];
                i18n.tr_args("mcp.line.tools", &args)
            }
        };
        lines.push(line);
        if let Some(error) = &server.error {
            lines.extend(visible(error).lines().map(|line| format!("    {line}")));
        }
        let tools = server.tools.iter();
        lines.extend(tools.map(|tool| {
            let name = one_line(&tool.name);
            match marks(i18n, tool) {
                None => format!("  - {name}"),
                Some(marks) => {
                    let args = [("name", name.into()), ("mark", marks.into())];
                    format!("  - {}", i18n.tr_args("mcp.line.tool", &args))
                }
            }
        }));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::time::Timestamp;
    use crate::i18n::Language;

    fn server(name: &str, state: &str, tools: &[&str]) -> McpServerStatus {
        let tool = |name: &&str| McpTool {
            name: (*name).to_owned(),
            wire_name: None,
            description: None,
            read_only: Some(*name == "list"),
            destructive: Some(*name == "delete"),
        };
        McpServerStatus {
            software: None,
            name: name.to_owned(),
            state: McpState::from(state),
            tools: tools.iter().map(tool).collect(),
            error: (state == "failed").then(|| "spawn npx\nENOENT".to_owned()),
        }
    }

    fn report(servers: Vec<McpServerStatus>) -> McpReport {
        McpReport {
            source: McpSource::Agent,
            servers,
            at: Timestamp(0),
        }
    }

    fn servers() -> Vec<McpServerStatus> {
        vec![
            server("unity-ops", "connected", &["list", "delete", "open"]),
            server("files", "connected", &["read"]),
            server("broken", "failed", &[]),
            server("issues", "needs-auth", &[]),
            server("odd", "warming-up", &[]),
        ]
    }

    #[test]
    fn the_card_as_text() {
        let english = I18n::new(Language::English);
        let expected = "5 MCP servers · 2 connected · 1 failed · 2 other
Reported by Claude Code
- unity-ops: connected (3 tools)
  - list (read-only)
  - delete (destructive)
  - open
- files: connected (1 tool)
  - read
- broken: failed
    spawn npx
    ENOENT
- issues: needs sign-in
- odd: warming-up";
        assert_eq!(text(&english, &report(servers()), "Claude Code"), expected);
    }

    #[test]
    fn the_card_as_text_in_japanese() {
        let japanese = I18n::new(Language::Japanese);
        let text = text(&japanese, &report(servers()), "Claude Code");
        let mut lines = text.lines();
        let first = "MCP サーバー 5 件 · 接続済み 2 件 · 失敗 1 件 · その他 2 件";
        assert_eq!(lines.next(), Some(first));
        assert_eq!(lines.next(), Some("Claude Code からの報告"));
        let row = "- unity-ops：接続済み（ツール 3 個）";
        assert_eq!(lines.next(), Some(row));
    }

    #[test]
    fn without_servers() {
        let english = I18n::new(Language::English);
        assert_eq!(counts(&english, &report(Vec::new())), "No MCP servers");
    }

    #[test]
    fn what_nobody_reported_is_said_to_be_so() {
        let english = I18n::new(Language::English);
        let row = server("files", "", &[]);
        assert_eq!(state(&english, &row.state), "not reported");
        assert_eq!(
            source(&english, McpSource::NotReported, "pi"),
            "Passed to pi, which does not report their state"
        );
        assert_eq!(
            source(&english, McpSource::Probe, "pi"),
            "Asked by Agent Panel"
        );
    }

    #[test]
    fn what_an_agent_writes_stays_in_its_line() {
        let english = I18n::new(Language::English);
        let text = text(
            &english,
            &report(vec![server("a\n- b: connected", "x\u{202E}", &[])]),
            "A",
        );
        assert!(text.ends_with("- a - b: connected: x<U+202E>"), "{text}");
    }
}
