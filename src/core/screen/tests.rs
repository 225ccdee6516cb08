//! What programs print, and what is to be read of it.

use super::*;

#[track_caller]
fn check(printed: &str, expected: &str) {
    assert_eq!(Screen::of(printed).text(), expected, "{printed:?}");
    // Cut anywhere it is the same.
    let mut screen = Screen::default();
    for c in printed.chars() {
        screen.feed(c.encode_utf8(&mut [0; 4]));
    }
    assert_eq!(screen.text(), expected, "{printed:?} in pieces");
}

#[test]
fn text_is_as_it_was_printed() {
    check("", "");
    check("one\ntwo\r\n\nfour\n\n", "one\ntwo\n\nfour");
    check("日本語\tx", "日本語     x");
    check("e\u{301}a👩\u{200D}💻", "e\u{301}a👩\u{200D}💻");
}

#[test]
fn a_carriage_return_writes_the_line_again() {
    check("10 %\r50 %\r100 %\ndone", "100 %\ndone");
    check("long line\rshort", "shortline");
    check("long line\r\u{1B}[Kshort", "short");
    check("abc\u{8}\u{8}X", "aXc");
    check("a\u{1B}[5Cb", "a     b");
    check("e\u{301}x\rab", "ab");
}

#[test]
fn a_progress_of_several_lines_is_drawn_over() {
    check("a 1\nb 1\n\u{1B}[2Aa 2\u{1B}[K\nb 2\u{1B}[K\n", "a 2\nb 2");
    check("one\ntwo\n\u{1B}[1A\u{1B}[Jthree", "one\nthree");
    check("kept\n\u{1B}[2J\u{1B}[Hnew\u{1B}[Hnow", "kept\nnow");
    check("\u{1B}[100Aup\u{1B}[100Bdown", "updown");
}

#[test]
fn nothing_that_is_printed_acts() {
    check("\u{1B}]0;title\u{7}after", "after");
    check(
        "\u{1B}]8;;https://x.example\u{1B}\\link\u{1B}]8;;\u{1B}\\",
        "link",
    );
    check("\u{1B}]52;c;c2VjcmV0\u{7}x", "x");
    check("\u{1B}[6n\u{1B}[?1049h\u{1B}Pq\u{1B}\\x", "x");
    check("a\u{0}b\u{7}c", "abc");
}

#[test]
fn codes_become_styles() {
    let screen = Screen::of(
        "\u{1B}[1;31merror\u{1B}[0m: \u{1B}[38;5;208mx\u{1B}[48;2;1;2;3my\u{1B}[22;39mz",
    );
    let line = &screen.lines()[0];
    let styles: Vec<(&str, Style)> = line
        .runs
        .iter()
        .scan(0, |start, run| {
            let text = line.text.get(*start..run.end)?;
            *start = run.end;
            Some((text, run.style))
        })
        .collect();
    let plain = Style::default();
    let orange = Style {
        foreground: Color::Indexed(208),
        ..plain
    };
    let ground = Color::Rgb(1, 2, 3);
    assert_eq!(
        styles,
        [
            (
                "error",
                Style {
                    bold: true,
                    foreground: Color::Indexed(1),
                    ..plain
                }
            ),
            (": ", plain),
            ("x", orange),
            (
                "y",
                Style {
                    background: ground,
                    ..orange
                }
            ),
            (
                "z",
                Style {
                    background: ground,
                    ..plain
                }
            ),
        ]
    );
}

#[test]
fn what_changed_is_told() {
    let mut screen = Screen::default();
    screen.feed("one\ntwo\nthr");
    assert_eq!(screen.take_changed(), 0);
    screen.feed("ee\nfour");
    assert_eq!(screen.take_changed(), 2);
    screen.feed("\u{1B}[2Ax");
    assert_eq!(screen.take_changed(), 1);
    assert_eq!(screen.text(), "one\ntwo x\nthree\nfour");
}

#[test]
fn no_line_is_longer_than_a_terminal_can_be() {
    let screen = Screen::of(&"x".repeat(COLUMNS_MOST * 2 + 5));
    let lengths: Vec<usize> = screen.lines().iter().map(|line| line.text.len()).collect();
    assert_eq!(lengths, [COLUMNS_MOST, COLUMNS_MOST, 5]);
    let screen = Screen::of("\u{1B}[99999Cx\u{1B}[99999;99999Hy\u{1B}[65535Bz");
    assert!(
        screen
            .lines()
            .iter()
            .all(|line| line.text.len() <= COLUMNS_MOST)
    );
}
