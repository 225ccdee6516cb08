//! Each kind of block, what is folded in it, and what can be done with it.

use std::path::PathBuf;
use std::time::Duration;

use agent_panel::core::command::Command;
use agent_panel::core::event::SessionEvent;
use agent_panel::core::hub::{AgentHub, Limits};
use agent_panel::core::tool_call::{Subagent, ToolCallPatch, ToolCallStatus, ToolKind};
use agent_panel::core::transcript::{AbandonedText, MessageKind};
use agent_panel::ui::cx::UiAction;
use agent_panel::ui::transcript::folds::FoldPart;
use egui::Modifiers;
use egui_kittest::kittest::Queryable as _;
use serde_json::json;

use crate::scenes::{Words, parts, trouble, work};
use crate::story::{Story, diff, done, output};
use crate::world::{FOLDER, World};
use crate::{Window, click, find, leave_fields, press, shows, sized, view, window, window_still};

#[test]
fn a_turn_shows_each_of_its_blocks() {
    let window = sized(work(World::default(), Words::English), [700.0, 2_000.0]);
    for text in [
        "Requests are retried far too fast",
        "Thought, The delay is a constant.",
        "Plan, 2 of 4 done",
        "Run the tests",
        "3 steps · 0.5 s",
        "The loop is only used by",
        "Edit, src/retry.rs, Done, +4, −2, 0.8 s",
        "Run, cargo test --package harbor retry, Done, 14 s",
        "fn delay(&self, attempt: u32)",
        "Edit, CHANGELOG.md, Failed, 0.4 s",
        "Run, git log --oneline",
    ] {
        assert!(shows(&window, text), "{text}");
    }
}

#[test]
fn a_call_opens_and_closes() {
    let mut window = sized(work(World::default(), Words::English), [700.0, 2_000.0]);
    assert!(!shows(&window, "first_delay: Duration,"));
    click(&mut window, "Edit, src/retry.rs");
    assert!(shows(&window, "first_delay: Duration,"));
    assert!(shows(&window, "Open src/retry.rs"));
    click(&mut window, "Edit, src/retry.rs");
    assert!(!shows(&window, "first_delay: Duration,"));
}

#[test]
fn a_group_opens_and_closes() {
    let mut window = sized(work(World::default(), Words::English), [700.0, 2_000.0]);
    assert!(!shows(&window, "Read, src/client.rs"));
    click(&mut window, "3 steps");
    for path in ["src/retry.rs", "src/client.rs", "tests/retry.rs"] {
        assert!(shows(&window, &format!("Read, {path}, Done")), "{path}");
    }
    click(&mut window, "3 steps");
    assert!(!shows(&window, "Read, src/client.rs"));
}

#[test]
fn thoughts_raw_data_and_whole_files_open() {
    let mut window = sized(work(World::default(), Words::English), [700.0, 2_400.0]);
    click(&mut window, "Thought, The delay");
    assert!(shows(&window, "Then the tests."));
    click(&mut window, "Edit, src/retry.rs");
    window.get_by_label("Raw").click();
    window.run();
    assert!(shows(&window, "toolCallId: \"call-4\""));
    assert!(shows(&window, "4 unchanged lines") || !shows(&window, "self.attempts"));
    click(&mut window, "Show the whole file");
    assert!(shows(&window, "self.attempts"));
}

#[test]
fn text_that_is_begun_anew_folds_away() {
    let mut story = Story::new(World::default(), "claude-code");
    story.user("go").say("The **delay** is");
    let session = story.session;
    let lost = AbandonedText {
        kind: MessageKind::Agent,
        message_id: None,
        text: None,
    };
    story
        .world
        .session_event(session, SessionEvent::TextAbandoned(lost));
    story.say("The delay is a constant.").end(1);
    let mut window = window(story);
    assert!(shows(&window, "Begun anew, The delay is"));
    assert!(shows(&window, "The delay is a constant."));
    click(&mut window, "Begun anew");
    assert!(!shows(&window, "Begun anew, The delay is"), "it is open");
}

#[test]
fn what_went_wrong_is_told_and_what_came_late_is_marked() {
    let window = sized(trouble(World::default(), Words::English), [700.0, 1_400.0]);
    for text in [
        "Run, cargo build --release, Failed",
        "Delete, vendor, Cancelled",
        "Stopped by you",
        "Arrived after the turn had ended",
        "Fetch, crates.example/api/v1/crates/harbor, Stopped with the agent",
        "search_entries, harbor, Stopped with the agent",
        "The agent printed 3 lines",
        "The agent ended with exit code 137",
        "out of memory, giving up",
        "The agent is started again, attempt 1 of 3",
    ] {
        assert!(shows(&window, text), "{text}");
    }
}

#[test]
fn a_dead_agent_is_started_again_from_its_failure() {
    let hub = AgentHub::with_limits(Limits {
        automatic_restarts: 0,
    });
    let mut world = World {
        hub,
        ..World::default()
    };
    world.detect(&["codex"]);
    let mut window = window(trouble(world, Words::English));
    assert!(shows(&window, "Restart it to go on"));
    let restart = window
        .get_all_by_label("Restart agent")
        .next()
        .expect("a button");
    restart.click();
    window.run();
    let session = window.state().state.shown.expect("a session");
    assert_eq!(window.state().commands, [Command::Restart { session }]);

    window.state_mut().apply_commands();
    window.run();
    assert!(!shows(&window, "Restart it to go on"));
    click(&mut window, "Copy details");
    let copied = window.state().actions.iter().any(|action| {
        matches!(action, UiAction::CopyText(text) if text.contains("exit code 137") && text.contains("giving up"))
    });
    assert!(copied);
}

#[test]
fn steps_pictures_and_attachments_stand_where_they_belong() {
    let mut window = sized(parts(World::default(), Words::English), [700.0, 2_400.0]);
    for text in [
        "Attachment: layout.css",
        "Image screen.png",
        "4 steps",
        "Read, web/theme.css, Denied",
        "Task, Running, 2 steps",
        "Search, web/a.tsx, Done",
    ] {
        assert!(shows(&window, text), "{text}");
    }
    click(&mut window, "Task, Running");
    assert!(!shows(&window, "Search, web/a.tsx"));
    click(&mut window, "Attachment: layout.css");
    assert!(shows(&window, "margin: 4px;"));
}

#[test]
fn messages_and_code_are_copied_as_they_came() {
    let mut story = Story::new(World::default(), "codex");
    story
        .user("**Hi** there")
        .say("Look:\n\n```rust\nfn f() {}\n```\n")
        .end(1);
    let mut window = window(story);
    for (label, index) in [("Copy message", 0), ("Copy message", 1), ("Copy code", 0)] {
        window
            .get_all_by_label(label)
            .nth(index)
            .expect("a button")
            .click();
        window.run();
    }
    let texts = [
        "**Hi** there",
        "Look:\n\n```rust\nfn f() {}\n```\n",
        "fn f() {}\n",
    ];
    let expected: Vec<UiAction> = texts
        .iter()
        .map(|text| UiAction::CopyText((*text).to_owned()))
        .collect();
    assert_eq!(window.state().actions, expected);
}

#[test]
fn only_web_mail_and_file_links_lead_somewhere() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Hi").say("[a.example](https://a.example) [script](javascript:x) `src/a.rs:7` ![i on b.example](https://b.example/i.png)").end(1);
    let mut window = window(story);
    for label in ["a.example", "src/a.rs:7", "i on b.example"] {
        window
            .get_by_role_and_label(egui::accesskit::Role::Link, label)
            .click();
        window.run();
    }
    assert!(
        window
            .query_by_role_and_label(egui::accesskit::Role::Link, "script")
            .is_none()
    );
    let expected = [
        UiAction::OpenUrl("https://a.example".to_owned()),
        UiAction::OpenFile {
            path: PathBuf::from(FOLDER).join("src/a.rs"),
            line: Some(7),
        },
        UiAction::OpenUrl("https://b.example/i.png".to_owned()),
    ];
    assert_eq!(window.state().actions, expected);
}

#[test]
fn an_empty_session_says_what_to_do() {
    assert!(shows(
        &window(Story::new(World::default(), "codex")),
        "What should Codex work on?"
    ));
    let demo = window(Story::new(World::default(), "demo"));
    assert!(shows(&demo, "No account, no network"));
}

#[test]
fn only_a_running_duration_asks_for_another_frame() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Hi").say("Done.").end(1);
    let repaint = |window: &crate::Window| {
        let outputs = &window.output().viewport_output;
        outputs.values().next().expect("a window").repaint_delay
    };
    assert!(repaint(&window(story)) > Duration::from_mins(1));

    let mut story = Story::new(World::default(), "codex");
    story.user("Hi");
    story.begin(ToolKind::Execute, "sleep", json!({"command": "sleep 9"}));
    story.wait(3_000);
    let window = window(story);
    assert!(shows(&window, "Run, sleep 9, Running, 3.0 s"));
    assert!(repaint(&window) <= Duration::from_millis(500));
}

#[test]
fn the_keyboard_reaches_what_can_be_clicked() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Hi");
    story.call(
        ToolKind::Execute,
        "ls",
        json!({"command": "ls"}),
        500,
        done(ToolCallStatus::Completed, output("a\nb")),
    );
    story.say("[web](https://a.example)").end(1);
    let mut window = window(story);
    leave_fields(&mut window);
    let mut reached = Vec::new();
    for _ in 0..30 {
        window.key_press(egui::Key::Tab);
        window.run();
        for label in ["Run, ls, Done", "web", "Copy message"] {
            if window
                .query_all_by_label_contains(label)
                .any(|node| node.is_focused())
            {
                reached.push(label);
            }
        }
    }
    for label in ["Run, ls, Done", "web", "Copy message"] {
        assert!(reached.contains(&label), "{label}: {reached:?}");
    }
    find(&window, "Run, ls, Done").focus();
    window.run();
    window.key_press(egui::Key::Enter);
    window.run();
    assert!(shows(&window, "Copy output"));
}

#[test]
fn long_output_scrolls_until_all_of_it_is_wanted() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Hi");
    let lines: Vec<String> = (1..=200).map(|n| format!("line {n}")).collect();
    story.call(
        ToolKind::Execute,
        "seq",
        json!({"command": "seq"}),
        500,
        done(ToolCallStatus::Completed, output(&lines.join("\n"))),
    );
    story.end(1);
    let mut window = sized(story, [700.0, 6_000.0]);
    click(&mut window, "Run, seq");
    let closed = find(&window, "Show all 200 lines").rect().top();
    click(&mut window, "Show all 200 lines");
    assert!(find(&window, "Show less").rect().top() > closed + 3_000.0);
    click(&mut window, "Show less");
    assert!(shows(&window, "Show all 200 lines"));
}

#[test]
fn changes_count_their_lines() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Hi");
    let content = diff("new.txt", None, "a\nb\nc\n");
    story.call(
        ToolKind::Edit,
        "Write",
        json!({}),
        500,
        done(ToolCallStatus::Completed, content),
    );
    let mut window = window(story);
    click(&mut window, "Edit, new.txt, Done, +3");
    assert!(shows(&window, "New file"));
}

#[test]
fn a_session_and_its_blocks_are_copied_as_markdown() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Rename *it*").think("Hm.");
    let input = json!({"command": "cargo test"});
    let end = done(ToolCallStatus::Completed, output("```console\nok\n```"));
    story.call(ToolKind::Execute, "cargo test", input, 1_500, end);
    let change = diff("src/a.rs", Some("let a = 1;\n"), "let b = 1;\n");
    let end = done(ToolCallStatus::Failed, change);
    story.call(ToolKind::Edit, "edit", json!({}), 50, end);
    story.say("Done, **nearly**.").end(1);
    let mut window = window(story);
    press(
        &mut window,
        Modifiers::COMMAND | Modifiers::SHIFT,
        egui::Key::M,
    );
    let copied = |window: &mut Window| {
        let actions = std::mem::take(&mut window.state_mut().actions);
        let copied = actions.into_iter().find_map(|action| match action {
            UiAction::CopyText(text) => Some(text),
            _ => None,
        });
        copied.expect("something was copied")
    };
    insta::assert_snapshot!(copied(&mut window));
    click(&mut window, "Run, cargo test");
    click(&mut window, "Copy as Markdown");
    assert_eq!(
        copied(&mut window),
        "**Run** `cargo test` — Done, 1.5 s\n\n```sh\ncargo test\n```\n\n```\nok\n```\n"
    );
}

#[test]
fn a_command_is_shown_as_in_a_terminal_with_its_exit_code() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Build it");
    let input = json!({"command": "make"});
    let printed = "\u{1B}[32mok\u{1B}[0m 10 %\r\u{1B}[Kok 100 %\nFAILED\n";
    let end = ToolCallPatch {
        raw_output: Some(json!({"exitCode": 2, "truncated": true}).into()),
        ..done(ToolCallStatus::Failed, output(printed))
    };
    story.call(ToolKind::Execute, "make", input, 1_500, end);
    let mut window = window(story);
    click(&mut window, "Run, make");
    assert!(shows(&window, "ok 100 %\nFAILED") && !shows(&window, "10 %\n"));
    assert!(shows(&window, "Exit code 2") && shows(&window, "left out some of the output"));
    let copy = window.query_all_by_label("Copy output").last();
    copy.expect("a button").click();
    window.run();
    assert!(
        window
            .state()
            .actions
            .contains(&UiAction::CopyText("ok 100 %\nFAILED".to_owned()))
    );
}

#[test]
fn a_search_shows_its_hits_by_file_and_opens_them() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Find it");
    let found = "src/a.rs:12:fn main() {\nsrc/b.rs:3:main();\nsrc/a.rs:40:// main\n";
    let end = done(ToolCallStatus::Completed, output(found));
    story.call(
        ToolKind::Search,
        "grep",
        json!({"pattern": "main"}),
        50,
        end,
    );
    let mut window = window(story);
    click(&mut window, "Search, main");
    assert!(shows(&window, "Open src/a.rs:40, // main"));
    click(&mut window, "Open src/b.rs:3");
    let expected = UiAction::OpenFile {
        path: PathBuf::from(FOLDER).join("src/b.rs"),
        line: Some(3),
    };
    assert!(window.state().actions.contains(&expected));
}

#[test]
fn many_steps_of_a_subagent_scroll_in_a_box_and_its_silence_is_told() {
    let mut story = Story::new(World::default(), "claude-code");
    story.user("Look around");
    let parent = story.begin(ToolKind::Think, "Look around", json!({}));
    let patch = ToolCallPatch {
        subagent: Some(Subagent {
            total_tokens: Some(12_400),
            ..Subagent::default()
        }),
        ..ToolCallPatch::default()
    };
    story.patch(&parent, patch);
    for n in 0..30 {
        let input = json!({"file_path": format!("file-{n}.rs")});
        let step = story.begin(ToolKind::Read, "Read", input);
        let end = ToolCallPatch {
            parent: Some(parent.clone()),
            ..done(ToolCallStatus::Completed, output("text"))
        };
        story.patch(&step, end);
    }
    story.wait(19_000);
    let mut window = window(story);
    assert!(shows(&window, "updated 19 s ago") && shows(&window, "12.4k tokens"));
    find(&window, "30 steps").click();
    window.run_steps(8);
    // The box follows its end.
    assert!(shows(&window, "file-29.rs") && !shows(&window, "file-3.rs"));
}

#[test]
fn the_same_long_output_again_costs_only_what_is_new() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Build it");
    let call = story.begin(ToolKind::Execute, "make", json!({"command": "make"}));
    let lines: Vec<String> = (0..35_000).map(|n| format!("compiling {n}\n")).collect();
    let mut text: String = lines.concat();
    story.patch(&call, done(ToolCallStatus::InProgress, output(&text)));
    story.open(1, FoldPart::Body);
    let session = story.session;
    let mut window = window_still(story);
    for n in 0..20 {
        text += &["linking ", &n.to_string(), "\n"].concat();
        let event = agent_panel::core::event::SessionEvent::ToolCallPatched {
            id: call.clone(),
            patch: Box::new(done(ToolCallStatus::InProgress, output(&text))),
        };
        window.state_mut().session_event(session, event);
        window.run_steps(2);
        assert!(shows(&window, &format!("linking {n}")));
        assert!(
            view(&window).stats.laid_out <= 3,
            "{:?}",
            view(&window).stats
        );
    }
}

#[test]
fn a_link_that_does_not_say_where_it_leads_asks_first() {
    let mut story = Story::new(World::default(), "codex");
    story
        .user("Hi")
        .say("See [https://bank.example](https://evil.example/login).")
        .end(1);
    let mut window = window(story);
    let open = |window: &mut Window| {
        let link =
            window.get_by_role_and_label(egui::accesskit::Role::Link, "https://bank.example");
        link.click();
        window.run();
    };
    open(&mut window);
    assert!(window.state().actions.is_empty());
    assert!(shows(&window, "This link leads to evil.example"));
    window.get_by_label("Open").click();
    window.run();
    let expected = UiAction::OpenUrl("https://evil.example/login".to_owned());
    assert_eq!(window.state().actions, [expected]);
    assert!(!shows(&window, "This link leads to"));
    open(&mut window);
    click(&mut window, "Dismiss");
    assert_eq!(window.state().actions.len(), 1);
}
