//! MCP servers from a file of the usual form: `{"mcpServers": {"name": {"command": …} or {"url": …}}}`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::core::backend::{McpServer, McpTransport};

#[derive(Deserialize)]
struct File {
    #[serde(rename = "mcpServers")]
    servers: BTreeMap<String, Server>,
}

#[derive(Deserialize)]
struct Server {
    #[serde(rename = "type")]
    kind: Option<String>,
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
}

/// Reads the text of such a file; the error says what is wrong, and with which server.
pub(super) fn parse(text: &str) -> Result<Vec<McpServer>, String> {
    let file: File = serde_json::from_str(text).map_err(|error| error.to_string())?;
    file.servers
        .into_iter()
        .map(|(name, server)| transport(&name, server))
        .collect()
}

fn transport(name: &str, server: Server) -> Result<McpServer, String> {
    let Server {
        kind,
        command,
        args,
        env,
        url,
        headers,
    } = server;
    let transport = match (kind.as_deref(), command, url) {
        (None | Some("stdio"), Some(command), None) => McpTransport::Stdio { command, args, env },
        (None | Some("http" | "streamable-http"), None, Some(url)) => {
            McpTransport::Http { url, headers }
        }
        (Some("sse"), None, Some(url)) => McpTransport::Sse { url, headers },
        (Some(kind), ..) if !matches!(kind, "stdio" | "http" | "streamable-http" | "sse") => {
            return Err(format!("server {name}: unknown type {kind:?}"));
        }
        _ => {
            return Err(format!(
                "server {name}: either \"command\" or \"url\" is needed, as its type says"
            ));
        }
    };
    Ok(McpServer {
        name: name.to_owned(),
        transport,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_transports_are_read() {
        let text = r#"{"mcpServers": {
            "a": {"command": "run", "args": ["-x"], "env": {"K": "v"}},
            "b": {"url": "http://localhost/mcp", "headers": {"H": "v"}},
            "c": {"type": "sse", "url": "http://localhost/sse"}
        }}"#;
        let map = |key: &str| BTreeMap::from([(key.to_owned(), "v".to_owned())]);
        let expected = [
            McpTransport::Stdio {
                command: "run".to_owned(),
                args: vec!["-x".to_owned()],
                env: map("K"),
            },
            McpTransport::Http {
                url: "http://localhost/mcp".to_owned(),
                headers: map("H"),
            },
            McpTransport::Sse {
                url: "http://localhost/sse".to_owned(),
                headers: BTreeMap::new(),
            },
        ];
        let servers = parse(text).unwrap();
        assert_eq!(
            servers
                .iter()
                .map(|server| server.name.as_str())
                .collect::<Vec<_>>(),
            ["a", "b", "c"]
        );
        assert_eq!(
            servers
                .into_iter()
                .map(|server| server.transport)
                .collect::<Vec<_>>(),
            expected
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        let cases = [
            ("{}", "missing field `mcpServers` at line 1 column 2"),
            (
                r#"{"mcpServers": {"a": {}}}"#,
                "server a: either \"command\" or \"url\" is needed, as its type says",
            ),
            (
                r#"{"mcpServers": {"a": {"type": "pigeon", "url": "x"}}}"#,
                "server a: unknown type \"pigeon\"",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text).unwrap_err(), expected);
        }
    }
}
