//! A call as the policy sees it: its command line read, its files and web addresses collected.

use super::paths::{Touched, Touches, of_call, of_command};
use super::protected::protection;
use super::rules::Ground;
use super::{PolicyInput, Reason, ShellLanguage, hosts};
use crate::core::identity::arguments::{CommandLine, command_line};
use crate::core::identity::{Identity, ToolName};
use crate::core::shell::{self, Doubt, ShellCommand, ShellScript, Word};
use crate::core::tool_call::ToolCall;

use super::paths::Places;

/// One request, prepared.
pub(super) struct View<'a> {
    pub input: &'a PolicyInput<'a>,
    pub line: CommandLine,
    /// The command line as read, also one that is only shown: that one is good for refusing.
    pub script: Option<ShellScript>,
    /// All files, those of the command line too.
    pub touches: Touches,
    pub ground: Ground<'a>,
}

impl<'a> View<'a> {
    pub(super) fn new(input: &'a PolicyInput<'a>) -> Self {
        let script = script_of(input.identity, input.call, input.places, input.shell);
        let mut touches = of_call(input.identity, input.call, input.places);
        for command in script.iter().flat_map(|script| &script.commands) {
            touches.add_all(of_command(command, input.call, input.places));
        }
        Self {
            line: command_line(input.call),
            script,
            touches,
            ground: Ground {
                places: input.places,
                facts: input.paths,
                now: input.now,
            },
            input,
        }
    }

    pub(super) fn is_shell(&self) -> bool {
        is_shell(self.input.identity)
    }

    /// Whether it is surely a tool of an MCP server, whose paths need not be of this file system.
    pub(super) fn is_mcp(&self) -> bool {
        matches!(self.input.identity.name, ToolName::Mcp { .. })
    }

    pub(super) fn commands(&self) -> &[ShellCommand] {
        self.script
            .as_ref()
            .map_or(&[], |script| script.commands.as_slice())
    }

    /// The web addresses in its arguments and among the words of its commands.
    pub(super) fn addresses(&self) -> Vec<String> {
        let named = hosts::addresses(self.input.identity.arguments.as_ref());
        let words = self
            .commands()
            .iter()
            .flat_map(|command| &command.words)
            .map(Word::for_denial)
            .filter(|word| word.contains("://"));
        named.into_iter().map(str::to_owned).chain(words).collect()
    }

    /// A protected file among those that it touches.
    pub(super) fn protected(&self) -> Option<Reason> {
        self.touches
            .files
            .iter()
            .find_map(|file| self.protected_file(file))
    }

    fn protected_file(&self, file: &Touched) -> Option<Reason> {
        let facts = self.input.paths;
        let check = |path: &std::path::Path| {
            protection(path, file.access, self.input.places, facts.letter_case)
        };
        let target = facts.target(&file.path);
        let found = check(&file.path).or_else(|| check(target.as_deref()?))?;
        Some(Reason::Protected {
            path: file.path.clone(),
            protection: found,
        })
    }

    /// Why its command line must be asked about.
    pub(super) fn shell_doubt(&self) -> Option<Reason> {
        if !self.is_shell() {
            return None;
        }
        match (&self.line, &self.script) {
            (CommandLine::Exact(_), Some(script)) => {
                let doubt = script.doubts.first()?.clone();
                // A rule for exactly this line may allow what we can't read.
                let exact = doubt == Doubt::UnknownShell && script.doubts.len() == 1;
                (!exact).then_some(Reason::Shell(doubt))
            }
            _ => Some(Reason::UnknownCommand),
        }
    }
}

/// The command line of a shell call, as read.
pub(super) fn script_of(
    identity: &Identity,
    call: &ToolCall,
    places: &Places,
    language: ShellLanguage,
) -> Option<ShellScript> {
    if !is_shell(identity) {
        return None;
    }
    let (CommandLine::Exact(line) | CommandLine::Shown(line)) = command_line(call) else {
        return None;
    };
    Some(match language {
        ShellLanguage::Posix => shell::read(&line, places.for_shell()),
        ShellLanguage::Other => shell::read_loosely(&line, places.for_shell()),
    })
}

fn is_shell(identity: &Identity) -> bool {
    identity.readings().contains(&ToolName::Bash)
}
