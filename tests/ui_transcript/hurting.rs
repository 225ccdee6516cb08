//! Case O-08: texts meant to hurt, streamed in small pieces.

use agent_panel::core::event::SessionEvent;
use agent_panel::core::transcript::MessageKind;
use agent_panel::ui::cx::UiAction;
use egui_kittest::kittest::Queryable as _;

use crate::story::Story;
use crate::world::World;
use crate::{Window, shows, view, window};

/// Parts of texts that a UI frame may lay out.
const LAID_OUT_MOST: usize = 60;

fn texts() -> Vec<(&'static str, String)> {
    let row = |cell: &str| format!("|{}\n", format!("{cell}|").repeat(5_000));
    let definition = |n: usize| {
        let (note, link) = ((n + 1) % 400, (n + 7) % 400);
        format!("[d{n}]: https://a.example/{n}\n[^f{n}]: see [^f{note}] and [d{link}]\n\n")
    };
    vec![
        ("open fence", "````rust\nfn f() {}\n```\nnot closed\n".to_owned()),
        ("wide table", row("a") + &row("-") + &row("b") + &row("c")),
        ("nested quotes", ">".repeat(2_000) + " deep"),
        ("stars", "*".repeat(10_000)),
        ("open link", format!("[a]({}", "x".repeat(200_000))),
        ("references", (0..400).map(definition).collect::<Vec<_>>().concat()),
        ("html", "<script>alert(1)</script>\n<img src=x onerror=y>\n[a](file:///etc/hosts) ![i](http://x.example/i.png)\n".to_owned()),
        ("long line", "0123456789".repeat(200_000)),
        ("two fences", "```\na\n```\n```\nb\n```\n".to_owned()),
    ]
}

/// Of a long text, only the end arrives in small chunks.
const SMALL_CHUNKS_BYTES: usize = 20_000;

/// Streams a text in chunks of 1 to 7 characters, and draws the window now and then.
fn stream(window: &mut Window, text: &str) {
    let session = window.state().state.shown.expect("a session");
    let frames = 40;
    let (mut start, mut size, mut drawn) = (0, 0, 0);
    while start < text.len() {
        size = size % 7 + 1;
        let is_long = text.len() - start > SMALL_CHUNKS_BYTES;
        let chunk = if is_long { size * 131 } else { size };
        let end = text.floor_char_boundary((start + chunk).min(text.len()));
        let event = SessionEvent::Text {
            kind: MessageKind::Agent,
            text: text.get(start..end).expect("a boundary").to_owned(),
            message_id: None,
        };
        window.state_mut().session_event(session, event);
        start = end;
        if start * frames / text.len() > drawn {
            drawn = start * frames / text.len();
            window.step();
            let laid_out = view(window).stats.laid_out;
            assert!(laid_out <= LAID_OUT_MOST, "{laid_out} parts in one frame");
        }
    }
}

#[test]
fn texts_meant_to_hurt_are_shown_and_copied_whole() {
    for (name, text) in texts() {
        let mut story = Story::new(World::default(), "codex");
        story.user("Go");
        let mut window = window(story);
        stream(&mut window, &text);
        let session = window.state().state.shown.expect("a session");
        window.state_mut().end_turn(session, 1);
        window.run();
        assert!(view(&window).is_at_end(), "{name}");
        // A long text is entered from its end; the button is at its start.
        let blocks = window
            .state()
            .hub
            .session(session)
            .expect("a session")
            .transcript()
            .blocks();
        let last = blocks.last().expect("a message");
        let agent_panel::core::transcript::BlockContent::AgentMessage(message) = &last.content
        else {
            panic!("{name}: no message")
        };
        assert!(message.text == text, "{name}: not all of it arrived");
        if let Some(copy) = window.query_all_by_label("Copy message").last() {
            copy.click();
            window.run();
            let copied = window
                .state()
                .actions
                .iter()
                .any(|action| *action == UiAction::CopyText(text.clone()));
            assert!(copied || text.len() > 2_000, "{name}");
        }
    }
}

#[test]
fn an_open_fence_stays_a_code_block_and_html_stays_text() {
    let mut story = Story::new(World::default(), "codex");
    story
        .user("Go")
        .say("````rust\nfn f() {}\n```\nstill code")
        .end(1);
    let mut window = window(story);
    assert!(shows(&window, "Copy code"));
    assert!(shows(&window, "still code"));
    let session = window.state().state.shown.expect("a session");
    window.state_mut().prompt(session, "Go");
    let event = SessionEvent::Text {
        kind: MessageKind::Agent,
        text: "<script>alert(1)</script>".to_owned(),
        message_id: None,
    };
    window.state_mut().session_event(session, event);
    window.run();
    assert!(shows(&window, "<script>alert(1)</script>"));
}
