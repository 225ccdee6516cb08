//! A small surface that a button opens: above the rest, closed by Escape or a click elsewhere.

use egui::{
    Frame, Id, Margin, Popup, PopupCloseBehavior, PopupKind, Pos2, RectAlign, Response, ScrollArea,
    Stroke, Ui,
};

use crate::ui::theme::{CARD_RADIUS, HEADER_HEIGHT, STATUS_HEIGHT, Theme};

/// A popover, about to be shown beside the button that opens it.
#[must_use]
pub struct Popover<'a> {
    button: &'a Response,
    label: &'a str,
    width: f32,
    align: RectAlign,
}

impl<'a> Popover<'a> {
    /// Below the button. `label` names it for assistive technology.
    pub fn below(button: &'a Response, label: &'a str) -> Self {
        Self {
            button,
            label,
            width: 280.0,
            align: RectAlign::BOTTOM_START,
        }
    }

    /// Above the button.
    pub fn above(button: &'a Response, label: &'a str) -> Self {
        Self {
            align: RectAlign::TOP_START,
            ..Self::below(button, label)
        }
    }

    /// With its right edge at that of the button.
    pub fn at_end(mut self) -> Self {
        self.align = if self.align == RectAlign::TOP_START {
            RectAlign::TOP_END
        } else {
            RectAlign::BOTTOM_END
        };
        self
    }

    /// In points; less where the window is narrower.
    pub fn width(mut self, width: f32) -> Self {
        self.width = width;
        self
    }

    /// Whether the popover of this button is open.
    pub fn is_open(button: &Response) -> bool {
        Popup::is_id_open(&button.ctx, Popup::default_response_id(button))
    }

    /// Shows the content while it is open.
    pub fn show_ui<R>(
        self,
        theme: &Theme,
        add_contents: impl FnOnce(&mut Ui, Opening) -> R,
    ) -> Option<R> {
        let ctx = self.button.ctx.clone();
        let window = ctx.content_rect();
        let width = theme.scaled(self.width).min(window.width() - 16.0);
        let max_height =
            (window.height() - theme.scaled(HEADER_HEIGHT + STATUS_HEIGHT) - 24.0).max(120.0);
        let opening = opening(&ctx, self.button);
        let shown = Popup::from_toggle_button_response(self.button)
            .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
            .align(self.align)
            .gap(4.0)
            .frame(frame(theme))
            .accessible_name(self.label)
            .show(|ui| {
                ui.set_width(width - 12.0);
                ui.set_max_height(max_height);
                ui.spacing_mut().item_spacing.y = 0.0;
                ScrollArea::vertical()
                    .max_height(max_height)
                    .show(ui, |ui| add_contents(ui, opening))
                    .inner
            });
        shown.map(|shown| shown.inner)
    }
}

/// Shows a menu at a point while it is open, and closes it when one of its rows is clicked. Whether it is open.
pub fn menu_at_ui(
    ui: &Ui,
    theme: &Theme,
    (id, label): (Id, &str),
    (at, width): (Pos2, f32),
    add_contents: impl FnOnce(&mut Ui),
) -> bool {
    let shown = Popup::new(id, ui.ctx().clone(), at, ui.layer_id())
        .kind(PopupKind::Menu)
        .open_memory(None)
        .close_behavior(PopupCloseBehavior::CloseOnClick)
        .frame(frame(theme))
        .accessible_name(label)
        .show(|ui| {
            ui.set_width(theme.scaled(width) - 12.0);
            ui.spacing_mut().item_spacing.y = 0.0;
            add_contents(ui);
        });
    shown.is_some()
}

fn frame(theme: &Theme) -> Frame {
    Frame {
        inner_margin: Margin::same(6),
        fill: theme.raised,
        stroke: Stroke::new(1.0, theme.border),
        corner_radius: CARD_RADIUS,
        shadow: theme.shadow(),
        ..Frame::NONE
    }
}

/// When and how a popover was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// This is its first frame.
    ByPointer,
    /// This is its first frame, and the keyboard was on the button.
    ByKeyboard,
    Before,
}

fn opening(ctx: &egui::Context, button: &Response) -> Opening {
    let id = button.id.with("opening");
    let will_be_open = Popover::is_open(button) != button.clicked();
    let was_open = ctx.data(|data| data.get_temp(id)).unwrap_or(false);
    ctx.data_mut(|data| data.insert_temp::<bool>(id, will_be_open));
    if !will_be_open || was_open {
        Opening::Before
    } else if button.has_focus() {
        Opening::ByKeyboard
    } else {
        Opening::ByPointer
    }
}

/// Closes every popover and gives the keyboard to `next`.
pub fn close_and_focus(ui: &Ui, next: Id) {
    Popup::close_all(ui.ctx());
    ui.memory_mut(|memory| memory.request_focus(next));
}
