//! The line at the bottom: how the session is, where it works, and what it has used.

mod usage_popover;

use std::time::Duration;

use egui::{Align, Color32, Layout, Rect, Response, Sense, Ui, UiBuilder, Vec2};

use crate::core::command::Command;
use crate::core::connection::SignIn;
use crate::core::session::{Phase, Session, SessionStatus, Turn};
use crate::core::transcript::BlockContent;
use crate::core::usage::{Meter, MeterTone};
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::format;
use crate::ui::icons;
use crate::ui::panels::{folder, names};
use crate::ui::state::UiState;
use crate::ui::theme::{NARROW_WIDTH, Theme};
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::meter::{paint_dot, paint_ring};
use crate::ui::widgets::popover::Popover;
use crate::ui::widgets::text;

/// How often a working session is drawn again, in milliseconds.
const PULSE_MILLIS: u64 = 250;
/// From here on a start is called slow, in milliseconds.
const SLOW_START_MILLIS: u64 = 10_000;
/// A tool call that runs is looked for in this many blocks from the end.
const RUNNING_BLOCKS: usize = 32;

/// Fills its ui with the bar.
pub fn status_bar_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    let theme = cx.theme;
    let rect = ui.max_rect().shrink2(Vec2::new(12.0, 0.0));
    let is_narrow = ui.max_rect().width() < theme.scaled(NARROW_WIDTH + 60.0);
    let mut right = ui.new_child(
        UiBuilder::new()
            .max_rect(rect)
            .layout(Layout::right_to_left(Align::Center)),
    );
    right.spacing_mut().item_spacing.x = 12.0;
    let session = state.shown.and_then(|key| cx.hub.session(key));
    if let Some(session) = session {
        usage_ui(&mut right, cx, session, is_narrow);
    }
    let end = right.min_rect().left() - 12.0;
    let mut left = ui.new_child(
        UiBuilder::new()
            .max_rect(Rect::from_min_max(rect.min, egui::pos2(end, rect.max.y)))
            .layout(Layout::left_to_right(Align::Center)),
    );
    left.spacing_mut().item_spacing.x = 12.0;
    state_ui(&mut left, cx, session);
    if !is_narrow {
        folder_ui(&mut left, cx, state);
    }
}

fn state_ui(ui: &mut Ui, cx: &mut UiCx<'_>, session: Option<&Session>) {
    let theme = cx.theme;
    let Some(session) = session else {
        let words = cx.i18n.tr("status.not_started");
        dot_ui(ui, theme.disabled);
        text::label_ui(ui, words, theme.meta(), theme.secondary, f32::INFINITY);
        return;
    };
    let status = session.status(cx.now);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        dot_ui(ui, dot_color(theme, status, cx.now.0));
        let words = state_words(cx, session, status);
        let room = ui.available_width() * 0.6;
        text::label_ui(ui, &words, theme.tabular(), theme.secondary, room);
    });
    if is_moving(status) {
        // The dot's pulse and the seconds; nothing else is drawn again while nothing happens.
        let until_next = PULSE_MILLIS - cx.now.0 % PULSE_MILLIS;
        ui.ctx()
            .request_repaint_after(Duration::from_millis(until_next));
    }
    way_out_ui(ui, cx, session, status);
}

/// The one thing to do where the session can't go on by itself.
fn way_out_ui(ui: &mut Ui, cx: &mut UiCx<'_>, session: &Session, status: SessionStatus) {
    let key = session.key();
    let (label, command, weight) = match status {
        SessionStatus::CancelNotConfirmed => (
            cx.i18n.tr("composer.force_stop"),
            Command::ForceStop { session: key },
            Weight::Danger,
        ),
        SessionStatus::AgentGone | SessionStatus::Failed => (
            cx.i18n.tr("backend.restart"),
            Command::Restart { session: key },
            Weight::Normal,
        ),
        _ => return,
    };
    let button = Button::text(label).tiny().weight(weight);
    if button.show_ui(ui, cx.theme).clicked() {
        cx.commands.push(command);
    }
}

fn dot_ui(ui: &mut Ui, color: Color32) {
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(8.0), Sense::hover());
    paint_dot(ui.painter(), rect.center(), color);
}

fn is_moving(status: SessionStatus) -> bool {
    matches!(
        status,
        SessionStatus::Starting
            | SessionStatus::Working
            | SessionStatus::Compacting
            | SessionStatus::Cancelling
            | SessionStatus::StillReporting
    )
}

fn dot_color(theme: &Theme, status: SessionStatus, now_millis: u64) -> Color32 {
    let color = match status {
        SessionStatus::Ready => theme.ok,
        SessionStatus::Starting
        | SessionStatus::Working
        | SessionStatus::Compacting
        | SessionStatus::StillReporting
        | SessionStatus::Cancelling => theme.busy,
        SessionStatus::WaitingForYou
        | SessionStatus::TrustNeeded
        | SessionStatus::SignInNeeded
        | SessionStatus::CancelNotConfirmed => theme.caution,
        SessionStatus::Failed | SessionStatus::AgentGone => theme.error,
    };
    if !is_moving(status) {
        return color;
    }
    // Two seconds for one pulse, in the steps in which it is drawn.
    let step = now_millis / PULSE_MILLIS % 8;
    let distance_from_middle = step.abs_diff(4) as f32 / 4.0;
    color.gamma_multiply(0.45 + 0.55 * distance_from_middle)
}

/// The state in words.
fn state_words(cx: &UiCx<'_>, session: &Session, status: SessionStatus) -> String {
    let i18n = cx.i18n;
    let connection = cx.hub.connection_of(session.key());
    let key = match status {
        SessionStatus::Starting => {
            let started_at = connection.map_or(cx.now, |connection| connection.started_at);
            let millis = cx.now.millis_since(started_at);
            if millis >= SLOW_START_MILLIS {
                let args = [("duration", duration(cx, millis).into())];
                return i18n.tr_args("status.starting.slow", &args);
            }
            "status.starting"
        }
        SessionStatus::TrustNeeded => "status.trust_needed",
        SessionStatus::SignInNeeded => {
            let sign_in = connection.map(|connection| &connection.sign_in);
            if matches!(sign_in, Some(SignIn::Running { .. })) {
                "status.signing_in"
            } else {
                "status.sign_in_needed"
            }
        }
        SessionStatus::Working => return working_words(cx, session),
        SessionStatus::Ready => "status.ready",
        SessionStatus::Compacting => "status.compacting",
        SessionStatus::StillReporting => "status.still_reporting",
        SessionStatus::WaitingForYou => "status.waiting",
        SessionStatus::Cancelling => "status.cancelling",
        SessionStatus::CancelNotConfirmed => "status.cancelling.unconfirmed",
        SessionStatus::Failed => "status.failed",
        SessionStatus::AgentGone => "status.stopped",
    };
    i18n.tr(key).to_owned()
}

/// What the agent does: the call that runs, or thinking, and for how long.
fn working_words(cx: &UiCx<'_>, session: &Session) -> String {
    let i18n = cx.i18n;
    let blocks = session.transcript().blocks().iter().rev();
    let running = blocks
        .take(RUNNING_BLOCKS)
        .find_map(|block| match &block.content {
            BlockContent::ToolCall(call) if call.status.is_open() && !call.title.is_empty() => {
                Some(call)
            }
            _ => None,
        });
    if let Some(call) = running {
        let args = [
            ("tool", one_line(&call.title).into()),
            (
                "duration",
                duration(cx, call.duration_millis(cx.now)).into(),
            ),
        ];
        return i18n.tr_args("status.working.tool", &args);
    }
    let since = match session.turn() {
        Turn::Running { since, .. } | Turn::Cancelling { since, .. } => since,
        Turn::Idle => cx.now,
    };
    let duration = duration(cx, cx.now.millis_since(since));
    let args = [("duration", duration.into())];
    let last = session.transcript().blocks().last();
    match last.map(|block| &block.content) {
        Some(BlockContent::Thought(_)) => i18n.tr_args("status.thinking.duration", &args),
        _ => i18n.tr_args("status.working.duration", &args),
    }
}

/// A duration in whole seconds: it is seen to run, so tenths would only flicker.
pub(super) fn duration(cx: &UiCx<'_>, millis: u64) -> String {
    if millis < 10_000 {
        let args = [("seconds", (millis / 1000).into())];
        return cx.i18n.tr_args("app.duration.seconds", &args);
    }
    format::duration(cx.i18n, millis)
}

fn folder_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &UiState) {
    let theme = cx.theme;
    let Some(path) = folder::current(cx, state) else {
        return;
    };
    let name = names::folder(&path);
    let room = ui.available_width();
    let with_branch = state
        .branches
        .get(&path)
        .map(|branch| format!("{name} \u{b7} {}", one_line(branch)));
    let fits = |words: &String| {
        let galley = text::line_ui(ui, words, theme.meta(), theme.secondary, f32::INFINITY);
        galley.size().x + theme.icon().size + 24.0 <= room
    };
    let shown = with_branch.filter(fits).unwrap_or(name);
    let args = [("path", path.display().to_string().into())];
    let label = cx.i18n.tr_args("status.folder", &args);
    let button = Button::text(&label)
        .shown(&shown)
        .with_icon(icons::FOLDER)
        .tiny()
        .weight(Weight::Quiet)
        .tooltip(&label)
        .max_width(ui.available_width());
    if ui.available_width() > theme.scaled(80.0) && button.show_ui(ui, theme).clicked() {
        cx.actions.push(UiAction::PickFolder);
    }
}

/// Context meter, tokens and cost, from the right.
fn usage_ui(ui: &mut Ui, cx: &UiCx<'_>, session: &Session, is_narrow: bool) {
    let usage = session.usage();
    let meter = usage.meter();
    let tokens = usage.session_tokens();
    let tells_more = usage.status_line().is_some() || !usage.quotas().is_empty();
    let is_empty = meter == Meter::Hidden && tokens.is_none() && usage.costs().is_empty();
    // What is not known can be asked for as well, once there is a session that could tell.
    if is_empty && !tells_more && *session.phase() != Phase::Ready {
        return;
    }
    let mut parts = Vec::new();
    if !is_narrow {
        if let Some(tokens) = tokens {
            let args = [("count", format::count(tokens.total()).into())];
            parts.push(cx.i18n.tr_args("status.tokens", &args));
        }
        let costs = usage.costs().iter();
        parts.extend(costs.map(|(currency, amount)| format::money(*amount, currency)));
    }
    if parts.is_empty() && meter == Meter::Hidden {
        parts.push(cx.i18n.tr("status.usage").to_owned());
    }
    let button = usage_button_ui(ui, cx, meter, &parts.join(" \u{b7} "));
    Popover::above(&button, cx.i18n.tr("status.usage"))
        .at_end()
        .width(usage_popover::WIDTH)
        .show_ui(cx.theme, |ui, _| {
            usage_popover::usage_popover_ui(ui, cx, session);
        });
    button.on_hover_text(usage_popover::meter_tooltip(cx, session));
}

/// The ring with its words, and the sums after it, as one button.
fn usage_button_ui(ui: &mut Ui, cx: &UiCx<'_>, meter: Meter, sums: &str) -> Response {
    let theme = cx.theme;
    let (share, words) = meter_words(cx, meter);
    let color = meter_color(theme, meter);
    let words_color = if color == theme.secondary || color == theme.busy {
        theme.secondary
    } else {
        color
    };
    let font = theme.tabular();
    let words = text::line_ui(ui, &words, font.clone(), words_color, f32::INFINITY);
    let sums_galley = text::line_ui(ui, sums, font, theme.secondary, f32::INFINITY);
    let ring = share.map_or(0.0, |_| theme.scaled(14.0));
    let gap = 6.0;
    let pieces = [ring, words.size().x, sums_galley.size().x];
    let shown = pieces.iter().filter(|width| **width > 0.0).count() as f32;
    let width = pieces.iter().sum::<f32>() + gap * (shown - 1.0).max(0.0) + 12.0;
    let height = theme.scaled(20.0);
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, height), Sense::click());
    crate::ui::widgets::button::paint_quiet(ui, theme, rect, &response);
    let y = rect.center().y;
    let mut x = rect.left() + 6.0;
    if let Some(share) = share {
        let circle = Rect::from_center_size(egui::pos2(x + ring / 2.0, y), Vec2::splat(ring));
        paint_ring(ui.painter(), circle, share, color, theme.border);
        x += ring + gap;
    }
    if words.size().x > 0.0 {
        x += words.size().x + gap;
        text::paint_at(ui, x - words.size().x - gap, y, words, words_color);
    }
    text::paint_at(ui, x, y, sums_galley, theme.secondary);
    let label = match meter_words(cx, meter).1 {
        words if words.is_empty() => cx.i18n.tr("status.usage").to_owned(),
        words => format!("{} {words}", cx.i18n.tr("status.context")),
    };
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
    response
}

/// How much of the ring is filled, and the words beside it.
fn meter_words(cx: &UiCx<'_>, meter: Meter) -> (Option<f32>, String) {
    match meter {
        Meter::Hidden => (None, String::new()),
        Meter::Compacted => (None, cx.i18n.tr("status.context.compacted").to_owned()),
        Meter::UsedOnly { used } => {
            let args = [("used", format::count(used).into())];
            (None, cx.i18n.tr_args("status.context.used", &args))
        }
        Meter::Share {
            percent, uncertain, ..
        } => {
            let args = [("percent", u32::from(percent).into())];
            let key = if uncertain {
                "status.context.percent_uncertain"
            } else {
                "status.context.percent"
            };
            let words = cx.i18n.tr_args(key, &args);
            (Some(f32::from(percent) / 100.0), words)
        }
        Meter::Over { used, window } => {
            let args = [
                ("used", format::count(used).into()),
                ("size", format::count(window).into()),
            ];
            (Some(1.0), cx.i18n.tr_args("status.context.over", &args))
        }
    }
}

fn meter_color(theme: &Theme, meter: Meter) -> Color32 {
    match meter {
        Meter::Hidden | Meter::Compacted | Meter::UsedOnly { .. } => theme.secondary,
        Meter::Over { .. } => theme.error,
        Meter::Share { .. } => match meter.tone() {
            MeterTone::Calm => theme.busy,
            MeterTone::Caution => theme.caution,
            MeterTone::Full => theme.error,
        },
    }
}
