//! Text that was begun and is written anew: it stays, but as what it is, so that nothing seems to be said twice.

use super::{Block, BlockContent, Message, MessageKind, Place, Transcript};

/// Text that won't be finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbandonedText {
    pub kind: MessageKind,
    /// The message that it belongs to, where the agent tells.
    pub message_id: Option<String>,
    /// The text, which ends what the message holds; `None` for all of the message.
    pub text: Option<String>,
}

impl Transcript {
    /// Marks text of this turn as abandoned. Without a message id it is the text that came last, with nothing of the
    /// agent's after it.
    pub fn abandon_text(&mut self, abandoned: &AbandonedText, place: Place) {
        let found = self
            .blocks
            .iter_mut()
            .rev()
            .take_while(|block| block.turn == place.turn && ends_nothing(block, abandoned))
            .find_map(|block| {
                let kept = message_of(block, abandoned)?;
                Some((block, kept))
            });
        let Some((block, message)) = found else {
            return;
        };
        let end = abandoned.text.as_deref().unwrap_or(&message.text);
        let Some(kept) = message.text.strip_suffix(end) else {
            return;
        };
        let lost = Message {
            text: end.to_owned(),
            message_id: message.message_id.clone(),
        };
        block.revision = self.changes.note(block.id);
        if kept.is_empty() {
            block.content = BlockContent::Abandoned(lost);
            return;
        }
        if let BlockContent::AgentMessage(message) | BlockContent::Thought(message) =
            &mut block.content
        {
            message.text.truncate(kept.len());
        }
        self.push(BlockContent::Abandoned(lost), place);
    }
}

/// Whether an older block may still be the one: always where the message is named.
fn ends_nothing(block: &Block, abandoned: &AbandonedText) -> bool {
    abandoned.message_id.is_some()
        || matches!(
            block.content,
            BlockContent::AgentMessage(_) | BlockContent::Thought(_) | BlockContent::Note(_)
        )
}

fn message_of(block: &Block, abandoned: &AbandonedText) -> Option<Message> {
    let ((BlockContent::AgentMessage(message), MessageKind::Agent)
    | (BlockContent::Thought(message), MessageKind::Thought)) = (&block.content, abandoned.kind)
    else {
        return None;
    };
    let is_named = abandoned.message_id.is_none()
        || message.message_id.as_deref() == abandoned.message_id.as_deref();
    is_named.then(|| message.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::ids::TurnId;
    use crate::core::notice::Note;
    use crate::core::time::Timestamp;

    const PLACE: Place = Place {
        turn: Some(TurnId(1)),
        late: false,
        at: Timestamp(0),
    };

    fn shown(transcript: &Transcript) -> Vec<String> {
        let blocks = transcript.blocks().iter();
        blocks
            .map(|block| {
                if let BlockContent::AgentMessage(message) = &block.content {
                    message.text.clone()
                } else if let BlockContent::Abandoned(message) = &block.content {
                    format!("({})", message.text)
                } else {
                    format!("{:?}", block.content).chars().take(4).collect()
                }
            })
            .collect()
    }

    fn said(pieces: &[(&str, &str)]) -> Transcript {
        let mut transcript = Transcript::default();
        for (id, text) in pieces {
            transcript.push_text(MessageKind::Agent, text, Some((*id).to_owned()), PLACE);
        }
        transcript
    }

    fn lost(id: Option<&str>, text: Option<&str>) -> AbandonedText {
        AbandonedText {
            kind: MessageKind::Agent,
            message_id: id.map(str::to_owned),
            text: text.map(str::to_owned),
        }
    }

    #[test]
    fn only_the_text_that_is_named_is_abandoned() {
        let pieces = [("a", "whole"), ("b", "first. "), ("b", "second")];
        let cases: [(AbandonedText, &[&str]); 5] = [
            (
                lost(Some("b"), Some("first. second")),
                &["whole", "(first. second)"],
            ),
            (
                lost(Some("b"), Some("second")),
                &["whole", "first. ", "(second)"],
            ),
            (lost(Some("a"), None), &["(whole)", "first. second"]),
            (lost(None, None), &["whole", "(first. second)"]),
            (lost(Some("c"), None), &["whole", "first. second"]),
        ];
        for (abandoned, expected) in cases {
            let mut transcript = said(&pieces);
            let before = transcript.revision();
            transcript.abandon_text(&abandoned, PLACE);
            assert_eq!(shown(&transcript), expected, "{abandoned:?}");
            let changed = transcript.revision() > before;
            assert_eq!(changed, expected.iter().any(|text| text.starts_with('(')));
        }
    }

    #[test]
    fn what_came_before_other_work_was_no_beginning() {
        let mut transcript = said(&[("a", "I look")]);
        transcript.push(BlockContent::note(Note::Cancelled), PLACE);
        let other_turn = Place {
            turn: Some(TurnId(2)),
            ..PLACE
        };
        transcript.abandon_text(&lost(None, None), other_turn);
        assert_eq!(shown(&transcript), ["I look", "Note"]);
        let plan = crate::core::plan::Plan::default();
        transcript.push(BlockContent::Plan(plan), PLACE);
        transcript.abandon_text(&lost(None, None), PLACE);
        assert_eq!(shown(&transcript), ["I look", "Note", "Plan"]);
    }
}
