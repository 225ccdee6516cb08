//! A rule in words.

use crate::core::policy::rules::{Rule, Subject};
use crate::core::time::Timestamp;
use crate::i18n::I18n;
use crate::ui::format;
use crate::ui::untrusted::one_line;

/// What the rule is about.
pub(super) fn about(i18n: &I18n, rule: &Rule) -> String {
    match &rule.subject {
        Subject::Tools(tools) => {
            let tools = one_line(&tools.join(", "));
            i18n.tr_args("rules.about.tools", &[("tools", tools.into())])
        }
        Subject::Mcp { server, tool } => {
            let server = one_line(server);
            match tool {
                Some(tool) => {
                    let args = [("server", server.into()), ("tool", one_line(tool).into())];
                    i18n.tr_args("rules.about.mcp_tool", &args)
                }
                None => i18n.tr_args("rules.about.mcp_server", &[("server", server.into())]),
            }
        }
        Subject::Command(words, _) => {
            i18n.tr_args("rules.about.command", &[("words", one_line(words).into())])
        }
        Subject::Line(line) => i18n.tr_args("rules.about.line", &[("line", one_line(line).into())]),
        Subject::Host(host, _) => {
            i18n.tr_args("rules.about.host", &[("host", one_line(host).into())])
        }
        Subject::Paths => i18n.tr_args("rules.about.paths", &[("paths", paths(rule).into())]),
    }
}

/// Where and how long it holds, one to a line.
pub(super) fn details(i18n: &I18n, rule: &Rule, now: Timestamp) -> Vec<String> {
    let mut details = Vec::new();
    if !rule.paths.is_empty() && rule.subject != Subject::Paths {
        details.push(i18n.tr_args("rules.on_paths", &[("paths", paths(rule).into())]));
    }
    if let Some(folder) = &rule.folder {
        let folder = one_line(&folder.display().to_string());
        details.push(i18n.tr_args("rules.in_folder", &[("folder", folder.into())]));
    }
    if !rule.unchanged.is_empty() {
        let files: Vec<_> = rule
            .unchanged
            .iter()
            .map(|(path, _)| one_line(&path.display().to_string()))
            .collect();
        let args = [("files", files.join(", ").into())];
        details.push(i18n.tr_args("rules.unchanged", &args));
    }
    if let Some(end) = rule.expires {
        details.push(if end > now {
            let left = format::span(i18n, end.millis_since(now));
            i18n.tr_args("rules.ends", &[("duration", left.into())])
        } else {
            i18n.tr("rules.ended").to_owned()
        });
    }
    if let Some(stored) = rule.stored {
        let ago = format::span(i18n, now.millis_since(stored));
        details.push(i18n.tr_args("rules.stored", &[("duration", ago.into())]));
    }
    if let Some(note) = &rule.note {
        details.push(one_line(note));
    }
    details
}

fn paths(rule: &Rule) -> String {
    let paths: Vec<_> = rule.paths.iter().map(|path| one_line(&path.0)).collect();
    paths.join(", ")
}
