//! The agent's plan: what is done, what is being done, what is left.

use egui::{Id, Rect, Role, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use crate::core::plan::{Plan, PlanEntry, PlanEntryStatus};
use crate::core::transcript::Block;
use crate::ui::icons;
use crate::ui::panels::transcript::paragraph::paragraph_ui;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::text::cx::TextAction;
use crate::ui::text::flow::Setting;
use crate::ui::transcript::find::units::{Searched, is_urgent};
use crate::ui::transcript::folds::FoldPart;
use crate::ui::transcript::to_markdown;
use crate::ui::transcript::views::ViewPart;
use crate::ui::widgets::foldout::{Foldout, Openness, SummaryFont, inset, paint_state_icon};
use crate::ui::widgets::reveal::reveal_button_ui;

/// Draws a plan: open until the person closes it.
pub(super) fn plan_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, plan: &Plan) {
    let theme = cx.cx.theme;
    let done = plan
        .entries
        .iter()
        .filter(|entry| entry.status == PlanEntryStatus::Completed)
        .count();
    let args = [("done", done.into()), ("total", plan.entries.len().into())];
    let progress = cx.cx.i18n.tr_args("transcript.plan.progress", &args);
    let name = cx.cx.i18n.tr("transcript.plan");
    let is_open = cx.folds.choice(block.id, FoldPart::Body).unwrap_or(true);
    let foldout = Foldout {
        icon: icons::PLAN,
        icon_color: theme.secondary,
        name,
        summary: "",
        summary_font: SummaryFont::Text,
        trailing: &[(progress.clone(), theme.secondary)],
        label: &format!("{name}, {progress}"),
        tooltip: "",
        openness: Openness::of(is_open),
        id: Id::unique(("plan", cx.session.key().0, block.id.0)),
    };
    if foldout.show_ui(ui, theme).clicked() {
        cx.folds.set(block.id, FoldPart::Body, !is_open);
    }
    if !is_open {
        return;
    }
    let top = ui.cursor().min;
    let width = ui.available_width();
    cx.text.finding.enter(block.id, ViewPart::Line);
    for (index, entry) in plan.entries.iter().enumerate() {
        let id = Id::unique(("plan entry", cx.session.key().0, block.id.0, index));
        cx.text.finding.at(index, 0);
        entry_ui(ui, cx, entry, id);
    }
    let entries = Rect::from_min_max(top, pos2(top.x + width, ui.min_rect().bottom()));
    copy_ui(ui, cx, block, entries);
}

/// A button that copies the plan as Markdown, at the right of its entries.
fn copy_ui(ui: &Ui, cx: &mut RowCx<'_, '_>, block: &Block, entries: Rect) {
    let (theme, i18n) = (cx.cx.theme, cx.cx.i18n);
    let id = Id::unique(("copy plan", cx.session.key().0, block.id.0));
    let what = (icons::COPY, i18n.tr("transcript.copy_block"));
    if reveal_button_ui(
        ui,
        theme,
        what,
        theme.page,
        entries.right_top(),
        entries,
        id,
    ) {
        let from = Searched::new(cx.session, i18n, cx.agent);
        let text = to_markdown::block(from, block);
        cx.text.actions.push(TextAction::Copy(text));
    }
}

fn entry_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, entry: &PlanEntry, id: Id) {
    let theme = cx.cx.theme;
    let (icon, color, words) = match entry.status {
        PlanEntryStatus::Completed => (icons::CHECK_CIRCLE, theme.ok, "transcript.plan.completed"),
        PlanEntryStatus::InProgress => (icons::RUNNING, theme.busy, "transcript.plan.in_progress"),
        PlanEntryStatus::Pending | PlanEntryStatus::Unknown => {
            (icons::PENDING, theme.secondary, "transcript.plan.pending")
        }
    };
    let words = cx.cx.i18n.tr(words);
    let color_of_text = if entry.status == PlanEntryStatus::Completed {
        theme.secondary
    } else {
        theme.text
    };
    let setting = Setting {
        color: color_of_text,
        size: theme.size.body - 0.5,
        ..Setting::body(theme)
    };
    let around = ui.available_rect_before_wrap();
    let line = (setting.size * crate::ui::theme::LINE_HEIGHT).round();
    let left = around.left() + inset(theme);
    let y = around.top() + line / 2.0;
    paint_state_icon(ui, theme, left, y, icon, color);
    let icon_rect = Rect::from_center_size(egui::pos2(left + 8.0, y), vec2(16.0, 16.0));
    let response = ui.interact(icon_rect, id.with("state"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, words));
    response.on_hover_text(words);
    let inner = Rect::from_min_max(around.min + vec2(2.0 * inset(theme), 0.0), around.max);
    let mut child = ui.new_child(UiBuilder::new().max_rect(inner));
    paragraph_ui(&mut child, &mut cx.text, &entry.content, setting, id);
    if is_urgent(entry) {
        cx.text.finding.at_cell(1);
        let high = cx.cx.i18n.tr("transcript.plan.priority_high");
        paragraph_ui(
            &mut child,
            &mut cx.text,
            high,
            Setting::meta(theme),
            id.with("priority"),
        );
    }
    ui.advance_cursor_after_rect(child.min_rect());
}
