//! An agent dies in the middle of a turn, and the session goes on with the next process.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use agent_panel::core::command::{Command, Prompt, SessionSetup, SessionStart};
use agent_panel::core::effect::Effect;
use agent_panel::core::event::{ConnectionEvent, Event};
use agent_panel::core::hub::AgentHub;
use agent_panel::core::ids::SessionKey;
use agent_panel::core::notice::{ExitStatus, FailureKind};
use agent_panel::core::session::SessionStatus;
use agent_panel::core::transcript::BlockContent;
use agent_panel::io::backend::{Backend, BackendOptions};
use agent_panel::io::clock;
use agent_panel::io::places::SearchPlaces;

use crate::support::shell;

const SESSION: SessionKey = SessionKey(1);
/// Dies in its first life, in the first turn; in the second one it answers.
const MORTAL: &str = r#"
    answer_initialize; answer_new_session; read -r prompt
    echo "$prompt" >>"$FOLDER/prompts"
    if ! [ -e "$FOLDER/died" ]; then
        : >"$FOLDER/died"; text 'Working on it'; echo 'fatal: out of cheese' >&2; exit 3
    fi
    text 'Done'
    echo '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}'
    read -r forever
"#;

/// A hub with a backend thread, driven by a loop as the program does.
struct Driven {
    hub: AgentHub,
    backend: Backend,
    pids: BTreeSet<u32>,
}

impl Driven {
    fn apply(&mut self, command: Command) {
        let effects = self.hub.apply(command, clock::now());
        self.perform(effects);
    }

    fn perform(&self, effects: Vec<Effect>) {
        for effect in effects {
            self.backend.perform(effect);
        }
    }

    fn until(&mut self, what: &str, is_so: impl Fn(&AgentHub) -> bool) {
        while !is_so(&self.hub) {
            let Some(event) = self.backend.wait_event(Duration::from_secs(30)) else {
                panic!("never: {what}");
            };
            if let Event::Connection {
                event: ConnectionEvent::Started { pid: Some(pid) },
                ..
            } = event
            {
                self.pids.insert(pid);
            }
            let effects = self.hub.handle(event, clock::now());
            self.perform(effects);
        }
    }

    fn prompt(&mut self, text: &str) {
        self.apply(Command::Prompt {
            session: SESSION,
            prompt: Prompt::text(text),
        });
    }
}

fn is_ready(hub: &AgentHub) -> bool {
    hub.session(SESSION)
        .is_some_and(|session| session.status(clock::now()) == SessionStatus::Ready)
}

fn texts(hub: &AgentHub) -> Vec<String> {
    let blocks = hub
        .session(SESSION)
        .expect("it is open")
        .transcript()
        .blocks();
    blocks
        .iter()
        .filter_map(|block| match &block.content {
            BlockContent::AgentMessage(message) => Some(message.text.clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn a_death_in_a_turn_keeps_the_text_and_the_next_prompt_is_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = BackendOptions {
        wake: Box::new(|| {}),
        record: None,
        keeps_frames: false,
        stderr_log: None,
        folders: None,
        rules: None,
    };
    let mut driven = Driven {
        hub: AgentHub::default(),
        backend: Backend::start_in_places(options, SearchPlaces::of_this_system())
            .expect("a thread"),
        pids: BTreeSet::new(),
    };
    let mut spec = shell(MORTAL);
    let in_folder = folder.path().to_str().expect("UTF-8").to_owned();
    spec.env.insert("FOLDER".to_owned(), in_folder);
    driven.apply(Command::OpenSession {
        session: SESSION,
        spec: Box::new(spec),
        setup: Box::new(SessionSetup {
            cwd: PathBuf::from(folder.path()),
            start: SessionStart::New,
            mcp_servers: Vec::new(),
            mode: None,
            model: None,
            level: agent_panel::core::policy::level::Level::Ask,
            ground: agent_panel::core::consent::GroundSource::default(),
        }),
    });
    driven.prompt("first");
    driven.until("it dies and comes back", |hub| {
        let has_failed = hub.session(SESSION).is_some_and(|session| {
            session.transcript().blocks().iter().any(|block| {
                matches!(&block.content, BlockContent::Failure(failure)
                    if failure.kind == FailureKind::AgentExited { exit: ExitStatus::Code(3) }
                        && failure.stderr == ["fatal: out of cheese"])
            })
        });
        has_failed && is_ready(hub)
    });
    assert_eq!(texts(&driven.hub), ["Working on it"]);
    assert_eq!(driven.pids.len(), 2, "it is another process");

    driven.prompt("second");
    driven.until("it answers", |hub| texts(hub).len() == 2 && is_ready(hub));
    assert_eq!(texts(&driven.hub), ["Working on it", "Done"]);
    let prompts = std::fs::read_to_string(folder.path().join("prompts")).expect("it was written");
    let prompts: Vec<_> = prompts.lines().collect();
    assert_eq!(prompts.len(), 2, "no prompt was sent again by itself");
    assert!(prompts.first().is_some_and(|line| line.contains("first")));
    assert!(prompts.last().is_some_and(|line| line.contains("second")));

    driven.apply(Command::ShutDown);
    driven.until("it is gone", |hub| !hub.has_running_agents());
}
