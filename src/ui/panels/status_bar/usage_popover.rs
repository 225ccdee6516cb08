//! What a session has used, in exact numbers: context, tokens by kind, cost by currency.

use egui::{Align, Layout, Ui, Vec2};

use crate::core::session::Session;
use crate::core::usage::{Meter, MeterTone, TokenCounts, Usage};
use crate::ui::cx::UiCx;
use crate::ui::format;
use crate::ui::widgets::row::{heading_ui, separator_ui};
use crate::ui::widgets::text;

/// The exact numbers, who reported them, and when.
pub(super) fn meter_tooltip(cx: &UiCx<'_>, session: &Session) -> String {
    let mut lines = vec![context_words(cx, session.usage())];
    lines.extend(source_words(cx, session));
    lines.join("\n")
}

fn context_words(cx: &UiCx<'_>, usage: &Usage) -> String {
    let i18n = cx.i18n;
    let both = |key, used, window| {
        let args = [
            ("used", format::exact(used).into()),
            ("size", format::exact(window).into()),
        ];
        i18n.tr_args(key, &args)
    };
    match usage.meter() {
        Meter::Hidden => i18n.tr("status.context.unknown").to_owned(),
        Meter::UsedOnly { used } => {
            let args = [("used", format::exact(used).into())];
            i18n.tr_args("status.context.used_tooltip", &args)
        }
        Meter::Over { used, window } => both("status.context.over_tooltip", used, window),
        Meter::Compacted => i18n.tr("status.context.compacted.tooltip").to_owned(),
        Meter::Share { used, window, .. } if usage.meter().tone() != MeterTone::Calm => {
            both("status.context.high", used, window)
        }
        Meter::Share {
            used,
            window,
            uncertain: true,
            ..
        } => both("status.context.uncertain", used, window),
        Meter::Share { used, window, .. } => both("status.context.tooltip", used, window),
    }
}

fn source_words(cx: &UiCx<'_>, session: &Session) -> Option<String> {
    let read_at = session.usage().context().read_at()?;
    let connection = cx.hub.connection_of(session.key())?;
    let age = super::duration(cx, cx.now.millis_since(read_at));
    let args = [
        ("agent", connection.agent_name().to_owned().into()),
        ("age", age.into()),
    ];
    Some(cx.i18n.tr_args("status.context.source", &args))
}

/// Fills the popover.
pub(super) fn usage_popover_ui(ui: &mut Ui, cx: &UiCx<'_>, session: &Session) {
    let theme = cx.theme;
    let i18n = cx.i18n;
    let usage = session.usage();
    heading_ui(ui, theme, i18n.tr("status.context"));
    paragraph_ui(ui, cx, &context_words(cx, usage));
    if let Some(source) = source_words(cx, session) {
        paragraph_ui(ui, cx, &source);
    }
    if let Some(line) = usage.status_line() {
        paragraph_ui(ui, cx, &crate::ui::untrusted::one_line(line));
    }
    separator_ui(ui, theme);
    heading_ui(ui, theme, i18n.tr("status.usage.tokens"));
    match usage.session_tokens() {
        Some(tokens) => tokens_ui(ui, cx, tokens),
        None if session.last_end().is_none() => {
            paragraph_ui(ui, cx, i18n.tr("status.usage.no_turn"));
        }
        None => paragraph_ui(ui, cx, i18n.tr("status.usage.not_reported")),
    }
    if usage.costs().is_empty() {
        return;
    }
    separator_ui(ui, theme);
    heading_ui(ui, theme, i18n.tr("status.usage.cost"));
    for (currency, amount) in usage.costs() {
        // The exact amount: what the button shows is rounded.
        number_ui(ui, cx, currency, &format!("{amount:.4}"));
    }
    paragraph_ui(ui, cx, i18n.tr("status.cost.tooltip"));
}

fn tokens_ui(ui: &mut Ui, cx: &UiCx<'_>, tokens: TokenCounts) {
    let i18n = cx.i18n;
    let kinds = [
        (i18n.tr("status.usage.input"), tokens.input),
        (i18n.tr("status.usage.output"), tokens.output),
        (i18n.tr("status.usage.cache_read"), tokens.cache_read),
        (i18n.tr("status.usage.cache_write"), tokens.cache_write),
        (i18n.tr("status.usage.total"), tokens.total()),
    ];
    for (name, count) in kinds {
        number_ui(ui, cx, name, &format::exact(count));
    }
}

fn number_ui(ui: &mut Ui, cx: &UiCx<'_>, name: &str, number: &str) {
    let theme = cx.theme;
    let size = Vec2::new(ui.available_width(), theme.scaled(22.0));
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.add_space(8.0);
        text::label_ui(ui, number, theme.tabular(), theme.text, f32::INFINITY);
        let rest = Vec2::new(ui.available_width(), size.y);
        ui.allocate_ui_with_layout(rest, Layout::left_to_right(Align::Center), |ui| {
            ui.add_space(8.0);
            text::label_ui(ui, name, theme.meta(), theme.secondary, f32::INFINITY);
        });
    });
}

fn paragraph_ui(ui: &mut Ui, cx: &UiCx<'_>, words: &str) {
    let theme = cx.theme;
    egui::Frame::NONE
        .inner_margin(egui::Margin::symmetric(8, 1))
        .show(ui, |ui| {
            text::paragraph_ui(ui, words, theme.meta(), theme.secondary);
        });
}
