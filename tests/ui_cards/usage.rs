//! The usage popover: turn and session, models, currencies, quotas, and what is not known.

use agent_panel::core::event::SessionEvent;
use agent_panel::core::usage::{
    CompactionTrigger, Cost, CostSpan, ModelUsage, Quota, TokenCounts, TokenReport, TokenSpan,
    UsageReport,
};
use egui_kittest::kittest::Queryable as _;

use super::world::{World, window};
use super::{WIDE, click, shows};

fn counts(input: u64) -> TokenCounts {
    TokenCounts {
        input,
        output: 1,
        cache_read: 2,
        cache_write: 3,
    }
}

fn tokens(input: u64) -> UsageReport {
    UsageReport {
        tokens: Some(TokenReport {
            counts: counts(input),
            span: TokenSpan::Turn,
        }),
        ..UsageReport::default()
    }
}

fn model(model: &str, input: u64, cost_usd: Option<f64>) -> ModelUsage {
    ModelUsage {
        model: model.to_owned(),
        counts: counts(input),
        cost_usd,
        ..ModelUsage::default()
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

fn context(used: u64, size: u64) -> UsageReport {
    UsageReport {
        context_used: Some(used),
        context_window: Some(size),
        ..UsageReport::default()
    }
}

/// A session with two turns, two models, two currencies and two quotas.
pub(super) fn used() -> World {
    let mut world = World::default();
    let session = world.open("claude-code");
    let turn = |input, models: Vec<ModelUsage>| UsageReport {
        models,
        models_span: Some(TokenSpan::Turn),
        ..tokens(input)
    };
    let now = world.now;
    let quota = |name: &str, used_percent, resets_at| Quota {
        name: name.to_owned(),
        used_percent,
        resets_at,
    };
    let quotas = UsageReport {
        quotas: vec![
            quota("five_hour", 92.4, Some(now.plus_millis(7_560_000))),
            quota("seven_day", 31.0, None),
        ],
        ..UsageReport::default()
    };
    let reports = [
        turn(1_000, vec![model("large", 900, Some(0.25))]),
        context(164_000, 200_000),
        cost(0.5, "USD"),
        cost(3.0, "EUR"),
        quotas,
    ];
    world.prompt(session, "one");
    for report in reports {
        world.session_event(session, SessionEvent::UsageReported(report));
    }
    world.end_turn(session, 1);
    world.prompt(session, "two");
    let second = turn(20, vec![model("small", 15, None)]);
    world.session_event(session, SessionEvent::UsageReported(second));
    world
}

#[test]
fn turn_and_session_stand_side_by_side() {
    let mut world = used();
    world.now = world.now.plus_millis(12_000);
    let mut window = window(world, WIDE);
    click(&mut window, "Context 82 %");
    for label in [
        "Context window nearly full: 164,000 of 200,000 tokens used",
        "Input 20 1,020",
        "Output 1 2",
        "Read from cache 2 4",
        "Written to cache 3 6",
        "Together 26 1,032",
    ] {
        assert!(window.query_by_label(label).is_some(), "{label}");
    }
    assert!(shows(&window, "Reported by Claude Code 1"));
}

#[test]
fn each_model_has_its_own_numbers_and_an_unknown_one_is_a_dash() {
    let mut window = window(used(), WIDE);
    click(&mut window, "Context 82 %");
    for label in [
        "large",
        "Input – 900",
        "Cost in USD – 0.2500",
        "small",
        "Input 15 15",
    ] {
        assert!(window.query_by_label(label).is_some(), "{label}");
    }
}

#[test]
fn currencies_are_never_added() {
    let mut window = window(used(), WIDE);
    click(&mut window, "Context 82 %");
    for label in ["USD 0.5000", "EUR 3.0000"] {
        assert!(window.query_by_label(label).is_some(), "{label}");
    }
}

#[test]
fn quotas_say_how_full_they_are_and_when_they_start_anew() {
    let mut window = window(used(), WIDE);
    click(&mut window, "Context 82 %");
    assert!(shows(&window, "five hour 92 % · resets in 2 h 5 min"));
    assert!(window.query_by_label("seven day 31 %").is_some());
}

#[test]
fn what_is_said_in_words_only_is_shown_in_words() {
    let mut world = World::default();
    let session = world.open("codex");
    let report = UsageReport {
        status_line: Some("1.2k in, 300 out".to_owned()),
        ..UsageReport::default()
    };
    world.session_event(session, SessionEvent::UsageReported(report));
    let mut window = window(world, WIDE);
    let button = window.get_by_role_and_label(egui::accesskit::Role::Button, "Usage");
    button.click();
    window.run_ok();
    assert!(shows(&window, "1.2k in, 300 out"));
}

#[test]
fn a_summarized_conversation_is_neither_full_nor_empty() {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "go");
    world.session_event(
        session,
        SessionEvent::UsageReported(context(150_000, 200_000)),
    );
    let event = SessionEvent::Compacted {
        trigger: CompactionTrigger::Automatic,
        before: Some(150_000),
        after: None,
    };
    world.session_event(session, event);
    let mut window = window(world, WIDE);
    assert!(shows(&window, "Context compacted"));
    click(&mut window, "Context compacted");
    assert!(shows(&window, "has not said yet how full the context is"));
}

#[test]
fn a_window_that_jumps_makes_the_share_uncertain() {
    let mut world = World::default();
    let session = world.open("claude-code");
    world.prompt(session, "go");
    for _ in 0..3 {
        for size in [200_000, 1_000_000] {
            let report = SessionEvent::UsageReported(context(30_000, size));
            world.session_event(session, report);
        }
    }
    let mut window = window(world, WIDE);
    let label = "Context about 3 %";
    assert!(shows(&window, label));
    click(&mut window, label);
    assert!(shows(&window, "the share is uncertain"));
}
