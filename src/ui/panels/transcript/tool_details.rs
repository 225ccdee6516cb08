//! What is inside a tool call: what it was given, which files it touches, what came of it.

mod raw;

use egui::{Id, Ui, vec2};
use serde_json::Value;

use crate::core::tool_call::{Diff, Subagent, ToolCall, ToolCallContent, ToolCallStatus, ToolKind};
use crate::core::transcript::Block;
use crate::ui::cx::UiAction;
use crate::ui::icons;
use crate::ui::panels::transcript::paragraph::paragraph_ui;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::panels::transcript::tool_call::steps_ui;
use crate::ui::text::code_view::CodeView;
use crate::ui::text::document::Growth;
use crate::ui::text::flow::Setting;
use crate::ui::text::markdown::LineBreaks;
use crate::ui::text::sanitize::{terminal_output, visible};
use crate::ui::text::view::{Frame, TextView};
use crate::ui::transcript::describe::{Description, command, relative};
use crate::ui::transcript::diff::{Extent, Nature};
use crate::ui::transcript::folds::FoldPart;
use crate::ui::transcript::views::{ViewKey, ViewPart};
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::diff_view::diff_view_ui;
use crate::ui::widgets::output_box::{Bound, output_box_ui};
use crate::ui::widgets::text;
use crate::ui::widgets::value_tree::value_tree_ui;

/// Lines of a change that show before it is opened in full.
const DIFF_LINES: usize = 60;
/// Of a terminal of ours no more than its end is shown.
const TERMINAL_BYTES_MOST: usize = 64 * 1024;

/// Draws the inside of a call.
pub(super) fn tool_details_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    call: &ToolCall,
    description: &Description,
) {
    let has_diff = call
        .content
        .iter()
        .any(|content| matches!(content, ToolCallContent::Diff(_)));
    if call.kind == ToolKind::Execute
        && let Some(command) = command(call)
    {
        command_ui(ui, cx, block, &command);
    } else if !has_diff
        && let Some(input) = call
            .raw_input
            .as_ref()
            .filter(|input| is_worth_showing(input, description))
    {
        label_ui(ui, cx, "transcript.tool.input");
        value_tree_ui(ui, cx.cx.theme, input);
    }
    locations_ui(ui, cx, block, call, has_diff);
    for (place, content) in call.content.iter().enumerate() {
        content_ui(ui, cx, block, call, (place, content));
    }
    if call.content.is_empty() {
        raw_output_ui(ui, cx, block, call);
    }
    if let Ok(row) = usize::try_from(block.id.0) {
        steps_ui(ui, cx, row);
    }
    if let Some(subagent) = &call.subagent {
        report_ui(ui, cx, block, call, subagent);
    }
    raw::raw_ui(ui, cx, block, call);
}

/// Whether the line does not say all of it already.
fn is_worth_showing(input: &Value, description: &Description) -> bool {
    match input {
        Value::Null => false,
        Value::Object(object) => match object.values().next() {
            None => false,
            Some(Value::String(only)) if object.len() == 1 => one_line(only) != description.summary,
            Some(_) => true,
        },
        _ => true,
    }
}

fn label_ui(ui: &mut Ui, cx: &RowCx<'_, '_>, key: &str) {
    let theme = cx.cx.theme;
    text::label_ui(
        ui,
        cx.cx.i18n.tr(key),
        theme.meta(),
        theme.secondary,
        f32::INFINITY,
    );
}

fn command_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, command: &str) {
    let command = visible(command).into_owned();
    box_ui(
        ui,
        cx,
        block,
        ViewPart::Command,
        "bash",
        &command,
        Bound::Scrolls,
    );
}

fn locations_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    call: &ToolCall,
    has_diff: bool,
) {
    let theme = cx.cx.theme;
    let cwd = cx.session.setup().cwd.clone();
    for (index, location) in call.locations.iter().take(20).enumerate() {
        if has_diff && index == 0 && call.locations.len() == 1 {
            return;
        }
        let mut shown = one_line(&relative(&location.path, &cwd));
        if let Some(line) = location.line {
            shown = format!("{shown}:{line}");
        }
        let id = Id::unique(("location", cx.session.key().0, block.id.0, index));
        let open = cx
            .cx
            .i18n
            .tr_args("transcript.links.open", &[("url", shown.as_str().into())]);
        let button = Button::text(&open)
            .shown(&shown)
            .with_icon(icons::FILE)
            .small();
        if button
            .weight(Weight::Quiet)
            .id(id)
            .show_ui(ui, theme)
            .clicked()
        {
            cx.cx.actions.push(UiAction::OpenFile {
                path: cwd.join(&location.path),
                line: location.line,
            });
        }
    }
}

fn content_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    call: &ToolCall,
    content: (usize, &ToolCallContent),
) {
    let (place, content) = content;
    let id = Id::unique(("content", cx.session.key().0, block.id.0, place));
    match content {
        ToolCallContent::Text(text) => output_ui(ui, cx, block, call, place, text),
        ToolCallContent::Diff(diff) => diff_ui(ui, cx, block, place, diff),
        // Pictures stand below, and also below a closed call.
        ToolCallContent::Image(_) => {}
        ToolCallContent::Terminal { id: terminal } => {
            let session = cx.session;
            if let Some(terminal) = session.terminal(terminal) {
                output_ui(
                    ui,
                    cx,
                    block,
                    call,
                    place,
                    terminal.tail(TERMINAL_BYTES_MOST),
                );
                return;
            }
            let words = format!(
                "{} {}",
                cx.cx.i18n.tr("transcript.tool.terminal"),
                one_line(terminal)
            );
            paragraph_ui(ui, &mut cx.text, &words, Setting::meta(cx.cx.theme), id);
        }
        ToolCallContent::Resource { uri, text } => {
            paragraph_ui(
                ui,
                &mut cx.text,
                &one_line(uri),
                Setting::meta(cx.cx.theme),
                id,
            );
            if let Some(text) = text {
                output_ui(ui, cx, block, call, place, text);
            }
        }
        ToolCallContent::Unsupported { kind } => {
            let words = cx
                .cx
                .i18n
                .tr_args("transcript.unsupported", &[("kind", one_line(kind).into())]);
            paragraph_ui(ui, &mut cx.text, &words, Setting::meta(cx.cx.theme), id);
        }
    }
}

/// What a subagent said on its way, and what it reported at the end.
fn report_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    call: &ToolCall,
    subagent: &Subagent,
) {
    let text = match &subagent.summary {
        Some(summary) => summary.clone(),
        None => subagent.texts.join("\n\n"),
    };
    let growth = if call.status.is_open() {
        Growth::Streaming
    } else {
        Growth::Complete
    };
    let key = ViewKey {
        block: block.id,
        part: ViewPart::Report,
    };
    let view = cx.views.texts.get(key, || TextView::new(LineBreaks::Soft));
    view.update(&text, growth);
    let frame = Frame {
        top_left: ui.cursor().min,
        width: ui.available_width(),
        id: Id::unique(("report", cx.session.key().0, block.id.0)),
    };
    let height = view.text_ui(ui, &mut cx.text, Setting::body(cx.cx.theme), frame);
    cx.views.texts.set_cost(&key, text.len());
    ui.allocate_space(vec2(frame.width, height));
}

/// What a tool printed. Some agents put it between lines of backticks.
fn output_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    call: &ToolCall,
    place: usize,
    text: &str,
) {
    let (language, text) = without_fence(text);
    let text = terminal_output(text);
    let text = text.trim_end();
    if text.is_empty() {
        if !call.status.is_open() {
            label_ui(ui, cx, "transcript.tool.no_output");
        }
        return;
    }
    let is_whole = cx.folds.is_open(block.id, FoldPart::WholeOutput(place));
    let bound = match (is_whole, call.status) {
        (true, _) => Bound::None,
        (false, ToolCallStatus::InProgress) => Bound::Follows,
        (false, _) => Bound::Scrolls,
    };
    let lines = box_ui(
        ui,
        cx,
        block,
        ViewPart::Content(place),
        language,
        text,
        bound,
    );
    if let Some(lines) = lines {
        let all = cx
            .cx
            .i18n
            .tr_args("transcript.output.show_all", &[("count", lines.into())]);
        if more_ui(
            ui,
            cx,
            &all,
            Id::unique(("all output", cx.session.key().0, block.id.0, place)),
        ) {
            cx.folds.set(block.id, FoldPart::WholeOutput(place), true);
        }
    } else if is_whole {
        let less = cx.cx.i18n.tr("transcript.output.show_less");
        if more_ui(
            ui,
            cx,
            less,
            Id::unique(("less output", cx.session.key().0, block.id.0, place)),
        ) {
            cx.folds.set(block.id, FoldPart::WholeOutput(place), false);
        }
    }
}

/// Draws text in a box. The number of its lines when there are more than fit.
fn box_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    part: ViewPart,
    language: &str,
    text: &str,
    bound: Bound,
) -> Option<usize> {
    let key = ViewKey {
        block: block.id,
        part,
    };
    let id = Id::unique(("box", cx.session.key().0, block.id.0, part));
    let view = cx.views.codes.get(key, CodeView::default);
    view.update(language, text);
    let is_high = output_box_ui(ui, &mut cx.text, view, text, bound, id);
    let lines = view.line_count();
    cx.views.codes.set_cost(&key, text.len());
    is_high.then_some(lines)
}

fn without_fence(text: &str) -> (&str, &str) {
    let inner = text
        .trim()
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"));
    let parts = inner
        .and_then(|inner| inner.split_once('\n'))
        .filter(|(_, body)| !body.contains("\n```"));
    let (language, body) = parts.unwrap_or(("", text));
    // What a terminal shows is no code in the language of the shell.
    let is_console = matches!(language.trim(), "console" | "sh" | "bash" | "shell");
    (if is_console { "" } else { language.trim() }, body)
}

fn diff_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, place: usize, diff: &Diff) {
    let is_whole = cx.folds.is_open(block.id, FoldPart::WholeDiff(place));
    let (extent, part) = if is_whole {
        (Extent::Whole, ViewPart::Whole(place))
    } else {
        (Extent::Folded, ViewPart::Content(place))
    };
    let id = Id::unique(("diff", cx.session.key().0, block.id.0, place));
    diff_head_ui(ui, cx, diff, id);
    let key = ViewKey {
        block: block.id,
        part,
    };
    let changes = cx.views.changes(key, diff, extent);
    let key = match changes.nature {
        Nature::Nothing => Some("transcript.diff.nothing"),
        Nature::LineEndingsOnly => Some("transcript.diff.line_endings"),
        Nature::Edit | Nature::NewFile | Nature::Emptied => None,
    };
    if let Some(key) = key {
        label_ui(ui, cx, key);
        return;
    }
    let most = if is_whole { usize::MAX } else { DIFF_LINES };
    let is_cut = changes.lines.len() > most
        || changes
            .lines
            .iter()
            .any(|line| matches!(line, crate::ui::transcript::diff::Line::Gap { .. }));
    diff_view_ui(ui, &mut cx.text, changes, most, id.with("lines"));
    let words = match (is_whole, is_cut) {
        (true, _) => cx.cx.i18n.tr("transcript.diff.fold"),
        (false, true) => cx.cx.i18n.tr("transcript.diff.show_all"),
        (false, false) => return,
    };
    if more_ui(ui, cx, words, id.with("all")) {
        cx.folds
            .set(block.id, FoldPart::WholeDiff(place), !is_whole);
    }
}

/// The file of a change, which opens it.
fn diff_head_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, diff: &Diff, id: Id) {
    let (theme, i18n) = (cx.cx.theme, cx.cx.i18n);
    let cwd = cx.session.setup().cwd.clone();
    let shown = one_line(&relative(&diff.path, &cwd));
    ui.horizontal(|ui| {
        let open = i18n.tr_args("transcript.links.open", &[("url", shown.as_str().into())]);
        let button = Button::text(&open)
            .shown(&shown)
            .with_icon(icons::FILE)
            .small();
        if button
            .weight(Weight::Quiet)
            .id(id.with("open"))
            .show_ui(ui, theme)
            .clicked()
        {
            cx.cx.actions.push(UiAction::OpenFile {
                path: cwd.join(&diff.path),
                line: None,
            });
        }
        let key = match &diff.old_text {
            None => "transcript.diff.new_file",
            Some(_) if diff.new_text.is_empty() => "transcript.diff.deleted_file",
            Some(_) => return,
        };
        text::label_ui(
            ui,
            i18n.tr(key),
            theme.meta(),
            theme.secondary,
            f32::INFINITY,
        );
    });
}

fn more_ui(ui: &mut Ui, cx: &RowCx<'_, '_>, words: &str, id: Id) -> bool {
    Button::text(words)
        .weight(Weight::Quiet)
        .small()
        .id(id)
        .show_ui(ui, cx.cx.theme)
        .clicked()
}

fn raw_output_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, call: &ToolCall) {
    match &call.raw_output {
        Some(Value::String(output)) => {
            let output = terminal_output(output).trim_end().to_owned();
            box_ui(
                ui,
                cx,
                block,
                ViewPart::RawOutput,
                "",
                &output,
                Bound::Scrolls,
            );
        }
        Some(value) if !value.is_null() => {
            label_ui(ui, cx, "transcript.tool.output");
            value_tree_ui(ui, cx.cx.theme, value);
        }
        Some(_) | None if call.status == ToolCallStatus::Completed => {
            label_ui(ui, cx, "transcript.tool.no_output");
        }
        Some(_) | None => {}
    }
}
