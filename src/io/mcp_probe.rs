//! Asks MCP servers what they offer, with the official SDK, as an agent would when it connects.

mod events;
mod failure;
mod http;
mod offer;
mod secrets;
mod sse;
mod stdio;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use rmcp::model::ProtocolVersion;
use rmcp::transport::Transport;
use rmcp::{ClientLifecycleMode, RoleClient};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use crate::bridge::lines::LINE_LIMIT_BYTES;
use crate::core::backend::{McpServer, McpTransport};
use crate::core::mcp::{McpServerStatus, McpState};
use crate::io::launch;
use crate::io::mcp_probe::failure::Failure;
use crate::io::mcp_probe::offer::Offer;
use crate::io::mcp_probe::secrets::Secrets;
use crate::io::places::SearchPlaces;

/// How long one server may take for everything.
pub const PROBE_LIMIT: Duration = Duration::from_secs(10);

/// Asks all servers at once; the answers are in the order of the servers. Commands run in the working folder and are
/// gone afterwards. Only servers that the person approved may be given: a probe starts their commands.
pub async fn probe(
    servers: Vec<McpServer>,
    cwd: &Path,
    places: &SearchPlaces,
) -> Vec<McpServerStatus> {
    let mut statuses: Vec<_> = servers
        .iter()
        .map(|server| failed(server, "the question broke off".to_owned()))
        .collect();
    let mut asking = JoinSet::new();
    for (index, server) in servers.into_iter().enumerate() {
        let (cwd, places) = (cwd.to_owned(), places.clone());
        asking.spawn(async move { (index, status(&server, &cwd, &places).await) });
    }
    while let Some(done) = asking.join_next().await {
        match done {
            Ok((index, status)) => {
                if let Some(place) = statuses.get_mut(index) {
                    *place = status;
                }
            }
            Err(error) => tracing::error!(%error, "the question to an MCP server broke off"),
        }
    }
    statuses
}

async fn status(server: &McpServer, cwd: &Path, places: &SearchPlaces) -> McpServerStatus {
    let secrets = Secrets::of(server);
    match ask(server, cwd, places).await {
        Ok(offer) => {
            tracing::debug!(server = %server.name, tools = offer.tools.len(), "an MCP server answered");
            McpServerStatus {
                name: server.name.clone(),
                state: McpState::Connected,
                software: offer.software,
                tools: offer.tools,
                error: None,
            }
        }
        Err(failure) => {
            let text = secrets.clean(&failure.to_string());
            tracing::debug!(server = %server.name, error = %text, "an MCP server can't be asked");
            match failure {
                Failure::NeedsAuth => McpServerStatus {
                    state: McpState::NeedsAuth,
                    error: None,
                    ..failed(server, text)
                },
                _ => failed(server, text),
            }
        }
    }
}

fn failed(server: &McpServer, text: String) -> McpServerStatus {
    McpServerStatus {
        name: server.name.clone(),
        state: McpState::Failed,
        software: None,
        tools: Vec::new(),
        error: Some(text),
    }
}

/// The way to a server at an address, for an agent that speaks with it itself.
pub(super) fn way_to(
    url: &str,
    headers: &BTreeMap<String, String>,
) -> Result<impl Transport<RoleClient> + use<>, String> {
    http::transport(url, headers, LINE_LIMIT_BYTES, http::Ear::All)
        .map_err(|failure| failure.to_string())
}

/// What an attempt needs besides the server.
struct Attempt<'a> {
    cwd: &'a Path,
    places: &'a SearchPlaces,
    lifecycle: ClientLifecycleMode,
    deadline: Instant,
}

/// Asks in the way that all servers of today know. One that refuses is asked once more in the way that came after.
async fn ask(server: &McpServer, cwd: &Path, places: &SearchPlaces) -> Result<Offer, Failure> {
    let deadline = Instant::now() + PROBE_LIMIT;
    let first = Attempt {
        cwd,
        places,
        lifecycle: ClientLifecycleMode::Initialize,
        deadline,
    };
    let refused = match first.ask(&server.transport).await {
        Err(refused @ Failure::Refused { .. }) => refused,
        answer => return answer,
    };
    let second = Attempt {
        lifecycle: ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        },
        ..first
    };
    second.ask(&server.transport).await.or(Err(refused))
}

impl Attempt<'_> {
    async fn ask(&self, transport: &McpTransport) -> Result<Offer, Failure> {
        match transport {
            McpTransport::Stdio { command, args, env } => {
                let launch = launch::resolve(command, args, self.places)?;
                launch::check_folder(command, self.cwd, self.places)?;
                stdio::ask(&launch, env, self).await
            }
            McpTransport::Http { url, headers } => {
                let asking = http::ask(url, headers, self);
                timeout_at(self.deadline, asking)
                    .await
                    .unwrap_or(Err(Failure::TimedOut))
            }
            McpTransport::Sse { url, headers } => {
                let asking = sse::ask(url, headers, self);
                timeout_at(self.deadline, asking)
                    .await
                    .unwrap_or(Err(Failure::TimedOut))
            }
        }
    }
}
