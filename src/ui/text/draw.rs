//! Draws laid-out text: it can be selected, its links lead somewhere, its code stands on a ground of its own.

use std::sync::Arc;

use egui::text_selection::LabelSelectionState;
use egui::{
    CornerRadius, CursorIcon, Galley, Id, Pos2, Rect, Role, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo,
};

use crate::ui::text::cx::{TextAction, TextCx};
use crate::ui::text::flow::{Flow, FlowPiece, Mark, MarkKind, positions};
use crate::ui::text::inline::Target;
use crate::ui::text::sanitize::visible;
use crate::ui::text::selecting::Held;

/// Draws a paragraph.
pub fn flow_ui(
    ui: &Ui,
    cx: &mut TextCx<'_>,
    flow: &Flow,
    links: &[Target],
    top_left: Pos2,
    id: Id,
) {
    let whole = if cx.finding.query.is_some() && flow.pieces.len() > 1 {
        let texts = flow.pieces.iter().map(|piece| piece.galley.text());
        texts.collect::<String>()
    } else {
        String::new()
    };
    let mut from = 0;
    for (index, (at, piece)) in positions(flow, top_left).enumerate() {
        let rect = Rect::from_min_size(at, piece.galley.size());
        let is_in_view = ui.is_rect_visible(rect.expand(2.0));
        let text = if whole.is_empty() {
            piece.galley.text()
        } else {
            &whole
        };
        if is_in_view {
            paint_grounds(ui, cx, piece, at);
        }
        if is_in_view || cx.finding.current_line().is_some() {
            let galley = (piece.galley.as_ref(), at, from);
            cx.finding.mark_ui(ui, cx.theme, text, galley);
        }
        if is_in_view {
            piece_ui(ui, cx, piece, links, (at, from), id.with(index));
        }
        from += piece.galley.text().len();
    }
}

/// Draws text that can be selected: across the transcript where it is a unit of a block, else as egui does it.
pub fn galley_ui(ui: &Ui, cx: &mut TextCx<'_>, galley: &Arc<Galley>, at: Pos2, id: Id, held: Held) {
    let rect = Rect::from_min_size(at, galley.size());
    let response = ui.interact(rect, id, selecting());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, galley.text()));
    let color = ui.visuals().text_color();
    let here = cx.finding.here();
    let Some(here) = here.filter(|(_, unit)| cx.selecting.is_on && unit.area.has_units()) else {
        let galley = Arc::clone(galley);
        let none = Stroke::NONE;
        LabelSelectionState::label_text_selection(ui, &response, at, galley, color, none);
        return;
    };
    cx.selecting.hear_ui(ui, &response);
    let galley = cx.selecting.selected_ui(ui, here, held, galley, at);
    ui.painter().galley(at, galley, color);
}

/// What code stands on.
fn paint_grounds(ui: &Ui, cx: &TextCx<'_>, piece: &FlowPiece, at: Pos2) {
    for mark in piece
        .marks
        .iter()
        .filter(|mark| mark.kind == MarkKind::Code)
    {
        for rect in &mark.rects {
            let rect = rect.translate(at.to_vec2()).expand2(egui::vec2(3.0, 0.0));
            ui.painter()
                .rect_filled(rect, CornerRadius::same(4), cx.theme.hover);
        }
    }
}

fn piece_ui(
    ui: &Ui,
    cx: &mut TextCx<'_>,
    piece: &FlowPiece,
    links: &[Target],
    (at, from): (Pos2, usize),
    id: Id,
) {
    galley_ui(ui, cx, &piece.galley, at, id, Held::Part(from));
    for (index, mark) in piece.marks.iter().enumerate() {
        if let MarkKind::Link(link) = mark.kind
            && let Some(target) = links.get(usize::from(link))
        {
            link_ui(ui, cx, mark, target, at, id.with(("link", index)));
        }
    }
}

fn link_ui(ui: &Ui, cx: &mut TextCx<'_>, mark: &Mark, target: &Target, at: Pos2, id: Id) {
    let hover = match target {
        Target::Url(address) => cx.i18n.tr_args(
            "transcript.links.open",
            &[("url", visible(address).as_ref().into())],
        ),
        Target::File { path, line } => {
            let place = format!("{}:{line}", visible(path));
            cx.i18n
                .tr_args("transcript.links.open", &[("url", place.into())])
        }
        Target::Dead(address) => visible(address).into_owned(),
    };
    let is_dead = matches!(target, Target::Dead(_));
    let rects: Vec<Rect> = mark
        .rects
        .iter()
        .map(|rect| rect.translate(at.to_vec2()))
        .collect();
    let mut response: Option<egui::Response> = None;
    for (index, rect) in rects.iter().enumerate() {
        let sense = match (is_dead, index) {
            (true, _) => Sense::hover(),
            // One stop for the keyboard, however many lines the link takes.
            (false, 0) => Sense::click(),
            (false, _) => Sense::CLICK,
        };
        let part = ui.interact(*rect, id.with(index), sense);
        response = Some(match response {
            Some(response) => response.union(part),
            None => part,
        });
    }
    let Some(response) = response else { return };
    let color = if is_dead {
        cx.theme.disabled
    } else {
        cx.theme.link
    };
    let width = if response.hovered() && !is_dead {
        1.5
    } else {
        0.75
    };
    for rect in &rects {
        ui.painter().hline(
            rect.x_range(),
            rect.max.y,
            Stroke::new(width, color.gamma_multiply(0.7)),
        );
        if response.has_focus() {
            let ring = Stroke::new(1.5, cx.theme.link);
            ui.painter().rect_stroke(
                rect.expand(2.0),
                CornerRadius::same(3),
                ring,
                StrokeKind::Outside,
            );
        }
    }
    if is_dead {
        response.on_hover_text(hover);
        return;
    }
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, &mark.text));
    cx.selecting.heard.on_plain_text &= !response.is_pointer_button_down_on();
    if response.clicked() {
        cx.actions
            .push(TextAction::Open(target.clone(), mark.text.clone()));
    }
    response.on_hover_text(hover);
}

/// What text that can be selected listens to; it is no stop for the keyboard.
pub fn selecting() -> Sense {
    Sense::CLICK | Sense::DRAG
}
