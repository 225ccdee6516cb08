//! What agents write about usage and what is made of it.

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

fn update(memory: &mut UsageMemory, word: &str, wire: &Value, meta: &Value) -> Option<UsageReport> {
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
            Some(turn(tokens(3097, 44, 256, 0))),
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

    let background =
        json!({"_meta": {"usage": {"inputTokens": 5, "outputTokens": 1}, "backgroundTurn": {}}});
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
    let partial =
        json!({"_meta": {"usage": {"inputTokens": 1, "costUsdTicks": 5, "costIsPartial": true}}});
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
