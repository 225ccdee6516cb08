//! Before the first message: who is there, and what to do.

use egui::{Align, Layout, Rect, Ui, UiBuilder, vec2};

use crate::core::presets::DEMO;
use crate::core::session::Session;
use crate::ui::cx::UiCx;
use crate::ui::fonts::Face;
use crate::ui::panels::names;
use crate::ui::theme;
use crate::ui::widgets::text;

/// Draws an empty transcript.
pub(super) fn empty_ui(ui: &mut Ui, cx: &UiCx<'_>, session: &Session) {
    let theme = cx.theme;
    let room = ui.max_rect();
    let width = (room.width() - 32.0).min(380.0);
    let top = room.top() + (room.height() * 0.34 - theme.scaled(40.0)).max(12.0);
    let rect = Rect::from_min_max(
        egui::pos2(room.center().x - width / 2.0, top),
        egui::pos2(room.center().x + width / 2.0, room.bottom()),
    );
    let mut child = ui.new_child(
        UiBuilder::new()
            .max_rect(rect)
            .layout(Layout::top_down(Align::Center)),
    );
    let ui = &mut child;
    let look = session.spec().look;
    let glyph = theme::glyph(look);
    text::label_ui(
        ui,
        glyph,
        Face::Regular.sized(theme.scaled(30.0)),
        theme.accent(look),
        width,
    );
    ui.add_space(8.0);
    let agent = names::agent(cx, session);
    let heading = theme.size.heading.get(1).copied().unwrap_or(17.0);
    let question = cx
        .i18n
        .tr_args("app.empty.heading", &[("agent", agent.as_str().into())]);
    line_ui(ui, &question, Face::SemiBold.sized(heading), theme.text);
    ui.add_space(4.0);
    if session.spec().id.as_str() == DEMO {
        line_ui(
            ui,
            cx.i18n.tr("backend.demo.explanation"),
            theme.body(),
            theme.secondary,
        );
        ui.add_space(4.0);
        line_ui(
            ui,
            cx.i18n.tr("backend.demo.hint"),
            theme.body(),
            theme.secondary,
        );
    } else {
        let folder = names::folder(&session.setup().cwd);
        let hint = cx
            .i18n
            .tr_args("app.empty.hint", &[("folder", folder.into())]);
        line_ui(ui, &hint, theme.body(), theme.secondary);
    }
    if let Some(words) = names::unasked(cx, session) {
        ui.add_space(4.0);
        line_ui(ui, &words, theme.body(), theme.caution);
    }
}

/// Centered words that wrap.
fn line_ui(ui: &mut Ui, words: &str, font: egui::FontId, color: egui::Color32) {
    let mut format = egui::text::TextFormat::simple(font.clone(), color);
    format.line_height = Some((font.size * theme::LINE_HEIGHT).round());
    let mut job = egui::text::LayoutJob::single_section(words.to_owned(), format);
    job.wrap.max_width = ui.available_width();
    job.halign = Align::Center;
    ui.add(egui::Label::new(job));
    ui.allocate_space(vec2(0.0, 0.0));
}
