//! The text field that the whole window uses, so that an input method is treated right everywhere.

use egui::{Event, EventFilter, FontId, Id, Key, KeyboardShortcut, Modifiers, Response, TextEdit};

use crate::ui::theme::{BUTTON_RADIUS, LINE_HEIGHT, Theme};
use crate::ui::widgets::composition::Composition;

/// What the Enter key does in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnterKey {
    /// It submits; with Shift it starts a new line.
    Submits,
    /// It starts a new line; with Ctrl or Cmd it submits.
    StartsLine,
    /// It submits, and there is one line only.
    SingleLine,
}

/// A text field, about to be shown.
#[must_use]
pub struct TextField<'a> {
    id: Id,
    text: &'a mut String,
    label: &'a str,
    hint: &'a str,
    enter_key: EnterKey,
    claimed: &'a [Key],
    font: Option<FontId>,
    is_enabled: bool,
    is_secret: bool,
}

/// What happened in a field.
pub struct FieldOutput {
    pub response: Response,
    /// Enter was pressed where it submits.
    pub submitted: bool,
    /// The claimed keys that were pressed, in order.
    pub keys: Vec<Key>,
    /// The text holds something that the input method has not decided yet.
    pub is_composing: bool,
}

/// What a field remembers between frames.
#[derive(Debug, Clone, Default)]
struct Memory {
    composition: Composition,
    /// What was typed in this frame and has to wait for the next one.
    typed_after: Vec<Event>,
    /// The field is to get the keyboard as soon as the click that asked for it is over.
    wants_focus: bool,
}

/// Gives the keyboard to a field that a click has just brought up: that click would take it away again.
pub fn focus_soon(ui: &egui::Ui, field: Id) {
    let memory = Memory {
        wants_focus: true,
        ..Memory::default()
    };
    ui.data_mut(|data| data.insert_temp(field, memory));
    ui.ctx().request_repaint();
}

/// What the keys of a frame mean for a field.
#[derive(Debug, Default)]
struct Keys {
    submitted: bool,
    claimed: Vec<Key>,
}

impl<'a> TextField<'a> {
    /// `label` names the field for assistive technology; it is not drawn.
    pub fn new(id: Id, text: &'a mut String, label: &'a str) -> Self {
        Self {
            id,
            text,
            label,
            hint: "",
            enter_key: EnterKey::SingleLine,
            claimed: &[],
            font: None,
            is_enabled: true,
            is_secret: false,
        }
    }

    /// What stands in the field while it is empty.
    pub fn hint(mut self, hint: &'a str) -> Self {
        self.hint = hint;
        self
    }

    pub fn enter_key(mut self, enter_key: EnterKey) -> Self {
        self.enter_key = enter_key;
        self
    }

    /// Keys without modifiers that are not for the text but for whoever shows the field.
    pub fn claim(mut self, keys: &'a [Key]) -> Self {
        self.claimed = keys;
        self
    }

    pub fn font(mut self, font: FontId) -> Self {
        self.font = Some(font);
        self
    }

    pub fn enabled(mut self, is_enabled: bool) -> Self {
        self.is_enabled = is_enabled;
        self
    }

    /// Shows dots in place of the text, in one line.
    pub fn secret(mut self, is_secret: bool) -> Self {
        self.is_secret = is_secret;
        self
    }

    /// Shows the text without a frame; what stands around it is drawn by whoever shows it.
    pub fn show_ui(self, ui: &mut egui::Ui, theme: &Theme) -> FieldOutput {
        let id = self.id;
        let mut memory: Memory = ui.data_mut(|data| data.get_temp(id)).unwrap_or_default();
        let is_clicking =
            ui.input(|input| input.pointer.any_pressed() || input.pointer.any_click());
        if memory.wants_focus && !is_clicking {
            memory.wants_focus = false;
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        let has_focus = ui.memory(|memory| memory.has_focus(id));
        let mut keys = Keys::default();
        if has_focus {
            keys = ui.input_mut(|input| {
                let time = input.time;
                memory.sort(&mut input.events, time, self.enter_key, self.claimed)
            });
            if !memory.typed_after.is_empty() {
                ui.ctx().request_repaint();
            }
        } else {
            memory = Memory {
                wants_focus: memory.wants_focus,
                ..Memory::default()
            };
        }
        let is_composing = memory.composition.is_active();
        ui.data_mut(|data| data.insert_temp(id, memory));
        let (label, claims_tab) = (self.label, self.claimed.contains(&Key::Tab));
        let filter = EventFilter {
            tab: claims_tab || is_composing,
            horizontal_arrows: true,
            vertical_arrows: true,
            escape: true,
        };
        let font = self.font.clone().unwrap_or_else(|| theme.body());
        let row_height = ui.fonts_mut(|fonts| fonts.row_height(&font));
        let line_height = (font.size * LINE_HEIGHT).round();
        let edit = self.edit(theme, font).event_filter(filter);
        let response = ui
            .scope(|ui| {
                ui.spacing_mut().extra_text_line_spacing = (line_height - row_height).max(0.0);
                edit.show(ui).response
            })
            .inner;
        FieldOutput {
            response: response.response.accessible_name(label),
            submitted: keys.submitted,
            keys: keys.claimed,
            is_composing,
        }
    }

    /// Shows the text in a frame of its own.
    pub fn framed_ui(self, ui: &mut egui::Ui, theme: &Theme) -> FieldOutput {
        let id = self.id;
        let has_focus = ui.memory(|memory| memory.has_focus(id)) && ui.input(|i| i.focused);
        let color = if has_focus { theme.link } else { theme.border };
        let frame = egui::Frame {
            inner_margin: egui::Margin::symmetric(8, 5),
            fill: theme.sunken,
            stroke: egui::Stroke::new(1.0, color),
            corner_radius: BUTTON_RADIUS,
            ..egui::Frame::NONE
        };
        frame.show(ui, |ui| self.show_ui(ui, theme)).inner
    }

    fn edit(self, theme: &Theme, font: FontId) -> TextEdit<'a> {
        let edit = match self.enter_key {
            EnterKey::SingleLine => TextEdit::singleline(self.text).return_key(None),
            EnterKey::Submits => TextEdit::multiline(self.text)
                .return_key(KeyboardShortcut::new(Modifiers::SHIFT, Key::Enter)),
            EnterKey::StartsLine => TextEdit::multiline(self.text),
        };
        edit.id(self.id)
            .frame(egui::Frame::NONE)
            .desired_rows(1)
            .desired_width(f32::INFINITY)
            .font(font)
            .text_color(theme.text)
            .hint_text(self.hint.to_owned())
            .interactive(self.is_enabled)
            .password(self.is_secret)
    }
}

impl Memory {
    /// Takes out of the events what is not for the text: the input method's keys, the claimed ones, and the key that
    /// submits. What was typed after that key waits for the next frame, so that it is not submitted with the rest; so
    /// does a claimed key that comes after text of the same frame.
    fn sort(
        &mut self,
        events: &mut Vec<Event>,
        time_secs: f64,
        enter_key: EnterKey,
        claims: &[Key],
    ) -> Keys {
        let waiting = std::mem::take(&mut self.typed_after);
        events.splice(0..0, waiting);
        self.composition.take_keys(events, time_secs);
        let mut keys = Keys::default();
        let mut kept = Vec::with_capacity(events.len());
        let (mut is_text_new, mut waits) = (false, false);
        for event in events.drain(..) {
            if waits && is_typed(&event) {
                self.typed_after.push(event);
            } else if let Some(key) = claimed(&event, claims) {
                if is_text_new {
                    // It was claimed for a text that is another one by now: it is heard again with the new text.
                    waits = true;
                    self.typed_after.push(event);
                } else {
                    keys.claimed.push(key);
                }
            } else if submits(&event, enter_key) {
                keys.submitted = true;
                waits = true;
            } else {
                is_text_new |= is_typed(&event);
                kept.push(event);
            }
        }
        *events = kept;
        keys
    }
}

fn is_typed(event: &Event) -> bool {
    matches!(
        event,
        Event::Text(_) | Event::Paste(_) | Event::Ime(_) | Event::Key { pressed: true, .. }
    )
}

fn submits(event: &Event, enter_key: EnterKey) -> bool {
    let Event::Key {
        key: Key::Enter,
        pressed: true,
        modifiers,
        ..
    } = event
    else {
        return false;
    };
    match enter_key {
        EnterKey::SingleLine => true,
        EnterKey::Submits => !modifiers.shift && !modifiers.alt,
        EnterKey::StartsLine => modifiers.command || modifiers.ctrl,
    }
}

fn claimed(event: &Event, claims: &[Key]) -> Option<Key> {
    match event {
        Event::Key {
            key,
            pressed: true,
            modifiers: Modifiers::NONE,
            ..
        } => claims.contains(key).then_some(*key),
        _ => None,
    }
}
