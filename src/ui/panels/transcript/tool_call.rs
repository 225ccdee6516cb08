//! A tool call: one line until it is opened.

use egui::{Color32, Id, Rect, ScrollArea, Ui, vec2};

use crate::core::consent::Consent;
use crate::core::session::Session;
use crate::core::tool_call::{ToolCall, ToolCallContent, ToolCallStatus};
use crate::core::transcript::{Block, BlockContent};
use crate::i18n::I18n;
use crate::ui::format;
use crate::ui::icons;
use crate::ui::panels::reasons;
use crate::ui::panels::transcript::picture::picture_ui;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::panels::transcript::seek::mark_rows_ui;
use crate::ui::panels::transcript::tool_details::tool_details_ui;
use crate::ui::text::finding::Unit;
use crate::ui::theme::Theme;
use crate::ui::transcript::describe::{Description, describe};
use crate::ui::transcript::folds::FoldPart;
use crate::ui::transcript::views::{ViewKey, ViewPart};
use crate::ui::transcript::words;
use crate::ui::untrusted::one_line;
use crate::ui::widgets::foldout::{Foldout, Marks, Openness, SummaryFont, foldout_body_ui};

/// How high the steps of a subagent get before they scroll, in points.
const STEPS_HEIGHT: f32 = 300.0;
/// A subagent that was silent for less says nothing of it.
const SILENT_LEAST_MILLIS: u64 = 3_000;
/// How many pictures show below a closed call.
const PICTURES_MOST: usize = 4;
/// A shorter duration says nothing.
const DURATION_LEAST_MILLIS: u64 = 100;
/// A running call's dot changes this often.
const PULSE_MILLIS: u64 = 500;

/// How a state looks and what it is called.
#[derive(Debug, Clone, Copy)]
pub(super) struct StatusLook {
    pub icon: &'static str,
    pub color: Color32,
    /// The key of its words.
    pub words: &'static str,
}

/// The look of a state. No two are alike.
pub(super) fn look(theme: &Theme, status: ToolCallStatus) -> StatusLook {
    let (icon, color) = match status {
        ToolCallStatus::Pending => (icons::PENDING, theme.secondary),
        ToolCallStatus::InProgress => (icons::RUNNING, theme.busy),
        ToolCallStatus::Completed => (icons::CHECK, theme.ok),
        ToolCallStatus::Failed => (icons::CROSS_CIRCLE, theme.error),
        ToolCallStatus::Denied => (icons::DENIED, theme.caution),
        ToolCallStatus::Cancelled => (icons::CROSS, theme.secondary),
        ToolCallStatus::NoResult => (icons::NO_RESULT, theme.secondary),
        ToolCallStatus::Stopped => (icons::DISCONNECTED, theme.caution),
    };
    let words = words::status(status);
    StatusLook { icon, color, words }
}

/// Draws a call, and its steps and pictures with it.
pub(super) fn tool_call_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, call: &ToolCall) {
    let theme = cx.cx.theme;
    let description = describe(cx.cx.i18n, call, &cx.session.setup().cwd);
    let is_open = cx.folds.is_open(block.id, FoldPart::Body);
    let clicked = line_ui(ui, cx, block, call, &description, is_open);
    if clicked {
        cx.folds.toggle(block.id, FoldPart::Body);
    }
    let images = call
        .content
        .iter()
        .enumerate()
        .filter_map(|(place, content)| match content {
            ToolCallContent::Image(image) => Some((place, image)),
            _ => None,
        });
    if is_open {
        foldout_body_ui(ui, theme, |ui| {
            tool_details_ui(ui, cx, block, call, &description);
            for (place, image) in images {
                picture_ui(ui, cx, block.id, place, image);
            }
        });
        return;
    }
    let mut images = images.take(PICTURES_MOST).peekable();
    if images.peek().is_some() {
        foldout_body_ui(ui, theme, |ui| {
            for (place, image) in images {
                picture_ui(ui, cx, block.id, place, image);
            }
        });
    }
}

fn line_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    call: &ToolCall,
    description: &Description,
    is_open: bool,
) -> bool {
    let (theme, i18n) = (cx.cx.theme, cx.cx.i18n);
    let state = state_of(cx, call);
    let words = i18n.tr(state.words);
    let trailing = trailing(cx, block, call);
    // What a subagent does right now says more than what it was asked.
    let progress = call
        .subagent
        .as_ref()
        .and_then(|subagent| subagent.progress.as_deref());
    let progress = progress.filter(|_| call.status.is_open()).map(one_line);
    let summary = progress.as_ref().unwrap_or(&description.summary);
    let numbers: Vec<&str> = trailing.iter().map(|(words, _)| words.as_str()).collect();
    let consent = consent_words(i18n, cx.session, block, call);
    let said = consent.as_ref().map(|(_, words)| words.as_str());
    let parts = [description.name.as_str(), summary, words]
        .into_iter()
        .chain(said)
        .chain(numbers);
    let label: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let title = one_line(&call.title);
    let mut tooltip = if title.is_empty() {
        words.to_owned()
    } else {
        format!("{words}: {title}")
    };
    if let Some(said) = said {
        tooltip.push('\n');
        tooltip.push_str(said);
    }
    let foldout = Foldout {
        icon: state.icon,
        icon_color: state.color,
        name: &description.name,
        summary,
        summary_font: if description.is_code && progress.is_none() {
            SummaryFont::Code
        } else {
            SummaryFont::Text
        },
        trailing: &trailing,
        label: &label.join(", "),
        tooltip: &tooltip,
        openness: Openness::of(is_open),
        id: Id::unique(("tool call", cx.session.key().0, block.id.0)),
    };
    let marks = Marks {
        icon: consent.as_ref().map(|(icon, _)| *icon),
        is_selected: cx.text.selecting.covers(block.id, Unit::line(0)),
    };
    foldout.show_marked_ui(ui, theme, marks).clicked()
}

/// How a call came to run, or not, where the person was not asked: a mark, and what it means.
fn consent_words(
    i18n: &I18n,
    session: &Session,
    block: &Block,
    call: &ToolCall,
) -> Option<(&'static str, String)> {
    let is_told = block.turn.is_some() && !session.spec().harmless;
    match &call.consent {
        Consent::ByPolicy(reason) => Some((icons::SHIELD, reasons::because(i18n, reason))),
        // Of what was loaded nobody knows whether it was asked for.
        Consent::NotAsked if is_told && call.has_run() => Some((
            icons::ROBOT,
            i18n.tr("transcript.tool.not_asked").to_owned(),
        )),
        Consent::NotAsked | Consent::Asking | Consent::ByUser => None,
    }
}

/// A call that waits for the person looks it; one that runs pulses.
fn state_of(cx: &mut RowCx<'_, '_>, call: &ToolCall) -> StatusLook {
    let theme = cx.cx.theme;
    if call.is_waiting() {
        return StatusLook {
            icon: icons::HOURGLASS,
            color: theme.caution,
            words: "transcript.tool.waiting",
        };
    }
    let mut look = look(theme, call.status);
    if call.status == ToolCallStatus::InProgress {
        cx.shows_running = true;
        if cx.cx.now.0 / PULSE_MILLIS % 2 == 1 {
            look.color = look.color.gamma_multiply(0.55);
        }
    }
    look
}

/// Counts of changed lines, the number of steps, and how long it took.
fn trailing(cx: &mut RowCx<'_, '_>, block: &Block, call: &ToolCall) -> Vec<(String, Color32)> {
    let theme = cx.cx.theme;
    let mut trailing = Vec::new();
    let steps = usize::try_from(block.id.0).map_or(0, |row| cx.rows.steps(row).len());
    if steps > 0 {
        let words = cx
            .cx
            .i18n
            .tr_args("transcript.tool.steps", &[("count", steps.into())]);
        trailing.push((words, theme.secondary));
    }
    let tokens = call
        .subagent
        .as_ref()
        .and_then(|subagent| subagent.total_tokens);
    if let Some(tokens) = tokens {
        let count = format::count(tokens);
        let words = cx
            .cx
            .i18n
            .tr_args("status.tokens", &[("count", count.into())]);
        trailing.push((words, theme.secondary));
    }
    let updated_at = call
        .subagent
        .as_ref()
        .filter(|_| call.status.is_open() && !call.is_waiting())
        .and_then(|subagent| subagent.updated_at);
    if let Some(updated_at) = updated_at {
        let silent = cx.cx.now.millis_since(updated_at);
        if silent >= SILENT_LEAST_MILLIS {
            let duration = format::duration(cx.cx.i18n, silent);
            let words = cx
                .cx
                .i18n
                .tr_args("transcript.tool.updated", &[("duration", duration.into())]);
            trailing.push((words, theme.secondary));
        }
        cx.shows_running = true;
    }
    let (mut added, mut removed) = (0, 0);
    for (place, content) in call.content.iter().enumerate() {
        if let ToolCallContent::Diff(diff) = content {
            let key = ViewKey {
                block: block.id,
                part: ViewPart::Content(place),
            };
            let counts = cx.views.counts(key, diff).unwrap_or_default();
            added += counts.0;
            removed += counts.1;
        }
    }
    if added > 0 {
        trailing.push((format!("+{added}"), theme.ok));
    }
    if removed > 0 {
        trailing.push((format!("−{removed}"), theme.error));
    }
    let millis = call.duration_millis(cx.cx.now);
    let has_begun = call.status != ToolCallStatus::Pending && !call.is_waiting();
    if has_begun && millis >= DURATION_LEAST_MILLIS {
        trailing.push((format::duration(cx.cx.i18n, millis), theme.secondary));
    }
    cx.shows_running |= call.status == ToolCallStatus::InProgress && !call.is_waiting();
    trailing
}

/// Draws the steps of a subagent, in a box of its own where there are many.
pub(super) fn steps_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, row: usize) {
    let count = cx.rows.steps(row).len();
    let height = Foldout::height(cx.cx.theme);
    if count as f32 * height <= STEPS_HEIGHT {
        all_steps_ui(ui, cx, row);
        return;
    }
    ui.spacing_mut().scroll.fade.strength = 0.0;
    ScrollArea::vertical()
        .id_salt(("steps", cx.session.key().0, row))
        .max_height(cx.cx.theme.scaled(STEPS_HEIGHT))
        .auto_shrink([false, true])
        .stick_to_bottom(true)
        .show(ui, |ui| all_steps_ui(ui, cx, row));
}

/// Draws the steps of a subagent. A closed one that is out of view only takes its room.
fn all_steps_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, row: usize) {
    let transcript = cx.session.transcript();
    let height = Foldout::height(cx.cx.theme);
    let spacing = std::mem::take(&mut ui.spacing_mut().item_spacing.y);
    cx.text.selecting.within.enter(row);
    for step in cx.rows.steps(row).to_vec() {
        let Some(block) = transcript.blocks().get(step) else {
            continue;
        };
        let BlockContent::ToolCall(call) = &block.content else {
            continue;
        };
        let line = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), height));
        if cx.folds.is_open(block.id, FoldPart::Body) || ui.is_rect_visible(line) {
            let top = ui.cursor().min;
            tool_call_ui(ui, cx, block, call);
            let drawn = Rect::from_min_max(top, ui.min_rect().max);
            mark_rows_ui(ui, cx, step..step + 1, drawn);
        } else {
            ui.allocate_space(line.size());
        }
    }
    cx.text.selecting.within.leave();
    ui.spacing_mut().item_spacing.y = spacing;
}
