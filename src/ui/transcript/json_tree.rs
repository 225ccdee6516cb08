//! JSON as lines of a tree, each object, list and long text foldable.

use serde_json::Value;

use crate::ui::text::sanitize::visible;
use crate::ui::widgets::diff_view::text_columns;

/// A text up to this length stands in the line of its name, in characters; a longer one is broken into such lines.
const LINE_CHARS: usize = 120;
/// More lines than this are left out.
const LINES_MOST: usize = 20_000;
/// Deeper than this, or with more entries, a value is closed until it is opened.
const OPEN_DEPTH: usize = 2;
const OPEN_ENTRIES: usize = 24;

/// The lines of a value that are to be seen.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct JsonTree {
    pub lines: Vec<TreeLine>,
    /// The columns of the widest line.
    pub widest: usize,
    /// Lines were left out.
    pub is_cut: bool,
}

/// A line of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeLine {
    pub depth: usize,
    /// The name of an entry, or its number in a list, counted from 1. Empty in the lines of a long text.
    pub name: String,
    /// The value, or what is in it: `{3}`, `[12]`.
    pub text: String,
    /// What the line folds.
    pub fold: Option<LineFold>,
}

/// A value that can be folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineFold {
    /// Its number among all values of the tree, parents before their entries.
    pub value: usize,
    pub is_open: bool,
}

impl JsonTree {
    /// The tree of a value. `choice` tells what the person opened and closed, by the number of the value.
    pub fn of(value: &Value, choice: impl Fn(usize) -> Option<bool>) -> Self {
        let mut builder = Builder {
            tree: Self::default(),
            next: 0,
            choice: &choice,
        };
        match value {
            Value::Object(_) | Value::Array(_) => builder.entries(value, 0, true),
            other => builder.value("", other, 0, true),
        }
        builder.tree
    }

    /// The fold of a value, where one is to be seen.
    pub fn fold(&self, value: usize) -> Option<LineFold> {
        let mut folds = self.lines.iter().filter_map(|line| line.fold);
        folds.find(|fold| fold.value == value)
    }
}

impl TreeLine {
    /// All of it as it is read.
    pub fn whole(&self) -> String {
        if self.name.is_empty() {
            self.text.clone()
        } else {
            format!("{}: {}", self.name, self.text)
        }
    }
}

struct Builder<'a> {
    tree: JsonTree,
    /// The number of the next value.
    next: usize,
    choice: &'a dyn Fn(usize) -> Option<bool>,
}

impl Builder<'_> {
    /// Values that are not seen are counted all the same, so that a number means the same value whatever is open.
    fn value(&mut self, name: &str, value: &Value, depth: usize, is_seen: bool) {
        let number = self.next;
        self.next += 1;
        let (text, entries) = match value {
            Value::Object(object) => (format!("{{{}}}", object.len()), object.len()),
            Value::Array(values) => (format!("[{}]", values.len()), values.len()),
            Value::String(text) => {
                self.text(name, text, depth, (number, is_seen));
                return;
            }
            other => (other.to_string(), 0),
        };
        if entries == 0 {
            self.push(depth, name, text, None, is_seen);
            return;
        }
        let by_itself = depth < OPEN_DEPTH && entries <= OPEN_ENTRIES;
        let is_open = (self.choice)(number).unwrap_or(by_itself);
        let fold = LineFold {
            value: number,
            is_open,
        };
        self.push(depth, name, text, Some(fold), is_seen);
        self.entries(value, depth + 1, is_seen && is_open);
    }

    fn entries(&mut self, value: &Value, depth: usize, is_seen: bool) {
        match value {
            Value::Object(object) => {
                for (name, value) in object {
                    self.value(name, value, depth, is_seen);
                }
            }
            Value::Array(values) => {
                for (index, value) in values.iter().enumerate() {
                    self.value(&(index + 1).to_string(), value, depth, is_seen);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn text(&mut self, name: &str, text: &str, depth: usize, (number, is_seen): (usize, bool)) {
        if !is_seen {
            return;
        }
        let is_short = !text.contains('\n') && text.chars().nth(LINE_CHARS).is_none();
        if is_short {
            self.push(depth, name, format!("\"{}\"", visible(text)), None, true);
            return;
        }
        let is_open = (self.choice)(number).unwrap_or(false);
        let start: String = text
            .lines()
            .next()
            .unwrap_or_default()
            .chars()
            .take(40)
            .collect();
        let fold = LineFold {
            value: number,
            is_open,
        };
        let shown = format!("\"{}…\"", visible(&start));
        self.push(depth, name, shown, Some(fold), true);
        if !is_open {
            return;
        }
        for line in text.lines() {
            let line = visible(line);
            let mut rest = line.as_ref();
            loop {
                let end = rest
                    .char_indices()
                    .nth(LINE_CHARS)
                    .map_or(rest.len(), |(at, _)| at);
                let (now, later) = rest.split_at(end);
                self.push(depth + 1, "", now.to_owned(), None, true);
                rest = later;
                if rest.is_empty() {
                    break;
                }
            }
        }
    }

    fn push(
        &mut self,
        depth: usize,
        name: &str,
        text: String,
        fold: Option<LineFold>,
        is_seen: bool,
    ) {
        if !is_seen {
            return;
        }
        if self.tree.lines.len() >= LINES_MOST {
            self.tree.is_cut = true;
            return;
        }
        let name = visible(name).into_owned();
        let columns = 2 * depth + text_columns(&name) + 2 + text_columns(&text);
        self.tree.widest = self.tree.widest.max(columns);
        self.tree.lines.push(TreeLine {
            depth,
            name,
            text,
            fold,
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn notation(tree: &JsonTree) -> Vec<String> {
        let line = |line: &TreeLine| {
            let mark = match line.fold {
                Some(LineFold { value, is_open }) => {
                    format!("{}{value} ", if is_open { '-' } else { '+' })
                }
                None => String::new(),
            };
            format!(
                "{}{mark}{}={}",
                " ".repeat(line.depth),
                line.name,
                line.text
            )
        };
        tree.lines.iter().map(line).collect()
    }

    #[test]
    fn values_become_lines_that_fold() {
        let value =
            json!({"a": 1, "list": [{"x": {"deep": true}}, "two"], "none": {}, "last": null});
        let tree = JsonTree::of(&value, |_| None);
        assert_eq!(
            notation(&tree),
            [
                "a=1",
                "-1 list=[2]",
                " -2 1={1}",
                "  +3 x={1}",
                " 2=\"two\"",
                "none={0}",
                "last=null"
            ]
        );
        // The numbers stay the same whatever is closed.
        let tree = JsonTree::of(&value, |number| (number == 1).then_some(false));
        assert_eq!(
            notation(&tree),
            ["a=1", "+1 list=[2]", "none={0}", "last=null"]
        );
        let tree = JsonTree::of(&value, |number| (number == 3).then_some(true));
        assert!(notation(&tree).contains(&"   deep=true".to_owned()));
    }

    #[test]
    fn a_long_text_is_closed_and_opens_into_its_lines() {
        let long = format!("first\u{1b}[0m\n{}", "x".repeat(150));
        let value = json!({"text": long, "next": 2});
        let closed = JsonTree::of(&value, |_| None);
        assert_eq!(closed.lines.len(), 2);
        assert!(
            closed
                .lines
                .iter()
                .all(|line| !line.text.contains('\u{1b}'))
        );
        let open = JsonTree::of(&value, |number| (number == 0).then_some(true));
        let lengths: Vec<usize> = open
            .lines
            .iter()
            .map(|line| line.text.chars().count())
            .collect();
        assert_eq!(lengths.get(2..4), Some(&[120, 30][..]));
    }

    #[test]
    fn a_huge_value_is_cut_and_says_so() {
        let value = json!(vec![0; 30_000]);
        let tree = JsonTree::of(&value, |_| Some(true));
        assert_eq!((tree.lines.len(), tree.is_cut), (20_000, true));
    }
}
