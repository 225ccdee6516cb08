//! Every recording of an ACP agent, through bridge and hub, compared with a reviewed transcript.

#[path = "support/fixtures.rs"]
mod fixtures;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use agent_panel::bridge::script::Recording;
use agent_panel::cli::replay;
use agent_panel::core::hub::AgentHub;
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
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut calls: Vec<(String, String)> = Vec::new();
    let shown: Vec<_> = hub.sessions().collect();
    for step in &run.steps {
        let session = step
            .param("sessionId")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let is_shown = shown.iter().any(|shown| {
            shown
                .agent_session()
                .is_some_and(|id| id.as_str() == session)
        });
        if step.role.is_from_client() || !is_shown {
            continue;
        }
        let update = step.param("update");
        let kind = update
            .and_then(|update| update.get("sessionUpdate"))
            .and_then(Value::as_str);
        let text = update
            .and_then(|update| update.pointer("/content/text"))
            .and_then(Value::as_str);
        let call = update
            .or_else(|| step.param("toolCall"))
            .and_then(|call| call.get("toolCallId"))
            .and_then(Value::as_str);
        // Gemini says so in a message instead of a `current_mode_update`.
        let is_text = !text.is_some_and(|text| text.starts_with("[MODE_UPDATE] "));
        if let (Some("agent_message_chunk"), Some(text), true) = (kind, text, is_text) {
            texts.entry(session.to_owned()).or_default().push_str(text);
        }
        if let Some(call) = call {
            calls.push((session.to_owned(), call.to_owned()));
        }
    }
    let mut lost = Vec::new();
    for (session, sent) in texts {
        if without_spaces(&sent) != without_spaces(&shown_text(hub, &session)) {
            lost.push(format!(
                "text of {session}:\n sent  {sent:?}\n shown {:?}",
                shown_text(hub, &session)
            ));
        }
    }
    for (session, call) in calls {
        if !shows_call(hub, &session, &call) {
            lost.push(format!("tool call {call}"));
        }
    }
    lost
}

fn shown_text(hub: &AgentHub, session: &str) -> String {
    let own = hub
        .sessions()
        .filter(|own| own.agent_session().is_some_and(|id| id.as_str() == session));
    let blocks = own.flat_map(|session| session.transcript().blocks());
    let text = blocks.filter_map(|block| match &block.content {
        BlockContent::AgentMessage(message) => Some(message.text.as_str()),
        _ => None,
    });
    text.collect()
}

fn shows_call(hub: &AgentHub, session: &str, call: &str) -> bool {
    let own = hub
        .sessions()
        .filter(|own| own.agent_session().is_some_and(|id| id.as_str() == session));
    own.flat_map(|session| session.transcript().blocks()).any(|block| {
        matches!(&block.content, BlockContent::ToolCall(shown) if shown.id.as_str() == call)
    })
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}
