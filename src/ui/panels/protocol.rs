//! The view of the wire, in the transcript's place: every frame with its direction and name, and one of them whole.

use egui::{
    Align, CornerRadius, Frame, Id, Label, Layout, Margin, Rect, RichText, Role, ScrollArea, Sense,
    Ui, Vec2, WidgetInfo,
};

use crate::core::frame_log::{self, Direction, FrameKind};
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::format;
use crate::ui::icons;
use crate::ui::state::protocol::{Detail, ProtocolView, Scope};
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::{Button, focus_ring};
use crate::ui::widgets::row::separator_ui;
use crate::ui::widgets::segmented::segmented_ui;
use crate::ui::widgets::text;
use crate::ui::widgets::text_field::TextField;

/// How wide the choice of directions is, in points at the usual text size.
const DIRECTIONS_WIDTH: f32 = 210.0;
/// The part of the height that one frame takes when it is looked at.
const DETAIL_SHARE: f32 = 0.45;
/// Below this a line shows the frame's name alone, in points.
const NARROW: f32 = 460.0;
/// The letters of a frame that a line shows.
const LINE_CHARS: usize = 300;

/// What is done with the view after it was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProtocolOutcome {
    Stays,
    Closes,
}

/// Draws the view over all the room there is.
pub fn protocol_ui(ui: &mut Ui, cx: &mut UiCx<'_>, view: &mut ProtocolView) -> ProtocolOutcome {
    let room = ui.max_rect().shrink2(Vec2::new(12.0, 8.0));
    let mut outcome = ProtocolOutcome::Stays;
    ui.scope_builder(egui::UiBuilder::new().max_rect(room), |ui| {
        outcome = head_ui(ui, cx, view);
        filter_ui(ui, cx, view);
        if view.search() {
            ui.ctx().request_repaint();
        }
        ui.add_space(4.0);
        separator_ui(ui, cx.theme);
        let detail = view.detail().cloned();
        let below = ui.available_rect_before_wrap();
        let share = if detail.is_some() { DETAIL_SHARE } else { 0.0 };
        let (list, shown) = below.split_top_bottom_at_fraction(1.0 - share);
        ui.scope_builder(egui::UiBuilder::new().max_rect(list), |ui| {
            list_ui(ui, cx, view);
        });
        if let Some(detail) = detail {
            ui.scope_builder(egui::UiBuilder::new().max_rect(shown), |ui| {
                detail_ui(ui, cx, view, &detail);
            });
        }
    });
    outcome
}

fn head_ui(ui: &mut Ui, cx: &mut UiCx<'_>, view: &mut ProtocolView) -> ProtocolOutcome {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let title = match view.scope {
        Scope::All => i18n.tr("protocol.title"),
        Scope::Block(..) => i18n.tr("protocol.title.block"),
    };
    let mut outcome = ProtocolOutcome::Stays;
    let row = Vec2::new(ui.available_width(), Button::height(theme));
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        let close = Button::icon(icons::CROSS, i18n.tr("protocol.close")).show_ui(ui, theme);
        if close.clicked() {
            outcome = ProtocolOutcome::Closes;
        }
        let has_rows = !view.is_empty();
        let export = Button::icon(icons::FILE, i18n.tr("protocol.export"))
            .tooltip(i18n.tr("protocol.export.tooltip"))
            .enabled(has_rows)
            .show_ui(ui, theme);
        if export.clicked() {
            let text = frame_log::recording(view.rows().map(|frame| &**frame));
            cx.actions.push(UiAction::SaveText {
                name: "session.jsonl".to_owned(),
                text,
            });
        }
        let copy = Button::icon(icons::COPY, i18n.tr("protocol.copy"))
            .enabled(has_rows)
            .show_ui(ui, theme);
        if copy.clicked() {
            let text = frame_log::recording(view.rows().map(|frame| &**frame));
            cx.actions.push(UiAction::CopyText(text));
        }
        if view.scope == Scope::All {
            let label = if view.is_paused {
                i18n.tr("protocol.resume")
            } else {
                i18n.tr("protocol.pause")
            };
            if Button::chip(label).show_ui(ui, theme).clicked() {
                view.is_paused = !view.is_paused;
            }
        } else {
            let all = Button::chip(i18n.tr("protocol.all")).show_ui(ui, theme);
            if all.clicked() {
                cx.actions.push(UiAction::ShowFrames(Scope::All));
            }
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let width = ui.available_width();
            text::label_ui(ui, title, theme.heading(), theme.text, width);
            let counts = i18n.tr_args(
                "protocol.count",
                &[("shown", view.len().into()), ("total", view.total().into())],
            );
            text::label_ui(ui, &counts, theme.tabular(), theme.secondary, width);
        });
    });
    outcome
}

fn filter_ui(ui: &mut Ui, cx: &UiCx<'_>, view: &mut ProtocolView) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let directions = [None, Some(Direction::Sent), Some(Direction::Received)];
    ui.horizontal(|ui| {
        ui.allocate_ui(
            Vec2::new(theme.scaled(DIRECTIONS_WIDTH), theme.scaled(28.0)),
            |ui| {
                let names = [
                    i18n.tr("protocol.both"),
                    i18n.tr("protocol.sent"),
                    i18n.tr("protocol.received"),
                ];
                let chosen = directions.iter().position(|way| *way == view.direction);
                if let Some(clicked) = segmented_ui(ui, theme, &names, chosen)
                    && let Some(direction) = directions.get(clicked)
                {
                    view.direction = *direction;
                }
            },
        );
        let id = Id::unique("protocol filter");
        let field = TextField::new(id, &mut view.filter, i18n.tr("protocol.filter"))
            .hint(i18n.tr("protocol.filter.hint"));
        field.framed_ui(ui, theme);
        if std::mem::take(&mut view.focuses_filter) {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
    });
}

fn list_ui(ui: &mut Ui, cx: &UiCx<'_>, view: &mut ProtocolView) {
    let theme = cx.theme;
    if view.is_empty() {
        let words = if view.total() == 0 {
            cx.i18n.tr("protocol.empty")
        } else {
            cx.i18n.tr("protocol.nothing_found")
        };
        ui.add_space(12.0);
        text::label_ui(ui, words, theme.body(), theme.secondary, f32::INFINITY);
        return;
    }
    let height = theme.scaled(24.0);
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut clicked = None;
    let mut area = ScrollArea::vertical()
        .id_salt("protocol frames")
        .auto_shrink(false)
        .stick_to_bottom(true);
    // The list gets lower when a frame is looked at; its line stays in view.
    if let Some(row) = view.scrolls_to.take() {
        let middle = (row as f32 * height - ui.available_height() / 2.0).max(0.0);
        area = area.vertical_scroll_offset(middle);
    }
    area.show_rows(ui, height, view.len(), |ui, rows| {
        for row in rows {
            if frame_ui(ui, cx, view, row, height) {
                clicked = view.row(row).cloned().map(|frame| (row, frame));
            }
        }
    });
    if let Some((row, frame)) = clicked {
        view.toggle(&frame);
        view.scrolls_to = Some(row);
        ui.ctx().request_repaint();
    }
}

/// One line for a frame; whether it was clicked.
fn frame_ui(ui: &mut Ui, cx: &UiCx<'_>, view: &ProtocolView, row: usize, height: f32) -> bool {
    let theme = cx.theme;
    let Some(frame) = view.row(row) else {
        return false;
    };
    let summary = frame.summary();
    let (_, rect) = ui.allocate_space(Vec2::new(ui.available_width(), height));
    let id = Id::unique(("protocol frame", frame.number));
    let response = ui.interact(rect, id, Sense::click());
    let is_shown = view
        .detail()
        .is_some_and(|detail| detail.frame.number == frame.number);
    let radius = CornerRadius::same(4);
    if is_shown {
        ui.painter().rect_filled(rect, radius, theme.pressed);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, radius, theme.hover);
    }
    focus_ring(ui, theme, rect, radius, &response);
    let (icon, way) = match frame.direction {
        Direction::Sent => (icons::ARROW_UP, cx.i18n.tr("protocol.sent")),
        Direction::Received => (icons::ARROW_DOWN, cx.i18n.tr("protocol.received")),
    };
    let y = rect.center().y;
    let mut icon_font = theme.icon();
    icon_font.size = theme.size.meta;
    let mark = text::paint_icon(ui, rect.left() + 4.0, y, icon, icon_font, theme.secondary);
    let color = match summary.kind {
        FrameKind::Error => theme.error,
        FrameKind::Stray => theme.caution,
        FrameKind::Request | FrameKind::Notification | FrameKind::Answer => theme.text,
    };
    let name = name_words(cx, summary);
    let size = format::bytes(frame.bytes as u64);
    let size_galley = text::line_ui(ui, &size, theme.tabular(), theme.secondary, 90.0);
    let size_left = rect.right() - 4.0 - size_galley.size().x;
    text::paint_at(ui, size_left, y, size_galley, theme.secondary);
    let room = size_left - mark.right() - 24.0;
    // In a narrow window the name is all that is told.
    let name_room = if room < NARROW { room } else { room * 0.6 };
    let galley = text::line_ui(ui, &name, theme.mono(), color, name_room);
    let shown = text::paint_at(ui, mark.right() + 8.0, y, galley, color);
    if room >= NARROW {
        let left = shown.right() + 12.0;
        let start: String = frame.text.chars().take(LINE_CHARS).collect();
        let (start, width) = (one_line(&start), size_left - left - 8.0);
        let galley = text::line_ui(ui, &start, theme.mono(), theme.secondary, width);
        text::paint_at(ui, left, y, galley, theme.secondary);
    }
    response.widget_info(|| {
        let label = format!("{way}: {name}, {size}");
        WidgetInfo::selected(Role::Button, true, is_shown, label)
    });
    response.clicked()
}

fn name_words(cx: &UiCx<'_>, summary: &frame_log::Summary) -> String {
    let id = summary.id.as_deref().unwrap_or_default();
    match summary.kind {
        FrameKind::Stray => cx.i18n.tr("protocol.stray").to_owned(),
        FrameKind::Answer => cx.i18n.tr_args("protocol.answer", &[("id", id.into())]),
        FrameKind::Error => cx.i18n.tr_args("protocol.error", &[("id", id.into())]),
        FrameKind::Request if !id.is_empty() => format!("{} #{id}", summary.name),
        FrameKind::Request | FrameKind::Notification => summary.name.clone(),
    }
}

fn detail_ui(ui: &mut Ui, cx: &mut UiCx<'_>, view: &mut ProtocolView, detail: &Detail) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let frame = Frame {
        inner_margin: Margin::symmetric(10, 8),
        fill: theme.sunken,
        corner_radius: CornerRadius::same(6),
        ..Frame::NONE
    };
    frame.show(ui, |ui| {
        let row = Vec2::new(ui.available_width(), Button::chip_height(theme));
        ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
            let close = Button::icon(icons::CHEVRON_DOWN, i18n.tr("protocol.detail.close"))
                .small()
                .show_ui(ui, theme);
            if close.clicked() {
                view.toggle(&detail.frame);
            }
            let copy = Button::icon(icons::COPY, i18n.tr("protocol.detail.copy"))
                .small()
                .show_ui(ui, theme);
            if copy.clicked() {
                cx.actions.push(UiAction::CopyText(detail.frame.pretty()));
            }
            if detail.is_cut {
                let words = i18n.tr("protocol.detail.cut");
                text::label_ui(ui, words, theme.meta(), theme.caution, f32::INFINITY);
            }
        });
        let size = ui.available_size();
        let room = Rect::from_min_size(ui.next_widget_position(), size);
        ui.scope_builder(egui::UiBuilder::new().max_rect(room), |ui| {
            ScrollArea::both()
                .id_salt(("protocol detail", detail.frame.number))
                .auto_shrink(false)
                .show(ui, |ui| {
                    let text = RichText::new(&detail.text)
                        .font(theme.mono())
                        .color(theme.text);
                    ui.add(Label::new(text).extend().selectable(true));
                });
        });
    });
}
