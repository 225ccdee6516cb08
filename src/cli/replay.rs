//! `agent-panel replay`: a recording through bridge and hub, with the user's side played from its `in` frames.

mod claude_user;
mod judging;
mod user;

use std::collections::VecDeque;
use std::io::{self, Write as _};
use std::num::NonZeroUsize;

pub use judging::Judging;

use super::args::{self, Format};
use super::exit::{Exit, after_writing, complain};
use super::print_jsonl;
use super::print_text::TextTranscript;
use super::recording::read;
use super::watch::{Report, Watch};
use super::words::printable;
use crate::bridge::lines::{Line, LineReader};
use crate::bridge::script::agent::{Pace, Played, ScriptedAgent};
use crate::bridge::script::{Recording, line_of};
use crate::bridge::{Bridge, ClientInfo, Output};
use crate::core::backend::BackendSpec;
use crate::core::command::Command;
use crate::core::effect::Effect;
use crate::core::event::{ConnectionEvent, Event, SessionEvent};
use crate::core::hub::{AgentHub, Limits};
use crate::core::ids::{ConnectionId, SessionKey};
use crate::core::notice::ExitStatus;
use crate::core::session::Session;
use crate::core::time::Timestamp;
use judging::{difference, explanation, facts};

/// Runs the command.
pub fn run(args: &args::Replay) -> Exit {
    let judging = Judging::read(args.approve, args.rules.as_deref());
    let (recording, judging) = match (read(&args.file), judging) {
        (Ok(recording), Ok(judging)) => (recording, judging),
        (Err(message), _) | (_, Err(message)) => {
            complain(&message);
            return Exit::Usage;
        }
    };
    let playing = Playing {
        chunk: args.chunk,
        judging,
    };
    after_writing(print(&recording, &playing, args.format))
}

/// How a recording is replayed.
#[derive(Debug, Clone, Default)]
pub struct Playing {
    /// The size of the pieces that the agent's bytes are cut into; a line each where it is `None`.
    pub chunk: Option<NonZeroUsize>,
    pub judging: Judging,
}

fn print(recording: &Recording, playing: &Playing, format: Format) -> io::Result<Exit> {
    let mut out = io::stdout().lock();
    match format {
        Format::Text => out.write_all(text(recording, playing).as_bytes())?,
        Format::Jsonl => {
            let mut written = Ok(());
            replay(recording, playing, |hub, report| {
                if written.is_ok() {
                    written = print_jsonl::print(&mut out, hub, &report);
                }
            });
            written?;
        }
    }
    Ok(Exit::Success)
}

/// The transcripts of all sessions of a recording.
pub fn text(recording: &Recording, playing: &Playing) -> String {
    text_and_hubs(recording, playing).0
}

/// The same, with the hubs of the agent's runs as they were in the end.
pub fn text_and_hubs(recording: &Recording, playing: &Playing) -> (String, Vec<AgentHub>) {
    let runs = recording.runs();
    let many = runs.len() > 1;
    let mut text = String::new();
    let mut hubs = Vec::new();
    for (index, run) in runs.into_iter().enumerate() {
        let mut transcript = TextTranscript::default();
        let hub = Player::new(run, playing).play(|_, report| transcript.note(report));
        if many {
            let gap = if index == 0 { "" } else { "\n" };
            let heading = format!("{gap}###### Run {} of the agent\n\n", index + 1);
            text.push_str(&heading);
        }
        text.push_str(&transcript.print(&hub));
        hubs.push(hub);
    }
    (printable(&text), hubs)
}

/// Replays each run of the agent with a hub of its own; `tell` gets what happens, with the hub of that moment.
/// Returns the hubs as they were in the end.
pub fn replay(
    recording: &Recording,
    playing: &Playing,
    mut tell: impl FnMut(&AgentHub, Report),
) -> Vec<AgentHub> {
    let runs = recording.runs().into_iter();
    runs.map(|run| Player::new(run, playing).play(&mut tell))
        .collect()
}

/// One run of the agent, with a person in front of the hub who does what the recorded one did.
struct Player {
    recording: Recording,
    agent: ScriptedAgent,
    hub: AgentHub,
    bridge: Option<Bridge>,
    watch: Watch,
    reports: Vec<Report>,
    reader: LineReader,
    playing: Playing,
    /// The agent's output that the reader has not got.
    bytes: Vec<u8>,
    /// When each line of it was written.
    times: VecDeque<u64>,
    now: Timestamp,
    wake_at: Option<Timestamp>,
}

impl Player {
    fn new(recording: Recording, playing: &Playing) -> Self {
        let limits = Limits {
            automatic_restarts: 0,
        };
        Self {
            agent: ScriptedAgent::new(recording.clone(), Pace::Driven),
            recording,
            hub: AgentHub::with_limits(limits),
            bridge: None,
            watch: Watch::default(),
            reports: Vec::new(),
            reader: LineReader::default(),
            playing: playing.clone(),
            bytes: Vec::new(),
            times: VecDeque::new(),
            now: Timestamp(0),
            wake_at: None,
        }
    }

    fn play(mut self, mut tell: impl FnMut(&AgentHub, Report)) -> AgentHub {
        let opening = user::first_opening(
            &self.recording,
            &self.playing.judging,
            SessionKey(1),
            &self.spec(),
        );
        self.command(opening);
        self.settle(&mut tell);
        // Without a process nobody can go on: the hub has ended it.
        while let Some(step) = self.agent.waits_at()
            && self.bridge.is_some()
        {
            self.pass_time(Timestamp(step.t_ms));
            let position = self.agent.position();
            if let Some(command) =
                user::command(&self.recording, &self.playing.judging, position, &self.hub)
            {
                self.command(command);
                self.settle(&mut tell);
            }
            // Not all that a client does can be done by ours, and not all of it is done at once.
            if self.agent.position() == position {
                let played = self.agent.pass();
                self.write(played);
                self.settle(&mut tell);
            }
        }
        self.end(&mut tell);
        self.hub
    }

    /// The recording is over: what is still open will stay so.
    fn end(&mut self, tell: &mut impl FnMut(&AgentHub, Report)) {
        let keys: Vec<_> = self.hub.sessions().map(Session::key).collect();
        for session in keys {
            self.command(Command::ForceStop { session });
        }
        self.settle(tell);
        for report in self.watch.finish(&self.hub) {
            tell(&self.hub, report);
        }
    }

    /// Delivers the agent's output until there is none. What it sets off is delivered as well.
    fn settle(&mut self, tell: &mut impl FnMut(&AgentHub, Report)) {
        loop {
            for report in std::mem::take(&mut self.reports) {
                tell(&self.hub, report);
            }
            let bytes = std::mem::take(&mut self.bytes);
            if bytes.is_empty() {
                return;
            }
            let pieces: Vec<&[u8]> = match self.playing.chunk {
                Some(chunk) => bytes.chunks(chunk.get()).collect(),
                None => bytes.split_inclusive(|byte| *byte == b'\n').collect(),
            };
            for piece in pieces {
                for line in self.reader.push(piece) {
                    self.line(line);
                    for report in std::mem::take(&mut self.reports) {
                        tell(&self.hub, report);
                    }
                }
            }
        }
    }

    fn line(&mut self, line: Line) {
        if let Some(time) = self.times.pop_front() {
            self.pass_time(Timestamp(time));
        }
        let Some(bridge) = &mut self.bridge else {
            return;
        };
        let output = bridge.receive(line);
        self.take_output(output);
    }

    fn pass_time(&mut self, to: Timestamp) {
        while let Some(wake_at) = self.wake_at.filter(|wake_at| *wake_at <= to) {
            self.wake_at = None;
            self.now = self.now.max(wake_at);
            self.handle(Event::Tick);
        }
        self.now = self.now.max(to);
    }

    fn command(&mut self, command: Command) {
        let effects = self.hub.apply(command, self.now);
        self.perform(effects);
    }

    fn handle(&mut self, event: Event) {
        self.reports.extend(self.watch.event(&event));
        let effects = self.hub.handle(event, self.now);
        self.perform(effects);
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        let mut explanations = Vec::new();
        for report in self.watch.step(&self.hub, &effects) {
            let mut told = None;
            if let Report::PermissionAnswered(session, record) = &report {
                told = difference(&self.recording, record);
                explanations.extend(explanation(&self.hub, *session, record));
            }
            self.reports.push(report);
            self.reports.extend(told.map(Report::Diagnostic));
        }
        for explanation in explanations {
            self.command(explanation);
        }
        for effect in effects {
            match effect {
                Effect::StartAgent {
                    connection, spec, ..
                } => self.start(connection, &spec),
                Effect::StopAgent { connection, .. } => self.stop(connection),
                Effect::Send { message, .. } => {
                    let output = self.bridge.as_mut().map(|bridge| bridge.send(message));
                    self.take_output(output.unwrap_or_default());
                }
                Effect::ResolvePaths {
                    session,
                    request,
                    paths,
                    ..
                } => {
                    let facts = Box::new(facts(paths));
                    let event = SessionEvent::PathsResolved { request, facts };
                    self.handle(Event::Session { session, event });
                }
                Effect::WakeAt(at) => {
                    self.wake_at = Some(self.wake_at.map_or(at, |known| known.min(at)));
                }
                // No server is asked in a replay, and reports hold the records already.
                Effect::ProbeMcp { .. }
                | Effect::Record { .. }
                | Effect::RecordUnasked { .. }
                | Effect::ListProjectFiles { .. }
                | Effect::RememberTrust(_)
                | Effect::LoadGround { .. }
                | Effect::ReadFile { .. }
                | Effect::LoadOwnRules
                | Effect::WriteFile { .. }
                | Effect::ReadOldText { .. }
                | Effect::StartTerminal { .. }
                | Effect::StopTerminal { .. }
                | Effect::EditRules(_) => {}
            }
        }
    }

    fn start(&mut self, connection: ConnectionId, spec: &BackendSpec) {
        let client = ClientInfo {
            name: "agent-panel".to_owned(),
            title: "Agent Panel".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            program: None,
        };
        let event = ConnectionEvent::Started { pid: Some(1) };
        self.handle(Event::Connection { connection, event });
        let played = self.agent.start();
        self.write(played);
        let mut bridge = Bridge::new(connection, spec, client);
        let output = bridge.start();
        self.bridge = Some(bridge);
        self.take_output(output);
    }

    fn stop(&mut self, connection: ConnectionId) {
        self.bridge = None;
        let event = ConnectionEvent::Exited {
            exit: ExitStatus::Unknown,
            output_closed_first: false,
            stderr_tail: Vec::new(),
        };
        let effects = self
            .hub
            .handle(Event::Connection { connection, event }, self.now);
        self.perform(effects);
    }

    fn take_output(&mut self, output: Output) {
        for frame in output.frames {
            // Our own bridge writes JSON.
            if let Ok(frame) = serde_json::from_str(&frame) {
                let played = self.agent.receive(&frame);
                self.write(played);
            }
        }
        for event in output.events {
            self.handle(event);
        }
    }

    fn write(&mut self, played: Vec<Played>) {
        for Played { t_ms, frame } in played {
            self.bytes.extend(line_of(&frame).as_bytes());
            self.bytes.push(b'\n');
            self.times.push_back(t_ms);
        }
    }

    fn spec(&self) -> BackendSpec {
        BackendSpec {
            dialect: self.recording.dialect(),
            harmless: true,
            ..BackendSpec::plain("replay", "Recording", "")
        }
    }
}
