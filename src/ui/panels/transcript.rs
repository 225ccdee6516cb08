//! The transcript: everything of a session, of which only what is in view is laid out and drawn.

mod attachment;
mod change_summary;
mod diff_block;
mod empty;
mod failure;
mod find_bar;
mod group;
mod keys;
mod link_card;
mod list;
mod message;
mod note;
mod paragraph;
mod picture;
mod plan;
mod row;
mod search_hits;
mod seek;
mod selection;
mod thought;
mod tool_call;
mod tool_details;
mod tool_output;

use std::time::Duration;

use egui::{Align2, CornerRadius, Id, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use crate::core::ids::SessionKey;
use crate::core::settings::Settings;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::panels::names;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::state::cards::OpenServers;
use crate::ui::text::cx::{TextAction, TextCx};
use crate::ui::text::finding::Finding;
use crate::ui::text::inline::Target;
use crate::ui::transcript::find::Seek;
use crate::ui::transcript::find::units::Searched;
use crate::ui::transcript::folds::FoldPart;
use crate::ui::transcript::rows::block_of;
use crate::ui::transcript::state::{Place, TranscriptState};
use crate::ui::widgets::button::focus_ring;
use crate::ui::widgets::text;
use crate::ui::window::column;

/// How often a duration that goes on is drawn again.
const TICK: Duration = Duration::from_millis(500);

/// Draws the transcript of a session over all the room there is.
pub fn transcript_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    state: &mut TranscriptState,
    open_servers: &mut OpenServers,
    key: SessionKey,
) {
    let hub = cx.hub;
    let Some(session) = hub.session(key) else {
        return;
    };
    if session.transcript().blocks().is_empty() {
        empty::empty_ui(ui, cx, session);
        return;
    }
    let room = ui.max_rect();
    let column = column(room);
    state.update(session, cx.theme, column.width());
    let epoch = state.epoch(ui, cx.theme, cx.i18n.language(), column.width());
    keys::keys_ui(ui, state, room.height());
    let agent = names::agent(cx, session);
    let (theme, i18n) = (cx.theme, cx.i18n);
    let searched = Searched::new(session, i18n, &agent);
    find_bar::keys_ui(ui, state, searched);
    seek::open(state, session);
    let current = state.find.current();
    let current = current.map(|(block, spot)| (block, spot.clone()));
    let mut texts = TextCx::new(theme, i18n, epoch);
    texts.line_numbers = cx.settings.line_numbers;
    texts.finding = Finding::new(state.find.query().cloned(), current);
    texts.finding.wants_view = matches!(state.find.seek, Seek::Scroll(_));
    texts.selecting = selection::begin_ui(ui, state, key, room);
    let mut row_cx = RowCx {
        cx,
        text: texts,
        session,
        rows: &mut state.rows,
        folds: &mut state.folds,
        views: &mut state.views,
        find: &state.find,
        width: column.width(),
        open_servers,
        agent: &agent,
        shows_running: false,
        pictures: 1,
        toggled_groups: Vec::new(),
    };
    let drawn = list::list_ui(ui, &mut row_cx, state.place, state.topmost, column);
    let RowCx {
        text: texts,
        shows_running,
        toggled_groups,
        ..
    } = row_cx;
    let seen_at = texts.finding.seen_at;
    state.place = drawn.place;
    state.topmost = drawn.topmost;
    state.stats.drawn = drawn.rows;
    state.stats.laid_out = texts.laid_out;
    toggle(ui, state, &toggled_groups);
    let wanted = state.views.wanted.drain(..).map(UiAction::Work);
    cx.actions.extend(wanted);
    if shows_running {
        ui.ctx().request_repaint_after(TICK);
    }
    for action in texts.actions {
        act(cx, &session.setup().cwd, &mut state.asked_link, action);
    }
    if state.is_at_end() {
        state.see_all();
    } else {
        latest_ui(ui, cx, state, room);
    }
    selection::end_ui(ui, cx, state, &texts.selecting, searched, room);
    seek::scroll_ui(ui, state, seen_at, room);
    link_card::link_card_ui(ui, cx, &mut state.asked_link, room);
    find_bar::find_bar_ui(ui, cx, state, searched, room);
    if !ui.ctx().will_discard() {
        state.views.end_frame();
    }
}

/// Opens and closes groups.
fn toggle(ui: &Ui, state: &mut TranscriptState, groups: &[usize]) {
    for head in groups.iter().copied() {
        let is_open = !state.rows.group(head).is_some_and(|group| group.is_open);
        state.folds.set(block_of(head), FoldPart::Group, is_open);
        state.rows.open_group(head, is_open);
        ui.ctx().request_discard("a group was opened or closed");
    }
}

fn act(
    cx: &mut UiCx<'_>,
    cwd: &std::path::Path,
    asked_link: &mut Option<String>,
    action: TextAction,
) {
    match action {
        TextAction::Copy(text) => cx.actions.push(UiAction::CopyText(text)),
        TextAction::ShowLineNumbers(line_numbers) => {
            let settings = Settings {
                line_numbers,
                ..cx.settings.clone()
            };
            let action = UiAction::ChangeSettings(Box::new(settings));
            cx.actions.push(action);
        }
        TextAction::Work(work) => cx.actions.push(UiAction::Work(work)),
        TextAction::Open(Target::Url(url), words) if link_card::says_host(&words, &url) => {
            cx.actions.push(UiAction::OpenUrl(url));
        }
        TextAction::Open(Target::Url(url), _) => *asked_link = Some(url),
        TextAction::Open(Target::File { path, line }, _) => cx.actions.push(UiAction::OpenFile {
            path: cwd.join(path),
            line: Some(line),
        }),
        TextAction::Open(Target::Dead(_), _) => {}
    }
}

/// A pill that leads to the end, with how much is new there.
fn latest_ui(ui: &mut Ui, cx: &UiCx<'_>, state: &mut TranscriptState, room: Rect) {
    let theme = cx.theme;
    let words = match state.unseen() {
        0 => cx.i18n.tr("transcript.latest").to_owned(),
        count => cx
            .i18n
            .tr_args("transcript.latest.count", &[("count", count.into())]),
    };
    let galley = text::line_ui(
        ui,
        &words,
        Face::SemiBold.sized(theme.size.meta),
        theme.text,
        240.0,
    );
    let height = theme.scaled(30.0);
    let size = vec2(galley.size().x + 42.0, height);
    let rect = Align2::CENTER_BOTTOM.anchor_size(room.center_bottom() - vec2(0.0, 12.0), size);
    let response = ui.interact(rect, Id::unique("latest"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &words));
    let radius = CornerRadius::same((height / 2.0) as u8);
    let fill = if response.hovered() {
        theme.hover
    } else {
        theme.raised
    };
    ui.painter().rect(
        rect,
        radius,
        fill,
        Stroke::new(1.0, theme.border),
        StrokeKind::Inside,
    );
    focus_ring(ui, theme, rect, radius, &response);
    text::paint_icon(
        ui,
        rect.left() + 12.0,
        rect.center().y,
        icons::ARROW_DOWN,
        Face::Icon.sized(14.0),
        theme.secondary,
    );
    text::paint_at(ui, rect.left() + 32.0, rect.center().y, galley, theme.text);
    if response.clicked() {
        state.place = Place::End;
        ui.ctx().request_discard("the end is shown");
    }
    response.on_hover_text(cx.i18n.tr("transcript.latest.tooltip"));
}
