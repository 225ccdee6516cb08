//! A refusal with words: what the agent should do instead.

use egui::{Id, Key, Response, ScrollArea, Ui};

use crate::core::ids::OptionId;
use crate::core::permission::{PermissionOption, PermissionOptionKind, PermissionRequest};
use crate::core::session::Session;
use crate::ui::cx::UiCx;
use crate::ui::icons;
use crate::ui::state::cards::ReasonDraft;
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::text;
use crate::ui::widgets::text_field::{EnterKey, TextField};

/// The share of the window's height that the field may take.
const FIELD_HEIGHT_MOST: f32 = 0.2;

/// What is refused, for the words around the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    Call,
    Plan,
}

/// A refusal that the person wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub option: OptionId,
    pub message: String,
}

/// The button that opens the field. Shows nothing where the agent offers no refusal of this call alone.
pub(super) fn button_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    draft: &mut ReasonDraft,
    request: &PermissionRequest,
    refused: Refused,
) {
    if refusal(&request.options).is_none() {
        return;
    }
    let label = cx.i18n.tr(match refused {
        Refused::Call => "permission.reason",
        Refused::Plan => "permission.reason.plan",
    });
    let button = Button::text(label)
        .with_icon(icons::PENCIL)
        .small()
        .weight(Weight::Quiet)
        .id(id(request).with("open"));
    if button.show_ui(ui, cx.theme).clicked() {
        draft.is_open = true;
        draft.wants_focus = true;
    }
}

/// The field with its buttons.
pub(super) fn reason_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    draft: &mut ReasonDraft,
    session: &Session,
    request: &PermissionRequest,
    refused: Refused,
) -> Option<Refusal> {
    let option = refusal(&request.options)?;
    ui.add_space(6.0);
    let message = field_ui(ui, cx, session, request, draft, refused);
    message.map(|message| Refusal {
        option: option.id.clone(),
        message,
    })
}

/// The refusal of this one call; what refuses more is never chosen along the way.
pub(super) fn refusal(options: &[PermissionOption]) -> Option<&PermissionOption> {
    let mut options = options.iter();
    options.find(|option| option.kind == PermissionOptionKind::RejectOnce)
}

fn id(request: &PermissionRequest) -> Id {
    super::card_id(request).with("reason")
}

/// The field with its buttons; the text when it is sent.
fn field_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    session: &Session,
    request: &PermissionRequest,
    draft: &mut ReasonDraft,
    refused: Refused,
) -> Option<String> {
    let theme = cx.theme;
    let i18n = cx.i18n;
    let id = id(request).with("field");
    if std::mem::take(&mut draft.wants_focus) {
        ui.memory_mut(|memory| memory.request_focus(id));
    }
    let (label, send) = match refused {
        Refused::Call => ("permission.reason.field", "permission.reason.send"),
        Refused::Plan => (
            "permission.reason.plan.field",
            "permission.reason.plan.send",
        ),
    };
    let output = ScrollArea::vertical()
        .id_salt(id)
        .max_height(ui.ctx().content_rect().height() * FIELD_HEIGHT_MOST)
        .show(ui, |ui| {
            TextField::new(id, &mut draft.text, i18n.tr(label))
                .hint(i18n.tr(label))
                .enter_key(EnterKey::Submits)
                .claim(&[Key::Escape])
                .framed_ui(ui, theme)
        })
        .inner;
    if !takes_message(cx, session) {
        let words = i18n.tr("permission.reason.as_message");
        ui.add_space(4.0);
        text::paragraph_ui(ui, words, theme.meta(), theme.secondary);
    }
    ui.add_space(6.0);
    let is_empty = draft.text.trim().is_empty();
    let (send, cancel) = buttons_ui(ui, cx, i18n.tr(send), is_empty);
    // Escape leaves the field and keeps the text; it must not stop the turn.
    if cancel.clicked() || !output.keys.is_empty() {
        draft.is_open = false;
        ui.memory_mut(|memory| memory.request_focus(super::card_id(request)));
        return None;
    }
    ((send.clicked() || output.submitted) && !is_empty).then(|| draft.text.trim().to_owned())
}

fn buttons_ui(ui: &mut Ui, cx: &UiCx<'_>, send: &str, is_empty: bool) -> (Response, Response) {
    let row = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let send = Button::text(send)
            .small()
            .weight(Weight::Normal)
            .with_icon(icons::CROSS)
            .icon_color(cx.theme.error)
            .enabled(!is_empty)
            .show_ui(ui, cx.theme);
        let cancel = Button::text(cx.i18n.tr("app.action.cancel"))
            .small()
            .weight(Weight::Quiet)
            .show_ui(ui, cx.theme);
        (send, cancel)
    });
    row.inner
}

/// Whether the words go with the refusal; else they follow as a message.
fn takes_message(cx: &UiCx<'_>, session: &Session) -> bool {
    let connection = cx.hub.connection_of(session.key());
    connection.is_some_and(|connection| connection.capabilities.reject_message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_refusal_of_this_call_carries_words() {
        let option = |id: &str, kind| PermissionOption {
            id: id.into(),
            name: String::new(),
            kind,
            scope: None,
        };
        let all = [
            option("a", PermissionOptionKind::AllowOnce),
            option("n", PermissionOptionKind::RejectAlways),
            option("r", PermissionOptionKind::RejectOnce),
            option("s", PermissionOptionKind::RejectOnce),
        ];
        let id = |options: &[PermissionOption]| refusal(options).map(|found| found.id.to_string());
        assert_eq!(id(&all).as_deref(), Some("r"));
        assert_eq!(id(&all[..2]), None);
    }
}
