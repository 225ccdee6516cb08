//! MCP servers passed to an agent through this program, so that it does not read what a server says of its own tools.
//!
//! An agent that lets tools run because their server calls them harmless does not ask about them, and what is not asked
//! is judged by nobody. Without `annotations` a tool counts as one that may destroy (the default of the MCP
//! specification), and the agent asks.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::bridge::claude;
use crate::core::backend::{McpServer, McpTransport};

/// The subcommand of this program that passes messages on.
pub const COMMAND: &str = "mcp-relay";
/// The variable that tells it which server, in the form of a file with `mcpServers`. What it holds is secret.
pub const SERVER_VARIABLE: &str = "AGENT_PANEL_MCP_SERVER";
/// The code of an error of the way to a server (JSON-RPC leaves -32000 to -32099 to servers).
const NOT_PASSED_ON: i32 = -32000;

/// The same server under the same name, as a command that passes its messages on. `program` is this program. A server
/// of the transport of 2024 stays as it is.
pub fn through(server: McpServer, program: &str) -> McpServer {
    match &server.transport {
        McpTransport::Sse { .. } => server,
        McpTransport::Stdio { .. } | McpTransport::Http { .. } => {
            let entry = claude::mcp_servers(std::slice::from_ref(&server));
            let entry = json!({ "mcpServers": entry }).to_string();
            McpServer {
                name: server.name,
                transport: McpTransport::Stdio {
                    command: program.to_owned(),
                    args: vec![COMMAND.to_owned()],
                    env: BTreeMap::from([(SERVER_VARIABLE.to_owned(), entry)]),
                },
            }
        }
    }
}

/// A line of a server as the agent gets it: a list of tools has no `annotations`, all else is the same.
pub fn relayed(line: &str) -> Cow<'_, str> {
    let Ok(mut message) = serde_json::from_str(line) else {
        return Cow::Borrowed(line);
    };
    if without_annotations(&mut message) {
        Cow::Owned(message.to_string())
    } else {
        Cow::Borrowed(line)
    }
}

/// Whether the message, or one of several in a list, tells tools.
fn without_annotations(message: &mut Value) -> bool {
    if let Value::Array(messages) = message {
        let mut tells_tools = false;
        for message in messages {
            tells_tools |= without_annotations(message);
        }
        return tells_tools;
    }
    let Some(Value::Array(tools)) = message.pointer_mut("/result/tools") else {
        return false;
    };
    for tool in tools.iter_mut().filter_map(Value::as_object_mut) {
        tool.shift_remove("annotations");
    }
    true
}

/// The answer to a request that could not be passed on.
pub fn refusal(id: &Value, reason: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": NOT_PASSED_ON, "message": reason}})
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_lose_their_annotations_and_nothing_else() {
        let tools = r#"{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"b","annotations":{"readOnlyHint":true},"inputSchema":{"properties":{"annotations":{}}}},{"name":"a","x":1.50,"\u0061nnotations":{}},7],"nextCursor":"p2"}}"#;
        let left = r#"{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"b","inputSchema":{"properties":{"annotations":{}}}},{"name":"a","x":1.5},7],"nextCursor":"p2"}}"#;
        assert_eq!(relayed(tools), left);
        let both = format!(r#"[{{"jsonrpc":"2.0","method":"a"}},{tools}]"#);
        let expected = format!(r#"[{{"jsonrpc":"2.0","method":"a"}},{left}]"#);
        assert_eq!(relayed(&both), expected);
    }

    #[test]
    fn all_else_is_passed_on_as_it_is() {
        let lines = [
            r#"{ "id": 1, "result": {"content": [{"type": "text", "annotations": {"audience": []}}]} }"#,
            r#"{"id":1,"result":{"tools":{"annotations":{}}}}"#,
            r#"{"method":"x","params":{"tools":[{"annotations":{}}]}}"#,
            r#"{"id":1,"result":{"tools":[{"annotations":"#,
            "a line of a log",
            "",
        ];
        for line in lines {
            assert!(matches!(relayed(line), Cow::Borrowed(same) if same == line));
        }
    }
}
