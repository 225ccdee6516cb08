//! Parts of our requests in the protocol's form: capabilities, MCP servers, blocks of a prompt.

use std::collections::BTreeMap;

use agent_client_protocol_schema::v1 as acp;
use serde_json::{Map, Value};

use super::questions;
use crate::core::backend::{AgentCapabilities, McpServer, McpTransport};
use crate::core::client_tools::ClientTools;
use crate::core::command::Prompt;
use crate::core::transcript::Attachment;

/// The files and terminals that we offer; questions, sign-in in a terminal and options that are on or off.
pub(super) fn client_capabilities(offered: ClientTools) -> acp::ClientCapabilities {
    let options = acp::SessionConfigOptionsCapabilities::new()
        .boolean(acp::BooleanConfigOptionCapabilities::new());
    let session = acp::ClientSessionCapabilities::new().config_options(options);
    let mut meta = Map::new();
    meta.insert("terminal-auth".to_owned(), Value::Bool(true));
    let files = acp::FileSystemCapabilities::new()
        .read_text_file(offered.read)
        .write_text_file(offered.write);
    acp::ClientCapabilities::new()
        .fs(files)
        .terminal(offered.terminal)
        .session(session)
        .elicitation(questions::capabilities())
        .auth(acp::AuthCapabilities::new().terminal(true))
        .meta(meta)
}

/// An MCP server.
pub(super) fn mcp_server(McpServer { name, transport }: McpServer) -> acp::McpServer {
    match transport {
        McpTransport::Stdio { command, args, env } => {
            let server = acp::McpServerStdio::new(name, command)
                .args(args)
                .env(variables(env));
            acp::McpServer::Stdio(server)
        }
        McpTransport::Http { url, headers } => {
            let server = acp::McpServerHttp::new(name, url);
            acp::McpServer::Http(server.headers(http_headers(headers)))
        }
        McpTransport::Sse { url, headers } => {
            let server = acp::McpServerSse::new(name, url);
            acp::McpServer::Sse(server.headers(http_headers(headers)))
        }
    }
}

/// The blocks of a prompt: the text first. What the agent can't take becomes a link where there is one.
pub(super) fn prompt_blocks(prompt: Prompt, can: &AgentCapabilities) -> Vec<acp::ContentBlock> {
    let mut blocks = Vec::new();
    if !prompt.text.is_empty() {
        blocks.push(acp::ContentBlock::Text(acp::TextContent::new(prompt.text)));
    }
    for image in prompt.images {
        if can.prompt_image {
            let block = acp::ImageContent::new(image.base64, image.media_type).uri(image.uri);
            blocks.push(acp::ContentBlock::Image(block));
        } else if let Some(uri) = image.uri {
            blocks.push(link(uri.clone(), uri));
        }
    }
    for Attachment { name, uri, text } in prompt.attachments {
        blocks.push(match text {
            Some(text) if can.prompt_embedded_context => {
                let contents = acp::TextResourceContents::new(text, uri);
                acp::ContentBlock::Resource(acp::EmbeddedResource::new(
                    acp::EmbeddedResourceResource::TextResourceContents(contents),
                ))
            }
            Some(_) | None => link(name, uri),
        });
    }
    blocks
}

fn link(name: String, uri: String) -> acp::ContentBlock {
    acp::ContentBlock::ResourceLink(acp::ResourceLink::new(name, uri))
}

fn variables(env: BTreeMap<String, String>) -> Vec<acp::EnvVariable> {
    env.into_iter()
        .map(|(name, value)| acp::EnvVariable::new(name, value))
        .collect()
}

fn http_headers(headers: BTreeMap<String, String>) -> Vec<acp::HttpHeader> {
    headers
        .into_iter()
        .map(|(name, value)| acp::HttpHeader::new(name, value))
        .collect()
}
