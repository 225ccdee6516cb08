//! Runs a program to its end, for a short answer.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};

use crate::core::notice::ExitStatus;
use crate::io::launch::{Launch, child_path};
use crate::io::places::SearchPlaces;
use crate::io::process::{Bond, Process, Start};

/// More output is not read.
const OUTPUT_BYTES_MOST: u64 = 256 * 1024;

/// How long a program may take to end when it is asked to.
const END_LIMIT: Duration = Duration::from_millis(500);
/// How long the pipes may stay open after the program has ended; a child of it may hold them.
const PIPES_LIMIT: Duration = Duration::from_millis(200);

/// What a program wrote.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    /// `None` when it had to be stopped.
    pub(super) exit: Option<ExitStatus>,
}

/// What is done with a program that takes too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overdue {
    /// It is told that its terminal is gone, so that it can clean up.
    HangUp,
    /// It is asked to end, then killed.
    Kill,
}

/// Runs a program without input in the home folder, at most for this long.
pub(super) async fn output(
    launch: &Launch,
    limit: Duration,
    overdue: Overdue,
) -> io::Result<Output> {
    let places = SearchPlaces::of_this_system();
    let root = if cfg!(windows) { "C:\\" } else { "/" };
    let mut process = Process::spawn(&Start {
        launch,
        cwd: &places.home.clone().unwrap_or_else(|| PathBuf::from(root)),
        env: &BTreeMap::new(),
        path: child_path(launch, &places),
        bond: Bond::Visitor,
    })?;
    let pipes = process.take_pipes();
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let exit = {
        let reading = async {
            tokio::join!(
                read(pipes.stdout, &mut stdout),
                read(pipes.stderr, &mut stderr)
            )
        };
        tokio::pin!(reading);
        let run = async {
            tokio::select! {
                _ = &mut reading => process.wait().await,
                exit = process.wait() => {
                    drop(tokio::time::timeout(PIPES_LIMIT, &mut reading).await);
                    exit
                }
            }
        };
        tokio::time::timeout(limit, run).await.ok()
    };
    if exit.is_none() {
        end(&mut process, overdue).await;
    }
    Ok(Output {
        stdout,
        stderr,
        exit,
    })
}

async fn end(process: &mut Process, overdue: Overdue) {
    match overdue {
        Overdue::HangUp => process.hang_up(),
        Overdue::Kill => {
            process.terminate();
            if tokio::time::timeout(END_LIMIT, process.wait())
                .await
                .is_err()
            {
                process.kill();
            }
        }
    }
}

async fn read(pipe: Option<impl AsyncRead + Unpin>, bytes: &mut Vec<u8>) {
    if let Some(pipe) = pipe
        && let Err(error) = pipe.take(OUTPUT_BYTES_MOST).read_to_end(bytes).await
    {
        tracing::debug!(%error, "the output of a program is incomplete");
    }
}
