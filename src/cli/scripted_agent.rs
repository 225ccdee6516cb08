//! `agent-panel scripted-agent`: the agent's side of a recording, or the demo, on stdin and stdout.

use std::io::{self, BufRead as _, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use serde_json::Value;

use super::args;
use super::exit::{Exit, after_writing, complain};
use super::recording::read;
use crate::bridge::script::agent::{Pace, ScriptedAgent};
use crate::bridge::script::demo::DemoAgent;
use crate::bridge::script::{Recording, line_of};
use crate::io::clock;

/// Runs the command until its input ends.
pub(super) fn run(args: &args::ScriptedAgent) -> Exit {
    match &args.file {
        Some(file) => match read(file) {
            Ok(recording) => after_writing(play(recording)),
            Err(message) => {
                complain(&message);
                Exit::Usage
            }
        },
        None => after_writing(play_demo(Pauses::from_flag(args.no_pauses))),
    }
}

fn play(recording: Recording) -> io::Result<Exit> {
    let mut agent = ScriptedAgent::new(recording, Pace::Client);
    let mut out = io::stdout().lock();
    let frames = agent.start();
    write_frames(&mut out, frames.iter().map(|played| &played.frame))?;
    for line in io::stdin().lock().lines() {
        // A line that is no frame is none of a client's; real agents ignore it too.
        let Ok(frame) = serde_json::from_str::<Value>(&line?) else {
            continue;
        };
        let frames = agent.receive(&frame);
        write_frames(&mut out, frames.iter().map(|played| &played.frame))?;
    }
    Ok(Exit::Success)
}

/// Whether the demo waits between its frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pauses {
    Natural,
    None,
}

impl Pauses {
    fn from_flag(none: bool) -> Self {
        if none { Self::None } else { Self::Natural }
    }
}

fn play_demo(pauses: Pauses) -> io::Result<Exit> {
    let input = read_input()?;
    let mut demo = DemoAgent::default();
    let mut out = io::stdout().lock();
    loop {
        let now = clock::now().0;
        let wait = demo.next_due().map(|due| match pauses {
            Pauses::Natural => Duration::from_millis(due.saturating_sub(now)),
            Pauses::None => Duration::ZERO,
        });
        let received = match wait {
            Some(wait) => input.recv_timeout(wait),
            None => input.recv().map_err(RecvTimeoutError::from),
        };
        let frames = match received {
            Ok(frame) => demo.receive(&frame, clock::now().0),
            Err(RecvTimeoutError::Timeout) if pauses == Pauses::None => {
                demo.play(demo.next_due().unwrap_or(now))
            }
            Err(RecvTimeoutError::Timeout) => demo.play(clock::now().0),
            Err(RecvTimeoutError::Disconnected) => return Ok(Exit::Success),
        };
        write_frames(&mut out, &frames)?;
    }
}

/// Reads stdin beside the pauses, so that a cancellation is heard during one.
fn read_input() -> io::Result<Receiver<Value>> {
    let (sender, receiver) = mpsc::sync_channel(64);
    std::thread::Builder::new()
        .name("demo input".to_owned())
        .spawn(move || {
            for line in io::stdin().lock().lines().map_while(Result::ok) {
                let Ok(frame) = serde_json::from_str(&line) else {
                    continue;
                };
                if sender.send(frame).is_err() {
                    return;
                }
            }
        })?;
    Ok(receiver)
}

fn write_frames<'a>(
    out: &mut impl Write,
    frames: impl IntoIterator<Item = &'a Value>,
) -> io::Result<()> {
    for frame in frames {
        writeln!(out, "{}", line_of(frame))?;
    }
    out.flush()
}
