//! Files and terminals that an agent gets from us, from the wire to the disk.

use std::path::Path;

use serde_json::{Value, json};

use crate::program::{PROGRAM, run};

/// An agent that asks for a file, writes one, and runs a command, each through us.
fn agent(folder: &Path, recording: &Path) -> String {
    let path = |name: &str| folder.join(name).display().to_string();
    let of_client = |frame: Value| json!({"dir": "in", "t_ms": 0, "frame": frame});
    let of_agent = |frame: Value| json!({"dir": "out", "t_ms": 0, "frame": frame});
    let request = |id: u64, method: &str, params: Value| {
        let mut params = params;
        let fields = params.as_object_mut().expect("parameters");
        fields.insert("sessionId".to_owned(), json!("s1"));
        of_agent(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    };
    let answer = |id: u64| of_client(json!({"jsonrpc": "2.0", "id": id, "result": {}}));
    let lines = [
        of_client(
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}}),
        ),
        of_agent(json!({"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": 1}})),
        of_client(json!({"jsonrpc": "2.0", "id": 2, "method": "session/new", "params": {}})),
        of_agent(json!({"jsonrpc": "2.0", "id": 2, "result": {"sessionId": "s1"}})),
        of_client(json!({"jsonrpc": "2.0", "id": 3, "method": "session/prompt", "params": {}})),
        request(
            10,
            "fs/read_text_file",
            json!({"path": path("in.txt"), "line": 2, "limit": 1}),
        ),
        answer(10),
        request(
            11,
            "fs/write_text_file",
            json!({"path": path("new/out.txt"), "content": "written\n"}),
        ),
        answer(11),
        request(
            12,
            "terminal/create",
            json!({"command": "echo", "args": ["it ran"]}),
        ),
        answer(12),
        request(
            13,
            "terminal/wait_for_exit",
            json!({"terminalId": "1-000001"}),
        ),
        answer(13),
        request(14, "terminal/output", json!({"terminalId": "1-000001"})),
        answer(14),
        request(15, "terminal/release", json!({"terminalId": "1-000001"})),
        answer(15),
        of_agent(json!({"jsonrpc": "2.0", "id": 3, "result": {"stopReason": "end_turn"}})),
    ];
    let text: Vec<_> = lines.iter().map(Value::to_string).collect();
    std::fs::write(recording, text.join("\n")).expect("a recording");
    format!("\"{PROGRAM}\" scripted-agent \"{}\"", recording.display())
}

/// What the agent was answered, by the id of its request, and the permission records.
fn play(options: &[&str]) -> (tempfile::TempDir, Vec<(u64, Value)>, Vec<Value>) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = agent_panel::io::policy_files::canonical(folder.path()).expect("it is there");
    let project = root.join("project");
    std::fs::create_dir(&project).expect("a folder");
    std::fs::write(project.join("in.txt"), "one\ntwo\nthree\n").expect("a file");
    let agent = agent(&project, &root.join("recording.jsonl"));
    let frames = root.join("frames.jsonl");
    let mut arguments = vec!["exec", "--trust", "--format", "jsonl", "--cwd"];
    let texts = [project.display().to_string(), frames.display().to_string()];
    arguments.extend([texts[0].as_str(), "--record", texts[1].as_str()]);
    arguments.extend(options);
    arguments.extend(["--command", &agent, "x"]);
    let ran = run(&arguments);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let json_lines = |text: &str| -> Vec<Value> {
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().expect("lines of JSON")
    };
    let frames = json_lines(&std::fs::read_to_string(&frames).expect("a recording"));
    let answers = frames
        .iter()
        .filter(|line| line.get("dir") == Some(&json!("in")))
        .filter_map(|line| line.get("frame"))
        .filter(|frame| frame.get("method").is_none())
        .filter_map(|frame| Some((frame.get("id")?.as_u64()?, frame.clone())))
        .collect();
    let permissions = json_lines(&ran.stdout)
        .into_iter()
        .filter(|record| record["type"] == "permission")
        .collect();
    (folder, answers, permissions)
}

/// The one answer to a request.
fn of(answers: &[(u64, Value)], id: u64) -> &Value {
    let all = answers.iter().filter(|(known, _)| *known == id);
    assert_eq!(all.clone().count(), 1, "{id} is answered once: {answers:?}");
    all.map(|(_, answer)| answer)
        .next()
        .expect("it is answered")
}

#[cfg(unix)]
#[test]
fn at_the_level_for_all_tools_it_is_done_unasked_and_on_record() {
    let (folder, answers, permissions) =
        play(&["--client-tools", "fs,terminal", "--approve", "all-tools"]);
    assert_eq!(of(&answers, 10)["result"]["content"], "two\n");
    assert_eq!(of(&answers, 11)["result"], json!({}));
    let written = folder.path().join("project/new/out.txt");
    assert_eq!(
        std::fs::read_to_string(written).expect("written"),
        "written\n"
    );
    assert_eq!(of(&answers, 13)["result"]["exitCode"], 0);
    assert_eq!(
        of(&answers, 14)["result"],
        json!({"output": "it ran\n", "truncated": false, "exitStatus": {"exitCode": 0}})
    );
    let decisions: Vec<_> = permissions
        .iter()
        .map(|record| {
            (
                record["identity"].as_str().unwrap_or_default(),
                record["identity_source"].as_str().unwrap_or_default(),
                record["decision"].as_str().unwrap_or_default(),
            )
        })
        .collect();
    let auto = |name| (name, "client_request", "auto_allow");
    assert_eq!(decisions, [auto("Read"), auto("Write"), auto("Bash")]);
}

#[cfg(unix)]
#[test]
fn at_the_strictest_level_each_is_asked_and_a_no_does_nothing() {
    let (folder, answers, permissions) = play(&["--client-tools", "fs,terminal"]);
    for id in [10, 11, 12] {
        assert_eq!(of(&answers, id)["error"]["code"], -32603, "{id}");
    }
    // There is no such terminal.
    for id in [13, 14, 15] {
        assert_eq!(of(&answers, id)["error"]["code"], -32002, "{id}");
    }
    assert!(!folder.path().join("project/new").exists());
    assert_eq!(permissions.len(), 3);
    for record in &permissions {
        assert_eq!(record["decision"], "asked", "{record}");
        assert_eq!(record["answer"]["kind"], "reject_once", "{record}");
    }
}

#[test]
fn what_is_off_is_no_method_and_is_not_asked() {
    let (_folder, answers, permissions) = play(&["--approve", "all-tools"]);
    for id in 10..=15 {
        assert_eq!(of(&answers, id)["error"]["code"], -32601, "{id}");
    }
    assert_eq!(permissions, Vec::<Value>::new());
}

#[test]
fn a_client_tool_that_there_is_not_is_named_with_those_there_are() {
    let ran = run(&["exec", "--client-tools", "fs,net", "--command", "x", "x"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("fs, fs.read, fs.write, terminal"),
        "{}",
        ran.stderr
    );
}
