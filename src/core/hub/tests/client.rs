//! Files and terminals that an agent asks us for: judged by the same policy, done once, and ended with the session.

use super::*;
use crate::core::client_tools::{ClientAnswer, ClientCall, ClientFailure, OldText, TerminalStart};
use crate::core::consent::{Consent, GroundSource, PolicyGround};
use crate::core::policy::level::Level;
use crate::core::policy::paths::{PathFact, PathFacts, Places};
use crate::core::policy::rules::{RuleFile, RuleOrigin, Rules};
use crate::core::tool_call::ToolCallContent;

const FOLDER: &str = "/home/user/project";

/// A hub with a running turn, at a level and with rules.
pub(super) fn hub_at(level: Level, rules: &str) -> AgentHub {
    let mut hub = hub_with_session();
    drop(hub.apply(
        Command::SetLevel {
            session: SESSION,
            level,
        },
        NOW,
    ));
    let rules = format!("version = 1\n{rules}");
    let file = RuleFile::parse(&rules, RuleOrigin::User, std::path::Path::new("/r.toml"));
    assert_eq!(file.problems, []);
    let ground = PolicyGround {
        rules: Rules { files: vec![file] },
        places: Places {
            folder: PathBuf::from(FOLDER),
            home: Some(PathBuf::from("/home/user")),
            own: Vec::new(),
        },
        ..PolicyGround::default()
    };
    drop(hub.handle(
        session_event(SessionEvent::GroundLoaded(Box::new(ground))),
        NOW,
    ));
    drop(hub.apply(prompt("go"), NOW));
    hub
}

fn read(path: &str) -> ClientCall {
    ClientCall::Read {
        path: PathBuf::from(path),
        line: None,
        limit: None,
    }
}

fn write(path: &str, content: &str) -> ClientCall {
    ClientCall::Write {
        path: PathBuf::from(path),
        content: content.to_owned(),
    }
}

pub(super) fn run(command: &str) -> ClientCall {
    ClientCall::Terminal(TerminalStart {
        command: command.to_owned(),
        args: Vec::new(),
        env: Vec::new(),
        cwd: None,
        output_limit: None,
    })
}

/// The agent asks, and its paths are found where they say they are, but for those named.
fn ask_with(hub: &mut AgentHub, id: i64, call: ClientCall, links: &[(&str, &str)]) -> Vec<Effect> {
    let event = SessionEvent::ClientAsked {
        request: RequestId::Number(id),
        call: Box::new(call),
    };
    hear(hub, session_event(event), links)
}

/// Takes in an event, and where paths lead that it makes us look up.
fn hear(hub: &mut AgentHub, event: Event, links: &[(&str, &str)]) -> Vec<Effect> {
    let mut effects = hub.handle(event, NOW);
    let wanted = effects.iter().find_map(|effect| match effect {
        Effect::ResolvePaths { request, paths, .. } => Some((request.clone(), paths.clone())),
        _ => None,
    });
    if let Some((request, paths)) = wanted {
        let mut facts = PathFacts::default();
        for path in paths {
            let link = links.iter().find(|(from, _)| path == PathBuf::from(from));
            let existing = link.map_or_else(|| path.clone(), |(_, to)| PathBuf::from(to));
            let missing = PathBuf::new();
            facts.insert(path, PathFact { existing, missing });
        }
        let facts = Box::new(facts);
        let found = session_event(SessionEvent::PathsResolved { request, facts });
        effects.extend(hub.handle(found, NOW));
    }
    effects
}

pub(super) fn ask(hub: &mut AgentHub, id: i64, call: ClientCall) -> Vec<Effect> {
    ask_with(hub, id, call, &[])
}

/// What becomes of a request, in a word.
fn outcome(effects: &[Effect]) -> &'static str {
    let word = |effect: &Effect| match effect {
        Effect::ReadFile { .. } => Some("read"),
        Effect::WriteFile { .. } => Some("write"),
        Effect::StartTerminal { .. } => Some("run"),
        Effect::Send {
            message: AgentMessage::AnswerClient { result, .. },
            ..
        } => Some(match result {
            Ok(_) => "answered",
            Err(ClientFailure::Refused { .. }) => "refused",
            Err(ClientFailure::Cancelled) => "cancelled",
            Err(_) => "failed",
        }),
        _ => None,
    };
    let words: Vec<_> = effects.iter().filter_map(word).collect();
    match words.as_slice() {
        [] => "asked",
        [word] => word,
        more => panic!("answered more than once: {more:?}"),
    }
}

fn answer(hub: &mut AgentHub, id: i64, option: &str) -> Vec<Effect> {
    hub.apply(
        Command::AnswerPermission {
            session: SESSION,
            request: RequestId::Number(id),
            option: option.into(),
            message: None,
        },
        NOW,
    )
}

#[test]
fn level_and_rules_decide_about_files_and_lines() {
    let rules = r#"
[[allow]]
tool = "Read"
path = "**/*.md"
[[deny]]
tool = "Read"
path = "**/secret*"
[[allow]]
command = "cargo test"
[[deny]]
command = "curl"
"#;
    let inside = |name: &str| format!("{FOLDER}/{name}");
    let cases = [
        (Level::Ask, "", read(&inside("a.rs")), "asked"),
        (Level::AllOps, "", read(&inside("a.rs")), "asked"),
        (Level::AllTools, "", read(&inside("a.rs")), "read"),
        (Level::AllTools, "", write(&inside("a.rs"), "x"), "write"),
        (Level::AllTools, "", read("/etc/passwd"), "asked"),
        (
            Level::AllTools,
            "",
            write(&inside(".git/config"), "x"),
            "asked",
        ),
        (
            Level::AllTools,
            "",
            write(&inside(".mcp.json"), "{}"),
            "asked",
        ),
        (Level::AllTools, "", run("ls"), "run"),
        (Level::AllTools, "", run("ls | tee out"), "asked"),
        (Level::AllTools, "", run("rm -rf ."), "refused"),
        (Level::Ask, "", run("rm -rf ~"), "refused"),
        (Level::Ask, rules, read(&inside("README.md")), "read"),
        (Level::Ask, rules, read("/elsewhere/README.md"), "asked"),
        (Level::Ask, rules, write(&inside("README.md"), "x"), "asked"),
        (
            Level::AllTools,
            rules,
            read(&inside("secret.txt")),
            "refused",
        ),
        (Level::Ask, rules, run("cargo test"), "run"),
        (
            Level::Ask,
            rules,
            run("cargo test && cargo publish"),
            "asked",
        ),
        (Level::AllTools, rules, run("ls && curl x"), "refused"),
    ];
    for (level, rules, call, expected) in cases {
        let mut hub = hub_at(level, rules);
        let effects = ask(&mut hub, 7, call.clone());
        assert_eq!(outcome(&effects), expected, "{level:?} {call:?}");
        let shown = session(&hub).permission_requests().len();
        assert_eq!(shown, usize::from(expected == "asked"), "{call:?}");
    }
}

#[test]
fn a_variable_in_front_of_an_allowed_command_is_asked() {
    let mut hub = hub_at(Level::AllTools, "");
    let call = ClientCall::Terminal(TerminalStart {
        command: "git".to_owned(),
        args: vec!["status".to_owned()],
        env: vec![("LD_PRELOAD".to_owned(), "/tmp/x.so".to_owned())],
        cwd: None,
        output_limit: None,
    });
    assert_eq!(outcome(&ask(&mut hub, 1, call)), "asked");
}

/// CVE-2025-59532: a folder that the agent chooses is not the session's.
#[test]
fn a_folder_of_the_agents_choice_outside_is_asked() {
    for (cwd, expected) in [("/", "asked"), ("/home/user/project/sub", "run")] {
        let mut hub = hub_at(Level::AllTools, "");
        let call = ClientCall::Terminal(TerminalStart {
            command: "ls".to_owned(),
            args: Vec::new(),
            env: Vec::new(),
            cwd: Some(PathBuf::from(cwd)),
            output_limit: None,
        });
        assert_eq!(outcome(&ask(&mut hub, 1, call)), expected, "{cwd}");
    }
}

/// CVE-2026-25724: a link inside the folder that leads out of it.
#[test]
fn a_path_counts_where_it_leads() {
    let path = "/home/user/project/notes.txt";
    for (leads_to, expected) in [
        ("/home/user/project/other.txt", "write"),
        ("/home/user/.bashrc", "asked"),
        ("/home/user/project/.git/hooks/pre-commit", "asked"),
    ] {
        let mut hub = hub_at(Level::AllTools, "");
        let effects = ask_with(&mut hub, 1, write(path, "x"), &[(path, leads_to)]);
        assert_eq!(outcome(&effects), expected, "{leads_to}");
        if expected == "write" {
            let target = effects.iter().find_map(|effect| match effect {
                Effect::WriteFile { target, .. } => Some(target.clone()),
                _ => None,
            });
            assert_eq!(target, Some(PathBuf::from(leads_to)));
        }
    }
}

#[test]
fn the_card_says_what_we_are_asked_and_the_answer_is_given_once() {
    let mut hub = hub_at(Level::Ask, "");
    let effects = ask(&mut hub, 3, write("/home/user/project/a.txt", "new"));
    assert_eq!(outcome(&effects), "asked");
    let request = &session(&hub).permission_requests()[0];
    assert_eq!(request.identity.name.canonical(), "Write");
    assert!(request.identity.is_established());
    assert_eq!(request.identity.source.as_str(), "client_request");
    assert_eq!(request.tool_call.title, "/home/user/project/a.txt");

    assert_eq!(outcome(&answer(&mut hub, 3, "allow")), "write");
    assert_eq!(answer(&mut hub, 3, "allow"), []);
    let done = SessionEvent::ClientDone {
        request: RequestId::Number(3),
        result: Ok(ClientAnswer::Written),
    };
    let effects = hub.handle(session_event(done.clone()), NOW);
    assert_eq!(outcome(&effects), "answered");
    assert_eq!(hub.handle(session_event(done), NOW), []);
    assert!(
        lines(&hub)
            .iter()
            .any(|line| line == "tool client-3: /home/user/project/a.txt Completed")
    );

    drop(ask(&mut hub, 4, read("/home/user/project/a.txt")));
    assert_eq!(outcome(&answer(&mut hub, 4, "reject")), "refused");
}

#[test]
fn cancelling_answers_what_is_shown_and_what_crosses_it() {
    let mut hub = hub_at(Level::AllTools, "");
    drop(ask(&mut hub, 1, read("/etc/passwd")));
    let cancelled = hub.apply(Command::CancelTurn { session: SESSION }, NOW);
    assert_eq!(outcome(&cancelled), "cancelled");
    let late = ask(&mut hub, 2, read("/home/user/project/a.rs"));
    assert_eq!(outcome(&late), "cancelled");
    assert_eq!(session(&hub).permission_requests(), []);
}

/// What the agent says about its own call can't change what we are asked to do.
#[test]
fn an_update_of_the_agents_call_does_not_change_our_request() {
    let mut hub = hub_at(Level::Ask, "");
    let patch = ToolCallPatch {
        title: Some("Write a.txt".to_owned()),
        status: Some(ToolCallStatus::InProgress),
        raw_input: Some(serde_json::json!({"path": "/home/user/project/a.txt"}).into()),
        ..ToolCallPatch::default()
    };
    drop(hub.handle(tool_update("w1", patch), NOW));
    drop(ask(&mut hub, 1, write("/home/user/project/a.txt", "evil")));
    let before = session(&hub).permission_requests()[0].clone();
    assert_eq!(before.tool_call.id, ToolCallId::from("w1"));
    let harmless = ToolCallPatch {
        title: Some("Nothing to see".to_owned()),
        raw_input: Some(serde_json::json!({"path": "/home/user/project/b.txt"}).into()),
        ..ToolCallPatch::default()
    };
    drop(hub.handle(tool_update("w1", harmless), NOW));
    assert_eq!(session(&hub).permission_requests()[0], before);
}

/// The agent asks for permission to write a file and then asks us to write it.
fn hub_with_permitted_write() -> AgentHub {
    let mut hub = hub_at(Level::Ask, "");
    let patch = ToolCallPatch {
        title: Some("Write a.txt".to_owned()),
        content: Some(vec![crate::core::tool_call::ToolCallContent::Diff(
            crate::core::tool_call::Diff {
                path: "/home/user/project/a.txt".to_owned(),
                old_text: None,
                new_text: "good".to_owned(),
            },
        )]),
        ..ToolCallPatch::default()
    };
    drop(hub.handle(tool_update("w1", patch), NOW));
    let effects = hear(&mut hub, permission(50, "w1", "Write a.txt"), &[]);
    assert_eq!(outcome(&effects), "asked");
    drop(answer(&mut hub, 50, "A"));
    hub
}

#[test]
fn what_the_person_allowed_is_not_asked_twice() {
    let mut hub = hub_with_permitted_write();
    let path = "/home/user/project/a.txt";
    assert_eq!(outcome(&ask(&mut hub, 51, read(path))), "read");
    assert_eq!(outcome(&ask(&mut hub, 52, write(path, "good"))), "write");
    let call = session(&hub).transcript().tool_call(&"w1".into());
    assert_eq!(call.map(|call| call.consent.clone()), Some(Consent::ByUser));
    // The yes was to one write.
    assert_eq!(outcome(&ask(&mut hub, 53, write(path, "good"))), "asked");
}

/// CVE-2026-32978: what was approved is what is done.
#[test]
fn other_content_another_file_another_turn_and_a_link_are_asked() {
    let path = "/home/user/project/a.txt";
    let mut hub = hub_with_permitted_write();
    assert_eq!(outcome(&ask(&mut hub, 51, write(path, "evil"))), "asked");
    let other = write("/home/user/project/b.txt", "good");
    assert_eq!(outcome(&ask(&mut hub, 52, other)), "asked");
    let links = [(path, "/home/user/.bashrc")];
    let through_link = ask_with(&mut hub, 53, write(path, "good"), &links);
    assert_eq!(outcome(&through_link), "asked");

    let mut hub = hub_with_permitted_write();
    drop(hub.handle(ended(1, "end_turn"), NOW));
    drop(hub.apply(prompt("again"), NOW));
    assert_eq!(outcome(&ask(&mut hub, 54, write(path, "good"))), "asked");
}

#[test]
fn an_allowed_line_is_run_once_and_in_the_folder_that_was_shown() {
    let mut hub = hub_at(Level::Ask, "");
    let patch = ToolCallPatch {
        title: Some("execute".to_owned()),
        raw_input: Some(serde_json::json!({"command": "make \"a b\""}).into()),
        ..ToolCallPatch::default()
    };
    drop(hub.handle(tool_update("x1", patch), NOW));
    drop(hear(&mut hub, permission(50, "x1", "execute"), &[]));
    drop(answer(&mut hub, 50, "A"));
    let call = |cwd: Option<&str>| {
        ClientCall::Terminal(TerminalStart {
            command: "make".to_owned(),
            args: vec!["a b".to_owned()],
            env: Vec::new(),
            cwd: cwd.map(PathBuf::from),
            output_limit: None,
        })
    };
    assert_eq!(outcome(&ask(&mut hub, 51, call(Some("/tmp")))), "asked");
    assert_eq!(outcome(&ask(&mut hub, 52, call(None))), "run");
    assert_eq!(outcome(&ask(&mut hub, 53, call(None))), "asked");
}

#[test]
fn a_request_that_is_taken_back_is_not_done() {
    let mut hub = hub_at(Level::Ask, "");
    drop(ask(&mut hub, 1, read("/home/user/project/a.txt")));
    let withdrawn = SessionEvent::PermissionWithdrawn {
        request: RequestId::Number(1),
    };
    drop(hub.handle(session_event(withdrawn), NOW));
    assert_eq!(answer(&mut hub, 1, "allow"), []);
    assert_eq!(session(&hub).permission_requests(), []);
}

#[test]
fn nothing_is_done_before_the_rules_are_read() {
    let mut hub = AgentHub::default();
    let mut setup = SessionSetup::in_folder(PathBuf::from(FOLDER));
    setup.ground = GroundSource::Files;
    setup.level = Level::AllTools;
    let open = Command::OpenSession {
        session: SESSION,
        spec: Box::new(spec()),
        setup: Box::new(setup),
    };
    drop(hub.apply(open, NOW));
    drop(hub.handle(initialized(AgentCapabilities::default(), Vec::new()), NOW));
    let opened = SessionEvent::Opened(OpenedSession {
        id: Some("s1".into()),
        ..OpenedSession::default()
    });
    drop(hub.handle(session_event(opened), NOW));
    drop(hub.apply(prompt("go"), NOW));
    let effects = ask(&mut hub, 1, read("/home/user/project/a.rs"));
    assert_eq!(outcome(&effects), "asked");
    assert_eq!(session(&hub).permission_requests(), []);
}

/// The old and the new text of the change that a call shows.
fn change(call: &crate::core::tool_call::ToolCall) -> Option<(Option<&str>, &str)> {
    call.content.iter().find_map(|piece| match piece {
        ToolCallContent::Diff(diff) => Some((diff.old_text.as_deref(), diff.new_text.as_str())),
        _ => None,
    })
}

#[test]
fn a_file_that_is_to_be_written_is_shown_beside_what_it_holds() {
    let path = "/home/user/project/a.txt";
    for (old, expected) in [
        (OldText::NoFile, Some((None, "new"))),
        (OldText::Text("old".to_owned()), Some((Some("old"), "new"))),
        (OldText::Unknown, None),
    ] {
        let mut hub = hub_at(Level::Ask, "");
        let effects = ask(&mut hub, 3, write(path, "new"));
        let target = effects.iter().find_map(|effect| match effect {
            Effect::ReadOldText { target, .. } => Some(target.clone()),
            _ => None,
        });
        assert_eq!(target, Some(PathBuf::from(path)));
        let event = |old: &OldText| {
            session_event(SessionEvent::OldTextRead {
                request: RequestId::Number(3),
                old: old.clone(),
            })
        };
        drop(hub.handle(event(&old), NOW));
        let shown = &session(&hub).permission_requests()[0].tool_call;
        assert_eq!(change(shown), expected);
        let row = session(&hub).transcript().tool_call(&"client-3".into());
        assert_eq!(row.and_then(change), expected);
        // Where nobody can tell, the new text is there all the same.
        let text = ToolCallContent::Text("new".to_owned());
        assert_eq!(shown.content.contains(&text), expected.is_none());
        assert_eq!(outcome(&answer(&mut hub, 3, "allow")), "write");
    }
}

#[test]
fn a_file_that_is_written_unasked_tells_what_it_held() {
    let mut hub = hub_at(Level::AllTools, "");
    let effects = ask(&mut hub, 3, write("/home/user/project/a.txt", "new"));
    assert_eq!(outcome(&effects), "write");
    let old = SessionEvent::OldTextRead {
        request: RequestId::Number(3),
        old: OldText::Text("old".to_owned()),
    };
    drop(hub.handle(session_event(old), NOW));
    let row = session(&hub).transcript().tool_call(&"client-3".into());
    assert_eq!(row.and_then(change), Some((Some("old"), "new")));
}
