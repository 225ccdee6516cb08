//! All that an agent sent about a call, as it is.

use egui::{Id, Ui};

use super::{Bound, box_ui};
use crate::core::tool_call::ToolCall;
use crate::core::transcript::Block;
use crate::ui::cx::UiAction;
use crate::ui::icons;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::state::protocol::Scope;
use crate::ui::text::sanitize::visible;
use crate::ui::transcript::folds::FoldPart;
use crate::ui::transcript::views::ViewPart;
use crate::ui::widgets::button::Button;
use crate::ui::widgets::foldout::{Foldout, Openness, SummaryFont};

/// Raw data beyond this is cut.
const RAW_BYTES_MOST: usize = 200_000;

/// All that the agent sent, as it is.
pub(super) fn raw_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, call: &ToolCall) {
    let theme = cx.cx.theme;
    let name = cx.cx.i18n.tr("transcript.tool.raw");
    let is_open = cx.folds.is_open(block.id, FoldPart::Raw);
    let foldout = Foldout {
        icon: icons::CODE,
        icon_color: theme.secondary,
        name,
        summary: "",
        summary_font: SummaryFont::Text,
        trailing: &[],
        label: name,
        tooltip: "",
        openness: Openness::of(is_open),
        id: Id::unique(("raw", cx.session.key().0, block.id.0)),
    };
    if foldout.show_ui(ui, theme).clicked() {
        cx.folds.toggle(block.id, FoldPart::Raw);
    }
    if is_open {
        let raw = raw(call);
        box_ui(ui, cx, block, ViewPart::Raw, ("json", &raw), Bound::Scrolls);
    }
    let frames = Button::chip(cx.cx.i18n.tr("protocol.block"))
        .with_icon(icons::CODE)
        .id(Id::unique(("frames", cx.session.key().0, block.id.0)))
        .show_ui(ui, theme);
    if frames.clicked() {
        let scope = Scope::Block(cx.session.key(), block.id);
        cx.cx.actions.push(UiAction::ShowFrames(scope));
    }
}

fn raw(call: &ToolCall) -> String {
    let value = serde_json::json!({
        "toolCallId": call.id.as_str(),
        "title": call.title,
        "name": call.name,
        "rawInput": call.raw_input,
        "rawOutput": call.raw_output,
        "_meta": call.meta,
    });
    let mut raw = serde_json::to_string_pretty(&value).unwrap_or_default();
    if raw.len() > RAW_BYTES_MOST {
        raw.truncate(raw.floor_char_boundary(RAW_BYTES_MOST));
        raw.push('…');
    }
    visible(&raw).into_owned()
}
