//! Servers passed on to an agent by `agent-panel mcp-relay`.

use agent_panel::bridge::mcp_relay::through;
use agent_panel::core::backend::{McpServer, McpTransport};
use agent_panel::core::notice::ExitStatus;
use agent_panel::io::launch;
use agent_panel::io::places::SearchPlaces;
use agent_panel::io::process::{Bond, Process, Start};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::net::TcpListener;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};

use crate::server::{Reply, Server};
use crate::{http_server, usual_answer};

/// The relay of a server, with us as the agent.
struct Relay {
    process: Process,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    /// It may write there.
    _errors: Option<ChildStderr>,
}

impl Relay {
    fn start(server: McpServer) -> Self {
        let relay = through(server, env!("CARGO_BIN_EXE_agent-panel"));
        let McpTransport::Stdio { command, args, env } = relay.transport else {
            panic!("it is a command");
        };
        let launch = launch::resolve(&command, &args, &SearchPlaces::of_this_system());
        let mut process = Process::spawn(&Start {
            launch: &launch.expect("it is there"),
            cwd: &std::env::temp_dir(),
            env: &env,
            path: None,
            bond: Bond::Agent,
        })
        .expect("it starts");
        let pipes = process.take_pipes();
        let output = BufReader::new(pipes.stdout.expect("it has a stdout"));
        Self {
            process,
            input: pipes.stdin.expect("it has a stdin"),
            output: output.lines(),
            _errors: pipes.stderr,
        }
    }

    async fn say(&mut self, message: &Value) {
        let line = format!("{message}\n");
        let said = self.input.write_all(line.as_bytes()).await;
        said.expect("it reads");
    }

    async fn hear(&mut self) -> String {
        let line = self.output.next_line().await.expect("it is text");
        line.expect("there is one more")
    }

    /// The answer to a request.
    async fn ask(&mut self, id: u32, method: &str, params: Value) -> Value {
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await;
        let answer: Value = serde_json::from_str(&self.hear().await).expect("it is JSON");
        assert_eq!(answer.get("id"), Some(&json!(id)), "{answer}");
        answer
    }

    async fn initialize(&mut self) -> Value {
        let params = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "agent", "version": "1"},
        });
        self.ask(0, "initialize", params).await
    }

    async fn end(mut self) -> ExitStatus {
        drop(self.input);
        let rest = self.output.next_line().await.expect("it is text");
        assert_eq!(rest, None);
        self.process.wait().await
    }
}

fn annotated(name: &str) -> Value {
    json!({"name": name, "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}})
}

fn plain(name: &str) -> Value {
    json!({"name": name, "inputSchema": {"type": "object"}})
}

#[tokio::test]
async fn a_server_at_an_address_is_passed_on_without_what_it_says_of_its_tools() {
    let server = Server::start(|request| match request.rpc_method() {
        "initialize" => {
            let body = usual_answer(request).expect("it is a request").to_string();
            let headers = ["Content-Type: application/json", "Mcp-Session-Id: s-1"];
            Reply::status(200, &headers, &body)
        }
        "tools/list" => {
            let tools = [annotated("look"), annotated("touch")];
            let result = json!({"tools": tools, "nextCursor": "p2"});
            let body = json!({"jsonrpc": "2.0", "id": request.at("/id"), "result": result});
            Reply::events(&format!("event: message\ndata: {body}\n\n"))
        }
        "tools/call" => Reply::status(500, &[], "out of order"),
        _ if request.method == "POST" => Reply::status(202, &[], ""),
        _ => Reply::status(405, &[], ""),
    })
    .await;
    let url = format!("{}/mcp", server.origin);
    let mut relay = Relay::start(http_server(&url, &[("Authorization", "Bearer abc")]));

    let hello = relay.initialize().await;
    assert_eq!(hello["result"]["serverInfo"]["name"], "test-server");
    relay
        .say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        .await;
    let list = relay.ask(1, "tools/list", json!({})).await;
    let expected = json!({"tools": [plain("look"), plain("touch")], "nextCursor": "p2"});
    assert_eq!(list["result"], expected);
    let call = relay.ask(2, "tools/call", json!({"name": "look"})).await;
    assert_eq!(call["error"]["code"], -32000, "{call}");
    assert_eq!(relay.end().await, ExitStatus::Code(0));

    let requests = server.requests();
    for request in &requests {
        assert_eq!(request.header("authorization"), Some("Bearer abc"));
        let session = (request.rpc_method() != "initialize").then_some("s-1");
        assert_eq!(request.header("mcp-session-id"), session, "{request:?}");
    }
    let last = requests.last().expect("there were some");
    assert_eq!(last.method, "DELETE");
}

#[tokio::test]
async fn the_agent_hears_that_an_address_does_not_answer() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    drop(listener);
    let mut relay = Relay::start(http_server(&format!("http://{address}/mcp"), &[]));
    let answer = relay.initialize().await;
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("can't connect"), "{answer}");
    assert_eq!(relay.end().await, ExitStatus::Code(0));
}

#[cfg(unix)]
#[tokio::test]
async fn a_command_is_passed_on_line_by_line_and_ends_with_the_agent() {
    let tools = json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": [annotated("look")]}});
    let script = format!(
        "echo \"hello, $WHO\"; read -r line; echo \"$line\"; echo '{tools}'; cat > /dev/null"
    );
    let mut relay = Relay::start(McpServer {
        name: "tested".to_owned(),
        transport: McpTransport::Stdio {
            command: "sh".to_owned(),
            args: vec!["-c".to_owned(), script],
            env: [("WHO".to_owned(), "agent".to_owned())].into(),
        },
    });
    assert_eq!(relay.hear().await, "hello, agent");
    let echoed = relay.ask(1, "tools/list", json!({"a": 1.50})).await;
    assert_eq!(echoed["params"], json!({"a": 1.5}));
    let list: Value = serde_json::from_str(&relay.hear().await).expect("it is JSON");
    assert_eq!(list["result"]["tools"], json!([plain("look")]));
    assert_eq!(relay.end().await, ExitStatus::Code(0));
}
