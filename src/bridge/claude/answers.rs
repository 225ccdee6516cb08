//! What the program asks us, and our answers: permissions, questions, elicitations. Each is answered once.

use serde_json::{Map, Value, json};

use super::{ClaudeBridge, some_text, text, tools};
use crate::bridge::elicitation;
use crate::core::event::SessionEvent;
use crate::core::ids::{OptionId, RequestId, ToolCallId};
use crate::core::permission::{PermissionOption, PermissionOptionKind, PermissionOutcome};
use crate::core::question::{
    AnswerForm, AnswerLimits, AnswerOption, AnswerValue, Question, QuestionAnswer, QuestionKind,
};
use crate::core::tool_call::ToolCallPatch;

/// A request of the program that waits for our answer.
#[derive(Debug)]
pub(super) enum Asked {
    Permission {
        input: Value,
        suggestions: Vec<Value>,
    },
    Question {
        input: Value,
    },
    Elicitation(elicitation::Notes),
}

const ALLOW: &str = "allow";
const DENY: &str = "deny";
/// Options that go with a suggestion of the program are named after its place among them.
const ALWAYS: &str = "always-";

impl ClaudeBridge {
    pub(super) fn control_request(&mut self, frame: &Value) {
        let id = text(frame, "request_id").to_owned();
        let request = frame.get("request").cloned().unwrap_or_default();
        match text(&request, "subtype") {
            "can_use_tool" => self.can_use_tool(id, &request),
            "elicitation" => self.elicitation(id, &request),
            other => {
                let error = format!("not supported: {other}");
                self.unrecognized(other);
                self.refuse(&id, &error);
            }
        }
    }

    /// The program takes a request back.
    pub(super) fn request_withdrawn(&mut self, frame: &Value) {
        let id = text(frame, "request_id").to_owned();
        let request = RequestId::Text(id.clone());
        match self.asked.remove(&id) {
            Some(Asked::Permission { .. }) => {
                self.session_event(SessionEvent::PermissionWithdrawn { request });
            }
            Some(Asked::Question { .. } | Asked::Elicitation(_)) => {
                self.session_event(SessionEvent::QuestionWithdrawn { request });
            }
            None => {}
        }
    }

    pub(super) fn answer_permission(
        &mut self,
        request: &RequestId,
        outcome: &PermissionOutcome,
        message: Option<String>,
    ) {
        let id = request.to_string();
        let Some(Asked::Permission { input, suggestions }) = self.asked.remove(&id) else {
            return;
        };
        let response = match outcome {
            PermissionOutcome::Selected(option) if option.as_str() == ALLOW => {
                json!({"behavior": "allow", "updatedInput": input})
            }
            PermissionOutcome::Selected(option) => match suggestion(option, &suggestions) {
                Some(rules) => {
                    json!({"behavior": "allow", "updatedInput": input, "updatedPermissions": [rules]})
                }
                None => denial(message),
            },
            PermissionOutcome::Cancelled => denial(None),
        };
        self.answer(&id, &response);
    }

    pub(super) fn answer_question(&mut self, request: &RequestId, answer: QuestionAnswer) {
        let id = request.to_string();
        match self.asked.remove(&id) {
            Some(Asked::Question { input }) => {
                let response = question_response(input, answer);
                self.answer(&id, &response);
            }
            Some(Asked::Elicitation(notes)) => {
                let response = elicitation::answer("action", &notes, answer);
                self.answer(&id, &response);
            }
            Some(asked @ Asked::Permission { .. }) => {
                self.asked.insert(id, asked);
            }
            None => {}
        }
    }

    fn can_use_tool(&mut self, id: String, request: &Value) {
        let name = text(request, "tool_name");
        let input = request.get("input").cloned().unwrap_or_else(|| json!({}));
        let call = Some(text(request, "tool_use_id")).filter(|call| !call.is_empty());
        let call = ToolCallId::from(call.unwrap_or(&id));
        let request_id = RequestId::Text(id.clone());
        if name == "AskUserQuestion"
            && let Some(questions) = questions(&input)
        {
            self.asked.insert(id, Asked::Question { input });
            let kind = QuestionKind::Form(questions);
            let tool_call = Some(call);
            self.session_event(SessionEvent::QuestionAsked {
                request: request_id,
                tool_call,
                message: None,
                kind,
            });
            return;
        }
        let suggestions = request
            .get("permission_suggestions")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        let mut patch = tools::described(name, &input);
        patch.meta = Some(json!({"claude": reasons(request)}).into());
        let options = options(&suggestions);
        self.asked
            .insert(id, Asked::Permission { input, suggestions });
        self.ask(request_id, call, patch, options);
    }

    fn ask(
        &mut self,
        request: RequestId,
        call: ToolCallId,
        patch: ToolCallPatch,
        options: Vec<PermissionOption>,
    ) {
        let patch = Box::new(patch);
        self.session_event(SessionEvent::PermissionRequested {
            request,
            tool_call: call,
            patch,
            options,
        });
    }

    fn elicitation(&mut self, id: String, request: &Value) {
        let message = some_text(request, "message");
        let schema = request
            .get("requested_schema")
            .or_else(|| request.get("requestedSchema"));
        let Some(asked) = elicitation::read(message, text(request, "url"), schema) else {
            self.refuse(&id, "not supported: elicitation");
            return;
        };
        let request = RequestId::Text(id.clone());
        self.asked.insert(id, Asked::Elicitation(asked.notes));
        self.session_event(SessionEvent::QuestionAsked {
            request,
            tool_call: None,
            message: asked.message,
            kind: asked.kind,
        });
    }

    fn answer(&mut self, id: &str, response: &Value) {
        self.write(&json!({
            "type": "control_response",
            "response": {"subtype": "success", "request_id": id, "response": response},
        }));
    }

    fn refuse(&mut self, id: &str, error: &str) {
        self.write(&json!({
            "type": "control_response",
            "response": {"subtype": "error", "request_id": id, "error": error},
        }));
    }
}

fn denial(message: Option<String>) -> Value {
    let message = message.unwrap_or_else(|| "The user refused this.".to_owned());
    json!({"behavior": "deny", "message": message})
}

/// Why the program asks, for the card.
fn reasons(request: &Value) -> Value {
    let keep = [
        "description",
        "blocked_path",
        "decision_reason",
        "requires_user_interaction",
        "display_name",
    ];
    let kept: Map<_, _> = keep
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), request.get(*key)?.clone())))
        .collect();
    Value::Object(kept)
}

fn options(suggestions: &[Value]) -> Vec<PermissionOption> {
    let option = |id: String, kind, scope| PermissionOption {
        id: OptionId::from(id),
        name: String::new(),
        kind,
        scope,
    };
    let always = suggestions.iter().enumerate().map(|(index, suggestion)| {
        let scope = Some(scope(suggestion));
        option(
            format!("{ALWAYS}{index}"),
            PermissionOptionKind::AllowAlways,
            scope,
        )
    });
    [option(
        ALLOW.to_owned(),
        PermissionOptionKind::AllowOnce,
        None,
    )]
    .into_iter()
    .chain(always)
    .chain([option(
        DENY.to_owned(),
        PermissionOptionKind::RejectOnce,
        None,
    )])
    .collect()
}

fn suggestion<'a>(option: &OptionId, suggestions: &'a [Value]) -> Option<&'a Value> {
    suggestions.get(
        option
            .as_str()
            .strip_prefix(ALWAYS)?
            .parse::<usize>()
            .ok()?,
    )
}

/// A suggestion in the program's own notation: all of its rules, never a bare tool name for a narrower rule.
fn scope(suggestion: &Value) -> String {
    let rules = suggestion
        .get("rules")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let rule = |rule: &Value| match some_text(rule, "ruleContent") {
        Some(content) => format!("{}({content})", text(rule, "toolName")),
        None => text(rule, "toolName").to_owned(),
    };
    match text(suggestion, "type") {
        "addRules" if !rules.is_empty() => rules.iter().map(rule).collect::<Vec<_>>().join(", "),
        "setMode" => text(suggestion, "mode").to_owned(),
        "addDirectories" => {
            let folders = suggestion
                .get("directories")
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default();
            folders
                .iter()
                .filter_map(Value::as_str)
                .collect::<Vec<_>>()
                .join(", ")
        }
        _ => suggestion.to_string(),
    }
}

/// The questions of an `AskUserQuestion`; those without a text are left out. `None` when none is left.
fn questions(input: &Value) -> Option<Vec<Question>> {
    let asked = input.get("questions")?.as_array()?;
    let option = |option: &Value| AnswerOption {
        value: text(option, "label").to_owned(),
        label: text(option, "label").to_owned(),
        description: some_text(option, "description"),
    };
    let questions: Vec<_> = asked
        .iter()
        .filter_map(|question| {
            let text = some_text(question, "question")?;
            let options = question
                .get("options")
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default();
            let many = question
                .get("multiSelect")
                .and_then(Value::as_bool)
                .unwrap_or(false);
            let answer = AnswerForm::Choice {
                options: options.iter().map(option).collect(),
                many,
                other: true,
                default: Vec::new(),
            };
            let header = some_text(question, "header");
            Some(Question {
                key: text.clone(),
                header,
                text,
                answer,
                required: true,
                limits: AnswerLimits::default(),
            })
        })
        .collect();
    (!questions.is_empty()).then_some(questions)
}

/// Answers are keyed by the full text of their question; several labels are joined.
fn question_response(mut input: Value, answer: QuestionAnswer) -> Value {
    let answers: Map<_, _> = match answer {
        QuestionAnswer::Cancelled => return denial(None),
        QuestionAnswer::Skipped => Map::new(),
        QuestionAnswer::Submitted(answers) => answers
            .into_iter()
            .map(|(question, value)| {
                let value = match value {
                    AnswerValue::Text(text) | AnswerValue::Number(text) => text.trim().to_owned(),
                    AnswerValue::Many(labels) => labels.join(", "),
                    AnswerValue::YesNo(yes) => yes.to_string(),
                };
                (question, Value::String(value))
            })
            .collect(),
    };
    if let Some(input) = input.as_object_mut() {
        input.insert("answers".to_owned(), Value::Object(answers));
    }
    json!({"behavior": "allow", "updatedInput": input})
}
