//! A quota of the account: how full it is, and when it starts anew.

use egui::{Rect, Role, Sense, Ui, Vec2, WidgetInfo};

use crate::core::usage::Quota;
use crate::ui::cx::UiCx;
use crate::ui::format;
use crate::ui::panels::names;
use crate::ui::theme::Theme;
use crate::ui::widgets::text;

/// Shows a quota in a line with a bar below.
pub(super) fn quota_ui(ui: &mut Ui, cx: &UiCx<'_>, quota: &Quota) {
    let theme = cx.theme;
    let size = Vec2::new(ui.available_width(), theme.scaled(28.0));
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let inner = rect.shrink2(Vec2::new(8.0, 0.0));
    let y = rect.top() + theme.scaled(11.0);
    let percent = quota.used_percent.max(0.0).round();
    let args = [("percent", percent.into())];
    let percent = cx.i18n.tr_args("status.context.percent", &args);
    let words = resets(cx, quota).map_or_else(
        || percent.clone(),
        |resets| format!("{percent} \u{b7} {resets}"),
    );
    let color = color(theme, quota.used_percent);
    let room = inner.width() * 0.65;
    let galley = text::line_ui(ui, &words, theme.tabular(), theme.text, room);
    let x = inner.right() - galley.size().x;
    text::paint_at(ui, x, y, galley, theme.text);
    let name = names::quota(&quota.name);
    let room = x - inner.left() - 8.0;
    let galley = text::line_ui(ui, &name, theme.meta(), theme.secondary, room);
    text::paint_at(ui, inner.left(), y, galley, theme.secondary);
    let top = y + theme.scaled(9.0);
    let bar = Rect::from_x_y_ranges(inner.x_range(), top..=top + 3.0);
    ui.painter().rect_filled(bar, 1.5, theme.border);
    let share = (quota.used_percent / 100.0).clamp(0.0, 1.0) as f32;
    let filled = Rect::from_min_size(bar.min, Vec2::new(bar.width() * share, bar.height()));
    ui.painter().rect_filled(filled, 1.5, color);
    let label = format!("{name} {words}");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
}

/// When it starts anew, seen from now.
fn resets(cx: &UiCx<'_>, quota: &Quota) -> Option<String> {
    let millis = quota.resets_at?.millis_since(cx.now);
    if millis == 0 {
        return Some(cx.i18n.tr("status.quota.reset").to_owned());
    }
    let args = [("duration", format::span(cx.i18n, millis).into())];
    Some(cx.i18n.tr_args("status.quota.resets", &args))
}

fn color(theme: &Theme, used_percent: f64) -> egui::Color32 {
    if used_percent >= 95.0 {
        theme.error
    } else if used_percent >= 80.0 {
        theme.caution
    } else {
        theme.busy
    }
}
