//! Any text as a shell line: read at once, and without doubts only if its words mean themselves.
#![no_main]

use std::path::Path;

use agent_panel::core::shell::wipe::wiping;
use agent_panel::core::shell::{Piece, ShellPlaces, Word, read, read_loosely};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &str| {
    let places = ShellPlaces {
        folder: Path::new("/home/me/proj"),
        home: Some(Path::new("/home/me")),
    };
    let script = read(line, places);
    drop(wiping(&script, places));
    drop(wiping(&read_loosely(line, places), places));
    if script.doubts.is_empty() {
        for command in &script.commands {
            let program = command.words.first().and_then(Word::literal);
            assert!(program.is_some());
            let pieces = command.words.iter().flat_map(|word| &word.pieces);
            let is_known = |piece: &Piece| matches!(piece, Piece::Text(_) | Piece::Home | Piece::Here);
            assert!(pieces.into_iter().all(is_known));
        }
    }
});
