//! One server of a JSON file.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{ExpectedType, ImportIssue};
use crate::core::backend::McpTransport;

/// Which agent's reading of an address without a type applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `url` is HTTP unless a type says otherwise.
    Common,
    /// `httpUrl` is HTTP, `url` is SSE unless a type says otherwise.
    Gemini,
}

/// One server, before it has its name.
pub(super) struct Entry {
    pub(super) transport: McpTransport,
    pub(super) enabled: bool,
    /// Fields that change how the server runs and that we can't pass on.
    pub(super) ignored: Vec<String>,
}

/// The server that a value describes.
pub(super) fn transport(value: &Value, dialect: Dialect) -> Result<Entry, ImportIssue> {
    let Some(fields) = value.as_object() else {
        return Err(ImportIssue::WrongType {
            field: String::new(),
            expected: ExpectedType::Table,
        });
    };
    let transport = match kind(fields, dialect)? {
        Kind::Stdio => McpTransport::Stdio {
            command: text(fields, "command")?.ok_or(ImportIssue::NothingToReach)?,
            args: list(fields, "args")?,
            env: table(fields, "env")?,
        },
        Kind::Http => McpTransport::Http {
            url: address(fields, &["httpUrl", "url", "serverUrl"])?,
            headers: table(fields, "headers")?,
        },
        Kind::Sse => McpTransport::Sse {
            url: address(fields, &["url", "serverUrl"])?,
            headers: table(fields, "headers")?,
        },
    };
    let is_stdio = matches!(transport, McpTransport::Stdio { .. });
    let ignored = ["cwd", "envFile", "headersHelper"]
        .into_iter()
        .filter(|field| is_stdio || *field == "headersHelper")
        .filter(|field| fields.get(*field).is_some_and(|value| !value.is_null()))
        .map(str::to_owned)
        .collect();
    let is = |field: &str| fields.get(field).and_then(Value::as_bool);
    Ok(Entry {
        transport,
        enabled: is("disabled") != Some(true) && is("enabled") != Some(false),
        ignored,
    })
}

enum Kind {
    Stdio,
    Http,
    Sse,
}

/// How the server is reached: as its type says, else by what it has.
fn kind(fields: &Map<String, Value>, dialect: Dialect) -> Result<Kind, ImportIssue> {
    let named = match text(fields, "type")? {
        Some(named) => Some(named),
        None => text(fields, "transport")?,
    };
    if let Some(named) = named {
        return match named.to_ascii_lowercase().as_str() {
            "stdio" | "local" => Ok(Kind::Stdio),
            "http" | "streamable-http" | "streamable_http" | "streamablehttp" => Ok(Kind::Http),
            "sse" => Ok(Kind::Sse),
            _ => Err(ImportIssue::UnknownTransport { transport: named }),
        };
    }
    let has = |field: &str| fields.get(field).is_some_and(|value| !value.is_null());
    if dialect == Dialect::Gemini && has("httpUrl") {
        Ok(Kind::Http)
    } else if dialect == Dialect::Gemini && has("url") {
        Ok(Kind::Sse)
    } else if has("command") {
        Ok(Kind::Stdio)
    } else if has("url") || has("serverUrl") {
        Ok(Kind::Http)
    } else {
        Err(ImportIssue::NothingToReach)
    }
}

fn address(fields: &Map<String, Value>, names: &[&str]) -> Result<String, ImportIssue> {
    for name in names {
        if let Some(url) = text(fields, name)? {
            return Ok(url);
        }
    }
    Err(ImportIssue::NothingToReach)
}

/// A text; an empty one is none.
pub(super) fn text(
    fields: &Map<String, Value>,
    field: &str,
) -> Result<Option<String>, ImportIssue> {
    match fields.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => {
            Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty()))
        }
        Some(_) => Err(wrong(field, ExpectedType::Text)),
    }
}

/// A list of texts.
pub(super) fn list(fields: &Map<String, Value>, field: &str) -> Result<Vec<String>, ImportIssue> {
    let items = match fields.get(field) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(items)) => items,
        Some(_) => return Err(wrong(field, ExpectedType::TextList)),
    };
    items
        .iter()
        .map(|item| scalar(item).ok_or_else(|| wrong(field, ExpectedType::TextList)))
        .collect()
}

/// A table of texts.
pub(super) fn table(
    fields: &Map<String, Value>,
    field: &str,
) -> Result<BTreeMap<String, String>, ImportIssue> {
    let entries = match fields.get(field) {
        None | Some(Value::Null) => return Ok(BTreeMap::new()),
        Some(Value::Object(entries)) => entries,
        Some(_) => return Err(wrong(field, ExpectedType::TextTable)),
    };
    entries
        .iter()
        .map(|(name, value)| {
            let value = scalar(value).ok_or_else(|| wrong(field, ExpectedType::TextTable))?;
            Ok((name.clone(), value))
        })
        .collect()
}

/// A text, or what can only mean one.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(bool) => Some(bool.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn wrong(field: &str, expected: ExpectedType) -> ImportIssue {
    ImportIssue::WrongType {
        field: field.to_owned(),
        expected,
    }
}
