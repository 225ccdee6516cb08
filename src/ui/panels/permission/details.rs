//! What an agent's request is about, in mono: hidden characters written out, long texts cut in the middle.

use std::collections::BTreeMap;

use egui::text::{LayoutJob, TextFormat};
use egui::{Frame, Id, Label, Margin, Ui};

use super::plan::layout_epoch;
use super::subject;
use crate::core::tool_call::{Diff, ToolCall, ToolCallContent};
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::side_work::SideWork;
use crate::ui::state::cards::{CardsState, RequestKey};
use crate::ui::text::cx::{TextAction, TextCx};
use crate::ui::theme::{BUTTON_RADIUS, Theme};
use crate::ui::transcript::diff::{Extent, Nature};
use crate::ui::transcript::kept_changes::{KeptChanges, Progress};
use crate::ui::untrusted::{one_line, pieces, without_middle};
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::diff_view::{Shape, diff_view_ui};
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

/// Changes, input and what else the agent sent with the call.
pub(super) fn details_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    cards: &mut CardsState,
    key: &RequestKey,
    call: &ToolCall,
) {
    let theme = cx.theme;
    ui.spacing_mut().item_spacing.y = 4.0;
    let changes = match &mut cards.changes {
        Some((shown, changes)) if shown == key => changes,
        slot => &mut slot.insert((key.clone(), BTreeMap::new())).1,
    };
    for (place, content) in call.content.iter().enumerate() {
        match content {
            ToolCallContent::Text(text) => code_ui(ui, theme, text),
            ToolCallContent::Diff(diff) => {
                let id = Id::unique(("card change", key.0.0, key.1.to_string(), place));
                diff_ui(ui, cx, changes.entry(place).or_default(), diff, id);
            }
            ToolCallContent::Resource { uri, .. } => code_ui(ui, theme, uri),
            ToolCallContent::Terminal { .. }
            | ToolCallContent::Image(_)
            | ToolCallContent::Unsupported { .. } => {}
        }
    }
    if let Some(input) = subject::pretty_input(call) {
        let heading = cx.i18n.tr("transcript.tool.input");
        text::label_ui(ui, heading, theme.meta(), theme.secondary, f32::INFINITY);
        code_ui(ui, theme, &input);
    }
}

/// What a file was and what it would be.
fn diff_ui(ui: &mut Ui, cx: &mut UiCx<'_>, kept: &mut KeptChanges, diff: &Diff, id: Id) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    if let Some(comparison) = kept.update(diff, Extent::Folded) {
        let work = SideWork::new(comparison);
        cx.actions.push(UiAction::Work(work));
    }
    let words = match kept.changes().nature {
        // What was compared before is not what is asked now.
        _ if kept.progress() != Progress::Done => Some("transcript.diff.comparing"),
        Nature::Nothing => Some("transcript.diff.nothing"),
        Nature::LineEndingsOnly => Some("transcript.diff.line_endings"),
        Nature::Binary => Some("transcript.diff.binary"),
        Nature::NewFile => Some("transcript.diff.new_file"),
        Nature::Edit | Nature::Emptied => None,
    };
    let path = one_line(&diff.path);
    text::label_ui(ui, &path, theme.mono(), theme.secondary, f32::INFINITY);
    if let Some(words) = words {
        let words = i18n.tr(words);
        text::label_ui(ui, words, theme.meta(), theme.secondary, f32::INFINITY);
    }
    if kept.progress() != Progress::Done || kept.changes().lines.is_empty() {
        return;
    }
    let epoch = layout_epoch(ui, theme, ui.available_width());
    let mut text_cx = TextCx::new(theme, i18n, epoch);
    let shape = (Shape::Unified, usize::MAX);
    diff_view_ui(ui, &mut text_cx, kept, shape, id);
    for action in text_cx.actions {
        match action {
            TextAction::Copy(text) => cx.actions.push(UiAction::CopyText(text)),
            TextAction::Work(work) => cx.actions.push(UiAction::Work(work)),
            TextAction::Open(..) => {}
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
