//! What the window remembers of one transcript: the place, the folds, and what was laid out.

use egui::Ui;

use crate::core::session::Session;
use crate::core::transcript::{Block, BlockContent};
use crate::i18n::Language;
use crate::ui::theme::{BLOCK_GAP, LINE_HEIGHT, Theme};
use crate::ui::transcript::find::Find;
use crate::ui::transcript::folds::Folds;
use crate::ui::transcript::rows::Rows;
use crate::ui::transcript::selection::Selection;
use crate::ui::transcript::views::Views;

/// The space above the first row and below the last one, in points.
pub const TOP: f32 = 16.0;
pub const BOTTOM: f32 = 24.0;

/// Everything the view of a transcript keeps. All but place and folds can be made again from the transcript.
#[derive(Debug, Default)]
pub struct TranscriptState {
    pub rows: Rows,
    pub folds: Folds,
    pub views: Views,
    pub place: Place,
    /// The topmost thing that begins in view, also while the end is followed.
    pub topmost: Option<Anchor>,
    pub stats: Stats,
    pub find: Find,
    pub selection: Selection,
    /// A link that leads elsewhere than its text says, until the person decides.
    pub asked_link: Option<String>,
    epoch: Epoch,
    /// How many rows there were when the end was in view.
    seen: usize,
}

/// Which part of the transcript is in view.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Place {
    /// Its end, whatever comes.
    #[default]
    End,
    /// The line under the eye.
    At(Anchor),
}

impl Place {
    /// Whether nobody sees that it is another one.
    pub fn is_near(self, other: Self) -> bool {
        match (self, other) {
            (Self::At(one), Self::At(other)) => {
                let is_same = (one.row, one.part) == (other.row, other.part);
                is_same && (one.y - other.y).abs() < 0.5
            }
            (one, other) => one == other,
        }
    }
}

/// A row, or a part of a message in it, and how far it stands below the top of the view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    pub row: usize,
    pub part: Option<usize>,
    pub y: f32,
}

/// What the last UI frame cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stats {
    /// Rows whose blocks were looked at because they changed.
    pub looked_at: usize,
    pub drawn: usize,
    /// Parts of texts that were laid out.
    pub laid_out: usize,
}

/// Counts how often everything had to be laid out again.
#[derive(Debug, Default)]
struct Epoch {
    number: u64,
    key: Option<EpochKey>,
}

#[derive(Debug, Clone, PartialEq)]
struct EpochKey {
    width: u32,
    scale: u32,
    theme: Theme,
    language: Language,
    fonts: usize,
    /// How full egui's font texture is. When that falls it was emptied, and letters are elsewhere in it.
    texture_fill: f32,
}

impl TranscriptState {
    /// Takes in what changed in the transcript.
    pub fn update(&mut self, session: &Session, theme: &Theme, width: f32) {
        self.rows
            .update(session.transcript(), &self.folds, |block| {
                estimate(block, theme, width)
            });
        self.stats = Stats {
            looked_at: self.rows.looked_at(),
            ..Stats::default()
        };
    }

    /// The number of the layout; another one when width, theme, language, scale or fonts are others.
    pub fn epoch(&mut self, ui: &Ui, theme: &Theme, language: Language, width: f32) -> u64 {
        let (fonts, texture_fill) = ui.ctx().fonts(|fonts| {
            (
                fonts.discovered_fonts().len(),
                fonts.font_atlas_fill_ratio(),
            )
        });
        let key = EpochKey {
            width: width.to_bits(),
            scale: ui.pixels_per_point().to_bits(),
            theme: theme.clone(),
            language,
            fonts,
            texture_fill,
        };
        let is_same = self.epoch.key.as_ref().is_some_and(|known| {
            known.texture_fill <= texture_fill
                && *known
                    == EpochKey {
                        texture_fill: known.texture_fill,
                        ..key.clone()
                    }
        });
        if !is_same {
            self.epoch.number += 1;
        }
        self.epoch.key = Some(key);
        self.epoch.number
    }

    /// Whether the end is in view.
    pub fn is_at_end(&self) -> bool {
        self.place == Place::End
    }

    /// Scrolls by a distance.
    pub fn move_by(&mut self, distance: f32) {
        let near = match self.place {
            Place::At(anchor) => Some(anchor),
            Place::End if distance < 0.0 => self.topmost,
            Place::End => None,
        };
        if let Some(anchor) = near {
            let y = anchor.y - distance;
            self.place = Place::At(Anchor { y, ..anchor });
        }
    }

    /// How many rows came since the end was last in view.
    pub fn unseen(&self) -> usize {
        self.rows.shown().saturating_sub(self.seen)
    }

    /// Notes that the end is in view.
    pub fn see_all(&mut self) {
        self.seen = self.rows.shown();
    }

    /// Forgets all that can be made again. Nothing but time is lost.
    pub fn forget_layouts(&mut self) {
        self.views = Views::default();
    }
}

/// About how high a block is that nobody has seen.
fn estimate(block: &Block, theme: &Theme, width: f32) -> f32 {
    let line = theme.size.body * LINE_HEIGHT;
    let text = |bytes: usize| {
        let lines = bytes as f32 * theme.size.body * 0.46 / width.max(100.0);
        (lines.ceil().max(1.0)) * line + BLOCK_GAP
    };
    match &block.content {
        BlockContent::UserMessage(message) => text(message.text.len()) + 32.0,
        BlockContent::AgentMessage(message) => text(message.text.len()),
        BlockContent::Thought(_)
        | BlockContent::Abandoned(_)
        | BlockContent::ToolCall(_)
        | BlockContent::Attachment(_) => theme.scaled(28.0),
        BlockContent::Plan(plan) => {
            theme.scaled(28.0) + plan.entries.len() as f32 * (line + 4.0) + BLOCK_GAP
        }
        BlockContent::Note(_) => line + BLOCK_GAP,
        BlockContent::Failure(_) | BlockContent::McpStatus(_) => 130.0,
        BlockContent::Image(_) => 200.0,
    }
}
