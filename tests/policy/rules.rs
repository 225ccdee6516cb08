//! Rules: what they cover, which one wins, and what a broken one does.

use agent_panel::core::policy::level::Level;
use agent_panel::core::policy::rules::{Effect, RuleOrigin};
use agent_panel::core::policy::script_gate::{GATE_TEXT, ScriptGate};
use agent_panel::core::policy::{Decision, Reason, ShellLanguage};
use agent_panel::core::time::Timestamp;
use agent_panel::core::tool_call::ToolKind;
use serde_json::{Value, json};

use super::requests::{FOLDER, Request, edit, ops, read, request, shell};

#[test]
fn a_rule_allows_what_it_names_and_nothing_beside_it() {
    let npm = "[[allow]]\ncommand = 'npm test'\n";
    let src = "[[allow]]\ntool = 'Edit'\npath = 'src/**'\n";
    let reading = "[[allow]]\ntool = 'Read'\n";
    let ping = "[[allow]]\nmcp = 'other/ping'\n";
    let docs = "[[allow]]\nhost = 'docs.rs'\n";
    let fetch = |url: &str| request(Some("WebFetch"), json!({ "url": url }));
    let other = |tool: &str| {
        request(
            None,
            json!({"server": "other", "tool": tool, "arguments": {}}),
        )
    };
    let cases: Vec<(&str, Request, &str)> = vec![
        (npm, shell("npm test"), "allow"),
        (npm, shell("npm test -- --watch"), "allow"),
        (npm, shell("npm publish"), "ask"),
        (npm, shell("npm test && x"), "ask"),
        (npm, shell("npm test | sh"), "ask"),
        (npm, shell("npm test > out"), "ask"),
        (npm, shell("npm test $X"), "ask"),
        (npm, shell("npm test /etc"), "ask"),
        (npm, shell("cd sub && npm test"), "ask"),
        (src, edit("src/a/b.rs"), "allow"),
        (src, edit("src/../b.rs"), "ask"),
        (src, edit("tests/b.rs"), "ask"),
        (src, edit("/etc/src/x"), "ask"),
        (src, read("src/a.rs"), "ask"),
        (src, edit("src/x").link("/home/me/proj/src", "/srv"), "ask"),
        (reading, read("README.md"), "allow"),
        (reading, read("/etc/passwd"), "ask"),
        (
            reading,
            request(None, Value::Null)
                .kind(ToolKind::Read)
                .located("README.md"),
            "ask",
        ),
        (ping, other("ping"), "allow"),
        (ping, other("pong"), "ask"),
        (ping, ops("ping"), "ask"),
        (docs, fetch("https://docs.rs/x"), "allow"),
        (docs, fetch("https://docs.rs.evil.example/"), "ask"),
        (docs, fetch("https://docs.rs@evil.example/"), "ask"),
        (
            docs,
            request(Some("WebFetch"), json!({"prompt": "docs.rs"})),
            "ask",
        ),
        (docs, shell("curl https://docs.rs"), "ask"),
    ];
    for (rules, request, expected) in cases {
        let what = format!("{rules}{:?}", request.call.raw_input);
        assert_eq!(request.rules(rules).answer(), expected, "{what}");
    }
}

#[test]
fn every_part_of_a_line_needs_a_rule_and_one_refused_part_refuses_it() {
    let rules = "[[allow]]\ncommand = 'git status'\n[[allow]]\ncommand = 'ls'\n[[ask]]\ncommand = 'git push'\n[[deny]]\ncommand = 'curl'\n";
    for (line, expected) in [
        ("git status && ls", "allow"),
        ("git status; ls | ls", "allow"),
        ("(git status) && { ls; }", "allow"),
        ("git status && make", "ask"),
        ("git status && git push", "ask"),
        ("git status && curl x", "reject"),
        ("git push && curl x", "reject"),
        ("echo $(curl x)", "reject"),
        ("sudo curl x", "reject"),
        ("sh -c 'ls; curl x'", "reject"),
        ("/usr/bin/curl x", "reject"),
        ("xargs curl < list", "reject"),
        ("for i in a; do curl $i; done", "reject"),
        ("curl x 'unclosed", "reject"),
    ] {
        let request = shell(line).rules(rules).at(Level::AllTools);
        let expected_at_ask = if line.contains("make") {
            "ask"
        } else {
            expected
        };
        assert_eq!(shell(line).rules(rules).answer(), expected_at_ask, "{line}");
        if expected == "reject" {
            assert_eq!(request.answer(), "reject", "{line}");
        }
    }
}

#[test]
fn deny_beats_ask_and_ask_beats_allow_whatever_the_order_and_the_file() {
    let allow = "[[allow]]\ntool = 'Read'\n";
    let ask = "[[ask]]\npath = 'a/**'\n";
    let deny = "[[deny]]\npath = 'a/b/**'\n";
    let folder = RuleOrigin::Folder { trusted: true };
    for (first, second) in [(RuleOrigin::User, folder), (folder, RuleOrigin::User)] {
        let of = |path: &str| {
            read(path)
                .rules_of(first, &format!("{deny}{allow}"))
                .rules_of(second, ask)
                .at(Level::AllTools)
        };
        assert_eq!(of("x").answer(), "allow");
        assert_eq!(of("a/x").answer(), "ask");
        assert_eq!(of("a/b/x").answer(), "reject");
        let Reason::Rule(rule) = of("a/b/x").because() else {
            panic!("a rule refuses it");
        };
        assert_eq!(rule.effect, Effect::Deny);
        assert_eq!(rule.text, "deny a/b/**");
    }
}

#[test]
fn a_rule_that_does_not_parse_blocks_and_the_refusals_stay() {
    let broken =
        "[[allow]]\ntool = 'Read'\n[[deny]]\ncommand = 'a &&'\n[[deny]]\npath = 'secret'\n";
    assert_eq!(read("x").rules(broken).answer(), "ask");
    assert_eq!(
        ops("uap_ping").at(Level::AllTools).rules(broken).answer(),
        "ask"
    );
    assert_eq!(read("secret").rules(broken).answer(), "reject");
    let Reason::BrokenRules { place, .. } = read("x").rules(broken).because() else {
        panic!("the broken rule is the reason");
    };
    assert_eq!(place, "deny 1");
}

#[test]
fn rules_of_a_folder_that_is_not_trusted_only_narrow() {
    let folder = RuleOrigin::Folder { trusted: false };
    let rules =
        "[[allow]]\ntool = 'Read'\n[[deny]]\npath = 'secret'\n[[ask]]\nmcp = 'unity-ops/*'\n";
    assert_eq!(read("x").rules_of(folder, rules).answer(), "ask");
    assert_eq!(read("secret").rules_of(folder, rules).answer(), "reject");
    let ping = ops("uap_ping").at(Level::ReadOnly).rules_of(folder, rules);
    assert_eq!(ping.answer(), "ask");
    let trusted = RuleOrigin::Folder { trusted: true };
    assert_eq!(read("x").rules_of(trusted, rules).answer(), "allow");
}

#[test]
fn a_grant_ends_and_holds_only_in_its_folder() {
    let until = "[[allow]]\ntool = 'Read'\nexpires = 1970-01-01T00:00:02Z\n";
    assert_eq!(read("x").rules(until).answer(), "allow");
    let mut late = read("x").rules(until);
    late.now = Timestamp(2_000);
    assert_eq!(late.answer(), "ask");
    let elsewhere = "[[allow]]\ntool = 'Read'\nfolder = '/home/me/other'\n";
    assert_eq!(read("x").rules(elsewhere).answer(), "ask");
    let here = format!("[[allow]]\ntool = 'Read'\nfolder = '{FOLDER}'\n");
    assert_eq!(read("x").rules(&here).answer(), "allow");
}

#[test]
fn a_rule_bound_to_a_file_ends_when_the_file_changes() {
    let rules = "[[allow]]\ncommand = 'npm test'\nunchanged = { 'package.json' = 'sha256:1' }\n";
    let with = |digest: Option<&str>| {
        let mut request = shell("npm test").rules(rules);
        let path = std::path::Path::new(FOLDER).join("package.json");
        request.digests = digest
            .map(|digest| (path, digest.to_owned()))
            .into_iter()
            .collect();
        request.answer()
    };
    assert_eq!(with(Some("sha256:1")), "allow");
    assert_eq!(with(Some("sha256:2")), "ask");
    assert_eq!(with(None), "ask");
}

#[test]
fn another_shell_is_asked_unless_the_rule_is_for_the_line() {
    let exact = "[[allow]]\nline = 'Get-ChildItem -Path src'\n[[allow]]\ncommand = 'Get-ChildItem'\n[[deny]]\ncommand = 'Remove-Item'\n";
    let power = |line: &str| {
        let mut request = shell(line).rules(exact).at(Level::AllTools);
        request.shell = ShellLanguage::Other;
        request
    };
    assert_eq!(power("Get-ChildItem -Path src").answer(), "allow");
    assert_eq!(power("Get-ChildItem -Path src2").answer(), "ask");
    assert_eq!(power("Get-ChildItem").answer(), "ask");
    assert_eq!(power("Get-ChildItem; Remove-Item x").answer(), "reject");
    assert_eq!(power("Remove-Item -Recurse C:\\").answer(), "reject");
}

#[test]
fn the_script_gate_refuses_scripts_outside_of_staging() {
    let gated = |mut request: Request| {
        request.gate = ScriptGate::On;
        request.at(Level::AllTools)
    };
    for refused in [
        edit("Assets/Player.cs"),
        edit("Assets/Sub/x.asmdef"),
        edit("assets/PLAYER.CS"),
        edit("UapStaging/../Assets/x.cs"),
        edit("link/x.cs").link("/home/me/proj/link", "/home/me/proj/Assets"),
        request(Some("Write"), json!({"file_path": "Assets/x.cs"})),
        shell("echo x > Assets/x.cs"),
        shell("echo x >> Assets/x.cs"),
        shell("echo x >| \"Assets/x.cs\""),
        shell("cd Assets && echo x > x.cs"),
        shell("echo x | tee Assets/x.cs"),
        shell("echo x | tee -a Assets/x.cs"),
        shell("cat <<E > Assets/x.cs\nx\nE\n"),
        shell("cp /tmp/x Assets/x.cs"),
        shell("sed -i s/a/b/ Assets/x.cs"),
        shell("sh -c 'echo x > Assets/x.cs'"),
        shell("echo 'unclosed > Assets/x.cs"),
    ] {
        let what = format!("{:?}", refused.call.raw_input);
        let verdict = gated(refused).verdict();
        let Decision::Reject { text, .. } = verdict.decision else {
            panic!("{what}: {verdict:?}");
        };
        assert_eq!(text, GATE_TEXT);
    }
    for fine in [
        edit("UapStaging/Assets/x.cs"),
        edit("Assets/x.png"),
        read("Assets/x.cs"),
        shell("cat Assets/x.cs"),
        shell("cp Assets/x.cs /tmp/x"),
    ] {
        let what = format!("{:?}", fine.call.raw_input);
        assert_ne!(gated(fine).answer(), "reject", "{what}");
    }
    assert_ne!(edit("Assets/x.cs").answer(), "reject");
}
