//! Lines as agents write them, and as somebody writes them who wants them to pass.

use proptest::prelude::*;

use super::wipe::wiping;
use super::*;

fn places() -> ShellPlaces<'static> {
    ShellPlaces {
        folder: Path::new("/home/user/project"),
        home: Some(Path::new("/home/user")),
    }
}

fn plain(line: &str) -> Option<Vec<Vec<String>>> {
    let script = read(line, places());
    let words = |command: &ShellCommand| command.words.iter().map(Word::literal).collect();
    if script.doubts.is_empty() {
        script.commands.iter().map(words).collect()
    } else {
        None
    }
}

/// A table of lines; `⏎` stands for a line's end inside one.
fn table(text: &str) -> impl Iterator<Item = String> + '_ {
    text.lines().map(|line| line.replace('⏎', "\n"))
}

#[test]
fn plain_lines_are_read_word_by_word() {
    let cases: &[(&str, &[&[&str]])] = &[
        ("ls", &[&["ls"]]),
        ("npm test -- --watch", &[&["npm", "test", "--", "--watch"]]),
        ("git commit -m 'a b' ", &[&["git", "commit", "-m", "a b"]]),
        (
            r#"echo "a \"b\" \\ \n" 'c'\''d'"#,
            &[&["echo", r#"a "b" \ \n"#, "c'd"]],
        ),
        (r"echo a\ b", &[&["echo", "a b"]]),
        ("echo $'a\\tb'", &[&["echo", "a\tb"]]),
        ("echo ''", &[&["echo", ""]]),
        (
            "a && b || c; d | e & f",
            &[&["a"], &["b"], &["c"], &["d"], &["e"], &["f"]],
        ),
        ("a&&b;c|d", &[&["a"], &["b"], &["c"], &["d"]]),
        ("a\nb", &[&["a"], &["b"]]),
        ("(a; b) && { c; }", &[&["a"], &["b"], &["c"]]),
        ("! a", &[&["a"]]),
        ("a 2>&1 | b >/dev/null 2>/dev/null", &[&["a"], &["b"]]),
        ("a < in.txt", &[&["a"]]),
        ("a <<'E'\n$x `y`\nE\n", &[&["a"]]),
        ("ls # all of it", &[&["ls"]]),
        ("ls \\\n  -l", &[&["ls", "-l"]]),
        ("echo 日本語 é", &[&["echo", "日本語", "é"]]),
        ("python manage.py test", &[&["python", "manage.py", "test"]]),
        ("find . -name x", &[&["find", ".", "-name", "x"]]),
    ];
    for (line, expected) in cases {
        let read = plain(line).unwrap_or_else(|| panic!("{line}: {:?}", read(line, places())));
        assert_eq!(read, *expected, "{line}");
    }
}

#[test]
fn what_can_run_something_else_is_in_doubt() {
    let lines = table(include_str!("tests/doubtful.txt"));
    let odd = [
        "",
        "  ",
        "ls\r\nrm x",
        "ls\u{0}",
        "rm\u{a0}-rf x",
        "ls \u{200b}x",
        "ls \u{202e}x",
        "ls \u{1b}[31m",
    ];
    for line in lines.chain(odd.map(str::to_owned)) {
        assert!(!read(&line, places()).doubts.is_empty(), "{line:?}");
    }
}

#[test]
fn wiping_is_found_in_any_spelling() {
    let lines = table(include_str!("tests/wiping.txt"));
    let odd = ["rm -rf / \u{200b}"];
    for line in lines.chain(odd.map(str::to_owned)) {
        let script = read(&line, places());
        assert!(wiping(&script, places()).is_some(), "{line:?}: {script:?}");
    }
}

#[test]
fn removing_something_in_the_folder_is_not_wiping() {
    for line in [
        "rm -rf target",
        "rm -rf ./target/",
        "rm -rf src/../target",
        "rm -r ~/project2",
        "rm -rf target/*",
        "rm -f *",
        "rm *.o",
        "rm -rf *.o",
        "rm -rf \"$X\"",
        "rm -rf $X/y",
        "find . -name '*.o' -delete",
        "find target -delete",
        "cd target && rm -rf *",
        "echo rm -rf /",
        "git rm -r src",
        "echo '/' | cat",
        "rm -rf /tmp/x",
        "rm -rf /home/bob",
        "ls -R /",
        "grep -r x /",
    ] {
        let script = read(line, places());
        assert_eq!(wiping(&script, places()), None, "{line:?}");
    }
}

#[test]
fn wiping_is_found_in_lines_that_are_not_read() {
    let padding = "true;".repeat(2_000);
    let nested = "(".repeat(60);
    for line in [
        format!("{padding} rm -rf /"),
        format!("rm -rf / ;{padding}"),
        format!("{nested} rm -rf / ;"),
    ] {
        let script = read(&line, places());
        assert!(!script.doubts.is_empty());
        assert!(wiping(&script, places()).is_some());
    }
    for line in [
        "Remove-Item -Recurse -Force C:\\",
        "Remove-Item -Recurse $env:USERPROFILE",
        "rd /s /q C:\\",
        "del /s /q *",
        "rm -r -fo ~",
        "dir & rmdir /S /Q .",
    ] {
        let script = read_loosely(line, places());
        assert!(wiping(&script, places()).is_some(), "{line}: {script:?}");
    }
}

#[test]
fn cd_is_followed_along_the_line() {
    let at = |line: &str| -> Vec<Option<String>> {
        let script = read(line, places());
        let last = script.commands.last().expect("a command");
        last.folders
            .iter()
            .map(|folder| folder.as_ref().map(|path| path.display().to_string()))
            .collect()
    };
    let here = Some("/home/user/project".to_owned());
    let sub = Some("/home/user/project/a".to_owned());
    assert_eq!(at("cd a && ls"), std::slice::from_ref(&sub));
    assert_eq!(at("cd a; ls"), [here.clone(), sub.clone()]);
    assert_eq!(at("cd a || ls"), std::slice::from_ref(&here));
    assert_eq!(at("(cd a) && ls"), std::slice::from_ref(&here));
    assert_eq!(at("cd a | ls"), std::slice::from_ref(&here));
    assert_eq!(at("{ cd a; } && ls"), std::slice::from_ref(&sub));
    assert_eq!(at("{ cd a; true; } && ls"), [here, sub]);
    assert_eq!(
        at("cd a && cd b && ls"),
        [Some("/home/user/project/a/b".to_owned())]
    );
    assert_eq!(at("cd /etc && ls"), [Some("/etc".to_owned())]);
    assert_eq!(at("cd ~/x && ls"), [Some("/home/user/x".to_owned())]);
    assert_eq!(at("cd && ls"), [Some("/home/user".to_owned())]);
    for line in [
        "cd .. && ls",
        "cd - && ls",
        "cd $X && ls",
        "pushd a && ls",
        "cd a b && ls",
    ] {
        assert!(at(line).contains(&None), "{line}");
    }
}

#[test]
fn long_and_deep_lines_are_answered_at_once() {
    let lines = [
        "(".repeat(100_000),
        "$(".repeat(50_000),
        "{ ".repeat(50_000),
        "`".repeat(100_000),
        "\"$(".repeat(30_000),
        "a;".repeat(100_000),
        "a|".repeat(100_000),
        "! ".repeat(50_000),
        "if ".repeat(50_000),
        "a ".repeat(200_000),
        "'".repeat(100_001),
        "\\".repeat(100_001),
        "<<A ".repeat(2_000),
        "${a:-".repeat(1_500),
        "[".repeat(8_000),
        "{".repeat(20),
        "$((".repeat(24),
        "sudo ".repeat(1_600),
        "env ".repeat(2_000),
        "xargs -I {} ".repeat(600),
        "eval ".repeat(1_500),
        "sh -c ".repeat(1_300),
        "sh -c '".repeat(1_100),
        "{a,b}".repeat(20),
    ];
    for line in &lines {
        let script = read(line, places());
        assert!(!script.doubts.is_empty());
        drop(wiping(&script, places()));
        drop(wiping(&read_loosely(line, places()), places()));
    }
}

/// Pieces that shells give a meaning, in any order.
fn hostile_line() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("rm"),
        Just("-rf"),
        Just("/"),
        Just(" "),
        Just("\n"),
        Just("'"),
        Just("\""),
        Just("\\"),
        Just("$("),
        Just(")"),
        Just("("),
        Just("`"),
        Just("${"),
        Just("}"),
        Just("{"),
        Just("|"),
        Just("&"),
        Just(";"),
        Just("<<E\n"),
        Just("E\n"),
        Just("<<<"),
        Just(">"),
        Just("<("),
        Just("$'"),
        Just("$\""),
        Just("[["),
        Just("]]"),
        Just("(("),
        Just("))"),
        Just("if "),
        Just("then "),
        Just("fi"),
        Just("case "),
        Just("in "),
        Just("esac"),
        Just("for "),
        Just("do "),
        Just("done"),
        Just("cd "),
        Just("~"),
        Just("*"),
        Just("!"),
        Just("#"),
        Just("="),
        Just("x"),
        Just("日"),
        Just("\u{202e}"),
        Just("\0"),
        Just("2>&1"),
        Just("99999999999999999999>"),
        Just("{fd}>"),
        Just("sudo "),
        Just("sh -c "),
        Just("eval "),
        Just("find . -exec "),
        Just("~99999999999999999999"),
        Just("function f "),
        Just("coproc "),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_line_makes_the_reader_fail(line in hostile_line()) {
        let script = read(&line, places());
        drop(wiping(&script, places()));
    }

    #[test]
    fn no_text_makes_the_reader_fail(line in "\\PC{0,200}") {
        let script = read(&line, places());
        drop(wiping(&script, places()));
        drop(read_loosely(&line, places()));
    }

    /// What is read without doubt means to a shell what its words say: quoting them again changes nothing.
    #[test]
    fn lines_without_doubt_read_the_same_when_quoted_again(line in hostile_line()) {
        let script = read(&line, places());
        if script.doubts.is_empty() {
            for command in &script.commands {
                let words: Vec<_> = command.words.iter().filter_map(Word::literal).collect();
                prop_assert_eq!(words.len(), command.words.len());
                if words.is_empty() {
                    continue;
                }
                let quoted: Vec<_> = words.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect();
                let again = read(&quoted.join(" "), places());
                let reread: Vec<_> = again.commands.iter().flat_map(|one| one.words.iter().filter_map(Word::literal)).collect();
                prop_assert_eq!(reread, words);
            }
        }
    }
}
