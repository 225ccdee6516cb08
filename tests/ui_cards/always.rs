//! Why a call is asked, what it is called, and rules that are stored from the card.

use agent_panel::core::command::Command;
use agent_panel::core::consent::PolicyGround;
use agent_panel::core::effect::Effect;
use agent_panel::core::event::SessionEvent;
use agent_panel::core::ids::{RequestId, SessionKey};
use agent_panel::core::mcp::{McpServerStatus, McpSource, McpState};
use agent_panel::core::permission::PermissionOptionKind;
use agent_panel::core::policy::always::{Lifetime, RuleProposal};
use agent_panel::core::policy::rules::{RuleFile, RuleOrigin, Rules};
use agent_panel::core::tool_call::{ToolCallPatch, ToolKind};
use egui_kittest::Harness;
use serde_json::{Value, json};

use super::world::{FOLDER, World, pass};
use super::{click, resolve, settled, shows};

const USER_FILE: &str = "/home/me/.config/agent-panel/rules.toml";
const OPTIONS: [(&str, &str, PermissionOptionKind); 2] = [
    ("A", "Yes", PermissionOptionKind::AllowOnce),
    ("B", "No", PermissionOptionKind::RejectOnce),
];

/// A session whose rules are read, with a running turn.
fn world(rules: &str) -> (World, SessionKey) {
    let mut world = World::default();
    let session = world.open("codex");
    let file = |origin, path: &str, text: &str| {
        RuleFile::parse(&format!("version = 1\n{text}"), origin, path.as_ref())
    };
    let mut ground = PolicyGround::default();
    ground.places.folder = FOLDER.into();
    let folder_file = format!("{FOLDER}/.agent-panel/rules.toml");
    ground.rules = Rules {
        files: vec![
            file(RuleOrigin::User, USER_FILE, rules),
            file(RuleOrigin::Folder { trusted: true }, &folder_file, ""),
        ],
    };
    world.session_event(session, SessionEvent::GroundLoaded(Box::new(ground)));
    world.prompt(session, "go");
    (world, session)
}

/// Lets the agent ask; each of its paths is where it says.
fn ask(world: &mut World, session: SessionKey, patch: ToolCallPatch) {
    world.effects.clear();
    world.ask_for(session, 5, patch, &OPTIONS);
    resolve(world, session, RequestId::Number(5));
}

fn command(line: &str) -> ToolCallPatch {
    ToolCallPatch {
        kind: Some(ToolKind::Execute),
        raw_input: Some(json!({ "command": line }).into()),
        ..ToolCallPatch::default()
    }
}

pub(super) fn asking() -> World {
    let (mut world, session) = world("");
    ask(&mut world, session, command("npm test"));
    world
}

fn asked(rules: &str, patch: ToolCallPatch) -> Harness<'static, World> {
    let (mut world, session) = world(rules);
    ask(&mut world, session, patch);
    settled(world)
}

fn stored(window: &mut Harness<'_, World>) -> (RuleProposal, Lifetime) {
    let commands = std::mem::take(&mut window.state_mut().commands);
    match commands.into_iter().next() {
        Some(Command::StoreRule {
            proposal, lifetime, ..
        }) => (*proposal, lifetime),
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn the_card_says_why_it_is_asked() {
    let git = format!("{FOLDER}/.git/config");
    let edit = ToolCallPatch {
        name: Some("Edit".to_owned()),
        kind: Some(ToolKind::Edit),
        raw_input: Some(json!({ "file_path": git }).into()),
        ..ToolCallPatch::default()
    };
    let unsure = ToolCallPatch {
        name: Some("Read".to_owned()),
        raw_input: Some(json!({ "command": "rm notes.md" }).into()),
        ..ToolCallPatch::default()
    };
    let rule = "[[ask]]\ncommand = 'git push'\n";
    let cases: [(&str, ToolCallPatch, &str); 5] = [
        (
            "",
            command("npm test"),
            "Asked at the level \u{201c}Ask\u{201d}",
        ),
        (
            rule,
            command("git push"),
            "Your rule wants it asked: ask command git push (/home/me/.config/agent-panel/rules.toml)",
        ),
        (
            "",
            edit,
            "Protected, since it belongs to Git: /home/me/projects/harbor/.git/config",
        ),
        ("", unsure, "It may be "),
        (
            "",
            command("echo $(id)"),
            "The command runs another one inside itself",
        ),
    ];
    for (rules, patch, words) in cases {
        let window = asked(rules, patch);
        assert!(shows(&window, words), "{words}");
    }
}

#[test]
fn a_tool_of_a_server_is_named_with_its_server_and_its_own_arguments() {
    let (mut world, session) = world("");
    let report = SessionEvent::McpReported {
        source: McpSource::Agent,
        servers: vec![McpServerStatus {
            name: "files".to_owned(),
            state: McpState::Connected,
            software: None,
            tools: Vec::new(),
            error: None,
        }],
    };
    world.session_event(session, report);
    let input: Value = json!({
        "server": "files", "tool": "put", "arguments": { "path": "a.txt" }
    });
    let patch = ToolCallPatch {
        title: Some("mcp.files.put".to_owned()),
        raw_input: Some(input.into()),
        ..ToolCallPatch::default()
    };
    ask(&mut world, session, patch);
    let mut window = settled(world);
    assert!(shows(&window, "Codex asks to use files: put"));
    assert!(shows(&window, "Name on the wire: "));
    assert!(shows(&window, "{\"path\":\"a.txt\"}"));
    click(&mut window, "Allow from now on\u{2026}");
    assert!(shows(&window, "The tool put of the MCP server files"));
}

#[test]
fn a_rule_is_shown_in_words_with_its_file_before_it_is_stored() {
    let mut window = settled(asking());
    click(&mut window, "Allow from now on\u{2026}");
    assert!(shows(&window, "Commands that begin with npm test"));
    assert!(shows(&window, "Written to no file"));
    click(&mut window, "Always");
    assert!(shows(&window, &format!("Written to {USER_FILE}")));
    assert!(shows(
        &window,
        "Holds while this stays as it is: package.json"
    ));
    click(&mut window, "Exactly this command: npm test");
    assert_eq!(window.state().commands, [], "nothing is stored by looking");
    click(&mut window, "Allow and remember");
    let (proposal, lifetime) = stored(&mut window);
    assert_eq!(lifetime, Lifetime::Always);
    assert_eq!(proposal.rule.text(), "allow line npm test");
    assert_eq!(proposal.file, std::path::Path::new(USER_FILE));
    assert_eq!(proposal.rule.folder.as_deref(), Some(FOLDER.as_ref()));
}

#[test]
fn a_rule_can_go_to_the_folders_file_or_hold_for_the_session() {
    let mut window = settled(asking());
    click(&mut window, "Allow from now on\u{2026}");
    click(&mut window, "1 day");
    click(&mut window, "In this folder\u{2019}s rules");
    click(&mut window, "Allow and remember");
    let (proposal, lifetime) = stored(&mut window);
    assert_eq!(lifetime, Lifetime::OneDay);
    assert!(proposal.file.starts_with(FOLDER), "{:?}", proposal.file);
    assert_eq!(proposal.rule.folder, None);

    let mut window = settled(asking());
    click(&mut window, "Allow from now on\u{2026}");
    click(&mut window, "Allow and remember");
    assert_eq!(stored(&mut window).1, Lifetime::Session);
}

#[test]
fn nothing_is_stored_by_a_double_click_and_cancel_goes_back() {
    let mut window = settled(asking());
    egui_kittest::kittest::Queryable::get_by_label(&window, "Allow from now on\u{2026}").click();
    window.run_ok();
    egui_kittest::kittest::Queryable::get_by_label(&window, "Allow and remember").click();
    window.run_ok();
    assert_eq!(window.state().commands, []);
    pass(&mut window, 600);
    click(&mut window, "Cancel");
    assert!(shows(&window, "Deny and say why"));
}

#[test]
fn nothing_is_offered_where_no_rule_could_answer() {
    let window = asked("", command("sudo ls"));
    assert!(!shows(&window, "Allow from now on"));
}

#[test]
fn a_refusal_from_now_on_is_shown_in_words_with_its_file_before_it_is_stored() {
    let mut window = asked("", command("sudo ls"));
    click(&mut window, "Deny from now on\u{2026}");
    assert!(shows(&window, "In harbor, deny without asking:"));
    assert!(shows(&window, "Exactly this command: sudo ls"));
    click(&mut window, "Always");
    assert!(shows(&window, &format!("Written to {USER_FILE}")));
    assert_eq!(window.state().commands, [], "nothing is stored by looking");
    click(&mut window, "Deny and remember");
    let (proposal, lifetime) = stored(&mut window);
    assert_eq!(lifetime, Lifetime::Always);
    assert_eq!(proposal.rule.text(), "deny line sudo ls");
    assert_eq!(proposal.rule.folder.as_deref(), Some(FOLDER.as_ref()));
}

#[test]
fn a_card_that_is_judged_again_keeps_its_place_and_its_details() {
    let mut window = settled(asking());
    click(&mut window, "Show details");
    let place = |window: &Harness<'_, World>| {
        egui_kittest::kittest::Queryable::get_by_label(window, "Hide details").rect()
    };
    let before = place(&window);
    let world = window.state_mut();
    let session = world.state.shown.expect("a session");
    world.effects.clear();
    world.apply(Command::SetLevel {
        session,
        level: agent_panel::core::policy::level::Level::ReadOnly,
    });
    let asks = |effect: &Effect| matches!(effect, Effect::ResolvePaths { .. });
    assert!(world.effects.iter().any(asks), "it is looked up again");
    window.step();
    assert_eq!(place(&window), before, "nobody knows yet");
    window.state_mut().session_event(
        session,
        SessionEvent::PathsResolved {
            request: RequestId::Number(5),
            facts: Box::default(),
        },
    );
    window.run_ok();
    assert!(shows(&window, "Hide details"));
    assert!(shows(&window, "npm test"));
}
