//! What refuses a call or wants it asked: built-in refusals and the rules that narrow. One hit is enough.

use std::path::{Component, Path, PathBuf};

use super::paths::{Touched, Touches, of_command};
use super::rules::{Effect, Rule, RuleRef, Subject};
use super::script_gate::{ScriptGate, written_script, written_words};
use super::view::View;
use super::{Reason, hosts};
use crate::core::identity::arguments::CommandLine;
use crate::core::shell::ShellCommand;
use crate::core::shell::wipe::wiping;

/// Why the call is refused at every level.
pub(super) fn refusal(view: &View<'_>) -> Option<Reason> {
    let places = view.input.places;
    let wiped = view
        .script
        .as_ref()
        .and_then(|script| wiping(script, places.for_shell()));
    if let Some(command) = wiped {
        return Some(Reason::Wipes { command });
    }
    if view.input.script_gate == ScriptGate::On
        && let Some(path) = past_the_gate(view)
    {
        return Some(Reason::ScriptGate { path });
    }
    first(view, Effect::Deny).map(Reason::Rule)
}

/// A rule that wants the call asked.
pub(super) fn asking_rule(view: &View<'_>) -> Option<RuleRef> {
    first(view, Effect::Ask)
}

fn past_the_gate(view: &View<'_>) -> Option<String> {
    let input = view.input;
    written_script(&view.touches, input.places, input.paths).or_else(|| {
        view.commands().iter().find_map(|command| {
            let written = ShellCommand {
                words: Vec::new(),
                redirections: written_words(command)
                    .into_iter()
                    .map(|word| crate::core::shell::Redirection {
                        direction: crate::core::shell::Direction::Out,
                        target: word.clone(),
                    })
                    .collect(),
                folders: command.folders.clone(),
            };
            let touches = of_command(&written, input.call, input.places);
            written_script(&touches, input.places, input.paths)
        })
    })
}

fn first(view: &View<'_>, effect: Effect) -> Option<RuleRef> {
    view.input
        .rules
        .of(effect, &view.ground)
        .find(|(_, rule)| applies(rule, view))
        .map(|(file, rule)| RuleRef::new(file, rule))
}

/// Whether any part or reading of the call is what the rule is about.
fn applies(rule: &Rule, view: &View<'_>) -> bool {
    match &rule.subject {
        Subject::Tools(_) | Subject::Mcp { .. } => {
            let named = view
                .input
                .identity
                .readings()
                .iter()
                .any(|name| rule.names(name));
            named && among(rule, &view.touches, view)
        }
        Subject::Command(_, pattern) => view.commands().iter().any(|command| {
            let touches = of_command(command, view.input.call, view.input.places);
            pattern.touches(command) && among(rule, &touches, view)
        }),
        Subject::Line(line) => match &view.line {
            CommandLine::Exact(shown) | CommandLine::Shown(shown) => {
                view.is_shell() && shown.trim() == line.trim()
            }
            CommandLine::Missing => false,
        },
        Subject::Host(_, pattern) => view
            .addresses()
            .iter()
            .filter_map(|address| hosts::host_of(address))
            .any(|host| pattern.matches(&host)),
        Subject::Paths => among(rule, &view.touches, view),
    }
}

/// Whether one of the files is among the rule's paths; a rule without paths is about all.
fn among(rule: &Rule, touches: &Touches, view: &View<'_>) -> bool {
    rule.paths.is_empty() || touches.files.iter().any(|file| takes(rule, file, view))
}

fn takes(rule: &Rule, file: &Touched, view: &View<'_>) -> bool {
    let facts = view.input.paths;
    let takes = |path: &Path| rule.takes_path(path, view.input.places, facts.letter_case);
    takes(&without_climbing(&file.path))
        || facts
            .target(&file.path)
            .is_some_and(|target| takes(&target))
}

/// The path with `.` and `..` taken back by its text, for when nobody looked where it really is.
fn without_climbing(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    plain
}
