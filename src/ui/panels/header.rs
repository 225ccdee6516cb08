//! The one row at the top: which agent, which session, and the menu.

mod backend_menu;
mod install;
mod main_menu;

use egui::{Rect, Ui, UiBuilder, Vec2};

use crate::core::backend::AgentLook;
use crate::core::session::Session;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::icons;
use crate::ui::panels::names;
use crate::ui::state::UiState;
use crate::ui::theme;
use crate::ui::widgets::button::Button;
use crate::ui::widgets::popover::Popover;
use crate::ui::widgets::text;

/// The room that is left to the title in a narrow window, in points.
const TITLE_LEAST: f32 = 80.0;

/// Fills its ui with the header.
pub fn header_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState) {
    let rect = ui.max_rect().shrink2(Vec2::new(8.0, 0.0));
    let agent = agent_ui(ui, cx, state, rect);
    let buttons = buttons_ui(ui, cx, state, rect);
    title_ui(ui, cx, state, rect, (agent, buttons));
}

/// The agent's name, which opens the dropdown; where it ends.
fn agent_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState, rect: Rect) -> f32 {
    let i18n = cx.i18n;
    let session = state.shown.and_then(|key| cx.hub.session(key));
    let spec = session
        .map(Session::spec)
        .or_else(|| names::chosen_backend(cx).map(|backend| &backend.spec));
    let name = spec.map_or_else(
        || i18n.tr("backend.choose").to_owned(),
        |spec| names::backend(i18n, spec),
    );
    let look = spec.map_or(AgentLook::Custom, |spec| spec.look);
    let others_wait = backend_menu::others_wait(cx, state);
    let label = i18n.tr_args("app.backend.current", &[("agent", (&name).into())]);
    let tooltip = i18n.tr("app.backend.tooltip");
    // In a narrow window the name matters more than the title.
    let beside_buttons = rect.width() - 2.0 * Button::height(cx.theme) - TITLE_LEAST;
    let narrow = beside_buttons.min(cx.theme.scaled(180.0));
    let most = (rect.width() * 0.42)
        .max(narrow)
        .min(cx.theme.scaled(240.0));
    let mut child = ui.new_child(
        UiBuilder::new()
            .max_rect(rect)
            .layout(egui::Layout::left_to_right(egui::Align::Center)),
    );
    let button = Button::icon(theme::glyph(look), &label)
        .shown(&name)
        .icon_color(cx.theme.accent(look))
        .tooltip(tooltip)
        .chevron()
        .max_width(most)
        .id(ui.scope_id().with("backend"));
    let response = button.show_ui(&mut child, cx.theme);
    if others_wait {
        let dot = response.rect.right_top() + Vec2::new(-6.0, 7.0);
        crate::ui::widgets::meter::paint_dot(ui.painter(), dot, cx.theme.caution);
    }
    backend_menu::backend_menu_ui(cx, state, &response);
    response.rect.right()
}

/// New session and the menu, from the right; where they begin.
fn buttons_ui(ui: &mut Ui, cx: &mut UiCx<'_>, state: &mut UiState, rect: Rect) -> f32 {
    let i18n = cx.i18n;
    let size = Vec2::new(Button::height(cx.theme) * 2.0 + 4.0, rect.height());
    let rect = Rect::from_min_size(egui::pos2(rect.right() - size.x, rect.top()), size);
    let mut child = ui.new_child(
        UiBuilder::new()
            .max_rect(rect)
            .layout(egui::Layout::left_to_right(egui::Align::Center)),
    );
    child.spacing_mut().item_spacing.x = 4.0;
    let keys = ui
        .ctx()
        .format_shortcut(&crate::ui::window::NEW_SESSION_KEYS);
    let label = i18n.tr("app.new_session");
    let tooltip = i18n.tr_args(
        "app.tooltip",
        &[("label", label.into()), ("keys", keys.into())],
    );
    let new_session = Button::icon(icons::NEW_SESSION, label).tooltip(&tooltip);
    if new_session.show_ui(&mut child, cx.theme).clicked() {
        cx.actions.push(UiAction::NewSession);
    }
    let menu = Button::icon(icons::MENU, i18n.tr("app.menu"))
        .id(ui.scope_id().with("menu"))
        .show_ui(&mut child, cx.theme);
    Popover::below(&menu, i18n.tr("app.menu"))
        .at_end()
        .width(320.0)
        .show_ui(cx.theme, |ui, _| main_menu::main_menu_ui(ui, cx, state));
    rect.left()
}

fn title_ui(ui: &mut Ui, cx: &UiCx<'_>, state: &UiState, rect: Rect, (left, right): (f32, f32)) {
    let Some(session) = state.shown.and_then(|key| cx.hub.session(key)) else {
        return;
    };
    let Some(title) = names::session_title(session) else {
        return;
    };
    let (left, right) = (left + 12.0, right - 12.0);
    let theme = cx.theme;
    let galley = text::line_ui(ui, &title, theme.body(), theme.secondary, right - left);
    let is_cut = galley.elided;
    // In the middle of the window where there is room, else in the middle of what is left.
    let width = galley.size().x;
    let x = (rect.center().x - width / 2.0).clamp(left, (right - width).max(left));
    let drawn = text::paint_at(ui, x, rect.center().y, galley, theme.secondary);
    let response = ui.interact(drawn, ui.scope_id().with("title"), egui::Sense::hover());
    let label = cx
        .i18n
        .tr_args("app.session.title", &[("title", (&title).into())]);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &label));
    if is_cut {
        response.on_hover_text(title);
    }
}
