//! What an agent's request is about, in mono: hidden characters written out, long texts cut in the middle.

use egui::text::{LayoutJob, TextFormat};
use egui::{Frame, Label, Margin, Ui};

use super::subject;
use crate::core::tool_call::{ToolCall, ToolCallContent};
use crate::ui::cx::UiCx;
use crate::ui::theme::{BUTTON_RADIUS, Theme};
use crate::ui::untrusted::{pieces, without_middle};
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::text;

/// Longer texts than this are cut, in characters and in lines.
const CHARACTERS_MOST: usize = 400;
const LINES_MOST: usize = 8;

/// The exact thing that is asked for. `all_shown` says whether a long one is shown whole.
pub(super) fn subject_ui(ui: &mut Ui, cx: &UiCx<'_>, subject: &str, all_shown: &mut bool) {
    let theme = cx.theme;
    let cut = shortened(subject).filter(|_| !*all_shown);
    match &cut {
        Some((head, tail)) => code_ui(ui, theme, &format!("{head}\n\u{2026}\n{tail}")),
        None => code_ui(ui, theme, subject),
    }
    if cut.is_some() {
        let count = subject.chars().count();
        let args = [("count", crate::ui::format::exact(count as u64).into())];
        let label = cx.i18n.tr_args("permission.show_all", &args);
        ui.add_space(4.0);
        let button = Button::text(&label).small().weight(Weight::Quiet);
        if button.show_ui(ui, theme).clicked() {
            *all_shown = true;
        }
    }
}

/// Input, changes and what else the agent sent with the call.
pub(super) fn details_ui(ui: &mut Ui, cx: &UiCx<'_>, call: &ToolCall) {
    let theme = cx.theme;
    ui.spacing_mut().item_spacing.y = 4.0;
    if let Some(input) = subject::pretty_input(call) {
        let heading = cx.i18n.tr("transcript.tool.input");
        text::label_ui(ui, heading, theme.meta(), theme.secondary, f32::INFINITY);
        code_ui(ui, theme, &input);
    }
    for content in &call.content {
        match content {
            ToolCallContent::Text(text) => code_ui(ui, theme, text),
            ToolCallContent::Diff(diff) => {
                text::label_ui(ui, &diff.path, theme.mono(), theme.secondary, f32::INFINITY);
                code_ui(ui, theme, &diff.new_text);
            }
            ToolCallContent::Resource { uri, .. } => code_ui(ui, theme, uri),
            ToolCallContent::Terminal { .. }
            | ToolCallContent::Image(_)
            | ToolCallContent::Unsupported { .. } => {}
        }
    }
}

/// Whether there is anything to show in detail.
pub(super) fn has_details(call: &ToolCall) -> bool {
    subject::pretty_input(call).is_some() || !call.content.is_empty()
}

fn code_ui(ui: &mut Ui, theme: &Theme, text: &str) {
    let frame = Frame {
        inner_margin: Margin::symmetric(8, 6),
        fill: theme.sunken,
        corner_radius: BUTTON_RADIUS,
        ..Frame::NONE
    };
    frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        let mut job = LayoutJob::default();
        for piece in pieces(text) {
            let color = if piece.is_written_out {
                theme.caution
            } else {
                theme.text
            };
            let mut format = TextFormat::simple(theme.mono(), color);
            format.line_height = Some((theme.size.mono * 1.45).round());
            job.append(&piece.text, 0.0, format);
        }
        job.wrap.max_width = ui.available_width();
        job.wrap.break_anywhere = true;
        ui.add(Label::new(job).selectable(true));
    });
}

fn shortened(text: &str) -> Option<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() > LINES_MOST {
        let tail = LINES_MOST / 3;
        let (head, rest) = lines.split_at(LINES_MOST - tail);
        let (_, tail) = rest.split_at(rest.len() - tail);
        let whole = (head.join("\n"), tail.join("\n"));
        let is_short = whole.0.chars().count() + whole.1.chars().count() <= CHARACTERS_MOST;
        return is_short
            .then_some(whole)
            .or_else(|| without_middle(text, CHARACTERS_MOST));
    }
    without_middle(text, CHARACTERS_MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_lose_their_middle_and_short_ones_nothing() {
        assert_eq!(shortened("cargo test"), None);
        let (head, tail) = shortened(&"a".repeat(2_000)).expect("many characters");
        assert_eq!(head.len() + tail.len(), CHARACTERS_MOST);
        let (head, tail) = shortened(&"a\n".repeat(40)).expect("many lines");
        assert_eq!(head.lines().count() + tail.lines().count(), LINES_MOST);
    }
}
