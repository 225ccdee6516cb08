//! Comparing long texts line by line in bounded time: lines that both have exactly once hold the rest apart, and only
//! what is between two of them is compared in full.

use std::collections::HashMap;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// How often what is between two lines is held apart again.
const DEPTH_MOST: usize = 4;

/// A stretch of both texts, in lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stretch {
    Same {
        old: usize,
        new: usize,
        lines: usize,
    },
    Changed {
        old: Range<usize>,
        new: Range<usize>,
    },
}

/// The stretches of two texts, in order. Up to `compared_most` lines of both are compared in full; a longer stretch
/// without a line to hold on to counts as changed. `None` when it was stopped before the end.
pub fn stretches(
    old: &[&str],
    new: &[&str],
    compared_most: usize,
    is_stopped: &dyn Fn() -> bool,
) -> Option<Vec<Stretch>> {
    let mut compared = Compared {
        old,
        new,
        limit: compared_most,
        is_stopped,
        stretches: Vec::new(),
    };
    compared.compare(0..old.len(), 0..new.len(), DEPTH_MOST);
    (!is_stopped()).then_some(compared.stretches)
}

struct Compared<'a> {
    old: &'a [&'a str],
    new: &'a [&'a str],
    limit: usize,
    is_stopped: &'a dyn Fn() -> bool,
    stretches: Vec<Stretch>,
}

impl Compared<'_> {
    fn compare(&mut self, old: Range<usize>, new: Range<usize>, depth: usize) {
        let (before, after) = self.same_ends(&old, &new);
        self.same(old.start, new.start, before);
        let (old, end_old) = (old.start + before..old.end - after, old.end - after);
        let (new, end_new) = (new.start + before..new.end - after, new.end - after);
        self.compare_middle(old, new, depth);
        self.same(end_old, end_new, after);
    }

    fn compare_middle(&mut self, old: Range<usize>, new: Range<usize>, depth: usize) {
        if (self.is_stopped)() {
            return;
        }
        if old.is_empty() || new.is_empty() {
            self.changed(old, new);
            return;
        }
        if old.len() + new.len() <= self.limit {
            self.compare_in_full(old, new);
            return;
        }
        let anchors = match depth {
            0 => Vec::new(),
            _ => self.anchors(&old, &new),
        };
        if anchors.is_empty() {
            self.changed(old, new);
            return;
        }
        let (mut old_from, mut new_from) = (old.start, new.start);
        for (old_at, new_at) in anchors {
            self.compare(old_from..old_at, new_from..new_at, depth - 1);
            self.same(old_at, new_at, 1);
            (old_from, new_from) = (old_at + 1, new_at + 1);
        }
        self.compare(old_from..old.end, new_from..new.end, depth - 1);
    }

    fn compare_in_full(&mut self, old: Range<usize>, new: Range<usize>) {
        let texts = (self.old.get(old.clone()), self.new.get(new.clone()));
        let (Some(old_lines), Some(new_lines)) = texts else {
            return;
        };
        for op in capture_diff_slices(Algorithm::Myers, old_lines, new_lines) {
            let moved = |range: Range<usize>, by: usize| range.start + by..range.end + by;
            let old = moved(op.old_range(), old.start);
            let new = moved(op.new_range(), new.start);
            match op {
                DiffOp::Equal { .. } => self.same(old.start, new.start, old.len()),
                DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                    self.changed(old, new);
                }
            }
        }
    }

    fn same_ends(&self, old: &Range<usize>, new: &Range<usize>) -> (usize, usize) {
        let old = self.old.get(old.clone()).unwrap_or_default();
        let new = self.new.get(new.clone()).unwrap_or_default();
        let pairs = old.iter().zip(new);
        let before = pairs.take_while(|(old, new)| old == new).count();
        let left = old.len().min(new.len()) - before;
        let pairs = old.iter().rev().zip(new.iter().rev()).take(left);
        let after = pairs.take_while(|(old, new)| old == new).count();
        (before, after)
    }

    /// Lines that stand exactly once in both, in an order that both have: the longest there is.
    fn anchors(&self, old: &Range<usize>, new: &Range<usize>) -> Vec<(usize, usize)> {
        let in_new = once(self.new, new);
        let in_old = once(self.old, old);
        let mut pairs: Vec<(usize, usize)> = old
            .clone()
            .filter_map(|at| {
                let line = self.old.get(at)?;
                let is_once = in_old.get(line).is_some_and(Option::is_some);
                let other = in_new.get(line).copied().flatten().filter(|_| is_once)?;
                Some((at, other))
            })
            .collect();
        let kept = longest_rising(&pairs);
        let mut index = 0;
        pairs.retain(|_| {
            index += 1;
            kept.get(index - 1).copied().unwrap_or(false)
        });
        pairs
    }

    fn same(&mut self, old: usize, new: usize, lines: usize) {
        if lines == 0 {
            return;
        }
        match self.stretches.last_mut() {
            Some(Stretch::Same { lines: known, .. }) => *known += lines,
            _ => self.stretches.push(Stretch::Same { old, new, lines }),
        }
    }

    fn changed(&mut self, old: Range<usize>, new: Range<usize>) {
        if old.is_empty() && new.is_empty() {
            return;
        }
        match self.stretches.last_mut() {
            Some(Stretch::Changed {
                old: known_old,
                new: known_new,
            }) => {
                known_old.end = old.end;
                known_new.end = new.end;
            }
            _ => self.stretches.push(Stretch::Changed { old, new }),
        }
    }
}

/// Where each line stands, and `None` for those that stand more than once.
fn once<'a>(lines: &[&'a str], range: &Range<usize>) -> HashMap<&'a str, Option<usize>> {
    let mut places = HashMap::with_capacity(range.len());
    for at in range.clone() {
        if let Some(line) = lines.get(at) {
            places
                .entry(*line)
                .and_modify(|place| *place = None)
                .or_insert(Some(at));
        }
    }
    places
}

/// Which of the pairs belong to the longest row of them whose second numbers rise.
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<bool> {
    // The last pair of the best row of each length, and for each pair the one before it in its row.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let value = |index: usize| pairs.get(index).map_or(0, |pair| pair.1);
    for (index, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| value(*end) < pair.1);
        before.push(length.checked_sub(1).and_then(|at| ends.get(at)).copied());
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut kept = vec![false; pairs.len()];
    let mut next = ends.last().copied();
    while let Some(index) = next {
        if let Some(kept) = kept.get_mut(index) {
            *kept = true;
        }
        next = before.get(index).copied().flatten();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Puts both texts together again.
    #[track_caller]
    fn check(old: &[&str], new: &[&str], compared_most: usize) -> Vec<Stretch> {
        let stretches = stretches(old, new, compared_most, &|| false).expect("nothing stops it");
        let (mut old_at, mut new_at) = (0, 0);
        for stretch in &stretches {
            match stretch {
                Stretch::Same {
                    old: at,
                    new: other,
                    lines,
                } => {
                    assert_eq!((*at, *other), (old_at, new_at));
                    assert_eq!(old[old_at..old_at + lines], new[new_at..new_at + lines]);
                    old_at += lines;
                    new_at += lines;
                }
                Stretch::Changed { old, new } => {
                    assert_eq!((old.start, new.start), (old_at, new_at));
                    (old_at, new_at) = (old.end, new.end);
                }
            }
        }
        assert_eq!((old_at, new_at), (old.len(), new.len()));
        stretches
    }

    #[test]
    fn every_third_line_of_many() {
        let old: Vec<String> = (0..30_000).map(|n| format!("line {n}")).collect();
        let new = old.iter().enumerate().map(|(n, line)| match n % 3 {
            0 => format!("new {n}"),
            _ => line.clone(),
        });
        let new: Vec<String> = new.collect();
        let old: Vec<&str> = old.iter().map(String::as_str).collect();
        let new: Vec<&str> = new.iter().map(String::as_str).collect();
        let stretches = check(&old, &new, 3_000);
        assert_eq!(stretches.len(), 20_000);
    }

    #[test]
    fn whatever_is_compared_comes_out_whole() {
        let texts: [(&[&str], &[&str]); 6] = [
            (&[], &[]),
            (&["a"], &[]),
            (&["a", "b", "c"], &["b", "c", "a"]),
            (&["x", "a", "x", "b", "x"], &["x", "b", "x", "a", "x"]),
            (&["x", "x", "x"], &["x", "x"]),
            (&["a", "b"], &["c", "d"]),
        ];
        for (old, new) in texts {
            for compared_most in [0, 2, 100] {
                check(old, new, compared_most);
            }
        }
    }

    #[test]
    fn moved_lines_do_not_cross() {
        let pairs = [(0, 5), (1, 1), (2, 2), (3, 0), (4, 3)];
        let kept = longest_rising(&pairs);
        assert_eq!(kept, [false, true, true, false, true]);
    }
}
