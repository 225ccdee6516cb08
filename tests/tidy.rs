//! Rules about the source that no compiler knows: layers, locales, sizes, colors.
//!
//! Each rule is a function from files to problems. It is run on the repository and, so that it can't
//! be right by never looking, on a small sample that breaks it.

#[path = "tidy/layers.rs"]
mod layers;
#[path = "tidy/locales.rs"]
mod locales;
#[path = "tidy/source.rs"]
mod source;
#[path = "tidy/style.rs"]
mod style;

use source::{Source, Token, repository, tokens};

#[track_caller]
fn check_none(problems: Vec<String>) {
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        problems.join("\n")
    );
}

/// Expects one problem for each of the given texts, in this order.
#[track_caller]
fn check_found(problems: Vec<String>, expected: &[&str]) {
    let found_all = problems
        .iter()
        .zip(expected)
        .all(|(problem, expected)| problem.contains(expected));
    assert!(
        found_all && problems.len() == expected.len(),
        "expected {expected:#?}, found {problems:#?}"
    );
}

#[test]
fn layers_import_one_way() {
    check_none(layers::check(&repository()));
}

#[test]
fn an_import_of_a_higher_layer_is_found() {
    let problems = layers::check(&[
        Source::new(
            "src/core/hub.rs",
            "//! x\nuse crate::bridge::rpc;\nfn f() { crate::ui::draw(); }",
        ),
        Source::new(
            "src/core/session.rs",
            "use crate::{core::ids, io::{store, process}};",
        ),
        Source::new(
            "src/bridge/acp.rs",
            "use super::super::ui::theme as t;\nuse super::rpc;\nuse crate::core::hub;",
        ),
        Source::new("src/ui/panels/a.rs", "use ::agent_panel::io::store;"),
        Source::new(
            "src/io.rs",
            "mod tests { use super::store; use super::super::cli; }\nuse self::process;",
        ),
        Source::new("src/utils.rs", ""),
        Source::new(
            "src/app.rs",
            "use crate::{core, ui, io, bridge, cli, i18n};",
        ),
    ]);
    let expected = [
        "src/core/hub.rs:2: `crate::bridge::rpc`: `core` may import [] only",
        "src/core/hub.rs:3: `crate::ui::draw`",
        "src/core/session.rs:1: `crate::io::store`",
        "src/core/session.rs:1: `crate::io::process`",
        "src/bridge/acp.rs:1: `crate::ui::theme`",
        "src/ui/panels/a.rs:1: `crate::io::store`",
        "src/io.rs:1: `crate::cli`",
        "src/utils.rs: `utils` is not a layer",
    ];
    check_found(problems, &expected);
}

#[test]
fn what_a_layer_must_not_contain_is_found() {
    let samples = [
        ("src/core/a.rs", "use egui::Color32;", "`egui`"),
        (
            "src/core/a.rs",
            "use std::{collections::BTreeMap, fs};",
            "`std::fs`",
        ),
        (
            "src/core/a.rs",
            "fn f(now: std::time::Instant) {}",
            "`Instant`",
        ),
        ("src/core/a.rs", "async fn f() {}", "`async`"),
        ("src/core/a.rs", "fn f() { g().await }", "`await`"),
        (
            "src/core/a.rs",
            "use agent_client_protocol_schema as acp;",
            "`agent_client_protocol_schema`",
        ),
        (
            "src/core/a.rs",
            "struct S(std::sync::Mutex<u8>);",
            "`Mutex`",
        ),
        (
            "src/i18n.rs",
            "fn f() { ::std::fs::read(\"x\") }",
            "`std::fs`",
        ),
        ("src/bridge/a.rs", "fn f() { tokio::spawn(g()) }", "`tokio`"),
        ("src/bridge/a.rs", "use std::net::TcpStream;", "`std::net`"),
        (
            "src/bridge/a.rs",
            "use std::time::{Duration, SystemTime};",
            "`SystemTime`",
        ),
        ("src/io/a.rs", "use egui::Context;", "`egui`"),
        (
            "src/ui/a.rs",
            "fn f() { std::thread::sleep(d) }",
            "`std::thread`",
        ),
        (
            "src/ui/a.rs",
            "use std::process::Command;",
            "`std::process`",
        ),
        (
            "src/ui/widgets/a.rs",
            "#[tokio::test]\nfn f() {}",
            "`tokio`",
        ),
        (
            "src/cli/a.rs",
            "let start = Instant::now();",
            "`Instant::now`",
        ),
        ("src/cli/a.rs", "use eframe::egui;", "`eframe`"),
    ];
    for (path, text, forbidden) in samples {
        check_found(
            layers::check(&[Source::new(path, text)]),
            &[&format!("must not contain {forbidden}")],
        );
    }
}

#[test]
fn what_a_layer_may_contain_is_left_alone() {
    let samples = [
        (
            "src/core/a.rs",
            "//! egui\n/* use tokio; /* nested */ std::fs */\nconst A: &str = \"std::fs\";",
        ),
        (
            "src/core/a.rs",
            "use std::sync::Arc;\nuse std::time::Duration;\nuse super::ids;\nuse crate::core::hub;",
        ),
        (
            "src/core/a.rs",
            "const A: &str = r#\"use \"tokio\"::x\"#;\nconst B: char = '\"';\nfn f<'a>(x: &'a u8) {}",
        ),
        (
            "src/core.rs",
            "pub mod hub;\n#[cfg(test)]\nmod tests { use super::*; }",
        ),
        (
            "src/io/a.rs",
            "use std::{fs, thread, time::Instant};\nuse crate::{bridge, core};\nasync fn f() {}",
        ),
        (
            "src/ui/a.rs",
            "use egui::Ui;\nuse crate::{core::hub::AgentHub, i18n::I18n, ui::cx::UiCx};",
        ),
        (
            "src/main.rs",
            "use agent_panel::{app, cli, io};\nfn main() { let t = std::time::Instant::now(); }",
        ),
        ("tests/a.rs", "use tokio::x;"),
    ];
    for (path, text) in samples {
        check_none(layers::check(&[Source::new(path, text)]));
    }
}

#[test]
fn tokens_leave_comments_out_and_keep_lines() {
    let text = "a // b\n/* c\n*/ \"d\\\"e\" '\\'' br##\"f\"#g\"##\nh";
    let found: Vec<(usize, Token)> = tokens(text)
        .into_iter()
        .map(|placed| (placed.line, placed.token))
        .collect();
    let word = |text: &str| Token::Word(text.to_owned());
    let quoted = |text: &str| Token::Text(text.to_owned());
    assert_eq!(
        found,
        [
            (1, word("a")),
            (3, quoted("d\\\"e")),
            (3, quoted("f\"#g")),
            (4, word("h"))
        ]
    );
}

#[test]
fn locales_have_what_the_source_asks_for() {
    check_none(locales::check(&repository()));
}

const LOADER: &str = r#""../locales/en/app.ftl" "../locales/ja/app.ftl""#;

fn locale_problems(english: &str, japanese: &str, source: &str) -> Vec<String> {
    let files = [
        Source::new("locales/en/app.ftl", english),
        Source::new("locales/ja/app.ftl", japanese),
        Source::new("src/i18n.rs", LOADER),
        Source::new("src/ui/a.rs", source),
    ];
    locales::check(&files)
}

#[test]
fn locales_that_agree_are_left_alone() {
    let english = "# c!\napp-a = A\napp-b = { $count ->\n    [one] { $count } b\n   *[other] { $count } bs\n}\n";
    let japanese = "app-a = あ\napp-b = { $count } 件\n";
    let source =
        r#"f(tr("app.a"), i18n.tr_args("app.b", &[("count", g("x", 1).into())]), "app.rs");"#;
    check_none(locale_problems(english, japanese, source));
}

#[test]
fn differences_between_languages_are_found() {
    let english = "app-a = A\napp-b = { $name }\napp-c = C\n";
    let problems = locale_problems(
        english,
        "app-b = { $title }\napp-c = C\napp-d = D\n",
        r#"["app.a", "app.b", "app.c"]"#,
    );
    check_found(
        problems,
        &[
            "ja: `app.a` is missing",
            "ja: `app.b` has the placeholders",
            "ja: `app.d` is not in English",
        ],
    );
}

#[test]
fn keys_that_the_source_gets_wrong_are_found() {
    let catalog = "app-a = A\napp-b = { $name }\napp-c = C\n";
    let source = "tr(\"app.x\");\ntr(\"app.b\");\ntr_args(\"app.b\", &[(\"title\", x)]);\ntr_args(\"app.b\", &args);\n\
                  let key = \"app.typo\";\ntr(\"app.a\")";
    let expected = [
        "src/ui/a.rs:1: there is no text `app.x`",
        "src/ui/a.rs:2: `app.b` needs the placeholders {\"name\"}",
        "src/ui/a.rs:3: `app.b` needs the placeholders {\"name\"}",
        "src/ui/a.rs:1: there is no text `app.x`",
        "src/ui/a.rs:5: there is no text `app.typo`",
        "`app.c` is unused",
    ];
    check_found(locale_problems(catalog, catalog, source), &expected);
}

#[test]
fn malformed_catalogs_are_found() {
    let english = "app-a = A!\napp-a = A\nother-a = A\napp = A\napp-B = A\n";
    let files = [
        Source::new("locales/en/app.ftl", english),
        Source::new("locales/en/new.ftl", ""),
    ];
    let problems = locales::check(&files);
    let expected = [
        "locales/en/app.ftl: src/i18n.rs does not load it",
        "locales/en/app.ftl:1: an exclamation mark",
        "locales/en/app.ftl:2: `app-a` is there twice",
        "locales/en/app.ftl:3: `other-a` is not `app-…`",
        "locales/en/app.ftl:4: `app` is not `app-…`",
        "locales/en/app.ftl:5: `app-B` is not `app-…`",
        "locales/en/new.ftl: src/i18n.rs does not load it",
        "`app` is unused",
        "`app.B` is unused",
        "`app.a` is unused",
        "`other.a` is unused",
    ];
    check_found(problems, &expected);
}

/// CVE-2026-22812: an agent's own server took commands from whoever reached its port.
#[test]
fn cve_2026_22812_nothing_listens_for_others() {
    let listens = |file: &&Source| {
        let words = ["TcpListener", "UdpSocket", "UnixListener", "named_pipe"];
        // A test may.
        let product = file.text.split("#[cfg(test)]").next().unwrap_or_default();
        file.path.starts_with("src/") && words.iter().any(|word| product.contains(word))
    };
    let found: Vec<_> = repository()
        .iter()
        .filter(listens)
        .map(|file| file.path.clone())
        .collect();
    assert_eq!(found, Vec::<String>::new());
    let made = Source::new("src/io/a.rs", "tokio::net::TcpListener::bind(x)");
    assert!(listens(&&made));
}

#[test]
fn files_are_small_and_say_what_they_own() {
    check_none(style::check_size(&repository()));
    check_none(style::check_first_line(&repository()));
}

#[test]
fn large_and_unexplained_files_are_found() {
    let files = [
        Source::new("src/a.rs", &format!("//! A.\n{}", "\n".repeat(499))),
        Source::new("src/b.rs", &format!("//! B.\n{}", "\n".repeat(500))),
        Source::new("tests/c.rs", "\n//! C."),
        Source::new("docs/d.md", &"\n".repeat(600)),
    ];
    check_found(style::check_size(&files), &["src/b.rs: 501 lines"]);
    check_found(
        style::check_first_line(&files),
        &["tests/c.rs: does not start"],
    );
}

#[test]
fn colors_are_defined_in_the_theme() {
    check_none(style::check_colors(&repository()));
}

#[test]
fn colors_outside_the_theme_are_found() {
    let color = "let c = [Color32::TRANSPARENT, egui::Color32::PLACEHOLDER];\nlet d = egui::Color32::from_gray(9);\n\
                 fn f(c: Color32) -> Rgba { Color32::WHITE }\nlet e = hex_color!(\"#fff\");";
    let files = [
        Source::new("src/ui/widgets/a.rs", color),
        Source::new("src/ui/theme.rs", color),
    ];
    let expected = [
        "a.rs:2: `Color32::from_gray`",
        "a.rs:3: `Color32::WHITE`",
        "a.rs:4: `hex_color`",
    ];
    check_found(style::check_colors(&files), &expected);
}

#[test]
fn the_tree_names_no_place_of_one_machine() {
    check_none(style::check_places(&repository()));
}

#[test]
fn places_of_one_machine_are_found() {
    let text = format!(
        "see /{0}/main\n/home/{0}/x and ./{0}/y and ~/{0}/z\nhttps://{1}.org/x\n/workshop/",
        "work",
        ["registry", "npmjs"].join(".")
    );
    let files = [Source::new("docs/a.md", &text)];
    check_found(
        style::check_places(&files),
        &["a.md:1: names a path", "a.md:3: names the host"],
    );
}
