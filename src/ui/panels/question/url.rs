//! Something that is to be done at a web address: where it leads, and whether it is done.

use egui::{ScrollArea, Ui};

use super::{Act, Drawn, Look};
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::state::cards::QuestionDraft;
use crate::ui::untrusted::{one_line, visible};
use crate::ui::web_address;
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::code_box::code_box_ui;
use crate::ui::widgets::text;

/// Shows the address; what it has that can be pressed.
pub(super) fn url_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    url: &str,
    draft: &QuestionDraft,
    look: Look,
) -> Drawn {
    let theme = cx.theme;
    let i18n = cx.i18n;
    let mut drawn = Drawn::default();
    let host = web_address::host(url);
    if let Some(host) = host {
        let font = Face::SemiBold.sized(theme.size.body);
        text::label_ui(ui, &one_line(host), font, theme.text, f32::INFINITY);
    } else {
        let words = i18n.tr("question.url.unsafe");
        text::paragraph_ui(ui, words, theme.meta(), theme.caution);
    }
    let is_copied = ScrollArea::vertical()
        .id_salt((look.id, "address"))
        .max_height(look.height_most * 0.5)
        .show(ui, |ui| {
            code_box_ui(ui, theme, &visible(url), i18n.tr("app.action.copy"))
        })
        .inner;
    if is_copied {
        cx.actions.push(UiAction::CopyText(url.to_owned()));
    }
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        // The one thing to do next stands out: open it, and then say that it is done.
        let weight = |is_next| {
            if is_next {
                Weight::Primary
            } else {
                Weight::Normal
            }
        };
        if host.is_some() {
            let open = Button::text(i18n.tr("question.url.open"))
                .with_icon(icons::EXTERNAL_LINK)
                .weight(weight(!draft.is_opened))
                .show_ui(ui, theme);
            drawn.buttons.push((open, Act::Open));
        }
        let done = Button::text(i18n.tr("question.url.done"))
            .weight(weight(draft.is_opened))
            .show_ui(ui, theme);
        drawn.buttons.push((done, Act::Submit));
        let skip = Button::text(i18n.tr("question.skip"))
            .weight(Weight::Quiet)
            .tooltip(i18n.tr("question.skip.hint"))
            .show_ui(ui, theme);
        drawn.buttons.push((skip, Act::Skip));
    });
    drawn
}
