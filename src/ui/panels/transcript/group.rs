//! Several finished calls in one line.

use egui::{Id, Ui};

use crate::core::tool_call::ToolCallStatus;
use crate::core::transcript::Block;
use crate::ui::format;
use crate::ui::icons;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::panels::transcript::tool_call::look;
use crate::ui::widgets::foldout::{Foldout, Openness, SummaryFont};

/// Draws the line of the group that begins in a row.
pub(super) fn group_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, row: usize, block: &Block) {
    let Some(group) = cx.rows.group(row).copied() else {
        return;
    };
    let (theme, i18n) = (cx.cx.theme, cx.cx.i18n);
    let duration = format::duration(i18n, group.millis);
    let words = i18n.tr_args(
        "transcript.group",
        &[("count", group.count.into()), ("duration", duration.into())],
    );
    let failed = i18n.tr_args("transcript.group.failed", &[("count", group.failed.into())]);
    let (icon, color) = match group.worst {
        ToolCallStatus::Completed => (icons::LIST, theme.secondary),
        worst => {
            let look = look(theme, worst);
            (look.icon, look.color)
        }
    };
    let trailing = if group.failed > 0 {
        vec![(failed.clone(), theme.error)]
    } else {
        Vec::new()
    };
    let label = if group.failed > 0 {
        format!("{words}, {failed}")
    } else {
        words.clone()
    };
    let foldout = Foldout {
        icon,
        icon_color: color,
        name: &words,
        summary: "",
        summary_font: SummaryFont::Text,
        trailing: &trailing,
        label: &label,
        tooltip: "",
        openness: Openness::of(group.is_open),
        id: Id::unique(("group", cx.session.key().0, block.id.0)),
    };
    if foldout.show_ui(ui, theme).clicked() {
        cx.toggled_groups.push(row);
    }
}
