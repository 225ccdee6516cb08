//! Where the person writes: one card with the text, what goes with it, and the row of controls.

mod attachments;
mod choices;
mod controls;
mod level;
mod queue;
mod slash;

use egui::text::{CCursor, CCursorRange};
use egui::{Context, Frame, Id, Key, Margin, Rect, ScrollArea, Stroke, TextEdit, Ui};

use crate::core::command::{Command, Prompt};
use crate::core::controls::AvailableCommand;
use crate::core::ids::SessionKey;
use crate::core::session::{Phase, Session};
use crate::core::settings::SendKey;
use crate::core::transcript::BlockContent;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::panels::names;
use crate::ui::state::{Draft, UiState};
use crate::ui::theme::COMPOSER_RADIUS;
use crate::ui::widgets::text_field::{EnterKey, FieldOutput, TextField};

use slash::Sent;

pub use attachments::takes_pictures;

/// The share of the window's height that the text may take.
const TEXT_HEIGHT_MOST: f32 = 0.4;

/// The id of the field, for those who give it the keyboard.
pub fn field_id(session: SessionKey) -> Id {
    Id::unique(("composer", session.0))
}

/// The keys that send, in words.
pub(super) fn send_keys(ctx: &Context, send_key: SendKey) -> String {
    let modifiers = match send_key {
        SendKey::Enter => egui::Modifiers::NONE,
        SendKey::CommandEnter => egui::Modifiers::COMMAND,
    };
    ctx.format_shortcut(&egui::KeyboardShortcut::new(modifiers, Key::Enter))
}

/// Shows the composer of the shown session, from the top of its ui down.
pub fn composer_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    let Some(session) = state.shown.and_then(|key| cx.hub.session(key)) else {
        return;
    };
    ui.spacing_mut().item_spacing.y = 0.0;
    queue::queue_ui(ui, cx, session, state.draft());
    let id = field_id(session.key());
    if std::mem::take(&mut state.focus_composer) {
        ui.memory_mut(|memory| memory.request_focus(id));
    }
    let has_focus = ui.memory(|memory| memory.has_focus(id)) && ui.input(|input| input.focused);
    let theme = cx.theme;
    let frame = Frame {
        inner_margin: Margin {
            left: 8,
            right: 8,
            top: 10,
            bottom: 8,
        },
        fill: theme.raised,
        stroke: Stroke::new(
            1.0,
            if has_focus {
                theme.focus_border()
            } else {
                theme.border
            },
        ),
        corner_radius: COMPOSER_RADIUS,
        ..Frame::NONE
    };
    let top = ui.cursor().top();
    let (text_changed, is_sent) = frame
        .show(ui, |ui| {
            let mut changed = attachments::attachments_ui(ui, cx, state.draft());
            let width = ui.available_width() + 16.0;
            let card = Rect::from_min_size(
                egui::pos2(ui.cursor().left() - 8.0, top),
                egui::vec2(width, 0.0),
            );
            let (field_changed, submitted) = field_ui(ui, cx, state, session, card);
            changed |= field_changed;
            ui.add_space(8.0);
            let clicked = controls::controls_ui(ui, cx, state, session);
            (changed, submitted || clicked)
        })
        .inner;
    if has_focus {
        attachments::take_pasted_ui(ui, cx, state, session);
    }
    if is_sent {
        send_ui(ui, cx, state, session);
    } else if text_changed && !state.composer.is_composing {
        state.drafts_changed = true;
    }
}

fn send_ui(ui: &Ui, cx: &mut UiCx<'_>, state: &mut UiState, session: &Session) {
    let draft = state.draft();
    if draft.is_empty() {
        return;
    }
    let key = session.key();
    // A command takes nothing along: what is attached stays for the next message.
    match slash::sent(&draft.text) {
        Some(Sent::Clear) => cx.actions.push(UiAction::NewSession),
        Some(Sent::Mcp) => cx.commands.push(Command::ShowMcp { session: key }),
        Some(Sent::Agents) => cx.commands.push(Command::Prompt {
            session: key,
            prompt: Prompt::text(draft.text.trim()),
        }),
        None => cx.commands.push(Command::Prompt {
            session: key,
            prompt: draft.take(),
        }),
    }
    draft.text.clear();
    draft.recalled = None;
    state.drafts_changed = true;
    state.composer.closed_for = None;
    ui.memory_mut(|memory| memory.request_focus(field_id(session.key())));
}

/// The text with the list of commands over it: whether the draft has changed, and whether Enter sends it.
fn field_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    state: &mut UiState,
    session: &Session,
    card: Rect,
) -> (bool, bool) {
    let id = field_id(session.key());
    let text = state.draft().text.clone();
    let has_focus = ui.memory(|memory| memory.has_focus(id));
    let is_closed = state.composer.closed_for.as_ref() == Some(&text);
    let offered =
        slash::offered(cx.i18n, session.commands(), &text).filter(|_| has_focus && !is_closed);
    let claimed = claimed_keys(state.draft(), offered.as_deref());
    let output = text_ui(ui, cx, state, session, claimed);
    state.composer.is_composing = output.is_composing;
    let mut changed = output.response.changed();
    if changed {
        state.draft().recalled = None;
        state.composer.highlighted = 0;
        state.composer.closed_for = None;
    }
    let Some(offered) = offered else {
        for key in &output.keys {
            recall(state.draft(), session, *key);
            put_cursor_at_end(ui.ctx(), id, &state.draft().text);
            changed = true;
        }
        return (changed, output.submitted);
    };
    let highlighted = state.composer.highlighted;
    let clicked = slash::commands_ui(ui.ctx(), cx, card, &offered, highlighted);
    let (chosen, sends) = slash_keys(state, &offered, &output.keys, clicked);
    if let Some(command) = chosen {
        state.draft().text = slash::completed(&command);
        put_cursor_at_end(ui.ctx(), id, &state.draft().text);
        ui.memory_mut(|memory| memory.request_focus(id));
        changed = true;
    }
    (changed, sends || output.submitted)
}

fn text_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    state: &mut UiState,
    session: &Session,
    claimed: &[Key],
) -> FieldOutput {
    let i18n = cx.i18n;
    let hint = placeholder(cx, session);
    let enter_key = match cx.settings.send_key {
        SendKey::Enter => EnterKey::Submits,
        SendKey::CommandEnter => EnterKey::StartsLine,
    };
    let most = ui.ctx().content_rect().height() * TEXT_HEIGHT_MOST;
    ScrollArea::vertical()
        .id_salt(("composer text", session.key().0))
        .max_height(most)
        .show(ui, |ui| {
            let inner = Frame::NONE.inner_margin(Margin::symmetric(6, 0));
            inner
                .show(ui, |ui| {
                    let id = field_id(session.key());
                    let text = &mut state.draft().text;
                    TextField::new(id, text, i18n.tr("composer.message"))
                        .hint(&hint)
                        .enter_key(enter_key)
                        .claim(claimed)
                        .show_ui(ui, cx.theme)
                })
                .inner
        })
        .inner
}

fn placeholder(cx: &UiCx<'_>, session: &Session) -> String {
    let i18n = cx.i18n;
    let agent = names::agent(cx, session);
    match session.phase() {
        Phase::SignInNeeded => i18n.tr("composer.placeholder.sign_in").to_owned(),
        Phase::Failed => i18n.tr("composer.placeholder.unavailable").to_owned(),
        Phase::TrustNeeded
        | Phase::Connecting
        | Phase::Opening(_)
        | Phase::Ready
        | Phase::AgentGone => {
            let key = if session.is_busy() {
                "composer.placeholder.working"
            } else {
                "composer.placeholder"
            };
            i18n.tr_args(key, &[("agent", agent.into())])
        }
    }
}

fn claimed_keys(draft: &Draft, offered: Option<&[AvailableCommand]>) -> &'static [Key] {
    const LIST: [Key; 5] = [
        Key::ArrowUp,
        Key::ArrowDown,
        Key::Tab,
        Key::Enter,
        Key::Escape,
    ];
    const EMPTY_LIST: [Key; 1] = [Key::Escape];
    const RECALL: [Key; 1] = [Key::ArrowUp];
    const RECALLED: [Key; 2] = [Key::ArrowUp, Key::ArrowDown];
    match offered {
        Some([]) => &EMPTY_LIST,
        Some(_) => &LIST,
        None if draft.recalled.is_some() => &RECALLED,
        None if draft.text.is_empty() => &RECALL,
        None => &[],
    }
}

/// What the keys do while commands are offered: the command that is taken, and whether the text is sent.
fn slash_keys(
    state: &mut UiState,
    offered: &[AvailableCommand],
    keys: &[Key],
    clicked: Option<usize>,
) -> (Option<AvailableCommand>, bool) {
    let count = offered.len();
    let mut chosen = clicked;
    let mut sends = false;
    for key in keys {
        let highlighted = state.composer.highlighted;
        match key {
            Key::ArrowUp if count > 0 => {
                state.composer.highlighted = (highlighted + count - 1) % count;
            }
            Key::ArrowDown if count > 0 => state.composer.highlighted = (highlighted + 1) % count,
            Key::Tab => chosen = Some(highlighted),
            Key::Enter => {
                let is_whole = offered
                    .get(highlighted)
                    .is_some_and(|command| slash::is_complete(command, &state.draft().text));
                if is_whole {
                    sends = true;
                } else {
                    chosen = Some(highlighted);
                }
            }
            _ => state.composer.closed_for = Some(state.draft().text.clone()),
        }
    }
    let chosen = chosen.and_then(|index| offered.get(index).cloned());
    (chosen, sends)
}

/// Brings an earlier prompt of the session back, or a later one.
fn recall(draft: &mut Draft, session: &Session, key: Key) {
    let blocks = session.transcript().blocks().iter().rev();
    let prompts: Vec<&str> = blocks
        .filter_map(|block| match &block.content {
            BlockContent::UserMessage(message) => Some(message.text.as_str()),
            _ => None,
        })
        .collect();
    let next = match (key, draft.recalled) {
        (Key::ArrowUp, None) => Some(0),
        (Key::ArrowUp, Some(shown)) => Some(shown + 1),
        (_, Some(shown)) => shown.checked_sub(1),
        (_, None) => None,
    };
    match next {
        None => {
            draft.recalled = None;
            draft.text.clear();
        }
        Some(index) => {
            if let Some(prompt) = prompts.get(index) {
                draft.recalled = Some(index);
                (*prompt).clone_into(&mut draft.text);
            }
        }
    }
}

fn put_cursor_at_end(ctx: &Context, id: Id, text: &str) {
    let mut state = TextEdit::load_state(ctx, id).unwrap_or_default();
    let end = CCursor::new(text.chars().count());
    state.cursor.set_char_range(Some(CCursorRange::one(end)));
    TextEdit::store_state(ctx, id, state);
}
