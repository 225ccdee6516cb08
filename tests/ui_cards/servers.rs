//! The page of MCP servers, and the card that asks before a changed one is passed on.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agent_panel::core::backend::{McpServer, McpTransport};
use agent_panel::core::mcp_servers::McpServerSetting;
use agent_panel::core::settings::Settings;
use agent_panel::ui::cx::UiAction;
use agent_panel::ui::state::servers::FoundFile;
use agent_panel::ui::state::settings::SettingsTab;
use egui::Key;
use egui::accesskit::{Role, Toggled};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::world::{FOLDER, World};
use super::{click, press, settled, shows, type_text};

const SECRET: &str = "sk-harbor-1234";

fn files() -> McpServer {
    McpServer {
        name: "files".to_owned(),
        transport: McpTransport::Stdio {
            command: "npx".to_owned(),
            args: vec!["-y".to_owned(), "server files".to_owned()],
            env: BTreeMap::from([("API_KEY".to_owned(), SECRET.to_owned())]),
        },
    }
}

fn web() -> McpServer {
    McpServer {
        name: "web".to_owned(),
        transport: McpTransport::Http {
            url: "https://example.com/mcp".to_owned(),
            headers: BTreeMap::from([("Authorization".to_owned(), SECRET.to_owned())]),
        },
    }
}

fn ops() -> McpServer {
    McpServer {
        name: "unity-ops".to_owned(),
        transport: McpTransport::Http {
            url: "http://127.0.0.1:47001/mcp".to_owned(),
            headers: BTreeMap::new(),
        },
    }
}

fn with(servers: Vec<McpServerSetting>) -> World {
    let mut world = World::default();
    world.open("codex");
    world.settings.mcp_servers = servers;
    world
}

pub(super) fn page() -> World {
    let mut off = McpServerSetting::approved(web());
    off.enabled = false;
    let mut world = with(vec![McpServerSetting::unapproved(files()), off]);
    world.state.settings.shown = Some(SettingsTab::McpServers);
    world.state.servers.found = Some(vec![FoundFile {
        path: PathBuf::from("/home/me/.codex/config.toml"),
        servers: vec![web(), ops()],
        remarks: vec!["docs: there is neither a command nor an address".to_owned()],
    }]);
    world
}

pub(super) fn asking() -> World {
    with(vec![McpServerSetting::unapproved(files())])
}

/// Takes in the change of settings that was wished for, as the program does.
#[expect(clippy::panic, reason = "another action is a failure")]
fn changed(window: &mut Harness<'_, World>) -> Settings {
    let actions = std::mem::take(&mut window.state_mut().actions);
    let [UiAction::ChangeSettings(settings)] = actions.as_slice() else {
        panic!("a change of settings, not {actions:?}");
    };
    window.state_mut().settings = settings.as_ref().clone();
    window.run_ok();
    settings.as_ref().clone()
}

fn focus(window: &mut Harness<'_, World>, role: Role, label: &str) {
    window.get_by_role_and_label(role, label).focus();
    window.run_ok();
}

/// CVE-2025-54136, CVE-2025-54133: an approved server was another one later, and its arguments were not shown.
#[test]
fn cve_2025_54133_a_changed_server_is_shown_whole_and_passed_only_once_it_is_approved() {
    let mut window = settled(asking());
    assert!(shows(&window, "The MCP server files is new or was changed"));
    assert!(shows(&window, "npx\n-y\nserver files"));
    assert!(shows(&window, "API_KEY"));
    assert!(!shows(&window, SECRET));
    click(&mut window, "Approve");
    let settings = changed(&mut window);
    assert!(
        settings
            .mcp_servers
            .iter()
            .all(McpServerSetting::is_approved)
    );
    assert!(!shows(&window, "The MCP server files"));

    let mut window = settled(asking());
    click(&mut window, "Turn it off");
    let settings = changed(&mut window);
    let off = |setting: &McpServerSetting| !setting.enabled && !setting.is_approved();
    assert!(settings.mcp_servers.iter().all(off));
    assert!(!shows(&window, "The MCP server files"));
}

#[test]
fn the_card_takes_no_keyboard_from_the_draft() {
    let mut window = settled(asking());
    type_text(&mut window, "a");
    press(&mut window, Key::Enter);
    assert_eq!(window.state().actions, []);
}

#[test]
fn a_server_is_switched_off_and_taken_away() {
    let mut world = with(vec![McpServerSetting::approved(files())]);
    world.state.settings.shown = Some(SettingsTab::McpServers);
    let mut window = settled(world);
    let toggled = |window: &Harness<'_, World>| {
        window
            .get_by_role_and_label(Role::CheckBox, "files")
            .accesskit_node()
            .toggled()
    };
    assert_eq!(toggled(&window), Some(Toggled::True));
    click(&mut window, "files");
    assert!(!changed(&mut window).mcp_servers[0].enabled);
    assert_eq!(toggled(&window), Some(Toggled::False));
    click(&mut window, "Remove files");
    assert_eq!(window.state().actions, []);
    click(&mut window, "Remove files for good");
    assert_eq!(changed(&mut window).mcp_servers, []);
    assert!(shows(&window, "No servers yet"));
    click(&mut window, "Close settings");
    assert!(!shows(&window, "No servers yet"));
}

#[test]
fn a_server_is_added_with_arguments_and_masked_variables() {
    let mut world = with(Vec::new());
    world.state.settings.shown = Some(SettingsTab::McpServers);
    let mut window = settled(world);
    click(&mut window, "Add a server…");
    assert!(shows(&window, "A name is needed"));
    for (field, text) in [("Name", "files"), ("Command", "npx")] {
        focus(&mut window, Role::TextInput, field);
        type_text(&mut window, text);
    }
    for (number, text) in [(1, "-y"), (2, "server files")] {
        click(&mut window, "Add an argument");
        focus(&mut window, Role::TextInput, &format!("Argument {number}"));
        type_text(&mut window, text);
    }
    click(&mut window, "Add a variable");
    focus(&mut window, Role::TextInput, "Name of the variable");
    type_text(&mut window, "API_KEY");
    focus(&mut window, Role::PasswordInput, "Value of the variable");
    type_text(&mut window, SECRET);
    assert!(!shows(&window, SECRET));
    click(&mut window, "Save");
    let settings = changed(&mut window);
    assert_eq!(settings.mcp_servers, [McpServerSetting::approved(files())]);
}

#[test]
fn an_edited_server_is_approved_as_it_was_written() {
    let mut world = with(vec![McpServerSetting::unapproved(web())]);
    world.state.settings.shown = Some(SettingsTab::McpServers);
    let mut window = settled(world);
    click(&mut window, "Edit web");
    click(&mut window, "sse");
    click(&mut window, "Save");
    let settings = changed(&mut window);
    let [setting] = settings.mcp_servers.as_slice() else {
        unreachable!("{settings:?}");
    };
    assert!(setting.is_approved());
    assert!(matches!(
        &setting.server.transport,
        McpTransport::Sse { url, headers } if url == "https://example.com/mcp" && headers.len() == 1
    ));
}

#[test]
fn servers_of_other_tools_are_looked_for_and_added_one_by_one() {
    let mut world = with(Vec::new());
    world.state.settings.shown = Some(SettingsTab::McpServers);
    let mut window = settled(world);
    click(&mut window, "Import from other tools…");
    assert_eq!(
        std::mem::take(&mut window.state_mut().actions),
        [UiAction::FindMcpServers]
    );
    window.state_mut().state.servers.found = Some(vec![FoundFile {
        path: PathBuf::from("/home/me/.claude.json"),
        servers: vec![files()],
        remarks: Vec::new(),
    }]);
    window.run_ok();
    assert!(shows(&window, "npx\n-y\nserver files"));
    assert!(!shows(&window, SECRET));
    click(&mut window, "Add files");
    let settings = changed(&mut window);
    assert_eq!(settings.mcp_servers, [McpServerSetting::approved(files())]);
    assert!(shows(&window, "Already in the list"));
}

#[test]
fn the_server_of_a_running_editor_is_offered_once_and_can_be_taken_back() {
    let mut world = with(Vec::new());
    let folder = PathBuf::from(FOLDER);
    world.state.servers.unity_ops.insert(folder.clone(), ops());
    let mut window = settled(world);
    assert!(shows(&window, "A Unity editor has this project open"));
    assert!(shows(&window, "http://127.0.0.1:47001/mcp"));
    click(&mut window, "Not now");
    assert!(!shows(&window, "A Unity editor has this project open"));
    assert_eq!(window.state().actions, []);
    window.state_mut().state.settings.shown = Some(SettingsTab::McpServers);
    window.run_ok();
    let switch = "Pass the Unity editor’s server to agents in this folder";
    click(&mut window, switch);
    assert_eq!(changed(&mut window).unity_ops_folders, [folder]);
    click(&mut window, switch);
    assert_eq!(changed(&mut window).unity_ops_folders, [] as [PathBuf; 0]);
}
