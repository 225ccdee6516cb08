//! Every recording, through bridge and hub, compared with a reviewed transcript.

#[path = "replay/acp.rs"]
mod acp;
#[path = "replay/claude.rs"]
mod claude;
#[path = "support/fixtures.rs"]
mod fixtures;

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use agent_panel::bridge::script::Recording;
use agent_panel::cli::replay::{self, Playing};
use agent_panel::core::backend::Dialect;
use agent_panel::core::hub::AgentHub;
use agent_panel::core::transcript::BlockContent;
use fixtures::Fixture;

/// A recording that was replayed once for all tests.
struct Replayed {
    fixture: Fixture,
    recording: Recording,
    text: String,
    hubs: Vec<AgentHub>,
}

fn replayed() -> &'static [Replayed] {
    static REPLAYED: OnceLock<Vec<Replayed>> = OnceLock::new();
    REPLAYED.get_or_init(|| {
        let fixtures = fixtures::fixtures();
        assert!(fixtures.len() > 390, "only {} fixtures", fixtures.len());
        in_parallel(&fixtures, |fixture| {
            let recording = fixture.recording();
            let (text, hubs) = replay::text_and_hubs(&recording, &Playing::default());
            Replayed {
                fixture: fixture.clone(),
                recording,
                text,
                hubs,
            }
        })
    })
}

/// Does the same with each item, on several threads; the results are in the order of the items.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, NonZeroUsize::get) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(item);
                    done.lock().expect("no work panics").push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no work panics");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Runs a check on every fixture and reports all that fail.
fn for_each_fixture(check: impl Fn(&Replayed) -> Vec<String> + Sync) {
    let problems = in_parallel(replayed(), |replayed| {
        let found = check(replayed);
        let name = &replayed.fixture.name;
        found
            .iter()
            .map(|problem| format!("{name}: {problem}"))
            .collect::<Vec<_>>()
    });
    let problems = problems.concat();
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
    let mut failed = Vec::new();
    for Replayed { fixture, text, .. } in replayed() {
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
    for_each_fixture(|replayed| {
        let cuts = [1, 7, 4096].into_iter().filter_map(NonZeroUsize::new);
        let cut = |chunk| Playing {
            chunk: Some(chunk),
            ..Playing::default()
        };
        cuts.filter(|size| replay::text(&replayed.recording, &cut(*size)) != replayed.text)
            .map(|cut| format!("differs when cut at {cut}"))
            .collect()
    });
}

#[test]
fn no_text_and_no_tool_call_is_lost_and_none_is_left_open() {
    for_each_fixture(|replayed| {
        let runs = replayed.recording.runs();
        let lost = runs
            .iter()
            .zip(&replayed.hubs)
            .flat_map(|(run, hub)| match run.dialect() {
                Dialect::Acp => acp::lost(run, hub),
                Dialect::ClaudeCode => claude::lost(run, hub),
            });
        lost.chain(replayed.hubs.iter().flat_map(left_open))
            .collect()
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

pub(crate) fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}
