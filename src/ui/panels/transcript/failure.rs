//! Failures: what happened, what to do about it, and the details behind a fold.

use egui::{Frame, Id, Margin, Rect, Stroke, Ui, UiBuilder, vec2};

use crate::core::command::Command;
use crate::core::notice::Failure;
use crate::core::transcript::Block;
use crate::ui::icons;
use crate::ui::panels::transcript::paragraph::paragraph_ui;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::text::code_view::CodeView;
use crate::ui::text::cx::TextAction;
use crate::ui::text::flow::{Setting, Weight};
use crate::ui::text::sanitize::terminal_output;
use crate::ui::theme::CARD_RADIUS;
use crate::ui::transcript::folds::FoldPart;
use crate::ui::transcript::views::{ViewKey, ViewPart};
use crate::ui::transcript::words::{self, FailureWords};
use crate::ui::widgets::button::{Button, Weight as ButtonWeight};
use crate::ui::widgets::foldout::{Foldout, Openness, SummaryFont, inset};
use crate::ui::widgets::output_box::{Bound, CodeLines, output_box_ui};
use crate::ui::widgets::text;

/// Draws a failure.
pub(super) fn failure_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block, failure: &Failure) {
    let theme = cx.cx.theme;
    let words = words::failure(cx.cx.i18n, cx.agent, failure);
    let frame = Frame {
        inner_margin: Margin::symmetric(12, 10),
        fill: theme.raised,
        stroke: Stroke::new(1.0, theme.error.gamma_multiply(0.5)),
        corner_radius: CARD_RADIUS,
        ..Frame::NONE
    };
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        let around = ui.available_rect_before_wrap();
        let line = (theme.size.body * crate::ui::theme::LINE_HEIGHT).round();
        text::paint_icon(
            ui,
            around.left(),
            around.top() + line / 2.0,
            icons::ERROR,
            theme.icon(),
            theme.error,
        );
        let inner = Rect::from_min_max(around.min + vec2(inset(theme), 0.0), around.max);
        let mut child = ui.new_child(UiBuilder::new().max_rect(inner));
        child.spacing_mut().item_spacing = vec2(8.0, 4.0);
        content_ui(&mut child, cx, block, failure, &words);
        ui.advance_cursor_after_rect(child.min_rect());
    });
}

fn content_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    failure: &Failure,
    words: &FailureWords,
) {
    let theme = cx.cx.theme;
    let id = Id::unique(("failure", cx.session.key().0, block.id.0));
    let strong = Setting {
        weight: Weight::SemiBold,
        ..Setting::body(theme)
    };
    cx.text.finding.enter(block.id, ViewPart::Line);
    paragraph_ui(ui, &mut cx.text, &words.what, strong, id);
    if let Some(next) = words.next_step(cx.session, block, failure) {
        cx.text.finding.at(1, 0);
        let setting = Setting {
            color: theme.secondary,
            ..Setting::body(theme)
        };
        paragraph_ui(ui, &mut cx.text, next, setting, id.with("next"));
    }
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        if words::may_restart(cx.session, block) {
            let restart = Button::text(cx.cx.i18n.tr("backend.restart")).with_icon(icons::REFRESH);
            if restart
                .weight(ButtonWeight::Normal)
                .id(id.with("restart"))
                .show_ui(ui, theme)
                .clicked()
            {
                cx.cx.commands.push(Command::Restart {
                    session: cx.session.key(),
                });
            }
        }
        let copy = Button::text(cx.cx.i18n.tr("transcript.copy_details")).with_icon(icons::COPY);
        if copy
            .weight(ButtonWeight::Normal)
            .id(id.with("copy"))
            .show_ui(ui, theme)
            .clicked()
        {
            cx.text.actions.push(TextAction::Copy(all(words, failure)));
        }
    });
    details_ui(ui, cx, block, failure, words, id);
}

fn details_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    failure: &Failure,
    words: &FailureWords,
    id: Id,
) {
    let theme = cx.cx.theme;
    let has_stderr = !failure.stderr.is_empty();
    let (name, summary) = if has_stderr {
        (
            cx.cx.i18n.tr("error.died.stderr"),
            failure
                .stderr
                .last()
                .map(String::as_str)
                .unwrap_or_default(),
        )
    } else {
        (cx.cx.i18n.tr("error.details"), "")
    };
    let is_open = cx.folds.is_open(block.id, FoldPart::Stderr);
    let summary = if is_open {
        String::new()
    } else {
        crate::ui::untrusted::one_line(summary)
    };
    let foldout = Foldout {
        icon: icons::TERMINAL,
        icon_color: theme.secondary,
        name,
        summary: &summary,
        summary_font: SummaryFont::Code,
        trailing: &[],
        label: name,
        tooltip: "",
        openness: Openness::of(is_open),
        id: id.with("details"),
    };
    if foldout.show_ui(ui, theme).clicked() {
        cx.folds.toggle(block.id, FoldPart::Stderr);
    }
    if is_open {
        let details = terminal_output(&words.all_details(failure)).into_owned();
        let key = ViewKey {
            block: block.id,
            part: ViewPart::Stderr,
        };
        cx.text.finding.enter(block.id, ViewPart::Stderr);
        let view = cx.views.codes.get(key, CodeView::default);
        view.update("", &details);
        let mut lines = CodeLines {
            view,
            text: &details,
        };
        let id = id.with("box");
        output_box_ui(ui, &mut cx.text, &mut lines, Bound::Scrolls, id);
    }
}

/// What a person would paste into a report.
fn all(words: &FailureWords, failure: &Failure) -> String {
    format!("{}\n{}", words.what, words.all_details(failure))
}
