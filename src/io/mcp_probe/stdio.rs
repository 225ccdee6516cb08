//! A server that is a command: started, asked, and ended with all it started.

use std::collections::BTreeMap;
use std::time::Duration;

use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::AsyncReadExt as _;
use tokio::process::ChildStderr;
use tokio::time::{timeout, timeout_at};

use crate::core::notice::ExitStatus;
use crate::io::launch::{self, Launch};
use crate::io::mcp_probe::Attempt;
use crate::io::mcp_probe::failure::Failure;
use crate::io::mcp_probe::offer::{self, MESSAGE_BYTES_MOST, Offer};
use crate::io::process::{Bond, Process, Start};
use crate::io::stderr_tail::StderrTail;

/// How long a program that has closed its output may take to end, and to say why.
const END_LIMIT: Duration = Duration::from_millis(500);
const STDERR_BUFFER_BYTES: usize = 4096;

/// Asks a server that is started for it. The process is gone when this returns or is dropped.
pub(super) async fn ask(
    launch: &Launch,
    env: &BTreeMap<String, String>,
    attempt: &Attempt<'_>,
) -> Result<Offer, Failure> {
    let mut process = Process::spawn(&Start {
        launch,
        cwd: attempt.cwd,
        env,
        path: launch::child_path(launch, attempt.places),
        bond: Bond::Agent,
    })
    .map_err(|error| Failure::Start(launch::start_error(&error, launch, attempt.places)))?;
    let pipes = process.take_pipes();
    let (Some(stdin), Some(stdout)) = (pipes.stdin, pipes.stdout) else {
        return Err(Failure::Start("it has no pipes".to_owned()));
    };
    let transport =
        AsyncRwTransport::new_client(stdout, stdin).with_max_line_length(MESSAGE_BYTES_MOST);
    let mut stderr = Stderr {
        pipe: pipes.stderr,
        tail: StderrTail::default(),
    };
    let asking = async {
        let asking = offer::ask(transport, attempt.lifecycle.clone());
        timeout_at(attempt.deadline, asking)
            .await
            .unwrap_or(Err(Failure::TimedOut))
    };
    tokio::pin!(asking);
    let answer = tokio::select! {
        answer = &mut asking => answer,
        () = stderr.read() => asking.await,
    };
    match answer {
        Err(Failure::Closed) => {
            let failure = end(&mut process, &mut stderr).await;
            Err(stderr.with_last_words(failure))
        }
        Err(Failure::TimedOut) => Err(stderr.with_last_words(Failure::TimedOut)),
        answer => answer,
    }
}

/// How a program ended that has closed its output.
async fn end(process: &mut Process, stderr: &mut Stderr) -> Failure {
    let ending = async { tokio::join!(process.wait(), stderr.read()).0 };
    match timeout(END_LIMIT, ending).await {
        Ok(ExitStatus::Code(code)) => Failure::Ended {
            status: format!("code {code}"),
        },
        Ok(ExitStatus::Signal(signal)) => Failure::Ended {
            status: format!("signal {signal}"),
        },
        Ok(ExitStatus::Unknown) | Err(_) => Failure::Closed,
    }
}

struct Stderr {
    pipe: Option<ChildStderr>,
    tail: StderrTail,
}

impl Stderr {
    fn with_last_words(mut self, failure: Failure) -> Failure {
        match self.tail.last(1).pop() {
            Some(words) => Failure::WithWords {
                failure: Box::new(failure),
                words,
            },
            None => failure,
        }
    }

    /// Keeps what is written, until the end. May be given up and called again.
    async fn read(&mut self) {
        let mut buffer = [0; STDERR_BUFFER_BYTES];
        while let Some(pipe) = &mut self.pipe {
            match pipe.read(&mut buffer).await {
                Ok(0) | Err(_) => self.pipe = None,
                Ok(bytes) => self.tail.push(buffer.get(..bytes).unwrap_or_default()),
            }
        }
    }
}
