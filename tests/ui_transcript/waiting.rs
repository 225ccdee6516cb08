//! A call that waits for the person says so, and nothing is drawn anew meanwhile.

use std::time::Duration;

use agent_panel::core::command::Command;
use agent_panel::core::event::SessionEvent;
use agent_panel::core::ids::{OptionId, RequestId};
use agent_panel::core::tool_call::{ToolCallStatus, ToolKind};
use serde_json::json;

use crate::story::{Story, done, output};
use crate::world::{World, pass};
use crate::{Window, ask, shows, window_still};

fn delay(window: &Window) -> Duration {
    let outputs = &window.output().viewport_output;
    outputs.values().next().expect("a window").repaint_delay
}

#[test]
fn a_card_that_waits_costs_no_frames() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Hi");
    let call = story.begin(ToolKind::Execute, "make", json!({"command": "make"}));
    story.wait(1_500);
    ask(&mut story, &call);
    let session = story.session;
    let mut window = window_still(story);
    // Until a card has stood for a moment it takes no answer, and draws itself once more then.
    pass(&mut window, 5_000);
    pass(&mut window, 60_000);
    assert!(shows(&window, "Run, make, Waiting for you"));
    assert!(
        !shows(&window, "Run, make, Waiting for you, "),
        "no number runs"
    );
    assert!(
        delay(&window) > Duration::from_mins(1),
        "{:?}",
        delay(&window)
    );

    let world = window.state_mut();
    world.apply(Command::AnswerPermission {
        session,
        request: RequestId::Number(7),
        option: OptionId::from("A"),
        message: None,
    });
    pass(&mut window, 1_000);
    assert!(shows(&window, "Run, make, Running, 2.5 s"));
    assert!(delay(&window) <= Duration::from_millis(500));
    let world = window.state_mut();
    let end = SessionEvent::ToolCallPatched {
        id: call,
        patch: Box::new(done(ToolCallStatus::Completed, output("made"))),
    };
    world.session_event(session, end);
    pass(&mut window, 9_000);
    assert!(shows(&window, "Run, make, Done, 2.5 s"));
}
