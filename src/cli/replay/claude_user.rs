//! The user's side of a recording of Claude Code, whose process holds one session.

use serde_json::Value;

use crate::bridge::script::{Recording, Role, Step};
use crate::core::command::{Command, Prompt};
use crate::core::ids::{ModeId, ModelId, OptionId, RequestId, SessionKey};
use crate::core::permission::PermissionOptionKind;
use crate::core::question::{AnswerForm, AnswerValue, Question, QuestionAnswer, QuestionKind};
use crate::core::session::Session;
use crate::core::tool_call::ImageData;

/// What the person did at a step, if it is something that a person can do with this client.
pub(super) fn command(recording: &Recording, step: &Step, session: &Session) -> Option<Command> {
    match &step.role {
        Role::ClientRequest { method } => requested(method, step, session.key()),
        Role::ClientAnswer { request } => {
            let asked = recording.steps.get((*request)?)?;
            answered(asked, step, session)
        }
        Role::ClientNotification { .. }
        | Role::AgentRequest { .. }
        | Role::AgentAnswer { .. }
        | Role::AgentSays
        | Role::Restart
        | Role::Remark => None,
    }
}

fn requested(method: &str, step: &Step, session: SessionKey) -> Option<Command> {
    let text = |name: &str| step.param(name).and_then(Value::as_str);
    match method {
        "user" => Some(Command::Prompt {
            session,
            prompt: prompt(step.frame.pointer("/message/content")?),
        }),
        "interrupt" => Some(Command::CancelTurn { session }),
        "set_permission_mode" => Some(Command::SetMode {
            session,
            mode: ModeId::from(text("mode")?),
        }),
        "set_model" => Some(Command::SetModel {
            session,
            model: ModelId::from(text("model")?),
        }),
        "mcp_status" => Some(Command::ShowMcp { session }),
        "mcp_reconnect" => Some(Command::ReconnectMcp {
            session,
            server: text("serverName")?.to_owned(),
        }),
        _ => None,
    }
}

fn prompt(content: &Value) -> Prompt {
    if let Some(text) = content.as_str() {
        return Prompt::text(text);
    }
    let mut prompt = Prompt::default();
    for block in content.as_array().into_iter().flatten() {
        let text = |place: &str| {
            block
                .pointer(place)
                .and_then(Value::as_str)
                .map(str::to_owned)
        };
        match block.get("type").and_then(Value::as_str) {
            Some("text") => {
                if !prompt.text.is_empty() {
                    prompt.text.push('\n');
                }
                prompt.text.push_str(&text("/text").unwrap_or_default());
            }
            Some("image") => prompt.images.push(ImageData {
                media_type: text("/source/media_type").unwrap_or_default(),
                base64: text("/source/data").unwrap_or_default(),
                uri: text("/source/url"),
            }),
            Some(_) | None => {}
        }
    }
    prompt
}

/// The answer to a request that is open in the session, as a permission or as a question.
fn answered(asked: &Step, step: &Step, session: &Session) -> Option<Command> {
    let id = asked.frame.get("request_id")?.as_str()?;
    let request = RequestId::Text(id.to_owned());
    let response = step.frame.pointer("/response/response")?;
    let key = session.key();
    if let Some(open) = session.questions().iter().find(|open| open.id == request) {
        let answer = question_answer(response, &open.kind);
        return Some(Command::AnswerQuestion {
            session: key,
            request,
            answer,
        });
    }
    let text = |name: &str| response.get(name).and_then(Value::as_str);
    let allows = text("behavior") == Some("allow");
    let always = response
        .get("updatedPermissions")
        .and_then(Value::as_array)
        .is_some_and(|rules| !rules.is_empty());
    let kind = match (allows, always) {
        (true, true) => PermissionOptionKind::AllowAlways,
        (true, false) => PermissionOptionKind::AllowOnce,
        (false, _) => PermissionOptionKind::RejectOnce,
    };
    Some(Command::AnswerPermission {
        session: key,
        option: option(session, &request, kind)?,
        request,
        message: text("message").map(str::to_owned),
    })
}

/// The option of an open request that means what the person did.
fn option(session: &Session, request: &RequestId, kind: PermissionOptionKind) -> Option<OptionId> {
    let mut open = session.permission_requests().iter();
    let request = open.find(|open| open.id == *request)?;
    let option = request.options.iter().find(|option| option.kind == kind)?;
    Some(option.id.clone())
}

/// Answers are keyed by the full text of their question; several labels stand in one text.
fn question_answer(response: &Value, asked: &QuestionKind) -> QuestionAnswer {
    let QuestionKind::Form(questions) = asked else {
        return QuestionAnswer::Skipped;
    };
    if response.get("behavior").and_then(Value::as_str) != Some("allow") {
        return QuestionAnswer::Cancelled;
    }
    let answers = response.pointer("/updatedInput/answers");
    let answer = |question: &Question| {
        let given = answers?.get(&question.key)?.as_str()?;
        let value = match &question.answer {
            AnswerForm::Choice { many: true, .. } => {
                AnswerValue::Many(given.split(", ").map(str::to_owned).collect())
            }
            _ => AnswerValue::Text(given.to_owned()),
        };
        Some((question.key.clone(), value))
    };
    let given: Vec<_> = questions.iter().filter_map(answer).collect();
    if given.is_empty() {
        QuestionAnswer::Skipped
    } else {
        QuestionAnswer::Submitted(given)
    }
}
