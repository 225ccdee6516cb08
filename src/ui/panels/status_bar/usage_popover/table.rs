//! Numbers in two columns: those of a turn and those of the session.

use egui::{Align2, Role, Sense, Ui, Vec2, WidgetInfo};

use crate::ui::fonts::Face;
use crate::ui::theme::Theme;
use crate::ui::widgets::text;

/// What stands for a number that nobody told.
const UNKNOWN: &str = "\u{2013}";
/// The width of a column in points.
const COLUMN: f32 = 88.0;
/// The space at both ends of a row, in points.
const PADDING: f32 = 8.0;

/// A value for the turn and one for the session, where they are known.
pub(super) struct Columns<T> {
    pub turn: Option<T>,
    pub session: Option<T>,
}

impl<T: Clone> Columns<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.turn.is_none() && self.session.is_none()
    }

    pub(super) fn map<R>(&self, make: impl Fn(T) -> R) -> [Option<R>; 2] {
        self.map_ref(|value| make(value.clone()))
    }

    pub(super) fn map_ref<R>(&self, make: impl Fn(&T) -> R) -> [Option<R>; 2] {
        [
            self.turn.as_ref().map(&make),
            self.session.as_ref().map(make),
        ]
    }
}

/// Where rows stand and what they look like.
pub(super) struct Table<'a> {
    theme: &'a Theme,
    column: f32,
}

impl<'a> Table<'a> {
    pub(super) fn of(ui: &Ui, theme: &'a Theme) -> Self {
        let column = theme.scaled(COLUMN).min(ui.available_width() * 0.3);
        Self { theme, column }
    }

    /// A heading over rows, with the names of the columns.
    pub(super) fn heading_ui(&self, ui: &mut Ui, title: &str, columns: [&str; 2]) {
        let theme = self.theme;
        let size = Vec2::new(ui.available_width(), theme.scaled(26.0));
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        let y = rect.bottom() - theme.scaled(11.0);
        let font = Face::SemiBold.sized(theme.size.meta);
        let room = rect.width() - 2.0 * (PADDING + self.column);
        let galley = text::line_ui(ui, title, font, theme.secondary, room);
        text::paint_at(ui, rect.left() + PADDING, y, galley, theme.secondary);
        let mut right = rect.right() - PADDING;
        for name in columns.into_iter().rev() {
            let room = self.column - 6.0;
            let galley = text::line_ui(ui, name, theme.meta(), theme.secondary, room);
            let at = Align2::RIGHT_CENTER.anchor_size(egui::pos2(right, y), galley.size());
            ui.painter().galley(at.min, galley, theme.secondary);
            right -= self.column;
        }
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, title));
    }

    /// A row with a number in each of the last columns. What nobody told has a dash.
    pub(super) fn row_ui(&self, ui: &mut Ui, name: &str, numbers: &[Option<String>]) {
        let theme = self.theme;
        let size = Vec2::new(ui.available_width(), theme.scaled(22.0));
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        let y = rect.center().y;
        let mut right = rect.right() - PADDING;
        for number in numbers.iter().rev() {
            let (number, color) = match number {
                Some(number) => (number.as_str(), theme.text),
                None => (UNKNOWN, theme.disabled),
            };
            let galley = text::line_ui(ui, number, theme.tabular(), color, self.column);
            let at = Align2::RIGHT_CENTER.anchor_size(egui::pos2(right, y), galley.size());
            ui.painter().galley(at.min, galley, color);
            right -= self.column;
        }
        let room = right - rect.left() - PADDING;
        let galley = text::line_ui(ui, name, theme.meta(), theme.secondary, room);
        text::paint_at(ui, rect.left() + PADDING, y, galley, theme.secondary);
        let numbers = numbers.iter();
        let numbers: Vec<&str> = numbers
            .map(|number| number.as_deref().unwrap_or(UNKNOWN))
            .collect();
        let label = format!("{name} {}", numbers.join(" "));
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, label.trim()));
    }
}
