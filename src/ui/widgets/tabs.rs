//! Tabs in as many rows as they need, each with a mark when its page is done, where pages can be.

use egui::{Color32, Id, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo};

use crate::ui::icons;
use crate::ui::theme::{BUTTON_RADIUS, Theme};
use crate::ui::widgets::button::{Button, focus_ring};
use crate::ui::widgets::text;

const PADDING: f32 = 8.0;
const GAP: f32 = 4.0;
/// A longer label is cut, in points.
const LABEL_WIDTH: f32 = 160.0;

/// One tab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tab {
    pub label: String,
    /// Whether its page is done; `None` where there is nothing to be done.
    pub is_done: Option<bool>,
}

/// Shows the tabs over the whole width; what happened to each.
pub fn tabs_ui(ui: &mut Ui, theme: &Theme, id: Id, tabs: &[Tab], shown: usize) -> Vec<Response> {
    let height = Button::chip_height(theme);
    let width = ui.available_width();
    let check = theme.size.meta;
    let mut at = Vec2::ZERO;
    let mut laid = Vec::new();
    for tab in tabs {
        let room = theme.scaled(LABEL_WIDTH).min(width - 2.0 * PADDING);
        let galley = text::line_ui(ui, &tab.label, theme.meta(), Color32::PLACEHOLDER, room);
        // The room of the mark is there from the start, so that nothing moves when a page is done.
        let mark = tab.is_done.map_or(0.0, |_| check + GAP);
        let size = Vec2::new(galley.size().x + 2.0 * PADDING + mark, height);
        if at.x > 0.0 && at.x + size.x > width {
            at = Vec2::new(0.0, at.y + height + GAP);
        }
        laid.push((galley, Rect::from_min_size(at.to_pos2(), size)));
        at.x += size.x + GAP;
    }
    let (_, all) = ui.allocate_space(Vec2::new(width, at.y + height));
    let pairs = tabs.iter().zip(laid).enumerate();
    pairs
        .map(|(index, (tab, (galley, rect)))| {
            let rect = rect.translate(all.min.to_vec2());
            let response = ui.interact(rect, id.with(index), Sense::click());
            let is_shown = index == shown;
            let fill = if is_shown || response.is_pointer_button_down_on() {
                theme.pressed
            } else if response.hovered() {
                theme.hover
            } else {
                Color32::TRANSPARENT
            };
            ui.painter().rect_filled(rect, BUTTON_RADIUS, fill);
            focus_ring(ui, theme, rect, BUTTON_RADIUS, &response);
            let color = if is_shown {
                theme.text
            } else {
                theme.secondary
            };
            let y = rect.center().y;
            let is_cut = galley.elided;
            let label = text::paint_at(ui, rect.left() + PADDING, y, galley, color);
            if tab.is_done == Some(true) {
                let mut font = theme.icon();
                font.size = check;
                text::paint_icon(ui, label.right() + GAP, y, icons::CHECK, font, theme.ok);
            }
            let info = || WidgetInfo::selected(Role::Tab, true, is_shown, &tab.label);
            response.widget_info(info);
            if is_cut {
                response.on_hover_text(&tab.label)
            } else {
                response
            }
        })
        .collect()
}
