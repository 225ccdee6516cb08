//! What the machine plays in Claude Code's own dialect.

use super::*;

fn control(id: &str, subtype: &str) -> Value {
    json!({"type": "control_request", "request_id": id, "request": {"subtype": subtype}})
}

fn reconnect(id: &str, server: &str) -> Value {
    json!({"type": "control_request", "request_id": id,
        "request": {"subtype": "mcp_reconnect", "serverName": server}})
}

fn response(id: &str, word: &str) -> Value {
    json!({"type": "control_response", "response":
        {"subtype": "success", "request_id": id, "response": {"said": word}}})
}

fn prompt() -> Value {
    json!({"type": "user", "message": {"role": "user", "content": []}})
}

fn line(word: &str) -> Value {
    json!({"type": "system", "subtype": word})
}

fn result(word: &str) -> Value {
    json!({"type": "result", "subtype": word})
}

/// `initialize`, two prompts of which the first asks for permission, a reconnection between them.
fn usual() -> Recording {
    recording(&[
        ("in", control("req-1", "initialize")),
        ("out", response("req-1", "hello")),
        ("in", prompt()),
        (
            "out",
            json!({"type": "system", "subtype": "init", "session_id": "s1",
                "mcp_servers": [{"name": "ops", "status": "connected"}]}),
        ),
        ("out", control("ask-1", "can_use_tool")),
        ("in", response("ask-1", "allow")),
        ("out", line("two")),
        ("out", result("end of one")),
        ("in", reconnect("req-2", "ops")),
        ("out", response("req-2", "connected")),
        ("in", prompt()),
        ("out", line("three")),
        ("in", control("req-3", "interrupt")),
        ("out", response("req-3", "stopped")),
        ("out", line("four")),
        ("out", result("end of two")),
    ])
}

/// What the agent sends for a frame, in short.
fn play(agent: &mut ScriptedAgent, frame: &Value) -> Vec<String> {
    let short = |played: Played| {
        let frame = played.frame;
        let text = |place: &str| frame.pointer(place).and_then(Value::as_str);
        match text("/response/request_id") {
            Some(id) => {
                let said = text("/response/response/said").or(text("/response/error"));
                let servers = text("/response/response/mcpServers/0/status");
                format!("{id}: {}", said.or(servers).unwrap_or_default())
            }
            None => text("/request/subtype")
                .or(text("/subtype"))
                .unwrap_or_default()
                .to_owned(),
        }
    };
    agent.receive(frame).into_iter().map(short).collect()
}

fn opened(pace: Pace) -> ScriptedAgent {
    let mut agent = ScriptedAgent::new(usual(), pace);
    assert_eq!(play(&mut agent, &control("a", "initialize")), ["a: hello"]);
    agent
}

#[test]
fn a_session_is_played_with_the_request_ids_of_the_client() {
    let mut agent = opened(Pace::Client);
    assert_eq!(play(&mut agent, &prompt()), ["init", "can_use_tool"]);
    assert_eq!(
        play(&mut agent, &response("ask-1", "deny")),
        ["two", "end of one"]
    );
    assert_eq!(play(&mut agent, &reconnect("b", "ops")), ["b: connected"]);
    assert_eq!(play(&mut agent, &prompt()), ["three"]);
    assert_eq!(
        play(&mut agent, &control("c", "interrupt")),
        ["c: stopped", "four", "end of two"]
    );
    assert_eq!(agent.waits_at(), None);
    assert_eq!(play(&mut agent, &prompt()), ["error_during_execution"]);
}

#[test]
fn what_was_not_recorded_is_answered_from_what_the_recording_tells() {
    let mut agent = opened(Pace::Client);
    assert_eq!(
        play(&mut agent, &control("b", "mcp_status")),
        ["b: connected"]
    );
    assert_eq!(
        play(&mut agent, &control("c", "set_max_thinking_tokens")),
        ["c: Not in the recording: set_max_thinking_tokens"]
    );
    assert_eq!(
        play(&mut agent, &reconnect("d", "other")),
        ["d: Not in the recording: mcp_reconnect"]
    );
    assert_eq!(play(&mut agent, &prompt()), ["init", "can_use_tool"]);
}

#[test]
fn an_interruption_that_was_not_recorded_ends_the_turn_where_it_is() {
    let mut agent = opened(Pace::Client);
    assert_eq!(play(&mut agent, &prompt()), ["init", "can_use_tool"]);
    assert_eq!(
        play(&mut agent, &control("b", "interrupt")),
        ["b: ", "error_during_execution"]
    );
    assert_eq!(play(&mut agent, &prompt()), ["three"]);
}

#[test]
fn a_driver_decides_when_the_recording_goes_on() {
    let mut agent = opened(Pace::Driven);
    assert_eq!(play(&mut agent, &prompt()), ["init", "can_use_tool"]);
    assert_eq!(agent.position(), 5, "it waits for the answer");
    assert_eq!(agent.pass().len(), 2, "without it, the turn goes on");
    assert_eq!(agent.position(), 8, "it waits for the reconnection");
    assert_eq!(agent.pass(), []);
    assert_eq!(
        play(&mut agent, &reconnect("b", "ops")),
        ["b: connected"],
        "its answer was kept"
    );
}
