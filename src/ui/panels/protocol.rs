//! The protocol log: the frames between us and the agents, chosen by way, method and text, each opening in full.

use egui::{
    Align, Color32, Frame, Id, Label, Layout, Margin, Rect, RichText, Role, ScrollArea, Sense, Ui,
    UiBuilder, WidgetInfo, vec2,
};

use crate::ui::cx::{UiAction, UiCx};
use crate::ui::fonts::Face;
use crate::ui::format;
use crate::ui::icons;
use crate::ui::state::protocol::{ProtocolState, ShownFrame, Way};
use crate::ui::text::sanitize::visible;
use crate::ui::theme::CARD_RADIUS;
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::{Button, Weight, paint_quiet};
use crate::ui::widgets::segmented::segmented_ui;
use crate::ui::widgets::text;
use crate::ui::widgets::text_field::TextField;

/// How much of a frame is drawn in full; copying gives all of it.
const DETAIL_BYTES: usize = 40_000;
/// How much of a frame stands in its line.
const PREVIEW_CHARS: usize = 160;
/// The part of the height that a frame in full gets.
const DETAIL_PART: f32 = 0.45;

/// Draws the log over all the room there is.
pub fn protocol_ui(ui: &mut Ui, cx: &mut UiCx<'_>, log: &mut ProtocolState) {
    log.choose();
    let room = ui.max_rect().shrink2(vec2(12.0, 8.0));
    let mut child = ui.new_child(UiBuilder::new().max_rect(room).id_salt("protocol"));
    child.spacing_mut().item_spacing = vec2(6.0, 6.0);
    head_ui(&mut child, cx, log);
    if !log.is_open {
        return;
    }
    filters_ui(&mut child, cx, log);
    let left = child.available_rect_before_wrap();
    let selected = log.selected.and_then(|number| log.frame(number)).cloned();
    let detail = if selected.is_some() {
        (left.height() * DETAIL_PART).round()
    } else {
        0.0
    };
    let (list, below) = left.split_top_bottom_at_y(left.bottom() - detail);
    list_ui(&mut child, cx, log, list);
    if let Some(frame) = selected {
        detail_ui(&mut child, cx, &frame, below.with_min_y(below.top() + 6.0));
    }
}

fn head_ui(ui: &mut Ui, cx: &mut UiCx<'_>, log: &mut ProtocolState) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let size = vec2(ui.available_width(), Button::height(theme));
    let layout = Layout::right_to_left(Align::Center);
    ui.allocate_ui_with_layout(size, layout, |ui| {
        let close = Button::icon(icons::CROSS, i18n.tr("protocol.close"));
        if close.show_ui(ui, theme).clicked() {
            log.close();
            return;
        }
        let has_any = log.counts().0 > 0;
        let export = Button::icon(icons::EXTERNAL_LINK, i18n.tr("protocol.export"));
        if export.enabled(has_any).show_ui(ui, theme).clicked() {
            cx.actions.push(UiAction::ExportFrames);
        }
        let copy = Button::icon(icons::COPY, i18n.tr("protocol.copy"));
        if copy.enabled(has_any).show_ui(ui, theme).clicked() {
            cx.actions.push(UiAction::CopyFrames);
        }
        let (icon, words) = if log.is_paused {
            (icons::PLAY, i18n.tr("protocol.continue"))
        } else {
            (icons::STOP, i18n.tr("protocol.pause"))
        };
        if Button::icon(icon, words).show_ui(ui, theme).clicked() {
            log.is_paused = !log.is_paused;
        }
        let (wanted, all) = log.counts();
        let args = [("wanted", wanted.into()), ("all", all.into())];
        let counts = i18n.tr_args("protocol.counts", &args);
        let paused = log.is_paused.then(|| i18n.tr("protocol.paused"));
        let counts = paused.map_or(counts.clone(), |paused| format!("{paused} · {counts}"));
        text::label_ui(ui, &counts, theme.tabular(), theme.secondary, f32::INFINITY);
        let room = ui.available_width();
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let title = i18n.tr("protocol.title");
            text::label_ui(
                ui,
                title,
                Face::SemiBold.sized(theme.size.body),
                theme.text,
                room,
            );
        });
    });
}

fn filters_ui(ui: &mut Ui, cx: &mut UiCx<'_>, log: &mut ProtocolState) {
    const WAYS: [Option<Way>; 3] = [None, Some(Way::ToAgent), Some(Way::FromAgent)];
    let (theme, i18n) = (cx.theme, cx.i18n);
    let names = [
        i18n.tr("protocol.way.all"),
        i18n.tr("protocol.way.to_agent"),
        i18n.tr("protocol.way.from_agent"),
    ];
    let chosen = WAYS.iter().position(|way| *way == log.way);
    let clicked = segmented_ui(ui, theme, &names, chosen);
    if let Some(way) = clicked.and_then(|index| WAYS.get(index)) {
        log.way = *way;
    }
    ui.columns(2, |columns| {
        let fields = [
            (&mut log.method, "method", i18n.tr("protocol.method")),
            (&mut log.text, "text", i18n.tr("protocol.text")),
        ];
        for (ui, (value, name, label)) in columns.iter_mut().zip(fields) {
            let id = Id::unique(("protocol", name));
            let field = TextField::new(id, value, label).hint(label);
            field.framed_ui(ui, theme);
        }
    });
    if log.span.is_some() {
        let words = i18n.tr("protocol.span");
        let button = Button::text(words).with_icon(icons::CROSS).small();
        if button.weight(Weight::Normal).show_ui(ui, theme).clicked() {
            log.span = None;
        }
    }
}

fn list_ui(ui: &mut Ui, cx: &UiCx<'_>, log: &mut ProtocolState, rect: Rect) {
    let theme = cx.theme;
    ui.painter().rect_filled(rect, CARD_RADIUS, theme.sunken);
    let mut child = ui.new_child(
        UiBuilder::new()
            .max_rect(rect.shrink(2.0))
            .id_salt("frames"),
    );
    child.spacing_mut().item_spacing.y = 0.0;
    child.spacing_mut().scroll.fade.strength = 0.0;
    let row = theme.scaled(22.0);
    let (count, _) = log.counts();
    if count == 0 {
        child.add_space(12.0);
        let words = cx.i18n.tr("protocol.none");
        child.vertical_centered(|ui| {
            text::label_ui(ui, words, theme.meta(), theme.secondary, f32::INFINITY);
        });
        return;
    }
    let began = log.began_at().unwrap_or_default();
    let mut selected = log.selected;
    ScrollArea::vertical()
        .id_salt("frames")
        .auto_shrink(false)
        .stick_to_bottom(true)
        .show_rows(&mut child, row, count, |ui, places| {
            for frame in log.wanted(places) {
                let millis = frame.at.millis_since(began);
                if row_ui(ui, cx, frame, millis, selected == Some(frame.number)) {
                    selected = (selected != Some(frame.number)).then_some(frame.number);
                }
            }
        });
    log.selected = selected;
}

/// One line for a frame; whether it was clicked.
fn row_ui(ui: &mut Ui, cx: &UiCx<'_>, frame: &ShownFrame, millis: u64, is_selected: bool) -> bool {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let size = vec2(ui.available_width(), theme.scaled(22.0));
    let (_, rect) = ui.allocate_space(size);
    let id = Id::unique(("frame", frame.number));
    let response = ui.interact(rect, id, Sense::click());
    let (icon, color, words) = match frame.way {
        Way::ToAgent => (
            icons::ARROW_UP,
            theme.link,
            i18n.tr("protocol.way.to_agent"),
        ),
        Way::FromAgent => (
            icons::ARROW_DOWN,
            theme.ok,
            i18n.tr("protocol.way.from_agent"),
        ),
    };
    let method = one_line(&frame.method);
    let label = format!("{words}, {method}, {}", frame.bytes);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_selected, &label));
    if is_selected {
        ui.painter().rect_filled(rect, 4.0, theme.selection);
    }
    paint_quiet(ui, theme, rect, &response);
    let y = rect.center().y;
    let seconds = format!("{}.{:03}", millis / 1_000, millis % 1_000);
    let time = text::line_ui(
        ui,
        &seconds,
        theme.tabular(),
        theme.secondary,
        f32::INFINITY,
    );
    let time_right = rect.left() + theme.scaled(66.0);
    text::paint_at(ui, time_right - time.size().x, y, time, theme.secondary);
    let left = time_right + 8.0;
    text::paint_icon(ui, left, y, icon, Face::Icon.sized(13.0), color);
    let left = left + 20.0;
    let room = theme.scaled(180.0).min(rect.width() * 0.4);
    let galley = text::line_ui(ui, &method, theme.mono(), theme.text, room);
    text::paint_at(ui, left, y, galley, theme.text);
    let size = format::count(frame.bytes as u64);
    let size = text::line_ui(ui, &size, theme.tabular(), theme.secondary, f32::INFINITY);
    let right = rect.right() - 10.0 - size.size().x;
    text::paint_at(ui, right, y, size, theme.secondary);
    let left = left + room + 8.0;
    let preview: String = frame.text.chars().take(PREVIEW_CHARS).collect();
    let room = right - left - 8.0;
    if room > 40.0 {
        let preview = text::line_ui(ui, &visible(&preview), theme.mono(), theme.secondary, room);
        text::paint_at(ui, left, y, preview, theme.secondary);
    }
    response.clicked()
}

/// A frame in full, indented.
fn detail_ui(ui: &mut Ui, cx: &mut UiCx<'_>, frame: &ShownFrame, rect: Rect) {
    let theme = cx.theme;
    let card = Frame {
        fill: theme.sunken,
        corner_radius: CARD_RADIUS,
        ..Frame::NONE
    };
    ui.painter().add(card.paint(rect));
    let full = indented(&frame.text);
    let end = full.floor_char_boundary(DETAIL_BYTES);
    let shown = full.get(..end).unwrap_or_default();
    let cut = if end < full.len() { "\n…" } else { "" };
    let inner = rect - Margin::symmetric(10, 8);
    let mut child = ui.new_child(UiBuilder::new().max_rect(inner).id_salt("frame in full"));
    let copy = Button::text(cx.i18n.tr("protocol.copy_frame"))
        .with_icon(icons::COPY)
        .weight(Weight::Quiet)
        .small();
    if copy.show_ui(&mut child, theme).clicked() {
        cx.actions.push(UiAction::CopyText(full.clone()));
    }
    ScrollArea::both()
        .id_salt(("frame", frame.number))
        .auto_shrink(false)
        .show(&mut child, |ui| {
            let text = RichText::new(format!("{}{cut}", visible(shown)))
                .font(theme.mono())
                .color(theme.text)
                .background_color(Color32::TRANSPARENT);
            ui.add(Label::new(text).extend().selectable(true));
        });
}

/// JSON on many lines; what is none stays as it is.
fn indented(text: &str) -> String {
    let value: Result<serde_json::Value, _> = serde_json::from_str(text);
    value
        .and_then(|value| serde_json::to_string_pretty(&value))
        .unwrap_or_else(|_error| text.to_owned())
}
