//! Usage: what frames say of context window, tokens and cost, in the places that agents have for it.
//!
//! A reading of the context and the tokens billed are two things: one agent sends one, another both, and one
//! is never made from the other but in a round of a single model call.

use crate::bridge::json::Object;
use crate::core::usage::{
    Cost, CostSpan, ModelUsage, TokenCounts, TokenReport, TokenSpan, UsageReport,
};

/// Grok's unit of money: so many make a dollar.
const TICKS_PER_USD: f64 = 1e10;

/// What was reported of a session, so that the same is not reported again with every chunk.
#[derive(Debug, Default)]
pub(super) struct UsageMemory {
    last_reading: Option<u64>,
    status_line: Option<String>,
}

impl UsageMemory {
    /// What a session update says. `meta` is that of the whole notification; while a session is loaded,
    /// `replayed` updates bill nothing.
    pub(super) fn of_update(
        &mut self,
        word: &str,
        update: &Object<'_>,
        meta: Option<&Object<'_>>,
        replayed: bool,
    ) -> Option<UsageReport> {
        let mut report = UsageReport::default();
        if word == "usage_update" {
            self.stated(update, &mut report);
        } else if word == "agent_message_chunk" {
            self.round(update, replayed, &mut report);
        }
        if let Some(meta) = meta {
            self.notes(meta, &mut report);
        }
        (report != UsageReport::default()).then_some(report)
    }

    /// What the answer to a prompt says. `span` is what its `usage` covers.
    pub(super) fn of_answer(
        &mut self,
        answer: &Object<'_>,
        span: TokenSpan,
    ) -> Option<UsageReport> {
        let mut report = UsageReport::default();
        let meta = answer.object("_meta").unwrap_or_default();
        let counts = answer.object("usage").as_ref().and_then(counts);
        let (counts, span) = match counts {
            Some(counts) => (Some(counts), span),
            None => (counts_in_meta(&meta), TokenSpan::Turn),
        };
        report.tokens = counts.map(|counts| TokenReport { counts, span });
        report.models = models(&meta);
        report.models_span = (!report.models.is_empty()).then_some(TokenSpan::Turn);
        report.cost = meta
            .object("usage")
            .as_ref()
            .and_then(usd)
            .map(|amount| Cost {
                amount,
                currency: "USD".to_owned(),
                span: CostSpan::Turn,
            });
        self.notes(&meta, &mut report);
        (report != UsageReport::default()).then_some(report)
    }

    /// `usage_update`: each part stands alone.
    fn stated(&mut self, update: &Object<'_>, report: &mut UsageReport) {
        report.context_used = update.number("used");
        self.last_reading = report.context_used.or(self.last_reading);
        report.context_window = update.number("size").filter(|size| *size > 0);
        report.cost = update.object("cost").and_then(|cost| {
            Some(Cost {
                amount: cost.float("amount").filter(|amount| *amount >= 0.0)?,
                currency: cost.text("currency")?.to_uppercase(),
                span: CostSpan::Session,
            })
        });
    }

    /// Qwen's `_meta.usage` on an empty chunk after each model call: what was billed, and what the context
    /// holds now. A background turn has a context of its own.
    fn round(&mut self, update: &Object<'_>, replayed: bool, report: &mut UsageReport) {
        let Some(meta) = update.object("_meta") else {
            return;
        };
        let Some(usage) = meta.object("usage") else {
            return;
        };
        let Some(counts) = counts(&usage) else {
            return;
        };
        if !replayed {
            let span = TokenSpan::Round;
            report.tokens = Some(TokenReport { counts, span });
        }
        if !meta.has("backgroundTurn") {
            report.context_used = self.new_reading(counts.total());
        }
    }

    /// Grok's reading of the context and fast-agent's words on usage.
    fn notes(&mut self, meta: &Object<'_>, report: &mut UsageReport) {
        if let Some(total) = meta.number("totalTokens") {
            report.context_used = self.new_reading(total).or(report.context_used);
        }
        let line = meta
            .object("field_meta")
            .and_then(|fields| fields.object("openhands.dev/metrics"))
            .and_then(|metrics| metrics.text("status_line"));
        if line.is_some() && line != self.status_line {
            self.status_line.clone_from(&line);
            report.status_line = line;
        }
    }

    /// A reading that is news. 0 stands for "nothing asked yet".
    fn new_reading(&mut self, total: u64) -> Option<u64> {
        let is_new = total > 0 && self.last_reading != Some(total);
        is_new.then(|| {
            self.last_reading = Some(total);
            total
        })
    }
}

/// Grok's cost of a prompt or of one model in it. Where the agent marks it as incomplete there is none.
fn usd(bill: &Object<'_>) -> Option<f64> {
    let ticks = bill.float("costUsdTicks").filter(|ticks| *ticks > 0.0)?;
    let in_part = ["costIsPartial", "usageIsIncomplete"]
        .into_iter()
        .any(|mark| bill.flag(mark) == Some(true));
    (!in_part).then_some(ticks / TICKS_PER_USD)
}

/// The bill by model: Grok's `usage.modelUsage`, else the quota's `model_usage`.
fn models(meta: &Object<'_>) -> Vec<ModelUsage> {
    if let Some(rows) = meta
        .object("usage")
        .and_then(|bill| bill.object("modelUsage"))
    {
        let row = |(model, bill)| {
            let bill = Object::of(bill)?;
            Some(ModelUsage {
                model: str::to_owned(model),
                counts: bill_counts(&bill)?,
                cost_usd: usd(&bill),
                ..ModelUsage::default()
            })
        };
        return rows.members().filter_map(row).collect();
    }
    let quota = meta.object("quota").unwrap_or_default();
    let row = |row: &Object<'_>| {
        Some(ModelUsage {
            model: row.text("model")?,
            counts: quota_counts(&row.object("token_count")?)?,
            ..ModelUsage::default()
        })
    };
    let rows = quota.objects("model_usage").unwrap_or_default();
    rows.iter().filter_map(row).collect()
}

/// The protocol's own form of usage. Agents differ in whether `inputTokens` holds the cached ones: their total
/// tells.
fn counts(usage: &Object<'_>) -> Option<TokenCounts> {
    let input = usage.number("inputTokens");
    let output = usage.number("outputTokens");
    if input.is_none() && output.is_none() {
        return None;
    }
    let mut counts = TokenCounts {
        input: input.unwrap_or_default(),
        output: output.unwrap_or_default(),
        cache_read: usage.number("cachedReadTokens").unwrap_or_default(),
        cache_write: usage.number("cachedWriteTokens").unwrap_or_default(),
    };
    let thought = usage.number("thoughtTokens").unwrap_or_default();
    let without_cached = [counts.output, thought]
        .into_iter()
        .fold(counts.input, u64::saturating_add);
    if usage
        .number("totalTokens")
        .is_some_and(|total| total > 0 && total <= without_cached)
    {
        counts.input = without(counts.input, counts);
    }
    Some(counts)
}

/// The forms of other agents, the fullest first: Grok's bill, Grok's last call, the quota of Gemini and others.
fn counts_in_meta(meta: &Object<'_>) -> Option<TokenCounts> {
    if let Some(bill) = meta.object("usage") {
        return bill_counts(&bill);
    }
    if let Some(input) = meta.number("inputTokens") {
        return Some(TokenCounts {
            input,
            output: meta.number("outputTokens").unwrap_or_default(),
            cache_read: meta.number("cachedReadTokens").unwrap_or_default(),
            cache_write: 0,
        });
    }
    quota_counts(&meta.object("quota")?.object("token_count")?)
}

fn bill_counts(bill: &Object<'_>) -> Option<TokenCounts> {
    let mut counts = TokenCounts {
        input: bill.number("inputTokens")?,
        output: bill.number("outputTokens").unwrap_or_default(),
        cache_read: bill.number("cachedReadTokens").unwrap_or_default(),
        cache_write: bill.number("cacheCreationTokens").unwrap_or_default(),
    };
    counts.input = without(counts.input, counts);
    Some(counts)
}

/// Gemini writes it in snake case, others in camel case.
fn quota_counts(quota: &Object<'_>) -> Option<TokenCounts> {
    let either = |snake: &str, camel: &str| quota.number(snake).or_else(|| quota.number(camel));
    Some(TokenCounts {
        input: either("input_tokens", "inputTokens")?,
        output: either("output_tokens", "outputTokens").unwrap_or_default(),
        cache_read: either("cached_input_tokens", "cachedInputTokens").unwrap_or_default(),
        cache_write: either("cached_write_tokens", "cachedWriteTokens").unwrap_or_default(),
    })
}

fn without(input: u64, cached: TokenCounts) -> u64 {
    input
        .saturating_sub(cached.cache_read)
        .saturating_sub(cached.cache_write)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn tokens(input: u64, output: u64, cache_read: u64, cache_write: u64) -> TokenCounts {
        TokenCounts {
            input,
            output,
            cache_read,
            cache_write,
        }
    }

    fn turn(counts: TokenCounts) -> UsageReport {
        UsageReport {
            tokens: Some(TokenReport {
                counts,
                span: TokenSpan::Turn,
            }),
            ..UsageReport::default()
        }
    }

    fn answer(memory: &mut UsageMemory, wire: &Value) -> Option<UsageReport> {
        let wire = wire.to_string();
        memory.of_answer(&Object::parse(&wire).unwrap(), TokenSpan::Turn)
    }

    fn update(
        memory: &mut UsageMemory,
        word: &str,
        wire: &Value,
        meta: &Value,
    ) -> Option<UsageReport> {
        let (wire, meta) = (wire.to_string(), meta.to_string());
        let meta = Object::parse(&meta);
        memory.of_update(word, &Object::parse(&wire).unwrap(), meta.as_ref(), false)
    }

    fn context(used: Option<u64>, window: Option<u64>) -> UsageReport {
        UsageReport {
            context_used: used,
            context_window: window,
            ..UsageReport::default()
        }
    }

    fn cost(amount: f64, currency: &str) -> UsageReport {
        UsageReport {
            cost: Some(Cost {
                amount,
                currency: currency.to_owned(),
                span: CostSpan::Session,
            }),
            ..UsageReport::default()
        }
    }

    #[test]
    fn answers_to_prompts() {
        let cases = [
            (json!({"stopReason": "end_turn"}), None),
            (json!({"usage": null, "_meta": {}}), None),
            (json!({"usage": {}}), None),
            (
                json!({"usage": {"inputTokens": 1200, "outputTokens": 300, "cachedReadTokens": 50000, "cachedWriteTokens": 7, "thoughtTokens": 100, "totalTokens": 53000}}),
                Some(turn(tokens(1200, 300, 50_000, 7))),
            ),
            // Codex and Claude repeat it in `_meta.quota`.
            (
                json!({
                    "usage": {"totalTokens": 11388, "inputTokens": 5663, "cachedReadTokens": 5662, "cachedWriteTokens": 0, "outputTokens": 63, "thoughtTokens": 0},
                    "_meta": {"quota": {"token_count": {"inputTokens": 1}}},
                }),
                Some(turn(tokens(5663, 63, 5662, 0))),
            ),
            // OpenCode leaves the cached tokens out and counts thoughts apart.
            (
                json!({"usage": {"inputTokens": 3097, "outputTokens": 32, "totalTokens": 3397, "thoughtTokens": 12, "cachedReadTokens": 256}}),
                Some(turn(tokens(3097, 32, 256, 0))),
            ),
            // Vibe counts the cached tokens with the others.
            (
                json!({"usage": {"totalTokens": 5750, "inputTokens": 5706, "outputTokens": 44, "cachedReadTokens": 256}}),
                Some(turn(tokens(5450, 44, 256, 0))),
            ),
            (
                json!({"_meta": {"quota": {"token_count": {"input_tokens": 800, "output_tokens": 90}, "model_usage": []}}}),
                Some(turn(tokens(800, 90, 0, 0))),
            ),
            (
                json!({"_meta": {"quota": {"token_count": {"inputTokens": 4000, "cachedInputTokens": 3500, "outputTokens": 321}}}}),
                Some(turn(tokens(4000, 321, 3500, 0))),
            ),
            (
                json!({"_meta": {"usage": {"inputTokens": 10, "outputTokens": 1, "cachedReadTokens": 30}}}),
                Some(turn(tokens(0, 1, 30, 0))),
            ),
        ];
        for (wire, expected) in cases {
            assert_eq!(
                answer(&mut UsageMemory::default(), &wire),
                expected,
                "{wire}"
            );
        }
    }

    #[test]
    fn updates() {
        let cases = [
            (
                json!({"used": 53000, "size": 200_000}),
                Some(context(Some(53_000), Some(200_000))),
            ),
            (json!({"used": 0, "size": 0}), Some(context(Some(0), None))),
            (json!({"used": -5, "size": "x"}), None),
            (json!({"size": 7.0}), Some(context(None, Some(7)))),
            (
                json!({"used": u64::MAX, "size": 1}),
                Some(context(Some(u64::MAX), Some(1))),
            ),
            (
                json!({"cost": {"amount": 0.12, "currency": "usd"}}),
                Some(cost(0.12, "USD")),
            ),
            (
                json!({"cost": {"amount": 9, "currency": "EUR"}}),
                Some(cost(9.0, "EUR")),
            ),
            (json!({"cost": {"amount": -1, "currency": "USD"}}), None),
            (json!({"cost": {"amount": 1}}), None),
        ];
        for (wire, expected) in cases {
            let found = update(
                &mut UsageMemory::default(),
                "usage_update",
                &wire,
                &Value::Null,
            );
            assert_eq!(found, expected, "{wire}");
        }
    }

    #[test]
    fn qwen_reports_each_round() {
        let wire = json!({"_meta": {"usage": {"inputTokens": 10616, "outputTokens": 31, "totalTokens": 10647, "thoughtTokens": 12, "cachedReadTokens": 256}}});
        let expected = UsageReport {
            context_used: Some(10_647),
            tokens: Some(TokenReport {
                counts: tokens(10_360, 31, 256, 0),
                span: TokenSpan::Round,
            }),
            ..UsageReport::default()
        };
        let mut memory = UsageMemory::default();
        let found = update(&mut memory, "agent_message_chunk", &wire, &Value::Null);
        assert_eq!(found, Some(expected));

        let text = wire.to_string();
        let mut memory = UsageMemory::default();
        let replayed = memory.of_update(
            "agent_message_chunk",
            &Object::parse(&text).unwrap(),
            None,
            true,
        );
        assert_eq!(replayed, Some(context(Some(10_647), None)));

        let background = json!({"_meta": {"usage": {"inputTokens": 5, "outputTokens": 1}, "backgroundTurn": {}}});
        let found = update(
            &mut memory,
            "agent_message_chunk",
            &background,
            &Value::Null,
        )
        .unwrap();
        assert_eq!(found.context_used, None);
    }

    #[test]
    fn grok_reads_the_context_and_bills_the_prompt() {
        let mut memory = UsageMemory::default();
        let mut chunk = |total: u64| {
            update(
                &mut memory,
                "agent_message_chunk",
                &json!({}),
                &json!({"totalTokens": total}),
            )
        };
        assert_eq!(chunk(41_000), Some(context(Some(41_000), None)));
        assert_eq!(chunk(41_000), None);
        assert_eq!(chunk(0), None);
        assert_eq!(chunk(41_250), Some(context(Some(41_250), None)));
        let bill = json!({"stopReason": "end_turn", "_meta": {"totalTokens": 41300, "inputTokens": 9, "usage": {
            "inputTokens": 80000, "outputTokens": 600, "cachedReadTokens": 70000, "costUsdTicks": 1_200_000_000}}});
        let expected = UsageReport {
            context_used: Some(41_300),
            cost: Some(Cost {
                amount: 0.12,
                currency: "USD".to_owned(),
                span: CostSpan::Turn,
            }),
            ..turn(tokens(10_000, 600, 70_000, 0))
        };
        assert_eq!(answer(&mut memory, &bill), Some(expected));
        let cancelled = json!({"_meta": {"totalTokens": 0, "inputTokens": 4000, "outputTokens": 50, "cachedReadTokens": 3000}});
        assert_eq!(
            answer(&mut memory, &cancelled),
            Some(turn(tokens(4000, 50, 3000, 0)))
        );
        let partial = json!({"_meta": {"usage": {"inputTokens": 1, "costUsdTicks": 5, "costIsPartial": true}}});
        assert_eq!(
            answer(&mut memory, &partial),
            Some(turn(tokens(1, 0, 0, 0)))
        );
    }

    #[test]
    fn bills_by_model() {
        let row = |model: &str, counts: TokenCounts, cost_usd: Option<f64>| ModelUsage {
            model: model.to_owned(),
            counts,
            cost_usd,
            ..ModelUsage::default()
        };
        let cases = [
            (
                json!({"quota": {"token_count": {"input_tokens": 800, "output_tokens": 90}, "model_usage": [
                    {"model": "pro", "token_count": {"input_tokens": 700, "output_tokens": 80}},
                    {"token_count": {"input_tokens": 1}},
                    {"model": "flash", "token_count": {"input_tokens": 100, "output_tokens": 10}},
                ]}}),
                vec![
                    row("pro", tokens(700, 80, 0, 0), None),
                    row("flash", tokens(100, 10, 0, 0), None),
                ],
            ),
            (
                json!({"usage": {"inputTokens": 9, "modelUsage": {
                    "grok-4.6": {"inputTokens": 5640, "outputTokens": 130, "cachedReadTokens": 3072, "costUsdTicks": 20_000_000_000_u64},
                    "odd": 7,
                }}}),
                vec![row("grok-4.6", tokens(2568, 130, 3072, 0), Some(2.0))],
            ),
        ];
        for (meta, expected) in cases {
            let report = answer(&mut UsageMemory::default(), &json!({"_meta": meta})).unwrap();
            assert_eq!(report.models, expected, "{meta}");
            assert_eq!(report.models_span, Some(TokenSpan::Turn));
        }
    }

    #[test]
    fn a_status_line_is_told_once() {
        let meta =
            json!({"field_meta": {"openhands.dev/metrics": {"status_line": "1,088 in, 44 out"}}});
        let mut memory = UsageMemory::default();
        let found = update(&mut memory, "agent_message_chunk", &json!({}), &meta).unwrap();
        assert_eq!(found.status_line.as_deref(), Some("1,088 in, 44 out"));
        assert_eq!(answer(&mut memory, &json!({"_meta": meta})), None);
    }
}
