//! Servers that are commands.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use agent_panel::core::backend::{McpServer, McpTransport};
use nix::sys::signal::kill;
use nix::unistd::Pid;

use crate::{names, outcome, probe_in, probe_one};

/// A server in the language of the shell. Its first answers are to the requests 0 and 1, as the SDK numbers them.
const SERVER: &str = r#"
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$1" "$2"; }
echo "starting up"; echo "a log line" >&2
while read -r line; do
  id=${line##*\"id\":}; id=${id%%[,\}]*}
  case $line in
    *'"initialize"'*) answer "$id" '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"shell","version":"1"}}' ;;
    *'"tools/list"'*) answer "$id" '{"tools":[{"name":"'"$TOOL_NAME"'","inputSchema":{"type":"object"}}]}' ;;
  esac
done
"#;

fn shell(script: &str) -> McpServer {
    McpServer {
        name: "tested".to_owned(),
        transport: McpTransport::Stdio {
            command: "sh".to_owned(),
            args: vec!["-c".to_owned(), script.to_owned()],
            env: BTreeMap::from([("TOOL_NAME".to_owned(), "look-around".to_owned())]),
        },
    }
}

/// Waits until the process that wrote its number to a file is gone.
#[expect(
    clippy::disallowed_methods,
    reason = "a wait for another process has to be bounded"
)]
async fn check_gone(folder: &Path, file: &str) {
    let number = std::fs::read_to_string(folder.join(file)).expect("it was written");
    let pid = Pid::from_raw(number.trim().parse().expect("a number"));
    let began = Instant::now();
    while is_alive(pid) {
        assert!(began.elapsed().as_secs() < 10, "{file} is still there");
        // The runtime has to get to know that its child has ended.
        tokio::task::yield_now().await;
        std::thread::park_timeout(Duration::from_millis(5));
    }
}

/// What nobody has waited for yet is not alive either, where the system tells.
fn is_alive(pid: Pid) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    let is_dead = state.is_ok_and(|stat| stat.contains(") Z") || stat.contains(") X"));
    !is_dead && kill(pid, None).is_ok()
}

#[tokio::test]
async fn a_command_is_started_in_the_folder_asked_and_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = format!("echo $$ > self; cat /dev/zero > /dev/null & echo $! > child; {SERVER}");
    let status = probe_in(folder.path(), shell(&script)).await;
    assert_eq!(outcome(&status), "Connected");
    assert_eq!(names(&status), ["look-around"]);
    assert_eq!(
        status.software.map(|software| software.name).as_deref(),
        Some("shell")
    );
    check_gone(folder.path(), "self").await;
    check_gone(folder.path(), "child").await;
}

#[tokio::test]
async fn a_command_that_ends_says_how_and_with_which_words() {
    let cases = [
        (
            "echo starting >&2; printf 'no look-around\\n\\n' >&2; exit 3",
            "the program ended (code 3): no •••",
        ),
        ("exit 0", "the program ended (code 0)"),
        ("kill -9 $$", "the program ended (signal 9)"),
        (
            "read -r line; echo '{\"jsonrpc\":'; exit 1",
            "the program ended (code 1)",
        ),
    ];
    for (script, expected) in cases {
        assert_eq!(
            outcome(&probe_one(shell(script)).await),
            expected,
            "{script}"
        );
    }
}

#[tokio::test]
async fn a_command_that_refuses_is_quoted() {
    let script = r#"while read -r line; do echo '{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"no license"}}'; done"#;
    let status = probe_one(shell(script)).await;
    assert_eq!(outcome(&status), "the server refuses: no license (-32000)");
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let mut server = shell("");
    if let McpTransport::Stdio { command, .. } = &mut server.transport {
        "no-such-program".clone_into(command);
    }
    let status = probe_one(server.clone()).await;
    assert_eq!(
        outcome(&status),
        "the program was not found: no-such-program"
    );
    let status = probe_in(Path::new("/no/such/folder"), shell("")).await;
    assert_eq!(
        outcome(&status),
        "the working folder does not exist: /no/such/folder"
    );
}

/// The clock goes on by itself once the server has written its number and nothing else is left to do.
#[tokio::test]
async fn a_command_that_says_nothing_is_ended_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let script =
        "echo 'reading mail' >&2; echo $$ > self; exec 2>&-; while read -r line; do :; done";
    let started = folder.path().join("self");
    let probing = probe_in(folder.path(), shell(script));
    let waiting = async {
        while !started.exists() {
            tokio::task::yield_now().await;
        }
        tokio::time::pause();
    };
    let (status, ()) = tokio::join!(probing, waiting);
    assert_eq!(
        outcome(&status),
        "no answer within 10 seconds: reading mail"
    );
    check_gone(folder.path(), "self").await;
}
