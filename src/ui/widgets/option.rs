//! One of several answers, as a button with a mark, a label and what it means.

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Color32, CornerRadius, FontId, Id, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo,
};

use crate::ui::icons;
use crate::ui::theme::{BUTTON_RADIUS, LINE_HEIGHT, Theme};
use crate::ui::widgets::button::{Button, focus_ring};
use crate::ui::widgets::text;

const PADDING: f32 = 10.0;
const GAP: f32 = 8.0;

/// How many of the answers can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    One,
    Many,
}

/// An answer, about to be shown over the whole width.
#[derive(Clone, Copy)]
#[must_use]
pub struct OptionButton<'a> {
    id: Id,
    label: &'a str,
    description: &'a str,
    mark: Mark,
    is_chosen: bool,
    is_settling: bool,
}

impl<'a> OptionButton<'a> {
    pub fn new(id: Id, mark: Mark, label: &'a str) -> Self {
        Self {
            id,
            label,
            description: "",
            mark,
            is_chosen: false,
            is_settling: false,
        }
    }

    /// A second line, or several.
    pub fn description(mut self, description: &'a str) -> Self {
        self.description = description;
        self
    }

    pub fn chosen(mut self, is_chosen: bool) -> Self {
        self.is_chosen = is_chosen;
        self
    }

    /// Draws it as one that does not take input yet.
    pub fn settling(mut self, is_settling: bool) -> Self {
        self.is_settling = is_settling;
        self
    }

    pub fn show_ui(self, ui: &mut Ui, theme: &Theme) -> Response {
        let mark_size = theme.icon().size;
        let width = ui.available_width();
        let room = width - 2.0 * PADDING - mark_size - GAP;
        let label = ui
            .painter()
            .layout_job(job(self.label, theme.body(), theme.text, room));
        let description = (!self.description.is_empty()).then(|| {
            let job = job(self.description, theme.meta(), theme.secondary, room);
            ui.painter().layout_job(job)
        });
        let first_line = (theme.size.body * LINE_HEIGHT).round();
        let texts = label.size().y + description.as_ref().map_or(0.0, |text| text.size().y);
        let height = (texts + 8.0).max(Button::height(theme));
        let (_, rect) = ui.allocate_space(Vec2::new(width, height));
        let response = ui.interact(rect, self.id, Sense::click());
        self.frame_ui(ui, theme, &response);
        let top = rect.center().y - texts / 2.0;
        let mark = Rect::from_center_size(
            egui::pos2(
                rect.left() + PADDING + mark_size / 2.0,
                top + first_line / 2.0,
            ),
            Vec2::splat(mark_size),
        );
        self.mark_ui(ui, theme, mark);
        let at = egui::pos2(mark.right() + GAP, top);
        let below = at + Vec2::new(0.0, label.size().y);
        let color = if self.is_settling {
            theme.secondary
        } else {
            theme.text
        };
        ui.painter()
            .galley_with_override_text_color(at, label, color);
        if let Some(description) = description {
            ui.painter().galley(below, description, theme.secondary);
        }
        let role = match self.mark {
            Mark::One => Role::RadioButton,
            Mark::Many => Role::CheckBox,
        };
        response.widget_info(|| WidgetInfo::selected(role, true, self.is_chosen, self.label));
        if !self.description.is_empty() {
            ui.ctx().accesskit_node_builder(response.id, |node| {
                node.set_description(self.description);
            });
        }
        response
    }

    fn frame_ui(self, ui: &Ui, theme: &Theme, response: &Response) {
        let fill = if self.is_settling {
            Color32::TRANSPARENT
        } else if response.is_pointer_button_down_on() {
            theme.pressed
        } else if response.hovered() || self.is_chosen {
            theme.hover
        } else {
            Color32::TRANSPARENT
        };
        let color = if self.is_chosen {
            theme.link
        } else {
            theme.border
        };
        let stroke = Stroke::new(1.0, color);
        ui.painter().rect(
            response.rect,
            BUTTON_RADIUS,
            fill,
            stroke,
            StrokeKind::Inside,
        );
        focus_ring(ui, theme, response.rect, BUTTON_RADIUS, response);
    }

    fn mark_ui(self, ui: &Ui, theme: &Theme, rect: Rect) {
        let painter = ui.painter();
        let color = if self.is_chosen {
            theme.link
        } else {
            theme.secondary
        };
        let stroke = Stroke::new(1.5, color);
        let outline = rect.shrink(2.0);
        match self.mark {
            Mark::One => {
                painter.circle_stroke(rect.center(), outline.width() / 2.0, stroke);
                if self.is_chosen {
                    painter.circle_filled(rect.center(), outline.width() / 4.0, color);
                }
            }
            Mark::Many => {
                let radius = CornerRadius::same(3);
                if self.is_chosen {
                    painter.rect_filled(outline, radius, color);
                    let font = FontId::new(outline.width(), theme.icon().family);
                    let (x, y) = (outline.left(), rect.center().y);
                    text::paint_icon(ui, x, y, icons::CHECK, font, theme.raised);
                } else {
                    painter.rect_stroke(outline, radius, stroke, StrokeKind::Inside);
                }
            }
        }
    }
}

fn job(text: &str, font: FontId, color: Color32, width: f32) -> LayoutJob {
    let line_height = (font.size * LINE_HEIGHT).round();
    let mut format = TextFormat::simple(font, color);
    format.line_height = Some(line_height);
    let mut job = LayoutJob::single_section(text.to_owned(), format);
    job.wrap.max_width = width.max(0.0);
    job
}
