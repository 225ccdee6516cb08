//! A command or a path in mono, with a button that copies it.

use egui::{Frame, Label, Margin, RichText, Ui};

use crate::ui::icons;
use crate::ui::theme::{BUTTON_RADIUS, Theme};
use crate::ui::widgets::button::Button;

/// Shows the text over the whole width; whether it is to be copied.
pub fn code_box_ui(ui: &mut Ui, theme: &Theme, text: &str, copy_label: &str) -> bool {
    let frame = Frame {
        inner_margin: Margin::symmetric(8, 4),
        fill: theme.sunken,
        corner_radius: BUTTON_RADIUS,
        ..Frame::NONE
    };
    frame
        .show(ui, |ui| {
            let button = Button::chip_height(theme);
            ui.horizontal(|ui| {
                let room = ui.available_width() - button - 8.0;
                ui.vertical(|ui| {
                    ui.set_width(room);
                    ui.set_min_height(button);
                    ui.add_space(((button - theme.mono().size * 1.4) / 2.0).max(0.0));
                    let text = RichText::new(text).font(theme.mono()).color(theme.text);
                    ui.add(Label::new(text).wrap().selectable(true));
                });
                let copy = Button::icon(icons::COPY, copy_label).small();
                copy.show_ui(ui, theme).clicked()
            })
            .inner
        })
        .inner
}
