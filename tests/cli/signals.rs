//! Being told to stop. Linux only: what is left behind is seen in `/proc`.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::ExitStatus;
use std::thread::sleep;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::program::{program, scripted, spawn};
use crate::{of_type, records};

/// Looked at this often, ten seconds in all.
const LOOKS: usize = 500;

/// A child that left the agent's session and lost its parent, and an agent that waits for what never comes.
const AGENT: &str = r#"
    (setsid sh -c 'echo $$ >"$1"; exec sleep 1000' sh "$FOLDER/child" </dev/null >/dev/null 2>&1 &)
    read -r forever; read -r forever; read -r forever
"#;

fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let is_so = (0..LOOKS).any(|_| {
        sleep(Duration::from_millis(20));
        is_so()
    });
    assert!(is_so, "never: {what}");
}

/// Sends a signal to `exec` while its agent runs; how it ended, once the agent's child is gone.
fn ended_by(signal: Signal) -> ExitStatus {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let script = folder.path().join("agent.sh");
    let agent = AGENT.replace("$FOLDER", &folder.path().display().to_string());
    fs::write(&script, agent).expect("it can be written");
    let command = format!("sh \"{}\"", script.display());
    let mut child = spawn(&mut program(&[
        "exec",
        "--trust",
        "--command",
        &command,
        "x",
    ]));
    let number = || fs::read_to_string(folder.path().join("child")).ok();
    let pid = || number().and_then(|number| number.trim().parse::<u32>().ok());
    eventually("the agent's child runs", || pid().is_some());
    let exec = i32::try_from(child.id()).expect("process ids are small");
    kill(Pid::from_raw(exec), signal).expect("it runs");
    let status = child.wait().expect("the program ends");
    let process = Path::new("/proc").join(pid().expect("it was there").to_string());
    eventually("the agent's child is gone", || !process.exists());
    status
}

#[test]
fn being_told_to_end_leaves_no_process_of_the_agent() {
    for signal in [Signal::SIGTERM, Signal::SIGHUP] {
        assert_eq!(ended_by(signal).code(), Some(130), "{signal}");
    }
}

#[test]
fn ctrl_c_cancels_the_turn() {
    let agent = scripted("claude-agent-acp/cancel.jsonl");
    let mut child = spawn(&mut program(&[
        "exec",
        "--trust",
        "--format",
        "jsonl",
        "--command",
        &agent,
        "x",
    ]));
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
    let mut seen = String::new();
    // The user's message is final as soon as the agent has said something.
    while !seen.contains("\"user_message\"") {
        assert_ne!(
            stdout.read_line(&mut seen).expect("stdout is read"),
            0,
            "{seen}"
        );
    }
    let pid = i32::try_from(child.id()).expect("process ids are small");
    let pid = Pid::from_raw(pid);
    kill(pid, Signal::SIGINT).expect("it runs");
    stdout.read_to_string(&mut seen).expect("stdout is read");
    let status = child.wait().expect("the program ends");
    let records = records(&seen);
    assert_eq!(of_type(&records, "end")[0]["stop_reason"], "cancelled");
    assert_eq!(of_type(&records, "note")[0]["code"], "cancelling");
    assert_eq!(status.code(), Some(130));
}
