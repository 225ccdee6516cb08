//! The thread that owns the agents: it performs effects and sends events.
//!
//! All processes are started on this one thread, which lives as long as the program: on Linux a child is tied to the
//! thread that started it.

mod rules;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::task::{Id, JoinError, JoinSet};

use crate::core::backend::McpServer;
use crate::core::effect::Effect;
use crate::core::event::{ConnectionEvent, Event, SessionEvent};
use crate::core::frame_log::FrameLog;
use crate::core::ids::{ConnectionId, SessionKey};
use crate::core::mcp::McpSource;
use crate::core::notice::ExitStatus;
use crate::core::settings::Settings;
use crate::core::time::Timestamp;
use crate::io::audit::{AuditEntry, AuditLog};
use crate::io::backend::rules::PolicyFiles;
use crate::io::client_files;
use crate::io::client_terminals::{Terminals, Wanted};
use crate::io::connection::{self, Order, Shared, Target};
use crate::io::detect;
use crate::io::events::{self, EventReceiver, EventSender};
use crate::io::mcp_probe;
use crate::io::places::SearchPlaces;
use crate::io::policy_files;
use crate::io::record::Recorder;
use crate::io::shell_path::UserPlaces;
use crate::io::store::Folders;
use crate::io::timer;

/// What has not ended by itself by then is dropped, which kills it.
const SHUT_DOWN_LIMIT: Duration = Duration::from_millis(4500);

/// How the thread is set up.
pub struct BackendOptions {
    /// Called after events were put into the channel.
    pub wake: Box<dyn Fn() + Send + Sync>,
    /// A file to which the frames of all connections are written as a fixture.
    pub record: Option<PathBuf>,
    /// Whether the newest frames are kept in memory for a person to look at.
    pub keeps_frames: bool,
    /// A folder in which each backend's stderr is kept.
    pub stderr_log: Option<PathBuf>,
    /// Where rules are read from; without it there are none.
    pub folders: Option<Folders>,
    /// A rules file that is read instead of the person's own.
    pub rules: Option<PathBuf>,
}

/// Why there is no backend thread.
#[derive(Debug, Error)]
pub enum BackendError {
    #[error("the recording can't be written: {source}: {}", path.display())]
    Record { path: PathBuf, source: io::Error },
    #[error("the runtime can't be started: {source}")]
    Runtime { source: io::Error },
    #[error("the thread can't be started: {source}")]
    Thread { source: io::Error },
}

/// The thread's handle. Dropping it ends all agents with their descendants, within five seconds.
pub struct Backend {
    jobs: Option<UnboundedSender<Job>>,
    events: EventReceiver,
    frames: Option<Arc<Mutex<FrameLog>>>,
    thread: Option<JoinHandle<()>>,
}

enum Job {
    Perform(Box<Effect>),
    Detect(Box<Settings>),
    Audit(Vec<AuditEntry>),
}

impl Backend {
    /// Starts the thread. It asks the user's login shell for its `PATH`, unless we run below a shell.
    pub fn start(options: BackendOptions) -> Result<Self, BackendError> {
        Self::start_with(options, UserPlaces::default())
    }

    /// Starts the thread with places to search for programs; no shell is asked.
    pub fn start_in_places(
        options: BackendOptions,
        places: SearchPlaces,
    ) -> Result<Self, BackendError> {
        Self::start_with(options, UserPlaces::fixed(places))
    }

    /// Performs an effect, soon. Never blocks.
    pub fn perform(&self, effect: Effect) {
        self.order(Job::Perform(Box::new(effect)));
    }

    /// Looks for the programs of all backends; `Event::BackendsDetected` follows. Never blocks.
    pub fn detect(&self, settings: Settings) {
        self.order(Job::Detect(Box::new(settings)));
    }

    /// Puts decisions on record. Never blocks.
    pub fn audit(&self, entries: Vec<AuditEntry>) {
        if !entries.is_empty() {
            self.order(Job::Audit(entries));
        }
    }

    /// The next event, if there is one. Whoever was woken takes all until `None`, or comes back by itself.
    pub fn try_event(&self) -> Option<Event> {
        self.events.try_next()
    }

    /// The next event, waiting for it at most this long.
    pub fn wait_event(&self, timeout: Duration) -> Option<Event> {
        self.events.next(timeout)
    }

    /// The number of the frame that the last event came from, where frames are kept.
    pub fn frame_of_last_event(&self) -> Option<u64> {
        self.events.last_frame()
    }

    /// Looks at the frames that are kept. Agents wait meanwhile, so it should be short.
    pub fn with_frames<T>(&self, look: impl FnOnce(&FrameLog) -> T) -> Option<T> {
        let frames = self.frames.as_ref()?;
        Some(look(&frames.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    fn start_with(options: BackendOptions, places: UserPlaces) -> Result<Self, BackendError> {
        let recorder = match options.record {
            Some(path) => match Recorder::create(&path) {
                Ok(recorder) => Some(Arc::new(Mutex::new(recorder))),
                Err(source) => return Err(BackendError::Record { path, source }),
            },
            None => None,
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|source| BackendError::Runtime { source })?;
        let (sender, receiver) = events::channel(options.wake);
        let (jobs, wanted) = unbounded();
        let frames = options
            .keeps_frames
            .then(|| Arc::new(Mutex::new(FrameLog::default())));
        let shared = Shared {
            events: sender,
            frames: frames.clone(),
            places: Arc::new(places),
            recorder,
            stderr_log: options.stderr_log,
        };
        let policy = PolicyFiles {
            folders: options.folders,
            rules: options.rules,
        };
        let thread = std::thread::Builder::new()
            .name("backend".to_owned())
            .spawn(move || {
                runtime.block_on(Agents::new(shared, policy).run(wanted));
                // A blocking task may still look for programs; nobody waits for it.
                runtime.shutdown_background();
            })
            .map_err(|source| BackendError::Thread { source })?;
        Ok(Self {
            jobs: Some(jobs),
            events: receiver,
            frames,
            thread: Some(thread),
        })
    }

    fn order(&self, job: Job) {
        let is_lost = self
            .jobs
            .as_ref()
            .is_none_or(|jobs| jobs.send(job).is_err());
        if is_lost {
            tracing::error!("the backend thread is gone");
        }
    }
}

impl Drop for Backend {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the backend thread has panicked");
        }
    }
}

/// All connections.
struct Agents {
    shared: Shared,
    policy: PolicyFiles,
    audit: Option<AuditLog>,
    orders: BTreeMap<ConnectionId, UnboundedSender<Order>>,
    tasks: JoinSet<()>,
    terminals: Terminals,
    /// Whose turn it is to touch rules files.
    rules_turn: Arc<tokio::sync::Mutex<()>>,
    /// Which connection a task looks after.
    connections: BTreeMap<Id, ConnectionId>,
}

impl Agents {
    fn new(shared: Shared, policy: PolicyFiles) -> Self {
        let folders = policy.folders.as_ref();
        let audit = folders.map(|folders| AuditLog::new(folders.audit_file.clone()));
        Self {
            shared,
            policy,
            audit,
            orders: BTreeMap::new(),
            tasks: JoinSet::new(),
            terminals: Terminals::default(),
            rules_turn: Arc::default(),
            connections: BTreeMap::new(),
        }
    }

    async fn run(mut self, mut jobs: UnboundedReceiver<Job>) {
        let (wake_ups, wanted) = unbounded();
        let timer = tokio::spawn(timer::run(wanted, self.shared.events.clone()));
        let places = Arc::clone(&self.shared.places);
        tokio::spawn(async move { drop(places.get().await) });
        loop {
            tokio::select! {
                job = jobs.recv() => match job {
                    Some(Job::Perform(effect)) => self.perform(*effect, &wake_ups),
                    Some(Job::Detect(settings)) => self.detect(*settings),
                    Some(Job::Audit(entries)) => self.audit(&entries),
                    None => break,
                },
                Some(done) = self.tasks.join_next_with_id() => self.task_ended(done),
            }
        }
        timer.abort();
        self.shut_down().await;
    }

    fn perform(&mut self, effect: Effect, wake_ups: &UnboundedSender<Timestamp>) {
        match effect {
            Effect::StartAgent {
                connection,
                spec,
                setup,
            } => self.start_agent(Target {
                id: connection,
                spec,
                setup: *setup,
            }),
            Effect::StopAgent { connection, stop } => self.order(connection, Order::Stop(stop)),
            Effect::Send {
                connection,
                message,
            } => self.order(connection, Order::Send(Box::new(message))),
            Effect::WakeAt(at) => {
                if wake_ups.send(at).is_err() {
                    tracing::error!("there are no wake-ups any more");
                }
            }
            Effect::ListProjectFiles { session, folder } => self.look(session, move || {
                SessionEvent::ProjectFilesListed(policy_files::project_files(&folder))
            }),
            Effect::LoadGround {
                session,
                folder,
                trusted,
            } => self.load_ground(session, folder, trusted),
            Effect::LoadOwnRules => self.load_own_rules(),
            Effect::ResolvePaths {
                session,
                request,
                paths,
                digests,
            } => self.look(session, move || {
                let facts = Box::new(policy_files::facts(&paths, &digests));
                SessionEvent::PathsResolved { request, facts }
            }),
            Effect::EditRules(edit) => self.edit_rules(*edit),
            Effect::ProbeMcp {
                session,
                cwd,
                servers,
            } => self.probe(session, cwd, servers),
            work @ (Effect::ReadFile { .. }
            | Effect::WriteFile { .. }
            | Effect::ReadOldText { .. }
            | Effect::StartTerminal { .. }
            | Effect::StopTerminal { .. }) => self.work_for_agent(work),
            // Whoever drives the hub keeps these.
            Effect::Record { .. } | Effect::RecordUnasked { .. } | Effect::RememberTrust(_) => {}
        }
    }

    /// Does what an agent asked its client for.
    fn work_for_agent(&mut self, work: Effect) {
        match work {
            Effect::ReadFile {
                session,
                request,
                path,
                target,
                line,
                limit,
            } => self.look(session, move || {
                let result = client_files::read(&path, &target, (line, limit));
                SessionEvent::ClientDone { request, result }
            }),
            Effect::WriteFile {
                session,
                request,
                path,
                target,
                content,
            } => self.look_at_several(session, move || {
                let old = client_files::old_text(&target);
                let result = client_files::write(&path, &target, &content);
                let told = SessionEvent::OldTextRead {
                    request: request.clone(),
                    old,
                };
                vec![told, SessionEvent::ClientDone { request, result }]
            }),
            Effect::ReadOldText {
                session,
                request,
                target,
            } => self.look(session, move || SessionEvent::OldTextRead {
                request,
                old: client_files::old_text(&target),
            }),
            Effect::StartTerminal {
                session,
                request,
                terminal,
                start,
                cwd,
            } => {
                let wanted = Wanted {
                    session,
                    request,
                    terminal,
                    start: *start,
                    cwd,
                };
                let Shared { events, places, .. } = &self.shared;
                self.terminals
                    .start(wanted, &mut self.tasks, events, places);
            }
            Effect::StopTerminal { session, terminal } => self.terminals.stop(session, terminal),
            // `perform` sends only these here.
            _ => {}
        }
    }

    /// Looks something up on the disk, beside the agents' traffic.
    fn look(&mut self, session: SessionKey, find: impl FnOnce() -> SessionEvent + Send + 'static) {
        self.look_at_several(session, || vec![find()]);
    }

    /// The same for what tells several things, which arrive in order.
    fn look_at_several(
        &mut self,
        session: SessionKey,
        find: impl FnOnce() -> Vec<SessionEvent> + Send + 'static,
    ) {
        let events = self.shared.events.clone();
        self.tasks.spawn(async move {
            match tokio::task::spawn_blocking(find).await {
                Ok(found) => {
                    for event in found {
                        events.send(Event::Session { session, event }).await;
                    }
                }
                Err(error) => tracing::error!(%error, "a look-up has panicked"),
            }
        });
    }

    /// Asks MCP servers what they offer.
    fn probe(&mut self, session: SessionKey, cwd: PathBuf, servers: Vec<McpServer>) {
        let (places, events) = (Arc::clone(&self.shared.places), self.shared.events.clone());
        self.tasks.spawn(async move {
            let servers = mcp_probe::probe(servers, &cwd, places.get().await.as_ref()).await;
            let source = McpSource::Probe;
            let event = SessionEvent::McpReported { source, servers };
            events.send(Event::Session { session, event }).await;
        });
    }

    fn start_agent(&mut self, target: Target) {
        let id = target.id;
        let (sender, orders) = unbounded();
        if self.orders.insert(id, sender).is_some() {
            tracing::error!(connection = %id, "a connection was started twice");
        }
        let task = self
            .tasks
            .spawn(connection::run(target, orders, self.shared.clone()));
        self.connections.insert(task.id(), id);
    }

    /// An agent that is gone has told so, or is about to; nothing more is to be done then.
    fn order(&self, connection: ConnectionId, order: Order) {
        let is_taken = self
            .orders
            .get(&connection)
            .is_some_and(|orders| orders.send(order).is_ok());
        if !is_taken {
            tracing::debug!(%connection, "there is no such agent any more");
        }
    }

    fn detect(&mut self, settings: Settings) {
        let (places, events) = (Arc::clone(&self.shared.places), self.shared.events.clone());
        self.tasks.spawn(async move {
            let places = places.get().await;
            let search =
                tokio::task::spawn_blocking(move || detect::backends(&settings, &places)).await;
            match search {
                Ok(found) => events.send(Event::BackendsDetected(found)).await,
                Err(error) => tracing::error!(%error, "backends can't be looked for"),
            }
        });
    }

    fn task_ended(&mut self, done: Result<(Id, ()), JoinError>) {
        let (task, error) = match done {
            Ok((task, ())) => (task, None),
            Err(error) => (error.id(), Some(error)),
        };
        let connection = self.connections.remove(&task);
        if let Some(connection) = connection {
            self.orders.remove(&connection);
        }
        if let Some(error) = error {
            tracing::error!(%error, "a task of the backend thread has panicked");
            if let Some(connection) = connection {
                // Its process was killed when the task was dropped.
                self.tell_gone(connection);
            }
        }
    }

    fn tell_gone(&mut self, connection: ConnectionId) {
        let events: EventSender = self.shared.events.clone();
        let event = ConnectionEvent::Exited {
            exit: ExitStatus::Unknown,
            output_closed_first: false,
            stderr_tail: Vec::new(),
        };
        self.tasks.spawn(async move {
            events
                .send(connection::of_connection(connection, event))
                .await;
        });
    }

    /// Nobody listens any more, so what agents still say is dropped.
    async fn shut_down(mut self) {
        self.shared.events.close();
        self.orders.clear();
        self.terminals.stop_all();
        let all_ended = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(SHUT_DOWN_LIMIT, all_ended)
            .await
            .is_err()
        {
            tracing::warn!("agents did not end in time and are killed");
        }
        self.tasks.shutdown().await;
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the way from the window to the agents: the window must not wait"
)]
fn unbounded<T>() -> (UnboundedSender<T>, UnboundedReceiver<T>) {
    tokio::sync::mpsc::unbounded_channel()
}
