//! No process of an agent is left, whatever it did to stay.

use std::time::{Duration, Instant};

use agent_panel::core::effect::Stop;

use crate::support::{Play, eventually};

/// Children in every relation to the agent; each tells its number in a file.
const FAMILY: &str = r#"
    child() { "$@" sh -c 'echo $$ >"$FOLDER/'$name'"; exec sleep 1000' </dev/null >/dev/null 2>&1 & }
    name=child child env
    name=own_session child setsid
    # Its parent is gone at once, and it is in another session.
    (name=orphan child setsid)
    # Nothing tells where it comes from but that it is in the agent's group.
    (name=nameless; env -i FOLDER="$FOLDER" sh -c 'echo $$ >"$FOLDER/nameless"; exec sleep 1000' </dev/null >/dev/null 2>&1 &)
    # It ignores what can be ignored.
    name=stubborn; (trap '' TERM HUP INT; child setsid)
    echo $$ >"$FOLDER/agent"
"#;
const NAMES: [&str; 6] = [
    "agent",
    "child",
    "own_session",
    "orphan",
    "nameless",
    "stubborn",
];

fn pids(play: &Play) -> Vec<(&'static str, u32)> {
    let pid = |name: &str| play.read(name).trim().parse::<u32>().ok();
    eventually("the family is there", || {
        NAMES.iter().all(|name| pid(name).is_some())
    });
    NAMES
        .iter()
        .filter_map(|name| Some((*name, pid(name)?)))
        .collect()
}

fn is_alive(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        let state = stat
            .rsplit_once(')')
            .and_then(|(_, rest)| rest.trim_start().chars().next());
        !matches!(state, Some('Z' | 'X') | None)
    })
}

fn check_none_alive(family: &[(&str, u32)]) {
    for (name, pid) in family {
        eventually(&format!("{name} is gone"), || !is_alive(*pid));
    }
}

#[test]
fn a_stop_at_once_ends_the_whole_family() {
    let play = Play::start(&format!("{FAMILY} answer_initialize; read -r forever"));
    let family = pids(&play);
    play.stop(Stop::Now);
    play.until_exited();
    check_none_alive(&family);
}

#[test]
fn a_polite_stop_ends_the_whole_family() {
    // It ends by itself when its input is closed, and leaves its children behind.
    let play = Play::start(&format!("{FAMILY} answer_initialize; read -r forever"));
    let family = pids(&play);
    play.stop(Stop::Polite);
    play.until_exited();
    check_none_alive(&family);
}

#[test]
fn the_death_of_an_agent_ends_its_family() {
    let play = Play::start(&format!(
        "{FAMILY} answer_initialize; until [ -e \"$FOLDER/go\" ]; do sleep 0.02; done; kill -9 $$"
    ));
    let family = pids(&play);
    std::fs::write(play.folder.path().join("go"), "").expect("it can be written");
    play.until_exited();
    check_none_alive(&family);
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "five seconds are what is promised"
)]
fn dropping_the_backend_ends_all_agents_with_their_families() {
    let stubborn = "trap '' TERM; answer_initialize; while :; do sleep 0.05; done";
    let play = Play::start(&format!("{FAMILY} {stubborn}"));
    let family = pids(&play);
    // Nobody takes the events of this one.
    play.start_another("answer_initialize; answer_new_session; while :; do text x; done");
    let Play {
        backend,
        folder,
        connection: _,
    } = play;
    let began = Instant::now();
    drop(backend);
    assert!(began.elapsed() < Duration::from_secs(5));
    check_none_alive(&family);
    drop(folder);
}

#[test]
fn a_descendant_that_holds_the_pipe_does_not_hold_up_the_end() {
    let play = Play::start(
        r#"answer_initialize; answer_new_session; read -r prompt; text before
        setsid sh -c 'echo $$ >"$FOLDER/holder"; exec sleep 1000' &
        until [ -s "$FOLDER/holder" ]; do sleep 0.02; done
        text after; exit 6"#,
    );
    play.prompt();
    let events = play.until_exited();
    assert_eq!(crate::support::texts(&events), ["before", "after"]);
    let holder: u32 = play.read("holder").trim().parse().expect("a number");
    check_none_alive(&[("holder", holder)]);
}

#[test]
fn an_agent_dies_with_the_thread_that_started_it() {
    // The thread is the backend's; a thread of our own stands in for it and ends without a word.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pid");
    let script = format!("echo $$ >'{}'; exec sleep 1000", path.display());
    let thread = std::thread::Builder::new().spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let _entered = runtime.enter();
        let launch = agent_panel::io::launch::Launch {
            found: "/bin/sh".into(),
            program: "/bin/sh".into(),
            arguments: agent_panel::io::launch::Arguments::Exact(vec!["-c".to_owned(), script]),
        };
        let start = agent_panel::io::process::Start {
            launch: &launch,
            cwd: std::path::Path::new("/"),
            env: &std::collections::BTreeMap::new(),
            path: None,
            bond: agent_panel::io::process::Bond::Agent,
        };
        let process = agent_panel::io::process::Process::spawn(&start).expect("it starts");
        let written = || std::fs::read_to_string(&path).is_ok_and(|text| text.ends_with('\n'));
        eventually("it runs", written);
        // Its destructor, which would kill it, never runs.
        std::mem::forget(process);
        std::fs::read_to_string(&path).expect("it was written")
    });
    let pid = thread
        .expect("a thread")
        .join()
        .expect("it does not panic")
        .trim()
        .parse()
        .expect("a number");
    check_none_alive(&[("agent", pid)]);
}
