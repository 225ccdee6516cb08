//! A backend thread with one scripted agent.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agent_panel::core::backend::BackendSpec;
use agent_panel::core::command::{Prompt, SessionSetup, SessionStart};
use agent_panel::core::effect::{AgentMessage, Effect, Stop};
use agent_panel::core::event::{ConnectionEvent, Event, SessionEvent};
use agent_panel::core::ids::{ConnectionId, SessionKey, TurnId};
use agent_panel::core::notice::ExitStatus;
use agent_panel::io::backend::{Backend, BackendOptions};
use agent_panel::io::places::SearchPlaces;
use tempfile::TempDir;

/// No test waits longer for anything.
const LIMIT: Duration = Duration::from_secs(30);
/// The session that `prompt` prompts.
const SESSION: SessionKey = SessionKey(1);

/// What the scripts may call.
const WORDS: &str = r#"
answer_initialize() {
    read -r initialize
    echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{},"authMethods":[]}}'
}
answer_new_session() {
    read -r new_session
    echo '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s1"}}'
}
text() {
    printf '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%s"}}}}\n' "$1"
}
"#;

/// A backend thread and its first agent.
pub(crate) struct Play {
    pub(crate) backend: Backend,
    pub(crate) connection: ConnectionId,
    pub(crate) folder: TempDir,
}

impl Play {
    /// An agent that is a shell script. It finds its folder in `$FOLDER`, and the words above.
    pub(crate) fn start(script: &str) -> Self {
        let play = Self::empty();
        play.start_agent(play.connection, shell(script));
        play
    }

    /// No agent yet.
    pub(crate) fn empty() -> Self {
        Self::with(BackendOptions {
            wake: Box::new(|| {}),
            record: None,
            keeps_frames: false,
            stderr_log: None,
            folders: None,
            rules: None,
        })
    }

    /// No agent yet.
    pub(crate) fn with(options: BackendOptions) -> Self {
        Self {
            backend: Backend::start_in_places(options, SearchPlaces::of_this_system())
                .expect("a thread"),
            connection: ConnectionId(1),
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    /// Starts an agent in the folder of the play.
    pub(crate) fn start_agent(&self, connection: ConnectionId, mut spec: BackendSpec) {
        let folder = self.folder.path().to_str().expect("UTF-8").to_owned();
        spec.env.insert("FOLDER".to_owned(), folder);
        self.start_in(connection, spec, self.folder.path());
    }

    /// Starts an agent in a folder.
    pub(crate) fn start_in(&self, connection: ConnectionId, spec: BackendSpec, cwd: &Path) {
        let setup = Box::new(SessionSetup {
            cwd: cwd.to_owned(),
            start: SessionStart::New,
            mcp_servers: Vec::new(),
            mode: None,
            model: None,
            level: agent_panel::core::policy::level::Level::Ask,
            ground: agent_panel::core::consent::GroundSource::default(),
        });
        self.backend.perform(Effect::StartAgent {
            connection,
            spec,
            setup,
        });
    }

    /// Starts a second agent, in the same folder.
    pub(crate) fn start_another(&self, script: &str) -> (BackendSpec, ConnectionId) {
        let (spec, other) = (shell(script), self.connection.next());
        self.start_agent(other, spec.clone());
        (spec, other)
    }

    /// Opens a session and prompts it.
    pub(crate) fn prompt(&self) {
        self.send(AgentMessage::NewSession {
            session: SESSION,
            cwd: PathBuf::from("/"),
            mcp_servers: Vec::new(),
        });
        self.until(|event| {
            matches!(
                event,
                Event::Session {
                    event: SessionEvent::Opened(_),
                    ..
                }
            )
        });
        self.send(AgentMessage::Prompt {
            session: SESSION,
            turn: TurnId(1),
            prompt: Prompt::text("hello"),
        });
    }

    pub(crate) fn cancel(&self) {
        self.send(AgentMessage::Cancel { session: SESSION });
    }

    pub(crate) fn stop(&self, stop: Stop) {
        self.backend.perform(Effect::StopAgent {
            connection: self.connection,
            stop,
        });
    }

    fn send(&self, message: AgentMessage) {
        self.backend.perform(Effect::Send {
            connection: self.connection,
            message,
        });
    }

    /// All events up to the first that is like this.
    pub(crate) fn until(&self, is_last: impl Fn(&Event) -> bool) -> Vec<Event> {
        let mut events = Vec::new();
        loop {
            let Some(event) = self.backend.wait_event(LIMIT) else {
                panic!("nothing more came: {events:?}");
            };
            let is_end = is_last(&event);
            events.push(event);
            if is_end {
                return events;
            }
        }
    }

    /// Waits for the answer to `initialize`.
    pub(crate) fn initialized(&self) {
        self.until(|event| {
            matches!(
                event,
                Event::Connection {
                    event: ConnectionEvent::Initialized { .. },
                    ..
                }
            )
        });
    }

    /// All events up to the end of the first agent.
    pub(crate) fn until_exited(&self) -> Vec<Event> {
        self.until(|event| {
            matches!(event, Event::Connection { connection, event: ConnectionEvent::Exited { .. } }
                if *connection == self.connection)
        })
    }

    /// How the first agent ended, and whether it had closed its output and was stopped for that.
    pub(crate) fn exit(&self) -> (ExitStatus, bool) {
        match self.until_exited().pop() {
            Some(Event::Connection {
                event:
                    ConnectionEvent::Exited {
                        exit,
                        output_closed_first,
                        ..
                    },
                ..
            }) => (exit, output_closed_first),
            other => panic!("it did not exit: {other:?}"),
        }
    }

    /// A file that a script wrote.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }
}

/// A shell script as an agent.
pub(crate) fn shell(script: &str) -> BackendSpec {
    program("/bin/sh", &["-c", &format!("{WORDS}\n{script}")])
}

/// A program as an agent.
pub(crate) fn program(command: &str, args: &[&str]) -> BackendSpec {
    BackendSpec {
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        harmless: true,
        ..BackendSpec::plain("scripted", "Scripted", command)
    }
}

/// The texts among events.
pub(crate) fn texts(events: &[Event]) -> Vec<&str> {
    events
        .iter()
        .filter_map(|event| match event {
            Event::Session {
                event: SessionEvent::Text { text, .. },
                ..
            } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

/// Waits until something is so.
#[expect(
    clippy::disallowed_methods,
    reason = "a wait for another process has to be bounded"
)]
pub(crate) fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < LIMIT, "never: {what}");
        std::thread::park_timeout(Duration::from_millis(5));
    }
}
