//! The plan that Grok asks to carry out: a permission request in a form of its own.

use serde_json::{Value, json};

use crate::bridge::acp::requests::{NewPermission, PermissionFrame};
use crate::bridge::json::Object;
use crate::core::ids::OptionId;
use crate::core::permission::{PermissionOption, PermissionOptionKind, PermissionOutcome};
use crate::core::tool_call::{ToolCallPatch, ToolKind};

const APPROVED: &str = "approved";
/// The plan is to be changed; `feedback` says how.
const CANCELLED: &str = "cancelled";
const TOOL_NAME: &str = "exit_plan_mode";

/// What a request asks, if it is about a plan. It says itself which tool it is, whatever was said of its call.
pub(in crate::bridge::quirks) fn read(method: &str, params: &Object<'_>) -> Option<NewPermission> {
    if method.strip_prefix('_').unwrap_or(method) != "x.ai/exit_plan_mode" {
        return None;
    }
    let plan = params.text("planContent").unwrap_or_default();
    let option = |id: &str, kind| PermissionOption {
        id: OptionId::from(id),
        name: String::new(),
        kind,
        scope: None,
    };
    Some(NewPermission {
        patch: ToolCallPatch {
            name: Some(TOOL_NAME.to_owned()),
            kind: Some(ToolKind::SwitchMode),
            raw_input: Some(json!({"plan": plan}).into()),
            ..ToolCallPatch::default()
        },
        options: vec![
            option(APPROVED, PermissionOptionKind::AllowOnce),
            option(CANCELLED, PermissionOptionKind::RejectOnce),
        ],
        answer: PermissionFrame::Plan,
    })
}

/// The answer, with what the person wants changed.
pub(in crate::bridge::quirks) fn answer(
    outcome: &PermissionOutcome,
    message: Option<String>,
) -> Value {
    match (outcome, message) {
        (PermissionOutcome::Selected(option), _) if option.as_str() == APPROVED => {
            json!({"outcome": APPROVED})
        }
        (PermissionOutcome::Selected(_), Some(feedback)) => {
            json!({"outcome": CANCELLED, "feedback": feedback})
        }
        (PermissionOutcome::Selected(_) | PermissionOutcome::Cancelled, _) => {
            json!({"outcome": CANCELLED})
        }
    }
}
