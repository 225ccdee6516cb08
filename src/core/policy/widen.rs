//! What allows a call: rules, then the level. Every part of it must be covered, and every file must be where it may be.

use std::path::Path;

use super::level::Level;
use super::paths::{Touches, is_inside, of_call, of_command};
use super::rules::{Effect, Rule, RuleRef, Subject};
use super::view::View;
use super::{Reason, ShellLanguage, hosts};
use crate::core::catalog::OpsClass;
use crate::core::identity::ToolName;
use crate::core::identity::arguments::CommandLine;
use crate::core::shell::ShellCommand;

/// What allows the call, or why nothing does.
pub(super) fn allowed(view: &View<'_>) -> Result<Reason, Reason> {
    if !view.input.identity.is_established() {
        return Err(match view.input.level {
            Level::Ask => Reason::Level(Level::Ask),
            Level::ReadOnly | Level::Undoable | Level::AllOps | Level::AllTools => {
                Reason::NotEstablished
            }
        });
    }
    if view.is_shell() {
        line_allowed(view)
    } else {
        call_allowed(view)
    }
}

/// A call that is no shell line: one rule for all of it, or the level.
fn call_allowed(view: &View<'_>) -> Result<Reason, Reason> {
    let mut why_not = Reason::Level(view.input.level);
    for (file, rule) in view.input.rules.of(Effect::Allow, &view.ground) {
        match covers_call(rule, view) {
            Ok(true) => {}
            Ok(false) => continue,
            Err(reason) => {
                why_not = reason;
                continue;
            }
        }
        match files_allowed(&view.touches, Some(rule), view) {
            Ok(()) => return Ok(Reason::Rule(RuleRef::new(file, rule))),
            Err(reason) => why_not = reason,
        }
    }
    let (covered, class) = level_covers(view);
    if !covered {
        return Err(why_not);
    }
    files_allowed(&view.touches, None, view)?;
    Ok(Reason::Allowed {
        level: view.input.level,
        class,
    })
}

/// Whether the rule is about the whole call. A web tool is covered by its host only if all its addresses can be read.
fn covers_call(rule: &Rule, view: &View<'_>) -> Result<bool, Reason> {
    let name = &view.input.identity.name;
    if let Subject::Host(_, pattern) = &rule.subject {
        if *name != ToolName::WebFetch {
            return Ok(false);
        }
        let addresses = view.addresses();
        let hosts: Vec<_> = addresses.iter().map(|text| hosts::host_of(text)).collect();
        if hosts.is_empty() || hosts.contains(&None) {
            return Err(Reason::UnknownHost);
        }
        return Ok(hosts.iter().flatten().all(|host| pattern.matches(host)));
    }
    Ok(rule.names(name))
}

/// Whether the level answers for a tool that is no shell line, and the class of an ops tool.
fn level_covers(view: &View<'_>) -> (bool, Option<OpsClass>) {
    let input = view.input;
    if let ToolName::Mcp { server, tool } = &input.identity.name {
        let ours = *server == input.context.ops_server && input.context.servers.contains(server);
        let class = input.catalog.class(server, tool).filter(|_| ours);
        let covered = class.is_some_and(|class| input.level.allows_ops(class));
        return (covered || input.level == Level::AllTools, class);
    }
    (input.level == Level::AllTools, None)
}

/// A shell line: every command in it needs a rule, or the level for all tools.
fn line_allowed(view: &View<'_>) -> Result<Reason, Reason> {
    let CommandLine::Exact(line) = &view.line else {
        return Err(Reason::UnknownCommand);
    };
    let mut allow = view.input.rules.of(Effect::Allow, &view.ground);
    if view.input.shell == ShellLanguage::Other {
        let exact =
            allow.find(|(_, rule)| matches!(&rule.subject, Subject::Line(one) if one == line));
        return match exact {
            Some((file, rule)) => Ok(Reason::Rule(RuleRef::new(file, rule))),
            None => Err(Reason::Shell(crate::core::shell::Doubt::UnknownShell)),
        };
    }
    let named = of_call(view.input.identity, view.input.call, view.input.places);
    files_allowed(&named, None, view)?;
    let mut by_rules: Vec<RuleRef> = Vec::new();
    for command in view.commands() {
        if let Some(rule) = command_allowed(command, line, view)?
            && !by_rules.contains(&rule)
        {
            by_rules.push(rule);
        }
    }
    if by_rules.is_empty() {
        return Ok(Reason::Allowed {
            level: view.input.level,
            class: None,
        });
    }
    Ok(Reason::Rules(by_rules))
}

/// The rule that allows one command, or nothing when the level does.
fn command_allowed(
    command: &ShellCommand,
    line: &str,
    view: &View<'_>,
) -> Result<Option<RuleRef>, Reason> {
    let touches = of_command(command, view.input.call, view.input.places);
    let mut why_not = Reason::Level(view.input.level);
    for (file, rule) in view.input.rules.of(Effect::Allow, &view.ground) {
        let covered = match &rule.subject {
            Subject::Command(_, pattern) => pattern.covers(command),
            Subject::Line(exact) => exact == line,
            Subject::Tools(_) => rule.names(&ToolName::Bash),
            Subject::Mcp { .. } | Subject::Host(..) | Subject::Paths => false,
        };
        if covered {
            match files_allowed(&touches, Some(rule), view) {
                Ok(()) => return Ok(Some(RuleRef::new(file, rule))),
                Err(reason) => why_not = reason,
            }
        }
    }
    if view.input.level != Level::AllTools {
        return Err(why_not);
    }
    files_allowed(&touches, None, view).map(|()| None)
}

/// Whether all files are known and where they may be: among the rule's paths, or in the working folder.
fn files_allowed(touches: &Touches, rule: Option<&Rule>, view: &View<'_>) -> Result<(), Reason> {
    if touches.incomplete || (touches.files.is_empty() && needs_files(rule, view)) {
        return Err(Reason::UnknownFiles);
    }
    let with_paths = rule.filter(|rule| !rule.paths.is_empty());
    // An MCP server may run elsewhere and name things that are no files: only a rule with paths asks where they are.
    if view.is_mcp() && with_paths.is_none() {
        return Ok(());
    }
    let facts = view.input.paths;
    let places = view.input.places;
    for file in &touches.files {
        if file.path == Path::new("/dev/null") {
            continue;
        }
        let Some(target) = facts.target(&file.path) else {
            return Err(Reason::UnresolvedPath {
                path: file.path.clone(),
            });
        };
        let may_be = match with_paths {
            Some(rule) => rule.takes_path(&target, places, facts.letter_case),
            None => is_inside(&target, &places.folder, facts.letter_case),
        };
        if !may_be {
            return Err(Reason::OutsideFolder {
                path: file.path.clone(),
            });
        }
    }
    Ok(())
}

/// Whether the call is about files, so that not knowing them leaves doubt.
fn needs_files(rule: Option<&Rule>, view: &View<'_>) -> bool {
    let by_tool = match &view.input.identity.name {
        ToolName::Read | ToolName::Write | ToolName::Edit | ToolName::Delete | ToolName::Move => {
            true
        }
        ToolName::Bash
        | ToolName::WebFetch
        | ToolName::WebSearch
        | ToolName::Search
        | ToolName::Think
        | ToolName::Task
        | ToolName::TodoWrite
        | ToolName::AskUserQuestion
        | ToolName::ExitPlanMode
        | ToolName::Mcp { .. }
        | ToolName::Other(_)
        | ToolName::Unknown => false,
    };
    let restricted = rule.is_some_and(|rule| !rule.paths.is_empty());
    by_tool || (restricted && !view.is_shell())
}
