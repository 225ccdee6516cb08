//! The settings file, version 1: between its keys and the settings. A key is read and written in one place each.

mod by_folder;
mod mcp_servers;
mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::{DeserializeOwned, IntoDeserializer as _};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use self::words::{DIFF_LAYOUTS, EDITORS, SEND_KEYS, THEMES, word};
use super::SettingsWarning;
use crate::core::client_tools::ClientTools;
use crate::core::ids::BackendId;
use crate::core::presets;
use crate::core::settings::{
    CustomBackend, LaunchOverride, RECENT_FOLDERS_MOST, Settings, TEXT_SIZE_RANGE,
};

const VERSION: i64 = 1;

/// A backend of the user's own: `[[agents]]`.
#[derive(Debug, Deserialize)]
struct AgentV1 {
    id: String,
    name: Option<String>,
    command: String,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    client_tools: Option<Vec<String>>,
}

const AGENT_KEYS: [&str; 6] = ["id", "name", "command", "args", "env", CLIENT_TOOLS];

/// Another command for a preset: `[launch.<id>]`.
#[derive(Debug, Deserialize)]
struct LaunchV1 {
    command: Option<String>,
    args: Option<Vec<String>>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    client_tools: Option<Vec<String>>,
}

const LAUNCH_KEYS: [&str; 4] = ["command", "args", "env", CLIENT_TOOLS];
const CLIENT_TOOLS: &str = "client_tools";

/// The settings of a document, and what of it could not be used.
pub(super) fn read(document: &DocumentMut) -> (Settings, Vec<SettingsWarning>) {
    let mut settings = Settings::default();
    let mut reader = Reader::default();
    for (key, item) in document.iter() {
        match key {
            "version" => reader.version(item),
            "language" => {
                let language: Option<String> = reader.value(key, item);
                settings.language = language.filter(|tag| tag != "system");
            }
            "theme" => reader.word(key, item, &THEMES, &mut settings.theme),
            "text_size" => reader.text_size(key, item, &mut settings.text_size),
            "send_key" => reader.word(key, item, &SEND_KEYS, &mut settings.send_key),
            "diff_layout" => reader.word(key, item, &DIFF_LAYOUTS, &mut settings.diff_layout),
            "code_font" => {
                let path: Option<String> = reader.value(key, item);
                settings.code_font = path.map(PathBuf::from);
            }
            "line_numbers" => {
                settings.line_numbers = reader.value(key, item).unwrap_or_default();
            }
            "editor" => reader.word(key, item, &EDITORS, &mut settings.editor),
            "backend" => {
                let id: Option<String> = reader.value(key, item);
                settings.backend = id.map(BackendId::from);
            }
            "recent_folders" => settings.recent_folders = reader.folders(key, item),
            "trusted_folders" => settings.trusted_folders = reader.folders(key, item),
            "unity_ops_folders" => settings.unity_ops_folders = reader.folders(key, item),
            "agents" => settings.custom_backends = reader.agents(key, item),
            "launch" => settings.launch_overrides = reader.launches(key, item),
            mcp_servers::KEY => settings.mcp_servers = mcp_servers::read(&mut reader, item),
            by_folder::LEVELS => settings.levels = by_folder::read_levels(&mut reader, item),
            by_folder::MODES => settings.modes = by_folder::read_modes(&mut reader, item),
            unknown => reader.warn(unknown, UNKNOWN),
        }
    }
    (settings, reader.warnings)
}

/// Writes what differs between two settings. All else stays as it is.
pub(super) fn change(document: &mut DocumentMut, before: &Settings, after: &Settings) {
    let table = document.as_table_mut();
    if before.language != after.language {
        set(table, "language", after.language.clone().map(Value::from));
    }
    if before.theme != after.theme {
        set(table, "theme", word(&THEMES, after.theme));
    }
    if before.text_size != after.text_size {
        let size = i64::from(after.text_size);
        set(table, "text_size", Some(Value::from(size)));
    }
    if before.send_key != after.send_key {
        set(table, "send_key", word(&SEND_KEYS, after.send_key));
    }
    if before.diff_layout != after.diff_layout {
        set(table, "diff_layout", word(&DIFF_LAYOUTS, after.diff_layout));
    }
    if before.code_font != after.code_font {
        let path = after.code_font.as_deref().and_then(Path::to_str);
        set(table, "code_font", path.map(Value::from));
    }
    if before.line_numbers != after.line_numbers {
        set(table, "line_numbers", Some(Value::from(after.line_numbers)));
    }
    if before.editor != after.editor {
        set(table, "editor", word(&EDITORS, after.editor));
    }
    if before.backend != after.backend {
        let id = after.backend.as_ref().map(|id| Value::from(id.as_str()));
        set(table, "backend", id);
    }
    if before.recent_folders != after.recent_folders {
        set(
            table,
            "recent_folders",
            Some(folders(&after.recent_folders)),
        );
    }
    if before.trusted_folders != after.trusted_folders {
        set(
            table,
            "trusted_folders",
            Some(folders(&after.trusted_folders)),
        );
    }
    if before.unity_ops_folders != after.unity_ops_folders {
        set(
            table,
            "unity_ops_folders",
            Some(folders(&after.unity_ops_folders)),
        );
    }
    if before.custom_backends != after.custom_backends {
        change_agents(table, &before.custom_backends, &after.custom_backends);
    }
    if before.launch_overrides != after.launch_overrides {
        change_launches(table, &before.launch_overrides, &after.launch_overrides);
    }
    if before.mcp_servers != after.mcp_servers {
        mcp_servers::change(table, &before.mcp_servers, &after.mcp_servers);
    }
    if before.levels != after.levels {
        by_folder::change_levels(table, &before.levels, &after.levels);
    }
    if before.modes != after.modes {
        by_folder::change_modes(table, &before.modes, &after.modes);
    }
}

const UNKNOWN: &str = "it is not known, and kept";

#[derive(Default)]
struct Reader {
    warnings: Vec<SettingsWarning>,
}

impl Reader {
    fn warn(&mut self, key: &str, reason: impl Into<String>) {
        self.warnings.push(SettingsWarning {
            key: key.to_owned(),
            reason: reason.into(),
        });
    }

    fn value<T: DeserializeOwned>(&mut self, key: &str, item: &Item) -> Option<T> {
        let value = item.clone().into_value().ok()?;
        match T::deserialize(value.into_deserializer()) {
            Ok(value) => Some(value),
            Err(error) => {
                self.warn(key, error.message());
                None
            }
        }
    }

    fn version(&mut self, item: &Item) {
        match self.value::<i64>("version", item) {
            Some(version) if version > VERSION => {
                let reason = format!("it is {version}, and this program knows {VERSION}");
                self.warn("version", reason);
            }
            Some(_) | None => {}
        }
    }

    fn word<T: Copy>(&mut self, key: &str, item: &Item, words: &[(&str, T)], place: &mut T) {
        let Some(word) = self.value::<String>(key, item) else {
            return;
        };
        if let Some((_, value)) = words.iter().find(|(known, _)| *known == word) {
            *place = *value;
        } else {
            let known: Vec<_> = words.iter().map(|(known, _)| *known).collect();
            self.warn(key, format!("it is none of {}", known.join(", ")));
        }
    }

    fn text_size(&mut self, key: &str, item: &Item, place: &mut u8) {
        let Some(size) = self.value::<i64>(key, item) else {
            return;
        };
        match u8::try_from(size) {
            Ok(size) if TEXT_SIZE_RANGE.contains(&size) => *place = size,
            Ok(_) | Err(_) => {
                let (least, most) = (TEXT_SIZE_RANGE.start(), TEXT_SIZE_RANGE.end());
                self.warn(key, format!("it is not between {least} and {most}"));
            }
        }
    }

    fn folders(&mut self, key: &str, item: &Item) -> Vec<PathBuf> {
        let Some(array) = item.as_array() else {
            self.warn(key, "it is not a list");
            return Vec::new();
        };
        let mut folders = Vec::new();
        for (index, value) in array.iter().enumerate() {
            match value.as_str() {
                Some(folder) => folders.push(PathBuf::from(folder)),
                None => self.warn(&format!("{key}[{index}]"), "it is not text"),
            }
        }
        folders.truncate(RECENT_FOLDERS_MOST);
        folders
    }

    fn agents(&mut self, key: &str, item: &Item) -> Vec<CustomBackend> {
        let Ok(tables) = item.clone().into_array_of_tables() else {
            self.warn(key, "it is not a list of tables");
            return Vec::new();
        };
        let mut taken: Vec<BackendId> = presets::backends(&Settings::default(), "")
            .into_iter()
            .map(|preset| preset.id)
            .collect();
        let mut agents = Vec::new();
        for (index, table) in tables.iter().enumerate() {
            let key = format!("{key}[{index}]");
            let item = Item::Table(table.clone());
            let Some(agent) = self.value::<AgentV1>(&key, &item) else {
                continue;
            };
            self.unknown_keys(&key, table, &AGENT_KEYS);
            let tools = self.client_tools(&key, agent.client_tools.as_deref());
            let agent = agent.into_backend(tools.unwrap_or_default());
            if taken.contains(&agent.id) {
                self.warn(&format!("{key}.id"), "another backend has this id");
                continue;
            }
            taken.push(agent.id.clone());
            agents.push(agent);
        }
        agents
    }

    fn launches(&mut self, key: &str, item: &Item) -> BTreeMap<BackendId, LaunchOverride> {
        let Some(table) = item.as_table_like() else {
            self.warn(key, "it is not a table");
            return BTreeMap::new();
        };
        let mut launches = BTreeMap::new();
        for (id, item) in table.iter() {
            let key = format!("{key}.{id}");
            let Some(launch) = self.value::<LaunchV1>(&key, item) else {
                continue;
            };
            if let Some(table) = item.as_table_like() {
                self.unknown_keys(&key, table, &LAUNCH_KEYS);
            }
            let tools = self.client_tools(&key, launch.client_tools.as_deref());
            launches.insert(BackendId::from(id), launch.into_override(tools));
        }
        launches
    }

    /// Capabilities by their words. A word that is not known takes all of them away.
    fn client_tools(&mut self, place: &str, words: Option<&[String]>) -> Option<ClientTools> {
        let words = words?.iter().map(String::as_str);
        Some(ClientTools::from_words(words).unwrap_or_else(|word| {
            let known = ClientTools::WORDS.join(", ");
            let reason = format!("{word:?} is none of {known}");
            self.warn(&format!("{place}.{CLIENT_TOOLS}"), reason);
            ClientTools::default()
        }))
    }

    fn unknown_keys(&mut self, place: &str, table: &dyn TableLike, known: &[&str]) {
        for (key, _) in table.iter() {
            if !known.contains(&key) {
                self.warn(&format!("{place}.{key}"), UNKNOWN);
            }
        }
    }
}

impl AgentV1 {
    fn into_backend(self, client_tools: ClientTools) -> CustomBackend {
        CustomBackend {
            name: self.name.unwrap_or_else(|| self.id.clone()),
            id: BackendId::from(self.id),
            command: self.command,
            args: self.args,
            env: self.env,
            client_tools,
        }
    }
}

impl LaunchV1 {
    fn into_override(self, client_tools: Option<ClientTools>) -> LaunchOverride {
        LaunchOverride {
            command: self.command,
            args: self.args,
            env: self.env,
            client_tools,
        }
    }
}

/// Sets a value, or removes it. What stands around an old value, such as a comment, stays.
fn set(table: &mut dyn TableLike, key: &str, value: Option<Value>) {
    let Some(mut value) = value else {
        table.remove(key);
        return;
    };
    match table.get_mut(key) {
        Some(Item::Value(old)) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        Some(_) | None => {
            table.insert(key, Item::Value(value));
        }
    }
}

/// A path that is not Unicode has no place in a text file; it is not remembered.
fn folders(folders: &[PathBuf]) -> Value {
    let mut array: Array = folders
        .iter()
        .filter_map(|folder| Path::to_str(folder))
        .collect();
    for value in array.iter_mut() {
        value.decor_mut().set_prefix("\n    ");
    }
    if !array.is_empty() {
        array.set_trailing("\n");
        array.set_trailing_comma(true);
    }
    Value::Array(array)
}

fn texts(texts: &[String]) -> Value {
    Value::Array(texts.iter().map(String::as_str).collect())
}

fn tool_words(tools: ClientTools) -> Value {
    Value::Array(tools.words().into_iter().collect())
}

/// Variables; none are not written.
fn variables(env: &BTreeMap<String, String>) -> Option<Value> {
    let table: InlineTable = env
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    (!table.is_empty()).then_some(Value::InlineTable(table))
}

fn change_agents(table: &mut Table, before: &[CustomBackend], after: &[CustomBackend]) {
    let old = table.remove("agents");
    let mut tables = old
        .and_then(|item| item.into_array_of_tables().ok())
        .unwrap_or_default();
    let id_of = |table: &Table| Some(table.get("id")?.as_str()?.to_owned());
    tables.retain(|table| {
        let is_named = |agent: &&CustomBackend| Some(agent.id.as_str()) == id_of(table).as_deref();
        before.iter().find(is_named).is_none() || after.iter().find(is_named).is_some()
    });
    for agent in after {
        let known = before.iter().find(|known| known.id == agent.id);
        let found = tables
            .iter()
            .position(|table| id_of(table).as_deref() == Some(agent.id.as_str()));
        match found.and_then(|index| tables.get_mut(index)) {
            Some(table) => change_agent(table, known, agent),
            None => push_agent(&mut tables, agent),
        }
    }
    if !tables.is_empty() {
        table.insert("agents", Item::ArrayOfTables(tables));
    }
}

fn push_agent(tables: &mut ArrayOfTables, agent: &CustomBackend) {
    let mut table = Table::new();
    set(&mut table, "id", Some(Value::from(agent.id.as_str())));
    change_agent(&mut table, None, agent);
    tables.push(table);
}

fn change_agent(table: &mut Table, known: Option<&CustomBackend>, agent: &CustomBackend) {
    if known.is_none_or(|known| known.name != agent.name) {
        set(table, "name", Some(Value::from(agent.name.as_str())));
    }
    if known.is_none_or(|known| known.command != agent.command) {
        set(table, "command", Some(Value::from(agent.command.as_str())));
    }
    if known.is_none_or(|known| known.args != agent.args) {
        set(table, "args", Some(texts(&agent.args)));
    }
    if known.is_none_or(|known| known.env != agent.env) {
        set(table, "env", variables(&agent.env));
    }
    if known.map_or(ClientTools::default(), |known| known.client_tools) != agent.client_tools {
        set(table, CLIENT_TOOLS, Some(tool_words(agent.client_tools)));
    }
}

fn change_launches(
    table: &mut Table,
    before: &BTreeMap<BackendId, LaunchOverride>,
    after: &BTreeMap<BackendId, LaunchOverride>,
) {
    let launches = table.entry("launch").or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let Some(launches) = launches.as_table_like_mut() else {
        tracing::warn!("`launch` is not a table, so other commands are not written");
        return;
    };
    for id in before.keys().filter(|id| !after.contains_key(id)) {
        launches.remove(id.as_str());
    }
    for (id, launch) in after {
        let known = before.get(id);
        if known == Some(launch) {
            continue;
        }
        let item = launches
            .entry(id.as_str())
            .or_insert_with(|| Item::Table(Table::new()));
        if let Some(table) = item.as_table_like_mut() {
            change_launch(table, known, launch);
        }
    }
}

fn change_launch(
    table: &mut dyn TableLike,
    known: Option<&LaunchOverride>,
    launch: &LaunchOverride,
) {
    if known.is_none_or(|known| known.command != launch.command) {
        let command = launch.command.as_deref().map(Value::from);
        set(table, "command", command);
    }
    if known.is_none_or(|known| known.args != launch.args) {
        set(table, "args", launch.args.as_deref().map(texts));
    }
    if known.is_none_or(|known| known.env != launch.env) {
        set(table, "env", variables(&launch.env));
    }
    if known.is_none_or(|known| known.client_tools != launch.client_tools) {
        set(table, CLIENT_TOOLS, launch.client_tools.map(tool_words));
    }
}
