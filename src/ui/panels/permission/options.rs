//! The agent's own answers as buttons, in the agent's order.

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Color32, Id, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
};

use super::reason::Refused;
use crate::core::ids::RequestId;
use crate::core::permission::{PermissionOption, PermissionOptionKind};
use crate::i18n::I18n;
use crate::ui::icons;
use crate::ui::theme::{BUTTON_RADIUS, Theme};
use crate::ui::untrusted::{one_line, without_middle};
use crate::ui::widgets::button::{Button, focus_ring};
use crate::ui::widgets::text;

const GAP: f32 = 8.0;
const PADDING: f32 = 10.0;
/// A longer scope loses its middle, in characters; the tooltip has all of it.
const SCOPE_MOST: usize = 240;

/// An option with the room it takes.
pub(super) struct Laid {
    name: String,
    text: LayoutJob,
    /// Relative to where the options begin.
    rect: Rect,
}

/// Where each option goes in a width; several in a row, and long names over several lines.
pub(super) fn lay_out_ui(
    ui: &Ui,
    i18n: &I18n,
    theme: &Theme,
    (options, about): (&[PermissionOption], Refused),
    width: f32,
) -> (Vec<Laid>, f32) {
    let line = Button::height(theme);
    let around = 2.0 * PADDING + theme.icon().size + 6.0;
    let mut laid = Vec::new();
    let mut at = Vec2::ZERO;
    let mut row_height = 0.0_f32;
    for option in options {
        let name = name(i18n, option, about);
        let format = TextFormat::simple(theme.body(), Color32::PLACEHOLDER);
        let mut job = LayoutJob::single_section(name.clone(), format);
        let scope = option.scope.as_deref().map(one_line).unwrap_or_default();
        let name = append_scope(theme, &mut job, name, &scope);
        job.wrap.max_width = width - around;
        let size = ui.painter().layout_job(job.clone()).size();
        let size = Vec2::new(
            size.x + around,
            (size.y + line - theme.size.body * 1.2).max(line),
        );
        if at.x > 0.0 && at.x + size.x > width {
            at = Vec2::new(0.0, at.y + row_height + GAP);
            row_height = 0.0;
        }
        laid.push(Laid {
            name,
            text: job,
            rect: Rect::from_min_size(at.to_pos2(), size),
        });
        at.x += size.x + GAP;
        row_height = row_height.max(size.y);
    }
    (laid, at.y + row_height)
}

/// Puts what an option covers behind its name, as the agent writes it; the name of both.
fn append_scope(theme: &Theme, job: &mut LayoutJob, name: String, scope: &str) -> String {
    if scope.is_empty() {
        return name;
    }
    let format = TextFormat::simple(theme.mono(), theme.secondary);
    let shown = without_middle(scope, SCOPE_MOST).map_or_else(
        || scope.to_owned(),
        |(start, end)| format!("{start}\u{2026}{end}"),
    );
    job.append(&shown, 8.0, format);
    format!("{name} {scope}")
}

/// Whether the options answer to anything yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readiness {
    Settling,
    Ready,
}

/// Draws the options from `origin` on; their responses in the same order.
pub(super) fn options_ui(
    ui: &Ui,
    i18n: &I18n,
    theme: &Theme,
    request: &RequestId,
    (options, laid): (&[PermissionOption], &[Laid]),
    origin: Pos2,
    readiness: Readiness,
) -> Vec<Response> {
    let pairs = options.iter().zip(laid).enumerate();
    pairs
        .map(|(index, (option, laid))| {
            let id = option_id(request, index);
            let rect = laid.rect.translate(origin.to_vec2());
            let response = ui.interact(rect, id, Sense::click());
            paint(ui, theme, option, laid, &response, readiness);
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &laid.name));
            let tooltip = tooltip(i18n, option, laid, readiness);
            response.clone().on_hover_text(tooltip);
            response
        })
        .collect()
}

/// The id of an option's button. It names the request, so a press never counts for another one.
pub(super) fn option_id(request: &RequestId, index: usize) -> Id {
    Id::unique(("permission option", request.to_string(), index))
}

fn paint(
    ui: &Ui,
    theme: &Theme,
    option: &PermissionOption,
    laid: &Laid,
    response: &Response,
    readiness: Readiness,
) {
    let rect = response.rect;
    let fill = match readiness {
        Readiness::Ready if response.is_pointer_button_down_on() => theme.pressed,
        Readiness::Ready if response.hovered() => theme.hover,
        Readiness::Settling | Readiness::Ready => Color32::TRANSPARENT,
    };
    let (icon, color) = icon(theme, &option.kind);
    let (icon_color, text_color) = match readiness {
        Readiness::Settling => (theme.secondary, theme.secondary),
        Readiness::Ready => (color, theme.text),
    };
    let stroke = Stroke::new(1.0, theme.border);
    ui.painter()
        .rect(rect, BUTTON_RADIUS, fill, stroke, StrokeKind::Inside);
    focus_ring(ui, theme, rect, BUTTON_RADIUS, response);
    let font = theme.icon();
    let x = rect.left() + PADDING;
    text::paint_icon(ui, x, rect.center().y, icon, font.clone(), icon_color);
    let galley = ui.painter().layout_job(laid.text.clone());
    let x = x + font.size + 6.0;
    text::paint_at(ui, x, rect.center().y, galley, text_color);
}

fn icon<'a>(theme: &Theme, kind: &PermissionOptionKind) -> (&'a str, Color32) {
    match kind {
        PermissionOptionKind::AllowOnce => (icons::CHECK, theme.ok),
        PermissionOptionKind::AllowAlways => (icons::CHECK_CIRCLE, theme.ok),
        PermissionOptionKind::RejectOnce => (icons::CROSS, theme.error),
        PermissionOptionKind::RejectAlways => (icons::DENIED, theme.error),
        PermissionOptionKind::Unknown => (icons::QUESTION, theme.secondary),
    }
}

/// The agent's words for an option, or ours for its kind where it has none.
fn name(i18n: &I18n, option: &PermissionOption, about: Refused) -> String {
    let name = one_line(&option.name);
    if !name.is_empty() {
        return name;
    }
    match option.kind {
        PermissionOptionKind::AllowOnce if about == Refused::Plan => {
            i18n.tr("permission.option.plan_yes").to_owned()
        }
        PermissionOptionKind::RejectOnce if about == Refused::Plan => {
            i18n.tr("permission.option.plan_no").to_owned()
        }
        PermissionOptionKind::AllowOnce => i18n.tr("permission.option.allow_once").to_owned(),
        PermissionOptionKind::AllowAlways => i18n.tr("permission.option.allow_always").to_owned(),
        PermissionOptionKind::RejectOnce => i18n.tr("permission.option.reject_once").to_owned(),
        PermissionOptionKind::RejectAlways => i18n.tr("permission.option.reject_always").to_owned(),
        PermissionOptionKind::Unknown => {
            let args = [("option", one_line(option.id.as_str()).into())];
            i18n.tr_args("permission.option.unnamed", &args)
        }
    }
}

fn tooltip(i18n: &I18n, option: &PermissionOption, laid: &Laid, readiness: Readiness) -> String {
    if readiness == Readiness::Settling {
        return i18n.tr("permission.settling").to_owned();
    }
    let meaning = match option.kind {
        PermissionOptionKind::AllowOnce => i18n.tr("permission.option.allow_once"),
        PermissionOptionKind::AllowAlways => i18n.tr("permission.scope.allow_always"),
        PermissionOptionKind::RejectOnce => i18n.tr("permission.option.reject_once"),
        PermissionOptionKind::RejectAlways => i18n.tr("permission.scope.reject_always"),
        PermissionOptionKind::Unknown => i18n.tr("permission.option.unknown"),
    };
    if meaning == laid.name {
        laid.name.clone()
    } else {
        format!("{}\n{meaning}", laid.name)
    }
}
