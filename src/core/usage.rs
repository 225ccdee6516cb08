//! Context window, tokens and cost, each as reported. What nobody reported stays unknown.

use std::collections::BTreeMap;

use crate::core::time::Timestamp;

/// What one frame says about usage. Every part stands alone; an absent one says nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UsageReport {
    /// Tokens in the context now. A reading, never a sum of bills.
    pub context_used: Option<u64>,
    /// The size of the context window in tokens.
    pub context_window: Option<u64>,
    /// The tokens billed, and for what.
    pub tokens: Option<TokenReport>,
    /// The cost of the session so far, in its own currency.
    pub cost: Option<Cost>,
    /// What the agent says in words only (fast-agent's status line).
    pub status_line: Option<String>,
}

/// Billed tokens and the span they cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenReport {
    pub counts: TokenCounts,
    pub span: TokenSpan,
}

/// What a token count covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenSpan {
    /// One of several rounds of the turn: adds to the others.
    Round,
    /// The whole turn so far: replaces.
    Turn,
    /// The whole session so far: replaces the session's sum.
    Session,
}

/// Tokens by kind. `input` leaves the cached ones out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TokenCounts {
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    pub cache_write: u64,
}

impl TokenCounts {
    /// The sum of both, kind by kind.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_write: self.cache_write.saturating_add(other.cache_write),
        }
    }

    /// All kinds together.
    pub fn total(self) -> u64 {
        [self.output, self.cache_read, self.cache_write]
            .into_iter()
            .fold(self.input, u64::saturating_add)
    }
}

/// An amount of money as an agent states it.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    pub amount: f64,
    /// The ISO 4217 code, in capitals.
    pub currency: String,
}

/// The usage of a session.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Usage {
    pub context_used: Option<u64>,
    pub context_window: Option<u64>,
    /// When the last reading of the context came.
    pub context_read_at: Option<Timestamp>,
    /// The tokens of the turn that runs or ran last.
    pub turn_tokens: Option<TokenCounts>,
    /// The tokens of the turns before it.
    pub earlier_tokens: Option<TokenCounts>,
    /// The session's sum as the agent states it, where it does.
    pub stated_session_tokens: Option<TokenCounts>,
    /// The session's cost by currency. Currencies are never added to each other.
    pub costs: BTreeMap<String, f64>,
    pub status_line: Option<String>,
}

/// What the context meter shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meter {
    /// Nothing is known: no meter, and never "0 %".
    Hidden,
    /// Only the numerator is known.
    UsedOnly { used: u64 },
    /// Both are known, and one fits in the other. `percent` is at most 100.
    Share { used: u64, window: u64, percent: u8 },
    /// More is used than the window is said to hold: both numbers, no percent.
    Over { used: u64, window: u64 },
}

impl Usage {
    /// Takes in one report.
    pub fn apply(&mut self, report: UsageReport, now: Timestamp) {
        if let Some(used) = report.context_used {
            self.context_used = Some(used);
            self.context_read_at = Some(now);
        }
        if let Some(window) = report.context_window.filter(|window| *window > 0) {
            self.context_window = Some(window);
        }
        if let Some(tokens) = report.tokens {
            self.apply_tokens(tokens);
        }
        if let Some(cost) = report
            .cost
            .filter(|cost| cost.amount.is_finite() && cost.amount >= 0.0)
        {
            self.costs.insert(cost.currency, cost.amount);
        }
        if report.status_line.is_some() {
            self.status_line = report.status_line;
        }
    }

    /// Starts the count of a new turn.
    pub fn begin_turn(&mut self) {
        if let Some(turn) = self.turn_tokens.take() {
            self.earlier_tokens = Some(self.earlier_tokens.unwrap_or_default().plus(turn));
        }
    }

    /// The tokens of the session: as stated by the agent, else the sum of its turns.
    pub fn session_tokens(&self) -> Option<TokenCounts> {
        let summed = match (self.earlier_tokens, self.turn_tokens) {
            (None, None) => None,
            (earlier, turn) => Some(earlier.unwrap_or_default().plus(turn.unwrap_or_default())),
        };
        self.stated_session_tokens.or(summed)
    }

    /// What the context meter shows now.
    pub fn meter(&self) -> Meter {
        match (self.context_used, self.context_window) {
            (None, _) => Meter::Hidden,
            (Some(used), None) => Meter::UsedOnly { used },
            (Some(used), Some(window)) if used > window => Meter::Over { used, window },
            (Some(used), Some(window)) => Meter::Share {
                used,
                window,
                percent: percent(used, window),
            },
        }
    }

    fn apply_tokens(&mut self, report: TokenReport) {
        match report.span {
            TokenSpan::Round => {
                self.turn_tokens = Some(self.turn_tokens.unwrap_or_default().plus(report.counts));
            }
            TokenSpan::Turn => self.turn_tokens = Some(report.counts),
            TokenSpan::Session => self.stated_session_tokens = Some(report.counts),
        }
    }
}

fn percent(used: u64, window: u64) -> u8 {
    let share = u128::from(used) * 100 / u128::from(window.max(1));
    u8::try_from(share.min(100)).unwrap_or(100)
}
