//! A hub is brought into a state, and `Conduct` says what to do.

use std::path::PathBuf;

use super::*;
use crate::cli::args::Format;
use crate::core::backend::{AgentCapabilities, AgentInfo};
use crate::core::controls::{Mode, Modes};
use crate::core::event::{ConnectionEvent, Event, OpenedSession, SessionEvent, TurnResult};
use crate::core::ids::{
    AgentSessionId, BackendId, ConnectionId, OptionId, RequestId, ToolCallId, TurnId,
};
use crate::core::notice::RpcError;
use crate::core::permission::PermissionOption;
use crate::core::presets;
use crate::core::settings::CustomBackend;

const SESSION: SessionKey = SessionKey(1);
const NOW: Timestamp = Timestamp(1_000);

fn plan(on_ask: OnAsk) -> Plan {
    let custom = CustomBackend {
        id: BackendId::from("talker"),
        name: "Talker".to_owned(),
        command: "talker".to_owned(),
        args: Vec::new(),
        env: std::collections::BTreeMap::default(),
        client_tools: crate::core::client_tools::ClientTools::default(),
    };
    Plan {
        spec: presets::custom_spec(&custom),
        cwd: PathBuf::from("/home/user/project"),
        mcp_servers: Vec::new(),
        skipped: Vec::new(),
        resume: None,
        model: None,
        mode: None,
        prompt: "hello".to_owned(),
        on_ask,
        format: Format::Text,
        record: None,
        timeout_secs: None,
        level: crate::core::policy::level::Level::Ask,
        trusted: Vec::new(),
    }
}

struct Stand {
    hub: AgentHub,
    conduct: Conduct,
}

impl Stand {
    /// An agent that has said what it can do.
    fn started(plan: &Plan) -> Self {
        let mut hub = AgentHub::default();
        drop(hub.apply(Command::SetTrustedFolders(vec![PathBuf::from("/")]), NOW));
        drop(hub.apply(plan.open(SESSION), NOW));
        let mut stand = Self {
            hub,
            conduct: Conduct::new(plan, SESSION, NOW),
        };
        stand.connection(ConnectionEvent::Started { pid: Some(1) });
        stand.connection(ConnectionEvent::Initialized {
            agent: AgentInfo::default(),
            capabilities: AgentCapabilities::default(),
            auth_methods: Vec::new(),
        });
        stand
    }

    /// An open session with a mode to choose.
    fn opened(plan: &Plan) -> Self {
        let mut stand = Self::started(plan);
        let mode = |id: &str, name: &str| Mode {
            id: ModeId::from(id),
            name: name.to_owned(),
            description: None,
        };
        stand.session(SessionEvent::Opened(OpenedSession {
            id: Some(AgentSessionId::from("s1")),
            modes: Some(Modes {
                current: ModeId::from("ask"),
                available: vec![mode("ask", "Ask"), mode("auto", "Do all")],
            }),
            ..OpenedSession::default()
        }));
        stand.session(SessionEvent::GroundLoaded(Box::default()));
        stand
    }

    /// A session whose turn runs.
    fn prompted(plan: &Plan) -> Self {
        let mut stand = Self::opened(plan);
        let step = stand.step(NOW);
        assert!(step.begins_prompt);
        stand.apply(step);
        stand
    }

    fn step(&mut self, now: Timestamp) -> Step {
        self.conduct.step(&self.hub, now)
    }

    fn apply(&mut self, step: Step) {
        for command in step.commands {
            drop(self.hub.apply(command, NOW));
        }
    }

    fn connection(&mut self, event: ConnectionEvent) {
        let connection = ConnectionId(1);
        drop(
            self.hub
                .handle(Event::Connection { connection, event }, NOW),
        );
    }

    fn session(&mut self, event: SessionEvent) {
        drop(self.hub.handle(
            Event::Session {
                session: SESSION,
                event,
            },
            NOW,
        ));
    }

    fn end(&mut self, result: TurnResult) {
        self.session(SessionEvent::TurnEnded {
            turn: TurnId(1),
            result,
        });
    }

    fn ask(&mut self, kinds: &[PermissionOptionKind]) {
        let option = |(index, kind): (usize, &PermissionOptionKind)| PermissionOption {
            id: OptionId::from(format!("o{index}")),
            name: "an option".to_owned(),
            kind: kind.clone(),
            scope: None,
        };
        self.session(SessionEvent::PermissionRequested {
            request: RequestId::Number(7),
            tool_call: ToolCallId::from("t1"),
            patch: Box::default(),
            options: kinds.iter().enumerate().map(option).collect(),
        });
    }
}

fn error(code: i64) -> RpcError {
    RpcError {
        code,
        message: "no".to_owned(),
        data: None,
    }
}

fn codes(step: &Step) -> Vec<&'static str> {
    step.remarks.iter().map(|remark| remark.code).collect()
}

#[test]
fn the_end_of_the_turn_gives_the_exit() {
    let ends = [
        (TurnResult::Stopped(StopReason::EndTurn), Exit::Success),
        (TurnResult::Stopped(StopReason::Refusal), Exit::OtherReason),
        (
            TurnResult::Stopped(StopReason::MaxTokens),
            Exit::OtherReason,
        ),
        (
            TurnResult::Stopped(StopReason::Cancelled),
            Exit::OtherReason,
        ),
        (TurnResult::Failed(error(-32_603)), Exit::AgentFailed),
        (TurnResult::Failed(error(-32_000)), Exit::SignInNeeded),
    ];
    for (result, expected) in ends {
        let mut stand = Stand::prompted(&plan(OnAsk::Reject));
        assert_eq!(stand.step(NOW), Step::default());
        stand.end(result.clone());
        assert_eq!(stand.step(NOW).exit, Some(expected), "{result:?}");
    }
}

#[test]
fn a_session_that_can_not_be_opened_gives_the_exit() {
    for (code, expected) in [(-32_603, Exit::AgentFailed), (-32_000, Exit::SignInNeeded)] {
        let mut stand = Stand::started(&plan(OnAsk::Reject));
        assert_eq!(stand.step(NOW), Step::default());
        stand.session(SessionEvent::OpenFailed(error(code)));
        assert_eq!(stand.step(NOW).exit, Some(expected));
    }
    let mut resume = plan(OnAsk::Reject);
    resume.resume = Some(AgentSessionId::from("s0"));
    let step = Stand::started(&resume).step(NOW);
    assert_eq!(
        (step.exit, codes(&step)),
        (Some(Exit::Usage), vec!["resume_not_offered"])
    );
}

#[test]
fn a_mode_is_chosen_by_id_or_name_before_the_prompt() {
    for wanted in ["auto", "do ALL"] {
        let mut with_mode = plan(OnAsk::Reject);
        with_mode.mode = Some(wanted.to_owned());
        let mut stand = Stand::opened(&with_mode);
        let step = stand.step(NOW);
        assert_eq!(
            step.commands,
            [Command::SetMode {
                session: SESSION,
                mode: ModeId::from("auto")
            }]
        );
        stand.apply(step);
        assert_eq!(stand.step(NOW), Step::default());
        let choice = crate::core::event::PendingChoice::Mode("auto".to_owned());
        stand.session(SessionEvent::ChoiceAnswered {
            choice,
            result: Ok(None),
        });
        assert!(stand.step(NOW).begins_prompt);
    }
}

#[test]
fn an_unknown_mode_or_model_is_answered_with_what_there_is() {
    let mut with_mode = plan(OnAsk::Reject);
    with_mode.mode = Some("fly".to_owned());
    let step = Stand::opened(&with_mode).step(NOW);
    assert_eq!(step.exit, Some(Exit::Usage));
    assert_eq!(
        step.remarks[0].text,
        "the agent has no mode \"fly\", only: ask, auto"
    );
    let mut with_model = plan(OnAsk::Reject);
    with_model.model = Some("big".to_owned());
    let step = Stand::opened(&with_model).step(NOW);
    assert_eq!(
        step.remarks[0].text,
        "the agent offers no choice of a model"
    );
}

#[test]
fn a_refused_choice_ends_it_before_the_prompt() {
    let mut with_mode = plan(OnAsk::Reject);
    with_mode.mode = Some("auto".to_owned());
    let mut stand = Stand::opened(&with_mode);
    let step = stand.step(NOW);
    stand.apply(step);
    let choice = crate::core::event::PendingChoice::Mode("auto".to_owned());
    stand.session(SessionEvent::ChoiceAnswered {
        choice,
        result: Err(error(-32_602)),
    });
    assert_eq!(stand.step(NOW).exit, Some(Exit::AgentFailed));
}

#[test]
fn permission_is_answered_as_told_and_never_for_good() {
    use PermissionOptionKind::{AllowAlways, AllowOnce, RejectAlways, RejectOnce, Unknown};
    check_answer(
        OnAsk::Allow,
        &[AllowAlways, AllowOnce, RejectOnce],
        Some("o1"),
        &[],
    );
    check_answer(
        OnAsk::Allow,
        &[AllowAlways, RejectOnce],
        Some("o1"),
        &["no_allow_once"],
    );
    check_answer(
        OnAsk::Allow,
        &[AllowAlways, Unknown],
        None,
        &["no_reject_once"],
    );
    check_answer(
        OnAsk::Reject,
        &[AllowOnce, RejectAlways, RejectOnce],
        Some("o2"),
        &[],
    );
    check_answer(
        OnAsk::Reject,
        &[AllowOnce, RejectAlways],
        None,
        &["no_reject_once"],
    );
    check_answer(OnAsk::Reject, &[Unknown], None, &["no_reject_once"]);
    check_answer(OnAsk::Fail, &[AllowOnce, RejectOnce], None, &["asked"]);
}

/// The option that is selected, or the turn is cancelled and the exit says so.
#[track_caller]
fn check_answer(
    on_ask: OnAsk,
    offered: &[PermissionOptionKind],
    selected: Option<&str>,
    remarks: &[&str],
) {
    let mut stand = Stand::prompted(&plan(on_ask));
    stand.ask(offered);
    let step = stand.step(NOW);
    let expected = match selected {
        Some(option) => Command::AnswerPermission {
            session: SESSION,
            request: RequestId::Number(7),
            option: OptionId::from(option),
            message: None,
        },
        None => Command::CancelTurn { session: SESSION },
    };
    assert_eq!(step.commands, [expected]);
    assert_eq!(codes(&step), remarks);
    if selected.is_none() {
        stand.apply(step);
        stand.end(TurnResult::Stopped(StopReason::Cancelled));
        assert_eq!(stand.step(NOW).exit, Some(Exit::OtherReason));
    }
}

#[test]
fn ctrl_c_cancels_the_turn_and_a_second_one_ends_it_all() {
    let mut stand = Stand::prompted(&plan(OnAsk::Reject));
    stand.conduct.interrupted();
    let step = stand.step(NOW);
    assert_eq!(step.commands, [Command::CancelTurn { session: SESSION }]);
    stand.apply(step);
    assert_eq!(stand.step(NOW), Step::default());
    let mut patient = Stand {
        hub: stand.hub.clone(),
        conduct: Conduct { ..stand.conduct },
    };
    patient.end(TurnResult::Stopped(StopReason::EndTurn));
    assert_eq!(patient.step(NOW).exit, Some(Exit::Cancelled));
    patient.conduct.interrupted();
    assert_eq!(patient.step(NOW).exit, Some(Exit::Cancelled));
}

#[test]
fn ctrl_c_before_the_prompt_ends_it_at_once() {
    let mut stand = Stand::started(&plan(OnAsk::Reject));
    stand.conduct.interrupted();
    assert_eq!(stand.step(NOW).exit, Some(Exit::Cancelled));
}

#[test]
fn the_time_limit_cancels_the_turn() {
    let mut limited = plan(OnAsk::Reject);
    limited.timeout_secs = Some(10);
    let mut stand = Stand::prompted(&limited);
    assert_eq!(stand.step(NOW.plus_millis(9_999)), Step::default());
    let step = stand.step(NOW.plus_millis(10_000));
    assert_eq!(step.commands, [Command::CancelTurn { session: SESSION }]);
    stand.apply(step);
    assert_eq!(stand.step(NOW.plus_millis(10_001)), Step::default());
    stand.end(TurnResult::Stopped(StopReason::Cancelled));
    assert_eq!(
        stand.step(NOW.plus_millis(10_002)).exit,
        Some(Exit::TimeLimit)
    );
}

#[test]
fn a_command_of_our_own_is_no_turn() {
    let mut mcp = plan(OnAsk::Reject);
    mcp.prompt = "/mcp".to_owned();
    let mut stand = Stand::prompted(&mcp);
    assert_eq!(stand.step(NOW), Step::default());
    assert_eq!(
        stand.step(NOW.plus_millis(OWN_COMMAND_MILLIS)).exit,
        Some(Exit::Success)
    );
}
