//! What a card may offer to store, and that storing it does what it says.

use agent_panel::core::policy::always::{ProposalWords, always_choices, never_choices};
use agent_panel::core::policy::level::Level;
use agent_panel::core::policy::rules::file::with_rule;
use agent_panel::core::tool_call::ToolKind;
use serde_json::{Value, json};

use super::requests::{Request, edit, ops, request, shell, user_file};

fn words(request: &Request) -> Vec<ProposalWords> {
    let request = request.clone().rules("");
    let proposals = request.with_input(always_choices);
    for proposal in &proposals {
        assert_eq!(proposal.file, user_file());
        let text = with_rule("", &proposal.rule).expect("a rule can be written");
        let text = text.replace("version = 1\n", "");
        let mut stored = request.clone();
        stored.rules.files.clear();
        assert_eq!(stored.rules(&text).answer(), "allow", "{text}");
    }
    proposals
        .into_iter()
        .map(|proposal| proposal.words)
        .collect()
}

fn line(line: &str) -> ProposalWords {
    ProposalWords::Line {
        line: line.to_owned(),
    }
}

fn command(words: &str) -> ProposalWords {
    ProposalWords::Command {
        words: words.to_owned(),
    }
}

#[test]
fn commands_are_offered_with_their_sub_command_or_as_a_line() {
    for (text, expected) in [
        (
            "npm test -- --watch",
            vec![command("npm test"), line("npm test -- --watch")],
        ),
        (
            "npm run build",
            vec![command("npm run build"), line("npm run build")],
        ),
        (
            "git status",
            vec![command("git status"), line("git status")],
        ),
        ("git -C x status", vec![line("git -C x status")]),
        ("ls -l src", vec![line("ls -l src")]),
        ("rm build", vec![line("rm build")]),
        ("git status && ls", vec![line("git status && ls")]),
    ] {
        assert_eq!(words(&shell(text)), expected, "{text}");
    }
}

#[test]
fn nothing_is_offered_that_would_cover_anything() {
    for text in [
        "python x.py",
        "node x.js",
        "bash x.sh",
        "sh -c ls",
        "sudo ls",
        "env ls",
        "npx x",
        "./x.sh",
        "/tmp/x",
        "npm exec x",
        "timeout 5 ls",
        "xargs ls",
        "echo $(id)",
        "echo a > b",
        "git -c a=b log",
        "cat /etc/passwd",
        "cat .git/config",
        "rm -rf /",
        "find . -exec ls {} +",
        "X=1 ls",
        "$X",
    ] {
        assert_eq!(words(&shell(text)), [], "{text}");
    }
    for request in [
        edit(".vscode/tasks.json"),
        edit("/etc/x"),
        request(Some("AskUserQuestion"), json!({})),
        request(None, Value::Null)
            .kind(ToolKind::Edit)
            .title("Write x"),
        request(Some("Bash"), Value::Null).title("ls"),
        ops("uap_ping").at(Level::ReadOnly),
    ] {
        let what = format!("{:?}", request.call);
        assert_eq!(words(&request), [], "{what}");
    }
}

#[test]
fn tools_folders_and_hosts_are_offered_exactly() {
    let in_folder = |folder: &str| ProposalWords::ToolInFolder {
        tool: "Edit".to_owned(),
        folder: folder.to_owned(),
    };
    assert_eq!(words(&edit("src/a.rs")), [in_folder("src")]);
    assert_eq!(words(&edit("a.rs")), [in_folder("/home/me/proj")]);
    let mcp = ProposalWords::McpTool {
        server: "unity-ops".to_owned(),
        tool: "uap_asset_delete".to_owned(),
    };
    assert_eq!(words(&ops("uap_asset_delete")), [mcp]);
    let fetch = request(Some("WebFetch"), json!({"url": "https://docs.rs/x"}));
    let host = ProposalWords::Host {
        host: "docs.rs".to_owned(),
    };
    assert_eq!(words(&fetch), [host]);
}

#[test]
fn a_command_says_which_file_decides_what_it_does() {
    let depends = |text: &str| {
        let request = shell(text).rules("");
        let proposals = request.with_input(always_choices);
        let first = proposals.into_iter().next().expect("a proposal");
        first.depends_on
    };
    assert_eq!(
        depends("npm test"),
        [std::path::PathBuf::from("package.json")]
    );
    assert!(depends("git status").is_empty());
}

/// What may be refused from now on. Each proposal refuses the very request, and is bound to no file.
fn refused(request: &Request) -> Vec<ProposalWords> {
    let request = request.clone().rules("");
    let proposals = request.with_input(never_choices);
    for proposal in &proposals {
        assert!(proposal.depends_on.is_empty());
        let text = with_rule("", &proposal.rule).expect("a rule can be written");
        let text = text.replace("version = 1\n", "");
        let mut stored = request.clone();
        stored.rules.files.clear();
        for level in [Level::Ask, Level::AllTools] {
            let stored = stored.clone().rules(&text).at(level);
            assert_eq!(stored.answer(), "reject", "{text}");
        }
    }
    proposals
        .into_iter()
        .map(|proposal| proposal.words)
        .collect()
}

#[test]
fn what_nothing_may_allow_can_still_be_refused_from_now_on() {
    for (text, expected) in [
        ("npm test", vec![command("npm test"), line("npm test")]),
        ("sudo ls", vec![line("sudo ls")]),
        ("echo $(id)", vec![line("echo $(id)")]),
        ("python x.py", vec![line("python x.py")]),
    ] {
        assert_eq!(refused(&shell(text)), expected, "{text}");
    }
    let in_git = ProposalWords::ToolInFolder {
        tool: "Edit".to_owned(),
        folder: ".git".to_owned(),
    };
    assert_eq!(refused(&edit(".git/config")), [in_git]);
    let mcp = ProposalWords::McpTool {
        server: "unity-ops".to_owned(),
        tool: "uap_asset_delete".to_owned(),
    };
    assert_eq!(refused(&ops("uap_asset_delete")), [mcp]);
    // Questions to the person are never answered for them.
    assert_eq!(refused(&request(Some("AskUserQuestion"), json!({}))), []);
    // What the agent's own words call a tool is none.
    let titled = request(None, Value::Null)
        .kind(ToolKind::Edit)
        .title("Write x");
    assert_eq!(refused(&titled), []);
}
