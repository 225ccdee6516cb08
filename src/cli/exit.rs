//! Exit codes, and what becomes of errors at the edge of the program.

use std::io;
use std::process::ExitCode;

/// How a command ended. The numbers are an interface: `docs/command-line.md` lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Success,
    /// Wrong arguments, or a file or choice that is not there.
    Usage,
    /// The turn ended for another reason than `end_turn`.
    OtherReason,
    SignInNeeded,
    AgentFailed,
    TimeLimit,
    Cancelled,
}

impl Exit {
    /// The number for the system.
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Usage => 2,
            Self::OtherReason => 3,
            Self::SignInNeeded => 4,
            Self::AgentFailed => 5,
            Self::TimeLimit => 6,
            Self::Cancelled => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// The exit of a command that writes to stdout. Whoever reads it may stop reading at any time.
pub fn after_writing(result: io::Result<Exit>) -> Exit {
    match result {
        Ok(exit) => exit,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Success,
        Err(error) => {
            complain(&format!("stdout can't be written: {error}"));
            Exit::AgentFailed
        }
    }
}

/// One message for the person, on stderr.
pub fn complain(message: &str) {
    use io::Write as _;
    // Nobody is left to be told when stderr is closed.
    drop(writeln!(io::stderr(), "agent-panel: {message}"));
}
