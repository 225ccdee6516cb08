//! Links, files and pictures that stand in a message.

use egui::{Id, Ui};

use crate::core::tool_call::ImageData;
use crate::core::transcript::{Attachment, Block};
use crate::ui::format;
use crate::ui::icons;
use crate::ui::panels::transcript::picture::picture_ui;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::text::code_view::CodeView;
use crate::ui::text::sanitize::visible;
use crate::ui::transcript::describe::relative;
use crate::ui::transcript::folds::FoldPart;
use crate::ui::transcript::views::{ViewKey, ViewPart};
use crate::ui::untrusted::one_line;
use crate::ui::widgets::foldout::{Foldout, Openness, SummaryFont, foldout_body_ui};
use crate::ui::widgets::output_box::{Bound, CodeLines, output_box_ui};

/// Draws an attachment; its text, where it was embedded, is behind the fold.
pub(super) fn attachment_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    attachment: &Attachment,
) {
    let theme = cx.cx.theme;
    let is_open = cx.folds.is_open(block.id, FoldPart::Body);
    let name = one_line(&attachment.name);
    let path = attachment
        .uri
        .strip_prefix("file://")
        .unwrap_or(&attachment.uri);
    let path = one_line(&relative(path, &cx.session.setup().cwd));
    let summary = if path == name { String::new() } else { path };
    let size = attachment
        .text
        .as_ref()
        .map(|text| (format::bytes(text.len() as u64), theme.secondary));
    let kind = cx.cx.i18n.tr("transcript.attachment");
    let id = Id::unique(("attachment", cx.session.key().0, block.id.0));
    let foldout = Foldout {
        icon: icons::ATTACH,
        icon_color: theme.secondary,
        name: if name.is_empty() { kind } else { &name },
        summary: &summary,
        summary_font: SummaryFont::Code,
        trailing: size.as_slice(),
        label: &format!("{kind}: {name}"),
        tooltip: &visible(&attachment.uri),
        openness: match attachment.text {
            Some(_) => Openness::of(is_open),
            None => Openness::Fixed,
        },
        id,
    };
    if foldout.show_ui(ui, theme).clicked() {
        cx.folds.toggle(block.id, FoldPart::Body);
    }
    if let Some(text) = attachment.text.as_ref().filter(|_| is_open) {
        foldout_body_ui(ui, theme, |ui| {
            let key = ViewKey {
                block: block.id,
                part: ViewPart::Message,
            };
            cx.text.finding.enter(block.id, ViewPart::Message);
            let view = cx.views.codes.get(key, CodeView::default);
            let text = visible(text);
            let extension = name.rsplit_once('.').map(|(_, extension)| extension);
            view.update(extension.unwrap_or_default(), &text);
            let mut lines = CodeLines { view, text: &text };
            let id = id.with("text");
            output_box_ui(ui, &mut cx.text, &mut lines, Bound::Scrolls, id);
        });
    }
}

/// Draws a picture that stands in a message.
pub(super) fn image_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, image: &ImageData) {
    picture_ui(ui, cx, block.id, 0, image);
}
