//! JSON as a readable tree: names at the left, values at the right.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Galley, Id, Pos2, Ui, vec2};
use serde_json::Value;

use crate::ui::fonts::Face;
use crate::ui::text::cx::TextCx;
use crate::ui::text::draw::galley_ui;
use crate::ui::text::sanitize::visible;
use crate::ui::text::selecting::Held;
use crate::ui::theme::Theme;

/// Values deeper than this, and entries beyond this many, are left out; the raw data shows all.
const DEPTH_MOST: usize = 5;
const ENTRIES_MOST: usize = 40;
const CHARS_MOST: usize = 1_200;
/// Between a name and its value, in points.
const GAP: f32 = 12.0;

/// A value with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    depth: usize,
    pub name: String,
    /// Empty where entries of its own follow.
    pub value: String,
}

/// The entries of an object or a list that show, or a single value.
pub fn shown_entries(value: &Value) -> Vec<Entry> {
    let mut entries = Vec::new();
    collect(value, 0, "", &mut entries);
    if entries.len() > ENTRIES_MOST {
        entries.truncate(ENTRIES_MOST);
        entries.push(Entry {
            depth: 0,
            name: "…".to_owned(),
            value: String::new(),
        });
    }
    entries
}

/// Shows the entries of an object or a list, or a single value, as units of the area that is entered.
pub fn value_tree_ui(ui: &mut Ui, cx: &mut TextCx<'_>, value: &Value, id: Id) {
    let entries = shown_entries(value);
    let names = entries
        .iter()
        .map(|entry| entry.depth * 2 + entry.name.chars().count())
        .max();
    let names = names.unwrap_or_default().min(24);
    for (index, entry) in entries.iter().enumerate() {
        cx.finding.at(index, 0);
        entry_ui(ui, cx, entry, names, id.with(index));
    }
}

fn collect(value: &Value, depth: usize, name: &str, entries: &mut Vec<Entry>) {
    if entries.len() > ENTRIES_MOST {
        return;
    }
    let mut push = |value: String| {
        entries.push(Entry {
            depth: depth.saturating_sub(1),
            name: visible(name).into_owned(),
            value,
        });
    };
    match value {
        Value::Object(object) if !object.is_empty() && depth < DEPTH_MOST => {
            if depth > 0 {
                push(String::new());
            }
            for (name, value) in object {
                collect(value, depth + 1, name, entries);
            }
        }
        Value::Array(values)
            if values
                .iter()
                .any(|value| value.is_object() || value.is_array())
                && depth < DEPTH_MOST =>
        {
            if depth > 0 {
                push(String::new());
            }
            for (index, value) in values.iter().enumerate() {
                collect(value, depth + 1, &(index + 1).to_string(), entries);
            }
        }
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(shown).collect();
            push(cut(&values.join(", ")));
        }
        value => push(cut(&shown(value))),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => visible(text).into_owned(),
        other => other.to_string(),
    }
}

fn cut(text: &str) -> String {
    match text
        .char_indices()
        .nth(CHARS_MOST)
        .and_then(|(at, _)| text.get(..at))
    {
        Some(start) => format!("{start}…"),
        None => text.to_owned(),
    }
}

fn entry_ui(ui: &mut Ui, cx: &mut TextCx<'_>, entry: &Entry, names: usize, id: Id) {
    let theme = cx.theme;
    let size = theme.size.mono - 1.0;
    let column = ui.fonts_mut(|fonts| fonts.glyph_width(&Face::Mono.sized(size), 'M'));
    let indent = entry.depth as f32 * 2.0 * column;
    let width = (names as f32 * column - indent).max(column * 3.0);
    let mut name = job(theme, &entry.name, size, theme.secondary);
    name.break_on_newline = false;
    name.wrap = TextWrapping::truncate_at_width(width);
    let mut value = job(theme, &entry.value, size, theme.text);
    let left = indent + width + GAP;
    value.wrap.max_width = (ui.available_width() - left).max(column * 8.0);
    let (name, value) = ui.fonts_mut(|fonts| (fonts.layout_job(name), fonts.layout_job(value)));
    let height = name.size().y.max(value.size().y);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), height));
    if !ui.is_rect_visible(rect) {
        return;
    }
    if !entry.name.is_empty() {
        let at = rect.min + vec2(indent, 0.0);
        unit_ui(ui, cx, (&entry.name, &name), at, id.with("name"));
    }
    if !entry.value.is_empty() {
        cx.finding.at_cell(1);
        let at = rect.min + vec2(left, 0.0);
        unit_ui(ui, cx, (&entry.value, &value), at, id.with("value"));
    }
}

fn unit_ui(ui: &Ui, cx: &mut TextCx<'_>, (text, galley): (&str, &Arc<Galley>), at: Pos2, id: Id) {
    cx.finding.mark_ui(ui, cx.theme, text, (galley, at, 0));
    galley_ui(ui, cx, galley, at, id, Held::Part(0));
}

fn job(theme: &Theme, text: &str, size: f32, color: egui::Color32) -> LayoutJob {
    let format = TextFormat {
        font_id: Face::Mono.sized(size),
        color,
        line_height: Some((theme.size.mono * 1.45).round()),
        ..TextFormat::default()
    };
    LayoutJob::single_section(text.to_owned(), format)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_become_entries() {
        let value = json!({"path": "a.rs", "edits": [{"old": "x", "n": 2}], "tags": ["a", 1], "none": null});
        let mut entries = Vec::new();
        collect(&value, 0, "", &mut entries);
        let lines: Vec<String> = entries
            .iter()
            .map(|entry| format!("{}{}={}", " ".repeat(entry.depth), entry.name, entry.value))
            .collect();
        assert_eq!(
            lines,
            [
                "path=a.rs",
                "edits=",
                " 1=",
                "  old=x",
                "  n=2",
                "tags=a, 1",
                "none=null"
            ]
        );
    }
}
