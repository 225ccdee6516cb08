//! What an agent writes arrives whole and in order, however much it is and however slowly it is taken.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use agent_panel::core::effect::{Effect, Stop};
use agent_panel::core::event::{ConnectionEvent, Event, SessionEvent};
use agent_panel::core::notice::ExitStatus;
use agent_panel::core::time::Timestamp;
use agent_panel::io::backend::BackendOptions;
use agent_panel::io::clock;

use crate::support::{Play, eventually, shell, texts};

const LINES: usize = 100_000;
/// Writes numbered chunks, and how many it wrote into a file.
const FLOOD: &str = r#"
    answer_initialize; answer_new_session; read -r prompt
    awk -v folder="$FOLDER" 'BEGIN { for (i = 0; i < 100000; i++) {
        printf "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s1\",\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"%d \"}}}}\n", i
        if (i % 500 == 0) { file = folder "/progress"; print i >> file; close(file) }
    } }'
"#;

fn check_numbers(events: &[Event]) {
    let numbers: Vec<usize> = texts(events)
        .iter()
        .flat_map(|text| text.split_whitespace())
        .map(|number| number.parse().expect("a number"))
        .collect();
    assert_eq!(numbers.len(), LINES);
    assert!(
        numbers
            .iter()
            .enumerate()
            .all(|(index, number)| index == *number)
    );
}

#[test]
fn a_flood_arrives_whole_and_in_order() {
    let play = Play::start(FLOOD);
    play.prompt();
    check_numbers(&play.until_exited());
}

#[test]
fn a_flood_waits_for_a_slow_window() {
    let play = Play::start(FLOOD);
    play.prompt();
    eventually("it writes", || !play.read("progress").is_empty());
    let progress = || play.read("progress").lines().count();
    let mut last = 0;
    loop {
        let now = progress();
        if now == last {
            break;
        }
        last = now;
        std::thread::park_timeout(Duration::from_millis(300));
    }
    assert!(last * 500 < LINES / 2, "it was not held up: {last}");
    check_numbers(&play.until_exited());
}

#[test]
fn a_flood_that_nobody_takes_can_be_stopped() {
    let play = Play::start(
        r#"answer_initialize; answer_new_session; read -r prompt; echo $$ >"$FOLDER/pid"
        text x | sed 's/x/&/'; yes '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"y"}}}}'"#,
    );
    play.prompt();
    eventually("it runs", || !play.read("pid").is_empty());
    play.stop(Stop::Now);
    let pid = play.read("pid");
    #[cfg(target_os = "linux")]
    eventually("it is gone though nothing was taken", || {
        !std::path::Path::new(&format!("/proc/{}/cwd", pid.trim())).exists()
    });
    #[cfg(not(target_os = "linux"))]
    drop(pid);
    assert_eq!(play.exit().0, ExitStatus::Signal(9));
}

#[test]
fn a_line_of_many_megabytes_is_one_event() {
    let play = Play::start(
        r#"answer_initialize; answer_new_session; read -r prompt
        text "$(printf '@')" | sed 's/@.*//' | tr -d '\n'
        head -c 20000000 /dev/zero | tr '\0' x; echo '"}}}}'; text end"#,
    );
    play.prompt();
    let events = play.until_exited();
    let lengths: Vec<_> = texts(&events).iter().map(|text| text.len()).collect();
    assert_eq!(lengths, [20_000_000, 3]);
}

#[test]
fn a_line_without_end_is_dropped_and_the_next_one_is_heard() {
    let play = Play::start(
        "answer_initialize; answer_new_session; read -r prompt; head -c 70000000 /dev/zero | tr '\\0' x; echo; text end",
    );
    play.prompt();
    let events = play.until_exited();
    assert_eq!(texts(&events), ["end"]);
    let is_told = |event: &Event| {
        matches!(
            event,
            Event::Connection {
                event: ConnectionEvent::LineDropped { .. },
                ..
            }
        )
    };
    assert!(events.iter().any(is_told));
}

#[test]
fn an_agent_that_does_not_read_is_still_heard() {
    // Its input pipe fills up with prompts while it writes.
    let play = Play::start(
        "answer_initialize; answer_new_session; read -r prompt; text one; until [ -e \"$FOLDER/go\" ]; do sleep 0.02; done; text two",
    );
    play.prompt();
    for _ in 0..20 {
        play.cancel();
    }
    let is_one = |event: &Event| matches!(event, Event::Session { event: SessionEvent::Text { text, .. }, .. } if text == "one");
    play.until(is_one);
    std::fs::write(play.folder.path().join("go"), "").expect("it can be written");
    assert_eq!(texts(&play.until_exited()), ["two"]);
}

#[test]
fn the_window_is_woken_once_for_many_events() {
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    let play = Play::with(BackendOptions {
        wake: Box::new(move || {
            counter.fetch_add(1, Ordering::SeqCst);
        }),
        record: None,
        keeps_frames: false,
        stderr_log: None,
        folders: None,
        rules: None,
    });
    play.start_agent(
        play.connection,
        shell("answer_initialize; i=0; while [ $i -lt 50 ]; do echo noise; i=$((i + 1)); done"),
    );
    eventually("it is woken", || count.load(Ordering::SeqCst) > 0);
    // Nothing was taken yet, so nothing more is said.
    std::thread::park_timeout(Duration::from_millis(300));
    assert_eq!(count.load(Ordering::SeqCst), 1);
    while play.backend.try_event().is_some() {}
    play.backend.perform(Effect::WakeAt(Timestamp(0)));
    eventually("it is woken again", || count.load(Ordering::SeqCst) > 1);
}

#[test]
fn a_tick_comes_at_its_time_and_not_before() {
    let play = Play::empty();
    let now = clock::now();
    let (soon, later) = (now.plus_millis(60), now.plus_millis(180));
    play.backend.perform(Effect::WakeAt(later));
    play.backend.perform(Effect::WakeAt(soon));
    play.backend.perform(Effect::WakeAt(later));
    for at in [soon, later] {
        let events = play.until(|event| *event == Event::Tick);
        assert_eq!(events, [Event::Tick]);
        assert!(clock::now() >= at);
    }
    assert_eq!(play.backend.wait_event(Duration::from_millis(100)), None);
}

#[test]
fn frames_and_stderr_are_kept_where_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("made_session.jsonl");
    let play = Play::with(BackendOptions {
        wake: Box::new(|| {}),
        record: Some(record.clone()),
        keeps_frames: false,
        stderr_log: Some(folder.path().join("logs")),
        folders: None,
        rules: None,
    });
    let script = "answer_initialize; answer_new_session; read -r prompt; echo INFO booted; text hello; echo oops >&2";
    play.start_agent(play.connection, shell(script));
    play.initialized();
    play.prompt();
    play.until_exited();
    let recorded = std::fs::read_to_string(&record).expect("it was written");
    let frames: Vec<serde_json::Value> = recorded
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let dirs: Vec<_> = frames
        .iter()
        .map(|frame| frame["dir"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(dirs, ["in", "out", "in", "out", "in", "out", "out"]);
    assert_eq!(frames[0]["frame"]["method"], "initialize");
    assert_eq!(frames[5]["frame"]["_not_json"], "INFO booted");
    let log = std::fs::read_to_string(folder.path().join("logs/scripted.log")).expect("a log");
    let mut lines: Vec<_> = log.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["oops", "stdout: INFO booted"]);
}
