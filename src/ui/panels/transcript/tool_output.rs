//! What a tool printed: a command as in a terminal, a search by file, all else as lines of code.

use std::path::Path;

use egui::{Id, Ui};

use crate::core::tool_call::{ToolCall, ToolCallStatus, ToolKind};
use crate::core::transcript::Block;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::panels::transcript::search_hits::search_hits_ui;
use crate::ui::panels::transcript::tool_details::{label_ui, more_ui};
use crate::ui::text::code_view::CodeView;
use crate::ui::text::terminal_view::TerminalView;
use crate::ui::transcript::folds::FoldPart;
use crate::ui::transcript::outcome::{exit_code, is_truncated};
use crate::ui::transcript::output;
use crate::ui::transcript::views::{ViewKey, ViewPart};
use crate::ui::widgets::output_box::{Bound, CodeLines, output_box_ui};
use crate::ui::widgets::text;

/// Draws one text of a call's content, and a way to see all of it.
pub(super) fn output_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    call: &ToolCall,
    (place, text): (usize, &str),
) {
    let key = ViewKey {
        block: block.id,
        part: ViewPart::Content(place),
    };
    if call.kind == ToolKind::Search
        && let Some(hits) = cx.views.hits(key, &output::shown(text).1)
    {
        search_hits_ui(ui, cx, block, place, &hits);
        return;
    }
    let part = ViewPart::Content(place);
    let is_whole = cx.folds.is_open(block.id, FoldPart::WholeOutput(place));
    if let Some(lines) = printed_ui(ui, cx, block, call, (part, text)) {
        let all = cx
            .cx
            .i18n
            .tr_args("transcript.output.show_all", &[("count", lines.into())]);
        let id = Id::unique(("all output", cx.session.key().0, block.id.0, place));
        if more_ui(ui, cx, &all, id) {
            cx.folds.set(block.id, FoldPart::WholeOutput(place), true);
        }
    } else if is_whole {
        let less = cx.cx.i18n.tr("transcript.output.show_less");
        let id = Id::unique(("less output", cx.session.key().0, block.id.0, place));
        if more_ui(ui, cx, less, id) {
            cx.folds.set(block.id, FoldPart::WholeOutput(place), false);
        }
    }
}

/// Draws what was printed in a box. The number of its lines when there are more than fit.
pub(super) fn printed_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    call: &ToolCall,
    (part, text): (ViewPart, &str),
) -> Option<usize> {
    let is_whole = match part {
        ViewPart::Content(place) => cx.folds.is_open(block.id, FoldPart::WholeOutput(place)),
        _ => false,
    };
    let bound = match (is_whole, call.status) {
        (true, _) => Bound::None,
        (false, ToolCallStatus::InProgress) => Bound::Follows,
        (false, _) => Bound::Scrolls,
    };
    if output::is_terminal(call) {
        return terminal_ui(ui, cx, block, call, (part, text), bound);
    }
    let (language, text) = output::shown(text);
    if text.is_empty() {
        empty_ui(ui, cx, call);
        return None;
    }
    let language = match (language, call.kind) {
        ("", ToolKind::Read) => ending(call),
        (language, _) => language,
    };
    box_ui(ui, cx, block, part, (language, &text), bound)
}

/// The exit code of a command, and that its output was cut.
pub(super) fn ending_ui(ui: &mut Ui, cx: &RowCx<'_, '_>, call: &ToolCall) {
    let (theme, i18n) = (cx.cx.theme, cx.cx.i18n);
    if call.kind == ToolKind::Execute
        && let Some(code) = exit_code(call)
    {
        let words = i18n.tr_args(
            "transcript.tool.exit_code",
            &[("code", code.to_string().into())],
        );
        let color = if code == 0 {
            theme.secondary
        } else {
            theme.error
        };
        text::label_ui(ui, &words, theme.meta(), color, f32::INFINITY);
    }
    if is_truncated(call) {
        let words = i18n.tr("transcript.tool.truncated");
        text::label_ui(ui, words, theme.meta(), theme.caution, f32::INFINITY);
    }
}

fn terminal_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    call: &ToolCall,
    (part, text): (ViewPart, &str),
    bound: Bound,
) -> Option<usize> {
    let key = ViewKey {
        block: block.id,
        part,
    };
    cx.text.finding.enter(block.id, part);
    let view = cx.views.terminals.get(key, TerminalView::default);
    view.update(output::terminal(text));
    if view.is_empty() {
        empty_ui(ui, cx, call);
        return None;
    }
    let id = Id::unique(("terminal", cx.session.key().0, block.id.0, part));
    let is_high = output_box_ui(ui, &mut cx.text, view, bound, id);
    let (lines, size) = (view.line_count(), view.size_bytes());
    cx.views.terminals.set_cost(&key, size);
    is_high.then_some(lines)
}

fn empty_ui(ui: &mut Ui, cx: &RowCx<'_, '_>, call: &ToolCall) {
    if !call.status.is_open() {
        label_ui(ui, cx, "transcript.tool.no_output");
    }
}

/// Draws text in a box. The number of its lines when there are more than fit.
pub(super) fn box_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    part: ViewPart,
    (language, text): (&str, &str),
    bound: Bound,
) -> Option<usize> {
    let key = ViewKey {
        block: block.id,
        part,
    };
    let id = Id::unique(("box", cx.session.key().0, block.id.0, part));
    cx.text.finding.enter(block.id, part);
    let view = cx.views.codes.get(key, CodeView::default);
    view.update(language, text);
    let mut lines = CodeLines { view, text };
    let is_high = output_box_ui(ui, &mut cx.text, &mut lines, bound, id);
    let count = lines.view.line_count();
    cx.views.codes.set_cost(&key, text.len());
    is_high.then_some(count)
}

/// The ending of the file that is read, as a language.
fn ending(call: &ToolCall) -> &str {
    let path = call.locations.first().map(|location| &location.path);
    let end = path.and_then(|path| Path::new(path).extension());
    end.and_then(std::ffi::OsStr::to_str).unwrap_or_default()
}
