//! A tree of JSON in an output box: a mark before what folds, names, values. Only lines in view are drawn.

use egui::text::{LayoutJob, TextFormat};
use egui::{Id, Pos2, Rect, Role, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};

use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::text::code_view::row_height;
use crate::ui::text::cx::TextCx;
use crate::ui::text::draw::galley_ui;
use crate::ui::text::selecting::Held;
use crate::ui::theme::{BUTTON_RADIUS, Theme};
use crate::ui::transcript::json_tree::{JsonTree, TreeLine};
use crate::ui::widgets::button::focus_ring;
use crate::ui::widgets::output_box::Lines;
use crate::ui::widgets::text::paint_icon;

/// The room for the mark that says open or closed.
const MARK: f32 = 16.0;

/// A tree that is about to be shown.
pub struct TreeLines<'a> {
    pub tree: &'a JsonTree,
    /// What is copied.
    pub copied: &'a dyn Fn() -> String,
    /// The number of the value that the person opened or closed.
    pub toggled: Option<usize>,
}

impl Lines for TreeLines<'_> {
    fn size(&self, ui: &Ui, cx: &TextCx<'_>) -> Vec2 {
        let column = ui.fonts_mut(|fonts| fonts.glyph_width(&cx.theme.mono(), 'M'));
        vec2(
            (self.tree.widest as f32 * column).ceil() + MARK + 1.0,
            self.tree.lines.len() as f32 * row_height(ui, cx.theme),
        )
    }

    fn lines_ui(&mut self, ui: &Ui, cx: &mut TextCx<'_>, top_left: Pos2, id: Id) {
        let row = row_height(ui, cx.theme);
        let clip = ui.clip_rect();
        let line_at = |y: f32| ((y - top_left.y) / row).max(0.0);
        let first = line_at(clip.top()) as usize;
        let end = (line_at(clip.bottom()).ceil() as usize).min(self.tree.lines.len());
        let column = ui.fonts_mut(|fonts| fonts.glyph_width(&cx.theme.mono(), 'M'));
        for index in first..end {
            let Some(line) = self.tree.lines.get(index) else {
                continue;
            };
            let left = top_left.x + 2.0 * line.depth as f32 * column;
            let at = pos2(left, top_left.y + index as f32 * row);
            self.fold_ui(
                ui,
                cx.theme,
                line,
                Rect::from_min_size(at, vec2(MARK, row)),
                id,
            );
            let job = job(cx.theme, line, row);
            let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
            let at = at + vec2(MARK, 0.0);
            cx.finding.at(index, 0);
            galley_ui(ui, cx, &galley, at, id.with(index), Held::Part(0));
        }
    }

    fn text(&self) -> String {
        (self.copied)()
    }
}

impl TreeLines<'_> {
    fn fold_ui(&mut self, ui: &Ui, theme: &Theme, line: &TreeLine, rect: Rect, id: Id) {
        let Some(fold) = line.fold else { return };
        let id = id.with(("fold", fold.value));
        let response = ui.interact(rect, id, Sense::click());
        let name = if line.name.is_empty() {
            &line.text
        } else {
            &line.name
        };
        response.widget_info(|| WidgetInfo::labeled(Role::DisclosureTriangle, true, name));
        ui.ctx()
            .accesskit_node_builder(id, |node| node.set_expanded(fold.is_open));
        if response.hovered() {
            ui.painter().rect_filled(rect, BUTTON_RADIUS, theme.hover);
        }
        focus_ring(ui, theme, rect, BUTTON_RADIUS, &response);
        let icon = if fold.is_open {
            icons::CHEVRON_DOWN
        } else {
            icons::CHEVRON_RIGHT
        };
        let font = Face::Icon.sized(12.0);
        paint_icon(
            ui,
            rect.left() + 2.0,
            rect.center().y,
            icon,
            font,
            theme.secondary,
        );
        if response.clicked() {
            self.toggled = Some(fold.value);
        }
    }
}

fn job(theme: &Theme, line: &TreeLine, row: f32) -> LayoutJob {
    let mut job = LayoutJob {
        break_on_newline: false,
        ..LayoutJob::default()
    };
    let format = |color| TextFormat {
        font_id: theme.mono(),
        color,
        line_height: Some(row),
        ..TextFormat::default()
    };
    if !line.name.is_empty() {
        job.append(&line.name, 0.0, format(theme.secondary));
        job.append(": ", 0.0, format(theme.secondary));
    }
    let color = match line.text.chars().next() {
        Some('"') => theme.syntax.string,
        Some(first) if first.is_ascii_digit() || first == '-' => theme.syntax.number,
        Some('{' | '[') => theme.secondary,
        _ => theme.text,
    };
    let color = if line.name.is_empty() {
        theme.text
    } else {
        color
    };
    job.append(&line.text, 0.0, format(color));
    job
}
