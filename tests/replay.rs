//! Every recording of an ACP agent, through bridge and hub, compared with a reviewed transcript.

#[path = "support/fixtures.rs"]
mod fixtures;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use agent_panel::bridge::script::{Recording, Role};
use agent_panel::cli::replay;
use agent_panel::core::hub::AgentHub;
use agent_panel::core::session::Session;
use agent_panel::core::transcript::BlockContent;
use fixtures::{Fixture, acp_fixtures};
use serde_json::Value;

/// Runs a check on every fixture, on several threads, and reports all that fail.
fn for_each_fixture(check: impl Fn(&Fixture) -> Vec<String> + Sync) {
    let fixtures = acp_fixtures();
    assert!(fixtures.len() > 300, "only {} fixtures", fixtures.len());
    let next = AtomicUsize::new(0);
    let problems = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, NonZeroUsize::get) {
            scope.spawn(|| {
                while let Some(fixture) = fixtures.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = check(fixture);
                    let named = found
                        .iter()
                        .map(|problem| format!("{}: {problem}", fixture.name));
                    problems.lock().expect("no check panics").extend(named);
                }
            });
        }
    });
    let mut problems = problems.into_inner().expect("no check panics");
    problems.sort();
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        problems.join("\n")
    );
}

#[test]
fn transcripts_are_as_reviewed() {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("snapshots/replay");
    let fixtures = acp_fixtures();
    let mut failed = Vec::new();
    for fixture in fixtures {
        let text = replay::text(&fixture.recording(), None);
        let name = fixture.name.replace('/', "__");
        let differs = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            settings.bind(|| insta::assert_snapshot!(name, text));
        }));
        if differs.is_err() {
            failed.push(fixture.name.clone());
        }
    }
    assert!(
        failed.is_empty(),
        "{} transcripts differ: {failed:#?}",
        failed.len()
    );
}

#[test]
fn it_makes_no_difference_how_the_bytes_are_cut() {
    for_each_fixture(|fixture| {
        let recording = fixture.recording();
        let whole = replay::text(&recording, None);
        let cuts = [1, 7, 4096].into_iter().filter_map(NonZeroUsize::new);
        cuts.filter(|cut| replay::text(&recording, Some(*cut)) != whole)
            .map(|cut| format!("differs when cut at {cut}"))
            .collect()
    });
}

#[test]
fn no_text_and_no_tool_call_is_lost_and_none_is_left_open() {
    for_each_fixture(|fixture| {
        let recording = fixture.recording();
        let hubs = replay::replay(&recording, None, |_, _| {});
        let runs = recording.runs();
        let lost = runs.iter().zip(&hubs).flat_map(|(run, hub)| lost(run, hub));
        lost.chain(hubs.iter().flat_map(left_open)).collect()
    });
}

fn left_open(hub: &AgentHub) -> Vec<String> {
    let blocks = hub
        .sessions()
        .flat_map(|session| session.transcript().blocks());
    let open = blocks.filter_map(|block| match &block.content {
        BlockContent::ToolCall(call) if call.status.is_open() => {
            Some(format!("{} is open", call.id))
        }
        _ => None,
    });
    open.collect()
}

/// What the agent sent in its sessions and the hub does not show.
fn lost(run: &Recording, hub: &AgentHub) -> Vec<String> {
    let mut lost = sessions_not_open(run, hub);
    let mut texts: BTreeMap<(&str, &str), String> = BTreeMap::new();
    for step in run.steps.iter().filter(|step| !step.role.is_from_client()) {
        let session = step.param("sessionId").and_then(Value::as_str);
        let Some(session) = session.filter(|session| is_open(hub, session)) else {
            continue;
        };
        let update = step.param("update");
        let text_at = |place: &str| update.and_then(|update| update.pointer(place)?.as_str());
        let kind = text_at("/sessionUpdate").unwrap_or_default();
        let text = text_at("/content/text").unwrap_or_default();
        // Gemini says so in a message instead of a `current_mode_update`.
        let is_mode = text.starts_with("[MODE_UPDATE] ");
        if matches!(kind, "agent_message_chunk" | "agent_thought_chunk") && !is_mode {
            texts.entry((session, kind)).or_default().push_str(text);
        }
        let asked = step
            .param("toolCall")
            .and_then(|call| call.pointer("/toolCallId")?.as_str());
        if let Some(call) = text_at("/toolCallId").or(asked)
            && !shows_call(hub, session, call)
        {
            lost.push(format!("tool call {call}"));
        }
    }
    for ((session, kind), sent) in texts {
        let shown = shown_text(hub, session, kind);
        if without_spaces(&sent) != without_spaces(&shown) {
            lost.push(format!(
                "{kind} of {session}:\n sent  {sent:?}\n shown {shown:?}"
            ));
        }
    }
    lost
}

/// Sessions that the recorded client opened and ours did not, where agent and client understand each other at all.
fn sessions_not_open(run: &Recording, hub: &AgentHub) -> Vec<String> {
    let results: Vec<_> = run
        .steps
        .iter()
        .filter_map(|step| step.frame.get("result"))
        .collect();
    let version = results
        .iter()
        .find_map(|result| result.get("protocolVersion"));
    if version.is_some_and(|version| *version != 1) {
        return Vec::new();
    }
    let new = |method: &str| method == "session/new";
    let opened = run.steps.iter().filter_map(|step| match &step.role {
        Role::AgentAnswer { request } => {
            let request = run.steps.get((*request)?)?;
            matches!(&request.role, Role::ClientRequest { method } if new(method)).then_some(step)
        }
        _ => None,
    });
    opened
        .filter_map(|step| step.frame.pointer("/result/sessionId")?.as_str())
        .filter(|session| !is_open(hub, session))
        .map(|session| format!("session {session}"))
        .collect()
}

fn is_open(hub: &AgentHub, session: &str) -> bool {
    sessions(hub, session).next().is_some()
}

fn sessions<'a>(hub: &'a AgentHub, id: &'a str) -> impl Iterator<Item = &'a Session> {
    hub.sessions().filter(move |session| {
        session
            .agent_session()
            .is_some_and(|own| own.as_str() == id)
    })
}

fn shown_text(hub: &AgentHub, session: &str, kind: &str) -> String {
    let blocks = sessions(hub, session).flat_map(|session| session.transcript().blocks());
    let text = blocks.filter_map(|block| match (&block.content, kind) {
        (BlockContent::AgentMessage(message), "agent_message_chunk")
        | (BlockContent::Thought(message), "agent_thought_chunk") => Some(message.text.as_str()),
        _ => None,
    });
    text.collect()
}

fn shows_call(hub: &AgentHub, session: &str, call: &str) -> bool {
    let mut blocks = sessions(hub, session).flat_map(|session| session.transcript().blocks());
    blocks.any(|block| matches!(&block.content, BlockContent::ToolCall(shown) if shown.id.as_str() == call))
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}
