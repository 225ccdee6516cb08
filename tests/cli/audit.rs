//! The record of decisions on the command line.

use serde_json::{Value, json};

use crate::program::run;

fn entry(at_ms: u64, backend: &str, decision: &str) -> Value {
    json!({
        "at_ms": at_ms, "backend": backend, "folder": "/srv/harbor", "session": "s1",
        "tool_call": "t1", "tool": "Bash", "identity_source": "content", "unsure": false,
        "input_digest": null, "decision": decision, "because": "rule",
        "rule": "allow command npm test", "answer": "allow_once",
    })
}

/// A record of three decisions with a broken line among them.
fn record() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("audit.jsonl");
    let lines = [
        entry(1_000, "codex", "asked").to_string(),
        "half a li".to_owned(),
        entry(2_000, "codex", "auto_allow").to_string(),
        entry(1_798_714_800_000, "grok", "auto_allow").to_string(),
    ];
    std::fs::write(&file, lines.join("\n")).expect("it can be written");
    let file = file.to_str().expect("a path").to_owned();
    (folder, file)
}

#[test]
fn the_record_is_filtered_and_a_broken_line_is_told() {
    let (_folder, file) = record();
    let all = ["audit", "--file", &file, "--format", "jsonl"];
    let count = |more: &[&str]| {
        let ran = run(&[&all, more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("1 lines can't be read"),
            "{}",
            ran.stderr
        );
        let lines: Vec<Value> = ran
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        lines.len()
    };
    assert_eq!(count(&[]), 3);
    assert_eq!(count(&["--backend", "codex"]), 2);
    assert_eq!(count(&["--decision", "auto_allow"]), 2);
    assert_eq!(count(&["--session", "s2"]), 0);
    assert_eq!(count(&["--since", "2026-12-31"]), 1);
}

#[test]
fn text_says_when_what_and_why() {
    let (_folder, file) = record();
    let ran = run(&["audit", "--file", &file, "--backend", "grok"]);
    let expected = "2026-12-31T11:00:00Z  auto_allow  allow_once  Bash  grok  /srv/harbor  rule: allow command npm test\n";
    assert_eq!(ran.stdout, expected);
}

#[test]
fn no_record_and_a_wrong_filter_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("none.jsonl");
    let file = file.to_str().expect("a path");
    let ran = run(&["audit", "--file", file]);
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.stderr.contains("nothing is on record yet"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        run(&["audit", "--file", file, "--since", "soon"]).code,
        Some(2)
    );
    assert_eq!(
        run(&["audit", "--file", file, "--decision", "maybe"]).code,
        Some(2)
    );
}
