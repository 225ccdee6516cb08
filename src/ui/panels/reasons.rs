//! Why a tool call is asked, or was answered without asking, in words.

use std::path::Path;

use crate::core::identity::ToolName;
use crate::core::policy::Reason;
use crate::core::policy::protected::Protection;
use crate::core::policy::rules::{Effect, ProblemKind, RuleOrigin, RuleRef};
use crate::core::shell::Doubt;
use crate::i18n::I18n;
use crate::ui::untrusted::one_line;

/// The reason in one line.
pub fn because(i18n: &I18n, reason: &Reason) -> String {
    match reason {
        Reason::Level(level) => {
            let args = [("level", i18n.tr(level.label_key()).into())];
            i18n.tr_args("reason.level", &args)
        }
        Reason::Allowed { level, .. } => {
            let args = [("level", i18n.tr(level.label_key()).into())];
            i18n.tr_args("reason.allowed", &args)
        }
        Reason::Rule(rule_ref) => rule(i18n, rule_ref),
        Reason::Rules(rules) => {
            let each: Vec<String> = rules.iter().map(|one| rule(i18n, one)).collect();
            each.join("\n")
        }
        Reason::Wipes { command } => {
            i18n.tr_args("reason.wipes", &[("command", one_line(command).into())])
        }
        Reason::ScriptGate { path } => {
            i18n.tr_args("reason.script_gate", &[("path", one_line(path).into())])
        }
        Reason::BrokenRules {
            file,
            place,
            problem: kind,
        } => {
            let args = [
                ("file", shown(file).into()),
                ("problem", problem(i18n, place, kind).into()),
            ];
            i18n.tr_args("reason.broken_rules", &args)
        }
        Reason::Mismatch { readings: names } => i18n.tr_args(
            "reason.mismatch",
            &[("readings", readings(i18n, names).into())],
        ),
        Reason::Shell(doubt) => shell(i18n, doubt),
        Reason::Protected { path, protection } => protected(i18n, path, *protection),
        Reason::OutsideFolder { path } => {
            i18n.tr_args("reason.outside_folder", &[("path", shown(path).into())])
        }
        Reason::UnresolvedPath { path } => {
            i18n.tr_args("reason.unresolved_path", &[("path", shown(path).into())])
        }
        Reason::NeedsPerson => i18n.tr("reason.needs_person").to_owned(),
        Reason::NotEstablished => i18n.tr("reason.not_established").to_owned(),
        Reason::UnknownCommand => i18n.tr("reason.unknown_command").to_owned(),
        Reason::UnknownFiles => i18n.tr("reason.unknown_files").to_owned(),
        Reason::UnknownHost => i18n.tr("reason.unknown_host").to_owned(),
        Reason::NoAllowOnce => i18n.tr("reason.no_allow_once").to_owned(),
    }
}

/// Whether something about the call itself is to be looked at, not only at what nobody allowed yet.
pub fn warns(reason: &Reason) -> bool {
    match reason {
        Reason::Wipes { .. }
        | Reason::ScriptGate { .. }
        | Reason::BrokenRules { .. }
        | Reason::Mismatch { .. }
        | Reason::Shell(_)
        | Reason::UnknownCommand
        | Reason::Protected { .. }
        | Reason::OutsideFolder { .. }
        | Reason::UnresolvedPath { .. } => true,
        Reason::Rule(_)
        | Reason::Rules(_)
        | Reason::Allowed { .. }
        | Reason::Level(_)
        | Reason::NeedsPerson
        | Reason::NotEstablished
        | Reason::UnknownFiles
        | Reason::UnknownHost
        | Reason::NoAllowOnce => false,
    }
}

/// What is wrong with a rule, or with its file where `place` is empty.
pub fn problem(i18n: &I18n, place: &str, kind: &ProblemKind) -> String {
    let place = one_line(place);
    match kind {
        ProblemKind::NotReadable(message) => {
            let args = [("message", one_line(message).into())];
            i18n.tr_args("reason.problem.not_readable", &args)
        }
        ProblemKind::Version => i18n.tr("reason.problem.version").to_owned(),
        ProblemKind::Field(field) => {
            let args = [("place", place.into()), ("field", one_line(field).into())];
            i18n.tr_args("reason.problem.field", &args)
        }
        ProblemKind::Subject => i18n.tr_args("reason.problem.subject", &[("place", place.into())]),
        ProblemKind::Pattern(pattern) => {
            let args = [
                ("place", place.into()),
                ("pattern", one_line(pattern).into()),
            ];
            i18n.tr_args("reason.problem.pattern", &args)
        }
        ProblemKind::TooWide(command) => {
            let args = [
                ("place", place.into()),
                ("command", one_line(command).into()),
            ];
            i18n.tr_args("reason.problem.too_wide", &args)
        }
        ProblemKind::Expiry => i18n.tr_args("reason.problem.expiry", &[("place", place.into())]),
    }
}

fn rule(i18n: &I18n, rule: &RuleRef) -> String {
    let text = one_line(&rule.text);
    if rule.origin == RuleOrigin::Session {
        return i18n.tr_args("reason.rule.allow_session", &[("rule", text.into())]);
    }
    let args = [("rule", text.into()), ("file", shown(&rule.file).into())];
    match rule.effect {
        Effect::Allow => i18n.tr_args("reason.rule.allow", &args),
        Effect::Ask => i18n.tr_args("reason.rule.ask", &args),
        Effect::Deny => i18n.tr_args("reason.rule.deny", &args),
    }
}

fn readings(i18n: &I18n, names: &[ToolName]) -> String {
    let each = names.iter().map(|name| match name {
        ToolName::Unknown => i18n.tr("transcript.tool").to_owned(),
        name => one_line(&name.to_string()),
    });
    let joined = each.reduce(|one, other| {
        i18n.tr_args("reason.or", &[("one", one.into()), ("other", other.into())])
    });
    joined.unwrap_or_default()
}

fn protected(i18n: &I18n, path: &Path, protection: Protection) -> String {
    let args = [("path", shown(path).into())];
    match protection {
        Protection::Own => i18n.tr_args("reason.protected.own", &args),
        Protection::Git => i18n.tr_args("reason.protected.git", &args),
        Protection::AgentConfig => i18n.tr_args("reason.protected.agent_config", &args),
        Protection::Startup => i18n.tr_args("reason.protected.startup", &args),
        Protection::Secrets => i18n.tr_args("reason.protected.secrets", &args),
    }
}

fn shell(i18n: &I18n, doubt: &Doubt) -> String {
    let key = match doubt {
        Doubt::RunsCode(program) => {
            let args = [("program", one_line(program).into())];
            return i18n.tr_args("reason.shell.runs_code", &args);
        }
        Doubt::WritesFile(file) => {
            let args = [("file", one_line(file).into())];
            return i18n.tr_args("reason.shell.writes_file", &args);
        }
        Doubt::Empty => "reason.shell.empty",
        Doubt::TooLong | Doubt::TooDeep => "reason.shell.too_long",
        Doubt::Unparsed => "reason.shell.unparsed",
        Doubt::OddCharacter => "reason.shell.odd_character",
        Doubt::Substitution => "reason.shell.substitution",
        Doubt::Expansion => "reason.shell.expansion",
        Doubt::DynamicCommand => "reason.shell.dynamic_command",
        Doubt::Compound => "reason.shell.compound",
        Doubt::Assignment => "reason.shell.assignment",
        Doubt::UnknownShell => "reason.shell.unknown_shell",
    };
    i18n.tr(key).to_owned()
}

fn shown(path: &Path) -> String {
    one_line(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::core::policy::level::Level;
    use crate::i18n::Language;

    fn all() -> Vec<Reason> {
        let path = || PathBuf::from("/w/.git/config");
        let rule = |effect, origin| RuleRef {
            origin,
            file: path(),
            effect,
            text: "allow command npm test".to_owned(),
        };
        let broken = |problem| Reason::BrokenRules {
            file: path(),
            place: "allow 2".to_owned(),
            problem,
        };
        let mut reasons = vec![
            Reason::Level(Level::Ask),
            Reason::Allowed {
                level: Level::ReadOnly,
                class: None,
            },
            Reason::Rules(vec![rule(Effect::Allow, RuleOrigin::Session)]),
            Reason::Wipes {
                command: "rm -rf /".to_owned(),
            },
            Reason::ScriptGate {
                path: "Assets/a.cs".to_owned(),
            },
            Reason::Mismatch {
                readings: vec![ToolName::Read, ToolName::Unknown],
            },
            Reason::OutsideFolder { path: path() },
            Reason::UnresolvedPath { path: path() },
            Reason::NeedsPerson,
            Reason::NotEstablished,
            Reason::UnknownCommand,
            Reason::UnknownFiles,
            Reason::UnknownHost,
            Reason::NoAllowOnce,
            broken(ProblemKind::NotReadable("x".to_owned())),
            broken(ProblemKind::Version),
            broken(ProblemKind::Field("x".to_owned())),
            broken(ProblemKind::Subject),
            broken(ProblemKind::Pattern("x".to_owned())),
            broken(ProblemKind::TooWide("x".to_owned())),
            broken(ProblemKind::Expiry),
        ];
        for effect in [Effect::Allow, Effect::Ask, Effect::Deny] {
            reasons.push(Reason::Rule(rule(effect, RuleOrigin::User)));
        }
        for protection in [
            Protection::Own,
            Protection::Git,
            Protection::AgentConfig,
            Protection::Startup,
            Protection::Secrets,
        ] {
            reasons.push(Reason::Protected {
                path: path(),
                protection,
            });
        }
        reasons
    }

    fn doubts() -> Vec<Reason> {
        [
            Doubt::Empty,
            Doubt::TooLong,
            Doubt::TooDeep,
            Doubt::Unparsed,
            Doubt::OddCharacter,
            Doubt::Substitution,
            Doubt::Expansion,
            Doubt::DynamicCommand,
            Doubt::Compound,
            Doubt::Assignment,
            Doubt::RunsCode("sh".to_owned()),
            Doubt::WritesFile("a".to_owned()),
            Doubt::UnknownShell,
        ]
        .map(Reason::Shell)
        .into()
    }

    /// A text without its key or without a placeholder would show as such.
    #[test]
    fn every_reason_has_words_in_every_language() {
        let reasons = [all(), doubts()].concat();
        for language in Language::ALL {
            let i18n = I18n::new(language);
            for reason in &reasons {
                let words = because(&i18n, reason);
                assert!(!words.is_empty() && !words.contains(['$', '{']), "{words}");
                assert!(!words.contains("reason."), "{words}");
            }
        }
    }

    #[test]
    fn both_readings_of_a_call_that_does_not_agree_are_named() {
        let i18n = I18n::new(Language::English);
        let reason = Reason::Mismatch {
            readings: vec![
                ToolName::Mcp {
                    server: "unity-ops".to_owned(),
                    tool: "uap_ping".to_owned(),
                },
                ToolName::Bash,
            ],
        };
        let words = because(&i18n, &reason);
        assert!(
            words.ends_with("It may be unity-ops: uap_ping or Bash"),
            "{words}"
        );
    }
}
