//! What counts as an answer: nothing that happens before the card has stood still for a moment.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use egui::{Key, Modifiers, PointerButton, Response, Ui};

use crate::core::ids::{RequestId, SessionKey};
use crate::core::permission::PermissionRequest;
use crate::core::time::Timestamp;
use crate::ui::state::{PermissionState, Press, ShownRequest, WindowState};
use crate::ui::transcript::plan_text;

/// How long the card ignores everything after it appeared, moved or changed, in milliseconds.
pub const GUARD_MILLIS: u64 = 500;
/// How long the window must have had the keyboard before a click counts, in milliseconds: the click that activates
/// the window is none.
pub const ACTIVATION_MILLIS: u64 = 300;

/// Notes what stands on the screen, and where. Any difference starts the guard again.
pub(super) fn note(
    state: &mut PermissionState,
    session: SessionKey,
    request: &PermissionRequest,
    place: u64,
    now: Timestamp,
) {
    let content = content_of(request);
    let mut was_changed = false;
    if let Some(shown) = &state.shown
        && shown.session == session
        && shown.request == request.id
    {
        if shown.content == content && shown.place == place {
            return;
        }
        was_changed = shown.was_changed || shown.content != content;
    }
    state.pressed = None;
    state.shown = Some(ShownRequest {
        session,
        request: request.id.clone(),
        content,
        place,
        since: now,
        was_changed,
    });
}

/// How long the guard still holds, in milliseconds; 0 when input counts.
pub(super) fn remaining_millis(
    state: &PermissionState,
    request: &RequestId,
    now: Timestamp,
) -> u64 {
    match &state.shown {
        Some(shown) if shown.request == *request => {
            GUARD_MILLIS.saturating_sub(now.millis_since(shown.since))
        }
        Some(_) | None => GUARD_MILLIS,
    }
}

/// Whether the window has had the keyboard long enough for a click to be meant.
pub fn is_window_active(window: &WindowState, now: Timestamp) -> bool {
    window
        .focused_since
        .is_some_and(|since| now.millis_since(since) >= ACTIVATION_MILLIS)
}

/// Which option was chosen in this frame, if one was, given what each option's button says.
pub(super) fn chosen_option(
    ui: &Ui,
    state: &mut PermissionState,
    request: &RequestId,
    buttons: &[Response],
    counts: Counts,
) -> Option<usize> {
    if ui.input(|input| input.pointer.primary_pressed()) {
        let is_on = |button: &Response| {
            button.is_pointer_button_down_on() || button.clicked_by(PointerButton::Primary)
        };
        let on = buttons.iter().position(is_on);
        state.pressed = on.filter(|_| counts == Counts::All).map(|option| Press {
            request: request.clone(),
            option,
        });
    }
    let clicked = buttons.iter().position(Response::clicked)?;
    let by_pointer = buttons
        .get(clicked)
        .is_some_and(|button| button.clicked_by(PointerButton::Primary));
    let pressed = state.pressed.take();
    let is_meant = if by_pointer {
        let press = Press {
            request: request.clone(),
            option: clicked,
        };
        counts == Counts::All && pressed == Some(press)
    } else {
        // Enter or Space on a button that was reached with Tab, or assistive technology.
        let has_come_now = buttons.get(clicked).is_some_and(Response::gained_focus);
        counts != Counts::Nothing && !has_come_now && !is_repeated(ui)
    };
    is_meant.then_some(clicked)
}

/// What counts as an answer now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counts {
    /// The card has just appeared, moved or changed.
    Nothing,
    /// The window has just got the keyboard: no clicks yet.
    Keys,
    All,
}

/// The option whose number was pressed, counted from 0.
pub fn pressed_number(ui: &Ui) -> Option<usize> {
    const NUMBERS: [Key; 9] = [
        Key::Num1,
        Key::Num2,
        Key::Num3,
        Key::Num4,
        Key::Num5,
        Key::Num6,
        Key::Num7,
        Key::Num8,
        Key::Num9,
    ];
    ui.input(|input| {
        input.events.iter().find_map(|event| match event {
            egui::Event::Key {
                key,
                pressed: true,
                repeat: false,
                modifiers: Modifiers::NONE,
                ..
            } => NUMBERS.iter().position(|number| number == key),
            _ => None,
        })
    })
}

fn is_repeated(ui: &Ui) -> bool {
    ui.input(|input| {
        input
            .events
            .iter()
            .any(|event| matches!(event, egui::Event::Key { repeat: true, .. }))
    })
}

/// A number that changes when the request says something else.
fn content_of(request: &PermissionRequest) -> u64 {
    let mut hasher = DefaultHasher::new();
    let call = &request.tool_call;
    call.title.hash(&mut hasher);
    (call.kind as u8).hash(&mut hasher);
    super::subject::subject(call).hash(&mut hasher);
    plan_text::proposed(call).hash(&mut hasher);
    let input = call.input();
    input.map(|input| input.to_string()).hash(&mut hasher);
    for option in &request.options {
        (option.id.as_str(), &option.name, &option.scope).hash(&mut hasher);
        (option.kind.allows(), option.kind.rejects()).hash(&mut hasher);
    }
    hasher.finish()
}

/// A number that changes when a button stands elsewhere.
pub(super) fn place_of(buttons: &[Response]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for button in buttons {
        let rect = button.rect;
        for edge in [rect.left(), rect.top(), rect.right(), rect.bottom()] {
            (edge.round() as i64).hash(&mut hasher);
        }
    }
    hasher.finish()
}
