//! A paragraph's text with its styles and links, free of markup.

/// Text with styles. The spans cover it without gaps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Inlines {
    pub text: String,
    pub spans: Vec<Span>,
    pub links: Vec<Target>,
}

/// A run of text in one style, from the end of the run before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The byte after its last one.
    pub end: usize,
    pub style: InlineStyle,
}

/// How a run of text looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InlineStyle {
    pub strong: bool,
    pub emphasis: bool,
    pub strike: bool,
    pub voice: Voice,
    /// Which of the paragraph's links it belongs to.
    pub link: Option<u16>,
}

/// What kind of text a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Voice {
    #[default]
    Prose,
    Code,
    Math,
    Html,
    /// The number of a footnote.
    Footnote,
}

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// An address that may be opened: `http`, `https` or `mailto`.
    Url(String),
    /// A place in a file, as an agent writes it. `line` counts from 1.
    File { path: String, line: u32 },
    /// An address of another kind: shown, never opened.
    Dead(String),
}

impl Inlines {
    /// Adds a run of text.
    pub fn push(&mut self, text: &str, style: InlineStyle) {
        if text.is_empty() {
            return;
        }
        self.text.push_str(text);
        let end = self.text.len();
        match self.spans.last_mut() {
            Some(last) if last.style == style => last.end = end,
            Some(_) | None => self.spans.push(Span { end, style }),
        }
    }

    /// Adds prose, with its bare web addresses as links.
    pub fn push_prose(&mut self, text: &str, style: InlineStyle) {
        if style.link.is_some() {
            self.push(text, style);
            return;
        }
        let mut rest = text;
        while let Some((before, address, after)) = next_address(rest) {
            self.push(before, style);
            let link = self.link(Target::Url(address.to_owned()));
            self.push(address, InlineStyle { link, ..style });
            rest = after;
        }
        self.push(rest, style);
    }

    /// Adds a code span, which leads to a file when it names a line in one.
    pub fn push_code(&mut self, text: &str, style: InlineStyle) {
        let link = style
            .link
            .or_else(|| file_place(text).and_then(|place| self.link(place)));
        let voice = Voice::Code;
        self.push(
            text,
            InlineStyle {
                voice,
                link,
                ..style
            },
        );
    }

    /// Notes where the runs that follow lead. `None` when there are too many links.
    pub fn link(&mut self, target: Target) -> Option<u16> {
        let index = u16::try_from(self.links.len()).ok()?;
        self.links.push(target);
        Some(index)
    }

    /// The runs with their text.
    pub fn runs(&self) -> impl Iterator<Item = (&str, InlineStyle)> {
        let mut start = 0;
        self.spans.iter().map(move |span| {
            let run = self.text.get(start..span.end).unwrap_or_default();
            start = span.end;
            (run, span.style)
        })
    }
}

impl Target {
    /// The target of a link in Markdown. Only these schemes can be opened; a bare path is dead text.
    pub fn of_link(address: &str) -> Self {
        let scheme = address.split(':').next().unwrap_or_default();
        let is_open = ["http", "https", "mailto"]
            .iter()
            .any(|known| scheme.eq_ignore_ascii_case(known) && address.len() > known.len() + 1);
        let is_clean = !address.chars().any(|c| c.is_control() || c.is_whitespace());
        if is_open && is_clean {
            Self::Url(address.to_owned())
        } else {
            Self::Dead(address.to_owned())
        }
    }
}

/// The first bare web address, with the text before and after it.
fn next_address(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let rest = text.get(from..)?;
        let start = from + rest.find("http")?;
        let tail = text.get(start..)?;
        let scheme = ["https://", "http://"]
            .into_iter()
            .find(|scheme| tail.starts_with(scheme));
        let begins_a_word = !text
            .get(..start)?
            .ends_with(|c: char| c.is_ascii_alphanumeric());
        if let Some(scheme) = scheme
            && begins_a_word
        {
            let length = address_length(tail);
            if length > scheme.len() {
                let end = start + length;
                return Some((text.get(..start)?, text.get(start..end)?, text.get(end..)?));
            }
        }
        from = start + "http".len();
    }
}

/// How long the address is that a text begins with. Punctuation at its end belongs to the sentence.
fn address_length(text: &str) -> usize {
    let end = text
        .find(|c: char| !c.is_ascii_graphic() || matches!(c, '<' | '>' | '"' | '`' | '|'))
        .unwrap_or(text.len());
    let mut address = text.get(..end).unwrap_or_default();
    while let Some(last) = address.chars().next_back() {
        let closes_nothing = match last {
            ')' => address.matches(')').count() > address.matches('(').count(),
            ']' => address.matches(']').count() > address.matches('[').count(),
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '_' | '~' => true,
            _ => false,
        };
        if !closes_nothing {
            break;
        }
        address = address.get(..address.len() - 1).unwrap_or_default();
    }
    address.len()
}

/// `src/main.rs:12` or `src/main.rs:12:5`.
fn file_place(text: &str) -> Option<Target> {
    let is_path = |path: &str| {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let has_extension = name
            .rsplit_once('.')
            .is_some_and(|(stem, extension)| !stem.is_empty() && is_word(extension));
        has_extension
            && path.len() < 300
            && !path.contains("://")
            && !path.contains(char::is_whitespace)
    };
    let (before, last) = text.rsplit_once(':')?;
    let number: u32 = last.parse().ok()?;
    if let Some((path, line)) = before.rsplit_once(':')
        && let Ok(line) = line.parse::<u32>()
        && is_path(path)
    {
        return Some(Target::File {
            path: path.to_owned(),
            line,
        });
    }
    is_path(before).then(|| Target::File {
        path: before.to_owned(),
        line: number,
    })
}

fn is_word(text: &str) -> bool {
    (1..=12).contains(&text.len())
        && text.chars().all(|c| c.is_ascii_alphanumeric())
        && text.chars().any(|c| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_addresses_become_links() {
        let cases: [(&str, &[&str]); 9] = [
            ("see https://a.example/x.", &["https://a.example/x"]),
            ("(http://a.example/b(c))", &["http://a.example/b(c)"]),
            ("https://a.example/日本", &["https://a.example/"]),
            ("「https://a.example」と", &["https://a.example"]),
            (
                "a https://x.y, b https://z.w?",
                &["https://x.y", "https://z.w"],
            ),
            ("xhttps://x.y", &[]),
            ("https:// nothing", &[]),
            ("httpd and http", &[]),
            ("**https://a.example**", &["https://a.example"]),
        ];
        for (text, expected) in cases {
            let mut inlines = Inlines::default();
            inlines.push_prose(text, InlineStyle::default());
            let links: Vec<&str> = inlines
                .runs()
                .filter(|(_, style)| style.link.is_some())
                .map(|(run, _)| run)
                .collect();
            assert_eq!(links, expected, "{text}");
            assert_eq!(inlines.text, text);
        }
    }

    #[test]
    fn only_web_and_mail_addresses_can_be_opened() {
        for address in [
            "https://a.example",
            "HTTP://a.example",
            "mailto:a@b.example",
        ] {
            assert_eq!(Target::of_link(address), Target::Url(address.to_owned()));
        }
        for address in [
            "javascript:alert(1)",
            "file:///etc/hosts",
            "vscode://x",
            "data:text/html,x",
            "docs/readme.md",
            "#part",
            "https:",
            "https://a.example/\u{7}",
            "",
        ] {
            assert_eq!(Target::of_link(address), Target::Dead(address.to_owned()));
        }
    }

    #[test]
    fn code_that_names_a_line_leads_to_it() {
        let place = |path: &str, line| {
            Some(Target::File {
                path: path.to_owned(),
                line,
            })
        };
        assert_eq!(file_place("src/main.rs:12"), place("src/main.rs", 12));
        assert_eq!(file_place("main.rs:12:5"), place("main.rs", 12));
        assert_eq!(file_place("C:\\a\\b.txt:3"), place("C:\\a\\b.txt", 3));
        for text in [
            "main.rs",
            "a::b",
            "localhost:8080",
            "127.0.0.1:80",
            "x y.rs:1",
            "http://a.b:1",
        ] {
            assert_eq!(file_place(text), None, "{text}");
        }
    }
}
