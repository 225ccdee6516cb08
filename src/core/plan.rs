//! An agent's task list.

/// The whole plan; each update of the agent replaces it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    pub entries: Vec<PlanEntry>,
}

/// One task of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanEntry {
    pub content: String,
    pub status: PlanEntryStatus,
    pub priority: PlanEntryPriority,
}

/// How far a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanEntryStatus {
    Pending,
    InProgress,
    Completed,
    /// A word we don't know; drawn without a state.
    Unknown,
}

/// How much a task matters to the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanEntryPriority {
    High,
    Medium,
    Low,
    /// A word we don't know, or none.
    Unknown,
}
