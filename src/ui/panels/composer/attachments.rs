//! Pictures and files that go with the message: chips, and how they come in.

use egui::{Event, Frame, Margin, Ui};

use crate::core::session::Session;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::icons;
use crate::ui::state::{Draft, Notice, UiState};
use crate::ui::theme::{BUTTON_RADIUS, Theme};
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::Button;
use crate::ui::widgets::text;

/// Shows a chip for each attachment. Whether one was removed.
pub(super) fn attachments_ui(ui: &mut Ui, cx: &UiCx<'_>, draft: &mut Draft) -> bool {
    if draft.images.is_empty() && draft.attachments.is_empty() {
        return false;
    }
    let mut removed_image = None;
    let mut removed_file = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(6.0, 6.0);
        for (index, image) in draft.images.iter().enumerate() {
            let name = if image.name.is_empty() {
                cx.i18n.tr("composer.picture").to_owned()
            } else {
                one_line(&image.name)
            };
            let shown = if image.width > 0 {
                format!("{name}  {}\u{d7}{}", image.width, image.height)
            } else {
                name.clone()
            };
            if chip_ui(ui, cx, icons::IMAGE, &name, &shown) {
                removed_image = Some(index);
            }
        }
        for (index, file) in draft.attachments.iter().enumerate() {
            let name = one_line(&file.name);
            if chip_ui(ui, cx, icons::FILE, &name, &name) {
                removed_file = Some(index);
            }
        }
    });
    ui.add_space(6.0);
    if let Some(index) = removed_image {
        draft.images.remove(index);
    }
    if let Some(index) = removed_file {
        draft.attachments.remove(index);
    }
    removed_image.is_some() || removed_file.is_some()
}

/// A chip with what it is and a button that removes it; whether that was clicked.
fn chip_ui(ui: &mut Ui, cx: &UiCx<'_>, icon: &str, name: &str, shown: &str) -> bool {
    let theme: &Theme = cx.theme;
    let frame = Frame {
        inner_margin: Margin {
            left: 8,
            right: 2,
            top: 1,
            bottom: 1,
        },
        fill: theme.sunken,
        stroke: egui::Stroke::new(1.0, theme.hairline),
        corner_radius: BUTTON_RADIUS,
        ..Frame::NONE
    };
    frame
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let font = theme.icon();
            let size = egui::vec2(font.size, Button::chip_height(theme));
            let (_, rect) = ui.allocate_space(size);
            let (x, y) = (rect.left(), rect.center().y);
            text::paint_icon(ui, x, y, icon, font, theme.secondary);
            let room = theme.scaled(180.0);
            text::label_ui(ui, shown, theme.meta(), theme.text, room);
            let args = [("name", name.into())];
            let label = cx.i18n.tr_args("composer.attachment.remove", &args);
            let remove = Button::icon(icons::CROSS, &label).tiny();
            remove.show_ui(ui, theme).clicked()
        })
        .inner
}

/// Takes pictures from the clipboard.
pub(super) fn take_pasted_ui(ui: &Ui, cx: &mut UiCx<'_>, state: &mut UiState, session: &Session) {
    let pictures: Vec<_> = ui.input(|input| {
        let events = input.events.iter();
        let pictures = events.filter_map(|event| match event {
            Event::PasteImage(picture) => Some(picture.clone()),
            _ => None,
        });
        pictures.collect()
    });
    if pictures.is_empty() {
        return;
    }
    if !takes_pictures(cx, session) {
        state.notice = Some(Notice::NoPictures);
        return;
    }
    let actions = pictures.into_iter().map(UiAction::AttachPicture);
    cx.actions.extend(actions);
}

/// Whether the agent of a session takes pictures.
pub fn takes_pictures(cx: &UiCx<'_>, session: &Session) -> bool {
    let connection = cx.hub.connection_of(session.key());
    connection.is_some_and(|connection| connection.capabilities.prompt_image)
}
