//! Which tool each recorded call is, as a table to be reviewed: scenario, call, name, what it was read from.

#[path = "support/fixtures.rs"]
mod fixtures;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use agent_panel::cli::replay::{Playing, replay};
use agent_panel::cli::watch::Report;
use agent_panel::core::hub::AgentHub;
use agent_panel::core::identity::{Certainty, Identity};
use agent_panel::core::tool_call::ToolCall;
use agent_panel::core::transcript::BlockContent;
use fixtures::Fixture;

fn row(identity: &Identity) -> String {
    let name = identity.name.canonical();
    let source = identity.source.as_str();
    match &identity.certainty {
        Certainty::Certain if identity.is_established() => format!("{name}  {source}"),
        Certainty::Certain => format!("{name}  {source}  not established"),
        Certainty::Unsure { readings } => {
            let readings: Vec<_> = readings.iter().map(ToString::to_string).collect();
            format!("{name}  {source}  unsure: {}", readings.join(" | "))
        }
    }
}

/// The calls of one recording: as they were when they were asked about, and as they were in the end.
fn calls(fixture: &Fixture) -> Vec<String> {
    let mut asked: BTreeMap<String, String> = BTreeMap::new();
    let identity = |hub: &AgentHub, key, call: &ToolCall| {
        let session = hub.session(key).expect("a session that reports is there");
        row(&session.identity_of(call))
    };
    let hubs = replay(&fixture.recording(), &Playing::default(), |hub, report| {
        if let Report::PermissionAnswered(session, record) = report {
            let row = identity(hub, session, &record.tool_call);
            asked.insert(record.tool_call_id.to_string(), row);
        }
    });
    let mut rows = Vec::new();
    for hub in &hubs {
        for session in hub.sessions() {
            for block in session.transcript().blocks() {
                if let BlockContent::ToolCall(call) = &block.content {
                    let id = call.id.to_string();
                    let last = identity(hub, session.key(), call);
                    match asked.remove(&id).filter(|first| *first != last) {
                        Some(first) => rows.push(format!("{id}  {first}; in the end {last}")),
                        None => rows.push(format!("{id}  {last}")),
                    }
                }
            }
        }
    }
    rows.extend(asked.iter().map(|(id, row)| format!("{id}  {row}")));
    rows
}

#[test]
fn recorded_calls_are_named_as_reviewed() {
    let mut tables: BTreeMap<String, String> = BTreeMap::new();
    for fixture in fixtures::fixtures() {
        let (agent, case) = fixture.name.split_once('/').expect("agent/case");
        let table = tables.entry(agent.to_owned()).or_default();
        for call in calls(&fixture) {
            writeln!(table, "{case}  {call}").expect("text can be written");
        }
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("snapshots/identity");
    settings.bind(|| {
        for (agent, table) in &tables {
            insta::assert_snapshot!(agent.clone(), table);
        }
    });
}
