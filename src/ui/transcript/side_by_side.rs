//! The lines of a change put side by side: what was removed at the left of what was added.

use crate::ui::transcript::diff::{Line, Tag};

/// A row of two columns: the lines that stand in it, by their place in the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    pub old: Option<usize>,
    pub new: Option<usize>,
}

impl Pair {
    /// A line that both columns have.
    pub fn both(line: usize) -> Self {
        Self {
            old: Some(line),
            new: Some(line),
        }
    }
}

/// Puts removed lines beside the added ones that follow them.
pub fn pairs(lines: &[Line]) -> Vec<Pair> {
    let mut pairs = Vec::with_capacity(lines.len());
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    for (index, line) in lines.iter().enumerate() {
        match line {
            Line::Text(text) if text.tag == Tag::Removed => {
                if !added.is_empty() {
                    flush(&mut pairs, &mut removed, &mut added);
                }
                removed.push(index);
            }
            Line::Text(text) if text.tag == Tag::Added => added.push(index),
            Line::Text(_) | Line::Gap { .. } => {
                flush(&mut pairs, &mut removed, &mut added);
                pairs.push(Pair::both(index));
            }
        }
    }
    flush(&mut pairs, &mut removed, &mut added);
    pairs
}

fn flush(pairs: &mut Vec<Pair>, removed: &mut Vec<usize>, added: &mut Vec<usize>) {
    for row in 0..removed.len().max(added.len()) {
        pairs.push(Pair {
            old: removed.get(row).copied(),
            new: added.get(row).copied(),
        });
    }
    removed.clear();
    added.clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::tool_call::Diff;
    use crate::ui::transcript::diff::{Changes, Extent};

    #[test]
    fn what_was_removed_stands_beside_what_was_added() {
        let diff = Diff {
            path: "a".to_owned(),
            old_text: Some("same\none\ntwo\nsame\nlast\n".to_owned()),
            new_text: "same\n1\n2\n3\nsame\n".to_owned(),
        };
        let changes = Changes::of(&diff, Extent::Folded);
        let shown = |index: Option<usize>| match index.and_then(|index| changes.lines.get(index)) {
            Some(Line::Text(line)) => line.text.clone(),
            Some(Line::Gap { .. }) | None => "·".to_owned(),
        };
        let rows: Vec<String> = pairs(&changes.lines)
            .into_iter()
            .map(|pair| format!("{}|{}", shown(pair.old), shown(pair.new)))
            .collect();
        assert_eq!(
            rows,
            ["same|same", "one|1", "two|2", "·|3", "same|same", "last|·"]
        );
    }
}
