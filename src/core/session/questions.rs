//! Open questions of a session: asked, answered once, withdrawn. Never answered by us.

use super::{Session, Turn};
use crate::core::effect::{AgentMessage, Effect};
use crate::core::ids::RequestId;
use crate::core::notice::Note;
use crate::core::permission::AnsweredBy;
use crate::core::question::{QuestionAnswer, QuestionRequest};
use crate::core::time::Timestamp;

impl Session {
    /// Shows a set of questions, or answers it at once when it crossed our cancellation on the wire.
    pub(super) fn question_asked(&mut self, request: QuestionRequest) -> Vec<Effect> {
        if matches!(self.turn, Turn::Cancelling { .. }) {
            return vec![self.question_answer(request.id, QuestionAnswer::Cancelled)];
        }
        self.questions.push(request);
        Vec::new()
    }

    /// Answers a set of questions. An answer to anything else is dropped.
    pub(in crate::core) fn answer_question(
        &mut self,
        request: &RequestId,
        answer: QuestionAnswer,
        now: Timestamp,
    ) -> Vec<Effect> {
        let Some(index) = self.questions.iter().position(|open| open.id == *request) else {
            return Vec::new();
        };
        let open = self.questions.remove(index);
        match (&answer, &open.tool_call) {
            (QuestionAnswer::Skipped, _) => self.note(Note::QuestionSkipped, now),
            (QuestionAnswer::Cancelled, Some(call)) => {
                let place = self.place(now);
                self.transcript.cancel_tool_call(call, place);
            }
            (QuestionAnswer::Cancelled, None) | (QuestionAnswer::Submitted(_), _) => {}
        }
        vec![self.question_answer(open.id, answer)]
    }

    pub(super) fn question_withdrawn(&mut self, request: &RequestId) {
        self.questions.retain(|open| open.id != *request);
    }

    /// Closes all open questions without an answer of the person.
    pub(super) fn dismiss_questions(&mut self, by: AnsweredBy) -> Vec<Effect> {
        let open = std::mem::take(&mut self.questions);
        if by != AnsweredBy::Cancellation {
            return Vec::new();
        }
        open.into_iter()
            .map(|request| self.question_answer(request.id, QuestionAnswer::Cancelled))
            .collect()
    }

    fn question_answer(&self, request: RequestId, answer: QuestionAnswer) -> Effect {
        self.send(AgentMessage::AnswerQuestion {
            session: self.key,
            request,
            answer,
        })
    }
}
