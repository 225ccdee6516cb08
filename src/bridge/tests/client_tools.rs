//! Files and terminals on the wire: offered only when they are on, answered once, in the protocol's form.

use serde_json::json;

use super::*;
use crate::core::client_tools::{
    ClientAnswer, ClientCall, ClientFailure, ClientTools, TerminalCall, TerminalStart,
};
use crate::core::ids::{RequestId, TerminalId};
use crate::core::notice::ExitStatus;

const ALL: ClientTools = ClientTools {
    read: true,
    write: true,
    terminal: true,
};

/// An open session with an agent that is offered this.
fn wire(tools: ClientTools, agent: &str) -> Wire {
    let mut spec = spec();
    spec.client_tools = tools;
    let mut wire = Wire {
        bridge: Bridge::new(CONNECTION, &spec, client()),
        sent: Vec::new(),
    };
    let output = wire.bridge.start();
    wire.take(output);
    let info = json!({"protocolVersion": 1, "agentInfo": {"name": agent, "version": "1"}});
    drop(wire.hear(&answer(1, &info)));
    drop(wire.say(new_session(SESSION)));
    drop(wire.hear(&answer(2, &json!({"sessionId": "s1"}))));
    wire
}

fn request(id: u64, method: &str, params: &Value) -> Value {
    let mut params = params.clone();
    params["sessionId"] = json!("s1");
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn respond(wire: &mut Wire, id: i64, result: Result<ClientAnswer, ClientFailure>) -> Value {
    wire.sent.clear();
    drop(wire.say(AgentMessage::AnswerClient {
        session: SESSION,
        request: RequestId::Number(id),
        result,
    }));
    wire.sent.pop().unwrap_or_default()
}

#[test]
fn what_is_off_is_neither_offered_nor_answered() {
    let methods = [
        ("fs/read_text_file", json!({"path": "/p/a"})),
        ("fs/write_text_file", json!({"path": "/p/a", "content": ""})),
        ("terminal/create", json!({"command": "ls"})),
        ("terminal/output", json!({"terminalId": "t"})),
        ("terminal/wait_for_exit", json!({"terminalId": "t"})),
        ("terminal/kill", json!({"terminalId": "t"})),
        ("terminal/release", json!({"terminalId": "t"})),
    ];
    for (words, on) in [
        (&[][..], &[][..]),
        (&["fs.read"], &[0]),
        (&["fs.write"], &[1]),
        (&["terminal"], &[2, 3, 4, 5, 6]),
        (&["fs", "terminal"], &[0, 1, 2, 3, 4, 5, 6]),
    ] {
        let tools = ClientTools::from_words(words.iter().copied()).unwrap();
        let mut wire = wire(tools, "x");
        let offered = &wire.sent[0]["params"]["clientCapabilities"];
        assert_eq!(
            [
                &offered["fs"]["readTextFile"],
                &offered["fs"]["writeTextFile"],
                &offered["terminal"]
            ],
            [
                &json!(tools.read),
                &json!(tools.write),
                &json!(tools.terminal)
            ]
        );
        for (index, (method, params)) in methods.iter().enumerate() {
            wire.sent.clear();
            let id = 50 + index as u64;
            let events = wire.hear(&request(id, method, params));
            if on.contains(&index) {
                assert_eq!((events.len(), wire.sent.len()), (1, 0), "{method}");
            } else {
                assert_eq!(wire.sent[0]["error"]["code"], json!(-32601), "{method}");
            }
        }
    }
}

#[test]
fn requests_are_read() {
    let mut wire = wire(ALL, "x");
    let call = |events: Vec<Event>| match events.as_slice() {
        [
            Event::Session {
                event: SessionEvent::ClientAsked { call, .. },
                ..
            },
        ] => call.as_ref().clone(),
        other => panic!("{other:?}"),
    };
    let params = json!({"path": "/p/a", "line": 3, "limit": 1000});
    assert_eq!(
        call(wire.hear(&request(1, "fs/read_text_file", &params))),
        ClientCall::Read {
            path: "/p/a".into(),
            line: Some(3),
            limit: Some(1000)
        }
    );
    let params = json!({"path": "/p/a", "content": "x", "_meta": {"bom": false}});
    assert_eq!(
        call(wire.hear(&request(2, "fs/write_text_file", &params))),
        ClientCall::Write {
            path: "/p/a".into(),
            content: "x".to_owned()
        }
    );
    let params = json!({"command": "ls", "args": ["-l"], "cwd": "/p", "outputByteLimit": 9,
        "env": [{"name": "A", "value": "b"}]});
    assert_eq!(
        call(wire.hear(&request(3, "terminal/create", &params))),
        ClientCall::Terminal(TerminalStart {
            command: "ls".to_owned(),
            args: vec!["-l".to_owned()],
            env: vec![("A".to_owned(), "b".to_owned())],
            cwd: Some("/p".into()),
            output_limit: Some(9),
        })
    );
    let events = wire.hear(&request(4, "terminal/kill", &json!({"terminalId": "t7"})));
    assert_eq!(
        events,
        [of(
            SESSION,
            SessionEvent::TerminalAsked {
                request: RequestId::Number(4),
                terminal: TerminalId::from("t7"),
                call: TerminalCall::Kill,
            }
        )]
    );
}

#[test]
fn parameters_that_can_not_be_used_are_refused_at_once() {
    let mut wire = wire(ALL, "x");
    let cases = [
        ("fs/read_text_file", json!({"path": "a.txt"})),
        ("fs/read_text_file", json!({"path": 7})),
        ("fs/write_text_file", json!({"path": "/p/a"})),
        ("fs/write_text_file", json!({"path": "../a", "content": ""})),
        ("terminal/create", json!({"command": " "})),
        ("terminal/create", json!({"command": "ls", "args": [1]})),
        ("terminal/create", json!({"command": "ls", "cwd": "sub"})),
        (
            "terminal/create",
            json!({"command": "ls", "env": [{"name": "A=B; x", "value": ""}]}),
        ),
        ("terminal/output", json!({})),
    ];
    for (method, params) in cases {
        wire.sent.clear();
        assert_eq!(wire.hear(&request(9, method, &params)), [], "{params}");
        assert_eq!(wire.sent[0]["error"]["code"], json!(-32602), "{params}");
    }
    let mut elsewhere = request(9, "fs/read_text_file", &json!({"path": "/p/a"}));
    elsewhere["params"]["sessionId"] = json!("s9");
    wire.sent.clear();
    assert_eq!(wire.hear(&elsewhere), []);
    assert_eq!(wire.sent[0]["error"]["code"], json!(-32602));
}

#[test]
fn answers_have_the_form_of_the_protocol_and_are_given_once() {
    let mut wire = wire(ALL, "x");
    let exit = |status| Ok(ClientAnswer::Exited(status));
    let output = |exit| {
        Ok(ClientAnswer::Output {
            text: "a".to_owned(),
            truncated: true,
            exit,
        })
    };
    let failed = |reason: &str| {
        Err(ClientFailure::Failed {
            reason: reason.to_owned(),
        })
    };
    let cases = [
        (
            Ok(ClientAnswer::Text("x".to_owned())),
            json!({"result": {"content": "x"}}),
        ),
        (Ok(ClientAnswer::Written), json!({"result": {}})),
        (
            Ok(ClientAnswer::Started("t".into())),
            json!({"result": {"terminalId": "t"}}),
        ),
        (
            output(None),
            json!({"result": {"output": "a", "truncated": true}}),
        ),
        (
            output(Some(ExitStatus::Code(3))),
            json!({"result": {"output": "a", "truncated": true, "exitStatus": {"exitCode": 3}}}),
        ),
        (
            exit(ExitStatus::Signal(9)),
            json!({"result": {"signal": "SIGKILL"}}),
        ),
        (exit(ExitStatus::Unknown), json!({"result": {}})),
        (Ok(ClientAnswer::Done), json!({"result": {}})),
        (
            Err(ClientFailure::NoFile {
                path: "/p/a".into(),
            }),
            json!({"error": {"code": -32002, "message": "Resource not found: /p/a"}}),
        ),
        (
            Err(ClientFailure::Cancelled),
            json!({"error": {"code": -32800, "message": "Request cancelled"}}),
        ),
        (
            failed("why"),
            json!({"error": {"code": -32603, "message": "why"}}),
        ),
    ];
    for (result, expected) in cases {
        drop(wire.hear(&request(5, "fs/read_text_file", &json!({"path": "/p/a"}))));
        let mut sent = respond(&mut wire, 5, result.clone());
        let frame = sent.as_object_mut().expect("a frame");
        frame.remove("jsonrpc");
        assert_eq!(frame.remove("id"), Some(json!(5)));
        assert_eq!(sent, expected);
        assert_eq!(respond(&mut wire, 5, result), Value::Null);
    }
}

/// Gemini ends a write when the file that it is to make can't be read.
#[test]
fn a_missing_file_is_empty_for_the_agent_that_needs_it_so() {
    let missing = || {
        Err(ClientFailure::NoFile {
            path: "/p/a".into(),
        })
    };
    let mut gemini = wire(ALL, "gemini-cli");
    drop(gemini.hear(&request(5, "fs/read_text_file", &json!({"path": "/p/a"}))));
    let sent = respond(&mut gemini, 5, missing());
    assert_eq!(sent["result"], json!({"content": ""}));
    // A refusal is no missing file.
    drop(gemini.hear(&request(6, "fs/read_text_file", &json!({"path": "/p/a"}))));
    let sent = respond(&mut gemini, 6, Err(ClientFailure::Cancelled));
    assert_eq!(sent["error"]["code"], json!(-32800));
}

#[test]
fn an_id_that_waits_is_not_used_twice_and_closing_answers_what_is_left() {
    let mut wire = wire(ALL, "x");
    drop(wire.hear(&request(5, "fs/read_text_file", &json!({"path": "/p/a"}))));
    wire.sent.clear();
    let again = request(5, "fs/read_text_file", &json!({"path": "/p/b"}));
    assert_eq!(wire.hear(&again), []);
    assert_eq!(wire.sent[0]["error"]["code"], json!(-32600));
    wire.sent.clear();
    drop(wire.say(AgentMessage::CloseSession { session: SESSION }));
    assert_eq!(wire.sent[0]["id"], json!(5));
    assert_eq!(wire.sent[0]["error"]["code"], json!(-32800));
}

#[test]
fn a_request_that_is_taken_back_is_answered_and_told() {
    let mut wire = wire(ALL, "x");
    drop(wire.hear(&request(5, "fs/read_text_file", &json!({"path": "/p/a"}))));
    wire.sent.clear();
    let cancel =
        json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 5}});
    let withdrawn = SessionEvent::PermissionWithdrawn {
        request: RequestId::Number(5),
    };
    assert_eq!(wire.hear(&cancel), [of(SESSION, withdrawn)]);
    assert_eq!(wire.sent[0]["error"]["code"], json!(-32800));
    assert_eq!(
        respond(&mut wire, 5, Ok(ClientAnswer::Written)),
        Value::Null
    );
}
