use super::*;

fn opened() -> DemoAgent {
    let mut demo = DemoAgent::default();
    demo.receive(&json!({"id": 1, "method": "initialize"}), 0);
    demo.receive(&json!({"id": 2, "method": "session/new"}), 0);
    demo
}

fn prompt(text: &str) -> Value {
    json!({"id": 3, "method": "session/prompt", "params": {"sessionId": "demo-1", "prompt": [{"type": "text", "text": text}]}})
}

/// Everything until the demo ends its turn or waits for an answer.
fn play_on(demo: &mut DemoAgent) -> Vec<Value> {
    let mut frames = Vec::new();
    while let Some(due) = demo.next_due() {
        frames.extend(demo.play(due));
    }
    frames
}

fn texts(frames: &[Value]) -> String {
    let text = |frame: &Value| {
        Some(
            frame
                .pointer("/params/update/content/text")?
                .as_str()?
                .to_owned(),
        )
    };
    frames.iter().filter_map(text).collect()
}

fn kinds(frames: &[Value]) -> Vec<String> {
    let kind = |frame: &Value| {
        Some(
            frame
                .pointer("/params/update/sessionUpdate")?
                .as_str()?
                .to_owned(),
        )
    };
    frames.iter().filter_map(kind).collect()
}

fn stop_reason(frames: &[Value]) -> Option<&str> {
    frames.last()?.pointer("/result/stopReason")?.as_str()
}

#[test]
fn every_scene_can_be_read_in_both_languages_and_says_what_it_is() {
    for (index, info) in SCENES.iter().enumerate() {
        for (language, word) in [(Language::English, "demo"), (Language::Japanese, "デモ")] {
            let scene = Scene::read(index, language);
            let frames: Vec<_> = scene.main.iter().map(|beat| beat.frame.clone()).collect();
            assert!(frames.len() > 5, "{}", info.name);
            let asks = frames.iter().any(|frame| frame.get("id").is_some());
            assert_eq!(asks, !scene.refused.is_empty(), "{}", info.name);
            let all = format!(
                "{}{}",
                texts(&frames),
                frames.iter().map(Value::to_string).collect::<String>()
            );
            let honest = all.contains(word) || all.contains("recording") || all.contains("録画");
            assert!(honest, "{} does not say that it is a demo", info.name);
            assert!(
                scene.main.is_sorted_by_key(|beat| beat.at_ms),
                "{}",
                info.name
            );
        }
    }
}

#[test]
fn any_prompt_gets_the_next_scene_and_a_slash_command_its_own() {
    let mut demo = opened();
    demo.receive(&prompt("hello"), 0);
    let tour = play_on(&mut demo);
    assert!(texts(&tour).contains("# Welcome"));
    assert_eq!(stop_reason(&tour), Some("end_turn"));
    demo.receive(&prompt("and now?"), 0);
    assert!(kinds(&play_on(&mut demo)).contains(&"plan".to_owned()));
    demo.receive(&prompt("/tour"), 0);
    assert!(texts(&play_on(&mut demo)).contains("# Welcome"));
    demo.receive(&prompt("こんにちは"), 0);
    assert!(texts(&play_on(&mut demo)).contains("架空の作業の計画"));
}

#[test]
fn texts_stream_over_time_and_the_meter_moves() {
    let mut demo = opened();
    assert!(demo.receive(&prompt("hello"), 1_000).is_empty());
    assert!(demo.next_due() > Some(1_000));
    assert!(demo.play(1_000).is_empty());
    let early = demo.play(4_000);
    assert!(early.len() > 10 && stop_reason(&early).is_none());
    let rest = play_on(&mut demo);
    assert!(demo.next_due().is_none());
    demo.receive(&prompt("/plan"), 0);
    let used = |frames: &[Value]| {
        frames
            .iter()
            .filter_map(|frame| frame.pointer("/params/update/used")?.as_u64())
            .max()
    };
    assert!(used(&play_on(&mut demo)) > used(&rest));
}

#[test]
fn an_edit_asks_and_goes_on_as_the_person_says() {
    let answers = [
        ("allow", "You allowed it", "end_turn"),
        ("reject", "You rejected it", "end_turn"),
    ];
    for (option, expected, stop) in answers {
        let mut demo = opened();
        demo.receive(&prompt("/edit"), 0);
        let before = play_on(&mut demo);
        let request = before.last().expect("it asks");
        assert_eq!(request.pointer("/params/sessionId"), Some(&json!("demo-1")));
        let outcome = json!({"outcome": {"outcome": "selected", "optionId": option}});
        demo.receive(&json!({"id": request["id"], "result": outcome}), 60_000);
        assert!(demo.next_due() >= Some(60_000));
        let after = play_on(&mut demo);
        assert!(texts(&after).contains(expected), "{option}");
        assert_eq!(stop_reason(&after), Some(stop), "{option}");
    }
}

#[test]
fn a_cancellation_ends_the_turn_at_once() {
    let mut demo = opened();
    demo.receive(&prompt("hello"), 0);
    demo.play(2_000);
    let cancel = json!({"method": "session/cancel", "params": {"sessionId": "demo-1"}});
    assert_eq!(
        stop_reason(&demo.receive(&cancel, 2_000)),
        Some("cancelled")
    );
    assert_eq!(demo.next_due(), None);
    demo.receive(&prompt("/edit"), 0);
    let request = play_on(&mut demo).pop().expect("it asks");
    let outcome = json!({"outcome": {"outcome": "cancelled"}});
    let answered = demo.receive(&json!({"id": request["id"], "result": outcome}), 0);
    assert_eq!(stop_reason(&answered), Some("cancelled"));
}

#[test]
fn modes_and_models_can_be_chosen() {
    let mut demo = opened();
    let set = |method: &str, key: &str, value: &str| json!({"id": 9, "method": method, "params": {"sessionId": "demo-1", key: value}});
    assert_eq!(
        demo.receive(&set("session/set_mode", "modeId", "auto"), 0)
            .len(),
        2
    );
    assert!(
        demo.receive(&set("session/set_mode", "modeId", "nope"), 0)[0]
            .get("error")
            .is_some()
    );
    assert!(
        demo.receive(&set("session/set_model", "modelId", "demo-large"), 0)[0]
            .get("result")
            .is_some()
    );
    demo.receive(&prompt("/edit"), 0);
    let frames = play_on(&mut demo);
    assert_eq!(stop_reason(&frames), Some("end_turn"));
    assert!(
        frames
            .iter()
            .any(|frame| frame.pointer("/params/update/size") == Some(&json!(1_000_000)))
    );
}
