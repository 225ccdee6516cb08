//! The protocol log: frames by way, method and text, and the way to those of a block.

use agent_panel::core::ids::ConnectionId;
use agent_panel::core::time::Timestamp;
use agent_panel::core::tool_call::ToolKind;
use agent_panel::ui::cx::UiAction;
use agent_panel::ui::state::protocol::{ShownFrame, Way};
use egui_kittest::kittest::Queryable as _;
use serde_json::json;

use crate::story::Story;
use crate::world::World;
use crate::{Window, click, shows, window};

fn frame(number: u64, way: Way, method: &str, text: &str) -> ShownFrame {
    ShownFrame {
        number,
        connection: ConnectionId(1),
        way,
        at: Timestamp(1_000 + number * 250),
        method: method.to_owned(),
        text: text.to_owned(),
        bytes: text.len(),
    }
}

fn log() -> Window {
    let mut story = Story::new(World::default(), "codex");
    story.user("Hello");
    let log = &mut story.world.state.protocol;
    log.open();
    log.take([
        frame(
            0,
            Way::ToAgent,
            "initialize",
            r#"{"id":1,"method":"initialize"}"#,
        ),
        frame(
            1,
            Way::FromAgent,
            "initialize",
            r#"{"id":1,"result":{"v":1}}"#,
        ),
        frame(
            2,
            Way::FromAgent,
            "session/update",
            r#"{"method":"session/update"}"#,
        ),
    ]);
    window(story)
}

#[test]
fn frames_are_chosen_and_shown_in_full() {
    let mut window = log();
    assert!(shows(&window, "3 of 3 frames"));
    click(&mut window, "From the agent, session/update");
    assert!(shows(&window, "\"method\": \"session/update\""));
    let way = window
        .query_all_by_label("To the agent")
        .next()
        .expect("the choice");
    way.click();
    window.run();
    assert!(shows(&window, "1 of 3 frames"));
    click(&mut window, "Save the shown frames");
    assert!(window.state().actions.contains(&UiAction::ExportFrames));
    click(&mut window, "Pause");
    assert!(shows(&window, "Paused") && window.state().state.protocol.next().is_none());
    click(&mut window, "Close the protocol log");
    assert!(!shows(&window, "Protocol log"));
    assert!(window.query_all_by_label("Hello").next().is_some());
}

#[test]
fn a_block_leads_to_its_frames() {
    let mut story = Story::new(World::default(), "codex");
    story.user("Hello");
    let call = story.begin(ToolKind::Execute, "make", json!({"command": "make"}));
    story.say("Done.").end(1);
    let mut window = window(story);
    click(&mut window, "Run, make");
    let buttons = window.query_all_by_label("Show frames");
    // In the order in which they are drawn: the message, the call, the answer.
    let buttons: Vec<_> = buttons.collect();
    assert_eq!(buttons.len(), 3);
    buttons[1].click();
    window.run();
    let expected = UiAction::ShowFrames {
        text: call.as_str().to_owned(),
        span: None,
    };
    assert!(window.state().actions.contains(&expected));
}
