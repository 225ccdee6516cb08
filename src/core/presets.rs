//! The backends that are known from the start, in one table.

use crate::core::backend::{AgentLook, AskingHabit, BackendSpec, Dialect};
use crate::core::client_tools::ClientTools;
use crate::core::ids::{BackendId, ModeId};
use crate::core::settings::{CustomBackend, Settings};

#[derive(Clone, Copy)]
struct Preset {
    id: &'static str,
    name: &'static str,
    command: &'static str,
    args: &'static [&'static str],
    env: &'static [(&'static str, &'static str)],
    dialect: Dialect,
    look: AgentLook,
    asking_mode: Option<&'static str>,
    /// Modes in which calls run that the person was never asked about: all, those that change files, or those that a
    /// model of the agent's lets pass.
    unasked_modes: &'static [&'static str],
    habit: AskingHabit,
    client_tools: ClientTools,
    login_command: Option<&'static str>,
    key_variables: &'static [&'static str],
    install_command: Option<&'static str>,
}

/// What a preset is where it says nothing else.
const PLAIN: Preset = Preset {
    id: "",
    name: "",
    command: "",
    args: &[],
    env: &[],
    dialect: Dialect::Acp,
    look: AgentLook::Custom,
    asking_mode: None,
    unasked_modes: &[],
    habit: AskingHabit::Asks,
    client_tools: ClientTools {
        read: false,
        write: false,
        terminal: false,
    },
    login_command: None,
    key_variables: &[],
    install_command: None,
};

/// `OpenCode` has no mode that asks, and none that does not (`build`, `plan`): it asks for what its permissions name. Tools of MCP servers have their server's name
/// and `_` in front.
const OPENCODE_ASKS: &str =
    r#"{"*_*":"ask","bash":"ask","edit":"ask","webfetch":"ask","websearch":"ask"}"#;

const PRESETS: &[Preset] = &[
    Preset {
        id: "claude-code",
        name: "Claude Code",
        command: "claude",
        dialect: Dialect::ClaudeCode,
        unasked_modes: &["acceptEdits", "auto", "bypassPermissions"],
        look: AgentLook::Claude,
        asking_mode: Some("default"),
        login_command: Some("claude auth login"),
        key_variables: &["ANTHROPIC_API_KEY"],
        install_command: Some("npm install -g @anthropic-ai/claude-code"),
        ..PLAIN
    },
    Preset {
        id: "claude-acp",
        name: "Claude Code (ACP)",
        command: "claude-agent-acp",
        unasked_modes: &["acceptEdits", "auto", "bypassPermissions"],
        look: AgentLook::Claude,
        asking_mode: Some("default"),
        login_command: Some("claude auth login"),
        key_variables: &["ANTHROPIC_API_KEY"],
        install_command: Some("npm install -g @agentclientprotocol/claude-agent-acp"),
        ..PLAIN
    },
    Preset {
        id: "gemini",
        name: "Gemini CLI",
        command: "gemini",
        args: &["--acp"],
        unasked_modes: &["autoEdit", "yolo"],
        look: AgentLook::Gemini,
        asking_mode: Some("default"),
        login_command: Some("gemini"),
        key_variables: &["GEMINI_API_KEY"],
        install_command: Some("npm install -g @google/gemini-cli"),
        ..PLAIN
    },
    Preset {
        id: "codex",
        name: "Codex",
        command: "codex-acp",
        unasked_modes: &[
            "workspace-write",
            "agent",
            "agent-full-access",
            "auto",
            "full-access",
        ],
        look: AgentLook::Codex,
        // 2.x starts in `agent`, where a model answers in the person's place; `workspace-write` asks only for what
        // leaves the folder.
        asking_mode: Some("read-only"),
        login_command: Some("codex login"),
        key_variables: &["CODEX_API_KEY", "OPENAI_API_KEY"],
        install_command: Some("npm install -g @openai/codex @agentclientprotocol/codex-acp"),
        ..PLAIN
    },
    Preset {
        id: "grok",
        name: "Grok Build",
        command: "grok",
        args: &["agent", "stdio"],
        // It offers no modes over ACP: whether it asks is set where it is started.
        look: AgentLook::Grok,
        login_command: Some("grok login"),
        key_variables: &["XAI_API_KEY"],
        ..PLAIN
    },
    Preset {
        id: "opencode",
        name: "OpenCode",
        command: "opencode",
        args: &["acp"],
        env: &[("OPENCODE_PERMISSION", OPENCODE_ASKS)],
        look: AgentLook::OpenCode,
        login_command: Some("opencode auth login"),
        install_command: Some("npm install -g opencode-ai"),
        ..PLAIN
    },
    Preset {
        id: "qwen",
        name: "Qwen Code",
        command: "qwen",
        args: &["--acp"],
        unasked_modes: &["auto-edit", "auto", "yolo"],
        look: AgentLook::Qwen,
        asking_mode: Some("default"),
        login_command: Some("qwen"),
        key_variables: &["OPENAI_API_KEY"],
        install_command: Some("npm install -g @qwen-code/qwen-code"),
        ..PLAIN
    },
    Preset {
        id: "vibe",
        name: "Mistral Vibe",
        command: "vibe-acp",
        unasked_modes: &["accept-edits", "auto-approve"],
        look: AgentLook::Vibe,
        asking_mode: Some("ask"),
        login_command: Some("vibe"),
        key_variables: &["MISTRAL_API_KEY"],
        install_command: Some("pip install mistral-vibe"),
        ..PLAIN
    },
    Preset {
        id: "pi",
        name: "pi",
        command: "pi-acp",
        habit: AskingHabit::Never,
        login_command: Some("pi"),
        install_command: Some("npm install -g pi-acp @earendil-works/pi-coding-agent"),
        ..PLAIN
    },
    Preset {
        id: "fast-agent",
        name: "fast-agent",
        command: "fast-agent-acp",
        // Its shell and its file tools are off without it.
        args: &["-x"],
        habit: AskingHabit::ThroughUs,
        client_tools: ClientTools {
            read: true,
            write: true,
            terminal: true,
        },
        install_command: Some("pip install fast-agent-mcp"),
        ..PLAIN
    },
];

/// The habit of the agent that a command starts, where the table knows its program; also as the argument of what
/// runs it (`npx`, `uvx`, `node`).
fn habit_of(command: &str, args: &[String]) -> AskingHabit {
    let words = std::iter::once(command).chain(args.iter().map(String::as_str));
    let mut programs = words.map(|word| {
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
        let end = name.find(['.', '@']).unwrap_or(name.len());
        name.get(..end).unwrap_or(name)
    });
    let preset = programs.find_map(|program| {
        PRESETS
            .iter()
            .filter(|preset| preset.habit != AskingHabit::Asks)
            .find(|preset| preset.command == program)
    });
    preset.map_or(AskingHabit::Asks, |preset| preset.habit)
}

/// Whether a mode lets calls run that the person was never asked about, as far as the table knows.
pub fn mode_runs_unasked(backend: &BackendId, mode: &str) -> bool {
    PRESETS
        .iter()
        .filter(|preset| preset.id == backend.as_str())
        .any(|preset| preset.unasked_modes.contains(&mode))
}

/// The id of the built-in agent that plays a session.
pub const DEMO: &str = "demo";

/// All backends in the order of the dropdown: presets, the person's own, the demo.
/// `own_program` is the path of this program, which plays the demo.
pub fn backends(settings: &Settings, own_program: &str) -> Vec<BackendSpec> {
    let presets = PRESETS
        .iter()
        .map(|preset| overridden(preset.spec(), settings));
    let custom = settings.custom_backends.iter().map(custom_spec);
    presets.chain(custom).chain([demo(own_program)]).collect()
}

impl Preset {
    fn spec(&self) -> BackendSpec {
        BackendSpec {
            id: BackendId::from(self.id),
            name: self.name.to_owned(),
            command: self.command.to_owned(),
            args: self.args.iter().map(|arg| (*arg).to_owned()).collect(),
            env: self
                .env
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            dialect: self.dialect,
            look: self.look,
            asking_mode: self.asking_mode.map(ModeId::from),
            client_tools: self.client_tools,
            habit: self.habit,
            harmless: false,
            login_command: self.login_command.map(str::to_owned),
            key_variables: self
                .key_variables
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
            install_command: self.install_command.map(str::to_owned),
        }
    }
}

/// A backend from a command of the person's own. Of what the presets know, only whether it asks is known of it.
pub fn custom_spec(custom: &CustomBackend) -> BackendSpec {
    BackendSpec {
        args: custom.args.clone(),
        env: custom.env.clone(),
        client_tools: custom.client_tools,
        habit: habit_of(&custom.command, &custom.args),
        ..BackendSpec::plain(custom.id.as_str(), &custom.name, &custom.command)
    }
}

fn demo(own_program: &str) -> BackendSpec {
    BackendSpec {
        args: vec!["scripted-agent".to_owned(), "--demo".to_owned()],
        look: AgentLook::Demo,
        harmless: true,
        ..BackendSpec::plain(DEMO, "Demo", own_program)
    }
}

fn overridden(mut spec: BackendSpec, settings: &Settings) -> BackendSpec {
    let Some(change) = settings.launch_overrides.get(&spec.id) else {
        return spec;
    };
    if let Some(command) = change
        .command
        .as_ref()
        .filter(|command| !command.trim().is_empty())
    {
        spec.command.clone_from(command);
        spec.args = Vec::new();
    }
    if let Some(args) = &change.args {
        spec.args.clone_from(args);
    }
    spec.env.extend(change.env.clone());
    if let Some(tools) = change.client_tools {
        spec.client_tools = tools;
    }
    spec
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::core::backend::Unasked;

    fn preset(id: &str) -> BackendSpec {
        let all = backends(&Settings::default(), "");
        let found = all.into_iter().find(|spec| spec.id.as_str() == id);
        found.expect("a preset")
    }

    #[test]
    fn no_preset_starts_in_a_mode_that_does_not_ask() {
        for preset in PRESETS {
            let asking = preset.asking_mode;
            assert!(
                asking.is_none_or(|mode| !preset.unasked_modes.contains(&mode)),
                "{}",
                preset.id
            );
            // Where there are such modes, one that asks is known.
            let is_known = asking.is_some();
            assert!(preset.unasked_modes.is_empty() || is_known, "{}", preset.id);
        }
    }

    #[test]
    fn agents_that_can_not_ask_are_known_before_they_start() {
        assert_eq!(preset("pi").unasked(), Unasked::Everything);
        assert_eq!(preset("claude-code").unasked(), Unasked::Nothing);
        // It asks for what it does through us, so it is offered that.
        assert_eq!(preset("fast-agent").unasked(), Unasked::Nothing);
        let mut settings = Settings::default();
        let change = crate::core::settings::LaunchOverride {
            client_tools: Some(ClientTools::default()),
            ..Default::default()
        };
        settings
            .launch_overrides
            .insert(BackendId::from("fast-agent"), change);
        let all = backends(&settings, "");
        let without = all.iter().find(|spec| spec.id.as_str() == "fast-agent");
        assert_eq!(without.map(BackendSpec::unasked), Some(Unasked::OwnTools));
    }

    #[test]
    fn a_command_of_ones_own_is_known_by_its_program() {
        for (line, expected) in [
            ("/opt/bin/pi-acp", Unasked::Everything),
            ("npx -y pi-acp@0.0.34", Unasked::Everything),
            ("node C:\\agents\\pi-acp.js", Unasked::Everything),
            ("fast-agent-acp --model m -x", Unasked::OwnTools),
            ("my-pi-acp", Unasked::Nothing),
            ("gemini --acp", Unasked::Nothing),
        ] {
            let mut words = line.split(' ').map(str::to_owned);
            let custom = CustomBackend {
                id: BackendId::from("own"),
                name: "Own".to_owned(),
                command: words.next().unwrap_or_default(),
                args: words.collect(),
                env: BTreeMap::new(),
                client_tools: ClientTools::default(),
            };
            assert_eq!(custom_spec(&custom).unasked(), expected, "{line}");
        }
    }

    #[test]
    fn opencode_is_told_to_ask_and_a_person_may_tell_it_otherwise() {
        let spec = preset("opencode");
        let asks = spec.env.get("OPENCODE_PERMISSION").expect("it is set");
        let asks: serde_json::Value = serde_json::from_str(asks).expect("JSON");
        for tool in ["bash", "edit", "webfetch", "*_*"] {
            assert_eq!(asks[tool], "ask", "{tool}");
        }
        let mut settings = Settings::default();
        let mut change = crate::core::settings::LaunchOverride::default();
        change
            .env
            .insert("OPENCODE_PERMISSION".to_owned(), "{}".to_owned());
        settings
            .launch_overrides
            .insert(BackendId::from("opencode"), change);
        let own = backends(&settings, "");
        let own = own.iter().find(|spec| spec.id.as_str() == "opencode");
        let own = own.and_then(|spec| spec.env.get("OPENCODE_PERMISSION"));
        assert_eq!(own.map(String::as_str), Some("{}"));
    }
}
