//! MCP servers that are changed while a session is open.

use super::*;
use crate::core::backend::{McpServer, McpTransport};

#[test]
fn servers_are_replaced_and_what_could_not_be_added_is_told() {
    let mut bridge = bridge_in_turn();
    let servers = vec![McpServer {
        name: "files".to_owned(),
        transport: McpTransport::Stdio {
            command: "npx".to_owned(),
            args: vec!["-y".to_owned()],
            env: [("KEY".to_owned(), "secret".to_owned())].into(),
        },
    }];
    let sent = frames(&bridge.send(AgentMessage::SetMcpServers {
        session: SESSION,
        servers,
    }));
    let request = &sent[0]["request"];
    let expected = json!({"subtype": "mcp_set_servers", "servers": {
        "files": {"type": "stdio", "command": "npx", "args": ["-y"], "env": {"KEY": "secret"}}}});
    assert_eq!(*request, expected);
    let answer = |subtype: &str, response: Value| {
        json!({"type": "control_response", "response": {
            "subtype": subtype, "request_id": sent[0]["request_id"], "response": response}})
    };
    let response = json!({"added": [], "removed": [], "errors": {"files": "ENOENT"}});
    let output = receive(&mut bridge, answer("success", response));
    let note = Note::McpNotAdded {
        server: "files".to_owned(),
        message: "ENOENT".to_owned(),
    };
    assert_eq!(
        frames(&output)[0].pointer("/request/subtype"),
        Some(&json!("mcp_status"))
    );
    assert_eq!(events(output), [SessionEvent::Noted(note)]);
}

#[test]
fn an_older_program_gets_other_servers_with_its_next_start() {
    let mut bridge = bridge_in_turn();
    let sent = frames(&bridge.send(AgentMessage::SetMcpServers {
        session: SESSION,
        servers: Vec::new(),
    }));
    let refusal = json!({"type": "control_response", "response": {
        "subtype": "error", "request_id": sent[0]["request_id"], "error": "Unsupported control request subtype"}});
    let output = receive(&mut bridge, refusal);
    assert_eq!(
        events(output),
        [SessionEvent::Noted(Note::McpServersChanged)]
    );
}
