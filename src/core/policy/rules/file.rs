//! The rules file: TOML that a person can read and the window can write. `docs/permission-rules.md` describes it.

use std::path::{Path, PathBuf};

use toml_edit::{ArrayOfTables, Datetime, DocumentMut, InlineTable, Item, Offset, Table, Value};

use super::{Effect, PathText, ProblemKind, Rule, RuleFile, RuleOrigin, RuleProblem, Subject};
use crate::core::policy::commands::CommandPattern;
use crate::core::policy::glob::PathPattern;
use crate::core::policy::hosts::HostPattern;
use crate::core::time::Timestamp;

/// The version of the format.
const VERSION: i64 = 1;

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
    note: Option<String>,
    unchanged: Vec<(PathBuf, String)>,
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
