//! Usage: what frames say of context window, tokens and cost, in the places that agents have for it.
//!
//! A reading of the context and the tokens billed are two things: one agent sends one, another both, and one
//! is never made from the other but in a round of a single model call.

#[cfg(test)]
mod tests;

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

/// The protocol's own form of usage. Agents differ in whether `inputTokens` holds the cached ones, and
/// `outputTokens` the thoughts: their total tells.
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
    } else if usage.number("totalTokens") == Some(counts.total().saturating_add(thought)) {
        counts.output = counts.output.saturating_add(thought);
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
