//! JSON-RPC 2.0: lines to requests, responses and notifications, and back. Matches answers to our requests.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::bridge::json::{self, Object};
use crate::core::ids::RequestId;
use crate::core::notice::RpcError;

/// The request is no valid one.
pub const INVALID_REQUEST: i64 = -32_600;
/// There is no such method here.
pub const METHOD_NOT_FOUND: i64 = -32_601;
/// The parameters can't be used.
pub const INVALID_PARAMS: i64 = -32_602;
/// Whoever answers could not do it.
pub const INTERNAL_ERROR: i64 = -32_603;
/// The request was taken back by whoever asked.
pub const REQUEST_CANCELLED: i64 = -32_800;

/// What a line is.
#[derive(Debug)]
pub enum Incoming<'a> {
    Request {
        id: RequestId,
        method: Cow<'a, str>,
        params: Object<'a>,
    },
    /// A request whose id we can't keep; it can only be refused.
    UnusableRequest {
        id: &'a RawValue,
    },
    Notification {
        method: Cow<'a, str>,
        params: Object<'a>,
    },
    Response {
        /// `None` when it is none of the ids that we use.
        id: Option<u64>,
        /// An absent result is `None`.
        result: Result<Option<&'a RawValue>, RpcError>,
    },
    /// An object that says it is JSON-RPC and is not.
    Broken,
    /// Not a message of the protocol.
    Stray,
    Blank,
}

/// Reads a line. Only an object with a `jsonrpc` member is taken for a message.
pub fn read(line: &str) -> Incoming<'_> {
    if line.trim().is_empty() {
        return Incoming::Blank;
    }
    let frame = Object::parse_along(line, &["params", "update"]);
    let Some(mut frame) = frame.filter(|frame| frame.has("jsonrpc")) else {
        return Incoming::Stray;
    };
    if frame.str("jsonrpc").as_deref() != Some("2.0") {
        return Incoming::Broken;
    }
    match (frame.raw("method"), frame.raw("id")) {
        (Some(method), id) => match json::text(method) {
            Some(method) => call(&mut frame, method, id),
            None => Incoming::Broken,
        },
        (None, id) => answer(&frame, id),
    }
}

fn call<'a>(
    frame: &mut Object<'a>,
    method: Cow<'a, str>,
    id: Option<&'a RawValue>,
) -> Incoming<'a> {
    let params = frame.take_object("params").unwrap_or_default();
    let Some(raw) = id else {
        return Incoming::Notification { method, params };
    };
    match request_id(raw) {
        Some(id) => Incoming::Request { id, method, params },
        None if is_number(raw) => Incoming::UnusableRequest { id: raw },
        None => Incoming::Broken,
    }
}

fn answer<'a>(frame: &Object<'a>, id: Option<&'a RawValue>) -> Incoming<'a> {
    let result = match frame.raw("error") {
        Some(error) => Err(rpc_error(error)),
        None if frame.has("result") => Ok(frame.raw("result")),
        None => return Incoming::Broken,
    };
    let id = id.and_then(|id| serde_json::from_str(id.get()).ok());
    Incoming::Response { id, result }
}

/// The id of a request of the agent.
pub fn request_id(id: &RawValue) -> Option<RequestId> {
    let number = serde_json::from_str(id.get()).ok().map(RequestId::Number);
    number.or_else(|| json::text(id).map(|text| RequestId::Text(text.into_owned())))
}

fn is_number(value: &RawValue) -> bool {
    serde_json::from_str::<serde_json::Number>(value.get()).is_ok()
}

/// An error as an agent wrote it: an object, or whatever stands in its place.
fn rpc_error(error: &RawValue) -> RpcError {
    let Some(object) = Object::of(error) else {
        let message = json::text(error).map_or_else(|| error.get().to_owned(), Cow::into_owned);
        return RpcError {
            code: INTERNAL_ERROR,
            message,
            data: None,
        };
    };
    RpcError {
        code: object
            .float("code")
            .map_or(INTERNAL_ERROR, |code| code as i64),
        message: object.text("message").unwrap_or_default(),
        data: object.raw("data").and_then(error_data),
    }
}

/// `data` for a reader: the words in it where it has any, else all of it.
fn error_data(data: &RawValue) -> Option<String> {
    if let Some(text) = json::text(data) {
        return Some(text.into_owned());
    }
    if let Some(object) = Object::of(data) {
        if let Some(words) = object.text("details").or_else(|| object.text("message")) {
            return Some(words);
        }
        if data.get() == "{}" {
            return None;
        }
    }
    Some(data.get().to_owned())
}

/// Our requests that wait for an answer, with what each was for.
#[derive(Debug)]
pub struct Waiting<T> {
    last_id: u64,
    open: BTreeMap<u64, T>,
}

impl<T> Default for Waiting<T> {
    fn default() -> Self {
        Self {
            last_id: 0,
            open: BTreeMap::new(),
        }
    }
}

impl<T> Waiting<T> {
    /// Remembers what a request is for and gives it its id.
    pub fn begin(&mut self, purpose: T) -> u64 {
        self.last_id += 1;
        self.open.insert(self.last_id, purpose);
        self.last_id
    }

    /// What the request was for; `None` for an id that was never used or has been answered.
    pub fn end(&mut self, id: u64) -> Option<T> {
        self.open.remove(&id)
    }

    /// What a request is for that waits.
    pub fn get(&self, id: u64) -> Option<&T> {
        self.open.get(&id)
    }

    /// The requests that wait.
    pub fn open(&self) -> impl Iterator<Item = &T> {
        self.open.values()
    }

    /// The requests that wait, with their ids.
    pub fn open_mut(&mut self) -> impl Iterator<Item = (u64, &mut T)> {
        self.open.iter_mut().map(|(id, purpose)| (*id, purpose))
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.open.clear();
    }
}

#[derive(Serialize)]
struct Frame<'a, P, R> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Id<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<P>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<R>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObject<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Id<'a> {
    Ours(u64),
    Number(i64),
    Text(&'a str),
    AsWritten(&'a RawValue),
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    code: i64,
    message: &'a str,
}

/// A request of ours.
pub fn request<P: Serialize>(id: u64, method: &str, params: P) -> String {
    frame::<P, ()>(Some(Id::Ours(id)), Some(method), Some(params), None, None)
}

/// A notification of ours.
pub fn notification<P: Serialize>(method: &str, params: P) -> String {
    frame::<P, ()>(None, Some(method), Some(params), None, None)
}

/// The answer to a request of the agent.
pub fn result<R: Serialize>(id: &RequestId, result: R) -> String {
    frame::<(), R>(Some(their_id(id)), None, None, Some(result), None)
}

/// The refusal of a request of the agent.
pub fn error(id: &RequestId, code: i64, message: &str) -> String {
    let error = ErrorObject { code, message };
    frame::<(), ()>(Some(their_id(id)), None, None, None, Some(error))
}

/// The refusal of a request whose id is no id that we can keep.
pub fn refusal(id: &RawValue) -> String {
    let error = ErrorObject {
        code: INVALID_REQUEST,
        message: "Invalid request: the id is not an integer or a string",
    };
    frame::<(), ()>(Some(Id::AsWritten(id)), None, None, None, Some(error))
}

fn their_id(id: &RequestId) -> Id<'_> {
    match id {
        RequestId::Number(number) => Id::Number(*number),
        RequestId::Text(text) => Id::Text(text),
    }
}

fn frame<P: Serialize, R: Serialize>(
    id: Option<Id<'_>>,
    method: Option<&str>,
    params: Option<P>,
    result: Option<R>,
    error: Option<ErrorObject<'_>>,
) -> String {
    let frame = Frame {
        jsonrpc: "2.0",
        id,
        method,
        params,
        result,
        error,
    };
    serde_json::to_string(&frame).expect("frames hold text, numbers and maps with text keys only")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A line in short: what it is, and its id and method.
    fn kind(line: &str) -> String {
        match read(line) {
            Incoming::Request { id, method, .. } => format!("request {id:?} {method}"),
            Incoming::UnusableRequest { id } => format!("unusable request {id}"),
            Incoming::Notification { method, .. } => format!("notification {method}"),
            Incoming::Response { id, result } => {
                let result = result.map(|value| value.map(|value| value.get().to_owned()));
                format!("response {id:?} {result:?}")
            }
            Incoming::Broken => "broken".to_owned(),
            Incoming::Stray => "stray".to_owned(),
            Incoming::Blank => "blank".to_owned(),
        }
    }

    #[test]
    fn lines_are_told_apart() {
        let cases = [
            ("INFO booted in 12ms", "stray"),
            (r#"{"jsonrpc":"2.0","method":"session/upd"#, "stray"),
            ("\"just a string\"", "stray"),
            ("42", "stray"),
            ("[]", "stray"),
            (r#"[{"jsonrpc":"2.0","method":"m"}]"#, "stray"),
            ("null", "stray"),
            ("{}", "stray"),
            (r#"{"id":5,"level":"warn","msg":"cache miss"}"#, "stray"),
            (r#"{"id":5,"result":{"stopReason":"end_turn"}}"#, "stray"),
            ("\u{1b}[33mwarning:\u{1b}[0m low disk", "stray"),
            ("", "blank"),
            (" \t", "blank"),
            (r#"{"jsonrpc":"2.0"}"#, "broken"),
            (r#"{"jsonrpc":"2.0","id":5}"#, "broken"),
            (r#"{"jsonrpc":"1.0","method":"m"}"#, "broken"),
            (r#"{"jsonrpc":null,"method":"m"}"#, "broken"),
            (r#"{"jsonrpc":"2.0","method":7}"#, "broken"),
            (r#"{"jsonrpc":"2.0","id":true,"method":"m"}"#, "broken"),
            (
                r#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#,
                "unusable request 1.5",
            ),
            (
                r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"m"}"#,
                "unusable request 18446744073709551615",
            ),
            (r#"{"jsonrpc":"2.0","method":"m"}"#, "notification m"),
            (
                r#" {"method":"m","params":[1],"jsonrpc":"2.0","id":null} "#,
                "notification m",
            ),
            (
                r#"{"jsonrpc":"2.0","id":0,"method":"m","params":{}}"#,
                "request Number(0) m",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"m","id":"f9-x"}"#,
                r#"request Text("f9-x") m"#,
            ),
            (
                r#"{"jsonrpc":"2.0","result":null,"id":3}"#,
                "response Some(3) Ok(None)",
            ),
            (
                r#"{"jsonrpc":"2.0","id":3,"result":{"a":1}}"#,
                r#"response Some(3) Ok(Some("{\"a\":1}"))"#,
            ),
            (
                r#"{"jsonrpc":"2.0","id":3,"result":1,"error":null}"#,
                r#"response Some(3) Ok(Some("1"))"#,
            ),
            (
                r#"{"jsonrpc":"2.0","id":"3","result":1}"#,
                r#"response None Ok(Some("1"))"#,
            ),
            (
                r#"{"jsonrpc":"2.0","id":-3,"result":1}"#,
                r#"response None Ok(Some("1"))"#,
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(kind(line), expected, "{line}");
        }
    }

    #[test]
    fn errors() {
        let error = |code: i64, message: &str, data: Option<&str>| RpcError {
            code,
            message: message.to_owned(),
            data: data.map(str::to_owned),
        };
        let cases = [
            (
                json!({"code": -32000, "message": "Sign in"}),
                error(-32_000, "Sign in", None),
            ),
            (
                json!({"code": 1, "message": "m", "data": null}),
                error(1, "m", None),
            ),
            (
                json!({"code": 1, "message": "m", "data": "why"}),
                error(1, "m", Some("why")),
            ),
            (
                json!({"code": 1, "message": "m", "data": {"details": "why"}}),
                error(1, "m", Some("why")),
            ),
            (
                json!({"code": 1, "message": "m", "data": {"message": "why", "http_status": 400}}),
                error(1, "m", Some("why")),
            ),
            (
                json!({"code": 1, "message": "m", "data": {}}),
                error(1, "m", None),
            ),
            (
                json!({"code": 1, "message": "m", "data": {"a": 1}}),
                error(1, "m", Some(r#"{"a":1}"#)),
            ),
            (json!({"code": "x"}), error(INTERNAL_ERROR, "", None)),
            (json!("boom"), error(INTERNAL_ERROR, "boom", None)),
        ];
        for (wire, expected) in cases {
            let line = json!({"jsonrpc": "2.0", "id": 1, "error": wire}).to_string();
            let Incoming::Response { result, .. } = read(&line) else {
                panic!("a response: {line}");
            };
            assert_eq!(result.map(|_| ()), Err(expected), "{line}");
        }
    }

    #[test]
    fn frames() {
        let text = RequestId::Text("a\"b".to_owned());
        let cases = [
            (
                request(1, "m", json!({"a": 1})),
                r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}"#,
            ),
            (
                notification("m", json!({})),
                r#"{"jsonrpc":"2.0","method":"m","params":{}}"#,
            ),
            (
                result(&RequestId::Number(-7), json!(null)),
                r#"{"jsonrpc":"2.0","id":-7,"result":null}"#,
            ),
            (
                error(&text, METHOD_NOT_FOUND, "no"),
                r#"{"jsonrpc":"2.0","id":"a\"b","error":{"code":-32601,"message":"no"}}"#,
            ),
        ];
        for (frame, expected) in cases {
            assert_eq!(frame, expected);
        }
    }

    #[test]
    fn an_answer_ends_a_request_once() {
        let mut waiting = Waiting::default();
        assert_eq!((waiting.begin("a"), waiting.begin("b")), (1, 2));
        assert_eq!(waiting.end(1), Some("a"));
        assert_eq!(waiting.end(1), None);
        assert_eq!(waiting.end(3), None);
        assert_eq!(waiting.begin("c"), 3);
    }
}
