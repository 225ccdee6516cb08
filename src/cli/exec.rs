//! `agent-panel exec`: one prompt to one agent, without a window.

mod conduct;
mod interrupt;
mod plan;
mod stream_text;

use std::io::{self, BufWriter, Write as _};
use std::time::Duration;

use super::args::{self, Format};
use super::exit::{Exit, after_writing, complain};
use super::print_jsonl;
use super::watch::{Report, Watch};
use super::words::TurnFailure;
use crate::core::command::Command;
use crate::core::effect::Effect;
use crate::core::event::Event;
use crate::core::hub::{AgentHub, Limits};
use crate::core::ids::SessionKey;
use crate::core::mcp_servers::SkipReason;
use crate::core::notice::Origin;
use crate::core::settings::Settings;
use crate::core::time::Timestamp;
use crate::io::audit;
use crate::io::backend::{Backend, BackendOptions};
use crate::io::clock;
use crate::io::store::Folders;
use conduct::{Conduct, Remark};
use interrupt::Interrupts;
use plan::Plan;
use stream_text::StreamText;

/// How often the loop looks at the clock and at Ctrl-C while the agent is silent.
const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// Some agents still report after their answer: so long is waited for the next word, and at most so long in all.
const LATE_WORD: Duration = Duration::from_millis(150);
const LATE_WORDS_MOST: u64 = 2_000;

const SESSION: SessionKey = SessionKey(1);

/// Runs the command.
pub fn run(args: &args::Exec, settings: &Settings) -> Exit {
    let plan = match plan::make(args, settings) {
        Ok(plan) => plan,
        Err(message) => {
            complain(&message);
            return Exit::Usage;
        }
    };
    for skipped in &plan.skipped {
        if let Some(reason) = skip_reason(&skipped.reason) {
            complain(&format!(
                "the MCP server {} is not passed: {reason}",
                skipped.name
            ));
        }
    }
    let options = BackendOptions {
        wake: Box::new(|| {}),
        record: plan.record.clone(),
        keeps_frames: false,
        stderr_log: None,
        folders: Folders::of_this_user(),
        rules: args.rules.clone(),
    };
    let backend = match Backend::start(options) {
        Ok(backend) => backend,
        Err(error) => {
            complain(&error.to_string());
            return Exit::Usage;
        }
    };
    let printer = Printer::new(plan.format);
    after_writing(Run::new(plan, backend, printer).run())
}

/// Why a server of the settings is not passed. `None` where the person wants it so.
fn skip_reason(reason: &SkipReason) -> Option<&'static str> {
    match reason {
        SkipReason::Disabled => None,
        SkipReason::NotApproved => Some("it was changed and has to be approved in the window"),
        SkipReason::Faulty(_) => Some("its entry in the settings is not complete"),
        SkipReason::DuplicateName => Some("another one has its name"),
        SkipReason::ReservedName => Some("its name belongs to the editor's own server"),
    }
}

/// A run from the start of the agent to its end.
struct Run {
    hub: AgentHub,
    backend: Backend,
    watch: Watch,
    printer: Printer,
    conduct: Conduct,
    interrupts: Interrupts,
    plan: Plan,
}

impl Run {
    fn new(plan: Plan, backend: Backend, printer: Printer) -> Self {
        let limits = Limits {
            automatic_restarts: 0,
        };
        Self {
            hub: AgentHub::with_limits(limits),
            backend,
            watch: Watch::default(),
            printer,
            conduct: Conduct::new(&plan, SESSION, clock::now()),
            interrupts: Interrupts::listen(),
            plan,
        }
    }

    fn run(mut self) -> io::Result<Exit> {
        let trusted = std::mem::take(&mut self.plan.trusted);
        self.apply(Command::SetTrustedFolders(trusted))?;
        let open = self.plan.open(SESSION);
        self.apply(open)?;
        let exit = loop {
            if let Some(exit) = self.decide()? {
                break exit;
            }
            let event = if let Some(event) = self.backend.try_event() {
                Some(event)
            } else {
                self.printer.flush()?;
                self.backend.wait_event(LOOK_AGAIN)
            };
            if let Some(event) = event {
                self.handle(event)?;
            }
        };
        self.late_words()?;
        for report in self.watch.finish(&self.hub) {
            self.printer.report(&self.hub, &report)?;
        }
        if self
            .hub
            .session(SESSION)
            .is_some_and(|session| session.last_end().is_none())
            && exit != Exit::Success
        {
            self.printer.end_without_turn(exit)?;
        }
        self.printer.finish()?;
        // The agents are ended when the backend is dropped.
        Ok(exit)
    }

    /// Does what has to be done now. An exit when there is nothing left to do.
    fn decide(&mut self) -> io::Result<Option<Exit>> {
        for _ in 0..self.interrupts.take() {
            self.conduct.interrupted();
        }
        loop {
            let step = self.conduct.step(&self.hub, clock::now());
            for remark in &step.remarks {
                self.printer.remark(remark)?;
            }
            if step.begins_prompt {
                self.printer.begin_prompt(&self.hub);
            }
            let is_quiet = step.commands.is_empty();
            for command in step.commands {
                self.apply(command)?;
            }
            if step.exit.is_some() || is_quiet {
                return Ok(step.exit);
            }
        }
    }

    fn late_words(&mut self) -> io::Result<()> {
        let until = clock::now().plus_millis(LATE_WORDS_MOST);
        while clock::now() < until
            && let Some(event) = self.backend.wait_event(LATE_WORD)
        {
            self.handle(event)?;
        }
        Ok(())
    }

    fn handle(&mut self, event: Event) -> io::Result<()> {
        for report in self.watch.event(&event) {
            self.printer.report(&self.hub, &report)?;
        }
        let effects = self.hub.handle(event, clock::now());
        self.perform(effects)
    }

    fn apply(&mut self, command: Command) -> io::Result<()> {
        let effects = self.hub.apply(command, clock::now());
        self.perform(effects)
    }

    fn perform(&mut self, effects: Vec<Effect>) -> io::Result<()> {
        let reports = self.watch.step(&self.hub, &effects);
        for effect in effects {
            let decided = audit::entries(&self.hub, &effect, clock::now());
            self.backend.audit(decided);
            self.backend.perform(effect);
        }
        for report in &reports {
            self.printer.report(&self.hub, report)?;
        }
        self.printer.progress(&self.hub)
    }
}

/// Where results go.
enum Printer {
    Text(StreamText),
    Jsonl(BufWriter<io::Stdout>),
}

impl Printer {
    fn new(format: Format) -> Self {
        match format {
            Format::Text => Self::Text(StreamText::new(SESSION)),
            Format::Jsonl => Self::Jsonl(BufWriter::new(io::stdout())),
        }
    }

    fn report(&mut self, hub: &AgentHub, report: &Report) -> io::Result<()> {
        match self {
            Self::Text(text) => text.report(hub, report),
            Self::Jsonl(out) => print_jsonl::print(out, hub, report),
        }
    }

    fn remark(&mut self, remark: &Remark) -> io::Result<()> {
        match self {
            Self::Text(text) => text.remark(&remark.text),
            Self::Jsonl(out) => print_jsonl::print_note(out, remark.code, &remark.text),
        }
    }

    fn begin_prompt(&mut self, hub: &AgentHub) {
        if let Self::Text(text) = self {
            text.begin_prompt(hub);
        }
    }

    fn progress(&mut self, hub: &AgentHub) -> io::Result<()> {
        match self {
            Self::Text(text) => text.progress(hub),
            Self::Jsonl(_) => Ok(()),
        }
    }

    fn end_without_turn(&mut self, exit: Exit) -> io::Result<()> {
        match self {
            Self::Text(_) => Ok(()),
            Self::Jsonl(out) => print_jsonl::print_end_without_turn(out, &failure_of(exit)),
        }
    }

    /// Passes on what was printed so far; to be called before anything is waited for.
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Text(_) => Ok(()),
            Self::Jsonl(out) => out.flush(),
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        match self {
            Self::Text(text) => text.finish(),
            Self::Jsonl(out) => out.flush(),
        }
    }
}

fn failure_of(exit: Exit) -> TurnFailure {
    let (code, origin, retry, message) = match exit {
        Exit::Usage => ("usage", Origin::Setup, false, "The prompt was not sent"),
        Exit::SignInNeeded => ("sign_in_needed", Origin::Setup, false, "Sign-in is needed"),
        Exit::TimeLimit => (
            "time_limit",
            Origin::Setup,
            true,
            "The time was up before the prompt was sent",
        ),
        Exit::Cancelled => (
            "cancelled",
            Origin::Setup,
            true,
            "Cancelled before the prompt was sent",
        ),
        Exit::Success | Exit::OtherReason | Exit::AgentFailed => (
            "agent_failed",
            Origin::Agent,
            true,
            "The agent failed before the prompt was sent",
        ),
    };
    TurnFailure {
        code,
        origin,
        retry,
        message: message.to_owned(),
    }
}

/// A point in time as the command sees it.
fn deadline(start: Timestamp, secs: Option<u64>) -> Option<Timestamp> {
    secs.map(|secs| start.plus_millis(secs.saturating_mul(1_000)))
}
