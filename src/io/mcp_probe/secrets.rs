//! What a server's entry holds that must not appear in a message or a log.

use crate::core::backend::{McpServer, McpTransport};

/// What stands instead.
const HIDDEN: &str = "•••";
/// Shorter values would tear holes into any text.
const VALUE_BYTES_LEAST: usize = 4;
/// A message is cut here.
const MESSAGE_CHARS_MOST: usize = 400;
/// Words in the name of an argument whose value is secret.
const SECRET_WORDS: [&str; 6] = ["key", "token", "secret", "password", "auth", "credential"];

/// The secret values of one server, the longest first.
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    /// All values of variables and headers, what an address has besides its place, and arguments that are named so.
    pub(super) fn of(server: &McpServer) -> Self {
        let mut values = Vec::new();
        match &server.transport {
            McpTransport::Stdio { args, env, .. } => {
                values.extend(env.values().cloned());
                of_arguments(args, &mut values);
            }
            McpTransport::Http { url, headers } | McpTransport::Sse { url, headers } => {
                for value in headers.values() {
                    values.push(value.clone());
                    // Of `Bearer abc`, the second word is the secret.
                    values.extend(value.split_whitespace().skip(1).map(str::to_owned));
                }
                of_address(url, &mut values);
            }
        }
        values.retain(|value| value.len() >= VALUE_BYTES_LEAST);
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Self(values)
    }

    /// A message without them, on one line and not too long.
    pub(super) fn clean(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for value in &self.0 {
            if text.contains(value.as_str()) {
                text = text.replace(value.as_str(), HIDDEN);
            }
        }
        let plain = text
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(MESSAGE_CHARS_MOST);
        plain.collect::<String>().trim().to_owned()
    }
}

fn of_arguments(args: &[String], values: &mut Vec<String>) {
    let is_secret = |name: &str| {
        let name = name.to_ascii_lowercase();
        SECRET_WORDS.iter().any(|word| name.contains(word))
    };
    let mut named_by_last = false;
    for arg in args {
        if let Some((name, value)) = arg.split_once(['=', ':'])
            && is_secret(name)
        {
            values.push(value.trim().to_owned());
            values.extend(value.split_whitespace().skip(1).map(str::to_owned));
        }
        if named_by_last && !arg.starts_with('-') {
            values.push(arg.clone());
        }
        named_by_last = arg.starts_with('-') && is_secret(arg) && !arg.contains('=');
    }
}

/// The user, the query and the fragment.
fn of_address(url: &str, values: &mut Vec<String>) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if let Some((user, _)) = authority.rsplit_once('@') {
        values.push(user.to_owned());
        values.extend(user.split(':').map(str::to_owned));
    }
    if let Some((_, query)) = rest.split_once(['?', '#']) {
        values.push(query.to_owned());
        let pairs = query.split(['&', '#']);
        values.extend(pairs.filter_map(|pair| Some(pair.split_once('=')?.1.to_owned())));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn pairs(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    fn check(transport: McpTransport, cases: &[(&str, &str)]) {
        let secrets = Secrets::of(&McpServer {
            name: "a".to_owned(),
            transport,
        });
        for (text, expected) in cases {
            assert_eq!(secrets.clean(text), *expected);
        }
    }

    #[test]
    fn values_of_headers_and_addresses_are_hidden() {
        check(
            McpTransport::Http {
                url: "https://me:pass@example.com/mcp?api_key=abcdef&x=1#frag".to_owned(),
                headers: pairs(&[("Authorization", "Bearer sk-123"), ("X-Short", "1")]),
            },
            &[
                ("no to Bearer sk-123", "no to •••"),
                ("no to \"sk-123\"", "no to \"•••\""),
                (
                    "error for abcdef at example.com",
                    "error for ••• at example.com",
                ),
                (
                    "for https://me:pass@example.com/",
                    "for https://•••@example.com/",
                ),
                ("user pass: 1", "user •••: 1"),
                ("?api_key=abcdef&x=1#frag", "?•••"),
            ],
        );
    }

    #[test]
    fn values_of_variables_and_named_arguments_are_hidden() {
        let args = [
            "--port",
            "8080",
            "--api-key",
            "k-1234",
            "--token=t-1234",
            "--header",
            "Authorization: Basic b-1234",
        ];
        check(
            McpTransport::Stdio {
                command: "serve".to_owned(),
                args: args.map(str::to_owned).to_vec(),
                env: pairs(&[("DB", "postgres://a:b@c"), ("LONG", "postgres://a:b@c/d")]),
            },
            &[
                ("can't open postgres://a:b@c/d", "can't open •••"),
                ("can't open postgres://a:b@c", "can't open •••"),
                ("k-1234 t-1234 b-1234", "••• ••• •••"),
                ("port 8080\n\u{1b}in use\t", "port 8080  in use"),
            ],
        );
    }

    #[test]
    fn a_long_message_is_cut() {
        let none = Secrets(Vec::new());
        assert_eq!(
            none.clean(&"é".repeat(1000)).chars().count(),
            MESSAGE_CHARS_MOST
        );
    }
}
