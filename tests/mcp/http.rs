//! Servers at an address.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agent_panel::core::mcp::{McpSoftware, McpState, McpTool};
use serde_json::json;
use tokio::net::TcpListener;

use crate::server::{Reply, Request, Server};
use crate::{http_server, names, outcome, probe_all, probe_one, refusal, usual_answer};

/// A server that answers as usual.
async fn usual() -> Server {
    Server::start(answer).await
}

fn answer(request: &Request) -> Reply {
    match usual_answer(request) {
        Some(answer) => Reply::json(&answer),
        None => Reply::status(202, &[], ""),
    }
}

#[tokio::test]
async fn a_server_tells_its_name_and_the_tools_of_all_pages() {
    let server = Server::start(|request| {
        let cursor = request.at("/params/cursor");
        let page = match (request.rpc_method(), cursor.as_str()) {
            ("tools/list", None) => json!({"nextCursor": "more", "tools": [{
                "name": "look", "description": "Looks.", "inputSchema": {"type": "object"},
                "annotations": {"readOnlyHint": true, "destructiveHint": false},
            }]}),
            ("tools/list", Some("more")) => {
                json!({"tools": [{"name": "touch", "inputSchema": {"type": "object"}}]})
            }
            ("initialize", _) => {
                let body = usual_answer(request).expect("it is a request").to_string();
                let headers = ["Content-Type: application/json", "Mcp-Session-Id: s-1"];
                return Reply::status(200, &headers, &body);
            }
            _ => return answer(request),
        };
        Reply::json(&json!({"jsonrpc": "2.0", "id": request.at("/id"), "result": page}))
    })
    .await;
    let url = format!("{}/mcp", server.origin);

    let status = probe_one(http_server(
        &url,
        &[("Authorization", "Bearer abc"), ("X-Team", "a b")],
    ))
    .await;

    assert_eq!(outcome(&status), "Connected");
    let software = McpSoftware {
        name: "test-server".to_owned(),
        version: "1.2.3".to_owned(),
    };
    assert_eq!(status.software, Some(software));
    let look = McpTool {
        name: "look".to_owned(),
        wire_name: None,
        description: Some("Looks.".to_owned()),
        read_only: Some(true),
        destructive: Some(false),
    };
    let touch = McpTool {
        name: "touch".to_owned(),
        wire_name: None,
        description: None,
        read_only: None,
        destructive: None,
    };
    assert_eq!(status.tools, [look, touch]);
    let requests = server.requests();
    for request in &requests {
        assert_eq!(request.path, "/mcp");
        assert_eq!(
            request.header("authorization"),
            Some("Bearer abc"),
            "{request:?}"
        );
        assert_eq!(request.header("x-team"), Some("a b"));
    }
    let last = requests.last().expect("there were some");
    assert_eq!(
        (last.method.as_str(), last.header("mcp-session-id")),
        ("DELETE", Some("s-1"))
    );
}

#[tokio::test]
async fn answers_may_come_as_events() {
    let server = Server::start(|request| match usual_answer(request) {
        Some(answer) => Reply::events(&format!(
            ": ping\n\nevent: message\ndata: {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{{\"level\":\"info\",\"data\":1}}}}\n\nevent: message\ndata: {answer}\n\n"
        )),
        None => Reply::status(202, &[], ""),
    })
    .await;
    let status = probe_one(http_server(&server.origin, &[])).await;
    assert_eq!(outcome(&status), "Connected");
    assert_eq!(names(&status), ["look", "touch"]);
}

#[tokio::test]
async fn a_server_that_wants_a_sign_in_is_told_apart() {
    let challenges: [&[&str]; 3] = [
        &["WWW-Authenticate: Bearer resource_metadata=\"https://example.com\""],
        &[],
        &["Content-Type: application/json"],
    ];
    for headers in challenges {
        let server =
            Server::start(move |_| Reply::status(401, headers, r#"{"error": "no"}"#)).await;
        let status = probe_one(http_server(&server.origin, &[])).await;
        assert_eq!(outcome(&status), "NeedsAuth", "{headers:?}");
    }
}

#[tokio::test]
async fn a_token_that_runs_out_in_between_is_told_too() {
    let server = Server::start(|request| match request.rpc_method() {
        "tools/list" => Reply::status(401, &["WWW-Authenticate: Bearer"], ""),
        _ => answer(request),
    })
    .await;
    let status = probe_one(http_server(&server.origin, &[])).await;
    assert_eq!(outcome(&status), "NeedsAuth");
}

#[tokio::test]
async fn a_server_that_is_not_there_or_is_something_else_fails_with_a_reason() {
    let free = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let gone = format!(
        "http://{}/mcp?api_key=secret-1",
        free.local_addr().expect("it is bound")
    );
    drop(free);
    let status = probe_one(http_server(&gone, &[])).await;
    let text = outcome(&status);
    assert!(text.starts_with("can't connect: "), "{text}");
    assert!(
        !text.contains("secret") && !text.contains("127.0.0.1"),
        "{text}"
    );

    let cases = [
        (503, "", "", "HTTP 503"),
        (
            404,
            "text/html",
            "<html>no</html>",
            "HTTP 404 Not Found: <html>no</html>",
        ),
        (
            200,
            "text/html",
            "<html>hello</html>",
            "Unexpected content type: Some(\"text/html\")",
        ),
        (403, "application/json", "{}", "HTTP 403 Forbidden: {}"),
        (
            307,
            "text/html",
            "moved",
            "HTTP 307 Temporary Redirect: moved",
        ),
    ];
    for (code, kind, body, expected) in cases {
        let kind = format!("Content-Type: {kind}");
        let server = Server::start(move |_| Reply::status(code, &[&kind], body)).await;
        let status = probe_one(http_server(&server.origin, &[])).await;
        assert_eq!(outcome(&status), expected);
    }
    let server =
        Server::start(|_| Reply::status(200, &["Content-Type: application/json"], "{")).await;
    let status = probe_one(http_server(&server.origin, &[])).await;
    assert!(outcome(&status).contains("could not parse"), "{status:?}");
}

#[tokio::test]
async fn an_address_or_a_header_that_can_t_be_used_is_said_so() {
    let cases = [
        (http_server("example", &[]), "the address is not valid"),
        (
            http_server("file:///etc/passwd", &[]),
            "the address is not valid",
        ),
        (
            http_server("http://127.0.0.1:1", &[("X Y", "a")]),
            "the header can't be sent: X Y",
        ),
        (
            http_server("http://127.0.0.1:1", &[("X", "a\nb")]),
            "the header can't be sent: X",
        ),
    ];
    for (server, expected) in cases {
        assert_eq!(outcome(&probe_one(server).await), expected);
    }
}

#[tokio::test]
async fn what_a_server_writes_back_of_its_secrets_is_hidden() {
    let server = Server::start(|request| {
        let auth = request.header("authorization").unwrap_or_default();
        Reply::json(&refusal(
            request,
            -32000,
            &format!("bad {auth}\nor {}", request.path),
        ))
    })
    .await;
    let url = format!("{}/mcp?key=secret-1", server.origin);
    let status = probe_one(http_server(&url, &[("Authorization", "Bearer secret-2")])).await;
    assert_eq!(
        outcome(&status),
        "the server refuses: bad ••• or /mcp?••• (-32000)"
    );
}

#[tokio::test]
async fn headers_don_t_follow_a_redirect_to_another_place() {
    let stranger = usual().await;
    let elsewhere = format!("Location: {}/mcp", stranger.origin);
    let server = Server::start(move |_| Reply::status(307, &[&elsewhere], "")).await;
    let status = probe_one(http_server(&server.origin, &[("X-Api-Key", "secret")])).await;
    assert_eq!(status.state, McpState::Failed);
    assert!(stranger.requests().is_empty());
}

#[tokio::test]
async fn a_redirect_within_the_place_is_followed() {
    let server = Server::start(|request| {
        if request.path == "/mcp/" {
            answer(request)
        } else {
            Reply::status(307, &["Location: /mcp/"], "")
        }
    })
    .await;
    let status = probe_one(http_server(&format!("{}/mcp", server.origin), &[])).await;
    assert_eq!(outcome(&status), "Connected");
}

#[tokio::test]
async fn pages_without_end_are_given_up() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let server = Server::start(move |request| {
        if request.rpc_method() != "tools/list" {
            return answer(request);
        }
        let page = counter.fetch_add(1, Ordering::Relaxed);
        let result =
            json!({"nextCursor": page.to_string(), "tools": [crate::tool(&page.to_string())]});
        Reply::json(&json!({"jsonrpc": "2.0", "id": request.at("/id"), "result": result}))
    })
    .await;
    let status = probe_one(http_server(&server.origin, &[])).await;
    assert_eq!(outcome(&status), "Connected");
    assert_eq!(
        (status.tools.len(), asked.load(Ordering::Relaxed)),
        (50, 50)
    );
}

#[tokio::test]
async fn a_server_without_tools_is_connected() {
    let server = Server::start(|request| match request.rpc_method() {
        "tools/list" => Reply::json(&refusal(request, -32601, "Method not found")),
        _ => answer(request),
    })
    .await;
    let status = probe_one(http_server(&server.origin, &[])).await;
    assert_eq!(
        (outcome(&status).as_str(), status.tools.len()),
        ("Connected", 0)
    );
}

#[tokio::test]
async fn a_server_of_the_protocol_without_greeting_is_asked_its_way() {
    let server = Server::start(|request| {
        let result = match request.rpc_method() {
            "server/discover" => json!({
                "resultType": "complete",
                "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {}},
                "ttlMs": 0, "cacheScope": "private",
                "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "modern", "version": "2"}},
            }),
            "tools/list" => json!({"resultType": "complete", "tools": [crate::tool("look")]}),
            _ => return Reply::json(&refusal(request, -32601, "Method not found")),
        };
        Reply::json(&json!({"jsonrpc": "2.0", "id": request.at("/id"), "result": result}))
    })
    .await;
    let status = probe_one(http_server(&server.origin, &[])).await;
    assert_eq!(outcome(&status), "Connected");
    assert_eq!(names(&status), ["look"]);
}

/// The clock is paused: it goes on by itself as soon as nothing else is left to do.
#[tokio::test(start_paused = true)]
async fn a_silent_server_is_given_up_after_ten_seconds() {
    let server = Server::start(|_| Reply::Silence).await;
    let start = tokio::time::Instant::now();
    let status = probe_one(http_server(&server.origin, &[])).await;
    assert_eq!(outcome(&status), "no answer within 10 seconds");
    assert_eq!(start.elapsed().as_secs(), 10);
}

#[tokio::test]
async fn servers_are_asked_at_once_and_answered_in_order() {
    let bad = Server::start(|_| Reply::status(500, &[], "")).await;
    let good = usual().await;
    let silent = Server::start(|_| Reply::Silence).await;
    let named = |name: &str, url: &str| {
        let mut server = http_server(url, &[]);
        server.name = name.to_owned();
        server
    };
    tokio::time::pause();
    let start = tokio::time::Instant::now();
    let statuses = probe_all(vec![
        named("silent", &silent.origin),
        named("bad", &bad.origin),
        named("silent too", &silent.origin),
        named("address", "nowhere"),
    ])
    .await;
    let names: Vec<_> = statuses.iter().map(|status| status.name.as_str()).collect();
    assert_eq!(names, ["silent", "bad", "silent too", "address"]);
    assert_eq!(start.elapsed().as_secs(), 10);
    tokio::time::resume();
    let statuses = probe_all(vec![named("bad", &bad.origin), named("good", &good.origin)]).await;
    let outcomes: Vec<_> = statuses.iter().map(outcome).collect();
    assert_eq!(outcomes, ["HTTP 500", "Connected"]);
    assert_eq!(probe_all(Vec::new()).await, []);
}
