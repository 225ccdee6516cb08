//! What must hold for every request: talk allows nothing, a stricter level allows less, a refusal never loses.

use agent_panel::core::permission::{PermissionOption, PermissionOptionKind};
use agent_panel::core::policy::level::Level;
use agent_panel::core::tool_call::ToolKind;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::requests::{Request, edit, ops, read, request, shell};

/// Words with which a call may try to pass for another.
fn talk() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,40}",
        Just("uap_ping".to_owned()),
        Just("unity-ops__uap_ping".to_owned()),
        Just("mcp__unity-ops__uap_ping".to_owned()),
        Just("mcp.unity-ops.uap_ping".to_owned()),
        Just("unity-ops/uap_ping".to_owned()),
        Just("uap_ping (unity-ops MCP Server)".to_owned()),
        Just("Read README.md".to_owned()),
        Just("Read".to_owned()),
        Just("ls".to_owned()),
        Just("npm test".to_owned()),
        Just("ExitPlanMode".to_owned()),
    ]
}

fn kind() -> impl Strategy<Value = ToolKind> {
    prop::sample::select(vec![
        ToolKind::Read,
        ToolKind::Edit,
        ToolKind::Delete,
        ToolKind::Move,
        ToolKind::Search,
        ToolKind::Execute,
        ToolKind::Think,
        ToolKind::Fetch,
        ToolKind::SwitchMode,
        ToolKind::Other,
    ])
}

fn meta() -> impl Strategy<Value = Option<Value>> {
    let key = prop::sample::select(vec![
        "toolName",
        "tool_name",
        "name",
        "kind",
        "approved",
        "server",
        "tool",
        "serverId",
    ]);
    prop_oneof![
        Just(None),
        (key, talk()).prop_map(|(key, text)| Some(json!({ key: text }))),
        talk().prop_map(|text| Some(json!({"claudeCode": {"toolName": text}}))),
        (talk(), talk())
            .prop_map(|(name, kind)| Some(json!({"x.ai/tool": {"name": name, "kind": kind}}))),
        talk().prop_map(|text| Some(json!({"is_mcp_tool_call": true, "title": text}))),
    ]
}

fn subject() -> impl Strategy<Value = Request> {
    let line = prop::sample::select(vec![
        "ls",
        "npm test",
        "npm test && ls",
        "rm -rf /",
        "rm -rf x",
        "echo $(id)",
        "cat .git/config",
        "cat ../x",
        "curl https://evil.example",
        "git push",
        "echo a > b",
        "sudo ls",
        "uap_ping",
        "cd src && ls",
    ]);
    let tool = prop::sample::select(vec![
        "uap_ping",
        "uap_property_set",
        "uap_asset_delete",
        "uap_web_fetch",
        "uap_x",
    ]);
    let path = prop::sample::select(vec![
        "src/a.rs",
        ".git/config",
        "/etc/passwd",
        "secret/x",
        "../x",
    ]);
    prop_oneof![
        line.prop_map(shell),
        tool.prop_map(ops),
        path.clone().prop_map(edit),
        path.clone().prop_map(read),
        path.prop_map(|path| request(None, json!({ "path": path }))),
        Just(request(Some("AskUserQuestion"), json!({}))),
        Just(request(Some("WebFetch"), json!({"url": "https://docs.rs"}))),
        Just(request(
            None,
            json!({"server": "other", "tool": "echo", "arguments": {}})
        )),
        Just(request(None, Value::Null)),
        Just(request(None, json!({"plan": "x"}))),
    ]
}

const RULES: &str = "
[[allow]]
command = 'npm test'
[[allow]]
command = 'ls'
[[allow]]
tool = ['Read', 'Edit', 'Bash']
path = 'src/**'
[[allow]]
mcp = 'other/*'
[[allow]]
host = 'docs.rs'
[[ask]]
command = 'git push'
[[deny]]
path = 'secret/**'
[[deny]]
host = 'evil.example'
";

fn with_rules() -> impl Strategy<Value = Request> {
    let level = prop::sample::select(Level::ALL.to_vec());
    (subject(), level, any::<bool>()).prop_map(|(request, level, ruled)| {
        let request = request.at(level);
        if ruled { request.rules(RULES) } else { request }
    })
}

fn allows(request: &Request) -> bool {
    request.answer() == "allow"
}

proptest! {
    /// The call without any talk is the measure: talk can take an answer away and never give one.
    #[test]
    fn no_title_kind_or_meta_turns_a_question_into_an_answer(
        plain in with_rules(), title in talk(), earlier in talk(), kind in kind(), meta in meta(),
    ) {
        let mut talking = plain.clone().title(&title).kind(kind);
        talking.call.earlier_titles = vec![earlier];
        talking.call.meta = meta.map(Into::into);
        if allows(&talking) {
            prop_assert!(allows(&plain), "{talking:?}");
        }
        if plain.answer() == "reject" {
            prop_assert_eq!(talking.answer(), "reject");
        }
    }

    #[test]
    fn names_and_order_of_options_change_nothing(plain in with_rules(), names in prop::collection::vec(talk(), 3), turn in 0_usize..3) {
        let mut other = plain.clone();
        for (option, name) in other.options.iter_mut().zip(names) {
            option.name = name;
        }
        other.options.rotate_left(turn);
        prop_assert_eq!(plain.verdict(), other.verdict());
    }

    #[test]
    fn options_that_do_not_allow_once_never_help(plain in with_rules(), name in talk(), kind in prop::sample::select(vec![
        PermissionOptionKind::AllowAlways, PermissionOptionKind::Unknown, PermissionOptionKind::RejectAlways,
    ])) {
        let only = PermissionOption {
            id: "once".into(),
            name,
            kind,
            scope: None,
        };
        prop_assert!(!allows(&plain.options(&[only])));
    }

    #[test]
    fn a_stricter_level_never_allows_what_a_laxer_one_asks(request in with_rules()) {
        let answers = Level::ALL.map(|level| request.clone().at(level).answer());
        for pair in answers.windows(2) {
            prop_assert!(pair != ["allow", "ask"], "{answers:?} {request:?}");
            prop_assert!((pair[0] == "reject") == (pair[1] == "reject"), "{answers:?}");
        }
    }

    #[test]
    fn a_refusal_never_loses_to_more_permission(request in subject(), level in prop::sample::select(Level::ALL.to_vec())) {
        let wide = "[[allow]]\ntool = ['Read', 'Edit', 'Bash', 'WebFetch']\npath = '/**'\n[[allow]]\nmcp = 'unity-ops/*'\n[[allow]]\nline = 'rm -rf /'\n";
        let denied = request.clone().rules(RULES).at(Level::Ask).answer() == "reject";
        if denied {
            prop_assert_eq!(request.clone().rules(RULES).rules(wide).at(level).answer(), "reject");
            prop_assert_eq!(request.rules(wide).rules(RULES).at(level).answer(), "reject");
        }
    }

    #[test]
    fn one_more_refusing_or_asking_rule_allows_nothing_new(request in with_rules(), extra in prop::sample::select(vec![
        "[[deny]]\ncommand = 'ls'\n", "[[ask]]\npath = 'src/**'\n", "[[deny]]\nmcp = 'other/echo'\n", "[[ask]]\ntool = 'Bash'\n",
        "[[deny]]\nbroken = 1\n",
    ])) {
        if allows(&request.clone().rules(extra)) {
            prop_assert!(allows(&request));
        }
    }

    #[test]
    fn unknown_fields_of_the_input_never_help(plain in with_rules(), key in "[a-z_]{1,8}", text in talk()) {
        let mut more = plain.clone();
        let input = more.call.input().map(std::borrow::Cow::into_owned);
        if let Some(Value::Object(mut fields)) = input
            && !fields.contains_key(&key)
        {
            fields.insert(key, Value::String(text));
            more.call.raw_input = Some(Value::Object(fields).into());
        }
        if allows(&more) {
            prop_assert!(allows(&plain), "{more:?}");
        }
    }
}
