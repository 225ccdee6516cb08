//! A few words of ours or of an agent, set like the text around them.

use egui::{Id, Ui, vec2};

use crate::ui::text::cx::TextCx;
use crate::ui::text::draw::flow_ui;
use crate::ui::text::flow::{Flow, Setting};
use crate::ui::text::inline::{InlineStyle, Inlines};
use crate::ui::text::sanitize::visible;

/// Shows a short text over the room there is. Its layout is kept by egui.
pub(super) fn paragraph_ui(ui: &mut Ui, cx: &mut TextCx<'_>, text: &str, setting: Setting, id: Id) {
    let mut inlines = Inlines::default();
    inlines.push(&visible(text), InlineStyle::default());
    let flow = Flow::new(
        ui,
        cx.theme,
        &inlines,
        setting,
        ui.available_width(),
        &Flow::default(),
    );
    let at = ui.cursor().min;
    flow_ui(ui, cx, &flow, &[], at, id);
    ui.allocate_space(vec2(ui.available_width(), flow.size.y));
}
