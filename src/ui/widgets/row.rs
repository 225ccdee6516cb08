//! A row of a menu or a list: icon, title, what else is to say, and a mark.

use egui::{Color32, FontId, Id, Response, Role, Sense, Ui, Vec2, WidgetInfo};

use crate::ui::icons;
use crate::ui::theme::{BUTTON_RADIUS, Theme};
use crate::ui::widgets::button::focus_ring;
use crate::ui::widgets::text;

/// A row, about to be shown over the whole width.
#[derive(Clone)]
#[must_use]
pub struct Row<'a> {
    title: &'a str,
    label: &'a str,
    icon: Option<(&'a str, FontId, Color32)>,
    note: Option<&'a str>,
    detail: Option<&'a str>,
    description: Option<&'a str>,
    mark: Mark,
    is_dimmed: bool,
    is_highlighted: bool,
    end_space: f32,
    id: Option<Id>,
}

/// What stands at the end of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Chosen,
    Waiting,
}

impl<'a> Row<'a> {
    pub fn new(title: &'a str) -> Self {
        Self {
            title,
            label: title,
            icon: None,
            note: None,
            detail: None,
            description: None,
            mark: Mark::None,
            is_dimmed: false,
            is_highlighted: false,
            end_space: 0.0,
            id: None,
        }
    }

    /// Another name for assistive technology than the title.
    pub fn label(mut self, label: &'a str) -> Self {
        self.label = label;
        self
    }

    pub fn icon(mut self, icon: &'a str, font: FontId, color: Color32) -> Self {
        self.icon = Some((icon, font, color));
        self
    }

    /// Words that follow the title.
    pub fn note(mut self, note: &'a str) -> Self {
        self.note = Some(note);
        self
    }

    /// A word at the end of the line.
    pub fn detail(mut self, detail: &'a str) -> Self {
        self.detail = Some(detail);
        self
    }

    /// A second line.
    pub fn description(mut self, description: &'a str) -> Self {
        self.description = Some(description).filter(|description| !description.is_empty());
        self
    }

    /// Marks the row as the one that is chosen.
    pub fn chosen(mut self, is_chosen: bool) -> Self {
        if is_chosen {
            self.mark = Mark::Chosen;
        }
        self
    }

    /// Marks the row as one where something waits for the person.
    pub fn waiting(mut self, is_waiting: bool) -> Self {
        if is_waiting {
            self.mark = Mark::Waiting;
        }
        self
    }

    pub fn dimmed(mut self, is_dimmed: bool) -> Self {
        self.is_dimmed = is_dimmed;
        self
    }

    /// Draws it as the one that Enter would choose.
    pub fn highlighted(mut self, is_highlighted: bool) -> Self {
        self.is_highlighted = is_highlighted;
        self
    }

    /// Leaves room at the end for a button, in points.
    pub fn end_space(mut self, end_space: f32) -> Self {
        self.end_space = end_space;
        self
    }

    pub fn id(mut self, id: Id) -> Self {
        self.id = Some(id);
        self
    }

    pub fn show_ui(self, ui: &mut Ui, theme: &Theme) -> Response {
        let line = theme.scaled(28.0);
        let second_line = self.description.map_or(0.0, |_| theme.scaled(16.0));
        let size = Vec2::new(ui.available_width(), line + second_line);
        let (auto_id, rect) = ui.allocate_space(size);
        let response = ui.interact(rect, self.id.unwrap_or(auto_id), Sense::click());
        let fill = if response.is_pointer_button_down_on() {
            theme.pressed
        } else if response.hovered() || self.is_highlighted || response.has_focus() {
            theme.hover
        } else {
            Color32::TRANSPARENT
        };
        ui.painter().rect_filled(rect, BUTTON_RADIUS, fill);
        focus_ring(ui, theme, rect.shrink(1.0), BUTTON_RADIUS, &response);
        let color = if self.is_dimmed {
            theme.secondary
        } else {
            theme.text
        };
        let y = rect.top() + line / 2.0;
        let mut left = rect.left() + 8.0;
        let mut right = rect.right() - 8.0 - self.end_space;
        if let Some((icon, font, icon_color)) = self.icon.clone() {
            let width = theme.icon().size;
            text::paint_icon(
                ui,
                left + (width - font.size) / 2.0,
                y,
                icon,
                font,
                icon_color,
            );
            left += width + 8.0;
        }
        right = self.paint_mark(ui, theme, right, y);
        if let Some(detail) = self.detail {
            let room = (right - left) * 0.5;
            let galley = text::line_ui(ui, detail, theme.meta(), theme.secondary, room);
            right -= galley.size().x;
            text::paint_at(ui, right, y, galley, theme.secondary);
            right -= 8.0;
        }
        let title = text::line_ui(ui, self.title, theme.body(), color, right - left);
        let is_cut = title.elided;
        let title = text::paint_at(ui, left, y, title, color);
        if let Some(note) = self.note {
            let x = title.right() + 10.0;
            let galley = text::line_ui(ui, note, theme.meta(), theme.secondary, right - x);
            text::paint_at(ui, x, y, galley, theme.secondary);
        }
        if let Some(description) = self.description {
            let room = rect.right() - 8.0 - self.end_space - left;
            let galley = text::line_ui(ui, description, theme.meta(), theme.secondary, room);
            let y = rect.top() + line + second_line / 2.0 - theme.scaled(5.0);
            text::paint_at(ui, left, y, galley, theme.secondary);
        }
        let is_chosen = self.mark == Mark::Chosen;
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, self.label));
        if is_cut {
            response.on_hover_text(self.title)
        } else {
            response
        }
    }

    fn paint_mark(&self, ui: &Ui, theme: &Theme, right: f32, y: f32) -> f32 {
        let (icon, color) = match self.mark {
            Mark::None => return right,
            Mark::Chosen => (icons::CHECK, theme.text),
            Mark::Waiting => (icons::SHIELD, theme.caution),
        };
        let font = theme.icon();
        let x = right - font.size;
        text::paint_icon(ui, x, y, icon, font, color);
        x - 8.0
    }
}

/// A heading over rows.
pub fn heading_ui(ui: &mut Ui, theme: &Theme, title: &str) {
    let font = crate::ui::fonts::Face::SemiBold.sized(theme.size.meta);
    let galley = text::line_ui(
        ui,
        title,
        font,
        theme.secondary,
        ui.available_width() - 16.0,
    );
    let height = theme.scaled(26.0);
    let (rect, response) =
        ui.allocate_exact_size(Vec2::new(ui.available_width(), height), Sense::hover());
    let y = rect.bottom() - theme.scaled(11.0);
    text::paint_at(ui, rect.left() + 8.0, y, galley, theme.secondary);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, title));
}

/// A hairline between groups of rows.
pub fn separator_ui(ui: &mut Ui, theme: &Theme) {
    let (rect, _) = ui.allocate_exact_size(Vec2::new(ui.available_width(), 9.0), Sense::hover());
    let stroke = egui::Stroke::new(1.0, theme.hairline);
    ui.painter().hline(rect.x_range(), rect.center().y, stroke);
}
