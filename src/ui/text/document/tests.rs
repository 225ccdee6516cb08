//! Texts arrive in all kinds of pieces, and the result is the same.

use proptest::prelude::*;

use super::*;
use crate::ui::text::markdown::tests::notation;

fn parts(document: &Document<()>) -> Vec<Part> {
    document.slots().map(|slot| slot.part.clone()).collect()
}

fn whole(text: &str) -> Vec<Part> {
    let mut document = Document::new(LineBreaks::Soft);
    document.update(text, Growth::Complete);
    parts(&document)
}

/// Streams a text in pieces of these many characters, again and again.
fn streamed(text: &str, sizes: &[usize]) -> Document<()> {
    let mut document = Document::new(LineBreaks::Soft);
    let mut sizes = sizes.iter().copied().cycle();
    let mut end = 0;
    while end < text.len() {
        let size = sizes.next().unwrap_or(1).max(1);
        end = text
            .get(end..)
            .and_then(|rest| rest.char_indices().nth(size))
            .map_or(text.len(), |(at, _)| end + at);
        document.update(text.get(..end).expect("a boundary"), Growth::Streaming);
    }
    document.update(text, Growth::Complete);
    document
}

#[test]
fn a_streamed_text_gives_what_the_whole_gives() {
    let text = "# Title\n\nSome **bold** and [a link][x].\n\n- one\n- two\n\n```rust\nfn main() {}\n\n```\n\
                | a | b |\n|---|---|\n| 1 | 2 |\n\n> quote\n\n[x]: https://a.example\n";
    assert_eq!(
        notation(&whole(text)),
        [
            "h1 Title",
            "Some s(bold) and l(a link).",
            " • one",
            " • two",
            "code(rust) \"fn main() {}\\n\\n\"",
            "table a|b / 1|2",
            ">quote",
        ]
    );
    for sizes in [[1, 1], [2, 7], [5, 3]] {
        assert_eq!(parts(&streamed(text, &sizes)), whole(text));
    }
}

#[test]
fn an_open_fence_is_a_code_block_from_its_first_line_on() {
    let text = "````rust\nlet a = 1;\n```\nlet b";
    let mut document = Document::new(LineBreaks::Soft);
    document.update(text, Growth::Streaming);
    assert_eq!(
        notation(&parts(&document)),
        ["code(rust) \"let a = 1;\\n```\\nlet b\""]
    );
}

#[test]
fn half_a_mark_does_not_show() {
    let mut document = Document::new(LineBreaks::Soft);
    document.update("some **bol", Growth::Streaming);
    assert_eq!(notation(&parts(&document)), ["some s(bol)"]);
    document.update("some **bol", Growth::Complete);
    assert_eq!(notation(&parts(&document)), ["some **bol"]);
}

#[test]
fn another_text_starts_anew() {
    let mut document = Document::<()>::new(LineBreaks::Soft);
    document.update("first text, quite long", Growth::Complete);
    document.update("second", Growth::Complete);
    assert_eq!(notation(&parts(&document)), ["second"]);
}

#[test]
fn escape_sequences_in_code_are_gone_however_they_arrive() {
    let text = "```\n\u{1B}[31mred\u{1B}[0m\n\u{1B}]0;t\u{7}x\n```\n";
    for sizes in [[1, 1], [3, 2]] {
        assert_eq!(
            notation(&parts(&streamed(text, &sizes))),
            ["code() \"red\\nx\\n\""]
        );
    }
}

/// Case O-08: texts meant to hurt.
fn hurting() -> Vec<(&'static str, String)> {
    let definition = |n: usize| {
        let (note, link) = ((n + 1) % 400, (n + 7) % 400);
        format!("[d{n}]: https://a.example/{n}\n[^f{n}]: see [^f{note}] and [d{link}]\n\n")
    };
    let references = (0..400).map(definition).collect::<Vec<_>>().concat();
    vec![
        ("open fence", "````rust\nfn f() {}\n```\nnot closed\n".to_owned()),
        ("wide table", format!("|{}\n|{}\n|{}\n", "a|".repeat(5_000), "-|".repeat(5_000), "b|".repeat(5_000))),
        ("nested quotes", format!("{} deep", ">".repeat(2_000))),
        ("stars", format!("{} x", "*".repeat(10_000))),
        ("open link", format!("[a]({}", "x".repeat(200_000))),
        ("references", references),
        ("html", "<script>alert(1)</script>\n\n<img src=x onerror=y> [a](javascript:b) ![i](https://x.y/z.png)".to_owned()),
        ("long line", "日本語x".repeat(40_000)),
        ("two fences", "```\na\n```\n```\nb\n```\n".to_owned()),
    ]
}

#[test]
fn texts_meant_to_hurt_come_out_the_same_in_pieces() {
    for (name, text) in hurting() {
        // A frame takes in what arrived since the last one: some hundred characters of a fast stream.
        let sizes = if text.len() > 5_000 {
            [997, 1_301]
        } else {
            [7, 3]
        };
        assert!(parts(&streamed(&text, &sizes)) == whole(&text), "{name}");
    }
}

#[test]
fn nothing_of_a_text_shown_as_source_is_lost() {
    for (name, text) in hurting() {
        let parts = whole(&text);
        if parts
            .iter()
            .all(|part| matches!(part.kind, PartKind::Source(_)))
        {
            let shown: String = parts
                .iter()
                .map(|part| match &part.kind {
                    PartKind::Source(text) => text.as_str(),
                    _ => "",
                })
                .collect();
            assert!(shown == text.trim_end(), "{name}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_splitting_gives_the_same_parts(
        text in "([a-c ]|\n|\n\n|- |1\\. |> |```|~~~|`|\\*\\*|_|\\[a\\]|\\[b\\]: x|\\(u\\)|\\||---|<!--|-->|    |日本|、|# |\u{1B}\\[1m|\r){0,40}",
        sizes in prop::collection::vec(1_usize..8, 1..6),
    ) {
        prop_assert_eq!(notation(&parts(&streamed(&text, &sizes))), notation(&whole(&text)));
    }
}
