//! The transcript as a person meets it: by its labels, and by what comes of clicks and keys.

#[expect(dead_code, reason = "shared with others")]
#[path = "support/scenes.rs"]
mod scenes;
#[path = "support/story.rs"]
mod story;
#[expect(dead_code, reason = "shared with others")]
#[path = "support/world.rs"]
mod world;

#[path = "ui_transcript/blocks.rs"]
mod blocks;
#[path = "ui_transcript/changes.rs"]
mod changes;
#[path = "ui_transcript/copying.rs"]
mod copying;
#[path = "ui_transcript/finding.rs"]
mod finding;
#[path = "ui_transcript/hurting.rs"]
mod hurting;
#[path = "ui_transcript/long_texts.rs"]
mod long_texts;
#[path = "ui_transcript/plans.rs"]
mod plans;
#[path = "ui_transcript/reading.rs"]
mod reading;
#[path = "ui_transcript/scrolling.rs"]
mod scrolling;
#[path = "ui_transcript/selecting.rs"]
mod selecting;
#[path = "ui_transcript/selecting_among.rs"]
mod selecting_among;
#[path = "ui_transcript/waiting.rs"]
mod waiting;

use agent_panel::core::event::SessionEvent;
use agent_panel::core::ids::{OptionId, RequestId, ToolCallId};
use agent_panel::core::permission::{PermissionOption, PermissionOptionKind};
use agent_panel::core::tool_call::ToolCallPatch;
use agent_panel::ui::transcript::state::TranscriptState;
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, Node};
use story::Story;
use world::{World, built};

type Window = Harness<'static, World>;

fn window(story: Story) -> Window {
    sized(story, [700.0, 600.0])
}

/// A window with something that goes on, so that it never comes to rest.
fn window_still(story: Story) -> Window {
    let builder = Harness::builder().with_max_steps(64);
    let mut window = built(builder, story.world, [700.0, 600.0]);
    window.run_steps(8);
    window
}

fn sized(story: Story, size: [f32; 2]) -> Window {
    // Code is highlighted over several UI frames.
    let builder = Harness::builder().with_max_steps(64);
    let mut window = built(builder, story.world, size);
    window.run();
    window
}

/// The agent asks whether a call may run, as request 7; the option A allows it.
fn ask(story: &mut Story, call: &ToolCallId) {
    let option = PermissionOption {
        id: OptionId::from("A"),
        name: "Allow".to_owned(),
        kind: PermissionOptionKind::AllowOnce,
        scope: None,
    };
    let asked = SessionEvent::PermissionRequested {
        request: RequestId::Number(7),
        tool_call: call.clone(),
        patch: Box::new(ToolCallPatch::default()),
        options: vec![option],
    };
    story.world.session_event(story.session, asked);
}

/// The view of the shown transcript.
fn view(window: &Window) -> &TranscriptState {
    let world = window.state();
    let session = world.state.shown.expect("a session is shown");
    world.state.transcripts.get(&session).expect("it was drawn")
}

/// What is labelled with a text like this.
fn find<'w>(window: &'w Window, part: &'w str) -> Node<'w> {
    assert!(shows(window, part), "nothing is labelled {part:?}");
    let found = window.query_all_by_label_contains(part).next();
    found.expect("it was just found")
}

fn shows(window: &Window, part: &str) -> bool {
    window.query_all_by_label_contains(part).next().is_some()
}

fn click(window: &mut Window, part: &str) {
    find(window, part).click();
    window.run();
}

/// Takes the keyboard from the composer.
fn leave_fields(window: &mut Window) {
    let focused = window.ctx.memory(egui::Memory::focused);
    if let Some(id) = focused {
        window.ctx.memory_mut(|memory| memory.surrender_focus(id));
    }
    window.run();
}

fn press(window: &mut Window, modifiers: egui::Modifiers, key: egui::Key) {
    window.key_press_modifiers(modifiers, key);
    window.run();
}
