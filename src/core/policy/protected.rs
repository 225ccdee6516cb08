//! Files that no level and no rule lets an agent write unasked: ours, agents' settings, what starts by itself.

use std::path::{Component, Path};

use super::glob::LetterCase;
use super::paths::{Access, Places, is_inside};

/// Why a file is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Protection {
    /// Our own settings, rules and records.
    Own,
    /// `.git` and what belongs to it.
    Git,
    /// Settings of an agent or an editor, MCP lists, hooks.
    AgentConfig,
    /// Profiles and files that run when a shell or a session starts.
    Startup,
    /// Keys and passwords: not read unasked either.
    Secrets,
}

/// Names of folders and files, in lower case, and what they are.
const NAMES: &[(&str, Protection)] = &[
    (".git", Protection::Git),
    (".gitmodules", Protection::Git),
    (".gitconfig", Protection::Git),
    (".githooks", Protection::Git),
    (".husky", Protection::Git),
    (".hg", Protection::Git),
    (".svn", Protection::Git),
    (".jj", Protection::Git),
    (".mcp.json", Protection::AgentConfig),
    (".agent-panel", Protection::Own),
    (".agents", Protection::AgentConfig),
    (".aider.conf.yml", Protection::AgentConfig),
    (".amp", Protection::AgentConfig),
    (".claude", Protection::AgentConfig),
    (".claude.json", Protection::AgentConfig),
    (".cline", Protection::AgentConfig),
    (".clinerules", Protection::AgentConfig),
    (".codex", Protection::AgentConfig),
    (".continue", Protection::AgentConfig),
    (".copilot", Protection::AgentConfig),
    (".cursor", Protection::AgentConfig),
    (".cursorrules", Protection::AgentConfig),
    (".devcontainer", Protection::AgentConfig),
    (".devcontainer.json", Protection::AgentConfig),
    (".fast-agent", Protection::AgentConfig),
    ("fastagent.config.yaml", Protection::AgentConfig),
    ("fastagent.secrets.yaml", Protection::Secrets),
    (".fleet", Protection::AgentConfig),
    (".gemini", Protection::AgentConfig),
    (".goose", Protection::AgentConfig),
    (".grok", Protection::AgentConfig),
    (".idea", Protection::AgentConfig),
    (".kilocode", Protection::AgentConfig),
    (".kimi", Protection::AgentConfig),
    (".kiro", Protection::AgentConfig),
    (".opencode", Protection::AgentConfig),
    ("opencode.json", Protection::AgentConfig),
    ("opencode.jsonc", Protection::AgentConfig),
    (".pi", Protection::AgentConfig),
    (".qwen", Protection::AgentConfig),
    (".roo", Protection::AgentConfig),
    (".trae", Protection::AgentConfig),
    (".vibe", Protection::AgentConfig),
    (".vs", Protection::AgentConfig),
    (".vscode", Protection::AgentConfig),
    (".vscode-server", Protection::AgentConfig),
    (".windsurf", Protection::AgentConfig),
    (".zed", Protection::AgentConfig),
    (".bash_aliases", Protection::Startup),
    (".bash_login", Protection::Startup),
    (".bash_logout", Protection::Startup),
    (".bash_profile", Protection::Startup),
    (".bashrc", Protection::Startup),
    (".bashrc.d", Protection::Startup),
    (".cshrc", Protection::Startup),
    (".direnv", Protection::Startup),
    (".emacs", Protection::Startup),
    (".emacs.d", Protection::Startup),
    (".envrc", Protection::Startup),
    (".exrc", Protection::Startup),
    (".gdbinit", Protection::Startup),
    (".inputrc", Protection::Startup),
    (".kshrc", Protection::Startup),
    (".lldbinit", Protection::Startup),
    (".login", Protection::Startup),
    (".mise.toml", Protection::Startup),
    (".npmrc", Protection::Startup),
    (".nvimrc", Protection::Startup),
    (".oh-my-zsh", Protection::Startup),
    (".pam_environment", Protection::Startup),
    (".pnpmfile.cjs", Protection::Startup),
    (".profile", Protection::Startup),
    (".tcshrc", Protection::Startup),
    (".tmux.conf", Protection::Startup),
    (".vimrc", Protection::Startup),
    (".xinitrc", Protection::Startup),
    (".xprofile", Protection::Startup),
    (".xsession", Protection::Startup),
    (".yarnrc", Protection::Startup),
    (".yarnrc.yml", Protection::Startup),
    (".zlogin", Protection::Startup),
    (".zlogout", Protection::Startup),
    (".zprofile", Protection::Startup),
    (".zsh_plugins", Protection::Startup),
    (".zshenv", Protection::Startup),
    (".zshrc", Protection::Startup),
    ("autostart", Protection::Startup),
    ("crontab", Protection::Startup),
    ("crontabs", Protection::Startup),
    ("cron.d", Protection::Startup),
    ("launchagents", Protection::Startup),
    ("launchdaemons", Protection::Startup),
    ("microsoft.powershell_profile.ps1", Protection::Startup),
    ("microsoft.vscode_profile.ps1", Protection::Startup),
    (".aws", Protection::Secrets),
    (".azure", Protection::Secrets),
    (".docker", Protection::Secrets),
    (".git-credentials", Protection::Secrets),
    (".gnupg", Protection::Secrets),
    (".kube", Protection::Secrets),
    (".netrc", Protection::Secrets),
    ("_netrc", Protection::Secrets),
    (".password-store", Protection::Secrets),
    (".pypirc", Protection::Secrets),
    (".ssh", Protection::Secrets),
    ("authorized_keys", Protection::Secrets),
    ("id_ed25519", Protection::Secrets),
    ("id_rsa", Protection::Secrets),
];

/// Two names after each other, anywhere on the path.
const PAIRS: &[(&str, &str, Protection)] = &[
    (".config", "systemd", Protection::Startup),
    (".config", "fish", Protection::Startup),
    (".config", "nushell", Protection::Startup),
    (".config", "powershell", Protection::Startup),
    (".config", "environment.d", Protection::Startup),
    (".config", "git", Protection::Git),
    (".config", "nvim", Protection::Startup),
    (".config", "zed", Protection::AgentConfig),
    (".config", "opencode", Protection::AgentConfig),
    (".config", "goose", Protection::AgentConfig),
    (".config", "gcloud", Protection::Secrets),
    (".config", "gh", Protection::Secrets),
    ("programs", "startup", Protection::Startup),
    ("documents", "powershell", Protection::Startup),
    ("documents", "windowspowershell", Protection::Startup),
];

/// Whether the file is protected against that access.
pub fn protection(
    path: &Path,
    access: Access,
    places: &Places,
    case: LetterCase,
) -> Option<Protection> {
    let own = places.own.iter().any(|own| is_inside(path, own, case));
    let found = if own {
        Some(Protection::Own)
    } else {
        named(below_folder(path, places, case))
    };
    found.filter(|found| match access {
        Access::Write | Access::Unknown => true,
        Access::Read => matches!(found, Protection::Own | Protection::Secrets),
    })
}

/// The part of a path that counts: below the working folder only what is below it, so that a folder inside a protected
/// one can be worked in.
fn below_folder<'a>(
    path: &'a Path,
    places: &Places,
    case: LetterCase,
) -> Vec<std::borrow::Cow<'a, str>> {
    let skipped = if is_inside(path, &places.folder, case) {
        places.folder.components().count()
    } else {
        0
    };
    path.components()
        .skip(skipped)
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy()),
            Component::Prefix(_)
            | Component::RootDir
            | Component::CurDir
            | Component::ParentDir => None,
        })
        .collect()
}

fn named(parts: Vec<std::borrow::Cow<'_, str>>) -> Option<Protection> {
    let names: Vec<String> = parts.iter().map(|part| plain_name(part)).collect();
    let single = names.iter().find_map(|name| {
        let known = NAMES.iter().find(|(protected, _)| protected == name);
        known
            .map(|(_, protection)| *protection)
            .or_else(|| is_short_name(name).then_some(Protection::AgentConfig))
    });
    single.or_else(|| {
        names.windows(2).find_map(|pair| {
            let [first, second] = pair else { return None };
            PAIRS
                .iter()
                .find(|(before, after, _)| before == first && after == second)
                .map(|(_, _, protection)| *protection)
        })
    })
}

/// A name as the most careless file system reads it: without case, invisible characters, streams, and dots or blanks
/// at its end.
fn plain_name(name: &str) -> String {
    let name: String = name
        .chars()
        .filter(|c| {
            !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{ad}')
        })
        .flat_map(char::to_lowercase)
        .collect();
    let name = name.split(':').next().unwrap_or_default();
    name.trim_end_matches(['.', ' ']).to_owned()
}

/// `GIT~1`: the short name that Windows gives a name with a dot in front.
fn is_short_name(name: &str) -> bool {
    let Some((stem, number)) = name.split_once('~') else {
        return false;
    };
    !stem.is_empty()
        && stem.len() <= 6
        && number.starts_with(|c: char| c.is_ascii_digit())
        && number
            .chars()
            .all(|c| c.is_ascii_digit() || c == '.' || c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn places() -> Places {
        Places {
            folder: PathBuf::from("/home/me/w"),
            home: Some(PathBuf::from("/home/me")),
            own: vec![PathBuf::from("/home/me/.config/agent-panel")],
        }
    }

    fn of(path: &str, access: Access) -> Option<Protection> {
        protection(Path::new(path), access, &places(), LetterCase::Differs)
    }

    #[test]
    fn files_that_start_something_or_hold_rules_are_protected_in_any_spelling() {
        for path in [
            "/home/me/.config/agent-panel/rules.toml",
            "/home/me/w/.agent-panel/rules.toml",
            "/home/me/w/.git/hooks/pre-commit",
            "/home/me/w/.GIT/config",
            "/home/me/w/.git./config",
            "/home/me/w/.git::$INDEX_ALLOCATION/config",
            "/home/me/w/.g\u{200c}it/config",
            "/home/me/w/GIT~1/config",
            "/home/me/w/sub/.mcp.json",
            "/home/me/w/.claude/settings.json",
            "/home/me/w/.codex/config.toml",
            "/home/me/w/.gemini/settings.json",
            "/home/me/w/.grok/config.toml",
            "/home/me/w/.qwen/settings.json",
            "/home/me/w/.vibe/config.toml",
            "/home/me/w/.opencode/x",
            "/home/me/w/opencode.json",
            "/home/me/w/.vscode/tasks.json",
            "/home/me/w/.cursor/mcp.json",
            "/home/me/w/.idea/workspace.xml",
            "/home/me/.bashrc",
            "/home/me/.zshenv",
            "/home/me/.config/fish/config.fish",
            "/home/me/.config/autostart/x.desktop",
            "/home/me/Library/LaunchAgents/x.plist",
            "/var/spool/cron/crontabs/me",
            "/home/me/.ssh/authorized_keys",
        ] {
            assert!(of(path, Access::Write).is_some(), "{path}");
            assert!(of(path, Access::Unknown).is_some(), "{path}");
        }
    }

    #[test]
    fn ordinary_files_and_reading_are_not() {
        for path in [
            "/home/me/w/src/main.rs",
            "/home/me/w/.gitignore",
            "/home/me/w/a~b",
        ] {
            assert_eq!(of(path, Access::Write), None, "{path}");
        }
        assert_eq!(of("/home/me/w/.git/HEAD", Access::Read), None);
        assert_eq!(
            of("/home/me/.ssh/id_rsa", Access::Read),
            Some(Protection::Secrets)
        );
    }

    #[test]
    fn a_working_folder_inside_a_protected_one_can_be_worked_in() {
        let places = Places {
            folder: PathBuf::from("/w/.claude/worktrees/a"),
            ..places()
        };
        let check =
            |path: &str| protection(Path::new(path), Access::Write, &places, LetterCase::Differs);
        assert_eq!(check("/w/.claude/worktrees/a/src/x.rs"), None);
        assert!(check("/w/.claude/settings.json").is_some());
        assert!(check("/w/.claude/worktrees/a/.git").is_some());
    }
}
