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

/// Whether an address may be handed to the system: one of the web, or of mail.
pub fn may_be_opened(address: &str) -> bool {
    let is_mail = address
        .get(..7)
        .is_some_and(|start| start.eq_ignore_ascii_case("mailto:"));
    let is_plain = !address.contains(char::is_whitespace) && one_line(address) == address;
    host(address).is_some() || (is_mail && is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CVE-2025-6514, CVE-2025-54382, CVE-2025-54074: an address that came from a server ended up in a shell.
    #[test]
    fn cve_2025_6514_only_addresses_of_the_web_are_opened() {
        for opened in [
            "https://a.example/x?y=$(calc)&z",
            "http://127.0.0.1:8080/callback",
            "mailto:ana@a.example",
        ] {
            assert!(may_be_opened(opened), "{opened}");
        }
        for refused in [
            "file:///C:/Windows/System32/calc.exe",
            "javascript:alert(1)",
            "a:$(calc.exe)?response_type=code",
            "vscode://file/etc/passwd",
            "ms-msdt:/id PCWDiagnostic",
            "https://a.example/ --new-window calc",
            "https://a.example/\ncalc",
            "mailto:a@b.example\r\nx",
            "--profile=/tmp",
            "/usr/bin/calc",
            "calc.exe",
            "",
        ] {
            assert!(!may_be_opened(refused), "{refused:?}");
        }
    }

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
