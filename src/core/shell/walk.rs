//! Walks the parser's tree: collects the commands, follows `cd`, and notes what leaves doubt.

use std::collections::BTreeSet;
use std::path::Path;

use rable::{ListOperator, Node, NodeKind};

use super::folders::{After, Folders, union};
use super::words::word;
use super::{
    Direction, Doubt, Redirection, ShellCommand, ShellPlaces, ShellScript, Word, wrappers,
};

/// How deep scripts inside scripts are followed.
const SCRIPTS_MOST: usize = 6;
/// How many commands behind other commands are looked at.
const NESTED_MOST: usize = 300;
/// Collects what a line does.
pub(super) struct Walker<'a> {
    places: ShellPlaces<'a>,
    commands: Vec<ShellCommand>,
    doubts: BTreeSet<Doubt>,
    /// Where the command at hand runs.
    folders: Folders,
    depth: usize,
    /// How many commands were found behind others.
    nested: usize,
}

impl<'a> Walker<'a> {
    pub(super) fn new(places: ShellPlaces<'a>) -> Self {
        Self {
            places,
            commands: Vec::new(),
            doubts: BTreeSet::new(),
            folders: Folders::from([Some(places.folder.to_owned())]),
            depth: 0,
            nested: 0,
        }
    }

    pub(super) fn finish(self) -> ShellScript {
        ShellScript {
            commands: self.commands,
            doubts: self.doubts.into_iter().collect(),
        }
    }

    pub(super) fn doubt(&mut self, doubt: Doubt) {
        self.doubts.insert(doubt);
    }

    /// All nodes of a script, one after the other.
    pub(super) fn script(&mut self, nodes: &[Node], folder: &Path) {
        let mut folders = if self.depth == 0 {
            Folders::from([Some(folder.to_owned())])
        } else {
            self.folders.clone()
        };
        for node in nodes {
            folders = self.node(node, &folders).either();
        }
    }

    /// A script inside a word: it can't change the folder of what stands around it.
    pub(super) fn nested_node(&mut self, node: &Node) {
        let folders = self.folders.clone();
        if self.depth >= SCRIPTS_MOST {
            self.doubt(Doubt::TooDeep);
            return;
        }
        self.depth += 1;
        drop(self.node(node, &folders));
        self.depth -= 1;
        self.folders = folders;
    }

    /// A script that a command gets as text.
    pub(super) fn nested_text(&mut self, text: &str) {
        if self.depth >= SCRIPTS_MOST || self.nested >= NESTED_MOST {
            self.doubt(Doubt::TooDeep);
            return;
        }
        self.nested += 1;
        let folders = self.folders.clone();
        self.depth += 1;
        super::read_into(self, text, self.places.folder);
        self.depth -= 1;
        self.folders = folders;
    }

    /// A file that a rough reading takes for written to.
    pub(super) fn written(&mut self, file: &str) {
        self.commands.push(ShellCommand {
            words: Vec::new(),
            redirections: vec![Redirection {
                direction: Direction::Out,
                target: Word::plain(file),
            }],
            folders: self.folders.clone(),
        });
    }

    /// A command that a rough reading found.
    pub(super) fn loose_command(&mut self, words: Vec<Word>) {
        self.command(words, Vec::new(), &[]);
    }

    /// A command that another one runs.
    pub(super) fn nested_command(&mut self, words: Vec<Word>) {
        if self.depth >= SCRIPTS_MOST || self.nested >= NESTED_MOST {
            self.doubt(Doubt::TooDeep);
            return;
        }
        self.nested += 1;
        self.depth += 1;
        self.command(words, Vec::new(), &[]);
        self.depth -= 1;
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what we don't know of the parser's tree is in doubt"
    )]
    fn node(&mut self, node: &Node, folders: &Folders) -> After {
        match &node.kind {
            NodeKind::Command {
                assignments,
                words,
                redirects,
            } => self.simple(assignments, words, redirects, folders),
            NodeKind::List { items } => {
                let mut after = After::same(folders);
                let mut operator = ListOperator::Semi;
                for item in items {
                    after = match operator {
                        ListOperator::And => {
                            let next = self.node(&item.command, &after.success);
                            After {
                                success: next.success,
                                failure: union(after.failure, next.failure),
                            }
                        }
                        ListOperator::Or => {
                            let next = self.node(&item.command, &after.failure);
                            After {
                                success: union(after.success, next.success),
                                failure: next.failure,
                            }
                        }
                        ListOperator::Semi | ListOperator::Background => {
                            let before = after.either();
                            self.node(&item.command, &before)
                        }
                    };
                    operator = item.operator.unwrap_or(ListOperator::Semi);
                }
                after
            }
            NodeKind::Pipeline { commands, .. } => {
                let mut before = None;
                for command in commands {
                    drop(self.node(command, folders));
                    self.piped(before, command, folders);
                    before = Some(command);
                }
                After::same(folders)
            }
            NodeKind::Subshell { body, redirects } => {
                drop(self.node(body, folders));
                self.redirects_only(redirects, folders);
                After::same(folders)
            }
            NodeKind::BraceGroup { body, redirects } => {
                let after = self.node(body, folders);
                self.redirects_only(redirects, folders);
                after
            }
            NodeKind::Negation { pipeline } => {
                let after = self.node(pipeline, folders);
                After {
                    success: after.failure,
                    failure: after.success,
                }
            }
            NodeKind::Empty | NodeKind::Comment { .. } => After::same(folders),
            _ => self.compound(&node.kind, folders),
        }
    }

    /// Loops, conditions, functions: never allowed, but looked into for what must be refused.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what we don't know of the parser's tree is in doubt"
    )]
    fn compound(&mut self, kind: &NodeKind, folders: &Folders) -> After {
        self.doubt(Doubt::Compound);
        let mut bodies: Vec<&Node> = Vec::new();
        let mut around: &[Node] = &[];
        match kind {
            NodeKind::If {
                condition,
                then_body,
                else_body,
                redirects,
            } => {
                bodies.extend([condition.as_ref(), then_body.as_ref()]);
                bodies.extend(else_body.as_deref());
                around = redirects;
            }
            NodeKind::While {
                condition,
                body,
                redirects,
            }
            | NodeKind::Until {
                condition,
                body,
                redirects,
            } => {
                bodies.extend([condition.as_ref(), body.as_ref()]);
                around = redirects;
            }
            NodeKind::For {
                words,
                body,
                redirects,
                ..
            }
            | NodeKind::Select {
                words,
                body,
                redirects,
                ..
            } => {
                for value in words.iter().flatten() {
                    drop(word(self, value));
                }
                bodies.push(body);
                around = redirects;
            }
            NodeKind::ForArith {
                body, redirects, ..
            } => {
                bodies.push(body);
                around = redirects;
            }
            NodeKind::Case {
                word: subject,
                patterns,
                redirects,
            } => {
                drop(word(self, subject));
                bodies.extend(patterns.iter().filter_map(|pattern| pattern.body.as_ref()));
                around = redirects;
            }
            NodeKind::Function { body, .. } => bodies.push(body),
            NodeKind::Coproc { command, .. } => bodies.push(command),
            NodeKind::Time { pipeline, .. } => bodies.push(pipeline),
            _ => {}
        }
        let mut folders = folders.clone();
        for body in bodies {
            let after = self.node(body, &folders).either();
            folders = union(folders, after);
        }
        self.redirects_only(around, &folders);
        After::same(&folders)
    }

    fn simple(
        &mut self,
        assignments: &[Node],
        words: &[Node],
        redirects: &[Node],
        folders: &Folders,
    ) -> After {
        self.folders.clone_from(folders);
        let mut read: Vec<Word> = Vec::new();
        for node in assignments.iter().chain(words) {
            let value = word(self, node);
            if read.is_empty() && is_assignment(node) {
                self.doubt(Doubt::Assignment);
            } else {
                read.push(value);
            }
        }
        self.folders.clone_from(folders);
        if read.is_empty() && !redirects.is_empty() {
            self.doubt(Doubt::Compound);
        }
        let redirections = self.redirections(redirects);
        let after = After::command(&read, folders, self.places);
        self.command(read, redirections, redirects);
        after
    }

    fn redirects_only(&mut self, redirects: &[Node], folders: &Folders) {
        if !redirects.is_empty() {
            self.folders.clone_from(folders);
            let redirections = self.redirections(redirects);
            self.command(Vec::new(), redirections, redirects);
        }
    }

    /// Keeps a command and looks at what it runs in turn.
    fn command(&mut self, words: Vec<Word>, redirections: Vec<Redirection>, input: &[Node]) {
        let dynamic = words
            .first()
            .is_some_and(|program| program.literal().is_none());
        if dynamic {
            self.doubt(Doubt::DynamicCommand);
        }
        let command = ShellCommand {
            words,
            redirections,
            folders: self.folders.clone(),
        };
        self.commands.push(command.clone());
        wrappers::look_behind(self, &command, input);
    }

    /// What a shell gets to read from the command in front of it.
    fn piped(&mut self, before: Option<&Node>, command: &Node, folders: &Folders) {
        let (Some(before), NodeKind::Command { words, .. }) = (before, &command.kind) else {
            return;
        };
        let reads_script = words.first().is_some_and(
            |program| matches!(&program.kind, NodeKind::Word { value, .. } if wrappers::is_shell(value)),
        );
        if let NodeKind::Command { words, .. } = &before.kind
            && reads_script
        {
            self.folders.clone_from(folders);
            let printed: Vec<_> = words.iter().skip(1).map(|one| word(self, one)).collect();
            for text in printed.iter().filter_map(Word::literal) {
                self.nested_text(&text);
            }
        }
    }

    fn redirections(&mut self, redirects: &[Node]) -> Vec<Redirection> {
        let mut read = Vec::new();
        for redirect in redirects {
            if let NodeKind::Redirect {
                op, target, varfd, ..
            } = &redirect.kind
            {
                if varfd.is_some() {
                    self.doubt(Doubt::Expansion);
                }
                let target = word(self, target);
                read.extend(self.redirection(op, target));
            } else if let NodeKind::HereDoc {
                content,
                quoted,
                complete,
                ..
            } = &redirect.kind
            {
                if !complete {
                    self.doubt(Doubt::Unparsed);
                }
                if !quoted && content.contains(['$', '`']) {
                    self.doubt(Doubt::Expansion);
                    let quoted = content.replace('"', "\\\"");
                    self.nested_text(&format!(": \"{quoted}\""));
                }
            } else {
                self.doubt(Doubt::Unparsed);
            }
        }
        read
    }

    fn redirection(&mut self, op: &str, target: Word) -> Option<Redirection> {
        let text = target.for_denial();
        let number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let descriptor = text == "-" || number;
        let harmless = matches!(text.as_str(), "/dev/null" | "/dev/stdout" | "/dev/stderr");
        let direction = match op {
            "<<<" | ">&-" | "<&-" => return None,
            "<&" | ">&" if descriptor => return None,
            "<" | "<&" => Direction::In,
            _ if harmless && target.literal().is_some() => return None,
            _ => {
                self.doubt(Doubt::WritesFile(text));
                Direction::Out
            }
        };
        Some(Redirection { direction, target })
    }
}

/// `NAME=value`, `NAME+=value`, `NAME[index]=value` in front of a command.
fn is_assignment(node: &Node) -> bool {
    let NodeKind::Word { value, .. } = &node.kind else {
        return false;
    };
    let Some((name, _)) = value.split_once('=') else {
        return false;
    };
    let name = name.strip_suffix('+').unwrap_or(name);
    let name = name.split_once('[').map_or(name, |(name, _)| name);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
