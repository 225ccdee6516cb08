//! What is copied is exactly what shows between the two ends of a selection.

use agent_panel::core::ids::BlockId;
use agent_panel::core::plan::PlanEntryStatus;
use agent_panel::core::tool_call::{ToolCallPatch, ToolCallStatus, ToolKind};
use agent_panel::core::transcript::BlockContent;
use agent_panel::ui::text::finding::Unit;
use agent_panel::ui::text::selecting::{Rank, Span, TextPlace};
use agent_panel::ui::transcript::find::unit_text::Gap;
use agent_panel::ui::transcript::find::units::Searched;
use agent_panel::ui::transcript::folds::FoldPart;
use agent_panel::ui::transcript::rows::{Role, Rows, block_of};
use agent_panel::ui::transcript::selected_text::Page;
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::selecting::{long, window};
use crate::story::{Story, diff, done, output};
use crate::world::World;
use crate::{Window, view};

/// A session with a block of each kind, opened.
fn mixed() -> Story {
    let mut story = Story::new(World::default(), "codex");
    story.user("一つ目の質問です。\nsecond line 👩‍👩‍👧");
    story.say(
        "# Title\n\nSome **bold** text with `code`.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 日本 | 2 |\n| 3 | |\n\n```rust\nfn main() {\n\n    run();\n}\n```\n\nend",
    );
    let edit = story.begin(ToolKind::Edit, "edit", json!({}));
    let old: Vec<String> = (1..40).map(|n| format!("line {n}\n")).collect();
    let old = old.concat();
    let new = old
        .replace("line 12\nline 13\n", "twelve\nthirteen\nfourteen\n")
        .replace("line 30\n", "");
    story.patch(
        &edit,
        done(ToolCallStatus::Completed, diff("a.txt", Some(&old), &new)),
    );
    let row = story.last();
    story.open(row, FoldPart::Body);
    story.think("A thought.\n\nIts second part.");
    let row = story.last();
    story.open(row, FoldPart::Body);
    let run = story.begin(ToolKind::Execute, "Run", json!({"command": "make\nall"}));
    let text = "\u{1b}[31mred\u{1b}[0m\nprogress 1\rprogress 2\nlast";
    story.patch(&run, done(ToolCallStatus::Completed, output(text)));
    let row = story.last();
    story.open(row, FoldPart::Body);
    story.plan(&[
        ("first step", PlanEntryStatus::Completed),
        ("second step", PlanEntryStatus::Pending),
    ]);
    let search = story.begin(ToolKind::Search, "grep", json!({"pattern": "main"}));
    let found = "src/a.rs:12:fn main() {\nsrc/b.rs:3:main();\nsrc/a.rs:40:// main\n";
    story.patch(&search, done(ToolCallStatus::Completed, output(found)));
    let row = story.last();
    story.open(row, FoldPart::Body);
    let input = json!({"url": "https://example.com", "headers": {"accept": "text"}});
    let fetch = story.begin(ToolKind::Fetch, "fetch", input);
    story.patch(&fetch, done(ToolCallStatus::Completed, Vec::new()));
    let end = ToolCallPatch {
        raw_output: Some(json!({"status": 200}).into()),
        ..ToolCallPatch::default()
    };
    story.patch(&fetch, end);
    let row = story.last();
    story.open(row, FoldPart::Body).open(row, FoldPart::Raw);
    let parent = story.begin(ToolKind::Think, "Look around", json!({}));
    let row = story.last();
    story.open(row, FoldPart::Body);
    story.say("A message between a call and its steps.");
    for n in 0..2 {
        let step = story.begin(
            ToolKind::Read,
            "Read",
            json!({"file_path": format!("f{n}")}),
        );
        let end = ToolCallPatch {
            parent: Some(parent.clone()),
            ..done(ToolCallStatus::Completed, output("what\nit\nread"))
        };
        story.patch(&step, end);
        let row = story.last();
        story.open(row, FoldPart::Body);
    }
    story.end(1);
    story.user("Bye");
    story.die();
    let row = story.find(|content| matches!(content, BlockContent::Failure(_)));
    story.open(row, FoldPart::Stderr);
    story
}

struct Shown {
    rank: Rank,
    block: BlockId,
    unit: Unit,
    text: String,
    /// Where it begins in the whole text.
    at: usize,
}

/// Every text that shows in order, with the whole text that they make.
fn shown(page: Page<'_>) -> (Vec<Shown>, String) {
    let (mut all, mut whole) = (Vec::<Shown>::new(), String::new());
    for row in 0..page.rows.len() {
        if page
            .rows
            .get(row)
            .is_some_and(|row| row.role == Role::Single)
        {
            of_row(page, page.rows, row, &mut all);
        }
    }
    let mut last = None;
    let gaps: Vec<&str> = all
        .iter()
        .map(|shown| {
            let is_other = last.is_some_and(|last| last != shown.block);
            let is_first = last.is_none();
            last = Some(shown.block);
            match gap(page, shown) {
                _ if is_first => "",
                _ if is_other => "\n\n",
                Gap::None => "",
                Gap::Tab => "\t",
                Gap::Line => "\n",
                Gap::Paragraph => "\n\n",
            }
        })
        .collect();
    for (shown, gap) in all.iter_mut().zip(gaps) {
        whole.push_str(gap);
        shown.at = whole.len();
        whole.push_str(&shown.text);
    }
    (all, whole)
}

fn gap(page: Page<'_>, wanted: &Shown) -> Gap {
    let mut gap = Gap::Line;
    let session = page.searched.session;
    let block = session.transcript().block(wanted.block).expect("a block");
    page.searched.each_shown(block, page.folds, |found| {
        if found.unit == wanted.unit {
            gap = found.gap;
        }
    });
    gap
}

/// The steps of a call stand after all that it shows itself: no subagent of this session reports anything.
fn of_row(page: Page<'_>, rows: &Rows, row: usize, all: &mut Vec<Shown>) {
    let id = block_of(row);
    let session = page.searched.session;
    let block = session.transcript().block(id).expect("a block");
    page.searched.each_shown(block, page.folds, |found| {
        all.push(Shown {
            rank: Rank::of(&rows.within(row), id, found.unit),
            block: id,
            unit: found.unit,
            text: found.text.to_owned(),
            at: 0,
        });
    });
    for step in rows.steps(row) {
        of_row(page, rows, *step, all);
    }
}

/// The shown transcript, to copy from.
fn page(window: &Window) -> Page<'_> {
    let world = window.state();
    let session = world.state.shown.and_then(|key| world.hub.session(key));
    Page {
        searched: Searched::new(session.expect("a session"), &world.i18n, "Codex"),
        rows: &view(window).rows,
        folds: &view(window).folds,
    }
}

impl Shown {
    fn place(&self, offset: usize) -> TextPlace {
        TextPlace {
            rank: self.rank.clone(),
            block: self.block,
            unit: self.unit,
            offset,
        }
    }
}

#[test]
fn any_two_places_copy_what_is_between_them() {
    let window = window(mixed());
    let page = page(&window);
    let (all, whole) = shown(page);
    assert_eq!(page.all(), whole);
    insta::assert_snapshot!("all_that_shows", whole);
    for pair in all.windows(2) {
        let [one, next] = pair else { continue };
        assert!(one.rank < next.rank, "{:?} {:?}", one.unit, next.unit);
    }
    let end = |unit: usize, at: usize| {
        let shown = &all[unit % all.len()];
        let offset = shown.text.floor_char_boundary(at % (shown.text.len() + 1));
        (shown.at + offset, shown.place(offset))
    };
    let places = (0..all.len(), 0..60_usize, 0..all.len(), 0..60_usize);
    let result = TestRunner::default().run(&places, |(one, at, other, to)| {
        let (one, other) = (end(one, at), end(other, to));
        let (from, to) = (one.0.min(other.0), one.0.max(other.0));
        let text = Span::between(&one.1, &other.1).map(|span| page.text_of(&span));
        let expected = whole.get(from..to).expect("boundaries");
        proptest::prop_assert_eq!(text.unwrap_or_default(), expected);
        Ok(())
    });
    result.expect("every pair of places");
}

#[test]
fn an_offset_that_is_no_more_is_taken_as_the_end() {
    let window = window(long(1));
    let page = page(&window);
    let (all, _) = shown(page);
    let first = all.first().expect("a text");
    let last = all.last().expect("a text");
    let span = Span::between(&first.place(9_000), &last.place(9_000)).expect("they differ");
    assert!(page.text_of(&span).ends_with("one\ntwo"));
}

#[test]
fn a_long_line_that_is_drawn_in_pieces_is_copied_as_one() {
    let mut story = Story::new(World::default(), "codex");
    let line = "日本 and more ".repeat(400);
    story.user("Go on");
    story.say(&format!("```\n{line}end\nlast\n```\n"));
    let window = window(story);
    let page = page(&window);
    assert_eq!(page.all(), format!("Go on\n\n{line}end\nlast"));
}
