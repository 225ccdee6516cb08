//! What a session has used, in exact numbers: context, tokens by kind and model, cost by currency, quotas.

mod quotas;
mod table;

use egui::Ui;

use self::table::{Columns, Table};
use crate::core::session::Session;
use crate::core::usage::{Meter, MeterTone, ModelUsage, TokenCounts, Usage};
use crate::i18n::I18n;
use crate::ui::cx::UiCx;
use crate::ui::format;
use crate::ui::panels::names;
use crate::ui::untrusted::one_line;
use crate::ui::widgets::row::{heading_ui, separator_ui};
use crate::ui::widgets::text;

/// The width of the popover in points.
pub(super) const WIDTH: f32 = 340.0;

/// The exact numbers, who reported them, and when.
pub(super) fn meter_tooltip(cx: &UiCx<'_>, session: &Session) -> String {
    let mut lines = context_words(cx.i18n, session.usage().meter());
    lines.extend(source_words(cx, session));
    lines.join("\n")
}

/// What is known of the context, a sentence a line.
fn context_words(i18n: &I18n, meter: Meter) -> Vec<String> {
    let both = |key, used, window| {
        let args = [
            ("used", format::exact(used).into()),
            ("size", format::exact(window).into()),
        ];
        i18n.tr_args(key, &args)
    };
    match meter {
        Meter::Hidden => vec![i18n.tr("status.context.unknown").to_owned()],
        Meter::UsedOnly { used } => {
            let args = [("used", format::exact(used).into())];
            vec![i18n.tr_args("status.context.used_tooltip", &args)]
        }
        Meter::Over { used, window } => vec![both("status.context.over_tooltip", used, window)],
        Meter::Compacted => vec![i18n.tr("status.context.compacted.tooltip").to_owned()],
        Meter::Share {
            used,
            window,
            uncertain,
            ..
        } => {
            let key = match meter.tone() {
                MeterTone::Calm => "status.context.tooltip",
                MeterTone::Caution | MeterTone::Full => "status.context.high",
            };
            let mut lines = vec![both(key, used, window)];
            if uncertain {
                lines.push(i18n.tr("status.context.uncertain").to_owned());
            }
            lines
        }
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
    for line in context_words(i18n, usage.meter()) {
        paragraph_ui(ui, cx, &line);
    }
    if let Some(source) = source_words(cx, session) {
        paragraph_ui(ui, cx, &source);
    }
    if let Some(line) = usage.status_line() {
        paragraph_ui(ui, cx, &one_line(line));
    }
    separator_ui(ui, theme);
    tokens_ui(ui, cx, session);
    costs_ui(ui, cx, session);
    if !usage.quotas().is_empty() {
        separator_ui(ui, theme);
        heading_ui(ui, theme, i18n.tr("status.quota"));
        for quota in usage.quotas() {
            quotas::quota_ui(ui, cx, quota);
        }
    }
    models_ui(ui, cx, session);
}

/// The tokens of the turn and of the session, or why there are none.
fn tokens_ui(ui: &mut Ui, cx: &UiCx<'_>, session: &Session) {
    let i18n = cx.i18n;
    let usage = session.usage();
    let columns = Columns {
        turn: usage.turn_tokens(),
        session: usage.session_tokens(),
    };
    if columns.is_empty() {
        heading_ui(ui, cx.theme, i18n.tr("status.usage.tokens"));
        let words = if tells_anything(usage) || session.last_end().is_some() {
            let args = [("agent", names::agent(cx, session).into())];
            i18n.tr_args("status.usage.not_reported", &args)
        } else {
            i18n.tr("status.usage.no_turn").to_owned()
        };
        paragraph_ui(ui, cx, &words);
        return;
    }
    let table = Table::of(ui, cx.theme);
    let turn = if session.is_busy() {
        "status.usage.turn"
    } else {
        "status.usage.last_turn"
    };
    let names = [i18n.tr(turn), i18n.tr("status.usage.session")];
    table.heading_ui(ui, i18n.tr("status.usage.tokens"), names);
    for (name, count) in kinds(i18n) {
        let numbers = columns.map(|counts| format::exact(count(counts)));
        table.row_ui(ui, name, &numbers);
    }
    let total = columns.map(|counts| format::exact(counts.total()));
    table.row_ui(ui, i18n.tr("status.usage.total"), &total);
}

/// The same for each model, with its cost.
fn models_ui(ui: &mut Ui, cx: &UiCx<'_>, session: &Session) {
    let i18n = cx.i18n;
    let usage = session.usage();
    let mut models: Vec<&str> = usage
        .session_models()
        .chain(usage.turn_models())
        .map(|row| row.model.as_str())
        .collect();
    models.sort_unstable();
    models.dedup();
    let row_of = |rows: Vec<&ModelUsage>, model: &str| {
        let mut rows = rows.into_iter();
        rows.find(|row| row.model == model).cloned()
    };
    for model in models {
        let columns = Columns {
            turn: row_of(usage.turn_models().collect(), model),
            session: row_of(usage.session_models().collect(), model),
        };
        separator_ui(ui, cx.theme);
        heading_ui(ui, cx.theme, &one_line(model));
        let table = Table::of(ui, cx.theme);
        for (name, count) in kinds(i18n) {
            let numbers = columns.map_ref(|row| format::exact(count(row.counts)));
            table.row_ui(ui, name, &numbers);
        }
        let costs = columns.map_ref(|row| row.cost_usd.map(|amount| format!("{amount:.4}")));
        if costs.iter().flatten().any(Option::is_some) {
            let name = i18n.tr_args("status.usage.cost_in", &[("currency", "USD".into())]);
            table.row_ui(ui, &name, &costs.map(Option::flatten));
        }
    }
}

/// The session's cost, each currency for itself.
fn costs_ui(ui: &mut Ui, cx: &UiCx<'_>, session: &Session) {
    let costs = session.usage().costs();
    if costs.is_empty() {
        return;
    }
    separator_ui(ui, cx.theme);
    heading_ui(ui, cx.theme, cx.i18n.tr("status.usage.cost"));
    let table = Table::of(ui, cx.theme);
    for (currency, amount) in costs {
        // The exact amount: what the button shows is rounded.
        let numbers = [Some(format!("{amount:.4}"))];
        table.row_ui(ui, &one_line(currency), &numbers);
    }
    paragraph_ui(ui, cx, cx.i18n.tr("status.cost.tooltip"));
}

/// A kind of tokens: its name, and how many of them there are.
type Kind<'a> = (&'a str, fn(TokenCounts) -> u64);

fn kinds(i18n: &I18n) -> [Kind<'_>; 4] {
    [
        (i18n.tr("status.usage.input"), |counts| counts.input),
        (i18n.tr("status.usage.output"), |counts| counts.output),
        (i18n.tr("status.usage.cache_read"), |counts| {
            counts.cache_read
        }),
        (i18n.tr("status.usage.cache_write"), |counts| {
            counts.cache_write
        }),
    ]
}

/// Whether the agent has said anything of what was used.
fn tells_anything(usage: &Usage) -> bool {
    usage.session_models().next().is_some() || !usage.costs().is_empty()
}

fn paragraph_ui(ui: &mut Ui, cx: &UiCx<'_>, words: &str) {
    let theme = cx.theme;
    egui::Frame::NONE
        .inner_margin(egui::Margin::symmetric(8, 1))
        .show(ui, |ui| {
            text::paragraph_ui(ui, words, theme.meta(), theme.secondary);
        });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;

    fn share(used: u64, percent: u8, uncertain: bool) -> Meter {
        Meter::Share {
            used,
            window: 200_000,
            percent,
            uncertain,
        }
    }

    #[test]
    fn each_state_of_the_meter_has_its_words() {
        let i18n = I18n::new(Language::English);
        let cases = [
            (
                Meter::Hidden,
                "The agent has not reported its context window",
            ),
            (
                Meter::Compacted,
                "The conversation was summarized; the agent has not said yet how full the context is",
            ),
            (
                Meter::UsedOnly { used: 12_000 },
                "12,000 tokens in the context; the agent has not said how many fit",
            ),
            (
                share(12_000, 6, false),
                "Context window: 12,000 of 200,000 tokens used",
            ),
            (
                share(160_000, 80, false),
                "Context window nearly full: 160,000 of 200,000 tokens used",
            ),
            (
                share(12_000, 6, true),
                "Context window: 12,000 of 200,000 tokens used\n\
                 The agent reports different sizes of the window, so the share is uncertain",
            ),
            (
                share(195_000, 97, true),
                "Context window nearly full: 195,000 of 200,000 tokens used\n\
                 The agent reports different sizes of the window, so the share is uncertain",
            ),
            (
                Meter::Over {
                    used: 689_000,
                    window: 200_000,
                },
                "More than the context window holds: 689,000 of 200,000 tokens",
            ),
        ];
        for (meter, expected) in cases {
            assert_eq!(context_words(&i18n, meter).join("\n"), expected);
        }
    }
}
