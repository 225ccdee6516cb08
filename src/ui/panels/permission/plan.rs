//! A plan that an agent asks to carry out: the whole of it, as Markdown.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use egui::{Ui, Vec2};
use serde_json::Value;

use crate::core::permission::PermissionRequest;
use crate::core::session::Session;
use crate::core::tool_call::ToolCall;
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::state::cards::CardsState;
use crate::ui::text::cx::{TextAction, TextCx};
use crate::ui::text::document::Growth;
use crate::ui::text::flow::Setting;
use crate::ui::text::inline::Target;
use crate::ui::text::markdown::LineBreaks;
use crate::ui::text::view::{Frame, TextView};
use crate::ui::theme::Theme;

/// Whether the call says more than the plan, such as what else it wants to be allowed.
pub(super) fn says_more(call: &ToolCall) -> bool {
    let input = call.input();
    let members = input.as_deref().and_then(Value::as_object);
    members.is_some_and(|members| members.keys().any(|key| key != "plan"))
}

/// Shows the plan over the whole width.
pub(super) fn plan_ui(
    ui: &mut Ui,
    cx: &mut UiCx<'_>,
    cards: &mut CardsState,
    session: &Session,
    request: &PermissionRequest,
    plan: &str,
) {
    let key = (session.key(), request.id.clone());
    let view = match &mut cards.plan {
        Some((shown, view)) if *shown == key => view,
        slot => {
            let view = TextView::new(LineBreaks::Soft);
            &mut slot.insert((key, view)).1
        }
    };
    view.update(plan, Growth::Complete);
    let width = ui.available_width();
    let mut text_cx = TextCx::new(cx.theme, cx.i18n, layout_epoch(ui, cx.theme, width));
    let frame = Frame {
        top_left: ui.cursor().min,
        width,
        id: super::card_id(request).with("plan"),
    };
    let height = view.text_ui(ui, &mut text_cx, Setting::body(cx.theme), frame);
    ui.allocate_space(Vec2::new(width, height));
    for action in text_cx.actions {
        let action = match action {
            TextAction::Copy(text) => UiAction::CopyText(text),
            TextAction::Open(Target::Url(address), _) => UiAction::OpenUrl(address),
            TextAction::Open(Target::File { path, line }, _) => UiAction::OpenFile {
                path: session.setup().cwd.join(path),
                line: Some(line),
            },
            TextAction::Work(work) => UiAction::Work(work),
            TextAction::Open(Target::Dead(_), _) | TextAction::ShowLineNumbers(_) => continue,
        };
        cx.actions.push(action);
    }
}

/// Another number whenever the text has to be laid out again. Never 0.
pub(super) fn layout_epoch(ui: &Ui, theme: &Theme, width: f32) -> u64 {
    let mut hasher = DefaultHasher::new();
    (width.round() as i64, theme.dark).hash(&mut hasher);
    theme.size.body.to_bits().hash(&mut hasher);
    theme.fonts.hash(&mut hasher);
    ui.ctx().pixels_per_point().to_bits().hash(&mut hasher);
    hasher.finish().max(1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::core::ids::ToolCallId;
    use crate::core::time::Timestamp;

    #[test]
    fn what_else_a_plan_wants_is_more() {
        let mut call = ToolCall::placeholder(ToolCallId::from("1"), Timestamp(0));
        call.raw_input = Some(json!({"plan": "# Plan"}).into());
        assert!(!says_more(&call));
        call.raw_input = Some(json!({"plan": "# Plan", "allowedPrompts": []}).into());
        assert!(says_more(&call));
    }
}
