//! Runs the real program.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// Where the program is.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_agent-panel");

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The program with these arguments, without a display, without a person's settings.
#[expect(
    clippy::disallowed_methods,
    reason = "the program under test is run as a person would"
)]
pub(crate) fn program(arguments: &[&str]) -> Command {
    let nowhere = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-settings");
    let mut command = Command::new(PROGRAM);
    command
        .args(arguments)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("AGENT_PANEL_LOG")
        .env("XDG_CONFIG_HOME", &nowhere)
        .env("XDG_STATE_HOME", &nowhere)
        // So that nobody's login shell is asked for its PATH.
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs the program to its end.
pub(crate) fn run(arguments: &[&str]) -> Ran {
    ran(program(arguments).output().expect("the program starts"))
}

/// Runs the program with something on its stdin.
pub(crate) fn run_with_input(arguments: &[&str], input: &str) -> Ran {
    let mut child = spawn(program(arguments).stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // A program that refuses its arguments reads nothing.
    drop(stdin.write_all(input.as_bytes()));
    drop(stdin);
    ran(child.wait_with_output().expect("the program ends"))
}

pub(crate) fn spawn(command: &mut Command) -> Child {
    command.spawn().expect("the program starts")
}

pub(crate) fn ran(output: Output) -> Ran {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program writes UTF-8");
    Ran {
        code: output.status.code(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// A recording.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures")
        .join(name)
}

/// For `--command`: this program as an agent that plays a recording.
pub(crate) fn scripted(name: &str) -> String {
    format!(
        "\"{PROGRAM}\" scripted-agent \"{}\"",
        fixture(name).display()
    )
}
