//! Any text as a pattern, a path, a rules file, a host and a command of a rule.
#![no_main]

use std::path::Path;

use agent_panel::core::policy::commands::CommandPattern;
use agent_panel::core::policy::glob::{LetterCase, PathPattern};
use agent_panel::core::policy::hosts::host_of;
use agent_panel::core::policy::paths::{Access, Places};
use agent_panel::core::policy::protected::protection;
use agent_panel::core::policy::rules::{RuleFile, RuleOrigin};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str)| {
    let (pattern, path) = input;
    let path = Path::new(path);
    if let Some(pattern) = PathPattern::parse(pattern) {
        let exact = pattern.matches(path, LetterCase::Differs);
        let folded = pattern.matches(path, LetterCase::Same);
        // An inverted set takes fewer letters when both cases count, so only the plain direction holds.
        assert!(folded || !exact || input.0.contains('['));
    }
    let places = Places::default();
    let _ = protection(path, Access::Write, &places, LetterCase::Same);
    let _ = host_of(pattern);
    let _ = CommandPattern::parse(pattern);
    let file = RuleFile::parse(pattern, RuleOrigin::User, path);
    if file.problems.is_empty() {
        let again = RuleFile::parse(&file.to_toml(), RuleOrigin::User, path);
        assert!(again.problems.is_empty());
        assert_eq!(again.rules.len(), file.rules.len());
    }
});
