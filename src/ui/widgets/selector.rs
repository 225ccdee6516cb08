//! A chip that opens a list of choices, with a search field when there are many.

use egui::{Id, Key, Popup, Response, Ui};

use crate::ui::icons;
use crate::ui::theme::Theme;
use crate::ui::widgets::popover::{Opening, Popover};
use crate::ui::widgets::row::{Row, heading_ui, separator_ui};
use crate::ui::widgets::text;
use crate::ui::widgets::text_field::{TextField, focus_soon};

/// More choices than this can be searched.
const SEARCHABLE_FROM: usize = 13;

/// One choice of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice<'a> {
    pub value: &'a str,
    pub name: &'a str,
    pub description: Option<&'a str>,
    /// Words of ours that follow the name.
    pub note: Option<&'a str>,
    /// The heading it stands under.
    pub group: Option<&'a str>,
}

/// The words that a list needs besides its choices.
#[derive(Debug, Clone, Copy)]
pub struct Words<'a> {
    pub search: &'a str,
    pub nothing_found: &'a str,
}

/// What the list remembers while it is open.
#[derive(Debug, Clone, Default)]
struct Memory {
    search: String,
    highlighted: usize,
    /// The row that was last brought into view.
    shown: usize,
}

/// Shows the list while the button's popover is open; the value that was chosen.
pub fn choices_popover_ui<'a>(
    theme: &Theme,
    button: &Response,
    title: &str,
    choices: &[Choice<'a>],
    current: &str,
    words: Words<'_>,
) -> Option<&'a str> {
    Popover::above(button, title)
        .show_ui(theme, |ui, opening| {
            heading_ui(ui, theme, title);
            choices_ui(ui, theme, button.id, opening, choices, current, words)
        })
        .flatten()
}

/// Shows the choices as rows; the value that was chosen. Choosing closes the popover.
pub fn choices_ui<'a>(
    ui: &mut Ui,
    theme: &Theme,
    id: Id,
    opening: Opening,
    choices: &[Choice<'a>],
    current: &str,
    words: Words<'_>,
) -> Option<&'a str> {
    let id = id.with("choices");
    let mut memory: Memory = match opening {
        Opening::Before => ui.data(|data| data.get_temp(id)).unwrap_or_default(),
        Opening::ByPointer | Opening::ByKeyboard => Memory::default(),
    };
    let is_searchable = choices.len() >= SEARCHABLE_FROM;
    let mut enter = false;
    if is_searchable {
        enter = search_ui(ui, theme, id, opening, &mut memory, words);
    }
    let found: Vec<_> = choices
        .iter()
        .filter(|choice| matches(choice, &memory.search))
        .collect();
    let highlighted = memory.highlighted.min(found.len().saturating_sub(1));
    let moved = std::mem::replace(&mut memory.shown, highlighted) != highlighted;
    memory.highlighted = highlighted;
    let mut chosen = None;
    let mut group = None;
    for (index, choice) in found.iter().enumerate() {
        if choice.group != group {
            group = choice.group;
            heading_ui(ui, theme, group.unwrap_or_default());
        }
        let is_highlighted = is_searchable && index == memory.highlighted;
        let mut row = Row::new(choice.name)
            .chosen(choice.value == current)
            .highlighted(is_highlighted);
        let label = choice.note.map(|note| format!("{}, {note}", choice.name));
        if let (Some(note), Some(label)) = (choice.note, &label) {
            row = row.note(note).label(label);
        }
        let row = row.show_ui(ui, theme);
        if opening == Opening::ByKeyboard && !is_searchable && choice.value == current {
            row.request_focus();
        }
        if is_highlighted && moved {
            row.scroll_to_me(None);
        }
        if row.clicked() || (enter && is_highlighted) {
            chosen = Some(choice.value);
        }
        if let Some(description) = choice.description.filter(|text| !text.is_empty()) {
            row.on_hover_text(description);
        }
    }
    if found.is_empty() {
        nothing_found_ui(ui, theme, words.nothing_found);
    }
    ui.data_mut(|data| data.insert_temp(id, memory));
    if chosen.is_some() {
        Popup::close_all(ui.ctx());
    }
    chosen
}

fn search_ui(
    ui: &mut Ui,
    theme: &Theme,
    id: Id,
    opening: Opening,
    memory: &mut Memory,
    words: Words<'_>,
) -> bool {
    let field_id = id.with("search");
    if opening != Opening::Before {
        focus_soon(ui, field_id);
    }
    let output = ui
        .horizontal(|ui| {
            ui.add_space(8.0);
            let font = theme.icon();
            let (_, rect) = ui.allocate_space(egui::Vec2::new(font.size, theme.scaled(28.0)));
            let (x, y) = (rect.left(), rect.center().y);
            text::paint_icon(ui, x, y, icons::SEARCH, font, theme.secondary);
            TextField::new(field_id, &mut memory.search, words.search)
                .hint(words.search)
                .claim(&[Key::ArrowUp, Key::ArrowDown])
                .show_ui(ui, theme)
        })
        .inner;
    separator_ui(ui, theme);
    if output.response.changed() {
        memory.highlighted = 0;
    }
    for key in output.keys {
        memory.highlighted = match key {
            Key::ArrowUp => memory.highlighted.saturating_sub(1),
            _ => memory.highlighted.saturating_add(1),
        };
    }
    output.submitted
}

fn nothing_found_ui(ui: &mut Ui, theme: &Theme, words: &str) {
    ui.horizontal(|ui| {
        ui.add_space(8.0);
        text::label_ui(ui, words, theme.meta(), theme.secondary, f32::INFINITY);
    });
}

fn matches(choice: &Choice<'_>, search: &str) -> bool {
    let search = search.trim().to_lowercase();
    search.is_empty()
        || choice.name.to_lowercase().contains(&search)
        || choice.value.to_lowercase().contains(&search)
}
