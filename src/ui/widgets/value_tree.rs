//! JSON as a readable tree: names at the left, values at the right.

use egui::text::{LayoutJob, TextFormat};
use egui::{Label, Ui};
use serde_json::Value;

use crate::ui::fonts::Face;
use crate::ui::text::sanitize::visible;
use crate::ui::theme::Theme;

/// Values deeper than this, and entries beyond this many, are left out; the raw data shows all.
const DEPTH_MOST: usize = 5;
const ENTRIES_MOST: usize = 40;
const CHARS_MOST: usize = 1_200;

/// Shows the entries of an object or a list, or a single value.
pub fn value_tree_ui(ui: &mut Ui, theme: &Theme, value: &Value) {
    let mut entries = Vec::new();
    collect(value, 0, "", &mut entries);
    let names = entries
        .iter()
        .map(|entry| entry.depth * 2 + entry.name.chars().count())
        .max();
    let names = names.unwrap_or_default().min(24);
    for entry in entries.iter().take(ENTRIES_MOST) {
        entry_ui(ui, theme, entry, names);
    }
    if entries.len() > ENTRIES_MOST {
        ui.label("…");
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Entry {
    depth: usize,
    name: String,
    /// Empty where entries of its own follow.
    value: String,
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

fn entry_ui(ui: &mut Ui, theme: &Theme, entry: &Entry, names: usize) {
    let size = theme.size.mono - 1.0;
    let column = ui.fonts_mut(|fonts| fonts.glyph_width(&Face::Mono.sized(size), 'M'));
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        let indent = entry.depth as f32 * 2.0 * column;
        ui.add_space(indent);
        let width = (names as f32 * column - indent).max(column * 3.0);
        ui.allocate_ui(egui::vec2(width, 0.0), |ui| {
            ui.set_width(width);
            ui.add(Label::new(job(theme, &entry.name, size, theme.secondary)).truncate());
        });
        if !entry.value.is_empty() {
            ui.add(
                Label::new(job(theme, &entry.value, size, theme.text))
                    .wrap()
                    .selectable(true),
            );
        }
    });
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
