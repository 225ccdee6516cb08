//! Codex: `[mcp_servers.<name>]` in `config.toml`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::entry::{self, Entry};
use super::{ExpectedType, ImportIssue, Imported};
use crate::core::backend::McpTransport;

/// The servers of a file.
pub(super) fn import(text: &str) -> Imported {
    let root: Map<String, Value> = match toml_edit::de::from_str(text) {
        Ok(root) => root,
        Err(error) => {
            // The error's own text quotes the line, which may hold a secret.
            let start = error.span().map_or(0, |span| span.start);
            let before = text.get(..start).unwrap_or_default();
            return Imported::failed(ImportIssue::Syntax {
                message: error.message().to_owned(),
                line: before.matches('\n').count() + 1,
            });
        }
    };
    let mut imported = Imported::default();
    match root.get("mcp_servers") {
        None => {}
        Some(Value::Object(servers)) => {
            for (name, value) in servers {
                imported.add(name, server(value));
            }
        }
        Some(_) => {
            return Imported::failed(ImportIssue::WrongType {
                field: "mcp_servers".to_owned(),
                expected: ExpectedType::Table,
            });
        }
    }
    imported
}

fn server(value: &Value) -> Result<Entry, ImportIssue> {
    let Some(fields) = value.as_object() else {
        return Err(ImportIssue::WrongType {
            field: String::new(),
            expected: ExpectedType::Table,
        });
    };
    let (transport, unused): (_, &[&str]) = if let Some(command) = entry::text(fields, "command")? {
        let args = entry::list(fields, "args")?;
        let env = environment(fields)?;
        (McpTransport::Stdio { command, args, env }, &["cwd"])
    } else if let Some(url) = entry::text(fields, "url")? {
        let headers = headers(fields)?;
        (McpTransport::Http { url, headers }, &[])
    } else {
        return Err(ImportIssue::NothingToReach);
    };
    let ignored = unused.iter().filter(|field| fields.contains_key(**field));
    Ok(Entry {
        transport,
        enabled: fields.get("enabled").and_then(Value::as_bool) != Some(false),
        ignored: ignored.map(|field| (*field).to_owned()).collect(),
    })
}

/// `env` as it stands, and the variables that `env_vars` hands on by name.
fn environment(fields: &Map<String, Value>) -> Result<BTreeMap<String, String>, ImportIssue> {
    let mut env = entry::table(fields, "env")?;
    // Newer files may have a table with a name and a source for each.
    let names = fields.get("env_vars").and_then(Value::as_array);
    for variable in names.into_iter().flatten() {
        let name = variable.as_str().or_else(|| variable.get("name")?.as_str());
        let Some(name) = name else {
            return Err(ImportIssue::WrongType {
                field: "env_vars".to_owned(),
                expected: ExpectedType::TextList,
            });
        };
        env.entry(name.to_owned())
            .or_insert_with(|| reference(name));
    }
    Ok(env)
}

/// `http_headers` as they stand, and those whose value is in a variable.
fn headers(fields: &Map<String, Value>) -> Result<BTreeMap<String, String>, ImportIssue> {
    let mut headers = entry::table(fields, "http_headers")?;
    for (header, variable) in entry::table(fields, "env_http_headers")? {
        headers.insert(header, reference(&variable));
    }
    if let Some(variable) = entry::text(fields, "bearer_token_env_var")? {
        headers.insert(
            "Authorization".to_owned(),
            format!("Bearer {}", reference(&variable)),
        );
    }
    Ok(headers)
}

fn reference(variable: &str) -> String {
    format!("${{{variable}}}")
}
