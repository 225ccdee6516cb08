//! A session with something of everything in it, in English and in Japanese.

use agent_panel::core::command::{Command, Prompt};
use agent_panel::core::event::{ConnectionEvent, Event, SessionEvent};
use agent_panel::core::ids::{BlockId, SessionKey, ToolCallId};
use agent_panel::core::notice::ExitStatus;
use agent_panel::core::plan::{Plan, PlanEntry, PlanEntryPriority, PlanEntryStatus};
use agent_panel::core::tool_call::{
    Diff, ImageData, ToolCallContent, ToolCallLocation, ToolCallPatch, ToolCallStatus, ToolKind,
};
use agent_panel::core::transcript::{Attachment, BlockContent, MessageKind};
use agent_panel::ui::transcript::folds::FoldPart;
use base64::Engine as _;
use serde_json::{Value, json};

use crate::world::{FOLDER, World};

/// A session that is being told.
pub(crate) struct Story {
    pub(crate) world: World,
    pub(crate) session: SessionKey,
    calls: u64,
}

/// The words of a language.
#[derive(Clone, Copy)]
pub(crate) enum Words {
    English,
    Japanese,
}

impl Story {
    pub(crate) fn new(mut world: World, backend: &str) -> Self {
        let session = world.open(backend);
        Self {
            world,
            session,
            calls: 0,
        }
    }

    pub(crate) fn user(&mut self, text: &str) -> &mut Self {
        self.world.prompt(self.session, text);
        self
    }

    pub(crate) fn say(&mut self, text: &str) -> &mut Self {
        self.text(MessageKind::Agent, text)
    }

    pub(crate) fn think(&mut self, text: &str) -> &mut Self {
        self.text(MessageKind::Thought, text)
    }

    pub(crate) fn text(&mut self, kind: MessageKind, text: &str) -> &mut Self {
        let event = SessionEvent::Text {
            kind,
            text: text.to_owned(),
            message_id: None,
        };
        self.world.session_event(self.session, event);
        self
    }

    pub(crate) fn wait(&mut self, millis: u64) -> &mut Self {
        self.world.now = self.world.now.plus_millis(millis);
        self
    }

    pub(crate) fn end(&mut self, turn: u64) -> &mut Self {
        self.world.end_turn(self.session, turn);
        self
    }

    /// A call that runs for a while and ends.
    pub(crate) fn call(
        &mut self,
        kind: ToolKind,
        title: &str,
        input: Value,
        millis: u64,
        end: ToolCallPatch,
    ) -> ToolCallId {
        let id = self.begin(kind, title, input);
        self.wait(millis);
        self.patch(&id, end);
        id
    }

    pub(crate) fn begin(&mut self, kind: ToolKind, title: &str, input: Value) -> ToolCallId {
        self.calls += 1;
        let id = ToolCallId::from(format!("call-{}", self.calls));
        let patch = ToolCallPatch {
            title: Some(title.to_owned()),
            kind: Some(kind),
            status: Some(ToolCallStatus::InProgress),
            raw_input: Some(input),
            ..ToolCallPatch::default()
        };
        let event = SessionEvent::ToolCallAnnounced {
            id: id.clone(),
            patch: Box::new(patch),
        };
        self.world.session_event(self.session, event);
        id
    }

    pub(crate) fn patch(&mut self, id: &ToolCallId, patch: ToolCallPatch) -> &mut Self {
        let event = SessionEvent::ToolCallPatched {
            id: id.clone(),
            patch: Box::new(patch),
        };
        self.world.session_event(self.session, event);
        self
    }

    pub(crate) fn plan(&mut self, entries: &[(&str, PlanEntryStatus)]) -> &mut Self {
        let entries = entries.iter().map(|(content, status)| PlanEntry {
            content: (*content).to_owned(),
            status: *status,
            priority: PlanEntryPriority::Medium,
        });
        let event = SessionEvent::PlanReplaced(Plan {
            entries: entries.collect(),
        });
        self.world.session_event(self.session, event);
        self
    }

    pub(crate) fn die(&mut self) -> &mut Self {
        let connection = self.world.connection(self.session);
        let event = ConnectionEvent::Exited {
            exit: ExitStatus::Code(137),
            output_closed_first: false,
            stderr_tail: vec![
                "agent: reading configuration".to_owned(),
                "agent: allocating 4096 MB".to_owned(),
                "agent: out of memory, giving up".to_owned(),
            ],
        };
        self.world.handle(Event::Connection { connection, event });
        self
    }
}

/// A patch that ends a call.
pub(crate) fn done(status: ToolCallStatus, content: Vec<ToolCallContent>) -> ToolCallPatch {
    ToolCallPatch {
        status: Some(status),
        content: Some(content),
        ..ToolCallPatch::default()
    }
}

pub(crate) fn output(text: &str) -> Vec<ToolCallContent> {
    vec![ToolCallContent::Text(text.to_owned())]
}

pub(crate) fn diff(path: &str, old: Option<&str>, new: &str) -> Vec<ToolCallContent> {
    vec![ToolCallContent::Diff(Diff {
        path: format!("{FOLDER}/{path}"),
        old_text: old.map(str::to_owned),
        new_text: new.to_owned(),
    })]
}

pub(crate) const OLD: &str = "use std::time::Duration;\n\npub struct Retry {\n    attempts: u32,\n    delay: Duration,\n}\n\nimpl Retry {\n    pub fn new(attempts: u32) -> Self {\n        Self {\n            attempts,\n            delay: Duration::from_millis(100),\n        }\n    }\n\n    pub fn attempts(&self) -> u32 {\n        self.attempts\n    }\n}\n";
pub(crate) const NEW: &str = "use std::time::Duration;\n\npub struct Retry {\n    attempts: u32,\n    first_delay: Duration,\n    factor: u32,\n}\n\nimpl Retry {\n    pub fn new(attempts: u32) -> Self {\n        Self {\n            attempts,\n            first_delay: Duration::from_millis(250),\n            factor: 2,\n        }\n    }\n\n    pub fn attempts(&self) -> u32 {\n        self.attempts\n    }\n}\n";

const ANSWER: &str = "The retry loop waited the same **100 ms** each time, so a server that was restarting was asked forty times in four seconds. I changed three things:\n\n1. The first delay is now `250 ms` and doubles each time, see `src/retry.rs:12`.\n2. The delay has *jitter*, so that clients do not come back together.\n3. A `Retry-After` header wins over both.\n\n```rust\n/// How long to wait before an attempt; the first one is 0.\nfn delay(&self, attempt: u32) -> Duration {\n    let exponent = attempt.min(8); // never more than a minute\n    self.first_delay * self.factor.pow(exponent)\n}\n```\n\n| attempt | before | now |\n|---|--:|--:|\n| 1 | 100 ms | 250 ms |\n| 2 | 100 ms | 500 ms |\n| 3 | 100 ms | **1 s** |\n\n> The tests ran against a mock server. I have not tried it with the real one.\n\nWhat is left:\n\n- [x] unit tests for the delays\n- [ ] a line in the [changelog](https://keepachangelog.com)\n";

const ANSWER_JA: &str = "再試行の間隔は毎回 **100 ミリ秒** で固定されていたため、再起動中のサーバーに 4 秒間で 40 回も要求を送っていました。次の 3 点を変更しました。\n\n1. 最初の待ち時間を `250 ms` にして、失敗するたびに 2 倍にします（`src/retry.rs:12`）。\n2. 複数のクライアントが同時に再試行しないよう、待ち時間に「ゆらぎ」を加えました。\n3. `Retry-After` ヘッダーがある場合は、その値を優先します。\n\n```rust\n/// 次の試行までの待ち時間。最初の試行は 0 番です。\nfn delay(&self, attempt: u32) -> Duration {\n    let exponent = attempt.min(8); // 1 分を超えない\n    self.first_delay * self.factor.pow(exponent)\n}\n```\n\n| 試行 | 変更前 | 変更後 |\n|---|--:|--:|\n| 1 回目 | 100 ms | 250 ms |\n| 2 回目 | 100 ms | 500 ms |\n| 3 回目 | 100 ms | **1 秒** |\n\n> テストはモックサーバーに対して実行しました。実際のサーバーではまだ確認していません。\n\n残っている作業：\n\n- [x] 待ち時間の単体テスト\n- [ ] [変更履歴](https://keepachangelog.com)への追記\n";

/// A turn with thoughts, a plan, calls and an answer, and a second one that runs.
pub(crate) fn work(world: World, words: Words) -> Story {
    let mut story = Story::new(world, "claude-code");
    let is_japanese = matches!(words, Words::Japanese);
    let say = |english: &'static str, japanese: &'static str| {
        if is_japanese { japanese } else { english }
    };
    story.user(say(
        "Requests are retried far too fast when the server restarts. Can you make the retry loop back off? Keep the public API of `Retry` as it is.",
        "サーバーの再起動中に、再試行の間隔が短すぎます。再試行のたびに待ち時間を延ばすようにしてください。`Retry` の公開 API は変えないでください。",
    ));
    story.wait(900).think(say(
        "The delay is a constant. I should look at who calls it before changing the type.\n\nThen the tests.",
        "待ち時間が定数になっています。型を変える前に、呼び出し元を確認する必要があります。",
    ));
    story.plan(&[
        (
            say(
                "Read the retry loop and its callers",
                "再試行のループと呼び出し元を読む",
            ),
            PlanEntryStatus::Completed,
        ),
        (
            say("Back off with jitter", "ゆらぎのあるバックオフを実装する"),
            PlanEntryStatus::Completed,
        ),
        (
            say("Run the tests", "テストを実行する"),
            PlanEntryStatus::InProgress,
        ),
        (
            say("Write a line in the changelog", "変更履歴に追記する"),
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
    story.say(say(
        "The loop is only used by `Client::send`, so the type can grow without breaking anyone.",
        "このループは `Client::send` からしか使われていないため、型を拡張しても影響はありません。",
    ));
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
    story.say(if is_japanese { ANSWER_JA } else { ANSWER });
    story.end(1).wait(4_000);
    story.user(say(
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
    story
}

impl Story {
    /// Opens a part of a block, as a click would.
    pub(crate) fn open(&mut self, block: usize, part: FoldPart) -> &mut Self {
        let view = self
            .world
            .state
            .transcripts
            .entry(self.session)
            .or_default();
        view.folds.set(BlockId(block as u64), part, true);
        self
    }

    /// Where the first block of a kind stands, counted from the end.
    pub(crate) fn find(&self, wanted: impl Fn(&BlockContent) -> bool) -> usize {
        let blocks = self
            .world
            .hub
            .session(self.session)
            .expect("the session")
            .transcript()
            .blocks();
        blocks
            .iter()
            .rposition(|block| wanted(&block.content))
            .expect("a block of this kind")
    }

    pub(crate) fn last(&self) -> usize {
        self.find(|_| true)
    }
}

/// Calls that are open, and what is in them.
pub(crate) fn details(world: World, words: Words) -> Story {
    let mut story = work(world, words);
    let is_call = |wanted: ToolKind| move |content: &BlockContent| matches!(content, BlockContent::ToolCall(call) if call.kind == wanted && !call.content.is_empty());
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
    let is_japanese = matches!(words, Words::Japanese);
    let say = |english: &'static str, japanese: &'static str| {
        if is_japanese { japanese } else { english }
    };
    story.user(say(
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
    story.say(say(
        "The release build fails without the vendored sources.",
        "ベンダー済みのソースがないため、リリースビルドに失敗します。",
    ));
    story.begin(ToolKind::Delete, "rm -rf vendor", json!({"path": "vendor"}));
    story.world.apply(Command::CancelTurn {
        session: story.session,
    });
    story.end(1).wait(2_000);
    story.say(say(
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
        .user(say("Try once more.", "もう一度お願いします。"));
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

const RICH: &str = "# Release notes\n\nA first paragraph with **bold**, *italic*, ***both***, ~~gone~~, `code`, a [link](https://example.com/a/long/path) and https://example.com/bare. Emoji 👍 🚀 and math $e^{i\\pi} = -1$.\n\n## Changes\n\n- First level\n  - Second level with a longer line that has to wrap somewhere, because it goes on and on\n    1. numbered\n    2. twice\n- A paragraph in an item\n\n  that goes on below.\n\n### Details\n\n> Quoted **text**\n>\n> - with a list\n> - in it\n\n```ts\nexport async function load(url: string): Promise<Row[]> {\n  const response = await fetch(`${url}?limit=100&order=descending&include=everything-that-there-is-to-include`);\n  return (await response.json()) as Row[];\n}\n```\n\n| Crate | Version | What it is for | 日本語の列 | Licence |\n|:--|--:|:-:|---|---|\n| `egui` | 0.37 | Everything on the screen, from buttons to this very table that has to wrap | 画面 | MIT |\n| `tokio` | 1 | Waiting | 待機 | MIT |\n\n---\n\nA note[^1] at the end. <b>HTML</b> stays text.\n\n[^1]: The note itself, with `code`.\n";

const RICH_JA: &str = "# リリースノート\n\n最初の段落には**太字**、*斜体*、~~取り消し線~~、`コード`、[リンク](https://example.com/a/long/path)、https://example.com/bare があります。絵文字 👍 🚀 も使えます。長い段落では「行頭禁則」と「行末禁則」が守られ、句読点や小書きの仮名（っ、ゃ、ュ、ー）が行の先頭に来ることはありません。\n\n## 変更点\n\n- 第 1 階層\n  - 第 2 階層の項目は長いので、どこかで折り返す必要があります。折り返した行も揃います\n    1. 番号付き\n    2. 二つ目\n- 段落を含む項目\n\n  この段落も同じ項目に属します。\n\n### 詳細\n\n> 引用の中の**強調**\n>\n> - リスト\n> - も使えます\n\n```python\ndef 挨拶(名前: str) -> str:\n    \"\"\"名前を呼んで挨拶します。\"\"\"\n    return f\"こんにちは、{名前}さん\"  # 全角も揃う\n```\n\n| クレート | バージョン | 用途 | 備考 |\n|:--|--:|---|---|\n| `egui` | 0.37 | 画面に表示されるものすべて。ボタンから、折り返しが必要なこの表まで | 即時モード |\n| `tokio` | 1 | 待つこと | 非同期 |\n\n---\n\n最後に脚注[^1]があります。\n\n[^1]: 脚注の本文です。\n";

/// All that Markdown has.
pub(crate) fn rich(world: World, words: Words) -> Story {
    let mut story = Story::new(world, "codex");
    story.user("Show me everything.\nIn two lines.");
    story.say(if matches!(words, Words::Japanese) {
        RICH_JA
    } else {
        RICH
    });
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
