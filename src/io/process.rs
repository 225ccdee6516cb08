//! Child processes: started in a session of their own, ended with all their descendants.

#[cfg(target_os = "linux")]
mod parent_death;
#[cfg(all(unix, not(target_os = "linux")))]
#[path = "process/group.rs"]
mod tree;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(windows)]
mod windows;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};

use crate::core::notice::ExitStatus;
use crate::io::launch::{Arguments, Launch};

/// Variables that tell a program that it runs inside an agent. Our children don't.
const REMOVED_VARIABLES: [&str; 3] = [
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ID",
];
/// The variable that marks all processes of one agent.
const MARK_VARIABLE: &str = "AGENT_PANEL_AGENT";

/// What is started, and where.
#[derive(Debug)]
pub struct Start<'a> {
    pub launch: &'a Launch,
    pub cwd: &'a Path,
    /// Set in addition to our own variables.
    pub env: &'a BTreeMap<String, String>,
    /// The child's `PATH`; `None` leaves ours.
    pub path: Option<OsString>,
    pub bond: Bond,
}

/// How a child belongs to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bond {
    /// It reads from us, and ends with us, together with all that it started.
    Agent,
    /// It has no input and ends by itself. What it leaves behind is the user's: killing an agent for keys that a
    /// profile started, or a program that holds a lock, does harm.
    Visitor,
}

/// The pipes of a child.
#[derive(Debug)]
pub struct Pipes {
    pub stdin: Option<ChildStdin>,
    pub stdout: Option<ChildStdout>,
    pub stderr: Option<ChildStderr>,
}

/// A child process with all that it starts. Dropping an agent kills them.
#[derive(Debug)]
pub struct Process {
    child: Box<dyn ChildWrapper>,
    pid: Option<u32>,
    #[cfg(unix)]
    tree: tree::Tree,
    bond: Bond,
    is_swept: bool,
}

impl Process {
    /// Starts a process. On Linux it is tied to the calling thread, which has to outlive it.
    pub fn spawn(start: &Start<'_>) -> io::Result<Self> {
        let mark = new_mark();
        let mut wrap = CommandWrap::from(command(start, &mark));
        if start.bond == Bond::Agent {
            wrap.wrap(KillOnDrop);
        }
        #[cfg(unix)]
        wrap.wrap(process_wrap::tokio::ProcessSession);
        #[cfg(windows)]
        wrap.wrap(process_wrap::tokio::JobObject)
            .wrap(windows::NoWindow);
        let child = wrap.spawn()?;
        let pid = child.id();
        Ok(Self {
            child,
            pid,
            #[cfg(unix)]
            tree: tree::Tree::below(pid.unwrap_or_default(), format!("{MARK_VARIABLE}={mark}")),
            bond: start.bond,
            is_swept: false,
        })
    }

    /// The number of the process that was started.
    pub fn pid(&self) -> Option<u32> {
        self.pid
    }

    /// Takes the pipes; a second call gives none.
    pub fn take_pipes(&mut self) -> Pipes {
        Pipes {
            stdin: self.child.stdin().take(),
            stdout: self.child.stdout().take(),
            stderr: self.child.stderr().take(),
        }
    }

    /// Lets the process read the end of its input.
    pub fn close_input(&mut self) {
        drop(self.child.stdin().take());
    }

    /// Waits until the process itself has ended, whatever its descendants do. May be dropped and called again.
    pub async fn wait(&mut self) -> ExitStatus {
        // The outer wrapper would wait for the descendants too.
        let status = self.child.inner_mut().wait().await;
        #[cfg(all(unix, not(target_os = "linux")))]
        self.tree.leader_was_reaped();
        match status {
            Ok(status) => exit_status(status),
            Err(error) => {
                tracing::warn!(pid = self.pid, %error, "can't learn how a process ended");
                ExitStatus::Unknown
            }
        }
    }

    /// Remembers the descendants, to find them when their parents are gone. Call it before asking for an end.
    #[cfg_attr(
        windows,
        expect(clippy::unused_self, reason = "a job knows its processes")
    )]
    pub fn remember_descendants(&mut self) {
        #[cfg(unix)]
        self.tree.look();
    }

    /// Asks the process and its group to end. Only while it has not been waited for.
    pub fn terminate(&mut self) {
        #[cfg(unix)]
        {
            self.tree.look();
            self.signal(nix::libc::SIGTERM);
        }
        // There is no polite way on Windows.
        #[cfg(windows)]
        self.kill();
    }

    /// Tells the process and its group that their terminal is gone. Only while it has not been waited for.
    pub fn hang_up(&mut self) {
        #[cfg(unix)]
        self.signal(nix::libc::SIGHUP);
        #[cfg(windows)]
        self.kill();
    }

    /// Kills the process, if it still runs, and all its descendants.
    pub fn kill(&mut self) {
        #[cfg(unix)]
        self.tree.kill();
        #[cfg(windows)]
        if let Err(error) = self.child.start_kill() {
            tracing::warn!(pid = self.pid, %error, "can't stop the processes of an agent");
        }
        self.is_swept = true;
    }

    #[cfg(unix)]
    fn signal(&self, signal: i32) {
        if let Err(error) = self.child.signal(signal) {
            tracing::debug!(pid = self.pid, %error, "can't signal a process");
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.bond == Bond::Agent && !self.is_swept {
            self.kill();
        }
    }
}

fn command(start: &Start<'_>, mark: &str) -> Command {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is where processes are started"
    )]
    let mut command = Command::new(&start.launch.program);
    match &start.launch.arguments {
        Arguments::Exact(args) => {
            command.args(args);
        }
        #[cfg(windows)]
        Arguments::CommandLine(line) => {
            command.raw_arg(line);
        }
        #[cfg(not(windows))]
        Arguments::CommandLine(line) => {
            command.arg(line);
        }
    }
    command
        .current_dir(start.cwd)
        .stdin(match start.bond {
            Bond::Agent => Stdio::piped(),
            Bond::Visitor => Stdio::null(),
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for name in REMOVED_VARIABLES {
        command.env_remove(name);
    }
    if let Some(path) = &start.path {
        command.env("PATH", path);
    }
    // Ours would name another folder.
    #[cfg(unix)]
    command.env("PWD", start.cwd);
    command.envs(start.env);
    if start.bond == Bond::Agent {
        command.env(MARK_VARIABLE, mark);
        #[cfg(target_os = "linux")]
        parent_death::die_with_parent(&mut command);
    }
    command
}

/// A value that no other process tree carries, of this run or another.
fn new_mark() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let at = crate::io::clock::now().0;
    format!("{}-{at}-{number}", std::process::id())
}

#[cfg(unix)]
fn exit_status(status: std::process::ExitStatus) -> ExitStatus {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(code), _) => ExitStatus::Code(code),
        (None, Some(signal)) => ExitStatus::Signal(signal),
        (None, None) => ExitStatus::Unknown,
    }
}

#[cfg(not(unix))]
fn exit_status(status: std::process::ExitStatus) -> ExitStatus {
    status.code().map_or(ExitStatus::Unknown, ExitStatus::Code)
}
