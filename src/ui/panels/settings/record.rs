//! The record of decisions about tool calls: the newest first, filtered, and only what is seen is drawn.

use egui::{Id, Rect, ScrollArea, Sense, Ui, Vec2, WidgetInfo};

use crate::core::decisions::{DECISIONS, DecisionFilter, LoggedDecision};
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::fonts::Face;
use crate::ui::format;
use crate::ui::icons;
use crate::ui::panels::names;
use crate::ui::state::settings::RecordState;
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::Button;
use crate::ui::widgets::segmented::segmented_ui;
use crate::ui::widgets::text;
use crate::ui::widgets::text_field::TextField;

/// Shows the page.
pub(super) fn record_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut RecordState) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    ui.spacing_mut().item_spacing.y = 4.0;
    if !state.is_asked {
        state.is_asked = true;
        cx.actions.push(UiAction::ReadRecord);
    }
    filter_ui(ui, cx, state);
    let Some(found) = &state.found else {
        let words = i18n.tr("record.reading");
        text::paragraph_ui(ui, words, theme.meta(), theme.secondary);
        return;
    };
    if state.shown.is_none() {
        let takes = |place: &usize| {
            let decision = found.decisions.get(*place);
            decision.is_some_and(|decision| state.filter.takes(decision))
        };
        let newest_first = (0..found.decisions.len()).rev();
        state.shown = Some(newest_first.filter(takes).collect());
    }
    let shown = state.shown.as_deref().unwrap_or_default();
    let mut words = vec![i18n.tr_args("record.count", &[("count", shown.len().into())])];
    if found.is_cut {
        words.push(i18n.tr("record.cut").to_owned());
    }
    if found.broken > 0 {
        words.push(i18n.tr_args("record.broken", &[("count", found.broken.into())]));
    }
    if let Some(error) = &found.error {
        words.push(i18n.tr_args("record.unreadable", &[("reason", error.into())]));
    }
    text::paragraph_ui(ui, &words.join("\n"), theme.meta(), theme.secondary);
    let height = theme.scaled(44.0);
    ScrollArea::vertical()
        .id_salt("record")
        .auto_shrink(false)
        .show_rows(ui, height, shown.len(), |ui, rows| {
            let visible = shown.get(rows.clone()).unwrap_or_default();
            for (row, place) in rows.zip(visible) {
                if let Some(decision) = found.decisions.get(*place) {
                    decision_ui(ui, cx, row, decision, height);
                }
            }
        });
}

fn filter_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut RecordState) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let before: DecisionFilter = state.filter.clone();
    let names = [
        i18n.tr("record.all"),
        i18n.tr("record.asked"),
        i18n.tr("record.auto_allow"),
        i18n.tr("record.auto_deny"),
        i18n.tr("record.not_asked"),
    ];
    let chosen = state.filter.decision.as_deref().map_or(Some(0), |word| {
        let place = DECISIONS.iter().position(|one| *one == word);
        place.map(|place| place + 1)
    });
    if let Some(clicked) = segmented_ui(ui, theme, &names, chosen) {
        let word = clicked
            .checked_sub(1)
            .and_then(|place| DECISIONS.get(place));
        state.filter.decision = word.map(|word| (*word).to_owned());
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let refresh = Button::icon(icons::REFRESH, i18n.tr("record.refresh"));
        if refresh.show_ui(ui, theme).clicked() {
            cx.actions.push(UiAction::ReadRecord);
        }
        TextField::new(
            Id::unique("record search"),
            &mut state.filter.text,
            i18n.tr("record.search"),
        )
        .hint(i18n.tr("record.search"))
        .framed_ui(ui, theme);
    });
    if state.filter != before {
        state.shown = None;
    }
}

/// One decision in two lines.
fn decision_ui(ui: &mut Ui, cx: &UiCx<'_>, row: usize, decision: &LoggedDecision, height: f32) {
    let (theme, i18n) = (cx.theme, cx.i18n);
    let (_, rect) = ui.allocate_space(Vec2::new(ui.available_width(), height));
    let id = ui.scope_id().with(("decision", row));
    let response = ui.interact(rect, id, Sense::hover());
    let (what, color) = match (decision.decision.as_str(), decision.answer.as_deref()) {
        ("auto_allow", _) => (i18n.tr("record.auto_allow"), theme.ok),
        ("auto_deny", _) => (i18n.tr("record.auto_deny"), theme.error),
        ("not_asked", _) => (i18n.tr("record.not_asked"), theme.secondary),
        (_, Some("allow_once" | "allow_always")) => (i18n.tr("record.you_allowed"), theme.ok),
        (_, Some("reject_once" | "reject_always")) => (i18n.tr("record.you_denied"), theme.error),
        (_, Some("withdrawn")) => (i18n.tr("record.withdrawn"), theme.secondary),
        (_, Some("cancelled")) => (i18n.tr("record.cancelled"), theme.secondary),
        (_, Some("agent_gone")) => (i18n.tr("record.agent_gone"), theme.secondary),
        _ => (i18n.tr("record.asked"), theme.secondary),
    };
    let ago = format::span(i18n, cx.now.millis_since(decision.at));
    let ago = i18n.tr_args("record.ago", &[("duration", ago.into())]);
    let tool = one_line(&decision.tool);
    let about = about(i18n, decision);
    let label = format!("{what}, {tool}, {about}, {ago}");
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, &label));
    let first = Rect::from_min_size(rect.min, Vec2::new(rect.width(), height / 2.0));
    let y = first.center().y + 2.0;
    let galley = text::line_ui(ui, &ago, theme.tabular(), theme.secondary, f32::INFINITY);
    let right = rect.right() - galley.size().x;
    text::paint_at(ui, right, y, galley, theme.secondary);
    let font = Face::SemiBold.sized(theme.size.meta);
    let galley = text::line_ui(ui, what, font, color, right - rect.left());
    let x = text::paint_at(ui, rect.left(), y, galley, color).right() + 8.0;
    let galley = text::line_ui(ui, &tool, theme.mono(), theme.text, right - x - 8.0);
    text::paint_at(ui, x, y, galley, theme.text);
    let y = first.bottom() + height / 4.0 - 2.0;
    let galley = text::line_ui(ui, &about, theme.meta(), theme.secondary, rect.width());
    text::paint_at(ui, rect.left(), y, galley, theme.secondary);
    let folder = decision.folder.display().to_string();
    response.on_hover_text(format!("{}\n{about}", one_line(&folder)));
}

/// Whose it was, and the rule or the reason behind it.
fn about(i18n: &crate::i18n::I18n, decision: &LoggedDecision) -> String {
    let mut parts = vec![one_line(&decision.backend), names::folder(&decision.folder)];
    parts.extend(decision.rule.as_deref().map(one_line));
    if decision.rule.is_none() {
        parts.extend(decision.because.as_deref().map(one_line));
    }
    if decision.unsure {
        parts.push(i18n.tr("record.unsure").to_owned());
    }
    parts.join(" \u{b7} ")
}
