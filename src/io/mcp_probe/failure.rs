//! Why a server could not be asked, in few words and without what it was sent.

use std::error::Error;
use std::io;

use rmcp::ServiceError;
use rmcp::model::ErrorCode;
use rmcp::service::ClientInitializeError;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use thiserror::Error;

use crate::io::launch::LaunchError;
use crate::io::mcp_probe::PROBE_LIMIT;

/// Why a server could not be asked. The text may hold what the server wrote: clean it before it goes anywhere.
#[derive(Debug, Error)]
pub(super) enum Failure {
    #[error("it wants a sign-in")]
    NeedsAuth,
    #[error("no answer within {} seconds", PROBE_LIMIT.as_secs())]
    TimedOut,
    #[error("{0}")]
    Launch(LaunchError),
    #[error("an argument can't be passed to the program exactly")]
    Argument,
    #[error("the program can't be started: {0}")]
    Start(String),
    #[error("the address is not valid")]
    Address,
    #[error("the header can't be sent: {name}")]
    Header { name: String },
    #[error("{0}")]
    Network(#[from] NetworkError),
    #[error("HTTP {0}")]
    Status(u16),
    /// The server knows a request as one that it refuses.
    #[error("the server refuses: {message} ({code})")]
    Refused { code: i32, message: String },
    #[error("the connection was closed")]
    Closed,
    /// A failure with what the program said last.
    #[error("{failure}: {words}")]
    WithWords { failure: Box<Self>, words: String },
    #[error("the program ended ({status})")]
    Ended { status: String },
    #[error("{0}")]
    Other(String),
}

/// What went wrong on the way, without the address.
#[derive(Debug, Clone, Error)]
#[error("{0}")]
pub(super) struct NetworkError(String);

impl From<reqwest::Error> for NetworkError {
    fn from(error: reqwest::Error) -> Self {
        let error = error.without_url();
        let mut cause: &dyn Error = &error;
        while let Some(source) = cause.source() {
            cause = source;
        }
        let what = if error.is_connect() {
            "can't connect"
        } else if error.is_body() || error.is_decode() {
            "the answer broke off"
        } else {
            "the request failed"
        };
        Self(format!("{what}: {cause}"))
    }
}

impl From<LaunchError> for Failure {
    fn from(error: LaunchError) -> Self {
        match error {
            // Its text has the argument.
            LaunchError::Argument { .. } => Self::Argument,
            error => Self::Launch(error),
        }
    }
}

impl From<ClientInitializeError> for Failure {
    fn from(error: ClientInitializeError) -> Self {
        match error {
            ClientInitializeError::JsonRpcError(error) => Self::Refused {
                code: error.code.0,
                message: error.message.into_owned(),
            },
            ClientInitializeError::TransportError { error, .. } => of_chain(error.error.as_ref()),
            ClientInitializeError::ConnectionClosed(_) => Self::Closed,
            // Their text has the whole message.
            ClientInitializeError::ExpectedInitResponse(_)
            | ClientInitializeError::ExpectedInitResult(_) => {
                Self::Other("the answer to the greeting is something else".to_owned())
            }
            error => Self::Other(error.to_string()),
        }
    }
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::McpError(error) => Self::Refused {
                code: error.code.0,
                message: error.message.into_owned(),
            },
            ServiceError::TransportSend(error) => of_chain(error.error.as_ref()),
            ServiceError::TransportClosed => Self::Closed,
            error => Self::Other(error.to_string()),
        }
    }
}

impl Failure {
    /// Whether a request is one that the server does not have.
    pub(super) fn is_unknown_method(&self) -> bool {
        matches!(self, Self::Refused { code, .. } if *code == ErrorCode::METHOD_NOT_FOUND.0)
    }
}

/// The first error of a chain that says what happened.
fn of_chain(error: &(dyn Error + 'static)) -> Failure {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<StreamableHttpError<NetworkError>>() {
            return of_http(error);
        }
        if let Some(Failure::NeedsAuth) = error.downcast_ref::<Failure>() {
            return Failure::NeedsAuth;
        }
        if let Some(error) = error.downcast_ref::<io::Error>()
            && error.kind() == io::ErrorKind::BrokenPipe
        {
            return Failure::Closed;
        }
        next = error.source();
    }
    Failure::Other(error.to_string())
}

fn of_http(error: &StreamableHttpError<NetworkError>) -> Failure {
    match error {
        StreamableHttpError::AuthRequired(_) | StreamableHttpError::InsufficientScope(_) => {
            Failure::NeedsAuth
        }
        // This is how a refusal without a challenge comes.
        StreamableHttpError::UnexpectedServerResponse(text) if text.starts_with("HTTP 401") => {
            Failure::NeedsAuth
        }
        StreamableHttpError::UnexpectedServerResponse(text) => {
            Failure::Other(text.clone().into_owned())
        }
        StreamableHttpError::Client(error) => Failure::Network(error.clone()),
        StreamableHttpError::TransportChannelClosed => Failure::Closed,
        error => Failure::Other(error.to_string()),
    }
}
