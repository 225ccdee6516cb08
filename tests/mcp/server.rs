//! A small HTTP server on the loopback, whose answers a test makes up.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// What a server was asked.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Each as `name: value`, the name in small letters.
    pub(crate) headers: Vec<String>,
    pub(crate) body: Value,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let value = |header: &'_ str| header.starts_with(&format!("{name}: "));
        let header = self.headers.iter().find(|header| value(header))?;
        header.get(name.len() + 2..)
    }

    /// The method of its JSON-RPC message.
    pub(crate) fn rpc_method(&self) -> &str {
        let method = self.body.get("method").and_then(Value::as_str);
        method.unwrap_or_default()
    }

    /// What is at a JSON pointer of its message; null when there is nothing.
    pub(crate) fn at(&self, pointer: &str) -> Value {
        self.body.pointer(pointer).cloned().unwrap_or_default()
    }
}

/// What a server answers.
pub(crate) enum Reply {
    Text {
        status: u16,
        headers: Vec<String>,
        body: String,
    },
    /// An event stream that lasts until the sender is dropped.
    Events(mpsc::Receiver<String>),
    /// Nothing, ever.
    Silence,
}

impl Reply {
    pub(crate) fn status(status: u16, headers: &[&str], body: &str) -> Self {
        Self::Text {
            status,
            headers: headers.iter().map(|header| (*header).to_owned()).collect(),
            body: body.to_owned(),
        }
    }

    pub(crate) fn json(body: &Value) -> Self {
        Self::status(200, &["Content-Type: application/json"], &body.to_string())
    }

    pub(crate) fn events(body: &str) -> Self {
        Self::status(200, &["Content-Type: text/event-stream"], body)
    }
}

/// A server. Dropping it ends it.
pub(crate) struct Server {
    pub(crate) origin: String,
    requests: Arc<Mutex<Vec<Request>>>,
    task: JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, answer) = (Arc::clone(&requests), Arc::new(answer));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
                tokio::spawn(async move {
                    // A client that goes away is none of the test's business.
                    drop(serve(stream, &seen, answer.as_ref()).await);
                });
            }
        });
        Self {
            origin: format!("http://127.0.0.1:{port}"),
            requests,
            task,
        }
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("no test has failed").clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    stream: TcpStream,
    seen: &Mutex<Vec<Request>>,
    answer: &(dyn Fn(&Request) -> Reply + Send + Sync),
) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    while let Some(request) = read(&mut stream).await? {
        let reply = answer(&request);
        seen.lock().expect("no test has failed").push(request);
        match reply {
            Reply::Text {
                status,
                headers,
                body,
            } => {
                let mut head = format!(
                    "HTTP/1.1 {status} Something\r\nContent-Length: {}\r\n",
                    body.len()
                );
                for header in headers {
                    head.push_str(&header);
                    head.push_str("\r\n");
                }
                let text = format!("{head}\r\n{body}");
                stream.write_all(text.as_bytes()).await?;
            }
            Reply::Events(mut events) => {
                let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
                stream.write_all(head.as_bytes()).await?;
                while let Some(event) = events.recv().await {
                    stream.write_all(event.as_bytes()).await?;
                }
                return Ok(());
            }
            Reply::Silence => std::future::pending().await,
        }
    }
    Ok(())
}

async fn read(stream: &mut BufReader<TcpStream>) -> std::io::Result<Option<Request>> {
    let mut first = String::new();
    if stream.read_line(&mut first).await? == 0 {
        return Ok(None);
    }
    let mut words = first.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next(), words.next());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push(format!("{}: {}", name.to_ascii_lowercase(), value.trim()));
    }
    let mut request = Request {
        method: method.unwrap_or_default(),
        path: path.unwrap_or_default(),
        headers,
        body: Value::Null,
    };
    let length = request
        .header("content-length")
        .and_then(|length| length.parse().ok())
        .unwrap_or_default();
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    request.body = serde_json::from_slice(&body).unwrap_or_default();
    Ok(Some(request))
}
