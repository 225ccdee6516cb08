//! A change of a file: its path, which opens it, how it is laid out, and its lines.

use egui::{Id, Ui};

use crate::core::settings::DiffLayout;
use crate::core::tool_call::Diff;
use crate::core::transcript::Block;
use crate::ui::cx::UiAction;
use crate::ui::icons;
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::panels::transcript::tool_details::{label_ui, more_ui};
use crate::ui::transcript::describe::relative;
use crate::ui::transcript::diff::{DIFF_LINES, Extent, Line, Nature};
use crate::ui::transcript::folds::FoldPart;
use crate::ui::transcript::kept_changes::Progress;
use crate::ui::transcript::views::{ViewKey, ViewPart};
use crate::ui::untrusted::one_line;
use crate::ui::widgets::button::{Button, Weight};
use crate::ui::widgets::diff_view::{Shape, diff_view_ui};
use crate::ui::widgets::text;

/// Two columns need this much room, in points at the usual text size.
const SIDE_BY_SIDE_FROM: f32 = 560.0;

/// Where a change stands in its block.
#[derive(Debug, Clone, Copy)]
pub(super) struct DiffPlace {
    folded: ViewPart,
    whole: ViewPart,
    fold: FoldPart,
}

impl DiffPlace {
    /// In the content of a call.
    pub(super) fn content(place: usize) -> Self {
        Self {
            folded: ViewPart::Content(place),
            whole: ViewPart::Whole(place),
            fold: FoldPart::WholeDiff(place),
        }
    }

    /// In the summary of a turn: a piece of a file's change.
    pub(super) fn net(file: usize, piece: usize) -> Self {
        Self {
            folded: ViewPart::Net(file, piece),
            whole: ViewPart::WholeNet(file, piece),
            fold: FoldPart::WholeNet(file, piece),
        }
    }
}

/// Draws a change.
pub(super) fn diff_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    place: DiffPlace,
    diff: &Diff,
) {
    let is_whole = cx.folds.is_open(block.id, place.fold);
    let (extent, part) = if is_whole {
        (Extent::Whole, place.whole)
    } else {
        (Extent::Folded, place.folded)
    };
    let id = Id::unique(("diff", cx.session.key().0, block.id.0, place.folded));
    let has_room = ui.available_width() >= cx.cx.theme.scaled(SIDE_BY_SIDE_FROM);
    head_ui(ui, cx, diff, has_room, id);
    let key = ViewKey {
        block: block.id,
        part,
    };
    let kept = cx.views.kept_changes(key, diff, extent);
    let progress = kept.progress();
    if progress != Progress::Done && kept.changes().lines.is_empty() {
        progress_ui(ui, cx, progress, key, id);
        return;
    }
    let words = match kept.changes().nature {
        Nature::Nothing => Some("transcript.diff.nothing"),
        Nature::LineEndingsOnly => Some("transcript.diff.line_endings"),
        Nature::Binary => Some("transcript.diff.binary"),
        Nature::Edit | Nature::NewFile | Nature::Emptied => None,
    };
    if let Some(words) = words {
        label_ui(ui, cx, words);
        return;
    }
    let most = if is_whole { usize::MAX } else { DIFF_LINES };
    let lines = &kept.changes().lines;
    let has_gap = lines.iter().any(|line| matches!(line, Line::Gap { .. }));
    let is_cut = lines.len() > most || has_gap;
    cx.text.finding.enter(block.id, place.folded);
    let is_beside = has_room && cx.cx.settings.diff_layout == DiffLayout::SideBySide;
    let shape = if is_beside {
        Shape::SideBySide
    } else {
        Shape::Unified
    };
    diff_view_ui(ui, &mut cx.text, kept, (shape, most), id.with("lines"));
    let words = match (is_whole, is_cut) {
        (true, _) => cx.cx.i18n.tr("transcript.diff.fold"),
        (false, true) => cx.cx.i18n.tr("transcript.diff.show_all"),
        (false, false) => return,
    };
    if more_ui(ui, cx, words, id.with("all")) {
        cx.folds.set(block.id, place.fold, !is_whole);
    }
}

/// That a change is still being compared, or was not, and what can be done about it.
fn progress_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, progress: Progress, key: ViewKey, id: Id) {
    let i18n = cx.cx.i18n;
    let (words, action) = match progress {
        Progress::Running => ("transcript.diff.comparing", "transcript.diff.stop"),
        Progress::Stopped | Progress::Done => {
            ("transcript.diff.stopped", "transcript.diff.compare")
        }
    };
    let clicked = ui
        .horizontal(|ui| {
            label_ui(ui, cx, words);
            more_ui(ui, cx, i18n.tr(action), id.with("compare"))
        })
        .inner;
    if !clicked {
        return;
    }
    match (progress, cx.views.changes.peek(&key)) {
        (Progress::Running, Some(kept)) => kept.stop(),
        _ => cx.views.compare_again(key),
    }
}

/// The file of a change, which opens it, and the switch between one column and two.
fn head_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, diff: &Diff, has_room: bool, id: Id) {
    let (theme, i18n) = (cx.cx.theme, cx.cx.i18n);
    let cwd = cx.session.setup().cwd.clone();
    let shown = one_line(&relative(&diff.path, &cwd));
    ui.horizontal(|ui| {
        let open = i18n.tr_args("transcript.links.open", &[("url", shown.as_str().into())]);
        let room = ui.available_width() - theme.scaled(120.0);
        let button = Button::text(&open)
            .shown(&shown)
            .with_icon(icons::FILE)
            .max_width(room)
            .small();
        if button
            .weight(Weight::Quiet)
            .id(id.with("open"))
            .show_ui(ui, theme)
            .clicked()
        {
            cx.cx.actions.push(UiAction::OpenFile {
                path: cwd.join(&diff.path),
                line: None,
            });
        }
        let key = match &diff.old_text {
            None => Some("transcript.diff.new_file"),
            Some(_) if diff.new_text.is_empty() => Some("transcript.diff.deleted_file"),
            Some(_) => None,
        };
        if let Some(key) = key {
            let words = i18n.tr(key);
            text::label_ui(ui, words, theme.meta(), theme.secondary, f32::INFINITY);
        } else if has_room {
            layout_ui(ui, cx, id);
        }
    });
}

fn layout_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, id: Id) {
    let (words, other) = match cx.cx.settings.diff_layout {
        DiffLayout::Unified => ("transcript.diff.side_by_side", DiffLayout::SideBySide),
        DiffLayout::SideBySide => ("transcript.diff.unified", DiffLayout::Unified),
    };
    if more_ui(ui, cx, cx.cx.i18n.tr(words), id.with("layout")) {
        let mut settings = cx.cx.settings.clone();
        settings.diff_layout = other;
        let action = UiAction::ChangeSettings(Box::new(settings));
        cx.cx.actions.push(action);
    }
}
