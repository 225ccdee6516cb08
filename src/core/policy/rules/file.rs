//! The rules file: TOML that a person can read and the window can write. `docs/permission-rules.md` describes it.

use std::path::{Path, PathBuf};

use toml_edit::{ArrayOfTables, Datetime, DocumentMut, InlineTable, Item, Table, Value};

use super::date::{datetime, timestamp};
use super::{Effect, PathText, ProblemKind, Rule, RuleFile, RuleOrigin, RuleProblem, Subject};
use crate::core::policy::commands::CommandPattern;
use crate::core::policy::glob::PathPattern;
use crate::core::policy::hosts::HostPattern;
use crate::core::policy::script_gate::ScriptGate;

/// The version of the format.
const VERSION: i64 = 1;
/// The key of the script gate.
const SCRIPT_GATE: &str = "script_gate";

/// What a rule is about, for those who write one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SubjectKind {
    #[default]
    Command,
    Tool,
    Mcp,
    Path,
    Host,
    Line,
}

/// One rule as it is written.
#[derive(Debug, Default)]
struct Entry {
    tool: Option<Vec<String>>,
    mcp: Option<String>,
    command: Option<String>,
    line: Option<String>,
    host: Option<String>,
    path: Vec<String>,
    folder: Option<String>,
    expires: Option<Datetime>,
    stored: Option<Datetime>,
    note: Option<String>,
    unchanged: Vec<(PathBuf, String)>,
}

impl RuleFile {
    /// Reads a file. What can't be read becomes a problem; nothing is skipped in silence.
    pub fn parse(text: &str, origin: RuleOrigin, path: &Path) -> Self {
        let mut file = Self {
            origin,
            path: path.to_owned(),
            script_gate: ScriptGate::Off,
            rules: Vec::new(),
            problems: Vec::new(),
        };
        match text.parse::<DocumentMut>() {
            Ok(document) => file.read(&document),
            Err(error) => file.problem("", ProblemKind::NotReadable(error.message().to_owned())),
        }
        file
    }

    /// The file as text, for a file that doesn't exist yet.
    pub fn to_toml(&self) -> String {
        let mut document = DocumentMut::new();
        document.insert("version", toml_edit::value(VERSION));
        for effect in [Effect::Deny, Effect::Ask, Effect::Allow] {
            let rules = self.rules.iter().filter(|rule| rule.effect == effect);
            let tables: ArrayOfTables = rules.map(table).collect();
            if !tables.is_empty() {
                document.insert(effect.as_str(), Item::ArrayOfTables(tables));
            }
        }
        document.to_string()
    }

    fn read(&mut self, document: &DocumentMut) {
        if document.get("version").and_then(Item::as_integer) != Some(VERSION) {
            self.problem("", ProblemKind::Version);
        }
        match document.get(SCRIPT_GATE).map(Item::as_bool) {
            None | Some(Some(false)) => {}
            Some(Some(true)) => self.script_gate = ScriptGate::On,
            Some(None) => self.problem("", ProblemKind::Field(SCRIPT_GATE.to_owned())),
        }
        let others = document
            .iter()
            .filter(|(key, _)| !["version", SCRIPT_GATE].contains(key));
        for (key, item) in others {
            let effect = [Effect::Allow, Effect::Ask, Effect::Deny]
                .into_iter()
                .find(|effect| effect.as_str() == key);
            let tables = item.clone().into_array_of_tables().ok();
            let (Some(effect), Some(tables)) = (effect, tables) else {
                self.problem("", ProblemKind::NotReadable(key.to_owned()));
                continue;
            };
            for (index, table) in tables.into_iter().enumerate() {
                let place = format!("{key} {}", index + 1);
                match Entry::read(&table).and_then(|entry| rule(effect, entry)) {
                    Ok(rule) => self.rules.push(rule),
                    Err(kind) => self.problem(&place, kind),
                }
            }
        }
    }

    fn problem(&mut self, place: &str, kind: ProblemKind) {
        self.problems.push(RuleProblem {
            place: place.to_owned(),
            kind,
        });
    }
}

/// The text of a rules file with one more rule; what a person wrote stays as it is. `None` when the text is no TOML.
pub fn with_rule(text: &str, rule: &Rule) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    if document.get("version").is_none() {
        document.insert("version", toml_edit::value(VERSION));
    }
    let rules = document
        .entry(rule.effect.as_str())
        .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    tables(rules)?.push(table(rule));
    Some(document.to_string())
}

/// The text of a rules file without a rule: the first that is exactly this one. `None` when it is not there any more.
pub fn without_rule(text: &str, gone: &Rule) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let rules = tables(document.get_mut(gone.effect.as_str())?)?;
    let is_gone = |table: &Table| {
        let found = Entry::read(table).and_then(|entry| rule(gone.effect, entry));
        found.as_ref() == Ok(gone)
    };
    let index = rules.iter().position(is_gone)?;
    rules.remove(index);
    Some(document.to_string())
}

/// The text of a rules file with the script gate shut or open. `None` when the text is no TOML.
pub fn with_script_gate(text: &str, gate: ScriptGate) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    if document.get("version").is_none() {
        document.insert("version", toml_edit::value(VERSION));
    }
    match gate {
        ScriptGate::On => document.insert(SCRIPT_GATE, toml_edit::value(true)),
        ScriptGate::Off => document.remove(SCRIPT_GATE),
    };
    Some(document.to_string())
}

/// A rule as a person writes it in one line, or why it is none.
pub fn new_rule(effect: Effect, kind: SubjectKind, pattern: &str) -> Result<Rule, ProblemKind> {
    let pattern = pattern.trim();
    if pattern.is_empty() {
        return Err(ProblemKind::Subject);
    }
    let text = Some(pattern.to_owned());
    let mut entry = Entry::default();
    match kind {
        SubjectKind::Command => entry.command = text,
        SubjectKind::Tool => entry.tool = text.map(|tool| vec![tool]),
        SubjectKind::Mcp => entry.mcp = text,
        SubjectKind::Path => entry.path.extend(text),
        SubjectKind::Host => entry.host = text,
        SubjectKind::Line => entry.line = text,
    }
    rule(effect, entry)
}

/// The rules of one effect, also when they were written as one array.
fn tables(item: &mut Item) -> Option<&mut ArrayOfTables> {
    if !item.is_array_of_tables() {
        let converted = item.clone().into_array_of_tables().ok()?;
        *item = Item::ArrayOfTables(converted);
    }
    item.as_array_of_tables_mut()
}

impl Entry {
    /// Takes each field of a table for what it must be.
    fn read(table: &Table) -> Result<Self, ProblemKind> {
        let mut entry = Self::default();
        for (key, item) in table {
            let wrong = || ProblemKind::Field(key.to_owned());
            let text = || item.as_str().map(str::to_owned).ok_or_else(wrong);
            match key {
                "tool" => entry.tool = Some(texts(item).ok_or_else(wrong)?),
                "mcp" => entry.mcp = Some(text()?),
                "command" => entry.command = Some(text()?),
                "line" => entry.line = Some(text()?),
                "host" => entry.host = Some(text()?),
                "path" => entry.path = texts(item).ok_or_else(wrong)?,
                "folder" => entry.folder = Some(text()?),
                "note" => entry.note = Some(text()?),
                "expires" => entry.expires = Some(*item.as_datetime().ok_or_else(wrong)?),
                "stored" => entry.stored = Some(*item.as_datetime().ok_or_else(wrong)?),
                "unchanged" => entry.unchanged = pairs(item).ok_or_else(wrong)?,
                _ => return Err(wrong()),
            }
        }
        Ok(entry)
    }
}

/// One text or a list of them.
fn texts(item: &Item) -> Option<Vec<String>> {
    if let Some(one) = item.as_str() {
        return Some(vec![one.to_owned()]);
    }
    let list = item.as_array()?.iter();
    list.map(|one| one.as_str().map(str::to_owned)).collect()
}

fn pairs(item: &Item) -> Option<Vec<(PathBuf, String)>> {
    let fields = item.as_table_like()?.iter();
    fields
        .map(|(path, digest)| Some((PathBuf::from(path), digest.as_str()?.to_owned())))
        .collect()
}

fn rule(effect: Effect, entry: Entry) -> Result<Rule, ProblemKind> {
    let paths = entry.path;
    for path in &paths {
        if PathPattern::parse(path.trim_start_matches("~/")).is_none() {
            return Err(ProblemKind::Pattern(path.clone()));
        }
    }
    let subjects = [
        entry.tool.map(tool_names).transpose()?,
        entry.mcp.map(|text| mcp(&text)).transpose()?,
        entry.command.map(command).transpose()?,
        entry.line.map(Subject::Line),
        entry.host.map(host).transpose()?,
    ];
    let mut subjects = subjects.into_iter().flatten();
    let subject = match (subjects.next(), subjects.next()) {
        (Some(subject), None) => subject,
        (None, None) if !paths.is_empty() && effect != Effect::Allow => Subject::Paths,
        _ => return Err(ProblemKind::Subject),
    };
    if let Subject::Command(text, pattern) = &subject
        && effect == Effect::Allow
        && pattern.is_too_wide()
    {
        return Err(ProblemKind::TooWide(text.clone()));
    }
    let expires = entry.expires.map(|at| timestamp(&at)).transpose()?;
    let stored = entry.stored.map(|at| timestamp(&at)).transpose()?;
    let folder = entry.folder.map(PathBuf::from);
    if folder.as_ref().is_some_and(|folder| !folder.is_absolute()) {
        return Err(ProblemKind::Field("folder".to_owned()));
    }
    Ok(Rule {
        effect,
        subject,
        paths: paths.into_iter().map(PathText).collect(),
        folder,
        unchanged: entry.unchanged,
        expires,
        stored,
        note: entry.note,
    })
}

fn tool_names(names: Vec<String>) -> Result<Subject, ProblemKind> {
    if names.is_empty() || names.iter().any(|name| name.trim().is_empty()) {
        return Err(ProblemKind::Field("tool".to_owned()));
    }
    Ok(Subject::Tools(names))
}

/// `server/tool`, or `server/*` for all its tools.
fn mcp(text: &str) -> Result<Subject, ProblemKind> {
    match text.split_once('/') {
        Some((server, tool)) if !server.is_empty() && !tool.is_empty() => Ok(Subject::Mcp {
            server: server.to_owned(),
            tool: (tool != "*").then(|| tool.to_owned()),
        }),
        Some(_) | None => Err(ProblemKind::Field("mcp".to_owned())),
    }
}

fn command(text: String) -> Result<Subject, ProblemKind> {
    match CommandPattern::parse(&text) {
        Some(pattern) => Ok(Subject::Command(text, pattern)),
        None => Err(ProblemKind::Pattern(text)),
    }
}

fn host(text: String) -> Result<Subject, ProblemKind> {
    match HostPattern::parse(&text) {
        Some(pattern) => Ok(Subject::Host(text, pattern)),
        None => Err(ProblemKind::Pattern(text)),
    }
}

/// The rule as it is written.
fn table(rule: &Rule) -> Table {
    let mut table = Table::new();
    let mut put = |key: &str, value: Value| {
        table.insert(key, Item::Value(value));
    };
    match &rule.subject {
        Subject::Tools(tools) => put("tool", one_or_more(tools)),
        Subject::Mcp { server, tool } => {
            let tool = tool.as_deref().unwrap_or("*");
            put("mcp", format!("{server}/{tool}").into());
        }
        Subject::Command(text, _) => put("command", text.into()),
        Subject::Line(line) => put("line", line.into()),
        Subject::Host(host, _) => put("host", host.into()),
        Subject::Paths => {}
    }
    if !rule.paths.is_empty() {
        let paths: Vec<_> = rule.paths.iter().map(|path| path.0.clone()).collect();
        put("path", one_or_more(&paths));
    }
    if let Some(folder) = &rule.folder {
        put("folder", folder.display().to_string().into());
    }
    if let Some(expires) = rule.expires {
        put("expires", datetime(expires).into());
    }
    if let Some(stored) = rule.stored {
        put("stored", datetime(stored).into());
    }
    if let Some(note) = &rule.note {
        put("note", note.into());
    }
    if !rule.unchanged.is_empty() {
        let mut digests = InlineTable::new();
        for (path, digest) in &rule.unchanged {
            digests.insert(path.display().to_string(), digest.into());
        }
        put("unchanged", digests.into());
    }
    table
}

fn one_or_more(texts: &[String]) -> Value {
    match texts {
        [one] => one.into(),
        more => Value::Array(more.iter().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::time::Timestamp;

    const TEXT: &str = r#"
version = 1

[[allow]]
tool = ["Edit", "Write"]
path = "src/**"
expires = 2026-12-31T12:00:00+01:00
note = "while I refactor"
stored = 2026-11-30T12:00:00Z

[[allow]]
command = "npm test"
folder = "/home/me/work"
unchanged = { "package.json" = "sha256:00" }

[[allow]]
mcp = "unity-ops/*"

[[ask]]
host = "*.example.com"

[[ask]]
line = "Get-ChildItem"

[[deny]]
path = ["secrets/**", "~/.config/**"]
"#;

    fn parse(text: &str) -> RuleFile {
        RuleFile::parse(text, RuleOrigin::User, Path::new("/rules.toml"))
    }

    #[test]
    fn what_is_written_is_read_back() {
        let file = parse(TEXT);
        assert_eq!(file.problems, []);
        assert_eq!(file.rules.len(), 6);
        let again = parse(&file.to_toml());
        assert_eq!(again.problems, []);
        for rule in &file.rules {
            assert!(again.rules.contains(rule), "{rule:?}");
        }
        let expires = file.rules.iter().find_map(|rule| rule.expires);
        assert_eq!(expires, Some(Timestamp(1_798_714_800_000)));
    }

    #[test]
    fn one_rule_more_or_less_leaves_the_rest_as_it_was_written() {
        let text = "# mine\nversion = 1\n\n[[deny]]\npath = 'a' # why\n";
        let more = parse(TEXT).rules;
        for rule in &more {
            let written = with_rule(text, rule).expect("TOML");
            assert!(written.starts_with("# mine\nversion = 1\n"), "{written}");
            assert!(written.contains("path = 'a' # why"), "{written}");
            let file = parse(&written);
            assert_eq!(file.problems, [], "{written}");
            assert!(file.rules.contains(rule), "{written}");
            let without = without_rule(&written, rule).expect("it is there");
            assert_eq!(parse(&without).rules, parse(text).rules, "{without}");
        }
        let first = more.first().expect("a rule");
        let fresh = with_rule("", first).expect("TOML");
        assert_eq!(parse(&fresh).rules, std::slice::from_ref(first));
        assert_eq!(without_rule(text, first), None);
        assert_eq!(with_rule("[[", first), None);
        let inline = "version = 1\nallow = [{ tool = 'Task' }]\n";
        let written = with_rule(inline, first).expect("TOML");
        assert_eq!(parse(&written).rules.len(), 2, "{written}");
    }

    #[test]
    fn a_rule_that_can_not_be_read_is_a_problem_and_the_others_stay() {
        for (rule, place) in [
            ("[[allow]]\ntool = 1", "allow 1"),
            ("[[allow]]\ntool = 'Read'\ncolor = 'red'", "allow 1"),
            ("[[allow]]\npath = 'src/**'", "allow 1"),
            ("[[allow]]\ntool = 'Read'\ncommand = 'ls'", "allow 1"),
            ("[[allow]]\ncommand = 'a && b'", "allow 1"),
            ("[[allow]]\ncommand = 'sudo ls'", "allow 1"),
            ("[[allow]]\ncommand = 'python'", "allow 1"),
            ("[[deny]]\npath = 'a/[b'", "deny 1"),
            ("[[deny]]\nhost = 'https://x'", "deny 1"),
            ("[[deny]]\nmcp = 'unity-ops'", "deny 1"),
            ("[[allow]]\ntool = 'Read'\nexpires = 2026-12-31", "allow 1"),
            ("[[allow]]\ntool = 'Read'\nexpires = 'soon'", "allow 1"),
            ("[[allow]]\ntool = 'Read'\nfolder = 'here'", "allow 1"),
            ("[[alow]]\ntool = 'Read'", ""),
            ("allow = 'all'", ""),
        ] {
            let text = format!("version = 1\n{rule}\n[[ask]]\ntool = 'Task'\n");
            let file = parse(&text);
            let places: Vec<_> = file.problems.iter().map(|one| one.place.as_str()).collect();
            assert_eq!(places, [place], "{rule}");
            assert!(!file.rules.is_empty(), "{rule}");
        }
        assert_eq!(parse("version = 2").problems.len(), 1);
        assert_eq!(parse("").problems.len(), 1);
        assert_eq!(parse("not toml").problems.len(), 1);
    }

    #[test]
    fn the_script_gate_is_shut_by_a_word_and_opened_by_taking_it_away() {
        let text = "# mine\nversion = 1\n\n[[deny]]\npath = 'a'\n";
        let shut = with_script_gate(text, ScriptGate::On).expect("TOML");
        let file = parse(&shut);
        assert_eq!(
            (file.script_gate, &file.problems),
            (ScriptGate::On, &vec![])
        );
        assert_eq!(file.rules, parse(text).rules);
        assert_eq!(
            with_script_gate(&shut, ScriptGate::Off).as_deref(),
            Some(text)
        );
        assert_eq!(parse("version = 1\nscript_gate = 'on'").problems.len(), 1);
    }

    #[test]
    fn a_rule_of_one_line_is_checked_like_one_of_a_file() {
        let made = |kind, text| new_rule(Effect::Allow, kind, text);
        let rule = made(SubjectKind::Command, " npm test ").expect("a rule");
        assert_eq!(rule.text(), "allow command npm test");
        assert_eq!(
            made(SubjectKind::Command, "sudo ls"),
            Err(ProblemKind::TooWide("sudo ls".to_owned()))
        );
        assert_eq!(made(SubjectKind::Path, "src/**"), Err(ProblemKind::Subject));
        assert_eq!(made(SubjectKind::Tool, "  "), Err(ProblemKind::Subject));
        let deny = new_rule(Effect::Deny, SubjectKind::Path, "src/**").expect("a rule");
        assert_eq!(deny.text(), "deny src/**");
    }
}
