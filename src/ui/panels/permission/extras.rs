//! What else a person may do than give one of the agent's answers: refuse with words, allow or refuse from now on.

use egui::{Id, Ui};

use super::always;
use super::options::Readiness;
use super::reason::{self, Refusal, Refused};
use crate::core::command::Command;
use crate::core::permission::PermissionRequest;
use crate::core::session::Session;
use crate::ui::cx::UiCx;
use crate::ui::state::UiState;
use crate::ui::state::cards::Lasting;

/// What the person did there.
pub(super) enum Extra {
    Refusal(Refusal),
    Store(Box<Command>),
}

/// The height of the row, or of what it opened, as it was drawn last.
pub(super) fn height(ui: &Ui, request: &PermissionRequest) -> f32 {
    ui.data(|data| data.get_temp(id(request))).unwrap_or(0.0)
}

/// What is answered, withdrawn or cancelled is not remembered.
pub(super) fn forget_closed(cx: &UiCx<'_>, state: &mut UiState) {
    let is_open = |(key, id): &crate::ui::state::cards::RequestKey| {
        let session = cx.hub.session(*key);
        session.is_some_and(|session| session.has_open_request(id))
    };
    state.cards.reasons.retain(|key, _| is_open(key));
    state.cards.always.retain(|key, _| is_open(key));
}

/// A row of small buttons, or what one of them opened.
pub(super) fn extras_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    state: &mut UiState,
    session: &Session,
    request: &PermissionRequest,
    (refused, readiness): (Refused, Readiness),
) -> Option<Extra> {
    let key = (session.key(), request.id.clone());
    let mut reason = state.cards.reasons.remove(&key).unwrap_or_default();
    let mut always = state.cards.always.remove(&key).unwrap_or_default();
    let (allowing, denying) = match refused {
        Refused::Call => (
            session.always_choices(request, cx.now),
            session.never_choices(request, cx.now),
        ),
        Refused::Plan => (Vec::new(), Vec::new()),
    };
    let offered: Vec<Lasting> = [(Lasting::Allow, &allowing), (Lasting::Deny, &denying)]
        .into_iter()
        .filter(|(_, choices)| !choices.is_empty())
        .map(|(lasting, _)| lasting)
        .collect();
    let open = always.open.filter(|lasting| offered.contains(lasting));
    let top = ui.cursor().top();
    let mut extra = None;
    if reason.is_open {
        let refusal = reason::reason_ui(ui, cx, &mut reason, session, request, refused);
        extra = refusal.map(Extra::Refusal);
    } else if let Some(lasting) = open {
        let choices = match lasting {
            Lasting::Allow => allowing,
            Lasting::Deny => denying,
        };
        let choices = (lasting, choices);
        let stored = always::always_ui(ui, cx, &mut always, (session, request), choices, readiness);
        extra = stored.map(|command| Extra::Store(Box::new(command)));
    } else if reason::refusal(&request.options).is_some() || !offered.is_empty() {
        ui.add_space(6.0);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            reason::button_ui(ui, cx, &mut reason, request, refused);
            for lasting in offered {
                always::button_ui(ui, cx, &mut always, request, lasting);
            }
        });
    }
    let height = ui.min_rect().bottom() - top;
    ui.data_mut(|data| data.insert_temp(id(request), height.max(0.0)));
    state.cards.reasons.insert(key.clone(), reason);
    state.cards.always.insert(key, always);
    extra
}

fn id(request: &PermissionRequest) -> Id {
    super::card_id(request).with("extras")
}
