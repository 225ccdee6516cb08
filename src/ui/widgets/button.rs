//! Buttons and chips: every state drawn, every one named.

use egui::{
    Color32, CornerRadius, Id, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo,
};

use crate::ui::icons;
use crate::ui::theme::{BUTTON_RADIUS, Theme};
use crate::ui::widgets::popover::Popover;
use crate::ui::widgets::text;

/// How much a button stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Nothing but its content until the pointer is over it.
    Quiet,
    /// With a border.
    Normal,
    /// The one that a surface is about.
    Primary,
    /// Ends something.
    Danger,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Size {
    Normal,
    Small,
    Tiny,
}

/// A button, about to be shown.
#[derive(Clone, Copy)]
#[must_use]
pub struct Button<'a> {
    label: &'a str,
    shown: &'a str,
    icon: Option<&'a str>,
    icon_color: Option<Color32>,
    tint: Option<Color32>,
    tooltip: Option<&'a str>,
    weight: Weight,
    size: Size,
    is_enabled: bool,
    is_round: bool,
    has_chevron: bool,
    max_width: f32,
    id: Option<Id>,
}

/// The colors of a button in one of its states.
struct Look {
    fill: Color32,
    stroke: Stroke,
    content: Color32,
}

impl<'a> Button<'a> {
    /// A button with words on it.
    pub fn text(label: &'a str) -> Self {
        Self {
            label,
            shown: label,
            icon: None,
            icon_color: None,
            tint: None,
            tooltip: None,
            weight: Weight::Normal,
            size: Size::Normal,
            is_enabled: true,
            is_round: false,
            has_chevron: false,
            max_width: f32::INFINITY,
            id: None,
        }
    }

    /// A quiet button with an icon only; the label names it and is its tooltip.
    pub fn icon(icon: &'a str, label: &'a str) -> Self {
        Self {
            icon: Some(icon),
            shown: "",
            tooltip: Some(label),
            weight: Weight::Quiet,
            ..Self::text(label)
        }
    }

    /// A quiet, small button with words that opens something.
    pub fn chip(label: &'a str) -> Self {
        Self {
            weight: Weight::Quiet,
            size: Size::Small,
            has_chevron: true,
            ..Self::text(label)
        }
    }

    /// Other words than the label on the button.
    pub fn shown(mut self, shown: &'a str) -> Self {
        self.shown = shown;
        self
    }

    pub fn with_icon(mut self, icon: &'a str) -> Self {
        self.icon = Some(icon);
        self
    }

    pub fn icon_color(mut self, color: Color32) -> Self {
        self.icon_color = Some(color);
        self
    }

    /// Words and border in this color, on a quiet button that says something of weight.
    pub fn tint(mut self, color: Color32) -> Self {
        self.tint = Some(color);
        self
    }

    pub fn tooltip(mut self, tooltip: &'a str) -> Self {
        self.tooltip = Some(tooltip);
        self
    }

    pub fn weight(mut self, weight: Weight) -> Self {
        self.weight = weight;
        self
    }

    pub fn small(mut self) -> Self {
        self.size = Size::Small;
        self
    }

    /// For the status bar.
    pub fn tiny(mut self) -> Self {
        self.size = Size::Tiny;
        self
    }

    pub fn enabled(mut self, is_enabled: bool) -> Self {
        self.is_enabled = is_enabled;
        self
    }

    /// With ends as round as its height allows.
    pub fn round(mut self) -> Self {
        self.is_round = true;
        self
    }

    pub fn chevron(mut self) -> Self {
        self.has_chevron = true;
        self
    }

    pub fn max_width(mut self, max_width: f32) -> Self {
        self.max_width = max_width;
        self
    }

    /// An id that does not depend on where the button stands.
    pub fn id(mut self, id: Id) -> Self {
        self.id = Some(id);
        self
    }

    /// The height of a button in points.
    pub fn height(theme: &Theme) -> f32 {
        theme.scaled(28.0)
    }

    /// The height of a chip in points.
    pub fn chip_height(theme: &Theme) -> f32 {
        theme.scaled(24.0)
    }

    pub fn show_ui(self, ui: &mut Ui, theme: &Theme) -> Response {
        let (height, font, padding) = match self.size {
            Size::Normal => (Self::height(theme), theme.body(), 10.0),
            Size::Small => (Self::chip_height(theme), theme.meta(), 8.0),
            Size::Tiny => (theme.scaled(20.0), theme.meta(), 6.0),
        };
        let icon_font = theme.icon();
        let is_icon_only = self.shown.is_empty() && !self.has_chevron;
        let gap = 6.0;
        let icon_width = self.icon.map_or(0.0, |_| icon_font.size);
        let chevron_width = if self.has_chevron { 12.0 } else { 0.0 };
        let gaps = gap * f32::from(u8::from(self.icon.is_some()) + u8::from(self.has_chevron));
        let around = 2.0 * padding + icon_width + chevron_width + gaps;
        let galley = text::line_ui(
            ui,
            self.shown,
            font,
            Color32::PLACEHOLDER,
            self.max_width.min(ui.available_width()) - around,
        );
        let width = if is_icon_only {
            height
        } else {
            around + galley.size().x
        };
        let (auto_id, rect) = ui.allocate_space(Vec2::new(width, height));
        let sense = if self.is_enabled {
            Sense::click()
        } else {
            Sense::hover()
        };
        let response = ui.interact(rect, self.id.unwrap_or(auto_id), sense);
        let look = self.look(theme, &response);
        let radius = if self.is_round {
            CornerRadius::same((height / 2.0) as u8)
        } else {
            BUTTON_RADIUS
        };
        let painter = ui.painter();
        painter.rect(rect, radius, look.fill, look.stroke, StrokeKind::Inside);
        focus_ring(ui, theme, rect, radius, &response);
        let icon_color = self
            .icon_color
            .filter(|_| self.is_enabled)
            .unwrap_or(look.content);
        let y = rect.center().y;
        let mut x = rect.left() + padding;
        if let Some(icon) = self.icon {
            if is_icon_only {
                x = rect.center().x - icon_font.size / 2.0;
            }
            text::paint_icon(ui, x, y, icon, icon_font, icon_color);
            x += icon_width + gap;
        }
        text::paint_at(ui, x, y, galley, look.content);
        if self.has_chevron {
            let mut small = theme.icon();
            small.size = 12.0;
            let x = rect.right() - padding - 12.0;
            text::paint_icon(ui, x, y, icons::CHEVRON_DOWN, small, theme.secondary);
        }
        response.widget_info(|| WidgetInfo::labeled(Role::Button, self.is_enabled, self.label));
        match self.tooltip {
            Some(tooltip) => response
                .on_hover_text(tooltip)
                .on_disabled_hover_text(tooltip),
            None => response,
        }
    }

    fn look(&self, theme: &Theme, response: &Response) -> Look {
        let is_down = response.is_pointer_button_down_on() || Popover::is_open(response);
        let is_over = response.hovered();
        let tinted = if is_down {
            theme.pressed
        } else if is_over {
            theme.hover
        } else {
            Color32::TRANSPARENT
        };
        let none = Stroke::NONE;
        let border = Stroke::new(1.0, theme.border);
        if !self.is_enabled {
            let (fill, stroke) = match self.weight {
                Weight::Quiet => (Color32::TRANSPARENT, none),
                Weight::Primary => (theme.hover, none),
                Weight::Normal | Weight::Danger => {
                    (Color32::TRANSPARENT, Stroke::new(1.0, theme.hairline))
                }
            };
            return Look {
                fill,
                stroke,
                content: theme.disabled,
            };
        }
        let (fill, stroke, content) = match self.weight {
            Weight::Quiet if let Some(tint) = self.tint => {
                (tinted, Stroke::new(1.0, tint.gamma_multiply(0.6)), tint)
            }
            Weight::Quiet if self.size != Size::Normal => (tinted, none, theme.secondary),
            Weight::Quiet => (tinted, none, theme.text),
            Weight::Normal => (tinted, border, theme.text),
            Weight::Primary if is_over || is_down => (theme.primary_hover, none, theme.on_primary),
            Weight::Primary => (theme.primary, none, theme.on_primary),
            Weight::Danger if is_over => (tinted, Stroke::new(1.0, theme.error), theme.error),
            Weight::Danger => (tinted, border, theme.error),
        };
        Look {
            fill,
            stroke,
            content,
        }
    }
}

/// The frame of something quiet that is no [`Button`] and can be clicked.
pub fn paint_quiet(ui: &Ui, theme: &Theme, rect: Rect, response: &Response) {
    let fill = if response.is_pointer_button_down_on() || Popover::is_open(response) {
        theme.pressed
    } else if response.hovered() {
        theme.hover
    } else {
        Color32::TRANSPARENT
    };
    ui.painter().rect_filled(rect, BUTTON_RADIUS, fill);
    focus_ring(ui, theme, rect, BUTTON_RADIUS, response);
}

/// A ring around what the keyboard acts on.
pub fn focus_ring(ui: &Ui, theme: &Theme, rect: Rect, radius: CornerRadius, response: &Response) {
    if response.has_focus() {
        ui.painter().rect_stroke(
            rect.expand(1.0),
            radius + CornerRadius::same(1),
            Stroke::new(2.0, theme.link),
            StrokeKind::Middle,
        );
    }
}
