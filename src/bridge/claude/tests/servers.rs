//! MCP servers that are changed while a session is open.

use std::collections::BTreeMap;

use super::*;
use crate::core::backend::{McpServer, McpTransport};
use crate::core::settings::Settings;

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
        removed: Vec::new(),
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
        removed: Vec::new(),
    }));
    let refusal = json!({"type": "control_response", "response": {
        "subtype": "error", "request_id": sent[0]["request_id"], "error": "Unsupported control request subtype"}});
    let output = receive(&mut bridge, refusal);
    assert_eq!(
        events(output),
        [SessionEvent::Noted(Note::McpServersChanged)]
    );
}

#[test]
fn what_the_program_was_started_with_is_replaced_by_nothing_before_it_goes() {
    let mut bridge = bridge_in_turn();
    let web = McpServer {
        name: "web".to_owned(),
        transport: McpTransport::Http {
            url: "https://example.com".to_owned(),
            headers: BTreeMap::new(),
        },
    };
    let sent = frames(&bridge.send(AgentMessage::SetMcpServers {
        session: SESSION,
        servers: vec![web],
        removed: vec!["files".to_owned()],
    }));
    let names = |frame: &Value| {
        let servers = frame.pointer("/request/servers").and_then(Value::as_object);
        let names = servers.into_iter().flat_map(|servers| servers.keys());
        names.cloned().collect::<Vec<_>>()
    };
    assert_eq!(names(&sent[0]), ["web", "files"]);
    let answer = |frame: &Value| {
        let errors = json!({"files": "ECONNREFUSED", "web": "404"});
        json!({"type": "control_response", "response": {"subtype": "success",
            "request_id": frame["request_id"], "response": {"errors": errors}}})
    };
    let output = receive(&mut bridge, answer(&sent[0]));
    let next = frames(&output);
    assert_eq!(names(&next[0]), ["web"]);
    let told = Note::McpNotAdded {
        server: "web".to_owned(),
        message: "404".to_owned(),
    };
    assert_eq!(events(output), [SessionEvent::Noted(told)]);
    // Neither what was meant to fail nor what was told is told again.
    let output = receive(&mut bridge, answer(&next[0]));
    let last = frames(&output);
    assert_eq!(
        last[0].pointer("/request/subtype"),
        Some(&json!("mcp_status"))
    );
    assert_eq!(events(output), []);
}

#[test]
fn a_sign_in_in_a_terminal_gets_the_servers_in_a_file() {
    let spec = crate::core::presets::backends(&Settings::default(), "agent-panel")
        .into_iter()
        .find(|spec| spec.id.as_str() == "claude-code")
        .unwrap();
    let mut setup = crate::core::command::SessionSetup {
        cwd: "/p".into(),
        start: crate::core::command::SessionStart::New,
        mcp_servers: Vec::new(),
        mode: None,
        model: None,
        level: crate::core::policy::level::Level::Ask,
        ground: crate::core::consent::GroundSource::default(),
    };
    let without = sign_in_plan(&spec, &setup);
    assert_eq!((without.args, without.private_file), (Vec::new(), None));
    setup.mcp_servers.push(McpServer {
        name: "web".to_owned(),
        transport: McpTransport::Http {
            url: "https://example.com".to_owned(),
            headers: [("Authorization".to_owned(), "secret".to_owned())].into(),
        },
    });
    let plan = sign_in_plan(&spec, &setup);
    assert_eq!(plan.args, ["--strict-mcp-config"]);
    let file = plan.private_file.unwrap();
    assert_eq!(file.argument, "--mcp-config");
    let content: Value = serde_json::from_str(&file.content).unwrap();
    assert_eq!(
        content["mcpServers"]["web"]["headers"]["Authorization"],
        "secret"
    );
}
