//! Sessions with something of everything in them, in English and in Japanese.

use agent_panel::core::command::{Command, Prompt};
use agent_panel::core::event::{ConnectionEvent, Event};
use agent_panel::core::plan::PlanEntryStatus;
use agent_panel::core::tool_call::{
    ImageData, ToolCallContent, ToolCallLocation, ToolCallStatus, ToolKind,
};
use agent_panel::core::transcript::{Attachment, BlockContent};
use agent_panel::ui::transcript::folds::FoldPart;
use base64::Engine as _;
use serde_json::json;

use crate::story::{Story, diff, done, output};
use crate::world::{FOLDER, World};

/// The words of a language.
#[derive(Clone, Copy)]
pub(crate) enum Words {
    English,
    Japanese,
}

impl Words {
    fn say(self, english: &'static str, japanese: &'static str) -> &'static str {
        match self {
            Self::English => english,
            Self::Japanese => japanese,
        }
    }
}

const OLD: &str = include_str!("scenes/retry_before.txt");
const NEW: &str = include_str!("scenes/retry_after.txt");

const ANSWER: &str = include_str!("scenes/answer_en.md");

const ANSWER_JA: &str = include_str!("scenes/answer_ja.md");

/// A turn with thoughts, a plan, calls and an answer, and a second one that runs.
pub(crate) fn work(world: World, words: Words) -> Story {
    let mut story = Story::new(world, "claude-code");
    begin_work(&mut story, words);
    change_and_test(&mut story, words);
    story.end(1).wait(4_000);
    go_on(&mut story, words);
    story
}

fn begin_work(story: &mut Story, words: Words) {
    story.user(words.say(
        "Requests are retried far too fast when the server restarts. Can you make the retry loop back off? Keep the public API of `Retry` as it is.",
        "サーバーの再起動中に、再試行の間隔が短すぎます。再試行のたびに待ち時間を延ばすようにしてください。`Retry` の公開 API は変えないでください。",
    ));
    story.wait(900).think(words.say(
        "The delay is a constant. I should look at who calls it before changing the type.\n\nThen the tests.",
        "待ち時間が定数になっています。型を変える前に、呼び出し元を確認する必要があります。",
    ));
    story.plan(&[
        (
            words.say(
                "Read the retry loop and its callers",
                "再試行のループと呼び出し元を読む",
            ),
            PlanEntryStatus::Completed,
        ),
        (
            words.say("Back off with jitter", "ゆらぎのあるバックオフを実装する"),
            PlanEntryStatus::Completed,
        ),
        (
            words.say("Run the tests", "テストを実行する"),
            PlanEntryStatus::InProgress,
        ),
        (
            words.say("Write a line in the changelog", "変更履歴に追記する"),
            PlanEntryStatus::Pending,
        ),
    ]);
    for (path, millis) in [
        ("src/retry.rs", 120),
        ("src/client.rs", 240),
        ("tests/retry.rs", 90),
    ] {
        let path = format!("{FOLDER}/{path}");
        let content = output("1\tuse std::time::Duration;");
        story.call(
            ToolKind::Read,
            "Read",
            json!({"file_path": path}),
            millis,
            done(ToolCallStatus::Completed, content),
        );
    }
    story.say(words.say(
        "The loop is only used by `Client::send`, so the type can grow without breaking anyone.",
        "このループは `Client::send` からしか使われていないため、型を拡張しても影響はありません。",
    ));
}

fn change_and_test(story: &mut Story, words: Words) {
    let mut edit = done(
        ToolCallStatus::Completed,
        diff("src/retry.rs", Some(OLD), NEW),
    );
    edit.locations = Some(vec![ToolCallLocation {
        path: format!("{FOLDER}/src/retry.rs"),
        line: Some(5),
    }]);
    story.call(
        ToolKind::Edit,
        "Edit",
        json!({"file_path": format!("{FOLDER}/src/retry.rs")}),
        800,
        edit,
    );
    let passed = "running 14 tests\n..............\ntest result: ok. 14 passed; 0 failed\n";
    story.call(
        ToolKind::Execute,
        "cargo test",
        json!({"command": "cargo test --package harbor retry"}),
        14_200,
        done(ToolCallStatus::Completed, output(passed)),
    );
    story.say(words.say(ANSWER, ANSWER_JA));
}

fn go_on(story: &mut Story, words: Words) {
    story.user(words.say(
        "Good. Now the changelog, and tell the on-call people.",
        "ありがとう。次は変更履歴をお願いします。",
    ));
    story.wait(600);
    story.call(
        ToolKind::Edit,
        "Edit",
        json!({"file_path": format!("{FOLDER}/CHANGELOG.md")}),
        400,
        done(
            ToolCallStatus::Failed,
            output("File has been modified since it was read."),
        ),
    );
    story.begin(
        ToolKind::Execute,
        "git log",
        json!({"command": "git log --oneline --since=2026-11-01 | head -40"}),
    );
    story.wait(3_400);
}

/// Calls that are open, and what is in them.
pub(crate) fn details(world: World, words: Words) -> Story {
    let mut story = work(world, words);
    let is_call = |wanted: ToolKind| {
        move |content: &BlockContent| match content {
            BlockContent::ToolCall(call) => call.kind == wanted && !call.content.is_empty(),
            _ => false,
        }
    };
    let failed = story.find(is_call(ToolKind::Edit));
    let run = story.find(is_call(ToolKind::Execute));
    for block in [failed, run, run - 1] {
        story.open(block, FoldPart::Body);
    }
    story
}

/// What goes wrong, and what comes late.
pub(crate) fn trouble(world: World, words: Words) -> Story {
    let mut story = Story::new(world, "codex");
    story.user(words.say(
        "Clean the build folder and run everything again.",
        "ビルドフォルダーを消して、最初から実行してください。",
    ));
    for (status, title) in [
        (ToolCallStatus::Completed, "cargo clean"),
        (ToolCallStatus::Failed, "cargo build --release"),
    ] {
        story.call(
            ToolKind::Execute,
            title,
            json!({"command": title}),
            2_300,
            done(status, Vec::new()),
        );
    }
    story.say(words.say(
        "The release build fails without the vendored sources.",
        "ベンダー済みのソースがないため、リリースビルドに失敗します。",
    ));
    story.begin(ToolKind::Delete, "rm -rf vendor", json!({"path": "vendor"}));
    story.world.apply(Command::CancelTurn {
        session: story.session,
    });
    story.end(1).wait(2_000);
    story.say(words.say(
        "The background build finished after all: 0 errors.",
        "バックグラウンドのビルドが完了しました。エラーはありません。",
    ));
    story.call(
        ToolKind::Execute,
        "du -sh target",
        json!({"command": "du -sh target"}),
        120,
        done(ToolCallStatus::Completed, output("1.2G\ttarget")),
    );
    story
        .wait(9_000)
        .user(words.say("Try once more.", "もう一度お願いします。"));
    story.begin(
        ToolKind::Fetch,
        "Fetch",
        json!({"url": "https://crates.example/api/v1/crates/harbor"}),
    );
    story.begin(
        ToolKind::Other,
        "mcp__ledger__search_entries",
        json!({"query": "harbor", "limit": 5}),
    );
    story.wait(41_000);
    let connection = story.world.connection(story.session);
    story.world.handle(Event::Connection {
        connection,
        event: ConnectionEvent::StrayLines { count: 3 },
    });
    story.die();
    let block = story.find(|content| matches!(content, BlockContent::Failure(_)));
    story.open(block, FoldPart::Stderr);
    story
}

const RICH: &str = include_str!("scenes/rich_en.md");

const RICH_JA: &str = include_str!("scenes/rich_ja.md");

/// All that Markdown has.
pub(crate) fn rich(world: World, words: Words) -> Story {
    let mut story = Story::new(world, "codex");
    story.user("Show me everything.\nIn two lines.");
    story.say(words.say(RICH, RICH_JA));
    story.end(1);
    story
}

/// A group that is open, a subagent with steps, a picture and an attachment.
pub(crate) fn parts(world: World, _words: Words) -> Story {
    let mut story = Story::new(world, "claude-code");
    let picture = picture();
    story.world.apply(Command::Prompt {
        session: story.session,
        prompt: Prompt {
            text: "What is wrong with this screen?".to_owned(),
            images: vec![picture.clone()],
            attachments: vec![Attachment {
                name: "layout.css".to_owned(),
                uri: format!("file://{FOLDER}/web/layout.css"),
                text: Some(".card {\n  margin: 4px;\n}\n".to_owned()),
            }],
        },
    });
    story.think(
        "The margins differ.\n\nLet me measure them, and look at the *second* card as well.",
    );
    let thought = story.last();
    story.open(thought, FoldPart::Body);
    for name in [
        "web/layout.css",
        "web/card.tsx",
        "web/card.test.tsx",
        "web/theme.css",
    ] {
        let status = if name.ends_with("theme.css") {
            ToolCallStatus::Denied
        } else {
            ToolCallStatus::Completed
        };
        story.call(
            ToolKind::Read,
            "Read",
            json!({"file_path": format!("{FOLDER}/{name}")}),
            900,
            done(status, Vec::new()),
        );
    }
    let head = story.last() - 3;
    story.open(head, FoldPart::Group);
    let parent = story.begin(
        ToolKind::Think,
        "Task",
        json!({"description": "Look at the cards", "prompt": "Measure all cards\nand report"}),
    );
    let task = story.last();
    for name in ["web/a.tsx", "web/b.tsx"] {
        let mut patch = done(ToolCallStatus::Completed, Vec::new());
        patch.parent = Some(parent.clone());
        story.call(
            ToolKind::Search,
            "Grep",
            json!({"pattern": name}),
            1_200,
            patch,
        );
    }
    story.open(task, FoldPart::Body);
    story.call(
        ToolKind::Execute,
        "screenshot",
        json!({"command": "screenshot --window"}),
        500,
        done(
            ToolCallStatus::Completed,
            vec![ToolCallContent::Image(picture)],
        ),
    );
    story.say("The second card has a margin of `4px`, the others of `8px`.");
    story
}

/// A picture with some color in it.
pub(crate) fn picture() -> ImageData {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let pixels = image::RgbImage::from_fn(240, 140, |x, y| {
        let is_card = (20..220).contains(&x) && (20..120).contains(&y) && (y / 4) % 8 != 0;
        if is_card {
            image::Rgb([90, 140, (x % 256) as u8])
        } else {
            image::Rgb([230, 232, 236])
        }
    });
    pixels
        .write_to(&mut bytes, image::ImageFormat::Png)
        .expect("a picture can be written");
    ImageData {
        media_type: "image/png".to_owned(),
        base64: base64::engine::general_purpose::STANDARD.encode(bytes.into_inner()),
        uri: Some("screen.png".to_owned()),
    }
}
