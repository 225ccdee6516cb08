//! Where the parts of a text stand: how far apart, how far in, and what is drawn beside them.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align2, CornerRadius, Pos2, Rect, Stroke, StrokeKind, Ui, pos2, vec2};

use crate::ui::fonts::Face;
use crate::ui::icons;
use crate::ui::text::part::{Inset, Marker, Part, PartKind};
use crate::ui::theme::{LINE_HEIGHT, LINE_HEIGHT_JAPANESE, Theme};
use crate::ui::widgets::text;

/// The space before a heading; half of it is below.
const HEADING_GAP: f32 = 20.0;
/// Between paragraphs.
const PARAGRAPH_GAP: f32 = 10.0;
/// Around code, tables and rules.
const BOX_GAP: f32 = 12.0;
/// Between list items that stand close.
const TIGHT_GAP: f32 = 4.0;
const QUOTE_INSET: f32 = 16.0;

/// What the gaps around a part depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    kind: EdgeKind,
    tight: bool,
    has_marker: bool,
    /// Which of its insets are quotes, as bits.
    quotes: u16,
    is_inset: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EdgeKind {
    Text,
    Heading,
    Box,
    Source,
}

impl Edge {
    /// The edge of a part.
    pub fn of(part: &Part) -> Self {
        let kind = match &part.kind {
            PartKind::Paragraph(_) => EdgeKind::Text,
            PartKind::Heading { .. } => EdgeKind::Heading,
            PartKind::Code(_) | PartKind::Table(_) | PartKind::Rule => EdgeKind::Box,
            PartKind::Source(_) => EdgeKind::Source,
        };
        let quotes = part.insets.iter().take(16).enumerate();
        let quotes = quotes
            .filter(|(_, inset)| **inset == Inset::Quote)
            .map(|(index, _)| 1 << index)
            .sum();
        Self {
            kind,
            tight: part.tight,
            has_marker: part.marker.is_some(),
            quotes,
            is_inset: !part.insets.is_empty(),
        }
    }
}

/// The gap between a part and the one above it.
pub fn gap(above: Option<Edge>, part: Edge) -> f32 {
    let Some(above) = above else { return 0.0 };
    match (above.kind, part.kind) {
        (EdgeKind::Source, EdgeKind::Source) if part.tight => 0.0,
        (_, EdgeKind::Heading) => HEADING_GAP,
        (EdgeKind::Heading, _) => HEADING_GAP / 2.0,
        (_, EdgeKind::Box) | (EdgeKind::Box, _) => BOX_GAP,
        _ if part.tight && part.has_marker && above.is_inset => TIGHT_GAP,
        _ if part.tight && part.has_marker => 6.0,
        _ => PARAGRAPH_GAP,
    }
}

/// How far a part is moved to the right, in points.
pub fn inset(theme: &Theme, insets: &[Inset]) -> f32 {
    insets.iter().map(|inset| width(theme, *inset)).sum()
}

/// Draws the bars of quotes and the marker of an item beside a part.
pub fn paint_insets(
    ui: &Ui,
    theme: &Theme,
    part: &Part,
    left: f32,
    rect: Rect,
    above: Option<Edge>,
) {
    let mut x = left;
    for (index, inset) in part.insets.iter().enumerate() {
        if *inset == Inset::Quote {
            let goes_on = above.is_some_and(|above| index < 16 && above.quotes & (1 << index) != 0);
            let above_height = if goes_on {
                gap(above, Edge::of(part))
            } else {
                0.0
            };
            let bar = Rect::from_min_max(
                pos2(x, rect.top() - above_height),
                pos2(x + 3.0, rect.bottom()),
            );
            ui.painter()
                .rect_filled(bar, CornerRadius::ZERO, theme.border);
        }
        x += width(theme, *inset);
    }
    if let Some(marker) = &part.marker {
        paint_marker(ui, theme, marker, x, rect);
    }
}

fn width(theme: &Theme, inset: Inset) -> f32 {
    match inset {
        Inset::Quote => QUOTE_INSET,
        Inset::Item { marker_chars: 1 } => theme.scaled(20.0),
        Inset::Item { marker_chars } => theme.scaled(10.0 + 7.5 * f32::from(marker_chars)),
    }
}

/// A marker ends a little before the text begins, on the baseline of its first line.
fn paint_marker(ui: &Ui, theme: &Theme, marker: &Marker, right: f32, rect: Rect) {
    let size = theme.size.body;
    let line = line_height(rect, size);
    let (shown, font, gap) = match marker {
        Marker::Task { done } => {
            paint_box(ui, theme, *done, pos2(right - 7.0, rect.top() + line / 2.0));
            return;
        }
        Marker::Bullet => ("•".to_owned(), Face::Regular.sized(size), 8.0),
        Marker::Number(number) => (format!("{number}."), Face::Tabular.sized(size), 6.0),
        Marker::Footnote(label) => {
            let label = label.chars().take(6).collect();
            (label, Face::Tabular.sized(size), 6.0)
        }
    };
    let format = TextFormat {
        line_height: Some(line),
        ..TextFormat::simple(font, theme.secondary)
    };
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(LayoutJob::single_section(shown, format)));
    let at = pos2(right - gap - galley.size().x, rect.top());
    ui.painter().galley(at, galley, theme.secondary);
}

/// The box of a task, with its right edge in the middle of a line.
fn paint_box(ui: &Ui, theme: &Theme, is_done: bool, right: Pos2) {
    let side = theme.scaled(13.0);
    let rect = Align2::RIGHT_CENTER.anchor_size(right, vec2(side, side));
    let color = if is_done { theme.ok } else { theme.secondary };
    let stroke = Stroke::new(1.2, color);
    ui.painter()
        .rect_stroke(rect, CornerRadius::same(3), stroke, StrokeKind::Inside);
    if is_done {
        let size = side - 3.0;
        let left = rect.center().x - size / 2.0;
        text::paint_icon(
            ui,
            left,
            rect.center().y,
            icons::CHECK,
            Face::Icon.sized(size),
            color,
        );
    }
}

/// The height of the first line: the one of the two by which the height of the part can be divided.
fn line_height(rect: Rect, size: f32) -> f32 {
    let latin = (size * LINE_HEIGHT).round();
    let japanese = (size * LINE_HEIGHT_JAPANESE).round();
    let fits = |line: f32| (rect.height() / line).fract() < 0.01;
    if fits(japanese) && !fits(latin) {
        japanese
    } else {
        latin
    }
}
