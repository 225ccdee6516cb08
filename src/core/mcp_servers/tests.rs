//! Tests of what is passed to an agent and of approvals.

use super::*;

fn stdio(name: &str, command: &str, args: &[&str], env: &[(&str, &str)]) -> McpServer {
    McpServer {
        name: name.to_owned(),
        transport: McpTransport::Stdio {
            command: command.to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            env: pairs(env),
        },
    }
}

fn http(name: &str, url: &str, headers: &[(&str, &str)]) -> McpServer {
    McpServer {
        name: name.to_owned(),
        transport: McpTransport::Http {
            url: url.to_owned(),
            headers: pairs(headers),
        },
    }
}

fn sse(name: &str, url: &str, headers: &[(&str, &str)]) -> McpServer {
    McpServer {
        name: name.to_owned(),
        transport: McpTransport::Sse {
            url: url.to_owned(),
            headers: pairs(headers),
        },
    }
}

fn pairs(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn names(passed: &PassedServers) -> Vec<&str> {
    passed
        .servers
        .iter()
        .map(|server| server.name.as_str())
        .collect()
}

fn reasons(passed: PassedServers) -> Vec<(String, SkipReason)> {
    passed
        .skipped
        .into_iter()
        .map(|skipped| (skipped.name, skipped.reason))
        .collect()
}

#[test]
fn a_change_of_any_field_asks_again() {
    let approved = stdio("files", "npx", &["-y", "server-files"], &[("ROOT", "/a")]);
    let changed = [
        stdio("file", "npx", &["-y", "server-files"], &[("ROOT", "/a")]),
        stdio("files", "npx2", &["-y", "server-files"], &[("ROOT", "/a")]),
        stdio("files", "npx", &["-y", "server-evil"], &[("ROOT", "/a")]),
        stdio("files", "npx", &["-y server-files"], &[("ROOT", "/a")]),
        stdio("files", "npx", &["-y"], &[("ROOT", "/a")]),
        stdio("files", "npx", &["server-files", "-y"], &[("ROOT", "/a")]),
        stdio("files", "npx", &["-y", "server-files"], &[("ROOT", "/b")]),
        stdio("files", "npx", &["-y", "server-files"], &[("ROOT2", "/a")]),
        stdio("files", "npx", &["-y", "server-files"], &[]),
        http("files", "npx", &[("ROOT", "/a")]),
        sse("files", "npx", &[("ROOT", "/a")]),
    ];
    for changed in changed {
        let mut setting = McpServerSetting::approved(approved.clone());
        assert!(setting.is_approved());
        setting.server = changed;
        assert!(!setting.is_approved(), "{setting:?}");
        assert!(setting.skip_reason().is_some());
        setting.approve();
        assert!(setting.is_approved());
    }
}

#[test]
fn fields_that_run_into_each_other_are_told_apart() {
    let all = [
        stdio("a", "b", &["c", "d"], &[]),
        stdio("a", "b", &["cd"], &[]),
        stdio("a", "bc", &["d"], &[]),
        stdio("ab", "c", &["d"], &[]),
        stdio("a", "b", &["c"], &[("d", "")]),
        stdio("a", "b", &["c"], &[("", "d")]),
        http("a", "b", &[("c", "d")]),
        sse("a", "b", &[("c", "d")]),
    ];
    let digests: BTreeSet<_> = all
        .iter()
        .map(|server| Approval::of(server).to_string())
        .collect();
    assert_eq!(digests.len(), all.len());
}

/// What lies on disk must mean the same in later versions.
#[test]
fn an_approval_is_stable() {
    let server = stdio("files", "npx", &["-y", "server-files"], &[("ROOT", "/a")]);
    let stored = Approval::of(&server).to_string();
    insta::assert_snapshot!(stored, @"1fdd5edf793e8b2502f752a1c66a0dc126c1e6a11c8f96b9ee51c313c14b6f3e");
    assert_eq!(Approval::stored(&stored), Approval::of(&server));
}

#[test]
fn only_enabled_complete_and_approved_servers_are_passed() {
    let good = McpServerSetting::approved(stdio("good", "npx", &[], &[]));
    let off = McpServerSetting {
        enabled: false,
        ..McpServerSetting::approved(stdio("off", "npx", &[], &[]))
    };
    let new = McpServerSetting::unapproved(stdio("new", "npx", &[], &[]));
    let settings = [
        good.clone(),
        off,
        new,
        McpServerSetting::approved(stdio("empty", " ", &[], &[])),
        McpServerSetting::approved(http("nowhere", "", &[])),
        McpServerSetting::approved(sse("file", "file:///etc/passwd", &[])),
        McpServerSetting::approved(http("split", "https://a", &[("X-Key", "a\r\nHost: b")])),
        McpServerSetting::approved(http("spaced", "https://a", &[("X Key", "a")])),
        McpServerSetting::approved(stdio("variable", "npx", &[], &[("A=B", "c")])),
        McpServerSetting::approved(stdio(" ", "npx", &[], &[])),
    ];

    let passed = servers_to_pass(&settings, Vec::new());

    assert_eq!(names(&passed), ["good"]);
    let faulty = |name: &str, fault| (name.to_owned(), SkipReason::Faulty(fault));
    let named = str::to_owned;
    assert_eq!(
        reasons(passed),
        [
            (named("off"), SkipReason::Disabled),
            (named("new"), SkipReason::NotApproved),
            faulty("empty", ServerFault::NoCommand),
            faulty("nowhere", ServerFault::NoUrl),
            faulty("file", ServerFault::BadUrl),
            faulty(
                "split",
                ServerFault::BadHeader {
                    name: named("X-Key")
                }
            ),
            faulty(
                "spaced",
                ServerFault::BadHeader {
                    name: named("X Key")
                }
            ),
            faulty("variable", ServerFault::BadVariable { name: named("A=B") }),
            faulty(" ", ServerFault::NoName),
        ]
    );
}

#[test]
fn the_first_of_two_names_that_agents_write_alike_is_passed() {
    let first = McpServerSetting::approved(stdio("my tools", "first", &[], &[]));
    let second = McpServerSetting::approved(stdio("my.tools", "second", &[], &[]));
    let passed = servers_to_pass(&[first.clone(), second], Vec::new());
    assert_eq!(passed.servers, [first.server]);
    assert_eq!(
        reasons(passed),
        [("my.tools".to_owned(), SkipReason::DuplicateName)]
    );
}

#[test]
fn servers_of_the_session_go_before_those_of_the_list() {
    let ops = http(OPS_SERVER, "http://127.0.0.1:1/mcp", &[]);
    let chosen = stdio("files", "chosen", &[], &[]);
    let listed = McpServerSetting::approved(stdio("files", "listed", &[], &[]));
    let passed = servers_to_pass(&[listed], vec![ops.clone(), chosen.clone()]);
    assert_eq!(passed.servers, [ops, chosen]);
    assert_eq!(
        reasons(passed),
        [("files".to_owned(), SkipReason::DuplicateName)]
    );
}

#[test]
fn no_server_of_the_list_passes_for_the_ops_server() {
    let taken = [
        "unity-ops",
        "Unity-Ops",
        "unity_ops",
        " unity ops ",
        "unity-ops__uap",
    ];
    for name in taken {
        let setting = McpServerSetting::approved(stdio(name, "npx", &[], &[]));
        let passed = servers_to_pass(&[setting], Vec::new());
        assert_eq!(
            reasons(passed),
            [(name.to_owned(), SkipReason::ReservedName)]
        );
    }
    for name in ["unity-ops2", "unity", "my-unity-ops", "unity-ops-extra"] {
        assert!(!is_reserved(name), "{name}");
    }
}
