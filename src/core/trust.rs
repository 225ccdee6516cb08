//! Folder trust: no agent is started in a folder that the person has not trusted once.

pub mod details;

use std::path::{Component, Path, PathBuf};

use details::ProjectDetail;

/// A file of a folder that an agent may act on by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectFile {
    /// Relative to the folder.
    pub path: PathBuf,
    pub effect: ProjectFileEffect,
    /// What stands in it, as far as it can be read.
    pub details: Vec<ProjectDetail>,
}

/// What a file in a folder can make an agent do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectFileEffect {
    /// Start MCP servers.
    McpServers,
    /// Change settings, permissions, hooks or addresses.
    Settings,
    /// Run commands at certain points.
    Hooks,
    /// Tell the agent what to do.
    Instructions,
    /// Set variables of the environment.
    Environment,
}

/// What is looked for in a folder before it is trusted, by relative path.
pub const LOOKED_FOR: &[(&str, ProjectFileEffect)] = &[
    (".mcp.json", ProjectFileEffect::McpServers),
    (".claude/settings.json", ProjectFileEffect::Settings),
    (".claude/settings.local.json", ProjectFileEffect::Settings),
    (".claude/hooks", ProjectFileEffect::Hooks),
    (".claude/agents", ProjectFileEffect::Instructions),
    (".claude/commands", ProjectFileEffect::Instructions),
    (".claude/skills", ProjectFileEffect::Instructions),
    (".codex/config.toml", ProjectFileEffect::Settings),
    (".gemini/settings.json", ProjectFileEffect::Settings),
    (".gemini/extensions", ProjectFileEffect::McpServers),
    (".gemini/.env", ProjectFileEffect::Environment),
    (".grok", ProjectFileEffect::Settings),
    (".qwen/settings.json", ProjectFileEffect::Settings),
    (".vibe/config.toml", ProjectFileEffect::Settings),
    (".opencode", ProjectFileEffect::Settings),
    ("opencode.json", ProjectFileEffect::Settings),
    ("opencode.jsonc", ProjectFileEffect::Settings),
    (".vscode/mcp.json", ProjectFileEffect::McpServers),
    (".vscode/settings.json", ProjectFileEffect::Settings),
    (".vscode/tasks.json", ProjectFileEffect::Hooks),
    (".cursor/mcp.json", ProjectFileEffect::McpServers),
    (".cursor/rules", ProjectFileEffect::Instructions),
    (".env", ProjectFileEffect::Environment),
    (".envrc", ProjectFileEffect::Environment),
    ("CLAUDE.md", ProjectFileEffect::Instructions),
    ("AGENTS.md", ProjectFileEffect::Instructions),
    ("GEMINI.md", ProjectFileEffect::Instructions),
    ("QWEN.md", ProjectFileEffect::Instructions),
    (".git/hooks", ProjectFileEffect::Hooks),
];

/// Whether a folder is trusted: it, or a folder around it. All paths are canonical; one that climbs is not, and it can't
/// be told where it leads.
pub fn is_trusted(folder: &Path, trusted: &[PathBuf]) -> bool {
    let climbs = folder.components().any(|part| part == Component::ParentDir);
    !climbs && trusted.iter().any(|known| folder.starts_with(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_covers_what_lies_inside_and_nothing_beside_it() {
        let trusted = [PathBuf::from("/home/user/project")];
        let cases = [
            ("/home/user/project", true),
            ("/home/user/project/sub", true),
            ("/home/user/project-evil", false),
            ("/home/user", false),
            ("/home/user/project/../evil", false),
        ];
        for (folder, expected) in cases {
            assert_eq!(
                is_trusted(Path::new(folder), &trusted),
                expected,
                "{folder}"
            );
        }
    }
}
