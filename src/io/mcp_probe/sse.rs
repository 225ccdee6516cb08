//! The transport of 2024: an event stream from the server, and an address to post to that it names first. The SDK has
//! it no more, but many servers still do.

use std::collections::{BTreeMap, VecDeque};

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;

use crate::io::mcp_probe::events::{EventReader, SentEvent};
use crate::io::mcp_probe::failure::{Failure, NetworkError};
use crate::io::mcp_probe::offer::{self, Offer};
use crate::io::mcp_probe::{Attempt, http};

/// Asks a server that speaks in an event stream.
pub(super) async fn ask(
    url: &str,
    headers: &BTreeMap<String, String>,
    attempt: &Attempt<'_>,
) -> Result<Offer, Failure> {
    let url = http::address(url)?;
    let headers = http::headers(headers)?.into_iter().collect();
    let stream = EventStream::open(url, headers).await?;
    offer::ask(stream, attempt.lifecycle.clone()).await
}

struct EventStream {
    client: Client,
    headers: HeaderMap,
    /// Where messages are posted to.
    messages: Url,
    response: Response,
    reader: EventReader,
    events: VecDeque<SentEvent>,
}

impl EventStream {
    async fn open(url: Url, headers: HeaderMap) -> Result<Self, Failure> {
        let client = http::client(&url)?;
        let request = client
            .get(url.clone())
            .headers(headers.clone())
            .header(ACCEPT, "text/event-stream");
        let mut stream = Self {
            response: answer(request).await?,
            client,
            headers,
            messages: url.clone(),
            reader: EventReader::default(),
            events: VecDeque::new(),
        };
        loop {
            let event = stream.next().await?.ok_or(Failure::Closed)?;
            if event.kind != "endpoint" {
                continue;
            }
            stream.messages = url.join(&event.data).or(Err(Failure::Address))?;
            // Our headers go there too.
            if stream.messages.origin() != url.origin() {
                return Err(Failure::Other(
                    "the server wants its messages sent to another place".to_owned(),
                ));
            }
            return Ok(stream);
        }
    }

    /// The next event; `None` at the end. The wait may be given up at any time.
    async fn next(&mut self) -> Result<Option<SentEvent>, Failure> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(Some(event));
            }
            let Some(bytes) = self.response.chunk().await.map_err(NetworkError::from)? else {
                return Ok(None);
            };
            let events = self.reader.push(&bytes);
            let too_long = |_| Failure::Other("an event of the server is too long".to_owned());
            self.events.extend(events.map_err(too_long)?);
        }
    }
}

impl Transport<RoleClient> for EventStream {
    type Error = Failure;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Failure>> + Send + 'static {
        let request = self
            .client
            .post(self.messages.clone())
            .headers(self.headers.clone())
            .header(CONTENT_TYPE, "application/json");
        async move {
            let body =
                serde_json::to_vec(&message).map_err(|error| Failure::Other(error.to_string()))?;
            answer(request.body(body)).await.map(drop)
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let event = match self.next().await {
                Ok(event) => event?,
                Err(error) => {
                    tracing::debug!(%error, "the event stream of an MCP server broke off");
                    return None;
                }
            };
            if !matches!(event.kind.as_str(), "" | "message") {
                continue;
            }
            if let Ok(message) = serde_json::from_str(&event.data) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

async fn answer(request: RequestBuilder) -> Result<Response, Failure> {
    let response = request.send().await.map_err(NetworkError::from)?;
    match response.status() {
        StatusCode::UNAUTHORIZED => Err(Failure::NeedsAuth),
        status if status.is_success() => Ok(response),
        status => Err(Failure::Status(status.as_u16())),
    }
}
