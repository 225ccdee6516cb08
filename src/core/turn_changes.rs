//! What the tool calls of a turn changed in files, taken together: each file once, against the start of the turn.

use crate::core::ids::TurnId;
use crate::core::tool_call::{Diff, ToolCallContent, ToolCallStatus};
use crate::core::transcript::Block;

/// What a turn did to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    pub path: String,
    /// Changes that can't be joined into one: agents may show only the text around each. None changes nothing.
    pub pieces: Vec<Diff>,
}

/// The files that finished calls of a turn changed, in the order of their first change. `blocks` may hold other turns
/// as well. What was undone within the turn is left out.
pub fn of_turn<'a>(blocks: impl IntoIterator<Item = &'a Block>, turn: TurnId) -> Vec<FileChange> {
    let mut files: Vec<FileChange> = Vec::new();
    let calls = blocks
        .into_iter()
        .filter(|block| block.turn == Some(turn))
        .filter_map(Block::tool_call)
        .filter(|call| call.status == ToolCallStatus::Completed);
    for content in calls.flat_map(|call| &call.content) {
        if let ToolCallContent::Diff(diff) = content {
            add(&mut files, diff);
        }
    }
    for file in &mut files {
        file.pieces
            .retain(|piece| piece.old_text.as_deref() != Some(&piece.new_text));
    }
    files.retain(|file| !file.pieces.is_empty());
    files
}

fn add(files: &mut Vec<FileChange>, diff: &Diff) {
    let Some(file) = files.iter_mut().find(|file| file.path == diff.path) else {
        files.push(FileChange {
            path: diff.path.clone(),
            pieces: vec![diff.clone()],
        });
        return;
    };
    let joined = file.pieces.iter_mut().rev().any(|piece| join(piece, diff));
    if !joined {
        file.pieces.push(diff.clone());
    }
}

/// Lets a piece take in the next change where that goes on with what the piece left behind.
fn join(piece: &mut Diff, next: &Diff) -> bool {
    let Some(old) = &next.old_text else {
        // Written anew, whatever was there.
        piece.new_text.clone_from(&next.new_text);
        return true;
    };
    if piece.new_text == *old {
        piece.new_text.clone_from(&next.new_text);
        return true;
    }
    // The text around the next change, within what this one wrote.
    let is_within = !old.is_empty() && piece.new_text.matches(old.as_str()).count() == 1;
    if is_within {
        piece.new_text = piece.new_text.replacen(old.as_str(), &next.new_text, 1);
    }
    is_within
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::ids::{BlockId, ToolCallId};
    use crate::core::time::Timestamp;
    use crate::core::tool_call::ToolCall;
    use crate::core::transcript::BlockContent;

    fn diff(path: &str, old: Option<&str>, new: &str) -> Diff {
        Diff {
            path: path.to_owned(),
            old_text: old.map(str::to_owned),
            new_text: new.to_owned(),
        }
    }

    fn block(turn: u64, status: ToolCallStatus, diff: Diff) -> Block {
        let call = ToolCall {
            status,
            content: vec![ToolCallContent::Diff(diff)],
            ..ToolCall::placeholder(ToolCallId::from("c"), Timestamp(0))
        };
        Block {
            id: BlockId(0),
            revision: 1,
            turn: Some(TurnId(turn)),
            late: false,
            at: Timestamp(0),
            content: BlockContent::ToolCall(Box::new(call)),
        }
    }

    #[track_caller]
    fn check(diffs: &[Diff], expected: &[Diff]) {
        let done = |diff: &Diff| block(1, ToolCallStatus::Completed, diff.clone());
        let blocks: Vec<Block> = diffs.iter().map(done).collect();
        let files = of_turn(&blocks, TurnId(1));
        let pieces: Vec<Diff> = files.into_iter().flat_map(|file| file.pieces).collect();
        assert_eq!(pieces, expected);
    }

    #[test]
    fn changes_of_whole_files_become_one() {
        check(
            &[
                diff("a", Some("1"), "2"),
                diff("b", None, "x"),
                diff("a", Some("2"), "3"),
            ],
            &[diff("a", Some("1"), "3"), diff("b", None, "x")],
        );
    }

    #[test]
    fn a_change_within_an_earlier_one_is_part_of_it() {
        check(
            &[
                diff("a", Some("old()"), "new(); call(1)"),
                diff("a", Some("call(1)"), "call(2)"),
                diff("a", Some("elsewhere"), "here"),
            ],
            &[
                diff("a", Some("old()"), "new(); call(2)"),
                diff("a", Some("elsewhere"), "here"),
            ],
        );
    }

    #[test]
    fn what_was_undone_is_no_change() {
        check(&[diff("a", Some("1"), "2"), diff("a", Some("2"), "1")], &[]);
    }

    #[test]
    fn only_what_finished_in_the_turn_counts() {
        let change = diff("a", Some("1"), "2");
        let blocks = [
            block(1, ToolCallStatus::Completed, change.clone()),
            block(2, ToolCallStatus::Failed, change.clone()),
            block(2, ToolCallStatus::Denied, change.clone()),
            block(2, ToolCallStatus::NoResult, change),
        ];
        assert!(of_turn(&blocks, TurnId(2)).is_empty());
        assert_eq!(of_turn(&blocks, TurnId(1)).len(), 1);
    }
}
