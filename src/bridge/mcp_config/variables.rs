//! References to variables in a server: `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${input:name}`, `$NAME`.

use std::collections::BTreeSet;

use crate::core::backend::{McpServer, McpTransport};

/// The names of the variables that a server refers to. They are never replaced here: most agents don't either, and
/// whoever shows a server for approval has to show what is really passed on.
pub fn references(server: &McpServer) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    match &server.transport {
        McpTransport::Stdio { command, args, env } => {
            in_braces(command, &mut names);
            for arg in args {
                in_braces(arg, &mut names);
            }
            for value in env.values() {
                in_braces(value, &mut names);
                names.extend(bare(value));
            }
        }
        McpTransport::Http { url, headers } | McpTransport::Sse { url, headers } => {
            in_braces(url, &mut names);
            for value in headers.values() {
                in_braces(value, &mut names);
                names.extend(bare(value));
            }
        }
    }
    names
}

fn in_braces(text: &str, names: &mut BTreeSet<String>) {
    for after in text.split("${").skip(1) {
        let Some((inside, _)) = after.split_once('}') else {
            continue;
        };
        let name = inside.split_once(":-").map_or(inside, |(name, _)| name);
        let name = name.strip_prefix("env:").unwrap_or(name).trim();
        if !name.is_empty() {
            names.insert(name.to_owned());
        }
    }
}

/// The name in a value that is `$NAME` and nothing else; elsewhere a dollar sign is a dollar sign.
fn bare(text: &str) -> Option<String> {
    let name = text.strip_prefix('$')?;
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (starts_well && is_name).then(|| name.to_owned())
}
