//! Where the parts of a text stand: how far apart, how far in, and what is drawn beside them.

use egui::{CornerRadius, Rect, Ui, pos2};

use crate::ui::fonts::Face;
use crate::ui::text::part::{Inset, Marker, Part, PartKind};
use crate::ui::theme::Theme;
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

/// A marker ends a little before the text begins, and stands in the middle of its first line.
fn paint_marker(ui: &Ui, theme: &Theme, marker: &Marker, right: f32, rect: Rect) {
    let size = theme.size.body;
    let (shown, font, color, gap) = match marker {
        Marker::Bullet => (
            "•".to_owned(),
            Face::Regular.sized(size),
            theme.secondary,
            8.0,
        ),
        Marker::Number(number) => (
            format!("{number}."),
            Face::Tabular.sized(size),
            theme.secondary,
            6.0,
        ),
        Marker::Task { done: true } => ("☑".to_owned(), Face::Regular.sized(size), theme.ok, 5.0),
        Marker::Task { done: false } => (
            "☐".to_owned(),
            Face::Regular.sized(size),
            theme.secondary,
            5.0,
        ),
        Marker::Footnote(label) => {
            let label: String = label.chars().take(6).collect();
            (
                label,
                Face::Tabular.sized(theme.size.meta),
                theme.secondary,
                6.0,
            )
        }
    };
    let line = match part_line(rect, size) {
        line if line > rect.height() => rect.height(),
        line => line,
    };
    let galley = text::line_ui(ui, &shown, font, color, f32::INFINITY);
    let x = right - gap - galley.size().x;
    text::paint_at(ui, x, rect.top() + line / 2.0, galley, color);
}

/// The height of the first line, about: what is one and a half times the text size, and a little more in Japanese.
fn part_line(rect: Rect, size: f32) -> f32 {
    let latin = (size * crate::ui::theme::LINE_HEIGHT).round();
    let japanese = (size * crate::ui::theme::LINE_HEIGHT_JAPANESE).round();
    let fits = |line: f32| (rect.height() / line).fract() < 0.01;
    if fits(japanese) && !fits(latin) {
        japanese
    } else {
        latin
    }
}
