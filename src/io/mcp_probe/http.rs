//! Streamable HTTP. The SDK's client is wrapped, so that no error of it, and nothing it logs, has the address.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Client, Url, redirect};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::common::client_side_sse::BoxedSseResponse;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpClientTransportConfig, StreamableHttpError,
    StreamableHttpPostResponse, StreamableHttpResponseLimits,
};

use crate::io::mcp_probe::Attempt;
use crate::io::mcp_probe::failure::{Failure, NetworkError};
use crate::io::mcp_probe::offer::{self, MESSAGE_BYTES_MOST, Offer};

/// What is kept of an answer that is not one of the protocol.
const ERROR_BYTES_MOST: usize = 1024;
const REDIRECTS_MOST: usize = 5;

/// Asks a server at an address.
pub(super) async fn ask(
    url: &str,
    headers: &BTreeMap<String, String>,
    attempt: &Attempt<'_>,
) -> Result<Offer, Failure> {
    let transport = transport(url, headers, MESSAGE_BYTES_MOST, Ear::Answers)?;
    offer::ask(transport, attempt.lifecycle.clone()).await
}

/// The way to a server whose messages have at most this length.
pub(super) fn transport(
    url: &str,
    headers: &BTreeMap<String, String>,
    message_bytes_most: usize,
    ear: Ear,
) -> Result<StreamableHttpClientTransport<Discreet>, Failure> {
    let url = address(url)?;
    let config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
        .custom_headers(self::headers(headers)?)
        .max_json_response_size(message_bytes_most)
        .max_sse_event_size(message_bytes_most)
        .max_error_response_size(ERROR_BYTES_MOST);
    let client = client(&url)?;
    Ok(StreamableHttpClientTransport::with_client(
        Discreet { client, ear },
        config,
    ))
}

/// What is heard of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ear {
    Answers,
    /// Also what it has to say by itself.
    All,
}

/// An address of the web.
pub(super) fn address(text: &str) -> Result<Url, Failure> {
    let url = Url::parse(text.trim()).or(Err(Failure::Address))?;
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    is_web.then_some(url).ok_or(Failure::Address)
}

/// The headers of a server's entry.
pub(super) fn headers(
    headers: &BTreeMap<String, String>,
) -> Result<HashMap<HeaderName, HeaderValue>, Failure> {
    let header = |(name, value): (&String, &String)| {
        let fault = || Failure::Header { name: name.clone() };
        let parsed = HeaderName::try_from(name.as_str()).or(Err(fault()))?;
        let mut value = HeaderValue::try_from(value.as_str()).or(Err(fault()))?;
        value.set_sensitive(true);
        Ok((parsed, value))
    };
    headers.iter().map(header).collect()
}

/// A client for one server. Its headers are not taken to another place by a redirect, and a server on this machine is
/// reached without proxy.
pub(super) fn client(url: &Url) -> Result<Client, Failure> {
    use_ring();
    let origin = url.origin();
    let stay = redirect::Policy::custom(move |attempt| {
        if attempt.url().origin() == origin && attempt.previous().len() <= REDIRECTS_MOST {
            attempt.follow()
        } else {
            attempt.stop()
        }
    });
    let mut builder = Client::builder()
        .user_agent(concat!("agent-panel/", env!("CARGO_PKG_VERSION")))
        .redirect(stay);
    if url.scheme() == "http" {
        // No certificates are needed; a machine may have none.
        builder = builder.tls_certs_only([]);
    }
    if is_this_machine(url) {
        builder = builder.no_proxy();
    }
    builder
        .build()
        .map_err(|error| Failure::Network(error.into()))
}

fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// Chooses the cryptography of TLS, once for the program; a second time changes nothing.
fn use_ring() {
    drop(rustls::crypto::ring::default_provider().install_default());
}

/// The SDK's client with errors that don't have the address.
#[derive(Clone)]
pub(super) struct Discreet {
    client: Client,
    ear: Ear,
}

type Outcome<T> = Result<T, StreamableHttpError<NetworkError>>;
type Headers = HashMap<HeaderName, HeaderValue>;

impl StreamableHttpClient for Discreet {
    type Error = NetworkError;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        auth: Option<String>,
        headers: Headers,
    ) -> Outcome<StreamableHttpPostResponse> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session, auth, headers, limits)
            .await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        auth: Option<String>,
        headers: Headers,
        limits: StreamableHttpResponseLimits,
    ) -> Outcome<StreamableHttpPostResponse> {
        self.client
            .post_message_with_response_limits(uri, message, session, auth, headers, limits)
            .await
            .map_err(without_address)
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        auth: Option<String>,
        headers: Headers,
    ) -> Outcome<()> {
        self.client
            .delete_session(uri, session, auth, headers)
            .await
            .map_err(without_address)
    }

    /// A question needs no stream of what the server has to say by itself.
    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        auth: Option<String>,
        headers: Headers,
    ) -> Outcome<BoxedSseResponse> {
        match self.ear {
            Ear::Answers => Err(StreamableHttpError::ServerDoesNotSupportSse),
            Ear::All => self
                .client
                .get_stream(uri, session, last_event, auth, headers)
                .await
                .map_err(without_address),
        }
    }
}

/// The SDK tells these kinds apart; of the others only the text counts.
fn without_address(
    error: StreamableHttpError<reqwest::Error>,
) -> StreamableHttpError<NetworkError> {
    use StreamableHttpError as Http;
    match error {
        Http::Client(error) => Http::Client(error.into()),
        Http::AuthRequired(error) => Http::AuthRequired(error),
        Http::InsufficientScope(error) => Http::InsufficientScope(error),
        Http::SessionExpired => Http::SessionExpired,
        Http::ServerDoesNotSupportSse => Http::ServerDoesNotSupportSse,
        Http::ServerDoesNotSupportDeleteSession => Http::ServerDoesNotSupportDeleteSession,
        Http::HttpStatus(error) => Http::HttpStatus(error),
        Http::UnexpectedServerResponse(text) => Http::UnexpectedServerResponse(text),
        other => Http::UnexpectedServerResponse(Cow::Owned(other.to_string())),
    }
}
