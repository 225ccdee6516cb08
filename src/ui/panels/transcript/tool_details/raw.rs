//! All that an agent sent about a call, as a tree.

use egui::{Id, Ui};

use super::label_ui;
use crate::core::tool_call::ToolCall;
use crate::core::transcript::Block;
use crate::ui::cx::UiAction;
use crate::ui::icons;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::state::protocol::Scope;
use crate::ui::transcript::folds::FoldPart;
use crate::ui::transcript::given::raw;
use crate::ui::transcript::json_tree::JsonTree;
use crate::ui::transcript::views::{KeptTree, ViewKey, ViewPart};
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::foldout::{Foldout, Openness, SummaryFont};
use crate::ui::widgets::json_tree_view::TreeLines;
use crate::ui::widgets::output_box::{Bound, output_box_ui};

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
        tree_ui(ui, cx, block, call);
    }
}

/// A button that shows the frames which a block was made of.
pub(super) fn frames_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block) {
    let frames = Button::text(cx.cx.i18n.tr("protocol.block"))
        .with_icon(icons::CODE)
        .weight(Weight::Quiet)
        .small()
        .id(Id::unique(("frames", cx.session.key().0, block.id.0)))
        .show_ui(ui, cx.cx.theme);
    if frames.clicked() {
        let scope = Scope::Block(cx.session.key(), block.id);
        cx.cx.actions.push(UiAction::ShowFrames(scope));
    }
}

fn tree_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, call: &ToolCall) {
    let key = ViewKey {
        block: block.id,
        part: ViewPart::Raw,
    };
    cx.text.finding.enter(block.id, ViewPart::Raw);
    let kept = cx.views.trees.get(key, KeptTree::default);
    if kept.revision != Some(block.revision) {
        let choice = |value| cx.folds.choice(block.id, FoldPart::RawValue(value));
        kept.tree = JsonTree::of(&raw(call), choice);
        kept.revision = Some(block.revision);
    }
    let mut lines = TreeLines {
        tree: &kept.tree,
        copied: &|| format!("{:#}", raw(call)),
        toggled: None,
    };
    let id = Id::unique(("raw tree", cx.session.key().0, block.id.0));
    output_box_ui(ui, &mut cx.text, &mut lines, Bound::Scrolls, id);
    let toggled = lines.toggled;
    let (count, is_cut) = (kept.tree.lines.len(), kept.tree.is_cut);
    if let Some(value) = toggled {
        let fold = kept.tree.fold(value);
        let is_open = fold.is_some_and(|fold| fold.is_open);
        cx.folds.set(block.id, FoldPart::RawValue(value), !is_open);
        kept.revision = None;
    }
    cx.views.trees.set_cost(&key, count);
    if is_cut {
        label_ui(ui, cx, "transcript.tool.raw_cut");
    }
}
