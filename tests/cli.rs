//! The program without a window, run as a person or a script would.

#[path = "cli/audit.rs"]
mod audit;
#[cfg(unix)]
#[path = "cli/claude_code.rs"]
mod claude_code;
#[path = "cli/client_tools.rs"]
mod client_tools;
#[path = "support/program.rs"]
mod program;
#[path = "cli/replay_rules.rs"]
mod replay_rules;
#[path = "cli/signals.rs"]
mod signals;
#[path = "cli/trust.rs"]
mod trust;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use program::{PROGRAM, fixture, program, ran, run, run_with_input, scripted, spawn};
use serde_json::{Value, json};

fn exec(agent: &str, arguments: &[&str]) -> program::Ran {
    let mut all = vec!["exec", "--trust", "--command", agent];
    all.extend(arguments);
    run(&all)
}

fn records(stdout: &str) -> Vec<Value> {
    let records: Result<_, _> = stdout.lines().map(serde_json::from_str).collect();
    records.expect("each line is a JSON object")
}

fn of_type<'a>(records: &'a [Value], name: &str) -> Vec<&'a Value> {
    records
        .iter()
        .filter(|record| record["type"] == name)
        .collect()
}

#[test]
fn the_answer_is_on_stdout_and_the_rest_on_stderr() {
    let ran = exec(
        &scripted("gemini/shell_allow_once.jsonl"),
        &["--on-ask", "allow", "make the file"],
    );
    assert_eq!(
        ran.stdout,
        "I will call `run_shell_command`.\n\nDone. The tool answered; round 1 finished.\n"
    );
    assert!(
        ran.stderr
            .contains("answer: \"Allow\"\n[tool] Bash: echo hi > out.txt — completed\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.code, Some(0));
}

#[test]
fn the_prompt_can_come_from_stdin() {
    let agent = scripted("gemini/plain_text.jsonl");
    let ran = run_with_input(
        &[
            "exec",
            "--trust",
            "--format",
            "jsonl",
            "--command",
            &agent,
            "-",
        ],
        "two\nlines\n",
    );
    assert_eq!(
        of_type(&records(&ran.stdout), "block")[0]["text"],
        "two\nlines\n"
    );
    assert_eq!(ran.code, Some(0));
}

#[test]
fn exit_codes_say_how_it_ended() {
    let cases: [(&str, &[&str], i32, &str); 8] = [
        ("qwen/plain_text.jsonl", &["x"], 0, ""),
        (
            "codex-acp/permission-reject.jsonl",
            &["x"],
            3,
            "Ended: cancelled",
        ),
        (
            "codex-acp/permission-allow-once.jsonl",
            &["--on-ask", "fail", "x"],
            3,
            "asks for permission",
        ),
        (
            "codex-acp/auth-required.jsonl",
            &["x"],
            4,
            "Codex needs you to sign in",
        ),
        (
            "gemini/error_401.jsonl",
            &["x"],
            5,
            "Mock error 401 from the model server. (401)",
        ),
        (
            "codex-acp/acp-v2.jsonl",
            &["x"],
            5,
            "version 2 of the protocol",
        ),
        (
            "qwen/plain_text.jsonl",
            &["--timeout", "0", "x"],
            6,
            "the time is up",
        ),
        (
            "gemini/plain_text.jsonl",
            &["--model", "none", "x"],
            2,
            "has no model \"none\", only: auto, ",
        ),
    ];
    for (recording, arguments, code, said) in cases {
        let ran = exec(&scripted(recording), arguments);
        assert_eq!(
            ran.code,
            Some(code),
            "{recording} {arguments:?}: {}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains(said),
            "{recording} {arguments:?}: {}",
            ran.stderr
        );
    }
}

#[test]
fn an_earlier_session_goes_on_and_only_the_new_answer_is_printed() {
    let agent = scripted("gemini/load_session.jsonl");
    let id = "00000000-0000-4000-8000-000000000001";
    let ran = exec(&agent, &["--resume", id, "hello?"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.starts_with("Hello from the **mock model**."),
        "{}",
        ran.stdout
    );
    assert!(!ran.stderr.contains("[tool]"), "{}", ran.stderr);
}

#[test]
fn what_can_not_be_done_is_said_in_one_message() {
    let nowhere = fixture("no/such/file");
    let nowhere = nowhere.to_string_lossy();
    let record = format!("{nowhere}/x");
    let cases: [(&[&str], &str); 9] = [
        (
            &["exec", "--backend", "nope", "x"],
            "there is no backend \"nope\", only: claude-code, ",
        ),
        (
            &["exec", "x"],
            "which agent? Name one with --backend: claude-code, ",
        ),
        (&["exec", "--backend", "demo", " "], "the prompt is empty"),
        (
            &["exec", "--backend", "demo", "--cwd", &nowhere, "x"],
            "--cwd is no folder: ",
        ),
        (
            &["exec", "--backend", "demo", "--mcp-config", &nowhere, "x"],
            "--mcp-config can't be used: ",
        ),
        (
            &["exec", "--command", "'open", "x"],
            "a quote is not closed",
        ),
        (
            &["exec", "--backend", "demo", "--record", &record, "x"],
            "the recording can't be written",
        ),
        (&["exec", "--fly", "x"], "unexpected argument '--fly'"),
        (&["fly"], "unrecognized subcommand 'fly'"),
    ];
    for (arguments, said) in cases {
        let ran = run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
        assert_eq!(ran.stdout, "");
    }
}

#[test]
fn a_program_that_is_no_agent_or_not_there_fails_with_a_reason() {
    let cases = [
        (
            format!("\"{PROGRAM}\" --version"),
            "[error] agent_exited: The agent ended (exit code 0)",
        ),
        (
            "no-such-program --acp".to_owned(),
            "[error] program_missing: no-such-program was not found; searched: ",
        ),
    ];
    for (agent, said) in cases {
        let ran = exec(&agent, &["x"]);
        assert_eq!(ran.code, Some(5), "{agent}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{agent}: {}", ran.stderr);
    }
}

#[test]
fn json_lines_are_whole_and_say_each_thing_once() {
    let recordings = [
        "claude-agent-acp/combined-turn.jsonl",
        "codex-acp/plan.jsonl",
        "gemini/shell_allow_once.jsonl",
        "grok-build/subagent.jsonl",
        "opencode/edit_existing_file.jsonl",
        "vibe/mcp_results.jsonl",
    ];
    for recording in recordings {
        let ran = exec(
            &scripted(recording),
            &["--on-ask", "allow", "--format", "jsonl", "go"],
        );
        let records = records(&ran.stdout);
        let known = [
            "session",
            "block",
            "permission",
            "usage",
            "note",
            "diagnostic",
            "end",
        ];
        for record in &records {
            assert!(
                known.contains(&record["type"].as_str().unwrap_or_default()),
                "{record}"
            );
        }
        let sessions = of_type(&records, "session");
        assert_eq!(sessions.len(), 1, "{recording}");
        assert!(sessions[0]["agent_version"].is_string(), "{recording}");
        let ends = of_type(&records, "end");
        assert_eq!(ends.len(), 1, "{recording}");
        assert_eq!(ends[0]["stop_reason"], "end_turn", "{recording}");
        let blocks = of_type(&records, "block");
        let ids: BTreeSet<_> = blocks.iter().map(|block| block["id"].as_u64()).collect();
        assert_eq!(ids.len(), blocks.len(), "{recording}");
        assert!(
            blocks.iter().any(|block| block["kind"] == "agent_message"),
            "{recording}"
        );
        for permission in of_type(&records, "permission") {
            assert_eq!(permission["answer"]["kind"], "allow_once", "{recording}");
        }
    }
}

#[test]
fn errors_in_json_lines_have_code_origin_and_retry() {
    let ends = |recording: &str, arguments: &[&str]| {
        let mut all = vec!["--format", "jsonl"];
        all.extend(arguments);
        let records = records(&exec(&scripted(recording), &all).stdout);
        of_type(&records, "end")
            .into_iter()
            .map(|end| end["error"].clone())
            .collect::<Vec<_>>()
    };
    let [failed] = ends("gemini/error_401.jsonl", &["x"])
        .try_into()
        .expect("one end");
    assert_eq!(
        (&failed["code"], &failed["origin"], &failed["retry"]),
        (&json!("agent_error"), &json!("agent"), &json!(true))
    );
    let [sign_in] = ends("codex-acp/auth-required.jsonl", &["x"])
        .try_into()
        .expect("one end");
    assert_eq!(
        (&sign_in["code"], &sign_in["retry"]),
        (&json!("sign_in_needed"), &json!(false))
    );
}

#[test]
fn the_demo_shows_everything_and_can_be_recorded_and_replayed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("record");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("demo.jsonl");
    let file_name = file.to_string_lossy();
    let demo = format!("\"{PROGRAM}\" scripted-agent --demo --no-pauses");
    let arguments = [
        "--on-ask",
        "allow",
        "--format",
        "jsonl",
        "--model",
        "demo large",
        "--record",
        &file_name,
        "/edit",
    ];
    let ran = exec(&demo, &arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let records = records(&ran.stdout);
    let edit = records
        .iter()
        .find(|record| record["kind"] == "tool_call")
        .expect("it edits");
    assert_eq!(
        (&edit["tool_name"], &edit["status"]),
        (&json!("Edit"), &json!("completed"))
    );
    assert_eq!(edit["diffs"][0]["path"], "/demo/src/greeting.rs");
    let usage = of_type(&records, "usage");
    assert_eq!(
        usage.last().expect("it reports usage")["context_window"],
        1_000_000
    );

    let replayed = run(&["replay", &file_name]);
    assert_eq!(replayed.code, Some(0), "{}", replayed.stderr);
    assert!(replayed.stdout.contains("> /edit\n"), "{}", replayed.stdout);
    assert!(
        replayed.stdout.contains("answer: \"Allow once\"\n"),
        "{}",
        replayed.stdout
    );
}

#[test]
fn replay_prints_text_and_json_lines_however_the_bytes_are_cut() {
    let file = fixture("codex-acp/two-sessions.jsonl");
    let file = file.to_string_lossy();
    let whole = run(&["replay", &file]);
    assert_eq!(whole.code, Some(0));
    assert!(
        whole.stdout.contains("=== Session 2: Codex"),
        "{}",
        whole.stdout
    );
    assert_eq!(run(&["replay", "--chunk", "3", &file]).stdout, whole.stdout);
    let records = records(&run(&["replay", "--format", "jsonl", &file]).stdout);
    assert_eq!(of_type(&records, "session").len(), 2);
    assert_eq!(of_type(&records, "end").len(), 2);
}

#[test]
fn a_file_that_is_no_recording_is_refused_with_its_line() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken");
    fs::create_dir_all(&folder).unwrap();
    let broken = folder.join("broken.jsonl");
    fs::write(
        &broken,
        "{\"dir\": \"in\", \"t_ms\": 1, \"frame\": {}}\nnonsense\n",
    )
    .unwrap();
    let broken = broken.to_string_lossy();
    let missing = fixture("none.jsonl");
    let missing = missing.to_string_lossy();
    for command in ["replay", "scripted-agent"] {
        for (file, said) in [
            (&broken, "line 2: not JSON"),
            (&missing, "can't read the recording"),
        ] {
            let ran = run(&[command, file]);
            assert_eq!(ran.code, Some(2), "{command} {file}");
            assert!(
                ran.stderr.contains(said),
                "{command} {file}: {}",
                ran.stderr
            );
            assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        }
    }
}

#[test]
fn a_scripted_agent_answers_with_the_ids_of_its_client_and_ends_with_its_input() {
    let file = fixture("gemini/plain_text.jsonl");
    let input = concat!(
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"initialize\",\"params\":{}}\n",
        "no frame\n",
        "{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"session/new\",\"params\":{}}\n",
    );
    let ran = run_with_input(&["scripted-agent", &file.to_string_lossy()], input);
    let ids: Vec<_> = records(&ran.stdout)
        .iter()
        .map(|frame| frame["id"].clone())
        .collect();
    assert_eq!(ids, [json!("a"), json!("b"), Value::Null]);
    assert_eq!(ran.code, Some(0));
}

#[test]
fn doctor_lists_agents_and_what_the_window_lacks() {
    let ran = run(&["doctor", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let agents = report["agents"].as_array().expect("agents are listed");
    let demo = agents
        .iter()
        .find(|agent| agent["id"] == "demo")
        .expect("the demo is there");
    assert_eq!(demo["installed"], true);
    assert!(agents.iter().all(|agent| {
        agent["installed"] == true
            || agent["searched"]
                .as_array()
                .is_some_and(|places| !places.is_empty())
    }));
    if cfg!(target_os = "linux") {
        assert_eq!(report["window"]["display"], Value::Null);
        assert!(
            report["window"]["problems"][0]
                .as_str()
                .is_some_and(|problem| problem.contains("There is no display"))
        );
    }
    let text = run(&["doctor"]).stdout;
    assert!(
        text.contains("[x] Demo (demo)") && text.contains("settings.toml (not written yet)"),
        "{text}"
    );
}

#[test]
fn nobody_has_to_read_the_output_to_its_end() {
    let long = fixture("codex-acp/long-answer.jsonl");
    let agent = scripted("codex-acp/long-answer.jsonl");
    let commands: [&[&str]; 3] = [
        &["replay", &long.to_string_lossy()],
        &["exec", "--trust", "--command", &agent, "x"],
        &[
            "exec",
            "--trust",
            "--format",
            "jsonl",
            "--command",
            &agent,
            "x",
        ],
    ];
    for arguments in commands {
        let mut child = spawn(program(arguments).stdin(Stdio::null()));
        drop(child.stdout.take());
        let ran = ran(child.wait_with_output().expect("the program ends"));
        assert!(
            !ran.stderr.contains("panicked"),
            "{arguments:?}: {}",
            ran.stderr
        );
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
    }
}
