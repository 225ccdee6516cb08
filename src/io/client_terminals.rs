//! Commands that agents run through us: each a process tree of its own, which ends with its session and with us.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::core::client_tools::{ClientAnswer, ClientFailure, TerminalStart};
use crate::core::event::{Event, SessionEvent};
use crate::core::ids::{RequestId, SessionKey, TerminalId};
use crate::core::notice::ExitStatus;
use crate::io::events::{EventSender, Parcel};
use crate::io::launch::{self, Launch};
use crate::io::places::SearchPlaces;
use crate::io::process::{Bond, Process, Start};
use crate::io::shell_path::UserPlaces;

/// How much is read at once, in bytes.
const PIECE_BYTES: usize = 16 * 1024;
/// How long the pipes may stay open after the command has ended; something that it left behind may hold them.
const PIPES_LIMIT: std::time::Duration = std::time::Duration::from_millis(300);

/// All commands that run, by the way to end them.
#[derive(Default)]
pub(super) struct Terminals {
    stops: BTreeMap<(SessionKey, TerminalId), oneshot::Sender<()>>,
}

/// A terminal to be started.
pub(super) struct Wanted {
    pub(super) session: SessionKey,
    pub(super) request: RequestId,
    pub(super) terminal: TerminalId,
    pub(super) start: TerminalStart,
    pub(super) cwd: PathBuf,
}

impl Terminals {
    /// Starts a command as a task of its own.
    pub(super) fn start(
        &mut self,
        wanted: Wanted,
        tasks: &mut JoinSet<()>,
        events: &EventSender,
        places: &Arc<UserPlaces>,
    ) {
        let (sender, stop) = oneshot::channel();
        // Those that have ended are no longer to be stopped.
        self.stops.retain(|_, stop| !stop.is_closed());
        let key = (wanted.session, wanted.terminal.clone());
        self.stops.insert(key, sender);
        let (events, places) = (events.clone(), Arc::clone(places));
        tasks.spawn(run(wanted, stop, events, places));
    }

    /// Ends a command with all that it started. One that has ended is no error.
    pub(super) fn stop(&mut self, session: SessionKey, terminal: TerminalId) {
        self.stops.remove(&(session, terminal));
    }

    /// Ends all commands.
    pub(super) fn stop_all(&mut self) {
        self.stops.clear();
    }
}

async fn run(
    wanted: Wanted,
    stop: oneshot::Receiver<()>,
    events: EventSender,
    places: Arc<UserPlaces>,
) {
    let places = places.get().await;
    let teller = Teller {
        session: wanted.session,
        terminal: wanted.terminal.clone(),
        events,
    };
    let spawned = spawn(&wanted.start, &wanted.cwd, &places);
    let (result, process) = match spawned {
        Ok(process) => (
            Ok(ClientAnswer::Started(wanted.terminal.clone())),
            Some(process),
        ),
        Err(reason) => (Err(ClientFailure::Failed { reason }), None),
    };
    let request = wanted.request;
    teller
        .tell(SessionEvent::ClientDone { request, result })
        .await;
    if let Some(process) = process {
        let exit = follow(process, stop, &teller).await;
        let terminal = wanted.terminal;
        teller
            .tell(SessionEvent::TerminalEnded { terminal, exit })
            .await;
    }
}

/// The way to tell of one terminal.
struct Teller {
    session: SessionKey,
    terminal: TerminalId,
    events: EventSender,
}

impl Teller {
    async fn tell(&self, event: SessionEvent) {
        let session = self.session;
        self.events.send(Event::Session { session, event }).await;
    }

    async fn print(&self, text: String) {
        let bytes = text.len();
        let event = SessionEvent::TerminalPrinted {
            terminal: self.terminal.clone(),
            text,
        };
        let session = self.session;
        let parcel = Parcel::new(Event::Session { session, event }, bytes);
        self.events.send_parcel(parcel).await;
    }
}

fn spawn(start: &TerminalStart, cwd: &Path, places: &SearchPlaces) -> Result<Process, String> {
    let words = |error: launch::LaunchError| error.to_string();
    launch::check_folder(&start.command, cwd, places).map_err(words)?;
    let launch = launch(start, places).map_err(words)?;
    let env: BTreeMap<String, String> = start.env.iter().cloned().collect();
    let mut process = Process::spawn(&Start {
        launch: &launch,
        cwd,
        env: &env,
        path: launch::child_path(&launch, places).filter(|_| !env.contains_key("PATH")),
        bond: Bond::Agent,
    })
    .map_err(|error| launch::start_error(&error, &launch, places))?;
    process.close_input();
    Ok(process)
}

/// A command with arguments is a program; one without is a line for the system's shell.
fn launch(start: &TerminalStart, places: &SearchPlaces) -> Result<Launch, launch::LaunchError> {
    if !start.args.is_empty() {
        return launch::resolve(&start.command, &start.args, places);
    }
    let (shell, flags): (&str, &[&str]) = if cfg!(windows) {
        ("cmd.exe", &["/d", "/s", "/c"])
    } else {
        ("/bin/sh", &["-c"])
    };
    let args = flags.iter().copied().chain([start.command.as_str()]);
    let args: Vec<String> = args.map(str::to_owned).collect();
    launch::resolve(shell, &args, places)
}

/// Passes on what a command prints until it has ended or is stopped.
async fn follow(mut process: Process, stop: oneshot::Receiver<()>, teller: &Teller) -> ExitStatus {
    let pipes = process.take_pipes();
    let exit = {
        let reading = async {
            tokio::join!(pass_on(pipes.stdout, teller), pass_on(pipes.stderr, teller));
        };
        tokio::pin!(reading);
        let run = async {
            tokio::select! {
                () = &mut reading => process.wait().await,
                exit = process.wait() => {
                    drop(tokio::time::timeout(PIPES_LIMIT, &mut reading).await);
                    exit
                }
            }
        };
        tokio::select! {
            exit = run => Some(exit),
            _ = stop => None,
        }
    };
    if let Some(exit) = exit {
        return exit;
    }
    process.kill();
    process.wait().await
}

/// Reads text from a pipe to its end. Characters that are cut by the pieces are put together again.
async fn pass_on(pipe: Option<impl AsyncRead + Unpin>, teller: &Teller) {
    let Some(mut pipe) = pipe else { return };
    let mut buffer = vec![0; PIECE_BYTES];
    let mut decoder = Decoder::default();
    loop {
        match pipe.read(&mut buffer).await {
            Ok(0) | Err(_) => break,
            Ok(read) => {
                let text = decoder.text(buffer.get(..read).unwrap_or_default());
                if !text.is_empty() {
                    teller.print(text).await;
                }
            }
        }
    }
    let rest = decoder.rest();
    if !rest.is_empty() {
        teller.print(rest).await;
    }
}

/// Text out of bytes that come in pieces.
#[derive(Debug, Default)]
struct Decoder {
    /// The beginning of a character.
    left: Vec<u8>,
}

impl Decoder {
    fn text(&mut self, piece: &[u8]) -> String {
        self.left.extend_from_slice(piece);
        let whole = match std::str::from_utf8(&self.left) {
            Ok(_) => self.left.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            // What is no text at all is replaced, but the end may still be half a character.
            Err(_) => self.left.len() - unfinished(&self.left),
        };
        let rest = self.left.split_off(whole);
        let text = String::from_utf8_lossy(&self.left).into_owned();
        self.left = rest;
        text
    }

    fn rest(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.left)).into_owned()
    }
}

/// How many bytes at the end begin a character that is not complete.
fn unfinished(bytes: &[u8]) -> usize {
    (1..=3)
        .find(|count| {
            let start = bytes.len().saturating_sub(*count);
            let end = bytes.get(start..).unwrap_or_default();
            std::str::from_utf8(end)
                .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_may_be_cut_anywhere() {
        let text = "a日本é\u{1f600}z";
        for size in 1..=text.len() {
            let mut decoder = Decoder::default();
            let mut read = String::new();
            for piece in text.as_bytes().chunks(size) {
                read.push_str(&decoder.text(piece));
            }
            read.push_str(&decoder.rest());
            assert_eq!(read, text, "{size}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced_and_half_characters_wait() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.text(b"a\xffb\xe6\x97"), "a\u{fffd}b");
        assert_eq!(decoder.text(b"\xa5"), "日");
        assert_eq!(decoder.text(b"\xe6"), "");
        assert_eq!(decoder.rest(), "\u{fffd}");
    }
}
