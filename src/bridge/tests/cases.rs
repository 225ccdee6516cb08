//! The open cases that the bridge has a part in: O-01, O-02, O-04, O-05, O-06, O-09.

use serde_json::json;

use super::*;
use crate::core::connection::SignIn;
use crate::core::notice::{ExitStatus, FailureKind, Note};
use crate::core::permission::PermissionOptionKind;
use crate::core::session::{Phase, SessionStatus};
use crate::core::tool_call::{ToolCallContent, ToolCallStatus, ToolKind};

#[test]
fn o_01_a_stream_with_things_that_are_not_protocol_messages() {
    let mut desk = Desk::with_prompt();
    desk.agent(&answer(3, &json!({"stopReason": "end_turn"})));
    desk.prompt("again");
    assert_eq!(desk.sent.last().unwrap()["id"], 4);
    let sent = desk.sent.len();
    let lines = [
        "INFO booted in 12ms",
        &chunk("s1", "one ").to_string(),
        r#"{"jsonrpc":"2.0","method":"session/upd"#,
        "\"just a string\"",
        "42",
        "[]",
        r#"{"id":4,"level":"warn","msg":"cache miss"}"#,
        "",
        "\u{1b}[33mwarning:\u{1b}[0m low disk",
        &chunk("s1", "two").to_string(),
        &answer(4, &json!({"stopReason": "end_turn"})).to_string(),
    ];
    desk.bytes(format!("{}\n", lines.join("\n")).as_bytes());
    let stray = format!("{:?}", BlockContent::note(Note::StrayLines { count: 7 }));
    let shown = desk.shown();
    let texts: String = shown
        .iter()
        .filter_map(|block| block.strip_prefix("agent: "))
        .collect();
    assert_eq!(texts, "one two");
    assert_eq!(
        shown.iter().filter(|block| **block == stray).count(),
        1,
        "{shown:?}"
    );
    assert_eq!(desk.sent.len(), sent);
    assert!(!desk.session().is_busy());
    assert_eq!(desk.hub.connection(CONNECTION).unwrap().stray_lines, 7);
}

#[test]
fn o_01_a_flood_of_stray_lines_is_one_note_and_few_events() {
    let mut wire = Wire::open();
    let mut told = Vec::new();
    for _ in 0..50_000 {
        told.extend(wire.bridge.receive(line("DEBUG tick")).events);
    }
    assert!(told.len() < 40, "{}", told.len());
    told.extend(wire.bridge.end_of_output().events);
    let count = |event: &Event| match event {
        Event::Connection {
            event: ConnectionEvent::StrayLines { count },
            ..
        } => *count,
        other => panic!("stray lines, not {other:?}"),
    };
    assert_eq!(told.iter().map(count).sum::<u64>(), 50_000);
    assert_eq!(wire.sent, Vec::<Value>::new());
}

#[test]
fn o_02_tool_updates_in_the_wrong_order() {
    let mut desk = Desk::with_prompt();
    let content = json!([{"type": "content", "content": {"type": "text", "text": "3 files"}}]);
    let frames = [
        json!({"sessionUpdate": "tool_call_update", "toolCallId": "t1", "status": "in_progress"}),
        json!({"sessionUpdate": "tool_call_update", "toolCallId": "t1", "content": content}),
        json!({"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "List folder", "kind": "search", "status": "pending"}),
        json!({"sessionUpdate": "tool_call", "toolCallId": "t2", "title": "Read a.txt", "kind": "read", "status": "completed"}),
        json!({"sessionUpdate": "tool_call", "toolCallId": "t2", "title": "Read b.txt", "kind": "read", "status": "pending"}),
        json!({"sessionUpdate": "tool_call_update", "toolCallId": "t9", "status": "failed"}),
        json!({"sessionUpdate": "tool_call_update", "toolCallId": "t2", "status": "completed"}),
    ];
    for frame in &frames {
        desk.agent_says(frame);
    }
    let before = [
        "user: hello",
        "call t1 InProgress: List folder",
        "call t2 Completed: Read a.txt",
        "call t2 Completed: Read b.txt",
        "call t9 Failed: ",
    ];
    assert_eq!(desk.shown(), before);
    let t1 = desk.session().transcript().tool_call(&"t1".into()).unwrap();
    assert_eq!(t1.content, [ToolCallContent::Text("3 files".to_owned())]);
    assert_eq!(t1.kind, ToolKind::Search);

    desk.agent(&answer(3, &json!({"stopReason": "end_turn"})));
    assert_eq!(desk.shown()[1], "call t1 NoResult: List folder");
}

#[test]
fn o_04_the_agent_dies_in_the_middle_of_a_turn() {
    let mut desk = Desk::with_prompt();
    desk.agent(&chunk("s1", "Working on it"));
    desk.agent_says(&json!({"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Build", "status": "in_progress"}));
    let options = json!([{"optionId": "a", "name": "Yes", "kind": "allow_once"}]);
    desk.agent(&permission(
        0,
        "s1",
        &json!({"toolCallId": "t2", "title": "Write"}),
        &options,
    ));
    assert_eq!(desk.session().permission_requests().len(), 1);
    desk.bytes(b"{\"jsonrpc\":\"2.0\",\"method\":\"session/upd");
    let sent = desk.sent.len();
    desk.exit(ConnectionEvent::Exited {
        exit: ExitStatus::Code(3),
        output_closed_first: false,
        stderr_tail: vec!["fatal: out of cheese".to_owned()],
    });
    assert_eq!(desk.session().permission_requests(), []);
    assert_eq!(desk.sent.len(), sent, "nothing is said to a dead agent");
    let shown = desk.shown();
    assert!(
        shown.contains(&"agent: Working on it".to_owned()),
        "{shown:?}"
    );
    assert!(
        shown.contains(&"call t1 Stopped: Build".to_owned()),
        "{shown:?}"
    );
    let failure = FailureKind::AgentExited {
        exit: ExitStatus::Code(3),
    };
    let failed = desk.session().transcript().blocks().iter().any(|block| {
        matches!(&block.content, BlockContent::Failure(found)
            if found.kind == failure && found.stderr == ["fatal: out of cheese"])
    });
    assert!(failed, "{shown:?}");
}

#[test]
fn o_05_words_the_client_does_not_know_yet() {
    let mut desk = Desk::with_prompt();
    desk.agent_says(&json!({"sessionUpdate": "hologram", "payload": {"x": 1}}));
    desk.agent_says(&json!({"sessionUpdate": "tool_call", "toolCallId": "k1", "title": "Do", "kind": "teleport", "status": "warming_up",
        "content": [{"type": "smell", "data": "pine"}, {"type": "content", "content": {"type": "text", "text": "ok"}}]}));
    desk.agent_says(&json!({"sessionUpdate": "plan", "entries": [{"content": "step 1", "priority": "urgent!!", "status": "dreaming"}]}));
    let options = json!([{"optionId": "m", "name": "Maybe", "kind": "maybe_later"}, {"optionId": "n", "name": "No", "kind": "reject_once"}]);
    desk.agent(&permission(9, "s1", &json!({"toolCallId": "k1"}), &options));
    desk.agent(&json!({"jsonrpc": "2.0", "id": 10, "method": "vendor/do_magic", "params": {}}));
    let refused = desk.sent.last().unwrap();
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&json!(10), &json!(-32601))
    );

    let call = desk.session().transcript().tool_call(&"k1".into()).unwrap();
    assert_eq!(
        (call.title.as_str(), call.kind, call.status),
        ("Do", ToolKind::Other, ToolCallStatus::Pending)
    );
    assert!(
        call.content
            .contains(&ToolCallContent::Text("ok".to_owned())),
        "{:?}",
        call.content
    );
    let request = &desk.session().permission_requests()[0];
    assert_eq!(request.tool_call.title, "Do");
    let kinds: Vec<_> = request
        .options
        .iter()
        .map(|option| (option.name.as_str(), option.kind.clone()))
        .collect();
    assert_eq!(
        kinds,
        [
            ("Maybe", PermissionOptionKind::Unknown),
            ("No", PermissionOptionKind::RejectOnce)
        ]
    );
    let shown = desk.shown();
    assert!(
        shown.iter().any(|block| block.contains("step 1")),
        "{shown:?}"
    );

    desk.agent(&answer(
        3,
        &json!({"stopReason": "solar_flare", "extra": true}),
    ));
    let note = BlockContent::note(Note::TurnEnded {
        stop_reason: "solar_flare".to_owned(),
    });
    assert_eq!(
        desk.session().transcript().blocks().last().unwrap().content,
        note
    );
}

#[test]
fn o_06_talk_after_the_bell() {
    let mut desk = Desk::with_prompt();
    desk.agent(&answer(3, &json!({"stopReason": "end_turn"})));
    for text in ["The build ", "finished."] {
        desk.agent(&chunk("s1", text));
    }
    desk.agent_says(&json!({"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Test", "status": "completed"}));
    assert_eq!(
        desk.session().status(desk.now),
        SessionStatus::StillReporting
    );
    desk.agent(&chunk("s1", "Tests too."));
    desk.prompt("next");
    desk.agent(&chunk("s1", "New answer"));
    let expected = [
        "user: hello",
        "agent: The build finished.",
        "call t1 Completed: Test",
        "agent: Tests too.",
        "user: next",
        "agent: New answer",
    ];
    assert_eq!(desk.shown(), expected);
    let late: Vec<_> = desk
        .session()
        .transcript()
        .blocks()
        .iter()
        .map(|block| block.late)
        .collect();
    assert_eq!(late, [false, true, true, true, false, false]);
}

#[test]
fn o_09_log_in_first() {
    let agent = json!({"protocolVersion": 1, "authMethods": [
        {"id": "browser", "name": "Sign in"}, {"id": "key", "name": "API key"}, {"id": "cli", "name": "Use terminal", "type": "terminal"},
    ]});
    let refusal = |id: u64| json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32000, "message": "Authentication required"}});
    let mut desk = Desk::connected(&agent);
    desk.agent(&refusal(2));
    desk.prompt("hello");
    let connection = desk.hub.connection(CONNECTION).unwrap();
    assert!(matches!(connection.sign_in, SignIn::Needed { .. }));
    assert_eq!(connection.auth_methods.len(), 3);

    desk.user(Command::Authenticate {
        connection: CONNECTION,
        method: "browser".into(),
    });
    desk.user(Command::CancelSignIn {
        connection: CONNECTION,
    });
    assert_eq!(desk.sent.last().unwrap()["params"], json!({"requestId": 3}));
    desk.agent(
        &json!({"jsonrpc": "2.0", "id": 3, "error": {"code": -32800, "message": "Cancelled"}}),
    );
    assert!(matches!(
        desk.hub.connection(CONNECTION).unwrap().sign_in,
        SignIn::Needed { .. }
    ));

    desk.user(Command::Authenticate {
        connection: CONNECTION,
        method: "browser".into(),
    });
    desk.agent(&answer(4, &json!({})));
    desk.agent(&answer(5, &json!({"sessionId": "s1"})));
    assert_eq!(*desk.session().phase(), Phase::Ready);
    let expected = [
        "initialize",
        "session/new",
        "authenticate",
        "$/cancel_request",
        "authenticate",
        "session/new",
        "session/prompt",
    ];
    assert_eq!(desk.methods(), expected);

    desk.agent(&refusal(6));
    assert_eq!(*desk.session().phase(), Phase::SignInNeeded);
}
