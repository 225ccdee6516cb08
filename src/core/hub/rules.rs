//! Rules that the person stores, changes and takes back.

use super::AgentHub;
use crate::core::consent::GroundSource;
use crate::core::effect::Effect;
use crate::core::ids::SessionKey;
use crate::core::policy::always::{Lifetime, RuleProposal};
use crate::core::policy::rules::Rule;
use crate::core::policy::rules::edit::RuleEdit;
use crate::core::session::{Phase, Session};
use crate::core::time::Timestamp;
use crate::core::trust;

/// One day, in milliseconds.
const DAY_MILLIS: u64 = 86_400_000;

impl AgentHub {
    /// Keeps a rule: in its file, after which all sessions read their rules again, or in the session.
    pub(super) fn store_rule(
        &mut self,
        key: SessionKey,
        proposal: RuleProposal,
        lifetime: Lifetime,
        now: Timestamp,
    ) -> Vec<Effect> {
        let Some(session) = self.session(key) else {
            return Vec::new();
        };
        let folder = session.setup().cwd.clone();
        let mut rule = proposal.rule;
        rule.stored = Some(now);
        match lifetime {
            Lifetime::Session => {
                let can = self.capabilities_of(key);
                return self.with(key, |session| {
                    session.change_granted(|granted| granted.push(rule), &can, now)
                });
            }
            Lifetime::OneDay => rule.expires = Some(now.plus_millis(DAY_MILLIS)),
            Lifetime::Always => {}
        }
        vec![Effect::EditRules(Box::new(RuleEdit::Add {
            file: proposal.file,
            rule: Box::new(rule),
            bound_to: Some((folder, proposal.depends_on)),
        }))]
    }

    /// Takes back what was granted until the session ends.
    pub(super) fn revoke_rule(
        &mut self,
        key: SessionKey,
        rule: &Rule,
        now: Timestamp,
    ) -> Vec<Effect> {
        let can = self.capabilities_of(key);
        self.with(key, |session| {
            session.change_granted(|granted| granted.retain(|one| one != rule), &can, now)
        })
    }

    /// Reads the person's own rules, and those of all sessions again.
    pub(super) fn reload_rules(&self) -> Vec<Effect> {
        let sessions = self.sessions().filter_map(|session| self.reload(session));
        std::iter::once(Effect::LoadOwnRules)
            .chain(sessions)
            .collect()
    }

    /// What reads the rules of a session, where they come from files. Before the person trusts its folder nothing is
    /// judged there, so nothing is read.
    pub(super) fn reload(&self, session: &Session) -> Option<Effect> {
        if *session.phase() == Phase::TrustNeeded {
            return None;
        }
        let folder = session.setup().cwd.clone();
        match session.setup().ground {
            GroundSource::Files => Some(Effect::LoadGround {
                session: session.key(),
                trusted: trust::is_trusted(&folder, &self.trusted_folders),
                folder,
            }),
            GroundSource::Fixed(_) => None,
        }
    }
}
