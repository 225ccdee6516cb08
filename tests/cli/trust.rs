//! Folders that nobody has trusted, and levels on the command line.

use serde_json::Value;

use crate::program::{program, run, scripted};

#[test]
fn no_agent_is_started_in_a_folder_that_is_not_trusted() {
    let agent = scripted("codex-acp/text.jsonl");
    let ran = run(&["exec", "--command", &agent, "x"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let all = format!("{}{}", ran.stdout, ran.stderr);
    assert!(all.contains("--trust"), "{all}");
}

#[test]
fn a_level_that_there_is_not_is_named_with_those_there_are() {
    let ran = run(&["exec", "--approve", "everything", "--command", "x", "x"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr
            .contains("ask, read-only, undoable, all-ops, all-tools"),
        "{}",
        ran.stderr
    );
}

#[test]
fn at_level_read_only_an_ops_tool_that_deletes_is_asked() {
    let agent = scripted("codex-acp/mcp-delete-permission.jsonl");
    let arguments = [
        "exec",
        "--trust",
        "--format",
        "jsonl",
        "--approve",
        "read-only",
        "--command",
        &agent,
        "x",
    ];
    let ran = run(&arguments);
    let records = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let permissions: Vec<_> = records
        .filter(|record| record["type"] == "permission")
        .collect();
    assert!(!permissions.is_empty(), "{}", ran.stdout);
    for permission in permissions {
        assert_eq!(permission["decision"], "asked", "{permission}");
        assert_eq!(
            permission["identity"], "mcp__unity-ops__uap_asset_delete",
            "{permission}"
        );
    }
}

/// A link inside of a trusted folder leads to one that is not.
#[cfg(unix)]
#[test]
fn a_link_in_a_trusted_folder_does_not_lend_its_trust() {
    let root = tempfile::tempdir().expect("a folder");
    let root = agent_panel::io::policy_files::canonical(root.path()).expect("it is there");
    let (trusted, other) = (root.join("trusted"), root.join("other"));
    let config = root.join("config/agent-panel");
    for folder in [&trusted, &other, &config] {
        std::fs::create_dir_all(folder).expect("a folder");
    }
    std::os::unix::fs::symlink(&other, trusted.join("link")).expect("a link");
    let settings = format!("version = 1\ntrusted_folders = [{trusted:?}]\n");
    std::fs::write(config.join("settings.toml"), settings).expect("settings");
    let agent = scripted("codex-acp/text.jsonl");
    for (folder, code) in [
        (trusted.clone(), 0),
        (trusted.join("link"), 2),
        (trusted.join("../other"), 2),
    ] {
        let cwd = folder.display().to_string();
        let arguments = ["exec", "--cwd", &cwd, "--command", &agent, "x"];
        let output = program(&arguments)
            .env("XDG_CONFIG_HOME", root.join("config"))
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(code), "{cwd} {output:?}");
    }
}
