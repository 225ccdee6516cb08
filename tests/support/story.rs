//! A session that is told step by step, as an agent would.

use agent_panel::core::event::{ConnectionEvent, Event, SessionEvent};
use agent_panel::core::ids::{BlockId, SessionKey, ToolCallId};
use agent_panel::core::notice::ExitStatus;
use agent_panel::core::plan::{Plan, PlanEntry, PlanEntryPriority, PlanEntryStatus};
use agent_panel::core::tool_call::{
    Diff, ToolCallContent, ToolCallPatch, ToolCallStatus, ToolKind,
};
use agent_panel::core::transcript::{BlockContent, MessageKind};
use agent_panel::ui::transcript::folds::FoldPart;
use serde_json::Value;

use crate::world::{FOLDER, World};

/// A session that is being told.
pub(crate) struct Story {
    pub(crate) world: World,
    pub(crate) session: SessionKey,
    calls: u64,
}

impl Story {
    pub(crate) fn new(mut world: World, backend: &str) -> Self {
        let session = world.open(backend);
        Self {
            world,
            session,
            calls: 0,
        }
    }

    pub(crate) fn user(&mut self, text: &str) -> &mut Self {
        self.world.prompt(self.session, text);
        self
    }

    pub(crate) fn say(&mut self, text: &str) -> &mut Self {
        self.text(MessageKind::Agent, text)
    }

    pub(crate) fn think(&mut self, text: &str) -> &mut Self {
        self.text(MessageKind::Thought, text)
    }

    pub(crate) fn text(&mut self, kind: MessageKind, text: &str) -> &mut Self {
        let event = SessionEvent::Text {
            kind,
            text: text.to_owned(),
            message_id: None,
        };
        self.world.session_event(self.session, event);
        self
    }

    pub(crate) fn wait(&mut self, millis: u64) -> &mut Self {
        self.world.now = self.world.now.plus_millis(millis);
        self
    }

    pub(crate) fn end(&mut self, turn: u64) -> &mut Self {
        self.world.end_turn(self.session, turn);
        self
    }

    /// A call that runs for a while and ends.
    pub(crate) fn call(
        &mut self,
        kind: ToolKind,
        title: &str,
        input: Value,
        millis: u64,
        end: ToolCallPatch,
    ) -> ToolCallId {
        let id = self.begin(kind, title, input);
        self.wait(millis);
        self.patch(&id, end);
        id
    }

    pub(crate) fn begin(&mut self, kind: ToolKind, title: &str, input: Value) -> ToolCallId {
        self.calls += 1;
        let id = ToolCallId::from(format!("call-{}", self.calls));
        let patch = ToolCallPatch {
            title: Some(title.to_owned()),
            kind: Some(kind),
            status: Some(ToolCallStatus::InProgress),
            raw_input: Some(input.into()),
            ..ToolCallPatch::default()
        };
        let event = SessionEvent::ToolCallAnnounced {
            id: id.clone(),
            patch: Box::new(patch),
        };
        self.world.session_event(self.session, event);
        id
    }

    pub(crate) fn patch(&mut self, id: &ToolCallId, patch: ToolCallPatch) -> &mut Self {
        let event = SessionEvent::ToolCallPatched {
            id: id.clone(),
            patch: Box::new(patch),
        };
        self.world.session_event(self.session, event);
        self
    }

    pub(crate) fn plan(&mut self, entries: &[(&str, PlanEntryStatus)]) -> &mut Self {
        let entries = entries.iter().map(|(content, status)| PlanEntry {
            content: (*content).to_owned(),
            status: *status,
            priority: PlanEntryPriority::Medium,
        });
        let event = SessionEvent::PlanReplaced(Plan {
            entries: entries.collect(),
        });
        self.world.session_event(self.session, event);
        self
    }

    pub(crate) fn die(&mut self) -> &mut Self {
        let connection = self.world.connection(self.session);
        let event = ConnectionEvent::Exited {
            exit: ExitStatus::Code(137),
            output_closed_first: false,
            stderr_tail: vec![
                "agent: reading configuration".to_owned(),
                "agent: allocating 4096 MB".to_owned(),
                "agent: out of memory, giving up".to_owned(),
            ],
        };
        self.world.handle(Event::Connection { connection, event });
        self
    }
}

/// A patch that ends a call.
pub(crate) fn done(status: ToolCallStatus, content: Vec<ToolCallContent>) -> ToolCallPatch {
    ToolCallPatch {
        status: Some(status),
        content: Some(content),
        ..ToolCallPatch::default()
    }
}

pub(crate) fn output(text: &str) -> Vec<ToolCallContent> {
    vec![ToolCallContent::Text(text.to_owned())]
}

pub(crate) fn diff(path: &str, old: Option<&str>, new: &str) -> Vec<ToolCallContent> {
    vec![ToolCallContent::Diff(Diff {
        path: format!("{FOLDER}/{path}"),
        old_text: old.map(str::to_owned),
        new_text: new.to_owned(),
    })]
}

impl Story {
    /// Opens a part of a block, as a click would.
    pub(crate) fn open(&mut self, block: usize, part: FoldPart) -> &mut Self {
        let view = self
            .world
            .state
            .transcripts
            .entry(self.session)
            .or_default();
        view.folds.set(BlockId(block as u64), part, true);
        self
    }

    /// Where the first block of a kind stands, counted from the end.
    pub(crate) fn find(&self, wanted: impl Fn(&BlockContent) -> bool) -> usize {
        let blocks = self
            .world
            .hub
            .session(self.session)
            .expect("the session")
            .transcript()
            .blocks();
        blocks
            .iter()
            .rposition(|block| wanted(&block.content))
            .expect("a block of this kind")
    }

    pub(crate) fn last(&self) -> usize {
        self.find(|_| true)
    }
}
