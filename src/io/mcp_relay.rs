//! Stands between an agent and one MCP server, and passes on what they say; see [`crate::bridge::mcp_relay`].

use std::collections::BTreeMap;
use std::error::Error;
use std::io;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, BufReader,
};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::bridge::lines::LINE_LIMIT_BYTES;
use crate::bridge::mcp_relay::{refusal, relayed};
use crate::core::backend::McpTransport;
use crate::io::launch;
use crate::io::mcp_probe;
use crate::io::places::SearchPlaces;
use crate::io::process::{Bond, Pipes, Process, Start};

/// How long a server may take to end once the agent has.
const END_LIMIT: Duration = Duration::from_secs(1);

/// Passes messages on between our stdin and stdout and the server, until either ends.
pub fn run(server: &McpTransport) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let end = runtime.block_on(async {
        match server {
            McpTransport::Stdio { command, args, env } => relay_command(command, args, env).await,
            McpTransport::Http { url, headers } => {
                let server = mcp_probe::way_to(url, headers).map_err(io::Error::other)?;
                relay_messages(server).await
            }
            McpTransport::Sse { .. } => {
                Err(io::Error::other("servers of type sse are not relayed"))
            }
        }
    });
    // Nothing ends a thread that reads stdin.
    runtime.shutdown_background();
    end
}

async fn relay_command(
    command: &str,
    args: &[String],
    env: &BTreeMap<String, String>,
) -> io::Result<()> {
    let places = SearchPlaces::of_this_system();
    let launch = launch::resolve(command, args, &places).map_err(io::Error::other)?;
    let mut process = Process::spawn(&Start {
        launch: &launch,
        cwd: &std::env::current_dir()?,
        env,
        path: launch::child_path(&launch, &places),
        bond: Bond::Agent,
    })?;
    let Pipes {
        stdin: Some(mut input),
        stdout: Some(output),
        stderr: Some(mut errors),
    } = process.take_pipes()
    else {
        return Err(io::Error::other("the server has no pipes"));
    };
    let to_server = async move {
        let end = tokio::io::copy(&mut tokio::io::stdin(), &mut input).await;
        // It sees the end of its input.
        drop(input);
        end.map(drop)
    };
    let words = async {
        let end = tokio::io::copy(&mut errors, &mut tokio::io::stderr()).await;
        tracing::debug!(?end, "the server has closed its stderr");
        std::future::pending::<()>().await;
    };
    let to_agent = pass_on_lines(output);
    tokio::pin!(to_agent, words);
    tokio::select! {
        end = &mut to_agent => return end,
        end = to_server => end?,
        () = &mut words => {}
    }
    tokio::select! {
        end = &mut to_agent => end,
        () = &mut words => Ok(()),
        () = tokio::time::sleep(END_LIMIT) => Ok(()),
    }
}

/// Writes the lines of a server as the agent gets them.
async fn pass_on_lines(output: impl AsyncRead + Unpin) -> io::Result<()> {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut limited = (&mut output).take(LINE_LIMIT_BYTES as u64);
        match limited.read_until(b'\n', &mut line).await? {
            0 => return Ok(()),
            LINE_LIMIT_BYTES if line.last() != Some(&b'\n') => {
                return Err(io::Error::other("a line of the server is too long"));
            }
            _ => {}
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        match str::from_utf8(&line) {
            Ok(text) => write_line(relayed(text).as_bytes()).await?,
            Err(_) => write_line(&line).await?,
        }
    }
}

async fn relay_messages(mut server: impl Transport<RoleClient> + 'static) -> io::Result<()> {
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let mut sending = JoinSet::new();
    loop {
        let answer = tokio::select! {
            line = lines.next_line() => match line? {
                None => break,
                Some(line) => {
                    let (id, message) = read(&line);
                    sending.spawn(sent(id, message.map(|message| server.send(message))));
                    None
                }
            },
            message = server.receive() => if let Some(message) = message {
                Some(relayed(&serde_json::to_string(&message)?).into_owned())
            } else {
                // What was on its way says why.
                for refusal in sending.join_all().await.into_iter().flatten() {
                    write_line(refusal.as_bytes()).await?;
                }
                break;
            },
            Some(refusal) = sending.join_next() => refusal.map_err(io::Error::other)?,
        };
        if let Some(answer) = answer {
            write_line(answer.as_bytes()).await?;
        }
    }
    // It is gone, or it takes leave.
    if !matches!(timeout(END_LIMIT, server.close()).await, Ok(Ok(()))) {
        tracing::debug!("the connection to the server did not end well");
    }
    Ok(())
}

/// A message of the agent, and its id if it is a request.
fn read(line: &str) -> (Option<Value>, serde_json::Result<ClientJsonRpcMessage>) {
    let message = serde_json::from_str::<Value>(line).unwrap_or_default();
    let id = message
        .get("method")
        .and_then(|_| message.get("id"))
        .cloned();
    (id, serde_json::from_value(message))
}

/// Waits until a message is sent; what comes of it is the answer to a request that did not get there.
async fn sent<E: Error>(
    id: Option<Value>,
    sending: serde_json::Result<impl Future<Output = Result<(), E>>>,
) -> Option<String> {
    let fault = match sending {
        Ok(sending) => sending.await.err()?.to_string(),
        Err(error) => error.to_string(),
    };
    tracing::debug!(fault, "a message can't be passed on");
    Some(refusal(&id?, &fault))
}

async fn write_line(line: &[u8]) -> io::Result<()> {
    let mut out = tokio::io::stdout();
    out.write_all(line).await?;
    out.write_all(b"\n").await?;
    out.flush().await
}
