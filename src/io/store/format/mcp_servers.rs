//! The user's MCP servers in the settings file: `[[mcp_servers]]`.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml_edit::{ArrayOfTables, Item, Table, Value};

use super::{Reader, set, texts, variables};
use crate::core::backend::{McpServer, McpTransport};
use crate::core::mcp_servers::{Approval, McpServerSetting};

pub(super) const KEY: &str = "mcp_servers";

#[derive(Debug, Deserialize)]
struct McpServerV1 {
    name: String,
    /// Left out, it is what the other keys suggest.
    transport: Option<TransportV1>,
    #[serde(default)]
    command: String,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    url: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    enabled: Option<bool>,
    approved: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TransportV1 {
    Stdio,
    Http,
    Sse,
}

const KEYS: [&str; 9] = [
    "name",
    "transport",
    "command",
    "args",
    "env",
    "url",
    "headers",
    "enabled",
    "approved",
];

/// The servers of a file, in its order. Two may have one name; which of them counts is decided elsewhere.
pub(super) fn read(reader: &mut Reader, item: &Item) -> Vec<McpServerSetting> {
    let Ok(tables) = item.clone().into_array_of_tables() else {
        reader.warn(KEY, "it is not a list of tables");
        return Vec::new();
    };
    let mut servers = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        let key = format!("{KEY}[{index}]");
        let item = Item::Table(table.clone());
        if let Some(server) = reader.value::<McpServerV1>(&key, &item) {
            reader.unknown_keys(&key, table, &KEYS);
            servers.push(server.into_setting());
        }
    }
    servers
}

/// Writes the servers. Those that stay keep their place in the file, and what it has of them besides.
pub(super) fn change(table: &mut Table, before: &[McpServerSetting], after: &[McpServerSetting]) {
    let old = table.remove(KEY);
    let mut old: Vec<Table> = old
        .and_then(|item| item.into_array_of_tables().ok())
        .map(|tables| tables.into_iter().collect())
        .unwrap_or_default();
    let mut tables = ArrayOfTables::new();
    for setting in after {
        let name = setting.server.name.as_str();
        let known = old.iter().position(|table| name_of(table) == Some(name));
        let mut table = known.map_or_else(Table::new, |index| old.remove(index));
        write(&mut table, setting);
        tables.push(table);
    }
    in_this_order(&mut tables);
    // What could not be read was never among the settings, so that it is not theirs to take away.
    old.retain(|table| {
        let is_named =
            |known: &McpServerSetting| Some(known.server.name.as_str()) == name_of(table);
        !before.iter().any(is_named)
    });
    for table in old {
        tables.push(table);
    }
    if !tables.is_empty() {
        table.insert(KEY, Item::ArrayOfTables(tables));
    }
}

/// A table is written where it was read. Where the order has changed, the places are given out anew.
fn in_this_order(tables: &mut ArrayOfTables) {
    let places: Vec<_> = tables.iter().map(Table::position).collect();
    let mut sorted = places.clone();
    sorted.sort_by_key(|place| place.unwrap_or(isize::MAX));
    if places == sorted {
        return;
    }
    for (table, place) in tables.iter_mut().zip(sorted) {
        table.set_position(place);
    }
}

fn name_of(table: &Table) -> Option<&str> {
    table.get("name")?.as_str()
}

/// Writes a server, and takes out what belongs to another transport. What is as it should be is not touched.
fn write(table: &mut Table, setting: &McpServerSetting) {
    let (transport, command, url) = match &setting.server.transport {
        McpTransport::Stdio { command, args, env } => ("stdio", Some((command, args, env)), None),
        McpTransport::Http { url, headers } => ("http", None, Some((url, headers))),
        McpTransport::Sse { url, headers } => ("sse", None, Some((url, headers))),
    };
    put(
        table,
        "name",
        Some(Value::from(setting.server.name.as_str())),
    );
    let is_implied = match &setting.server.transport {
        McpTransport::Stdio { .. } => true,
        McpTransport::Http { url, .. } => !url.is_empty(),
        McpTransport::Sse { .. } => false,
    };
    if !is_implied || table.contains_key("transport") {
        put(table, "transport", Some(Value::from(transport)));
    }
    put(
        table,
        "command",
        command.map(|(command, ..)| Value::from(command.as_str())),
    );
    let args = command
        .map(|(_, args, _)| args)
        .filter(|args| !args.is_empty());
    put(table, "args", args.map(|args| texts(args)));
    put(table, "env", command.and_then(|(.., env)| variables(env)));
    put(table, "url", url.map(|(url, _)| Value::from(url.as_str())));
    put(
        table,
        "headers",
        url.and_then(|(_, headers)| variables(headers)),
    );
    put(
        table,
        "enabled",
        (!setting.enabled).then(|| Value::from(false)),
    );
    let approved = setting.approved.as_ref().map(ToString::to_string);
    put(table, "approved", approved.map(Value::from));
}

/// Sets a value that is another one than before, however it was written.
fn put(table: &mut Table, key: &str, value: Option<Value>) {
    let old = table.get(key).and_then(Item::as_value);
    if old.map(plain) != value.as_ref().map(plain) {
        set(table, key, value);
    }
}

/// A value without the way it is written.
fn plain(value: &Value) -> serde_json::Value {
    use serde::de::IntoDeserializer as _;
    serde_json::Value::deserialize(value.clone().into_deserializer()).unwrap_or_default()
}

impl McpServerV1 {
    fn into_setting(self) -> McpServerSetting {
        let implied = if self.command.is_empty() && !self.url.is_empty() {
            TransportV1::Http
        } else {
            TransportV1::Stdio
        };
        let transport = match self.transport.unwrap_or(implied) {
            TransportV1::Stdio => McpTransport::Stdio {
                command: self.command,
                args: self.args,
                env: self.env,
            },
            TransportV1::Http => McpTransport::Http {
                url: self.url,
                headers: self.headers,
            },
            TransportV1::Sse => McpTransport::Sse {
                url: self.url,
                headers: self.headers,
            },
        };
        McpServerSetting {
            server: McpServer {
                name: self.name,
                transport,
            },
            enabled: self.enabled.unwrap_or(true),
            approved: self.approved.as_deref().map(Approval::stored),
        }
    }
}

#[cfg(test)]
mod tests {
    use toml_edit::DocumentMut;

    use super::*;
    use crate::core::settings::Settings;
    use crate::io::store::format;

    const BY_HAND: &str = r#"# mine
theme = "dark"

# for the files
[[mcp_servers]]
name = "files"
command = "npx" # newest
args = [ "-y", "server-files" ]
note = "kept"

[[mcp_servers]]
name = "it has no right type"
args = "-y"

[[mcp_servers]]
name = "web"
url = "https://example.com/mcp"
headers = { Authorization = "Bearer abc" }
enabled = false

[launch.codex]
command = "/opt/codex"
"#;

    fn parsed(text: &str) -> (DocumentMut, Settings) {
        let document: DocumentMut = text.parse().expect("it is TOML");
        let (settings, _) = format::read(&document);
        (document, settings)
    }

    fn saved(text: &str, edit: impl Fn(&mut Vec<McpServerSetting>)) -> String {
        let (mut document, before) = parsed(text);
        let mut after = before.clone();
        edit(&mut after.mcp_servers);
        format::change(&mut document, &before, &after);
        let written = document.to_string();
        assert_eq!(
            parsed(&written).1.mcp_servers,
            after.mcp_servers,
            "{written}"
        );
        written
    }

    #[test]
    fn servers_are_read_and_unknown_things_told() {
        let (document, settings) = parsed(BY_HAND);
        let (_, warnings) = format::read(&document);
        let keys: Vec<_> = warnings
            .iter()
            .map(|warning| warning.key.as_str())
            .collect();
        assert_eq!(keys, ["mcp_servers[0].note", "mcp_servers[1]"]);
        let [files, web] = settings.mcp_servers.as_slice() else {
            panic!("{settings:?}");
        };
        assert!(
            matches!(&files.server.transport, McpTransport::Stdio { args, .. } if args.len() == 2)
        );
        assert!(matches!(web.server.transport, McpTransport::Http { .. }));
        assert_eq!((files.enabled, web.enabled), (true, false));
        // What was written by hand was not approved yet.
        assert_eq!((files.is_approved(), web.is_approved()), (false, false));
    }

    #[test]
    fn an_approval_changes_one_line() {
        let written = saved(BY_HAND, |servers| servers[0].approve());
        let digest = Approval::of(&parsed(BY_HAND).1.mcp_servers[0].server);
        let lines = format!("note = \"kept\"\napproved = \"{digest}\"\n");
        let expected = BY_HAND.replace("note = \"kept\"\n", &lines);
        assert_eq!(written, expected);
        assert!(parsed(&written).1.mcp_servers[0].is_approved());
    }

    #[test]
    fn servers_are_changed_added_moved_and_taken_away() {
        let written = saved(BY_HAND, |servers| {
            let mut files = servers.remove(0);
            files.server.transport = McpTransport::Sse {
                url: "https://example.com/sse".to_owned(),
                headers: BTreeMap::new(),
            };
            servers.push(files);
            servers.push(McpServerSetting::approved(McpServer {
                name: "web".to_owned(),
                transport: McpTransport::Stdio {
                    command: "serve".to_owned(),
                    args: Vec::new(),
                    env: BTreeMap::from([("A".to_owned(), "b".to_owned())]),
                },
            }));
        });
        assert!(
            !written.contains("npx") && written.contains("note = \"kept\""),
            "{written}"
        );
        assert!(written.contains("it has no right type"), "{written}");

        let written = saved(&written, Vec::clear);
        let rest = written.matches("[[mcp_servers]]").count();
        assert_eq!(rest, 1, "what can't be read stays: {written}");
        assert!(written.contains("[launch.codex]"), "{written}");
    }

    #[test]
    fn what_is_no_list_costs_nothing_else() {
        let (document, settings) = parsed("mcp_servers = 3\ntext_size = 20\n");
        assert_eq!((settings.mcp_servers.len(), settings.text_size), (0, 20));
        assert_eq!(format::read(&document).1.len(), 1);
    }
}
