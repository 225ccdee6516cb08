//! Frames over the pipes of a process: lines in, frames out, stderr aside.

use std::collections::VecDeque;
use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};

use crate::bridge::lines::{Line, LineReader};
use crate::io::process::Pipes;
use crate::io::stderr_log::StderrLog;
use crate::io::stderr_tail::StderrTail;

/// What an agent does not read piles up to this size; then we don't read from it either.
const UNREAD_BYTES_MOST: usize = 16 * 1024 * 1024;
/// A stray line that is longer is cut in the log.
const LOGGED_CHARS_MOST: usize = 4096;
const STDOUT_BUFFER_BYTES: usize = 64 * 1024;
const STDERR_BUFFER_BYTES: usize = 8 * 1024;

/// The pipes of one process.
pub(super) struct Transport {
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    stdout_buffer: Vec<u8>,
    stderr_buffer: Vec<u8>,
    reader: LineReader,
    outgoing: Outgoing,
    stderr_tail: StderrTail,
    log: Option<StderrLog>,
}

/// What happened at the pipes.
pub(super) enum Piece {
    /// Some output; it may hold no end of a line.
    Lines { lines: Vec<Line>, bytes: usize },
    /// There will be no more output. What came after the last line end, if anything.
    OutputEnded(Option<Line>),
    /// Something that needs nothing to be done.
    Other,
}

/// Whether output is taken now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Demand {
    Output,
    /// What came before has not been passed on yet.
    NoOutput,
}

/// Frames that were not written yet.
#[derive(Debug, Default)]
struct Outgoing {
    frames: VecDeque<Vec<u8>>,
    written_of_first: usize,
    bytes: usize,
    closes_when_written: bool,
}

impl Transport {
    /// Takes over the pipes.
    pub(super) fn new(pipes: Pipes, log: Option<StderrLog>) -> Self {
        Self {
            stdin: pipes.stdin,
            stdout: pipes.stdout,
            stderr: pipes.stderr,
            stdout_buffer: vec![0; STDOUT_BUFFER_BYTES],
            stderr_buffer: vec![0; STDERR_BUFFER_BYTES],
            reader: LineReader::default(),
            outgoing: Outgoing::default(),
            stderr_tail: StderrTail::default(),
            log,
        }
    }

    /// Waits until something happens. The wait may be given up at any time. It never ends when all is closed.
    pub(super) async fn next(&mut self, demand: Demand) -> Piece {
        let reads = demand == Demand::Output
            && self.stdout.is_some()
            && self.outgoing.bytes < UNREAD_BYTES_MOST;
        tokio::select! {
            read = read(&mut self.stdout, &mut self.stdout_buffer), if reads => self.take_stdout(read),
            read = read(&mut self.stderr, &mut self.stderr_buffer), if self.stderr.is_some() => {
                self.take_stderr(read);
                Piece::Other
            }
            wrote = write(&mut self.stdin, self.outgoing.front()), if !self.outgoing.frames.is_empty() => {
                self.take_written(wrote);
                Piece::Other
            }
            else => std::future::pending().await,
        }
    }

    /// Queues a frame. When nobody can read it, it is dropped: the end of the process is reported on its own.
    pub(super) fn send(&mut self, frame: &str) {
        if self.stdin.is_some() && !self.outgoing.closes_when_written {
            self.outgoing.push(frame);
        }
    }

    /// Closes the agent's input once all frames are written.
    pub(super) fn close_input_when_written(&mut self) {
        self.outgoing.closes_when_written = true;
        if self.outgoing.frames.is_empty() {
            self.stdin = None;
        }
    }

    /// Closes the agent's input; frames that were not written are dropped.
    pub(super) fn close_input(&mut self) {
        self.stdin = None;
        self.outgoing = Outgoing::default();
    }

    /// Whether stdout and stderr have come to their end.
    pub(super) fn is_drained(&self) -> bool {
        self.stdout.is_none() && self.stderr.is_none()
    }

    /// Whether the end of the output is still to come.
    pub(super) fn reads_output(&self) -> bool {
        self.stdout.is_some()
    }

    /// Stops reading. What came after the last line end.
    pub(super) fn stop_reading(&mut self) -> Option<Line> {
        self.stdout = None;
        self.stderr = None;
        self.reader.finish()
    }

    /// What would be kept of a line if it were a stray one; nothing when there is no log.
    pub(super) fn start_to_log(&self, line: &str) -> Option<String> {
        self.log
            .is_some()
            .then(|| line.chars().take(LOGGED_CHARS_MOST).collect())
    }

    /// Keeps a stray line of stdout where stderr is kept.
    pub(super) fn log_stray(&mut self, text: &str) {
        if let Some(log) = &mut self.log {
            log.write(format!("stdout: {text}\n").as_bytes());
        }
    }

    /// The last lines of stderr.
    pub(super) fn stderr_tail(&mut self, most: usize) -> Vec<String> {
        self.stderr_tail.last(most)
    }

    fn take_stdout(&mut self, read: io::Result<usize>) -> Piece {
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(error) => {
                tracing::debug!(%error, "the output of an agent broke off");
                0
            }
        };
        if bytes == 0 {
            self.stdout = None;
            return Piece::OutputEnded(self.reader.finish());
        }
        let lines = self
            .reader
            .push(self.stdout_buffer.get(..bytes).unwrap_or_default());
        Piece::Lines { lines, bytes }
    }

    fn take_stderr(&mut self, read: io::Result<usize>) {
        match read {
            Ok(0) | Err(_) => self.stderr = None,
            Ok(bytes) => {
                let text = self.stderr_buffer.get(..bytes).unwrap_or_default();
                self.stderr_tail.push(text);
                if let Some(log) = &mut self.log {
                    log.write(text);
                }
            }
        }
    }

    fn take_written(&mut self, wrote: io::Result<usize>) {
        match wrote {
            Ok(bytes) if bytes > 0 => {
                self.outgoing.advance(bytes);
                if self.outgoing.closes_when_written && self.outgoing.frames.is_empty() {
                    self.stdin = None;
                }
            }
            Ok(_) | Err(_) => self.close_input(),
        }
    }
}

impl Outgoing {
    fn push(&mut self, frame: &str) {
        let mut line = Vec::with_capacity(frame.len() + 1);
        line.extend_from_slice(frame.as_bytes());
        line.push(b'\n');
        self.bytes += line.len();
        self.frames.push_back(line);
    }

    fn front(&self) -> &[u8] {
        self.frames
            .front()
            .and_then(|frame| frame.get(self.written_of_first..))
            .unwrap_or_default()
    }

    fn advance(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
        self.written_of_first += bytes;
        if self.front().is_empty() {
            self.frames.pop_front();
            self.written_of_first = 0;
        }
    }
}

async fn read(pipe: &mut Option<impl AsyncRead + Unpin>, buffer: &mut [u8]) -> io::Result<usize> {
    match pipe {
        Some(pipe) => pipe.read(buffer).await,
        None => std::future::pending().await,
    }
}

async fn write(pipe: &mut Option<ChildStdin>, bytes: &[u8]) -> io::Result<usize> {
    match pipe {
        Some(pipe) => pipe.write(bytes).await,
        None => std::future::pending().await,
    }
}
