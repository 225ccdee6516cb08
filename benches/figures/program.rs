//! The real program, measured from outside by what Linux says about its process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A tick of the clock that Linux counts CPU time with.
const TICK: Duration = Duration::from_millis(10);

/// The program, as Cargo built it for the benches.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_agent-panel");

/// A folder with an agent that plays a file: `history` right after the session was opened, `turn` as its first turn.
pub(crate) struct Agent {
    folder: tempfile::TempDir,
}

impl Agent {
    pub(crate) fn playing(history: &[u8], turn: &[u8]) -> Self {
        let folder = tempfile::tempdir().expect("there is room for an agent");
        let write = |name: &str, bytes: &[u8]| {
            fs::write(folder.path().join(name), bytes).expect("there is room for an agent");
        };
        write("history", history);
        write("turn", turn);
        let at = folder.path().display();
        let script = format!(
            "read -r initialize\n\
             echo '{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"protocolVersion\":1}}}}'\n\
             read -r new_session\n\
             echo '{{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{{\"sessionId\":\"s1\"}}}}'\n\
             cat '{at}/history'\n\
             read -r prompt\n\
             cat '{at}/turn'\n\
             echo '{{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{{\"stopReason\":\"end_turn\"}}}}'\n\
             cat >/dev/null\n"
        );
        write("agent.sh", script.as_bytes());
        Self { folder }
    }

    pub(crate) fn script(&self) -> PathBuf {
        self.folder.path().join("agent.sh")
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// CPU time of a process and all its threads, so far. Also of one that has ended and was not waited for.
pub(crate) fn cpu(process: &Child) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    // User and system time are the 14th and 15th field; two stand before the bracket.
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks
        .filter_map(|ticks| ticks.parse::<u32>().ok())
        .sum::<u32>()
        * TICK
}

/// Resident memory of a process, in megabytes.
pub(crate) fn resident(process: u32) -> f64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok());
    kilobytes.unwrap_or_default() / 1024.0
}

/// Whether it has ended, but was not waited for.
fn has_ended(process: &Child) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap_or_default();
    stat.rsplit_once(')')
        .is_none_or(|(_, rest)| rest.trim_start().starts_with('Z'))
}

/// Looks again and again until something is so; how long that took.
pub(crate) fn until(limit: Duration, mut is_so: impl FnMut() -> bool) -> Option<Duration> {
    let start = Instant::now();
    while start.elapsed() < limit {
        if is_so() {
            return Some(start.elapsed());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    None
}

/// `exec` against an agent that sends as fast as the pipe takes it.
pub(crate) fn run() {
    println!("| `exec`, updates | bytes | CPU | per update |");
    println!("|---|---|---|---|");
    for updates in [10_000, 100_000] {
        let turn = crate::wire::mixed_updates(updates);
        let agent = Agent::playing(b"", &turn);
        let command = format!("sh \"{}\"", agent.script().display());
        let mut exec = Command::new(PROGRAM)
            .args([
                "exec",
                "--trust",
                "--format",
                "jsonl",
                "--command",
                &command,
                "go",
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let ended = until(Duration::from_mins(2), || has_ended(&exec));
        let cpu = cpu(&exec);
        let status = exec.wait().expect("the program ends");
        assert!(ended.is_some() && status.success(), "exec: {status}");
        let per_update = cpu.as_secs_f64() * 1e6 / f64::from(updates);
        println!(
            "| {updates} | {} | {:.2} s | {per_update:.2} µs |",
            turn.len(),
            cpu.as_secs_f64()
        );
    }
}
