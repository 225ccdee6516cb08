//! Any text as a shell line: read at once, and without doubts only if its words mean themselves.
#![no_main]

use std::path::Path;

use agent_panel::core::shell::wipe::wiping;
use agent_panel::core::shell::{ShellPlaces, Word, read, read_loosely};
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
            let words: Vec<_> = command.words.iter().filter_map(Word::literal).collect();
            assert_eq!(words.len(), command.words.len());
            assert!(!words.is_empty());
        }
    }
});
