//! What is inside a tool call: what it was given, which files it touches, what came of it.

mod raw;

use egui::{Id, Ui, vec2};
use serde_json::Value;

use crate::core::tool_call::{Subagent, ToolCall, ToolCallContent, ToolCallStatus};
use crate::core::transcript::Block;
use crate::ui::cx::UiAction;
use crate::ui::icons;
use crate::ui::panels::transcript::diff_block::{DiffPlace, diff_ui};
use crate::ui::panels::transcript::paragraph::paragraph_ui;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::panels::transcript::tool_call::steps_ui;
use crate::ui::panels::transcript::tool_output::{self, box_ui};
use crate::ui::text::document::Growth;
use crate::ui::text::flow::Setting;
use crate::ui::text::markdown::LineBreaks;
use crate::ui::text::sanitize::visible;
use crate::ui::text::view::{Frame, TextView};
use crate::ui::transcript::describe::{Description, relative, report};
use crate::ui::transcript::find::units::{Searched, title};
use crate::ui::transcript::given::{Given, has_diff};
use crate::ui::transcript::output::TERMINAL_BYTES_MOST;
use crate::ui::transcript::to_markdown;
use crate::ui::transcript::views::{ViewKey, ViewPart};
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::output_box::Bound;
use crate::ui::widgets::text;
use crate::ui::widgets::value_tree::value_tree_ui;

/// Draws the inside of a call.
pub(super) fn tool_details_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    call: &ToolCall,
    description: &Description,
) {
    match Given::of(call, description) {
        Given::Command(command) => command_ui(ui, cx, block, &command),
        Given::Plan(plan) => markdown_ui(ui, cx, block, (ViewPart::Plan, &plan), Growth::Complete),
        Given::Values(input) => {
            label_ui(ui, cx, "transcript.tool.input");
            values_ui(ui, cx, block, ViewPart::Input, &input);
        }
        Given::Nothing => {}
    }
    locations_ui(ui, cx, block, call, has_diff(call));
    for (place, content) in call.content.iter().enumerate() {
        content_ui(ui, cx, block, call, (place, content));
    }
    if call.content.is_empty() {
        raw_output_ui(ui, cx, block, call);
    }
    tool_output::ending_ui(ui, cx, call);
    if let Ok(row) = usize::try_from(block.id.0) {
        steps_ui(ui, cx, row);
    }
    if let Some(subagent) = &call.subagent {
        report_ui(ui, cx, block, call, subagent);
    }
    ui.horizontal(|ui| {
        copy_block_ui(ui, cx, block);
        raw::frames_ui(ui, cx, block);
    });
    raw::raw_ui(ui, cx, block, call);
}

/// A button that copies a block as Markdown.
pub(super) fn copy_block_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block) {
    let button = Button::text(cx.cx.i18n.tr("transcript.copy_block"))
        .with_icon(icons::COPY)
        .weight(Weight::Quiet)
        .small()
        .id(Id::unique(("copy block", cx.session.key().0, block.id.0)));
    if button.show_ui(ui, cx.cx.theme).clicked() {
        let from = Searched::new(cx.session, cx.cx.i18n, cx.agent);
        let text = to_markdown::block(from, block);
        cx.cx.actions.push(UiAction::CopyText(text));
    }
}

/// Draws the values that a call was given, or that came of it.
fn values_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, part: ViewPart, value: &Value) {
    let id = Id::unique(("values", cx.session.key().0, block.id.0, part));
    cx.text.finding.enter(block.id, part);
    value_tree_ui(ui, &mut cx.text, value, id);
}

pub(super) fn label_ui(ui: &mut Ui, cx: &RowCx<'_, '_>, key: &str) {
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
        ("bash", &command),
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
    if let Some(words) = title(cx.cx.i18n, cx.session, content) {
        let id = Id::unique(("content", cx.session.key().0, block.id.0, place));
        cx.text.finding.enter(block.id, ViewPart::Title(place));
        paragraph_ui(ui, &mut cx.text, &words, Setting::meta(cx.cx.theme), id);
    }
    match content {
        ToolCallContent::Text(text)
        | ToolCallContent::Resource {
            text: Some(text), ..
        } => tool_output::output_ui(ui, cx, block, call, (place, text)),
        ToolCallContent::Diff(diff) => {
            diff_ui(ui, cx, block, DiffPlace::content(place), diff);
        }
        ToolCallContent::Terminal { id } => {
            let session = cx.session;
            if let Some(terminal) = session.terminal(id) {
                let text = terminal.tail(TERMINAL_BYTES_MOST);
                tool_output::output_ui(ui, cx, block, call, (place, text));
            }
        }
        // Pictures stand below, and also below a closed call.
        ToolCallContent::Image(_)
        | ToolCallContent::Resource { text: None, .. }
        | ToolCallContent::Unsupported { .. } => {}
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
    let text = report(subagent);
    let growth = if call.status.is_open() {
        Growth::Streaming
    } else {
        Growth::Complete
    };
    markdown_ui(ui, cx, block, (ViewPart::Report, &text), growth);
}

/// A text of a call that is Markdown: a plan or a report.
fn markdown_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    (part, text): (ViewPart, &str),
    growth: Growth,
) {
    let key = ViewKey {
        block: block.id,
        part,
    };
    cx.text.finding.enter(block.id, part);
    let view = cx.views.texts.get(key, || TextView::new(LineBreaks::Soft));
    view.update(text, growth);
    let frame = Frame {
        top_left: ui.cursor().min,
        width: ui.available_width(),
        id: Id::unique(("report", cx.session.key().0, block.id.0, part)),
    };
    let height = view.text_ui(ui, &mut cx.text, Setting::body(cx.cx.theme), frame);
    cx.views.texts.set_cost(&key, text.len());
    ui.allocate_space(vec2(frame.width, height));
}

pub(super) fn more_ui(ui: &mut Ui, cx: &RowCx<'_, '_>, words: &str, id: Id) -> bool {
    Button::text(words)
        .weight(Weight::Quiet)
        .small()
        .id(id)
        .show_ui(ui, cx.cx.theme)
        .clicked()
}

fn raw_output_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, call: &ToolCall) {
    let output = call.output();
    match output.as_deref() {
        Some(Value::String(output)) => {
            tool_output::printed_ui(ui, cx, block, call, (ViewPart::RawOutput, output));
        }
        Some(value) if !value.is_null() => {
            label_ui(ui, cx, "transcript.tool.output");
            values_ui(ui, cx, block, ViewPart::RawOutput, value);
        }
        Some(_) | None if call.status == ToolCallStatus::Completed => {
            label_ui(ui, cx, "transcript.tool.no_output");
        }
        Some(_) | None => {}
    }
}
