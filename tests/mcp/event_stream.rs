//! Servers that speak in an event stream, as in the protocol of 2024.

use std::sync::Mutex;

use agent_panel::core::backend::{McpServer, McpTransport};
use tokio::sync::mpsc;

use crate::server::{Reply, Request, Server};
use crate::{names, outcome, probe_one, usual_answer};

fn sse_server(url: &str) -> McpServer {
    McpServer {
        name: "tested".to_owned(),
        transport: McpTransport::Sse {
            url: url.to_owned(),
            headers: [("X-Api-Key".to_owned(), "abc".to_owned())].into(),
        },
    }
}

/// A server that names `endpoint`, and answers there by events.
fn speaker(endpoint: &str) -> impl Fn(&Request) -> Reply + Send + Sync + 'static {
    let stream: Mutex<Option<mpsc::Sender<String>>> = Mutex::new(None);
    let endpoint = endpoint.to_owned();
    move |request| {
        let mut stream = stream.lock().expect("no test has failed");
        if request.method == "GET" {
            let (sender, receiver) = mpsc::channel(16);
            let first = format!("event: endpoint\r\ndata: {endpoint}\r\n\r\n: ping\r\n\r\n");
            sender.try_send(first).expect("there is room");
            *stream = Some(sender);
            return Reply::Events(receiver);
        }
        let sender = stream.as_ref().expect("the stream was opened first");
        if let Some(answer) = usual_answer(request) {
            let event = format!("event: message\r\ndata: {answer}\r\n\r\n");
            sender.try_send(event).expect("there is room");
        }
        Reply::status(202, &[], "Accepted")
    }
}

#[tokio::test]
async fn a_server_names_where_to_post_and_answers_by_events() {
    let server = Server::start(speaker("/messages?session=1")).await;
    let status = probe_one(sse_server(&format!("{}/sse", server.origin))).await;
    assert_eq!(outcome(&status), "Connected");
    assert_eq!(names(&status), ["look", "touch"]);
    let requests = server.requests();
    let (first, posts) = requests.split_first().expect("there were some");
    assert_eq!(
        (first.path.as_str(), first.header("accept")),
        ("/sse", Some("text/event-stream"))
    );
    for post in posts {
        assert_eq!(post.path, "/messages?session=1");
        assert_eq!(post.header("x-api-key"), Some("abc"));
        assert_eq!(post.header("content-type"), Some("application/json"));
    }
    assert_eq!(posts.len(), 3, "{posts:?}");
}

#[tokio::test]
async fn messages_are_not_posted_to_another_place() {
    let stranger = Server::start(|_| Reply::status(200, &[], "")).await;
    let server = Server::start(speaker(&format!("{}/messages", stranger.origin))).await;
    let status = probe_one(sse_server(&server.origin)).await;
    assert_eq!(
        outcome(&status),
        "the server wants its messages sent to another place"
    );
    assert!(stranger.requests().is_empty());
}

#[tokio::test]
async fn a_stream_that_can_t_be_opened_says_why() {
    let cases = [
        (401, "NeedsAuth"),
        (404, "HTTP 404"),
        (200, "the connection was closed"),
    ];
    for (status, expected) in cases {
        let server = Server::start(move |_| Reply::status(status, &[], "")).await;
        let status = probe_one(sse_server(&server.origin)).await;
        assert_eq!(outcome(&status), expected);
    }
}

#[tokio::test]
async fn a_refusal_of_a_message_says_why() {
    let speaker = speaker("/messages");
    let server = Server::start(move |request| match request.method.as_str() {
        "POST" => Reply::status(401, &[], ""),
        _ => speaker(request),
    })
    .await;
    let status = probe_one(sse_server(&server.origin)).await;
    assert_eq!(outcome(&status), "NeedsAuth");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_names_nothing_is_given_up() {
    let server = Server::start(|_| Reply::Silence).await;
    let status = probe_one(sse_server(&server.origin)).await;
    assert_eq!(outcome(&status), "no answer within 10 seconds");
}
