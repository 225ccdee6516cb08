//! A plan that an agent asks to carry out: the whole of it, as Markdown.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use egui::{Ui, Vec2};
use serde_json::Value;

use crate::core::permission::PermissionRequest;
use crate::core::session::Session;
use crate::core::tool_call::{ToolCall, ToolCallContent, ToolKind};
use crate::ui::cx::{UiAction, UiCx};
use crate::ui::state::cards::CardsState;
use crate::ui::text::cx::{TextAction, TextCx};
use crate::ui::text::document::Growth;
use crate::ui::text::flow::Setting;
use crate::ui::text::inline::Target;
use crate::ui::text::markdown::LineBreaks;
use crate::ui::text::view::{Frame, TextView};
use crate::ui::theme::Theme;

/// The text of the plan that a call asks to carry out; `None` for any other call.
pub fn text(call: &ToolCall) -> Option<String> {
    if call.kind != ToolKind::SwitchMode {
        return None;
    }
    let input = call.raw_input.as_ref();
    let in_input = input
        .and_then(|input| input.get("plan"))
        .and_then(Value::as_str)
        .map(str::to_owned);
    let in_content = || {
        let texts = call.content.iter().filter_map(|content| match content {
            ToolCallContent::Text(text) => Some(text.as_str()),
            ToolCallContent::Diff(_)
            | ToolCallContent::Terminal { .. }
            | ToolCallContent::Image(_)
            | ToolCallContent::Resource { .. }
            | ToolCallContent::Unsupported { .. } => None,
        });
        texts.collect::<Vec<_>>().join("\n\n")
    };
    let text = in_input.unwrap_or_else(in_content);
    (!text.trim().is_empty()).then_some(text)
}

/// Whether the call says more than the plan, such as what else it wants to be allowed.
pub(super) fn says_more(call: &ToolCall) -> bool {
    let members = call.raw_input.as_ref().and_then(Value::as_object);
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
            TextAction::Open(Target::Dead(_), _) => continue,
        };
        cx.actions.push(action);
    }
}

/// Another number whenever the text has to be laid out again. Never 0.
pub(super) fn layout_epoch(ui: &Ui, theme: &Theme, width: f32) -> u64 {
    let mut hasher = DefaultHasher::new();
    (width.round() as i64, theme.dark).hash(&mut hasher);
    theme.size.body.to_bits().hash(&mut hasher);
    ui.ctx().pixels_per_point().to_bits().hash(&mut hasher);
    hasher.finish().max(1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::core::ids::ToolCallId;
    use crate::core::time::Timestamp;

    fn call(kind: ToolKind, input: Value) -> ToolCall {
        let mut call = ToolCall::placeholder(ToolCallId::from("1"), Timestamp(0));
        call.kind = kind;
        call.raw_input = Some(input);
        call
    }

    #[test]
    fn a_plan_is_in_the_input_or_in_the_content() {
        let mut switch = call(ToolKind::SwitchMode, json!({"plan": "# Plan"}));
        assert_eq!(text(&switch).as_deref(), Some("# Plan"));
        assert!(!says_more(&switch));
        switch.raw_input = Some(json!({"allowedPrompts": []}));
        assert_eq!(text(&switch), None);
        assert!(says_more(&switch));
        switch
            .content
            .push(ToolCallContent::Text("1. Look".to_owned()));
        assert_eq!(text(&switch).as_deref(), Some("1. Look"));
    }

    #[test]
    fn only_a_switch_of_the_mode_is_about_a_plan() {
        assert_eq!(
            text(&call(ToolKind::Execute, json!({"plan": "rm -rf"}))),
            None
        );
        assert_eq!(text(&call(ToolKind::SwitchMode, json!({"plan": ""}))), None);
        assert_eq!(text(&call(ToolKind::SwitchMode, json!({}))), None);
    }
}
