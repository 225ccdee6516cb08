//! Settings and drafts on a disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::*;
use crate::core::backend::{McpServer, McpTransport};
use crate::core::client_tools::ClientTools;
use crate::core::controls::ModeChoices;
use crate::core::ids::BackendId;
use crate::core::mcp_servers::McpServerSetting;
use crate::core::policy::level::{Level, Levels};
use crate::core::settings::{CustomBackend, LaunchOverride, SendKey, ThemeChoice};

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn empty() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    fn with(text: &str) -> Self {
        let place = Self::empty();
        std::fs::write(place.path(), text).expect("it can be written");
        place
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("settings.toml")
    }

    fn open(&self) -> (SettingsStore, Settings, Vec<SettingsWarning>) {
        SettingsStore::open(self.path())
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.path()).expect("it is there")
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("it can be read");
        let mut names: Vec<_> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }
}

fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn tools(words: &[&str]) -> ClientTools {
    ClientTools::from_words(words.iter().copied()).expect("known words")
}

fn levels() -> Levels {
    let mut levels = Levels::default();
    let folder = PathBuf::from("/tmp/日本語 フォルダ");
    levels.choose(BackendId::from("codex"), folder, Level::Undoable);
    levels.choose(
        BackendId::from("my.own"),
        PathBuf::from(r"C:\a b"),
        Level::AllTools,
    );
    levels
}

fn modes() -> ModeChoices {
    let mut modes = ModeChoices::default();
    let folder = PathBuf::from("/tmp/日本語 フォルダ");
    modes.choose(BackendId::from("codex"), folder, Some("agent".into()));
    modes
}

fn full() -> Settings {
    Settings {
        trusted_folders: vec![PathBuf::from("/home/user/project")],
        unity_ops_folders: vec![PathBuf::from("/home/user/harbor")],
        language: Some("ja".to_owned()),
        theme: ThemeChoice::Dark,
        text_size: 18,
        send_key: SendKey::CommandEnter,
        diff_layout: crate::core::settings::DiffLayout::SideBySide,
        editor: crate::core::editor::Editor::Zed,
        backend: Some(BackendId::from("mine")),
        recent_folders: vec![
            PathBuf::from("/tmp/日本語 フォルダ"),
            PathBuf::from(r"C:\Users\Ana Ruiz"),
        ],
        custom_backends: vec![CustomBackend {
            id: BackendId::from("mine"),
            name: "My \"agent\"".to_owned(),
            command: "/opt/talk agent".to_owned(),
            args: vec!["--msg".to_owned(), String::new(), "a\nb".to_owned()],
            env: map(&[("A", "b c"), ("with.dot", "1")]),
            client_tools: tools(&["fs.read"]),
        }],
        launch_overrides: [
            (
                BackendId::from("codex"),
                LaunchOverride {
                    command: Some("/opt/codex".to_owned()),
                    args: Some(Vec::new()),
                    env: BTreeMap::new(),
                    client_tools: Some(tools(&["fs", "terminal"])),
                },
            ),
            (
                BackendId::from("gemini"),
                LaunchOverride {
                    command: None,
                    args: None,
                    env: map(&[("HTTPS_PROXY", "http://localhost:1")]),
                    client_tools: None,
                },
            ),
        ]
        .into(),
        levels: levels(),
        modes: modes(),
        mcp_servers: vec![
            McpServerSetting::approved(McpServer {
                name: "files".to_owned(),
                transport: McpTransport::Stdio {
                    command: "npx".to_owned(),
                    args: vec!["-y".to_owned(), "server-files".to_owned()],
                    env: map(&[("ROOT", "/a")]),
                },
            }),
            McpServerSetting {
                server: McpServer {
                    name: "old web".to_owned(),
                    transport: McpTransport::Sse {
                        url: "https://example.com/sse".to_owned(),
                        headers: map(&[("X-Key", "abc")]),
                    },
                },
                enabled: false,
                approved: None,
            },
            McpServerSetting::unapproved(McpServer {
                name: String::new(),
                transport: McpTransport::Http {
                    url: String::new(),
                    headers: BTreeMap::new(),
                },
            }),
        ],
    }
}

#[test]
fn settings_survive_a_round_trip() {
    let place = Place::empty();
    let (mut store, settings, warnings) = place.open();
    assert_eq!((settings, warnings), (Settings::default(), vec![]));
    store.save(&full()).expect("it can be written");
    let (_, settings, warnings) = place.open();
    assert_eq!((settings, warnings), (full(), vec![]));
    assert_eq!(place.names(), ["settings.toml"]);
}

#[test]
fn a_new_file_is_readable() {
    let place = Place::empty();
    let (mut store, ..) = place.open();
    store.save(&full()).expect("it can be written");
    insta::assert_snapshot!(place.text());
}

#[cfg(unix)]
#[test]
fn only_the_user_may_read_it() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = Place::empty();
    let (mut store, ..) = place.open();
    store.save(&full()).expect("it can be written");
    let metadata = std::fs::metadata(place.path()).expect("it is there");
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
}

const BY_HAND: &str = r#"# mine
theme = "dark" # at night
colour = "red"
text_size = 99
recent_folders = ["/a", 7]

[[agents]]
id = "one"
command = "/opt/one"
shade = "blue"

[[agents]]
name = "it has no id"

[launch.codex]
command = "/opt/codex" # the fork
speed = 3

[plugins.later]
on = true
"#;

#[test]
fn what_cannot_be_used_is_told_and_the_rest_is_used() {
    let (_, settings, warnings) = Place::with(BY_HAND).open();
    let keys: Vec<_> = warnings
        .iter()
        .map(|warning| warning.key.as_str())
        .collect();
    let expected = [
        "colour",
        "text_size",
        "recent_folders[1]",
        "agents[0].shade",
        "agents[1]",
        "launch.codex.speed",
        "plugins",
    ];
    assert_eq!(keys, expected);
    assert_eq!(warnings[1].reason, "it is not between 10 and 24");
    assert_eq!(warnings[4].reason, "missing field `id`");
    assert_eq!(settings.theme, ThemeChoice::Dark);
    assert_eq!(settings.text_size, Settings::default().text_size);
    assert_eq!(settings.recent_folders, [Path::new("/a")]);
    assert_eq!(settings.custom_backends.len(), 1);
    assert_eq!(settings.launch_overrides.len(), 1);
}

/// What is misspelled gives nothing away.
#[test]
fn a_client_tool_that_there_is_not_offers_none() {
    let (_, settings, warnings) =
        Place::with("[launch.codex]\nclient_tools = ['fs', 'net']\n").open();
    assert_eq!(warnings[0].key, "launch.codex.client_tools");
    let launch = &settings.launch_overrides[&BackendId::from("codex")];
    assert_eq!(launch.client_tools, Some(ClientTools::default()));
}

#[test]
fn a_bad_value_costs_nothing_but_itself() {
    let cases = [
        ("theme = 3", "theme"),
        ("theme = \"pink\"", "theme"),
        ("text_size = \"big\"", "text_size"),
        ("send_key = []", "send_key"),
        ("language = 1979-05-27", "language"),
        ("recent_folders = \"/a\"", "recent_folders"),
        ("agents = 3", "agents"),
        ("agents = [3]", "agents"),
        ("launch = \"codex\"", "launch"),
        ("launch.codex = 3", "launch.codex"),
        ("version = 2", "version"),
        (
            "agents = [{ id = \"codex\", command = \"x\" }]",
            "agents[0].id",
        ),
    ];
    for (line, key) in cases {
        let (_, settings, warnings) = Place::with(&format!("{line}\nbackend = \"qwen\"")).open();
        let keys: Vec<_> = warnings
            .iter()
            .map(|warning| warning.key.as_str())
            .collect();
        assert_eq!(keys, [key], "{line}");
        assert_eq!(settings.backend, Some(BackendId::from("qwen")), "{line}");
    }
}

#[test]
fn a_rewrite_keeps_what_it_does_not_change() {
    let place = Place::with(BY_HAND);
    let (mut store, mut settings, _) = place.open();
    settings.theme = ThemeChoice::Light;
    settings.send_key = SendKey::CommandEnter;
    settings.custom_backends[0].command = "/opt/two".to_owned();
    let launch = settings
        .launch_overrides
        .get_mut(&BackendId::from("codex"))
        .expect("it is there");
    launch.command = Some("/opt/other".to_owned());
    store.save(&settings).expect("it can be written");
    let expected = BY_HAND
        .replace("\"dark\"", "\"light\"")
        .replace("7]\n", "7]\nsend_key = \"command_enter\"\n")
        .replace("/opt/one", "/opt/two")
        .replace("/opt/codex", "/opt/other");
    assert_eq!(place.text(), expected);
}

#[test]
fn an_edit_by_hand_meanwhile_stays() {
    let place = Place::with("theme = \"dark\"\n");
    let (mut store, mut settings, _) = place.open();
    std::fs::write(place.path(), "theme = \"light\"\ntext_size = 20\n").expect("it can be written");
    settings.remember_folder(PathBuf::from("/a"));
    store.save(&settings).expect("it can be written");
    let (_, after, _) = place.open();
    assert_eq!(after.theme, ThemeChoice::Light);
    assert_eq!(after.text_size, 20);
    assert_eq!(after.recent_folders, [Path::new("/a")]);
}

#[test]
fn agents_are_added_and_taken_away_one_by_one() {
    let place = Place::with(BY_HAND);
    let (mut store, mut settings, _) = place.open();
    let mut other = full().custom_backends;
    settings.custom_backends.append(&mut other);
    store.save(&settings).expect("it can be written");
    assert_eq!(place.open().1.custom_backends, settings.custom_backends);

    settings.custom_backends.remove(0);
    settings.launch_overrides.clear();
    store.save(&settings).expect("it can be written");
    let (_, after, _) = place.open();
    assert_eq!(after.custom_backends, settings.custom_backends);
    assert_eq!(after.launch_overrides, settings.launch_overrides);
    assert!(place.text().contains("it has no id"));
    assert!(!place.text().contains("/opt/one"));
}

#[test]
fn a_file_that_does_not_parse_is_kept_before_anything_is_written() {
    for (number, text) in [&b"theme = \"dark"[..], b"theme = \"d\xffark\"\n"]
        .iter()
        .enumerate()
    {
        let place = Place::empty();
        std::fs::write(place.path(), text).expect("it can be written");
        std::fs::write(place.folder.path().join("settings.toml.broken-1"), "older")
            .expect("it can be written");
        let (mut store, settings, warnings) = place.open();
        assert_eq!(settings, Settings::default());
        assert_eq!(warnings.len(), 1, "{number}");
        assert_eq!(warnings[0].key, "");
        // Nothing has happened to it so far.
        assert_eq!(&std::fs::read(place.path()).expect("it is there"), text);

        store.save(&full()).expect("it can be written");
        assert_eq!(
            place.names(),
            [
                "settings.toml",
                "settings.toml.broken-1",
                "settings.toml.broken-2"
            ]
        );
        let kept = place.folder.path().join("settings.toml.broken-2");
        assert_eq!(&std::fs::read(kept).expect("it is there"), text);
        assert_eq!(place.open().1, full());
    }
}

#[test]
fn a_file_that_cannot_be_read_is_not_written() {
    let place = Place::empty();
    std::fs::create_dir(place.path()).expect("a folder in its place");
    let (mut store, settings, warnings) = place.open();
    assert_eq!((settings, warnings.len()), (Settings::default(), 1));
    assert!(matches!(store.save(&full()), Err(StoreError::Read { .. })));
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let place = Place::empty();
    let real = place.folder.path().join("elsewhere/mine.toml");
    std::fs::create_dir(place.folder.path().join("elsewhere")).expect("a folder");
    std::fs::write(&real, "theme = \"dark\"\n").expect("it can be written");
    std::os::unix::fs::symlink("elsewhere/mine.toml", place.path()).expect("a link");
    let (mut store, mut settings, _) = place.open();
    settings.text_size = 20;
    store.save(&settings).expect("it can be written");
    assert!(place.path().is_symlink());
    let text = std::fs::read_to_string(real).expect("it is there");
    assert_eq!(text, "theme = \"dark\"\ntext_size = 20\n");
}

#[test]
fn drafts_are_kept_until_they_are_empty() {
    let folder = tempfile::tempdir().expect("a folder");
    let drafts = DraftStore::new(folder.path().join("drafts"));
    assert_eq!(drafts.load_drafts(), BTreeMap::new());
    drafts.save_draft(1, "こんにちは\n").expect("it is kept");
    drafts.save_draft(2, "one").expect("it is kept");
    drafts.save_draft(2, "two").expect("it is kept");
    drafts.save_draft(3, "").expect("nothing to do");
    std::fs::write(folder.path().join("drafts/notes.txt"), "x").expect("it can be written");
    let expected = [(1, "こんにちは\n".to_owned()), (2, "two".to_owned())];
    assert_eq!(drafts.load_drafts(), expected.clone().into());
    drafts.save_draft(1, "").expect("it is removed");
    assert_eq!(drafts.load_drafts(), [expected[1].clone()].into());
}

#[test]
fn a_level_that_is_taken_back_leaves_no_trace_and_a_broken_one_asks() {
    let place = Place::with(
        "version = 1\n\n[levels.codex]\n# mine\n\"/a\" = \"all-ops\"\n\"/b\" = \"everything\"\n",
    );
    let (mut store, mut settings, warnings) = place.open();
    let codex = BackendId::from("codex");
    assert_eq!(
        settings.levels.level(&codex, Path::new("/a")),
        Level::AllOps
    );
    assert_eq!(settings.levels.level(&codex, Path::new("/b")), Level::Ask);
    let keys: Vec<_> = warnings.iter().map(|warning| &warning.key).collect();
    assert_eq!(keys, ["levels.codex./b"]);
    settings
        .levels
        .choose(codex.clone(), PathBuf::from("/a"), Level::Ask);
    settings
        .levels
        .choose(codex, PathBuf::from("/c"), Level::ReadOnly);
    store.save(&settings).expect("it is saved");
    let text = place.text();
    assert!(!text.contains("/a"), "{text}");
    assert!(text.contains("\"/b\" = \"everything\""), "{text}");
    assert!(text.contains("\"/c\" = \"read-only\""), "{text}");
}

#[test]
fn a_mode_that_is_taken_back_leaves_no_trace() {
    let place =
        Place::with("version = 1\n\n[modes.codex]\n# mine\n\"/a\" = \"agent\"\n\"/b\" = 3\n");
    let (mut store, mut settings, warnings) = place.open();
    let codex = BackendId::from("codex");
    let mode = settings.modes.mode(&codex, Path::new("/a"));
    assert_eq!(mode.map(ToString::to_string).as_deref(), Some("agent"));
    let keys: Vec<_> = warnings.iter().map(|warning| &warning.key).collect();
    assert_eq!(keys, ["modes.codex./b"]);
    settings.modes.choose(codex, PathBuf::from("/a"), None);
    store.save(&settings).expect("it can be written");
    let (_, settings, _) = place.open();
    assert_eq!(settings.modes, ModeChoices::default());
}
