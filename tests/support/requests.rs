//! Permission requests to decide about, and a file system of words.

use std::path::{Component, Path, PathBuf};

use agent_panel::core::catalog::OpsCatalog;
use agent_panel::core::identity::shape::CallShape;
use agent_panel::core::identity::{Identity, IdentityContext, identify};
use agent_panel::core::ids::{OptionId, ToolCallId};
use agent_panel::core::permission::{PermissionOption, PermissionOptionKind};
use agent_panel::core::policy::level::Level;
use agent_panel::core::policy::paths::{PathFact, PathFacts, Places};
use agent_panel::core::policy::rules::{RuleFile, RuleOrigin, Rules};
use agent_panel::core::policy::script_gate::ScriptGate;
use agent_panel::core::policy::{
    Decision, PolicyInput, Reason, ShellLanguage, Verdict, decide, files_to_digest,
    paths_to_resolve,
};
use agent_panel::core::time::Timestamp;
use agent_panel::core::tool_call::{Diff, ToolCall, ToolCallContent, ToolCallLocation, ToolKind};
use serde_json::{Value, json};

pub(crate) const FOLDER: &str = "/home/me/proj";

/// A request with all that its decision depends on.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) call: ToolCall,
    pub(crate) options: Vec<PermissionOption>,
    pub(crate) context: IdentityContext,
    pub(crate) level: Level,
    pub(crate) rules: Rules,
    pub(crate) gate: ScriptGate,
    pub(crate) shell: ShellLanguage,
    pub(crate) links: Vec<(PathBuf, PathBuf)>,
    pub(crate) digests: Vec<(PathBuf, String)>,
    pub(crate) now: Timestamp,
}

pub(crate) fn option(id: &str, kind: PermissionOptionKind) -> PermissionOption {
    PermissionOption {
        id: OptionId::from(id),
        name: id.to_owned(),
        kind,
        scope: None,
    }
}

pub(crate) fn request(name: Option<&str>, input: Value) -> Request {
    let mut call = ToolCall::placeholder(ToolCallId::from("call_1"), Timestamp(0));
    call.announced = true;
    call.name = name.map(str::to_owned);
    call.raw_input = (!input.is_null()).then_some(input.into());
    Request {
        call,
        options: vec![
            option("always", PermissionOptionKind::AllowAlways),
            option("once", PermissionOptionKind::AllowOnce),
            option("no", PermissionOptionKind::RejectOnce),
        ],
        context: IdentityContext {
            servers: vec!["unity-ops".to_owned(), "other".to_owned()],
            ops_server: "unity-ops".to_owned(),
            shape: CallShape::default(),
        },
        level: Level::Ask,
        rules: Rules::default(),
        gate: ScriptGate::Off,
        shell: ShellLanguage::Posix,
        links: Vec::new(),
        digests: Vec::new(),
        now: Timestamp(1_000),
    }
}

/// A shell call of an agent that names its tools.
pub(crate) fn shell(line: &str) -> Request {
    request(Some("Bash"), json!({ "command": line }))
}

pub(crate) fn edit(path: &str) -> Request {
    let mut request = request(Some("Edit"), json!({ "file_path": path }));
    request.call.content = vec![ToolCallContent::Diff(Diff {
        path: path.to_owned(),
        old_text: Some("a".to_owned()),
        new_text: "b".to_owned(),
    })];
    request
}

pub(crate) fn read(path: &str) -> Request {
    request(Some("Read"), json!({ "file_path": path }))
}

pub(crate) fn ops(tool: &str) -> Request {
    request(
        None,
        json!({ "server": "unity-ops", "tool": tool, "arguments": {} }),
    )
}

pub(crate) fn user_file() -> PathBuf {
    PathBuf::from("/home/me/.config/agent-panel/rules.toml")
}

impl Request {
    pub(crate) fn at(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    pub(crate) fn kind(mut self, kind: ToolKind) -> Self {
        self.call.kind = kind;
        self
    }

    pub(crate) fn title(mut self, title: &str) -> Self {
        title.clone_into(&mut self.call.title);
        self
    }

    pub(crate) fn located(mut self, path: &str) -> Self {
        self.call.locations = vec![ToolCallLocation {
            path: path.to_owned(),
            line: None,
        }];
        self
    }

    pub(crate) fn options(mut self, options: &[PermissionOption]) -> Self {
        self.options = options.to_vec();
        self
    }

    /// Rules of the person's own file.
    pub(crate) fn rules(self, text: &str) -> Self {
        self.rules_of(RuleOrigin::User, text)
    }

    pub(crate) fn rules_of(mut self, origin: RuleOrigin, text: &str) -> Self {
        let path = match origin {
            RuleOrigin::User => user_file(),
            RuleOrigin::Session => PathBuf::new(),
            RuleOrigin::Folder { .. } => Path::new(FOLDER).join(".agent-panel/rules.toml"),
        };
        let text = format!("version = 1\n{text}");
        self.rules.files.push(RuleFile::parse(&text, origin, &path));
        self
    }

    /// A link in the file system.
    pub(crate) fn link(mut self, from: &str, to: &str) -> Self {
        self.links.push((PathBuf::from(from), PathBuf::from(to)));
        self
    }

    pub(crate) fn identity(&self) -> Identity {
        identify(&self.call, &self.context)
    }

    /// Looks up the paths, then hands the whole input on.
    pub(crate) fn with_input<T>(&self, then: impl FnOnce(&PolicyInput<'_>) -> T) -> T {
        let identity = self.identity();
        let places = places();
        let mut paths = PathFacts::default();
        for path in paths_to_resolve(&identity, &self.call, &places, self.shell) {
            let fact = PathFact {
                existing: self.resolved(&path),
                missing: PathBuf::new(),
            };
            paths.insert(path, fact);
        }
        for path in files_to_digest(&self.rules, &places) {
            if let Some((_, digest)) = self.digests.iter().find(|(one, _)| *one == path) {
                paths.insert_digest(path, digest.clone());
            }
        }
        then(&PolicyInput {
            identity: &identity,
            call: &self.call,
            options: &self.options,
            context: &self.context,
            catalog: OpsCatalog::built_in(),
            level: self.level,
            rules: &self.rules,
            places: &places,
            paths: &paths,
            script_gate: self.gate,
            shell: self.shell,
            now: self.now,
        })
    }

    pub(crate) fn verdict(&self) -> Verdict {
        self.with_input(decide)
    }

    pub(crate) fn because(&self) -> Reason {
        self.verdict().because
    }

    /// `allow`, `ask` or `reject`.
    pub(crate) fn answer(&self) -> &'static str {
        match self.verdict().decision {
            Decision::Allow { option } => {
                assert_eq!(option, OptionId::from("once"));
                "allow"
            }
            Decision::Ask => "ask",
            Decision::Reject { option, .. } => {
                assert!(option.is_none_or(|option| option == OptionId::from("no")));
                "reject"
            }
        }
    }

    /// The path with links followed, one name after the other.
    fn resolved(&self, path: &Path) -> PathBuf {
        let mut real = PathBuf::new();
        for part in path.components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => {
                    real.pop();
                }
                Component::Prefix(_) | Component::RootDir | Component::Normal(_) => real.push(part),
            }
            if let Some((_, to)) = self.links.iter().find(|(from, _)| *from == real) {
                real.clone_from(to);
            }
        }
        real
    }
}

pub(crate) fn places() -> Places {
    Places {
        folder: PathBuf::from(FOLDER),
        home: Some(PathBuf::from("/home/me")),
        own: vec![PathBuf::from("/home/me/.config/agent-panel")],
    }
}
