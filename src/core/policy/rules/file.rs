//! The rules file: TOML that a person can read and the window can write. `docs/permission-rules.md` describes it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml_edit::{ArrayOfTables, Datetime, DocumentMut, Item, Offset, Table};

use super::{Effect, PathText, ProblemKind, Rule, RuleFile, RuleOrigin, RuleProblem, Subject};
use crate::core::policy::commands::CommandPattern;
use crate::core::policy::glob::PathPattern;
use crate::core::policy::hosts::HostPattern;
use crate::core::time::Timestamp;

/// The version of the format.
const VERSION: i64 = 1;

/// One rule as it is written.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<OneOrMore>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mcp: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<OneOrMore>,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<Datetime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unchanged: Option<std::collections::BTreeMap<String, String>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

/// A whole file as it is written.
#[derive(Serialize)]
struct Written {
    version: i64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    deny: Vec<Entry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ask: Vec<Entry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    allow: Vec<Entry>,
}

impl RuleFile {
    /// Reads a file. What can't be read becomes a problem; nothing is skipped in silence.
    pub fn parse(text: &str, origin: RuleOrigin, path: &Path) -> Self {
        let mut file = Self {
            origin,
            path: path.to_owned(),
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
        let of = |effect: Effect| -> Vec<Entry> {
            let rules = self.rules.iter().filter(|rule| rule.effect == effect);
            rules.map(entry).collect()
        };
        let written = Written {
            version: VERSION,
            deny: of(Effect::Deny),
            ask: of(Effect::Ask),
            allow: of(Effect::Allow),
        };
        toml_edit::ser::to_string_pretty(&written).unwrap_or_default()
    }

    fn read(&mut self, document: &DocumentMut) {
        if document.get("version").and_then(Item::as_integer) != Some(VERSION) {
            self.problem("", ProblemKind::Version);
        }
        for (key, item) in document.iter().filter(|(key, _)| *key != "version") {
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
                let read = toml_edit::de::from_document::<Entry>(DocumentMut::from(table))
                    .map_err(|error| ProblemKind::Field(error.message().to_owned()))
                    .and_then(|entry| rule(effect, entry));
                match read {
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
    let entry = toml_edit::ser::to_document(&entry(rule)).ok()?.into_table();
    let rules = document
        .entry(rule.effect.as_str())
        .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    tables(rules)?.push(plain(entry));
    Some(document.to_string())
}

/// The text of a rules file without one rule: the one at `index` among those of its effect.
pub fn without_rule(text: &str, effect: Effect, index: usize) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let rules = tables(document.get_mut(effect.as_str())?)?;
    if index >= rules.len() {
        return None;
    }
    rules.remove(index);
    Some(document.to_string())
}

/// The rules of one effect, also when they were written as one array.
fn tables(item: &mut Item) -> Option<&mut ArrayOfTables> {
    if !item.is_array_of_tables() {
        let converted = item.clone().into_array_of_tables().ok()?;
        *item = Item::ArrayOfTables(converted);
    }
    item.as_array_of_tables_mut()
}

/// A table whose own tables stand in one line.
fn plain(mut table: Table) -> Table {
    for (_, item) in table.iter_mut() {
        if let Some(inner) = item.as_table().cloned() {
            *item = toml_edit::value(inner.into_inline_table());
        }
    }
    table.set_implicit(false);
    table
}

fn rule(effect: Effect, entry: Entry) -> Result<Rule, ProblemKind> {
    let paths = entry.path.map(OneOrMore::list).unwrap_or_default();
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
    let folder = entry.folder.map(PathBuf::from);
    if folder.as_ref().is_some_and(|folder| !folder.is_absolute()) {
        return Err(ProblemKind::Field("folder".to_owned()));
    }
    Ok(Rule {
        effect,
        subject,
        paths: paths.into_iter().map(PathText).collect(),
        folder,
        unchanged: entry
            .unchanged
            .unwrap_or_default()
            .into_iter()
            .map(|(path, digest)| (PathBuf::from(path), digest))
            .collect(),
        expires,
        note: entry.note,
    })
}

fn tool_names(names: OneOrMore) -> Result<Subject, ProblemKind> {
    let names = names.list();
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

impl OneOrMore {
    fn list(self) -> Vec<String> {
        match self {
            Self::One(one) => vec![one],
            Self::More(more) => more,
        }
    }

    fn of(mut list: Vec<String>) -> Option<Self> {
        match list.len() {
            0 => None,
            1 => list.pop().map(Self::One),
            _ => Some(Self::More(list)),
        }
    }
}

fn entry(rule: &Rule) -> Entry {
    let mut entry = Entry {
        path: OneOrMore::of(rule.paths.iter().map(|path| path.0.clone()).collect()),
        folder: rule
            .folder
            .as_ref()
            .map(|folder| folder.display().to_string()),
        expires: rule.expires.map(datetime),
        note: rule.note.clone(),
        unchanged: (!rule.unchanged.is_empty()).then(|| {
            let pairs = rule.unchanged.iter();
            pairs
                .map(|(path, digest)| (path.display().to_string(), digest.clone()))
                .collect()
        }),
        ..Entry::default()
    };
    match &rule.subject {
        Subject::Tools(tools) => entry.tool = OneOrMore::of(tools.clone()),
        Subject::Mcp { server, tool } => {
            entry.mcp = Some(format!("{server}/{}", tool.as_deref().unwrap_or("*")));
        }
        Subject::Command(text, _) => entry.command = Some(text.clone()),
        Subject::Line(line) => entry.line = Some(line.clone()),
        Subject::Host(host, _) => entry.host = Some(host.clone()),
        Subject::Paths => {}
    }
    entry
}

/// A date and time with its offset, in milliseconds since 1970.
fn timestamp(at: &Datetime) -> Result<Timestamp, ProblemKind> {
    let (Some(date), Some(time), Some(offset)) = (at.date, at.time, at.offset) else {
        return Err(ProblemKind::Expiry);
    };
    let minutes_east = match offset {
        Offset::Z => 0,
        Offset::Custom { minutes } => i64::from(minutes),
    };
    let days = days_since_1970(
        i64::from(date.year),
        i64::from(date.month),
        i64::from(date.day),
    );
    let minutes = i64::from(time.hour) * 60 + i64::from(time.minute) - minutes_east;
    let secs = days * 86_400 + minutes * 60 + i64::from(time.second.unwrap_or(0));
    u64::try_from(secs)
        .map(|secs| Timestamp(secs * 1_000))
        .map_err(|_too_early| ProblemKind::Expiry)
}

/// Days from 1 January 1970, in the calendar in use.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn datetime(at: Timestamp) -> Datetime {
    let secs = at.0 / 1_000;
    let days = i64::try_from(secs / 86_400).unwrap_or_default() + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let text = format!(
        "{year:04}-{month:02}-{:02}T{:02}:{:02}:{:02}Z",
        day_of_year - (153 * shifted + 2) / 5 + 1,
        secs / 3_600 % 24,
        secs / 60 % 60,
        secs % 60,
    );
    text.parse().unwrap_or(Datetime {
        date: None,
        time: None,
        offset: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
version = 1

[[allow]]
tool = ["Edit", "Write"]
path = "src/**"
expires = 2026-12-31T12:00:00+01:00
note = "while I refactor"

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
            let index = file
                .rules
                .iter()
                .filter(|one| one.effect == rule.effect)
                .count()
                - 1;
            let without = without_rule(&written, rule.effect, index).expect("it is there");
            assert_eq!(parse(&without).rules, parse(text).rules, "{without}");
        }
        let first = more.first().expect("a rule");
        let fresh = with_rule("", first).expect("TOML");
        assert_eq!(parse(&fresh).rules, std::slice::from_ref(first));
        assert_eq!(without_rule(text, Effect::Deny, 1), None);
        assert_eq!(with_rule("[[", first), None);
        let inline = "version = 1\nallow = [{ tool = 'Task' }]\n";
        let written = with_rule(inline, first).expect("TOML");
        assert_eq!(parse(&written).rules.len(), 2, "{written}");
    }

    #[test]
    fn days_are_counted_both_ways() {
        for secs in [0, 951_782_400, 1_709_164_800, 1_798_714_800, 4_107_542_399] {
            let at = Timestamp(secs * 1_000);
            assert_eq!(timestamp(&datetime(at)), Ok(at));
        }
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
}
