//! Sequences of reports and what is shown of them.

use super::*;

const NOW: Timestamp = Timestamp(1);

fn reading(used: u64, window: u64) -> UsageReport {
    UsageReport {
        context_used: Some(used),
        context_window: Some(window),
        ..UsageReport::default()
    }
}

fn share(used: u64, window: u64, percent: u8) -> Meter {
    Meter::Share {
        used,
        window,
        percent,
        uncertain: false,
    }
}

/// Case O-10, one reading a turn.
#[test]
fn a_meter_that_is_lied_to() {
    let steps = [
        ((12_000, 200_000), share(12_000, 200_000, 6)),
        (
            (689_000, 200_000),
            Meter::Over {
                used: 689_000,
                window: 200_000,
            },
        ),
        ((689_000, 1_000_000), share(689_000, 1_000_000, 68)),
        ((0, 1_000_000), Meter::Hidden),
        ((5, 0), share(5, 1_000_000, 0)),
        (
            (u64::MAX, 1),
            Meter::Over {
                used: u64::MAX,
                window: 1,
            },
        ),
    ];
    let mut usage = Usage::default();
    for ((used, window), expected) in steps {
        usage.begin_turn();
        usage.apply(reading(used, window), None, NOW);
        usage.end_turn();
        assert_eq!(usage.meter(), expected, "{used}/{window}");
    }
}

#[test]
fn a_window_that_jumps_within_a_turn_does_not_flicker() {
    let mut usage = Usage::default();
    usage.begin_turn();
    usage.apply(reading(30_000, 200_000), None, NOW);
    usage.end_turn();
    usage.begin_turn();
    let mut shown = Vec::new();
    for _ in 0..10 {
        usage.apply(reading(30_000, 1_000_000), None, NOW);
        usage.apply(reading(30_000, 200_000), None, NOW);
        shown.push(usage.meter());
    }
    let uncertain = Meter::Share {
        used: 30_000,
        window: 200_000,
        percent: 15,
        uncertain: true,
    };
    assert_eq!(shown, vec![uncertain; 10]);
}

#[test]
fn nothing_reported_is_no_meter() {
    assert_eq!(Usage::default().meter(), Meter::Hidden);
    let mut usage = Usage::default();
    usage.apply(
        UsageReport {
            context_window: Some(200_000),
            ..UsageReport::default()
        },
        None,
        NOW,
    );
    assert_eq!(usage.meter(), Meter::Hidden);
}

#[test]
fn a_bill_never_moves_the_meter() {
    let mut usage = Usage::default();
    usage.apply(reading(1_000, 10_000), None, NOW);
    let counts = TokenCounts {
        input: 9_000,
        output: 900,
        ..TokenCounts::default()
    };
    let bill = UsageReport {
        tokens: Some(TokenReport {
            counts,
            span: TokenSpan::Turn,
        }),
        ..UsageReport::default()
    };
    usage.apply(bill, None, NOW);
    assert_eq!(usage.meter(), share(1_000, 10_000, 10));
}

#[test]
fn after_a_compaction_the_meter_waits_for_a_reading_it_can_trust() {
    let mut usage = Usage::default();
    usage.apply(reading(90_000, 100_000), None, NOW);
    usage.compacted(CompactionTrigger::Automatic);
    assert_eq!(usage.meter(), Meter::Compacted);
    usage.apply(reading(20_000, 100_000), None, NOW);
    assert_eq!(usage.meter(), share(20_000, 100_000, 20));

    usage.compacted(CompactionTrigger::Manual);
    usage.apply(reading(88_000, 100_000), None, NOW);
    assert_eq!(
        usage.meter(),
        Meter::Compacted,
        "the reading is of the summarizing call"
    );
    usage.end_turn();
    assert_eq!(usage.meter(), Meter::Compacted);
    usage.begin_turn();
    usage.apply(reading(12_000, 100_000), None, NOW);
    assert_eq!(usage.meter(), share(12_000, 100_000, 12));
}

#[test]
fn the_window_follows_the_model() {
    let mut usage = Usage::default();
    usage.apply(reading(100, 1_000), None, NOW);
    usage.model_changed(Some(2_000));
    assert_eq!(usage.meter(), share(100, 2_000, 5));
    usage.apply(
        UsageReport {
            context_window: Some(4_000),
            ..UsageReport::default()
        },
        None,
        NOW,
    );
    assert_eq!(usage.meter(), share(100, 4_000, 2));
}

#[test]
fn the_row_of_the_current_model_tells_the_window() {
    let row = |model: &str, canonical: Option<&str>, window| ModelUsage {
        model: model.to_owned(),
        canonical: canonical.map(str::to_owned),
        window: Some(window),
        ..ModelUsage::default()
    };
    let rows = [
        row("haiku", None, 200),
        row("opus[1m]", Some("opus"), 1_000),
        row("big", None, 5_000),
    ];
    let cases = [
        (Some("haiku"), Some(200)),
        (Some("opus[1m]"), Some(1_000)),
        (Some("opus"), Some(1_000)),
        (Some("unheard-of"), Some(5_000)),
        (None, Some(5_000)),
    ];
    for (model, expected) in cases {
        assert_eq!(meter::window_of(&rows, model), expected, "{model:?}");
    }
    assert_eq!(meter::window_of(&[], Some("haiku")), None);
}

#[test]
fn rounds_add_up_turns_replace_and_a_new_turn_starts_at_zero() {
    let report = |input, output, span| UsageReport {
        tokens: Some(TokenReport {
            counts: TokenCounts {
                input,
                output,
                ..TokenCounts::default()
            },
            span,
        }),
        ..UsageReport::default()
    };
    let mut usage = Usage::default();
    usage.begin_turn();
    usage.apply(report(100, 10, TokenSpan::Round), None, NOW);
    usage.apply(report(200, 20, TokenSpan::Round), None, NOW);
    assert_eq!(
        usage.turn_tokens().map(|turn| (turn.input, turn.output)),
        Some((300, 30))
    );
    usage.begin_turn();
    usage.apply(report(5, 1, TokenSpan::Turn), None, NOW);
    assert_eq!(
        usage.turn_tokens().map(|turn| (turn.input, turn.output)),
        Some((5, 1))
    );
    assert_eq!(
        usage.session_tokens().map(|sum| (sum.input, sum.output)),
        Some((305, 31))
    );
    usage.apply(report(900, 90, TokenSpan::Session), None, NOW);
    assert_eq!(
        usage.session_tokens().map(|sum| (sum.input, sum.output)),
        Some((900, 90))
    );
}

#[test]
fn currencies_are_never_added_to_each_other() {
    let cost = |amount, currency: &str, span| UsageReport {
        cost: Some(Cost {
            amount,
            currency: currency.to_owned(),
            span,
        }),
        ..UsageReport::default()
    };
    let mut usage = Usage::default();
    let steps = [
        (0.12, "USD", CostSpan::Session),
        (9.5, "EUR", CostSpan::Session),
        (-1.0, "USD", CostSpan::Session),
        (f64::NAN, "USD", CostSpan::Session),
    ];
    for (amount, currency, span) in steps {
        usage.apply(cost(amount, currency, span), None, NOW);
    }
    assert_eq!(
        usage
            .costs()
            .iter()
            .map(|(code, sum)| (code.as_str(), *sum))
            .collect::<Vec<_>>(),
        [("EUR", 9.5), ("USD", 0.12)]
    );

    usage.process_changed();
    usage.apply(cost(0.5, "USD", CostSpan::Process), None, NOW);
    assert_eq!(usage.costs().get("USD"), Some(&0.62));
    usage.apply(cost(0.25, "USD", CostSpan::Turn), None, NOW);
    assert_eq!(usage.costs().get("USD"), Some(&0.87));
}

#[test]
fn a_quota_past_ninety_percent_is_told_once() {
    let report = |used_percent| UsageReport {
        quotas: vec![Quota {
            name: "five_hour".to_owned(),
            used_percent,
            resets_at: None,
        }],
        ..UsageReport::default()
    };
    let mut usage = Usage::default();
    usage.apply(report(89.0), None, NOW);
    assert_eq!(usage.quota_to_tell(), None);
    usage.apply(report(91.0), None, NOW);
    assert_eq!(
        usage.quota_to_tell().map(|quota| quota.name),
        Some("five_hour".to_owned())
    );
    usage.apply(report(95.0), None, NOW);
    assert_eq!(usage.quota_to_tell(), None);
}

#[test]
fn amber_from_eighty_and_red_from_ninety_five_percent() {
    let tones: Vec<_> = [79, 80, 94, 95]
        .map(|percent| share(percent, 100, percent as u8).tone())
        .to_vec();
    assert_eq!(
        tones,
        [
            MeterTone::Calm,
            MeterTone::Caution,
            MeterTone::Caution,
            MeterTone::Full
        ]
    );
}
