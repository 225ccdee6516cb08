//! What "Always" and "Never" may honestly offer: an exact tool, an exact command with its sub-command, a folder, a host.

use std::path::{Path, PathBuf};

use super::commands::CommandPattern;
use super::paths::Access;
use super::rules::{Effect, PathText, Rule, RuleOrigin, Subject};
use super::view::View;
use super::{Decision, PolicyInput, Reason, decide, hosts, widen};
use crate::core::identity::ToolName;
use crate::core::identity::arguments::CommandLine;
use crate::core::shell::{ShellCommand, Word, wrappers};

/// A rule that a card offers to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleProposal {
    pub rule: Rule,
    pub words: ProposalWords,
    /// The file that it goes to.
    pub file: PathBuf,
    /// Files in the working folder that decide what the command does. The person may bind the rule to their digests.
    pub depends_on: Vec<PathBuf>,
}

/// How long a granted rule holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lifetime {
    /// As long as the session is open; it is written nowhere.
    #[default]
    Session,
    OneDay,
    Always,
}

/// The proposal in words, by key and placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProposalWords {
    /// This tool of this server, whatever its input.
    McpTool { server: String, tool: String },
    /// This tool of the agent's.
    Tool { tool: String },
    /// This tool below this folder.
    ToolInFolder { tool: String, folder: String },
    /// Commands that begin with these words.
    Command { words: String },
    /// This line and no other.
    Line { line: String },
    /// Addresses of this host.
    Host { host: String },
}

/// Programs whose second word says what they do.
const WITH_SUB_COMMANDS: &[&str] = &[
    "az",
    "aws",
    "bazel",
    "brew",
    "bun",
    "bundle",
    "cargo",
    "composer",
    "dart",
    "dotnet",
    "flutter",
    "gcloud",
    "gh",
    "git",
    "go",
    "gradle",
    "helm",
    "hg",
    "jj",
    "just",
    "kubectl",
    "mix",
    "mvn",
    "npm",
    "pip",
    "pnpm",
    "poetry",
    "rake",
    "rustup",
    "swift",
    "systemctl",
    "task",
    "terraform",
    "uv",
    "yarn",
];

/// The rules that would have allowed the call, as the person may store them. All hold in the working folder only.
pub fn always_choices(input: &PolicyInput<'_>) -> Vec<RuleProposal> {
    let Some(file) = file_of_asked(input) else {
        return Vec::new();
    };
    let view = View::new(input);
    if super::must_ask(&view).is_some() || super::narrow::asking_rule(&view).is_some() {
        return Vec::new();
    }
    let commands = match &view.line {
        CommandLine::Exact(line) if !runs_scripts(&view) => commands(&view, line),
        CommandLine::Exact(_) | CommandLine::Shown(_) | CommandLine::Missing => Vec::new(),
    };
    proposals(&view, commands)
        .into_iter()
        .map(|(rule, words, depends_on)| RuleProposal {
            rule,
            words,
            file: file.to_owned(),
            depends_on,
        })
        .filter(|proposal| with_rule(input, &proposal.rule, |view| widen::allowed(view).is_ok()))
        .collect()
}

/// The rules that would have refused the call, as the person may store them. A refusal can't be too wide to be safe,
/// so it is also offered for what nothing may allow; questions to the person are never refused for them.
pub fn never_choices(input: &PolicyInput<'_>) -> Vec<RuleProposal> {
    let needs_person = decide(input).because == Reason::NeedsPerson;
    let Some(file) = file_of_asked(input).filter(|_| !needs_person) else {
        return Vec::new();
    };
    let view = View::new(input);
    let commands = match &view.line {
        CommandLine::Exact(line) | CommandLine::Shown(line) => commands(&view, line),
        CommandLine::Missing => Vec::new(),
    };
    proposals(&view, commands)
        .into_iter()
        .map(|(rule, words, _)| RuleProposal {
            rule: Rule {
                effect: Effect::Deny,
                ..rule
            },
            words,
            file: file.to_owned(),
            depends_on: Vec::new(),
        })
        .filter(|proposal| {
            with_rule(input, &proposal.rule, |view| {
                super::narrow::refusal(view).is_some()
            })
        })
        .collect()
}

/// The person's file, where the request is asked and it is known which tool it is.
fn file_of_asked<'a>(input: &PolicyInput<'a>) -> Option<&'a Path> {
    let mut files = input.rules.files.iter();
    let file = files.find(|file| file.origin == RuleOrigin::User)?;
    let is_asked = decide(input).decision == Decision::Ask && input.identity.is_established();
    is_asked.then_some(&file.path)
}

/// Tries the request with one more rule. A proposal that would not have answered this very request is none.
fn with_rule(input: &PolicyInput<'_>, rule: &Rule, try_it: impl FnOnce(&View<'_>) -> bool) -> bool {
    let mut rules = input.rules.clone();
    for file in &mut rules.files {
        if file.origin == RuleOrigin::User {
            file.rules.push(rule.clone());
        }
    }
    let input = PolicyInput {
        rules: &rules,
        ..*input
    };
    try_it(&View::new(&input))
}

type Proposals = Vec<(Rule, ProposalWords, Vec<PathBuf>)>;

/// `commands` is what is offered for a shell line.
fn proposals(view: &View<'_>, commands: Proposals) -> Proposals {
    let name = &view.input.identity.name;
    match name {
        ToolName::Bash => commands,
        ToolName::Mcp { server, tool } => vec![(
            rule(
                view,
                Subject::Mcp {
                    server: server.clone(),
                    tool: Some(tool.clone()),
                },
                Vec::new(),
            ),
            ProposalWords::McpTool {
                server: server.clone(),
                tool: tool.clone(),
            },
            Vec::new(),
        )],
        ToolName::Read | ToolName::Write | ToolName::Edit | ToolName::Delete | ToolName::Move => {
            folder(view).into_iter().collect()
        }
        ToolName::WebFetch => host(view).into_iter().collect(),
        ToolName::WebSearch
        | ToolName::Search
        | ToolName::Think
        | ToolName::Task
        | ToolName::TodoWrite
        | ToolName::Other(_) => {
            let tool = name.canonical();
            vec![(
                rule(view, Subject::Tools(vec![tool.clone()]), Vec::new()),
                ProposalWords::Tool { tool },
                Vec::new(),
            )]
        }
        ToolName::AskUserQuestion | ToolName::ExitPlanMode | ToolName::Unknown => Vec::new(),
    }
}

fn rule(view: &View<'_>, subject: Subject, paths: Vec<PathText>) -> Rule {
    Rule {
        effect: Effect::Allow,
        subject,
        paths,
        folder: Some(view.input.places.folder.clone()),
        unchanged: Vec::new(),
        expires: None,
        stored: None,
        note: None,
    }
}

/// The folder that holds all files of the call, below the working folder.
fn folder(view: &View<'_>) -> Option<(Rule, ProposalWords, Vec<PathBuf>)> {
    let places = view.input.places;
    let mut parents = view.touches.files.iter().map(|file| {
        let target = view.input.paths.target(&file.path)?;
        let below = target.strip_prefix(&places.folder).ok()?;
        below.parent().map(Path::to_owned)
    });
    let first = parents.next()??;
    if parents.any(|parent| parent.as_ref() != Some(&first)) {
        return None;
    }
    let shown = first.to_string_lossy().replace('\\', "/");
    // A name that would be read as a pattern can't be written as one.
    if shown.contains(['*', '?', '[']) {
        return None;
    }
    let tool = view.input.identity.name.canonical();
    let pattern = if shown.is_empty() {
        "**".to_owned()
    } else {
        format!("{shown}/**")
    };
    Some((
        rule(
            view,
            Subject::Tools(vec![tool.clone()]),
            vec![PathText(pattern)],
        ),
        ProposalWords::ToolInFolder {
            tool,
            folder: if shown.is_empty() {
                places.folder.display().to_string()
            } else {
                shown
            },
        },
        Vec::new(),
    ))
}

fn host(view: &View<'_>) -> Option<(Rule, ProposalWords, Vec<PathBuf>)> {
    let addresses = view.addresses();
    let [only] = addresses.as_slice() else {
        return None;
    };
    let host = hosts::host_of(only)?;
    let pattern = hosts::HostPattern::parse(&host)?;
    Some((
        rule(view, Subject::Host(host.clone(), pattern), Vec::new()),
        ProposalWords::Host { host },
        Vec::new(),
    ))
}

/// Whether the line runs what it is given, such as a script.
fn runs_scripts(view: &View<'_>) -> bool {
    let mut programs = view.commands().iter().map(ShellCommand::program);
    programs.any(|program| {
        program.is_none_or(|program| {
            program.contains(['/', '\\']) || wrappers::is_interpreter_or_wrapper(&program)
        })
    })
}

/// A command with its sub-command, then the whole line.
fn commands(view: &View<'_>, line: &str) -> Proposals {
    if line.contains('\n') {
        return Vec::new();
    }
    let program = view.commands().first().and_then(ShellCommand::program);
    let depends_on = depends_on(program.as_deref(), view);
    let mut found = Vec::new();
    if let [command] = view.commands() {
        let words: Option<Vec<String>> = command.words.iter().map(Word::literal).collect();
        let prefix = words.as_deref().and_then(with_sub_command);
        if let Some(text) = prefix
            && let Some(pattern) = CommandPattern::parse(&text)
        {
            found.push((
                rule(view, Subject::Command(text.clone(), pattern), Vec::new()),
                ProposalWords::Command { words: text },
                depends_on.clone(),
            ));
        }
    }
    found.push((
        rule(view, Subject::Line(line.to_owned()), Vec::new()),
        ProposalWords::Line {
            line: line.to_owned(),
        },
        depends_on,
    ));
    found
}

/// `git status`, `npm run build`; nothing for a program that has no sub-commands.
fn with_sub_command(words: &[String]) -> Option<String> {
    let [program, sub, rest @ ..] = words else {
        return None;
    };
    let plain = |word: &String| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':'))
    };
    if !WITH_SUB_COMMANDS.contains(&program.as_str()) || !plain(sub) {
        return None;
    }
    if wrappers::is_sub_wrapper(program, sub) {
        return None;
    }
    if sub == "run" {
        let script = rest.first().filter(|script| plain(script))?;
        return Some(format!("{program} {sub} {script}"));
    }
    Some(format!("{program} {sub}"))
}

/// The files that decide what a program does.
fn depends_on(program: Option<&str>, view: &View<'_>) -> Vec<PathBuf> {
    let names: &[&str] = match program {
        Some("npm" | "pnpm" | "yarn" | "bun") => &["package.json"],
        Some("make") => &["Makefile"],
        Some("just") => &["justfile"],
        Some("task") => &["Taskfile.yml"],
        Some("rake") => &["Rakefile"],
        Some("cargo") => &["Cargo.toml"],
        _ => &[],
    };
    let written = |path: &Path| {
        view.touches
            .files
            .iter()
            .any(|file| file.path == path && file.access == Access::Write)
    };
    names
        .iter()
        .map(PathBuf::from)
        .filter(|path| !written(path))
        .collect()
}
