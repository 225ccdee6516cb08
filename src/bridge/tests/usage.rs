//! Usage from the frames to what is shown: the cases of the founding notes, one row each.

use serde_json::json;

use super::*;
use crate::core::usage::{Meter, TokenCounts};

/// What an agent does.
enum Step {
    Updates(Value),
    /// An update whose notification has this `_meta`.
    UpdatesWith(Value, Value),
    /// It answers the prompt that waits, with this.
    Ends(Value),
    /// The person sends another prompt.
    Prompt,
    /// The person chooses another model, and the agent takes it.
    Model(&'static str),
}

/// What is shown afterwards.
struct Shown {
    meter: Meter,
    turn: Option<[u64; 4]>,
    session: Option<[u64; 4]>,
    /// Input and output of the session by model.
    models: &'static [(&'static str, u64, u64)],
    costs: &'static [(&'static str, f64)],
}

fn share(used: u64, window: u64, percent: u8) -> Meter {
    Meter::Share {
        used,
        window,
        percent,
        uncertain: false,
    }
}

fn counts(counts: TokenCounts) -> [u64; 4] {
    [
        counts.input,
        counts.output,
        counts.cache_read,
        counts.cache_write,
    ]
}

fn usage_update(used: u64, size: u64) -> Step {
    Step::Updates(json!({"sessionUpdate": "usage_update", "used": used, "size": size}))
}

fn text() -> Value {
    json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "hi"}})
}

fn total(tokens: u64) -> Step {
    Step::UpdatesWith(text(), json!({"totalTokens": tokens}))
}

fn ends(usage: Value) -> Step {
    Step::Ends(json!({"stopReason": "end_turn", "usage": usage}))
}

fn ends_with(meta: Value) -> Step {
    Step::Ends(json!({"stopReason": "end_turn", "_meta": meta}))
}

/// An agent with a catalog of models, as Grok has one, whose first prompt waits.
fn desk() -> Desk {
    let mut desk = Desk::connected(&json!({"protocolVersion": 1, "_meta": {"grokShell": true}}));
    let model = |id: &str, window: u64| json!({"modelId": id, "name": id, "_meta": {"totalContextTokens": window}});
    desk.agent(&answer(
        2,
        &json!({"sessionId": "s1", "models": {"currentModelId": "grok-4.6",
            "availableModels": [model("grok-4.6", 256_000), model("grok-long", 2_000_000)]}}),
    ));
    desk.prompt("go");
    desk
}

fn play(desk: &mut Desk, step: Step) {
    match step {
        Step::Updates(wire) => desk.agent_says(&wire),
        Step::UpdatesWith(wire, meta) => {
            let mut frame = update("s1", &wire);
            frame["params"]["_meta"] = meta;
            desk.agent(&frame);
        }
        Step::Ends(result) => {
            let waiting = last_id(desk, "session/prompt");
            desk.agent(&answer(waiting, &result));
        }
        Step::Prompt => desk.prompt("more"),
        Step::Model(model) => {
            desk.user(Command::SetModel {
                session: SESSION,
                model: model.into(),
            });
            let waiting = last_id(desk, "session/set_model");
            desk.agent(&answer(waiting, &json!({})));
        }
    }
}

fn last_id(desk: &Desk, method: &str) -> u64 {
    let mut sent = desk.sent.iter().rev();
    let request = sent.find(|frame| frame["method"] == method);
    request.and_then(|frame| frame["id"].as_u64()).unwrap()
}

fn check(name: &str, mut desk: Desk, steps: Vec<Step>, expected: &Shown) {
    for step in steps {
        play(&mut desk, step);
    }
    let usage = desk.session().usage();
    assert_eq!(usage.meter(), expected.meter, "{name}");
    assert_eq!(usage.turn_tokens().map(counts), expected.turn, "{name}");
    assert_eq!(
        usage.session_tokens().map(counts),
        expected.session,
        "{name}"
    );
    let models: Vec<_> = usage
        .session_models()
        .map(|row| (row.model.as_str(), row.counts.input, row.counts.output))
        .collect();
    assert_eq!(models, expected.models, "{name}");
    let costs: Vec<_> = usage
        .costs()
        .iter()
        .map(|(code, sum)| (code.as_str(), *sum))
        .collect();
    assert_eq!(costs, expected.costs, "{name}");
}

fn once(meter: Meter, turn: Option<[u64; 4]>) -> Shown {
    Shown {
        meter,
        turn,
        session: turn,
        models: &[],
        costs: &[],
    }
}

#[test]
fn what_an_agent_of_the_protocol_reports() {
    let cases = [
        (
            "a reading and a bill are two things; thoughts are in the output",
            vec![
                usage_update(53_000, 200_000),
                ends(
                    json!({"inputTokens": 1200, "outputTokens": 300, "cachedReadTokens": 50_000,
                    "cachedWriteTokens": 7, "thoughtTokens": 100, "totalTokens": 51_507}),
                ),
            ],
            once(share(53_000, 200_000, 26), Some([1200, 300, 50_000, 7])),
        ),
        (
            "Gemini bills by model and has no meter",
            vec![ends_with(json!({"quota": {
            "token_count": {"input_tokens": 800, "output_tokens": 90},
            "model_usage": [
                {"model": "pro", "token_count": {"input_tokens": 700, "output_tokens": 80}},
                {"model": "flash", "token_count": {"input_tokens": 100, "output_tokens": 10}},
            ]}}))],
            Shown {
                models: &[("flash", 100, 10), ("pro", 700, 80)],
                ..once(Meter::Hidden, Some([800, 90, 0, 0]))
            },
        ),
        (
            "the same in camel case",
            vec![ends_with(json!({"quota": {"token_count":
                {"inputTokens": 4000, "cachedInputTokens": 3500, "outputTokens": 321}}}))],
            once(Meter::Hidden, Some([4000, 321, 3500, 0])),
        ),
        (
            "a reading alone is no bill",
            vec![
                usage_update(4200, 100_000),
                Step::Updates(text()),
                ends_with(json!({})),
            ],
            once(share(4200, 100_000, 4), None),
        ),
    ];
    for (name, steps, expected) in cases {
        check(name, Desk::with_prompt(), steps, &expected);
    }
}

#[test]
fn sums_are_made_of_what_was_billed_and_of_nothing_else() {
    let cases = [
        (
            "a currency is shown under its own code",
            vec![
                Step::Updates(
                    json!({"sessionUpdate": "usage_update", "cost": {"amount": 0.12, "currency": "USD"}}),
                ),
                Step::Updates(
                    json!({"sessionUpdate": "usage_update", "used": 20, "cost": {"amount": 9.5, "currency": "EUR"}}),
                ),
            ],
            Shown {
                costs: &[("EUR", 9.5), ("USD", 0.12)],
                ..once(Meter::UsedOnly { used: 20 }, None)
            },
        ),
        (
            "nothing is reported, and nothing is made up",
            vec![Step::Updates(text()), ends_with(json!({}))],
            once(Meter::Hidden, None),
        ),
        (
            "turns add up in the session",
            vec![
                ends(json!({"inputTokens": 100, "outputTokens": 10})),
                Step::Prompt,
                ends(json!({"inputTokens": 200, "outputTokens": 20})),
                Step::Prompt,
                ends(json!({"inputTokens": 5, "outputTokens": 1})),
            ],
            Shown {
                session: Some([305, 31, 0, 0]),
                ..once(Meter::Hidden, Some([5, 1, 0, 0]))
            },
        ),
        (
            "a bill that stands in two places counts once",
            vec![Step::Ends(json!({
                "stopReason": "end_turn", "usage": {"inputTokens": 100, "outputTokens": 10},
                "_meta": {"usage": {"inputTokens": 100, "outputTokens": 10}, "quota": {"token_count": {"input_tokens": 100, "output_tokens": 10}}}}))],
            once(Meter::Hidden, Some([100, 10, 0, 0])),
        ),
    ];
    for (name, steps, expected) in cases {
        check(name, Desk::with_prompt(), steps, &expected);
    }
}

#[test]
fn what_grok_reports() {
    let bill = json!({"totalTokens": 41_300, "usage": {"inputTokens": 80_000, "outputTokens": 600,
        "cachedReadTokens": 70_000, "costUsdTicks": 1_200_000_000_u64,
        "modelUsage": {"grok-4.6": {"inputTokens": 80_000, "outputTokens": 600, "cachedReadTokens": 70_000}}}});
    let cases = [
        (
            "the reading, the whole bill and the ticks",
            vec![total(41_000), total(41_250), ends_with(bill)],
            Shown {
                models: &[("grok-4.6", 10_000, 600)],
                costs: &[("USD", 0.12)],
                ..once(share(41_300, 256_000, 16), Some([10_000, 600, 70_000, 0]))
            },
        ),
        (
            "a live reading within the turn",
            vec![total(41_000), total(41_250)],
            once(share(41_250, 256_000, 16), None),
        ),
        (
            "0 in the answer is no reading",
            vec![
                total(5000),
                ends_with(
                    json!({"totalTokens": 0, "inputTokens": 4000, "outputTokens": 50, "cachedReadTokens": 3000}),
                ),
            ],
            once(share(5000, 256_000, 1), Some([4000, 50, 3000, 0])),
        ),
        (
            "the window follows the model, until one is reported",
            vec![total(5000), Step::Model("grok-long")],
            once(share(5000, 2_000_000, 0), None),
        ),
        (
            "a reported window goes before the catalog",
            vec![
                total(5000),
                Step::Model("grok-long"),
                Step::Updates(json!({"sessionUpdate": "usage_update", "size": 123_456})),
            ],
            once(share(5000, 123_456, 4), None),
        ),
        (
            "an old window is not kept after another model was chosen",
            vec![usage_update(5000, 123_456), Step::Model("grok-long")],
            once(share(5000, 2_000_000, 0), None),
        ),
    ];
    for (name, steps, expected) in cases {
        check(name, desk(), steps, &expected);
    }
}

#[test]
fn what_is_read_while_a_session_is_loaded_holds() {
    let mut desk = Desk::loading("s1");
    play(&mut desk, usage_update(77_000, 128_000));
    desk.agent(&answer(2, &json!({})));
    let meter = desk.session().usage().meter();
    assert_eq!(meter, share(77_000, 128_000, 60));
}

#[test]
fn a_failed_prompt_keeps_what_was_reported() {
    let mut desk = Desk::with_prompt();
    play(&mut desk, usage_update(900, 1000));
    let waiting = last_id(&desk, "session/prompt");
    desk.agent(&json!({"jsonrpc": "2.0", "id": waiting, "error": {"code": -32603, "message": "overloaded"}}));
    let usage = desk.session().usage();
    assert_eq!(usage.meter(), share(900, 1000, 90));
    assert_eq!(usage.turn_tokens(), None);
}
