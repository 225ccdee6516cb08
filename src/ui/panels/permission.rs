//! The card between transcript and composer: what an agent asks for, and the person's answer.
//!
//! It never takes the keyboard, has no default, and answers only to what was meant for it; see `guard.rs`.

mod always;
mod details;
mod extras;
pub mod guard;
mod heading;
mod options;
pub mod plan;
mod reason;
pub mod subject;

use std::time::Duration;

use egui::{Id, Rect, ScrollArea, Sense, Ui, Vec2};

use self::extras::Extra;
use self::guard::Counts;
use self::options::Readiness;
use self::reason::Refused;
use crate::core::command::Command;
use crate::core::ids::OptionId;
use crate::core::permission::PermissionRequest;
use crate::core::session::{Session, SessionStatus};
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::panels::{names, reasons};
use crate::ui::state::UiState;
use crate::ui::transcript::plan_text;
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::{Button, Weight, focus_ring};
use crate::ui::widgets::card::{PADDING, card_ui};
use crate::ui::widgets::row::Row;
use crate::ui::widgets::text;

/// The share of the window's height that the card may take, and that of a plan.
const HEIGHT_MOST: f32 = 0.4;
const PLAN_HEIGHT_MOST: f32 = 0.6;

/// The id of the card, for those who give it the keyboard because the person asked for it.
pub fn card_id(request: &PermissionRequest) -> Id {
    Id::unique(("permission card", request.id.to_string()))
}

/// The request that is shown: the one the person chose, else the oldest of the shown session.
pub fn shown_request<'a>(
    cx: &UiCx<'a>,
    state: &UiState,
) -> Option<(&'a Session, &'a PermissionRequest)> {
    let session = cx.hub.session(state.shown?)?;
    let requests = session.permission_requests();
    let chosen = state.permission.chosen.as_ref().and_then(|(key, id)| {
        let mut requests = requests.iter().filter(|_| *key == session.key());
        requests.find(|request| request.id == *id)
    });
    let request = chosen.or_else(|| requests.first())?;
    Some((session, request))
}

/// Shows the card, or who else waits, or nothing.
pub fn permission_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    others_ui(ui, cx, state);
    extras::forget_closed(cx, state);
    let Some((session, request)) = shown_request(cx, state) else {
        state.permission.shown = None;
        return;
    };
    let is_new = state
        .permission
        .shown
        .as_ref()
        .is_none_or(|shown| shown.request != request.id);
    if is_new {
        state.permission.details_open = false;
        state.permission.all_shown = false;
    }
    request_ui(ui, cx, state, session, request);
}

/// One line for each other session that waits; a click goes there.
fn others_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &UiState) {
    let waiting: Vec<&Session> = cx
        .hub
        .sessions()
        .filter(|session| Some(session.key()) != state.shown)
        .filter(|session| session.status(cx.now) == SessionStatus::WaitingForYou)
        .collect();
    for session in waiting {
        let args = [
            ("agent", names::agent(cx, session).into()),
            (
                "session",
                names::session_title_or_untitled(cx.i18n, session).into(),
            ),
        ];
        let words = cx.i18n.tr_args("permission.elsewhere", &args);
        let row = Row::new(&words)
            .icon(icons::SHIELD, cx.theme.icon(), cx.theme.caution)
            .detail(cx.i18n.tr("permission.elsewhere.show"))
            .id(Id::unique(("waits elsewhere", session.key().0)))
            .show_ui(ui, cx.theme);
        if row.clicked() {
            cx.actions.push(UiAction::ShowSession(session.key()));
        }
        ui.add_space(4.0);
    }
}

fn request_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    state: &mut UiState,
    session: &Session,
    request: &PermissionRequest,
) {
    let theme = cx.theme;
    let remaining = guard::remaining_millis(&state.permission, &request.id, cx.now);
    let readiness = if remaining == 0 {
        Readiness::Ready
    } else {
        Readiness::Settling
    };
    let id = card_id(request);
    // The body comes before what stands on it, so that buttons are above it.
    let body = ui.data(|data| data.get_temp::<Rect>(id));
    let body = ui.interact(body.unwrap_or(Rect::NOTHING), id, Sense::click());
    let (share, refused) = if plan_text::proposed(&request.tool_call).is_some() {
        (PLAN_HEIGHT_MOST, Refused::Plan)
    } else {
        (HEIGHT_MOST, Refused::Call)
    };
    let (rect, (buttons, extra)) = card_ui(ui, theme, theme.caution, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let width = ui.available_width();
        let (laid, options_height) =
            options::lay_out_ui(ui, cx.i18n, theme, (&request.options, refused), width);
        let window = ui.ctx().content_rect().height();
        // The field for a reason takes its room from the transcript first, and only then from what it is about.
        let around = options_height + 3.0 * PADDING;
        let most = (window * PLAN_HEIGHT_MOST) - extras::height(ui, request);
        let room = (window * share).min(most) - around;
        ScrollArea::vertical()
            .id_salt(("permission", request.id.to_string()))
            .max_height(room.max(theme.scaled(40.0)))
            .show(ui, |ui| about_ui(ui, cx, state, session, request));
        ui.add_space(PADDING);
        let (_, rect) = ui.allocate_space(Vec2::new(width, options_height));
        let buttons = options::options_ui(
            ui,
            cx.i18n,
            theme,
            &request.id,
            (&request.options, &laid),
            rect.min,
            readiness,
        );
        let kind = (refused, readiness);
        let extra = extras::extras_ui(ui, cx, state, session, request, kind);
        (buttons, extra)
    });
    ui.data_mut(|data| data.insert_temp(id, rect));
    focus_ring(ui, theme, rect, crate::ui::theme::CARD_RADIUS, &body);
    let label = heading::heading(cx, session, request);
    body.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
    if body.clicked_by(egui::PointerButton::Primary) {
        body.request_focus();
    }
    guard::note(
        &mut state.permission,
        session.key(),
        request,
        guard::place_of(&buttons),
        cx.now,
    );
    let remaining = guard::remaining_millis(&state.permission, &request.id, cx.now);
    if remaining > 0 {
        ui.ctx()
            .request_repaint_after(Duration::from_millis(remaining));
    }
    let counts = if remaining > 0 {
        Counts::Nothing
    } else if guard::is_window_active(&state.window, cx.now) {
        Counts::All
    } else {
        Counts::Keys
    };
    if let Some(extra) = extra {
        take_extra(cx, state, session, request, extra);
    } else {
        answer_ui(ui, cx, state, session, request, (&body, &buttons), counts);
    }
}

/// Sends what the person did besides the agent's own answers.
fn take_extra(
    cx: &mut UiCx<'_>,
    state: &mut UiState,
    session: &Session,
    request: &PermissionRequest,
    extra: Extra,
) {
    match extra {
        Extra::Refusal(refusal) => {
            let answer = (refusal.option, Some(refusal.message));
            send_answer(cx, state, session, request, answer);
        }
        Extra::Store(command) => {
            cx.commands.push(*command);
            let key = (session.key(), request.id.clone());
            state.cards.always.remove(&key);
            state.focus_composer = true;
        }
    }
}

fn send_answer(
    cx: &mut UiCx<'_>,
    state: &mut UiState,
    session: &Session,
    request: &PermissionRequest,
    (option, message): (OptionId, Option<String>),
) {
    cx.commands.push(Command::AnswerPermission {
        session: session.key(),
        request: request.id.clone(),
        option,
        message,
    });
    state.permission.chosen = None;
    state.focus_composer = true;
}

fn answer_ui(
    ui: &Ui,
    cx: &mut UiCx<'_>,
    state: &mut UiState,
    session: &Session,
    request: &PermissionRequest,
    (body, buttons): (&egui::Response, &[egui::Response]),
    counts: Counts,
) {
    let chosen = guard::chosen_option(ui, &mut state.permission, &request.id, buttons, counts);
    let is_focused = |response: &egui::Response| response.has_focus() && !response.gained_focus();
    let has_keyboard = is_focused(body) || buttons.iter().any(is_focused);
    let by_number = guard::pressed_number(ui)
        .filter(|_| has_keyboard && counts != Counts::Nothing)
        .filter(|number| *number < request.options.len());
    let Some(option) = chosen
        .or(by_number)
        .and_then(|index| request.options.get(index))
    else {
        return;
    };
    send_answer(cx, state, session, request, (option.id.clone(), None));
}

/// Everything above the options.
fn about_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    state: &mut UiState,
    session: &Session,
    request: &PermissionRequest,
) {
    let theme = cx.theme;
    let call = &request.tool_call;
    first_line_ui(ui, cx, state, session, request);
    if state.permission.list_open && session.permission_requests().len() > 1 {
        list_ui(ui, cx, state, session, request);
    }
    let plan = plan_text::proposed(call);
    let subject = subject::of_request(request).filter(|_| plan.is_none());
    let title = one_line(&call.title);
    let says_more = subject
        .as_ref()
        .is_none_or(|subject| one_line(subject) != title);
    // Above a plan the name of the tool would say nothing.
    let is_bare_name = plan.is_some() && call.name.as_deref() == Some(call.title.as_str());
    let says_more = says_more && !is_bare_name;
    if says_more && !title.is_empty() {
        ui.add_space(2.0);
        text::paragraph_ui(ui, &title, theme.body(), theme.secondary);
    }
    let was_changed = state
        .permission
        .shown
        .as_ref()
        .is_some_and(|shown| shown.request == request.id && shown.was_changed);
    if was_changed {
        let words = cx.i18n.tr("permission.changed");
        text::paragraph_ui(ui, words, theme.meta(), theme.caution);
    }
    if let Some(subject) = &subject {
        ui.add_space(6.0);
        details::subject_ui(ui, cx, subject, &mut state.permission.all_shown);
    }
    why_ui(ui, cx, request);
    if let Some(plan) = &plan {
        ui.add_space(6.0);
        plan::plan_ui(ui, cx, &mut state.cards, session, request, plan);
    }
    let has_details = match plan {
        Some(_) => plan::says_more(call),
        None => details::has_details(call),
    };
    if has_details {
        ui.add_space(4.0);
        details_toggle_ui(ui, cx, state);
        if state.permission.details_open {
            let key = (session.key(), request.id.clone());
            details::details_ui(ui, cx, &mut state.cards, &key, call);
        }
    }
}

/// Why it is asked.
fn why_ui(ui: &mut Ui, cx: &UiCx<'_>, request: &PermissionRequest) {
    let Some(because) = &request.because else {
        return;
    };
    let color = if reasons::warns(because) {
        cx.theme.caution
    } else {
        cx.theme.secondary
    };
    ui.add_space(4.0);
    let words = reasons::because(cx.i18n, because);
    text::paragraph_ui(ui, &words, cx.theme.meta(), color);
}

fn first_line_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    state: &mut UiState,
    session: &Session,
    request: &PermissionRequest,
) {
    let theme = cx.theme;
    let line = Button::chip_height(theme);
    let others = session.permission_requests().len() - 1;
    let start = ui.cursor().min;
    let mut end = start.x + ui.available_width();
    if others > 0 {
        let rect = Rect::from_min_max(start, egui::pos2(end, start.y + line));
        end = waiting_ui(ui, cx, state, others, rect) - 8.0;
    }
    let icon = theme.icon();
    let x = start.x + icon.size + 8.0;
    let heading = heading::heading(cx, session, request);
    let font = Face::SemiBold.sized(theme.size.body);
    let galley = ui
        .painter()
        .layout(heading, font, theme.text, (end - x).max(0.0));
    let height = galley.size().y.max(line);
    let (_, rect) = ui.allocate_space(Vec2::new(end - start.x, height));
    let rows = galley.rows.len().max(1) as f32;
    let first = rect.center().y - galley.size().y * (0.5 - 0.5 / rows);
    text::paint_icon(ui, start.x, first, icons::SHIELD, icon, theme.caution);
    let drawn = text::paint_at(ui, x, rect.center().y, galley, theme.text);
    heading::wire_name_ui(ui, cx, request, drawn);
}

/// The button that lists the other requests; where it begins.
fn waiting_ui(ui: &mut Ui, cx: &UiCx<'_>, state: &mut UiState, others: usize, rect: Rect) -> f32 {
    let args = [("count", others.into())];
    let label = cx.i18n.tr_args("permission.waiting", &args);
    let mut right = ui.new_child(
        egui::UiBuilder::new()
            .max_rect(rect)
            .layout(egui::Layout::right_to_left(egui::Align::Center)),
    );
    let button = Button::chip(&label).show_ui(&mut right, cx.theme);
    if button.clicked() {
        state.permission.list_open = !state.permission.list_open;
    }
    button.rect.left()
}

/// All open requests of the session, in order.
fn list_ui(
    ui: &mut Ui,
    cx: &UiCx<'_>,
    state: &mut UiState,
    session: &Session,
    request: &PermissionRequest,
) {
    for open in session.permission_requests() {
        let call = &open.tool_call;
        let title = one_line(&call.title);
        let subject = subject::of_request(open).map(|subject| one_line(&subject));
        let words = match subject {
            Some(subject) if title.is_empty() => subject,
            _ if title.is_empty() => heading::heading(cx, session, open),
            _ => title,
        };
        let row = Row::new(&words)
            .chosen(open.id == request.id)
            .id(card_id(open).with("in list"))
            .show_ui(ui, cx.theme);
        if row.clicked() {
            state.permission.chosen = Some((session.key(), open.id.clone()));
        }
    }
    ui.add_space(4.0);
}

fn details_toggle_ui(ui: &mut Ui, cx: &UiCx<'_>, state: &mut UiState) {
    let is_open = state.permission.details_open;
    let (label, icon) = if is_open {
        (cx.i18n.tr("permission.details.hide"), icons::CHEVRON_DOWN)
    } else {
        (cx.i18n.tr("permission.details.show"), icons::CHEVRON_RIGHT)
    };
    let button = Button::text(label)
        .with_icon(icon)
        .small()
        .weight(Weight::Quiet);
    if button.show_ui(ui, cx.theme).clicked() {
        state.permission.details_open = !is_open;
    }
}
