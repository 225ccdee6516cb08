//! Permission requests before the person sees them: looked up, judged, answered or shown.

use super::{Session, client};
use crate::core::backend::AgentCapabilities;
use crate::core::catalog::OpsCatalog;
use crate::core::command::Prompt;
use crate::core::consent::{Consent, PolicyGround};
use crate::core::effect::Effect;
use crate::core::identity::{Identity, IdentityContext, identify};
use crate::core::ids::{RequestId, ToolCallId};
use crate::core::permission::{AnsweredBy, PermissionOutcome, PermissionRequest};
use crate::core::policy::always::{RuleProposal, always_choices, never_choices};
use crate::core::policy::level::Level;
use crate::core::policy::paths::PathFacts;
use crate::core::policy::rules::Rule;
use crate::core::policy::{
    Decision, PolicyInput, Reason, Verdict, decide, files_to_digest, paths_to_resolve,
};
use crate::core::time::Timestamp;
use crate::core::tool_call::{ToolCall, ToolCallPatch};

/// The name of the editor's own MCP server.
pub const OPS_SERVER: &str = "unity-ops";

impl Session {
    /// Which tool a call is.
    pub fn identity_of(&self, call: &ToolCall) -> Identity {
        identify(call, &self.identity_context())
    }

    /// How much runs unasked.
    pub fn level(&self) -> Level {
        self.policy.level
    }

    /// The rules that the session's requests are judged by; `None` until they are read.
    pub fn ground(&self) -> Option<&PolicyGround> {
        self.policy.ground.as_ref()
    }

    /// What an "Always" on this request may honestly offer.
    pub fn always_choices(&self, request: &PermissionRequest, now: Timestamp) -> Vec<RuleProposal> {
        self.with_input(request, now, |input| always_choices(&input))
            .unwrap_or_default()
    }

    /// What may be refused from now on, instead of being asked like this request.
    pub fn never_choices(&self, request: &PermissionRequest, now: Timestamp) -> Vec<RuleProposal> {
        self.with_input(request, now, |input| never_choices(&input))
            .unwrap_or_default()
    }

    /// Judges a new request, after its paths were looked up where that can matter.
    pub(super) fn judge(
        &mut self,
        request: PermissionRequest,
        can: &AgentCapabilities,
        now: Timestamp,
    ) -> Vec<Effect> {
        if self.policy.only_asks() && !self.is_client_request(&request.id) {
            return self.settle(request, can, now);
        }
        let mut effects = Vec::new();
        effects.extend(self.look_up(&request));
        self.checking.push(request);
        effects
    }

    /// Takes in where the paths of a request really are.
    pub(in crate::core) fn paths_resolved(
        &mut self,
        id: &RequestId,
        facts: PathFacts,
        can: &AgentCapabilities,
        now: Timestamp,
    ) -> Vec<Effect> {
        let lists = [&mut self.checking, &mut self.permission_requests];
        let found = lists.into_iter().find_map(|list| {
            let index = list.iter().position(|request| request.id == *id)?;
            Some(list.remove(index))
        });
        let Some(mut request) = found else {
            return Vec::new();
        };
        self.client_resolved(&request.id, &facts);
        request.facts = facts;
        self.settle(request, can, now)
    }

    /// Takes in the rules; what waited for them is judged.
    pub(in crate::core) fn ground_loaded(
        &mut self,
        ground: PolicyGround,
        can: &AgentCapabilities,
        now: Timestamp,
    ) -> Vec<Effect> {
        self.policy.set_ground(ground);
        self.judge_again(can, now)
    }

    /// Grants or takes back a rule until the session ends; the requests on screen are judged again.
    pub(in crate::core) fn change_granted(
        &mut self,
        change: impl FnOnce(&mut Vec<Rule>),
        can: &AgentCapabilities,
        now: Timestamp,
    ) -> Vec<Effect> {
        self.policy.change_granted(change);
        self.judge_again(can, now)
    }

    /// Whether a request with this id waits, on screen or to be looked up.
    pub fn has_open_request(&self, id: &RequestId) -> bool {
        let mut open = self.permission_requests.iter().chain(&self.checking);
        open.any(|open| open.id == *id)
    }

    /// Sets how much runs unasked; the requests on screen are judged again.
    pub(in crate::core) fn set_level(
        &mut self,
        level: Level,
        can: &AgentCapabilities,
        now: Timestamp,
    ) -> Vec<Effect> {
        self.policy.level = level;
        self.setup.level = level;
        self.judge_again(can, now)
    }

    /// Lets a request's call take in an update, and judges it by what it is now.
    pub(super) fn patch_requests(
        &mut self,
        id: &ToolCallId,
        patch: &ToolCallPatch,
        now: Timestamp,
    ) -> Vec<Effect> {
        let all = self
            .checking
            .iter_mut()
            .chain(self.permission_requests.iter_mut());
        // What we are asked to do ourselves is not the agent's to describe.
        let mut open: Vec<_> = all
            .filter(|open| open.tool_call.id == *id && !self.client.is_pending(&open.id))
            .collect();
        // Two requests that name one call are about two things: an update can't be told to belong to either.
        let [request] = open.as_mut_slice() else {
            return Vec::new();
        };
        request.tool_call.apply(patch.clone(), now);
        let (call, request_id) = (request.tool_call.clone(), request.id.clone());
        let identity = self.identity_of(&call);
        let all = self
            .checking
            .iter_mut()
            .chain(self.permission_requests.iter_mut());
        let mut effects = Vec::new();
        let found = all.into_iter().find(|open| open.id == request_id);
        if let Some(request) = found {
            request.identity = request.identity.clone().refined(identity);
            let request = request.clone();
            if !self.policy.only_asks() {
                effects.extend(self.look_up(&request));
            }
        }
        effects
    }

    fn judge_again(&mut self, can: &AgentCapabilities, now: Timestamp) -> Vec<Effect> {
        let shown = std::mem::take(&mut self.permission_requests);
        let only_asks = self.policy.only_asks();
        let (at_once, looked_up): (Vec<_>, Vec<_>) = shown
            .into_iter()
            .partition(|request| only_asks && !self.is_client_request(&request.id));
        // What is on screen stays there until it is known whether it still needs the person.
        let look_ups = looked_up.iter().filter_map(|request| self.look_up(request));
        let mut effects: Vec<_> = look_ups.collect();
        self.permission_requests = looked_up;
        let mut open = std::mem::take(&mut self.checking);
        open.extend(at_once);
        open.sort_by_key(|request| request.order);
        let judged = open.into_iter();
        effects.extend(judged.flat_map(|request| self.judge(request, can, now)));
        effects
    }

    /// Asks where the paths of a request really are. Nothing is asked before the rules are known.
    fn look_up(&self, request: &PermissionRequest) -> Option<Effect> {
        let ground = self.policy.ground.as_ref()?;
        let paths = paths_to_resolve(
            &request.identity,
            &request.tool_call,
            &ground.places,
            ground.shell,
        );
        let digests = files_to_digest(&ground.rules, &ground.places);
        Some(Effect::ResolvePaths {
            session: self.key,
            request: request.id.clone(),
            paths,
            digests,
        })
    }

    /// Answers a request as the policy says, or shows it.
    fn settle(
        &mut self,
        mut request: PermissionRequest,
        can: &AgentCapabilities,
        now: Timestamp,
    ) -> Vec<Effect> {
        let verdict = self.with_input(&request, now, |input| decide(&input));
        let Some(Verdict { decision, because }) = verdict else {
            self.checking.push(request);
            return Vec::new();
        };
        request.because = Some(because.clone());
        match decision {
            Decision::Ask if self.was_granted(&request, &because) => vec![self.answer(
                request.id,
                PermissionOutcome::Selected(client::allow_id()),
                None,
            )],
            Decision::Ask => {
                let place = self
                    .permission_requests
                    .partition_point(|open| open.order < request.order);
                let id = request.id.clone();
                self.permission_requests.insert(place, request);
                self.compare(&id).into_iter().collect()
            }
            Decision::Allow { option } => {
                let chosen = request
                    .options
                    .iter()
                    .find(|offered| offered.id == option)
                    .cloned();
                let consent = Consent::ByPolicy(Box::new(because));
                self.grant(&request, &consent);
                self.transcript.set_consent(&request.tool_call.id, consent);
                let answer = self.answer(
                    request.id.clone(),
                    PermissionOutcome::Selected(option),
                    None,
                );
                vec![
                    answer,
                    self.record(request, (AnsweredBy::Policy, None), chosen, now),
                ]
            }
            Decision::Reject { option, text } => self.reject(request, option, text, can, now),
        }
    }

    fn reject(
        &mut self,
        request: PermissionRequest,
        option: Option<crate::core::ids::OptionId>,
        text: String,
        can: &AgentCapabilities,
        now: Timestamp,
    ) -> Vec<Effect> {
        self.deny_call(&request.tool_call.id, now);
        let because = request.because.clone().unwrap_or(Reason::NotEstablished);
        self.transcript.set_consent(
            &request.tool_call.id,
            Consent::ByPolicy(Box::new(because.clone())),
        );
        self.note(
            crate::core::notice::Note::DeniedByPolicy {
                title: request.tool_call.title.clone(),
                because,
            },
            now,
        );
        let tells_why = can.reject_message || self.is_client_request(&request.id);
        if !tells_why {
            self.queue_prompt(Prompt::text(&text));
        }
        let chosen = option.as_ref().and_then(|id| {
            request
                .options
                .iter()
                .find(|offered| offered.id == *id)
                .cloned()
        });
        let outcome = option.map_or(PermissionOutcome::Cancelled, PermissionOutcome::Selected);
        let message = tells_why.then(|| text.clone());
        let answer = self.answer(request.id.clone(), outcome, message);
        let mut effects = vec![
            answer,
            self.record(request, (AnsweredBy::Policy, Some(text)), chosen, now),
        ];
        effects.extend(self.send_next_queued(now));
        effects
    }

    fn with_input<T>(
        &self,
        request: &PermissionRequest,
        now: Timestamp,
        use_it: impl FnOnce(PolicyInput<'_>) -> T,
    ) -> Option<T> {
        let ground = self.policy.ground.as_ref()?;
        let context = self.identity_context();
        Some(use_it(PolicyInput {
            identity: &request.identity,
            call: &request.tool_call,
            options: &request.options,
            context: &context,
            catalog: OpsCatalog::built_in(),
            level: self.policy.level,
            rules: &ground.rules,
            places: &ground.places,
            paths: &request.facts,
            script_gate: ground.script_gate,
            shell: ground.shell,
            now,
        }))
    }

    pub(super) fn identity_context(&self) -> IdentityContext {
        let given = self
            .mcp_servers
            .servers()
            .iter()
            .map(|server| server.name.clone());
        let reported = self
            .mcp
            .iter()
            .flat_map(|report| &report.servers)
            .map(|server| server.name.clone());
        let mut servers: Vec<_> = given.chain(reported).collect();
        servers.sort();
        servers.dedup();
        IdentityContext {
            servers,
            ops_server: OPS_SERVER.to_owned(),
            shape: self.call_shape.clone(),
        }
    }
}
