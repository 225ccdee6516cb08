//! The list of rules in the settings.

use agent_panel::core::command::Command;
use agent_panel::core::consent::PolicyGround;
use agent_panel::core::decisions::LoggedDecision;
use agent_panel::core::event::SessionEvent;
use agent_panel::core::policy::always::{Lifetime, ProposalWords, RuleProposal};
use agent_panel::core::policy::rules::edit::RuleEdit;
use agent_panel::core::policy::rules::{RuleFile, RuleOrigin, Rules};
use agent_panel::core::policy::script_gate::ScriptGate;
use agent_panel::core::time::Timestamp;
use agent_panel::ui::cx::UiAction;
use agent_panel::ui::state::settings::{RecordFound, SettingsTab};
use egui::{Event, Key};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::world::{FOLDER, World, window};
use super::{TALL, click, shows};

const USER_FILE: &str = "/home/me/.config/agent-panel/rules.toml";
const RULES: &str = "version = 1
[[allow]]
command = 'npm test'
folder = '/home/me/projects/harbor'
stored = 1970-01-01T00:00:10Z
expires = 1970-01-01T02:01:40Z
[[deny]]
path = ['secrets/**']
note = 'mine'
";

/// A window that shows the rules of a session.
pub(super) fn listed() -> World {
    let mut world = World::default();
    let session = world.open("codex");
    let mut ground = PolicyGround::default();
    ground.places.folder = FOLDER.into();
    let folder = RuleOrigin::Folder { trusted: true };
    let folder_file = format!("{FOLDER}/.agent-panel/rules.toml");
    ground.rules = Rules {
        files: vec![
            RuleFile::parse(RULES, RuleOrigin::User, USER_FILE.as_ref()),
            RuleFile::parse("version = 1\n", folder, folder_file.as_ref()),
        ],
    };
    world.session_event(session, SessionEvent::GroundLoaded(Box::new(ground)));
    world.state.settings.shown = Some(SettingsTab::Rules);
    world
}

fn edit(window: &mut Harness<'_, World>) -> RuleEdit {
    let commands = std::mem::take(&mut window.state_mut().commands);
    match commands.into_iter().next() {
        Some(Command::EditRules(edit)) => *edit,
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn rules_are_listed_in_words_and_removed_from_their_file() {
    let mut window = window(listed(), TALL);
    for words in [
        "Commands that begin with npm test",
        "Ends in 2 h",
        "Stored 1 min ago",
        "Whatever touches secrets/**",
        "mine",
        "Rules of the folder harbor",
        "No rules",
    ] {
        assert!(shows(&window, words), "{words}");
    }
    click(&mut window, "Remove rule: deny secrets/**");
    let removed = edit(&mut window);
    assert!(
        matches!(&removed, RuleEdit::Remove { file, rule } if file.as_os_str() == USER_FILE && rule.text() == "deny secrets/**"),
        "{removed:?}"
    );
    click(&mut window, &format!("Open {USER_FILE}"));
    assert!(matches!(
        window.state().actions.as_slice(),
        [UiAction::OpenFile { path, .. }] if path.as_os_str() == USER_FILE
    ));
}

#[test]
fn the_menu_opens_the_settings_and_escape_closes_them() {
    let mut world = listed();
    world.state.settings.shown = None;
    let mut window = window(world, TALL);
    click(&mut window, "Menu");
    click(&mut window, "Settings\u{2026}");
    assert_eq!(window.state().commands, [Command::ReloadRules]);
    assert!(shows(&window, "My rules"));
    assert!(shows(&window, "Message"), "the draft stays where it is");
    window.key_press(Key::Escape);
    window.run_ok();
    assert!(!shows(&window, "My rules"));
}

#[test]
fn a_rule_that_does_not_parse_is_refused_with_the_reason() {
    let mut window = window(listed(), TALL);
    click(&mut window, "Allow");
    window.get_by_label("What it is about").click();
    window.run_ok();
    window.event(Event::Text("sudo ls".to_owned()));
    window.run_ok();
    click(&mut window, "Add rule");
    assert_eq!(window.state().commands, []);
    assert!(shows(&window, "would run anything"));
    click(&mut window, "Deny");
    assert!(!shows(&window, "would run anything"));
    click(&mut window, "In this folder\u{2019}s rules");
    click(&mut window, "Add rule");
    let added = edit(&mut window);
    assert!(
        matches!(&added, RuleEdit::Add { file, rule, .. } if file.starts_with(FOLDER) && rule.text() == "deny command sudo ls"),
        "{added:?}"
    );
}

#[test]
fn the_script_gate_is_switched_for_the_folder() {
    let mut window = window(listed(), TALL);
    click(&mut window, "Script gate");
    let switched = edit(&mut window);
    assert!(
        matches!(&switched, RuleEdit::SetScriptGate { file, gate: ScriptGate::On } if file.starts_with(FOLDER)),
        "{switched:?}"
    );
}

#[test]
fn a_grant_for_the_session_is_listed_and_taken_back() {
    let mut world = listed();
    let session = world.state.shown.expect("a session");
    let ground = world.hub.session(session).and_then(|one| one.ground());
    let rule = ground.expect("rules").rules.files[0].rules[0].clone();
    let proposal = RuleProposal {
        rule,
        words: ProposalWords::Command {
            words: "npm test".to_owned(),
        },
        file: USER_FILE.into(),
        depends_on: Vec::new(),
    };
    world.apply(Command::StoreRule {
        session,
        proposal: Box::new(proposal),
        lifetime: Lifetime::Session,
    });
    let mut window = window(world, TALL);
    assert!(shows(&window, "Until this session is closed"));
    click(&mut window, "Remove rule: allow command npm test");
    assert!(matches!(
        window.state().commands.as_slice(),
        [Command::RevokeRule { .. }]
    ));
}

#[test]
fn the_record_is_read_when_it_is_shown_and_filtered() {
    let mut window = window(listed(), TALL);
    click(&mut window, "Record");
    assert_eq!(window.state().actions, [UiAction::ReadRecord]);
    let decision = |at: u64, tool: &str, decision: &str, answer: &str| LoggedDecision {
        at: Timestamp(at),
        backend: "codex".to_owned(),
        folder: FOLDER.into(),
        session: None,
        tool: tool.to_owned(),
        unsure: false,
        decision: decision.to_owned(),
        because: Some("rule".to_owned()),
        rule: Some("allow command npm test".to_owned()),
        answer: Some(answer.to_owned()),
    };
    let mut decisions: Vec<_> = (0..5_000)
        .map(|at| decision(at, "Read", "asked", "allow_once"))
        .collect();
    decisions.push(decision(9_000, "Bash", "auto_allow", "allow_once"));
    window.state_mut().state.settings.record.found = Some(RecordFound {
        decisions,
        broken: 2,
        ..RecordFound::default()
    });
    window.run_ok();
    assert!(shows(
        &window,
        "5001 decisions\n2 lines can\u{2019}t be read"
    ));
    assert!(shows(
        &window,
        "Allowed unasked, Bash, codex \u{b7} harbor \u{b7} allow command npm test, 1 min ago"
    ));
    let rows = window
        .query_all_by_label_contains("You allowed it, Read")
        .count();
    assert!(
        (1..100).contains(&rows),
        "only what is seen is drawn: {rows}"
    );
    click(&mut window, "Denied unasked");
    assert!(shows(&window, "0 decisions"));
    click(&mut window, "All");
    window.get_by_label("Tool, agent, folder or rule").click();
    window.run_ok();
    window.event(Event::Text("bash".to_owned()));
    window.run_ok();
    assert!(shows(&window, "1 decision"));
}

#[test]
fn without_a_session_the_persons_own_rules_are_shown_and_changed() {
    let mut world = World::default();
    world.state.settings.shown = Some(SettingsTab::Rules);
    let mut window = window(world, TALL);
    assert!(!shows(&window, "My rules"));
    assert!(shows(
        &window,
        "The rules of a folder are shown with a session"
    ));
    let file = RuleFile::parse(RULES, RuleOrigin::User, USER_FILE.as_ref());
    let loaded = agent_panel::core::event::Event::OwnRulesLoaded(Box::new(file));
    window.state_mut().handle(loaded);
    window.run_ok();
    assert!(shows(&window, "My rules"));
    assert!(!shows(&window, "Script gate"));
    assert!(!shows(&window, "In this folder\u{2019}s rules"));
    click(&mut window, "Remove rule: deny secrets/**");
    assert!(
        matches!(edit(&mut window), RuleEdit::Remove { file, .. } if file.as_os_str() == USER_FILE)
    );
    click(&mut window, "Deny");
    window.get_by_label("What it is about").click();
    window.run_ok();
    window.event(Event::Text("git push".to_owned()));
    window.run_ok();
    click(&mut window, "Add rule");
    let added = edit(&mut window);
    assert!(
        matches!(&added, RuleEdit::Add { file, rule, .. } if file.as_os_str() == USER_FILE && rule.text() == "deny command git push"),
        "{added:?}"
    );
}
