//! What Claude Code says about tokens: readings of the context with each message, bills with each result.

use serde_json::Value;

use super::{ClaudeBridge, some_text, text};
use crate::core::event::SessionEvent;
use crate::core::time::Timestamp;
use crate::core::usage::{
    Cost, CostSpan, ModelUsage, Quota, TokenCounts, TokenReport, TokenSpan, UsageReport,
};

/// The context as a message of the main conversation shows it: the sum of its four counts.
/// Zero counts are those of the program's own answers, and no reading.
pub(super) fn reading(message: &Value) -> Option<UsageReport> {
    context(snake(message.get("usage")?))
}

/// The counts with which a message begins. What it will have written is not among them yet.
pub(super) fn counts_at_start(message: &Value) -> TokenCounts {
    message.get("usage").map(snake).unwrap_or_default()
}

/// The context after a message, whose end tells the counts that have changed since its start.
pub(super) fn reading_at_end(start: TokenCounts, end: &Value) -> Option<UsageReport> {
    let end = snake(end.get("usage")?);
    let later = |end: u64, start: u64| if end > 0 { end } else { start };
    context(TokenCounts {
        input: later(end.input, start.input),
        output: later(end.output, start.output),
        cache_read: later(end.cache_read, start.cache_read),
        cache_write: later(end.cache_write, start.cache_write),
    })
}

fn context(counts: TokenCounts) -> Option<UsageReport> {
    let used = counts.total();
    (used > 0).then(|| UsageReport {
        context_used: Some(used),
        ..UsageReport::default()
    })
}

/// The bill of a turn. `modelUsage` counts for the whole process, subagents included: it is no reading.
pub(super) fn bill(result: &Value) -> UsageReport {
    let usage = result.get("usage").cloned().unwrap_or_default();
    let last_round = usage
        .get("iterations")
        .and_then(Value::as_array)
        .and_then(|rounds| rounds.last())
        .map(snake);
    let cost = result.get("total_cost_usd").and_then(Value::as_f64);
    let rows = result.get("modelUsage").and_then(Value::as_object);
    let models = rows
        .into_iter()
        .flatten()
        .map(|(model, row)| model_row(model, row))
        .collect();
    UsageReport {
        context_used: last_round.map(TokenCounts::total),
        tokens: Some(TokenReport {
            counts: snake(&usage),
            span: TokenSpan::Round,
        }),
        models,
        models_span: Some(TokenSpan::Session),
        cost: cost.map(|amount| Cost {
            amount,
            currency: "USD".to_owned(),
            span: CostSpan::Process,
        }),
        ..UsageReport::default()
    }
}

fn snake(usage: &Value) -> TokenCounts {
    let count = |key: &str| usage.get(key).and_then(Value::as_u64).unwrap_or_default();
    TokenCounts {
        input: count("input_tokens"),
        output: count("output_tokens"),
        cache_read: count("cache_read_input_tokens"),
        cache_write: count("cache_creation_input_tokens"),
    }
}

fn model_row(model: &str, row: &Value) -> ModelUsage {
    let count = |key: &str| row.get(key).and_then(Value::as_u64).unwrap_or_default();
    ModelUsage {
        model: model.to_owned(),
        canonical: some_text(row, "canonicalModel"),
        counts: TokenCounts {
            input: count("inputTokens"),
            output: count("outputTokens"),
            cache_read: count("cacheReadInputTokens"),
            cache_write: count("cacheCreationInputTokens"),
        },
        cost_usd: row.get("costUSD").and_then(Value::as_f64),
        window: Some(count("contextWindow")).filter(|window| *window > 0),
    }
}

impl ClaudeBridge {
    /// How full the account's quota is. Spellings differ between versions, so each is optional.
    pub(super) fn rate_limit(&mut self, frame: &Value) {
        let info = frame
            .get("rate_limit_info")
            .or_else(|| frame.get("rateLimitInfo"))
            .unwrap_or(frame);
        let number = |keys: [&str; 2]| keys.iter().find_map(|key| info.get(*key)?.as_f64());
        let name = ["rateLimitType", "rate_limit_type"]
            .iter()
            .find_map(|key| some_text(info, key));
        let used = number(["utilization", "used_percent"]);
        let (Some(name), Some(used)) = (name, used) else {
            return;
        };
        let resets_at = number(["resetsAt", "resets_at"]).map(unix_millis);
        let used_percent = if used <= 1.0 && text(info, "unit") != "percent" {
            used * 100.0
        } else {
            used
        };
        let quotas = vec![Quota {
            name,
            used_percent,
            resets_at,
        }];
        self.session_event(SessionEvent::UsageReported(UsageReport {
            quotas,
            ..UsageReport::default()
        }));
    }
}

/// Seconds or milliseconds since the epoch, told apart by their size.
fn unix_millis(number: f64) -> Timestamp {
    let millis = if number < 1e11 {
        number * 1000.0
    } else {
        number
    };
    Timestamp(millis.max(0.0) as u64)
}
