//! Blocks in, rows out.

use super::*;
use crate::core::tool_call::ToolCallPatch;
use crate::core::transcript::{MessageKind, Place};
use crate::ui::transcript::folds::FoldPart;

fn place(turn: u64) -> Place {
    Place {
        turn: Some(TurnId(turn)),
        late: false,
        at: Timestamp(1_000),
    }
}

fn call(transcript: &mut Transcript, id: &str, status: ToolCallStatus) {
    let patch = ToolCallPatch {
        status: Some(status),
        ..ToolCallPatch::default()
    };
    transcript.patch_tool_call(&ToolCallId::from(id), patch, place(1));
}

fn step(transcript: &mut Transcript, id: &str, parent: &str) {
    let patch = ToolCallPatch {
        parent: Some(ToolCallId::from(parent)),
        ..ToolCallPatch::default()
    };
    transcript.patch_tool_call(&ToolCallId::from(id), patch, place(1));
}

fn text(transcript: &mut Transcript, kind: MessageKind, turn: u64) {
    transcript.push_text(kind, "text", None, place(turn));
}

fn update(rows: &mut Rows, transcript: &Transcript) {
    rows.update(transcript, &Folds::default(), |_| 30.0);
}

fn rows(transcript: &Transcript) -> Rows {
    let mut rows = Rows::default();
    update(&mut rows, transcript);
    rows
}

fn roles(rows: &Rows) -> Vec<Role> {
    (0..rows.len())
        .filter_map(|row| rows.get(row))
        .map(|row| row.role)
        .collect()
}

#[test]
fn three_finished_calls_become_a_group_and_a_running_one_does_not() {
    let mut transcript = Transcript::default();
    for id in ["a", "b"] {
        call(&mut transcript, id, ToolCallStatus::Completed);
    }
    call(&mut transcript, "c", ToolCallStatus::InProgress);
    let mut rows = rows(&transcript);
    assert_eq!(roles(&rows), [Role::Single; 3]);

    call(&mut transcript, "c", ToolCallStatus::Failed);
    update(&mut rows, &transcript);
    let member = Role::Member { head: 0 };
    assert_eq!(roles(&rows), [Role::Head, member, member]);
    let group = rows.group(0).expect("a group");
    assert_eq!(
        (group.count, group.worst, group.failed),
        (3, ToolCallStatus::Failed, 1)
    );
    assert_eq!((rows.heights().get(1), rows.heights().get(2)), (0.0, 0.0));

    rows.open_group(0, true);
    assert!(rows.heights().get(1) > 0.0 && rows.heights().get(2) > 0.0);
    call(&mut transcript, "d", ToolCallStatus::Completed);
    update(&mut rows, &transcript);
    assert_eq!(rows.group(0).map(|group| group.count), Some(4));
}

#[test]
fn text_between_calls_keeps_groups_apart() {
    let mut transcript = Transcript::default();
    for id in ["a", "b"] {
        call(&mut transcript, id, ToolCallStatus::Completed);
    }
    text(&mut transcript, MessageKind::Agent, 1);
    for id in ["c", "d"] {
        call(&mut transcript, id, ToolCallStatus::Completed);
    }
    assert_eq!(roles(&rows(&transcript)), [Role::Single; 5]);
}

#[test]
fn a_group_opens_when_it_takes_in_an_open_call() {
    let mut transcript = Transcript::default();
    for id in ["a", "b", "c"] {
        call(&mut transcript, id, ToolCallStatus::Completed);
    }
    let mut folds = Folds::default();
    folds.set(BlockId(1), FoldPart::Body, true);
    let mut rows = Rows::default();
    rows.update(&transcript, &folds, |_| 30.0);
    assert_eq!(rows.group(0).map(|group| group.is_open), Some(true));
}

#[test]
fn steps_stand_in_their_parent_and_break_no_group() {
    let mut transcript = Transcript::default();
    call(&mut transcript, "parent", ToolCallStatus::Completed);
    for id in ["a", "b"] {
        call(&mut transcript, id, ToolCallStatus::Completed);
    }
    step(&mut transcript, "s1", "parent");
    call(&mut transcript, "c", ToolCallStatus::Completed);
    step(&mut transcript, "s2", "parent");
    let rows = rows(&transcript);
    let (member, step) = (Role::Member { head: 1 }, Role::Step { parent: 0 });
    assert_eq!(
        roles(&rows),
        [Role::Single, Role::Head, member, step, member, step]
    );
    assert_eq!(rows.steps(0), [3, 5]);
    assert_eq!(rows.shown(), 4);
}

#[test]
fn the_agents_part_of_a_turn_begins_once() {
    let mut transcript = Transcript::default();
    text(&mut transcript, MessageKind::User, 1);
    text(&mut transcript, MessageKind::Thought, 1);
    text(&mut transcript, MessageKind::Agent, 1);
    text(&mut transcript, MessageKind::User, 2);
    text(&mut transcript, MessageKind::Agent, 2);
    let rows = rows(&transcript);
    let begins: Vec<bool> = (0..5)
        .filter_map(|row| rows.get(row))
        .map(|row| row.begins_part)
        .collect();
    assert_eq!(begins, [false, true, false, false, true]);
    let gaps: Vec<Gap> = (0..5)
        .filter_map(|row| rows.get(row))
        .map(|row| row.gap)
        .collect();
    assert_eq!(
        gaps,
        [Gap::Start, Gap::Block, Gap::Block, Gap::Turn, Gap::Block]
    );
    assert_eq!(rows.user_message(3, Direction::Back), Some(0));
    assert_eq!(rows.user_message(0, Direction::Forward), Some(3));
    assert_eq!(rows.user_message(4, Direction::Back), Some(3));
    assert_eq!(rows.user_message(4, Direction::Forward), None);
}

#[test]
fn what_comes_late_is_marked_once() {
    let mut transcript = Transcript::default();
    text(&mut transcript, MessageKind::Agent, 1);
    let late = Place {
        late: true,
        ..place(1)
    };
    transcript.push_text(MessageKind::Agent, "late", None, late);
    transcript.push_text(MessageKind::Thought, "late", None, late);
    let rows = rows(&transcript);
    let begins: Vec<bool> = (0..3)
        .filter_map(|row| rows.get(row))
        .map(|row| row.begins_late)
        .collect();
    assert_eq!(begins, [false, true, false]);
}

#[test]
fn an_update_looks_at_what_changed_only() {
    let mut transcript = Transcript::default();
    for n in 0..3_000 {
        call(
            &mut transcript,
            &format!("c{n}"),
            ToolCallStatus::InProgress,
        );
        text(&mut transcript, MessageKind::Agent, 1);
    }
    let mut rows = rows(&transcript);
    assert_eq!(rows.looked_at(), 6_000);
    update(&mut rows, &transcript);
    assert_eq!(rows.looked_at(), 0);
    text(&mut transcript, MessageKind::Agent, 1);
    call(&mut transcript, "c5", ToolCallStatus::Completed);
    update(&mut rows, &transcript);
    assert_eq!(rows.looked_at(), 2);
}
