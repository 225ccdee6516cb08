//! The files that a turn changed, at its end: each with its counts, and opening its change against the turn's start.

use std::path::Path;

use egui::{Id, Ui};

use crate::core::transcript::Block;
use crate::ui::icons;
use crate::ui::panels::transcript::diff_block::{DiffPlace, diff_ui};
use crate::ui::panels::transcript::row::RowCx;
use crate::ui::transcript::describe::relative;
use crate::ui::transcript::folds::FoldPart;
use crate::ui::transcript::views::{ViewKey, ViewPart};
use crate::ui::untrusted::one_line;
use crate::ui::widgets::foldout::{Foldout, Openness, SummaryFont, foldout_body_ui};

/// A longer list is folded until it is opened.
const FILES_SHOWN: usize = 8;

/// The lines that were added and removed, once that is known.
type Counts = Option<(usize, usize)>;

/// Draws the files below the last row of a turn.
pub(super) fn change_summary_ui(ui: &mut Ui, cx: &mut RowCx<'_, '_>, block: &Block) {
    let Some(turn) = block.turn else { return };
    let files = cx.views.turn_changes(cx.session, block.id, turn);
    let theme = cx.cx.theme;
    let mut counts = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let mut of_file = Some((0, 0));
        for (piece, diff) in file.pieces.iter().enumerate() {
            let part = ViewPart::Net(at, piece);
            let key = ViewKey {
                block: block.id,
                part,
            };
            of_file = sum(of_file, cx.views.counts(key, diff));
        }
        counts.push(of_file);
    }
    let all = counts.iter().copied().fold(Some((0, 0)), sum);
    let name = cx
        .cx
        .i18n
        .tr_args("transcript.changes", &[("count", files.len().into())]);
    let chosen = cx.folds.choice(block.id, FoldPart::Summary);
    let is_open = chosen.unwrap_or(files.len() <= FILES_SHOWN);
    let trailing = trailing(cx, all);
    let foldout = Foldout {
        icon: icons::PENCIL,
        icon_color: theme.secondary,
        name: &name,
        summary: "",
        summary_font: SummaryFont::Text,
        trailing: &trailing,
        label: &label(&name, &trailing),
        tooltip: "",
        openness: Openness::of(is_open),
        id: Id::unique(("changes", cx.session.key().0, block.id.0)),
    };
    if foldout.show_ui(ui, theme).clicked() {
        cx.folds.set(block.id, FoldPart::Summary, !is_open);
    }
    if !is_open {
        return;
    }
    let cwd = cx.session.setup().cwd.clone();
    foldout_body_ui(ui, theme, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (at, (file, counts)) in files.iter().zip(counts).enumerate() {
            let is_open = file_ui(ui, cx, block, at, (&file.path, &cwd), counts);
            if is_open {
                foldout_body_ui(ui, theme, |ui| {
                    for (piece, diff) in file.pieces.iter().enumerate() {
                        let place = DiffPlace::net(at, piece);
                        diff_ui(ui, cx, block, place, diff);
                    }
                });
            }
        }
    });
}

/// One line for a file; whether its change is open.
fn file_ui(
    ui: &mut Ui,
    cx: &mut RowCx<'_, '_>,
    block: &Block,
    at: usize,
    (path, cwd): (&str, &Path),
    counts: Counts,
) -> bool {
    let theme = cx.cx.theme;
    let part = FoldPart::SummaryFile(at);
    let is_open = cx.folds.is_open(block.id, part);
    let shown = one_line(&relative(path, cwd));
    let trailing = trailing(cx, counts);
    let foldout = Foldout {
        icon: icons::FILE,
        icon_color: theme.secondary,
        name: "",
        summary: &shown,
        summary_font: SummaryFont::Code,
        trailing: &trailing,
        label: &label(&shown, &trailing),
        tooltip: "",
        openness: Openness::of(is_open),
        id: Id::unique(("changed file", cx.session.key().0, block.id.0, at)),
    };
    if foldout.show_ui(ui, theme).clicked() {
        cx.folds.toggle(block.id, part);
    }
    is_open
}

fn sum(some: Counts, more: Counts) -> Counts {
    let (some, more) = (some?, more?);
    Some((some.0 + more.0, some.1 + more.1))
}

fn trailing(cx: &RowCx<'_, '_>, counts: Counts) -> Vec<(String, egui::Color32)> {
    let theme = cx.cx.theme;
    let Some((added, removed)) = counts else {
        return vec![("…".to_owned(), theme.secondary)];
    };
    let mut trailing = Vec::new();
    if added > 0 {
        trailing.push((format!("+{added}"), theme.ok));
    }
    if removed > 0 {
        trailing.push((format!("−{removed}"), theme.error));
    }
    trailing
}

fn label(name: &str, trailing: &[(String, egui::Color32)]) -> String {
    let numbers = trailing.iter().map(|(words, _)| words.as_str());
    let parts: Vec<&str> = std::iter::once(name).chain(numbers).collect();
    parts.join(", ")
}
