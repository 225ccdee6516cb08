//! What the machine plays to clients of all kinds.

use serde_json::{Value, json};

use super::*;

mod stream_json;

/// A recording from lines like `> method #id {params}`, `< method`, `> #id result`, `< #id result`.
fn recording(lines: &[(&str, Value)]) -> Recording {
    let text: Vec<_> = lines
        .iter()
        .enumerate()
        .map(|(index, (dir, frame))| json!({"dir": dir, "t_ms": index, "frame": frame}).to_string())
        .collect();
    Recording::parse(&text.join("\n")).unwrap()
}

fn request(id: i64, method: &str, session: &str) -> Value {
    json!({"id": id, "method": method, "params": {"sessionId": session}})
}

fn answer(id: i64, word: &str) -> Value {
    json!({"id": id, "result": word})
}

fn update(text: &str) -> Value {
    json!({"method": "session/update", "params": {"text": text}})
}

fn cancel(session: &str) -> Value {
    json!({"method": "session/cancel", "params": {"sessionId": session}})
}

/// `initialize`, `session/new`, a mode, then two prompts of which the first asks for permission.
fn usual() -> Recording {
    recording(&[
        ("in", json!({"id": 1, "method": "initialize"})),
        ("out", answer(1, "hello")),
        ("in", json!({"id": 2, "method": "session/new"})),
        ("out", answer(2, "s1")),
        (
            "in",
            json!({"id": 3, "method": "session/set_mode", "params": {"sessionId": "s1", "modeId": "ask"}}),
        ),
        ("out", answer(3, "mode set")),
        ("in", request(4, "session/prompt", "s1")),
        ("out", update("one")),
        (
            "out",
            json!({"id": 0, "method": "session/request_permission", "params": {}}),
        ),
        ("in", json!({"id": 0, "result": {}})),
        ("out", update("two")),
        ("out", answer(4, "end of one")),
        ("in", request(5, "session/prompt", "s1")),
        ("out", update("three")),
        ("out", answer(5, "end of two")),
    ])
}

/// What the agent sends for a frame, in short.
fn play(agent: &mut ScriptedAgent, frame: &Value) -> Vec<String> {
    short(&agent.receive(frame))
}

fn short(played: &[Played]) -> Vec<String> {
    let one = |played: &Played| {
        let frame = &played.frame;
        let text = frame.pointer("/params/text").and_then(Value::as_str);
        let method = frame.get("method").and_then(Value::as_str);
        let result = frame.get("result").or(frame.pointer("/error/code"));
        match (text.or(method), result) {
            (Some(said), _) => said.to_owned(),
            (None, Some(result)) => {
                format!("{}: {result}", frame.get("id").unwrap_or(&Value::Null))
            }
            (None, None) => frame.to_string(),
        }
    };
    played.iter().map(one).collect()
}

fn opened(recording: Recording, pace: Pace) -> ScriptedAgent {
    let mut agent = ScriptedAgent::new(recording, pace);
    assert_eq!(
        play(&mut agent, &json!({"id": 10, "method": "initialize"})),
        ["10: \"hello\""]
    );
    assert_eq!(
        play(&mut agent, &json!({"id": 11, "method": "session/new"})),
        ["11: \"s1\""]
    );
    agent
}

#[test]
fn a_session_is_played_with_the_ids_of_the_client() {
    let mut agent = opened(usual(), Pace::Client);
    let mode = json!({"id": "a", "method": "session/set_mode", "params": {"sessionId": "s1", "modeId": "ask"}});
    assert_eq!(play(&mut agent, &mode), ["\"a\": \"mode set\""]);
    assert_eq!(
        play(&mut agent, &request(12, "session/prompt", "s1")),
        ["one", "session/request_permission"]
    );
    assert_eq!(
        play(&mut agent, &json!({"id": 0, "result": {}})),
        ["two", "12: \"end of one\""]
    );
    assert_eq!(
        play(&mut agent, &request(13, "session/prompt", "s1")),
        ["three", "13: \"end of two\""]
    );
    assert_eq!(agent.waits_at(), None);
    assert_eq!(
        play(&mut agent, &request(14, "session/prompt", "s1")),
        ["14: -32603"]
    );
}

#[test]
fn what_the_client_leaves_out_is_passed_over_and_answered_when_it_comes_late() {
    let mut agent = opened(usual(), Pace::Client);
    assert_eq!(
        play(&mut agent, &request(12, "session/prompt", "s1")),
        ["one", "session/request_permission"]
    );
    let mode = json!({"id": 13, "method": "session/set_mode", "params": {"sessionId": "s1", "modeId": "ask"}});
    assert_eq!(play(&mut agent, &mode), ["13: \"mode set\""]);
    assert_eq!(
        play(&mut agent, &json!({"id": 0, "error": {}})),
        ["two", "12: \"end of one\""]
    );
}

#[test]
fn requests_that_were_not_recorded_get_a_plausible_answer() {
    let mut agent = opened(usual(), Pace::Client);
    assert_eq!(
        play(&mut agent, &request(12, "session/close", "s1")),
        ["12: {}"]
    );
    assert_eq!(
        play(&mut agent, &request(13, "session/nonsense", "s1")),
        ["13: -32601"]
    );
    assert_eq!(
        play(&mut agent, &request(14, "session/set_model", "s1")),
        ["14: {}"]
    );
    let none: [&str; 0] = [];
    assert_eq!(
        play(&mut agent, &update("a notification of a client")),
        none
    );
}

#[test]
fn an_option_that_was_not_recorded_is_set_in_the_options_that_were() {
    let options = json!({"configOptions": [{"id": "model", "currentValue": "small"}]});
    let mut agent = ScriptedAgent::new(
        recording(&[
            ("in", json!({"id": 1, "method": "session/new"})),
            ("out", json!({"id": 1, "result": options})),
        ]),
        Pace::Client,
    );
    agent.receive(&json!({"id": 1, "method": "session/new"}));
    let set = |id: &str| json!({"id": 2, "method": "session/set_config_option", "params": {"configId": id, "value": "big"}});
    assert_eq!(
        play(&mut agent, &set("model")),
        [r#"2: {"configOptions":[{"id":"model","currentValue":"big"}]}"#]
    );
    assert_eq!(play(&mut agent, &set("nope")), ["2: -32602"]);
}

#[test]
fn a_cancellation_that_was_not_recorded_ends_the_turn() {
    let mut agent = opened(usual(), Pace::Client);
    play(&mut agent, &request(12, "session/prompt", "s1"));
    assert_eq!(
        play(&mut agent, &cancel("s1")),
        [r#"12: {"stopReason":"cancelled"}"#]
    );
    let none: [&str; 0] = [];
    assert_eq!(play(&mut agent, &json!({"id": 0, "result": {}})), none);
    assert_eq!(
        play(&mut agent, &request(13, "session/prompt", "s1")),
        ["three", "13: \"end of two\""]
    );
}

/// A turn that the recorded client cancels, and one after it.
fn with_cancellation() -> Recording {
    recording(&[
        ("in", request(1, "session/prompt", "s1")),
        ("out", update("one")),
        ("in", cancel("s1")),
        ("out", update("two")),
        ("out", answer(1, "cancelled")),
        ("in", request(2, "session/prompt", "s1")),
        ("out", answer(2, "done")),
    ])
}

#[test]
fn a_recorded_cancellation_is_waited_for() {
    let mut agent = ScriptedAgent::new(with_cancellation(), Pace::Client);
    assert_eq!(
        play(&mut agent, &request(7, "session/prompt", "s1")),
        ["one"]
    );
    assert_eq!(play(&mut agent, &cancel("s1")), ["two", "7: \"cancelled\""]);
    assert_eq!(
        play(&mut agent, &request(8, "session/prompt", "s1")),
        ["8: \"done\""]
    );
}

/// A second prompt is sent while the first one runs.
fn busy() -> Recording {
    recording(&[
        ("in", request(1, "session/prompt", "s1")),
        ("out", update("one")),
        ("in", request(2, "session/prompt", "s1")),
        ("out", update("still one")),
        ("out", answer(1, "end of one")),
        ("out", update("two")),
        ("out", answer(2, "end of two")),
        ("out", update("after")),
    ])
}

#[test]
fn a_client_that_queues_gets_the_second_answer_when_it_asks() {
    let mut agent = ScriptedAgent::new(busy(), Pace::Client);
    assert_eq!(
        play(&mut agent, &request(7, "session/prompt", "s1")),
        ["one", "still one", "7: \"end of one\""]
    );
    assert_eq!(
        play(&mut agent, &request(8, "session/prompt", "s1")),
        ["two", "8: \"end of two\"", "after"]
    );
}

#[test]
fn an_answer_that_was_recorded_before_the_client_can_ask_is_kept_for_it() {
    let refused = recording(&[
        ("in", request(1, "session/prompt", "s1")),
        ("in", request(2, "session/prompt", "s1")),
        ("out", answer(2, "busy")),
        ("out", update("one")),
        ("out", answer(1, "end of one")),
    ]);
    let mut agent = ScriptedAgent::new(refused, Pace::Client);
    assert_eq!(
        play(&mut agent, &request(7, "session/prompt", "s1")),
        ["one", "7: \"end of one\""]
    );
    assert_eq!(
        play(&mut agent, &request(8, "session/prompt", "s1")),
        ["8: \"busy\""]
    );
}

#[test]
fn a_driver_decides_when_to_go_on() {
    let mut agent = ScriptedAgent::new(busy(), Pace::Driven);
    assert_eq!(
        play(&mut agent, &request(7, "session/prompt", "s1")),
        ["one"]
    );
    assert!(agent.waits_at().is_some());
    assert_eq!(short(&agent.pass()), ["still one", "7: \"end of one\""]);
    assert_eq!(
        play(&mut agent, &request(8, "session/prompt", "s1")),
        ["two", "8: \"end of two\"", "after"]
    );
}

#[test]
fn a_loading_client_finds_the_second_run_and_hears_nothing_of_the_first() {
    let two_runs = recording(&[
        ("in", json!({"id": 1, "method": "initialize"})),
        ("out", answer(1, "hello")),
        ("in", json!({"id": 2, "method": "session/new"})),
        ("out", answer(2, "s1")),
        ("in", request(3, "session/prompt", "s1")),
        ("out", update("first run")),
        ("out", answer(3, "end of one")),
        ("in", json!({"_note": "agent process restarted here"})),
        ("in", json!({"id": 1, "method": "initialize"})),
        ("out", answer(1, "hello again")),
        ("in", request(2, "session/load", "s1")),
        ("out", update("history")),
        ("out", answer(2, "loaded")),
        ("in", request(3, "session/prompt", "s1")),
        ("out", update("second run")),
        ("out", answer(3, "end of two")),
    ]);
    let mut agent = ScriptedAgent::new(two_runs, Pace::Client);
    play(&mut agent, &json!({"id": 1, "method": "initialize"}));
    assert_eq!(
        play(&mut agent, &request(2, "session/load", "s1")),
        ["history", "2: \"loaded\""]
    );
    assert_eq!(
        play(&mut agent, &request(3, "session/prompt", "s1")),
        ["second run", "3: \"end of two\""]
    );
}

#[test]
fn requests_of_two_sessions_are_told_apart() {
    let two = recording(&[
        ("in", request(1, "session/prompt", "s2")),
        ("in", request(2, "session/prompt", "s1")),
        ("out", update("mixed")),
        ("out", answer(1, "end of s2")),
        ("out", answer(2, "end of s1")),
    ]);
    let mut agent = ScriptedAgent::new(two, Pace::Driven);
    assert_eq!(
        short(&agent.receive(&request(8, "session/prompt", "s1"))),
        [""; 0]
    );
    assert_eq!(
        play(&mut agent, &request(7, "session/prompt", "s2")),
        ["mixed", "7: \"end of s2\"", "8: \"end of s1\""]
    );
}
