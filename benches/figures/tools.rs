//! Tool calls with much to show: the output of a command while it runs, and a big diff.

use std::fmt::Write as _;

use agent_panel::core::tool_call::{
    Diff, ToolCallContent, ToolCallPatch, ToolCallStatus, ToolKind,
};

use crate::clock::cost_of;
use crate::spread::{Spread, head};
use crate::stage::Stage;

/// The lines of a command's output, and how many come with each update.
const OUTPUT_LINES: usize = 35_000;
const LINES_A_FRAME: usize = 100;
const DIFF_LINES: usize = 120_000;

pub(crate) fn run() {
    head();
    let output = output();
    output.row("35,000 lines of live output, all of it sent again each time");
    println!(
        "\nAll of it: {:.2} s, {} updates.\n",
        output.sum(),
        OUTPUT_LINES / LINES_A_FRAME
    );
    head();
    diff();
}

fn output() -> Spread {
    let mut stage = Stage::with_blocks(1_000);
    stage.begin_turn("Run the tests.");
    stage.announce(
        "run",
        ToolCallPatch {
            title: Some("cargo test".to_owned()),
            kind: Some(ToolKind::Execute),
            status: Some(ToolCallStatus::InProgress),
            raw_input: Some(serde_json::json!({"command": "cargo test"}).into()),
            ..ToolCallPatch::default()
        },
    );
    stage.open_last();
    stage.settle();
    let mut text = String::new();
    let mut line = 0;
    Spread::of(OUTPUT_LINES / LINES_A_FRAME, |_| {
        for _ in 0..LINES_A_FRAME {
            line += 1;
            writeln!(text, "test harbor::berth_{line} ... \u{1b}[32mok\u{1b}[0m")
                .expect("a string takes everything");
        }
        let patch = ToolCallPatch {
            content: Some(vec![ToolCallContent::Text(text.clone())]),
            ..ToolCallPatch::default()
        };
        cost_of(|| stage.patch("run", patch)) + stage.frame()
    })
}

/// Every third of its lines changed.
fn diff() {
    let line = |index: usize| format!("    let berth_{index} = harbor.berth({index});\n");
    let old: String = (0..DIFF_LINES).map(line).collect();
    let new: String = (0..DIFF_LINES)
        .map(|index| match index % 3 {
            0 => format!("    let berth_{index} = harbor.free_berth({index})?;\n"),
            _ => line(index),
        })
        .collect();
    let mut stage = Stage::with_blocks(1_000);
    stage.begin_turn("Rename it everywhere.");
    stage.settle();
    let patch = ToolCallPatch {
        title: Some("Edit harbor.rs".to_owned()),
        kind: Some(ToolKind::Edit),
        status: Some(ToolCallStatus::Completed),
        content: Some(vec![ToolCallContent::Diff(Diff {
            path: "harbor.rs".to_owned(),
            old_text: Some(old),
            new_text: new,
        })]),
        ..ToolCallPatch::default()
    };
    let taken_in = cost_of(|| stage.announce("edit", patch));
    stage.open_last();
    let first = taken_in + stage.frame();
    Spread::of(1, |_| first).row("a diff of 120,000 lines, the first frame of it");
    Spread::of(100, |_| {
        stage.view().move_by(-40.0);
        stage.frame()
    })
    .row("the same, scrolling");
}
