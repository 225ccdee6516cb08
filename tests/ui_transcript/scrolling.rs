//! The line under the eye stays, the end is followed, and nothing costs more in a long session.

use agent_panel::core::ids::ToolCallId;
use agent_panel::core::tool_call::{ToolCallStatus, ToolKind};
use egui::{Event, Key, Modifiers, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use serde_json::json;

use crate::selecting::wheel;
use crate::story::{Story, done, output};
use crate::world::World;
use crate::{Window, click, find, leave_fields, press, shows, sized, view, window};

/// What moves less than this is not seen to move.
const UNSEEN: f32 = 2.0;

/// Turns with a question and an answer each, numbered from 0.
fn long(turns: u64) -> Story {
    let mut story = Story::new(World::default(), "codex");
    for turn in 0..turns {
        story.user(&format!("Question {turn}"));
        let words = "words that go on and on ".repeat(1 + (turn % 7) as usize * 6);
        story
            .say(&format!("Answer {turn}\n\n{words}\n\n- one\n- two\n"))
            .end(turn + 1);
    }
    story
}

fn top(window: &Window, part: &str) -> f32 {
    find(window, part).rect().top()
}

/// The newest question whose card is in view. The first one is also the title of the session.
fn question_in_view(window: &Window) -> String {
    let labels = (1..60).rev().map(|n| format!("Question {n}"));
    labels
        .into_iter()
        .find(|label| window.query_by_label(label).is_some())
        .expect("a question in view")
}

fn scroll(window: &mut Window, by: f32) {
    window.event(Event::PointerMoved(pos2(350.0, 250.0)));
    wheel(window, by);
}

#[test]
fn the_end_is_in_view_and_stays_in_view() {
    let mut window = window(long(40));
    assert!(shows(&window, "Answer 39") && !shows(&window, "Answer 20"));
    assert!(view(&window).is_at_end());
    for turn in 40..44 {
        let world = window.state_mut();
        let session = world.state.shown.expect("a session");
        world.prompt(session, &format!("Question {turn}"));
        window.run();
        assert!(shows(&window, &format!("Question {turn}")));
        window.state_mut().end_turn(session, turn + 1);
        window.run();
    }
    assert!(view(&window).is_at_end());
}

#[test]
fn a_growing_answer_keeps_its_end_in_view() {
    let mut story = long(3);
    story.user("Go on");
    let session = story.session;
    let mut window = window(story);
    for line in 0..60 {
        let event = agent_panel::core::event::SessionEvent::Text {
            kind: agent_panel::core::transcript::MessageKind::Agent,
            text: format!("paragraph {line}\n\n"),
            message_id: None,
        };
        window.state_mut().session_event(session, event);
        window.step();
        let rect = find(&window, &format!("paragraph {line}")).rect();
        assert!(rect.bottom() < 600.0 && rect.top() > 0.0, "{line}: {rect}");
    }
}

#[test]
fn scrolling_back_leaves_the_end_and_the_pill_leads_to_it() {
    let mut window = window(long(40));
    assert!(!shows(&window, "Latest"));
    scroll(&mut window, 400.0);
    assert!(!view(&window).is_at_end());
    assert!(shows(&window, "Latest"));
    let label = question_in_view(&window);
    let before = top(&window, &label);

    let world = window.state_mut();
    let session = world.state.shown.expect("a session");
    world.prompt(session, "One more");
    window.run();
    assert!(shows(&window, "Latest, 1 new"));
    assert!((top(&window, &label) - before).abs() <= UNSEEN);

    click(&mut window, "Latest, 1 new");
    assert!(view(&window).is_at_end() && shows(&window, "One more") && !shows(&window, "Latest"));
}

#[test]
fn no_line_moves_when_rows_come_into_view_from_above() {
    let mut window = window(long(60));
    for _ in 0..20 {
        let question = (0..60).rev().find(|n| {
            window
                .query_by_label(&format!("Question {n}"))
                .is_some_and(|node| {
                    let top = node.rect().top();
                    (80.0..250.0).contains(&top)
                })
        });
        let Some(question) = question else {
            scroll(&mut window, 60.0);
            continue;
        };
        let label = format!("Question {question}");
        let before = top(&window, &label);
        scroll(&mut window, 120.0);
        let moved = top(&window, &label) - before;
        assert!((moved - 120.0).abs() <= UNSEEN, "{label} moved by {moved}");
    }
}

#[test]
fn the_line_stays_when_something_above_it_grows_or_folds() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Question 0");
    let running = story.begin(ToolKind::Execute, "build", json!({"command": "build"}));
    for turn in 1..30 {
        story.say(&format!("Answer {turn}\n\nmore\n\nand more\n\n"));
        story.think("Hm.");
    }
    let mut window = window(story);
    leave_fields(&mut window);
    press(&mut window, Modifiers::NONE, Key::Home);
    click(&mut window, "Run, build");
    scroll(&mut window, -160.0);
    let before = top(&window, "Answer 3");
    grow(&mut window, &running, 40);
    // It is cut by the upper edge and grows downwards there; the first thing that begins in view stays.
    assert!((top(&window, "Answer 3") - before).abs() <= UNSEEN || !shows(&window, "Answer 1"));

    scroll(&mut window, -700.0);
    let label = (3..30)
        .map(|n| format!("Answer {n}"))
        .find(|label| shows(&window, label))
        .expect("an answer in view");
    let before = top(&window, &label);
    grow(&mut window, &running, 400);
    assert!((top(&window, &label) - before).abs() <= UNSEEN, "{label}");
    let session = window.state().state.shown.expect("a session");
    let view = window
        .state_mut()
        .state
        .transcripts
        .get_mut(&session)
        .expect("a view");
    view.folds.set(
        agent_panel::core::ids::BlockId(1),
        agent_panel::ui::transcript::folds::FoldPart::Body,
        false,
    );
    window.run();
    assert!((top(&window, &label) - before).abs() <= UNSEEN, "{label}");
}

fn grow(window: &mut Window, call: &ToolCallId, lines: usize) {
    let text: Vec<String> = (0..lines).map(|n| format!("built {n}")).collect();
    let session = window.state().state.shown.expect("a session");
    let patch = done(ToolCallStatus::InProgress, output(&text.join("\n")));
    let event = agent_panel::core::event::SessionEvent::ToolCallPatched {
        id: call.clone(),
        patch: Box::new(patch),
    };
    window.state_mut().session_event(session, event);
    window.run();
}

#[test]
fn the_line_stays_when_the_width_changes() {
    let mut window = window(long(60));
    scroll(&mut window, 2_000.0);
    for width in [520.0, 460.0, 900.0, 700.0] {
        let visible = |window: &Window| {
            (0..60).map(|n| format!("Question {n}")).find(|label| {
                window
                    .query_by_label(label)
                    .is_some_and(|node| node.rect().top() > 45.0)
            })
        };
        let label = visible(&window).expect("a question in view");
        let before = top(&window, &label);
        window.set_size(vec2(width, 600.0));
        window.run();
        let after = top(&window, &label);
        let first = visible(&window).expect("a question in view");
        // The topmost thing in view may be the answer above, whose lines are others now.
        assert!(
            first == label || after < before + UNSEEN + 200.0,
            "{width}: {label} from {before} to {after}"
        );
    }
}

#[test]
fn keys_move_by_pages_ends_and_questions() {
    let mut window = window(long(40));
    leave_fields(&mut window);
    press(&mut window, Modifiers::NONE, Key::PageUp);
    assert!(!view(&window).is_at_end() && !shows(&window, "Answer 39"));
    press(&mut window, Modifiers::NONE, Key::PageDown);
    assert!(view(&window).is_at_end());
    press(&mut window, Modifiers::NONE, Key::Home);
    assert!(shows(&window, "Answer 0") && shows(&window, "Question 1"));
    press(&mut window, Modifiers::ALT, Key::ArrowDown);
    assert!(!shows(&window, "Answer 0"));
    let first = top(&window, "Question 1");
    assert!(first < 90.0, "{first}");
    press(&mut window, Modifiers::ALT, Key::ArrowDown);
    assert!((top(&window, "Question 2") - first).abs() <= UNSEEN);
    press(&mut window, Modifiers::ALT, Key::ArrowUp);
    assert!((top(&window, "Question 1") - first).abs() <= UNSEEN);
    press(&mut window, Modifiers::NONE, Key::End);
    assert!(view(&window).is_at_end());
}

#[test]
fn home_and_end_belong_to_a_field_that_is_edited() {
    let mut window = window(long(40));
    window.get_by_label("Message").focus();
    window.run();
    press(&mut window, Modifiers::NONE, Key::Home);
    assert!(view(&window).is_at_end());
    press(&mut window, Modifiers::NONE, Key::PageUp);
    assert!(!view(&window).is_at_end());
}

#[test]
fn each_session_keeps_its_place() {
    let mut story = long(40);
    let first = story.session;
    let second = story.world.open("codex");
    story.world.state.shown = Some(first);
    let mut window = window(story);
    scroll(&mut window, 700.0);
    let label = question_in_view(&window);
    let before = top(&window, &label);
    window.state_mut().state.shown = Some(second);
    window.run();
    assert!(!shows(&window, &label));
    window.state_mut().state.shown = Some(first);
    window.run();
    assert!((top(&window, &label) - before).abs() <= UNSEEN);
}

#[test]
fn a_frame_costs_the_same_in_a_long_session() {
    let cost = |turns: u64| {
        let mut window = window(long(turns));
        scroll(&mut window, 900.0);
        scroll(&mut window, 300.0);
        let idle = view(&window).stats;
        let world = window.state_mut();
        let session = world.state.shown.expect("a session");
        world.prompt(session, "One more");
        window.step();
        (idle.looked_at, idle.drawn, view(&window).stats.looked_at)
    };
    let (looked_at, drawn, looked_at_new) = cost(2_000);
    assert_eq!(looked_at, 0);
    assert!(drawn < 20, "{drawn}");
    assert!(looked_at_new <= 2, "{looked_at_new}");
    let (_, drawn_short, _) = cost(50);
    assert!(
        drawn.abs_diff(drawn_short) < 10,
        "{drawn} and {drawn_short}"
    );
}

#[test]
fn forgetting_all_layouts_changes_nothing() {
    let mut window = sized(long(60), [700.0, 600.0]);
    scroll(&mut window, 1_500.0);
    let label = question_in_view(&window);
    let before = top(&window, &label);
    let session = window.state().state.shown.expect("a session");
    window
        .state_mut()
        .state
        .transcripts
        .get_mut(&session)
        .expect("a view")
        .forget_layouts();
    window.run();
    assert!((top(&window, &label) - before).abs() <= UNSEEN);
}
