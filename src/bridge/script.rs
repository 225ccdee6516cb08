//! A recorded session as data: which frames went which way, and which answers which.

pub mod agent;
pub mod demo;
mod plausible;
mod wire;

use std::collections::{HashMap, VecDeque};
use std::fmt;

use serde_json::Value;

use crate::core::backend::Dialect;
use wire::Shape;

/// The frames of a recording, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    pub steps: Vec<Step>,
}

/// One frame of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Milliseconds since the agent started.
    pub t_ms: u64,
    pub frame: Value,
    pub role: Role,
}

/// What a frame is. `request` is the step that an answer answers, where the recording holds it.
///
/// In Claude Code's dialect the method of a control request is its subtype; a prompt is a request of the method
/// `user`, and the `result` of its turn the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    ClientRequest {
        method: String,
    },
    ClientNotification {
        method: String,
    },
    ClientAnswer {
        request: Option<usize>,
    },
    AgentRequest {
        method: String,
    },
    AgentAnswer {
        request: Option<usize>,
    },
    /// A notification of the agent, or a line of it that is no protocol message.
    AgentSays,
    /// The agent's process was started again here.
    Restart,
    /// A remark of whoever recorded it, or something only a broken client would send.
    Remark,
}

/// Why a text is no recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingError {
    /// Counted from 1.
    pub line: usize,
    pub problem: String,
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl Recording {
    /// Reads the lines of a recording. Empty lines are skipped.
    pub fn parse(text: &str) -> Result<Self, RecordingError> {
        let mut lines = Vec::new();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let line = parse_line(line).map_err(|problem| RecordingError {
                line: index + 1,
                problem,
            })?;
            lines.push(line);
        }
        if lines.is_empty() {
            let problem = "the recording is empty".to_owned();
            return Err(RecordingError { line: 1, problem });
        }
        Ok(Self::from_lines(lines))
    }

    /// The wire language, judged by the first frames.
    pub fn dialect(&self) -> Dialect {
        let mut first = self.steps.iter().take(3);
        if first.any(|step| wire::is_stream_json(&step.frame)) {
            Dialect::ClaudeCode
        } else {
            Dialect::Acp
        }
    }

    /// The runs of the agent, each as a recording of its own.
    pub fn runs(&self) -> Vec<Self> {
        let runs = self.steps.split(|step| step.role == Role::Restart);
        runs.filter(|steps| !steps.is_empty())
            .map(|steps| {
                let lines = steps.iter().map(|step| Line {
                    to_agent: step.role.is_from_client(),
                    t_ms: step.t_ms,
                    frame: step.frame.clone(),
                });
                Self::from_lines(lines.collect())
            })
            .collect()
    }

    fn from_lines(lines: Vec<Line>) -> Self {
        let mut open = Open::default();
        let steps = lines.into_iter().enumerate();
        let steps = steps
            .map(|(index, line)| Step {
                role: open.role(index, &line),
                t_ms: line.t_ms,
                frame: line.frame,
            })
            .collect();
        Self { steps }
    }
}

impl Role {
    /// Whether the frame goes to the agent.
    pub fn is_from_client(&self) -> bool {
        match self {
            Self::ClientRequest { .. }
            | Self::ClientNotification { .. }
            | Self::ClientAnswer { .. }
            | Self::Restart
            | Self::Remark => true,
            Self::AgentRequest { .. } | Self::AgentAnswer { .. } | Self::AgentSays => false,
        }
    }
}

impl Step {
    /// A value of the frame's `params`; of the `request` in a control request.
    pub fn param(&self, name: &str) -> Option<&Value> {
        wire::params(&self.frame)?.get(name)
    }
}

/// What an agent writes for a frame: its JSON, or the very line where that was none.
pub fn line_of(frame: &Value) -> String {
    match frame.get("_not_json").and_then(Value::as_str) {
        Some(text) => text.to_owned(),
        None => frame.to_string(),
    }
}

struct Line {
    to_agent: bool,
    t_ms: u64,
    frame: Value,
}

fn parse_line(line: &str) -> Result<Line, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"))?;
    let to_agent = match value.get("dir").and_then(Value::as_str) {
        Some("in") => true,
        Some("out") => false,
        Some(_) | None => return Err("\"dir\" is neither \"in\" nor \"out\"".to_owned()),
    };
    let t_ms = value.get("t_ms").and_then(Value::as_f64);
    let t_ms = t_ms.ok_or("\"t_ms\" is no number")?.max(0.0) as u64;
    match value.get("frame") {
        Some(frame @ Value::Object(_)) => Ok(Line {
            to_agent,
            t_ms,
            frame: frame.clone(),
        }),
        Some(_) => Err("\"frame\" is no object".to_owned()),
        None => Err("\"frame\" is missing".to_owned()),
    }
}

/// Requests that wait for their answer while a recording is read, by id.
#[derive(Default)]
struct Open {
    of_client: HashMap<String, usize>,
    of_agent: HashMap<String, usize>,
    /// Prompts of stream-json, which have no id.
    prompts: VecDeque<usize>,
}

impl Open {
    fn role(&mut self, index: usize, line: &Line) -> Role {
        let frame = &line.frame;
        if let Some(note) = frame.get("_note").and_then(Value::as_str) {
            if note.contains("restarted") {
                *self = Self::default();
                return Role::Restart;
            }
            return Role::Remark;
        }
        match (line.to_agent, wire::shape(frame, line.to_agent)) {
            (true, Shape::Request { method, id }) => {
                if method == wire::USER_LINE && id.is_null() {
                    self.prompts.push_back(index);
                } else {
                    self.of_client.insert(id.to_string(), index);
                }
                let method = method.to_owned();
                Role::ClientRequest { method }
            }
            (true, Shape::Notification { method }) => Role::ClientNotification {
                method: method.to_owned(),
            },
            (true, Shape::Answer { id }) => Role::ClientAnswer {
                request: self.of_agent.remove(&id.to_string()),
            },
            (true, Shape::TurnResult | Shape::Other) => Role::Remark,
            (false, Shape::Request { method, id }) => {
                self.of_agent.insert(id.to_string(), index);
                let method = method.to_owned();
                Role::AgentRequest { method }
            }
            (false, Shape::Answer { id }) => Role::AgentAnswer {
                request: self.of_client.remove(&id.to_string()),
            },
            (false, Shape::TurnResult) => Role::AgentAnswer {
                request: self.prompts.pop_front(),
            },
            (false, Shape::Notification { .. } | Shape::Other) => Role::AgentSays,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        Recording::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn a_broken_line_is_named_by_its_number() {
        let good = r#"{"dir": "in", "t_ms": 1, "frame": {"id": 1, "method": "initialize"}}"#;
        let cases = [
            (String::new(), "line 1: the recording is empty"),
            (
                format!("{good}\n\n{{"),
                "line 3: not JSON: EOF while parsing an object at line 1 column 1",
            ),
            (
                r#"{"dir": "up", "t_ms": 1, "frame": {}}"#.to_owned(),
                "line 1: \"dir\" is neither \"in\" nor \"out\"",
            ),
            (
                format!("{good}\n{{\"dir\": \"in\", \"frame\": {{}}}}"),
                "line 2: \"t_ms\" is no number",
            ),
            (
                r#"{"dir": "in", "t_ms": 1}"#.to_owned(),
                "line 1: \"frame\" is missing",
            ),
            (
                r#"{"dir": "in", "t_ms": 1, "frame": 7}"#.to_owned(),
                "line 1: \"frame\" is no object",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(problem(&text), expected);
        }
    }

    #[test]
    fn answers_know_their_requests_and_ids_start_again_after_a_restart() {
        let text = r#"
            {"dir": "in", "t_ms": 1, "frame": {"id": 1, "method": "initialize"}}
            {"dir": "out", "t_ms": 2, "frame": {"id": 1, "result": {}}}
            {"dir": "in", "t_ms": 3, "frame": {"id": 2, "method": "session/new"}}
            {"dir": "in", "t_ms": 4, "frame": {"_note": "agent process restarted here"}}
            {"dir": "in", "t_ms": 1, "frame": {"id": 2, "method": "initialize"}}
            {"dir": "out", "t_ms": 2, "frame": {"id": 2, "result": {}}}
            {"dir": "out", "t_ms": 3, "frame": {"id": 0, "method": "session/request_permission"}}
            {"dir": "in", "t_ms": 4, "frame": {"id": 0, "result": {}}}
            {"dir": "out", "t_ms": 5, "frame": {"_not_json": "bye"}}"#;
        let recording = Recording::parse(text).unwrap();
        assert_eq!(
            recording.steps[1].role,
            Role::AgentAnswer { request: Some(0) }
        );
        assert_eq!(
            recording.steps[5].role,
            Role::AgentAnswer { request: Some(4) }
        );
        assert_eq!(
            recording.steps[7].role,
            Role::ClientAnswer { request: Some(6) }
        );
        assert_eq!(recording.steps[8].role, Role::AgentSays);
        assert_eq!(line_of(&recording.steps[8].frame), "bye");
        let runs: Vec<_> = recording.runs().iter().map(|run| run.steps.len()).collect();
        assert_eq!(runs, [3, 5]);
        assert_eq!(recording.dialect(), Dialect::Acp);
    }

    #[test]
    fn in_stream_json_a_result_answers_the_oldest_prompt() {
        let text = r#"
            {"dir": "in", "t_ms": 1, "frame": {"type": "control_request", "request_id": "a", "request": {"subtype": "initialize"}}}
            {"dir": "out", "t_ms": 2, "frame": {"type": "control_response", "response": {"request_id": "a"}}}
            {"dir": "in", "t_ms": 3, "frame": {"type": "user", "message": {}}}
            {"dir": "in", "t_ms": 4, "frame": {"type": "user", "message": {}}}
            {"dir": "out", "t_ms": 5, "frame": {"type": "user", "message": {}}}
            {"dir": "out", "t_ms": 6, "frame": {"type": "control_request", "request_id": "b", "request": {"subtype": "can_use_tool"}}}
            {"dir": "in", "t_ms": 7, "frame": {"type": "control_response", "response": {"request_id": "b"}}}
            {"dir": "out", "t_ms": 8, "frame": {"type": "result"}}
            {"dir": "out", "t_ms": 9, "frame": {"type": "result"}}
            {"dir": "out", "t_ms": 9, "frame": {"type": "result"}}"#;
        let recording = Recording::parse(text).unwrap();
        assert_eq!(recording.dialect(), Dialect::ClaudeCode);
        let roles: Vec<_> = recording.steps.into_iter().map(|step| step.role).collect();
        let request = |method: &str| Role::ClientRequest {
            method: method.to_owned(),
        };
        let answer = |request| Role::AgentAnswer { request };
        let expected = [
            request("initialize"),
            answer(Some(0)),
            request("user"),
            request("user"),
            Role::AgentSays,
            Role::AgentRequest {
                method: "can_use_tool".to_owned(),
            },
            Role::ClientAnswer { request: Some(5) },
            answer(Some(2)),
            answer(Some(3)),
            answer(None),
        ];
        assert_eq!(roles, expected);
    }
}
