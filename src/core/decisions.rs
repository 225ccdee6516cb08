//! Decisions about tool calls as they were put on record, and what is looked for among them.

use std::path::PathBuf;

use crate::core::time::Timestamp;

/// One decision of the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedDecision {
    pub at: Timestamp,
    pub backend: String,
    pub folder: PathBuf,
    /// The session's id as its agent names it.
    pub session: Option<String>,
    /// The canonical name of the tool.
    pub tool: String,
    /// Hints about the tool did not agree.
    pub unsure: bool,
    /// One of [`DECISIONS`].
    pub decision: String,
    /// Why, in one word.
    pub because: Option<String>,
    /// The rule behind it, in one line.
    pub rule: Option<String>,
    /// The kind of the option that was chosen, or `cancelled`, `withdrawn`, `agent_gone`.
    pub answer: Option<String>,
}

/// What is decided: put to the person, answered by a rule or the level, or never asked.
pub const DECISIONS: [&str; 4] = ["asked", "auto_allow", "auto_deny", "not_asked"];

/// Which decisions are looked for. What is not given takes all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DecisionFilter {
    pub backend: Option<String>,
    pub session: Option<String>,
    pub decision: Option<String>,
    /// At this time or later.
    pub since: Option<Timestamp>,
    /// Found in the tool, the backend, the folder, the rule or the reason, in any case of letters.
    pub text: String,
}

impl DecisionFilter {
    /// Whether a decision is looked for.
    pub fn takes(&self, decision: &LoggedDecision) -> bool {
        let is = |wanted: &Option<String>, found: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| Some(wanted) == found)
        };
        is(&self.backend, Some(&decision.backend))
            && is(&self.session, decision.session.as_deref())
            && is(&self.decision, Some(&decision.decision))
            && self.since.is_none_or(|since| decision.at >= since)
            && self.finds(decision)
    }

    fn finds(&self, decision: &LoggedDecision) -> bool {
        let text = self.text.trim().to_lowercase();
        let folder = decision.folder.to_string_lossy();
        let places = [
            Some(decision.tool.as_str()),
            Some(decision.backend.as_str()),
            Some(folder.as_ref()),
            decision.rule.as_deref(),
            decision.because.as_deref(),
        ];
        let mut places = places.into_iter().flatten();
        text.is_empty() || places.any(|place| place.to_lowercase().contains(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_of_a_filter_narrows() {
        let decision = LoggedDecision {
            at: Timestamp(1_000),
            backend: "codex".to_owned(),
            folder: PathBuf::from("/srv/harbor"),
            session: Some("s1".to_owned()),
            tool: "Bash".to_owned(),
            unsure: false,
            decision: "auto_allow".to_owned(),
            because: Some("rule".to_owned()),
            rule: Some("allow command npm test".to_owned()),
            answer: Some("allow_once".to_owned()),
        };
        let takes = |change: fn(&mut DecisionFilter)| {
            let mut filter = DecisionFilter::default();
            change(&mut filter);
            filter.takes(&decision)
        };
        assert!(takes(|_| {}));
        assert!(takes(|filter| filter.text = " NPM ".to_owned()));
        assert!(takes(|filter| filter.since = Some(Timestamp(1_000))));
        assert!(!takes(|filter| filter.since = Some(Timestamp(1_001))));
        assert!(!takes(|filter| filter.backend = Some("grok".to_owned())));
        assert!(!takes(|filter| filter.session = Some("s2".to_owned())));
        assert!(!takes(|filter| filter.decision = Some("asked".to_owned())));
        assert!(!takes(|filter| filter.text = "yarn".to_owned()));
    }
}
