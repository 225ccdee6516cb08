//! Programs that run what they are given. A line with one of them is never allowed, but what stands behind it is
//! looked at, so that a refusal can't be dodged.

mod programs;

use rable::{Node, NodeKind};

use super::walk::Walker;
use super::{Doubt, ShellCommand, Word};
use programs::{CODE, INTERPRETERS, OPTIONS, PREFIXES, SHELLS, SUB_PREFIXES};

/// Looks at what a command runs in turn. `input` are its redirections as parsed.
pub(super) fn look_behind(walker: &mut Walker<'_>, command: &ShellCommand, input: &[Node]) {
    let Some(name) = command.program_for_denial() else {
        return;
    };
    let words = command.arguments();
    if SHELLS.contains(&name.as_str()) {
        walker.doubt(Doubt::RunsCode(name));
        shell(walker, words, input);
    } else if CODE.contains(&name.as_str()) {
        if name == "eval" {
            let text: Vec<_> = words.iter().map(Word::for_denial).collect();
            walker.nested_text(&text.join(" "));
        }
        walker.doubt(Doubt::RunsCode(name));
    } else if let Some((_, operands)) = PREFIXES.iter().find(|(prefix, _)| *prefix == name) {
        walker.doubt(Doubt::RunsCode(name));
        behind_options(walker, words, *operands);
    } else if is_interpreter(&name) {
        if runs_given_code(words, input) {
            walker.doubt(Doubt::RunsCode(name));
        }
    } else if name == "tee" {
        for file in words.iter().map(Word::for_denial) {
            if !file.starts_with('-') {
                walker.doubt(Doubt::WritesFile(file));
            }
        }
    } else {
        options(walker, &name, words);
    }
}

/// Whether a word names a shell, as it is written.
pub(super) fn is_shell(word: &str) -> bool {
    SHELLS.contains(&super::bare_program(word).as_str())
}

/// Whether the program runs scripts, so that its bare name says nothing about what it does.
pub fn is_interpreter_or_wrapper(program: &str) -> bool {
    let name = super::bare_program(program);
    let name = name.as_str();
    SHELLS.contains(&name)
        || CODE.contains(&name)
        || is_interpreter(name)
        || PREFIXES.iter().any(|(prefix, _)| *prefix == name)
}

/// Whether the sub-command runs the command behind it (`npm exec`).
pub fn is_sub_wrapper(program: &str, sub_command: &str) -> bool {
    let name = super::bare_program(program);
    SUB_PREFIXES
        .iter()
        .any(|(wrapper, sub, _)| *wrapper == name && *sub == sub_command)
}

/// Whether the program runs a script that it is given.
pub fn is_interpreter(name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.contains(&name) || INTERPRETERS.contains(&stem)
}

/// `sh -c SCRIPT`, `busybox sh -c SCRIPT`, a script from a here-document.
fn shell(walker: &mut Walker<'_>, words: &[Word], input: &[Node]) {
    let texts: Vec<_> = words.iter().map(Word::for_denial).collect();
    let code_at = texts.iter().position(|text| {
        let lower = text.to_lowercase();
        matches!(lower.as_str(), "/c" | "/k" | "-command" | "--command")
            || (text.starts_with('-') && !text.starts_with("--") && text.contains('c'))
    });
    if let Some(at) = code_at {
        let code: Vec<_> = texts.iter().skip(at + 1).cloned().collect();
        if let [first, _, ..] = code.as_slice() {
            walker.nested_text(first);
        }
        if !code.is_empty() {
            walker.nested_text(&code.join(" "));
        }
    } else if !words.is_empty() {
        behind_options(walker, words, 0);
    }
    for redirect in input {
        if let NodeKind::HereDoc { content, .. } = &redirect.kind {
            walker.nested_text(content);
        } else if let NodeKind::Redirect { op, target, .. } = &redirect.kind
            && op == "<<<"
            && let Some(text) = super::words::word(walker, target).literal()
        {
            walker.nested_text(&text);
        }
    }
}

/// The command behind options, settings and `operands` others. A word after an option may be its value, so both the
/// word and what follows it are looked at.
fn behind_options(walker: &mut Walker<'_>, words: &[Word], operands: usize) {
    let mut left = operands;
    let mut after_option = false;
    for (index, word) in words.iter().enumerate() {
        let text = word.for_denial();
        if text.starts_with('-') {
            after_option = true;
            if let Some(code) = text.strip_prefix("-S").filter(|code| !code.is_empty()) {
                walker.nested_text(code);
            }
            continue;
        }
        let setting = text.contains('=') && !text.starts_with('/');
        let number = text.starts_with(|c: char| c.is_ascii_digit());
        if setting {
            continue;
        }
        if number {
            left = left.saturating_sub(1);
            after_option = false;
            continue;
        }
        let command: Vec<_> = words.iter().skip(index).cloned().collect();
        if let [only] = command.as_slice()
            && let Some(line) = only.literal().filter(|line| line.contains(' '))
        {
            walker.nested_text(&line);
        }
        walker.nested_command(command);
        if !after_option {
            if left == 0 {
                return;
            }
            left -= 1;
        }
        after_option = false;
    }
}

/// Whether an interpreter gets its code on the line or from its input.
fn runs_given_code(words: &[Word], input: &[Node]) -> bool {
    if !input.is_empty() {
        return true;
    }
    let Some(first) = words.first().map(Word::for_denial) else {
        return true;
    };
    // The script must come first: an option in front of it may be code or may load some.
    first.starts_with('-')
        || matches!(
            first.as_str(),
            "eval" | "repl" | "x" | "run" | "task" | "exec"
        )
}

fn options(walker: &mut Walker<'_>, name: &str, words: &[Word]) {
    let texts: Vec<_> = words.iter().map(Word::for_denial).collect();
    let first_operand = texts.iter().position(|text| !text.starts_with('-'));
    if let Some(at) = first_operand
        && let Some(sub) = texts.get(at)
        && let Some((_, _, operands)) = SUB_PREFIXES
            .iter()
            .find(|(program, sub_command, _)| *program == name && sub_command == sub)
    {
        walker.doubt(Doubt::RunsCode(format!("{name} {sub}")));
        behind_options(walker, words.get(at + 1..).unwrap_or_default(), *operands);
    }
    let Some((_, dangerous)) = OPTIONS.iter().find(|(program, _)| *program == name) else {
        return;
    };
    for (index, text) in texts.iter().enumerate() {
        let long = text
            .split_once('=')
            .map_or(text.as_str(), |(option, _)| option);
        let hit = dangerous.iter().any(|option| is_option(option, text, long));
        if !hit {
            continue;
        }
        walker.doubt(Doubt::RunsCode(format!("{name} {long}")));
        if name == "find" || name == "fd" {
            let command: Vec<_> = words.iter().skip(index + 1).cloned().collect();
            if !command.is_empty() {
                walker.nested_command(command);
            }
        }
    }
}

/// Whether a word is the option: short ones may be run together, long ones cut short.
fn is_option(option: &str, text: &str, long: &str) -> bool {
    if text == option || long == option {
        return true;
    }
    if option.starts_with("--") {
        return long.len() > 3 && long.starts_with("--") && option.starts_with(long);
    }
    let single = option.len() == 2 && option.starts_with('-');
    single
        && text.starts_with('-')
        && !text.starts_with("--")
        && option
            .chars()
            .nth(1)
            .is_some_and(|letter| text.contains(letter))
}
