//! Web hosts: of a call, and in rules.

use serde_json::Value;

/// A host in a rule: `example.com`, or `*.example.com` for what is below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPattern {
    suffix: String,
    below: bool,
}

impl HostPattern {
    /// Reads a host. `None` for anything but plain names.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, below) = match text.strip_prefix("*.") {
            Some(name) => (name, true),
            None => (text, false),
        };
        Some(Self {
            suffix: plain_host(name)?,
            below,
        })
    }

    pub fn matches(&self, host: &str) -> bool {
        if self.below {
            host.strip_suffix(self.suffix.as_str())
                .is_some_and(|rest| rest.ends_with('.'))
        } else {
            host == self.suffix
        }
    }
}

/// The host of a web address. `None` when there is anything about it that programs read in different ways.
pub fn host_of(address: &str) -> Option<String> {
    let lower = address.get(..8).map(str::to_ascii_lowercase)?;
    let rest = if lower == "https://" {
        address.get(8..)?
    } else if lower.starts_with("http://") {
        address.get(7..)?
    } else {
        return None;
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, _) = rest.split_at_checked(end)?;
    let (host, port) = match authority.split_once(':') {
        Some((host, port)) => (host, port),
        None => (authority, ""),
    };
    let odd = address
        .chars()
        .any(|c| c.is_control() || c.is_whitespace() || c == '\\');
    if odd || !port.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    plain_host(host)
}

/// The web addresses that a tool's arguments name.
pub fn addresses(arguments: Option<&Value>) -> Vec<&str> {
    let Some(fields) = arguments.and_then(Value::as_object) else {
        return Vec::new();
    };
    let single = ["url", "uri", "href"]
        .iter()
        .filter_map(|key| fields.get(*key)?.as_str());
    let mut found: Vec<&str> = single.collect();
    let lists = fields.get("urls").and_then(Value::as_array);
    found.extend(lists.into_iter().flatten().filter_map(Value::as_str));
    found
}

fn plain_host(host: &str) -> Option<String> {
    let host = host.strip_suffix('.').unwrap_or(host);
    let plain = !host.is_empty()
        && !host.starts_with('.')
        && !host.contains("..")
        && host
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'));
    plain.then(|| host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_only_where_all_programs_agree() {
        for (address, expected) in [
            ("https://docs.rs/egui", Some("docs.rs")),
            ("HTTP://Docs.RS:80?x", Some("docs.rs")),
            ("https://docs.rs./", Some("docs.rs")),
            ("https://docs.rs@evil.example/", None),
            ("https://evil.example\\@docs.rs/", None),
            ("https://docs.rs\u{3002}evil.example/", None),
            ("https://[::1]/", None),
            ("https://%64ocs.rs/", None),
            ("ftp://docs.rs/", None),
            ("docs.rs", None),
            ("https://", None),
            ("https:///docs.rs", None),
            ("https://docs.rs\t.evil.example", None),
        ] {
            assert_eq!(host_of(address).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn a_star_stands_for_what_is_below() {
        let below = HostPattern::parse("*.example.com").expect("a host");
        assert!(below.matches("a.example.com"));
        assert!(below.matches("a.b.example.com"));
        assert!(!below.matches("example.com"));
        assert!(!below.matches("badexample.com"));
        let exact = HostPattern::parse("Example.com").expect("a host");
        assert!(exact.matches("example.com"));
        assert!(!exact.matches("a.example.com"));
        for text in ["", "*", "*.", "a b", "a/b", "*.*.com", "https://a.com"] {
            assert_eq!(HostPattern::parse(text), None, "{text}");
        }
    }
}
