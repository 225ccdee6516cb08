//! What a server offers: its name, and its tools on all pages, within limits.

use std::time::Duration;

use rmcp::ClientLifecycleMode;
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, PaginatedRequestParams, Tool};
use rmcp::service::{Peer, RoleClient, serve_client_with_lifecycle};
use rmcp::transport::IntoTransport;

use crate::core::mcp::{McpSoftware, McpTool};
use crate::io::mcp_probe::failure::Failure;

/// A server with more pages of tools is not read to its end.
const PAGES_MOST: usize = 50;
const TOOLS_MOST: usize = 1000;
const NAME_CHARS_MOST: usize = 200;
const DESCRIPTION_CHARS_MOST: usize = 4000;
/// How long a server may take to say goodbye.
const CLOSE_LIMIT: Duration = Duration::from_millis(500);
/// One message, in bytes.
pub(super) const MESSAGE_BYTES_MOST: usize = 4 * 1024 * 1024;

/// What a server offers.
#[derive(Debug)]
pub(super) struct Offer {
    pub(super) software: Option<McpSoftware>,
    pub(super) tools: Vec<McpTool>,
}

/// Connects, asks, and takes leave.
pub(super) async fn ask<T, E, A>(
    transport: T,
    lifecycle: ClientLifecycleMode,
) -> Result<Offer, Failure>
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let myself = Implementation::new("agent-panel", env!("CARGO_PKG_VERSION"));
    let client = ClientConfig::new(ClientCapabilities::default(), myself);
    let mut service = serve_client_with_lifecycle(client, transport, lifecycle).await?;
    let software = service
        .peer_info()
        .and_then(|info| info.server_info.clone())
        .map(|info| McpSoftware {
            name: short(&info.name, NAME_CHARS_MOST),
            version: short(&info.version, NAME_CHARS_MOST),
        });
    let tools = tools(service.peer()).await;
    if let Err(error) = service.close_with_timeout(CLOSE_LIMIT).await {
        tracing::debug!(%error, "an MCP connection did not end well");
    }
    Ok(Offer {
        software,
        tools: tools?,
    })
}

/// The tools of all pages. A server that has no such request has none.
async fn tools(peer: &Peer<RoleClient>) -> Result<Vec<McpTool>, Failure> {
    let mut tools: Vec<McpTool> = Vec::new();
    let mut cursor = None;
    for _ in 0..PAGES_MOST {
        let params = PaginatedRequestParams::default().with_cursor(cursor.clone());
        let page = match peer.list_tools(Some(params)).await.map_err(Failure::from) {
            Ok(page) => page,
            Err(failure) if failure.is_unknown_method() => break,
            Err(failure) => return Err(failure),
        };
        let room = TOOLS_MOST.saturating_sub(tools.len());
        tools.extend(page.tools.iter().take(room).map(tool));
        let is_last = page.next_cursor.is_none() || page.next_cursor == cursor;
        if is_last || tools.len() == TOOLS_MOST {
            break;
        }
        cursor = page.next_cursor;
    }
    Ok(tools)
}

fn tool(tool: &Tool) -> McpTool {
    let hints = tool.annotations.as_ref();
    McpTool {
        name: short(&tool.name, NAME_CHARS_MOST),
        wire_name: None,
        description: tool
            .description
            .as_deref()
            .map(|text| short(text, DESCRIPTION_CHARS_MOST)),
        read_only: hints.and_then(|hints| hints.read_only_hint),
        destructive: hints.and_then(|hints| hints.destructive_hint),
    }
}

fn short(text: &str, chars_most: usize) -> String {
    text.chars().take(chars_most).collect()
}
