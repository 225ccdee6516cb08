//! Asks before a link is opened that leads elsewhere than its text says: the host first, then the whole address.

use egui::{Align, Frame, Layout, Margin, Rect, Stroke, Ui, UiBuilder, vec2};

use crate::ui::cx::{UiAction, UiCx};
use crate::ui::text::sanitize::visible;
use crate::ui::theme::CARD_RADIUS;
use crate::ui::web_address::host;
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::text;

/// Whether a link's text says where it leads.
pub(super) fn says_host(words: &str, address: &str) -> bool {
    let place = host(address).or_else(|| address.strip_prefix("mailto:"));
    place.is_some_and(|place| words.to_lowercase().contains(&place.to_lowercase()))
}

/// Draws the question over the lower edge of the transcript.
pub(super) fn link_card_ui(ui: &mut Ui, cx: &mut UiCx<'_>, asked: &mut Option<String>, room: Rect) {
    let Some(address) = asked.clone() else { return };
    let (theme, i18n) = (cx.theme, cx.i18n);
    let height = theme.scaled(96.0);
    let width = theme.scaled(460.0).min(room.width() - 16.0);
    let rect = Rect::from_min_size(
        egui::pos2(room.center().x - width / 2.0, room.bottom() - height - 10.0),
        vec2(width, height),
    );
    ui.interact(
        rect,
        egui::Id::unique("link card"),
        egui::Sense::click_and_drag(),
    );
    let frame = Frame {
        fill: theme.raised,
        stroke: Stroke::new(1.0, theme.border),
        corner_radius: CARD_RADIUS,
        shadow: theme.shadow(),
        ..Frame::NONE
    };
    ui.painter().add(frame.paint(rect));
    let inner = rect - Margin::symmetric(12, 10);
    let mut child = ui.new_child(UiBuilder::new().max_rect(inner).id_salt("link"));
    let place = host(&address).unwrap_or(&address);
    let words = i18n.tr_args("transcript.links.leads_to", &[("host", place.into())]);
    text::label_ui(&mut child, &words, theme.body(), theme.text, inner.width());
    let shown = visible(&address);
    text::label_ui(
        &mut child,
        &shown,
        theme.mono(),
        theme.secondary,
        inner.width(),
    );
    child.with_layout(Layout::right_to_left(Align::BOTTOM), |ui| {
        let open = Button::text(i18n.tr("transcript.links.open_it"));
        if open.show_ui(ui, theme).clicked() {
            cx.actions.push(UiAction::OpenUrl(address.clone()));
            *asked = None;
        }
        let copy = Button::text(i18n.tr("transcript.links.copy")).weight(Weight::Quiet);
        if copy.show_ui(ui, theme).clicked() {
            cx.actions.push(UiAction::CopyText(address.clone()));
            *asked = None;
        }
        let leave = Button::text(i18n.tr("app.action.dismiss")).weight(Weight::Quiet);
        if leave.show_ui(ui, theme).clicked() {
            *asked = None;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_the_host_says_where_it_leads() {
        let cases = [
            ("https://a.example/x", "https://a.example/x", true),
            ("see A.example", "https://a.example/x", true),
            ("the docs", "https://a.example/x", false),
            ("https://bank.example", "https://evil.example", false),
            ("me@a.example", "mailto:me@a.example", true),
            ("write to me", "mailto:me@a.example", false),
        ];
        for (words, address, expected) in cases {
            assert_eq!(says_host(words, address), expected, "{words} {address}");
        }
    }
}
