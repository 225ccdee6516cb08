//! The messages that wait for the turn to end, above the field.

use egui::{Align, Layout, Sense, Ui, Vec2};

use crate::core::command::Command;
use crate::core::session::{QueuedPrompt, Session};
use crate::ui::cx::UiCx;
use crate::ui::icons;
use crate::ui::state::{Draft, DraftImage};
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::Button;
use crate::ui::widgets::text;

/// How many waiting messages are shown; the others are counted.
const SHOWN_MOST: usize = 3;

/// Shows the waiting messages. Removing one puts it back into an empty draft.
pub(super) fn queue_ui(ui: &mut Ui, cx: &mut UiCx<'_>, session: &Session, draft: &mut Draft) {
    let queue = session.queue();
    if queue.is_empty() || is_about_to_go(session) {
        return;
    }
    let theme = cx.theme;
    for queued in queue.iter().take(SHOWN_MOST) {
        queued_ui(ui, cx, session, queued, draft);
    }
    let hidden = queue.len().saturating_sub(SHOWN_MOST);
    if hidden > 0 {
        let words = cx
            .i18n
            .tr_args("composer.queued.more", &[("count", hidden.into())]);
        ui.horizontal(|ui| {
            ui.add_space(12.0);
            text::label_ui(ui, &words, theme.meta(), theme.secondary, f32::INFINITY);
        });
    }
    ui.add_space(4.0);
}

/// A message that waits only for the answer to a change of mode or model goes in a moment.
fn is_about_to_go(session: &Session) -> bool {
    !session.is_busy() && session.has_pending_choices() && session.queue().len() == 1
}

fn queued_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    session: &Session,
    queued: &QueuedPrompt,
    draft: &mut Draft,
) {
    let theme = cx.theme;
    let i18n = cx.i18n;
    let words = one_line(&queued.prompt.text);
    let size = Vec2::new(ui.available_width(), Button::chip_height(theme));
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.add_space(8.0);
        let args = [("message", (&words).into())];
        let label = i18n.tr_args("composer.queued.remove", &args);
        let remove = Button::icon(icons::CROSS, &label)
            .small()
            .id(ui.scope_id().with(("queued", queued.id.0)));
        if remove.show_ui(ui, theme).clicked() {
            cx.commands.push(Command::DropQueued {
                session: session.key(),
                queued: queued.id,
            });
            if draft.is_empty() {
                *draft = drafted(queued);
            }
        }
        let rest = ui.available_rect_before_wrap();
        let y = rest.center().y;
        let x = rest.left() + 12.0;
        text::paint_icon(ui, x, y, icons::CLOCK, theme.icon(), theme.secondary);
        let x = x + theme.icon().size + 8.0;
        let galley = text::line_ui(ui, &words, theme.meta(), theme.secondary, rest.right() - x);
        text::paint_at(ui, x, y, galley, theme.secondary);
        let response = ui.interact(
            rest,
            ui.scope_id().with(("waiting", queued.id.0)),
            Sense::hover(),
        );
        let label = i18n.tr_args("composer.queued.message", &[("message", (&words).into())]);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &label));
        response.on_hover_text(i18n.tr("composer.queued.hint"));
    });
}

/// The draft that a waiting message goes back to.
fn drafted(queued: &QueuedPrompt) -> Draft {
    let images = queued.prompt.images.iter().map(|image| DraftImage {
        name: image.uri.clone().unwrap_or_default(),
        data: image.clone(),
        width: 0,
        height: 0,
    });
    Draft {
        text: queued.prompt.text.clone(),
        images: images.collect(),
        attachments: queued.prompt.attachments.clone(),
        recalled: None,
    }
}
