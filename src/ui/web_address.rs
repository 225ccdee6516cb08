//! Where an address in the web leads, as a browser would read it.

use crate::ui::untrusted::one_line;

/// The host that an address leads to, with its port. `None` for what must not be opened: other schemes than `http`
/// and `https`, and whatever a browser might read in another way than a person.
pub fn host(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return None;
    }
    let hides_something = address.contains(char::is_whitespace) || one_line(address) != address;
    if hides_something || address.contains('\\') {
        return None;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = rest.get(..end)?;
    // What stands before the `@` is a name, not the place.
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    (!host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        let cases = [
            ("https://a.example/x?y#z", Some("a.example")),
            ("HTTP://a.example:8080", Some("a.example:8080")),
            ("https://bank.example@evil.example/", Some("evil.example")),
            ("https://bank.example/@evil.example", Some("bank.example")),
            ("https://evil.example\\@bank.example", None),
            ("https://a.example/\u{202E}txt", None),
            ("https://a.exam ple/", None),
            ("https:///x", None),
            ("https:a.example", None),
            ("javascript:alert(1)", None),
            ("file:///etc/hosts", None),
            ("", None),
        ];
        for (address, expected) in cases {
            assert_eq!(host(address), expected, "{address:?}");
        }
    }
}
