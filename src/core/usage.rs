//! Context window, tokens and cost, each as reported. What nobody reported stays unknown.
//!
//! A reading of the context and a bill are two things: only a reading ever moves the meter.

mod meter;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::core::time::Timestamp;

pub use meter::{ContextState, Meter, MeterTone};

/// What one frame says about usage. Every part stands alone; an absent one says nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UsageReport {
    /// Tokens in the context now. A reading, never a sum of bills.
    pub context_used: Option<u64>,
    /// The size of the context window in tokens.
    pub context_window: Option<u64>,
    /// The tokens billed, and for what.
    pub tokens: Option<TokenReport>,
    /// Bills by model, with the model's window where it is told.
    pub models: Vec<ModelUsage>,
    /// What the rows of `models` cover.
    pub models_span: Option<TokenSpan>,
    pub cost: Option<Cost>,
    /// How full the account's quotas are.
    pub quotas: Vec<Quota>,
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

/// The bill of one model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelUsage {
    pub model: String,
    /// The name without dates and suffixes, where the agent tells it.
    pub canonical: Option<String>,
    pub counts: TokenCounts,
    pub cost_usd: Option<f64>,
    /// The model's context window in tokens.
    pub window: Option<u64>,
}

/// An amount of money as an agent states it.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    pub amount: f64,
    /// The ISO 4217 code, in capitals.
    pub currency: String,
    pub span: CostSpan,
}

/// What a cost covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CostSpan {
    /// The session so far (ACP's `usage_update.cost`): replaces.
    #[default]
    Session,
    /// The running process so far (Claude Code): what earlier processes cost is kept.
    Process,
    /// The turn alone (Grok): adds.
    Turn,
}

/// How full a quota of the account is.
#[derive(Debug, Clone, PartialEq)]
pub struct Quota {
    /// As the agent names it (`five_hour`, `weekly`).
    pub name: String,
    /// 0 to 100 and above.
    pub used_percent: f64,
    /// When it starts anew, as Unix time in milliseconds.
    pub resets_at: Option<Timestamp>,
}

/// Who began a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompactionTrigger {
    /// The person: what the turn reports afterwards measures the summarizing call.
    Manual,
    /// The agent: the turn goes on, and its readings are true.
    Automatic,
}

/// The usage of a session.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Usage {
    /// Counts what may have changed it.
    revision: u64,
    context: ContextState,
    turn_tokens: Option<TokenCounts>,
    earlier_tokens: Option<TokenCounts>,
    stated_session_tokens: Option<TokenCounts>,
    turn_models: BTreeMap<String, ModelUsage>,
    session_models: BTreeMap<String, ModelUsage>,
    costs: BTreeMap<String, f64>,
    cost_of_earlier_processes: f64,
    quotas: Vec<Quota>,
    quotas_told: Vec<String>,
    status_line: Option<String>,
}

impl Usage {
    /// Takes in one report. `model` is the session's current one, where it is known.
    pub fn apply(&mut self, report: UsageReport, model: Option<&str>, now: Timestamp) {
        self.revision += 1;
        let window = report
            .context_window
            .or_else(|| meter::window_of(&report.models, model));
        self.context.read(report.context_used, window, now);
        self.take_models(report.models, report.models_span);
        if let Some(tokens) = report.tokens {
            self.take_tokens(tokens);
        }
        if let Some(cost) = report.cost {
            self.take_cost(cost);
        }
        for quota in report.quotas {
            self.quotas.retain(|known| known.name != quota.name);
            self.quotas.push(quota);
        }
        if report.status_line.is_some() {
            self.status_line = report.status_line;
        }
    }

    /// Starts the count of a new turn.
    pub fn begin_turn(&mut self) {
        self.revision += 1;
        if let Some(turn) = self.turn_tokens.take() {
            self.earlier_tokens = Some(self.earlier_tokens.unwrap_or_default().plus(turn));
        }
        self.turn_models.clear();
        self.context.begin_turn();
    }

    /// The turn is over: what was read last holds.
    pub fn end_turn(&mut self) {
        self.revision += 1;
        self.context.end_turn();
    }

    /// The context was summarized: what was read before holds no more.
    pub fn compacted(&mut self, trigger: CompactionTrigger) {
        self.revision += 1;
        self.context.compacted(trigger);
    }

    /// The agent has forgotten everything: its context is not known, and it counts its cost from zero again.
    pub fn conversation_reset(&mut self) {
        self.revision += 1;
        self.context.forget();
        self.process_changed();
    }

    /// Another model has another window: the reported one holds no more. `window` is from the agent's catalog.
    pub fn model_changed(&mut self, window: Option<u64>) {
        self.revision += 1;
        self.context.model_changed(window);
    }

    /// The window of the current model in the agent's catalog; a reported one goes before it.
    pub fn catalog_window(&mut self, window: Option<u64>) {
        self.revision += 1;
        self.context.set_catalog_window(window);
    }

    /// The agent's process is a new one: it counts its cost from zero again.
    pub fn process_changed(&mut self) {
        self.revision += 1;
        self.cost_of_earlier_processes = self.costs.get("USD").copied().unwrap_or_default();
    }

    /// Another number whenever anything in it may have changed.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The context as far as it is known.
    pub fn context(&self) -> &ContextState {
        &self.context
    }

    /// What the context meter shows now.
    pub fn meter(&self) -> Meter {
        self.context.meter()
    }

    /// The tokens of the turn that runs or ran last.
    pub fn turn_tokens(&self) -> Option<TokenCounts> {
        self.turn_tokens
    }

    /// The tokens of the session: as stated by the agent, else the sum of its turns.
    pub fn session_tokens(&self) -> Option<TokenCounts> {
        let summed = match (self.earlier_tokens, self.turn_tokens) {
            (None, None) => None,
            (earlier, turn) => Some(earlier.unwrap_or_default().plus(turn.unwrap_or_default())),
        };
        self.stated_session_tokens.or(summed)
    }

    /// Bills of the turn by model.
    pub fn turn_models(&self) -> impl Iterator<Item = &ModelUsage> {
        self.turn_models.values()
    }

    /// Bills of the session by model.
    pub fn session_models(&self) -> impl Iterator<Item = &ModelUsage> {
        self.session_models.values()
    }

    /// The session's cost by currency. Currencies are never added to each other.
    pub fn costs(&self) -> &BTreeMap<String, f64> {
        &self.costs
    }

    /// Quotas of the account, as far as the agent tells them.
    pub fn quotas(&self) -> &[Quota] {
        &self.quotas
    }

    /// What the agent says in words only.
    pub fn status_line(&self) -> Option<&str> {
        self.status_line.as_deref()
    }

    /// A quota that passed 90 % and was not spoken of yet.
    pub fn quota_to_tell(&mut self) -> Option<Quota> {
        let told = &self.quotas_told;
        let found = self
            .quotas
            .iter()
            .find(|quota| quota.used_percent >= 90.0 && !told.contains(&quota.name))?
            .clone();
        self.quotas_told.push(found.name.clone());
        Some(found)
    }

    fn take_tokens(&mut self, report: TokenReport) {
        match report.span {
            TokenSpan::Round => {
                self.turn_tokens = Some(self.turn_tokens.unwrap_or_default().plus(report.counts));
            }
            TokenSpan::Turn => self.turn_tokens = Some(report.counts),
            TokenSpan::Session => self.stated_session_tokens = Some(report.counts),
        }
    }

    fn take_models(&mut self, rows: Vec<ModelUsage>, span: Option<TokenSpan>) {
        let is_session = span == Some(TokenSpan::Session);
        for row in rows {
            if is_session {
                self.session_models.insert(row.model.clone(), row);
                continue;
            }
            let known = self
                .session_models
                .entry(row.model.clone())
                .or_insert_with(|| ModelUsage {
                    model: row.model.clone(),
                    ..ModelUsage::default()
                });
            known.counts = known.counts.plus(row.counts);
            known.window = row.window.or(known.window);
            known.cost_usd = match (known.cost_usd, row.cost_usd) {
                (None, new) => new,
                (Some(before), new) => Some(before + new.unwrap_or_default()),
            };
            self.turn_models.insert(row.model.clone(), row);
        }
    }

    fn take_cost(&mut self, cost: Cost) {
        if !cost.amount.is_finite() || cost.amount < 0.0 {
            return;
        }
        let sum = self.costs.entry(cost.currency).or_default();
        match cost.span {
            CostSpan::Session => *sum = cost.amount,
            CostSpan::Process => *sum = self.cost_of_earlier_processes + cost.amount,
            CostSpan::Turn => *sum += cost.amount,
        }
    }
}
