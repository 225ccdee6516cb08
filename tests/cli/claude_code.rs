//! Claude Code's own dialect without a window: replayed, and played to `exec` by a scripted agent.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::{PROGRAM, Ran, fixture, program, ran, run};
use crate::{of_type, records};

/// A folder with a program `claude` that plays a recording.
fn played(case: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("claude-{case}"));
    fs::create_dir_all(&folder).expect("the folder can be made");
    let file = fixture(&format!("claude-code/{case}.jsonl"));
    let script = format!(
        "#!/bin/sh\nexec '{PROGRAM}' scripted-agent '{}'\n",
        file.display()
    );
    let claude = folder.join("claude");
    fs::write(&claude, script).expect("the script can be written");
    fs::set_permissions(&claude, fs::Permissions::from_mode(0o755)).expect("it can be run");
    folder
}

fn exec(case: &str, arguments: &[&str]) -> Ran {
    let mut all = vec!["exec", "--trust", "--backend", "claude-code"];
    all.extend(arguments);
    let mut command = program(&all);
    let output = command.env("PATH", played(case)).output();
    ran(output.expect("the program starts"))
}

#[test]
fn a_recording_is_played_to_a_client_on_stdin_and_stdout() {
    let answer = exec("text", &["hello"]);
    assert!(
        answer.stdout.starts_with("Here is a short **answer**."),
        "{} {}",
        answer.stdout,
        answer.stderr
    );
    assert_eq!(answer.code, Some(0));
}

#[test]
fn its_permission_requests_are_asked_and_answered() {
    let arguments = ["--format", "jsonl", "--on-ask", "allow", "go"];
    let records = records(&exec("shell-allow", &arguments).stdout);
    let asked = of_type(&records, "permission");
    assert_eq!(asked.len(), 1, "{records:?}");
    assert_eq!(asked[0]["tool_name"], "Bash");
    assert_eq!(asked[0]["answer"]["kind"], "allow_once");
    assert_eq!(of_type(&records, "end")[0]["stop_reason"], "end_turn");
}

#[test]
fn replay_plays_the_persons_side_from_the_recording() {
    let file = fixture("claude-code/ask-user-question.jsonl");
    let file = file.to_string_lossy();
    let whole = run(&["replay", &file]);
    assert!(
        whole
            .stdout
            .contains("\"Which scenes get it?\"=\"Menu, Game\""),
        "{}",
        whole.stdout
    );
    assert_eq!(run(&["replay", "--chunk", "3", &file]).stdout, whole.stdout);
    assert_eq!(whole.code, Some(0));
}

#[test]
fn the_id_of_the_session_follows_when_the_agent_tells_it() {
    let told = records(&exec("text", &["--format", "jsonl", "hello"]).stdout);
    assert_eq!(of_type(&told, "session")[0]["session_id"], Value::Null);
    let ids = of_type(&told, "session_id");
    assert_eq!(ids.len(), 1, "{told:?}");
    assert!(
        ids[0]["session_id"]
            .as_str()
            .is_some_and(|id| id.len() == 36),
        "{ids:?}"
    );
}

#[test]
fn text_that_is_begun_anew_is_told_apart() {
    let told = records(&exec("dropped-stream", &["--format", "jsonl", "[drop] go"]).stdout);
    let of_kind = |kind: &str| -> Vec<&str> {
        let blocks = told.iter().filter(|record| record["kind"] == kind);
        blocks.filter_map(|block| block["text"].as_str()).collect()
    };
    let text = "The start of an answer that does not end well";
    assert_eq!(of_kind("agent_message"), [text]);
    assert_eq!(of_kind("abandoned"), [text, text]);
    let plain = exec("dropped-stream", &["[drop] go"]);
    assert_eq!(plain.stderr.matches("[begun anew]").count(), 2);
}
