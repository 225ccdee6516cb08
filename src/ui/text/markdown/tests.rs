//! Markdown in, parts out.

use super::*;

/// The parts in a short notation: insets, marker, kind and text.
pub(crate) fn notation(parts: &[Part]) -> Vec<String> {
    parts.iter().map(part_notation).collect()
}

fn part_notation(part: &Part) -> String {
    let insets: String = part
        .insets
        .iter()
        .map(|inset| match inset {
            Inset::Quote => '>',
            Inset::Item { .. } => ' ',
        })
        .collect();
    let marker = match &part.marker {
        Some(Marker::Bullet) => "• ".to_owned(),
        Some(Marker::Number(number)) => format!("{number}. "),
        Some(Marker::Task { done }) => format!("[{}] ", if *done { "x" } else { " " }),
        Some(Marker::Footnote(label)) => format!("^{label} "),
        None => String::new(),
    };
    let content = match &part.kind {
        PartKind::Paragraph(text) => inline_notation(text),
        PartKind::Heading { level, text } => format!("h{level} {}", inline_notation(text)),
        PartKind::Code(code) => format!("code({}) {:?}", code.language, code.text),
        PartKind::Table(table) => {
            let cells = |row: &Vec<Inlines>| {
                row.iter()
                    .map(inline_notation)
                    .collect::<Vec<_>>()
                    .join("|")
            };
            let rows: Vec<String> = table.rows.iter().map(cells).collect();
            format!("table {} / {}", cells(&table.head), rows.join(" / "))
        }
        PartKind::Rule => "rule".to_owned(),
        PartKind::Source(text) => format!("source {text:?}"),
    };
    insets + &marker + &content
}

fn inline_notation(inlines: &Inlines) -> String {
    inlines
        .runs()
        .map(|(text, style)| {
            let mut text = text.to_owned();
            let voice = match style.voice {
                Voice::Prose => None,
                Voice::Code => Some('c'),
                Voice::Math => Some('m'),
                Voice::Html => Some('h'),
                Voice::Footnote => Some('f'),
            };
            for (is_on, mark) in [
                (style.strong, 's'),
                (style.emphasis, 'e'),
                (style.strike, 'd'),
                (style.link.is_some(), 'l'),
            ] {
                if is_on {
                    text = format!("{mark}({text})");
                }
            }
            voice.map_or(text.clone(), |voice| format!("{voice}({text})"))
        })
        .collect()
}

#[track_caller]
fn check(source: &str, expected: &[&str]) {
    let parsed = parse(source, LineBreaks::Soft, |_| None);
    assert_eq!(notation(&parsed.parts), expected, "{source}");
}

#[test]
fn paragraphs_and_styles() {
    check(
        "a *b* **c** ***d*** `e` ~~f~~",
        &["a e(b) s(c) e(s(d)) c(e) d(f)"],
    );
    check("one\ntwo  \nthree", &["one two\nthree"]);
    check("日本\n語\nand", &["日本語and"]);
    check("# A\n\nb\n\n### C `d`\n", &["h1 A", "b", "h3 C c(d)"]);
    check("a\n***\nb", &["a", "rule", "b"]);
    check("$x^2$ and $$y$$", &["m($x^2$) and m($$y$$)"]);
}

#[test]
fn lists_keep_their_structure() {
    check("- a\n- b\n  - c\n", &[" • a", " • b", "  • c"]);
    check("9. a\n10. b\n\n    c", &[" 9. a", " 10. b", " c"]);
    check("- [ ] a\n- [x] b", &[" [ ] a", " [x] b"]);
    check("- ", &[" • "]);
    check(
        "- a\n\n  ```rs\n  x\n  ```",
        &[" • a", " code(rs) \"x\\n\""],
    );
    let tight = parse("- a\n- b", LineBreaks::Soft, |_| None).parts;
    let loose = parse("- a\n\n- b", LineBreaks::Soft, |_| None).parts;
    assert!(tight.iter().all(|part| part.tight) && loose.iter().all(|part| !part.tight));
}

#[test]
fn quotes_footnotes_and_tables() {
    check("> a\n>\n> - b\n> > c", &[">a", "> • b", ">>c"]);
    check("see[^n]\n\n[^n]: note", &["seef([n])", " ^n note"]);
    check("the class [^a-z]", &["the class f([^a-z])"]);
    check(
        "| a | b |\n|---|--:|\n| 1 | **2** |\n| 3 |",
        &["table a|b / 1|s(2) / 3|"],
    );
}

#[test]
fn cve_2026_22813_links_show_their_text_and_html_is_text() {
    check(
        "[a](https://x.y) <https://z.w> https://q.r",
        &["l(a) l(https://z.w) l(https://q.r)"],
    );
    check(
        "![alt](https://x.y/i.png) ![](https://x.y/j.png)",
        &["l(alt) l(https://x.y/j.png)"],
    );
    check(
        "<b>x</b> <script>alert(1)</script>",
        &["h(<b>)xh(</b>) h(<script>)alert(1)h(</script>)"],
    );
    check(
        "<div onclick=x>\n<img src=y>\n</div>\n",
        &["h(<div onclick=x>\n<img src=y>\n</div>)"],
    );
    let parsed = parse(
        "[a](javascript:x) [b](file:///etc/hosts)",
        LineBreaks::Soft,
        |_| None,
    );
    let PartKind::Paragraph(text) = &parsed.parts[0].kind else {
        panic!("a paragraph")
    };
    assert!(
        text.links
            .iter()
            .all(|link| matches!(link, Target::Dead(_)))
    );
}

#[test]
fn labels_of_other_pieces_are_asked_for() {
    let parsed = parse("[a][One  Two] [b] [c]: x", LineBreaks::Soft, |label| {
        (label == "one two").then(|| "https://x.y".to_owned())
    });
    assert_eq!(notation(&parsed.parts), ["l(a) [b] [c]: x"]);
    assert_eq!(parsed.unresolved, ["b", "c"]);
    let parsed = parse("[A b]: https://x.y 'title'", LineBreaks::Soft, |_| None);
    assert_eq!(
        parsed.definitions,
        [("a b".to_owned(), "https://x.y".to_owned())]
    );
}

#[test]
fn what_is_beyond_the_limits_is_shown_as_source() {
    let deep = format!("{} a", ">".repeat(2_000));
    let wide = format!(
        "|{}\n|{}\n|{}",
        "a|".repeat(5_000),
        "-|".repeat(5_000),
        "b|".repeat(5_000)
    );
    for text in [deep, wide] {
        let parsed = parse(&text, LineBreaks::Soft, |_| None);
        assert_eq!(parsed.parts, [Part::new(PartKind::Source(text))]);
    }
    let stars = "*".repeat(10_000);
    check(&format!("a {stars}"), &[&format!("a {stars}")]);
}
