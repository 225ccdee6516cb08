//! What a search found: each file once, with its lines, which open in the editor.

use egui::{Id, Rect, Role, Sense, Shape, Ui, WidgetInfo, vec2};

use crate::core::transcript::Block;
use crate::ui::cx::UiAction;
use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::text::selecting::Held;
use crate::ui::transcript::describe::relative;
use crate::ui::transcript::folds::FoldPart;
use crate::ui::transcript::hits::{HitLine, Hits, ShownFile};
use crate::ui::transcript::views::ViewPart;
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::{Button, Weight, focus_ring, paint_quiet};
use crate::ui::widgets::text;

/// Draws the files and lines of an output.
pub(super) fn search_hits_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    place: usize,
    hits: &Hits,
) {
    let is_whole = cx.folds.is_open(block.id, FoldPart::WholeOutput(place));
    cx.text.finding.enter(block.id, ViewPart::Content(place));
    let spacing = std::mem::replace(&mut ui.spacing_mut().item_spacing.y, 0.0);
    for (index, file) in hits.first(is_whole) {
        let id = Id::unique(("hit", cx.session.key().0, block.id.0, place, index));
        cx.text.finding.at(index, 0);
        file_ui(ui, cx, block, file, id);
        for line in file.lines {
            cx.text.finding.at(index, line.at + 1);
            line_ui(ui, cx, file, line, id.with(line.at));
        }
    }
    ui.spacing_mut().item_spacing.y = spacing;
    if hits.has_more() {
        let words = if is_whole {
            cx.cx.i18n.tr("transcript.output.show_less").to_owned()
        } else {
            cx.cx
                .i18n
                .tr_args("transcript.hits.show_all", &[("count", hits.count.into())])
        };
        let id = Id::unique(("all hits", cx.session.key().0, block.id.0, place));
        let button = Button::text(&words).weight(Weight::Quiet).small().id(id);
        if button.show_ui(ui, cx.cx.theme).clicked() {
            cx.folds
                .set(block.id, FoldPart::WholeOutput(place), !is_whole);
        }
    }
}

fn file_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, file: ShownFile<'_>, id: Id) {
    let theme = cx.cx.theme;
    let cwd = cx.session.setup().cwd.clone();
    let shown = one_line(&relative(file.path, &cwd));
    let open = cx
        .cx
        .i18n
        .tr_args("transcript.links.open", &[("url", shown.as_str().into())]);
    let button = Button::text(&open)
        .shown(&shown)
        .with_icon(icons::FILE)
        .weight(Weight::Quiet)
        .small()
        .id(id);
    let ground = ui.painter().add(Shape::Noop);
    let response = button.show_ui(ui, theme);
    let here = cx.text.finding.here().map(|(_, unit)| unit);
    if here.is_some_and(|unit| cx.text.selecting.covers(block.id, unit)) {
        let words = response.rect.shrink2(vec2(4.0, 3.0));
        let selected = Shape::rect_filled(words, 0.0, theme.selection);
        ui.painter().set(ground, selected);
    }
    if response.clicked() {
        cx.cx.actions.push(UiAction::OpenFile {
            path: cwd.join(file.path),
            line: file.lines.first().map(|line| line.number),
        });
    }
}

fn line_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, file: ShownFile<'_>, line: &HitLine, id: Id) {
    let theme = cx.cx.theme;
    let size = vec2(ui.available_width(), theme.scaled(22.0));
    let (_, rect) = ui.allocate_space(size);
    if !ui.is_rect_visible(rect) {
        return;
    }
    let cwd = cx.session.setup().cwd.clone();
    let shown = one_line(&line.text);
    let place = format!("{}:{}", one_line(&relative(file.path, &cwd)), line.number);
    let open = cx
        .cx
        .i18n
        .tr_args("transcript.links.open", &[("url", place.into())]);
    let label = format!("{open}, {shown}");
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    paint_quiet(ui, theme, rect, &response);
    focus_ring(ui, theme, rect, crate::ui::theme::BUTTON_RADIUS, &response);
    let number_right = rect.left() + theme.scaled(58.0);
    let font = Face::Mono.sized(theme.size.mono - 2.0);
    let number = line.number.to_string();
    let number = text::line_ui(ui, &number, font, theme.secondary, f32::INFINITY);
    let y = rect.center().y;
    let left = number_right - number.size().x;
    text::paint_at(ui, left, y, number, theme.secondary);
    let room = rect.right() - number_right - 20.0;
    let galley = text::line_ui(ui, &shown, theme.mono(), theme.text, room);
    let at = egui::pos2(number_right + 12.0, y - galley.size().y / 2.0);
    let text_rect = Rect::from_min_size(at, galley.size());
    cx.text
        .finding
        .mark_ui(ui, theme, galley.text(), (&galley, text_rect.min, 0));
    let galley = match cx.text.finding.here() {
        Some(here) => {
            let selecting = &mut cx.text.selecting;
            selecting.selected_ui(ui, here, Held::Part(0), &galley, text_rect.min)
        }
        None => galley,
    };
    text::paint_at(ui, at.x, y, galley, theme.text);
    if response.clicked() {
        cx.cx.actions.push(UiAction::OpenFile {
            path: cwd.join(file.path),
            line: Some(line.number),
        });
    }
}
