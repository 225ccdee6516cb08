//! One agent: its process, its pipes and its bridge, driven by one task.

mod ending;
mod start;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tempfile::TempPath;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::Instant;

use crate::bridge::lines::Line;
use crate::bridge::{Bridge, ClientInfo, Output};
use crate::core::backend::BackendSpec;
use crate::core::command::SessionSetup;
use crate::core::effect::{AgentMessage, Stop};
use crate::core::event::{ConnectionEvent, Event};
use crate::core::frame_log::{Direction, FrameLog};
use crate::core::ids::ConnectionId;
use crate::core::notice::ExitStatus;
use crate::io::clock;
use crate::io::connection::ending::{Due, Ending};
use crate::io::connection::start::{Started, start};
use crate::io::events::{EventSender, Parcel};
use crate::io::places::SearchPlaces;
use crate::io::process::Process;
use crate::io::record::Recorder;
use crate::io::shell_path::UserPlaces;
use crate::io::stderr_log::StderrLog;
use crate::io::transport::{Demand, Piece, Transport};

/// How many lines of stderr are told when a process ends.
const STDERR_LINES_TOLD: usize = 40;
/// After the tree was killed, more output than fits into a pipe comes from somebody we can't stop.
const LAST_OUTPUT_BYTES_MOST: usize = 2 * 1024 * 1024;

/// What a connection is told. When nobody can tell it anything more, the program closes.
#[derive(Debug)]
pub(super) enum Order {
    Send(Box<AgentMessage>),
    Stop(Stop),
}

/// What all connections share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) events: EventSender,
    pub(super) places: Arc<UserPlaces>,
    pub(super) recorder: Option<Arc<Mutex<Recorder>>>,
    pub(super) frames: Option<Arc<Mutex<FrameLog>>>,
    pub(super) stderr_log: Option<PathBuf>,
}

/// Which agent is started.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) id: ConnectionId,
    pub(super) spec: BackendSpec,
    /// Of the session it is started for.
    pub(super) setup: SessionSetup,
}

struct Connection {
    id: ConnectionId,
    bridge: Bridge,
    process: Process,
    /// It lies there as long as the process may read it.
    _private_file: Option<TempPath>,
    transport: Transport,
    orders: UnboundedReceiver<Order>,
    takes_orders: bool,
    shared: Shared,
    /// Events for which there was no room yet.
    waiting: VecDeque<Parcel>,
    ending: Ending,
    exit: Option<ExitStatus>,
    last_output_bytes: usize,
}

/// What happened while a connection waited.
enum Step {
    Order(Option<Order>),
    Piece(Piece),
    Exited(ExitStatus),
    Deadline,
    Room,
}

/// Starts an agent and looks after it until it is gone and its end is told.
pub(super) async fn run(target: Target, orders: UnboundedReceiver<Order>, shared: Shared) {
    let id = target.id;
    let places = shared.places.get().await;
    if orders.is_closed() {
        return;
    }
    let started = match start(&target, &places) {
        Ok(started) => started,
        Err(failure) => {
            let event = ConnectionEvent::StartFailed(failure);
            shared.events.send(of_connection(id, event)).await;
            return;
        }
    };
    Connection::new(&target, started, orders, shared, &places)
        .run()
        .await;
}

/// An event of a connection.
pub(super) fn of_connection(connection: ConnectionId, event: ConnectionEvent) -> Event {
    Event::Connection { connection, event }
}

impl Connection {
    fn new(
        target: &Target,
        started: Started,
        orders: UnboundedReceiver<Order>,
        shared: Shared,
        places: &SearchPlaces,
    ) -> Self {
        let mut process = started.process;
        let log = shared.stderr_log.as_ref().and_then(|folder| {
            StderrLog::open(folder, &target.spec.id)
                .inspect_err(|error| tracing::warn!(%error, "an agent has no log"))
                .ok()
        });
        let client = ClientInfo {
            name: env!("CARGO_PKG_NAME").to_owned(),
            title: "Agent Panel".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            program: places
                .own_program
                .as_deref()
                .and_then(Path::to_str)
                .map(str::to_owned),
        };
        Self {
            id: target.id,
            bridge: Bridge::new(target.id, &target.spec, client),
            transport: Transport::new(process.take_pipes(), log),
            process,
            _private_file: started.private_file,
            orders,
            takes_orders: true,
            shared,
            waiting: VecDeque::new(),
            ending: Ending::none(),
            exit: None,
            last_output_bytes: 0,
        }
    }

    async fn run(mut self) {
        let pid = self.process.pid();
        self.tell(ConnectionEvent::Started { pid });
        let output = self.bridge.start();
        self.take_output(output, 0);
        loop {
            self.pass_on();
            self.finish_when_drained();
            if self.ending.is_over() && self.waiting.is_empty() {
                break;
            }
            let step = self.wait().await;
            self.take_step(step);
        }
        let end = ConnectionEvent::Exited {
            exit: self.exit.take().unwrap_or(ExitStatus::Unknown),
            output_closed_first: self.ending.output_closed_first(),
            stderr_tail: self.transport.stderr_tail(STDERR_LINES_TOLD),
        };
        tracing::debug!(connection = %self.id, ?end, "an agent is gone");
        self.shared.events.send(of_connection(self.id, end)).await;
    }

    async fn wait(&mut self) -> Step {
        let demand = if self.waiting.is_empty() {
            Demand::Output
        } else {
            Demand::NoOutput
        };
        // Output that waits for room must not be given up, so the last deadline waits as well.
        let deadline = self
            .ending
            .deadline()
            .filter(|_| demand == Demand::Output || !self.ending.is_swept());
        tokio::select! {
            order = self.orders.recv(), if self.takes_orders => Step::Order(order),
            () = room(&self.shared.events, self.waiting.front()), if demand == Demand::NoOutput => Step::Room,
            piece = self.transport.next(demand) => Step::Piece(piece),
            exit = self.process.wait(), if self.exit.is_none() => Step::Exited(exit),
            () = sleep_until(deadline), if deadline.is_some() => Step::Deadline,
        }
    }

    fn take_step(&mut self, step: Step) {
        match step {
            Step::Order(Some(Order::Send(message))) => {
                let output = self.bridge.send(*message);
                self.take_output(output, 0);
            }
            Step::Order(Some(Order::Stop(Stop::Polite))) => self.ask_to_end(),
            Step::Order(Some(Order::Stop(Stop::Now))) => self.kill(),
            Step::Order(None) => {
                self.takes_orders = false;
                self.ask_to_end();
                self.ending.shut_down(Instant::now());
            }
            Step::Piece(Piece::Lines { lines, bytes }) => {
                self.count_last_output(bytes);
                for line in lines {
                    self.receive(line);
                }
            }
            Step::Piece(Piece::OutputEnded(rest)) => self.output_ended(rest),
            Step::Exited(exit) => {
                self.exit = Some(exit);
                self.transport.close_input();
                self.ending.exited(Instant::now());
            }
            Step::Deadline => self.do_what_is_due(),
            Step::Room | Step::Piece(Piece::Other) => {}
        }
    }

    fn do_what_is_due(&mut self) {
        match self.ending.due(Instant::now()) {
            Some(Due::Terminate) => {
                self.transport.close_input();
                self.process.terminate();
            }
            Some(Due::KillTree) => self.kill(),
            Some(Due::Finish) => self.finish(),
            None => {}
        }
    }

    fn ask_to_end(&mut self) {
        if self.ending.ask(Instant::now()) {
            self.process.remember_descendants();
            self.transport.close_input_when_written();
        }
    }

    fn kill(&mut self) {
        // First of all, so that it does not answer to the end of its input.
        self.process.kill();
        self.transport.close_input();
        self.ending.killed(Instant::now());
    }

    fn receive(&mut self, line: Line) {
        self.record(|recorder, id| recorder.received(id, &line));
        let (bytes, start) = match &line {
            Line::Text { text, .. } => (text.len(), self.transport.start_to_log(text)),
            Line::TooLong { .. } => (0, None),
        };
        let frame = match &line {
            Line::Text { text, .. } => self.log_frame(Direction::Received, text),
            Line::TooLong { .. } => None,
        };
        let output = self.bridge.receive(line);
        if let Some(start) = start
            && output.events.iter().any(is_about_stray_lines)
        {
            self.transport.log_stray(&start);
        }
        self.take_output_of(frame, output, bytes);
    }

    fn output_ended(&mut self, rest: Option<Line>) {
        if let Some(line) = rest {
            self.receive(line);
        }
        let output = self.bridge.end_of_output();
        self.take_output(output, 0);
        self.transport.close_input();
        self.process.remember_descendants();
        self.ending.output_ended(Instant::now());
    }

    /// `bytes` is how much came in for this.
    fn take_output(&mut self, output: Output, bytes: usize) {
        self.take_output_of(None, output, bytes);
    }

    /// `number` is that of the frame that this came from.
    fn take_output_of(&mut self, number: Option<u64>, output: Output, bytes: usize) {
        for frame in output.frames {
            self.record(|recorder, id| recorder.sent(id, &frame));
            self.log_frame(Direction::Sent, &frame);
            self.transport.send(&frame);
        }
        let parcels = output.events.into_iter().enumerate().map(|(index, event)| {
            Parcel::new(event, if index == 0 { bytes } else { 0 }).of_frame(number)
        });
        self.waiting.extend(parcels);
    }

    fn tell(&mut self, event: ConnectionEvent) {
        let parcel = Parcel::new(of_connection(self.id, event), 0);
        self.waiting.push_back(parcel);
    }

    /// Passes events on as far as there is room.
    fn pass_on(&mut self) {
        if self.shared.events.send_first(&mut self.waiting) > 0 {
            self.ending.output_moves(Instant::now());
        }
    }

    /// When the process is gone and its pipes are at their end, only its descendants are left to be ended.
    fn finish_when_drained(&mut self) {
        if self.exit.is_some() && self.transport.is_drained() && !self.ending.is_over() {
            if !self.ending.is_swept() {
                self.kill();
            }
            self.finish();
        }
    }

    fn finish(&mut self) {
        if self.transport.reads_output() {
            let rest = self.transport.stop_reading();
            self.output_ended(rest);
        }
        self.ending.finish();
    }

    fn count_last_output(&mut self, bytes: usize) {
        if self.ending.is_swept() {
            self.ending.output_moves(Instant::now());
            self.last_output_bytes += bytes;
            if self.last_output_bytes > LAST_OUTPUT_BYTES_MOST {
                self.finish();
            }
        }
    }

    /// Keeps a frame for the person to look at; its number.
    fn log_frame(&self, direction: Direction, text: &str) -> Option<u64> {
        let frames = self.shared.frames.as_ref()?;
        let mut frames = frames.lock().unwrap_or_else(PoisonError::into_inner);
        Some(frames.push(clock::now(), self.id, direction, text.trim_end()))
    }

    fn record(&self, write: impl FnOnce(&mut Recorder, ConnectionId)) {
        if let Some(recorder) = &self.shared.recorder {
            let mut recorder = recorder.lock().unwrap_or_else(PoisonError::into_inner);
            write(&mut recorder, self.id);
        }
    }
}

fn is_about_stray_lines(event: &Event) -> bool {
    matches!(
        event,
        Event::Connection {
            event: ConnectionEvent::StrayLines { .. },
            ..
        }
    )
}

async fn room(events: &EventSender, parcel: Option<&Parcel>) {
    match parcel {
        Some(parcel) => events.room_for(parcel).await,
        None => std::future::pending().await,
    }
}

async fn sleep_until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}
