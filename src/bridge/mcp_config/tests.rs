//! Tests of the files' forms, as a table, and of what a hostile or broken file does.

use serde_json::json;

use super::*;

/// Writes what was imported in few words.
fn summary(imported: &Imported) -> Vec<String> {
    let servers = imported.servers.iter().map(|found| {
        let off = if found.enabled { "" } else { " (off)" };
        let how = match &found.server.transport {
            McpTransport::Stdio { command, args, env } => format!("{command} {args:?} {env:?}"),
            McpTransport::Http { url, headers } => format!("http {url} {headers:?}"),
            McpTransport::Sse { url, headers } => format!("sse {url} {headers:?}"),
        };
        format!("{}{off}: {how}", found.server.name)
    });
    let problems = imported.problems.iter().map(|problem| {
        let server = problem.server.as_deref().unwrap_or("file");
        format!("! {server}: {:?}", problem.issue)
    });
    servers.chain(problems).collect()
}

fn check(format: ConfigFormat, text: &str, expected: &[&str]) {
    let imported = import(format, text, Path::new("/home/me/game"));
    assert_eq!(summary(&imported), expected, "{text}");
}

#[test]
fn mcp_json() {
    let text = json!({"mcpServers": {
        "files": {"command": "npx", "args": ["-y", "server-files", 3000], "env": {"ROOT": "/a", "PORT": 1, "DEBUG": true}},
        "typed": {"type": "stdio", "command": "serve"},
        "web": {"url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${TOKEN}", "X-Team": "$TEAM"}},
        "stream": {"type": "http", "url": "https://example.com/${PATH_PART:-mcp}"},
        "alias": {"type": "streamable-http", "url": "https://example.com"},
        "old": {"type": "sse", "url": "https://example.com/sse"},
        "off": {"command": "serve", "disabled": true},
    }})
    .to_string();
    check(
        ConfigFormat::McpServers,
        &format!("\u{feff}{text}"),
        &[
            r#"files: npx ["-y", "server-files", "3000"] {"DEBUG": "true", "PORT": "1", "ROOT": "/a"}"#,
            "typed: serve [] {}",
            r#"web: http https://example.com/mcp {"Authorization": "Bearer ${TOKEN}", "X-Team": "$TEAM"}"#,
            "stream: http https://example.com/${PATH_PART:-mcp} {}",
            "alias: http https://example.com {}",
            "old: sse https://example.com/sse {}",
            "off (off): serve [] {}",
            r#"! web: Variable { name: "TEAM" }"#,
            r#"! web: Variable { name: "TOKEN" }"#,
            r#"! stream: Variable { name: "PATH_PART" }"#,
        ],
    );
}

#[test]
fn one_bad_entry_costs_nothing_else() {
    let text = json!({"mcpServers": {
        "no-table": "npx",
        "nothing": {},
        "empty": {"command": " "},
        "socket": {"type": "ws", "url": "wss://example.com"},
        "args": {"command": "npx", "args": "-y"},
        "nested": {"command": "npx", "args": [["-y"]]},
        "env": {"command": "npx", "env": ["A=b"]},
        "headers": {"url": "https://example.com", "headers": {"X": null}},
        "command": {"command": ["npx"]},
        "mixed": {"type": "http", "command": "npx"},
        "elsewhere": {"command": "npx", "cwd": "/tmp", "envFile": ".env"},
        "null": {"command": "npx", "args": null, "env": null},
    }});
    check(
        ConfigFormat::McpServers,
        &text.to_string(),
        &[
            "elsewhere: npx [] {}",
            "null: npx [] {}",
            r#"! no-table: WrongType { field: "", expected: Table }"#,
            "! nothing: NothingToReach",
            "! empty: NothingToReach",
            r#"! socket: UnknownTransport { transport: "ws" }"#,
            r#"! args: WrongType { field: "args", expected: TextList }"#,
            r#"! nested: WrongType { field: "args", expected: TextList }"#,
            r#"! env: WrongType { field: "env", expected: TextTable }"#,
            r#"! headers: WrongType { field: "headers", expected: TextTable }"#,
            r#"! command: WrongType { field: "command", expected: Text }"#,
            "! mixed: NothingToReach",
            r#"! elsewhere: Ignored { field: "cwd" }"#,
            r#"! elsewhere: Ignored { field: "envFile" }"#,
        ],
    );
}

#[test]
fn claude_has_servers_for_a_project_and_for_everywhere() {
    let text = json!({
        "mcpServers": {"both": {"command": "everywhere"}, "all": {"command": "all"}},
        "projects": {
            "/home/me/other": {"mcpServers": {"other": {"command": "no"}}},
            "/home/me/game": {"mcpServers": {"both": {"command": "here"}}, "allowedTools": []},
        },
    });
    check(
        ConfigFormat::Claude,
        &text.to_string(),
        &["both: here [] {}", "all: all [] {}"],
    );
}

#[test]
fn claude_writes_windows_folders_with_other_separators() {
    let text =
        json!({"projects": {"C:/Users/me/game/": {"mcpServers": {"here": {"command": "x"}}}}});
    let imported = import(
        ConfigFormat::Claude,
        &text.to_string(),
        Path::new(r"C:\Users\me\game"),
    );
    assert_eq!(summary(&imported), ["here: x [] {}"]);
}

#[test]
fn codex() {
    let text = r#"
model = "gpt-5"
[mcp_servers.files]
command = "npx"
args = ["-y", "server-files"]
cwd = "/tmp"
env_vars = ["HOME_TOKEN", { name = "OTHER", source = "local" }]
[mcp_servers.files.env]
ROOT = "/a"
[mcp_servers."my web"]
url = "https://example.com/mcp"
bearer_token_env_var = "WEB_TOKEN"
http_headers = { "X-Team" = "a" }
env_http_headers = { "X-Key" = "WEB_KEY" }
[mcp_servers.off]
command = "serve"
enabled = false
startup_timeout_sec = 20
[mcp_servers.bad]
enabled = true
"#;
    check(
        ConfigFormat::Codex,
        text,
        &[
            r#"files: npx ["-y", "server-files"] {"HOME_TOKEN": "${HOME_TOKEN}", "OTHER": "${OTHER}", "ROOT": "/a"}"#,
            r#"my web: http https://example.com/mcp {"Authorization": "Bearer ${WEB_TOKEN}", "X-Key": "${WEB_KEY}", "X-Team": "a"}"#,
            "off (off): serve [] {}",
            r#"! files: Variable { name: "HOME_TOKEN" }"#,
            r#"! files: Variable { name: "OTHER" }"#,
            r#"! files: Ignored { field: "cwd" }"#,
            r#"! my web: Variable { name: "WEB_KEY" }"#,
            r#"! my web: Variable { name: "WEB_TOKEN" }"#,
            "! bad: NothingToReach",
        ],
    );
}

#[test]
fn gemini() {
    let text = r#"{
        // Comments are allowed here.
        "theme": "Default",
        "mcpServers": {
            "http": {"httpUrl": "https://example.com/mcp", "url": "https://example.com/sse", "headers": {"X": "y"}},
            "sse": {"url": "https://example.com/sse", "timeout": 5000, "trust": true},
            "typed": {"type": "http", "url": "https://example.com/typed"},
            "stdio": {"command": "python", "args": ["-m", "serve"], "env": {"KEY": "$MY_KEY"}, "cwd": "./a"},
        },
    }"#;
    check(
        ConfigFormat::Gemini,
        text,
        &[
            r#"http: http https://example.com/mcp {"X": "y"}"#,
            "sse: sse https://example.com/sse {}",
            "typed: http https://example.com/typed {}",
            r#"stdio: python ["-m", "serve"] {"KEY": "$MY_KEY"}"#,
            r#"! stdio: Variable { name: "MY_KEY" }"#,
            r#"! stdio: Ignored { field: "cwd" }"#,
        ],
    );
}

#[test]
fn vs_code() {
    let text = json!({
        "inputs": [{"id": "key", "type": "promptString", "password": true}],
        "servers": {"web": {"type": "http", "url": "https://example.com", "headers": {"X-Key": "${input:key}"}},
            "local": {"command": "serve", "args": ["${env:ROOT}"]}},
    });
    check(
        ConfigFormat::VsCode,
        &text.to_string(),
        &[
            r#"web: http https://example.com {"X-Key": "${input:key}"}"#,
            r#"local: serve ["${env:ROOT}"] {}"#,
            r#"! web: Variable { name: "input:key" }"#,
            r#"! local: Variable { name: "ROOT" }"#,
        ],
    );
}

#[test]
fn a_file_without_servers_is_no_problem() {
    for format in [
        ConfigFormat::McpServers,
        ConfigFormat::Claude,
        ConfigFormat::Gemini,
        ConfigFormat::VsCode,
    ] {
        check(format, r#"{"other": 1, "mcpServers": null}"#, &[]);
    }
    check(ConfigFormat::Codex, "", &[]);
}

#[test]
fn a_broken_file_is_one_problem_without_its_content() {
    check(
        ConfigFormat::McpServers,
        "{\"mcpServers\":\n{\"a\": sk-secret}}",
        &[r#"! file: Syntax { message: "expected value", line: 2 }"#],
    );
    check(
        ConfigFormat::McpServers,
        r#"{"mcpServers": ["sk-secret"]}"#,
        &[r#"! file: WrongType { field: "mcpServers", expected: Table }"#],
    );
    check(
        ConfigFormat::Codex,
        "mcp_servers = 1",
        &[r#"! file: WrongType { field: "mcp_servers", expected: Table }"#],
    );
    let broken = import(
        ConfigFormat::Codex,
        "[mcp_servers.a]\ncommand = sk-secret\n",
        Path::new("/"),
    );
    let [problem] = broken.problems.as_slice() else {
        panic!("{broken:?}");
    };
    assert!(
        matches!(problem.issue, ImportIssue::Syntax { line: 2, .. }),
        "{problem:?}"
    );
    assert!(!format!("{problem:?}").contains("secret"), "{problem:?}");
}

#[test]
fn text_without_end_or_depth_is_refused() {
    let deep = "{\"a\":".repeat(100_000);
    assert_eq!(
        import(ConfigFormat::McpServers, &deep, Path::new("/"))
            .problems
            .len(),
        1
    );
    let deep = format!("a = {}", "[".repeat(100_000));
    assert_eq!(
        import(ConfigFormat::Codex, &deep, Path::new("/"))
            .problems
            .len(),
        1
    );
}

fn ops(entry: serde_json::Value) -> Result<Option<McpServer>, ImportProblem> {
    unity_ops_server(
        &json!({"mcpServers": {"mine": {"command": "npx"}, "unity-ops": entry}}).to_string(),
    )
}

#[test]
fn the_ops_server_of_a_unity_editor() {
    let found = ops(json!({
        "type": "http", "url": "http://127.0.0.1:51234/mcp", "headers": {"Authorization": "Bearer abc"},
    }));
    let expected = McpServer {
        name: "unity-ops".to_owned(),
        transport: McpTransport::Http {
            url: "http://127.0.0.1:51234/mcp".to_owned(),
            headers: [("Authorization".to_owned(), "Bearer abc".to_owned())].into(),
        },
    };
    assert_eq!(found, Ok(Some(expected)));
    assert_eq!(unity_ops_server(r#"{"mcpServers": {}}"#), Ok(None));
    assert!(unity_ops_server("not json").is_err());
    assert!(ops(json!({"type": "ws"})).is_err());
}

#[test]
fn an_ops_server_that_is_a_command_or_elsewhere_is_not_believed() {
    let strangers = [
        json!({"command": "rm", "args": ["-rf", "/"]}),
        json!({"type": "sse", "url": "http://127.0.0.1:1/sse"}),
        json!({"url": "https://example.com/mcp"}),
        json!({"url": "http://192.168.0.1/mcp"}),
        json!({"url": "http://127.0.0.1.example.com/mcp"}),
        json!({"url": "http://127.0.0.1@example.com/mcp"}),
        json!({"url": "http://127.0.0.1:80@example.com/mcp"}),
        json!({"url": "http://localhost:pw@example.com"}),
        json!({"url": "http://[::1].example.com/"}),
        json!({"url": "file:///127.0.0.1"}),
    ];
    for stranger in strangers {
        let expected = ImportProblem {
            server: Some("unity-ops".to_owned()),
            issue: ImportIssue::NotLocal,
        };
        assert_eq!(ops(stranger.clone()), Err(expected), "{stranger}");
    }
    for url in [
        "http://localhost:1/mcp",
        "http://[::1]:1/mcp",
        "http://127.0.0.1/mcp",
    ] {
        assert!(matches!(ops(json!({"url": url})), Ok(Some(_))), "{url}");
    }
}

#[test]
fn the_files_of_a_folder_and_of_a_person() {
    let places = ConfigPlaces {
        home: Some("/home/me".into()),
        ..ConfigPlaces::default()
    };
    let paths = |folder: &str, places: &ConfigPlaces| {
        config_files(Path::new(folder), places)
            .into_iter()
            .map(|file| (file.owner, file.path.to_string_lossy().replace('\\', "/")))
            .collect::<Vec<_>>()
    };
    let of = |owner, path: &str| (owner, path.to_owned());
    assert_eq!(
        paths("/game", &places),
        [
            of(ConfigOwner::Folder, "/game/.mcp.json"),
            of(ConfigOwner::Folder, "/game/.codex/config.toml"),
            of(ConfigOwner::Folder, "/game/.gemini/settings.json"),
            of(ConfigOwner::Folder, "/game/.qwen/settings.json"),
            of(ConfigOwner::Folder, "/game/.cursor/mcp.json"),
            of(ConfigOwner::Folder, "/game/.vscode/mcp.json"),
            of(ConfigOwner::Person, "/home/me/.claude.json"),
            of(ConfigOwner::Person, "/home/me/.codex/config.toml"),
            of(ConfigOwner::Person, "/home/me/.gemini/settings.json"),
            of(ConfigOwner::Person, "/home/me/.qwen/settings.json"),
            of(ConfigOwner::Person, "/home/me/.cursor/mcp.json"),
        ]
    );
    let moved = ConfigPlaces {
        claude: Some("/c".into()),
        codex: Some("/x".into()),
        ..places.clone()
    };
    let moved = paths("/game", &moved);
    assert!(moved.contains(&of(ConfigOwner::Person, "/c/.claude.json")));
    assert!(moved.contains(&of(ConfigOwner::Person, "/x/config.toml")));
    assert!(!moved.contains(&of(ConfigOwner::Person, "/home/me/.claude.json")));

    let at_home = paths("/home/me", &places);
    let twice = at_home
        .iter()
        .filter(|(_, path)| path.ends_with(".codex/config.toml"));
    assert_eq!(twice.count(), 1);
    assert_eq!(paths("/game", &ConfigPlaces::default()).len(), 6);
}

#[test]
fn where_a_unity_project_keeps_the_address_of_its_editor() {
    let path = unity_ops_config_path(Path::new("/game"));
    let expected = Path::new("/game/UserSettings/AgentPanel/uap-mcp-config.json");
    assert_eq!(path, expected);
}
