//! What a level and rules would have made of recorded requests.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::program::{Ran, fixture, run};
use crate::{of_type, records};

fn replay(case: &str, options: &[&str]) -> Ran {
    let file = fixture(case);
    let file = file.to_string_lossy();
    let mut all = vec!["replay", "--format", "jsonl", &file];
    all.extend(options);
    run(&all)
}

fn decisions(records: &[Value]) -> Vec<(&str, &str, &str)> {
    of_type(records, "permission")
        .into_iter()
        .map(|record| {
            let text = |key: &str| record[key].as_str().unwrap_or_default();
            (text("identity"), text("decision"), text("because"))
        })
        .collect()
}

#[test]
fn a_level_decides_about_recorded_requests_and_differences_are_told() {
    let records = records(
        &replay(
            "claude-code/mcp-delete-deny.jsonl",
            &["--approve", "all-ops"],
        )
        .stdout,
    );
    let delete = "mcp__unity-ops__uap_asset_delete";
    assert_eq!(decisions(&records), [(delete, "auto_allow", "level")]);
    let told = of_type(&records, "diagnostic");
    assert_eq!(told[0]["code"], "decided_otherwise");
    assert_eq!(told[0]["recorded"], "reject_once");
    assert_eq!(told[0]["decided"], "allow_once");
}

#[test]
fn what_the_level_does_not_decide_is_answered_as_recorded() {
    let records = records(&replay("claude-code/mcp.jsonl", &["--approve", "read-only"]).stdout);
    let found = decisions(&records);
    assert_eq!(
        found[0],
        ("mcp__unity-ops__uap_ping", "auto_allow", "level")
    );
    assert_eq!(
        found[1],
        ("mcp__unity-ops__uap_property_set", "asked", "level")
    );
    assert_eq!(of_type(&records, "permission")[1]["answered_by"], "user");
    assert_eq!(of_type(&records, "diagnostic"), Vec::<&Value>::new());
}

#[test]
fn rules_deny_and_a_rules_file_that_is_not_there_is_refused() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replay-rules");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let rules = folder.join("rules.toml");
    fs::write(&rules, "version = 1\n\n[[deny]]\ntool = 'Bash'\n").expect("it can be written");
    let rules = rules.to_string_lossy();
    let ran = replay(
        "codex-acp/permission-allow-once.jsonl",
        &["--rules", &rules],
    );
    let denied = records(&ran.stdout);
    assert_eq!(decisions(&denied), [("Bash", "auto_deny", "rule")]);
    let told = of_type(&denied, "diagnostic");
    let told = told.iter().find(|told| told["code"] == "decided_otherwise");
    assert_eq!(
        told.map(|told| &told["recorded"]),
        Some(&"allow_once".into())
    );

    let missing = folder.join("none.toml");
    let missing = missing.to_string_lossy();
    let ran = replay(
        "codex-acp/permission-allow-once.jsonl",
        &["--rules", &missing],
    );
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("--rules can't be read"),
        "{}",
        ran.stderr
    );
    let ran = run(&["exec", "--rules", &missing, "--command", "nothing", "hello"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("--rules is no file"), "{}", ran.stderr);
}
