//! What a frame of the window costs, by the length of the transcript and by what happens in it.

use std::fmt::Write as _;
use std::time::Duration;

use agent_panel::ui::transcript::state::{Anchor, Place};

use crate::clock::cost_of;
use crate::naive::Naive;
use crate::spread::{Spread, head, millis};
use crate::stage::{SIZE, Stage};

/// The blocks of the longest transcript.
const MANY: usize = 100_000;
const FEW: usize = 1_000;
/// The characters that come with a frame, and how many there are in the end.
const CHUNK: usize = 50;
const STREAMED: usize = 20_000;

pub(crate) fn run() {
    head();
    for blocks in [FEW, 10_000, MANY] {
        let mut stage = Stage::with_blocks(blocks);
        stage.settle();
        Spread::of(300, |_| stage.frame()).row(&format!("{blocks} blocks, at the end, idle"));
    }
    let mut naive = Naive::with_blocks(FEW);
    let first = naive.frame();
    Spread::of(20, |_| naive.frame()).row(&format!(
        "{FEW} blocks drawn whole by egui_commonmark, idle (first: {:.0} ms)",
        millis(first)
    ));
    drop(naive);

    let mut stage = Stage::with_blocks(MANY);
    stage.settle();
    scrolling(&mut stage).row("scrolling 300 points a frame over unseen blocks");
    jumping(&mut stage).row("jumping anywhere");
    stage.view().place = Place::End;
    stage.settle();
    resizing(&mut stage).row("another width each frame");
    stage.size = SIZE;
    stage.begin_turn("Tell me everything.");
    streaming(&mut stage, &prose()).row("streaming a message of 20,000 characters");
    stage.end_turn();
    stage.begin_turn("Show me the code.");
    streaming(&mut stage, &fence()).row("streaming a Rust fence of 20,000 characters");
    stage.end_turn();
    opening();
}

fn scrolling(stage: &mut Stage) -> Spread {
    Spread::of(300, |_| {
        stage.view().move_by(-300.0);
        stage.frame()
    })
}

fn jumping(stage: &mut Stage) -> Spread {
    let mut row = 7;
    Spread::of(200, |_| {
        // Any order will do that comes by all parts.
        row = (row * 7_919 + 104_729) % (MANY - 100);
        let anchor = Anchor {
            row,
            part: None,
            y: 0.0,
        };
        stage.view().place = Place::At(anchor);
        stage.frame()
    })
}

fn resizing(stage: &mut Stage) -> Spread {
    Spread::of(100, |index| {
        stage.size.x = SIZE.x - 200.0 - index as f32;
        stage.frame()
    })
}

/// Takes in a piece of a message and draws, until all of it is there.
fn streaming(stage: &mut Stage, text: &str) -> Spread {
    let chars: Vec<char> = text.chars().collect();
    let pieces: Vec<String> = chars
        .chunks(CHUNK)
        .map(|piece| piece.iter().collect())
        .collect();
    Spread::of(pieces.len(), |index| {
        let piece = pieces.get(index).map_or("", String::as_str);
        cost_of(|| stage.text(piece)) + stage.frame()
    })
}

fn prose() -> String {
    let mut text = String::new();
    let mut place = 0;
    while text.len() < STREAMED {
        text.push_str(&crate::stage::message(place));
        text.push_str("\n\n");
        place += 1;
    }
    text.truncate(STREAMED);
    text
}

fn fence() -> String {
    let mut text = "```rust\n".to_owned();
    let mut line = 0;
    while text.len() < STREAMED {
        writeln!(text, "    let berth_{line} = harbor.berth(\"north\", {line}).ok_or(Refusal::Full)?; // see {line}").expect("a string takes everything");
        line += 1;
    }
    text
}

/// From nothing to the first right frame of a session that comes whole.
fn opening() {
    let mut drawn = Duration::ZERO;
    let taken_in = cost_of(|| {
        let mut stage = Stage::with_blocks(10_000);
        drawn = stage.frame();
    });
    println!(
        "\nOpening 10,000 blocks: {:.0} ms until the first right frame, {:.1} ms of them for the frame.",
        millis(taken_in),
        millis(drawn)
    );
}
