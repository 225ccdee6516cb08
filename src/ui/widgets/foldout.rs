//! Something in one line that can be opened: an icon, a name, what it is about, and a number at the right.

use egui::{
    Color32, FontId, Id, Rect, Response, Role, Sense, Shape, Stroke, Ui, UiBuilder, Vec2,
    WidgetInfo, pos2, vec2,
};

use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::theme::{BUTTON_RADIUS, Theme};
use crate::ui::widgets::button::focus_ring;
use crate::ui::widgets::text;

/// The room for the mark that says open or closed.
const CHEVRON: f32 = 18.0;

/// The line of a foldout, about to be shown.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Foldout<'a> {
    pub icon: &'a str,
    pub icon_color: Color32,
    pub name: &'a str,
    pub summary: &'a str,
    pub summary_font: SummaryFont,
    /// At the right, from left to right.
    pub trailing: &'a [(String, Color32)],
    /// All of it for those who can't see it.
    pub label: &'a str,
    pub tooltip: &'a str,
    pub openness: Openness,
    pub id: Id,
}

/// What is marked of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks<'a> {
    /// A quiet icon before the numbers.
    pub icon: Option<&'a str>,
    /// Its words are part of what is selected.
    pub is_selected: bool,
}

/// How the summary is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SummaryFont {
    Text,
    Code,
}

/// Whether a foldout is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Openness {
    Open,
    Closed,
    /// There is nothing to open.
    Fixed,
}

/// How far the content is moved to the right, in points.
pub fn inset(theme: &Theme) -> f32 {
    theme.scaled(24.0)
}

impl Openness {
    /// Open or closed.
    pub fn of(is_open: bool) -> Self {
        if is_open { Self::Open } else { Self::Closed }
    }
}

impl Foldout<'_> {
    /// The height of the line in points.
    pub fn height(theme: &Theme) -> f32 {
        theme.scaled(28.0)
    }

    /// Shows the line over the whole width.
    pub fn show_ui(self, ui: &mut Ui, theme: &Theme) -> Response {
        self.show_marked_ui(ui, theme, Marks::default())
    }

    /// Shows the line with what is to be marked of it.
    pub fn show_marked_ui(self, ui: &mut Ui, theme: &Theme, marks: Marks<'_>) -> Response {
        let size = vec2(ui.available_width(), Self::height(theme));
        let (_, rect) = ui.allocate_space(size);
        let can_open = self.openness != Openness::Fixed;
        let sense = if can_open {
            Sense::click()
        } else {
            Sense::hover()
        };
        let response = ui.interact(rect, self.id, sense);
        self.paint_ground(ui, theme, rect, &response);
        let mut right = self.paint_right(ui, theme, rect, &response);
        if let Some(mark) = marks.icon {
            let font = Face::Icon.sized(theme.size.meta);
            right -= font.size;
            text::paint_icon(ui, right, rect.center().y, mark, font, theme.secondary);
            right -= 8.0;
        }
        let ground = ui.painter().add(Shape::Noop);
        let words = self.paint_left(ui, theme, rect, right);
        if marks.is_selected {
            let selected = Shape::rect_filled(words, 0.0, theme.selection);
            ui.painter().set(ground, selected);
        }
        response.widget_info(|| WidgetInfo::labeled(Role::DisclosureTriangle, true, self.label));
        if can_open {
            let is_open = self.openness == Openness::Open;
            ui.ctx()
                .accesskit_node_builder(self.id, |node| node.set_expanded(is_open));
        }
        if self.tooltip.is_empty() {
            response
        } else {
            response.on_hover_text(self.tooltip)
        }
    }

    fn paint_ground(&self, ui: &Ui, theme: &Theme, rect: Rect, response: &Response) {
        if self.openness == Openness::Fixed {
            return;
        }
        let ground = rect.expand2(vec2(6.0, 0.0));
        if response.is_pointer_button_down_on() {
            ui.painter()
                .rect_filled(ground, BUTTON_RADIUS, theme.pressed);
        } else if response.hovered() {
            ui.painter().rect_filled(ground, BUTTON_RADIUS, theme.hover);
        }
        focus_ring(ui, theme, ground.shrink(1.0), BUTTON_RADIUS, response);
    }

    /// Draws the mark and the numbers; returns where there is room up to.
    fn paint_right(&self, ui: &Ui, theme: &Theme, rect: Rect, response: &Response) -> f32 {
        let y = rect.center().y;
        if self.openness != Openness::Fixed {
            let icon = if self.openness == Openness::Open {
                icons::CHEVRON_DOWN
            } else {
                icons::CHEVRON_RIGHT
            };
            let is_near =
                response.hovered() || response.has_focus() || self.openness == Openness::Open;
            let color = if is_near {
                theme.secondary
            } else {
                theme.disabled
            };
            let font = Face::Icon.sized(12.0);
            text::paint_icon(ui, rect.right() - 12.0, y, icon, font, color);
        }
        let mut right = rect.right() - CHEVRON;
        for (words, color) in self.trailing.iter().rev() {
            let galley = text::line_ui(ui, words, theme.tabular(), *color, f32::INFINITY);
            right -= galley.size().x;
            text::paint_at(ui, right, y, galley, *color);
            right -= 8.0;
        }
        right
    }

    /// Draws the icon, the name and what it is about; returns where the words are.
    fn paint_left(&self, ui: &Ui, theme: &Theme, rect: Rect, right: f32) -> Rect {
        let y = rect.center().y;
        paint_state_icon(ui, theme, rect.left(), y, self.icon, self.icon_color);
        let mut x = rect.left() + inset(theme);
        let name_font = Face::SemiBold.sized(theme.size.body - 1.0);
        let name_room = if self.summary.is_empty() {
            right - x
        } else {
            (right - x) * 0.6
        };
        let name = text::line_ui(ui, self.name, name_font, theme.text, name_room);
        let mut words = text::paint_at(ui, x, y, name, theme.text);
        x += words.width() + 8.0;
        if !self.summary.is_empty() && right - x > 24.0 {
            let font = summary_font(theme, self.summary_font);
            let summary = text::line_ui(ui, self.summary, font, theme.secondary, right - x);
            words |= text::paint_at(ui, x, y, summary, theme.secondary);
        }
        words
    }
}

/// Draws an icon in the middle of a square of the icon size; the dot of something that runs is smaller than the rest.
pub fn paint_state_icon(ui: &Ui, theme: &Theme, left: f32, y: f32, icon: &str, color: Color32) {
    let square = theme.size.icon;
    let size = if icon == icons::RUNNING {
        (square * 0.62).round()
    } else {
        square
    };
    let left = left + ((square - size) / 2.0).round();
    text::paint_icon(ui, left, y, icon, Face::Icon.sized(size), color);
}

fn summary_font(theme: &Theme, font: SummaryFont) -> FontId {
    match font {
        SummaryFont::Text => Face::Regular.sized(theme.size.body - 1.0),
        SummaryFont::Code => Face::Mono.sized(theme.size.mono - 0.5),
    }
}

/// Content below a line, with a hairline at its left.
pub fn foldout_body_ui(ui: &mut Ui, theme: &Theme, add_contents: impl FnOnce(&mut Ui)) {
    let around = ui.available_rect_before_wrap();
    let inner = Rect::from_min_max(around.min + vec2(inset(theme), 2.0), around.max);
    let mut child = ui.new_child(UiBuilder::new().max_rect(inner));
    child.spacing_mut().item_spacing = Vec2::new(8.0, 6.0);
    add_contents(&mut child);
    let bottom = child.min_rect().bottom() + 6.0;
    let x = around.left() + (theme.size.icon / 2.0).round();
    ui.painter().vline(
        x,
        inner.top()..=bottom - 4.0,
        Stroke::new(1.0, theme.hairline),
    );
    ui.advance_cursor_after_rect(Rect::from_min_max(around.min, pos2(around.right(), bottom)));
}
