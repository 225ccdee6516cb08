//! Thoughts: folded, quiet, with their latest line while they come. Text that was begun anew looks the same.

use egui::{Id, Ui, vec2};

use crate::core::transcript::{Block, Message};
use crate::ui::icons;
use crate::ui::panels::transcript::message::{growth, key};
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::panels::transcript::tool_details::copy_block_ui;
use crate::ui::text::document::Growth;
use crate::ui::text::flow::Setting;
use crate::ui::text::markdown::LineBreaks;
use crate::ui::text::view::{Frame, TextView};
use crate::ui::transcript::folds::FoldPart;
use crate::ui::transcript::views::ViewPart;
use crate::ui::untrusted::one_line;
use crate::ui::widgets::foldout::{Foldout, Openness, SummaryFont, foldout_body_ui};

/// How much of a line is looked at.
const SUMMARY_BYTES: usize = 400;

/// Draws a thought.
pub(super) fn thought_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, message: &Message) {
    let growth = growth(cx, block);
    let (key_of_name, line) = match growth {
        Growth::Streaming => (
            "transcript.thought.running",
            message.text.trim_end().rsplit('\n').next(),
        ),
        Growth::Complete => ("transcript.thought", first_line(&message.text)),
    };
    let name = cx.cx.i18n.tr(key_of_name);
    let face = (icons::THOUGHT, name, "");
    folded_ui(ui, cx, (block, message), growth, face, line);
}

/// Draws the beginning of a message that the agent began anew.
pub(super) fn abandoned_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, message: &Message) {
    let name = cx.cx.i18n.tr("transcript.abandoned");
    let tooltip = cx.cx.i18n.tr("transcript.abandoned.hover");
    let face = (icons::REFRESH, name, tooltip);
    let line = first_line(&message.text);
    folded_ui(ui, cx, (block, message), Growth::Complete, face, line);
}

/// Draws a text that is folded into one line. `face` is the icon, the name and the tooltip.
fn folded_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    (block, message): (&Block, &Message),
    growth: Growth,
    (icon, name, tooltip): (&str, &str, &str),
    line: Option<&str>,
) {
    let theme = cx.cx.theme;
    let is_open = cx.folds.is_open(block.id, FoldPart::Body);
    let summary = if is_open {
        String::new()
    } else {
        plain(line.unwrap_or_default())
    };
    let label = if summary.is_empty() {
        name.to_owned()
    } else {
        format!("{name}, {summary}")
    };
    let foldout = Foldout {
        icon,
        icon_color: theme.secondary,
        name,
        summary: &summary,
        summary_font: SummaryFont::Text,
        trailing: &[],
        label: &label,
        tooltip,
        openness: Openness::of(is_open),
        id: Id::unique(("thought", cx.session.key().0, block.id.0)),
    };
    if foldout.show_ui(ui, theme).clicked() {
        cx.folds.toggle(block.id, FoldPart::Body);
    }
    if is_open {
        foldout_body_ui(ui, theme, |ui| {
            body_ui(ui, cx, block, message, growth);
            copy_block_ui(ui, cx, block);
        });
    }
}

fn first_line(text: &str) -> Option<&str> {
    text.trim_start().split('\n').next()
}

fn body_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, message: &Message, growth: Growth) {
    cx.text.finding.enter(block.id, ViewPart::Message);
    let view = cx
        .views
        .texts
        .get(key(block), || TextView::new(LineBreaks::Soft));
    view.update(&message.text, growth);
    let setting = Setting {
        color: cx.cx.theme.secondary,
        ..Setting::body(cx.cx.theme)
    };
    let frame = Frame {
        top_left: ui.cursor().min,
        width: ui.available_width(),
        id: Id::unique(("thought text", cx.session.key().0, block.id.0)),
    };
    let height = view.text_ui(ui, &mut cx.text, setting, frame);
    let size = view.size_bytes();
    cx.views.texts.set_cost(&key(block), size);
    ui.allocate_space(vec2(frame.width, height));
}

/// A line of Markdown without its marks.
fn plain(line: &str) -> String {
    let end = line.floor_char_boundary(SUMMARY_BYTES);
    let line = line.get(..end).unwrap_or_default();
    one_line(&line.replace(['*', '`', '#', '_'], ""))
}
