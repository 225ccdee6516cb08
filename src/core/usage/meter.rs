//! The context meter: readings of the context against the window, and what may be shown of them.

use super::{CompactionTrigger, ModelUsage};
use crate::core::time::Timestamp;

/// The context as far as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContextState {
    used: Option<u64>,
    read_at: Option<Timestamp>,
    /// The window as the agent reported it.
    window: Option<u64>,
    /// The window of the current model in the agent's catalog.
    catalog_window: Option<u64>,
    /// The window as it was when the last turn ended.
    confirmed_window: Option<u64>,
    /// How often the reported window changed within this turn.
    window_changes: u32,
    compaction: Compaction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Compaction {
    #[default]
    None,
    /// The context was summarized and not read since.
    Unread,
    /// The same, and what the running turn reports measures the summarizing call.
    UnreadTillTurnEnds,
}

/// What the context meter shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meter {
    /// Nothing is known: no meter, and never "0 %".
    Hidden,
    /// The context was summarized and has not been read since.
    Compacted,
    /// Only the numerator is known.
    UsedOnly { used: u64 },
    /// Both are known, and one fits in the other. `percent` is at most 100; `uncertain` when the agent
    /// reports one window and then another.
    Share {
        used: u64,
        window: u64,
        percent: u8,
        uncertain: bool,
    },
    /// More is used than the window is said to hold: both numbers, no percent.
    Over { used: u64, window: u64 },
}

/// How urgent a meter's reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeterTone {
    Calm,
    /// From 80 %.
    Caution,
    /// From 95 %.
    Full,
}

impl Meter {
    /// How urgent it is.
    pub fn tone(self) -> MeterTone {
        match self {
            Self::Share { percent, .. } if percent >= 95 => MeterTone::Full,
            Self::Share { percent, .. } if percent >= 80 => MeterTone::Caution,
            Self::Over { .. } => MeterTone::Full,
            Self::Hidden | Self::Compacted | Self::UsedOnly { .. } | Self::Share { .. } => {
                MeterTone::Calm
            }
        }
    }
}

impl ContextState {
    /// The last reading, in tokens.
    pub fn used(&self) -> Option<u64> {
        self.used
    }

    /// When the last reading came.
    pub fn read_at(&self) -> Option<Timestamp> {
        self.read_at
    }

    /// The window in tokens: what the agent reported, else its catalog's value for the current model.
    pub fn window(&self) -> Option<u64> {
        let steady = self.window_changes < 2;
        let reported = if steady {
            self.window
        } else {
            self.confirmed_window.or(self.window)
        };
        reported.or(self.catalog_window)
    }

    /// Whether the agent reports one window and then another.
    pub fn window_is_uncertain(&self) -> bool {
        self.window_changes >= 2
    }

    /// What is shown of it.
    pub fn meter(&self) -> Meter {
        match (self.used, self.window()) {
            (None, _) if self.compaction != Compaction::None => Meter::Compacted,
            (None, _) => Meter::Hidden,
            (Some(used), None) => Meter::UsedOnly { used },
            (Some(used), Some(window)) if used > window => Meter::Over { used, window },
            (Some(used), Some(window)) => {
                let percent = percent(used, window);
                Meter::Share {
                    used,
                    window,
                    percent,
                    uncertain: self.window_is_uncertain(),
                }
            }
        }
    }

    pub(super) fn read(&mut self, used: Option<u64>, window: Option<u64>, now: Timestamp) {
        if let Some(window) = window.filter(|window| *window > 0) {
            if self.window.is_some_and(|known| known != window) {
                self.window_changes = self.window_changes.saturating_add(1);
            }
            self.window = Some(window);
        }
        let Some(used) = used else { return };
        if self.compaction == Compaction::UnreadTillTurnEnds {
            return;
        }
        if used == 0 {
            // Agents say 0 after an error, a cancellation or a compaction: it is no reading.
            self.used = None;
            return;
        }
        self.used = Some(used);
        self.read_at = Some(now);
        self.compaction = Compaction::None;
    }

    pub(super) fn begin_turn(&mut self) {
        self.window_changes = 0;
    }

    pub(super) fn end_turn(&mut self) {
        if !self.window_is_uncertain() {
            self.confirmed_window = self.window;
        }
        if self.compaction == Compaction::UnreadTillTurnEnds {
            self.compaction = Compaction::Unread;
        }
    }

    pub(super) fn compacted(&mut self, trigger: CompactionTrigger) {
        self.used = None;
        self.compaction = match trigger {
            CompactionTrigger::Manual => Compaction::UnreadTillTurnEnds,
            CompactionTrigger::Automatic => Compaction::Unread,
        };
    }

    pub(super) fn forget(&mut self) {
        self.used = None;
        self.compaction = Compaction::None;
    }

    pub(super) fn set_catalog_window(&mut self, window: Option<u64>) {
        self.catalog_window = window;
    }

    pub(super) fn model_changed(&mut self, window: Option<u64>) {
        self.window = None;
        self.confirmed_window = None;
        self.window_changes = 0;
        self.catalog_window = window;
    }
}

/// The window of the model in use: of the row with its name, else with its canonical name, else the largest.
pub(super) fn window_of(rows: &[ModelUsage], model: Option<&str>) -> Option<u64> {
    let plain = |name: &str| name.split('[').next().unwrap_or(name).to_owned();
    let by_name = model.and_then(|model| {
        rows.iter()
            .find(|row| row.model == model)
            .or_else(|| rows.iter().find(|row| plain(&row.model) == plain(model)))
            .or_else(|| {
                rows.iter()
                    .find(|row| row.canonical.as_deref() == Some(plain(model).as_str()))
            })
            .and_then(|row| row.window)
    });
    by_name.or_else(|| rows.iter().filter_map(|row| row.window).max())
}

fn percent(used: u64, window: u64) -> u8 {
    let share = u128::from(used) * 100 / u128::from(window.max(1));
    u8::try_from(share.min(100)).unwrap_or(100)
}
